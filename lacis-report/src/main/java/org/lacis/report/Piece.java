package org.lacis.report;

/** Something on a page. */
public interface Piece {
  /** It, as HTML. */
  String html();
}
