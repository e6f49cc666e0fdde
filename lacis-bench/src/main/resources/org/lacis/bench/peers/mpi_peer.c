/* A rank of MPI that lacis bench measures. Ranks are pairs, the first half of them with the second; the first of a
 * pair looks at the clock. With HELLO in the environment it only says hello, as a program to start. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>

#include "conversation.h"

#define WORLD MPI_COMM_WORLD
#define ALL_DONE MPI_STATUSES_IGNORE
enum { READY = 30000, MAX_THREADS = 64 };

static int me, size, pairs, peer, first;

static void bell(int tag, MPI_Comm comm) { MPI_Send(NULL, 0, MPI_BYTE, peer, tag, comm); }
static void hear(int tag, MPI_Comm comm) { MPI_Recv(NULL, 0, MPI_BYTE, peer, tag, comm, MPI_STATUS_IGNORE); }

static void to_and_fro(char *buffer, int bytes)
{
    if (first) MPI_Send(buffer, bytes, MPI_BYTE, peer, 1, WORLD);
    MPI_Recv(buffer, bytes, MPI_BYTE, peer, 1, WORLD, MPI_STATUS_IGNORE);
    if (!first) MPI_Send(buffer, bytes, MPI_BYTE, peer, 1, WORLD);
}

static void latency(void)
{
    char buffer[8] = {0};
    long start = now();
    for (long i = 0; i < count; i++) to_and_fro(buffer, 8);
    answer_time(first ? now() - start : 0, "");
}

/* At a given pace; a request that is late is counted from when it should have been sent. */
static void paced(void)
{
    char buffer[8] = {0};
    long interval = number("interval", 20000), *times = memory(sizeof(long) * (size_t)count), start = now(), due = start;
    for (long i = 0; i < count; i++, due += interval) {
        while (first && now() < due) {}
        to_and_fro(buffer, 8);
        times[i] = (now() - due) / 2;
    }
    answer_time(first ? now() - start : 0, first ? percentiles(times, count) : "");
    free(times);
}

typedef struct {
    pthread_t thread;
    MPI_Comm comm;
    int tag, bytes, window;
    long windows;
    char *buffer[2];
    MPI_Request *request[2];
} stream_t;

/* A stream with its buffers touched, which takes longer than many messages. */
static stream_t new_stream(MPI_Comm comm, int tag, int bytes, int window)
{
    stream_t s = {.comm = comm, .tag = tag, .bytes = bytes, .window = window};
    for (int h = 0; h < 2; h++) {
        s.buffer[h] = memory((size_t)bytes * (size_t)window);
        s.request[h] = memory(sizeof(MPI_Request) * (size_t)window);
    }
    return s;
}

static void free_stream(stream_t *s)
{
    for (int h = 0; h < 2; h++) free(s->buffer[h]), free(s->request[h]);
}

/* A stream to receives that were posted before: there are two windows of buffers, and while the messages of one are on
 * their way, the receives of the other are there already, and the sender knows. */
static void *stream(void *argument)
{
    stream_t *s = argument;
    for (long k = 0; k < s->windows + (first ? 0 : 2); k++) {
        int h = (int)(k & 1);
        if (first) hear(s->tag + READY, s->comm);
        else if (k >= 2) MPI_Waitall(s->window, s->request[h], ALL_DONE);
        for (int i = 0; k < s->windows && i < s->window; i++) {
            char *at = s->buffer[h] + (size_t)i * (size_t)s->bytes;
            if (first) MPI_Isend(at, s->bytes, MPI_BYTE, peer, s->tag, s->comm, &s->request[h][i]);
            else MPI_Irecv(at, s->bytes, MPI_BYTE, peer, s->tag, s->comm, &s->request[h][i]);
        }
        if (first) MPI_Waitall(s->window, s->request[h], ALL_DONE);
        else if (k < s->windows) bell(s->tag + READY, s->comm);
    }
    if (first) hear(s->tag + READY, s->comm);
    else bell(s->tag + READY, s->comm);
    return NULL;
}

