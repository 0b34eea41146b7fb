/* deck_cards.c - from statements to the level and the list they belong to, and dot cards that are done with then. */
#include "netlist/deck/deck_reader.h"

#include <string.h>
#include <strings.h>

/* ---- kept for expansions ---- */

void deck_keep(struct deck *k, struct statement *s)
{
    if (!s->broken)
        statements_append(&k->current->cards, s);
}

void deck_keep_with_deck(struct deck *k, struct statement *s)
{
    deck_replace_cards(k, s);
    statements_append(&k->top->cards, s);
}

void deck_keep_outside(struct deck *k, struct statement *s)
{
    if (k->current->parent)
        deck_warn(k, "unsupported", s->items->where, "write it outside of the subcircuit: v(x1.node)",
                  "'%s' in a subcircuit is ignored", s->items->text);
    else
        statements_append(&k->top->cards, s);
}

/* ---- .data name parameter .. / rows of numbers / .enddata ---- */

void deck_take_data(struct deck *k, struct statement *s)
{
    if (s->broken)
        return;
    if (!s->items->next)
        deck_fail(k, "syntax", s->end, "write .data name parameter .., rows of numbers, .enddata",
                  "expected the name of the table");
    k->open_data = s;
    k->data_end = s->items;
    deck_keep_with_deck(k, s);
}

void deck_take_data_end(struct deck *k, struct statement *s)
{
    if (!k->open_data)
        deck_fail(k, "syntax", s->items->where, NULL, "'.enddata' without a '.data' before it");
    k->open_data = NULL;
}

void deck_check_data(struct deck *k)
{
    if (k->open_data)
        deck_fail(k, "syntax", k->open_data->items->where, "end its rows with '.enddata'",
                  "the table of '.data' has no '.enddata'");
    k->open_data = NULL;
}

/* The items of a row join those of the card. */
static void take_row(struct deck *k, const struct statement *s)
{
    while (k->data_end->next)
        k->data_end = k->data_end->next;
    k->data_end->next = s->items;
    k->open_data->end = s->end;
}

/* ---- said when the deck is read ---- */

void deck_take_global(struct deck *k, struct statement *s)
{
    if (!s->items->next && !s->broken)
        deck_warn(k, "syntax", s->end, "write .global node ..", "'%s' without names of nodes is ignored",
                  s->items->text);
    for (struct item *i = s->items->next; i; i = i->next) {
        if (i->kind != ITEM_WORD || i->value)
            deck_fail(k, "syntax", i->where, NULL, "expected the name of a node, found '%s'", item_text(i));
        else if (!name_table_put(k->globals, i->text, i))
            deck_no_memory(k);
    }
}

/* .connect node other ..: HSPICE's names for one node; the first stands for all. */
void deck_take_connect(struct deck *k, struct statement *s)
{
    const struct item *first = s->items->next;
    if (s->broken)
        return;
    if (k->current->parent) {
        deck_warn(k, "unsupported", s->items->where, "write it outside of the subcircuit",
                  "'%s' in a subcircuit is ignored", s->items->text);
        return;
    }
    if (!first || !first->next)
        deck_fail(k, "syntax", s->end, "write .connect node node", "'.connect' needs two nodes");
    for (struct item *i = first ? first->next : NULL; i; i = i->next) {
        if (i->kind != ITEM_WORD || i->value || first->kind != ITEM_WORD)
            deck_fail(k, "syntax", i->where, NULL, "expected the name of a node, found '%s'", item_text(i));
        else if (!names_equal(first->text, i->text) && !name_table_put(k->joined, i->text, (void *)first->text))
            deck_no_memory(k);
    }
}

/* The words as they stood, one blank between them. */
void deck_take_title(struct deck *k, struct statement *s)
{
    const char *title = "";
    for (const struct item *i = s->items->next; i && title; i = i->next)
        title = arena_format(k->arena, "%s%s%s", title, *title ? " " : "", item_text(i));
    k->title = title ? title : k->title;
}

/* What asks for nothing that there is here. */
void deck_skip(struct deck *k, struct statement *s)
{
    (void)k;
    (void)s;
}

