package org.lacis.bench.subject;

import org.lacis.Completion;
import org.lacis.Counter;
import org.lacis.Lacis;
import org.lacis.Post;
import org.lacis.Region;
import org.lacis.RemoteCompletion;
import org.lacis.RemoteRegion;
import org.lacis.collective.Collectives;

/** Puts and gets of 8 bytes: locally complete, or with a signal that the other side sees. */
final class OneSided extends LacisWork {
  private final String kind;
  private final RemoteRegion remote;
  private final Counter done;
  private final RemoteCompletion signal;

  /** Kept: memory is a peer's to use only while its region is reachable. */
  @SuppressWarnings("unused")
  private final Region region;

  private long signalled;
  private long seen;
  private long expected;

  OneSided(Lacis lacis, String kind) {
    super(lacis);
    this.kind = kind;
    region = lacis.allocate(64, 64);
    try (var collectives = Collectives.of(lacis)) {
      remote = collectives.exchange(region)[peer];
      collectives.barrier();
    }
    done = lacis.newCounter();
    signal = lacis.register(_ -> signalled++);
  }

  @Override
  Timing measure(Command command) {
    long start = System.nanoTime();
    if (kind.equals("put-signal")) {
      for (long i = command.count(); i > 0; i--) {
        if (first) {
          putAndSignal();
        }
        seen++;
        while (signalled < seen) {
          idle.after(lacis.progress());
        }
        idle.reset();
        if (!first) {
          putAndSignal();
        }
      }
      return since(start);
    }
    if (first) {
      if (kind.equals("put")) {
        puts(command.count());
      } else {
        gets(command.count());
      }
      Timing timing = since(start);
      ring();
      return timing;
    }
    hear(1);
    return since(start);
  }

  private void puts(long count) {
    for (long i = count; i > 0; i--) {
      Post post = lacis.put(word, remote, 0, done);
      while (post.isRetry()) {
        idle.after(lacis.progress());
        post = lacis.put(word, remote, 0, done);
      }
      complete(post);
    }
  }

  private void gets(long count) {
    for (long i = count; i > 0; i--) {
      Post post = lacis.get(word, remote, 0, done);
      while (post.isRetry()) {
        idle.after(lacis.progress());
        post = lacis.get(word, remote, 0, done);
      }
      complete(post);
    }
  }

  private void complete(Post post) {
    if (post.isPosted()) {
      expected++;
      while (done.count() < expected) {
        idle.after(lacis.progress());
      }
    }
    idle.reset();
  }

  private void putAndSignal() {
    while (lacis.put(word, remote, 0, 0, signal, Completion.NONE).isRetry()) {
      idle.after(lacis.progress());
    }
    idle.reset();
  }
}
