package org.lacis.cli;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * What to run: a source file, a jar, or a class on the class path.
 *
 * @param source the source file to compile first, or null
 * @param mainClass the name of the class to run; of a source file, known only when it is compiled
 * @param classPath jars and folders, all absolute, the library's last
 * @param jvmOptions options the program itself asks for
 */
record Program(
    @Nullable File source, String mainClass, List<String> classPath, List<String> jvmOptions) {
  /**
   * Makes sense of what the user wrote; throws {@link IllegalArgumentException} if it makes none.
   */
  static Program of(String what, @Nullable String userClassPath) {
    List<String> classPath = new ArrayList<>();
    if (userClassPath != null) {
      classPath.addAll(RankClassPath.absolute(userClassPath));
    }
    if (what.endsWith(".java")) {
      File source = existing(what);
      classPath.addAll(RankClassPath.library());
      return new Program(source, baseName(source), classPath, List.of());
    }
    if (what.endsWith(".jar")) {
      return ofJar(existing(what), classPath);
    }
    if (userClassPath == null) {
      String inherited = System.getenv("CLASSPATH");
      checkClass(what, inherited == null);
      classPath.addAll(RankClassPath.absolute(inherited == null ? "." : inherited));
    }
    classPath.addAll(RankClassPath.library());
    return new Program(null, what.replace('/', '.'), classPath, List.of());
  }

  private static Program ofJar(File jar, List<String> classPath) {
    Attributes attributes;
    try (JarFile file = new JarFile(jar)) {
      Manifest manifest = file.getManifest();
      attributes = manifest == null ? new Attributes() : manifest.getMainAttributes();
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read " + jar + ": " + e.getMessage(), e);
    }
    String mainClass = attributes.getValue(Attributes.Name.MAIN_CLASS);
    if (mainClass == null) {
      throw new IllegalArgumentException(
          jar
              + " does not say which class to run (Main-Class in its manifest): use -cp "
              + jar
              + " and a class name");
    }
    List<String> options = new ArrayList<>();
    addModuleOptions(options, "--add-opens", attributes.getValue("Add-Opens"));
    addModuleOptions(options, "--add-exports", attributes.getValue("Add-Exports"));
    classPath.addFirst(jar.getAbsolutePath());
    classPath.addAll(RankClassPath.library());
    return new Program(null, mainClass.strip(), classPath, options);
  }

  private static void addModuleOptions(
      List<String> options, String option, @Nullable String packages) {
    if (packages != null) {
      for (String name : packages.strip().split("\\s+")) {
        options.add(option);
        options.add(name + "=ALL-UNNAMED");
      }
    }
  }

  private static File existing(String name) {
    File file = new File(name);
    if (!file.isFile()) {
      throw new IllegalArgumentException(
          file.isDirectory() ? name + " is a folder, not a program" : "there is no file " + name);
    }
    return file.getAbsoluteFile();
  }

  /**
   * Refuses the name of a class that is not in this folder if it can be nowhere else, or is clearly
   * meant to be something else.
   */
  private static void checkClass(String name, boolean onlyHere) {
    File file = new File(name);
    if (new File(name.replace('.', '/') + ".class").isFile() || !(onlyHere || file.exists())) {
      return;
    }
    String why;
    if (file.isDirectory()) {
      why = name + " is a folder, not a program";
    } else if (file.exists()) {
      why = name + " is not a program";
    } else {
      why = "there is no file and no class " + name + " in this folder";
    }
    boolean forgotten = new File(name + ".java").isFile();
    throw new IllegalArgumentException(
        why
            + (forgotten
                ? "; did you mean " + name + ".java?"
                : ": give a Java file (File.java), a jar (app.jar), or a class and where it is (-cp"
                    + " PATH Class)"));
  }

  private static String baseName(File source) {
    String name = source.getName();
    return name.substring(0, name.length() - ".java".length());
  }

  /** The same, once it is known which class of the source file is to be run. */
  Program withMainClass(String name) {
    return new Program(source, name, classPath, jvmOptions);
  }

  /** Must the ranks get the program's classes from the launcher? */
  boolean sent() {
    return source != null;
  }
}
