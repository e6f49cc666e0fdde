import org.lacis.*;

/** Says who it is, and talks with whoever there is. */
void main() {
  try (var lacis = Lacis.open()) {
    new Traffic(lacis, 100_000).run(2, _ -> {});
    lacis.barrier();
    IO.println("rank " + lacis.rank() + " of " + lacis.size());
  }
}
