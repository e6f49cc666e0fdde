import java.time.Duration;
import org.lacis.boot.Boot;

/** Rank 1 throws while the others wait for it. */
class Throws {
  public static void main(String[] args) {
    try (Boot boot = Boot.find(System.getenv())) {
      if (boot.rank() == 1) {
        deeper();
      }
      boot.fence(Duration.ofSeconds(60));
    }
  }

  static void deeper() {
    throw new IllegalStateException("thrown on purpose", new RuntimeException("the cause"));
  }
}
