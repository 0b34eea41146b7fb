/* deck_cards.c - the table of dot cards. */
#include "netlist/deck/deck_reader.h"

/* ---- cards that are only kept here and read when the circuit is made ---- */

static void take_request(struct deck *k, struct statement *s)
{
    if (!s->broken)
        statements_append(&k->current->requests, s);
}

static void take_options(struct deck *k, struct statement *s)
{
    statements_append(&k->options, s);
}

static void take_temperature(struct deck *k, struct statement *s)
{
    statements_append(&k->temperatures, s);
}

static void take_transient(struct deck *k, struct statement *s)
{
    statements_append(&k->transients, s);
}

/* In a subcircuit there would be one for each instance, all of one name. */
static void take_measure(struct deck *k, struct statement *s)
{
    if (k->current->parent)
        deck_warn(k, "unsupported", s->items->where, "write it outside of the subcircuit: v(x1.node)",
                  "'%s' in a subcircuit is ignored", s->items->text);
    else
        statements_append(&k->measures, s);
}

static void take_operating_point(struct deck *k, struct statement *s)
{
    if (s->items->next)
        deck_warn(k, "extra", s->items->next->where, NULL, "'.op' takes no values; '%s' is ignored",
                  item_text(s->items->next));
    k->has_operating_point = true;
}

static void take_global(struct deck *k, struct statement *s)
{
    if (!s->items->next && !s->broken)
        deck_fail(k, "syntax", s->end, "write .global node ..", "expected the names of global nodes");
    for (struct item *i = s->items->next; i; i = i->next) {
        if (i->kind != ITEM_WORD || i->value)
            deck_fail(k, "syntax", i->where, NULL, "expected the name of a node, found '%s'", item_text(i));
        else if (!name_table_put(k->globals, i->text, i))
            deck_no_memory(k);
    }
}

/* The words as they stood, one blank between them. */
static void take_title(struct deck *k, struct statement *s)
{
    const char *title = "";
    for (const struct item *i = s->items->next; i && title; i = i->next)
        title = arena_format(k->arena, "%s%s%s", title, *title ? " " : "", item_text(i));
    k->title = title ? title : k->title;
}

/* .csparam hands a parameter to the .control block, whose absence has been remarked on. */
static void skip(struct deck *k, struct statement *s)
{
    (void)k;
    (void)s;
}

static void ignore_with_warning(struct deck *k, struct statement *s)
{
    deck_warn(k, "unsupported", s->items->where, NULL, "'%s' is not supported yet; ignored", s->items->text);
}

static void ignore_sweep(struct deck *k, struct statement *s)
{
    deck_warn(k, "unsupported", s->items->where,
              "the deck runs once, with the values it has; run it again with others in .param",
              "'%s' is not supported yet; ignored", s->items->text);
}

static void ignore_spectrum(struct deck *k, struct statement *s)
{
    deck_warn(k, "unsupported", s->items->where, "--format csv writes the waveforms for a program that transforms them",
              "'%s' is not supported yet; ignored", s->items->text);
}

static void refuse_condition(struct deck *k, struct statement *s)
{
    deck_fail(k, "unsupported", s->items->where, "choose values with an expression: {flag > 0 ? 1k : 2k}",
              "conditional netlists ('%s') are not supported", s->items->text);
}

static void refuse_endc(struct deck *k, struct statement *s)
{
    deck_fail(k, "syntax", s->items->where, NULL, "'.endc' without a '.control' before it");
}

/* ---- the table ---- */