static void rate(void)
{
    static stream_t s;
    int window = number("window", 64), bytes = number("bytes", 8);
    if (s.bytes != bytes || s.window != window) {
        free_stream(&s);
        s = new_stream(WORLD, 1, bytes, window);
    }
    s.windows = count / pairs / window;
    MPI_Barrier(WORLD);
    long start = now();
    stream(&s);
    answer_time(first ? now() - start : 0, "");
}

/* Threads with a partner each at the other rank, on a communicator of their own or all on one. */
static void thread_rate(void)
{
    static MPI_Comm own[MAX_THREADS];
    static int made;
    stream_t s[MAX_THREADS];
    int threads = number("threads", 1), window = number("window", 64), dedicated = !strcmp(word("devices"), "dedicated");
    for (; dedicated && made < threads; made++) MPI_Comm_dup(WORLD, &own[made]);
    for (int t = 0; t < threads; t++) {
        s[t] = new_stream(dedicated ? own[t] : WORLD, 1 + t, 8, window);
        s[t].windows = count / threads / window;
    }
    MPI_Barrier(WORLD);
    long start = now();
    for (int t = 1; t < threads; t++) pthread_create(&s[t].thread, NULL, stream, &s[t]);
    stream(&s[0]);
    for (int t = 1; t < threads; t++) pthread_join(s[t].thread, NULL);
    answer_time(first ? now() - start : 0, "");
    for (int t = 0; t < threads; t++) free_stream(&s[t]);
}

/* Both ranks at once, with a window of messages of each under way. */
static void both(void)
{
    int window = number("window", 64);
    long n = count / pairs;
    char *r = memory(8 * (size_t)window), *s = memory(8 * (size_t)window);
    MPI_Request *receives = memory(sizeof(MPI_Request) * (size_t)window), *sends = memory(sizeof(MPI_Request) * (size_t)window);
    for (int i = 0; i < window; i++) MPI_Irecv(r + 8 * i, 8, MPI_BYTE, peer, 1, WORLD, &receives[i]);
    MPI_Barrier(WORLD);
    long start = now();
    for (int i = 0; i < window; i++) MPI_Isend(s + 8 * i, 8, MPI_BYTE, peer, 1, WORLD, &sends[i]);
    for (long k = 0; k < n; k++) {
        int i = (int)(k % window);
        MPI_Wait(&receives[i], MPI_STATUS_IGNORE);
        if (k + window >= n) continue;
        MPI_Irecv(r + 8 * i, 8, MPI_BYTE, peer, 1, WORLD, &receives[i]);
        MPI_Wait(&sends[i], MPI_STATUS_IGNORE);
        MPI_Isend(s + 8 * i, 8, MPI_BYTE, peer, 1, WORLD, &sends[i]);
    }
    MPI_Waitall(window, sends, ALL_DONE);
    answer_time(first ? now() - start : 0, "");
    free(r), free(s), free(receives), free(sends);
}

/* Receives posted, then their messages sent: of different tags, of one tag, or posted in the reverse order. */
static void matching(void)
{
    int window = number("window", 64), same = !strcmp(word("kind"), "wc"), reverse = !strcmp(word("kind"), "rev");
    char *buffer = memory(8 * (size_t)window);
    MPI_Request *request = memory(sizeof(MPI_Request) * (size_t)window);
    long start = now();
    for (long k = count / pairs / window; k > 0; k--) {
        if (first) {
            hear(READY, WORLD);
            for (int i = 0; i < window; i++) MPI_Isend(buffer + 8 * i, 8, MPI_BYTE, peer, same ? 0 : i, WORLD, &request[i]);
        } else {
            for (int i = 0; i < window; i++)
                MPI_Irecv(buffer + 8 * i, 8, MPI_BYTE, peer, same ? 0 : reverse ? window - 1 - i : i, WORLD, &request[i]);
            bell(READY, WORLD);
        }
        MPI_Waitall(window, request, ALL_DONE);
        if (first) hear(READY, WORLD);
        else bell(READY, WORLD);
    }
    answer_time(first ? now() - start : 0, "");
    free(buffer), free(request);
}

