/* results.c - vectors that are no voltages and currents: results of .noise and .sp by their names, quantities of devices,
 * @m1[gm], and settings, r1:r. */
#include "netlist/requests/requests.h"

#include "base/text.h"
#include "netlist/expression/expression_tree.h"
#include "netlist/formulas/formulas.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- results of .noise ---- */

/* onoise_q1_rb: the element is the longest name that the text begins with; -1 if there is none. */
static int contributor(const struct request_card *r, const char *text)
{
    for (size_t length = strlen(text); length > 0; length--) {
        if (text[length] != '\0' && text[length] != '_')
            continue;
        char *name = arena_text(r->x->deck->scratch, text, length);
        const struct element *e = name ? request_find_element(r, name) : NULL;
        if (e)
            return e->number;
    }
    return -1;
}

void request_noise_result(const struct request_card *r, struct vector *to, const struct item *i, const struct item *end)
{
    static const char *const names[][2] = {{"onoise", "onoise_spectrum"},
                                           {"inoise", "inoise_spectrum"},
                                           {"onoise_spectrum", "onoise_spectrum"},
                                           {"inoise_spectrum", "inoise_spectrum"},
                                           {"gain", "gain"}};
    struct request q = {.kind = REQUEST_RESULT, .element = -1, .where = i->where};
    const char *label = NULL;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        label = item_is(i, names[k][0]) ? names[k][1] : label;
    if (!label && i->kind == ITEM_WORD && strncasecmp(i->text, "onoise_", 7) == 0 &&
        (q.element = contributor(r, i->text + 7)) >= 0)
        label = i->text;
    if (item_is(i, "all"))
        request_all(r, to, i->where);
    else if (label && i->next == end)
        request_push(r, to, q, arena_format(r->x->deck->arena, "%s", label));
    else
        deck_warn(r->x->deck, "unsupported", i->where, "write onoise, inoise, gain or onoise_element",
                  "'%s': '%s' is not supported; ignored", r->card, item_text(i));
}

/* ---- results of .sp ---- */

static bool has_network(const struct request_card *r)
{
    const struct statement *s = r->at->level->cards.first;
    while (s && !item_is(s->items, ".net"))
        s = s->next;
    return s != NULL;
}

static int highest_port(const struct request_card *r)
{
    const struct expansion *x = r->x;
    int highest = has_network(r) ? 2 : 0;
    for (size_t i = 0; i < x->element_count; i++)
        highest = x->elements[i].source.port > highest ? x->elements[i].source.port : highest;
    return highest;
}

/* zin of .net and the like. */
static bool is_seen_at_port(const struct request_card *r, const char *text)
{
    static const char *const names[] = {"zin", "yin", "zout", "yout"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (names_equal(text, names[k]))
            return has_network(r);
    return false;
}

static bool is_port_name(const struct request_card *r, const char *text)
{
    static const char *const matrices[] = {"s", "y", "z", "cy", "h"};
    char matrix[3], end;
    int row, column;
    if (is_seen_at_port(r, text))
        return true;
    if (sscanf(text, "%2[A-Za-z]_%2d_%2d%c", matrix, &row, &column, &end) != 3)
        return false;
    const int ports = highest_port(r);
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++)
        if (names_equal(matrix, matrices[k]))
            return row >= 1 && row <= ports && column >= 1 && column <= ports;
    return false;
}

/* s_2_1, cy_1_1, nf .. */
static bool is_port_result(const struct request_card *r, const struct item *i)
{
    static const char *const numbers[] = {"nf", "nfmin", "rn", "sopt"};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (item_is(i, numbers[k]))
            return true;
    return i->kind == ITEM_WORD && is_port_name(r, i->text);
}

/* A part of an entry: db(s_2_1) and the like; s21(db) of HSPICE.  NULL: it is none; else its label. */
static char *port_part(const struct request_card *r, const struct item *i, const struct item *end,
                       enum request_part *part)
{
    static const struct {
        const char *name, *letter;
        enum request_part part;
    } parts[] = {{"mag", "m", REQUEST_MAGNITUDE},
                 {"db", "db", REQUEST_DECIBEL},
                 {"ph", "p", REQUEST_PHASE},
                 {"re", "r", REQUEST_REAL},
                 {"im", "i", REQUEST_IMAGINARY}};
    const struct item *group = i->next, *inside = group && group->kind == ITEM_GROUP ? group->inside : NULL;
    if (i->kind != ITEM_WORD || !inside || inside->kind != ITEM_WORD || inside->next || group->next != end)
        return NULL;
    char hspice[8] = "";
    if (is_seen_at_port(r, i->text))
        snprintf(hspice, sizeof hspice, "%s", i->text);
    else if (strlen(i->text) == 3 && strchr("syzhSYZH", i->text[0]))
        snprintf(hspice, sizeof hspice, "%c_%c_%c", i->text[0], i->text[1], i->text[2]);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        const bool of_hspice = hspice[0] && (item_is(inside, parts[k].letter) || item_is(inside, parts[k].name));
        const char *entry = of_hspice ? hspice : inside->text;
        if (!(of_hspice || item_is(i, parts[k].name)) || !is_port_name(r, entry))
            continue;
        *part = parts[k].part;
        return arena_format(r->x->deck->arena, "%s(%s)", parts[k].name, entry);
    }
    return NULL;
}

