/* Transients that wait for the program around them, and sources whose values come from there.  Expected values are closed
 * forms of RC and CV circuits. */
#include "claims.h"
#include "knoten.h"

#include <math.h>
#include <string.h>

static const char *const methods[] = {"bdf", "radau", "rodasp", "trap", "auto"};
enum { METHODS = sizeof methods / sizeof *methods };

/* RC = 0.1 ms */
static const char low_pass[] = "RC\n"
                               "V1 a 0 external\n"
                               "R1 a b 1k\n"
                               "C1 b 0 100n\n"
                               ".tran 10u 1m\n";
static const double RC = 1e-4;

struct stand {
    struct kn_diagnostics *d;
    struct kn_circuit *c;
    struct kn_transient *t;
};

static struct stand open_deck(const char *deck, const struct kn_options *o, struct kn_sink *sink)
{
    struct stand s = {.d = kn_diagnostics_new()};
    CU_ASSERT_EQUAL_FATAL(kn_circuit_read_text("test.cir", deck, strlen(deck), s.d, &s.c), KN_OK);
    CU_ASSERT_EQUAL(kn_transient_begin(s.c, NULL, o, s.d, sink, &s.t), KN_OK);
    return s;
}

static enum kn_status close_deck(struct stand *s)
{
    const enum kn_status status = kn_transient_end(s->t, NULL);
    kn_circuit_free(s->c);
    kn_diagnostics_free(s->d);
    return status;
}

static double value(struct stand *s, const char *vector)
{
    double v = NAN;
    CU_ASSERT_EQUAL(kn_transient_read(s->t, vector, &v), KN_OK);
    return v;
}

static bool said(const struct kn_diagnostics *d, const char *code, const char *text)
{
    for (size_t i = 0; i < kn_diagnostics_count(d); i++)
        if (strcmp(kn_diagnostics_get(d, i)->code, code) == 0 && strstr(kn_diagnostics_get(d, i)->text, text))
            return true;
    return false;
}

/* ---- sources that are set ---- */

/* v follows u with the time constant RC: v(t + h) = u + (v(t) - u) e^(-h/RC). */
static void sources_jump_where_the_run_waits(void)
{
    static const double levels[] = {1, -2, 0.5, 5, 5, 0};
    for (int m = 0; m < METHODS; m++) {
        struct stand s = open_deck(low_pass, &(struct kn_options){.method = methods[m], .reltol = 1e-6}, NULL);
        double expected = 0;
        CHECK_NEAR(value(&s, "v(b)"), 0, 1e-12);
        for (int k = 0; k < 6; k++) {
            const double h = (k + 1) * 0.3e-4, to = kn_transient_time(s.t) + h;
            CU_ASSERT_EQUAL(kn_transient_set(s.t, "V1", levels[k]), KN_OK);
            CU_ASSERT_EQUAL(kn_transient_advance(s.t, to), KN_OK);
            CU_ASSERT_EQUAL(kn_transient_time(s.t), to);
            expected = levels[k] + (expected - levels[k]) * exp(-h / RC);
            CHECK_NEAR(value(&s, "v(b)"), expected, 1e-5);
            CHECK_NEAR(value(&s, "v(a,b)"), levels[k] - expected, 1e-5);
            CHECK_NEAR(value(&s, "i(c1)"), (levels[k] - expected) / 1e3, 1e-7);
        }
        CU_ASSERT_EQUAL(close_deck(&s), KN_INTERRUPTED);
    }
}

static void sources_are_found_without_regard_to_case_in_instances_too(void)
{
    struct stand s =
        open_deck("t\n.subckt cell p\nIin 0 p external\nR1 p 0 2\n.ends\nX1 q cell\n.tran 1u 1m\n", NULL, NULL);
    CU_ASSERT_EQUAL(kn_transient_set(s.t, "X1.IIN", 3), KN_OK);
    CU_ASSERT_EQUAL(kn_transient_advance(s.t, 1e-4), KN_OK);
    CHECK_NEAR(value(&s, "v(q)"), 6, 1e-9);
    CU_ASSERT_EQUAL(kn_transient_advance(s.t, INFINITY), KN_OK);
    CU_ASSERT_EQUAL(kn_transient_time(s.t), 1e-3);
    CU_ASSERT_EQUAL(close_deck(&s), KN_OK);
}

