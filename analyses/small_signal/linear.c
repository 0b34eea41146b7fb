/* linear.c - see linear.h. */
#include "analyses/small_signal/linear.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double complex phasor_of(double magnitude, double phase)
{
    const double angle = acos(-1) / 180 * phase;
    return CMPLX(magnitude * cos(angle), magnitude * sin(angle));
}

double complex source_phasor(const struct source *s)
{
    return phasor_of(s->ac_magnitude, s->ac_phase);
}

void linear_output(const struct linear *l, const struct request *output, double complex *unit)
{
    const struct mna *m = l->setup->mna;
    const bool current = output->kind == REQUEST_CURRENT;
    const int plus = current ? mna_current_unknown(m, output->element) : mna_node_unknown(m, output->plus);
    const int minus = current ? -1 : mna_node_unknown(m, output->minus);
    if (plus >= 0)
        unit[plus] += 1;
    if (minus >= 0)
        unit[minus] -= 1;
}

static bool allocate(struct linear *l, const struct sparse_pattern *p)
{
    const size_t values = (size_t)p->entries + 1;
    l->G = sparse_values(p);
    l->C = sparse_values(p);
    l->A = calloc(values, sizeof *l->A);
    l->dA = calloc(values, sizeof *l->dA);
    l->workspace = calloc((size_t)p->n + 1, sizeof *l->workspace);
    l->ahead.A = calloc(values, sizeof *l->ahead.A);
    l->ahead.Y = calloc((size_t)p->n + 1, sizeof *l->ahead.Y);
    return l->G && l->C && l->A && l->dA && l->workspace && l->ahead.A && l->ahead.Y;
}

static enum kn_status report(const struct linear *l, double frequency)
{
    const struct setup *s = l->setup;
    char around[200] = "";
    const int unknown = sparse_zlu_singular(l->lu);
    const bool known = unknown >= 0;
    if (known)
        mna_describe(s->mna, unknown, around, sizeof around);
    diagnostics_add(s->diagnostics, KN_ERROR, "singular-matrix", known ? mna_unknown_place(s->mna, unknown) : NOWHERE,
                    known ? diagnostics_hint(s->diagnostics, "look at %s", around) : NULL,
                    "the small-signal equations at %g Hz have no unique solution: nothing determines %s", frequency,
                    known ? mna_unknown(s->mna, unknown)->name : "some unknowns");
    return KN_ERROR_CIRCUIT;
}

enum kn_status linear_direct(struct linear *l)
{
    const struct dae *dae = mna_dae(l->setup->mna);
    struct dae_values values = {.G = l->G, .C = l->C};
    return dae->eval(dae->problem, SETUP_OPERATING_TIME, l->setup->operating, DAE_G | DAE_C | DAE_AFRESH, &values);
}

enum kn_status linear_init(struct linear *l, struct setup *s, struct analysis_summary *summary)
{
    *l = (struct linear){.setup = s, .ahead.frequency = NAN};
    enum kn_status status = setup_operating_point(s, summary);
    if (status != KN_OK)
        return status;
    const struct dae *dae = mna_dae(s->mna);
    l->n = dae->n;
    if (!allocate(l, dae->pattern))
        return KN_ERROR_MEMORY;
    mna_report_slopes(s->mna, SETUP_OPERATING_TIME, s->operating, s->diagnostics);
    status = linear_direct(l);
    return status == KN_OK ? sparse_zlu_new(dae->pattern, &l->lu) : status;
}

enum kn_status linear_alternate(struct linear *l)
{
    /* again: laws with hertz keep where they were evaluated last, which others may have changed */
    const enum kn_status status = linear_direct(l);
    mna_alternate(l->setup->mna, l->G);
    return status;
}

void linear_free(struct linear *l)
{
    zero_hertz_free(l->zero_hertz);
    sparse_zlu_free(l->lu);
    ARRAYS_FREE(l->G, l->C, l->A, l->dA, l->workspace, l->ahead.A, l->ahead.Y);
}

static void set_frequency(struct linear *l, double frequency, double complex *A)
{
    const int entries = mna_dae(l->setup->mna)->pattern->entries;
    const double w = 2 * acos(-1) * frequency;
    for (int k = 0; k < entries; k++) {
        A[k] = CMPLX(l->G[k], w * l->C[k]);
        l->dA[k] = CMPLX(0, l->C[k]);
    }
    mna_delay(l->setup->mna, w, A, l->dA);
}

