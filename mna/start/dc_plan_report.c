/* dc_plan_report.c - operating points that do not exist, and what was assumed where they are not unique. */
#include "base/rounding.h"
#include "mna/listing.h"
#include "mna/start/dc_plan.h"
#include "netlist/response.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *name_of(const struct dc_plan *plan, int unknown_number)
{
    return mna_unknown(plan->mna, unknown_number - 1)->name;
}

static void list_nodes(const struct dc_plan *plan, const struct node_set *set, struct text *text)
{
    struct text_list list = text_list(text, ", ", 0);
    for (size_t k = 0; k < set->count; k++)
        text_list_add(&list, name_of(plan, set->nodes[k]));
    text_list_end(&list);
}

/* ---- islands that a current source feeds ---- */

static bool feeds(const struct branch *b, const struct node_set *set)
{
    return b->kind == BRANCH_I && node_set_contains(set, b->plus) != node_set_contains(set, b->minus);
}

static bool fed_by_controlled_source(const struct dc_plan *plan, const struct node_set *set)
{
    const struct branch_list *list = &plan->topology->list;
    for (size_t i = 0; i < list->count; i++)
        if (feeds(&list->branches[i], set) && list->branches[i].controlled)
            return true;
    return false;
}

/* Of the values, or of their sizes. */
static double sum_over(const struct node_set *set, const double *values, bool sizes)
{
    double sum = 0;
    for (size_t k = 0; k < set->count; k++) {
        const double value = values[set->nodes[k] - 1];
        sum += sizes ? fabs(value) : value;
    }
    return sum;
}

/* Whether the element is a transfer function with a pole at s = 0. */
static bool integrates(const struct element *e)
{
    const struct response *r = e ? e->response : NULL;
    for (size_t i = 0; r && !response_is_of_frequencies(r) && i < r->section_count; i++)
        if (r->sections[i].denominator[0] == 0)
            return true;
    return false;
}

static enum kn_status report_integrator(const struct dc_plan *plan, const struct element *e, struct kn_diagnostics *d)
{
    struct text name = TEXT(200);
    struct text_list items = text_list(&name, ", ", 0);
    listing_item(&items, mna_circuit(plan->mna)->file, e);
    text_list_end(&items);
    diagnostics_add(
        d, KN_ERROR, "fed-island", e->where,
        "let its input be 0 at rest, start the transient with uic, or move the pole a little: 1/(s+1u)",
        "no operating point exists: the transfer function of %s has a pole at s = 0, so that it integrates, "
        "and its input is not 0 at rest",
        name.at);
    return KN_ERROR_CIRCUIT;
}

static enum kn_status report_fed_island(const struct dc_plan *plan, const struct node_set *set, double current,
                                        struct kn_diagnostics *d)
{
    struct text nodes = TEXT(400), sources = TEXT(400);
    const struct branch_list *list = &plan->topology->list;
    struct text_list items = text_list(&sources, ", ", 0);
    const struct element *first = NULL;
    for (size_t i = 0; i < list->count; i++) {
        if (!feeds(&list->branches[i], set))
            continue;
        listing_item(&items, mna_circuit(plan->mna)->file, list->branches[i].element);
        if (!first)
            first = list->branches[i].element;
    }
    text_list_end(&items);
    if (integrates(first))
        return report_integrator(plan, first, d);
    list_nodes(plan, set, &nodes);
    diagnostics_add(
        d, KN_ERROR, "fed-island", first ? first->where : mna_unknown_place(plan->mna, set->nodes[0] - 1),
        "give these nodes a path for direct current, e.g. a large resistance to ground, or start the transient "
        "with uic",
        "no operating point exists: %s feeds %.4g A into %s, which only capacitors connect to the rest", sources.at,
        fabs(current), nodes.at);
    return KN_ERROR_CIRCUIT;
}

/* The current that islands get from sources alone. sizes: magnitude of the terms in each row. */
static enum kn_status check_islands(const struct dc_plan *plan, const double *f, const double *sizes, bool before,
                                    struct kn_diagnostics *d)
{
    const struct node_sets *floating = &plan->topology->floating;
    const double *tolerance = mna_dae(plan->mna)->equation_absolute;
    enum kn_status status = KN_OK;
    for (size_t i = 0; i < floating->count; i++) {
        const struct node_set *set = &floating->sets[i];
        if (!plan->topology->floating_fed[i] || plan->island_imposed[i] ||
            (before && fed_by_controlled_source(plan, set)))
            continue;
        const double current = sum_over(set, f, false);
        if (fabs(current) > tolerance[set->nodes[0] - 1] + ROUNDING_BALANCE * sum_over(set, sizes, true))
            status = report_fed_island(plan, set, current, d);
    }
    return status;
}

