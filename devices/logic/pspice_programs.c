/* pspice_programs.c - LOGICEXP and PINDLY of PSpice, which run the programs of boolean expressions that the reader has made of
 * their cards (netlist/logic_program.h).
 *
 * A LOGICEXP is a gate of any function.  A PINDLY lets each input through to its output after the delay of the first of its
 * rules that holds when that begins to change; an enable that is not at its level disconnects it.  Source: PSpice Reference
 * Guide, "Behavioral primitives".
 */
#include "devices/logic/pspice.h"

#include "netlist/logic_program.h"

#include <math.h>

/* ---- programs ---- */

struct change {
    double time; /* s; -INFINITY: none yet */
    enum logic_level level;
};

/* Where a program runs. */
struct program_room {
    const struct logic *logic;
    const struct logic_part *part;
    size_t first;                 /* the part's input that is number 0 of programs */
    const struct change *changes; /* of these inputs; NULL: none are asked for */
    int from, to;                 /* LOGIC_END_.. of the output */
};

static enum logic_level truth(bool is_true)
{
    return is_true ? LOGIC_ONE : LOGIC_ZERO;
}

static enum logic_level changed(const struct program_room *r, enum logic_code code, const double *operands)
{
    const struct change *c = &r->changes[(size_t)operands[0]];
    const bool recent = logic_now(r->logic) - c->time <= operands[1];
    return truth(recent &&
                 (code == LOGIC_CODE_CHANGED || c->level == (code == LOGIC_CODE_CHANGED_UP ? LOGIC_ONE : LOGIC_ZERO)));
}

static enum logic_level moves(const struct program_room *r, const double *operands)
{
    const bool from = operands[0] == LOGIC_END_ANY || operands[0] == r->from,
               to = operands[1] == LOGIC_END_ANY || operands[1] == r->to;
    return truth(from && to);
}

static enum logic_level joined(enum logic_code code, enum logic_level a, enum logic_level b)
{
    switch (code) {
    case LOGIC_CODE_AND:
        return logic_and(a, b);
    case LOGIC_CODE_OR:
        return logic_or(a, b);
    case LOGIC_CODE_XOR:
        return logic_xor(a, b);
    default:
        return truth((a == b) == (code == LOGIC_CODE_EQUAL));
    }
}

static enum logic_level run(const struct program_room *r, const double *codes, size_t count)
{
    enum logic_level stack[LOGIC_PROGRAM_DEPTH + 1] = {LOGIC_UNKNOWN};
    size_t top = 0;
    for (size_t i = 0; i < count; i++) {
        const int code = (int)codes[i];
        if (code >= 0)
            stack[top++] = logic_read(r->logic, r->part, r->first + (size_t)code, LOGIC_UNKNOWN);
        else if (code >= LOGIC_CODE_X)
            stack[top++] = code == LOGIC_CODE_ZERO ? LOGIC_ZERO : code == LOGIC_CODE_ONE ? LOGIC_ONE : LOGIC_UNKNOWN;
        else if (code == LOGIC_CODE_NOT)
            stack[top - 1] = logic_not(stack[top - 1]);
        else if (code >= LOGIC_CODE_UNEQUAL) {
            top--;
            stack[top - 1] = joined((enum logic_code)code, stack[top - 1], stack[top]);
        } else {
            stack[top++] = code == LOGIC_CODE_TRANSITION ? moves(r, &codes[i + 1])
                                                         : changed(r, (enum logic_code)code, &codes[i + 1]);
            i += 2;
        }
    }
    return stack[0];
}

/* ---- LOGICEXP ---- */

struct function {
    const double *programs; /* of the outputs, each behind its length */
    struct flop_delay delay;
};