/* 0 Hz has left something open. */
static enum kn_status complete(struct linear *l)
{
    enum kn_status status = l->zero_hertz ? KN_OK : zero_hertz_new(l->setup, l->C, &l->zero_hertz);
    if (status != KN_OK || !l->zero_hertz)
        return status == KN_OK ? KN_ERROR_CIRCUIT : status;
    zero_hertz_complete(l->zero_hertz, l->C, l->A);
    status = sparse_zlu_factor(l->lu, l->A);
    l->completed = status == KN_OK;
    return status;
}

enum kn_status linear_factor(struct linear *l, double frequency)
{
    l->completed = false;
    set_frequency(l, frequency, l->A);
    enum kn_status status = sparse_zlu_factor(l->lu, l->A);
    if (status == KN_ERROR_CIRCUIT && frequency == 0)
        status = complete(l);
    return status == KN_ERROR_CIRCUIT ? report(l, frequency) : status;
}

/* Both frequencies at once. */
static bool look_ahead(struct linear *l, double frequency, double next, double complex *Y)
{
    if (!isfinite(next))
        return false;
    const double complex *const values[SPARSE_LANES] = {l->A, l->ahead.A};
    double complex *const b[SPARSE_LANES] = {Y, l->ahead.Y};
    set_frequency(l, next, l->ahead.A);
    set_frequency(l, frequency, l->A);
    memcpy(l->ahead.Y, Y, (size_t)l->n * sizeof *Y);
    if (!sparse_zlu_lanes_transposed(l->lu, values, b))
        return false;
    l->ahead.frequency = next;
    return true;
}

enum kn_status linear_adjoint(struct linear *l, double frequency, double next, double complex *Y)
{
    if (frequency == l->ahead.frequency) {
        memcpy(Y, l->ahead.Y, (size_t)l->n * sizeof *Y);
        l->ahead.frequency = NAN;
        return KN_OK;
    }
    if (look_ahead(l, frequency, next, Y))
        return KN_OK;
    set_frequency(l, frequency, l->A);
    enum kn_status status = sparse_zlu_next_transposed(l->lu, l->A, Y, l->workspace);
    if (status != KN_ERROR_CIRCUIT)
        return status;
    status = linear_factor(l, frequency);
    if (status == KN_OK)
        linear_solve_transposed(l, Y);
    return status;
}

/* Named once: what drives it does so in every solution. */
static void warn_of_growth(const struct linear *l, int unknown)
{
    struct kn_diagnostics *d = l->setup->diagnostics;
    char around[200];
    mna_describe(l->setup->mna, unknown, around, sizeof around);
    diagnostics_add(d, KN_WARNING, "infinite-response", mna_unknown_place(l->setup->mna, unknown),
                    diagnostics_hint(d, "a resistance there gives it a value; look at %s", around),
                    "%s has no limit as the frequency falls to 0 Hz: it is infinite there",
                    mna_unknown(l->setup->mna, unknown)->name);
}

static void solve_limit(const struct linear *l, bool transposed, double complex *B)
{
    const int infinite = zero_hertz_solve(l->zero_hertz, l->lu, l->C, transposed, B);
    if (infinite >= 0 && zero_hertz_is_news(l->zero_hertz))
        warn_of_growth(l, infinite);
}

void linear_solve(const struct linear *l, double complex *B)
{
    if (l->completed)
        solve_limit(l, false, B);
    else
        sparse_zlu_solve(l->lu, B);
}

void linear_solve_transposed(const struct linear *l, double complex *B)
{
    if (l->completed)
        solve_limit(l, true, B);
    else
        sparse_zlu_solve_transposed(l->lu, B);
}

void linear_slope(const struct linear *l, const double complex *X, double complex *B)
{
    const struct sparse_pattern *p = mna_dae(l->setup->mna)->pattern;
    memset(B, 0, (size_t)l->n * sizeof *B);
    for (int j = 0; j < p->n; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++)
            B[p->row[k]] -= l->dA[k] * X[j];
}

void linear_end(struct linear *l, struct analysis_summary *summary)
{
    const struct sparse_statistics *s = l->lu ? sparse_zlu_statistics(l->lu) : NULL;
    if (s)
        summary->operating.factorizations += s->factorizations + s->refactorizations;
    linear_free(l);
}
