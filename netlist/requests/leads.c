/* leads.c - vectors by the names that other programs have for them: currents of single terminals, id(m1) ic(q1) i2(m1), and
 * powers, p(r1) w(r1); and patterns that stand for many, v(x1.*) id(m?).
 */
#include "netlist/requests/requests.h"

#include "netlist/expression/expression_tree.h"
#include "netlist/formulas/formulas.h"

#include <string.h>

/* ---- currents of terminals, and powers ---- */

/* HSPICE counts terminals as the card does: i1(m1) is the drain's. */
static const char *numbered_lead(const struct element_kind *kind, char number)
{
    static const struct {
        char letter;
        const char *leads[4];
    } all[] = {{'m', {"id", "ig", "is", "ib"}}, {'q', {"ic", "ib", "ie", "is"}}, {'j', {"id", "ig", "is", "ib"}}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].letter == kind->letter && number >= '1' && number <= '4')
            return all[i].leads[number - '1'];
    return number == '1' ? "i" : NULL;
}

/* The quantity that a function stands for; NULL: it is none of these. */
static const char *quantity_name(const struct element_kind *kind, const char *function)
{
    const char first = (char)(function[0] | 0x20), second = function[1] ? (char)(function[1] | 0x20) : '\0';
    if ((first == 'p' || first == 'w') && !second)
        return "p";
    if (first != 'i' || !second || function[2])
        return NULL;
    return second >= '1' && second <= '9' ? numbered_lead(kind, second) : function;
}

bool request_is_lead(const struct request_card *r, const struct item *function)
{
    static const char *const functions[] = {"p",  "w",  "id", "ig", "is", "ib", "ic", "ie",
                                            "i1", "i2", "i3", "i4", "ia", "ik", "ix", "isub"};
    for (size_t i = 0; r->domain != REQUEST_IN_FREQUENCY && i < sizeof functions / sizeof *functions; i++)
        if (item_is(function, functions[i]))
            return true;
    return false;
}

static bool push_lead(const struct request_card *r, struct vector *to, const struct item *function,
                      const struct element *e)
{
    struct request q = {.kind = REQUEST_QUANTITY,
                        .element = e->number,
                        .domain = r->domain & REQUEST_OF_VALUES,
                        .where = function->where};
    const char *name = e->kind ? quantity_name(e->kind, function->text) : NULL;
    q.quantity = name ? kind_quantity(e->kind, name) : -1;
    if (q.quantity >= 0)
        return request_push(r, to, q, arena_format(r->x->deck->arena, "%s(%s)", function->text, e->name));
    return deck_fail(r->x->deck, "unknown-quantity", function->where, NULL, "%s has no %s(..)", e->name,
                     function->text);
}

static bool is_pattern(const struct item *name)
{
    return name->kind == ITEM_WORD && strpbrk(name->text, "*?");
}

/* p(x1), the power of all elements in an instance of a subcircuit, ix(x1:a) and isub(x1.a), the current into one of its
 * ports; *known: there is one of that name. */
static bool push_sum(const struct request_card *r, struct vector *to, const struct item *function,
                     const struct item *name, bool *known)
{
    struct arena *a = r->x->deck->arena;
    const bool power = item_is(function, "p") || item_is(function, "w");
    const bool current = item_is(function, "ix") || item_is(function, "isub");
    *known = (power && expand_find_instance(r->x, r->at, name->text)) ||
             (current && formulas_port_current(r->x, r->at, name->text, name->where));
    if (!*known)
        return false;
    const struct circuit_name called = {power ? "p" : "ix", function->where};
    struct expression_node *call = node_append(a, node_call(a), node_name(a, name->text, name->where));
    const struct expression_tree *tree = expression_tree_of(a, node_close_call(call, called, function->where));
    struct request q = {.kind = REQUEST_EXPRESSION, .element = -1, .domain = r->domain & REQUEST_OF_VALUES};
    q.where = function->where;
    q.expression = tree ? expand_signal_tree(r->x, r->at, tree) : NULL;
    return q.expression && request_push(r, to, q, arena_format(a, "%s(%s%s)", function->text, r->at->path, name->text));
}

