package org.lacis.net.shm;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.lacis.net.Memory;
import org.lacis.net.NetContext;
import org.lacis.net.NetSink;
import org.lacis.net.PeerEnd;

/** Writes down what it hears. */
final class RecordingSink implements NetSink {

  /** What a message was, its payload as a string of as many characters. */
  record Message(int source, long h0, long h1, String payload, long address, long lease) {}

  /** How a transfer ended. */
  record Completion(long cookie, int result) {}

  final List<Message> messages = new ArrayList<>();
  final List<Completion> completions = new ArrayList<>();
  final List<Integer> gone = new ArrayList<>();
  boolean refuse;
  boolean keepLeases;

  /** Called with every message before it is written down. */
  Runnable onMessage = () -> {};

  private final NetContext context;

  RecordingSink(NetContext context) {
    this.context = context;
  }

  @Override
  public boolean message(int source, long h0, long h1, long address, int length, long lease) {
    if (refuse) {
      return false;
    }
    onMessage.run();
    var payload = new byte[length];
    Memory.copyOut(address, MemorySegment.ofArray(payload), 0, length);
    messages.add(new Message(source, h0, h1, new String(payload, ISO_8859_1), address, lease));
    if (lease != 0 && !keepLeases) {
      context.release(lease);
    }
    return true;
  }

  @Override
  public void completed(long cookie, int result) {
    completions.add(new Completion(cookie, result));
  }

  @Override
  public void peerGone(int peer, PeerEnd how) {
    gone.add(peer);
  }
}
