/* deck_machine.c - LTspice's state machines:
 *
 *     .machine [tolerance of time]
 *     .state name value               the first is the one that it begins in
 *     .rule from to condition         from: a state, or * for any
 *     .output (node) formula          a current of 1 mA for 1 into the node; `state` is the value of the state
 *     .endmachine
 *
 * become elements: for each rule a current of its condition through 1 ohm, whose voltage the machine (logic/state_machine.c) looks
 * at, the machine itself, whose voltage is the value of its state, and for each output a current of its formula (LTspice's
 * help, ".MACHINE", and libraries that use it: a resistor of 1 kohm has the formula as its voltage).  Its nodes are
 * machine1#rule1 .. and machine1#state.
 */
#include "netlist/deck/deck_reader.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char form[] =
    "write .state name value, .rule from to condition, .output (node) formula between .machine and "
    ".endmachine";

/* ---- the block ---- */

void deck_take_machine(struct deck *k, struct statement *s)
{
    if (k->machine)
        deck_fail(k, "syntax", s->items->where, "end it with '.endmachine'", "'%s' within the '.machine' of %s",
                  s->items->text, deck_place(k, k->machine->items->where));
    k->machine = s;
    k->machine_lines = (struct statements){0};
    k->machine_number++;
}

void deck_take_machine_line(struct deck *k, struct statement *s)
{
    if (!k->machine) {
        deck_fail(k, "syntax", s->items->where, form, "'%s' without a '.machine' before it", s->items->text);
        return;
    }
    if (!s->broken)
        statements_append(&k->machine_lines, s);
}

/* ---- elements ---- */

static void add_element(struct item_row *r, const struct statement *like)
{
    struct statement *s = deck_statement_of(r, like);
    if (!s)
        return;
    s->is_machine = item_is(like->items, ".machine") || item_is(like->items, ".mach");
    deck_add_element(r->k, s);
}

static bool is_part_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '#';
}

/* The text with the node of the state in place of `state`. */
static const char *with_state(struct deck *k, const char *text)
{
    static const char word[] = "state";
    const char *made = "";
    for (const char *c = text; made && *c; c++) {
        const bool begins = c == text || !is_part_of_name(c[-1]);
        if (begins && strncasecmp(c, word, sizeof word - 1) == 0 && !is_part_of_name(c[sizeof word - 1])) {
            made =
                arena_format(k->scratch, "%s%.*sv(machine%zu#state)", made, (int)(c - text), text, k->machine_number);
            text = c + sizeof word - 1;
            c = text - 1;
        }
    }
    return made ? arena_format(k->arena, "%s%s", made, text) : NULL;
}

/* name 0 to I={factor*(formula)} */
static void add_current(struct deck *k, const struct statement *like, const char *name, const char *to,
                        const char *factor, const struct item *formula)
{
    const char *text = with_state(k, formula->text);
    struct item_row r = {.k = k, .like = like->items}, value = {.k = k, .like = formula};
    deck_push_item(&r, ITEM_WORD, name);
    deck_push_item(&r, ITEM_WORD, "0");
    deck_push_item(&r, ITEM_WORD, to);
    struct item *law = deck_push_item(&r, ITEM_WORD, "i");
    deck_push_item(&value, ITEM_EXPRESSION, text && *factor ? arena_format(k->arena, "%s*(%s)", factor, text) : text);
    if (law)
        law->value = value.list.first;
    add_element(&r, like);
}

static const char *rule_node(struct deck *k, size_t rule)
{
    return arena_format(k->arena, "machine%zu#rule%zu", k->machine_number, rule);
}

static void add_rule(struct deck *k, const struct statement *s, size_t rule)
{
    const char *node = rule_node(k, rule);
    struct item_row r = {.k = k, .like = s->items};
    add_current(k, s, arena_format(k->arena, "bmachine%zu#rule%zu", k->machine_number, rule), node, "",
                s->items->next->next->next);
    deck_push_item(&r, ITEM_WORD, arena_format(k->arena, "rmachine%zu#rule%zu", k->machine_number, rule));
    deck_push_item(&r, ITEM_WORD, node);
    deck_push_item(&r, ITEM_WORD, "0");
    deck_push_item(&r, ITEM_WORD, "1");
    add_element(&r, s);
}

