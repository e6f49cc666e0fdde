/** Says where it is. */
void main() {
  IO.println(System.getenv("PMI_RANK") + " on " + System.getenv("LACIS_HOST") + ", " + System.getenv("COLOUR"));
}
