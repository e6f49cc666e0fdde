package org.lacis.cli;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * The tests there are, and which classes run them, as their sources have it: classes that were
 * compiled may be of tests that were deleted since.
 */
final class TestSources {

  /**
   * A type with tests of its own, or that inherits some.
   *
   * @param module the folder of its module
   * @param name as reports have it, such as {@code org.lacis.testkit.ShmRuntimeTest$AsItIs}
   * @param runs whether tests can be run with it: a class that is not abstract
   * @param parents the simple names of what it extends and implements
   * @param methods with the simple names of their annotations, as far as they have any
   */
  record Type(
      String module, String name, boolean runs, List<String> parents, List<Annotated> methods) {

    String simpleName() {
      return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
    }

    private String packageName() {
      return name.substring(0, Math.max(0, name.lastIndexOf('.')));
    }
  }

  /** What has annotations. */
  record Annotated(String name, List<String> annotations) {}

  private final List<Type> types = new ArrayList<>();
  private final Map<String, Set<Type>> lineages = new HashMap<>();
  private final Set<String> testAnnotations =
      new HashSet<>(Set.of("Test", "ParameterizedTest", "RepeatedTest", "TestFactory"));

  /** Those of all modules: their tests, and the suites of the kit. */
  static TestSources ofAllModules() throws IOException {
    TestSources sources = new TestSources();
    for (Path module : SourceTree.modules()) {
      sources.read(module.getFileName().toString(), module.resolve("src/test/java"));
      if (module.endsWith("lacis-testkit")) {
        sources.read("lacis-testkit", module.resolve("src/main/java"));
      }
    }
    return sources;
  }

  /** Adds what is in a folder and those in it. */
  void read(String module, Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    List<File> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files = all.filter(f -> f.toString().endsWith(".java")).map(Path::toFile).toList();
    }
    for (CompilationUnitTree unit : SourceTree.parser(files).parse()) {
      var name = unit.getPackageName();
      new Reader(module).scan(unit, name == null ? "" : name + ".");
    }
  }

  /** The types of that simple name. */
  List<Type> named(String simpleName) {
    return types.stream().filter(type -> type.simpleName().equals(simpleName)).toList();
  }

  /** The names of all tests of a type, inherited ones too. */
  Set<String> tests(Type type) {
    Set<String> tests = new HashSet<>();
    for (Type from : lineage(type)) {
      for (Annotated method : from.methods) {
        if (method.annotations.stream().anyMatch(testAnnotations::contains)) {
          tests.add(method.name);
        }
      }
    }
    return tests;
  }

  /** The classes that run the tests of a type: itself, or those that inherit from it. */
  List<Type> runners(Type type) {
    return types.stream().filter(one -> one.runs && lineage(one).contains(type)).toList();
  }

  private Set<Type> lineage(Type type) {
    Set<Type> known = lineages.get(type.name);
    if (known == null) {
      known = new HashSet<>();
      collect(type, known);
      lineages.put(type.name, known);
    }
    return known;
  }

  private void collect(Type type, Set<Type> all) {
    if (all.add(type)) {
      for (String parent : type.parents) {
        types.stream()
            .filter(one -> one.simpleName().equals(parent))
            .filter(one -> one.packageName().equals(type.packageName()))
            .forEach(one -> collect(one, all));
      }
    }
  }

  /** Goes through the types of a file; it is told what comes before their names. */
  private final class Reader extends TreeScanner<@Nullable Void, String> {
    private final String module;

    Reader(String module) {
      this.module = module;
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, String before) {
      String name = before + type.getSimpleName();
      List<String> annotations = simpleNames(type.getModifiers().getAnnotations());
      if (type.getKind() == Tree.Kind.ANNOTATION_TYPE
          && annotations.stream().anyMatch(testAnnotations::contains)) {
        testAnnotations.add(type.getSimpleName().toString());
      }
      boolean runs =
          type.getKind() == Tree.Kind.CLASS
              && !type.getModifiers().getFlags().contains(Modifier.ABSTRACT);
      List<String> parents = new ArrayList<>();
      if (type.getExtendsClause() != null) {
        parents.add(simpleName(type.getExtendsClause()));
      }
      type.getImplementsClause().forEach(one -> parents.add(simpleName(one)));
      List<Annotated> methods = new ArrayList<>();
      for (Tree member : type.getMembers()) {
        if (member instanceof MethodTree method) {
          methods.add(
              new Annotated(
                  method.getName().toString(),
                  simpleNames(method.getModifiers().getAnnotations())));
        } else if (member instanceof ClassTree) {
          scan(member, name + "$");
        }
      }
      types.add(new Type(module, name, runs, parents, methods));
      return null;
    }

    private static List<String> simpleNames(List<? extends AnnotationTree> annotations) {
      return annotations.stream().map(a -> simpleName(a.getAnnotationType())).toList();
    }

    private static String simpleName(Tree type) {
      return type.toString().replaceFirst("<.*", "").replaceFirst(".*\\.", "");
    }
  }
}
