import org.lacis.*;

/** Hello, and a barrier. */
void main() {
  try (var lacis = Lacis.open()) {
    lacis.barrier();
    IO.println("hello from rank " + lacis.rank());
    lacis.barrier();
  }
}
