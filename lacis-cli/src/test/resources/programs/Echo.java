/** Rank 0 repeats what it reads; the others say that there is nothing to read. */
void main() throws Exception {
  String rank = System.getenv("PMI_RANK");
  byte[] all = System.in.readAllBytes();
  IO.println("rank " + rank + " read " + all.length + (all.length == 0 ? "" : ": " + new String(all).strip()));
}
