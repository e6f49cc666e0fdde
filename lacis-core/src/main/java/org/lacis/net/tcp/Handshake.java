package org.lacis.net.tcp;

import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.lacis.net.SystemRandom;

/**
 * How a connection begins: each side says a random number, and proves that it knows the job's
 * secret over both numbers and over who connects whom for what.
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

  private final Socket socket;
  private final Proof proof;
  private final long deadline;

  /**
   * One side of it.
   *
   * @param socket in blocking mode
   * @param deadline a {@link System#nanoTime} after which it fails
   */
  Handshake(Socket socket, Proof proof, long deadline) {
    this.socket = socket;
    this.proof = proof;
    this.deadline = deadline;
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
    send(said);
    byte[] nonce = receive(NONCE);
    if (!proof.holds(receive(Proof.BYTES), ACCEPTING, said, nonce)) {
      throw new IOException("it does not know the secret of the job");
    }
    send(proof.of(CONNECTING, said, nonce));
    if (receive(1)[0] != WELCOME) {
      throw new IOException("it refuses");
    }
  }

  /** The first half of the side that accepts: what the other says of itself, still unproven. */
  byte[] hear() throws IOException {
    return receive(HELLO);
  }

  /** The second half: returns if the other has proven what it said. */
  void accept(byte[] said) throws IOException {
    byte[] nonce = nonce();
    send(
        ByteBuffer.allocate(NONCE + Proof.BYTES)
            .put(nonce)
            .put(proof.of(ACCEPTING, said, nonce))
            .array());
    if (!proof.holds(receive(Proof.BYTES), CONNECTING, said, nonce)) {
      throw new IOException("it does not know the secret of the job");
    }
    send(new byte[] {WELCOME});
  }

  private static byte[] nonce() {
    ByteBuffer nonce = ByteBuffer.allocate(NONCE);
    for (long part : SystemRandom.longs(NONCE / Long.BYTES)) {
      nonce.putLong(part);
    }
    return nonce.array();
  }

  private void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  private byte[] receive(int length) throws IOException {
    byte[] bytes = new byte[length];
    int have = 0;
    while (have < length) {
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new SocketTimeoutException("it says nothing");
      }
      socket.setSoTimeout((int) Math.min(left, Integer.MAX_VALUE));
      int some = socket.getInputStream().read(bytes, have, length - have);
      if (some < 0) {
        throw new EOFException("it has hung up");
      }
      have += some;
    }
    return bytes;
  }
}
