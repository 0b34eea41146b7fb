/* expand_elements.c - which card is of which kind, and the walk through the element cards of one instance. */
#include "netlist/expand/expand_card.h"

#include <ctype.h>
#include <string.h>

static bool (*const readers[])(struct card *c) = {
    [CARD_PASSIVE] = read_passive,
    [CARD_COUPLING] = read_coupling,
    [CARD_SETTINGS] = read_nodes_and_settings,
    [CARD_SOURCE] = read_source,
    [CARD_BY_VOLTAGE] = read_voltage_controlled,
    [CARD_BY_CURRENT] = read_current_controlled,
    [CARD_LAW] = read_behavioural,
    [CARD_MODEL] = read_with_model,
    [CARD_PORTS] = read_port_card,
    [CARD_TYPED] = read_port_card,
    [CARD_GATE] = read_gate_card,
    [CARD_Y] = read_y_card,
    [CARD_COUPLED] = read_coupled_line,
    [CARD_RC_LINE] = read_rc_line,
    [CARD_MACHINE] = read_machine,
    [CARD_INSTANCE] = read_instance,
};

static const struct element_kind instance_kind = {
    .letter = 'x', .noun = "instance", .usage = "nodes .. subcircuit name=value ..", .form = CARD_INSTANCE};

static const struct element_kind y_kind = {.letter = 'y', .noun = "device", .usage = "name nodes ..", .form = CARD_Y};

static const struct element_kind coupled_kind = {
    .letter = 'p', .noun = "coupled line", .usage = "a1 a2 .. aref b1 b2 .. bref model", .form = CARD_COUPLED};

static const struct element_kind w_kind = {.letter = 'w',
                                           .noun = "line",
                                           .usage = "a1 a2 .. aref b1 b2 .. bref N=n L=length RLGCMODEL=model",
                                           .form = CARD_COUPLED};

static const struct element_kind rc_kind = {.letter = 'u',
                                            .noun = "distributed RC line",
                                            .usage = "node1 node2 capacitances model L=length [N=lumps]",
                                            .form = CARD_RC_LINE};

static char letter_of(const struct statement *s)
{
    return (char)tolower((unsigned char)s->items->text[0]);
}

/* Behind the name. */
static size_t count_words(const struct statement *s)
{
    size_t words = 0;
    for (const struct item *i = s->items->next; i; i = i->next)
        words += i->kind == ITEM_WORD && !i->value;
    return words;
}

/* Y of ngspice is a line with four nodes and a model, which a Y of Xyce has not: it has a name of its own.  P has four
 * nodes at least, where a port of Xyce's has two; U of SPICE has fewer words than any gate. */
static const struct element_kind *line_kind(const struct deck *k, const struct statement *s)
{
    const size_t words = k->dialect == DIALECT_XYCE ? 0 : count_words(s);
    return letter_of(s) == 'y' && words == 5  ? catalogue_letter(k->catalogue, 'o')
           : letter_of(s) == 'p' && words > 4 ? &coupled_kind
           : is_line_of_hspice(s)             ? &w_kind
           : rc_line_parts(s) > 0             ? &rc_kind
                                              : NULL;
}

/* J1 a b and nothing else: the wire that LTspice's symbol "jumper" is, which gives one net two names; 0 V.  Elsewhere it is a JFET that
 * lacks its model. */
static bool is_jumper(const struct deck *k, const struct statement *s)
{
    const struct item *first = s->items->next, *second = first ? first->next : NULL;
    return k->dialect == DIALECT_LTSPICE && letter_of(s) == 'j' && second && !second->next && count_words(s) == 2;
}