static void react_function(struct logic *l, struct logic_part *p)
{
    const struct function *f = p->own;
    const struct program_room room = {.logic = l, .part = p};
    const double *at = f->programs;
    for (size_t k = 0; k < p->driver_count; k++) {
        const size_t length = (size_t)*at++;
        const enum logic_level level = run(&room, at, length), before = logic_posted(l, p->drivers[k]).level;
        const bool rises = level == LOGIC_ONE || (level == LOGIC_UNKNOWN && before == LOGIC_ZERO);
        logic_post(l, p->drivers[k], logic_strong(level), rises ? f->delay.rise : f->delay.fall);
        at += length;
    }
}

static const struct logic_part_class function_part = {.react = react_function};

enum kn_status pspice_make_logic(struct logic_item *i)
{
    const double *numbers = i->element->numbers;
    const size_t inputs = (size_t)numbers[0], outputs = (size_t)numbers[1];
    struct logic_part *p = logic_item_part(i, &function_part, inputs, outputs, sizeof(struct function));
    if (!p)
        return KN_ERROR_MEMORY;
    *(struct function *)p->own = (struct function){numbers + 2, pspice_delays(i, PSPICE_BY_INPUT)};
    bool good = true;
    for (size_t k = 0; k < inputs && good; k++)
        good = (p->inputs[k].net = pspice_sense(i, (int)(PSPICE_FIRST_INPUT + k))) >= 0;
    for (size_t k = 0; k < outputs && good; k++) {
        const int net = pspice_drive(i, p, k, true);
        good = net >= 0 && pspice_add_conductances(i, net, net, LOGIC_ZERO, (int)(PSPICE_FIRST_INPUT + inputs + k));
    }
    return good && logic_item_add(i, p) ? KN_OK : KN_ERROR_MEMORY;
}

/* ---- PINDLY ---- */

struct path {
    const double *rules; /* each a delay of three numbers, the length of its program, and that */
    size_t count;
    int enable, level; /* the input that connects it at that level; -1: none */
    int target;        /* LOGIC_END_.. that it has been told to become; ANY: not known */
};

struct delays {
    const struct logic_item *item;
    struct path *paths;
    struct change *changes; /* of the references */
    size_t path_count, enable_count, reference_count;
};

static int end_of(const struct logic *l, const struct logic_part *p, size_t k)
{
    const struct delays *d = p->own;
    const struct path *path = &d->paths[k];
    const enum logic_level level = logic_read(l, p, k, LOGIC_UNKNOWN);
    if (path->enable >= 0 &&
        logic_read(l, p, d->path_count + (size_t)path->enable, LOGIC_UNKNOWN) != (enum logic_level)path->level)
        return LOGIC_END_NOWHERE;
    return level == LOGIC_ONE ? LOGIC_END_HIGH : level == LOGIC_ZERO ? LOGIC_END_LOW : LOGIC_END_ANY;
}

static void note_changes(const struct logic *l, const struct logic_part *p)
{
    const struct delays *d = p->own;
    for (size_t k = 0; k < d->reference_count; k++) {
        const enum logic_level level = logic_read(l, p, d->path_count + d->enable_count + k, LOGIC_UNKNOWN);
        if (level != d->changes[k].level)
            d->changes[k] = (struct change){logic_settles(l) ? -INFINITY : logic_now(l), level};
    }
}

static double delay_of_rules(const struct delays *d, const struct path *path, const struct program_room *room)
{
    const double *rule = path->rules;
    for (size_t k = 0; k < path->count; k++) {
        const size_t length = (size_t)rule[LOGIC_RULE_DELAYS];
        const double *program = rule + LOGIC_RULE_DELAYS + 1;
        if (length == 0 || run(room, program, length) == LOGIC_ONE) {
            const bool given[PSPICE_SELECTIONS] = {rule[0] >= 0, rule[1] >= 0, rule[2] >= 0};
            return given[0] || given[1] || given[2] ? pspice_choose(d->item, rule, given) : 0;
        }
        rule = program + length;
    }
    return 0;
}

