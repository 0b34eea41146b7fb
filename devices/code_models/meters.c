/* meters.c - A cmeter, lmeter: how much is connected to a node.
 *
 *     cmeter    gain times the sum of the capacitances at the node of the input
 *     lmeter    gain times the inductance of those at it in parallel; without any 1e12 H
 * What lies behind a source that is 0 V for ever, an ammeter, counts, too (XSPICE, file cmmeters.c).
 */
#include "devices/code_models/code_model.h"
#include "devices/families.h"

static const struct port_info ports[] = {{.name = "in", .direction = PORT_IN, .type = PORT_V, .allowed = 1u << PORT_V},
                                         CODE_OUT("out")};
static const struct parameter_info rows[] = {CODE_ANY("gain", "", 1, "factor")};

struct meter {
    char letter;
    double siemens_or_farad; /* c: the sum; l: that of the inverses */
    const struct element *unknown;
};

static void measure(struct meter *m, const struct circuit *c, int node)
{
    for (size_t k = 0; k < c->element_count; k++) {
        const struct element *e = &c->elements[k];
        if (!e->kind || e->kind->letter != m->letter || (e->nodes[0] != node && e->nodes[1] != node))
            continue;
        if (!e->has_value)
            m->unknown = e;
        m->siemens_or_farad += m->letter == 'c' ? e->value : 1 / e->value;
    }
}

/* Whether the element is an ammeter at the node; its other node. */
static bool leads_on(const struct element *e, int node, int *other)
{
    if (!e->kind || e->kind->letter != 'v' || e->source.wave.kind != WAVEFORM_NONE || e->source.dc != 0)
        return false;
    *other = e->nodes[e->nodes[0] == node];
    return e->nodes[0] == node || e->nodes[1] == node;
}

static enum kn_status make_meter(struct code_item *i, struct arena *arena, struct kn_diagnostics *d, char letter)
{
    const double open = 1e12; /* H */
    const struct circuit *c = i->circuit;
    struct meter m = {.letter = letter, .siemens_or_farad = letter == 'c' ? 0 : 1 / open};
    double *value = i->own = arena_array(arena, 1, sizeof *value);
    if (!value)
        return KN_ERROR_MEMORY;
    const int node = i->element->nodes[i->element->connections[0].plus];
    measure(&m, c, node);
    for (size_t k = 0; k < c->element_count; k++) {
        int other;
        if (leads_on(&c->elements[k], node, &other))
            measure(&m, c, other);
    }
    if (m.unknown)
        return code_fail(i, d, "it measures elements whose value is a number",
                         "an element at its input has no value of its own");
    *value = letter == 'c' ? m.siemens_or_farad : 1 / m.siemens_or_farad;
    return KN_OK;
}

static enum kn_status make_cmeter(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    return make_meter(i, arena, d, 'c');
}

static enum kn_status make_lmeter(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    return make_meter(i, arena, d, 'l');
}

static void evaluate(const struct code_item *i, const struct code_point *p)
{
    p->f[0] = i->p[0] * *(const double *)i->own;
}

const struct code_model cmeter_model = {CODE_KIND("cmeter", "meter of capacitance", "in out", ports, rows),
                                        .linear = true, .make = make_cmeter, .evaluate = evaluate};
const struct code_model lmeter_model = {CODE_KIND("lmeter", "meter of inductance", "in out", ports, rows),
                                        .linear = true, .make = make_lmeter, .evaluate = evaluate};