void deck_ignore(struct deck *k, struct statement *s)
{
    deck_warn(k, "unsupported", s->items->where, NULL, "'%s' is not supported yet; ignored", s->items->text);
}

/* Xyce's replaceground; removeunused and addresistors change no result that is asked for. */
void deck_take_preprocess(struct deck *k, struct statement *s)
{
    const struct item *what = s->items->next, *setting = what ? what->next : NULL;
    if (!what || !name_is_among("replaceground removeunused addresistors", what->text))
        deck_ignore(k, s);
    else if (item_is(what, "replaceground") && setting && item_is(setting, "true"))
        k->grounds_by_name = true;
}

void deck_take_stimulus(struct deck *k, struct statement *s)
{
    if (!s->broken)
        statements_append(&k->stimuli, s);
}

void deck_take_distribution(struct deck *k, struct statement *s)
{
    if (!s->broken)
        statements_append(&k->distributions, s);
}

void deck_skip_endc(struct deck *k, struct statement *s)
{
    deck_warn(k, "syntax", s->items->where, "take it out, or write .control in front of the commands",
              "'.endc' without a '.control' before it; it is ignored");
}

/* ---- the table ---- */

const char *deck_card_without_dot(const struct deck *k, const char *word)
{
    for (const struct deck_card *card = k->cards; card->name; card++)
        if (names_equal(card->name + 1, word))
            return card->name;
    return NULL;
}

const struct deck_card *deck_analysis(const struct deck *k, const struct item *word)
{
    for (const struct deck_card *card = k->cards; card->name; card++)
        if (card->analysis && item_is(word, card->analysis))
            return card;
    return NULL;
}

const struct deck_card *deck_closest_analysis(const struct deck *k, const char *word)
{
    struct name_guess g = name_guess(word);
    for (const struct deck_card *card = k->cards; card->name; card++)
        name_guess_offer(&g, card->analysis);
    const struct item near = {.kind = ITEM_WORD, .text = g.found};
    return g.found ? deck_analysis(k, &near) : NULL;
}

static void unknown_card(struct deck *k, const struct item *name)
{
    struct name_guess g = name_guess(name->text);
    for (const struct deck_card *card = k->cards; card->name; card++)
        name_guess_offer(&g, card->name);
    deck_fail(k, "unknown-card", name->where, diagnostics_meant(k->diagnostics, g.found), "unknown card '%s'",
              name->text);
}

static bool is_handed_on(const struct catalogue *c, const char *name)
{
    while (c && !(c->hands_on && c->hands_on(name)))
        c = c->more;
    return c != NULL;
}

static bool is_meant(const struct deck *k, const struct deck_card *card, const char *name)
{
    return card->any_handed_on ? is_handed_on(k->catalogue, name) : names_equal(card->name, name);
}

/* .probe/csd is PSpice's choice of the file's form. */
static void cut_form_of_file(struct deck *k, struct item *name)
{
    const char *form = strchr(name->text, '/');
    char *shorter = form ? arena_text(k->scratch, name->text, (size_t)(form - name->text)) : NULL;
    name->text = shorter ? shorter : name->text;
}

/* .ends* and words: a comment from the star on. */
static void cut_comment(struct deck *k, struct item *name)
{
    const char *star = strchr(name->text, '*');
    char *shorter = star ? arena_text(k->scratch, name->text, (size_t)(star - name->text)) : NULL;
    if (!shorter)
        return;
    name->text = shorter;
    name->next = NULL;
}

/* ..model of a library is .model. */
static void cut_second_dot(struct deck *k, struct item *name)
{
    if (name->text[1] != '.' || !name->text[2])
        return;
    deck_warn(k, "syntax", name->where, NULL, "'%s' is read as '%s'", name->text, name->text + 1);
    name->text++;
}

static bool is_card(const struct deck *k, const char *name)
{
    for (const struct deck_card *card = k->cards; card->name; card++)
        if (card->take && is_meant(k, card, name))
            return true;
    return false;
}

