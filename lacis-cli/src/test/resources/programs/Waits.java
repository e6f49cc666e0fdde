/** Says who it is and sleeps. With "stubborn", does not end when asked to. With "open", opens a handle first. */
void main(String[] args) throws Exception {
  List<String> options = List.of(args);
  if (options.contains("stubborn")) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> sleep()));
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
