/* expand_check.c - before anything is expanded: no subcircuit contains itself, and the whole has a bearable size.
 *
 * A few lines of nested subcircuits can stand for more elements than any memory holds.  The number of elements of one
 * instance is the sum over its body, found once for each definition by depth-first search; for each instance where a text
 * that it is given names what is within, X1 a b {name}.
 */
#include "netlist/expand/expand_card.h"

#include <string.h>

static const size_t most_elements = 10000000;
static const size_t most_instances = 1000000; /* each has parameters and names of its own: about 1 kB */
enum { DEEPEST_INSTANCE = 100 };

/* The instances the search is inside of, innermost first. */
struct chain {
    struct level *level;
    const struct statement *call; /* the X card of this one; NULL: the deck itself */
    const struct chain *outer;
    int depth;
};

static bool is_instance(const struct statement *s)
{
    return s->items->text[0] == 'x' || s->items->text[0] == 'X';
}

/* The word that names the subcircuit, or {name} of a text: the last one before name=value or params:. */
struct item *expand_instance_name(const struct statement *s)
{
    struct item *name = NULL;
    for (struct item *i = s->items->next; i; i = i->next) {
        if (i->value || item_is(i, "params:") || item_is(i, "params") || item_is(i, "text:"))
            break;
        name = i;
    }
    return name && (name->kind == ITEM_WORD || name->kind == ITEM_EXPRESSION) ? name : NULL;
}

static void report_recursion(struct deck *k, const struct chain *inner, const struct level *again,
                             const struct item *name)
{
    const char *text = again->name;
    for (const struct chain *c = inner; c && text; c = c->level == again ? NULL : c->outer)
        text = arena_format(k->scratch, "%s -> %s", c->level->name, text);
    deck_fail(k, "recursive-subcircuit", name->where,
              diagnostics_hint(k->diagnostics, "%s; '%s' is defined at %s", text ? text : "", again->name,
                               deck_place(k, again->where)),
              "subcircuit '%s' contains itself", again->name);
}

static void count_level(struct deck *k, const struct chain *c);

/* Adds what one instance brings; false when the instance cannot be expanded, which has been reported. */
static bool count_inner(struct deck *k, const struct chain *c, const struct statement *call, const struct item *name,
                        struct level *inner)
{
    if (inner->state == LEVEL_BUSY) {
        report_recursion(k, c, inner, name);
        return false;
    }
    if (c->depth >= DEEPEST_INSTANCE) {
        deck_fail(k, "too-deep", name->where, NULL, "more than %d subcircuits inside each other", DEEPEST_INSTANCE);
        return false;
    }
    const struct chain next = {inner, call, c, c->depth + 1};
    if (inner->state == LEVEL_NEW)
        count_level(k, &next);
    if (inner->unusable) /* reported */
        return true;
    c->level->by_text |= inner->by_text;
    c->level->flat_elements += inner->flat_elements;
    c->level->flat_instances += inner->flat_instances + 1;
    const bool few = c->level->flat_instances <= most_instances;
    if (few && c->level->flat_elements <= most_elements)
        return true;
    deck_fail(k, "too-large", name->where, "is a subcircuit used more often than meant?",
              "the circuit would have more than %zu %s", few ? most_elements : most_instances,
              few ? "elements" : "subcircuits");
    return false;
}

/* What a name within an instance has for its value: what its card or its head gives, or those around it; *from: where. */
static const struct item *value_of(const struct chain **from, const char *name)
{
    for (const struct chain *c = *from; c; c = c->outer) {
        *from = c->outer; /* an instance gives what the names mean where it stands */
        for (const struct item *i = c->call ? c->call->items->next : NULL; i; i = i->next)
            if (i->value && item_is(i, name))
                return i->value;
        *from = c;
        for (const struct parameter_card *p = c->level->defaults; p; p = p->next)
            if (names_equal(p->name->text, name))
                return p->name->value;
        for (const struct parameter_card *p = c->level->parameters; p; p = p->next)
            if (names_equal(p->name->text, name))
                return p->name->value;
    }
    return NULL;
}

