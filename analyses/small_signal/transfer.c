/* transfer.c - .tf: small-signal transfer, input and output resistance at the operating point, all by the factors of G. */
#include "analyses/analysis.h"
#include "analyses/small_signal/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct port {
    int plus, minus; /* unknowns of a voltage; -1 is ground */
    int current;     /* unknown of a voltage source's current, or -1: a current source, or nothing */
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

static void find_numbers(const struct linear *l, const struct transfer *t, double complex *X, double numbers[3])
{
    const struct setup *s = l->setup;
    const struct port in = port_of_element(s, t->source), out = output_port(s, &t->output);
    drive(l, &in, X);
    /* A current source drives from its first node to the second: against `drive`. */
    const double sign = in.current >= 0 ? 1 : -1;
    numbers[0] = sign * (out.current >= 0 ? creal(X[out.current]) : across(&out, X));
    numbers[1] = resistance(&in, X);
    drive(l, &out, X);
    numbers[2] = resistance(&out, X);
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
    if (!X || !columns[1].name || !columns[2].name)
        return KN_ERROR_MEMORY;
    find_numbers(l, t, X, numbers);
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
