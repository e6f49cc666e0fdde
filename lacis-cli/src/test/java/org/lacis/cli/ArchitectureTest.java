package org.lacis.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The map of the design as a test: which part may know which. Parts that are not written yet have
 * no classes, and pass.
 */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .importPaths(
              SourceTree.modules().stream()
                  .map(module -> module.resolve("target/classes"))
                  .filter(Files::isDirectory)
                  .toList());

  /** What each part of Lacis, a package and those below it, may use of the rest of it. */
  private static final Map<String, List<String>> MAY_USE = mayUse();

  /** Parts that are one package, the packages below it being parts of their own. */
  private static final List<String> BARE = List.of("org.lacis", "org.lacis.net");

  /** The one class that knows the networks that come with core by name. */
  private static final DescribedPredicate<JavaClass> LIST_OF_NETWORKS =
      name("org.lacis.engine.Networks");

  private static Map<String, List<String>> mayUse() {
    var map = new LinkedHashMap<String, List<String>>();
    // Core, from what users import to what goes on the wire. Nobody names a network, but for the
    // one
    // class that lists them.
    part(map, "org.lacis", "match", "collective", "engine", "net", "boot", "settings");
    part(map, "org.lacis.collective", "");
    part(map, "org.lacis.engine", "", "match", "net", "net.mixed", "boot", "settings");
    part(map, "org.lacis.match", "net");
    part(map, "org.lacis.boot", "net", "settings");
    part(map, "org.lacis.net");
    part(map, "org.lacis.net.shm", "net", "settings");
    part(map, "org.lacis.net.tcp", "net", "settings");
    part(map, "org.lacis.net.mixed", "net", "settings");
    part(map, "org.lacis.net.sim", "net");
    part(map, "org.lacis.net.ofi", "net", "settings");
    part(map, "org.lacis.settings");
    // On top of core: what users could have written themselves, so the public API alone.
    part(map, "org.lacis.notify", "", "collective");
    part(map, "org.lacis.partitioned", "", "collective");
    part(map, "org.lacis.report");
    part(map, "org.lacis.trace", "", "match", "report");
    part(map, "org.lacis.apps", "", "collective", "match", "notify", "partitioned", "net.sim");
    part(
        map,
        "org.lacis.bench",
        "",
        "collective",
        "match",
        "net",
        "net.sim",
        "boot",
        "notify",
        "partitioned",
        "report",
        "apps");
    part(
        map,
        "org.lacis.cli",
        "",
        "match",
        "net",
        "net.sim",
        "boot",
        "settings",
        "notify",
        "partitioned",
        "report",
        "trace",
        "apps",
        "bench");
    // Beside it all: for tests only.
    part(map, "org.lacis.testkit", "", "collective", "match", "net", "net.sim", "boot");
    return map;
  }

  private static void part(Map<String, List<String>> map, String part, String... others) {
    map.put(
        part,
        Arrays.stream(others).map(o -> o.isEmpty() ? "org.lacis" : "org.lacis." + o).toList());
  }

  @Test
  void thereAreClassesToLookAt() {
    assertThat(CLASSES.contain("org.lacis.Version")).isTrue();
    assertThat(CLASSES.contain("org.lacis.cli.Main")).isTrue();
  }

  @Test
  void everyPackageIsOnTheMap() {
    List<String> lost =
        CLASSES.stream()
            .filter(type -> MAY_USE.keySet().stream().noneMatch(part -> in(part).test(type)))
            .filter(type -> !type.getPackageName().startsWith("org.lacis.stress"))
            .map(JavaClass::getName)
            .toList();
    assertThat(lost).as("classes in packages that no part of the map has").isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> noPartLooksUpward() {
    return MAY_USE.entrySet().stream()
        .map(
            entry -> {
              String part = entry.getKey();
              DescribedPredicate<JavaClass> allowed = in(part);
              for (String other : entry.getValue()) {
                allowed = allowed.or(in(other));
              }
              ArchRule rule =
                  noClasses()
                      .that(in(part).and(not(LIST_OF_NETWORKS)))
                      .should()
                      .dependOnClassesThat(
                          resideInAPackage("org.lacis..")
                              .and(not(allowed))
                              .as("are in parts other than %s", entry.getValue()))
                      .allowEmptyShould(true);
              return DynamicTest.dynamicTest(part, () -> rule.check(CLASSES));
            });
  }

  @Test
  void onlyNetworksAndBootstrapCallNativeCode() {
    noClasses()
        .that(
            not(
                resideInAnyPackage("org.lacis.net.ofi..", "org.lacis.net.shm..", "org.lacis.boot..")
                    // One function of the C library each, which all networks may use.
                    .or(name("org.lacis.net.Membarrier"))
                    .or(name("org.lacis.net.BulkCopy"))))
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Linker.class, SymbolLookup.class)
        .because("one thin class per native library is the only place that knows its symbols")
        .check(CLASSES);
  }

  @Test
  void onlyMemoryMakesRawMemory() {
    noClasses()
        .that(not(name("org.lacis.net.Memory")))
        .should()
        .accessTargetWhere(
            describe(
                "it is MemorySegment.reinterpret",
                (JavaAccess<?> access) -> isReinterpret(access.getTarget())))
        .because("a segment made longer than its memory is checked by nobody")
        .check(CLASSES);
  }

  @Test
  void theEngineIsNotExported() throws IOException {
    for (Path module : SourceTree.modules()) {
      Path descriptor = module.resolve("target/classes/module-info.class");
      if (!Files.exists(descriptor)) {
        continue;
      }
      try (InputStream in = Files.newInputStream(descriptor)) {
        assertThat(ModuleDescriptor.read(in).exports())
            .filteredOn(exports -> !exports.isQualified())
            .extracting(Exports::source)
            .as("exports of %s", module.getFileName())
            .noneMatch(name -> name.startsWith("org.lacis.engine"));
      }
    }
  }

  /** Whether a class belongs to a part. */
  private static DescribedPredicate<JavaClass> in(String part) {
    return BARE.contains(part) ? resideInAPackage(part) : resideInAPackage(part + "..");
  }

  /** A class and what is nested in it. */
  private static DescribedPredicate<JavaClass> name(String name) {
    return describe(
        "are " + name,
        type -> type.getName().equals(name) || type.getName().startsWith(name + "$"));
  }

  private static boolean isReinterpret(AccessTarget target) {
    return target.getName().equals("reinterpret")
        && target.getOwner().isEquivalentTo(MemorySegment.class);
  }
}
