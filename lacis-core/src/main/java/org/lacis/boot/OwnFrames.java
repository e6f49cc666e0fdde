package org.lacis.boot;

import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes the frames below the program's main method out of a stack trace: they are ours, and say
 * nothing to the user.
 */
final class OwnFrames {
  private OwnFrames() {}

  /** Does so for what was thrown, its causes and what they suppress. */
  static void remove(Throwable thrown) {
    remove(thrown, Collections.newSetFromMap(new IdentityHashMap<>()));
  }

  private static void remove(@Nullable Throwable thrown, Set<Throwable> seen) {
    if (thrown == null || !seen.add(thrown)) {
      return;
    }
    thrown.setStackTrace(without(thrown.getStackTrace()));
    remove(thrown.getCause(), seen);
    for (Throwable suppressed : thrown.getSuppressed()) {
      remove(suppressed, seen);
    }
  }

  /** The same frames without ours, if there are any below main. */
  static StackTraceElement[] without(StackTraceElement[] frames) {
    int kept = frames.length;
    if (kept > 0 && frames[kept - 1].getClassName().equals(RankMain.class.getName())) {
      while (kept > 0 && isOwn(frames[kept - 1])) {
        kept--;
      }
    }
    return Arrays.copyOf(frames, kept);
  }

  private static boolean isOwn(StackTraceElement frame) {
    String name = frame.getClassName();
    return name.equals(RankMain.class.getName())
        || name.equals(MainMethod.class.getName())
        || name.startsWith("java.lang.invoke.");
  }
}
