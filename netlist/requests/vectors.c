/* vectors.c - .print, .plot, .save, .probe: what is to be written, by name.  A vector that does not exist is left out with
 * a warning, and the run goes on.
 */
#include "netlist/requests/requests.h"

#include <stdlib.h>
#include <string.h>

/* ---- vectors ---- */

static const char *node_name(const struct request_card *r, int node)
{
    return ((const struct node *)r->x->nodes.items)[node].name;
}

static bool request_voltage(const struct request_card *r, struct vector *to, const char *function,
                            const struct item *plus, struct kn_location where)
{
    struct request q = {.kind = REQUEST_VOLTAGE, .element = -1, .part = request_part_of(function), .where = where};
    const struct item *minus = plus->next;
    if (minus && minus->next)
        return deck_fail(r->x->deck, "syntax", minus->next->where, "write v(a) or v(a,b)",
                         "'%s': v(..) takes one or two nodes", r->card);
    if (!request_find_node(r, plus, &q.plus) || (minus && !request_find_node(r, minus, &q.minus)))
        return false;
    const char *a = node_name(r, q.plus), *b = node_name(r, q.minus);
    struct arena *arena = r->x->deck->arena;
    return request_push(r, to, q,
                        minus ? arena_format(arena, "%s(%s,%s)", function, a, b)
                              : arena_format(arena, "%s(%s)", function, a));
}

static bool request_current(const struct request_card *r, struct vector *to, const char *function,
                            const struct item *name, const char *text, struct kn_location where)
{
    const struct element *e = request_find_element(r, text);
    if (e && e->kind && e->kind->form == CARD_COUPLING)
        return deck_fail(r->x->deck, "no-current", name->where, "ask for the currents of its inductors",
                         "%s is a coupling, through which no current flows", e->name);
    if (e)
        return request_push(
            r, to,
            (struct request){
                .kind = REQUEST_CURRENT, .element = e->number, .part = request_part_of(function), .where = where},
            arena_format(r->x->deck->arena, "%s(%s)", function, e->name));
    return request_unknown_element(r, name, text);
}

/* v and i, and on cards of .ac vdb, ip and the like, which have no meaning in time. */
static bool is_quantity(const struct request_card *r, const struct item *function, char letter)
{
    const char plain[] = {letter, '\0'};
    if (item_is(function, plain))
        return true;
    const char first = function->text ? (char)(function->text[0] | 0x20) : '\0';
    return r->domain == REQUEST_IN_FREQUENCY && first == letter && request_part_of(function->text) != REQUEST_WHOLE;
}

/* HSPICE's lx4(m1) as @m1[id]; false where it is nothing like that. */
static bool read_template(const struct request_card *r, struct vector *to, const struct item *function)
{
    const struct item *group = function->next, *name = group && group->kind == ITEM_GROUP ? group->inside : NULL;
    if (function->kind != ITEM_WORD || !name || name->kind != ITEM_WORD || r->domain == REQUEST_IN_FREQUENCY)
        return false;
    const char *quantity = dialect_template_quantity(function->text, name->text);
    const char *text = quantity ? arena_format(r->x->deck->scratch, "@%s[%s]", name->text, quantity) : NULL;
    const struct item vector = {.kind = ITEM_WORD, .text = text, .where = function->where};
    return text && request_find_element(r, name->text) && request_quantity(r, to, &vector);
}

/* Xyce's n(m1:gm) is what m1:gm is. */
static bool is_of_element(const struct request_card *r, const struct item *i)
{
    const char *colon = i->kind == ITEM_WORD ? strrchr(i->text, ':') : NULL;
    const char *owner = colon ? arena_text(r->x->deck->scratch, i->text, (size_t)(colon - i->text)) : NULL;
    const struct element *e = owner ? request_find_element(r, owner) : NULL;
    return e && e->kind && expand_find_node(r->x, r->at, i->text) < 0 && kind_quantity(e->kind, colon + 1) >= 0;
}

