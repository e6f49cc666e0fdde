package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExportsTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.ModuleTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every type and member that users can see has a comment. The compiler checks the comments that are
 * there (doclint); it cannot ask for a comment without also asking for a tag per parameter, which
 * is why this test exists.
 */
class DocumentedApiTest {
  /** Classes whose many alike members are described together, in the comment of the class. */
  private static final Set<String> DESCRIBED_TOGETHER = Set.of("Memory");

  @TestFactory
  Stream<DynamicTest> whatModulesExportIsDocumented() {
    return SourceTree.modules().stream()
        .map(module -> module.resolve("src/main/java"))
        .filter(sources -> Files.exists(sources.resolve("module-info.java")))
        .map(
            sources ->
                DynamicTest.dynamicTest(
                    sources.subpath(sources.getNameCount() - 4, sources.getNameCount() - 3) + "",
                    () -> assertThat(undocumented(sources)).isEmpty()));
  }

  @Test
  void findsWhatHasNoComment(@TempDir Path sources) throws IOException {
    write(sources, "module-info.java", "/** M. */ module m { exports p; exports r to x; }");
    write(sources, "q/Hidden.java", "package q; public class Hidden {}");
    write(sources, "r/ForOne.java", "package r; public class ForOne {}");
    write(
        sources,
        "p/Shown.java",
        """
        package p;
        /** Shown. */
        public class Shown implements Runnable {
          public int field;
          /** A nested one. */
          public interface Nested { int inInterface(); /** Told. */ int told(); }
          public enum Colour { /** R. */ RED, GREEN }
          /** A pair. */
          public record Pair(int a, int b) { public Pair { } }
          public Shown() {}
          protected void forSubclasses() {}
          void inside() {}
          private int hidden;
          @Override public void run() {}
          private static class Inner { public void unseen() {} }
        }
        class Beside { public void unseen() {} }
        """);

    assertThat(undocumented(sources))
        .map(line -> line.substring(line.indexOf(' ') + 1))
        .containsExactlyInAnyOrder(
            "Shown.field",
            "Nested.inInterface",
            "Shown.Colour",
            "Colour.GREEN",
            "Shown.<init>",
            "Shown.forSubclasses");
  }

  private static void write(Path folder, String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** What lacks a comment in the exported packages: "file:line name". */
  private static List<String> undocumented(Path sources) throws IOException {
    var missing = new ArrayList<String>();
    for (String name : exported(sources)) {
      Path folder = sources.resolve(name.replace('.', '/'));
      List<File> files = javaFiles(folder);
      assertThat(files).as("sources of the exported package %s", name).isNotEmpty();
      parse(files, missing);
    }
    return missing;
  }

  private static List<String> exported(Path sources) throws IOException {
    var names = new ArrayList<String>();
    JavacTask task = SourceTree.parser(List.of(sources.resolve("module-info.java").toFile()));
    for (CompilationUnitTree unit : task.parse()) {
      ModuleTree module = unit.getModule();
      for (var directive : module.getDirectives()) {
        if (directive instanceof ExportsTree exports && exports.getModuleNames() == null) {
          names.add(exports.getPackageName().toString());
        }
      }
    }
    return names;
  }

  private static List<File> javaFiles(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (var files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("package-info.java"))
          .sorted()
          .map(Path::toFile)
          .toList();
    }
  }

  private static void parse(List<File> files, List<String> missing) throws IOException {
    JavacTask task = SourceTree.parser(files);
    DocTrees docs = DocTrees.instance(task);
    for (CompilationUnitTree unit : task.parse()) {
      new Visitor(unit, docs, missing).scan(unit, null);
    }
  }

  /** Goes through what is visible from outside, and no further. */
  private static final class Visitor extends TreePathScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final DocTrees docs;
    private final List<String> missing;

    Visitor(CompilationUnitTree unit, DocTrees docs, List<String> missing) {
      this.unit = unit;
      this.docs = docs;
      this.missing = missing;
    }

    @Override
    public Void visitClass(ClassTree type, Void none) {
      if (!visible(type.getModifiers())) {
        return null;
      }
      check(type, type.getSimpleName());
      return super.visitClass(type, null);
    }

    @Override
    public Void visitMethod(MethodTree method, Void none) {
      boolean overrides =
          method.getModifiers().getAnnotations().stream()
              .anyMatch(a -> a.getAnnotationType().toString().equals("Override"));
      boolean ofRecord =
          enclosing().getKind() == Tree.Kind.RECORD && method.getReturnType() == null;
      if (visible(method.getModifiers()) && !overrides && !ofRecord) {
        check(method, method.getName());
      }
      return null;
    }

    @Override
    public Void visitVariable(VariableTree field, Void none) {
      boolean component =
          enclosing().getKind() == Tree.Kind.RECORD
              && !field.getModifiers().getFlags().contains(Modifier.STATIC);
      if (visible(field.getModifiers()) && !component) {
        check(field, field.getName());
      }
      return null;
    }

    /** Initializers. */
    @Override
    public Void visitBlock(BlockTree block, Void none) {
      return null;
    }

    private boolean visible(ModifiersTree modifiers) {
      Set<Modifier> flags = modifiers.getFlags();
      boolean inInterface =
          getCurrentPath().getParentPath().getLeaf() instanceof ClassTree owner
              && (owner.getKind() == Tree.Kind.INTERFACE
                  || owner.getKind() == Tree.Kind.ANNOTATION_TYPE);
      return flags.contains(Modifier.PUBLIC)
          || flags.contains(Modifier.PROTECTED)
          || (inInterface && !flags.contains(Modifier.PRIVATE));
    }

    private ClassTree enclosing() {
      return (ClassTree) getCurrentPath().getParentPath().getLeaf();
    }

    private void check(Tree tree, CharSequence name) {
      TreePath path = getCurrentPath();
      String owner =
          path.getParentPath().getLeaf() instanceof ClassTree type
              ? type.getSimpleName().toString()
              : "";
      if (DESCRIBED_TOGETHER.contains(owner) || docs.getDocComment(path) != null) {
        return;
      }
      long position = docs.getSourcePositions().getStartPosition(unit, tree);
      missing.add(
          "%s:%d %s%s"
              .formatted(
                  Path.of(unit.getSourceFile().toUri()).getFileName(),
                  unit.getLineMap().getLineNumber(position),
                  owner.isEmpty() ? "" : owner + ".",
                  name));
    }
  }
}
