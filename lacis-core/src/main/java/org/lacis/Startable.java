package org.lacis;

/**
 * What can be started again and again and tells a completion object when it is complete: an
 * operation to be posted, or a whole {@link Graph}. Usually a lambda around a posting call.
 *
 * <pre>{@code
 * Startable receive = done -> lacis.recv(0, buffer, 7, done);
 * }</pre>
 *
 * <p>It may be called several times for one run: after a retry nothing has happened, so a graph
 * calls it again. What should happen once per run, such as counting, belongs elsewhere.
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
