package org.lacis.cli;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.lang.model.element.NestingKind;
import javax.lang.model.element.TypeElement;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Compiles a source file, and the source files beside it that it uses, in memory. As with {@code
 * java File.java}, the first class in the file is the one to run.
 */
final class SourceCompiler {
  /**
   * What came out.
   *
   * @param mainClass the binary name of the class to run
   * @param classes class files by binary name
   */
  record Result(String mainClass, Map<String, byte[]> classes) {}

  private SourceCompiler() {}

  /** Compiles; null if there were errors, which are on the writer then, as javac writes them. */
  static @Nullable Result compile(
      File file, List<String> classPath, List<String> jvmOptions, PrintWriter messages)
      throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new IOException("this Java has no compiler: use a JDK");
    }
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, Locale.getDefault(), null)) {
      MemoryFiles memory = new MemoryFiles(files);
      JavaFileObject source = files.getJavaFileObjects(file).iterator().next();
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  messages, memory, null, options(classPath, jvmOptions), null, List.of(source));
      Observer observer = new Observer(file, source, files);
      task.addTaskListener(observer);
      boolean good = task.call();
      messages.flush();
      String mainClass = observer.mainClass;
      if (!good) {
        return null;
      }
      if (mainClass == null) {
        messages.println("error: no class found in " + file.getName());
        messages.flush();
        return null;
      }
      return new Result(mainClass, memory.classes());
    }
  }

  private static List<String> options(List<String> classPath, List<String> jvmOptions) {
    List<String> options = new ArrayList<>();
    options.add("-proc:none");
    options.add("-Xlint:-options");
    options.add("-g");
    options.add("-implicit:class");
    options.add("-cp");
    options.add(RankClassPath.join(classPath));
    options.add("-sourcepath");
    options.add("");
    for (int i = 0; i < jvmOptions.size(); i++) {
      String option = jvmOptions.get(i);
      if (option.equals("--enable-preview")) {
        options.add(option);
        options.add("--release");
        options.add(Integer.toString(Runtime.version().feature()));
      } else if (option.startsWith("--add-exports=") || option.startsWith("--add-modules=")) {
        options.add(option);
      } else if ((option.equals("--add-exports") || option.equals("--add-modules"))
          && i + 1 < jvmOptions.size()) {
        options.add(option);
        options.add(jvmOptions.get(++i));
      }
    }
    return options;
  }

  /** Learns the package of the file, which says where its sources begin, and the class to run. */
  private static final class Observer implements TaskListener {
    private final File file;
    private final JavaFileObject source;
    private final StandardJavaFileManager files;
    private @Nullable String mainClass;

    Observer(File file, JavaFileObject source, StandardJavaFileManager files) {
      this.file = file;
      this.source = source;
      this.files = files;
    }

    @Override
    public void finished(TaskEvent event) {
      if (event.getKind() == TaskEvent.Kind.PARSE && isSource(event)) {
        CompilationUnitTree unit = event.getCompilationUnit();
        ExpressionTree name = unit == null ? null : unit.getPackageName();
        File root = root(file, name == null ? "" : name.toString());
        try {
          if (root != null) {
            files.setLocation(StandardLocation.SOURCE_PATH, List.of(root));
          }
        } catch (IOException e) {
          // Then other source files are not found, and the compiler says so.
        }
      }
    }

    private boolean isSource(TaskEvent event) {
      return event.getSourceFile() != null && event.getSourceFile().toUri().equals(source.toUri());
    }

    @Override
    public void started(TaskEvent event) {
      if (event.getKind() == TaskEvent.Kind.ANALYZE && mainClass == null && isSource(event)) {
        TypeElement type = event.getTypeElement();
        if (type != null && type.getNestingKind() == NestingKind.TOP_LEVEL) {
          mainClass = type.getQualifiedName().toString();
        }
      }
    }
  }

  /**
   * The folder in which the package of a file begins, or null if the file is not in a folder of
   * that name.
   */
  static @Nullable File root(File file, String packageName) {
    File folder = file.getAbsoluteFile().getParentFile();
    if (packageName.isEmpty()) {
      return folder;
    }
    String[] parts = packageName.split("\\.");
    for (int i = parts.length - 1; i >= 0; i--) {
      if (folder == null || !folder.getName().equals(parts[i])) {
        return null;
      }
      folder = folder.getParentFile();
    }
    return folder;
  }
}