bool request_lead(const struct request_card *r, struct vector *to, const struct item *function, const struct item *name)
{
    if (name->kind != ITEM_WORD || name->next)
        return deck_fail(r->x->deck, "syntax", function->where, "write id(m1)", "'%s': %s(..) takes one element",
                         r->card, function->text);
    if (is_pattern(name))
        return request_pattern(r, to, function, name);
    const struct element *e = request_find_element(r, name->text);
    bool known = false;
    const bool pushed = !e && push_sum(r, to, function, name, &known);
    if (known)
        return pushed;
    return e ? push_lead(r, to, function, e) : request_unknown_element(r, name, name->text);
}

/* ---- patterns ---- */

bool request_is_pattern(const struct item *name)
{
    return is_pattern(name) && !name->next;
}

/* Nodes and elements that the program has made itself have a '#' in their names. */
static bool is_like(const struct request_card *r, const char *pattern, const char *name)
{
    const size_t path = strlen(r->at->path);
    return strncmp(name, r->at->path, path) == 0 && !strchr(name, '#') && names_match(pattern, name + path);
}

static size_t push_nodes(const struct request_card *r, struct vector *to, const struct item *function,
                         const char *pattern)
{
    const struct node *nodes = r->x->nodes.items;
    size_t found = 0;
    for (size_t i = 1; i < r->x->nodes.count; i++) {
        if (!is_like(r, pattern, nodes[i].name))
            continue;
        struct request q = {.kind = REQUEST_VOLTAGE, .element = -1, .plus = (int)i, .where = function->where};
        q.part = request_part_of(function->text);
        request_push(r, to, q, arena_format(r->x->deck->arena, "%s(%s)", function->text, nodes[i].name));
        found++;
    }
    return found;
}

/* Of transistors the currents into all terminals, as ngspice calls them: i(q1:c). */
static bool push_terminals(const struct request_card *r, struct vector *to, const struct element *e, struct request q)
{
    char letter;
    for (q.terminal = 0; (letter = request_terminal_letter(e, q.terminal)) != '\0'; q.terminal++)
        if (!request_push(r, to, q, arena_format(r->x->deck->arena, "i(%s:%c)", e->name, letter)))
            return false;
    return true;
}

/* .probe alli. */
bool request_all_currents(const struct request_card *r, struct vector *to, struct kn_location where)
{
    bool good = true;
    for (size_t i = 0; i < r->x->element_count && good; i++) {
        const struct element *e = &r->x->elements[i];
        const struct request q = {.kind = REQUEST_CURRENT, .element = e->number, .where = where};
        if (!e->kind || kind_quantity(e->kind, "i") < 0 || !is_like(r, "*", e->name))
            continue;
        good = request_terminal_letter(e, 0)
                   ? push_terminals(r, to, e, q)
                   : request_push(r, to, q, arena_format(r->x->deck->arena, "i(%s)", e->name));
    }
    return good;
}

static size_t push_elements(const struct request_card *r, struct vector *to, const struct item *function,
                            const char *pattern)
{
    size_t found = 0;
    for (size_t i = 0; i < r->x->element_count; i++) {
        const struct element *e = &r->x->elements[i];
        const bool lead = request_is_lead(r, function);
        const char *name = e->kind && lead ? quantity_name(e->kind, function->text) : "i";
        if (!e->kind || !name || kind_quantity(e->kind, name) < 0 || !is_like(r, pattern, e->name))
            continue;
        struct request q = {.kind = REQUEST_CURRENT, .element = e->number, .where = function->where};
        q.part = request_part_of(function->text);
        if (lead)
            push_lead(r, to, function, e);
        else
            request_push(r, to, q, arena_format(r->x->deck->arena, "%s(%s)", function->text, e->name));
        found++;
    }
    return found;
}

bool request_pattern(const struct request_card *r, struct vector *to, const struct item *function,
                     const struct item *name)
{
    char *pattern = arena_text(r->x->deck->scratch, name->text, strlen(name->text));
    if (!pattern)
        return deck_no_memory(r->x->deck);
    for (char *c = pattern; *c; c++) /* Xyce's path, x1:* */
        *c = (char)(*c == ':' ? '.' : *c);
    const bool voltage = (function->text[0] | 0x20) == 'v';
    const size_t found = voltage ? push_nodes(r, to, function, pattern) : push_elements(r, to, function, pattern);
    return found > 0 || deck_fail(r->x->deck, voltage ? "unknown-node" : "unknown-element", name->where, NULL,
                                  "no %s is like '%s'", voltage ? "node" : "element", name->text);
}
