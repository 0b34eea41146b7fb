/* mosfet_observe.c - what can be asked of a MOSFET: @m1[gm]. */
#include "devices/semiconductor/fet_quantities.h"
#include "devices/semiconductor/mosfet_batch.h"
#include "knoten.h"

#include <float.h>
#include <math.h>

enum { REGION, ID, IG, IS, IB, VGS, VDS, VBS, VTH, VDSAT, GM, GDS, GMBS, GBD, GBS, CGS, CGD, CGB, CBD, CBS, COUNT };

const struct quantity_info mosfet_quantity_rows[MOSFET_QUANTITY_COUNT] = {
    [REGION] = FET_REGION,
    FET_QUANTITIES(),
    [IG] = {"ig", NULL, "A", "current into the gate"},
    [IB] = {"ib", NULL, "A", "current into the bulk"},
    [VBS] = {"vbs", NULL, "V", "bulk-source voltage behind the series resistances"},
    [VTH] = {"vth", "von", "V", "threshold of the gate against the end that acts as source"},
    [VDSAT] = {"vdsat", NULL, "V", "drain-source voltage from which on the channel is saturated"},
    [GM] = {"gm", NULL, "S", "d id / d vgs"},
    [GDS] = {"gds", NULL, "S", "d id / d vds"},
    [GMBS] = {"gmbs", "gmb", "S", "d id / d vbs"},
    [GBD] = {"gbd", NULL, "S", "conductance of the bulk-drain junction"},
    [GBS] = {"gbs", NULL, "S", "conductance of the bulk-source junction"},
    [CGS] = {"cgs", NULL, "F", "-d qg / d vs, overlap included"},
    [CGD] = {"cgd", NULL, "F", "-d qg / d vd, overlap included"},
    [CGB] = {"cgb", NULL, "F", "-d qg / d vb, overlap included"},
    [CBD] = {"cbd", NULL, "F", "capacitance of the bulk-drain junction"},
    [CBS] = {"cbs", NULL, "F", "capacitance of the bulk-source junction"},
};

_Static_assert((int)COUNT == (int)MOSFET_QUANTITY_COUNT, "all quantities are told");

static double diode_capacitance(const struct bulk_diode *d, double v)
{
    double bottom = 0, sidewall = 0;
    if (d->bottom.capacitance > 0)
        depletion_charge(&d->bottom, v, &bottom);
    if (d->sidewall.capacitance > 0)
        depletion_charge(&d->sidewall, v, &sidewall);
    return bottom + sidewall;
}

/* The charge of the gate is minus the sum of the others. */
static void find_gate(const struct mosfet_batch *b, size_t k, double gs, double ds, double bs, double *values)
{
    const struct mosfet_overlap *o = &b->overlaps[k];
    struct mosfet_charges q = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};
    if (b->laws[b->like[k]].oxide > 0)
        mosfet_charges(&b->laws[b->like[k]], gs, ds, bs, true, &q);
    const double by_gate = -(q.drain.gs + q.source.gs + q.bulk.gs);
    const double by_drain = -(q.drain.ds + q.source.ds + q.bulk.ds);
    const double by_bulk = -(q.drain.bs + q.source.bs + q.bulk.bs);
    values[CGD] = -by_drain + o->gate_drain;
    values[CGB] = -by_bulk + o->gate_bulk;
    values[CGS] = by_gate + by_drain + by_bulk + o->gate_source;
}

static void find_channel(const struct mosfet_batch *b, size_t k, double gs, double ds, double bs, double *values)
{
    struct mosfet_channel c;
    mosfet_channel(&b->laws[b->like[k]], gs, ds, bs, &c);
    values[GM] = c.current.gs;
    values[GDS] = c.current.ds;
    values[GMBS] = c.current.bs;
    values[VTH] = b->sign[k] * c.threshold;
    values[VDSAT] = b->sign[k] * c.saturation;
    values[REGION] = gs - fmin(ds, 0) <= c.threshold ? KN_OFF : fabs(ds) < c.saturation ? KN_LINEAR : KN_SATURATION;
}

void mosfet_observe(const struct mosfet_batch *b, size_t k, const struct device_probe *at, const double currents[4],
                    double *values)
{
    const int *n = b->nodes[k].inner;
    const double sign = b->sign[k], source = at->x[n[MOSFET_SOURCE]];
    const int ends[] = {[MOSFET_DRAIN] = ID, [MOSFET_GATE] = IG, [MOSFET_SOURCE] = IS, [MOSFET_BULK] = IB};
    for (int t = 0; t < 4; t++)
        values[ends[t]] = currents[t];
    if (fabs(values[IG]) <
        4 * DBL_EPSILON * (fabs(values[ID]) + fabs(values[IS]))) /* it is minus the sum of the others */
        values[IG] = 0;
    values[VGS] = at->x[n[MOSFET_GATE]] - source;
    values[VDS] = at->x[n[MOSFET_DRAIN]] - source;
    values[VBS] = at->x[n[MOSFET_BULK]] - source;
    const double gs = sign * values[VGS], ds = sign * values[VDS], bs = sign * values[VBS];
    find_channel(b, k, gs, ds, bs, values);
    find_gate(b, k, gs, ds, bs, values);
    junction_current(&b->drain_diodes[b->like[k]].law, bs - ds, &values[GBD]);
    junction_current(&b->source_diodes[b->like[k]].law, bs, &values[GBS]);
    values[GBD] += at->gmin;
    values[GBS] += at->gmin;
    values[CBD] = diode_capacitance(&b->drain_diodes[b->like[k]], bs - ds);
    values[CBS] = diode_capacitance(&b->source_diodes[b->like[k]], bs);
}