/* Where nothing jumps, the run goes on as if it had not waited: no restart, the same number of steps within the cuts. */
static void waiting_alone_does_not_restart_the_method(void)
{
    static const char deck[] = "LC\nV1 a 0 sin(0 1 1k)\nR1 a b 100\nC1 b 0 1u\n.tran 10u 10m\n";
    struct kn_summary waited, whole;
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct kn_circuit *c;
    struct kn_transient *t;
    CU_ASSERT_EQUAL_FATAL(kn_circuit_read_text("test.cir", deck, strlen(deck), d, &c), KN_OK);
    for (int k = 0; k < 2; k++) {
        CU_ASSERT_EQUAL(kn_transient_begin(c, NULL, &(struct kn_options){.method = "bdf"}, d, NULL, &t), KN_OK);
        for (int i = 1; k == 0 && i < 20; i++)
            CU_ASSERT_EQUAL(kn_transient_advance(t, i * 0.5e-3), KN_OK);
        CU_ASSERT_EQUAL(kn_transient_advance(t, 1), KN_OK);
        CU_ASSERT_EQUAL(kn_transient_end(t, k == 0 ? &waited : &whole), KN_OK);
    }
    CU_ASSERT(waited.steps_accepted <= whole.steps_accepted + 3 * 20);
    kn_circuit_free(c);
    kn_diagnostics_free(d);
}

/* ---- a partner ---- */

struct partner {
    double jump; /* s */
    long refused, steps, calls;
    double longest; /* s */
    double last, last_step;
    bool lost;
    struct kn_transient *t;
};

static bool sine(void *context, const char *name, double time, double *v, double *rate)
{
    struct partner *p = context;
    (void)name, (void)rate;
    p->calls++;
    *v = sin(2e4 * time);
    return !p->lost || time < 0.5e-3;
}

/* The answer of RC to sin(wt) from rest. */
static double sine_answer(double t)
{
    const double w = 2e4, a = w * RC;
    return (sin(w * t) - a * cos(w * t) + a * exp(-t / RC)) / (1 + a * a);
}

static bool jump(void *context, const char *name, double time, double *v, double *rate)
{
    (void)name, (void)rate;
    *v = time < ((struct partner *)context)->jump ? 0 : 1;
    return true;
}

static double next_jump(void *context, double time)
{
    const struct partner *p = context;
    return time < p->jump ? p->jump : INFINITY;
}

static bool every_tenth_is_refused(void *context, double time, double step, double *again)
{
    struct partner *p = context;
    if (p->t) /* the end of the step can be read */
        CHECK_NEAR(kn_transient_time(p->t), time + step, 1e-15);
    if (p->last == time && p->last_step > 0)
        CU_ASSERT(step <= 0.26 * p->last_step);
    p->last = time;
    p->last_step = ++p->steps % 10 == 0 ? step : 0;
    p->refused += p->last_step > 0;
    *again = 0.25 * step;
    return !(p->last_step > 0);
}

static double at_most(void *context, double time, double step)
{
    const struct partner *p = context;
    (void)time;
    return fmin(step, p->longest);
}

static void a_function_of_the_caller_is_a_source_like_any_other(void)
{
    for (int m = 0; m < METHODS; m++) {
        struct partner p = {0};
        const struct kn_partner partner = {.context = &p, .source = sine};
        struct stand s =
            open_deck(low_pass, &(struct kn_options){.method = methods[m], .reltol = 1e-6, .partner = &partner}, NULL);
        for (int i = 1; i <= 10; i++) {
            CU_ASSERT_EQUAL(kn_transient_advance(s.t, i * 1e-4), KN_OK);
            CHECK_NEAR(value(&s, "v(b)"), sine_answer(kn_transient_time(s.t)), 5e-6);
        }
        CU_ASSERT(p.calls > 0);
        CU_ASSERT_EQUAL(close_deck(&s), KN_OK);
    }
}

