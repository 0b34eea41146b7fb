/* mosfet_limit.c - where a MOSFET is evaluated when Newton's method proposes something far away. */
#include "devices/semiconductor/mosfet_batch.h"

/* Gate and drain in the order of SPICE: the overdrive of the end that acts as source, then the drain voltage.  Every
 * result is the proposal plus a change, so that it is the proposal itself when nothing is limited. */
static void limit_channel(const struct mosfet_law *law, const struct mosfet_voltages *previous,
                          struct mosfet_voltages *v)
{
    const struct mosfet_voltages proposed = *v;
    if (previous->ds >= 0) {
        const double threshold = mosfet_threshold(law, previous->bs);
        v->gs = fet_limit_gate(proposed.gs, previous->gs, threshold);
        v->ds = fet_limit_drain(proposed.ds + (v->gs - proposed.gs), previous->ds);
        return;
    }
    const double threshold = mosfet_threshold(law, previous->bs - previous->ds);
    const double gd = proposed.gs - proposed.ds;
    const double gd_change = fet_limit_gate(gd, previous->gs - previous->ds, threshold) - gd;
    v->ds = -fet_limit_drain(-(proposed.ds - gd_change), -previous->ds);
    v->gs = proposed.gs + (gd_change + (v->ds - proposed.ds));
}

/* The bulk diode of the end that acts as source, whose forward bias is the larger one. */
static void limit_bulk(const struct mosfet_batch *b, size_t k, const struct mosfet_voltages *previous,
                       double proposed_ds, struct mosfet_voltages *v)
{
    const struct bulk_diode *source = &b->source_diodes[b->like[k]], *drain = &b->drain_diodes[b->like[k]];
    if (v->ds >= 0) {
        v->bs = junction_limit(v->bs, previous->bs, source->law.rate, source->critical_voltage);
        return;
    }
    const double bd = v->bs - proposed_ds;
    const double bd_change =
        junction_limit(bd, previous->bs - previous->ds, drain->law.rate, drain->critical_voltage) - bd;
    v->bs += bd_change + (v->ds - proposed_ds);
}

/* Changes that no rule above limits, whatever the threshold: half a volt of each of vgs, vgd and vds, and a fall of vbs
 * and vbd or one that leaves them below the critical voltages. */
static bool is_small_change(const struct mosfet_batch *b, size_t k, const struct mosfet_voltages *previous,
                            const struct mosfet_voltages *v)
{
    const double drain = v->bs - v->ds, drain_before = previous->bs - previous->ds;
    return fabs(v->gs - previous->gs) < 0.25 && fabs(v->ds - previous->ds) < 0.25 &&
           (v->bs <= previous->bs || v->bs <= b->source_diodes[b->like[k]].critical_voltage) &&
           (drain <= drain_before || drain <= b->drain_diodes[b->like[k]].critical_voltage);
}

void mosfet_limit(struct mosfet_batch *b, size_t k, const struct device_point *at, struct mosfet_voltages *v)
{
    const struct mosfet_voltages proposed = *v;
    struct mosfet_voltages *previous = &b->previous[k];
    if (at->first)
        *previous = mosfet_voltages_at(b, k, at->x_reference);
    if (is_small_change(b, k, previous, &proposed)) {
        *previous = proposed;
        return;
    }
    limit_channel(&b->laws[b->like[k]], previous, v);
    limit_bulk(b, k, previous, proposed.ds, v);
    *previous = *v;
    if (v->gs != proposed.gs || v->ds != proposed.ds || v->bs != proposed.bs)
        *at->limited = true;
}
