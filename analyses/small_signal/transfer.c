/* transfer.c - .tf: small-signal transfer, input and output resistance at the operating point, all by the factors of G.
 *
 * The output resistance of a current is that in its loop, seen from a source in series.  Where the current is an unknown, the source
 * stands in that unknown's own equation.  Otherwise 1 V in series with the conductance y of an element is, for the rest, a current y
 * against its arrow; y flows in the element besides what the rest answers to that.
 */
#include "analyses/analysis.h"
#include "analyses/small_signal/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parts of a derivative of a current, from differences that are good for 3e-13 of the terms (mna/small_signal.c). */
static const double KNOWN = 1e-9;

struct port {
    int plus, minus; /* unknowns of a voltage; -1 is ground */
    int current;     /* unknown of a voltage source's current, or -1: a current source, or nothing */
};

/* A current that is no unknown. */
struct lead {
    const struct linear *linear;
    int element;
    double *workspace;      /* [4 n] */
    double complex *X, *no; /* [n] what excites it, and 0, the rates */
};

static size_t count(const struct circuit *c)
{
    return c->transfer_count;
}

static double across(const struct port *p, const double complex *X)
{
    return creal((p->plus >= 0 ? X[p->plus] : 0) - (p->minus >= 0 ? X[p->minus] : 0));
}

static struct port port_of_element(const struct setup *s, int element)
{
    const struct element *e = &s->circuit->elements[element];
    return (struct port){mna_node_unknown(s->mna, e->nodes[0]), mna_node_unknown(s->mna, e->nodes[1]),
                         mna_current_unknown(s->mna, element)};
}

static struct port output_port(const struct setup *s, const struct request *r)
{
    if (r->kind == REQUEST_CURRENT)
        return port_of_element(s, r->element);
    return (struct port){mna_node_unknown(s->mna, r->plus), mna_node_unknown(s->mna, r->minus), -1};
}

/* X for 1 V of a voltage source, or 1 A from minus through the circuit's outside to plus. */
static void drive(const struct linear *l, const struct port *p, double complex *X)
{
    memset(X, 0, (size_t)l->n * sizeof *X);
    if (p->current >= 0) {
        X[p->current] = 1;
    } else {
        if (p->plus >= 0)
            X[p->plus] += 1;
        if (p->minus >= 0)
            X[p->minus] -= 1;
    }
    linear_solve(l, X);
}

/* Into the plus terminal of the circuit while it is driven there: the source's own current flows the other way. */
static double resistance(const struct port *p, const double complex *X)
{
    if (p->current < 0)
        return across(p, X);
    return X[p->current] != 0 ? -1 / creal(X[p->current]) : INFINITY;
}

/* ---- currents that are no unknowns ---- */

/* For the voltages and currents X. */
static double lead_current(const struct lead *of, const double complex *X)
{
    const struct setup *s = of->linear->setup;
    const struct mna_small_point from = {s->operating, 0};
    return creal(mna_small_current(s->mna, (struct mna_terminal){of->element, 0}, from, X, of->no, of->workspace));
}

static double lead_slope(const struct lead *of, int unknown)
{
    if (unknown < 0)
        return 0;
    of->X[unknown] = 1;
    const double slope = lead_current(of, of->X);
    of->X[unknown] = 0;
    return slope;
}

/* Others than the first two, of heat, are ground where the card does not name them. */
static bool has_two_nodes(const struct element *e)
{
    size_t count = e->node_count;
    while (count > 2 && e->nodes[count - 1] == 0)
        count--;
    return count == 2;
}

/* The unknown of the element alone that the current depends on, behind a series resistance or a state; -1: none, -2: several. */
static int inner_unknown(const struct lead *of)
{
    const struct mna *m = of->linear->setup->mna;
    int found = -1;
    for (int i = 0; i < of->linear->n; i++) {
        const struct unknown *u = mna_unknown(m, i);
        if (u->element && u->element->number == of->element && lead_slope(of, i) != 0)
            found = found == -1 ? i : -2;
    }
    return found;
}

/* Which end a node inside stands in for: one from which the current does not depend, else ground. */
static int *replaced_end(struct port *ends, const double slopes[2])
{
    if ((ends->plus >= 0 && slopes[0] == 0) || (ends->plus < 0 && slopes[1] != 0))
        return &ends->plus;
    return &ends->minus;
}

/* The ends of y: nodes of the card, or a node inside in place of one.  False: there are no two, or others count as well. */
static bool find_ends(const struct lead *of, struct port *ends, double *y)
{
    const struct setup *s = of->linear->setup;
    const int inner = inner_unknown(of);
    *ends = port_of_element(s, of->element);
    if (!has_two_nodes(&s->circuit->elements[of->element]) || ends->plus == ends->minus || inner < -1)
        return false;
    const double slopes[] = {lead_slope(of, ends->plus), lead_slope(of, ends->minus)};
    if (inner >= 0)
        *replaced_end(ends, slopes) = inner;
    const double in = lead_slope(of, ends->plus), out = lead_slope(of, ends->minus);
    *y = ends->plus >= 0 ? in : -out;
    return ends->plus < 0 || ends->minus < 0 || fabs(in + out) <= KNOWN * fabs(*y);
}

