package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lacis.Lacis;
import org.lacis.settings.Settings;
import org.lacis.testkit.RuntimeContract;

/**
 * What {@code docs/coverage.md} says is there: every name in its second column, and every test in
 * its third, which has run in this build, in every class that inherits it.
 */
class CoverageTest {
  private static final Path ROOT = SourceTree.root();
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final String OWN_MODULE = "lacis-cli";
  private static final List<String> PACKAGES =
      List.of(
          "org.lacis",
          "org.lacis.boot",
          "org.lacis.collective",
          "org.lacis.match",
          "org.lacis.net",
          "org.lacis.net.sim");

  /** A line of a table: what is asked for, how it is done, and what shows it. */
  private record Row(String asked, String way, String shown) {
    List<String> names() {
      return CODE.matcher(way).results().map(code -> code.group(1)).toList();
    }

    List<String> tests() {
      return CODE.matcher(shown).results().map(code -> code.group(1)).toList();
    }
  }

  private static List<Row> rows(String document) {
    List<Row> rows = new ArrayList<>();
    for (String line : document.lines().filter(l -> l.startsWith("|")).toList()) {
      String[] cells = line.split("\\|", -1);
      assertThat(cells).as("cells of %s", line).hasSize(5);
      if (!cells[1].isBlank() && !cells[1].startsWith("-") && !cells[3].equals(" shown by ")) {
        rows.add(new Row(cells[1].strip(), cells[2].strip(), cells[3].strip()));
      }
    }
    return rows;
  }

  private static List<Row> rows() throws IOException {
    return rows(Files.readString(ROOT.resolve("docs/coverage.md")));
  }

  @Test
  void everyRowHasATestOrSaysThatThereIsNothing() throws IOException {
    assertThat(rows()).hasSizeGreaterThan(100);
    assertThat(rows()).extracting(Row::asked).doesNotHaveDuplicates();
    assertThat(incomplete(rows())).isEmpty();
  }

  @Test
  void everyNameIsThere() throws IOException {
    assertThat(unknownNames(rows())).isEmpty();
  }

  @Test
  void everyTestIsThere() throws IOException {
    assertThat(unknownTests(rows(), TestSources.ofAllModules())).isEmpty();
  }

  /**
   * Tests of this module run beside this one, so nothing can be said about them. Of another one
   * that was not built together with this one it is only known that its tests are there.
   */
  @Test
  void everyTestHasRunInThisBuild() throws IOException, URISyntaxException {
    assumeThat(System.getProperty("test")).as("-Dtest: some tests were asked for").isNull();
    String started = System.getProperty("build.started");
    assumeThat(started).as("build.started: not run by Maven").isNotNull();
    Map<String, TestReports> reports = new HashMap<>();
    for (Class<?> built : List.of(Lacis.class, RuntimeContract.class)) {
      Path target =
          Path.of(built.getProtectionDomain().getCodeSource().getLocation().toURI()).getParent();
      assumeThat(target).as("where %s is: not built by this build", built).startsWith(ROOT);
      Path module = Objects.requireNonNull(target.getParent());
      TestReports found = TestReports.of(module, Instant.parse(started));
      assertThat(found.isEmpty()).as("reports of this build in %s", module).isFalse();
      reports.put(module.getFileName().toString(), found);
    }
    assertThat(notRun(rows(), TestSources.ofAllModules(), reports)).isEmpty();
  }

  private static List<String> incomplete(List<Row> rows) {
    return rows.stream()
        .filter(row -> row.tests().isEmpty() && !row.way.matches("not (there|needed): .*"))
        .map(row -> row.asked + ": no test, and neither \"not there: …\" nor \"not needed: …\"")
        .toList();
  }

  private static List<String> unknownNames(List<Row> rows) {
    return rows.stream().flatMap(row -> row.names().stream()).filter(n -> !isThere(n)).toList();
  }

  /** Whether a type, a member of one, or a setting has that name. */
  private static boolean isThere(String written) {
    String name = written.replaceFirst("\\(.*", "");
    if (Settings.all().stream()
        .anyMatch(s -> s.property().equals(name) || s.variable().equals(name))) {
      return true;
    }
    List<String> parts = List.of(name.split("\\."));
    return PACKAGES.stream()
        .map(p -> find(p + "." + parts.getFirst()))
        .filter(Objects::nonNull)
        .anyMatch(type -> isThere(type, parts.subList(1, parts.size())));
  }

  private static boolean isThere(Class<?> type, List<String> parts) {
    if (parts.isEmpty()) {
      return true;
    }
    String name = parts.getFirst();
    Class<?> nested = find(type.getName() + "$" + name);
    if (nested != null) {
      return isThere(nested, parts.subList(1, parts.size()));
    }
    return parts.size() == 1
        && (Stream.of(type.getMethods()).anyMatch(method -> method.getName().equals(name))
            || Stream.of(type.getFields()).anyMatch(field -> field.getName().equals(name)));
  }

