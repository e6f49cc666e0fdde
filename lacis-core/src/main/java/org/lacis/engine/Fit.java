package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.BufferList;
import org.lacis.CommunicationException;
import org.lacis.net.Memory;

/** How a message lies in the buffer, or list of buffers, of its receive. */
final class Fit {

  private Fit() {}

  /**
   * Why a message cannot be put where its receive wants it; null if it can.
   *
   * @param table the {@link ListFrame}, if the message is a list; else 0
   * @param length of the message, in bytes
   */
  static @Nullable CommunicationException check(
      Operation receive, int source, int tag, long table, long length) {
    if (receive.lends) {
      return null;
    }
    BufferList list = receive.list;
    if (table != 0 && list != null) {
      CommunicationException error = checkParts(list, source, tag, table);
      if (error != null) {
        return error;
      }
    } else if (length > receive.length) {
      return Errors.truncated(source, tag, length, receive.length);
    }
    return isAlive(receive) ? null : Errors.bufferClosed(source);
  }

  private static @Nullable CommunicationException checkParts(
      BufferList list, int source, int tag, long table) {
    int count = ListFrame.count(table);
    if (count != list.count()) {
      return Errors.partsDiffer(source, tag, count, list.count());
    }
    for (int i = 0; i < count; i++) {
      long sent = ListFrame.length(table, i);
      long room = list.part(i).byteSize();
      if (sent > room) {
        return Errors.partTruncated(source, tag, "part " + i, sent, room);
      }
    }
    MemorySegment piggyback = list.piggyback();
    int extra = ListFrame.piggyback(table);
    return piggyback == null || extra <= piggyback.byteSize()
        ? null
        : Errors.partTruncated(source, tag, "the piggyback", extra, piggyback.byteSize());
  }

  private static boolean isAlive(Operation receive) {
    BufferList list = receive.list;
    if (list == null) {
      return Objects.requireNonNull(receive.buffer).scope().isAlive();
    }
    for (int i = 0; i < list.count(); i++) {
      if (!list.part(i).scope().isAlive()) {
        return false;
      }
    }
    MemorySegment piggyback = list.piggyback();
    return piggyback == null || piggyback.scope().isAlive();
  }

  /** Copies a message that is here, and fits, to where its receive wants it. */
  static void copy(Operation receive, long table, long data, long length) {
    BufferList list = receive.list;
    if (list == null) {
      Memory.copyOut(data, Objects.requireNonNull(receive.target), receive.targetOffset, length);
      return;
    }
    long left = length;
    for (int i = 0; i < list.count() && left > 0; i++) {
      MemorySegment part = list.part(i);
      long bytes = table != 0 ? ListFrame.length(table, i) : Math.min(left, part.byteSize());
      copyOut(data + (length - left), part, bytes);
      left -= bytes;
    }
  }

  /** Copies the piggyback of a list that has come, if the receive has a place for it. */
  static void copyPiggyback(Operation receive, long table) {
    BufferList list = receive.list;
    MemorySegment piggyback = list == null || table == 0 ? null : list.piggyback();
    if (piggyback != null) {
      copyOut(ListFrame.piggybackAddress(table), piggyback, ListFrame.piggyback(table));
    }
  }

  private static void copyOut(long from, MemorySegment buffer, long bytes) {
    MemorySegment to = Buffers.shareable(buffer);
    Memory.copyOut(from, to, Buffers.offset(to, buffer, 0), bytes);
  }
}
