/* check_near.c - elements whose values keep the equations from a higher index by no more than rounding or tolerances see.
 *
 * Of P = G + s C and an element that adds w b a^T to it the determinant is proportional to 1 + d h, h = w a^T P^-1 b, when w
 * becomes w (1 + d).  Three kinds of elements are looked for:
 *
 * - Cancellation: a gain of 1 - 1e-13 around a capacitor.  The degree of det P(s), the number of finite eigenvalues, falls
 *   where its leading coefficient vanishes.  For s far beyond all poles 1/h is the relative change of the element that
 *   would do that; where it already has vanished, h goes on growing with s.
 * - Negligible elements: 1e-15 ohm between a source and a capacitor.  At s = 1e5 / tstop, the highest that a run can
 *   show, h, or 1 - h, is less than 1e-11, a time constant shorter than rounding of the time, and no answer to any
 *   excitation changes by more than a part of 1e-9 of the largest with a short, or with nothing, in their place (Sherman
 *   and Morrison 1950).  If the
 *   index is higher then, they alone keep it low.  So do gains so high that 1 - h is as
 *   small, if the index is higher with a nullor (H. J. Carlin, IEEE Trans. CT-11, 1964) in their place.
 * - The other way round, capacitors of a C-V loop (inductors of an L-I cutset) whose currents (voltages) no tolerance sees
 *   and without which the index would be lower.
 */
#include "analyses/check/check.h"
#include "base/text.h"
#include "devices/couplings.h"
#include "devices/setup.h"
#include "mna/listing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Least relative change that counts as one. */
static const double SMALLEST_CHANGE = 1e-9;
/* Part of P^-1 that counts, and the highest frequency that a run shows, in units of 1/tstop. */
static const double NEGLIGIBLE = 1e-11, HIGHEST = 1e5;
/* Relative change of an answer that does not show. */
static const double SAME_ANSWER = 1e-9;
/* V or A, of 1 V or 1 A: answers below count as that large. */
static const double LEAST_ANSWER = 1e-3;
/* 1/s, of decks without a run or a sweep. */
static const double ANY_HIGHEST = 1e15;
/* How fast waveforms change, in units of 1/tstop, by 1 V or 1 A, and what of a tolerance is nothing. */
static const double USUAL = 1e2, UNSEEN = 0.3;
/* s is so far beyond the poles; h stays within so much if it has become constant there. */
static const double BEYOND = 1e3, CONSTANT = 3;
/* Elements that need no more than this multiple of the smallest change are named. */
static const double CULPRIT = 1.5;
enum { MOST_UNKNOWNS = 400, MOST_STAMPS = 4000, MOST_TRIALS = 24, MOST_NEAR = 12 };

/* What a value of 0 or without end is. */
struct limit {
    double value;
    const char *words;
};

static const struct limit shorted = {0, "a short"}, opened = {INFINITY, "an open circuit"},
                          nothing = {0, "none at all"}, endless = {INFINITY, "an infinite gain"};

/* What an element cannot be told from when its share h of P^-1 is next to 0 or to 1; NULL: it can. */
struct sort {
    const char *unit; /* of its value, behind a blank */
    const struct limit *unseen, *ruling;
};

static const struct sort resistor = {" ohm", &opened, &shorted}, capacitor = {" F", &nothing, NULL},
                         inductor = {" H", &shorted, NULL}, gain = {"", NULL, &endless}, coupling = {"", NULL, NULL};

/* value (e_row - e_other_row) (e_column - e_other_column)^T, times s where it is a capacitance or an inductance; unknowns
 * from 1, 0: none. */
struct stamp {
    const struct element *element;
    const struct sort *sort;
    int rows[2], columns[2];
    double value;
    bool rate;
};

struct search {
    struct index_report *report;
    const double *x;          /* [n] the point */
    double time, span;        /* s; span: of the run, 0: there is none */
    double fastest;           /* 1/s, to be seen */
    double *G, *C, *matrix;   /* [entries] */
    double *column;           /* [n] P^-1 (e_row - e_other_row) of the stamp weighed last */
    double *row, *largest[2]; /* [n]; see find_largest */
    bool knows_largest;
    struct sparse_lu *lu;
    struct stamp *stamps;
    size_t count, trials;
};