/* Puts or gets of 8 bytes, each followed by a flush; the other side waits in a barrier, where MPI makes progress. */
static void one_sided(int put)
{
    static MPI_Win window;
    static long *base, word8;
    static int made;
    if (!made++) {
        MPI_Win_allocate(64, 1, MPI_INFO_NULL, WORLD, &base, &window);
        MPI_Win_lock_all(0, window);
        MPI_Barrier(WORLD);
    }
    long start = now();
    for (long i = 0; first && i < count; i++) {
        if (put) MPI_Put(&word8, 8, MPI_BYTE, peer, 0, 8, MPI_BYTE, window);
        else MPI_Get(&word8, 8, MPI_BYTE, peer, 0, 8, MPI_BYTE, window);
        MPI_Win_flush(peer, window);
    }
    long nanos = now() - start;
    MPI_Barrier(WORLD);
    answer_time(first ? nanos : 0, "");
}

static int is(const char *name) { return !strcmp(verb, name); }

static int by_length(const void *a, const void *b)
{
    long left = *(const long *)a, right = *(const long *)b;
    return (left > right) - (left < right);
}

static void together(void)
{
    int bytes = number("bytes", 8);
    char *buffer = memory((size_t)bytes), *all = memory(is("allgather") ? (size_t)bytes * (size_t)size : 0);
    // Long data is written before each time, which is not measured; then the time in the middle counts.
    long *each = bytes >= 4096 ? (long *)memory(sizeof(long) * (size_t)count) : NULL;
    long begin = now(), start = begin;
    for (long i = 0; i < count; i++) {
        if (each) {
            memset(buffer, (int)i, (size_t)bytes);
            MPI_Barrier(WORLD);
            start = now();
        }
        if (is("allreduce")) MPI_Allreduce(MPI_IN_PLACE, buffer, bytes / 8, MPI_LONG, MPI_SUM, WORLD);
        else if (is("allgather")) MPI_Allgather(buffer, bytes, MPI_BYTE, all, bytes, MPI_BYTE, WORLD);
        else if (is("bcast")) MPI_Bcast(buffer, bytes, MPI_BYTE, 0, WORLD);
        else MPI_Barrier(WORLD);
        if (each) each[i] = now() - start;
    }
    long nanos = now() - begin;
    if (each) {
        qsort(each, (size_t)count, sizeof(long), by_length);
        nanos = each[count / 2] * count;
    }
    answer_time(me == 0 ? nanos : 0, "");
    free(buffer), free(all), free(each);
}

int main(int argc, char **argv)
{
    int got;
    MPI_Init_thread(&argc, &argv, getenv("BENCH_THREADS") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &got);
    MPI_Comm_rank(WORLD, &me);
    MPI_Comm_size(WORLD, &size);
    pairs = size > 1 ? size / 2 : 1;
    first = me < pairs;
    peer = size == 1 ? 0 : first ? me + pairs : me - pairs;
    if (getenv("BENCH_HELLO")) {
        printf("hello from rank %d of %d\n", me, size);
        MPI_Finalize();
        return 0;
    }
    say_hello(me);
    while (next_command()) {
        int threads = is("thread-rate");
        if (threads && got != MPI_THREAD_MULTIPLE) {
            answer("error this MPI is not safe for threads");
            continue;
        }
        MPI_Barrier(WORLD);
        if (is("am-latency") || is("sr-latency")) latency();
        else if (is("paced-latency")) paced();
        else if (is("am-rate") || is("amq-rate") || is("sr-rate") || is("bandwidth")) rate();
        else if (threads) thread_rate();
        else if (is("both-rate")) both();
        else if (is("matching")) matching();
        else if (is("put")) one_sided(1);
        else if (is("get")) one_sided(0);
        else if (is("allreduce") || is("allgather") || is("bcast") || is("barrier")) together();
        else answer("none");
    }
    MPI_Finalize();
    return 0;
}
