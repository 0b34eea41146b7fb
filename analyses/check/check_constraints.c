/* check_constraints.c - the hidden equations in the user's own names.
 *
 * Around a C-V loop the voltages add up to zero; each voltage of a capacitance belongs to a charge, so the derivative
 * of that sum, with dv/dt = i/C, is an equation for currents that nobody wrote down.  Across an L-I cutset the same
 * holds for currents, with di/dt = v/L.  Where a loop is one source and one capacitor, and where a cutset is one source
 * and one inductor, the equation is solved for the index-2 unknown.
 */
#include "analyses/check/check_words.h"

#include <math.h>
#include <string.h>

/* Constraints that are put into words; a circuit with more has them counted. */
enum { MOST_CONSTRAINTS = 200 };

/* ---- the balance of currents at one node ---- */

static bool lies_across(const struct branch *b, const struct branch *source)
{
    const bool same = b->plus == source->plus && b->minus == source->minus;
    const bool opposite = b->plus == source->minus && b->minus == source->plus;
    return b->kind == BRANCH_C && b->role != ROLE_LAW && (same || opposite);
}

/* What leaves `node` through b, with a sign in front; the voltage of `source` is across its own capacitance. */
static void add_leaving(struct text *p, const struct writer *w, const struct branch *b, int node, bool negate,
                        const struct branch *source, bool first)
{
    const bool from_plus = b->plus == node;
    const int other = from_plus ? b->minus : b->plus;
    if (lies_across(b, source)) {
        words_sign(p, negate != (source->minus == node), first);
        words_capacitance(p, b);
        text_add(p, " * ");
        words_source_rate(p, w, source);
    } else if (b->kind == BRANCH_C && b->role != ROLE_LAW) {
        words_sign(p, negate, first);
        words_capacitance(p, b);
        text_add(p, " * d");
        words_voltage(p, w, node, other);
        text_add(p, "/dt");
    } else if (words_is_value(b, BRANCH_R)) {
        words_sign(p, negate, first);
        words_voltage(p, w, node, other);
        text_format(p, "/%s", b->element->name);
    } else if (b->kind == BRANCH_I && b->role == ROLE_SOURCE) {
        words_sign(p, negate != !from_plus, first);
        text_format(p, "%s(t)", b->element->name);
    } else if (b->element->node_count > 2 && b->part) {
        words_sign(p, negate, first);
        words_terminal_current(p, w, b, node);
    } else {
        words_sign(p, negate != !from_plus, first);
        words_current(p, b);
    }
}

/* True when an earlier branch of the same device stands for its current already. */
static bool said_before(const struct writer *w, int node, size_t place)
{
    const struct branch *b = &w->t->list.branches[w->at[place]];
    for (size_t k = w->first_at[node]; b->part && k < place; k++)
        if (w->t->list.branches[w->at[k]].element == b->element)
            return true;
    return false;
}

static void solve_for_source(struct text *p, const struct writer *w, const struct branch *source)
{
    const int node = source->plus != 0 ? source->plus : source->minus;
    words_current(p, source);
    text_add(p, " = ");
    const size_t begin = p->used;
    for (int others = 0; others < 2; others++) /* capacitors across the source first */
        for (size_t k = w->first_at[node]; k < w->first_at[node + 1]; k++) {
            const struct branch *b = &w->t->list.branches[w->at[k]];
            if (b == source || b->plus == b->minus || said_before(w, node, k) || others == lies_across(b, source))
                continue;
            add_leaving(p, w, b, node, source->plus == node, source, p->used == begin);
        }
    if (p->used == begin)
        text_add(p, "0");
}

/* ---- C-V loops ---- */

/* True when the equation reads better the other way round: its first source, or else its first charge, positive. */
static bool is_turned(const struct branch_set *set)
{
    bool source_seen = false, charge_seen = false, turn = false;
    int node = loop_begin(set);
    for (size_t i = 0; i < set->count; i++) {
        const struct branch *b = set->branches[i];
        const bool along = loop_pass(b, &node) > 0;
        const bool source = b->kind == BRANCH_V && !branch_is_short(b);
        if (source && !source_seen)
            turn = !along;
        else if (!source && !source_seen && !charge_seen && b->kind == BRANCH_C)
            turn = along;
        source_seen = source_seen || source;
        charge_seen = charge_seen || b->kind == BRANCH_C;
    }
    return turn;
}