/* PSpice's d(net), the state of a digital node, is shown as the voltage that it has here. */
static bool is_state(const struct request_card *r, const struct item *function, const struct item *name)
{
    const bool is = item_is(function, "d") && name && name->kind == ITEM_WORD && !name->next &&
                    (r->x->deck->dialect == DIALECT_PSPICE || r->x->deck->dialect == DIALECT_SPICE) &&
                    expand_find_node(r->x, r->at, name->text) >= 0;
    if (is)
        deck_note(r->x->deck, "digital-state", function->where,
                  "'%s': states of digital nodes are voltages here: D(%s) is V(%s)", r->card, name->text, name->text);
    return is;
}

static bool read_call(const struct request_card *r, struct vector *to, const struct item *function,
                      const struct item *group)
{
    struct kn_location where = function->where;
    const struct item *first = group->inside;
    if (group->where.line == where.line)
        where.width = group->where.column + group->where.width - where.column;
    if (request_pin_voltage(r, to, function, first, where) || request_pin_current(r, to, function, first))
        return true;
    const bool state = is_state(r, function, first);
    const bool voltage = state || is_quantity(r, function, 'v') || item_is(function, "n");
    const bool lead = request_is_lead(r, function);
    if (!voltage && !lead && !is_quantity(r, function, 'i')) {
        if (!read_template(r, to, function))
            request_ignore(r, function);
        return true;
    }
    if (!first)
        return deck_fail(r->x->deck, "syntax", where, NULL, "'%s': nothing between the parentheses", r->card);
    if (lead)
        return request_lead(r, to, function, first);
    if (item_is(first, "all") || item_is(first, "nodes"))
        return request_all(r, to, where);
    if (request_is_pattern(first))
        return request_pattern(r, to, function, first);
    if (item_is(function, "n") && !first->next && is_of_element(r, first))
        return request_setting(r, to, first);
    if (voltage)
        return request_voltage(r, to, state ? "v" : function->text, first, where);
    if (first->kind != ITEM_WORD || first->next)
        return deck_fail(r->x->deck, "syntax", where, "write i(element)", "'%s': i(..) takes the name of one element",
                         r->card);
    return request_current(r, to, function->text, first, first->text, where);
}

/* Spellings of ngspice: v1#branch and @r1[i] are currents. */
static const char *element_of_word(const struct request_card *r, const char *word)
{
    const char *end = strstr(word, "#branch");
    if (end && !end[7])
        return arena_text(r->x->deck->scratch, word, (size_t)(end - word));
    const char *bracket = word[0] == '@' ? strchr(word, '[') : NULL, *close = bracket ? strchr(bracket, ']') : NULL;
    const char *quantity =
        close && !close[1] ? arena_text(r->x->deck->scratch, bracket + 1, (size_t)(close - bracket - 1)) : NULL;
    return quantity && quantity_is_current(quantity)
               ? arena_text(r->x->deck->scratch, word + 1, (size_t)(bracket - word - 1))
               : NULL;
}

static bool read_word(const struct request_card *r, struct vector *to, const struct item *i)
{
    const char *element = element_of_word(r, i->text);
    if (element)
        return request_current(r, to, "i", i, element, i->where);
    if (i->kind == ITEM_WORD && i->text[0] == '@')
        return request_quantity(r, to, i);
    if (item_is(i, "all"))
        return request_all(r, to, i->where);
    if (item_is(i, "alli") && strcmp(r->card, ".probe") == 0)
        return request_all_currents(r, to, i->where);
    if (item_is(i, "alli") || item_is(i, "allv")) {
        const struct item function = {.kind = ITEM_WORD, .text = item_is(i, "allv") ? "v" : "i", .where = i->where};
        const struct item any = {.kind = ITEM_WORD, .text = "*", .where = i->where};
        return request_pattern(r, to, &function, &any);
    }
    if (i->kind != ITEM_WORD) {
        request_ignore(r, i);
        return true;
    }
    const bool node = expand_find_node(r->x, r->at, i->text) >= 0;
    if (!node && strchr(i->text, ':') && request_setting(r, to, i))
        return true;
    if (!node && request_find_element(r, i->text))
        return request_current(r, to, "i", i, i->text, i->where);
    const struct item alone = {.kind = ITEM_WORD, .text = i->text, .where = i->where};
    return request_voltage(r, to, "v", &alone, i->where);
}

