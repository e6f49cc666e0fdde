package app.util;

public final class Helper {
  private Helper() {}

  public static String greeting(String name) {
    return "greetings to " + name;
  }
}
