/* .options ggl from the deck to the rows: hidden constraints hold to rounding, closed forms, what is said. */
#include "claims.h"
#include "knoten.h"
#include "run_text.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 8 };
static const double OMEGA = 2e3 * 3.14159265358979323846;

struct run {
    enum kn_status status;
    struct kn_diagnostics *diagnostics;
    size_t columns;
    double last[COLUMNS]; /* time first */
    double current_error; /* A: largest deviation of the second column from what V and C ask for */
    long rows;
};

static enum kn_status begin(void *context, const struct kn_table *table)
{
    struct run *run = context;
    run->columns = table->column_count;
    return table->column_count <= COLUMNS ? KN_OK : KN_ERROR_ARGUMENT;
}

/* Of `loop`: i(V1) = -C V' - V/R at every row. */
static enum kn_status row(void *context, const double *values)
{
    struct run *run = context;
    memcpy(run->last, values, run->columns * sizeof *values);
    const double t = values[0], wanted = -1e-6 * OMEGA * cos(OMEGA * t) - sin(OMEGA * t) / 1e3;
    run->current_error = fmax(run->current_error, fabs(values[1] - wanted));
    run->rows++;
    return KN_OK;
}

static enum kn_status finish(void *context, enum kn_status status)
{
    (void)context;
    return status;
}

static struct run run_deck(const char *text, const char *method)
{
    struct run run = {.diagnostics = kn_diagnostics_new()};
    struct kn_sink sink = {.begin = begin, .row = row, .end = finish, .context = &run};
    const struct kn_options options = {.method = method};
    run.status = run_text(text, &options, run.diagnostics, &sink, NULL);
    return run;
}

static const struct kn_diagnostic *said(const struct run *run, const char *code)
{
    for (size_t i = 0; i < kn_diagnostics_count(run->diagnostics); i++)
        if (strcmp(kn_diagnostics_get(run->diagnostics, i)->code, code) == 0)
            return kn_diagnostics_get(run->diagnostics, i);
    return NULL;
}

/* Largest relative residual that .options hidden reports. */
static double residual(const struct run *run)
{
    double largest = 0;
    for (size_t i = 0; i < kn_diagnostics_count(run->diagnostics); i++) {
        const struct kn_diagnostic *d = kn_diagnostics_get(run->diagnostics, i);
        const char *within = strcmp(d->code, "hidden-constraint") == 0 ? strstr(d->text, "within ") : NULL;
        if (within)
            largest = fmax(largest, strtod(within + strlen("within "), NULL));
    }
    return largest;
}

/* Methods that take no time derivatives of the equations. */
static const char *const methods[] = {"bdf",   "gear",   "trap", "euler",  "trbdf2",
                                      "radau", "radau5", "auto", "gauss2", "gauss4"};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* ---- claims ---- */

#define LOOP_AND_CUTSET(options)                                                                                       \
    "loop and cutset\nV1 1 0 SIN(0 1 1k)\nC1 1 2 1u\nC2 2 0 2u\nR1 2 0 1k\nI1 0 3 SIN(0 1m 1k)\nL1 3 4 1m\n"           \
    "R2 4 0 100\n.options hidden " options "\n.save i(v1) v(3)\n.tran 10u 2m\n.end\n"

static void hidden_constraints_hold_to_rounding(void)
{
    for (int i = 0; i < METHODS; i++) {
        struct run without = run_deck(LOOP_AND_CUTSET(""), methods[i]);
        struct run with = run_deck(LOOP_AND_CUTSET("ggl=1"), methods[i]);
        printf("%s: %.1e without, %.1e with, %ld and %ld rows\n", methods[i], residual(&without), residual(&with),
               without.rows, with.rows);
        CU_ASSERT(without.status == KN_OK && with.status == KN_OK);
        CU_ASSERT(residual(&without) > 1e-6);
        CU_ASSERT(residual(&with) < 1e-12);
        CU_ASSERT_PTR_NOT_NULL(said(&with, "ggl"));
        kn_diagnostics_free(without.diagnostics);
        kn_diagnostics_free(with.diagnostics);
    }
}

