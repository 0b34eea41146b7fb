/* test_waveform_response.c - what follows a table of frequencies in time has its values at the rows, those of the part between them,
 * and at rest what the operating point has; nothing follows what would have to be early.
 *
 * PROGRAM [SEED [CIRCUITS]]: other random parts.
 */
#include "claims.h"
#include "devices/behavioural/waveform_response.h"

#include <math.h>
#include <string.h>

static uint64_t seed = 20261130;
static int circuits = 40;

static const double TWO_PI = 6.283185307179586;
enum { MOST_ROWS = 200 };

static double random_part(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0;
}

/* Low-passes of second order one behind the other, late by td. */
struct part {
    double corner[3], damping[3], delay; /* Hz, -, s */
    int count;
};

static double complex value_of(const struct part *p, double f)
{
    double complex value = cexp(CMPLX(0, -TWO_PI * f * p->delay));
    for (int k = 0; k < p->count; k++) {
        const double u = f / p->corner[k];
        value /= CMPLX(1 - u * u, 2 * p->damping[k] * u);
    }
    return value;
}

static struct part random_part_of(int count, double delay)
{
    struct part p = {.count = count, .delay = delay};
    for (int k = 0; k < count; k++) {
        p.corner[k] = pow(10, 3 + 2 * random_part());
        p.damping[k] = 0.1 + random_part();
    }
    return p;
}

struct columns {
    double frequency[MOST_ROWS], decibel[MOST_ROWS], phase[MOST_ROWS];
    struct frequency_table table;
};

/* Twenty rows a decade, from 10 Hz to 1 MHz, and one at rest. */
static void measure(const struct part *p, bool with_rest, struct columns *c)
{
    size_t count = 0;
    double before = 0;
    for (int k = with_rest ? -1 : 0; k <= 100; k++) {
        const double f = k < 0 ? 0 : pow(10, 1 + k / 20.0);
        const double complex value = value_of(p, f);
        double phase = carg(value) * 360 / TWO_PI;
        phase += 360 * round((before - phase) / 360);
        c->frequency[count] = f;
        c->decibel[count] = 20 * log10(cabs(value));
        c->phase[count++] = before = phase;
    }
    c->table = (struct frequency_table){c->frequency, c->decibel, c->phase, count};
}

static double complex polynomial_at(const double *c, size_t count, double complex s)
{
    double complex sum = 0;
    for (size_t i = count; i-- > 0;)
        sum = sum * s + c[i];
    return sum;
}

static double complex followed_at(const struct response *r, double f)
{
    const double complex s = CMPLX(0, TWO_PI * f);
    double complex passed = 1, sum = r->taps[0];
    for (size_t k = 0; k < r->section_count; k++) {
        const struct rational *q = &r->sections[k];
        const double complex over = passed / polynomial_at(q->denominator, q->denominator_count, s);
        sum += over * polynomial_at(&r->taps[2 * k + 1], 2, s);
        passed = over * polynomial_at(q->numerator, q->numerator_count, s);
    }
    return sum * cexp(-s * (r->delay + r->lag));
}

static struct waveform_fit follow(const struct frequency_table *t, struct arena *arena, struct response *out)
{
    const struct response r = {.table = t};
    const struct waveform_use use = {{1, 1e6}, false};
    struct waveform_fit fit;
    CU_ASSERT_EQUAL_FATAL(waveform_response(&r, &use, arena, out, &fit), KN_OK);
    return fit;
}

static void check(const struct part *p, const struct response *r, uint64_t from)
{
    double at_rows = 0, between = 0;
    for (int k = 0; k < 200; k++) {
        const double f = pow(10, 1 + k / 40.0);
        double *worst = k % 2 == 0 ? &at_rows : &between;
        *worst = fmax(*worst, cabs(followed_at(r, f) - value_of(p, f)) / fmax(cabs(value_of(p, f)), 1e-3));
    }
    if (at_rows < 2e-3 && between < 0.03)
        return;
    fprintf(stderr, "seed %llu: off by %g at rows, %g between\n", (unsigned long long)from, at_rows, between);
    CU_FAIL("another part");
}

