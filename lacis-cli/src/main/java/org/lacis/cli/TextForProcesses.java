package org.lacis.cli;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which text can be handed to a process: only what the encoding of the locale has. What it has not
 * the JVM replaces by question marks, in silence.
 */
final class TextForProcesses {
  private static final Charset HERE = Charset.forName(System.getProperty("sun.jnu.encoding"));

  private TextForProcesses() {}

  /** What this JVM cannot hand to a process, and why; null if it can. */
  static @Nullable String refusal(RankStart start) {
    return refusal(start, HERE);
  }

  static @Nullable String refusal(RankStart start, Charset encoding) {
    List<String> texts = new ArrayList<>(start.command());
    start.env().forEach((name, value) -> texts.add(name + "=" + value));
    for (String text : texts) {
      if (!encoding.newEncoder().canEncode(text)) {
        return "\"%s\" cannot be written in %s, the encoding of the locale there: LC_ALL=C.UTF-8 helps"
            .formatted(text, encoding);
      }
    }
    return null;
  }

  /**
   * The locale of this process as words for {@code env}, so that processes on other hosts have the
   * same encoding, and the output of all of them, too.
   */
  static List<String> locale(Map<String, String> env) {
    for (String name : List.of("LC_ALL", "LC_CTYPE", "LANG")) {
      String value = env.getOrDefault(name, "");
      if (!value.isEmpty()) {
        return List.of("LC_ALL=" + value);
      }
    }
    return List.of();
  }
}
