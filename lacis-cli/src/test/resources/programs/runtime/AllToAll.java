import org.lacis.*;

/**
 * Traffic between all ranks. Arguments: rounds, the length of large messages in bytes, and perhaps how a rank fails in the middle of
 * it all ("throw", "exit" or "kill") and which.
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
            fail(args[2]);
          }
        });
    IO.println("rank " + lacis.rank() + " of " + lacis.size() + " is content with " + lacis.networkDetails());
    lacis.barrier();
  }
}

void fail(String how) {
  switch (how) {
    case "exit" -> System.exit(3);
    case "kill" -> {
      try {
        new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start();
        Thread.sleep(60_000);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
    default -> throw new IllegalStateException("thrown in the middle of it all");
  }
}
