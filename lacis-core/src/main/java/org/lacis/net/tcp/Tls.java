package org.lacis.net.tcp;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.lacis.net.NetException;

/**
 * What a process needs for connections in TLS: a key and a certificate that it makes when it needs
 * them first, and that are nowhere but in its memory.
 *
 * <p>Any certificate is accepted, as none proves anything. What is proven is that both ends know
 * the job's secret, by the {@link Handshake} inside TLS, over a value that only the two ends of one
 * and the same TLS connection have (RFC 9266). Whoever is in the middle has one connection with
 * each of them, and so two values; a proof that is passed on from one to the other does not hold.
 */
final class Tls {

  private static final String PROTOCOL = "TLSv1.3";

  /** As RFC 9266 has it. */
  private static final String BINDING = "EXPORTER-Channel-Binding";

  private static final int BINDING_BYTES = 32;

  private static @Nullable SSLContext shared;

  private final SSLContext context = context();
  private final int bufferBytes;

  /**
   * Connections with buffers of so many bytes, for each direction.
   *
   * @throws NetException if this JDK has no TLS that would do
   */
  Tls(int bufferBytes) {
    this.bufferBytes = bufferBytes;
  }

  private static synchronized SSLContext context() {
    SSLContext made = shared;
    if (made == null) {
      made = newContext();
      shared = made;
    }
    return made;
  }

  private static SSLContext newContext() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair keys = generator.generateKeyPair();
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      char[] noPassword = {};
      store.setKeyEntry(
          "rank", keys.getPrivate(), noPassword, new Certificate[] {OwnCertificate.of(keys)});
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(store, noPassword);
      SSLContext context = SSLContext.getInstance(PROTOCOL);
      context.init(managers.getKeyManagers(), new TrustManager[] {new Anybody()}, null);
      // Nobody comes back to a connection, so none is remembered: strangers would fill that up.
      context.getServerSessionContext().setSessionCacheSize(1);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new NetException("this JDK cannot do TLS: " + e.getMessage(), e);
    }
  }

  /** Begins a connection over a socket. */
  Line line(PlainLine below, boolean connects) throws IOException {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(connects);
    engine.setEnabledProtocols(new String[] {PROTOCOL});
    return TlsLine.begin(below, engine, bufferBytes);
  }

  /** What the two ends of this connection know, and nobody else. */
  static byte[] binding(SSLEngine engine) throws SSLException {
    if (engine.getSession() instanceof ExtendedSSLSession session) {
      return session.exportKeyingMaterialData(BINDING, new byte[0], BINDING_BYTES);
    }
    throw new SSLException("the provider of TLS cannot tell what is the connection's own");
  }

  /** Who has a certificate may be anybody: see above. */
  private static final class Anybody extends X509ExtendedTrustManager {
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
      // Proven later, inside TLS.
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      throw none();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw none();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      throw none();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      throw none();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw none();
    }

    private static CertificateException none() {
      return new CertificateException("nobody was asked for one");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
