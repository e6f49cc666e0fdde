package org.lacis.net.ofi;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lacis.net.AtomicWord;
import org.lacis.net.KeyTable;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;

/**
 * Carries out what peers ask for with memory of this rank. The polling thread's, under the device's
 * lock.
 */
final class Server {

  /** An answer: ask for it in pieces. */
  static final int NOT_DIRECT = -1000;

  /** One that libfabric is at, or will be. */
  private static final class Service {
    @Nullable Service next;
    final long slot;

    /** The receive that has the request. */
    long request;

    /**
     * What it is at; null when the access is over, though nobody may have looked at its end yet.
     */
    KeyTable.@Nullable Entry held;

    long address;
    long registration;

    Service(long slot) {
      this.slot = slot;
    }

    void letGo() {
      KeyTable.Entry entry = held;
      if (entry != null) {
        held = null;
        entry.release();
      }
    }
  }

  private final Endpoint endpoint;
  private final KeyTable keys;
  private final Roster roster;
  private final Outbox outbox;
  private final Inbox inbox;
  private final Slots heads;
  private Service[] all = new Service[0];
  private @Nullable Service spare;

  /** Those that libfabric could not take yet. */
  private @Nullable Service waiting;

  private int underWay;

  Server(Endpoint endpoint, KeyTable keys, Roster roster, Outbox outbox, Inbox inbox, Slots heads) {
    this.endpoint = endpoint;
    this.keys = keys;
    this.roster = roster;
    this.outbox = outbox;
    this.inbox = inbox;
    this.heads = heads;
  }

  /** A request has come. */
  void request(Peer peer, long request) {
    long frame = Slot.frame(request);
    switch (Frame.kind(frame)) {
      case Frame.PUT -> put(peer, request);
      case Frame.GET -> get(peer, request);
      case Frame.ATOMIC -> atomic(peer, request);
      default -> direct(peer, request);
    }
  }

  private void put(Peer peer, long request) {
    long frame = Slot.frame(request);
    long length = Frame.length(frame);
    int result =
        length == Slot.length(request) - (long) Frame.REQUEST
            ? keys.copy(true, Frame.key(frame), Frame.offset(frame), length, Frame.data(frame))
            : NetDevice.NO_ACCESS;
    answer(peer, frame, outbox.take(), result, 0);
    end(peer, request, result);
  }

  private void get(Peer peer, long request) {
    long frame = Slot.frame(request);
    long length = Frame.length(frame);
    long slot = outbox.take();
    int result =
        length >= 0 && length <= inbox.capacity() - Frame.REQUEST
            ? keys.copy(
                false, Frame.key(frame), Frame.offset(frame), length, Frame.data(Slot.frame(slot)))
            : NetDevice.NO_ACCESS;
    answer(peer, frame, slot, result, (int) length);
    end(peer, request, result);
  }

  private void atomic(Peer peer, long request) {
    long frame = Slot.frame(request);
    long slot = outbox.take();
    int result =
        keys.change(
            Frame.code(frame),
            Frame.a(frame),
            Frame.b(frame),
            Frame.key(frame),
            Frame.offset(frame),
            Frame.data(Slot.frame(slot)));
    // As long as the word, and not as the request says: the answer is sent out of a buffer.
    int word = result == NetDevice.OK ? AtomicWord.bytes(Frame.code(frame)) : 0;
    answer(peer, frame, slot, result, word);
    end(peer, request, result);
  }

  /** Tells the origin the result, with so many bytes of data if it is good. */
  private void answer(Peer peer, long frame, long slot, int result, int length) {
    int data = result == NetDevice.OK ? length : 0;
    // A piece knows its place; the word of an atomic is all there is.
    long place = Frame.kind(frame) == Frame.GET ? Frame.a(frame) : 0;
    Frame.request(Slot.frame(slot), Frame.operation(frame), result, 0, place, data, 0, 0);
    outbox.send(peer, slot, Frame.ANSWER, 1, 0, Frame.REQUEST + data);
  }

