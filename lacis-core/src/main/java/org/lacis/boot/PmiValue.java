package org.lacis.boot;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Any text as values that PMI can carry. Plain text goes as it is behind a {@code p}, anything else
 * as base64url behind a {@code b}. What is longer than the launcher allows is cut: the key then
 * holds {@code s} and the number of pieces, and the pieces are under {@code key#0}, {@code key#1}
 * and so on.
 */
final class PmiValue {
  private static final int MAX_PIECES = 65_536;

  private PmiValue() {}

  /** Checks a key of the user. */
  static String key(String key) {
    boolean good = !key.isEmpty() && key.length() <= Boot.MAX_KEY;
    for (int i = 0; i < key.length() && good; i++) {
      char c = key.charAt(i);
      good =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '.'
              || c == '_'
              || c == '-';
    }
    if (!good) {
      throw new IllegalArgumentException(
          "key "
              + PmiLine.quoted(key)
              + " is not 1 to "
              + Boot.MAX_KEY
              + " letters, digits and characters of ._-");
    }
    return key;
  }

  /** The text as one value of any length. */
  static String encode(String text) {
    if (PmiLine.isPlain(text) && text.indexOf('=') < 0 && text.length() <= Boot.MAX_VALUE) {
      return "p".concat(text);
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > Boot.MAX_VALUE) {
      throw new IllegalArgumentException(
          "a value of "
              + bytes.length
              + " bytes is longer than the "
              + Boot.MAX_VALUE
              + " allowed");
    }
    return "b".concat(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  static String decode(String key, String value) {
    if (value.startsWith("p")) {
      return value.substring(1);
    }
    if (value.startsWith("b")) {
      try {
        return new String(
            Base64.getUrlDecoder().decode(value.substring(1)), StandardCharsets.UTF_8);
      } catch (IllegalArgumentException e) {
        throw new BootException("the value of " + key + " is damaged: " + e.getMessage(), e);
      }
    }
    throw new BootException(
        "the value of " + key + " was not put by Lacis: " + PmiLine.quoted(value));
  }

  /** Cuts an encoded value into pieces of at most this length. */
  static List<String> pieces(String encoded, int length) {
    List<String> pieces = new ArrayList<>();
    for (int at = 0; at < encoded.length(); at += length) {
      pieces.add(encoded.substring(at, Math.min(encoded.length(), at + length)));
    }
    return pieces;
  }

  static String pieceCount(int count) {
    return "s".concat(Integer.toString(count));
  }

  /** The number of pieces this value announces, or 0 if it is the whole value itself. */
  static int pieceCount(String key, String value) {
    if (!value.startsWith("s")) {
      return 0;
    }
    try {
      int count = Integer.parseInt(value.substring(1));
      if (count > 0 && count <= MAX_PIECES) {
        return count;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new BootException("the value of " + key + " is damaged: " + PmiLine.quoted(value));
  }

  static String pieceKey(String key, int piece) {
    return key + "#" + piece;
  }
}
