package org.lacis.net.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.lacis.net.SystemRandom;

/**
 * How a connection begins: each side says a random number, and proves that it knows the job's
 * secret over both numbers, over who connects whom for what, and over what is the connection's own.
 *
 * <pre>
 *  connecting  ── HELLO: magic, version, rank, peer, device, ranks, number ──▶  accepting
 *              ◀── number, proof ──
 *              ── proof ──▶
 *              ◀── 1 ──
 * </pre>
 */
final class Handshake {

  /** "LACISTCP". */
  static final long MAGIC = 0x504354534943414cL;

  static final int VERSION = 1;
  static final int NONCE = 32;
  static final int HELLO = 8 + 5 * 4 + NONCE;
  static final byte CONNECTING = 'c';
  static final byte ACCEPTING = 'a';

  private static final int WELCOME = 1;

  private final Line line;
  private final Proof proof;

  /** One side of it. */
  Handshake(Line line, Proof proof) {
    this.line = line;
    this.proof = proof;
  }

  /**
   * Who connects whom for what.
   *
   * @param from who connects
   * @param to who accepts
   * @param device which device of both
   * @param size how many ranks there are
   */
  record Hello(int from, int to, int device, int size) {

    byte[] bytes(byte[] nonce) {
      return ByteBuffer.allocate(HELLO)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putLong(MAGIC)
          .putInt(VERSION)
          .putInt(from)
          .putInt(to)
          .putInt(device)
          .putInt(size)
          .put(nonce)
          .array();
    }

    /** Reads it; throws if it is none. */
    static Hello of(byte[] bytes) throws IOException {
      ByteBuffer hello = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      if (hello.getLong() != MAGIC) {
        throw new IOException("it does not speak our language");
      }
      int version = hello.getInt();
      if (version != VERSION) {
        throw new IOException("it speaks version " + version + ", not " + VERSION);
      }
      return new Hello(hello.getInt(), hello.getInt(), hello.getInt(), hello.getInt());
    }
  }

  /** The side that connects. */
  void connect(Hello hello) throws IOException {
    byte[] said = hello.bytes(nonce());
    line.send(said);
    byte[] nonce = line.receive(NONCE);
    if (!proof.holds(line.receive(Proof.BYTES), ACCEPTING, said, nonce, line.binding())) {
      throw new IOException("it does not know the secret of the job");
    }
    line.send(proof.of(CONNECTING, said, nonce, line.binding()));
    if (line.receive(1)[0] != WELCOME) {
      throw new IOException("it refuses");
    }
  }

  /** The first half of the side that accepts: what the other says of itself, still unproven. */
  byte[] hear() throws IOException {
    return line.receive(HELLO);
  }

  /** The second half: returns if the other has proven what it said; {@link #welcome} follows. */
  void accept(byte[] said) throws IOException {
    byte[] nonce = nonce();
    line.send(
        ByteBuffer.allocate(NONCE + Proof.BYTES)
            .put(nonce)
            .put(proof.of(ACCEPTING, said, nonce, line.binding()))
            .array());
    if (!proof.holds(line.receive(Proof.BYTES), CONNECTING, said, nonce, line.binding())) {
      throw new IOException("it does not know the secret of the job");
    }
  }

  /** From now on the other counts on this side. */
  void welcome() throws IOException {
    line.send(new byte[] {WELCOME});
  }

  private static byte[] nonce() {
    ByteBuffer nonce = ByteBuffer.allocate(NONCE);
    for (long part : SystemRandom.longs(NONCE / Long.BYTES)) {
      nonce.putLong(part);
    }
    return nonce.array();
  }
}
