/* test_coinciding_corners.c - two pulse sources that charge a capacitor and one that is only looked at, with corners at
 * the same moments but for rounding: every method's rows against the closed form.  A capacitance across the third
 * source takes a current that is the slope of its voltage, an unknown of index 2.
 */
#include "exact_waves.h"
#include "knoten.h"
#include "run_text.h"

#include <math.h>
#include <string.h>

enum { SOURCES = 3, DECKS = 40 };
static const double R[2] = {1e3, 2e3};   /* ohm, of the sources that charge the capacitor */
static const double CAPACITANCE = 1e-12; /* F, across the third source */

/* The circuit and what it does. */
struct circuit_of_pulses {
    struct exact waves[SOURCES];
    double tau, stop;   /* s */
    double at, voltage; /* of the capacitor, at a time so far reached */
    bool index2;        /* there is a capacitance across the third source */
    double worst;       /* deviation of a row so far, V */
    double worst_slope; /* of what the current through that capacitance means, as part of the steepest slope */
};

static double wave_at(const struct exact *w, double time, double *slope)
{
    int i = 0;
    while (i < w->count && (double)w->times[i] * UNIT <= time)
        i++;
    const struct side left = on_segment(w, i - 1, i ? w->times[i - 1] : w->times[0]);
    *slope = (double)left.rise / ((double)left.width * UNIT);
    const double from = i ? (double)w->times[i - 1] * UNIT : time;
    return (double)left.value / (double)left.width + *slope * (time - from);
}

/* What charges the capacitor through R1 and R2 in parallel. */
static double drive_at(const struct circuit_of_pulses *c, double time, double *slope)
{
    double s[2];
    const double v[2] = {wave_at(&c->waves[0], time, &s[0]), wave_at(&c->waves[1], time, &s[1])};
    *slope = (s[0] * R[1] + s[1] * R[0]) / (R[0] + R[1]);
    return (v[0] * R[1] + v[1] * R[0]) / (R[0] + R[1]);
}

static double next_corner(const struct circuit_of_pulses *c, double time)
{
    double next = INFINITY;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < c->waves[k].count; i++)
            if ((double)c->waves[k].times[i] * UNIT > time)
                next = fmin(next, (double)c->waves[k].times[i] * UNIT);
    return next;
}

/* tau v' + v = a + b s has the solution v = a + b (s - tau) + (v0 - a + b tau) exp(-s/tau). */
static void advance(struct circuit_of_pulses *c, double time)
{
    while (c->at < time) {
        double slope;
        const double to = fmin(time, next_corner(c, c->at)), s = to - c->at, a = drive_at(c, c->at, &slope);
        c->voltage = a + slope * (s - c->tau) + (c->voltage - a + slope * c->tau) * exp(-s / c->tau);
        c->at = to;
    }
}

static enum kn_status begin(void *context, const struct kn_table *table)
{
    struct circuit_of_pulses *c = context;
    double slope;
    CU_ASSERT_EQUAL_FATAL(table->column_count, (size_t)(2 + SOURCES + c->index2));
    c->at = c->worst = c->worst_slope = 0;
    c->voltage = drive_at(c, 0, &slope);
    return KN_OK;
}

/* Of the slope of the third source; at a corner both are right. */
static double error_of_slope(const struct circuit_of_pulses *c, double time, double slope)
{
    const struct exact *w = &c->waves[SOURCES - 1];
    const double away = 1e-13 * c->stop + 1e-18;
    double before, after, steepest = 0;
    wave_at(w, time - away, &before);
    wave_at(w, time + away, &after);
    for (int i = 0; i + 1 < w->count; i++) {
        const struct side s = on_segment(w, i, w->times[i]);
        steepest = fmax(steepest, fabs((double)s.rise / ((double)s.width * UNIT)));
    }
    return fmin(fabs(slope - before), fabs(slope - after)) / steepest;
}