typedef void side_writer(struct text *p, const struct writer *w, const struct branch_set *set, bool sources,
                         bool rates);

static void add_sides(struct text *p, const struct writer *w, const struct branch_set *set, side_writer *add,
                      bool rates)
{
    add(p, w, set, false, rates);
    text_add(p, " = ");
    add(p, w, set, true, rates);
}

static size_t count_kind(const struct branch_set *set, enum branch_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < set->count; i++)
        count += set->branches[i]->kind == kind;
    return count;
}

/* Sum of the voltages of one kind around the loop; `rates`: of their derivatives, i/C for a capacitance. */
static void add_loop_side(struct text *p, const struct writer *w, const struct branch_set *set, bool sources,
                          bool rates)
{
    int node = loop_begin(set);
    const bool turn = is_turned(set);
    const size_t begin = p->used;
    for (size_t i = 0; i < set->count; i++) {
        const struct branch *b = set->branches[i];
        const bool along = (loop_pass(b, &node) > 0) != turn;
        if ((b->kind == BRANCH_V) != sources || branch_is_short(b))
            continue;
        const bool from_ground = !sources && !rates && b->plus == 0;
        words_sign(p, (along != sources) != from_ground, p->used == begin);
        if (sources && rates)
            words_source_rate(p, w, b);
        else if (sources)
            words_source(p, w, b);
        else if (!rates)
            words_voltage(p, w, from_ground ? b->minus : b->plus, from_ground ? 0 : b->minus);
        else {
            text_add(p, "i(");
            words_owner(p, b);
            text_add(p, ")/");
            words_capacitance(p, b);
        }
    }
    if (p->used == begin)
        text_add(p, "0");
}

static const struct branch *only_source(const struct branch_set *set)
{
    if (set->count != 2 || count_kind(set, BRANCH_V) != 1)
        return NULL;
    return set->branches[set->branches[0]->kind == BRANCH_V ? 0 : 1];
}

static void add_names(struct text *p, const struct branch_set *set, enum branch_kind kind, const char *separator)
{
    const struct element *last = NULL;
    struct text_list list = text_list(p, separator, 0);
    for (size_t i = 0; i < set->count; i++) {
        const struct branch *b = set->branches[i];
        if (b->kind == kind && b->element != last)
            text_list_add(&list, b->element->name);
        last = b->kind == kind ? b->element : last;
    }
    text_list_end(&list);
}

/* "V1(t) or the voltage of E1": what noise comes from; `jump`: "V1 or E1". */
static void add_causes(struct text *p, const struct branch_set *set, enum branch_kind kind, bool jump)
{
    struct text_list list = text_list(p, " or ", 0);
    for (size_t i = 0; i < set->count; i++) {
        const struct branch *b = set->branches[i];
        if (b->kind != kind || branch_is_short(b))
            continue;
        const bool of_time = b->role == ROLE_SOURCE;
        const char *what = jump || of_time ? "" : kind == BRANCH_V ? "the voltage of " : "the current of ";
        text_list_format(&list, "%s%s%s", what, b->element->name, of_time && !jump ? "(t)" : "");
    }
    text_list_end(&list);
    if (list.given == 0)
        text_add(p, "the loop");
}

static bool keep(const struct writer *w, const struct text *p, const char **out)
{
    *out = text_keep(p, w->r->arena);
    return *out != NULL;
}

/* ---- what depends on derivatives ---- */

static bool add_unknown(const struct writer *w, struct report_constraint *c, size_t most, int unknown)
{
    if (!c->unknowns && !(c->unknowns = arena_array(w->r->arena, most + 1, sizeof *c->unknowns)))
        return false;
    if (w->r->order[unknown] > 0)
        c->unknowns[c->unknown_count++] = unknown;
    return true;
}

