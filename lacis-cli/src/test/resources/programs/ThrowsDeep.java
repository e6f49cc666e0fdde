/** Rank 1 throws from far below main, and so does the cause of what it throws. */
void main() throws Exception {
  if (System.getenv("PMI_RANK").equals("1")) {
    deeper(50, new IllegalStateException("deep down", cause(50)));
  }
  Thread.sleep(600_000);
}

static void deeper(int levels, RuntimeException thrown) {
  if (levels == 0) {
    thrown.fillInStackTrace();
    throw thrown;
  }
  deeper(levels - 1, thrown);
}

static RuntimeException cause(int levels) {
  return levels == 0 ? new RuntimeException("the cause") : cause(levels - 1);
}
