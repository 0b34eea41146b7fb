/* ranks.c - see ranks.h.
 *
 * Rank 0 has a thread for each other rank, which gives it runs and takes pieces of results, as fast as they are wanted:
 * a piece that nobody takes makes its sender wait.  While a rank works it gives signs of life; one that is silent, or on
 * this machine and dead, is lost.  MPI itself need not notice: Open MPI 4.1 tells nobody, and goes on where mpirun was
 * given --enable-recovery.
 */
#include "cli/ranks.h"

#include "base/clock.h"
#include "cli/command.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef KNOTEN_MPI

bool ranks_begin(char **arguments)
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof "-mpi");
    if (length > 0) {
        memcpy(path + length, "-mpi", sizeof "-mpi");
        execv(path, arguments);
    }
    execvp("knoten-mpi", arguments);
    fprintf(stderr, "knoten: this knoten was built without MPI, and there is no knoten-mpi beside it\n"
                    "    hint: on Debian: apt install libopenmpi-dev openmpi-bin, then build knoten again\n");
    return false;
}

int ranks_own(void)
{
    return 0;
}

const struct kn_crew *ranks_crew(void)
{
    return NULL;
}

void ranks_dismiss(void)
{
}

int ranks_serve(const struct kn_circuit *c, const struct kn_options *options)
{
    (void)c;
    (void)options;
    return EXIT_FAILED;
}

#else

#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum tag { TAG_HELLO, TAG_RUN, TAG_PIECE, TAG_DONE, TAG_ALIVE, TAG_STOP };

static const double SIGN_EVERY = 1, SILENCE = 30; /* s */

/* What a rank says of itself when it begins. */
struct hello {
    uint64_t key; /* of deck and options */
    int64_t process;
    char machine[256]; /* where numbers of processes mean the same */
};

/* To a rank: a run to make, or that there is none any more. */
struct order {
    uint64_t run;     /* END */
    int32_t finalize; /* behind the end: whether all ranks are there to end MPI together */
};
static const uint64_t END = UINT64_MAX;

struct rank {
    struct hello hello;
    bool known, lost, busy; /* busy: a run is not yet done */
};

/* One process has one MPI. */
static struct {
    int own, count;
    pthread_mutex_t lock; /* around calls of MPI */
    struct rank *ranks;   /* [count] of rank 0 */
    struct hello self;
    struct kn_crew crew;
    double signed_at; /* s: the last sign of life */
    bool some_lost;   /* or not at the end of their run: MPI cannot be ended together */
    bool differs;
    bool over; /* all is said that there is to say */
} mpi = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void nap(long microseconds)
{
    const struct timespec pause = {0, microseconds * 1000};
    nanosleep(&pause, NULL);
}

/* ---- messages ---- */

/* From MPI's own side this cannot fail in a way that is told: who is dead takes nothing and says nothing. */
static void send_bytes(int rank, enum tag tag, const void *bytes, size_t size)
{
    pthread_mutex_lock(&mpi.lock);
    MPI_Send(bytes, (int)size, MPI_BYTE, rank, (int)tag, MPI_COMM_WORLD);
    pthread_mutex_unlock(&mpi.lock);
}

/* The next message of a rank, if there is one: its tag and size. */
static bool look_for(int rank, int tag, MPI_Status *s, int *size)
{
    int there = 0;
    pthread_mutex_lock(&mpi.lock);
    if (MPI_Iprobe(rank, tag, MPI_COMM_WORLD, &there, s) != MPI_SUCCESS)
        there = 0;
    if (there)
        MPI_Get_count(s, MPI_BYTE, size);
    pthread_mutex_unlock(&mpi.lock);
    return there;
}

static bool is_dead(int rank)
{
    const struct rank *r = mpi.ranks ? &mpi.ranks[rank] : NULL;
    return r && r->known && strcmp(r->hello.machine, mpi.self.machine) == 0 && kill((pid_t)r->hello.process, 0) != 0 &&
           errno == ESRCH;
}

/* A message that has been looked for, in memory to be freed; NULL where its sender died in the middle of it: what has come
 * of it stays with MPI. */
static char *receive(const MPI_Status *s, int size)
{
    MPI_Request request;
    int there = 0;
    char *bytes = malloc((size_t)size + 1);
    if (!bytes)
        return NULL;
    pthread_mutex_lock(&mpi.lock);
    MPI_Irecv(bytes, size, MPI_BYTE, s->MPI_SOURCE, s->MPI_TAG, MPI_COMM_WORLD, &request);
    MPI_Test(&request, &there, MPI_STATUS_IGNORE);
    pthread_mutex_unlock(&mpi.lock);
    const double begin = clock_seconds(CLOCK_MONOTONIC);
    for (long pause = 10; !there; pause = pause < 2000 ? 2 * pause : pause) {
        if (is_dead(s->MPI_SOURCE) || clock_seconds(CLOCK_MONOTONIC) - begin > SILENCE)
            return NULL;
        nap(pause);
        pthread_mutex_lock(&mpi.lock);
        MPI_Test(&request, &there, MPI_STATUS_IGNORE);
        pthread_mutex_unlock(&mpi.lock);
    }
    return bytes;
}

