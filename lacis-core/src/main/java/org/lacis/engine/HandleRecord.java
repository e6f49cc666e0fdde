package org.lacis.engine;

import org.jspecify.annotations.Nullable;
import org.lacis.ReceiveHandle;
import org.lacis.match.Matcher;

/** A receive by the use of its operation, which another receive does not have. */
public final class HandleRecord extends ReceiveHandle {

  private @Nullable Operation op;
  private long use;
  private @Nullable Matcher matcher;

  /** Stands for no receive yet. */
  public HandleRecord() {}

  synchronized void of(Operation receive, long itsUse, Matcher where) {
    op = receive;
    use = itsUse;
    matcher = where;
  }

  @Override
  public boolean cancel() {
    Operation receive;
    long itsUse;
    Matcher where;
    synchronized (this) {
      receive = op;
      itsUse = use;
      where = matcher;
    }
    if (receive == null || where == null || !where.remove(receive, itsUse)) {
      return false;
    }
    receive.table.device.complete(
        receive, receive.rank, receive.tag, 0, Errors.cancelled(receive.rank));
    return true;
  }
}