/* ---- stamps ---- */

static struct stamp of_branch(const struct branch *b)
{
    struct stamp s = {.element = b->element, .rows = {b->plus, b->minus}, .columns = {b->plus, b->minus}};
    if (b->kind == BRANCH_L)
        s = (struct stamp){.element = b->element, .rows = {b->current}, .columns = {b->current}};
    s.sort = b->kind == BRANCH_L ? &inductor : b->kind == BRANCH_C ? &capacitor : &resistor;
    s.value = b->kind == BRANCH_R ? 1 / b->constant : b->constant;
    s.rate = b->kind != BRANCH_R;
    return s;
}

static bool is_plain(const struct branch *b)
{
    const bool kind = b->kind == BRANCH_R || b->kind == BRANCH_C || (b->kind == BRANCH_L && b->current > 0);
    return kind && !b->controlled && isfinite(b->constant) && b->constant != 0 && b->element->has_value &&
           !b->element->expression;
}

static bool is_gain(const struct element *e)
{
    const bool form = e->kind->form == CARD_BY_VOLTAGE || e->kind->form == CARD_BY_CURRENT;
    return form && e->has_value && e->value != 0 && !e->expression && !e->polynomial && !e->response &&
           e->control_node_count + 2 * e->control_element_count == 2;
}

static struct stamp of_gain(const struct mna *m, const struct element *e)
{
    struct stamp s = {.element = e, .sort = &gain, .value = e->value};
    if (e->kind->law == LAW_VOLTAGE) {
        s.rows[0] = mna_current_unknown(m, e->number) + 1;
        s.value = -s.value;
    } else {
        s.rows[0] = mna_node_unknown(m, e->nodes[0]) + 1;
        s.rows[1] = mna_node_unknown(m, e->nodes[1]) + 1;
        s.value *= element_multiplicity(e);
    }
    if (e->control_element_count > 0) {
        s.columns[0] = mna_current_unknown(m, e->control_elements[0]) + 1;
    } else {
        s.columns[0] = mna_node_unknown(m, e->control_nodes[0]) + 1;
        s.columns[1] = mna_node_unknown(m, e->control_nodes[1]) + 1;
    }
    return s;
}

static const struct branch *coil(const struct branch_list *list, const struct element *e)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->branches[i].element == e && is_plain(&list->branches[i]))
            return &list->branches[i];
    return NULL;
}

/* Of two plain coils; both mutual entries count. */
static struct stamp of_coupling(const struct branch_list *list, const struct coupling *c)
{
    const struct branch *a = coil(list, c->first), *b = coil(list, c->second);
    const double mutual = c->coefficient * sqrt(fabs(a->constant * b->constant));
    return (struct stamp){.element = c->element,
                          .sort = &coupling,
                          .rows = {a->current},
                          .columns = {b->current},
                          .value = 2 * mutual,
                          .rate = true};
}

static bool collect(struct search *s)
{
    const struct index_report *r = s->report;
    const struct branch_list *list = &r->topology->list;
    s->stamps =
        arena_array(r->arena, list->count + list->coupling_count + r->circuit->element_count + 1, sizeof *s->stamps);
    if (!s->stamps)
        return false;
    for (size_t i = 0; i < list->count; i++)
        if (is_plain(&list->branches[i]))
            s->stamps[s->count++] = of_branch(&list->branches[i]);
    for (size_t i = 0; i < list->coupling_count; i++)
        if (coil(list, list->couplings[i].first) && coil(list, list->couplings[i].second))
            s->stamps[s->count++] = of_coupling(list, &list->couplings[i]);
    for (size_t i = 0; i < r->circuit->element_count; i++)
        if (is_gain(&r->circuit->elements[i]))
            s->stamps[s->count++] = of_gain(r->mna, &r->circuit->elements[i]);
    return true;
}

/* ---- h ---- */