/* The text that {name} or a name stands for; NULL: it stands for none. */
static const char *text_of(struct deck *k, const struct chain *c, const struct item *i, int depth)
{
    if (i->kind == ITEM_STRING)
        return i->text;
    const char *name = i->text + strspn(i->text, " \t");
    const char *alone = arena_text(k->scratch, name, strcspn(name, " \t"));
    const struct item *value = alone && depth < DEEPEST_INSTANCE ? value_of(&c, alone) : NULL;
    return value ? text_of(k, c, value, depth + 1) : NULL;
}

/* Of subcircuits of one name, in branches of .if, one is meant; all are counted. */
static bool count_instance(struct deck *k, const struct chain *c, const struct statement *s)
{
    const struct item *name = expand_instance_name(s);
    const char *text = !name ? NULL : name->kind == ITEM_WORD ? name->text : text_of(k, c, name, 0);
    bool good = true;
    c->level->by_text |= name && name->kind != ITEM_WORD;
    for (struct level *inner = text ? level_find(c->level, text) : NULL; inner && good; inner = inner->other)
        good = count_inner(k, c, s, name, inner);
    return good;
}

static bool kind_is_switch(const struct element_kind *kind)
{
    return kind->letter == 's' || kind->letter == 'w';
}

/* Parasitic elements, the resistor of a port, what a formula controls by. */
static size_t count_parts(const struct element_kind *kind, const struct item *first)
{
    size_t count = 0;
    for (const struct item *i = first; i; i = i->next) {
        count += i->value && i->kind == ITEM_WORD && kind_has_parasitic(kind, i->text);
        count += item_is(i, "portnum") && kind->form == CARD_SOURCE;
        count += item_is(i, "control") && i->value && kind_is_switch(kind); /* a source of the formula, too */
        count += item_is(i, "load") && kind->form == CARD_SOURCE ? 2 : 0;
        count += item_is(i, "a") && i->value && kind_is_resistor(kind);      /* its temperature */
        count += item_is(i, "r") && i->value && kind_is_inductor(kind);      /* HSPICE's series resistance */
        count += item_is(i, "transformer") && kind->form == CARD_BY_VOLTAGE; /* its other winding */
        count += i->kind == ITEM_GROUP ? count_parts(kind, i->inside) : 0;
    }
    return count;
}

/* Each node of an A card may need a bridge (ports/bridges.c). */
static size_t count_bridges(const struct item *first)
{
    size_t count = 0;
    for (const struct item *i = first; i; i = i->next) {
        count += i->kind == ITEM_GROUP ? count_bridges(i->inside) : 1;
        for (const char *at = i->text; (at = strchr(at, '[')); at++) /* [a][b] are two */
            count++;
    }
    return count;
}

/* One, and what else its card makes. */
static size_t count_elements(const struct deck *k, const struct statement *s)
{
    const char letter = (char)(s->items->text[0] | 0x20);
    const struct element_kind *kind = catalogue_letter(k->catalogue, letter);
    if (letter == 'y')
        return 1 + y_card_parts(s);
    if (letter == 'p' || is_line_of_hspice(s))
        return 1 + coupled_line_parts(s);
    if (letter == 'u')
        return 1 + rc_line_parts(s);
    if (letter == 'a')
        return 1 + count_bridges(s->items->next);
    return 1 + (kind ? count_parts(kind, s->items->next) : 0);
}

static void count_level(struct deck *k, const struct chain *c)
{
    struct level *l = c->level;
    l->state = LEVEL_BUSY;
    l->flat_elements = l->flat_instances = 0;
    for (struct statement *s = l->elements.first; s && !l->unusable; s = s->next) {
        if (!is_instance(s)) {
            l->flat_elements += count_elements(k, s);
        } else if (!s->broken && !count_instance(k, c, s)) {
            l->unusable = true;
            l->flat_elements = l->flat_instances = 0;
        }
    }
    l->state = l->by_text ? LEVEL_NEW : LEVEL_CHECKED; /* others within it in the next instance */
}

void expand_check(struct deck *k)
{
    const struct chain top = {k->top, NULL, NULL, 0};
    count_level(k, &top);
}
