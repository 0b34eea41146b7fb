/* mosfet_observe.c - what can be asked of a MOSFET: @m1[gm]. */
#include "devices/semiconductor/fet_quantities.h"
#include "devices/semiconductor/mosfet_batch.h"
#include "knoten.h"

#include <math.h>

enum { REGION, ID, IG, IS, IB, VGS, VDS, VBS, VTH, VDSAT, GM, GDS, GMBS, GBD, GBS, CGS, CGD, CGB, CBD, CBS, COUNT };

const struct quantity_info mosfet_quantity_rows[MOSFET_QUANTITY_COUNT] = {
    [REGION] = FET_REGION,
    MOSFET_QUANTITIES(),
    [GBD] = {"gbd", NULL, "S", "conductance of the bulk-drain junction"},
    [GBS] = {"gbs", NULL, "S", "conductance of the bulk-source junction"},
    [CGS] = {"cgs", NULL, "F", "-d qg / d vs, overlap included"},
    [CGD] = {"cgd", NULL, "F", "-d qg / d vd, overlap included"},
    [CGB] = {"cgb", NULL, "F", "-d qg / d vb, overlap included"},
    [CBD] = {"cbd", NULL, "F", "capacitance of the bulk-drain junction"},
    [CBS] = {"cbs", NULL, "F", "capacitance of the bulk-source junction"},
};

_Static_assert((int)COUNT == (int)MOSFET_QUANTITY_COUNT, "all quantities are told");

/* The charge of the gate is minus the sum of the others. */
static void find_gate(const struct mosfet_batch *b, size_t k, const struct mosfet_tangent *t, double *values)
{
    const struct mosfet_overlap *o = &b->overlaps[k];
    const struct mosfet_value *q = t->charge;
    struct mosfet_value sum = {0, 0, 0, 0};
    for (int end = 0; end < MOSFET_ENDS; end++)
        sum = value_add(sum, q[end]);
    values[CGD] = sum.ds + o->gate_drain;
    values[CGB] = sum.bs + o->gate_bulk;
    values[CGS] = -(sum.gs + sum.ds + sum.bs) + o->gate_source;
}

static void find_channel(const struct mosfet_batch *b, size_t k, const struct mosfet_voltages *v, double *values)
{
    struct mosfet_channel c;
    struct mosfet_tangent t = {.at = *v};
    if (b->own_law)
        b->own_law(b, k, true, false, &t, &c);
    else
        mosfet_channel(&b->laws[b->like[k]], v->gs, v->ds, v->bs, &c);
    values[GM] = c.current.gs;
    values[GDS] = c.current.ds;
    values[GMBS] = c.current.bs;
    values[VTH] = b->sign[k] * c.threshold;
    values[VDSAT] = b->sign[k] * c.saturation;
    values[REGION] = v->gs - fmin(v->ds, 0) <= c.threshold ? KN_OFF
                     : fabs(v->ds) < c.saturation          ? KN_LINEAR
                                                           : KN_SATURATION;
}

void mosfet_observe(const void *batch, size_t k, const struct device_probe *at, double *values)
{
    static const int ends[] = {[MOSFET_DRAIN] = ID, [MOSFET_GATE] = IG, [MOSFET_SOURCE] = IS, [MOSFET_BULK] = IB};
    const struct mosfet_batch *b = batch;
    const int *n = b->nodes[k].inner;
    const double sign = b->sign[k], source = at->x[n[MOSFET_SOURCE]];
    for (int t = 0; t < 4; t++)
        values[ends[t]] = b->into ? b->into(b, k, t, at) : mosfet_current_into(b, k, t, at);
    values[VGS] = at->x[n[MOSFET_GATE]] - source;
    values[VDS] = at->x[n[MOSFET_DRAIN]] - source;
    values[VBS] = at->x[n[MOSFET_BULK]] - source;
    struct mosfet_tangent t = {.at = {sign * values[VGS], sign * values[VDS], sign * values[VBS]}};
    mosfet_evaluate(b, k, EVALUATE_Q | EVALUATE_C, at->gmin, &t);
    find_channel(b, k, &t.at, values);
    find_gate(b, k, &t, values);
    bulk_diode_current(&b->drain_diodes[b->like[k]], t.at.bs - t.at.ds, &values[GBD]);
    bulk_diode_current(&b->source_diodes[b->like[k]], t.at.bs, &values[GBS]);
    values[GBD] += at->gmin;
    values[GBS] += at->gmin;
    bulk_diode_charge(&b->drain_diodes[b->like[k]], t.at.bs - t.at.ds, &values[CBD]);
    bulk_diode_charge(&b->source_diodes[b->like[k]], t.at.bs, &values[CBS]);
}
