package org.lacis.net.ofi;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.lacis.net.KeyTable;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.PacketStack;

/**
 * Packets that are longer than the receives of a peer: it is told of them, fetches them like any
 * memory, and tells when it has. Few programs have such packets, so objects are made for them.
 * Under the device's lock, and what arrives by the polling thread.
 */
final class LargePackets {

  private record Sent(Peer peer, long packet) {}

  private final KeyTable keys;
  private final Outbox outbox;
  private final Inbox inbox;
  private final PacketStack returns;
  private final Map<Long, Sent> sent = new HashMap<>();

  LargePackets(KeyTable keys, Outbox outbox, Inbox inbox, PacketStack returns) {
    this.keys = keys;
    this.outbox = outbox;
    this.inbox = inbox;
    this.returns = returns;
  }

  /** As {@link NetDevice#sendPacket}. */
  int send(Peer peer, long h0, long h1, long packet, int length) {
    int room = peer.packetRoom();
    if (room != NetDevice.OK) {
      return outbox.refuse(peer, room);
    }
    long key = keys.register(Memory.segment(packet, length), 0, length, NetContext.READ);
    if (key == 0) {
      return NetDevice.FULL;
    }
    sent.put(key, new Sent(peer, packet));
    peer.packets++;
    long slot = outbox.take();
    Frame.request(Slot.frame(slot), 0, 0, key, 0, length, 0, 0);
    outbox.send(peer, slot, Frame.LARGE, h0, h1, Frame.REQUEST);
    return NetDevice.OK;
  }

  /** The peer has it, or has given up. */
  void released(Peer peer, long key) {
    Sent packet = sent.get(key);
    if (packet != null && packet.peer == peer) {
      sent.remove(key);
      giveBack(key, packet);
    }
  }

  private void giveBack(long key, Sent packet) {
    keys.deregister(key);
    returns.give(packet.packet);
  }

  /** Nobody fetches what was sent to peers that are gone. */
  void abandon() {
    for (Iterator<Map.Entry<Long, Sent>> i = sent.entrySet().iterator(); i.hasNext(); ) {
      Map.Entry<Long, Sent> entry = i.next();
      if (entry.getValue().peer.gone != null) {
        i.remove();
        giveBack(entry.getKey(), entry.getValue());
      }
    }
  }

  /** A peer has told of one: it is fetched. */
  void arrived(Peer peer, long slot, Transfers transfers) {
    long frame = Slot.frame(slot);
    long length = Frame.length(frame);
    if (length < 0 || length > Frame.MAX_PACKET) {
      inbox.refused(peer);
      return;
    }
    long packet = inbox.makeLarge(length);
    Slot.peer(packet, peer.rank);
    Slot.length(packet, (int) length);
    Frame.write(
        Slot.frame(packet),
        Frame.h0(frame),
        Frame.h1(frame),
        Frame.token(frame),
        Frame.PACKET,
        peer.rank,
        peer);
    Transfer transfer = transfers.take(peer);
    transfer.put = false;
    transfer.local = Memory.segment(Slot.payload(packet), length);
    transfer.offset = 0;
    transfer.length = length;
    transfer.key = Frame.key(frame);
    transfer.keyOffset = 0;
    transfer.packet = packet;
    transfers.start(transfer);
  }

  /** One is here, or cannot be had because its sender is gone. */
  void fetched(Peer peer, Transfer transfer) {
    long packet = transfer.packet;
    if (transfer.result == NetDevice.OK) {
      inbox.add(peer, packet);
    } else {
      inbox.give(packet);
      inbox.refused(peer);
    }
    long slot = outbox.take();
    Frame.request(Slot.frame(slot), 0, 0, transfer.key, 0, 0, 0, 0);
    outbox.send(peer, slot, Frame.FETCHED, 1, 0, Frame.REQUEST);
  }
}