static void add_output(struct deck *k, const struct statement *s, size_t output)
{
    add_current(k, s, arena_format(k->arena, "bmachine%zu#output%zu", k->machine_number, output),
                s->items->next->inside->text, "1m", s->items->next->next);
}

/* ---- what the lines say ---- */

static bool is_line(const struct statement *s, const char *card)
{
    return item_is(s->items, card);
}

static bool is_whole(struct deck *k, const struct statement *s)
{
    const struct item *first = s->items->next, *second = first ? first->next : NULL;
    const bool good = is_line(s, ".output")
                          ? first && first->kind == ITEM_GROUP && first->inside && second && *second->text
                      : is_line(s, ".state") ? first && second && *second->text
                                             : first && second && second->next && *second->next->text;
    return good || deck_fail(k, "syntax", first ? first->where : s->end, form, "'%s' is not complete", s->items->text);
}

/* Its place among the states, from 0; -1 with an error. */
static int state_named(struct deck *k, const struct item *name)
{
    int place = 0;
    for (const struct statement *s = k->machine_lines.first; s; s = s->next)
        if (is_line(s, ".state")) {
            if (names_equal(s->items->next->text, name->text))
                return place;
            place++;
        }
    deck_fail(k, "syntax", name->where, "declare it: .state name value", "there is no state '%s'", name->text);
    return -1;
}

static void push_place(struct deck *k, struct item_row *r, const struct item *name, bool any)
{
    const int place = any && strcmp(name->text, "*") == 0 ? -1 : state_named(k, name);
    deck_push_item(r, ITEM_WORD, arena_format(k->arena, "%d", place));
}

/* machine1, nodes of the rules, node of the state; then how many states there are, their values, and from and to of the rules. */
static void add_machine(struct deck *k, size_t states, size_t rules)
{
    struct item_row r = {.k = k, .like = k->machine->items};
    deck_push_item(&r, ITEM_WORD, arena_format(k->arena, "machine%zu", k->machine_number));
    for (size_t i = 1; i <= rules; i++)
        deck_push_item(&r, ITEM_WORD, rule_node(k, i));
    deck_push_item(&r, ITEM_WORD, arena_format(k->arena, "machine%zu#state", k->machine_number));
    deck_push_item(&r, ITEM_WORD, arena_format(k->arena, "%zu", states));
    for (const struct statement *s = k->machine_lines.first; s; s = s->next)
        if (is_line(s, ".state")) {
            r.like = s->items->next->next;
            deck_push_item(&r, r.like->kind, r.like->text);
        }
    for (const struct statement *s = k->machine_lines.first; s; s = s->next)
        if (is_line(s, ".rule")) {
            r.like = s->items;
            push_place(k, &r, s->items->next, true);
            push_place(k, &r, s->items->next->next, false);
        }
    add_element(&r, k->machine);
}

void deck_take_machine_end(struct deck *k, struct statement *end)
{
    size_t states = 0, rules = 0, outputs = 0;
    if (!k->machine) {
        deck_fail(k, "syntax", end->items->where, form, "'%s' without a '.machine' before it", end->items->text);
        return;
    }
    for (struct statement *s = k->machine_lines.first; s; s = s->next)
        if (!is_whole(k, s)) {
            k->machine = NULL;
            return;
        }
    for (const struct statement *s = k->machine_lines.first, *next; s; s = next) {
        next = s->next;
        states += is_line(s, ".state");
        if (is_line(s, ".rule"))
            add_rule(k, s, ++rules);
        if (is_line(s, ".output"))
            add_output(k, s, ++outputs);
    }
    if (states > 0)
        add_machine(k, states, rules);
    else if (rules > 0)
        deck_fail(k, "syntax", k->machine->items->where, form, "this machine has rules and no states");
    k->machine = NULL;
}

void deck_check_machine(struct deck *k)
{
    if (k->machine)
        deck_fail(k, "syntax", k->machine->items->where, "end it with '.endmachine'", "this '.machine' has no end");
    k->machine = NULL;
}