bool request_network_result(const struct request_card *r, struct vector *to, const struct item *i,
                            const struct item *end)
{
    struct request_card ports = *r;
    enum request_part part;
    ports.domain = REQUEST_AT_PORTS;
    const bool whole = i->kind == ITEM_WORD && i->next == end && is_port_name(r, i->text);
    if (r->domain != REQUEST_IN_FREQUENCY || !has_network(r) || !(whole || port_part(r, i, end, &part)))
        return false;
    request_port_result(&ports, to, i, end);
    return true;
}

void request_port_result(const struct request_card *r, struct vector *to, const struct item *i, const struct item *end)
{
    struct request q = {.kind = REQUEST_RESULT, .element = -1, .where = i->where};
    char *part = port_part(r, i, end, &q.part);
    if (item_is(i, "all"))
        request_all(r, to, i->where);
    else if (part)
        request_push(r, to, q, part);
    else if (is_port_result(r, i) && i->next == end)
        request_push(r, to, q, arena_format(r->x->deck->arena, "%s", i->text));
    else
        deck_warn(r->x->deck, "unsupported", i->where,
                  "write s_2_1, y_1_1, z_1_1, cy_1_1, db(s_2_1), mag(..), ph(..), nf, nfmin, rn or sopt",
                  "'%s': '%s' is not supported; ignored", r->card, item_text(i));
}

/* ---- quantities of devices ---- */

/* What ngspice calls by another name: @v1[dc] is what the source gives, @r1[resistance] the r of R1. */
static const char *known_as(const struct element *e, const char *wanted)
{
    static const char *const values[][2] = {{"resistance", "r"}, {"capacitance", "c"}, {"inductance", "l"}};
    for (size_t v = 0; v < sizeof values / sizeof *values; v++)
        if (names_equal(wanted, values[v][0]) && e->kind->letter == values[v][1][0])
            return values[v][1];
    const bool gives = e->kind->form == CARD_SOURCE && names_equal(wanted, "dc");
    return !gives ? wanted : e->kind->letter == 'v' ? "v" : "i";
}

/* @m1[gm]; NULL, said, where there is no such element or quantity. */
static const struct element *find_quantity(const struct request_card *r, const struct item *i, int *quantity)
{
    struct deck *k = r->x->deck;
    const char *bracket = strchr(i->text, '['), *end = bracket ? strchr(bracket, ']') : NULL;
    char *name = bracket ? arena_text(k->scratch, i->text + 1, (size_t)(bracket - i->text - 1)) : NULL;
    char *wanted = end ? arena_text(k->scratch, bracket + 1, (size_t)(end - bracket - 1)) : NULL;
    const struct element *e = name ? request_find_element(r, name) : NULL;
    if (!wanted || end[1] != '\0' || (!e && expand_excuses_element(r->x, name))) {
        if (!wanted || end[1] != '\0')
            request_ignore(r, i);
        return NULL;
    }
    if (!e) {
        const char *guess = expand_closest_element(r->x, r->at, name);
        deck_fail(k, "unknown-element", i->where, diagnostics_meant(k->diagnostics, guess), "there is no element '%s'",
                  name);
        return NULL;
    }
    if (!e->kind) /* which has been reported */
        return NULL;
    const char *known_name = known_as(e, wanted);
    const bool is_value = e->kind->form == CARD_PASSIVE && known_name != wanted; /* whose c is not the current */
    *quantity = is_value ? -1 : kind_quantity(e->kind, known_name);
    if (*quantity >= 0)
        return e;
    struct text known = TEXT(SENTENCE);
    struct text_list list = text_list(&known, ", ", 0);
    const bool any = kind_quantity(e->kind, "p") >= 0;
    for (int q = 0; any && q < (int)e->kind->quantities.count + COMMON_QUANTITIES; q++)
        text_list_add(&list, kind_quantity_info(e->kind, q)->name);
    text_list_end(&list);
    deck_fail(k, "unknown-quantity", i->where, any ? diagnostics_hint(k->diagnostics, "there are %s", known.at) : NULL,
              "%s has no quantity '%s'", e->name, wanted);
    return NULL;
}

