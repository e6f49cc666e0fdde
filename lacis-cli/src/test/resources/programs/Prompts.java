/** Shows a prompt without a newline, and repeats the answer. */
void main() throws Exception {
  if (System.getenv("PMI_RANK").equals("0")) {
    System.out.print("your name? ");
    System.out.flush();
    IO.println("hello " + IO.readln());
  }
}
