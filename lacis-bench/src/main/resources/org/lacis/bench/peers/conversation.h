/* A rank's side of the conversation with lacis bench, over the loopback. The Java class Conversation is the same
 * in Java, and says what goes over the line. */
#ifndef LACIS_BENCH_CONVERSATION_H
#define LACIS_BENCH_CONVERSATION_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { LINE = 1024 };

static char line[LINE], words[LINE];
static char verb[64];
static long count;
static FILE *in, *out;

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    if (!value) {
        fprintf(stderr, "%s is not set: lacis bench starts this program\n", name);
        exit(2);
    }
    return value;
}

static void say_hello(int rank)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(variable("BENCH_PORT")))};
    int one = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to)) {
        perror("cannot connect to lacis bench");
        exit(2);
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    in = fdopen(fd, "r");
    out = fdopen(dup(fd), "w");
    fprintf(out, "hello %s %s %d\n", variable("BENCH_SECRET"), variable("BENCH_SUBJECT"), rank);
    fflush(out);
}

/* The next command, in verb and count; 0 if there are no more. A conversation that is cut off ends the process: its
 * peers may be gone too, and would be waited for in vain. */
static int next_command(void)
{
    if (!fgets(line, LINE, in)) _exit(0);
    if (!strncmp(line, "quit", 4)) return 0;
    strcpy(words, line);
    if (sscanf(line, "run %63s %ld", verb, &count) != 2) verb[0] = 0;
    return 1;
}

/* The text behind NAME= in the command, or an empty one. */
static const char *word(const char *name)
{
    static char copy[LINE];
    size_t length = strlen(name);
    strcpy(copy, words);
    for (char *w = strtok(copy, " \n"); w; w = strtok(NULL, " \n"))
        if (!strncmp(w, name, length) && w[length] == '=') return w + length + 1;
    return "";
}

static int number(const char *name, int otherwise)
{
    const char *text = word(name);
    return *text ? atoi(text) : otherwise;
}

static void answer(const char *text)
{
    fprintf(out, "%s\n", text);
    fflush(out);
}

static void answer_time(long nanos, const char *more)
{
    fprintf(out, "ok %ld%s%s\n", nanos, *more ? " " : "", more);
    fflush(out);
}

static int ascending(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

/* The percentiles of n times, as they are told in an answer. */
static const char *percentiles(long *times, long n)
{
    static char text[LINE];
    qsort(times, (size_t)n, sizeof *times, ascending);
    snprintf(text, sizeof text, "p50=%ld p90=%ld p99=%ld p999=%ld max=%ld", times[n / 2], times[n * 9 / 10],
             times[n * 99 / 100], times[n * 999 / 1000], times[n - 1]);
    return text;
}

static void *memory(size_t bytes)
{
    void *p = NULL;
    if (posix_memalign(&p, 4096, bytes ? bytes : 1)) abort();
    return memset(p, 1, bytes);
}

#endif