const struct element_kind *expand_kind(const struct deck *k, const struct statement *s)
{
    if (s->is_machine)
        return catalogue_letter(k->catalogue, KIND_MACHINE);
    const char letter = letter_of(s);
    if (letter == 'y' && y_card_is_known(s))
        return &y_kind;
    const struct element_kind *line = line_kind(k, s);
    if (line)
        return line;
    if ((letter == 'p' && k->dialect == DIALECT_XYCE) || is_jumper(k, s))
        return catalogue_letter(k->catalogue, 'v');
    return letter == 'x' ? &instance_kind : letter_is_made(letter) ? NULL : catalogue_letter(k->catalogue, letter);
}

/* "R C L" */
static const char *all_letters(struct deck *k)
{
    const struct element_kind *kind;
    const char *text = "";
    for (size_t i = 0; text && (kind = catalogue_kind(k->catalogue, i)); i++)
        if (!letter_is_made(kind->letter) && catalogue_letter(k->catalogue, kind->letter) == kind)
            text = arena_format(k->scratch, "%s%c ", text, toupper((unsigned char)kind->letter));
    return text ? text : "";
}

static void report_letter(struct expansion *x, struct statement *s)
{
    x->failed[s->number] = true;
    const struct item *name = s->items;
    const char *dot = deck_card_without_dot(x->deck, name->text);
    const char *hint = diagnostics_meant(x->deck->diagnostics, dot);
    const struct foreign_kind *foreign = foreign_letter(letter_of(s));
    if (foreign)
        deck_fail(x->deck, "unsupported-element", name->where, hint, "'%s': %s are not supported yet", name->text,
                  foreign->nouns);
    else
        deck_fail(x->deck, "unknown-element", name->where,
                  hint ? hint
                       : diagnostics_hint(x->deck->diagnostics,
                                          "an element begins with one of the letters %sX; a line that goes on with the "
                                          "one above begins with '+'",
                                          all_letters(x->deck)),
                  "no kind of element begins with '%c'", name->text[0]);
}

/* ---- one card ---- */

/* Positional items, with parentheses flattened away where they mean nothing. */
static bool push_words(struct expansion *x, struct item *i, bool flat)
{
    for (; i; i = i->next) {
        if (i->value || (i->kind == ITEM_STRING && !*i->text))
            continue; /* "" is a value that LTspice's schematics have left empty */
        if (flat && i->kind == ITEM_GROUP) {
            if (!push_words(x, i->inside, flat))
                return false;
            continue;
        }
        if (!expand_add(x, &x->words, &i))
            return false;
    }
    return true;
}

/* {name} of a parameter that is a text, in the place of a node or model: that text. */
static bool put_texts(struct expansion *x, const struct instance *at)
{
    struct item **words = x->words.items;
    for (size_t i = 0; i < x->words.count; i++) {
        const char *text = words[i]->kind == ITEM_EXPRESSION ? scope_text(at->scope, words[i]->text) : NULL;
        struct item *word = text ? arena_alloc(x->deck->arena, sizeof *word) : NULL;
        if (text && !word)
            return deck_no_memory(x->deck);
        if (!text)
            continue;
        *word = *words[i];
        word->kind = ITEM_WORD;
        word->text = text;
        word->is_number = expression_number(text, strlen(text), &word->numeric);
        words[i] = word;
    }
    return true;
}

/* How many nodes an X card names, or an element of this letter has at least. */
static size_t nodes_of(const struct statement *s, const struct element_kind *kind)
{
    const struct foreign_kind *foreign = foreign_letter(letter_of(s));
    if (letter_of(s) != 'x')
        return kind ? kind_nodes(kind).least + kind->control_nodes : foreign ? foreign->nodes : 0;
    size_t count = 0;
    const struct item *name = expand_instance_name(s);
    for (const struct item *i = s->items->next; i && i != name; i = i->next)
        count++;
    return count;
}

