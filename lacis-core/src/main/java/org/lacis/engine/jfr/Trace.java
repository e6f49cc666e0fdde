package org.lacis.engine.jfr;

import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;
import org.lacis.CommunicationException;
import org.lacis.Post;

/**
 * Makes the events. The classes of the events are not touched before somebody uses the Flight
 * Recorder in this process: loading the first one takes a fifth of a second. The module jdk.jfr may
 * be absent; then nothing is recorded.
 */
public final class Trace {

  private static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private Trace() {}

  /** Whether anything is recorded in this process. All that it costs if not: one load. */
  public static boolean isOn() {
    return PRESENT && FlightRecorder.isInitialized();
  }

  /** An operation was posted. */
  public static void post(
      int ownRank,
      int device,
      String kind,
      int peer,
      int tag,
      long bytes,
      Post answer,
      int engine,
      @Nullable String policy) {
    if (PostEvent.ANY.isEnabled()) {
      PostEvent event = new PostEvent();
      event.ownRank = ownRank;
      event.device = device;
      event.kind = kind;
      event.peer = peer;
      event.tag = tag;
      event.bytes = bytes;
      event.answer = answer.name();
      event.engine = engine;
      event.policy = policy;
      event.commit();
    }
  }

  /** A message is sent. */
  public static void protocol(int ownRank, int device, int peer, long bytes, String protocol) {
    if (ProtocolEvent.ANY.isEnabled()) {
      ProtocolEvent event = new ProtocolEvent();
      event.ownRank = ownRank;
      event.device = device;
      event.peer = peer;
      event.bytes = bytes;
      event.protocol = protocol;
      event.commit();
    }
  }

  /** A receive and a message have met. */
  public static void match(
      int ownRank,
      int device,
      int peer,
      int tag,
      long bytes,
      boolean expected,
      int engine,
      String policy) {
    if (MatchEvent.ANY.isEnabled()) {
      MatchEvent event = new MatchEvent();
      event.ownRank = ownRank;
      event.device = device;
      event.peer = peer;
      event.tag = tag;
      event.bytes = bytes;
      event.expected = expected;
      event.engine = engine;
      event.policy = policy;
      event.commit();
    }
  }

  /** A post found no room. */
  public static void retry(int ownRank, int device, int peer, Post reason) {
    if (RetryEvent.ANY.isEnabled()) {
      RetryEvent event = new RetryEvent();
      event.ownRank = ownRank;
      event.device = device;
      event.peer = peer;
      event.reason = reason.name();
      event.commit();
    }
  }

  /** Something was put into the backlog. */
  public static void backlog(int ownRank, int device, int peer, String operation, int length) {
    if (BacklogEvent.ANY.isEnabled()) {
      BacklogEvent event = new BacklogEvent();
      event.ownRank = ownRank;
      event.device = device;
      event.peer = peer;
      event.operation = operation;
      event.length = length;
      event.commit();
    }
  }

  /** A peer is gone. */
  public static void peerGone(int ownRank, int device, int peer) {
    if (PeerGoneEvent.ANY.isEnabled()) {
      PeerGoneEvent event = new PeerGoneEvent();
      event.ownRank = ownRank;
      event.device = device;
      event.peer = peer;
      event.commit();
    }
  }

  /** An operation has failed. */
  public static void failure(
      int ownRank, int device, int peer, int tag, CommunicationException error) {
    if (FailureEvent.ANY.isEnabled()) {
      FailureEvent event = new FailureEvent();
      event.ownRank = ownRank;
      event.device = device;
      event.peer = peer;
      event.tag = tag;
      event.kind = error.kind().name();
      event.message = error.getMessage();
      event.commit();
    }
  }
}
