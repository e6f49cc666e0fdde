package org.lacis.net.tcp;

import org.jspecify.annotations.Nullable;
import org.lacis.net.AtomicWord;
import org.lacis.net.KeyTable;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;

/** Carries out what a peer asks for and leaves the answers to be sent. For the polling thread. */
final class Server {

  private final KeyTable keys;
  private final Answers answers;

  Server(KeyTable keys, Answers answers) {
    this.keys = keys;
    this.answers = answers;
  }

  /** A get; false if it is one too many. The data is read when it is sent. */
  boolean get(long at) {
    Load answer = answer(at);
    if (answer == null) {
      return false;
    }
    answer.length = Memory.getLong(at + 32);
    answer.inline = false;
    KeyTable.@Nullable Entry entry =
        keys.hold(answer.key, answer.keyOffset, answer.length, NetContext.READ);
    answer.result = entry == null ? NetDevice.NO_ACCESS : NetDevice.OK;
    if (entry != null) {
      entry.release();
    }
    answers.add();
    return true;
  }

  /** An atomic; its answer, or null if it is one too many. */
  @Nullable Load atomic(long at) {
    Load answer = answer(at);
    if (answer == null) {
      return null;
    }
    long operation = Memory.getLong(at + 32);
    answer.length = AtomicWord.bytes((int) operation);
    answer.inline = true;
    answer.result = NetDevice.NO_ACCESS;
    KeyTable.@Nullable Entry entry = keys.holdWord(operation, answer.key, answer.keyOffset);
    if (entry != null) {
      try {
        answer.word =
            KeyTable.change(
                entry,
                answer.keyOffset,
                (int) operation,
                Memory.getLong(at + 40),
                Memory.getLong(at + 48));
        answer.result = NetDevice.OK;
      } catch (IllegalArgumentException e) {
        assert answer.result == NetDevice.NO_ACCESS; // not aligned
      } finally {
        entry.release();
      }
    }
    answers.add();
    return answer;
  }

  private @Nullable Load answer(long at) {
    long number = Memory.getLong(at + 8);
    Load answer = number < 0 || number >= Requests.CAPACITY ? null : answers.next();
    if (answer != null) {
      answer.kind = Frames.DATA;
      answer.id = (int) number;
      answer.key = Memory.getLong(at + 16);
      answer.keyOffset = Memory.getLong(at + 24);
      answer.sent = 0;
    }
    return answer;
  }
}
