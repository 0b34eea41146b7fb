/* requests.c - what all readers of requests have in common: nodes and elements by name, one more vector on a list. */
#include "netlist/requests/requests.h"

#include <string.h>

static bool unknown_node(const struct request_card *r, const struct item *name)
{
    r->x->deck->failed = true;
    if (expand_excuses_node(r->x, name->text))
        return false;
    const char *guess = expand_closest_node(r->x, r->at, name->text);
    const char *hint = strchr(name->text, '#')
                           ? "voltages inside devices are among all vectors with .options saveinternals"
                           : diagnostics_meant(r->x->deck->diagnostics, guess);
    return deck_fail(r->x->deck, "unknown-node", name->where, hint, "there is no node '%s'", name->text);
}

/* A node named in v(..). */
bool request_find_node(const struct request_card *r, const struct item *name, int *node)
{
    if (name->kind != ITEM_WORD && name->kind != ITEM_STRING)
        return deck_fail(r->x->deck, "syntax", name->where, NULL, "expected the name of a node, found '%s'",
                         item_text(name));
    *node = expand_find_node(r->x, r->at, name->text);
    expand_use_node(r->x, *node, USE_REQUEST);
    return *node >= 0 || unknown_node(r, name);
}

bool request_unknown_element(const struct request_card *r, const struct item *name, const char *text)
{
    r->x->deck->failed = true;
    if (expand_excuses_element(r->x, text))
        return false;
    const char *guess = expand_closest_element(r->x, r->at, text);
    const char *hint = diagnostics_meant(r->x->deck->diagnostics, guess);
    return deck_fail(r->x->deck, "unknown-element", name->where, hint, "there is no element '%s'", text);
}

enum request_part request_part_of(const char *function)
{
    static const struct {
        const char *name;
        enum request_part part;
    } parts[] = {{"m", REQUEST_MAGNITUDE}, {"db", REQUEST_DECIBEL},  {"p", REQUEST_PHASE},
                 {"r", REQUEST_REAL},      {"i", REQUEST_IMAGINARY}, {"g", REQUEST_GROUP_DELAY}};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (names_equal(function + 1, parts[k].name))
            return parts[k].part;
    return REQUEST_WHOLE;
}

/* ---- one more vector ---- */

const struct element *request_find_element(const struct request_card *r, const char *name)
{
    return expand_find_element(r->x, r->at, name);
}

/* The label becomes a column of the results, all of which are in lower case. */
bool request_push(const struct request_card *r, struct vector *to, struct request request, char *label)
{
    for (char *c = label; c && *c; c++)
        *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    request.label = label;
    request.domain = request.domain ? request.domain : r->domain;
    return label ? expand_add(r->x, to, &request) : deck_no_memory(r->x->deck);
}

bool request_all(const struct request_card *r, struct vector *to, struct kn_location where)
{
    char *label = arena_format(r->x->deck->arena, "all");
    return request_push(r, to, (struct request){.kind = REQUEST_ALL, .element = -1, .where = where}, label);
}

void request_ignore(const struct request_card *r, const struct item *i)
{
    deck_warn(r->x->deck, "unsupported", i->where,
              r->domain == REQUEST_IN_FREQUENCY ? "write v(node), vdb(node,node), ip(element) and the like"
                                                : "write v(node), v(node,node) or i(element)",
              "'%s': '%s' is not supported; ignored", r->card, item_text(i));
}
