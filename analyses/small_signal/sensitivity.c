/* sensitivity.c - .sens: how much an output changes with each value of the circuit, at the operating point or over the
 * frequency.
 *
 * Of f(x, p) = 0 and an output e^T x: G^T y = e once, then dS/dp = -y^T df/dp for every p (Director and Rohrer, IEEE Trans.
 * Circuit Theory 16 (1969) 318).  Of A X = B with A = G + j w C:  dS/dp = y^T (dB/dp - (dA/dp) X), A^T y = e, where A depends
 * on p directly and, in a nonlinear circuit, through the operating point, which moves by x' = -G^-1 df/dp.
 */
#include "analyses/analysis.h"
#include "analyses/small_signal/derivative.h"
#include "analyses/small_signal/frequencies.h"
#include "analyses/small_signal/linear.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sensitivity {
    struct setup *setup;
    const struct sensitivity_request *request;
    struct arena *arena;
    struct linear linear;
    struct values values;
    struct derivative derivative;
    double complex *unit;       /* [n] e */
    double complex *excitation; /* [n] B */
    size_t frequencies;         /* 1 at the operating point */
    double *frequency;          /* [frequencies] Hz */
    double complex *X, *Y;      /* [frequencies][n] */
    size_t *shown;              /* [count] values that have a sensitivity */
    size_t count;
    double complex *result;    /* [values][frequencies], of those shown */
    double *x, *G, *C;         /* [n], [entries + 1] beside the operating point */
    double *moved_G, *moved_C; /* [entries + 1] their derivative along x' */
    double complex *direct;    /* [frequencies] a result as if the operating point stayed */
    double complex *slope;     /* [n] x' */
};

static size_t count(const struct circuit *c)
{
    return c->sensitivity_count;
}

static const struct analysis_card *sweep(const struct circuit *c, size_t number)
{
    return c->sensitivities[number].sweep.outer;
}

/* ---- solutions ---- */

static bool is_over_frequencies(const struct sensitivity *s)
{
    return s->request->over_frequencies;
}

static bool allocate(struct sensitivity *s)
{
    const size_t n = (size_t)s->linear.n + 1, entries = (size_t)mna_dae(s->setup->mna)->pattern->entries + 1;
    s->frequencies = is_over_frequencies(s) ? frequencies_count(&s->request->sweep) : 1;
    s->unit = arena_array(s->arena, n, sizeof *s->unit);
    s->excitation = arena_array(s->arena, n, sizeof *s->excitation);
    s->slope = arena_array(s->arena, n, sizeof *s->slope);
    s->X = arena_array(s->arena, s->frequencies * n, sizeof *s->X);
    s->Y = arena_array(s->arena, s->frequencies * n, sizeof *s->Y);
    s->direct = arena_array(s->arena, s->frequencies + 1, sizeof *s->direct);
    s->shown = arena_array(s->arena, s->values.count + 1, sizeof *s->shown);
    s->result = arena_array(s->arena, s->values.count * s->frequencies + 1, sizeof *s->result);
    return s->unit && s->excitation && s->slope && s->X && s->Y && s->direct && s->shown && s->result &&
           arena_vectors(s->arena, s->frequencies, (double **const[]){&s->frequency, NULL}) &&
           arena_vectors(s->arena, n, (double **const[]){&s->x, NULL}) &&
           arena_vectors(s->arena, entries, (double **const[]){&s->G, &s->C, &s->moved_G, &s->moved_C, NULL});
}

/* 1/s */
static double fastest(const struct sensitivity_request *r)
{
    double most = r->over_frequencies ? r->sweep.stop : 0;
    for (size_t i = 0; r->over_frequencies && r->sweep.scale == FREQUENCY_LIST && i < (size_t)r->sweep.points; i++)
        most = fmax(most, r->sweep.list[i]);
    return 2 * acos(-1) * most;
}

/* All values are results, so that one which is not there is missed by its name only. */
static void warn_of_strangers(const struct sensitivity *s)
{
    const struct sensitivity_request *r = s->request;
    for (size_t i = 0; i < r->asked_count; i++)
        if (!values_can_have(s->setup->circuit, r->asked[i]))
            diagnostics_add(
                s->setup->diagnostics, KN_WARNING, "no-such-value", r->sweep.where,
                "names are r1, q1:area and, of models, qn:bf; elements of subcircuits have their path, x1.r1",
                "'.sens': there is no '%s'; it is left out", r->asked[i]);
}

