/** Pages with tables and figures, and numbers for programs: what reports are made of. */
module org.lacis.report {
  requires static org.jspecify;

  exports org.lacis.report;
}