/* P at s, factored; false where it is singular. */
static bool factor_at(struct search *f, double s)
{
    const struct sparse_pattern *p = mna_dae(f->report->mna)->pattern;
    for (int k = 0; k < p->entries; k++)
        f->matrix[k] = f->G[k] + s * f->C[k];
    return sparse_lu_factor(f->lu, f->matrix) == KN_OK;
}

/* With P factored at s. */
static double weight_of(struct search *f, const struct stamp *t, double s)
{
    memset(f->column, 0, (size_t)f->report->unknowns * sizeof *f->column);
    if (t->rows[0] > 0)
        f->column[t->rows[0] - 1] += 1;
    if (t->rows[1] > 0)
        f->column[t->rows[1] - 1] -= 1;
    sparse_lu_solve(f->lu, f->column);
    double h = 0;
    if (t->columns[0] > 0)
        h += f->column[t->columns[0] - 1];
    if (t->columns[1] > 0)
        h -= f->column[t->columns[1] - 1];
    return h * t->value * (t->rate ? s : 1);
}

/* ---- what is found ---- */

static bool add(struct index_report *r, const struct element *e, const char *text)
{
    if (!text)
        return false;
    if (r->near_count < MOST_NEAR)
        r->near[r->near_count++] = (struct report_near){e, text};
    return true;
}

/* "R1 (line 3)" */
static const char *named(const struct index_report *r, const struct element *e)
{
    struct text p = TEXT(SENTENCE);
    struct text_list list = text_list(&p, ", ", 0);
    listing_item(&list, r->circuit->file, e);
    text_list_end(&list);
    return text_keep(&p, r->arena);
}

static bool is_reported(const struct index_report *r, const struct element *e)
{
    for (size_t i = 0; i < r->near_count; i++)
        if (r->near[i].element == e)
            return true;
    return false;
}

/* ---- cancellation ---- */

/* 1/s, of the poles that are known; 0: there are none. */
static double largest_pole(const struct index_analysis *a)
{
    double largest = 0;
    for (int k = 0; k < a->pole_count; k++)
        if (!isnan(creal(a->poles[k])))
            largest = fmax(largest, cabs(a->poles[k]));
    return largest;
}

static bool say_cancellation(struct index_report *r, const struct element *e, double weight)
{
    const char *name = named(r, e);
    const char *text =
        name ? arena_format(r->arena,
                            "%s: a change of its value by a part of %.1e gives a higher index, or no unique solution",
                            name, 1 / weight)
             : NULL;
    return add(r, e, text);
}

/* weights [count], of which those remain that are large and do not grow with s any more; the largest. */
static double weigh_all(struct search *f, double *weights)
{
    const double far = BEYOND * fmax(largest_pole(f->report->numbers), 1 / fmax(f->span, 1e-9));
    double most = 0;
    if (!factor_at(f, far))
        return 0;
    for (size_t i = 0; i < f->count; i++)
        weights[i] = fabs(weight_of(f, &f->stamps[i], far));
    if (!factor_at(f, BEYOND * far))
        return 0;
    for (size_t i = 0; i < f->count; i++) {
        const bool large = weights[i] * SMALLEST_CHANGE > 1 && isfinite(weights[i]);
        if (!large || fabs(weight_of(f, &f->stamps[i], BEYOND * far)) > CONSTANT * weights[i])
            weights[i] = 0;
        most = fmax(most, weights[i]);
    }
    return most;
}

/* Those in which the smallest change does it. */
static bool find_cancellations(struct search *f)
{
    struct index_report *r = f->report;
    if (!r->numbers || r->numbers->outcome != INDEX_KNOWN || !r->numbers->poles)
        return true;
    double *weights = arena_array(r->arena, f->count + 1, sizeof *weights);
    if (!weights)
        return false;
    const double most = weigh_all(f, weights);
    for (size_t i = 0; i < f->count && most > 0; i++)
        if (CULPRIT * weights[i] >= most && !is_reported(r, f->stamps[i].element) &&
            !say_cancellation(r, f->stamps[i].element, weights[i]))
            return false;
    return true;
}

