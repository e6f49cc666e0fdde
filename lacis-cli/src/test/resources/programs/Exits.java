/** The rank of the first argument exits with the code of the second; the others sleep. */
void main(String[] args) throws Exception {
  if (System.getenv("PMI_RANK").equals(args[0])) {
    System.exit(Integer.parseInt(args[1]));
  }
  Thread.sleep(600_000);
}
