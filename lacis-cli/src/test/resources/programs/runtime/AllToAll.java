import org.lacis.*;

/**
 * Traffic between all ranks. Arguments: rounds, the length of large messages in bytes, and perhaps how a rank fails in the middle of
 * it all ("throw" or "exit") and which.
 */
void main(String[] args) {
  int rounds = Integer.parseInt(args[0]);
  int large = Integer.parseInt(args[1]);
  try (var lacis = Lacis.open()) {
    var traffic = new Traffic(lacis, large);
    traffic.run(
        rounds,
        round -> {
          if (args.length > 2 && round == rounds / 2 && lacis.rank() == Integer.parseInt(args[3])) {
            if (args[2].equals("exit")) {
              System.exit(3);
            }
            throw new IllegalStateException("thrown in the middle of it all");
          }
        });
    IO.println("rank " + lacis.rank() + " of " + lacis.size() + " is content with " + lacis.network());
    lacis.barrier();
  }
}
