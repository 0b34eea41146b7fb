/* Work done by several threads and handed on in order: the same output for any number of workers, in bounded memory, also
 * when workers are lost on the way. */
#include "analyses/sweeps/crew.h"
#include "claims.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 300, PIECES = 7 };

struct work {
    uint64_t hash; /* FNV-1a of all that was handed on */
    size_t finished, bytes;
    size_t piece;  /* bytes of the largest piece */
    unsigned lose; /* every so manieth number is lost once; 0: none */
    atomic_bool lost[NUMBERS];
    atomic_long waiting, most_waiting; /* bytes put and not yet handed on */
    size_t end_at;                     /* the caller ends the work there */
    enum kn_status fail_with;
};

static enum crew_outcome perform(void *context, size_t worker, size_t number, struct crew_desk *desk)
{
    struct work *w = context;
    char *bytes = malloc(w->piece);
    if (!bytes)
        return CREW_DONE;
    const bool loses =
        w->lose > 0 && worker != CREW_NOBODY && number % w->lose == 1 && !atomic_exchange(&w->lost[number], true);
    for (size_t i = 0; i < PIECES; i++) {
        const size_t size = 1 + (number * 7919 + i * 104729) % w->piece;
        memset(bytes, (int)(number + 31 * i), size);
        if (loses && i == number % PIECES) {
            free(bytes);
            return CREW_LOST;
        }
        if (!crew_put(desk, bytes, size))
            break;
        const long now = atomic_fetch_add(&w->waiting, (long)size) + (long)size;
        if (now > atomic_load(&w->most_waiting))
            atomic_store(&w->most_waiting, now);
        crew_tell(desk, (double)i / PIECES);
    }
    free(bytes);
    return CREW_DONE;
}

static enum kn_status take(void *context, size_t number, const char *bytes, size_t size)
{
    struct work *w = context;
    CU_ASSERT_EQUAL(number, w->finished);
    w->bytes += size;
    atomic_fetch_sub(&w->waiting, (long)size);
    for (size_t i = 0; i < size; i++)
        w->hash = (w->hash ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    return KN_OK;
}

static enum kn_status finish(void *context, size_t number)
{
    struct work *w = context;
    CU_ASSERT_EQUAL(number, w->finished);
    w->finished++;
    w->hash = (w->hash ^ number) * UINT64_C(1099511628211);
    return w->finished == w->end_at ? w->fail_with : KN_OK;
}

static bool look(void *context, double done)
{
    (void)context;
    CU_ASSERT(done >= 0 && done <= 1);
    return true;
}

static enum kn_status run(struct work *w, size_t workers, size_t room)
{
    const struct crew_task task = {NUMBERS, workers, room, w, perform, take, finish, look};
    w->hash = UINT64_C(14695981039346656037);
    return crew_work(&task);
}

static void output_is_the_same_for_any_number_of_workers(void)
{
    struct work one = {.piece = 500};
    CU_ASSERT_EQUAL(run(&one, 1, 1 << 20), KN_OK);
    CU_ASSERT_EQUAL(one.finished, NUMBERS);
    for (size_t workers = 2; workers < 12; workers++) {
        struct work w = {.piece = 500};
        CU_ASSERT_EQUAL(run(&w, workers, 1 << 20), KN_OK);
        CU_ASSERT_EQUAL(w.hash, one.hash);
        CU_ASSERT_EQUAL(w.finished, NUMBERS);
    }
}

static void lost_workers_change_nothing(void)
{
    struct work one = {.piece = 500};
    run(&one, 1, 1 << 20);
    for (size_t workers = 1; workers < 6; workers++) {
        struct work w = {.piece = 500, .lose = 13 * 6 / (unsigned)workers};
        run(&w, workers, 1 << 20);
        CU_ASSERT_EQUAL(w.hash, one.hash);
        CU_ASSERT_EQUAL(w.finished, NUMBERS);
    }
}

/* 16 slots of 64 KB, and what the caller and each worker have in their hands. */
static void output_that_waits_is_bounded(void)
{
    struct work w = {.piece = 60000};
    CU_ASSERT_EQUAL(run(&w, 3, 1), KN_OK);
    CU_ASSERT(w.bytes > 30 * (size_t)1000000);
    CU_ASSERT(w.most_waiting <= 17 * 65536 + 3 * 60000);
}

static void failures_of_the_caller_end_the_work(void)
{
    struct work w = {.piece = 500, .end_at = 20, .fail_with = KN_ERROR_IO};
    CU_ASSERT_EQUAL(run(&w, 3, 1 << 20), KN_ERROR_IO);
    CU_ASSERT_EQUAL(w.finished, 20);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(output_is_the_same_for_any_number_of_workers),
        CLAIM(lost_workers_change_nothing),
        CLAIM(output_that_waits_is_bounded),
        CLAIM(failures_of_the_caller_end_the_work),
    };
    return run_claims("crew", claims, sizeof claims / sizeof *claims);
}
