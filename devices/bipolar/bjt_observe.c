/* bjt_observe.c - what can be asked of a bipolar transistor: @q1[gm].  Conductances as SPICE has them: gm and go of the
 * transport current, gpi and gmu of the base current (Antognetti and Massobrio 1988, 2.5). */
#include "devices/bipolar/bjt_batch.h"
#include "knoten.h"

#include <math.h>

enum { REGION, IC, IB, IE, VBE, VBC, VCE, GM, GPI, GMU, GO, GX, CPI, CMU, CBX, CSUB, BETADC, BETAAC, FT, COUNT };

const struct quantity_info bjt_quantity_rows[BJT_QUANTITY_COUNT] = {
    [REGION] = {"region", NULL, "region", "off, active, saturation or reverse"},
    [IC] = {"ic", NULL, "A", "current into the collector"},
    [IB] = {"ib", NULL, "A", "current into the base"},
    [IE] = {"ie", NULL, "A", "current into the emitter"},
    [VBE] = {"vbe", NULL, "V", "base-emitter voltage behind the series resistances"},
    [VBC] = {"vbc", NULL, "V", "base-collector voltage behind the series resistances"},
    [VCE] = {"vce", NULL, "V", "collector-emitter voltage behind the series resistances"},
    [GM] = {"gm", NULL, "S", "transconductance"},
    [GPI] = {"gpi", NULL, "S", "conductance of the base-emitter junction"},
    [GMU] = {"gmu", NULL, "S", "conductance of the base-collector junction"},
    [GO] = {"go", NULL, "S", "output conductance"},
    [GX] = {"gx", NULL, "S", "conductance of the base resistance; 0: there is none"},
    [CPI] = {"cpi", NULL, "F", "base-emitter capacitance"},
    [CMU] = {"cmu", NULL, "F", "base-collector capacitance inside the base resistance"},
    [CBX] = {"cbx", NULL, "F", "base-collector capacitance outside of it"},
    [CSUB] = {"csub", "ccs", "F", "substrate capacitance"},
    [BETADC] = {"betadc", "beta", "", "ic / ib"},
    [BETAAC] = {"betaac", NULL, "", "gm / gpi"},
    [FT] = {"ft", NULL, "Hz", "transit frequency, gm / (2 pi (cpi + cmu + cbx))"},
};

_Static_assert((int)COUNT == (int)BJT_QUANTITY_COUNT, "all quantities are told");

/* Junctions count as forward where they carry more than a part of what they do at 0.6 V at room temperature: from half of
 * their critical voltage on, where the current begins to bend. */
static enum kn_region region_of(const struct bjt_law *law, double vbe, double vbc)
{
    const bool emitter = vbe > law->critical_emitter / 2, collector = vbc > law->critical_collector / 2;
    return emitter ? collector ? KN_SATURATION : KN_ACTIVE : collector ? KN_REVERSE : KN_OFF;
}

static void find_capacitances(const struct bjt_batch *b, size_t k, const struct device_probe *at, double vbe,
                              double vbc, const struct bjt_currents *i, double *values)
{
    const struct bjt_law *law = &b->laws[k];
    const struct bjt_nodes *n = &b->nodes[k];
    struct bjt_value emitter, collector;
    bjt_emitter_charge(law, vbe, vbc, i, true, &emitter);
    bjt_collector_charge(law, vbc, i, &collector);
    values[CPI] = emitter.be;
    values[CMU] = collector.bc;
    values[CBX] = values[CSUB] = 0;
    if (law->outer.capacitance > 0)
        depletion_charge(&law->outer, b->sign[k] * (at->x[n->base] - at->x[n->inner[0]]), &values[CBX]);
    if (b->has_substrate[k] && law->to_substrate.capacitance > 0)
        depletion_charge(&law->to_substrate, b->substrate_sign[k] * (at->x[n->substrate] - at->x[n->under]),
                         &values[CSUB]);
}

void bjt_observe(const struct bjt_batch *b, size_t k, const struct device_probe *at, const double currents[3],
                 double *values)
{
    const struct bjt_law *law = &b->laws[k];
    const int *inner = b->nodes[k].inner;
    const double sign = b->sign[k], base = at->x[inner[1]];
    values[VBE] = base - at->x[inner[2]];
    values[VBC] = base - at->x[inner[0]];
    values[VCE] = values[VBE] - values[VBC];
    const double vbe = sign * values[VBE], vbc = sign * values[VBC];
    struct bjt_currents i;
    bjt_currents(law, vbe, vbc, true, &i);
    values[IC] = currents[0];
    values[IB] = currents[1];
    values[IE] = currents[2];
    values[GO] = -i.transport.bc;
    values[GM] = i.transport.be + i.transport.bc;
    values[GPI] = i.emitter.be + at->gmin;
    values[GMU] = i.collector.bc + at->gmin;
    values[GX] = b->series[k].base;
    if (b->series[k].base_varies) {
        bjt_base_conductance(law, false, &i);
        values[GX] = i.base.value;
    }
    find_capacitances(b, k, at, vbe, vbc, &i, values);
    values[REGION] = region_of(law, vbe, vbc);
    values[BETADC] = values[IC] / values[IB];
    values[BETAAC] = values[GM] / values[GPI];
    values[FT] = values[GM] / (2 * acos(-1) * (values[CPI] + values[CMU] + values[CBX]));
}
