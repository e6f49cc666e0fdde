package org.lacis.report;

/** Text for a page. */
public final class Html {
  private Html() {}

  /** Text in which nothing has a meaning to a browser. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