/* LTspice and ngspice know some cards by their first letters: .params:, .function, .meassure, .optons, .endsname. */
static void cut_misspelling(struct deck *k, struct item *name)
{
    static const struct {
        const char *name;
        size_t letters; /* that no other card begins with */
    } cards[] = {{".param", 4}, {".func", 4}, {".measure", 4}, {".options", 4}, {".ends", 5}};
    const char *meant = NULL;
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++)
        if (strncasecmp(name->text, cards[i].name, cards[i].letters) == 0)
            meant = cards[i].name;
    if (!meant || is_card(k, name->text))
        return;
    deck_warn(k, "syntax", name->where, NULL, "'%s' is read as '%s'", name->text, meant);
    name->text = meant;
}

/* A line of dots in a library divides it. */
static bool is_rule_of_dots(struct deck *k, const struct statement *s)
{
    const char *text = s->items->text;
    const size_t dots = strspn(text, ".");
    if (dots < 3 || text[dots])
        return false;
    deck_warn(k, "syntax", s->items->where, "a comment begins with '*'", "a line of dots is ignored");
    return true;
}

static void take_card(struct deck *k, struct statement *s)
{
    if (is_rule_of_dots(k, s))
        return;
    cut_second_dot(k, s->items);
    cut_comment(k, s->items);
    cut_misspelling(k, s->items);
    cut_form_of_file(k, s->items);
    for (const struct deck_card *card = k->cards; card->name; card++)
        if (card->take && is_meant(k, card, s->items->text)) {
            s->card = card;
            card->take(k, s);
            return;
        }
    unknown_card(k, s->items);
}

/* Said once for a file. */
static void note_unread(struct deck *k, const struct statement *s)
{
    if (!k->open_file->said_so)
        deck_note_dialect(k, "library", s->items->where,
                          "elements of a library outside of its subcircuits are not read");
    k->open_file->said_so = true;
}

/* What stands outside of the sections of a library, one of which was asked for. */
static void note_outside(struct deck *k, const struct statement *s)
{
    static const char *const marks[] = {".end", ".prot", ".protect", ".unprot", ".unprotect"};
    struct open_file *f = k->open_file;
    bool wanted = f->section && !f->section_depth;
    for (size_t i = 0; wanted && i < sizeof marks / sizeof *marks; i++)
        wanted = !item_is(s->items, marks[i]);
    if (wanted && !f->said_so)
        deck_warn(k, "library", s->items->where, "Xyce reads it: --dialect xyce",
                  "what stands outside of the sections of library '%s' is not read", f->name);
    f->said_so |= wanted;
}

/* subckt name ports, without the dot, in a library: what follows are its elements, of which none stands in the deck. */
static bool begins_subcircuit(struct deck *k, const struct statement *s)
{
    const bool begins = k->open_file->parent && item_is(s->items, "subckt");
    if (begins)
        deck_warn(k, "syntax", s->items->where, "write .subckt", "'subckt' without a dot is taken for '.subckt'");
    return begins;
}

void deck_take(struct deck *k, struct statement *s)
{
    const struct open_file *f = k->open_file;
    const bool is_library_card = item_is(s->items, ".lib") || item_is(s->items, ".endl");
    k->statement_count++;
    if (!deck_counts(k) && !is_library_card) {
        note_outside(k, s);
        return;
    }
    k->failed |= s->broken && !deck_is_prose(k, s);
    s->branch = k->branch;
    if (k->open_data && (s->items->text[0] != '.' || s->items->is_number))
        take_row(k, s);
    else if (s->items->text[0] == '.')
        take_card(k, s);
    else if (begins_subcircuit(k, s))
        deck_take_subcircuit(k, s);
    else if (f->defines_only && !k->current->parent)
        note_unread(k, s);
    else if (deck_is_prose(k, s))
        deck_warn(k, "syntax", s->items->where, "a comment begins with '*'",
                  "this line of a library is no element; it is taken for a comment");
    else {
        deck_open_group(s->items);
        if (!strchr("uU", s->items->text[0])) /* whose pins may be named 1Y */
            deck_part_numbers(s->items->next);
        deck_join_coefficients(s->items->next);
        if (strchr("rRcClL", s->items->text[0]))
            deck_take_count(k, s->items->next);
        if (!deck_take_core(k, s))
            deck_add_element(k, s);
    }
}