/* ---- expressions ---- */

static bool is_operator(char c)
{
    return c != '\0' && strchr("+-*/^", c);
}

/* Whether `next` stands right behind i, without a blank. */
static bool is_adjacent(const struct item *i, const struct item *next)
{
    return next->where.line == i->where.line && next->where.column == i->where.column + i->where.width;
}

/* Whether the word behind i goes on with an expression: v(1)/10, v(1)-v(2), v(1) - v(2); but v(1) -5 are two. */
static bool goes_on(const struct item *i, const struct item *next)
{
    if (!next || next->after_comma || next->kind != ITEM_WORD || next->value)
        return i->kind == ITEM_WORD && next && !next->value && is_operator(i->text[strlen(i->text) - 1]);
    if (i->kind == ITEM_WORD && is_operator(i->text[strlen(i->text) - 1]))
        return true;
    const bool sign = next->text[0] == '+' || next->text[0] == '-';
    return is_operator(next->text[0]) && (!sign || next->text[1] == '\0' || is_adjacent(i, next));
}

/* The item behind the vector that begins at i: behind the group of a call, and behind all that operators join. */
const struct item *expand_vector_end(const struct item *i)
{
    for (;;) {
        if (i->kind == ITEM_WORD && i->next && i->next->kind == ITEM_GROUP &&
            !is_operator(i->text[strlen(i->text) - 1]))
            i = i->next;
        if (!goes_on(i, i->next))
            return i->next;
        i = i->next;
    }
}

/* Besides what operators join: {..}, '..', 2*v(1), and calls with calls between their parentheses such as abs(v(1)) and
 * par('..').  Names of nodes may hold any of that: v(net-(r1)). */
static bool is_expression(const struct request_card *r, const struct item *i, const struct item *end)
{
    if (i->kind == ITEM_STRING && r->x->deck->dialect != DIALECT_HSPICE)
        return false;
    const struct item *group = i->kind == ITEM_WORD && i->next && i->next->kind == ITEM_GROUP ? i->next : NULL;
    if (i->kind == ITEM_EXPRESSION || i->kind == ITEM_STRING || (group ? group : i)->next != end ||
        (group && strpbrk(i->text, "+-*/^")))
        return true;
    const bool names = item_is(i, "v") || item_is(i, "i");
    for (const struct item *inner = group && !names ? group->inside : NULL; inner; inner = inner->next)
        if (inner->kind == ITEM_GROUP || inner->kind == ITEM_EXPRESSION)
            return true;
    return false;
}

/* label: NULL: the expression's own text. */
static bool push_expression(const struct request_card *r, struct vector *to, const struct item *first,
                            const struct item *end, const char *label)
{
    const bool in_frequency = r->domain == REQUEST_IN_FREQUENCY;
    const struct expansion_names names = {.of_phasors = in_frequency};
    struct request q = {.kind = REQUEST_EXPRESSION,
                        .element = -1,
                        .domain = in_frequency ? REQUEST_IN_FREQUENCY : r->domain & REQUEST_OF_VALUES,
                        .where = first->where};
    q.expression = expand_signal(r->x, r->at, first, end, &names);
    return q.expression &&
           request_push(r, to, q,
                        label ? arena_text(r->x->deck->arena, label, strlen(label)) : expand_label(r->x, q.expression));
}

/* ---- the card ---- */

/* The analysis that the word in front of the vectors names, or NULL: sp(..) may be a function. */
static const struct deck_card *analysis_of(const struct request_card *r, const struct item *i)
{
    const struct deck_card *card = deck_analysis(r->x->deck, i);
    return card && !card->read && i->next && i->next->kind == ITEM_GROUP ? NULL : card;
}