  private static @Nullable Class<?> find(String name) {
    try {
      return Class.forName(name, false, Lacis.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /** The types that have a test, written as {@code Type} for all of its tests or Type#test. */
  private static List<TestSources.Type> types(String test, TestSources sources) {
    int hash = test.indexOf('#');
    return sources.named(hash < 0 ? test : test.substring(0, hash)).stream()
        .filter(type -> !tests(test, type, sources).isEmpty())
        .toList();
  }

  private static Set<String> tests(String test, TestSources.Type type, TestSources sources) {
    Set<String> all = new TreeSet<>(sources.tests(type));
    int hash = test.indexOf('#');
    if (hash >= 0) {
      all.retainAll(Set.of(test.substring(hash + 1)));
    }
    return all;
  }

  private static List<String> unknownTests(List<Row> rows, TestSources sources) {
    List<String> unknown = new ArrayList<>();
    for (String test : rows.stream().flatMap(row -> row.tests().stream()).toList()) {
      List<TestSources.Type> types = types(test, sources);
      if (types.size() != 1) {
        unknown.add(test + (types.isEmpty() ? ": no such test" : ": of several classes"));
      } else if (sources.runners(types.getFirst()).isEmpty()) {
        unknown.add(test + ": no class runs it");
      }
    }
    return unknown;
  }

  /**
   * What has not passed.
   *
   * @param reports by module; others are not looked at
   */
  private static List<String> notRun(
      List<Row> rows, TestSources sources, Map<String, TestReports> reports) {
    List<String> missing = new ArrayList<>();
    for (String test : rows.stream().flatMap(row -> row.tests().stream()).distinct().toList()) {
      for (TestSources.Type type : types(test, sources)) {
        for (TestSources.Type runner : sources.runners(type)) {
          TestReports report = reports.get(runner.module());
          if (report == null) {
            assertThat(runner.module()).as("the module of %s", runner).isEqualTo(OWN_MODULE);
            continue;
          }
          tests(test, type, sources).stream()
              .filter(method -> !report.passed(runner.name(), method))
              .forEach(method -> missing.add(runner.name() + "#" + method));
        }
      }
    }
    return missing;
  }

  @Test
  void findsWhatIsWrong(@TempDir Path folder) throws IOException {
    Files.writeString(
        folder.resolve("Some.java"),
        """
        package p;
        @ParameterizedTest @interface Often {}
        interface Suite { @Test default void passes() {} @Often default void isSkipped() {} void helps(); }
        abstract class Contract implements Suite { @Test void fails() {} }
        class OneTest { @Nested class Inner extends Contract {} }
        class TwoTest extends Contract { @Test void isOld() {} }
        interface Unused { @Test default void nobodyRuns() {} }
        """);
    Path files = Files.createDirectories(folder.resolve("target/surefire-reports"));
    Files.writeString(
        files.resolve("TEST-p.OneTest.xml"),
        """
        <testsuite><testcase name="passes" classname="p.OneTest$Inner"/>
        <testcase name="isSkipped(int)[1]" classname="p.OneTest$Inner"><skipped/></testcase>
        <testcase name="isSkipped(int)[2]" classname="p.OneTest$Inner"/></testsuite>
        """);
    Files.writeString(
        files.resolve("TEST-p.TwoTest.xml"),
        """
        <testsuite><testcase name="isSkipped[1]" classname="p.TwoTest"><skipped/></testcase>
        <testcase name="fails" classname="p.TwoTest"><failure>no</failure></testcase>
        <testcase name="passes" classname="p.TwoTest"/></testsuite>
        """);
    Path old = files.resolve("TEST-p.OldTest.xml");
    Files.writeString(
        old, "<testsuite><testcase name=\"isOld\" classname=\"p.TwoTest\"/></testsuite>");
    Files.setLastModifiedTime(old, FileTime.from(Instant.EPOCH));
    List<Row> rows =
        rows(
            """
            | LCI | Lacis | shown by |
            |---|---|---|
            | a | `Lacis.open()`, `Graph.Node.after`, `LACIS_NET` | `Suite#passes` |
            | b | `Lacis.opens`, `Graf`, `Graph.Node.before` | `Suite#isSkipped`, `TwoTest#isOld` |
            | c | `LACIS_NETS` | `Suite#helps`, `Suite#jumps`, `Nobody`, `Unused` |
            | d | somehow | |
            | e | not there: why | |
            | f | `Post.DONE` | `Contract` |
            """);
    TestSources sources = new TestSources();
    sources.read("m", folder);
    TestReports reports = TestReports.of(folder, Instant.EPOCH.plusSeconds(1));

    assertThat(incomplete(rows)).hasSize(1).first().asString().startsWith("d: ");
    assertThat(unknownNames(rows))
        .containsExactly("Lacis.opens", "Graf", "Graph.Node.before", "LACIS_NETS");
    assertThat(unknownTests(rows, sources))
        .containsExactly(
            "Suite#helps: no such test",
            "Suite#jumps: no such test",
            "Nobody: no such test",
            "Unused: no class runs it");
    assertThat(notRun(rows, sources, Map.of("m", reports)))
        .containsExactlyInAnyOrder(
            "p.TwoTest#isSkipped",
            "p.TwoTest#isOld",
            "p.OneTest$Inner#fails",
            "p.TwoTest#fails",
            "p.TwoTest#isSkipped");
  }
}