static bool is_curved(const struct lead *of)
{
    const struct element *e = &of->linear->setup->circuit->elements[of->element];
    return e->model || e->expression;
}

/* NaN where a source in series is not a matter of two ends. */
static double lead_resistance(const struct lead *of, double complex *X)
{
    struct port ends;
    double y;
    if (!find_ends(of, &ends, &y))
        return NAN;
    drive(of->linear, &ends, X);
    const double all = y * (1 - lead_current(of, X));
    if (is_curved(of) && fabs(all) * MNA_SPICE.reltol < KNOWN * fabs(y)) /* lost in what the derivative is known to */
        return NAN;
    return all != 0 ? 1 / all : INFINITY;
}

/* ---- the three numbers ---- */

static double output_of(const struct lead *lead, const struct transfer *t, const struct port *out,
                        const double complex *X)
{
    if (out->current >= 0)
        return creal(X[out->current]);
    if (lead->element < 0)
        return across(out, X);
    const double own = lead->element == t->source ? -1 : 0; /* 1 A against the arrow of a current source */
    return own + lead_current(lead, X);
}

static void find_numbers(const struct lead *lead, const struct transfer *t, double complex *X, double numbers[3])
{
    const struct linear *l = lead->linear;
    const struct setup *s = l->setup;
    const struct port in = port_of_element(s, t->source), out = output_port(s, &t->output);
    drive(l, &in, X);
    /* A current source drives from its first node to the second: against `drive`. */
    const double sign = in.current >= 0 ? 1 : -1;
    numbers[0] = sign * output_of(lead, t, &out, X);
    numbers[1] = resistance(&in, X);
    if (lead->element >= 0) {
        numbers[2] = lead_resistance(lead, X);
        return;
    }
    drive(l, &out, X);
    numbers[2] = resistance(&out, X);
}

static bool lead_init(struct lead *lead, const struct linear *l, const struct transfer *t, struct arena *a)
{
    const size_t n = (size_t)l->n + 1;
    const struct request *r = &t->output;
    const bool is_lead = r->kind == REQUEST_CURRENT && mna_current_unknown(l->setup->mna, r->element) < 0;
    *lead = (struct lead){.linear = l,
                          .element = is_lead ? r->element : -1,
                          .workspace = arena_array(a, 4 * n, sizeof *lead->workspace),
                          .X = arena_array(a, n, sizeof *lead->X),
                          .no = arena_array(a, n, sizeof *lead->no)};
    return lead->workspace && lead->X && lead->no;
}

static void warn_of_loop(const struct setup *s, const struct transfer *t)
{
    diagnostics_add(s->diagnostics, KN_WARNING, "unknown-resistance", t->where,
                    "put a voltage source of 0 V in series and ask for its current",
                    "'.tf': the output resistance at %s is not known: the current is not that of a conductance "
                    "between two nodes, or of one so large that its loop does not show beside it",
                    t->output.label);
}

static enum kn_status write_numbers(const struct linear *l, const struct transfer *t, struct arena *a,
                                    struct kn_sink *sink)
{
    const struct setup *s = l->setup;
    double complex *X = arena_array(a, (size_t)l->n + 1, sizeof *X);
    const struct kn_column columns[] = {
        {"transfer_function", KN_OTHER},
        {arena_format(a, "%s#input_impedance", s->circuit->elements[t->source].name), KN_OTHER},
        {arena_format(a, "output_impedance_at_%s", t->output.label), KN_OTHER}};
    double numbers[3];
    struct lead lead;
    if (!X || !columns[1].name || !columns[2].name || !lead_init(&lead, l, t, a))
        return KN_ERROR_MEMORY;
    find_numbers(&lead, t, X, numbers);
    if (isnan(numbers[2]))
        warn_of_loop(s, t);
    return analysis_one_row(s, "Transfer Function", columns, 3, numbers, sink);
}

static enum kn_status run(struct setup *s, size_t number, struct kn_sink *sink, struct analysis_summary *summary)
{
    struct linear l = {0};
    struct arena *a = arena_new();
    enum kn_status status = a ? linear_init(&l, s, summary) : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = linear_factor(&l, 0);
    if (status == KN_OK)
        status = write_numbers(&l, &s->circuit->transfers[number], a, sink);
    summary->rows = status == KN_OK;
    linear_end(&l, summary);
    arena_free(a);
    return status;
}

const struct analysis analysis_transfer = {
    .card = ".tf",
    .doc = "transfer, input and output resistance at the operating point: .tf v(out) source",
    .count = count,
    .run = run,
};
