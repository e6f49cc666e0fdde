/** Tells its arguments in ASCII, and whether there is a file named by the last one. */
void main(String[] args) {
  for (String arg : args) {
    IO.println(arg.codePoints().mapToObj(Integer::toHexString).toList());
  }
  IO.println(new java.io.File(args[args.length - 1]).isFile() + " " + java.nio.file.Files.exists(java.nio.file.Path.of(args[args.length - 1])));
}