static enum kn_status prepare(struct sensitivity *s, struct analysis_summary *summary)
{
    const struct circuit *c = s->setup->circuit;
    enum kn_status status = linear_init(&s->linear, s->setup, summary);
    if (status == KN_OK)
        status = values_find(&s->values, c, is_over_frequencies(s), s->request->asked, s->request->asked_count);
    if (status == KN_OK)
        status = derivative_init(&s->derivative, s->setup->mna, s->setup->operating, fastest(s->request));
    if (status != KN_OK)
        return status;
    if (!allocate(s))
        return KN_ERROR_MEMORY;
    warn_of_strangers(s);
    linear_output(&s->linear, &s->request->output, s->unit);
    for (size_t i = 0; i < c->element_count; i++)
        if (c->elements[i].source.ac_magnitude != 0)
            mna_excite(s->setup->mna, (int)i, source_phasor(&c->elements[i].source), s->excitation);
    return KN_OK;
}

static enum kn_status visit(void *context, size_t number, double frequency)
{
    struct sensitivity *s = context;
    const size_t n = (size_t)s->linear.n;
    double complex *X = s->X + number * n, *Y = s->Y + number * n;
    s->frequency[number] = frequency;
    memcpy(X, s->excitation, n * sizeof *X);
    memcpy(Y, s->unit, n * sizeof *Y);
    const enum kn_status status = linear_factor(&s->linear, frequency);
    if (status != KN_OK)
        return status;
    linear_solve(&s->linear, X);
    linear_solve_transposed(&s->linear, Y);
    return KN_OK;
}

/* ---- one value ---- */

static double complex dot(const double complex *y, const double complex *b, int n)
{
    double complex sum = 0;
    for (int i = 0; i < n; i++)
        sum += y[i] * b[i];
    return sum;
}

/* Of a source's phasor: X is linear in it. */
static void of_excitation(struct sensitivity *s, const struct value *v, double complex *result)
{
    const struct source *source = &s->setup->circuit->elements[v->element].source;
    const double degree = acos(-1) / 180;
    const double complex by = v->kind == VALUE_AC ? cexp(_Complex_I * degree * source->ac_phase)
                                                  : _Complex_I * degree * source_phasor(source);
    memset(s->slope, 0, (size_t)s->linear.n * sizeof *s->slope);
    mna_excite(s->setup->mna, v->element, by, s->slope);
    for (size_t k = 0; k < s->frequencies; k++)
        result[k] = dot(s->Y + k * (size_t)s->linear.n, s->slope, s->linear.n);
}

/* V: by how much the operating point is moved at most to differentiate G and C along x', first, and then an eighth of it:
 * where the two differ by more of the result, a device bends within the move, and another eighth is tried. */
static const double MOVE = 2.5e-3, ENOUGH = 1e-6, ROUNDING = 100 * DBL_EPSILON;
enum { MOVES = 5 };

/* G and C beside the operating point, by / most of the direction x' (slope) away, summed up to their derivatives. */
static enum kn_status move_matrices(struct sensitivity *s, double by, double most)
{
    const struct dae *dae = mna_dae(s->setup->mna);
    const size_t bytes = ((size_t)dae->pattern->entries + 1) * sizeof *s->G;
    memset(s->moved_G, 0, bytes);
    memset(s->moved_C, 0, bytes);
    for (int k = 0; k < DERIVATIVE_POINTS; k++) {
        struct dae_values values = {.G = s->G, .C = s->C};
        for (int i = 0; i < s->linear.n; i++)
            s->x[i] = s->setup->operating[i] + derivative_step[k] * by / most * creal(s->slope[i]);
        const enum kn_status status =
            dae->eval(dae->problem, SETUP_OPERATING_TIME, s->x, DAE_G | DAE_C | DAE_AFRESH, &values);
        if (status != KN_OK)
            return status;
        for (int e = 0; e < dae->pattern->entries; e++) {
            s->moved_G[e] += derivative_weight[k] * most / by * s->G[e];
            s->moved_C[e] += derivative_weight[k] * most / by * s->C[e];
        }
    }
    return KN_OK;
}

/* *size: of what it is a difference of. */
static double complex moved_form(const struct sensitivity *s, double w, const double complex *y,
                                 const double complex *x, double *size)
{
    const struct sparse_pattern *p = mna_dae(s->setup->mna)->pattern;
    double complex sum = 0;
    *size = 0;
    for (int j = 0; j < p->n; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            if (s->moved_G[k] == 0 && s->moved_C[k] == 0)
                continue;
            const double complex by = y[p->row[k]] * x[j];
            sum += CMPLX(s->moved_G[k], w * s->moved_C[k]) * by;
            *size += cabs(CMPLX(s->G[k], w * s->C[k]) * by);
        }
    return sum;
}