/* ---- rank 0 ---- */

/* Waits for a message of a kind; false: the rank is lost, or nobody waits any more. */
static bool await(int rank, int tag, MPI_Status *s, int *size, const struct kn_desk *desk)
{
    const double begin = clock_seconds(CLOCK_MONOTONIC);
    for (long pause = 50; !look_for(rank, tag, s, size); pause = pause < 5000 ? 2 * pause : pause) {
        if (is_dead(rank) && !look_for(rank, tag, s, size))
            return false;
        if (clock_seconds(CLOCK_MONOTONIC) - begin > SILENCE || desk->stopped(desk->context))
            return false;
        nap(pause);
    }
    return true;
}

static bool greet(int rank, uint64_t key, const struct kn_desk *desk)
{
    struct rank *r = &mpi.ranks[rank];
    MPI_Status s;
    int size;
    if (r->known)
        return true;
    if (!await(rank, TAG_HELLO, &s, &size, desk) || size != (int)sizeof r->hello)
        return false;
    char *bytes = receive(&s, size);
    if (!bytes)
        return false;
    memcpy(&r->hello, bytes, sizeof r->hello);
    free(bytes);
    r->known = true;
    mpi.differs |= r->hello.key != key;
    return r->hello.key == key;
}

enum taken { TAKEN, TAKEN_LAST, TAKEN_UNWANTED, NOT_TAKEN };

/* Puts one message on the desk. */
static enum taken take_message(const MPI_Status *s, int size, const struct kn_desk *desk, enum kn_status *outcome)
{
    int32_t status = KN_ERROR_MEMORY;
    char *bytes = receive(s, size);
    if (!bytes)
        return NOT_TAKEN;
    if (s->MPI_TAG == TAG_DONE && size == (int)sizeof status)
        memcpy(&status, bytes, sizeof status);
    const bool wanted = s->MPI_TAG != TAG_PIECE || desk->put(desk->context, bytes, (size_t)size);
    free(bytes);
    if (s->MPI_TAG != TAG_DONE)
        return wanted ? TAKEN : TAKEN_UNWANTED;
    *outcome = (enum kn_status)status;
    return TAKEN_LAST;
}

/* Until the run has ended or is not wanted any more; false: the rank is lost. */
static bool take_run(int rank, const struct kn_desk *desk, enum kn_status *outcome)
{
    enum taken taken = TAKEN;
    *outcome = KN_INTERRUPTED;
    while (taken == TAKEN) {
        MPI_Status s;
        int size;
        taken = await(rank, MPI_ANY_TAG, &s, &size, desk) ? take_message(&s, size, desk, outcome) : NOT_TAKEN;
    }
    mpi.ranks[rank].busy = taken != TAKEN_LAST;
    return taken != NOT_TAKEN || desk->stopped(desk->context);
}

static bool perform(void *context, size_t worker, size_t run, unsigned long long key, const struct kn_desk *desk,
                    enum kn_status *outcome)
{
    const int rank = (int)worker + 1;
    const struct order order = {run, 0};
    (void)context;
    *outcome = KN_INTERRUPTED;
    bool there = greet(rank, key, desk);
    if (there) {
        mpi.ranks[rank].busy = true;
        send_bytes(rank, TAG_RUN, &order, sizeof order);
        there = take_run(rank, desk, outcome);
    }
    mpi.ranks[rank].lost = !there && !desk->stopped(desk->context);
    return !mpi.ranks[rank].lost;
}

const struct kn_crew *ranks_crew(void)
{
    if (mpi.count < 2)
        return NULL;
    mpi.crew = (struct kn_crew){NULL, (size_t)mpi.count - 1, perform};
    return &mpi.crew;
}

/* What a rank has still to say, so that it does not wait for ever. */
static void drain(int rank)
{
    MPI_Status s;
    int size;
    while (look_for(rank, MPI_ANY_TAG, &s, &size)) {
        char *bytes = receive(&s, size);
        if (!bytes)
            return;
        free(bytes);
    }
}

static int count_lost(void)
{
    int lost = 0;
    for (int i = 1; i < mpi.count; i++) {
        mpi.ranks[i].lost |= is_dead(i);
        lost += mpi.ranks[i].lost;
        mpi.some_lost |= mpi.ranks[i].lost || mpi.ranks[i].busy;
    }
    return lost;
}

void ranks_dismiss(void)
{
    if (mpi.count == 0 || mpi.own != 0 || mpi.over)
        return;
    mpi.over = true;
    const int lost = count_lost();
    const struct order end = {END, !mpi.some_lost};
    for (int i = 1; i < mpi.count; i++) {
        drain(i);
        send_bytes(i, TAG_STOP, &end, sizeof end);
        send_bytes(i, TAG_RUN, &end, sizeof end);
    }
    if (mpi.differs)
        fprintf(stderr, "knoten: warning: not all ranks have read the same deck with the same options\n");
    if (lost > 0)
        fprintf(stderr, "knoten: %d of %d workers %s lost; their unfinished runs were made by others\n", lost,
                mpi.count - 1, lost == 1 ? "was" : "were");
}