/* A parameter, or what formulas know by name: Xyce prints those, too. */
static bool is_parameter(const struct request_card *r, const struct item *i)
{
    return i->kind == ITEM_WORD && expand_find_node(r->x, r->at, i->text) < 0 && !request_find_element(r, i->text) &&
           (scope_has_parameter(r->at->scope, i->text) ||
            (r->x->deck->dialect == DIALECT_XYCE && name_is_among("temp vt", i->text)));
}

/* A word in front of the vectors that is neither node nor element names an analysis: "homotopy", or "trn". */
static bool is_unknown_analysis(const struct request_card *r, const struct item *i)
{
    const bool word = i && item_is_name(i) && !i->value && i->next && i->next->kind == ITEM_WORD;
    return word && !is_parameter(r, i) && expand_find_node(r->x, r->at, i->text) < 0 &&
           !request_find_element(r, i->text) && !item_is(i, "all") && !item_is(i, "allv") && !item_is(i, "alli");
}

/* Whether the card is read on behind it, as one of a transient. */
static bool skip_analysis(const struct request_card *r, const struct item *i)
{
    struct deck *k = r->x->deck;
    if (k->dialect != DIALECT_LTSPICE && item_is(i, "digital")) /* a table of states, of which .tran has those */
        return true;
    const struct deck_card *meant = deck_closest_analysis(k, i->text);
    const bool reads_on = meant && meant->read;
    deck_warn(k, "unknown-analysis", i->where,
              meant ? diagnostics_hint(k->diagnostics, "did you mean '%s'?", meant->analysis) : NULL,
              reads_on ? "'%s': there is no analysis and no node '%s'; the card is read without it"
                       : "'%s': there is no analysis and no node '%s'; the card is ignored",
              r->card, i->text);
    return reads_on;
}

/* Xyce's settings of files, which the command line chooses here; and HSPICE's pow=par('v(a)*i(r1)'). */
static void read_assignment(const struct request_card *r, struct vector *to, const struct item *i)
{
    static const char *const of_files[] = {
        "format", "file", "width", "precision", "delimiter", "timescalefactor", "filter", "output_sample_stats"};
    for (size_t k = 0; k < sizeof of_files / sizeof *of_files; k++)
        if (item_is(i, of_files[k])) {
            deck_note(r->x->deck, "print-file", r->statement->items->where,
                      "'%s': settings of files have no meaning here; -o and --format of the command line choose",
                      r->card);
            return;
        }
    if (i->value->kind == ITEM_EXPRESSION || i->value->kind == ITEM_WORD)
        push_expression(r, to, i->value, i->value->next, i->text);
    else
        request_ignore(r, i);
}

/* V(alias(*)) of PSpice's schematics: all that has a name there. */
static bool is_all_aliases(const struct item *i)
{
    const struct item *group = i->kind == ITEM_WORD ? i->next : NULL;
    const struct item *alias = group && group->kind == ITEM_GROUP ? group->inside : NULL;
    const struct item *any = alias && item_is(alias, "alias") ? alias->next : NULL;
    return any && any->kind == ITEM_GROUP && item_is(any->inside, "*");
}

/* D(*) and NOISE(*) of OrCAD's .PROBE: levels of digital nodes, which are voltages here, and results of .noise, which are always there. */
static bool asks_for_nothing(const struct request_card *r, const struct item *i)
{
    const struct item *any = i->next;
    return r->x->deck->dialect == DIALECT_PSPICE && (item_is(i, "d") || item_is(i, "noise")) && any &&
           any->kind == ITEM_GROUP && item_is(any->inside, "*");
}

