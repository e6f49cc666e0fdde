package org.lacis.cli;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lacis.boot.PmiServer;

/** What happens to a job, told by many threads, in one queue. */
final class JobEvents implements PmiServer.Listener, HostListener {
  private final BlockingQueue<JobEvent> events = new LinkedBlockingQueue<>();
  private volatile int detectionMillis;

  /** The next event, or null if there is none for so many nanoseconds. */
  @Nullable JobEvent poll(long nanos) throws InterruptedException {
    return events.poll(nanos, TimeUnit.NANOSECONDS);
  }

  /** How long ranks may be silent, as they say: it is the same for all. */
  int detectionMillis() {
    return detectionMillis;
  }

  private void post(JobEvent.Kind kind, int rank, int code, String text) {
    events.add(new JobEvent(kind, rank, code, text));
  }

  @Override
  public void ended(int rank, int code) {
    post(JobEvent.Kind.ENDED, rank, code, "");
  }

  @Override
  public void notStarted(int rank, String why) {
    post(JobEvent.Kind.NOT_STARTED, rank, 0, why);
  }

  @Override
  public void hostFailed(Hosts.Host host, String why) {
    post(JobEvent.Kind.HOST_FAILED, host.first(), 0, why);
  }

  /** The output of the job cannot be written any more. */
  void outputFailed(Outcome outcome) {
    post(JobEvent.Kind.OUTPUT_FAILED, outcome.culprit(), outcome.code(), outcome.message());
  }

  @Override
  public void aborted(int rank, int code) {
    post(JobEvent.Kind.ABORTED, rank, code, "");
  }

  @Override
  public void misbehaved(int rank, String why) {
    post(JobEvent.Kind.MISBEHAVED, rank, 0, why);
  }

  @Override
  public void stuck() {
    post(JobEvent.Kind.STUCK, -1, 0, "");
  }

  @Override
  public void missed(int rank, int other, int millis, String why) {
    detectionMillis = millis;
    post(JobEvent.Kind.MISSED, rank, other, why);
  }

  @Override
  public void finished(int rank) {
    post(JobEvent.Kind.FINISHED, rank, 0, "");
  }

  @Override
  public void hungUp(int rank) {
    post(JobEvent.Kind.HUNG_UP, rank, 0, "");
  }

  @Override
  public void stacks(int rank, String stacks, String report) {
    post(JobEvent.Kind.REPORT, rank, 0, report);
    post(JobEvent.Kind.STACKS, rank, 0, stacks);
  }
}