/* With a pulse elsewhere the run restarts at its corners. */
static void currents_of_loops_keep_their_closed_form_across_corners(void)
{
    static const char loop[] = "loop\nV1 1 0 SIN(0 1 1k)\nC1 1 0 1u\nR1 1 0 1k\n.options ggl\n.save i(v1)\n"
                               "V2 2 0 PULSE(0 1 0.1m 0.1m 0.1m 0.3m)\nR2 2 0 1k\n.tran 10u 1m\n.end\n";
    for (int i = 0; i < METHODS; i++) {
        const struct run run = run_deck(loop, methods[i]);
        CU_ASSERT(run.status == KN_OK && run.rows > 20);
        /* Rows between points are interpolated; those are within the tolerance only. */
        CHECK_NEAR(run.current_error, 0, 1e-3 * 7e-3);
        kn_diagnostics_free(run.diagnostics);
    }
}

/* Rodriguez' example 3.0.8, linear with coefficients that depend on time: x3 is the current of B3. */
#define RODRIGUEZ(options)                                                                                             \
    "Rodriguez 3.0.8\n.param lam=5 eta=-5\nC1 1 0 1 ic=1\nC2 2 0 1 ic=-1\nB1 1 0 I=lam*V(1)-V(2)-I(B3)\n"              \
    "B2 2 0 I=(eta*time*(1-eta*time)-eta)*V(1)+lam*V(2)-(eta*time+1)*I(B3)\nB3 2 0 V=(eta*time-1)*V(1)\n"              \
    ".options reltol=1e-5 " options "\n.save v(1) v(2) i(b3)\n.tran 10m 2 uic\n.end\n"

static void coefficients_may_depend_on_time(void)
{
    static const char *const some[] = {"bdf", "gear", "trbdf2", "radau"};
    for (int i = 0; i < 4; i++) {
        const struct run run = run_deck(RODRIGUEZ("ggl"), some[i]);
        const double x1 = exp(-10.0), grown = 1 + 5 * 2;
        CU_ASSERT(run.status == KN_OK);
        CU_ASSERT_PTR_NOT_NULL(said(&run, "ggl"));
        CHECK_NEAR(run.last[1], x1, 30e-5);
        CHECK_NEAR(run.last[2], -grown * x1, 30e-5);
        CHECK_NEAR(run.last[3], grown * run.last[1], 1e-9);
        kn_diagnostics_free(run.diagnostics);
    }
}

static void expect_ignored(const char *text, enum kn_severity severity, const char *code, const char *word)
{
    const struct run run = run_deck(text, "bdf");
    const struct kn_diagnostic *d = said(&run, code);
    CU_ASSERT_EQUAL(run.status, KN_OK);
    CU_ASSERT(d && d->severity == severity && strstr(d->text, word) && d->where.line > 0);
    kn_diagnostics_free(run.diagnostics);
}

static void what_cannot_be_stated_is_said(void)
{
    expect_ignored("diode\n.model d D\nV1 1 0 SIN(0 1 1k)\nC1 1 0 1u\nD1 1 0 d\n.options ggl\n.tran 10u 0.1m\n.end\n",
                   KN_WARNING, "ggl-ignored", "nonlinear");
    expect_ignored("line\nV1 1 0 SIN(0 1 1k)\nC1 1 0 1u\nT1 1 0 2 0 Z0=50 TD=10u\nR1 2 0 75\n.options ggl\n"
                   ".tran 10u 0.1m\n.end\n",
                   KN_WARNING, "ggl-ignored", "lines");
    expect_ignored("index 3\nV1 a 0 SIN(0 1 1k)\nC1 a 0 1u\nF1 0 n V1 1\nL1 n 0 1m\n.options ggl\n.tran 10u 0.1m\n"
                   ".end\n",
                   KN_WARNING, "ggl-ignored", "index");
    expect_ignored("index 1\nV1 1 0 SIN(0 1 1k)\nR1 1 2 1k\nC1 2 0 1u\n.options ggl\n.tran 10u 0.1m\n.end\n", KN_NOTE,
                   "ggl", "no hidden constraints");
}

static void methods_that_need_time_derivatives_are_refused_by_name(void)
{
    const struct run run = run_deck(LOOP_AND_CUTSET("ggl"), "rodas");
    const struct kn_diagnostic *d = said(&run, "method-unsuitable");
    CU_ASSERT(run.status != KN_OK);
    CU_ASSERT(d && strstr(d->text, "rodas") && d->hint && strstr(d->hint, "bdf"));
    kn_diagnostics_free(run.diagnostics);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(hidden_constraints_hold_to_rounding),
        CLAIM(currents_of_loops_keep_their_closed_form_across_corners),
        CLAIM(coefficients_may_depend_on_time),
        CLAIM(what_cannot_be_stated_is_said),
        CLAIM(methods_that_need_time_derivatives_are_refused_by_name),
    };
    return run_claims("stabilise", claims, sizeof claims / sizeof claims[0]);
}
