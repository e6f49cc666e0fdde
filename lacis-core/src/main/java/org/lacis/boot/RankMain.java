package org.lacis.boot;

import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The main class of every rank that {@code lacis run} starts. It tells the launcher that this
 * process lives, watches that the launcher does too, whether or not the program ever opens a
 * runtime, and calls the program's main method on this same thread.
 *
 * <pre>
 *   java ... org.lacis.boot.RankMain --class Name args...   a class on the class path
 *   java ... org.lacis.boot.RankMain --sent Name args...    a class that the launcher has compiled, and sends
 * </pre>
 *
 * <p>A rank whose launcher is gone ends with code 70.
 */
public final class RankMain {
  /** What decoders put where bytes are no text. */
  private static final char REPLACEMENT = '\ufffd';

  private RankMain() {}

  /** Runs the program named by the first two arguments with the arguments after them. */
  public static void main(String[] args) throws Throwable {
    if (args.length < 2 || !(args[0].equals("--class") || args[0].equals("--sent"))) {
      System.err.println("lacis: RankMain is for lacis run, which starts every rank with it");
      System.exit(2);
    }
    String damaged = damaged(args);
    if (damaged != null) {
      System.err.println("lacis: " + damaged);
      System.exit(2);
    }
    ClassLoader loader = loader(args[0].equals("--sent"));
    MainMethod main = program(args[1], loader);
    if (main == null) {
      System.exit(1);
      return;
    }
    try {
      main.call(Arrays.copyOfRange(args, 2, args.length));
    } catch (Throwable thrown) {
      OwnFrames.remove(thrown);
      PeerLoss.giveWay();
      throw thrown; // the JVM reports it and ends with code 1, as if it had called the program
      // itself
    }
  }

  /** Which argument was lost on its way from the shell, and why; null if none was. */
  private static @Nullable String damaged(String[] args) {
    for (String arg : args) {
      if (arg.indexOf(REPLACEMENT) >= 0) {
        return "the argument \"%s\" has U+FFFD, or something that is not %s, the encoding of the locale here"
            .formatted(arg, System.getProperty("sun.jnu.encoding"));
      }
    }
    return null;
  }

  /**
   * Connects to the launcher, if there is one, and answers where the program's classes come from.
   */
  private static ClassLoader loader(boolean sent) {
    ClassLoader classPath = ClassLoader.getSystemClassLoader();
    Map<String, String> env = System.getenv();
    try {
      LauncherSession session = LauncherSession.ofProcess(env);
      if (session == null || !sent) {
        return classPath;
      }
      ClassLoader loader =
          new BundleLoader(ClassBundle.unpack(session.launcher().classes()), classPath);
      Thread.currentThread().setContextClassLoader(loader);
      return loader;
    } catch (BootException e) {
      System.err.println("lacis: " + e.getMessage());
      System.exit(ProcessEnd.LAUNCHER_LOST);
      return classPath;
    }
  }

  private static @Nullable MainMethod program(String name, ClassLoader loader) {
    try {
      return MainMethod.of(Class.forName(name, false, loader));
    } catch (ClassNotFoundException | NoClassDefFoundError e) {
      System.err.println("lacis: could not find or load main class " + name + " (" + e + ")");
    } catch (BootException e) {
      System.err.println("lacis: " + e.getMessage());
    }
    return null;
  }
}
