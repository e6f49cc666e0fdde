// Remote calls: any thread calls any rank, and gets a future. Requests go to a queue, from which a
// thread hands them to workers; answers go to a handler. The tag is the method, and a number that
// travels with the message, its immediate, says which call an answer is for.
//
//   lacis run -n 3 --keep-going examples/Rpc.java

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import org.lacis.*;

/** What a rank does for others. It may wait. */
interface Service {
  byte[] call(int method, byte[] argument) throws Exception;
}

static final class Rpc implements AutoCloseable {
  private static final int RESULT = 0;
  private static final int ERROR = 1;

  private record Call(int rank, CompletableFuture<byte[]> result) {}

  private final Lacis lacis;
  private final Service service;
  private final CompletionQueue requests;
  private final RemoteCompletion toServer;
  private final RemoteCompletion toCaller;
  private final Map<Long, Call> calls = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private final Thread reader;
  private volatile boolean closed;

  /** All ranks make one, in the same order as what else they register. */
  Rpc(Lacis lacis, Service service) {
    this.lacis = lacis;
    this.service = service;
    requests = lacis.newCompletionQueue("requests");
    toServer = lacis.register(requests);
    toCaller = lacis.register(this::answered);
    lacis.onPeerFailure(failure -> lost(failure.rank(), failure.message()));
    reader = Thread.ofPlatform().name("requests").start(this::read);
  }

  /** Calls a method of a rank. The future fails if the rank does, or after so many milliseconds. */
  CompletableFuture<byte[]> call(int rank, int method, byte[] argument, long limit) {
    long number = numbers.incrementAndGet();
    var result = new CompletableFuture<byte[]>();
    calls.put(number, new Call(rank, result));
    // An answer that comes when the time is over finds no call.
    result.orTimeout(limit, TimeUnit.MILLISECONDS).whenComplete((_, _) -> calls.remove(number));
    if (lacis.isGone(rank)) { // before the call was noted: nobody else would end it
      lost(rank, "rank " + rank + " is gone");
      return result;
    }
    try {
      send(rank, toServer, method, number, argument);
    } catch (CommunicationException e) {
      result.completeExceptionally(e);
    }
    return result;
  }

  /** For threads that may wait. A handler would post with allowRetry(false), and not wait. */
  private void send(int rank, RemoteCompletion target, int tag, long number, byte[] bytes) {
    var done = lacis.newSynchronizer();
    var message = MemorySegment.ofArray(bytes);
    var post = lacis.am().to(rank).buffer(message).tag(tag).immediate(number).target(target);
    done.await(post.postBlocking(done));
  }

  /** An answer has come. This runs within progress. */
  private void answered(Status status) {
    var call = calls.get(status.immediate());
    if (call == null) {
      return;
    }
    var bytes = status.payload().toArray(JAVA_BYTE);
    if (status.tag() == RESULT) {
      call.result.complete(bytes);
    } else {
      call.result.completeExceptionally(new IllegalStateException(new String(bytes, UTF_8)));
    }
  }

  /** A rank answers no calls any more. */
  private void lost(int rank, String why) {
    for (var call : calls.values()) {
      if (call.rank == rank) {
        call.result.completeExceptionally(
            new CommunicationException(ErrorKind.PEER_GONE, rank, why));
      }
    }
  }

  /** Hands out requests; waiting for them makes the progress that all of this needs. */
  private void read() {
    var status = Status.create();
    while (true) {
      requests.take(status);
      if (closed) {
        return;
      }
      if (status.failed()) { // its caller died half-way through a long request
        continue;
      }
      int caller = status.rank();
      int method = status.tag();
      long number = status.immediate();
      byte[] argument = status.payload().toArray(JAVA_BYTE); // the next request takes its place
      workers.execute(() -> serve(caller, method, number, argument));
    }
  }

  private void serve(int caller, int method, long number, byte[] argument) {
    byte[] answer;
    int kind = RESULT;
    try {
      answer = service.call(method, argument);
    } catch (Exception e) {
      answer = String.valueOf(e.getMessage()).getBytes(UTF_8);
      kind = ERROR;
    }
    try {
      send(caller, toCaller, kind, number, answer);
    } catch (CommunicationException e) {
      // The caller is gone, and misses nothing.
    }
  }

  /** Ends when what was asked of this rank is answered. */
  @Override
  public void close() throws InterruptedException {
    workers.close();
    closed = true;
    // Any completion object can be signalled by hand: that wakes the reader.
    requests.signal(Status.of(lacis.rank(), 0, MemorySegment.NULL, null));
    reader.join();
  }
}

static final int UPPER = 1;
static final int WAIT = 2;
static final int CRASH = 3;
static final int STOP = 4;

void main() throws Exception {
  try (var lacis = Lacis.open()) {
    var stop = new CountDownLatch(1);
    try (var rpc = new Rpc(lacis, (method, argument) -> serve(method, argument, stop))) {
      if (lacis.rank() > 0) {
        stop.await();
        return;
      }
      IO.println("upper: " + ask(rpc, 1, UPPER, "hello", 10_000));
      IO.println("no method: " + ask(rpc, 1, 99, "", 10_000));
      IO.println("slow: " + ask(rpc, 1, WAIT, "", 100));
      IO.println("crash: " + ask(rpc, 2, CRASH, "", 10_000));
      IO.println("afterwards: " + ask(rpc, 2, UPPER, "hello", 10_000));
      for (int rank = 1; rank < lacis.size(); rank++) {
        if (!lacis.isGone(rank)) {
          IO.println("rank " + rank + ": " + ask(rpc, rank, STOP, "", 10_000));
        }
      }
    }
  }
}

byte[] serve(int method, byte[] argument, CountDownLatch stop) throws Exception {
  switch (method) {
    case UPPER -> {
      return new String(argument, UTF_8).toUpperCase(Locale.ROOT).getBytes(UTF_8);
    }
    case WAIT -> stop.await();
    case CRASH -> Runtime.getRuntime().halt(3);
    case STOP -> stop.countDown();
    default -> throw new IllegalArgumentException("there is no method " + method);
  }
  return "done".getBytes(UTF_8);
}

String ask(Rpc rpc, int rank, int method, String argument, long limit) throws Exception {
  try {
    return new String(rpc.call(rank, method, argument.getBytes(UTF_8), limit).get(), UTF_8);
  } catch (ExecutionException e) {
    return switch (e.getCause()) {
      case TimeoutException _ -> "no answer in time";
      case CommunicationException gone -> "rank " + gone.rank() + " is gone";
      default -> e.getCause().getMessage();
    };
  }
}
