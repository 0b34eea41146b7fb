/* mosfet_outer.c - what PSpice and LTspice have around MOSFETs of levels 1, 2, 3 and 6: Rg in front of the gate, Rb in front of
 * the bulk, Rds from drain to source outside of Rd and Rs (PSpice A/D Reference Guide, MOSFET).  All are constant and stamped
 * once. */
#include "devices/incidence.h"
#include "devices/semiconductor/mosfet_batch.h"

enum { DRAIN = MOSFET_DRAIN, GATE = MOSFET_GATE, SOURCE = MOSFET_SOURCE, BULK = MOSFET_BULK };

bool mosfet_outer_number(void *batch, size_t k, struct device_setup *s)
{
    struct mosfet_batch *b = batch;
    const struct element *e = b->all.base.elements[k];
    struct mosfet_outer *o = &b->outer[k];
    struct mosfet_nodes *n = &b->nodes[k];
    if (!mosfet_number(batch, k, s))
        return false;
    o->gate_node = n->inner[GATE];
    o->bulk_node = n->inner[BULK];
    n->inner[GATE] = instance_inner_node(s, e, o->gate > 0, o->gate_node, "gate");
    n->inner[BULK] = instance_inner_node(s, e, o->bulk > 0, o->bulk_node, "body");
    b->ties[k] = mosfet_tie_of(n);
    return n->inner[GATE] >= 0 && n->inner[BULK] >= 0;
}

bool mosfet_outer_connect(void *batch, size_t k, struct device_setup *s)
{
    struct mosfet_batch *b = batch;
    struct mosfet_outer *o = &b->outer[k];
    const struct mosfet_nodes *n = &b->nodes[k];
    return mosfet_connect(batch, k, s) &&
           (!(o->gate > 0) || setup_pair(s, o->gate_node, n->inner[GATE], o->gate_slots)) &&
           (!(o->bulk > 0) || setup_pair(s, o->bulk_node, n->inner[BULK], o->bulk_slots)) &&
           (!(o->shunt > 0) || setup_pair(s, n->drain, n->source, o->shunt_slots));
}

void mosfet_outer_stamp(const void *batch, double *G, double *C)
{
    const struct mosfet_batch *b = batch;
    mosfet_stamp(batch, G, C);
    for (size_t k = 0; k < b->all.base.count; k++) {
        const struct mosfet_outer *o = &b->outer[k];
        if (o->gate > 0)
            pair_stamp(o->gate_slots, o->gate, G);
        if (o->bulk > 0)
            pair_stamp(o->bulk_slots, o->bulk, G);
        if (o->shunt > 0)
            pair_stamp(o->shunt_slots, o->shunt, G);
    }
}

double mosfet_outer_current_into(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct mosfet_batch *b = batch;
    const struct mosfet_outer *o = &b->outer[k];
    const struct mosfet_nodes *n = &b->nodes[k];
    if (terminal == GATE && o->gate > 0)
        return o->gate * (at->x[o->gate_node] - at->x[n->inner[GATE]]);
    if (terminal == BULK && o->bulk > 0)
        return o->bulk * (at->x[o->bulk_node] - at->x[n->inner[BULK]]);
    const double inside = mosfet_current_into(batch, k, terminal, at);
    const double shunt = o->shunt * (at->x[n->drain] - at->x[n->source]);
    return terminal == DRAIN ? inside + shunt : terminal == SOURCE ? inside - shunt : inside;
}

bool mosfet_outer_branches(const void *batch, size_t k, struct branch_list *list)
{
    const struct mosfet_batch *b = batch;
    const struct element *e = b->all.base.elements[k];
    const struct mosfet_outer *o = &b->outer[k];
    const struct mosfet_nodes *n = &b->nodes[k];
    const struct branch_place gate = {e, o->gate_node, n->inner[GATE], "gate resistance", "g"};
    const struct branch_place bulk = {e, o->bulk_node, n->inner[BULK], "bulk resistance", "b"};
    const struct branch_place shunt = {e, n->drain, n->source, "drain-source shunt", "sh"};
    return mosfet_branches(batch, k, list) && branch_add_resistance(list, gate, 1 / o->gate) &&
           branch_add_resistance(list, bulk, 1 / o->bulk) &&
           (!(o->shunt > 0) || branch_add_resistance(list, shunt, 1 / o->shunt));
}