static bool loop_unknowns(const struct writer *w, const struct branch_set *set, struct report_constraint *c)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->branches[i]->kind == BRANCH_V && set->branches[i]->current > 0 &&
            !add_unknown(w, c, set->count, set->branches[i]->current))
            return false;
    return true;
}

static bool part_unknowns(const struct writer *w, const struct node_set *part, struct report_constraint *c)
{
    for (size_t i = 0; i < part->count; i++)
        if (!add_unknown(w, c, part->count, part->nodes[i]))
            return false;
    return true;
}

static void add_unknowns(struct text *p, const struct writer *w, const struct report_constraint *c)
{
    struct text_list list = text_list(p, ", ", 0);
    for (size_t i = 0; i < c->unknown_count; i++)
        text_list_add(&list, w->t->unknowns[c->unknowns[i]].name);
    text_list_end(&list);
}

/* " reaches i(v1) amplified by 1/h; a jump of V1 means an impulse of i(v1)" */
static void add_amplification(struct text *p, const struct writer *w, const struct report_constraint *c,
                              const struct branch_set *set, enum branch_kind kind)
{
    struct text names = TEXT(SENTENCE);
    int order = 1;
    add_unknowns(&names, w, c);
    for (size_t i = 0; i < c->unknown_count; i++)
        order = w->r->order[c->unknowns[i]] > order ? w->r->order[c->unknowns[i]] : order;
    text_format(p, " reaches %s amplified by 1/h", names.at);
    if (order > 1)
        text_format(p, ", noise in what that is a derivative of by up to 1/h^%d", order);
    text_add(p, "; a jump of ");
    add_causes(p, set, kind, true);
    text_format(p, " means an impulse of %s", names.at);
}

static bool no_consequence(const struct writer *w, const char **out)
{
    struct text p = TEXT(SENTENCE);
    text_add(&p, "none here: other values cancel what it would make depend on derivatives");
    return keep(w, &p, out);
}

static bool loop_consequence(const struct writer *w, const struct branch_set *set, struct report_constraint *c)
{
    struct text p = TEXT(SENTENCE);
    if (c->unknown_count == 0)
        return no_consequence(w, &c->consequence);
    text_add(&p, "noise in ");
    add_causes(&p, set, BRANCH_V, false);
    add_amplification(&p, w, c, set, BRANCH_V);
    return keep(w, &p, &c->consequence);
}

static bool loop_words(const struct writer *w, const struct branch_set *set, struct report_constraint *c)
{
    const struct branch *source = only_source(set);
    struct text constraint = TEXT(SENTENCE), hidden = TEXT(SENTENCE), remedy = TEXT(SENTENCE);
    if (source) {
        words_voltage(&constraint, w, source->plus, source->minus);
        text_add(&constraint, " = ");
        words_source(&constraint, w, source);
        solve_for_source(&hidden, w, source);
    } else {
        add_sides(&constraint, w, set, add_loop_side, false);
        add_sides(&hidden, w, set, add_loop_side, true);
    }
    text_format(&constraint, " holds for %s, so its derivative is a hidden equation:",
                count_kind(set, BRANCH_C) == 1 ? "a charge" : "charges");
    text_add(&remedy, "a resistance in series with ");
    add_names(&remedy, set, BRANCH_V, " or ");
    text_add(&remedy, " or ");
    add_names(&remedy, set, BRANCH_C, " or ");
    return keep(w, &constraint, &c->constraint) && keep(w, &hidden, &c->hidden) && keep(w, &remedy, &c->remedy) &&
           loop_unknowns(w, set, c) && loop_consequence(w, set, c);
}

/* ---- L-I cutsets ---- */

static void mark_part(const struct writer *w, const struct node_set *part, bool mark)
{
    for (size_t i = 0; i < part->count; i++)
        w->inside[part->nodes[i]] = mark;
}

/* True when the first inductor's current enters the part: the equation reads better the other way round. */
static bool enters_first(const struct writer *w, const struct branch_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->branches[i]->kind == BRANCH_L)
            return !w->inside[set->branches[i]->plus];
    return false;
}