/* ---- trials ---- */

/* Values of the point for a circuit with other unknowns, by name. */
static void carry_over(const struct search *f, const struct mna *to, double *x)
{
    const struct index_report *r = f->report;
    for (int i = 0; i < mna_unknown_count(to); i++)
        for (int k = 0; k < r->unknowns; k++)
            if (strcmp(mna_unknown(to, i)->name, r->topology->unknowns[k + 1].name) == 0)
                x[i] = f->x[k];
}

/* index: stays where there is none, or it is not known. */
static enum kn_status index_of(struct search *f, const struct circuit *c, struct kn_diagnostics *d, int *index)
{
    struct mna *m = NULL;
    struct topology *t = NULL;
    struct index_analysis *a = NULL;
    const struct mna_options options = mna_options_of(c);
    enum kn_status status = mna_new(c, &options, d, &m);
    if (status == KN_OK)
        status = topology_new(m, &t);
    double *x = status == KN_OK ? calloc((size_t)mna_unknown_count(m) + 1, sizeof *x) : NULL;
    if (status == KN_OK)
        status = x ? KN_OK : KN_ERROR_MEMORY;
    if (status == KN_OK && t->verdict != TOPOLOGY_SINGULAR) {
        carry_over(f, m, x);
        status = index_analyze(m, t, &(struct index_point){f->time, x}, &(struct index_options){0}, &a);
    }
    if (status == KN_OK && a && a->outcome == INDEX_KNOWN)
        *index = a->index;
    index_free(a);
    topology_free(t);
    mna_free(m);
    free(x);
    return status;
}

/* The index with another value of an element; -1: none, or not known.  KN_ERROR_MEMORY or KN_OK. */
static enum kn_status try_value(struct search *f, const struct element *e, double value, int *index)
{
    const struct circuit *c = f->report->circuit;
    struct element *elements = malloc((c->element_count + 1) * sizeof *elements);
    struct kn_diagnostics *aside = kn_diagnostics_new();
    enum kn_status status = elements && aside ? KN_OK : KN_ERROR_MEMORY;
    *index = -1;
    if (status == KN_OK && f->trials++ < MOST_TRIALS) {
        struct circuit changed = *c;
        memcpy(elements, c->elements, c->element_count * sizeof *elements);
        elements[e->number].value = value;
        changed.elements = elements;
        status = index_of(f, &changed, aside, index);
    }
    kn_diagnostics_free(aside);
    free(elements);
    return status == KN_ERROR_MEMORY ? status : KN_OK;
}

/* The same with a nullor in place of a gain: its equation, or its current, is free (column), what controls it is 0. */
static enum kn_status try_nullor(struct search *f, const struct stamp *t, int *index)
{
    const struct index_report *r = f->report;
    const size_t n = (size_t)r->unknowns + 1;
    double *column = calloc(n, sizeof *column), *row = calloc(n, sizeof *row);
    struct index_analysis *a = NULL;
    enum kn_status status = column && row ? KN_OK : KN_ERROR_MEMORY;
    *index = -1;
    if (status == KN_OK && f->trials++ < MOST_TRIALS) {
        for (int k = 0; k < 2; k++) {
            if (t->rows[k] > 0)
                column[t->rows[k] - 1] += k ? -1 : 1;
            if (t->columns[k] > 0)
                row[t->columns[k] - 1] += k ? -1 : 1;
        }
        const struct index_border border = {column, row};
        status = index_analyze(r->mna, r->topology, &(struct index_point){f->time, f->x},
                               &(struct index_options){.borders = &border, .border_count = 1}, &a);
    }
    if (status == KN_OK && a && a->outcome == INDEX_KNOWN)
        *index = a->index;
    index_free(a);
    free(column);
    free(row);
    return status == KN_ERROR_MEMORY ? status : KN_OK;
}

/* ---- negligible elements ---- */

static const struct limit *limit_of(const struct stamp *t, double h)
{
    return fabs(1 - h) < NEGLIGIBLE ? t->sort->ruling : fabs(h) < NEGLIGIBLE ? t->sort->unseen : NULL;
}

