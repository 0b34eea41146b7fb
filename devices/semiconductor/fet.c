/* fet.c - see fet.h. */
#include "devices/semiconductor/fet.h"

#include "devices/incidence.h"

static const char *const node_names[FET_NODES] = {"drain", "gate", "source"};

/* ---- unknowns and matrix entries ---- */

bool fet_number(struct fet *t, const struct element *e, struct device_setup *s)
{
    t->element = e;
    for (int i = 0; i < FET_NODES; i++) {
        t->outer[i] = t->inner[i] = setup_node(s, e->nodes[i]);
        if (t->series[i] > 0 && (t->inner[i] = setup_internal_node(s, e, node_names[i])) < 0)
            return false;
    }
    return true;
}

bool fet_connect(struct fet *t, struct device_setup *s)
{
    bool good = true;
    for (int i = 0; i < FET_NODES * FET_NODES; i++)
        good = setup_entry(s, t->inner[i / FET_NODES], t->inner[i % FET_NODES], &t->block[i]) && good;
    for (int i = 0; i < FET_NODES; i++)
        if (t->inner[i] != t->outer[i])
            good = setup_pair(s, t->outer[i], t->inner[i], t->series_slots[i]) && good;
    return good;
}

void fet_stamp(const struct fet *t, double *G)
{
    for (int i = 0; i < FET_NODES; i++)
        if (t->inner[i] != t->outer[i])
            pair_stamp(t->series_slots[i], t->series[i], G);
}

/* ---- evaluation ---- */

struct fet_voltages fet_voltages_at(const struct fet *t, const double *x)
{
    const double source = x[t->inner[FET_SOURCE]];
    return (struct fet_voltages){.gs = t->sign * (x[t->inner[FET_GATE]] - source),
                                 .ds = t->sign * (x[t->inner[FET_DRAIN]] - source)};
}

struct fet_value fet_reversed(struct fet_value forward)
{
    return (struct fet_value){-forward.value, -forward.gs, forward.gs + forward.ds};
}

/* Gate against one end (Nagel 1975): the junction, then the channel. */
static double limit_end(double v, double previous, const struct junction_law *junction, double threshold)
{
    const double conducting =
        junction ? junction_limit(v, previous, junction->rate, junction_critical_voltage(junction)) : v;
    return fet_limit_gate(conducting, previous, threshold);
}

struct fet_voltages fet_limit_insulated(struct fet_voltages v, struct fet_voltages previous, double threshold)
{
    if (previous.ds >= 0) {
        const double gs = fet_limit_gate(v.gs, previous.gs, threshold);
        return (struct fet_voltages){gs, fet_limit_drain(v.ds + (gs - v.gs), previous.ds)};
    }
    const double gd = v.gs - v.ds;
    const double change = fet_limit_gate(gd, previous.gs - previous.ds, threshold) - gd;
    const double ds = -fet_limit_drain(-(v.ds - change), -previous.ds);
    return (struct fet_voltages){v.gs + (change + (ds - v.ds)), ds};
}

/* What is not limited stays exactly as proposed. */
struct fet_voltages fet_limit_junctions(struct fet_voltages v, struct fet_voltages previous,
                                        const struct junction_law *junction, double threshold)
{
    const double gd = v.gs - v.ds;
    const double gs_now = limit_end(v.gs, previous.gs, junction, threshold);
    const double gd_now = limit_end(gd, previous.gs - previous.ds, junction, threshold);
    return (struct fet_voltages){gs_now, v.ds + ((gs_now - v.gs) - (gd_now - gd))};
}

static struct fet_voltages limited(const struct fet_family *family, struct fet *t, const void *law,
                                   struct fet_voltages v, const struct device_point *at)
{
    if (!at->limit)
        return v;
    const struct fet_voltages previous = at->first ? fet_voltages_at(t, at->x_reference) : t->previous;
    const double threshold = family->threshold(law);
    const struct junction_law *junction = family->junction ? family->junction(law) : NULL;
    if (junction && junction_is_cold(at->when.time, at->first, v.gs, previous.gs) && v.ds == 0 && previous.ds == 0)
        t->previous = v;
    else
        t->previous = junction ? fet_limit_junctions(v, previous, junction, threshold)
                               : fet_limit_insulated(v, previous, threshold);
    if (t->previous.gs != v.gs || t->previous.ds != v.ds)
        *at->limited = true;
    return t->previous;
}

static double extrapolated(const struct fet_value *a, struct fet_voltages excess)
{
    return a->value + a->gs * excess.gs + a->ds * excess.ds;
}

static void add_vector(const struct fet *t, const struct fet_ends *ends, struct fet_voltages excess, double *to)
{
    const double drain = t->sign * extrapolated(&ends->drain, excess);
    const double source = t->sign * extrapolated(&ends->source, excess);
    to[t->inner[FET_DRAIN]] += drain;
    to[t->inner[FET_SOURCE]] += source;
    to[t->inner[FET_GATE]] -= drain + source;
}

