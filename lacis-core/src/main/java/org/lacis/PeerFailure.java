package org.lacis;

import java.util.Objects;

/**
 * A rank of the job has failed, as {@link Lacis#onPeerFailure} tells it. One that closes its
 * runtime in good order has not.
 *
 * @param rank which one
 * @param reason how that was noticed
 * @param message what is known of it, for people to read; it names the rank
 */
public record PeerFailure(int rank, Reason reason, String message) {

  /** How a failure was noticed. */
  public enum Reason {
    /** Its process, or the connection to it, has ended without a word; or the launcher says so. */
    DIED,
    /**
     * It has given no sign of life for the {@linkplain LacisOptions#detection detection time}: it
     * is stopped, or cut off. It may be there, and take this rank for failed in its turn.
     */
    SILENT
  }

  /** Checks the values. */
  public PeerFailure {
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(message, "message");
  }
}