enum kn_status dc_plan_check_islands_before(const struct dc_plan *plan, const double *f, struct kn_diagnostics *d)
{
    return check_islands(plan, f, f, true, d);
}

/* ---- loops of inductors and voltage sources ---- */

/* The voltages of the inductors and lines summed along the loop: that of its sources, with the other sign. */
static double inductor_voltage(const struct branch_set *loop, const double *x)
{
    int node = loop_begin(loop);
    double sum = 0;
    for (size_t k = 0; k < loop->count; k++) {
        const int sign = loop_pass(loop->branches[k], &node);
        const struct branch_control ends = loop_ends(loop->branches[k]);
        if (loop->branches[k]->kind != BRANCH_V)
            sum += sign * (unknown_value(x, ends.plus) - unknown_value(x, ends.minus));
    }
    return sum;
}

static double largest_voltage(const struct branch_set *loop, const double *x)
{
    double largest = 0;
    for (size_t k = 0; k < loop->count; k++) {
        const struct branch *b = loop->branches[k];
        largest = fmax(largest, fmax(fabs(unknown_value(x, b->plus)), fabs(unknown_value(x, b->minus))));
    }
    return largest;
}

static bool has_imposed_inductor(const struct dc_plan *plan, const struct branch_set *loop)
{
    for (size_t k = 0; k < loop->count; k++)
        if (loop->branches[k]->kind == BRANCH_L && dc_plan_replaces(plan, loop->branches[k]->current - 1))
            return true;
    return false;
}

static bool has_line(const struct branch_set *loop)
{
    for (size_t k = 0; k < loop->count; k++)
        if (loop->branches[k]->role == ROLE_PORT)
            return true;
    return false;
}

static enum kn_status report_driven_loop(const struct dc_plan *plan, const struct branch_set *loop, double voltage,
                                         struct kn_diagnostics *d)
{
    struct text elements = TEXT(400);
    branch_set_list(&elements, loop, plan->topology->file, ", ", 0);
    diagnostics_add(
        d, KN_ERROR, "driven-inductor-loop", loop->branches[0]->element->where,
        "add the series resistance that every real inductor, line or source has",
        "no operating point exists: the loop of %s keeps %.4g V across %s, whose current would grow without "
        "bound",
        elements.at, voltage, has_line(loop) ? "lines" : "inductors");
    return KN_ERROR_CIRCUIT;
}

static enum kn_status check_loop(const struct dc_plan *plan, const struct branch_set *loop, const double *x,
                                 struct kn_diagnostics *d)
{
    if (loop->count == 0 || has_imposed_inductor(plan, loop))
        return KN_OK;
    const double voltage = fabs(inductor_voltage(loop, x));
    if (voltage <= mna_dae(plan->mna)->absolute[0] + ROUNDING_BALANCE * largest_voltage(loop, x))
        return KN_OK;
    return report_driven_loop(plan, loop, voltage, d);
}

static enum kn_status check_loops(const struct dc_plan *plan, enum loop_state state, const double *x,
                                  struct kn_diagnostics *d)
{
    const struct branch_sets *loops = &plan->topology->vl_loops;
    for (size_t i = 0; i < loops->count; i++)
        if (plan->loops[i] == state && check_loop(plan, &loops->sets[i], x, d) != KN_OK)
            return KN_ERROR_CIRCUIT;
    return KN_OK;
}

static enum kn_status check_lines(const struct dc_plan *plan, const double *x, struct kn_diagnostics *d)
{
    const struct branch_sets *loops = &plan->topology->line_loops;
    for (size_t i = 0; i < loops->count; i++)
        if (check_loop(plan, &loops->sets[i], x, d) != KN_OK)
            return KN_ERROR_CIRCUIT;
    return KN_OK;
}

