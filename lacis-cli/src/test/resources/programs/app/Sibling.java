package app;

class Sibling {
  String name() {
    return "sibling";
  }
}
