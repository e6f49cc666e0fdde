/** What the tests of every module share: contract suites, seeds, bounded waits. */
module org.lacis.testkit {
  requires java.logging;
  requires jdk.jfr;
  requires jdk.management;
  requires static transitive org.jspecify;
  requires transitive org.assertj.core;
  requires transitive org.junit.jupiter.api;
  requires transitive org.junit.jupiter.params;
  requires transitive org.lacis;

  exports org.lacis.testkit;

  // Suites have tests that are not public; JUnit calls them all the same.
  opens org.lacis.testkit;

  uses org.lacis.net.Network;
}
