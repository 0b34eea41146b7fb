/* bjt_phase.c - see bjt_phase.h. */
#include "devices/bipolar/bjt_phase.h"

#include "devices/incidence.h"

/* S: currents as voltages, so that vntol is 1 nA. */
static const double SCALE = 1e-3;

enum { COLLECTOR, BASE, EMITTER };

bool bjt_phase_number(struct bjt_batch *b, size_t k, struct device_setup *s)
{
    struct bjt_nodes *n = &b->nodes[k];
    if (!(b->delay[k] > 0))
        return true;
    n->late = setup_internal_node(s, b->all.base.elements[k], "late");
    n->lead = setup_internal_node(s, b->all.base.elements[k], "lead");
    return n->late >= 0 && n->lead >= 0;
}

bool bjt_phase_connect(struct bjt_batch *b, size_t k, struct device_setup *s)
{
    const struct bjt_nodes *n = &b->nodes[k];
    struct bjt_phase_slots *at = &b->slots[k].phase;
    if (!(b->delay[k] > 0))
        return true;
    for (int column = 0; column < 3; column++)
        if (!setup_entry(s, n->lead, n->inner[column], &at->law[column]))
            return false;
    return setup_entry(s, n->late, n->late, &at->late) && setup_entry(s, n->late, n->lead, &at->late_lead) &&
           setup_entry(s, n->lead, n->late, &at->lead_late) && setup_entry(s, n->lead, n->lead, &at->lead) &&
           setup_entry(s, n->inner[COLLECTOR], n->late, &at->collector) &&
           setup_entry(s, n->inner[EMITTER], n->late, &at->emitter);
}

void bjt_phase_stamp(const struct bjt_batch *b, size_t k, double *G, double *C)
{
    const struct bjt_phase_slots *at = &b->slots[k].phase;
    if (!(b->delay[k] > 0))
        return;
    C[at->late] += SCALE * b->delay[k];
    C[at->lead] += SCALE * b->delay[k];
    G[at->late] += 1.5 * SCALE;
    G[at->late_lead] -= SCALE;
    G[at->lead_late] += 0.75 * SCALE;
    G[at->lead] += 1.5 * SCALE;
    G[at->collector] += SCALE;
    G[at->emitter] -= SCALE;
}

void bjt_phase_split(bool derivatives, struct bjt_currents *io)
{
    const double inverse_qb = 1 / io->qb.value, late = io->forward * inverse_qb;
    io->late = (struct bjt_value){late, 0, 0};
    if (derivatives)
        io->late =
            (struct bjt_value){late, (io->forward_g - late * io->qb.be) * inverse_qb, -late * io->qb.bc * inverse_qb};
    io->transport.value -= io->late.value;
    io->transport.be -= io->late.be;
    io->transport.bc -= io->late.bc;
}

void bjt_phase_add(const struct bjt_batch *b, size_t k, unsigned what, double late, const struct bjt_value *slopes,
                   const struct device_stamp *out)
{
    if (what & EVALUATE_F)
        out->f[b->nodes[k].lead] -= 3 * late;
    if (!(what & EVALUATE_G))
        return;
    const double by[3] = {-slopes->bc, slopes->be + slopes->bc, -slopes->be};
    for (int column = 0; column < 3; column++)
        out->G[b->slots[k].phase.law[column]] -= 3 * by[column];
}

double bjt_phase_current(const struct bjt_batch *b, size_t k, const double *x)
{
    return b->delay[k] > 0 ? SCALE * x[b->nodes[k].late] : 0;
}

bool bjt_phase_branches(const struct bjt_batch *b, size_t k, struct branch_list *list)
{
    const struct element *e = b->all.base.elements[k];
    const struct bjt_nodes *n = &b->nodes[k];
    if (!(b->delay[k] > 0))
        return true;
    const double held = SCALE * b->delay[k];
    const struct branch late = {.element = e, .plus = n->late, .part = "late current", .short_name = "late"};
    const struct branch lead = {
        .element = e, .plus = n->lead, .part = "current ahead of the late one", .short_name = "lead"};
    const struct branch_place transport = {e, n->inner[COLLECTOR], n->inner[EMITTER], "late current", "late"};
    const struct branch_place law = {e, n->lead, 0, "late current", "late"};
    return branch_add_entry(list, &late, n->late, held, true) &&
           branch_add_entry(list, &late, n->late, 1.5 * SCALE, false) &&
           branch_add_entry(list, &late, n->lead, -SCALE, false) &&
           branch_add_entry(list, &lead, n->lead, held, true) &&
           branch_add_entry(list, &lead, n->lead, 1.5 * SCALE, false) &&
           branch_add_entry(list, &lead, n->late, 0.75 * SCALE, false) &&
           branch_add_law(list, BRANCH_I, law, n->inner, 3) && branch_add_law(list, BRANCH_I, transport, &n->late, 1);
}
