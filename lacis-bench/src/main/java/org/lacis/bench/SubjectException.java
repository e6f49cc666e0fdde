package org.lacis.bench;

/** A subject that cannot be measured any more. The message says which, and why. */
final class SubjectException extends Exception {
  private static final long serialVersionUID = 1;

  SubjectException(String message) {
    super(message);
  }

  SubjectException(String message, Throwable cause) {
    super(message, cause);
  }
}
