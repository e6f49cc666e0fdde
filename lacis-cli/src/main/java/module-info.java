/** The lacis command. */
module org.lacis.cli {
  requires static org.jspecify;
  requires info.picocli;
  requires java.compiler;
  requires jdk.compiler;
  requires org.lacis;
  requires org.lacis.bench;
  requires org.lacis.report;
  requires org.lacis.trace;

  uses org.lacis.net.Network;

  opens org.lacis.cli to
      info.picocli;
}
