/** Prints many lines fast. */
void main(String[] args) {
  int lines = Integer.parseInt(args[0]);
  var out = new java.io.PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), false);
  var buffered = new java.io.PrintStream(new java.io.BufferedOutputStream(out, 8192), false);
  for (int i = 0; i < lines; i++) {
    buffered.println("line " + i);
  }
  buffered.flush();
}
