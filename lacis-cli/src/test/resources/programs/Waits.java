/**
 * Says who it is and sleeps. With "polite", says goodbye; with "stubborn", does not end when asked to; with "open", opens
 * a handle first.
 */
void main(String[] args) throws Exception {
  List<String> options = List.of(args);
  if (options.contains("stubborn")) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> sleep()));
  }
  if (options.contains("polite")) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> IO.println("goodbye " + System.getenv("PMI_RANK"))));
  }
  if (options.contains("open")) {
    org.lacis.boot.Boot.find(System.getenv());
  }
  IO.println("ready " + System.getenv("PMI_RANK") + " " + ProcessHandle.current().pid());
  sleep();
}

static void sleep() {
  try {
    Thread.sleep(600_000);
  } catch (InterruptedException e) {
    throw new IllegalStateException(e);
  }
}
