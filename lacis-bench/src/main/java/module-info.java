/** Measures Lacis beside its peers. */
module org.lacis.bench {
  requires static HdrHistogram; // ranks have it on their class path; the command needs none
  requires static org.jspecify;
  requires java.management;
  requires org.lacis;
  requires org.lacis.report;

  exports org.lacis.bench;
}
