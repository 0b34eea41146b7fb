/* distortion.c - .disto: harmonics, or intermodulation of two tones, of signals so small that a Volterra series of third
 * order holds (Wambacq and Sansen, Distortion Analysis of Analog Integrated Circuits, 1998; SPICE3).
 *
 * d/dt q + f = 0 about the operating point, x = Re(X e^(j w1 t) + Y e^(j w2 t)), A(w) = G + j w C.  With the second derivative
 * F2 of f + d/dt q applied to phasors, and the third one F3, products at a frequency drive the linear circuit there:
 *     2 w1        A X2 = -1/4 F2(X, X)
 *     3 w1        A X3 = -1/24 F3(X, X, X) - 1/2 F2(X, X2)
 *     w1 + w2     A S  = -1/2 F2(X, Y)
 *     w1 - w2     A D  = -1/2 F2(X, Y*)
 *     2 w1 - w2   A T  = -1/8 F3(X, X, Y*) - 1/2 F2(X2, Y*) - 1/2 F2(D, X)
 * F2(X, .) is the change of G and C along X, F3(X, X, .) the second one, and X = a + j b gives
 * F2(X, .) = F2(a, .) + j F2(b, .),  F3(X, X, .) = F3(a, a, .) - F3(b, b, .) + j (F3(a+b, a+b, .) - F3(a, a, .) - F3(b, b, .)).
 */
#include "analyses/analysis.h"
#include "analyses/small_signal/frequencies.h"
#include "analyses/small_signal/taylor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SECOND_HARMONIC, THIRD_HARMONIC, SUM = 0, DIFFERENCE, THIRD_ORDER, PRODUCTS };

/* Along one complex direction: matrices that apply to phasors. */
struct change {
    double complex *G, *C; /* [entries + 1] */
};

struct distortion {
    struct setup *setup;
    const struct distortion_request *request;
    struct arena *arena;
    struct linear linear;
    struct taylor along[3];
    struct change first, second, other; /* F2(X, .), F3(X, X, .), F2(Y, .) */
    double complex *excitation[2];      /* [n] of the tones */
    double complex *X, *Y, *X2;         /* [n] */
    double *u;                          /* [n] */
    double w1, w2;                      /* 1/s */
    size_t count;
    double *frequency;                /* [count] Hz */
    double complex *result[PRODUCTS]; /* [count][n] */
};

static size_t count(const struct circuit *c)
{
    return c->distortion_count;
}

static bool is_of_two(const struct distortion *d)
{
    return d->request->ratio > 0;
}

static size_t products(const struct distortion *d)
{
    return is_of_two(d) ? PRODUCTS : 2;
}

/* ---- before the sweep ---- */

static bool allocate_change(struct change *c, struct arena *a, size_t entries)
{
    c->G = arena_array(a, entries, sizeof *c->G);
    c->C = arena_array(a, entries, sizeof *c->C);
    return c->G && c->C;
}

static bool allocate(struct distortion *d)
{
    const size_t n = (size_t)d->linear.n + 1, entries = (size_t)mna_dae(d->setup->mna)->pattern->entries + 1;
    bool good = true;
    d->count = frequencies_count(&d->request->sweep);
    double complex **const vectors[] = {&d->excitation[0], &d->excitation[1], &d->X, &d->Y, &d->X2, NULL};
    for (int k = 0; vectors[k]; k++)
        good = good && (*vectors[k] = arena_array(d->arena, n, sizeof(double complex)));
    for (size_t k = 0; k < products(d); k++)
        good = good && (d->result[k] = arena_array(d->arena, d->count * n, sizeof(double complex)));
    for (int k = 0; k < 3; k++)
        good = good && taylor_init(&d->along[k], &d->linear, d->arena);
    return good && allocate_change(&d->first, d->arena, entries) && allocate_change(&d->second, d->arena, entries) &&
           allocate_change(&d->other, d->arena, entries) &&
           arena_vectors(d->arena, n, (double **const[]){&d->u, NULL}) &&
           arena_vectors(d->arena, d->count, (double **const[]){&d->frequency, NULL});
}

static void excite(struct distortion *d, int tone)
{
    const struct circuit *c = d->setup->circuit;
    bool any = false;
    for (size_t i = 0; i < c->element_count; i++) {
        const struct tone *t = &c->elements[i].source.tones[tone];
        if (t->magnitude == 0)
            continue;
        any = true;
        mna_excite(d->setup->mna, (int)i, phasor_of(t->magnitude, t->phase), d->excitation[tone]);
    }
    if (!any)
        diagnostics_add(
            d->setup->diagnostics, KN_NOTE, "no-tone", d->request->sweep.where,
            diagnostics_hint(d->setup->diagnostics, "give a source a magnitude: V1 in 0 DC 0 DISTOF%d 0.01", tone + 1),
            "no source has a DISTOF%d, so that all products are 0", tone + 1);
}

