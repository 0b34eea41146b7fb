/* random_stand.h - claims about a random transistor at a random bias, on a test stand: for models with so many parameters that
 * what goes wrong does so where some of them meet.
 */
#ifndef TESTS_DEVICES_RANDOM_STAND_H
#define TESTS_DEVICES_RANDOM_STAND_H

#include "harness.h"
#include "stand.h"

#include <math.h>
#include <stdio.h>

/* A parameter and the bounds within which it is drawn. */
struct stand_range {
    const char *name;
    double low, high;
};

struct stand_draw {
    struct stand_setting card[90], element[10]; /* end with a NULL name */
    size_t count;                               /* in card */
    const char *type;
};

static inline void draw_add(struct stand_draw *o, const char *name, double value)
{
    o->card[o->count++] = (struct stand_setting){name, value};
    CU_ASSERT_FATAL(o->count < sizeof o->card / sizeof *o->card);
}

/* That share of them at a time; of p channels the threshold is negative. */
static inline void draw_ranges(struct stand_draw *o, const struct stand_range *ranges, size_t count, double share,
                               uint64_t *seed)
{
    for (size_t i = 0; i < count; i++) {
        const double value = stand_uniform(seed, ranges[i].low, ranges[i].high);
        const bool negative = o->type[0] == 'p' && strcmp(ranges[i].name, "vth0") == 0;
        if (stand_uniform(seed, 0, 1) < share)
            draw_add(o, ranges[i].name, negative ? -value : value);
    }
}

/* What is drawn, and how. */
struct stand_family {
    const struct device_class *class;
    size_t nodes;     /* of the card */
    size_t terminals; /* whose currents can be asked for */
    double reference; /* V, of points from which limiting begins */
    void (*draw_card)(struct stand_draw *o, uint64_t *seed, double variant);
    void (*draw_bias)(const struct stand_draw *o, size_t n, double *x, uint64_t *seed); /* x: zeros so far */
};

/* A claim about r at x. */
typedef bool claim_at(const struct stand_family *f, struct stand *r, const double *x, uint64_t *seed);

static inline void hold_at_random(const struct stand_family *f, claim_at *claim, uint64_t seed, double variant)
{
    for (int i = 0; i < 150; i++) {
        const uint64_t begin = seed;
        struct stand_draw o = {.count = 0};
        double x[STAND_LIMIT] = {0};
        f->draw_card(&o, &seed, variant);
        struct stand *r = stand_new(f->class, o.type, f->nodes, o.card, o.element, stand_uniform(&seed, -40, 125));
        CU_ASSERT_FATAL(r->batch != NULL);
        f->draw_bias(&o, r->n, x, &seed);
        if (!claim(f, r, x, &seed)) {
            fprintf(stderr, "\nseed %llu", (unsigned long long)begin);
            CU_FAIL("a claim at a random bias");
        }
        stand_free(r);
    }
}

static inline bool derives(const struct stand_family *f, struct stand *r, const double *x, uint64_t *seed)
{
    (void)f, (void)seed;
    return stand_wrong_derivatives(r, x) == 0;
}

static inline bool conserves(const struct stand_family *f, struct stand *r, const double *x, uint64_t *seed)
{
    (void)f, (void)seed;
    return stand_conserves(r, x);
}

static inline bool ends_limits(const struct stand_family *f, struct stand *r, const double *x, uint64_t *seed)
{
    double reference[STAND_LIMIT] = {0};
    for (size_t i = 1; i < r->n; i++)
        reference[i] = stand_uniform(seed, -f->reference, f->reference);
    return stand_limiting_ends(r, x, reference) > 0;
}

static inline bool probes(const struct stand_family *f, struct stand *r, const double *x, uint64_t *seed)
{
    double rate[STAND_LIMIT] = {0};
    for (size_t i = 1; i < r->n; i++)
        rate[i] = stand_uniform(seed, -1e9, 1e9);
    return stand_probe_agrees(r, x, rate, f->terminals);
}

static inline bool is_finite(const struct stand_family *f, struct stand *r, const double *x, uint64_t *seed)
{
    (void)f, (void)x;
    return stand_is_finite_everywhere(r, seed);
}

/* ---- transistors whose nodes begin with drain, gate, source, bulk ---- */

enum { DRAIN = 1, GATE, SOURCE, BULK };