/* "di(l1)/dt" */
static void add_slope(struct text *p, const char *name)
{
    text_add(p, "di(");
    text_add_lower(p, name);
    text_add(p, ")/dt");
}

/* Whose slopes are not voltage over inductance: "; v(1,2) = L1*di(l1)/dt + M_K1*di(l2)/dt" */
static void add_coupled_laws(struct text *p, const struct writer *w, const struct branch_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        const struct branch *b = set->branches[i];
        if (b->kind != BRANCH_L || !is_coupled(&w->t->list, b->element))
            continue;
        text_add(p, "; ");
        words_voltage(p, w, b->plus, b->minus);
        text_format(p, " = %s*", b->element->name);
        add_slope(p, b->element->name);
        for (size_t k = 0; k < w->t->list.coupling_count; k++) {
            const struct coupling *c = &w->t->list.couplings[k];
            if (!coupling_names(c, b->element))
                continue;
            text_format(p, " + M_%s*", c->element->name);
            add_slope(p, c->first == b->element ? c->second->name : c->first->name);
        }
    }
}

/* Currents that leave the part through inductors (or arrive from sources); `rates`: v/L and dI/dt. */
static void add_cutset_side(struct text *p, const struct writer *w, const struct branch_set *set, bool sources,
                            bool rates)
{
    const bool turn = enters_first(w, set);
    const size_t begin = p->used;
    for (size_t i = 0; i < set->count; i++) {
        const struct branch *b = set->branches[i];
        if ((b->kind == BRANCH_I) != sources)
            continue;
        const bool slope = !sources && rates && is_coupled(&w->t->list, b->element);
        const bool from_ground = !sources && rates && b->plus == 0 && !slope;
        words_sign(p, ((w->inside[b->plus] == sources) != turn) != from_ground, p->used == begin);
        if (sources && rates)
            words_source_rate(p, w, b);
        else if (sources)
            words_source(p, w, b);
        else if (!rates)
            words_current(p, b);
        else if (slope)
            add_slope(p, b->element->name);
        else {
            words_voltage(p, w, from_ground ? b->minus : b->plus, from_ground ? 0 : b->minus);
            text_add(p, "/");
            words_capacitance(p, b);
        }
    }
    if (p->used == begin)
        text_add(p, "0");
}

/* One inductor that leads into the part, no coupling: its voltage is L dI/dt. */
static bool add_solved_cutset(struct text *p, const struct writer *w, const struct branch_set *set)
{
    const struct branch *l = NULL;
    for (size_t i = 0; i < set->count; i++)
        if (set->branches[i]->kind == BRANCH_L) {
            if (l || !words_is_value(set->branches[i], BRANCH_L) || is_coupled(&w->t->list, set->branches[i]->element))
                return false;
            l = set->branches[i];
        }
    if (!l || count_kind(set, BRANCH_I) == 0)
        return false;
    const bool out = w->inside[l->plus];
    const int inner = out ? l->plus : l->minus, outer = out ? l->minus : l->plus;
    words_voltage(p, w, inner, 0);
    text_add(p, " = ");
    if (outer != 0)
        words_voltage(p, w, outer, 0);
    struct text rate = TEXT(SENTENCE);
    const size_t sources = count_kind(set, BRANCH_I);
    for (size_t i = 0; i < set->count; i++) {
        const struct branch *b = set->branches[i];
        if (b->kind != BRANCH_I)
            continue;
        words_sign(&rate, w->inside[b->plus], rate.used == 0);
        words_source_rate(&rate, w, b);
    }
    const bool negative = sources == 1 && rate.at[0] == '-';
    words_sign(p, negative, outer == 0);
    text_format(p, sources > 1 ? "%s * (%s)" : "%s * %s", l->element->name, rate.at + negative);
    return true;
}

