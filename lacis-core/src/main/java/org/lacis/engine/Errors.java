package org.lacis.engine;

import org.jspecify.annotations.Nullable;
import org.lacis.CommunicationException;
import org.lacis.ErrorKind;
import org.lacis.boot.PeerLoss;
import org.lacis.net.NetDevice;

/** Failures in words. */
final class Errors {

  private Errors() {}

  /** What a final answer of the network means; null if it is none. */
  static @Nullable CommunicationException of(int answer, int rank) {
    return switch (answer) {
      case NetDevice.NO_ACCESS -> noAccess(rank);
      case NetDevice.PEER_GONE -> gone(rank);
      default -> null;
    };
  }

  static CommunicationException noAccess(int rank) {
    return new CommunicationException(
        ErrorKind.NO_ACCESS,
        rank,
        "rank "
            + rank
            + " has closed the region, or does not allow this access; or it is an atomic, and the"
            + " memory that was registered is not aligned to its words");
  }

  static CommunicationException gone(int rank) {
    return gone(rank, "rank " + rank + " is gone: it has died or closed its runtime");
  }

  static CommunicationException goneFromBarrier(int rank) {
    return gone(rank, "barrier: rank " + rank + " is gone");
  }

  static CommunicationException gone(int rank, String message) {
    PeerLoss.notice();
    return new CommunicationException(ErrorKind.PEER_GONE, rank, message);
  }

  static CommunicationException sendBufferClosed(int rank) {
    return new CommunicationException(
        ErrorKind.CLOSED,
        rank,
        "rank "
            + rank
            + " could not read the message: was its buffer's arena closed before the send was"
            + " complete?",
        memoryClosed());
  }

  static CommunicationException senderBufferClosed(int rank) {
    return new CommunicationException(
        ErrorKind.CLOSED,
        rank,
        "the message could not be read from rank "
            + rank
            + ": it has closed the buffer's arena, or its runtime, before its send was complete",
        memoryClosed());
  }

  /** The cause of what fails since memory was closed: who closes a device or engine has none. */
  private static IllegalStateException memoryClosed() {
    return new IllegalStateException("the memory is not there any more");
  }

  static CommunicationException noMemory(int rank) {
    return new CommunicationException(
        ErrorKind.NO_MEMORY,
        rank,
        "rank " + rank + " has no memory for the message: raise its LacisOptions.sharedBytes");
  }

  static CommunicationException closed(int rank) {
    return new CommunicationException(
        ErrorKind.CLOSED, known(rank), "closed before the operation was complete");
  }

  /** The peer; -1 of a receive that has left it open. */
  private static int known(int rank) {
    return Math.max(rank, -1);
  }

  static CommunicationException deviceClosed(int rank, int device) {
    return new CommunicationException(
        ErrorKind.CLOSED,
        rank,
        "rank " + rank + " has closed its device " + device + " before it took the message");
  }

  static CommunicationException cancelled(int rank) {
    return new CommunicationException(
        ErrorKind.CANCELLED, known(rank), "the receive was cancelled");
  }

  static CommunicationException graphClosed() {
    return new CommunicationException(
        ErrorKind.CLOSED, -1, "the graph was closed before the node was started");
  }

  /** The failure of a graph's node, which is named. */
  static CommunicationException ofNode(String node, Throwable cause) {
    return cause instanceof CommunicationException e
        ? new CommunicationException(e.kind(), e.rank(), node + " has failed: " + e.reason(), e)
        : new CommunicationException(ErrorKind.FUNCTION, -1, node + " has failed: " + cause, cause);
  }

  /** The failure of a graph that was to be started by something that failed. */
  static CommunicationException notStarted(String graph, CommunicationException cause) {
    return new CommunicationException(
        cause.kind(),
        cause.rank(),
        "graph " + graph + " was not started: " + cause.reason(),
        cause);
  }

  static CommunicationException bufferClosed(int rank) {
    return new CommunicationException(
        ErrorKind.CLOSED,
        rank,
        "the buffer's arena was closed before the message from rank " + rank + " came",
        memoryClosed());
  }

  static CommunicationException truncated(int rank, int tag, long sent, long room) {
    return new CommunicationException(
        ErrorKind.TRUNCATED,
        rank,
        message(rank, tag) + " is " + sent + " bytes, but the receive's buffer has " + room);
  }

  static CommunicationException partsDiffer(int rank, int tag, int sent, int posted) {
    return new CommunicationException(
        ErrorKind.TRUNCATED,
        rank,
        message(rank, tag) + " has " + sent + " parts, but the receive's list has " + posted);
  }

  static CommunicationException partTruncated(
      int rank, int tag, String part, long sent, long room) {
    return new CommunicationException(
        ErrorKind.TRUNCATED,
        rank,
        part
            + " of "
            + message(rank, tag)
            + " is "
            + sent
            + " bytes, but that of the receive's list has "
            + room);
  }

  static CommunicationException noMemoryHere(int rank, int tag, long length) {
    return new CommunicationException(
        ErrorKind.NO_MEMORY,
        rank,
        message(rank, tag)
            + " is "
            + length
            + " bytes, for which there is no memory here: raise LacisOptions.sharedBytes, or"
            + " receive it into a buffer");
  }

  private static String message(int rank, int tag) {
    return "the message from rank " + rank + " with tag " + tag;
  }
}