/* Drain and source of the same area are the same thing twice. */
static inline bool exchanges(struct stand *r, const double *x)
{
    double y[STAND_LIMIT];
    memcpy(y, x, sizeof y);
    y[DRAIN] = x[SOURCE];
    y[SOURCE] = x[DRAIN];
    stand_evaluate(r, x, NULL);
    const double f[] = {r->f[DRAIN], r->f[SOURCE], r->f[BULK]}, c = r->C[GATE * r->n + DRAIN];
    const double g = r->G[DRAIN * r->n + GATE], f_size = stand_largest(r->f, r->n);
    stand_evaluate(r, y, NULL);
    const double g_size = stand_largest(r->G, r->n * r->n), c_size = stand_largest(r->C, r->n * r->n);
    const double rounding = 1e-12 * (f_size + g_size); /* of voltages against another node */
    return fabs(r->f[SOURCE] - f[0]) <= rounding && fabs(r->f[DRAIN] - f[1]) <= rounding &&
           fabs(r->f[BULK] - f[2]) <= rounding && fabs(r->G[SOURCE * r->n + GATE] - g) <= 1e-10 * g_size &&
           fabs(r->C[GATE * r->n + SOURCE] - c) <= 1e-10 * c_size;
}

static inline bool is_refused(const struct stand_family *f, const struct stand_setting *card)
{
    static const struct stand_setting element[] = {{"l", 1e-6}, {"w", 5e-6}, {0}};
    struct stand *r = stand_new(f->class, "nmos", f->nodes, card, element, 27);
    const bool refused = r->batch == NULL;
    CU_ASSERT(!refused || kn_diagnostics_count(r->diagnostics) > 0);
    stand_free(r);
    return refused;
}

/* Three in parallel are three times one. */
static inline void check_parallel(const struct stand_family *f)
{
    static const struct stand_setting card[] = {{"vth0", 0.5}, {"rsh", 10}, {"cgsl", 1e-10}, {0}};
    static const struct stand_setting one[] = {{"l", 1e-6}, {"w", 5e-6}, {"ad", 4e-12}, {0}};
    static const struct stand_setting three[] = {{"l", 1e-6}, {"w", 5e-6}, {"ad", 4e-12}, {"m", 3}, {0}};
    double x[STAND_LIMIT] = {0, 1.2, 1.5, 0, -0.3, 1.1, 0.1};
    struct stand *a = stand_new(f->class, "nmos", f->nodes, card, one, 27);
    struct stand *b = stand_new(f->class, "nmos", f->nodes, card, three, 27);
    a->gmin = b->gmin = 0;
    stand_evaluate(a, x, NULL);
    stand_evaluate(b, x, NULL);
    for (size_t i = 1; i < a->n; i++) {
        CHECK_NEAR(b->f[i], 3 * a->f[i], 1e-12 * fabs(a->f[i]));
        CHECK_NEAR(b->q[i], 3 * a->q[i], 1e-12 * fabs(a->q[i]));
    }
    stand_free(a);
    stand_free(b);
}

/* Said where setting stands on the card and where it stands with the element. */
static inline void check_said(const struct stand_family *f, const struct stand_setting setting, const char *code)
{
    const struct stand_setting with[] = {setting, {0}}, without[] = {{0}}, plain[] = {{"l", 1e-6}, {0}};
    struct stand *by_card = stand_new(f->class, "nmos", f->nodes, with, plain, 27);
    struct stand *by_element = stand_new(f->class, "nmos", f->nodes, without, with, 27);
    CU_ASSERT_STRING_EQUAL(kn_diagnostics_get(by_card->diagnostics, 0)->code, code);
    CU_ASSERT_STRING_EQUAL(kn_diagnostics_get(by_element->diagnostics, 0)->code, code);
    stand_free(by_card);
    stand_free(by_element);
}

/* Transistor M1 with a card of this type; whether the diagnostics have that code. */
static inline bool says_of_card(const char *card, const char *code)
{
    char text[200];
    snprintf(text, sizeof text, "title\nM1 d g 0 0 m\nV1 d 0 1\nV2 g 0 1\n.model m %s\n.end\n", card);
    struct rig r = rig_need(text);
    const bool says = rig_said(&r, code) != NULL;
    rig_close(&r);
    return says;
}

#endif
