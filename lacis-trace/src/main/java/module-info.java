/** Traces of MPI programs, and what their matching looks like. */
module org.lacis.trace {
  requires jdk.jfr;
  requires org.lacis.report;
  requires transitive org.lacis;
  requires static org.jspecify;

  exports org.lacis.trace;
  exports org.lacis.trace.depth;
  exports org.lacis.trace.dumpi;
  exports org.lacis.trace.events;
  exports org.lacis.trace.replay;
  exports org.lacis.trace.report;

  uses org.lacis.trace.TraceFormat;

  provides org.lacis.trace.TraceFormat with
      org.lacis.trace.dumpi.DumpiFormat,
      org.lacis.trace.events.EventsFormat;
}
