/* A rank of libfabric that lacis bench measures, with nothing on top of it. Two ranks find each other by files. */
#define _GNU_SOURCE
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_tagged.h>

#include "conversation.h"

enum { NAME = 512, MAX_WINDOW = 64, BELL = 1, DATA = 2, SHORT = 64 };

static int me, first;
static struct fid_ep *ep;
static struct fid_cq *queue;
static fi_addr_t peer;
static long sent, rung, received;                      /* completions so far */
static long sends_posted, heard;                       /* those waited for */
static struct fi_context send_context[MAX_WINDOW], bell_context, data_context[2 * MAX_WINDOW];
static char bell_in[SHORT], bell_out[SHORT];

static void check(const char *what, long code)
{
    if (code < 0) {
        fprintf(stderr, "%s: %s\n", what, fi_strerror((int)-code));
        exit(3);
    }
}

static void progress(void)
{
    struct fi_cq_tagged_entry entries[16];
    ssize_t n = fi_cq_read(queue, entries, 16);
    if (n == -FI_EAGAIN) return;
    check("completion queue", n);
    for (ssize_t i = 0; i < n; i++) {
        if (entries[i].op_context == &bell_context) rung++;
        else if (entries[i].flags & FI_SEND) sent++;
        else received++;
    }
}

static void post_send(const void *buffer, size_t bytes, int tag, int slot)
{
    ssize_t code;
    while ((code = fi_tsend(ep, buffer, bytes, NULL, peer, (uint64_t)tag, &send_context[slot])) == -FI_EAGAIN) progress();
    check("send", code);
    sends_posted++;
}

static void post_receive(void *buffer, size_t bytes, int tag, struct fi_context *context)
{
    ssize_t code;
    while ((code = fi_trecv(ep, buffer, bytes, NULL, FI_ADDR_UNSPEC, (uint64_t)tag, 0, context)) == -FI_EAGAIN) progress();
    check("receive", code);
}

static void await_sends(void) { while (sent < sends_posted) progress(); }

static void bell(void)
{
    post_send(bell_out, 8, BELL, 0);
    await_sends();
}

/* A receive for a bell is always posted. */
static void hear(void)
{
    heard++;
    while (rung < heard) progress();
    post_receive(bell_in, SHORT, BELL, &bell_context);
}

static void to_and_fro(void)
{
    if (first) bell();
    hear();
    if (!first) bell();
}

static void latency(void)
{
    to_and_fro();
    long start = now();
    for (long i = 0; i < count; i++) to_and_fro();
    answer_time(first ? now() - start : 0, "");
}

/* As in mpi_peer.c: two windows of buffers, one on its way while the receives of the other are there. */
static void stream(void)
{
    static char *buffer[2];
    static size_t room;
    size_t bytes = (size_t)number("bytes", 8);
    int window = number("window", MAX_WINDOW);
    long windows = count / window, before = received;
    if (room < bytes * (size_t)window) {
        room = bytes * (size_t)window;
        for (int h = 0; h < 2; h++) free(buffer[h]), buffer[h] = memory(room);
    }
    to_and_fro();
    long start = now();
    for (long k = 0; k < windows + (first ? 0 : 2); k++) {
        int h = (int)(k & 1);
        if (first) hear();
        else if (k >= 2) while (received < before + (k - 1) * window) progress();
        for (int i = 0; k < windows && i < window; i++) {
            char *at = buffer[h] + (size_t)i * bytes;
            if (first) post_send(at, bytes, DATA, i);
            else post_receive(at, bytes, DATA, &data_context[h * MAX_WINDOW + i]);
        }
        if (first) await_sends();
        else if (k < windows) bell();
    }
    if (first) hear();
    else bell();
    answer_time(first ? now() - start : 0, "");
}

/* Writes our address to a file, and reads that of the peer from another. */
static void meet(struct fid_av *addresses)
{
    char path[4096], hidden[4112], name[NAME];
    size_t length = NAME;
    check("name", fi_getname(&ep->fid, name, &length));
    snprintf(path, sizeof path, "%s/%d", variable("BENCH_FOLDER"), me);
    snprintf(hidden, sizeof hidden, "%s.new", path);
    FILE *file = fopen(hidden, "w");
    if (!file || fwrite(name, 1, length, file) != length || fclose(file) || rename(hidden, path)) {
        perror(path);
        exit(3);
    }
    snprintf(path, sizeof path, "%s/%d", variable("BENCH_FOLDER"), 1 - me);
    while (!(file = fopen(path, "r"))) usleep(1000);
    memset(name, 0, sizeof name);
    if (!fread(name, 1, NAME, file)) exit(3);
    fclose(file);
    if (fi_av_insert(addresses, name, 1, &peer, 0, NULL) != 1) check("address", -FI_EINVAL);
}

static void open_endpoint(void)
{
    struct fi_info *hints = fi_allocinfo(), *info;
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_av *addresses;
    struct fi_av_attr av = {.type = FI_AV_TABLE};
    struct fi_cq_attr cq = {.format = FI_CQ_FORMAT_TAGGED, .size = 4096};
    hints->caps = FI_TAGGED;
    hints->mode = FI_CONTEXT;
    hints->ep_attr->type = FI_EP_RDM;
    hints->domain_attr->mr_mode = FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY;
    hints->fabric_attr->prov_name = strdup(variable("BENCH_PROVIDER"));
    check("provider", fi_getinfo(FI_VERSION(1, 9), NULL, NULL, 0, hints, &info));
    check("fabric", fi_fabric(info->fabric_attr, &fabric, NULL));
    check("domain", fi_domain(fabric, info, &domain, NULL));
    check("addresses", fi_av_open(domain, &av, &addresses, NULL));
    check("queue", fi_cq_open(domain, &cq, &queue, NULL));
    check("endpoint", fi_endpoint(domain, info, &ep, NULL));
    check("addresses", fi_ep_bind(ep, &addresses->fid, 0));
    check("queue", fi_ep_bind(ep, &queue->fid, FI_TRANSMIT | FI_RECV));
    check("endpoint", fi_enable(ep));
    meet(addresses);
}

int main(int argc, char **argv)
{
    me = argc > 1 ? atoi(argv[1]) : 0;
    first = me == 0;
    open_endpoint();
    post_receive(bell_in, SHORT, BELL, &bell_context);
    say_hello(me);
    while (next_command()) {
        if (!strcmp(verb, "am-latency") || !strcmp(verb, "sr-latency")) latency();
        else if (!strcmp(verb, "am-rate") || !strcmp(verb, "sr-rate") || !strcmp(verb, "bandwidth")) stream();
        else answer("none");
    }
    fi_close(&ep->fid);
    return 0;
}