/* The element is lost, but its nodes and name exist for those who refer to them. */
static void keep_names(struct expansion *x, struct instance *at, struct statement *s, size_t nodes)
{
    if (letter_of(s) != 'x')
        expand_new_element(x, at, NULL, s);
    x->missing_instance |= letter_of(s) == 'x';
    const struct item *i = s->items->next;
    for (; i && i->kind == ITEM_WORD && !i->value && nodes > 0; i = i->next, nodes--)
        expand_node(x, at, i);
    x->missing_nodes |= nodes > 0 || (s->broken && letter_of(s) == 'x');
}

/* Inner instances come before outer ones among those with requests. */
static void expand_body(struct expansion *x, struct instance *inside)
{
    expand_elements(x, inside);
    if (inside->level->cards.first)
        expand_add(x, &x->later, &inside);
}

/* The deck has failed and this card's instances have been looked into: what more of them could say ends somewhere. */
static bool is_told(const struct expansion *x, const struct statement *s)
{
    enum { ENOUGH_INSTANCES = 1000 }; /* as many as there are messages at most */
    const bool before = x->looked_into[s->number];
    x->looked_into[s->number] = true;
    return before && x->deck->failed && name_table_count(x->instances) > ENOUGH_INSTANCES;
}

static void expand_card(struct expansion *x, struct instance *at, struct statement *s, const struct element_kind *kind)
{
    struct element instance = {.kind = kind, .name = s->items->text, .where = s->items->where};
    if (kind == &y_kind && !y_card_join_name(x->deck, s))
        return;
    struct element *e = kind == &instance_kind ? &instance : expand_new_element(x, at, kind, s);
    x->words.count = x->settings.count = 0;
    if (!e || !push_words(x, s->items->next, kind->flat) || !put_texts(x, at))
        return;
    struct card c = {.x = x, .at = at, .statement = s, .kind = kind, .nodes = kind_nodes(kind), .e = e};
    c.words = x->words.items;
    c.word_count = x->words.count;
    if (!readers[kind->form](&c)) {
        x->failed[s->number] = true;
        x->deck->failed = true;
        e->kind = NULL;
    } else if (c.inside) {
        if (is_told(x, s))
            x->missing_instance = true;
        else
            expand_body(x, c.inside);
    }
}

/* U1 __U1: what KiCad writes for a part without a model. */
static bool is_without_model(struct expansion *x, const struct statement *s)
{
    const struct item *second = s->items->next;
    if (x->deck->dialect != DIALECT_KICAD || !second || second->next || second->kind != ITEM_WORD ||
        strncmp(second->text, "__", 2) != 0 || !names_equal(second->text + 2, s->items->text))
        return false;
    deck_warn(x->deck, "part-without-model", s->items->where, "give the symbol a model in KiCad",
              "part '%s' has no model; it is left out", s->items->text);
    return true;
}

/* include "file" without a dot, left in PDKs by who made them of Spectre's files; ngspice has a source of 0 A there. */
static bool is_include_of_spectre(struct expansion *x, struct statement *s)
{
    const struct item *file = s->items->next;
    if (!item_is(s->items, "include") || !file || file->next || file->kind != ITEM_STRING)
        return false;
    if (!x->failed[s->number])
        deck_warn(x->deck, "syntax", s->items->where, "to read the file write .include",
                  "'include' without a dot is ignored");
    x->failed[s->number] = true; /* said once */
    return true;
}

void expand_elements(struct expansion *x, struct instance *at)
{
    for (struct statement *s = at->level->elements.first; s && !x->deck->out_of_memory; s = s->next) {
        if (!expand_counts(at, s->branch) || is_without_model(x, s) || is_include_of_spectre(x, s))
            continue;
        const struct element_kind *kind = expand_kind(x->deck, s);
        if (!kind && !s->broken && !x->failed[s->number])
            report_letter(x, s);
        if (!kind || s->broken || x->failed[s->number]) /* said once, not for every instance */
            keep_names(x, at, s, nodes_of(s, kind));
        else {
            draws_enter(&x->draws, 'e', at->path, s->items->text);
            expand_card(x, at, s, kind);
        }
    }
}
