import org.lacis.*;

/** Closes its runtime and ends at once, without a goodbye, when rank 0 is told to. */
void main() {
  try (var lacis = Lacis.open()) {
    IO.println("ready " + lacis.rank() + " " + ProcessHandle.current().pid());
    if (lacis.rank() == 0) {
      IO.readln();
    }
    lacis.barrier();
  }
  Runtime.getRuntime().halt(0);
}
