/* test_breakpoints.c - corners of different sources at one moment are one breakpoint, and both sides of it are those of
 * exact arithmetic.
 */
#include "deck.h"
#include "exact_waves.h"

#include <inttypes.h>
#include <math.h>

enum { SOURCES = 3, DECKS = 1500 };

static void make_points(struct exact *w, uint64_t *seed, long grid, bool jumps)
{
    const int count = (int)between(seed, 2, 8);
    long time = grid * between(seed, 0, 3);
    for (int i = 0; i < count; i++) {
        add(w, time, between(seed, -5, 5));
        if (jumps && i > 0 && i + 1 < count && between(seed, 0, 3) == 0)
            add(w, time, between(seed, -5, 5));
        time += between(seed, 0, 3) ? grid * between(seed, 1, 3) : grid / 2;
    }
}

static void append_points(struct written *t, const struct exact *w, uint64_t *seed)
{
    for (int i = 0; i < w->count; i++) {
        append_time(t, seed, w->times[i]);
        append(t, " %ld", w->values[i]);
    }
}

/* PWL with jumps, half of them with a repetition from its first corner on, shifted by a delay. */
static void make_pwl(struct written *t, struct exact *w, uint64_t *seed, long grid, long stop)
{
    struct exact one = {.count = 0};
    make_points(&one, seed, grid, true);
    const long delay = grid * between(seed, 0, 3), period = one.times[one.count - 1] - one.times[0];
    const bool repeats = between(seed, 0, 1);
    append(t, "PWL(");
    append_points(t, &one, seed);
    append(t, ") td=");
    append_time(t, seed, delay);
    if (repeats) {
        append(t, " r=");
        append_time(t, seed, one.times[0]);
    }
    for (long shift = delay; shift <= stop; shift += period) {
        for (int i = 0; i < one.count; i++)
            add(w, one.times[i] + shift, one.values[i]);
        if (!repeats)
            break;
    }
}

/* A formula: a table in time, or a step. */
static void make_formula(struct written *t, struct exact *w, uint64_t *seed, long grid)
{
    if (between(seed, 0, 1)) {
        make_points(w, seed, grid, false);
        w->goes_on = true;
        append(t, "V={pwl(time");
        for (int i = 0; i < w->count; i++) {
            append(t, ",");
            append_time(t, seed, w->times[i]);
            append(t, ",%ld", w->values[i]);
        }
        append(t, ")}");
        return;
    }
    const long time = grid * between(seed, 1, 9), value = between(seed, 1, 5);
    append(t, "V={%ld*u(time-", value);
    append_time(t, seed, time);
    append(t, ")}");
    add(w, time, 0);
    add(w, time, value);
}

static void make_deck(struct written *t, struct exact waves[SOURCES], uint64_t *seed, long *stop)
{
    const long grid = 2 * between(seed, 1, 3) * (between(seed, 0, 1) ? 10 : 25) * (between(seed, 0, 1) ? 1 : 10);
    *stop = grid * between(seed, 5, 40);
    append(t, "coinciding corners\n");
    for (int k = 0; k < SOURCES; k++) {
        const long kind = between(seed, 0, 4);
        waves[k].count = 0;
        waves[k].goes_on = false;
        append(t, "%s%d n%d 0 ", kind == 0 ? "B" : "V", k, k);
        if (kind == 0)
            make_formula(t, &waves[k], seed, grid);
        else if (kind == 1)
            make_pwl(t, &waves[k], seed, grid, *stop);
        else
            make_pulse(t, &waves[k], seed, grid, *stop);
        append(t, "\nR%d n%d 0 1\n", k, k);
    }
    append(t, ".tran 1n");
    append_time(t, seed, *stop);
    append(t, "\n.end\n");
}

/* ---- claims ---- */

/* Whether the sources' values and slopes at t are those of one side. */
static bool agrees(struct deck *s, double t, long time, const struct exact waves[SOURCES],
                   struct side (*side)(const struct exact *, long))
{
    const struct dae *dae = mna_dae(s->mna);
    double f[2 * SOURCES], dfdt[2 * SOURCES], dqdt[2 * SOURCES];
    struct dae_values out = {.f = f, .dfdt = dfdt, .dqdt = dqdt};
    bool good = dae->eval(dae->problem, t, s->x, DAE_F | DAE_T, &out) == KN_OK;
    for (int k = 0; k < SOURCES; k++) {
        const struct side exact = side(&waves[k], time);
        const double value = (double)exact.value / (double)exact.width;
        const double slope = (double)exact.rise / ((double)exact.width * UNIT);
        const int row = mna_current_unknown(s->mna, 2 * k); /* f = v - wave, and v = 0 */
        /* Rounding of a time of 10 us moves the point on an edge of 10 V in 1 ns by 2e-11 V. */
        good &= fabs(-f[row] - value) <= 1e-9;
        good &= fabs(-dfdt[row] - slope) <= 1e-9 * fabs(slope);
    }
    return good;
}

