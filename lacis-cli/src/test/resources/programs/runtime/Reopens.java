import org.lacis.*;

/**
 * Opens and closes the runtime again and again, with several devices: some ranks leave the last barrier while others are still in it, and
 * must not be missed. The argument says how often.
 */
void main(String[] args) {
  int rounds = Integer.parseInt(args[0]);
  var options = LacisOptions.defaults().withSharedBytes(1L << 26).withPool(PoolOptions.defaults().withPackets(64)).withRingCells(64);
  for (int i = 0; i < rounds; i++) {
    try (var lacis = Lacis.open(options)) {
      lacis.newDevice();
      lacis.newDevice();
      lacis.barrier();
    }
  }
  IO.println("opened " + rounds + " times");
}