static enum kn_status prepare(struct distortion *d, struct analysis_summary *summary)
{
    enum kn_status status = linear_init(&d->linear, d->setup, summary);
    if (status == KN_OK)
        status = linear_alternate(&d->linear);
    if (status != KN_OK)
        return status;
    if (!allocate(d))
        return KN_ERROR_MEMORY;
    excite(d, 0);
    if (is_of_two(d))
        excite(d, 1);
    return KN_OK;
}

/* ---- changes along a phasor ---- */

enum part { REAL, IMAGINARY, BOTH };

static enum kn_status look(struct distortion *d, enum part part, const double complex *X)
{
    for (int i = 0; i < d->linear.n; i++)
        d->u[i] = part == REAL ? creal(X[i]) : part == IMAGINARY ? cimag(X[i]) : creal(X[i]) + cimag(X[i]);
    return taylor_along(&d->along[part], &d->linear, d->u);
}

static int entries_of(const struct distortion *d)
{
    return mna_dae(d->setup->mna)->pattern->entries;
}

/* F2(X, .) */
static enum kn_status first_change(struct distortion *d, const double complex *X, struct change *out)
{
    const struct taylor *a = &d->along[REAL], *b = &d->along[IMAGINARY];
    enum kn_status status = look(d, REAL, X);
    if (status == KN_OK)
        status = look(d, IMAGINARY, X);
    for (int k = 0; k < entries_of(d); k++) {
        out->G[k] = CMPLX(a->G1[k], b->G1[k]);
        out->C[k] = CMPLX(a->C1[k], b->C1[k]);
    }
    return status;
}

/* F3(X, X, .), behind first_change of the same X. */
static enum kn_status second_change(struct distortion *d, const double complex *X, struct change *out)
{
    const struct taylor *a = &d->along[REAL], *b = &d->along[IMAGINARY], *ab = &d->along[BOTH];
    const enum kn_status status = look(d, BOTH, X);
    for (int k = 0; k < entries_of(d); k++) {
        out->G[k] = CMPLX(a->G2[k] - b->G2[k], ab->G2[k] - a->G2[k] - b->G2[k]);
        out->C[k] = CMPLX(a->C2[k] - b->C2[k], ab->C2[k] - a->C2[k] - b->C2[k]);
    }
    return status;
}

/* B -= weight (F(.., Z)) at the frequency w of the product; either may be conjugated. */
static void subtract(const struct distortion *d, double weight, const struct change *c, bool conjugate_c, double w,
                     const double complex *Z, bool conjugate_z, double complex *B)
{
    const struct sparse_pattern *p = mna_dae(d->setup->mna)->pattern;
    for (int j = 0; j < p->n; j++) {
        const double complex z = weight * (conjugate_z ? conj(Z[j]) : Z[j]);
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            const double complex G = conjugate_c ? conj(c->G[k]) : c->G[k], C = conjugate_c ? conj(c->C[k]) : c->C[k];
            B[p->row[k]] -= (G + CMPLX(0, w) * C) * z;
        }
    }
}

/* ---- products ---- */

static enum kn_status solve(struct distortion *d, double w, double complex *B)
{
    const enum kn_status status = linear_factor(&d->linear, w / (2 * acos(-1)));
    if (status == KN_OK)
        linear_solve(&d->linear, B);
    return status;
}

static enum kn_status respond(struct distortion *d, int tone, double w, double complex *X)
{
    memcpy(X, d->excitation[tone], (size_t)d->linear.n * sizeof *X);
    return solve(d, w, X);
}

/* 1/4 F2(X, X) at 2 w1 */
static enum kn_status second_harmonic(struct distortion *d, double complex *X2)
{
    subtract(d, 0.25, &d->first, false, 2 * d->w1, d->X, false, X2);
    return solve(d, 2 * d->w1, X2);
}

static enum kn_status harmonics(struct distortion *d, size_t number)
{
    const size_t n = (size_t)d->linear.n;
    double complex *X2 = d->result[SECOND_HARMONIC] + number * n, *X3 = d->result[THIRD_HARMONIC] + number * n;
    const enum kn_status status = second_harmonic(d, X2);
    if (status != KN_OK)
        return status;
    subtract(d, 1.0 / 24, &d->second, false, 3 * d->w1, d->X, false, X3);
    subtract(d, 0.5, &d->first, false, 3 * d->w1, X2, false, X3);
    return solve(d, 3 * d->w1, X3);
}