static void breakpoints_from_outside_are_met(void)
{
    for (int m = 0; m < METHODS; m++)
        for (int told = 0; told < 2; told++) {
            struct partner p = {.jump = 0.3333e-3};
            const struct kn_partner partner = {.context = &p, .source = jump, .breakpoint = told ? NULL : next_jump};
            struct stand s = open_deck(
                low_pass, &(struct kn_options){.method = methods[m], .reltol = 1e-6, .partner = &partner}, NULL);
            if (told)
                CU_ASSERT_EQUAL(kn_transient_breakpoint(s.t, p.jump), KN_OK);
            CU_ASSERT_EQUAL(kn_transient_advance(s.t, 0.4e-3), KN_OK);
            CHECK_NEAR(value(&s, "v(b)"), 1 - exp(-(0.4e-3 - p.jump) / RC), 3e-6);
            CU_ASSERT_EQUAL(close_deck(&s), KN_INTERRUPTED);
        }
}

static void refused_steps_are_made_again_shorter(void)
{
    for (int m = 0; m < METHODS; m++) {
        struct partner p = {0};
        const struct kn_partner partner = {.context = &p, .source = sine, .agrees = every_tenth_is_refused};
        struct stand s =
            open_deck(low_pass, &(struct kn_options){.method = methods[m], .reltol = 1e-5, .partner = &partner}, NULL);
        p.t = s.t;
        CU_ASSERT_EQUAL(kn_transient_advance(s.t, 1e-3), KN_OK);
        CHECK_NEAR(value(&s, "v(b)"), sine_answer(1e-3), 5e-5);
        CU_ASSERT(p.refused > 2);
        CU_ASSERT_EQUAL(close_deck(&s), KN_OK);
    }
}

static bool never(void *context, double time, double step, double *again)
{
    (void)context, (void)time, (void)step, (void)again;
    return false;
}

static void who_refuses_all_steps_is_told_so(void)
{
    const struct kn_partner partner = {.agrees = never};
    struct stand s = open_deck(low_pass, &(struct kn_options){.partner = &partner}, NULL);
    CU_ASSERT_EQUAL(kn_transient_advance(s.t, 1e-3), KN_ERROR_CONVERGENCE);
    CU_ASSERT(said(s.d, "step-refused", "was refused"));
    CU_ASSERT_EQUAL(close_deck(&s), KN_ERROR_CONVERGENCE);
}

static void note_longest(void *context, const struct kn_attempt *a)
{
    struct partner *p = context;
    p->last_step = fmax(p->last_step, a->step);
    p->steps++;
}

static void steps_are_as_short_as_the_partner_wants(void)
{
    struct partner p = {.longest = 3e-6};
    const struct kn_partner partner = {.context = &p, .source = sine, .shorten = at_most};
    struct stand s =
        open_deck(low_pass, &(struct kn_options){.partner = &partner, .attempted = note_longest, .context = &p}, NULL);
    CU_ASSERT_EQUAL(kn_transient_advance(s.t, 1e-3), KN_OK);
    CU_ASSERT(p.last_step <= 3e-6 * (1 + 1e-12));
    CU_ASSERT(p.steps >= 333);
    CU_ASSERT_EQUAL(close_deck(&s), KN_OK);
}

static void who_has_no_value_any_more_ends_the_run(void)
{
    struct partner p = {.lost = true};
    const struct kn_partner partner = {.context = &p, .source = sine};
    struct stand s = open_deck(low_pass, &(struct kn_options){.partner = &partner}, NULL);
    CU_ASSERT_EQUAL(kn_transient_advance(s.t, 1e-3), KN_INTERRUPTED);
    CU_ASSERT_EQUAL(kn_transient_advance(s.t, 2e-3), KN_INTERRUPTED);
    CU_ASSERT_EQUAL(close_deck(&s), KN_INTERRUPTED);
}

/* ---- index 2: the current through a capacitor at the source is C dv/dt ---- */

static bool parabola(void *context, const char *name, double time, double *v, double *rate)
{
    (void)name;
    *v = 1 + 2e3 * time + 5e6 * time * time;
    if (context)
        *rate = 2e3 + 1e7 * time;
    return true;
}

