/* pins.c - voltages of elements by the names that PSpice and HSPICE have for them:
 *
 *     vd(r1)                      of .probe in ngspice's decks: v(r1) by the name of vd_r1
 *     vd(m1:1:2) vd(m1:1:0)       the same between two terminals, from one to ground: vd_m1:d:g, vd_m1:d:0
 *     v(r1)                       across an element, from its first node to its second
 *     vbe(q1) vds(m1) v12(t1)     between two of its terminals, by the first letters of their names or by their places
 *     vb(q1) v1(r1) v(q1:b)       of one terminal against ground
 *     i(q1:b)                     the current into a terminal, ib(q1)
 *
 * In .ac a part of the phasor may follow, vm(r1) vbedb(q1); there vp, vm, vr, vi, vg and vdb are parts, and no terminals.
 */
#include "netlist/requests/requests.h"

#include <string.h>

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* What v.. of an element asks for. */
struct pins {
    char plus, minus; /* 0: the first and the second node; ground */
    const char *part;
};

static bool is_pin(char c)
{
    return (c >= '1' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z');
}

static bool split(const struct request_card *r, const char *function, struct pins *p)
{
    const bool in_frequency = r->domain == REQUEST_IN_FREQUENCY;
    *p = (struct pins){.part = function};
    if (lower(function[0]) != 'v')
        return false;
    if (!function[1] || (in_frequency && request_part_of(function) != REQUEST_WHOLE))
        return true;
    p->plus = function[1];
    p->minus = is_pin(function[2]) ? function[2] : '\0';
    const char *rest = function + (p->minus ? 3 : 2);
    if (!is_pin(p->plus) || (in_frequency && !p->minus) || (*rest && !in_frequency))
        return false;
    p->part = rest - 1; /* of which request_part_of leaves the first letter out */
    return !*rest || request_part_of(p->part) != REQUEST_WHOLE;
}

/* r1:1 as element and terminal; NULL. */
static const struct element *element_of_pin(const struct request_card *r, const char *text, char *pin)
{
    const char *colon = strrchr(text, ':');
    if (!colon || !is_pin(colon[1]) || colon[2])
        return NULL;
    const char *name = arena_text(r->x->deck->scratch, text, (size_t)(colon - text));
    *pin = colon[1];
    return name ? request_find_element(r, name) : NULL;
}

/* The nodes; false where there are no such terminals. */
static bool find_nodes(const struct request_card *r, const struct item *name, struct pins p, struct request *q)
{
    const struct element *e = request_find_element(r, name->text);
    const bool across = !p.plus && e;
    if (!e && !p.plus)
        e = element_of_pin(r, name->text, &p.plus);
    if (!e || !e->kind || e->node_count < 2)
        return false;
    const int plus = across ? 0 : request_terminal_place(e, p.plus), minus = across ? 1
                                                                             : p.minus
                                                                                 ? request_terminal_place(e, p.minus)
                                                                                 : -1;
    if (plus < 0 || (p.minus && minus < 0))
        return false;
    q->plus = e->nodes[plus];
    q->minus = minus >= 0 ? e->nodes[minus] : 0;
    return true;
}

/* vd(r1) of an element that has no terminal d. */
static bool is_difference(const struct request_card *r, const struct item *function, const struct item *name)
{
    const struct element *e =
        item_is(function, "vd") && r->domain != REQUEST_IN_FREQUENCY ? request_find_element(r, name->text) : NULL;
    return e && request_terminal_place(e, 'd') < 0;
}

/* The last of `name`'s parts between colons, and what stands in front of it; false where it is more than a letter. */
static bool cut_pin(const struct request_card *r, const char **name, char *pin)
{
    const char *colon = strrchr(*name, ':');
    if (!colon || !colon[1] || colon[2])
        return false;
    *pin = colon[1];
    *name = arena_text(r->x->deck->scratch, *name, (size_t)(colon - *name));
    return *name != NULL;
}

/* How ngspice writes a terminal: the first letter of its name, its place where all are alike. */
static char letter_of(const struct element *e, char pin)
{
    const int place = request_terminal_place(e, pin);
    const char *name = request_terminal_name(e, place);
    return strncmp(name, "node", 4) == 0 ? (char)('1' + place) : *name;
}

/* vd(m1:1:2) and vd(m1:1:0) */
static bool between_pins(const struct request_card *r, struct vector *to, const struct item *function,
                         const struct item *name, struct request q)
{
    char plus, minus;
    const char *rest = name->text;
    if (!item_is(function, "vd") || r->domain == REQUEST_IN_FREQUENCY || !cut_pin(r, &rest, &minus) ||
        !cut_pin(r, &rest, &plus))
        return false;
    const struct element *e = request_find_element(r, rest);
    if (!e || !e->kind || !e->kind->nodes || request_terminal_place(e, plus) < 0 ||
        (minus != '0' && request_terminal_place(e, minus) < 0))
        return false;
    q.plus = e->nodes[request_terminal_place(e, plus)];
    q.minus = minus == '0' ? 0 : e->nodes[request_terminal_place(e, minus)];
    expand_use_node(r->x, q.plus, USE_REQUEST);
    expand_use_node(r->x, q.minus, USE_REQUEST);
    request_push(r, to, q,
                 arena_format(r->x->deck->arena, "vd_%s%s:%c:%c", r->at->path, rest, letter_of(e, plus),
                              minus == '0' ? '0' : letter_of(e, minus)));
    return true;
}

bool request_pin_voltage(const struct request_card *r, struct vector *to, const struct item *function,
                         const struct item *name, struct kn_location where)
{
    struct pins p;
    struct request q = {.kind = REQUEST_VOLTAGE, .element = -1, .where = where};
    const bool plain = name && name->kind == ITEM_WORD && !name->next && !request_is_pattern(name);
    if (plain && between_pins(r, to, function, name, q))
        return true;
    const bool difference = plain && is_difference(r, function, name);
    if (!plain || !split(r, difference ? "v" : function->text, &p) ||
        (!p.plus && expand_find_node(r->x, r->at, name->text) >= 0) || !find_nodes(r, name, p, &q))
        return false;
    q.part = request_part_of(p.part);
    expand_use_node(r->x, q.plus, USE_REQUEST);
    expand_use_node(r->x, q.minus, USE_REQUEST);
    request_push(
        r, to, q,
        arena_format(r->x->deck->arena, difference ? "%s_%s%s" : "%s(%s%s)", function->text, r->at->path, name->text));
    return true;
}

bool request_pin_current(const struct request_card *r, struct vector *to, const struct item *function,
                         const struct item *name)
{
    char pin;
    if (!name || name->kind != ITEM_WORD || name->next || !item_is(function, "i") ||
        r->domain == REQUEST_IN_FREQUENCY || request_find_element(r, name->text))
        return false;
    const struct element *e = element_of_pin(r, name->text, &pin);
    struct item lead = *function, element = *name;
    lead.text = arena_format(r->x->deck->scratch, "i%c", pin);
    element.text = e ? e->name + strlen(r->at->path) : NULL;
    return e && lead.text && request_lead(r, to, &lead, &element);
}
