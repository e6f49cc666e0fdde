import org.lacis.Lacis;

/** All but the last rank open a runtime; the last one never does, so that they stay in the middle of it. */
void main() throws Exception {
  String rank = System.getenv("PMI_RANK");
  IO.println("ready " + rank + " " + ProcessHandle.current().pid() + " job " + System.getenv("LACIS_JOB"));
  if (rank.equals(Integer.toString(Integer.parseInt(System.getenv("PMI_SIZE")) - 1))) {
    Thread.sleep(600_000);
  }
  Lacis.open().close();
}
