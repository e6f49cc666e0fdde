import org.lacis.Lacis;

/** Opens a runtime on every rank but those named by the arguments, says so, and waits in a barrier that rank 0 never joins. */
void main(String[] args) throws Exception {
  String rank = System.getenv("PMI_RANK");
  if (List.of(args).contains(rank)) {
    return;
  }
  try (Lacis lacis = Lacis.open()) {
    IO.println("ready " + rank + " " + ProcessHandle.current().pid() + " job " + System.getenv("LACIS_JOB"));
    if (lacis.rank() == 0) {
      Thread.sleep(600_000);
    }
    lacis.barrier();
  }
}