/* The drivers of a path: to power, to ground. */
static void post_path(struct logic *l, struct logic_part *p, size_t k, int end, double delay)
{
    const struct delays *d = p->own;
    const struct flop_delay left = pspice_beginning(d->item, delay);
    const double until = end == LOGIC_END_HIGH ? left.rise : left.fall;
    const enum logic_level unknown = LOGIC_UNKNOWN;
    logic_post(l, p->drivers[2 * k], logic_strong(end == LOGIC_END_ANY ? unknown : truth(end == LOGIC_END_HIGH)),
               until);
    logic_post(l, p->drivers[2 * k + 1], logic_strong(end == LOGIC_END_ANY ? unknown : truth(end == LOGIC_END_LOW)),
               until);
}

static void react_delays(struct logic *l, struct logic_part *p)
{
    const struct delays *d = p->own;
    note_changes(l, p);
    for (size_t k = 0; k < d->path_count; k++) {
        struct path *path = &d->paths[k];
        const int end = end_of(l, p, k);
        if (end == path->target && !logic_settles(l))
            continue;
        const struct program_room room = {.logic = l,
                                          .part = p,
                                          .first = d->path_count + d->enable_count,
                                          .changes = d->changes,
                                          .from = path->target,
                                          .to = end};
        post_path(l, p, k, end, delay_of_rules(d, path, &room));
        path->target = end;
    }
}

static void forget_delays(struct logic_part *p)
{
    struct delays *d = p->own;
    for (size_t k = 0; k < d->path_count; k++)
        d->paths[k].target = LOGIC_END_ANY;
    for (size_t k = 0; k < d->reference_count; k++)
        d->changes[k] = (struct change){-INFINITY, LOGIC_UNKNOWN};
}

static void remember_delays(struct logic_part *p, struct keepsake *keepsake)
{
    struct delays *d = p->own;
    for (size_t k = 0; k < d->path_count; k++)
        KEEPSAKE_PIECE(keepsake, d->paths[k].target);
    keepsake_piece(keepsake, d->changes, d->reference_count * sizeof *d->changes);
}

static const struct logic_part_class delays_part = {
    .react = react_delays, .forget = forget_delays, .remember = remember_delays};

/* Behind the three counts of the card. */
static void take_paths(struct delays *d, const double *numbers)
{
    for (size_t k = 0; k < d->path_count; k++) {
        d->paths[k] = (struct path){
            .enable = (int)numbers[0], .level = (int)numbers[1], .count = (size_t)numbers[2], .rules = numbers + 3};
        numbers += 3;
        for (size_t rule = 0; rule < d->paths[k].count; rule++)
            numbers += LOGIC_RULE_DELAYS + 1 + (size_t)numbers[LOGIC_RULE_DELAYS];
    }
}

enum kn_status pspice_make_delays(struct logic_item *i)
{
    const double *n = i->element->numbers;
    struct arena *arena = logic_item_arena(i);
    struct delays d = {
        .item = i, .path_count = (size_t)n[0], .enable_count = (size_t)n[1], .reference_count = (size_t)n[2]};
    const size_t inputs = d.path_count + d.enable_count + d.reference_count;
    struct logic_part *p = logic_item_part(i, &delays_part, inputs, 2 * d.path_count, sizeof d);
    d.paths = arena_array(arena, d.path_count + 1, sizeof *d.paths);
    d.changes = arena_array(arena, d.reference_count + 1, sizeof *d.changes);
    if (!p || !d.paths || !d.changes)
        return KN_ERROR_MEMORY;
    take_paths(&d, n + 3);
    *(struct delays *)p->own = d;
    forget_delays(p);
    bool good = true;
    for (size_t k = 0; k < inputs && good; k++)
        good = (p->inputs[k].net = pspice_sense(i, (int)(PSPICE_FIRST_INPUT + k))) >= 0;
    for (size_t k = 0; k < d.path_count && good; k++) {
        const int up = pspice_drive(i, p, 2 * k, true), down = pspice_drive(i, p, 2 * k + 1, true);
        good = up >= 0 && down >= 0 && pspice_add_three_states(i, up, down, (int)(PSPICE_FIRST_INPUT + inputs + k));
    }
    return good && logic_item_add(i, p) ? KN_OK : KN_ERROR_MEMORY;
}