/* vdb(out) of a card that names no analysis has a meaning in .ac only. */
static bool is_phasor_alone(const struct request_card *r, const struct item *i)
{
    struct request_card ac = *r;
    ac.domain = REQUEST_IN_FREQUENCY;
    return r->domain == REQUEST_ANYWHERE && i->kind == ITEM_WORD && i->next && i->next->kind == ITEM_GROUP &&
           !is_quantity(r, i, 'v') && !is_quantity(r, i, 'i') && !request_is_lead(r, i) &&
           (is_quantity(&ac, i, 'v') || is_quantity(&ac, i, 'i'));
}

/* HSPICE's total power: print power, measure avg power. */
static bool is_total_power(const struct request_card *r, const struct item *i)
{
    return expand_is_total_power(r->x, r->at, i) && expand_find_node(r->x, r->at, i->text) < 0;
}

static void read_call_in(const struct request_card *r, struct vector *to, const struct item *i)
{
    struct request_card in = *r;
    in.domain = is_phasor_alone(r, i) ? REQUEST_IN_FREQUENCY : r->domain;
    read_call(&in, to, i, i->next);
}

static void read_vector(const struct request_card *r, struct vector *to, const struct item *i, const struct item *end)
{
    const struct item *group = i->next;
    if (i->value)
        read_assignment(r, to, i);
    else if (is_all_aliases(i))
        request_all(r, to, i->where);
    else if (asks_for_nothing(r, i))
        return;
    else if (r->domain == REQUEST_IN_NOISE)
        request_noise_result(r, to, i, end);
    else if (r->domain == REQUEST_AT_PORTS)
        request_port_result(r, to, i, end);
    else if (request_network_result(r, to, i, end))
        return;
    else if (is_expression(r, i, end))
        push_expression(r, to, i, end, NULL);
    else if (!(group && group->kind == ITEM_GROUP) && (is_parameter(r, i) || is_total_power(r, i)))
        push_expression(r, to, i, end, i->text);
    else if (i->kind == ITEM_WORD && group && group->kind == ITEM_GROUP)
        read_call_in(r, to, i);
    else if (i->kind != ITEM_GROUP) /* (0,5) behind a vector of .plot is the range of its axis */
        read_word(r, to, i);
}

static enum request_domain domain_of(const struct deck_card *analysis)
{
    static const struct {
        const char *analysis;
        enum request_domain domain;
    } domains[] = {{"ac", REQUEST_IN_FREQUENCY}, {"noise", REQUEST_IN_NOISE}, {"sp", REQUEST_AT_PORTS},
                   {"op", REQUEST_AT_REST},      {"dc", REQUEST_AT_REST},     {"pss", REQUEST_IN_PERIOD}};
    if (!analysis)
        return REQUEST_ANYWHERE;
    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++)
        if (strcmp(analysis->analysis, domains[i].analysis) == 0)
            return domains[i].domain;
    return REQUEST_IN_TIME;
}

static void read_vectors(struct request_card *r, struct vector *to, bool names_analysis)
{
    const struct item *i = r->statement->items->next;
    const struct deck_card *analysis = names_analysis ? analysis_of(r, i) : NULL;
    if (analysis && (!analysis->read || analysis->no_vectors)) {
        deck_warn(r->x->deck, "unsupported", i->where, NULL,
                  analysis->read ? "'%s %s' is ignored: all results of '.%s' are written"
                                 : "'%s %s' is not supported yet; ignored",
                  r->card, i->text, analysis->analysis);
        return;
    }
    if (analysis && strcmp(analysis->analysis, "pz") == 0) /* all poles and zeros are results */
        return;
    r->domain = domain_of(analysis);
    if (analysis) {
        i = i->next;
    } else if (names_analysis && is_unknown_analysis(r, i)) {
        if (!skip_analysis(r, i))
            return;
        i = i->next;
    }
    if (!i && !item_is(r->statement->items, ".probe")) /* which alone means everything, as does its absence */
        deck_warn(r->x->deck, "syntax", r->statement->end,
                  diagnostics_hint(r->x->deck->diagnostics, "write %s%s v(node) i(element)", r->card,
                                   names_analysis ? " tran" : ""),
                  "'%s' without vectors is ignored", r->card);
    for (const struct item *end; i; i = end) {
        end = expand_vector_end(i);
        read_vector(r, to, i, end);
    }
}

