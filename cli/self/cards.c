/* cards.c - `knoten cards`: the dot cards that a deck may contain, from the tables that decks are read and run by. */
#include "netlist/cards.h"
#include "analyses/analysis.h"
#include "base/json.h"
#include "base/names.h"
#include "cli/command.h"

#include <stdio.h>

/* What is to be listed: one card, those of a program, or all. */
struct wanted {
    const char *name;
    unsigned of; /* DIALECT_BIT; 0: of any program */
};

static bool is_named(const char *card, const struct wanted *w)
{
    return !w->name || names_equal(card, w->name) || names_equal(card + 1, w->name);
}

static bool is_of(const struct deck_card *c, const struct wanted *w)
{
    return !c->of || !w->of || (c->of & w->of);
}

/* "[LTspice, PSpice]" behind what not all have. */
static void print_programs(const struct deck_card *c)
{
    const char *before = " [";
    for (int d = 0; d < DIALECTS; d++)
        if (c->of & DIALECT_BIT(d) && d != DIALECT_KICAD) {
            printf("%s%s", before, dialect_title((enum dialect)d));
            before = ", ";
        }
    puts(c->of ? "]" : "");
}

static bool is_in_table(const char *name)
{
    for (const struct deck_card *c = dot_cards; c->name; c++)
        if (names_equal(c->name, name))
            return true;
    return false;
}

/* Whether a row or one of its other names is wanted; those stand behind it, up to *end. */
static bool row_is_wanted(const struct deck_card *c, const struct wanted *wanted, const struct deck_card **end)
{
    const struct deck_card *other = c + 1;
    bool named = is_named(c->name, wanted);
    for (; other->name && !other->doc && other->take == c->take; other++)
        named |= is_named(other->name, wanted);
    *end = other;
    return named && is_of(c, wanted);
}

/* With its other names; whether it is wanted. */
static bool print_row(const struct deck_card *c, const struct wanted *wanted)
{
    const struct deck_card *other;
    if (!row_is_wanted(c, wanted, &other))
        return false;
    printf("%-10s %s", c->name, c->doc);
    print_programs(c);
    for (const struct deck_card *o = c + 1; o < other; o++)
        printf("%s%s", o == c + 1 ? "           also " : ", ", o->name);
    if (other > c + 1)
        putchar('\n');
    return true;
}

static size_t print_documented(const struct wanted *wanted)
{
    size_t shown = 0;
    for (const struct deck_card *c = dot_cards; c->name; c++)
        shown += c->doc && print_row(c, wanted);
    for (size_t i = 0; analyses[i]; i++)
        if (!is_in_table(analyses[i]->card) && is_named(analyses[i]->card, wanted)) {
            printf("%-10s %s\n", analyses[i]->card, analyses[i]->doc);
            shown++;
        }
    return shown;
}

/* Cards that other programs understand. */
static size_t print_taken_so(card_taker *take, const char *how, const struct wanted *wanted)
{
    size_t shown = 0;
    for (const struct deck_card *c = dot_cards; c->name; c++)
        if (c->take == take && is_named(c->name, wanted) && is_of(c, wanted))
            printf("%s%s", shown++ ? " " : how, c->name);
    if (shown > 0)
        putchar('\n');
    return shown;
}

/* ---- as JSON ---- */

static bool json_row(struct json *j, const struct deck_card *c, const struct wanted *wanted)
{
    const struct deck_card *other;
    if (!row_is_wanted(c, wanted, &other))
        return false;
    json_open(j, NULL, '{');
    json_text(j, "card", c->name);
    json_text(j, "doc", c->doc);
    json_open(j, "also", '[');
    for (const struct deck_card *o = c + 1; o < other; o++)
        json_text(j, NULL, o->name);
    json_close(j);
    json_open(j, "programs", '[');
    for (int d = 0; d < DIALECTS; d++)
        if (c->of & DIALECT_BIT(d))
            json_text(j, NULL, dialect_name((enum dialect)d));
    json_close(j);
    json_close(j);
    return true;
}

static void json_plain(struct json *j, const char *card, const char *doc)
{
    json_open(j, NULL, '{');
    json_text(j, "card", card);
    json_text(j, "doc", doc);
    json_close(j);
}

static size_t list_json(const struct wanted *wanted, FILE *to)
{
    struct json j = json_begin(to);
    size_t shown = 0;
    json_open(&j, NULL, '[');
    for (const struct deck_card *c = dot_cards; c->name; c++)
        shown += c->doc && json_row(&j, c, wanted);
    for (size_t i = 0; analyses[i]; i++)
        if (!is_in_table(analyses[i]->card) && is_named(analyses[i]->card, wanted)) {
            json_plain(&j, analyses[i]->card, analyses[i]->doc);
            shown++;
        }
    for (const struct deck_card *c = dot_cards; c->name; c++)
        if ((c->take == deck_skip || c->take == deck_ignore) && is_named(c->name, wanted) && is_of(c, wanted)) {
            json_plain(&j, c->name, c->take == deck_skip ? "read over" : "read over with a warning");
            shown++;
        }
    json_close(&j);
    return shown;
}

/* ---- the command ---- */

static int list(void *settings, struct job *job)
{
    const struct common_settings *s = settings;
    struct wanted wanted = {.name = s->deck};
    enum dialect dialect;
    if (wanted.name && dialect_by_name(wanted.name, &dialect))
        wanted = (struct wanted){.of = DIALECT_BIT(dialect)};
    const size_t shown = s->json ? list_json(&wanted, job_report(job))
                                 : print_documented(&wanted) + print_taken_so(deck_skip, "read over: ", &wanted) +
                                       print_taken_so(deck_ignore, "read over with a warning: ", &wanted);
    if (shown > 0)
        return EXIT_DONE;
    fprintf(stderr, "knoten: there is no card '%s'; knoten cards lists all\n", wanted.name);
    return EXIT_USAGE;
}

/* Those of the table; the analyses; the programs. */
static const char *card_names(size_t i, const char **title)
{
    for (const struct deck_card *c = dot_cards; c->name; c++)
        if (c->doc && i-- == 0) {
            *title = c->doc;
            return c->name;
        }
    for (size_t k = 0; analyses[k]; k++)
        if (!is_in_table(analyses[k]->card) && i-- == 0) {
            *title = analyses[k]->doc;
            return analyses[k]->card;
        }
    *title = NULL;
    return i < DIALECTS ? dialect_name((enum dialect)i) : NULL;
}

static const struct option options[] = {
    JSON_OPTION("as a list of JSON objects"),
    HELP_OPTION,
};

const struct command cards_command =
    SELF_COMMAND("cards", "[--json] [NAME]",
                 "lists the dot cards that a deck may contain; NAME is one of them, .tran, or a program: ltspice",
                 card_names, struct common_settings, list, {"knoten cards .tran", "one card"},
                 {"knoten cards ltspice", "what decks of LTspice may contain"});