  /** A request is over: it becomes the notification that it brought, or nothing. */
  private void end(Peer peer, long request, int result) {
    if (result == NetDevice.OK && Frame.h0(Slot.frame(request)) != 0) {
      Slot.length(request, 0);
      inbox.add(peer, request);
    } else {
      inbox.give(request);
      inbox.taken(peer);
    }
  }

  private void direct(Peer peer, long request) {
    long frame = Slot.frame(request);
    long key = Frame.key(frame);
    long length = Frame.length(frame);
    boolean write = Frame.kind(frame) == Frame.PULL;
    KeyTable.Entry held =
        keys.hold(key, Frame.offset(frame), length, write ? NetContext.WRITE : NetContext.READ);
    if (held == null) {
      refuse(peer, request, NetDevice.NO_ACCESS);
      return;
    }
    if (!held.segment().isNative()) {
      held.release();
      refuse(peer, request, NOT_DIRECT);
      return;
    }
    long address = held.segment().address() + held.at(Frame.offset(frame));
    long registration = 0;
    if (endpoint.provider().has(Libfabric.MR_LOCAL)) {
      registration = endpoint.register(address, length, write ? Libfabric.READ : Libfabric.WRITE);
      if (registration == 0) {
        held.release();
        refuse(peer, request, NOT_DIRECT);
        return;
      }
    }
    Service service = take();
    service.request = request;
    service.held = held;
    service.address = address;
    service.registration = registration;
    underWay++;
    attempt(service);
  }

  private void refuse(Peer peer, long request, int result) {
    answer(peer, Slot.frame(request), outbox.take(), result, 0);
    end(peer, request, result);
  }

  private Service take() {
    Service service = spare;
    if (service != null) {
      spare = service.next;
      return service;
    }
    int index = all.length;
    all = Arrays.copyOf(all, index + 1);
    service = new Service(heads.take());
    Slot.more(service.slot, index);
    all[index] = service;
    return service;
  }

  private void attempt(Service service) {
    long frame = Slot.frame(service.request);
    Peer peer = roster.peer(Slot.peer(service.request));
    long descriptor = Endpoint.descriptor(service.registration);
    Slot.kind(service.slot, Slot.SERVICE);
    Slot.peer(service.slot, peer.rank);
    long result =
        Frame.kind(frame) == Frame.PULL
            ? endpoint.fetch(
                service.address,
                Frame.length(frame),
                descriptor,
                peer.address,
                Frame.b(frame),
                Frame.a(frame),
                service.slot)
            : endpoint.writeData(
                service.address,
                Frame.length(frame),
                descriptor,
                Frame.operation(frame),
                peer.address,
                Frame.b(frame),
                Frame.a(frame),
                // The notification of this rank says that the data is there.
                Frame.h0(frame) != 0,
                service.slot);
    if (result == Libfabric.EAGAIN) {
      service.next = waiting;
      waiting = service;
    } else if (result != 0) {
      ended(service, false);
    }
  }

  /** Whether something waits for libfabric. */
  boolean isWaiting() {
    return waiting != null;
  }

  /** Whether libfabric is at memory of this rank. */
  boolean isBusy() {
    return underWay != 0;
  }

  /** Tries again what could not be begun. */
  void proceed() {
    Service service = waiting;
    waiting = null;
    while (service != null) {
      Service next = service.next;
      attempt(service);
      service = next;
    }
  }

  /** Libfabric has ended one, of which more is said later. */
  void release(long slot) {
    all[(int) Slot.more(slot)].letGo();
  }

  /** Libfabric has ended one. */
  void ended(long slot, boolean good) {
    ended(all[(int) Slot.more(slot)], good);
  }

  private void ended(Service service, boolean good) {
    underWay--;
    long request = service.request;
    long frame = Slot.frame(request);
    Peer peer = roster.peer(Slot.peer(request));
    endpoint.deregister(service.registration);
    service.letGo();
    service.next = spare;
    spare = service;
    if (!good) {
      refuse(peer, request, NetDevice.NO_ACCESS);
      return;
    }
    if (Frame.kind(frame) == Frame.PULL) {
      answer(peer, frame, outbox.take(), NetDevice.OK, 0);
    }
    end(peer, request, NetDevice.OK);
  }
}
