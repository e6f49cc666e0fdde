package org.lacis.net.tcp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.HexFormat;

/**
 * A certificate that its holder has signed itself. TLS of the JDK does not go without one, and the
 * JDK has nothing public that makes them; so the few fields that must be there are written by hand,
 * in the encoding of X.509. Nobody is asked to believe what it says: see {@link Tls}.
 */
final class OwnCertificate {

  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;
  private static final int BITS = 0x03;

  /** The object identifier of ECDSA with SHA-256. */
  private static final byte[] ALGORITHM = der(SEQUENCE, hex("06082a8648ce3d040302"));

  /** The common name "lacis". */
  private static final byte[] NAME =
      der(SEQUENCE, der(SET, der(SEQUENCE, hex("0603550403"), hex("0c056c61636973"))));

  /** From 2000 to 2049, the last year that this form of a time has: nobody looks at it. */
  private static final byte[] VALIDITY =
      der(SEQUENCE, time("000101000000Z"), time("491231235959Z"));

  private static final byte[] SERIAL_NUMBER = hex("020101");

  private OwnCertificate() {}

  /** Makes one for a pair of keys on an elliptic curve. */
  static Certificate of(KeyPair keys) throws GeneralSecurityException {
    byte[] content =
        der(
            SEQUENCE,
            SERIAL_NUMBER,
            ALGORITHM,
            NAME,
            VALIDITY,
            NAME,
            keys.getPublic().getEncoded());
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(keys.getPrivate());
    signature.update(content);
    byte[] noBitsLeftOver = {0};
    byte[] signed = der(SEQUENCE, content, ALGORITHM, der(BITS, noBitsLeftOver, signature.sign()));
    return CertificateFactory.getInstance("X.509")
        .generateCertificate(new ByteArrayInputStream(signed));
  }

  private static byte[] time(String text) {
    return der(0x17, text.getBytes(US_ASCII));
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  /** A value: its tag, its length, and the parts it is made of. */
  private static byte[] der(int tag, byte[]... parts) {
    var value = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      value.writeBytes(part);
    }
    var all = new ByteArrayOutputStream();
    all.write(tag);
    int length = value.size();
    if (length >= 0x100) {
      all.write(0x82);
      all.write(length >> 8);
    } else if (length >= 0x80) {
      all.write(0x81);
    }
    all.write(length);
    all.writeBytes(value.toByteArray());
    return all.toByteArray();
  }
}