/* ---- settings: Xyce's r1:r, ngspice's @r1[resistance] ---- */

/* The number `of` by the name `as`; false where there is none such. */
static bool push_setting(const struct request_card *r, struct vector *to, const char *of, const char *as,
                         struct kn_location where)
{
    double value;
    struct arena *arena = r->x->deck->arena;
    if (!of || !formulas_setting(r->x, r->at, of, &value))
        return false;
    const struct expression_tree *tree = expression_tree_of(arena, node_number(arena, value, NULL, where));
    struct request q = {.kind = REQUEST_EXPRESSION, .element = -1, .domain = r->domain & REQUEST_OF_VALUES};
    q.where = where;
    q.expression = tree ? expand_compile(r->x, r->at, tree, NULL) : NULL;
    return q.expression && request_push(r, to, q, arena_text(arena, as, strlen(as)));
}

/* r1:r of an element whose value is a formula. */
static bool push_variable(const struct request_card *r, struct vector *to, const struct item *i)
{
    struct arena *arena = r->x->deck->arena;
    const char *colon = strrchr(i->text, ':');
    const char *owner = arena_text(arena, i->text, (size_t)(colon - i->text));
    const struct element *e = owner ? request_find_element(r, owner) : NULL;
    struct request q = {.kind = REQUEST_EXPRESSION, .element = -1, .domain = r->domain & REQUEST_OF_VALUES};
    q.where = i->where;
    if (!e || !formulas_is_own(e, colon + 1))
        return false;
    q.expression = formulas_value_of(r->x, e);
    return q.expression && request_push(r, to, q, arena_text(arena, i->text, strlen(i->text)));
}

/* m1:gm, of what it is under way. */
static bool push_quantity_behind_colon(const struct request_card *r, struct vector *to, const struct item *i)
{
    struct arena *arena = r->x->deck->arena;
    const char *colon = strrchr(i->text, ':');
    const char *owner = arena_text(arena, i->text, (size_t)(colon - i->text));
    const struct element *e = owner ? request_find_element(r, owner) : NULL;
    const int quantity = e && e->kind ? kind_quantity(e->kind, colon + 1) : -1;
    const struct request q = {.kind = REQUEST_QUANTITY,
                              .element = e ? e->number : -1,
                              .quantity = quantity,
                              .domain = r->domain & REQUEST_OF_VALUES,
                              .where = i->where};
    return quantity >= 0 && r->domain != REQUEST_IN_FREQUENCY &&
           request_push(r, to, q, arena_text(arena, i->text, strlen(i->text)));
}

bool request_setting(const struct request_card *r, struct vector *to, const struct item *i)
{
    return push_setting(r, to, i->text, i->text, i->where) || push_variable(r, to, i) ||
           push_quantity_behind_colon(r, to, i);
}

/* @r1[resistance], @m1[w] */
static bool request_value_of(const struct request_card *r, struct vector *to, const struct item *i)
{
    struct arena *scratch = r->x->deck->scratch;
    const char *bracket = strchr(i->text, '[');
    const size_t length = bracket ? strlen(bracket) : 0;
    if (length < 3 || bracket[length - 1] != ']')
        return false;
    const char *wanted = arena_text(scratch, bracket + 1, length - 2);
    const char *name = arena_text(scratch, i->text + 1, (size_t)(bracket - i->text - 1));
    const struct element *e = wanted && name ? request_find_element(r, name) : NULL;
    if (!e || !e->kind)
        return false;
    const char *known = known_as(e, wanted);
    const bool own = e->kind->letter == known[0] && !known[1] && e->kind->form == CARD_PASSIVE; /* not c, the current */
    return (own || kind_quantity(e->kind, known) < 0) &&
           push_setting(r, to, arena_format(scratch, "%s:%s", name, known), i->text, i->where);
}

bool request_quantity(const struct request_card *r, struct vector *to, const struct item *i)
{
    struct request q = {.kind = REQUEST_QUANTITY, .domain = r->domain & REQUEST_OF_VALUES, .where = i->where};
    if (r->domain == REQUEST_IN_FREQUENCY) {
        request_ignore(r, i);
        return true;
    }
    if (request_value_of(r, to, i))
        return true;
    const struct element *e = find_quantity(r, i, &q.quantity);
    if (!e)
        return false;
    q.element = e->number;
    const char *name = kind_quantity_info(e->kind, q.quantity)->name;
    const bool renamed = !names_equal(arena_format(r->x->deck->scratch, "[%s]", name), strchr(i->text, '['));
    return request_push(r, to, q,
                        renamed ? arena_text(r->x->deck->arena, i->text, strlen(i->text))
                                : arena_format(r->x->deck->arena, "@%s[%s]", e->name, name));
}