static bool is_current(const struct index_report *r, int i)
{
    return r->topology->unknowns[i + 1].kind != UNKNOWN_VOLTAGE;
}

/* Whether the stamp itself, not its inverse, is infinite in the limit. */
static bool is_endless(const struct stamp *t, const struct limit *l)
{
    return l == t->sort->ruling;
}

/* By column, one of P^-1 each, the largest |entry| of voltages (0) and of currents (1), factored at `fastest`. */
static void find_largest(struct search *f)
{
    const struct index_report *r = f->report;
    for (int k = 0; k < r->unknowns && !f->knows_largest; k++) {
        memset(f->row, 0, (size_t)r->unknowns * sizeof *f->row);
        f->row[k] = 1;
        sparse_lu_solve(f->lu, f->row);
        for (int i = 0; i < r->unknowns; i++) {
            double *largest = &f->largest[is_current(r, i)][k];
            *largest = fmax(*largest, fabs(f->row[i]));
        }
    }
    f->knows_largest = true;
}

/* Whether the answers to any excitation stay what they are when the stamp, weighed last with h, goes to its limit: of w to
 * w' the inverse changes by (w - w') y z^T / (1 + (w' - w) h / w), y = P^-1 b, z = P^-T a. */
static bool is_unseen_in_answers(struct search *f, const struct stamp *t, double h, bool to_infinity)
{
    const struct index_report *r = f->report;
    const double w = t->value * (t->rate ? f->fastest : 1), factor = fabs(to_infinity ? w / h : w / (1 - h));
    double widest[2] = {0, 0};
    find_largest(f);
    for (int i = 0; i < r->unknowns; i++)
        widest[is_current(r, i)] = fmax(widest[is_current(r, i)], fabs(f->column[i]));
    memset(f->row, 0, (size_t)r->unknowns * sizeof *f->row);
    for (int k = 0; k < 2; k++)
        if (t->columns[k] > 0)
            f->row[t->columns[k] - 1] += k ? -1 : 1;
    sparse_lu_solve_transposed(f->lu, f->row);
    for (int k = 0; k < r->unknowns; k++)
        for (int kind = 0; kind < 2; kind++)
            if (!(factor * widest[kind] * fabs(f->row[k]) <= SAME_ANSWER * fmax(f->largest[kind][k], LEAST_ANSWER)))
                return false;
    return true;
}

static bool say_negligible(struct index_report *r, const struct stamp *t, const struct limit *l, int index)
{
    const char *name = named(r, t->element);
    const char *text = name ? arena_format(r->arena, "%s: %g%s cannot be told from %s, with which the index is %d",
                                           name, t->element->value, t->sort->unit, l->words, index)
                            : NULL;
    return add(r, t->element, text);
}

static enum kn_status find_negligible(struct search *f)
{
    struct index_report *r = f->report;
    if (!factor_at(f, f->fastest))
        return KN_OK;
    for (size_t i = 0; i < f->count && f->trials < MOST_TRIALS; i++) {
        const struct stamp *t = &f->stamps[i];
        const double h = weight_of(f, t, f->fastest);
        const struct limit *l = limit_of(t, h);
        int index = -1;
        if (!l || is_reported(r, t->element) || !is_unseen_in_answers(f, t, h, is_endless(t, l)))
            continue;
        const enum kn_status status =
            l == &endless ? try_nullor(f, t, &index) : try_value(f, t->element, l->value, &index);
        if (status != KN_OK)
            return status;
        if (index > r->index && !say_negligible(r, t, l, index))
            return KN_ERROR_MEMORY;
    }
    return KN_OK;
}

/* ---- loops and cutsets of nothing ---- */

/* A or V, of such an element while what it sees changes by 1 V or 1 A. */
static bool is_unseen(const struct search *f, const struct element *e, double tolerance)
{
    return f->span > 0 && e->has_value && !e->expression && e->value * USUAL / f->span < UNSEEN * tolerance;
}