/* The result with what the operating point does, in place of the one before; how far they are apart, as a part of it,
 * beyond rounding. */
static double add_moved(const struct sensitivity *s, double scale, double complex *result)
{
    double worst = 0, most = 0, size;
    for (size_t k = 0; k < s->frequencies; k++) {
        const size_t at = k * (size_t)s->linear.n;
        const double complex before = result[k];
        result[k] = s->direct[k] - moved_form(s, 2 * acos(-1) * s->frequency[k], s->Y + at, s->X + at, &size);
        worst = fmax(worst, cabs(result[k] - before) - ROUNDING * scale * size);
        most = fmax(most, cabs(result[k]));
    }
    return worst > 0 ? worst / most : 0;
}

/* The operating point moves less and less, until no bend lies on its way. */
static enum kn_status move(struct sensitivity *s, double complex *result)
{
    double most = 0, by = MOVE, doubt = INFINITY;
    for (int i = 0; i < s->linear.n; i++)
        most = fmax(most, fabs(creal(s->slope[i])));
    if (most == 0)
        return KN_OK;
    memcpy(s->direct, result, s->frequencies * sizeof *result);
    for (int i = 0; i < MOVES && doubt > ENOUGH; i++, by /= 8) {
        const enum kn_status status = move_matrices(s, by, most);
        if (status != KN_OK)
            return status;
        const double differs = add_moved(s, most / by, result);
        doubt = i == 0 ? INFINITY : differs;
    }
    s->derivative.doubt = fmax(s->derivative.doubt, doubt);
    return KN_OK;
}

/* The factors are those of G. */
static enum kn_status of_matrices(struct sensitivity *s, double complex *result)
{
    for (size_t k = 0; k < s->frequencies; k++) {
        const size_t at = k * (size_t)s->linear.n;
        result[k] = -derivative_form(&s->derivative, 2 * acos(-1) * s->frequency[k], s->Y + at, s->X + at);
    }
    if (mna_dae(s->setup->mna)->linear)
        return KN_OK;
    for (int i = 0; i < s->linear.n; i++)
        s->slope[i] = -s->derivative.f[i];
    linear_solve(&s->linear, s->slope);
    return move(s, result);
}

static void of_operating_point(const struct sensitivity *s, double complex *result)
{
    double sum = 0;
    for (int i = 0; i < s->linear.n; i++)
        sum -= creal(s->Y[i]) * s->derivative.f[i];
    *result = sum;
}

/* Whether a whole of the value makes a difference that a result shows. */
static bool matters(const struct sensitivity *s, const struct value *v, const double complex *result)
{
    const size_t n = (size_t)s->linear.n;
    double most = 0, output = 0;
    for (size_t k = 0; k < s->frequencies; k++) {
        double complex sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += s->unit[i] * (is_over_frequencies(s) ? s->X[k * n + i] : s->setup->operating[i]);
        most = fmax(most, cabs(v->number * result[k]));
        output = fmax(output, cabs(sum));
    }
    return most > 1e-9 * output + 1e-12; /* V or A */
}

/* Where even small steps disagree, as at a bend. */
static void note_doubt(const struct sensitivity *s, const struct value *v, const double complex *result)
{
    if (s->derivative.doubt > 1e-3 && matters(s, v, result))
        diagnostics_add(
            s->setup->diagnostics, KN_WARNING, "uncertain", s->request->sweep.where,
            "compare runs with other values: .step",
            "'.sens': what depends on %s bends so sharply at %g that its sensitivity is uncertain (by about "
            "%.1g of it)",
            v->name, v->number, s->derivative.doubt);
}

static enum kn_status find_one(struct sensitivity *s, size_t number)
{
    const struct value *v = &s->values.list[number];
    double complex *result = s->result + s->count * s->frequencies;
    bool there = true, any = v->given;
    enum kn_status status = KN_OK;
    memset(result, 0, s->frequencies * sizeof *result);
    if (v->kind == VALUE_AC || v->kind == VALUE_AC_PHASE) {
        of_excitation(s, v, result);
    } else {
        status = derivative_of(&s->derivative, v, &there);
        if (status == KN_OK && there && is_over_frequencies(s))
            status = of_matrices(s, result);
        else if (status == KN_OK && there)
            of_operating_point(s, result);
        if (status == KN_OK && there)
            note_doubt(s, v, result);
    }
    for (size_t k = 0; k < s->frequencies; k++)
        any |= result[k] != 0;
    if (there && any)
        s->shown[s->count++] = number;
    return status;
}