static void random_parts_are_followed(void)
{
    for (int k = 0; k < circuits; k++) {
        const uint64_t from = seed;
        const struct part p = random_part_of(1 + (int)(3 * random_part()), 0);
        struct arena *arena = arena_new();
        struct columns c;
        struct response r;
        measure(&p, true, &c);
        const struct waveform_fit fit = follow(&c.table, arena, &r);
        CU_ASSERT_FALSE(fit.is_far);
        if (fit.is_far)
            fprintf(stderr, "seed %llu: %g at rows, %g between, worst at %g Hz; error %g, %zu poles\n",
                    (unsigned long long)from, fit.deviation, fit.between, fit.frequency, fit.error, r.section_count);
        check(&p, &r, from);
        CU_ASSERT_TRUE(cabs(followed_at(&r, 0) - 1) < 1e-5);
        arena_free(arena);
    }
}

/* Late by a millisecond, which is a hundred turns at 100 kHz, within a few poles. */
static void what_is_late_as_a_whole_takes_few_poles(void)
{
    struct part p = {{2e3, 5e3}, {0.7, 0.5}, 1e-3, 2};
    struct arena *arena = arena_new();
    struct columns c;
    struct response r;
    size_t count = 0;
    for (int k = 0; k < MOST_ROWS; k++) { /* dense enough to tell its turns */
        const double f = 100.0 * k;
        c.frequency[count] = f;
        c.decibel[count] = 20 * log10(cabs(value_of(&p, f)));
        const double phase = carg(value_of(&p, f)) * 360 / TWO_PI;
        c.phase[count] = phase + (count > 0 ? 360 * round((c.phase[count - 1] - phase) / 360) : 0);
        count++;
    }
    c.table = (struct frequency_table){c.frequency, c.decibel, c.phase, count};
    const struct waveform_fit fit = follow(&c.table, arena, &r);
    CU_ASSERT_TRUE(fit.error <= 1);
    CU_ASSERT_TRUE(r.lag > 0.5e-3 && r.lag <= 1.1e-3);
    CU_ASSERT_TRUE(r.section_count < 16);
    arena_free(arena);
}

static void nothing_passes_at_rest_below_the_first_row(void)
{
    const struct part p = {{5e3}, {0.5}, 0, 1};
    struct arena *arena = arena_new();
    struct columns c;
    struct response r;
    measure(&p, false, &c);
    const struct waveform_fit fit = follow(&c.table, arena, &r);
    CU_ASSERT_FALSE(fit.is_far);
    CU_ASSERT_EQUAL(followed_at(&r, 0), 0);
    check(&p, &r, 0);
    arena_free(arena);
}

/* Without phases, and with phases that rise as the magnitude falls: neither is of a part. */
static void what_would_be_early_is_said(void)
{
    static const double f[] = {0, 1e3, 1e4, 1e5}, decibel[] = {0, 0, -20, -40}, flat[4] = {0},
                        rising[] = {0, 20, 60, 90};
    const double *phases[] = {flat, rising};
    for (int k = 0; k < 2; k++) {
        const struct frequency_table t = {f, decibel, phases[k], 4};
        struct arena *arena = arena_new();
        struct response r;
        CU_ASSERT_TRUE(follow(&t, arena, &r).is_far);
        arena_free(arena);
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(random_parts_are_followed),
        CLAIM(what_is_late_as_a_whole_takes_few_poles),
        CLAIM(nothing_passes_at_rest_below_the_first_row),
        CLAIM(what_would_be_early_is_said),
    };
    random_arguments(&seed, &circuits);
    return run_claims("waveforms of tables", claims, sizeof claims / sizeof *claims);
}
