/* probes.c - see probes.h. */
#include "analyses/probes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "@m1[gm]" */
static struct probe probe_of_quantity(const struct circuit *c, const char *name)
{
    struct probe out = {-1, -1, -1};
    const char *bracket = strchr(name, '[');
    char owner[200], quantity[60];
    if (name[0] != '@' || !bracket || (size_t)(bracket - name) >= sizeof owner)
        return out;
    snprintf(owner, sizeof owner, "%.*s", (int)(bracket - name - 1), name + 1);
    snprintf(quantity, sizeof quantity, "%.*s", (int)strcspn(bracket + 1, "]"), bracket + 1);
    const int element = circuit_find_element(c, owner);
    if (element >= 0 && c->elements[element].kind)
        out.quantity = kind_quantity(c->elements[element].kind, quantity);
    out.element = out.quantity >= 0 ? element : -1;
    return out;
}

struct probe probe_of(const struct mna *m, const struct expression_variable *v)
{
    struct probe out = {-1, -1, -1};
    if (v->kind == EXPRESSION_VECTOR)
        return probe_of_quantity(mna_circuit(m), mna_circuit(m)->vectors[v->index]);
    if (v->kind == EXPRESSION_NODE_VOLTAGE)
        out.unknown = mna_node_unknown(m, v->index);
    else if (v->kind == EXPRESSION_BRANCH_CURRENT && (out.unknown = mna_current_unknown(m, v->index)) < 0)
        out.element = v->index;
    return out;
}

bool probes_init(struct probes *p, const struct mna *m, const struct expression_variable *variables, size_t count)
{
    *p = (struct probes){.count = count, .list = calloc(count + 1, sizeof *p->list)};
    for (size_t i = 0; p->list && i < count; i++) {
        p->list[i] = probe_of(m, &variables[i]);
        p->of_elements |= p->list[i].element >= 0;
        p->needs_slopes |= p->list[i].element >= 0 && mna_needs_slopes(m, p->list[i].element);
    }
    return p->list != NULL;
}

void probes_free(struct probes *p)
{
    free(p->list);
    *p = (struct probes){0};
}

void probes_watch(const struct probes *p, const struct mna *m, bool *watched)
{
    for (int i = 0; i < mna_unknown_count(m) && p->of_elements; i++)
        watched[i] = true; /* of a device without a current of its own */
    for (size_t i = 0; i < p->count; i++)
        if (p->list[i].unknown >= 0)
            watched[p->list[i].unknown] = true;
}

void probes_read(const struct probes *p, struct mna *m, double t, const double *x, const double *dxdt, double *values)
{
    if (p->of_elements)
        mna_probe(m, t, x, dxdt);
    for (size_t i = 0; i < p->count; i++) {
        const struct probe *from = &p->list[i];
        values[i] = from->unknown >= 0    ? x[from->unknown]
                    : from->quantity >= 0 ? mna_probed_quantity(m, from->element, from->quantity)
                    : from->element >= 0  ? mna_probed_current(m, from->element, 0)
                                          : 0;
    }
}
