/* explain_inherent.c - the constraints that derivatives bring to light, the inherent ordinary differential equation, and the
 * formulas of all other unknowns (mna/equations/inherent.h), with the numbers of the deck put in.
 */
#include "analyses/explain/explain_parts.h"

#include "mna/equations/inherent.h"
#include "mna/index/index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 6, MOST_SOLVED = 30 };

/* ---- terms ---- */

struct terms {
    struct explanation *x;
    const char **at;
    size_t count;
};

/* "- 2.5*", " + " */
static void write_factor(struct explanation *x, double value, bool first)
{
    const struct notation *n = x->writer->notation;
    char digits[32];
    snprintf(digits, sizeof digits, "%.*g", DIGITS, fabs(value));
    text_add(&x->w, notation_mark(n, value < 0 ? (first ? MARK_NEGATIVE : MARK_MINUS) : MARK_PLUS) +
                        (value >= 0 && first ? strlen(notation_mark(n, MARK_PLUS)) : 0));
    if (strcmp(digits, "1") == 0)
        return;
    n->number(&x->w, digits);
    text_add(&x->w, notation_mark(n, MARK_TIMES));
}

/* "d/dt ", "d^2/dt^2 " */
static void write_rate(struct explanation *x, int order)
{
    const struct notation *n = x->writer->notation;
    static const char *const forms[] = {
        [EXPLAIN_TEXT] = "d^%d/dt^%d ",
        [EXPLAIN_LATEX] = "\\tfrac{d^{%d}}{dt^{%d}}",
        [EXPLAIN_HTML] = ("<mfrac><msup><mi>d</mi><mn>%d</mn></msup><mrow><mi>d</mi><msup><mi>t</mi><mn>%d</mn></msup>"
                          "</mrow></mfrac>")};
    if (order == 1)
        text_add(&x->w, notation_mark(n, MARK_RATE));
    else if (order > 1)
        text_format(&x->w, forms[n->format], order, order);
}

/* V1(t), i_D1(v(a) - v(b)) */
static const char *input_text(struct explanation *x, const struct inherent_input *input)
{
    struct quantity q = *input->quantity;
    q.rate = false;
    struct equation_term term = {.coefficient = {.number = 1}, .quantity = &q};
    const struct equation eq = {.kind = EQUATION_NODE, .terms = &term, .count = 1};
    size_t count;
    const char **terms = explain_terms(x, &x->e->full, &eq, &count);
    return terms && count == 1 ? terms[0] : "";
}

static void add_term(struct terms *t, double value, int order, const char *what)
{
    struct explanation *x = t->x;
    write_factor(x, value, t->count == 0);
    write_rate(x, order);
    text_add(&x->w, what);
    t->at[t->count++] = text_take(&x->w);
}

/* Unknowns, then inputs, then their derivatives; what is small only by rounding is 0 already. */
static void fill_line(struct explanation *x, const struct inherent *h, const struct inherent_row *r,
                      struct explain_line *line)
{
    struct terms t = {.x = x};
    t.at = explain_take(x, (size_t)h->n + h->input_count * INHERENT_ORDERS + 1, sizeof *t.at);
    if (!t.at)
        return;
    for (int i = 0; i < h->n; i++)
        if (r->unknowns[i] != 0)
            add_term(&t, r->unknowns[i], 0, explain_unknown(x, i + 1));
    for (int k = 0; k < INHERENT_ORDERS; k++)
        for (size_t i = 0; i < h->input_count; i++)
            if (inherent_share(r, i, k) != 0)
                add_term(&t, inherent_share(r, i, k), k, input_text(x, &h->inputs[i]));
    if (t.count == 0)
        t.at[t.count++] = notation_mark(x->writer->notation, MARK_ZERO);
    line->terms = t.at;
    line->term_count = t.count;
}

/* The highest derivative of a source in a row; slopes of charges are none of the data. */
static int order_of(const struct inherent *h, const struct inherent_row *r)
{
    int order = 0;
    for (size_t i = 0; i < h->input_count; i++)
        for (int k = 1; k < INHERENT_ORDERS && !h->inputs[i].law; k++)
            if (inherent_share(r, i, k) != 0 && k > order)
                order = k;
    return order;
}

/* ---- constraints ---- */

