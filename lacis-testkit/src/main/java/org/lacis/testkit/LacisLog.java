package org.lacis.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Keeps what the library logs while it is open, instead of showing it. */
final class LacisLog extends Handler implements AutoCloseable {

  private final Logger logger = Logger.getLogger("org.lacis");
  private final SimpleFormatter formatter = new SimpleFormatter();
  private final List<String> messages = new CopyOnWriteArrayList<>();

  LacisLog() {
    logger.setUseParentHandlers(false);
    logger.addHandler(this);
  }

  /** What was logged, with what was thrown. */
  List<String> messages() {
    return messages;
  }

  @Override
  public void publish(LogRecord logged) {
    Throwable thrown = logged.getThrown();
    messages.add(formatter.formatMessage(logged) + (thrown == null ? "" : ": " + thrown));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }
}
