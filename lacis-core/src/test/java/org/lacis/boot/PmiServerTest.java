package org.lacis.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PmiServerTest implements PmiServer.Listener {
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  private final List<Socket> sockets = new ArrayList<>();
  private @Nullable PmiServer server;

  @AfterEach
  void close() throws IOException {
    if (server != null) {
      server.close();
    }
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private PmiServer start(int size) throws IOException {
    PmiServer started = PmiServer.start(size, new byte[] {1, 2, 3}, this);
    server = started;
    return started;
  }

  /** A rank without manners. */
  private final class Raw {
    private final Socket socket;
    private final BufferedReader in;

    Raw(PmiServer server) throws IOException {
      String address = server.address();
      socket =
          new Socket(
              InetAddress.getLoopbackAddress(),
              Integer.parseInt(address.substring(address.indexOf(':') + 1)));
      socket.setSoTimeout(20_000);
      sockets.add(socket);
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
    }

    Raw(PmiServer server, int rank) throws IOException {
      this(server);
      send("cmd=initack pmiid=" + server.token(rank));
      for (int i = 0; i < 4; i++) {
        in.readLine();
      }
    }

    Raw initialized() throws IOException {
      assertThat(ask("cmd=init pmi_version=1 pmi_subversion=1")).contains("rc=0");
      return this;
    }

    void send(String line) throws IOException {
      socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.ISO_8859_1));
    }

    @Nullable String ask(String line) throws IOException {
      send(line);
      return in.readLine();
    }

    boolean dropped() throws IOException {
      try {
        return in.readLine() == null;
      } catch (java.net.SocketException e) {
        return true; // reset, with our line unread
      }
    }
  }

  @Test
  void aRankWithItsTokenIsToldItsPlace() throws Exception {
    PmiServer server = start(3);
    Raw rank = new Raw(server);
    assertThat(rank.ask("cmd=initack pmiid=" + server.token(2))).isEqualTo("cmd=initack rc=0");
    assertThat(rank.in.readLine()).isEqualTo("cmd=set size=3");
    assertThat(rank.in.readLine()).isEqualTo("cmd=set rank=2");
    assertThat(rank.in.readLine()).isEqualTo("cmd=set debug=0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cmd=initack pmiid=0",
        "cmd=initack",
        "cmd=init pmi_version=1 pmi_subversion=1",
        "GET / HTTP/1.1",
        ""
      })
  void aStrangerIsDropped(String greeting) throws Exception {
    PmiServer server = start(1);
    Raw stranger = new Raw(server);
    stranger.send(greeting);
    assertThat(stranger.dropped()).isTrue();
    new Raw(server, 0).initialized();
    assertThat(told).isEmpty();
  }

  @Test
  void aTokenIsGoodForOneConnection() throws Exception {
    PmiServer server = start(1);
    new Raw(server, 0).initialized();
    Raw again = new Raw(server);
    again.send("cmd=initack pmiid=" + server.token(0));
    assertThat(again.dropped()).isTrue();
  }

  @Test
  void silentStrangersDoNotKeepRanksOut() throws Exception {
    PmiServer server = start(1);
    for (int i = 0; i < 20; i++) {
      new Raw(server);
    }
    new Raw(server, 0).initialized();
  }

  @Test
  void valuesArePutAndGot() throws Exception {
    PmiServer server = start(2);
    Raw first = new Raw(server, 0).initialized();
    Raw second = new Raw(server, 1).initialized();
    String name = String.valueOf(first.ask("cmd=get_my_kvsname"));
    assertThat(name).isEqualTo("cmd=my_kvsname kvsname=lacis_" + server.jobId());
    String kvs = name.substring(name.indexOf("kvsname=") + 8);
    assertThat(first.ask("cmd=put kvsname=" + kvs + " key=k value=v"))
        .isEqualTo("cmd=put_result rc=0 msg=success");
    assertThat(second.ask("cmd=get kvsname=" + kvs + " key=k"))
        .isEqualTo("cmd=get_result rc=0 msg=success value=v");
    assertThat(second.ask("cmd=get kvsname=" + kvs + " key=x")).contains("rc=-1 msg=key_not_found");
    assertThat(second.ask("cmd=get kvsname=other key=k")).contains("rc=-1 msg=unknown_kvsname");
    assertThat(second.ask("cmd=put kvsname=other key=k value=v"))
        .contains("rc=-1 msg=unknown_kvsname");
    assertThat(second.ask("cmd=put kvsname=" + kvs + " key=k value=" + "v".repeat(1024)))
        .contains("rc=-1 msg=too_long");
    assertThat(second.ask("cmd=get_universe_size")).isEqualTo("cmd=universe_size size=2");
  }

  @Test
  void aFenceEndsWhenAllHaveCome() throws Exception {
    PmiServer server = start(2);
    Raw first = new Raw(server, 0).initialized();
    Raw second = new Raw(server, 1).initialized();
    for (int round = 0; round < 3; round++) {
      first.send("cmd=barrier_in");
      assertThat(second.ask("cmd=lacis_missing")).startsWith("cmd=missing ranks=");
      assertThat(second.ask("cmd=barrier_in")).isEqualTo("cmd=barrier_out");
      assertThat(first.in.readLine()).isEqualTo("cmd=barrier_out");
    }
    assertThat(told).isEmpty();
  }

  @Test
  void ranksAreAskedForTheirStacksAndMayAnswerBeforeTheyTakePart() throws Exception {
    PmiServer server = start(2);
    Raw rank = new Raw(server, 1);
    server.askStacks();
    assertThat(rank.in.readLine()).isEqualTo("cmd=lacis_stacks");
    rank.send("cmd=lacis_stacks length=3 report=2");
    rank.send("abcde".concat("cmd=init pmi_version=1 pmi_subversion=1"));
    assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo("stacks 1 abc report de");
    assertThat(rank.in.readLine()).contains("response_to_init");
  }

  @Test
  void aFenceWithoutARankThatHasLeftIsStuckInEitherOrder() throws Exception {
    PmiServer server = start(2);
    Raw first = new Raw(server, 0).initialized();
    server.left(1);
    assertThat(told).isEmpty();
    first.send("cmd=barrier_in");
    assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo("stuck");
    assertThat(server.waiting().get(0)).isTrue();
    assertThat(server.opened().cardinality()).isEqualTo(1);

    server.close();
    assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo("hung up 0");
    PmiServer other = start(2);
    Raw waiting = new Raw(other, 0).initialized();
    waiting.send("cmd=barrier_in");
    assertThat(waiting.ask("cmd=lacis_missing")).isEqualTo("cmd=missing ranks=1");
    assertThat(told).isEmpty();
    other.left(1);
    assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo("stuck");
  }

  @Test
  void aRankThatConnectsLateIsToldOfThoseThatHaveFailed() throws Exception {
    PmiServer server = start(3);
    Raw early = new Raw(server, 0).initialized();
    early.send("cmd=barrier_in");
    assertThat(early.ask("cmd=lacis_missing")).isEqualTo("cmd=missing ranks=1,2");
    server.tellLost(2, "gone");
    String lost = "cmd=lacis_lost rank=2 why=pgone";
    assertThat(early.in.readLine()).isEqualTo(lost);
    Raw late = new Raw(server);
    assertThat(late.ask("cmd=initack pmiid=" + server.token(1))).isEqualTo(lost);
    for (int i = 0; i < 4; i++) {
      late.in.readLine();
    }
    late.initialized().send("cmd=barrier_in");
    assertThat(late.ask("cmd=lacis_missing")).as("nobody waits").isEqualTo("cmd=missing ranks=0-2");
    assertThat(told).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense",
        "cmd=spawn",
        "cmd=lacis_stacks length=1000000000 report=0",
        "cmd=lacis_stacks length=0 report=1000000000",
        "cmd=lacis_stacks length=0",
        "cmd=put key=k",
        "cmd=get kvsname=x",
        "cmd=init",
        "cmd=lacis_open",
        "cmd=lacis_open count=-1",
        "cmd=abort exitcode=x"
      })
  void aRankThatTalksNonsenseIsReported(String nonsense) throws Exception {
    Raw rank = new Raw(start(1), 0).initialized();
    rank.send(nonsense);
    assertThat(told.poll(20, TimeUnit.SECONDS)).startsWith("misbehaved 0: ");
    assertThat(rank.dropped()).isTrue();
  }

  @Test
  void aRankThatDoesNotBeginAtTheBeginningIsReported() throws Exception {
    new Raw(start(1), 0).send("cmd=barrier_in");
    assertThat(told.poll(20, TimeUnit.SECONDS)).contains("before init");
  }

  @Test
  void aLineWithoutEndIsReported() throws Exception {
    new Raw(start(1), 0).initialized().send("cmd=put value=" + "x".repeat(PmiLine.MAX_LENGTH));
    assertThat(told.poll(20, TimeUnit.SECONDS)).contains("longer than");
  }

  @Test
  void anAbortAndAGoodbyeAreReported() throws Exception {
    PmiServer server = start(2);
    new Raw(server, 1).send("cmd=abort exitcode=9");
    assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo("aborted 1: 9");
    assertThat(new Raw(server, 0).initialized().ask("cmd=finalize")).isEqualTo("cmd=finalize_ack");
    assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo("finished 0");
  }

  @Test
  void whatARankSaysBeforeItHangsUpIsKnownThen() throws Exception {
    PmiServer server = start(2);
    Raw unclosed = new Raw(server, 0).initialized();
    unclosed.send("cmd=lacis_open count=1");
    unclosed.socket.close();
    assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo("hung up 0");
    assertThat(server.isHungUp(0)).isTrue();
    assertThat(server.holds(0)).isTrue();

    Raw closed = new Raw(server, 1).initialized();
    assertThat(server.isHungUp(1)).isFalse();
    closed.send("cmd=lacis_open count=1\ncmd=lacis_open count=0\ncmd=finalize");
    closed.socket.close();
    assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo("finished 1");
    assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo("hung up 1");
    assertThat(server.holds(1)).isFalse();
  }

  @Test
  void aRankThatBreaksOffInTheMiddleDoesNotDisturbTheOthers() throws Exception {
    PmiServer server = start(2);
    Raw gone = new Raw(server, 0).initialized();
    gone.socket.getOutputStream().write("cmd=barr".getBytes(StandardCharsets.US_ASCII));
    gone.socket.setSoLinger(true, 0);
    gone.socket.close();
    Raw other = new Raw(server, 1).initialized();
    assertThat(other.ask("cmd=get_appnum")).isEqualTo("cmd=appnum appnum=0");
    assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo("hung up 0");
    assertThat(told).isEmpty();
  }

  @Override
  public void aborted(int rank, int code) {
    told.add("aborted " + rank + ": " + code);
  }

  @Override
  public void misbehaved(int rank, String why) {
    told.add("misbehaved " + rank + ": " + why);
  }

  @Override
  public void stuck() {
    told.add("stuck");
  }

  @Override
  public void missed(int rank, int other, int millis, String why) {
    told.add("rank " + rank + " misses " + other + ", " + millis + " ms: " + why);
  }

  @Override
  public void finished(int rank) {
    told.add("finished " + rank);
  }

  @Override
  public void hungUp(int rank) {
    told.add("hung up " + rank);
  }

  @Override
  public void stacks(int rank, String stacks, String report) {
    told.add("stacks " + rank + " " + stacks + " report " + report);
  }
}
