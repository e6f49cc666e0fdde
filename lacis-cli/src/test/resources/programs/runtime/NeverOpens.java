import java.time.Duration;
import org.lacis.*;

/** The last rank never opens the runtime, and ends ("leaves") or goes on with something else ("stays"); the others wait for it. */
void main(String[] args) throws Exception {
  int last = Integer.parseInt(System.getenv("PMI_SIZE")) - 1;
  if (System.getenv("PMI_RANK").equals(Integer.toString(last))) {
    if (args[0].equals("stays")) {
      Thread.sleep(600_000);
    }
    return;
  }
  try (var lacis = Lacis.open(LacisOptions.defaults().withOpenTimeout(Duration.ofSeconds(2)))) {
    IO.println("open without rank " + last);
  }
}
