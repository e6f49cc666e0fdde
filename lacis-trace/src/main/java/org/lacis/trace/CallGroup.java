package org.lacis.trace;

import java.util.Locale;

/** What a call does for communication. */
public enum CallGroup {
  /** Sends one message. */
  SEND,
  /** Receives one message, or posts a receive. */
  RECEIVE,
  /** Sends one message and receives one. */
  EXCHANGE,
  /** Starts persistent requests. */
  START,
  /** Waits for requests, or asks whether they are complete. */
  COMPLETION,
  /** Looks for a message without receiving it. */
  PROBE,
  /** Is made by all ranks of a communicator. */
  COLLECTIVE,
  /** Reads or changes the memory of another rank. */
  ONE_SIDED,
  /** Does not communicate, as far as matching is concerned. */
  OTHER,
  /** Has a number and a name, but no known layout: it cannot be read. */
  UNKNOWN;

  /** Whether calls of the group send or receive messages between two ranks. */
  public boolean isPointToPoint() {
    return this == SEND || this == RECEIVE || this == EXCHANGE || this == START;
  }

  static CallGroup named(String name) {
    return valueOf(name.replace('-', '_').toUpperCase(Locale.ROOT));
  }
}