static bool any_corner(const struct exact waves[SOURCES], long time)
{
    for (int k = 0; k < SOURCES; k++)
        if (has_corner(&waves[k], time))
            return true;
    return false;
}

/* Whether both sides at t are right. */
static bool sides_are_right(struct deck *s, const struct exact waves[SOURCES], double t, long time)
{
    const struct dae *dae = mna_dae(s->mna);
    dae->hold_left(dae->problem, t);
    const bool left = agrees(s, t, time, waves, left_of);
    dae->hold_left(dae->problem, INFINITY);
    return left && agrees(s, t, time, waves, right_of);
}

/* All breakpoints of a run one after the other, and its end.  Points of a formula where its slope stays are allowed to
 * be breakpoints. */
static bool run_is_right(struct deck *s, const struct exact waves[SOURCES], long stop)
{
    const struct dae *dae = mna_dae(s->mna);
    const double same = 1e-13 * (double)stop * UNIT;
    long before = 0;
    for (double t = 0; t < (double)stop * UNIT - same;) {
        t = fmin(dae->next_breakpoint(dae->problem, t), (double)stop * UNIT);
        const long time = lround(t / UNIT);
        if (!(fabs(t - (double)time * UNIT) <= same) || time <= before || !sides_are_right(s, waves, t, time))
            return false;
        while (++before < time)
            if (any_corner(waves, before))
                return false;
    }
    return true;
}

static void corners_of_one_moment_are_one_breakpoint_with_exact_sides(void)
{
    static struct exact waves[SOURCES];
    for (uint64_t number = 1; number <= DECKS; number++) {
        uint64_t seed = number;
        struct written text = {.used = 0};
        long stop;
        next_random(&seed);
        make_deck(&text, waves, &seed, &stop);
        struct deck s;
        if (!deck_open(&s, text.at))
            return;
        const bool right = run_is_right(&s, waves, stop);
        CU_ASSERT_TRUE(right);
        if (!right)
            fprintf(stderr, "\ndeck %" PRIu64 ":\n%s", number, text.at);
        deck_close(&s);
        if (!right)
            return;
    }
}

static void a_sine_begins_on_both_sides(void)
{
    struct deck s;
    if (!deck_open(&s, "t\nV1 a 0 SIN(1 2 1k 0.15m)\nR1 a 0 1\nV2 b 0 PULSE(0 1 0.05m 1n 1n 0.05m 0.1m)\nR2 b 0 1\n"
                       ".tran 1u 1m\n"))
        return;
    const struct dae *dae = mna_dae(s.mna);
    double f[4], dfdt[4], dqdt[4];
    struct dae_values out = {.f = f, .dfdt = dfdt, .dqdt = dqdt};
    const int row = mna_current_unknown(s.mna, 0);
    const double t = dae->next_breakpoint(dae->problem, 0.12e-3);
    CHECK_NEAR(t, 0.15e-3, 1e-18);
    dae->hold_left(dae->problem, t);
    CU_ASSERT_EQUAL(dae->eval(dae->problem, t, s.x, DAE_F | DAE_T, &out), KN_OK);
    CHECK_NEAR(f[row], -1, 0);
    CHECK_NEAR(dfdt[row], 0, 0);
    dae->hold_left(dae->problem, INFINITY);
    CU_ASSERT_EQUAL(dae->eval(dae->problem, t, s.x, DAE_F | DAE_T, &out), KN_OK);
    CHECK_NEAR(dfdt[row], -2 * 2e3 * acos(-1), 1e-6);
    deck_close(&s);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(corners_of_one_moment_are_one_breakpoint_with_exact_sides),
        CLAIM(a_sine_begins_on_both_sides),
    };
    return run_claims("mna/breakpoints", claims, sizeof claims / sizeof *claims);
}
