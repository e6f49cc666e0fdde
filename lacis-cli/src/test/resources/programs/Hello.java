void main(String[] args) {
  IO.println("hello from " + System.getenv("PMI_RANK") + " of " + System.getenv("PMI_SIZE") + " " + String.join(",", args));
}
