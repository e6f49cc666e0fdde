// A table that is kept by column: rank 0 sends some columns as one message, straight out of its
// arrays, with a few words about them as the piggyback. Rank 1 receives them into arrays of its
// own, and rank 2, which does not know how many there are, in memory of the runtime.
//
//   lacis run -n 3 examples/BufferLists.java

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.*;
import org.lacis.*;

static final int ROWS = 10_000;

void main() {
  try (var lacis = Lacis.open()) {
    var done = lacis.newSynchronizer();
    switch (lacis.rank()) {
      case 0 -> send(lacis);
      case 1 -> {
        var ids = new int[ROWS];
        var values = new double[ROWS];
        var about = Arena.ofAuto().allocate(100);
        var columns =
            BufferList.of(MemorySegment.ofArray(ids), MemorySegment.ofArray(values))
                .withPiggyback(about);
        lacis.recv().from(0).buffers(columns).post(done);
        done.await();
        IO.println(about.getString(0) + ": row " + ids[1234] + " is " + values[1234]);
      }
      case 2 -> {
        lacis.recv().from(0).anyLength().post(done);
        done.await();
        try (var status = done.status(0)) { // gives the memory back
          IO.println(status.piggyback().getString(0) + ": " + status.parts() + " columns");
          for (int i = 0; i < status.parts(); i++) {
            IO.println("column " + i + " has " + status.partLength(i) + " bytes");
          }
        }
      }
      default -> {}
    }
    lacis.barrier();
  }
}

void send(Lacis lacis) {
  var ids = Arena.ofAuto().allocate(JAVA_INT, ROWS);
  var values = Arena.ofAuto().allocate(JAVA_DOUBLE, ROWS);
  for (int i = 0; i < ROWS; i++) {
    ids.setAtIndex(JAVA_INT, i, i);
    values.setAtIndex(JAVA_DOUBLE, i, Math.sqrt(i));
  }
  var columns =
      BufferList.of(ids, values).withPiggyback(Arena.ofAuto().allocateFrom("square roots"));
  var sent = lacis.newSynchronizer(2);
  for (int rank = 1; rank <= 2; rank++) {
    // One list for both: it is never changed.
    lacis.send().to(rank).buffers(columns).allowDone(false).postBlocking(sent);
  }
  sent.await();
}
