package org.lacis.collective;

import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.Status;

/**
 * A run of a collective that is told to the Flight Recorder when it has ended. As with the events
 * of a device, nothing of it is touched before somebody records; the module jdk.jfr may be absent.
 */
final class RecordedRun implements Completion {

  private static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private final CollectiveEvent event = new CollectiveEvent();
  private final @Nullable Completion done;

  private RecordedRun(@Nullable Completion done) {
    this.done = done;
  }

  /** Whether runs are recorded. */
  static boolean isWanted() {
    return PRESENT && FlightRecorder.isInitialized() && CollectiveEvent.ANY.isEnabled();
  }

  /**
   * Begins one.
   *
   * @param done is signalled after it was recorded; null if nobody is
   */
  static RecordedRun begin(
      Members members, String kind, String algorithm, long bytes, @Nullable Completion done) {
    RecordedRun run = new RecordedRun(done);
    CollectiveEvent event = run.event;
    event.ownRank = members.lacis.rank();
    event.member = members.me;
    event.size = members.size;
    event.kind = kind;
    event.algorithm = algorithm;
    event.bytes = bytes;
    event.begin();
    return run;
  }

  @Override
  public void signal(Status status) {
    CommunicationException error = status.error();
    if (error != null) {
      event.failure = error.getMessage();
    }
    event.commit();
    if (done != null) {
      done.signal(status);
    }
  }
}