static double largest(const struct inherent *h, const struct inherent_row *r)
{
    double most = 0;
    for (int i = 0; i < h->n; i++)
        most = fmax(most, fabs(r->unknowns[i]));
    return most;
}

/* Divided by its largest coefficient. */
static struct inherent_row normed(struct explanation *x, const struct inherent *h, const struct inherent_row *r)
{
    const double most = largest(h, r);
    const size_t width = h->input_count * INHERENT_ORDERS;
    double *unknowns = explain_take(x, (size_t)h->n, sizeof *unknowns),
           *inputs = explain_take(x, width, sizeof *inputs);
    if (!unknowns || !inputs || !(most > 0))
        return *r;
    for (int i = 0; i < h->n; i++)
        unknowns[i] = r->unknowns[i] / most;
    for (size_t i = 0; i < width; i++)
        inputs[i] = r->inputs[i] / most;
    return (struct inherent_row){unknowns, inputs};
}

static void write_hidden(struct explanation *x, const struct inherent *h)
{
    struct explain_line *lines = explain_take(x, h->constraint_count, sizeof *lines);
    size_t count = 0;
    for (size_t i = 0; i < h->constraint_count && lines; i++) {
        const struct inherent_constraint *c = &h->constraints[i];
        if (c->round == 0)
            continue;
        const struct inherent_row row = normed(x, h, &c->row);
        lines[count] = (struct explain_line){.left = notation_mark(x->writer->notation, MARK_ZERO)};
        lines[count].label = c->round == 1 ? "derivative 1" : c->round == 2 ? "derivative 2" : "further";
        fill_line(x, h, &row, &lines[count++]);
    }
    if (count == 0)
        return;
    explain_say(x,
                "Derivatives of the algebraic equations, combined with the others until none of x is left under d/dt, "
                "are the hidden constraints, here to the last one (in V, A and s):");
    explain_write_lines(x, lines, count);
}

/* ---- what is not linear ---- */

/* Whether a row has a law in it, differentiated k times at least. */
static bool has_law(const struct inherent *h, const struct inherent_row *r, int k)
{
    for (size_t i = 0; i < h->input_count; i++)
        for (int order = k; order < INHERENT_ORDERS && h->inputs[i].law; order++)
            if (inherent_share(r, i, order) != 0)
                return true;
    return false;
}

/* Whether a charge or flux that is not linear stands under d/dt anywhere. */
static bool has_rates(const struct inherent *h)
{
    for (int i = 0; i < h->n; i++)
        if (has_law(h, &h->solved[i], 1))
            return true;
    return false;
}

/* ---- the solution ---- */

static void write_states(struct explanation *x, const struct inherent *h)
{
    struct explain_line *lines = explain_take(x, (size_t)h->state_count, sizeof *lines);
    size_t count = 0;
    if (h->state_count == 0 && has_rates(h)) {
        explain_say(x, "All that is stored is in charges and fluxes that are not linear: what the slopes of these are "
                       "stands in the formulas below, from which they are to be solved for.");
        return;
    }
    if (h->state_count == 0) {
        explain_say(x, "No degree of freedom is left: there is no differential equation, all unknowns are given by "
                       "formulas.");
        return;
    }
    explain_say(x, "The inherent ordinary differential equation%s (in V, A and s):", h->state_count > 1 ? "s" : "");
    for (int i = 0; i < h->n && lines; i++) {
        if (!h->is_state[i])
            continue;
        write_rate(x, 1);
        text_add(&x->w, explain_unknown(x, i + 1));
        lines[count] = (struct explain_line){.left = text_take(&x->w)};
        fill_line(x, h, &h->solved[i], &lines[count++]);
    }
    explain_write_lines(x, lines, count);
}

static void write_others(struct explanation *x, const struct inherent *h)
{
    struct explain_line *lines = explain_take(x, (size_t)h->n, sizeof *lines);
    size_t count = 0;
    for (int i = 0; i < h->n && lines; i++) {
        if (h->is_state[i])
            continue;
        const int order = order_of(h, &h->solved[i]);
        lines[count] = (struct explain_line){.left = explain_unknown(x, i + 1)};
        if (order > 0)
            lines[count].note = arena_format(x->arena, "index %d", order + 1);
        fill_line(x, h, &h->solved[i], &lines[count++]);
    }
    if (count > 0)
        explain_say(x, "All other unknowns follow; one that the k-th derivative of the data enters is of index k + 1:");
    explain_write_lines(x, lines, count);
}

