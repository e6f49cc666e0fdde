/** Says where it is and what it was told. */
void main(String[] args) {
  IO.println(
      String.join(
          "|",
          System.getenv("PMI_RANK"),
          System.getProperty("user.dir"),
          String.valueOf(System.getenv("COLOUR")),
          String.valueOf(System.getenv("LACIS_NET")),
          String.valueOf(System.getProperty("mark")),
          String.join(",", args)));
}
