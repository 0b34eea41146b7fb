/* Pieces shared by threads: each is done once, and what it leaves is there when it is waited for. */
#include "base/team.h"
#include "claims.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

enum { MOST = 500 };

struct work {
    size_t salt;
    size_t left[TEAM_PLACES]; /* by the piece that was there last */
    atomic_int done[MOST];
};

static void piece(void *context, size_t number, size_t place)
{
    struct work *w = context;
    for (size_t i = 0; i < (number * 7919 + w->salt) % 5; i++)
        sched_yield();
    w->left[place] = number ^ w->salt;
    atomic_fetch_add(&w->done[number], 1);
}

/* Also of those that have been waited for already, until the next one is. */
static void wait_for_all(struct team *t, struct work *w, size_t count)
{
    memset(w->done, 0, sizeof w->done);
    team_begin(t, &(struct team_work){count, piece, w});
    for (size_t i = 0; i < count; i++) {
        const size_t place = team_await(t, i);
        CU_ASSERT_FATAL(place < TEAM_PLACES);
        if (i % 3 == 0)
            sched_yield();
        CU_ASSERT_EQUAL_FATAL(w->left[place], i ^ w->salt);
        CU_ASSERT_EQUAL_FATAL(atomic_load(&w->done[i]), 1);
    }
}

static void each_piece_is_done_once_and_keeps_its_place_until_the_next_is_waited_for(void)
{
    static struct work w;
    for (size_t threads = 1; threads <= 5; threads++) {
        struct team *t = team_new(threads);
        CU_ASSERT_PTR_NOT_NULL_FATAL(t);
        for (size_t round = 0; round < 200; round++) {
            w.salt = round * 31 + threads;
            wait_for_all(t, &w, round * round % MOST);
        }
        team_free(t);
    }
}

static void a_team_that_has_slept_goes_on(void)
{
    static struct work w;
    struct team *t = team_new(3);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 20000; i++)
            sched_yield();
        wait_for_all(t, &w, 100);
    }
    team_free(t);
}

static void a_team_without_work_ends(void)
{
    team_free(team_new(4));
    team_free(NULL);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(each_piece_is_done_once_and_keeps_its_place_until_the_next_is_waited_for),
        CLAIM(a_team_that_has_slept_goes_on),
        CLAIM(a_team_without_work_ends),
    };
    return run_claims("team", claims, sizeof claims / sizeof *claims);
}
