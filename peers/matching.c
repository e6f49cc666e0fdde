/* What examples/MatchingSpeed.java measures, with MPI.
 *
 *   mpicc -O2 peers/matching.c -o matching && mpiexec -n 2 ./matching
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SEQUENCES = 500, WARM_UP = 100, MOST = 1000, SIGNAL = 30000 };

static int64_t memory[MOST];
static MPI_Request requests[MOST];
static int rank;

static void tell(void)
{
    MPI_Send(NULL, 0, MPI_BYTE, 1 - rank, SIGNAL, MPI_COMM_WORLD);
}

static void await(void)
{
    MPI_Recv(NULL, 0, MPI_BYTE, 1 - rank, SIGNAL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double send(int messages, int same)
{
    await();
    double start = MPI_Wtime();
    for (int i = 0; i < messages; i++) {
        MPI_Isend(&memory[i], 8, MPI_BYTE, 1, same ? 0 : i, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall(messages, requests, MPI_STATUSES_IGNORE);
    await();
    return MPI_Wtime() - start;
}

static double receive(int messages, int same, int reversed)
{
    for (int i = 0; i < messages; i++) {
        int tag = same ? 0 : reversed ? messages - 1 - i : i;
        MPI_Irecv(&memory[i], 8, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &requests[i]);
    }
    tell();
    MPI_Waitall(messages, requests, MPI_STATUSES_IGNORE);
    tell();
    return 1;
}

static int by_value(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static void report(const char *what, int messages, int same, int reversed)
{
    static double rates[SEQUENCES];
    for (int i = -WARM_UP; i < SEQUENCES; i++) {
        double seconds = rank == 0 ? send(messages, same) : receive(messages, same, reversed);
        if (i >= 0) {
            rates[i] = messages / seconds * 1e-6;
        }
    }
    qsort(rates, SEQUENCES, sizeof rates[0], by_value);
    if (rank == 0) {
        printf("%-32s %6.2f million/s, best %6.2f\n", what, rates[SEQUENCES / 2], rates[SEQUENCES - 1]);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    report("MPI, NC, 100", 100, 0, 0);
    report("MPI, WC, 100", 100, 1, 0);
    report("MPI, reversed, 1000", 1000, 0, 1);
    MPI_Finalize();
    return 0;
}
