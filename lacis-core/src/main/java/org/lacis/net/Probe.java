package org.lacis.net;

/** Whether something can be used on this machine: a value with a reason, never an exception. */
public sealed interface Probe {

  /**
   * It can be used.
   *
   * @param version what was found, for people to read
   */
  record Ready(String version) implements Probe {}

  /**
   * It cannot be used.
   *
   * @param why what is missing and how to get it
   */
  record Missing(String why) implements Probe {}
}
