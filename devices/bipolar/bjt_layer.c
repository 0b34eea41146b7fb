/* bjt_layer.c - see bjt_layer.h. */
#include "devices/bipolar/bjt_layer.h"

enum { COLLECTOR, BASE, EMITTER };

bool bjt_layer_connect(struct bjt_batch *b, size_t k, struct device_setup *s)
{
    const struct bjt_nodes *n = &b->nodes[k];
    struct bjt_slots *slots = &b->slots[k];
    const int columns[3] = {n->inner[COLLECTOR], n->inner[BASE], n->epi};
    for (int i = 0; i < 3; i++)
        if (!setup_entry(s, n->epi, columns[i], &slots->epi[i]))
            return false;
    return setup_entry(s, n->inner[COLLECTOR], n->epi, &slots->to_epi[0]) &&
           setup_entry(s, n->inner[BASE], n->epi, &slots->to_epi[1]);
}

void bjt_layer_add(const struct bjt_batch *b, size_t k, unsigned what, double vbc_excess, double vbn_excess,
                   const struct bjt_epi *e, const struct device_stamp *out)
{
    const struct bjt_nodes *n = &b->nodes[k];
    const struct bjt_slots *slots = &b->slots[k];
    const double sign = b->sign[k];
    if (what & EVALUATE_F) {
        const double current = sign * (e->current + e->by_bc * vbc_excess + e->by_bn * vbn_excess);
        out->f[n->epi] += current;
        out->f[n->inner[COLLECTOR]] -= current;
    }
    if (what & EVALUATE_G) {
        const double by[3] = {-e->by_bc, e->by_bc + e->by_bn,
                              -e->by_bn}; /* internal collector, base, the layer's end */
        for (int i = 0; i < 3; i++)
            out->G[slots->epi[i]] += by[i];
        out->G[slots->block[3 * COLLECTOR + COLLECTOR]] -= by[0];
        out->G[slots->block[3 * COLLECTOR + BASE]] -= by[1];
        out->G[slots->to_epi[0]] -= by[2];
    }
    if (!b->has_charge)
        return;
    if (what & EVALUATE_Q) {
        const double charge = sign * (e->charge + e->capacitance * vbn_excess);
        out->q[n->inner[BASE]] += charge;
        out->q[n->epi] -= charge;
    }
    if (what & EVALUATE_C) {
        out->C[slots->block[3 * BASE + BASE]] += e->capacitance;
        out->C[slots->to_epi[1]] -= e->capacitance;
        out->C[slots->epi[1]] -= e->capacitance;
        out->C[slots->epi[2]] += e->capacitance;
    }
}
