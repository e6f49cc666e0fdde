package org.lacis;

/**
 * What can be started again and again and tells a completion object when it is complete: an
 * operation to be posted, or a whole {@link Graph}. Usually a lambda around a posting call.
 *
 * <pre>{@code
 * Startable receive = done -> lacis.recv(0, buffer, 7, done);
 * }</pre>
 */
@FunctionalInterface
public interface Startable {

  /**
   * Starts it.
   *
   * @param done signalled once when it is complete, if the answer is {@link Post#POSTED}
   * @return what became of it, as for any post; after an exception nothing has happened
   */
  Post start(Completion done);
}
