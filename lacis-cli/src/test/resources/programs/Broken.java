void main() {
  int n = "not a number";
  undefined();
}
