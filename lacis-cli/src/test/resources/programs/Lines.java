/** Prints lines in pieces, to both streams: as many as the first argument says, of the length of the second. */
void main(String[] args) throws Exception {
  int lines = Integer.parseInt(args[0]);
  String rank = System.getenv("PMI_RANK");
  String half = rank.repeat(Integer.parseInt(args[1]) / 2);
  var out = new java.io.FileOutputStream(java.io.FileDescriptor.out);
  var err = new java.io.FileOutputStream(java.io.FileDescriptor.err);
  for (int i = 0; i < lines; i++) {
    out.write((rank + ":" + half).getBytes());
    err.write(("e" + rank + ":" + half).getBytes());
    out.write((half + "." + i + "\n").getBytes());
    err.write((half + "." + i + "\n").getBytes());
  }
  out.write((rank + ":last").getBytes());
}