static bool cutset_consequence(const struct writer *w, const struct branch_set *set, struct report_constraint *c)
{
    struct text p = TEXT(SENTENCE);
    if (c->unknown_count == 0)
        return no_consequence(w, &c->consequence);
    if (count_kind(set, BRANCH_I) == 0) {
        text_add(&p, "the currents of ");
        add_names(&p, set, BRANCH_L, " and ");
        text_add(&p, " are not independent; a contradiction in their initial values means an impulse of ");
        add_unknowns(&p, w, c);
        return keep(w, &p, &c->consequence);
    }
    text_add(&p, "noise in ");
    add_causes(&p, set, BRANCH_I, false);
    add_amplification(&p, w, c, set, BRANCH_I);
    return keep(w, &p, &c->consequence);
}

static bool cutset_words(const struct writer *w, const struct branch_set *set, const struct node_set *part,
                         struct report_constraint *c)
{
    struct text constraint = TEXT(SENTENCE), hidden = TEXT(SENTENCE), remedy = TEXT(SENTENCE);
    mark_part(w, part, true);
    add_sides(&constraint, w, set, add_cutset_side, false);
    text_format(&constraint, " holds for %s, so its derivative is a hidden equation:",
                count_kind(set, BRANCH_L) == 1 ? "a flux" : "fluxes");
    if (!add_solved_cutset(&hidden, w, set)) {
        add_sides(&hidden, w, set, add_cutset_side, true);
        add_coupled_laws(&hidden, w, set);
    }
    mark_part(w, part, false);
    text_add(&remedy, "a resistance or capacitance in parallel with ");
    add_names(&remedy, set, BRANCH_L, " or ");
    if (count_kind(set, BRANCH_I) > 0) {
        text_add(&remedy, " or ");
        add_names(&remedy, set, BRANCH_I, " or ");
    }
    return keep(w, &constraint, &c->constraint) && keep(w, &hidden, &c->hidden) && keep(w, &remedy, &c->remedy) &&
           part_unknowns(w, part, c) && cutset_consequence(w, set, c);
}

/* ---- the whole ---- */

/* Branches at each node, by counting. */
static bool index_branches(struct writer *w)
{
    const struct branch_list *list = &w->t->list;
    const size_t nodes = (size_t)w->t->unknown_count + 3;
    w->first_at = arena_array(w->r->arena, nodes, sizeof *w->first_at);
    w->at = arena_array(w->r->arena, 2 * list->count + 1, sizeof *w->at);
    w->inside = arena_array(w->r->arena, nodes, sizeof *w->inside);
    if (!w->first_at || !w->at || !w->inside)
        return false;
    for (size_t i = 0; i < list->count; i++) {
        w->first_at[list->branches[i].plus + 2]++;
        w->first_at[list->branches[i].minus + 2]++;
    }
    for (size_t i = 1; i < nodes; i++)
        w->first_at[i] += w->first_at[i - 1];
    for (size_t i = 0; i < list->count; i++) {
        w->at[w->first_at[list->branches[i].plus + 1]++] = i;
        w->at[w->first_at[list->branches[i].minus + 1]++] = i;
    }
    return true;
}

enum kn_status check_constraints(struct index_report *r)
{
    const struct topology *t = r->topology;
    struct writer w = {.r = r, .t = t};
    size_t loops = t->cv_loops.count, cutsets = t->li_cutsets.count;
    loops = loops > MOST_CONSTRAINTS ? MOST_CONSTRAINTS : loops;
    cutsets = cutsets > MOST_CONSTRAINTS ? MOST_CONSTRAINTS : cutsets;
    r->constraints = arena_array(r->arena, loops + cutsets + 1, sizeof *r->constraints);
    r->hidden.names = arena_array(r->arena, loops + cutsets + 2, sizeof *r->hidden.names);
    if (!r->constraints || !r->hidden.names || !index_branches(&w))
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < loops + cutsets; i++) {
        struct report_constraint *c = &r->constraints[r->constraint_count++];
        c->cutset = i >= loops;
        c->number = c->cutset ? i - loops : i;
        if (!(c->cutset ? cutset_words(&w, &t->li_cutsets.sets[c->number], &t->li_parts.sets[c->number], c)
                        : loop_words(&w, &t->cv_loops.sets[c->number], c)))
            return KN_ERROR_MEMORY;
        r->hidden.names[r->hidden.count++] = c->hidden;
    }
    return KN_OK;
}