static enum kn_status try_without(struct search *f, const struct element *e, const char *unit, const char *what)
{
    struct index_report *r = f->report;
    int index;
    const enum kn_status status = try_value(f, e, 0, &index);
    if (status != KN_OK || index < 0 || index >= r->index)
        return status;
    const char *name = named(r, e);
    const char *text = name ? arena_format(r->arena,
                                           "%s: the index is %d by its %g%s only, whose %s stays below the tolerance; "
                                           "without it the index is %d",
                                           name, r->index, e->value, unit, what, index)
                            : NULL;
    return add(r, e, text) ? KN_OK : KN_ERROR_MEMORY;
}

static bool is_of(const struct search *f, const struct element *e, const struct sort *sort)
{
    bool found = false;
    for (size_t i = 0; i < f->count && !found; i++)
        found = f->stamps[i].element == e && f->stamps[i].sort == sort;
    return found;
}

static enum kn_status find_unseen(struct search *f, const struct report_sets *sets, const struct sort *sort,
                                  double tolerance, const char *what)
{
    for (size_t i = 0; i < sets->count; i++)
        for (size_t k = 0; k < sets->sets[i].count; k++) {
            const struct element *e = sets->sets[i].elements[k];
            if (is_reported(f->report, e) || !is_unseen(f, e, tolerance) || !is_of(f, e, sort))
                continue;
            const enum kn_status status = try_without(f, e, sort->unit, what);
            if (status != KN_OK)
                return status;
        }
    return KN_OK;
}

/* ---- the whole ---- */

static double span_of(const struct circuit *c)
{
    double span = 0;
    for (size_t i = 0; i < c->transient_count; i++)
        span = span > 0 ? fmin(span, c->transients[i].stop) : c->transients[i].stop;
    return span;
}

/* 1/s, that a run or a sweep of the deck can show. */
static double fastest_of(const struct circuit *c, double span)
{
    double fastest = span > 0 ? HIGHEST / span : 0;
    for (size_t i = 0; i < c->sweep_count; i++)
        fastest = fmax(fastest, 2 * acos(-1) * c->sweeps[i].stop);
    return fastest > 0 ? fastest : ANY_HIGHEST;
}

static enum kn_status prepare(struct search *f)
{
    struct index_report *r = f->report;
    const struct dae *dae = mna_dae(r->mna);
    const size_t entries = (size_t)dae->pattern->entries + 1;
    f->span = span_of(r->circuit);
    f->fastest = fastest_of(r->circuit, f->span);
    r->near = arena_array(r->arena, MOST_NEAR, sizeof *r->near);
    double **const vectors[] = {&f->G, &f->C, &f->matrix, NULL};
    if (!r->near || !collect(f) || !arena_vectors(r->arena, entries, vectors) ||
        !arena_vectors(r->arena, (size_t)r->unknowns + 1,
                       (double **const[]){&f->column, &f->row, &f->largest[0], &f->largest[1], NULL}))
        return KN_ERROR_MEMORY;
    struct dae_values values = {.G = f->G, .C = f->C};
    const enum kn_status status = dae->eval(dae->problem, f->time, f->x, DAE_G | DAE_C, &values);
    return status == KN_OK ? sparse_lu_new(dae->pattern, &f->lu) : status;
}

enum kn_status check_near(struct index_report *r, double time, const double *x)
{
    struct search f = {.report = r, .x = x, .time = time};
    if (r->singular || r->index < 0 || r->unknowns > MOST_UNKNOWNS || r->unknowns == 0)
        return KN_OK;
    const struct mna_options o = mna_options_of(r->circuit);
    enum kn_status status = prepare(&f);
    if (status == KN_OK && f.count <= MOST_STAMPS) {
        if (!find_cancellations(&f))
            status = KN_ERROR_MEMORY;
        if (status == KN_OK)
            status = find_negligible(&f);
        if (status == KN_OK)
            status = find_unseen(&f, &r->cv_loops, &capacitor, o.abstol, "current");
        if (status == KN_OK)
            status = find_unseen(&f, &r->li_cutsets, &inductor, o.vntol, "voltage");
    }
    sparse_lu_free(f.lu);
    return status;
}
