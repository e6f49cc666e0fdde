import java.time.Duration;
import org.lacis.boot.Boot;

/** Every rank tells every other its number; done several times over, with a new handle each time. */
void main() {
  for (int round = 0; round < 3; round++) {
    try (Boot boot = Boot.find(System.getenv())) {
      boot.put("r" + boot.rank(), "number " + boot.rank());
      boot.fence(Duration.ofSeconds(60));
      for (int rank = 0; rank < boot.size(); rank++) {
        if (!boot.get("r" + rank).equals("number " + rank)) {
          throw new IllegalStateException("rank " + rank + " said " + boot.get("r" + rank));
        }
      }
      if (round == 2) {
        IO.println("met " + boot.size() + " by " + boot.description());
      }
    }
  }
}