static enum kn_status find_all(struct sensitivity *s)
{
    enum kn_status status = KN_OK;
    if (is_over_frequencies(s) && !mna_dae(s->setup->mna)->linear)
        status = linear_factor(&s->linear, 0);
    for (size_t i = 0; i < s->values.count && status == KN_OK; i++)
        status = setup_is_stopped(s->setup) ? KN_INTERRUPTED : find_one(s, i);
    return status;
}

/* ---- tables ---- */

/* dS/dp, or for each percent of p. */
static double complex shown_result(const struct sensitivity *s, size_t i, size_t frequency, bool normalised)
{
    const double part = normalised ? s->values.list[s->shown[i]].number / 100 : 1;
    return part * s->result[i * s->frequencies + frequency];
}

static struct kn_column *columns_of(const struct sensitivity *s, size_t *columns)
{
    const bool ac = is_over_frequencies(s);
    *columns = ac ? 2 * s->count + 1 : s->count;
    struct kn_column *list = arena_array(s->arena, *columns + 1, sizeof *list), *next = list;
    if (list && ac)
        *next++ = (struct kn_column){"frequency", KN_FREQUENCY};
    for (size_t i = 0; list && i < s->count; i++) {
        const char *name = s->values.list[s->shown[i]].name;
        *next++ = (struct kn_column){name, KN_OTHER};
        if (ac)
            *next++ = (struct kn_column){name, KN_IMAGINARY};
    }
    return list;
}

static enum kn_status write_rows(const struct sensitivity *s, bool normalised, double *row, struct kn_sink *sink)
{
    enum kn_status status = KN_OK;
    for (size_t k = 0; k < s->frequencies && status == KN_OK; k++) {
        double *to = row;
        if (is_over_frequencies(s))
            *to++ = s->frequency[k];
        for (size_t i = 0; i < s->count; i++) {
            const double complex z = shown_result(s, i, k, normalised);
            *to++ = creal(z);
            if (is_over_frequencies(s))
                *to++ = cimag(z);
        }
        status = sink->row(sink->context, row);
    }
    return status;
}

static enum kn_status write_table(const struct sensitivity *s, bool normalised, struct kn_sink *sink)
{
    size_t columns;
    const struct kn_column *list = columns_of(s, &columns);
    double *row = arena_array(s->arena, columns + 1, sizeof *row);
    if (!list || !row)
        return KN_ERROR_MEMORY;
    const struct kn_table table = {.title = s->setup->circuit->title,
                                   .plot = normalised ? "Sensitivity Analysis, per percent" : "Sensitivity Analysis",
                                   .columns = list,
                                   .column_count = columns,
                                   .sweeps = is_over_frequencies(s)};
    enum kn_status status = sink->begin(sink->context, &table);
    if (status != KN_OK)
        return status;
    status = write_rows(s, normalised, row, sink);
    const enum kn_status ended = sink->end(sink->context, status);
    return status == KN_OK ? ended : status;
}

static enum kn_status find(struct sensitivity *s, struct analysis_summary *summary)
{
    enum kn_status status = prepare(s, summary);
    if (status == KN_OK && is_over_frequencies(s)) {
        status = linear_alternate(&s->linear);
        status = status == KN_OK ? frequencies_walk(s->setup, &s->request->sweep, visit, s) : status;
        status = status == KN_OK ? linear_direct(&s->linear) : status;
    } else if (status == KN_OK) {
        status = visit(s, 0, 0);
    }
    return status == KN_OK ? find_all(s) : status;
}

static enum kn_status run(struct setup *setup, size_t number, struct kn_sink *sink, struct analysis_summary *summary)
{
    struct sensitivity s = {.setup = setup, .request = &setup->circuit->sensitivities[number], .arena = arena_new()};
    enum kn_status status = s.arena ? find(&s, summary) : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = write_table(&s, false, sink);
    if (status == KN_OK)
        status = write_table(&s, true, sink);
    summary->rows = status == KN_OK ? (long)s.frequencies : 0;
    derivative_free(&s.derivative);
    values_free(&s.values);
    linear_end(&s.linear, summary);
    arena_free(s.arena);
    return status;
}

const struct analysis analysis_sensitivity = SWEPT_ANALYSIS(
    ".sens", "how an output changes with each value of the circuit: .sens v(out) [ac dec points from to]");
