package org.lacis.cli;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options every rank's JVM gets, for many JVMs on one machine. The user's own come after them,
 * and win.
 *
 * <ul>
 *   <li>{@code -XX:MaxRAMPercentage}: half of the memory, shared equally by the ranks.
 *   <li>{@code -XX:+UseSerialGC} if there are fewer than two cores per rank: parallel collectors of
 *       many ranks would fight for them. Left out if the user chooses a collector.
 *   <li>{@code -XX:-UsePerfData}: no file in the folder for temporary files, which a killed JVM
 *       leaves behind, and a quicker start. The ranks do not show up in {@code jps}; {@code jcmd}
 *       with a process id works.
 *   <li>{@code --enable-native-access=ALL-UNNAMED}: shared memory without warnings.
 *   <li>{@code -XX:AOTCache} if there is a file {@code rank.aot} beside the jars of the library: a
 *       quicker start. A cache that does not fit the JVM or the class path is passed over in
 *       silence. Left out if the user has other plans for it, or a library of their own in front of
 *       ours: classes of the cache would be taken instead of theirs, and others from there.
 * </ul>
 */
final class JvmDefaults {
  private JvmDefaults() {}

  static List<String> of(int ranks, int cores, List<String> chosen, Map<String, String> env) {
    String all =
        String.join(" ", chosen)
            + " "
            + env.getOrDefault("JDK_JAVA_OPTIONS", "")
            + " "
            + env.getOrDefault("JAVA_TOOL_OPTIONS", "");
    List<String> options = new ArrayList<>();
    options.add("-XX:-UsePerfData");
    if (cores / ranks < 2 && !choosesCollector(all)) {
      options.add("-XX:+UseSerialGC");
    }
    if (!all.contains("-XX:MaxRAMPercentage")) {
      options.add("-XX:MaxRAMPercentage=" + Math.max(0.1, Math.round(500.0 / ranks) / 10.0));
    }
    options.add("--enable-native-access=ALL-UNNAMED");
    return options;
  }

  /** The options that use a cache of classes. */
  static List<String> ofCache(@Nullable File cache, List<String> chosen, List<String> classPath) {
    if (cache == null || !cache.isFile() || RankClassPath.hasOtherLibrary(classPath)) {
      return List.of();
    }
    for (String option : chosen) {
      if (option.startsWith("-XX:AOT")
          || option.startsWith("-Xshare")
          || option.startsWith("-XX:Shared")) {
        return List.of();
      }
    }
    return List.of("-XX:AOTCache=" + cache, "-Xlog:aot*=off", "-Xlog:cds*=off");
  }

  /** Where the script that builds Lacis puts the cache, or null if this is not run by it. */
  static @Nullable File cache() {
    String library = System.getProperty("lacis.lib");
    return library == null ? null : new File(library, "rank.aot");
  }

  private static boolean choosesCollector(String options) {
    for (int at = options.indexOf("-XX:+Use"); at >= 0; at = options.indexOf("-XX:+Use", at + 1)) {
      int blank = options.indexOf(' ', at);
      if (options.substring(at, blank < 0 ? options.length() : blank).endsWith("GC")) {
        return true;
      }
    }
    return false;
  }
}
