import java.time.Duration;
import org.lacis.boot.Boot;

/** Rank 0 ends the job while the others wait for it. */
void main() {
  Boot boot = Boot.find(System.getenv());
  if (boot.rank() == 0) {
    boot.abort(5, "enough is enough");
  }
  boot.fence(Duration.ofSeconds(60));
}