static void add_row(const int *row, double gs, double ds, double *matrix)
{
    matrix[row[FET_GATE]] += gs;
    matrix[row[FET_DRAIN]] += ds;
    matrix[row[FET_SOURCE]] -= gs + ds;
}

static void add_matrix(const struct fet *t, const struct fet_ends *ends, double *to)
{
    const struct fet_value *d = &ends->drain, *s = &ends->source;
    add_row(t->block + FET_NODES * FET_DRAIN, d->gs, d->ds, to);
    add_row(t->block + FET_NODES * FET_SOURCE, s->gs, s->ds, to);
    add_row(t->block + FET_NODES * FET_GATE, -d->gs - s->gs, -d->ds - s->ds, to);
}

void fet_eval(const struct fet_family *family, struct fet *t, const void *law, const struct device_point *at,
              const struct device_stamp *out)
{
    const struct fet_voltages proposed = fet_voltages_at(t, at->x), v = limited(family, t, law, proposed, at);
    const struct fet_voltages excess = {proposed.gs - v.gs, proposed.ds - v.ds};
    struct fet_ends ends;
    if (at->what & (EVALUATE_F | EVALUATE_G)) {
        family->currents(law, v, at->gmin, &ends);
        if (at->what & EVALUATE_F)
            add_vector(t, &ends, excess, out->f);
        if (at->what & EVALUATE_G)
            add_matrix(t, &ends, out->G);
    }
    if (at->what & (EVALUATE_Q | EVALUATE_C)) {
        family->charges(law, v, &ends);
        if (at->what & EVALUATE_Q)
            add_vector(t, &ends, excess, out->q);
        if (at->what & EVALUATE_C)
            add_matrix(t, &ends, out->C);
    }
}

/* ---- what others ask ---- */

/* What flows into the inner nodes. */
static void find_flows(const struct fet_family *family, const struct fet *t, const void *law,
                       const struct device_probe *at, double into[FET_NODES])
{
    const struct fet_voltages v = fet_voltages_at(t, at->x), rate = fet_voltages_at(t, at->dxdt);
    struct fet_ends i, q;
    family->currents(law, v, at->gmin, &i);
    family->charges(law, v, &q);
    into[FET_DRAIN] = t->sign * (i.drain.value + q.drain.gs * rate.gs + q.drain.ds * rate.ds);
    into[FET_SOURCE] = t->sign * (i.source.value + q.source.gs * rate.gs + q.source.ds * rate.ds);
    into[FET_GATE] = -into[FET_DRAIN] - into[FET_SOURCE];
}

double fet_current(const struct fet_family *family, const struct fet *t, const void *law, int terminal,
                   const struct device_probe *at)
{
    const int outer = t->outer[terminal], inner = t->inner[terminal];
    struct device_flows own;
    if (inner != outer)
        return t->series[terminal] * (at->x[outer] - at->x[inner]);
    struct device_flows *const kept = device_flows(at, t, &own);
    if (!kept->known)
        find_flows(family, t, law, at, kept->into);
    return kept->into[terminal];
}

bool fet_add_series(const struct fet *t, struct branch_list *list)
{
    static const char *const parts[FET_NODES] = {"drain resistance", "gate resistance", "source resistance"};
    static const char *const symbols[FET_NODES] = {"d", "g", "s"};
    bool good = true;
    for (int i = 0; i < FET_NODES; i++) {
        const struct branch_place at = {t->element, t->outer[i], t->inner[i], parts[i], symbols[i]};
        good = branch_add_resistance(list, at, 1 / t->series[i]) && good;
    }
    return good;
}

bool fet_add_branches(const struct fet *t, bool junctions, bool stores, struct branch_list *list)
{
    const int d = t->inner[FET_DRAIN], g = t->inner[FET_GATE], s = t->inner[FET_SOURCE];
    const struct element *e = t->element;
    const struct branch_place channel = {e, d, s, "channel", "ds"};
    const struct branch_place source_junction = {e, g, s, "gate-source junction", "gs"};
    const struct branch_place drain_junction = {e, g, d, "gate-drain junction", "gd"};
    const struct branch_place source_charge = {e, g, s, "gate-source charge", "gs"};
    const struct branch_place drain_charge = {e, g, d, "gate-drain charge", "gd"};
    return branch_add_law(list, BRANCH_I, channel, &g, 1) &&
           (!junctions || (branch_add_law(list, BRANCH_R, source_junction, NULL, 0) &&
                           branch_add_law(list, BRANCH_R, drain_junction, NULL, 0))) &&
           (!stores || (branch_add_law(list, BRANCH_C, source_charge, NULL, 0) &&
                        branch_add_law(list, BRANCH_C, drain_charge, NULL, 0)));
}

bool fet_add_series_noise(const struct fet *t, double kelvin, struct noise_list *list)
{
    static const char *const mechanisms[FET_NODES] = {"rd", "rg", "rs"};
    bool good = true;
    for (int i = 0; i < FET_NODES; i++) {
        const struct noise_place at = {t->element, mechanisms[i], t->outer[i], t->inner[i]};
        good = noise_add_thermal(list, at, t->series[i], kelvin) && good;
    }
    return good;
}