static void slopes_of_the_caller_s_functions_count(void)
{
    static const char deck[] = "CV loop\nV1 a 0 external\nC1 a 0 1u\nR1 a 0 1k\n.tran 1u 1m\n";
    for (int known = 0; known < 2; known++)
        for (int m = 0; m < METHODS; m++) {
            const struct kn_partner partner = {.context = known ? &known : NULL, .source = parabola};
            struct stand s =
                open_deck(deck, &(struct kn_options){.method = methods[m], .reltol = 1e-5, .partner = &partner}, NULL);
            for (int i = 1; i < 5; i++) {
                const double t = i * 2e-4, v = 1 + 2e3 * t + 5e6 * t * t;
                CU_ASSERT_EQUAL(kn_transient_advance(s.t, t), KN_OK);
                CHECK_NEAR(value(&s, "i(v1)"), -(1e-6 * (2e3 + 1e7 * t) + v / 1e3), 2e-5);
            }
            CU_ASSERT_EQUAL(close_deck(&s), KN_INTERRUPTED);
        }
}

/* ---- reading ---- */

static void whatever_save_names_can_be_read(void)
{
    struct stand s = open_deck(
        "t\nV1 a 0 2\nR1 a b 1k\nR2 b 0 3k\nM1 a b 0 0 n\n.model n nmos(vto=1 kp=1m)\n.tran 1u 1m\n", NULL, NULL);
    for (int k = 0; k < 2; k++) {
        CHECK_NEAR(value(&s, "v(b)"), 1.5, 1e-9);
        CHECK_NEAR(value(&s, "i(r2)"), 0.5e-3, 1e-12);
        CHECK_NEAR(value(&s, "@m1[gm]"), 1e-3 * 0.5, 1e-9);
        CHECK_NEAR(value(&s, "v(a)*i(r1)"), 2 * 0.5e-3, 1e-12);
        CU_ASSERT_EQUAL(kn_transient_advance(s.t, 0.5e-3), KN_OK);
    }
    double v;
    CU_ASSERT_EQUAL(kn_transient_read(s.t, "v(nowhere)", &v), KN_ERROR_ARGUMENT);
    CU_ASSERT(isnan(v) && said(s.d, "argument", "no vector 'v(nowhere)'"));
    CU_ASSERT_EQUAL(kn_transient_set(s.t, "v1", 1), KN_ERROR_ARGUMENT);
    CU_ASSERT(said(s.d, "argument", "no source 'v1'"));
    CU_ASSERT_EQUAL(kn_transient_advance(s.t, 1e-3), KN_OK);
    CU_ASSERT_EQUAL(close_deck(&s), KN_OK);
}

static void a_card_takes_the_place_of_the_deck_s(void)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct kn_circuit *c;
    struct kn_transient *t;
    CU_ASSERT_EQUAL_FATAL(kn_circuit_read_text("test.cir", low_pass, strlen(low_pass), d, &c), KN_OK);
    CU_ASSERT_EQUAL(kn_transient_begin(c, "tran 1u 7m", NULL, d, NULL, &t), KN_OK);
    CU_ASSERT_EQUAL(kn_transient_stop(t), 7e-3);
    CU_ASSERT_EQUAL(kn_transient_end(t, NULL), KN_INTERRUPTED);
    CU_ASSERT_EQUAL(kn_transient_begin(c, "tran", NULL, d, NULL, &t), KN_ERROR_DECK);
    CU_ASSERT(isnan(kn_transient_time(t)) && isnan(kn_transient_stop(t)));
    CU_ASSERT_EQUAL(kn_transient_end(t, NULL), KN_ERROR_DECK);
    CU_ASSERT_EQUAL(kn_transient_begin(c, "op", NULL, d, NULL, &t), KN_ERROR_ARGUMENT);
    CU_ASSERT_EQUAL(kn_transient_end(t, NULL), KN_ERROR_ARGUMENT);
    CU_ASSERT_EQUAL(kn_transient_end(NULL, NULL), KN_OK);
    kn_circuit_free(c);
    kn_diagnostics_free(d);
}