/* ---- the others ---- */

static void sign(bool now)
{
    if (!now && clock_seconds(CLOCK_MONOTONIC) - mpi.signed_at < SIGN_EVERY)
        return;
    mpi.signed_at = clock_seconds(CLOCK_MONOTONIC);
    send_bytes(0, TAG_ALIVE, "", 1);
}

/* Signs of life come from a thread of their own: a factorisation may take long. */
static void *live(void *working)
{
    while (*(volatile bool *)working) {
        sign(false);
        nap(200000);
    }
    return NULL;
}

static bool told_to_stop(void *context)
{
    MPI_Status s;
    int size;
    (void)context;
    return look_for(0, TAG_STOP, &s, &size);
}

/* Without holding the lock while rank 0 takes its time. */
static bool send_piece(void *context, const char *bytes, size_t size)
{
    MPI_Request request;
    int sent = 0;
    pthread_mutex_lock(&mpi.lock);
    MPI_Isend(bytes, (int)size, MPI_BYTE, 0, TAG_PIECE, MPI_COMM_WORLD, &request);
    MPI_Test(&request, &sent, MPI_STATUS_IGNORE);
    pthread_mutex_unlock(&mpi.lock);
    for (long pause = 20; !sent; pause = pause < 2000 ? 2 * pause : pause) {
        nap(pause);
        pthread_mutex_lock(&mpi.lock);
        MPI_Test(&request, &sent, MPI_STATUS_IGNORE);
        pthread_mutex_unlock(&mpi.lock);
        if (!sent && told_to_stop(context))
            return false; /* the bytes stay with MPI, which ends with the process */
    }
    return true;
}

static void say_done(void *context, enum kn_status outcome)
{
    const int32_t status = (int32_t)outcome;
    (void)context;
    send_bytes(0, TAG_DONE, &status, sizeof status);
}

/* The order that comes next. */
static struct order await_order(void)
{
    struct order order = {END, 0};
    MPI_Status s;
    int size;
    const pid_t starter = getppid();
    for (long pause = 50; !look_for(0, TAG_RUN, &s, &size); pause = pause < 5000 ? 2 * pause : pause) {
        if (getppid() != starter) /* mpirun is gone */
            return order;
        nap(pause);
    }
    char *bytes = receive(&s, size);
    if (bytes)
        memcpy(&order, bytes, sizeof order);
    free(bytes);
    return order;
}

static bool next_run(void *context, unsigned long long key, size_t *run)
{
    bool *said_hello = context;
    if (!*said_hello) {
        mpi.self.key = key;
        send_bytes(0, TAG_HELLO, &mpi.self, sizeof mpi.self);
        *said_hello = true;
    }
    const struct order order = await_order();
    mpi.some_lost |= order.run == END && !order.finalize;
    mpi.over |= order.run == END;
    *run = (size_t)order.run;
    return order.run != END;
}

int ranks_serve(const struct kn_circuit *c, const struct kn_options *options)
{
    bool said_hello = false, working = true;
    pthread_t pulse;
    struct kn_diagnostics *d = kn_diagnostics_new();
    const struct kn_service service = {&said_hello, next_run, {NULL, send_piece, told_to_stop}, say_done};
    if (!d)
        return EXIT_FAILED;
    const bool beats = pthread_create(&pulse, NULL, live, &working) == 0;
    kn_serve(c, options, d, &service);
    size_t none;
    if (!mpi.over) /* the deck asks for no sweep */
        while (next_run(&said_hello, 0, &none))
            say_done(NULL, KN_ERROR_ARGUMENT);
    *(volatile bool *)&working = false;
    if (beats)
        pthread_join(pulse, NULL);
    kn_diagnostics_free(d);
    return EXIT_DONE;
}

/* ---- all ---- */

/* Where one is missing, those that are left do not wait for it. */
static void finish(void)
{
    ranks_dismiss();
    fflush(NULL);
    if (mpi.some_lost)
        return;
    MPI_Finalize();
}

static void introduce(struct hello *h)
{
    char host[128] = "", space[64] = "";
    gethostname(host, sizeof host - 1);
    if (readlink("/proc/self/ns/pid", space, sizeof space - 1) < 0)
        *space = '\0';
    snprintf(h->machine, sizeof h->machine, "%s %s", host, space);
    h->process = getpid();
}

bool ranks_begin(char **arguments)
{
    int given = 0;
    (void)arguments;
    /* Open MPI: through memory that is shared, not out of that of a process which may have died. */
    setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0);
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &given) != MPI_SUCCESS || given < MPI_THREAD_SERIALIZED) {
        fprintf(stderr, "knoten: this MPI cannot be used from several threads, one at a time\n");
        return false;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &mpi.own);
    MPI_Comm_size(MPI_COMM_WORLD, &mpi.count);
    introduce(&mpi.self);
    mpi.ranks = calloc((size_t)mpi.count, sizeof *mpi.ranks);
    atexit(finish);
    /* Rank 0 speaks for all. */
    if (mpi.own > 0 && (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
        return false;
    return mpi.ranks;
}

int ranks_own(void)
{
    return mpi.own;
}

#endif