static enum kn_status intermodulation(struct distortion *d, size_t number)
{
    const size_t n = (size_t)d->linear.n;
    const double plus = d->w1 + d->w2, minus = d->w1 - d->w2, third = 2 * d->w1 - d->w2;
    double complex *S = d->result[SUM] + number * n, *D = d->result[DIFFERENCE] + number * n;
    double complex *T = d->result[THIRD_ORDER] + number * n;
    memset(d->X2, 0, n * sizeof *d->X2);
    enum kn_status status = respond(d, 1, d->w2, d->Y);
    if (status == KN_OK)
        status = second_harmonic(d, d->X2);
    if (status != KN_OK)
        return status;
    subtract(d, 0.5, &d->first, false, plus, d->Y, false, S);
    subtract(d, 0.5, &d->first, false, minus, d->Y, true, D);
    status = solve(d, plus, S);
    if (status == KN_OK)
        status = solve(d, minus, D);
    if (status == KN_OK)
        status = first_change(d, d->Y, &d->other);
    if (status != KN_OK)
        return status;
    subtract(d, 0.125, &d->second, false, third, d->Y, true, T);
    subtract(d, 0.5, &d->other, true, third, d->X2, false, T);
    subtract(d, 0.5, &d->first, false, third, D, false, T);
    return solve(d, third, T);
}

static enum kn_status visit(void *context, size_t number, double frequency)
{
    struct distortion *d = context;
    if (number == 0)
        d->w2 = 2 * acos(-1) * frequency * d->request->ratio;
    d->frequency[number] = frequency;
    d->w1 = 2 * acos(-1) * frequency;
    enum kn_status status = respond(d, 0, d->w1, d->X);
    if (status == KN_OK)
        status = first_change(d, d->X, &d->first);
    if (status == KN_OK)
        status = second_change(d, d->X, &d->second);
    if (status != KN_OK)
        return status;
    return is_of_two(d) ? intermodulation(d, number) : harmonics(d, number);
}

/* ---- tables ---- */

static enum kn_status write_product(const struct distortion *d, size_t product, struct kn_sink *sink)
{
    static const char *const names[2][PRODUCTS] = {
        {"DISTORTION - 2nd harmonic", "DISTORTION - 3rd harmonic", NULL},
        {"DISTORTION - IM: f1+f2", "DISTORTION - IM: f1-f2", "DISTORTION - IM: 2f1-f2"}};
    const size_t n = (size_t)d->linear.n, columns = 1 + 2 * n;
    struct kn_column *list = arena_array(d->arena, columns, sizeof *list);
    double *row = arena_array(d->arena, columns, sizeof *row);
    if (!list || !row)
        return KN_ERROR_MEMORY;
    list[0] = (struct kn_column){"frequency", KN_FREQUENCY};
    for (size_t i = 0; i < n; i++) {
        const struct unknown *u = mna_unknown(d->setup->mna, (int)i);
        list[1 + 2 * i] = (struct kn_column){u->name, u->kind == UNKNOWN_VOLTAGE ? KN_VOLTAGE : KN_CURRENT};
        list[2 + 2 * i] = (struct kn_column){u->name, KN_IMAGINARY};
    }
    const struct kn_table table = {.title = d->setup->circuit->title,
                                   .plot = names[is_of_two(d)][product],
                                   .columns = list,
                                   .column_count = columns,
                                   .sweeps = 1};
    enum kn_status status = sink->begin(sink->context, &table);
    if (status != KN_OK)
        return status;
    for (size_t k = 0; k < d->count && status == KN_OK; k++) {
        row[0] = d->frequency[k];
        for (size_t i = 0; i < n; i++) {
            row[1 + 2 * i] = creal(d->result[product][k * n + i]);
            row[2 + 2 * i] = cimag(d->result[product][k * n + i]);
        }
        status = sink->row(sink->context, row);
    }
    const enum kn_status ended = sink->end(sink->context, status);
    return status == KN_OK ? ended : status;
}

static enum kn_status run(struct setup *s, size_t number, struct kn_sink *sink, struct analysis_summary *summary)
{
    struct distortion d = {.setup = s, .request = &s->circuit->distortions[number], .arena = arena_new()};
    enum kn_status status = d.arena ? prepare(&d, summary) : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = frequencies_walk(s, &d.request->sweep, visit, &d);
    for (size_t k = 0; status == KN_OK && k < products(&d); k++)
        status = write_product(&d, k, sink);
    summary->rows = status == KN_OK ? (long)d.count : 0;
    linear_end(&d.linear, summary);
    arena_free(d.arena);
    return status;
}

const struct analysis analysis_distortion = {
    .card = ".disto",
    .doc = "harmonics of small signals, or intermodulation of two, over the frequency",
    .count = count,
    .run = run,
};
