import java.util.concurrent.atomic.*;
import org.lacis.*;

/** The last rank throws, which closes its runtime; the others are told by the launcher that it has failed. */
void main() {
  try (var lacis = Lacis.open()) {
    var failure = new AtomicReference<PeerFailure>();
    lacis.onPeerFailure(failure::set);
    if (lacis.rank() == lacis.size() - 1) {
      throw new IllegalStateException("thrown on purpose");
    }
    var idle = lacis.newIdle();
    while (failure.get() == null) {
      idle.after(lacis.progress());
    }
    IO.println("rank " + lacis.rank() + ": " + failure.get().message());
  }
}
