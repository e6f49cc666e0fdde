package app;

import app.util.Helper;

/** A program in a package, of more than one file. */
class Multi {
  public static void main(String[] args) {
    System.out.println(Helper.greeting(args[0]) + " " + new Sibling().name());
  }
}

class Other {
  public static void main(String[] args) {
    System.out.println("the wrong class");
  }
}
