/** The lacis command. */
module org.lacis.cli {
  requires static org.jspecify;
  requires info.picocli;
  requires java.compiler;
  requires jdk.compiler;
  requires org.lacis;

  uses org.lacis.net.Network;

  opens org.lacis.cli to
      info.picocli;
}
