package org.lacis.net.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.lacis.net.NetException;

/** That the other side knows the job's secret, without saying it: HMAC-SHA256 of what was said. */
final class Proof {

  static final int BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;

  /**
   * Proofs of one runtime.
   *
   * @param secret of the job
   * @param jobId of the runtime
   */
  Proof(byte[] secret, String jobId) {
    this.key =
        new SecretKeySpec(
            mac(new SecretKeySpec(secret, ALGORITHM), ("lacis tcp " + jobId).getBytes(UTF_8)),
            ALGORITHM);
  }

  /**
   * What a side has to say.
   *
   * @param side who says it, so that nobody can answer with what it was told
   * @param hello what the connecting side has said
   * @param nonce what the accepting side has said
   * @param binding what is the connection's own, so that nobody can be in the middle of it
   */
  byte[] of(byte side, byte[] hello, byte[] nonce, byte[] binding) {
    return mac(
        key,
        ByteBuffer.allocate(1 + hello.length + nonce.length + binding.length)
            .put(side)
            .put(hello)
            .put(nonce)
            .put(binding)
            .array());
  }

  /** Whether it is what a side has to say; takes as long whatever it is. */
  boolean holds(byte[] proof, byte side, byte[] hello, byte[] nonce, byte[] binding) {
    return MessageDigest.isEqual(proof, of(side, hello, nonce, binding));
  }

  private static byte[] mac(SecretKeySpec key, byte[] text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new NetException("the JDK has no " + ALGORITHM, e);
    }
  }
}
