/* spread.c - see spread.h. */
#include "analyses/spread.h"

#include <math.h>

/* Values that may meet in one sum, in one unit: resistances and what acts like one, capacitances, inductances, gains.
 */
enum { RESISTANCES, CAPACITANCES, INDUCTANCES, GAINS, KINDS };
static const char *const units[KINDS] = {" ohm", " F", " H", ""};

struct extremes {
    double smallest, largest;
    const struct element *of_smallest, *of_largest;
};

static void note(struct extremes *e, double value, const struct element *owner)
{
    const double size = fabs(value);
    if (!(size > 0) || isinf(size))
        return;
    if (!e->of_smallest || size < e->smallest) {
        e->smallest = size;
        e->of_smallest = owner;
    }
    if (!e->of_largest || size > e->largest) {
        e->largest = size;
        e->of_largest = owner;
    }
}

/* The gain of a linear controlled source; gains of 1 V/V stand beside the 1 of Kirchhoff's laws. */
static void note_gain(struct extremes *all, const struct element *e)
{
    if (!e->has_value || e->value == 0)
        return;
    const bool by_voltage = e->kind->form == CARD_BY_VOLTAGE, gives_voltage = e->kind->law == LAW_VOLTAGE;
    if (by_voltage == gives_voltage)
        note(&all[GAINS], e->value, e);
    else
        note(&all[RESISTANCES], by_voltage ? 1 / e->value : e->value, e);
}

static void note_branch(struct extremes *all, const struct branch *b)
{
    if (b->role == ROLE_GAIN)
        note_gain(all, b->element);
    else if (b->kind == BRANCH_R || b->kind == BRANCH_C || b->kind == BRANCH_L)
        note(&all[b->kind == BRANCH_R   ? RESISTANCES
                  : b->kind == BRANCH_C ? CAPACITANCES
                                        : INDUCTANCES],
             b->constant, b->element);
}

static double spread_of(const struct extremes *e)
{
    return e->of_smallest ? e->largest / e->smallest : 1;
}

/* Values nearer to each other than this hide nothing by themselves. */
static const double FAR_APART = 1e9;

static void add_value(struct text *p, const struct element *e, double value, const char *unit)
{
    text_format(p, "%s (line %d) with %.3g%s", e->name, e->where.line, value, unit);
}

void spread_describe(const struct mna *m, const struct topology *t, const struct index_analysis *a, struct text *p)
{
    struct extremes all[KINDS] = {0};
    int widest = 0;
    char elements[300];
    for (size_t i = 0; i < t->list.count; i++)
        note_branch(all, &t->list.branches[i]);
    for (int k = 1; k < KINDS; k++)
        widest = spread_of(&all[k]) > spread_of(&all[widest]) ? k : widest;
    const struct extremes *e = &all[widest];
    if (spread_of(e) >= FAR_APART) {
        add_value(p, e->of_smallest, e->smallest, units[widest]);
        text_add(p, " and ");
        add_value(p, e->of_largest, e->largest, units[widest]);
        text_format(p, " are %.0f decades apart", log10(spread_of(e)));
    } else if (a->widest >= FAR_APART && a->widest_unknown >= 0) {
        mna_describe(m, a->widest_unknown, elements, sizeof elements);
        text_format(p, "at %s, where %s meet, values %.0f decades apart are added",
                    mna_unknown(m, a->widest_unknown)->name, elements, log10(a->widest));
    } else
        text_add(p, "values cancel up to their last digits");
}