static void read_leniently(struct expansion *x, struct instance *at, struct statement *s, struct vector *to,
                           bool names_analysis)
{
    struct leniency lenient;
    if (!deck_begin_lenient(x->deck, &lenient))
        return;
    read_vectors(&(struct request_card){.x = x, .at = at, .statement = s, .card = s->items->text}, to, names_analysis);
    deck_end_lenient(x->deck, &lenient, "it is left out");
}

void read_prints(struct expansion *x, struct instance *at, struct statement *s)
{
    read_leniently(x, at, s, &x->prints, true);
}

void read_saves(struct expansion *x, struct instance *at, struct statement *s)
{
    if (request_is_saved_point(x, s))
        request_saved_point(x, at, s);
    else
        read_leniently(x, at, s, &x->saves, false);
}

/* ngspice keeps all voltages besides what .probe names, unless .save says what is kept. */
static bool keeps_all(const struct expansion *x, const struct instance *at)
{
    const struct statement *s = at->level->cards.first;
    while (s && !item_is(s->items, ".save"))
        s = s->next;
    return !s && (x->deck->dialect == DIALECT_NGSPICE || x->deck->dialect == DIALECT_KICAD) && x->saves.count == 0;
}

void read_probes(struct expansion *x, struct instance *at, struct statement *s)
{
    const struct request_card r = {.x = x, .at = at, .statement = s, .card = ".probe", .domain = REQUEST_ANYWHERE};
    if (keeps_all(x, at) && !request_all(&r, &x->saves, s->items->where))
        return;
    read_leniently(x, at, s, &x->saves, true);
}

/* ---- the output of .tf, .noise and .sens ---- */

bool expand_output(const struct output_card *c, const struct item *function, struct request *out)
{
    const struct request_card r = {
        .x = c->x, .at = c->at, .statement = c->statement, .card = c->statement->items->text};
    struct vector one = {.size = sizeof *out};
    const struct item *group = function->next;
    if (!function->text || !group || group->kind != ITEM_GROUP || !group->inside ||
        !(item_is(function, "v") || item_is(function, "i")))
        return deck_fail(c->x->deck, "syntax", function->where, c->form,
                         "'%s': expected v(node), v(node,node) or i(element), found '%s'", r.card, item_text(function));
    bool good = read_call(&r, &one, function, group) && one.count == 1;
    if (good)
        *out = *(const struct request *)one.items;
    free(one.items);
    return good && (out->kind != REQUEST_ALL ||
                    deck_fail(c->x->deck, "syntax", function->where, c->form, "'%s' takes a single output", r.card));
}

/* By the letter that its name begins with, behind the path. */
static bool may_be_source(const char *name)
{
    const char *dot = strrchr(name, '.');
    return strchr("vViI", dot ? dot[1] : name[0]) != NULL;
}

bool expand_source(const struct output_card *c, const struct item *name, int *source)
{
    const char *card = c->statement->items->text;
    const struct element *e = name && name->text ? expand_find_element(c->x, c->at, name->text) : NULL;
    if (e && e->kind && e->kind->form == CARD_SOURCE) {
        *source = e->number;
        return true;
    }
    if (e && !e->kind && may_be_source(e->name)) /* it could not be read, which has been reported */
        return false;
    const char *guess = name && name->text && !e ? expand_closest_element(c->x, c->at, name->text) : NULL;
    const char *hint = diagnostics_meant(c->x->deck->diagnostics, guess);
    return deck_fail(c->x->deck, name ? "no-source" : "syntax", name ? name->where : c->statement->end,
                     hint ? hint : c->form,
                     name ? "'%s': there is no voltage or current source '%s'"
                          : "'%s' needs the name of a source behind the output%s",
                     card, name ? item_text(name) : "");
}