static enum kn_status row(void *context, const double *values)
{
    struct circuit_of_pulses *c = context;
    double slope;
    for (int k = 0; k < SOURCES; k++)
        c->worst = fmax(c->worst, fabs(values[1 + k] - wave_at(&c->waves[k], values[0], &slope)));
    advance(c, values[0]);
    c->worst = fmax(c->worst, fabs(values[1 + SOURCES] - c->voltage));
    if (c->index2)
        c->worst_slope = fmax(c->worst_slope, error_of_slope(c, values[0], -values[2 + SOURCES] / CAPACITANCE));
    return KN_OK;
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    (void)context;
    return outcome;
}

static void simulate(struct circuit_of_pulses *c, const char *deck, const char *method)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct kn_sink sink = {c, begin, row, end};
    const struct kn_options options = {.method = method, .reltol = 1e-3};
    struct kn_summary summary = {0};
    enum kn_status status = run_text(deck, &options, d, &sink, &summary);
    CU_ASSERT_EQUAL(status, KN_OK);
    kn_diagnostics_free(d);
}

static void make_deck(struct written *t, struct circuit_of_pulses *c, uint64_t *seed)
{
    static const char *const nodes[SOURCES] = {"a", "b", "ck"};
    const long grid = 2 * between(seed, 1, 3) * 250, stop = grid * between(seed, 10, 40);
    c->stop = (double)stop * UNIT;
    append(t, "coinciding corners\n");
    for (int k = 0; k < SOURCES; k++) {
        c->waves[k] = (struct exact){.count = 0};
        append(t, "V%s %s 0 ", nodes[k], nodes[k]);
        make_pulse(t, &c->waves[k], seed, grid, stop);
        append(t, "\n");
    }
    const double capacitance = 1e-12 * (double)(between(seed, 0, 1) ? between(seed, 1, 9) * 100 : between(seed, 1, 30));
    c->tau = capacitance * R[0] * R[1] / (R[0] + R[1]);
    append(t, "R1 a c 1k\nR2 b c 2k\nC1 c 0 %.17g\n", capacitance);
    if (c->index2)
        append(t, "C2 ck 0 1p\n");
    append(t, ".save v(a) v(b) v(ck) v(c)%s\n.tran %.17g", c->index2 ? " i(vck)" : "", c->stop / 100);
    append_time(t, seed, stop);
    append(t, "\n.end\n");
}

/* Ranges are up to 14 V; a thousandth of that per step, and some steps add up. */
static void check_decks(bool index2, const char *const *methods)
{
    static struct circuit_of_pulses c;
    c.index2 = index2;
    for (uint64_t number = 1; number <= DECKS; number++) {
        uint64_t seed = number;
        struct written text = {.used = 0};
        next_random(&seed);
        make_deck(&text, &c, &seed);
        for (size_t i = 0; methods[i]; i++) {
            simulate(&c, text.at, methods[i]);
            const bool good = c.worst <= 0.14 && c.worst_slope <= 0.01;
            CU_ASSERT_TRUE(good);
            if (!good)
                fprintf(stderr, "\n%s is off by %g V, slopes by %g:\n%s", methods[i], c.worst, c.worst_slope, text.at);
        }
    }
}

static void rows_are_those_of_the_closed_form_with_every_method(void)
{
    static const char *const methods[] = {"auto",  "bdf",    "radau",  "rodas", "rodasp", "row2",
                                          "dae3s", "dae4sf", "trbdf2", "trap",  NULL};
    check_decks(false, methods);
}

static void unknowns_of_index_2_are_slopes_of_the_right_side(void)
{
    static const char *const methods[] = {"auto", "bdf", "radau", "rodasp", "row2", "trbdf2", "trap", NULL};
    check_decks(true, methods);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(rows_are_those_of_the_closed_form_with_every_method),
        CLAIM(unknowns_of_index_2_are_slopes_of_the_right_side),
    };
    return run_claims("analyses/coinciding_corners", claims, sizeof claims / sizeof *claims);
}