enum kn_status dc_plan_check(const struct dc_plan *plan, const double *x, const double *f, const double *row_scale,
                             struct kn_diagnostics *d)
{
    const enum kn_status islands = check_islands(plan, f, row_scale, false, d);
    const enum kn_status loops = check_loops(plan, LOOP_OPEN, x, d), lines = check_lines(plan, x, d);
    return islands != KN_OK ? islands : loops != KN_OK ? loops : lines;
}

enum kn_status dc_plan_check_doubtful(const struct dc_plan *plan, const double *x, struct kn_diagnostics *d)
{
    return check_loops(plan, LOOP_DOUBTFUL, x, d);
}

/* ---- notes ---- */

static void report_islands(const struct dc_plan *plan, struct kn_diagnostics *d)
{
    const struct node_sets *floating = &plan->topology->floating;
    for (size_t i = 0; i < floating->count; i++) {
        if (plan->island_imposed[i])
            continue;
        struct text nodes = TEXT(400);
        list_nodes(plan, &floating->sets[i], &nodes);
        diagnostics_add(d, KN_NOTE, "no-dc-path", mna_unknown_place(plan->mna, floating->sets[i].nodes[0] - 1),
                        "a .nodeset or .ic for one of these nodes chooses another operating point",
                        "no path for direct current leads to %s: the operating point assumes no net charge there",
                        nodes.at);
    }
}

static void report_loop(const struct dc_plan *plan, const struct branch_set *loop, struct kn_diagnostics *d)
{
    struct text elements = TEXT(400);
    if (loop->count == 0 || has_imposed_inductor(plan, loop))
        return;
    branch_set_list(&elements, loop, plan->topology->file, ", ", 0);
    diagnostics_add(
        d, KN_NOTE, has_line(loop) ? "line-loop" : "inductor-loop", loop->branches[0]->element->where,
        "a series resistance in the loop makes the operating point unique",
        "nothing fixes the direct current around the loop of %s: the operating point assumes no net flux there",
        elements.at);
}

static void report_loops(const struct dc_plan *plan, struct kn_diagnostics *d)
{
    const struct branch_sets *loops = &plan->topology->vl_loops, *lines = &plan->topology->line_loops;
    for (size_t i = 0; i < loops->count; i++)
        if (plan->loops[i] != LOOP_DETERMINED)
            report_loop(plan, &loops->sets[i], d);
    for (size_t i = 0; i < lines->count; i++)
        report_loop(plan, &lines->sets[i], d);
}

static void report_imposed(const struct dc_plan *plan, const double *x, double relative, struct kn_diagnostics *d)
{
    for (size_t k = 0; k < plan->imposed_count; k++) {
        const struct imposed_value *v = &plan->imposed[k];
        const double reached = x[v->unknown];
        const double tolerance = relative * fabs(v->value) + mna_dae(plan->mna)->absolute[v->unknown];
        const char *name = mna_unknown(plan->mna, v->unknown)->name;
        if (plan->origins[k].inductor)
            diagnostics_add(d, KN_NOTE, "initial-inductor", mna_unknown(plan->mna, v->unknown)->element->where,
                            "with uic and ic= on the inductor the current can be chosen",
                            "%s is an inductor between nodes given by .ic: its current starts from 0", name);
        else if (plan->origins[k].determined && fabs(reached - v->value) > tolerance)
            diagnostics_add(d, KN_WARNING, "initial-contradiction", plan->origins[k].where,
                            "remove the entry from .ic, or change the source",
                            ".ic wants %s = %.6g V, but voltage sources or other .ic values fix it at %.6g V", name,
                            v->value, reached);
    }
}

void dc_plan_report(const struct dc_plan *plan, const double *x, double relative, struct kn_diagnostics *d)
{
    report_islands(plan, d);
    report_loops(plan, d);
    report_imposed(plan, x, relative, d);
    if (plan->unused)
        diagnostics_add(
            d, KN_NOTE, "initial-unused", plan->unused->where,
            "write uic behind .tran to start from it; --dialect pspice or xyce holds it at the operating point",
            "ic of '%s' does not count without uic, as in SPICE", plan->unused->name);
    if (plan->unheld)
        diagnostics_add(d, KN_WARNING, "initial-unheld", plan->unheld->where,
                        "write uic behind .tran, or give the nodes' voltages by .ic",
                        "ic of '%s' is left out: PSpice and Xyce hold it at the operating point; here a voltage "
                        "between two nodes is held with uic only",
                        plan->unheld->name);
}