static void values_from_outside_that_nobody_gives_are_an_error(void)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct kn_circuit *c;
    CU_ASSERT_EQUAL_FATAL(kn_circuit_read_text("test.cir", low_pass, strlen(low_pass), d, &c), KN_OK);
    struct kn_sink nowhere = {0};
    CU_ASSERT_EQUAL(kn_run(c, NULL, d, &nowhere, NULL), KN_ERROR_DECK);
    CU_ASSERT(said(d, "external", "V1"));
    kn_circuit_free(c);
    kn_diagnostics_free(d);
}

/* ---- rows and measurements are those of a run ---- */

struct rows {
    double values[4000];
    size_t columns, count;
    double measured;
};

static enum kn_status rows_begin(void *context, const struct kn_table *table)
{
    ((struct rows *)context)->columns = table->column_count;
    return KN_OK;
}

static enum kn_status rows_take(void *context, const double *values)
{
    struct rows *r = context;
    for (size_t i = 0; i < r->columns && r->count < 4000; i++)
        r->values[r->count++] = values[i];
    return KN_OK;
}

static enum kn_status rows_end(void *context, enum kn_status outcome)
{
    (void)context;
    return outcome;
}

static void rows_measure(void *context, const struct kn_measurement *m)
{
    ((struct rows *)context)->measured = m->value;
}

static void one_that_never_waits_has_the_rows_of_a_run(void)
{
    static const char deck[] = "t\nV1 a 0 pulse(0 1 10u 1u 1u 50u 100u)\nR1 a b 1k\nC1 b 0 20n\nD1 b 0 d\n.model d d\n"
                               ".tran 1u 0.3m\n.measure tran top max v(b)\n";
    static struct rows run, waited;
    run = waited = (struct rows){.measured = NAN};
    struct kn_sink sink = {&run, rows_begin, rows_take, rows_end};
    struct kn_options o = {.measured = rows_measure, .context = &run};
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct kn_circuit *c;
    CU_ASSERT_EQUAL_FATAL(kn_circuit_read_text("test.cir", deck, strlen(deck), d, &c), KN_OK);
    CU_ASSERT_EQUAL(kn_run(c, &o, d, &sink, NULL), KN_OK);
    kn_circuit_free(c);
    kn_diagnostics_free(d);
    sink.context = o.context = &waited;
    struct stand s = open_deck(deck, &o, &sink);
    while (kn_transient_time(s.t) < kn_transient_stop(s.t))
        CU_ASSERT_EQUAL_FATAL(kn_transient_step(s.t), KN_OK);
    CU_ASSERT_EQUAL(close_deck(&s), KN_OK);
    CU_ASSERT(run.count > 100 && run.count < 4000 && run.measured > 0.4);
    CU_ASSERT_EQUAL(waited.count, run.count);
    CU_ASSERT_EQUAL(memcmp(waited.values, run.values, run.count * sizeof *run.values), 0);
    CU_ASSERT_EQUAL(waited.measured, run.measured);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(sources_jump_where_the_run_waits),
        CLAIM(sources_are_found_without_regard_to_case_in_instances_too),
        CLAIM(waiting_alone_does_not_restart_the_method),
        CLAIM(a_function_of_the_caller_is_a_source_like_any_other),
        CLAIM(breakpoints_from_outside_are_met),
        CLAIM(refused_steps_are_made_again_shorter),
        CLAIM(who_refuses_all_steps_is_told_so),
        CLAIM(steps_are_as_short_as_the_partner_wants),
        CLAIM(who_has_no_value_any_more_ends_the_run),
        CLAIM(slopes_of_the_caller_s_functions_count),
        CLAIM(whatever_save_names_can_be_read),
        CLAIM(a_card_takes_the_place_of_the_deck_s),
        CLAIM(values_from_outside_that_nobody_gives_are_an_error),
        CLAIM(one_that_never_waits_has_the_rows_of_a_run),
    };
    return run_claims("waiting transient", claims, sizeof claims / sizeof *claims);
}
