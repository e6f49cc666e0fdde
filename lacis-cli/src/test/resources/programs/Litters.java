import java.nio.file.Files;
import java.nio.file.Path;

/** Leaves files and a process behind, and then ends as the first argument says: by itself, or not at all. */
void main(String[] args) throws Exception {
  String job = System.getenv("LACIS_JOB");
  String rank = System.getenv("PMI_RANK");
  Files.writeString(Path.of("/dev/shm/lacis-" + job + "-" + rank), "litter");
  Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir"), "lacis-" + job + "-" + rank, "deep"));
  // The shell ends at once: its child has no parent among us any more.
  new ProcessBuilder("sh", "-c", "sleep 600 >/dev/null 2>&1 &").inheritIO().start().waitFor();
  IO.println("ready " + rank + " " + ProcessHandle.current().pid() + " job " + job);
  if (args[0].equals("stay")) {
    Thread.sleep(600_000);
  }
}