static const struct card {
    const char *name;
    void (*take)(struct deck *k, struct statement *s);
} cards[] = {
    {".model", deck_take_model},
    {".subckt", deck_take_subcircuit},
    {".ends", deck_take_ends},
    {".macro", deck_take_subcircuit},
    {".eom", deck_take_ends},
    {".param", deck_take_parameters},
    {".params", deck_take_parameters},
    {".csparam", skip},
    {".global_param", deck_take_parameters},
    {".func", deck_take_function},
    {".include", deck_take_include},
    {".inc", deck_take_include},
    {".lib", deck_take_library},
    {".endl", deck_take_library_end},
    {".global", take_global},
    {".ic", take_request},
    {".nodeset", take_request},
    {".print", take_request},
    {".plot", take_request},
    {".save", take_request},
    {".probe", take_request},
    {".options", take_options},
    {".option", take_options},
    {".opt", take_options},
    {".temp", take_temperature},
    {".tran", take_transient},
    {".op", take_operating_point},
    {".title", take_title},
    {".endc", refuse_endc},
    {".if", refuse_condition},
    {".elseif", refuse_condition},
    {".else", refuse_condition},
    {".endif", refuse_condition},
    {".ac", ignore_with_warning},
    {".dc", ignore_with_warning},
    {".tf", ignore_with_warning},
    {".four", ignore_spectrum},
    {".fourier", ignore_spectrum},
    {".meas", take_measure},
    {".measure", take_measure},
    {".noise", ignore_with_warning},
    {".sens", ignore_with_warning},
    {".pz", ignore_with_warning},
    {".step", ignore_sweep},
    {".disto", ignore_with_warning},
    {".pss", ignore_with_warning},
    {".sp", ignore_with_warning},
    {".hb", ignore_with_warning},
    {".net", ignore_with_warning},
    {".mc", ignore_sweep},
    {".wcase", ignore_sweep},
    {".data", ignore_sweep},
    {".enddata", ignore_with_warning},
    {".alter", ignore_sweep},
    {".width", ignore_with_warning},
    {".wave", ignore_with_warning},
    {".backanno", ignore_with_warning},
    {".machine", ignore_with_warning},
    {".loadbias", ignore_with_warning},
    {".savebias", ignore_with_warning},
    {".load", ignore_with_warning},
    {".preprocess", ignore_with_warning},
    {".sampling", ignore_with_warning},
    {".result", ignore_with_warning},
    {".text", ignore_with_warning},
    {".list", ignore_with_warning},
    {".status", ignore_with_warning},
    {".lin", ignore_with_warning},
    {".protect", ignore_with_warning},
    {".unprotect", ignore_with_warning},
    {".prot", ignore_with_warning},
    {".unprot", ignore_with_warning},
    {".end", NULL},
    {".control", NULL},
};

enum { CARD_COUNT = sizeof cards / sizeof *cards };

static const struct card *find_card(const char *name)
{
    for (size_t i = 0; i < CARD_COUNT; i++)
        if (names_equal(cards[i].name, name))
            return &cards[i];
    return NULL;
}

const char *deck_card_without_dot(const char *word)
{
    for (size_t i = 0; i < CARD_COUNT; i++)
        if (names_equal(cards[i].name + 1, word))
            return cards[i].name;
    return NULL;
}

static void take_card(struct deck *k, struct statement *s)
{
    const struct card *card = find_card(s->items->text);
    if (card && card->take) {
        card->take(k, s);
        return;
    }
    const char *names[CARD_COUNT];
    for (size_t i = 0; i < CARD_COUNT; i++)
        names[i] = cards[i].name;
    deck_fail(k, "unknown-card", s->items->where, deck_did_you_mean(k, s->items->text, names, CARD_COUNT),
              "unknown card '%s'", s->items->text);
}

void deck_take(struct deck *k, struct statement *s)
{
    const struct open_file *f = k->open_file;
    const bool is_library_card = item_is(s->items, ".lib") || item_is(s->items, ".endl");
    k->statement_count++;
    const bool counts = f->section ? f->is_chosen : !f->in_section;
    if (!counts && !is_library_card)
        return;
    k->failed |= s->broken;
    if (s->items->text[0] == '.')
        take_card(k, s);
    else {
        deck_open_group(s->items);
        statements_append(&k->current->elements, s);
    }
}