/* Whether what a law depends on depends on laws. */
static bool is_implicit(const struct inherent *h, const struct inherent_input *input)
{
    const struct quantity *q = input->quantity;
    for (size_t i = 0; i < q->input_count; i++) {
        const int ends[] = {q->inputs[i].plus, q->inputs[i].minus};
        for (int k = 0; k < 2; k++)
            if (ends[k] > 0 && !h->is_state[ends[k] - 1] && has_law(h, &h->solved[ends[k] - 1], 0))
                return true;
    }
    return false;
}

static bool has_laws(const struct inherent *h)
{
    for (size_t i = 0; i < h->input_count; i++)
        if (h->inputs[i].law)
            return true;
    return false;
}

static void write_limits(struct explanation *x, const struct inherent *h)
{
    bool implicit = false, rate = false;
    const struct element *last = NULL;
    for (size_t i = 0; i < h->input_count; i++) {
        const struct element *e = h->inputs[i].quantity->element;
        if (!h->inputs[i].law || !is_implicit(h, &h->inputs[i]) || e == last)
            continue;
        text_format(&x->w, "%s%s", last ? ", " : "", e->name);
        last = e;
        implicit = true;
    }
    const char *names = text_take(&x->w);
    for (int i = 0; i < h->n; i++)
        rate = rate || (h->is_state[i] && has_law(h, &h->solved[i], 1));
    if (implicit)
        explain_say(x,
                    "Not solved: what the laws of %s are applied to depends on laws in turn. These formulas are "
                    "equations for it, which Newton's method solves in each step.",
                    names);
    if (rate)
        explain_say(
            x, "Not solved: where a charge or flux that is not linear stands under d/dt, the chain rule makes it a "
               "multiple of derivatives of the states, and the equations are to be solved for these.");
    if (!implicit && !rate && h->state_count > 0)
        explain_say(x, "The laws of devices are applied to states and sources only: the differential equation is "
                       "explicit.");
}

/* ---- the section ---- */

/* order [n]: by numbers where the circuit is linear, else what the topology knows. */
static enum kn_status find_orders(struct explanation *x, int *order)
{
    const struct topology *t = x->topology;
    const size_t n = (size_t)x->e->unknown_count;
    double *zero = explain_take(x, n, sizeof *zero);
    struct index_analysis *a = NULL;
    enum kn_status status = zero ? KN_OK : KN_ERROR_MEMORY;
    for (size_t i = 0; i < t->index2_count; i++)
        order[t->index2[i].unknown - 1] = 1;
    if (status == KN_OK && mna_dae(x->mna)->linear)
        status = index_analyze(x->mna, t, &(struct index_point){0, zero}, &(struct index_options){0}, &a);
    if (status == KN_OK && a && a->outcome == INDEX_KNOWN)
        memcpy(order, a->order, n * sizeof *order);
    index_free(a);
    return status == KN_ERROR_CONVERGENCE ? KN_OK : status;
}

enum kn_status explain_inherent(struct explanation *x)
{
    struct inherent *h = NULL;
    int *order = explain_take(x, (size_t)x->e->unknown_count + 1, sizeof *order);
    enum kn_status status = order ? find_orders(x, order) : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = inherent_find(x->e, x->mna, order, x->arena, &h);
    if (status != KN_OK)
        return status;
    explain_piece(x, EXPLAIN_HEADING, "The inherent differential equation");
    if (!h || h->n > MOST_SOLVED) {
        explain_say(
            x,
            "It is left out: the circuit has more unknowns than the %d for which formulas can be read. A part of "
            "the circuit in a deck of its own has one.",
            MOST_SOLVED);
        return KN_OK;
    }
    if (!h->solvable) {
        explain_say(x, has_laws(h) ? "While the currents and charges of the devices are taken as given, the linear "
                                     "equations that are left have no unique solution: nothing can be solved for in "
                                     "symbols."
                                   : "The equations have no unique solution.");
        return KN_OK;
    }
    if (has_laws(h))
        explain_say(x, "Laws of devices are put in as if they were sources: what is linear is solved.");
    write_hidden(x, h);
    write_states(x, h);
    write_others(x, h);
    if (has_laws(h))
        write_limits(x, h);
    return KN_OK;
}
