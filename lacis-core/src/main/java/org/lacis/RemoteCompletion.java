package org.lacis;

/**
 * Names a completion object that a rank has registered with {@link Lacis#register}, so that peers
 * can signal it with active messages and with puts and gets. Ranks that register in the same order
 * get equal names, so usually none needs to be sent.
 *
 * <p>A message for a name that its target has not registered yet waits there until it is.
 *
 * @param index the number of the registration at its rank, from 0
 */
public record RemoteCompletion(int index) {

  /** The largest index. */
  public static final int MAX_INDEX = (1 << 23) - 1;

  /** Checks the index. */
  public RemoteCompletion {
    if (index < 0 || index > MAX_INDEX) {
      throw new IllegalArgumentException("index must be 0 to " + MAX_INDEX + ", but is " + index);
    }
  }
}
