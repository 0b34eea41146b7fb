/* initial_values_report.c - initial values against the structure of the circuit: around a C-V loop the voltages of
 * the capacitors must fit the sources, and through an L-I cutset the currents of the inductors must.
 * And which of them have not stayed.
 */
#include "mna/start/initial_values.h"

#include "mna/start/augmented.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_known(const struct initial_values *g, int unknown)
{
    return unknown == 0 || g->is_set[unknown - 1];
}

/* What the given voltages miss around the loop; x obeys the sources.  false: some voltage is not given. */
static bool loop_misses(const struct initial_values *g, const struct branch_set *loop, const double *x, double *sum,
                        double *size)
{
    int node = loop_begin(loop);
    *sum = *size = 0;
    for (size_t i = 0; i < loop->count; i++) {
        const struct branch *b = loop->branches[i];
        const int sign = loop_pass(b, &node);
        if (b->kind != BRANCH_C)
            continue;
        if (!is_known(g, b->plus) || !is_known(g, b->minus))
            return false;
        const double given = branch_voltage(b, g->x);
        *sum += sign * (given - branch_voltage(b, x));
        *size += fabs(given);
    }
    return true;
}

/* The same of the currents that leave a part through inductors. */
static bool cutset_misses(const struct initial_values *g, const struct branch_set *cutset, const struct node_set *part,
                          const double *x, double *sum, double *size)
{
    *sum = *size = 0;
    for (size_t i = 0; i < cutset->count; i++) {
        const struct branch *b = cutset->branches[i];
        if (b->kind != BRANCH_L)
            continue;
        if (!is_known(g, b->current))
            return false;
        *sum += (node_set_contains(part, b->plus) ? 1 : -1) *
                (unknown_value(g->x, b->current) - unknown_value(x, b->current));
        *size += fabs(unknown_value(g->x, b->current));
    }
    return true;
}

static void report(const struct topology *t, const struct branch_set *set, bool loop, double misses,
                   struct kn_diagnostics *d)
{
    struct text names = TEXT(400);
    branch_set_list(&names, set, t->file, " - ", TOPOLOGY_MOST_NAMES);
    diagnostics_add(
        d, KN_WARNING, "initial-contradiction", set->branches[0]->element->where,
        loop ? "leave out ic= of one capacitor of the loop, or correct the values"
             : "leave out ic= of one inductor of the cutset, or correct the values",
        "initial values in the %s %s contradict the rest of it by %.6g %s; the nearest ones that fit are used",
        loop ? "C-V loop" : "L-I cutset", names.at, fabs(misses), loop ? "V" : "A");
}

void initial_values_report(const struct initial_values *g, const struct topology *t, const double *x,
                           struct kn_diagnostics *d)
{
    int count = 0;
    double sum, size;
    for (size_t i = 0; i < t->cv_loops.count && count < TOPOLOGY_MOST_LISTED; i++)
        if (loop_misses(g, &t->cv_loops.sets[i], x, &sum, &size) && fabs(sum) > START_RELTOL * size) {
            report(t, &t->cv_loops.sets[i], true, sum, d);
            count++;
        }
    for (size_t i = 0; i < t->li_cutsets.count && count < TOPOLOGY_MOST_LISTED; i++)
        if (cutset_misses(g, &t->li_cutsets.sets[i], &t->li_parts.sets[i], x, &sum, &size) &&
            fabs(sum) > START_RELTOL * size) {
            report(t, &t->li_cutsets.sets[i], false, sum, d);
            count++;
        }
}

void initial_values_report_moved(const struct initial_values *g, const struct mna *m, const double *x, struct kn_diagnostics *d)
{
    struct text text = TEXT(500);
    struct text_list list = text_list(&text, ", ", 0);
    for (int i = 0; i < mna_unknown_count(m); i++) {
        if (!g->is_set[i] ||
            fabs(x[i] - g->x[i]) <= MNA_SPICE.reltol * fmax(fabs(x[i]), fabs(g->x[i])) + mna_dae(m)->absolute[i])
            continue;
        text_list_format(&list, "%.60s = %.6g became %.6g", mna_unknown(m, i)->name, g->x[i], x[i]);
    }
    text_list_end(&list);
    if (list.given > 0)
        diagnostics_add(d, KN_NOTE, "initial-moved", NOWHERE,
                        "only charges and fluxes can be chosen at the start; other values follow from them",
                        "initial values that the circuit does not leave free were replaced: %s", text.at);
}
