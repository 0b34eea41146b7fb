/* cards.c - `knoten cards`: the dot cards that a deck may contain, from the tables that decks are read and run by. */
#include "netlist/cards.h"
#include "analyses/analysis.h"
#include "base/names.h"
#include "cli/command.h"

#include <stdio.h>

struct settings {
    struct common_settings common;
};

static bool is_named(const char *card, const char *wanted)
{
    return !wanted || names_equal(card, wanted) || names_equal(card + 1, wanted);
}

static bool is_in_table(const char *name)
{
    for (const struct deck_card *c = dot_cards; c->name; c++)
        if (names_equal(c->name, name))
            return true;
    return false;
}

/* A row with its other names behind it; whether one of them is wanted. */
static bool print_row(const struct deck_card *c, const char *wanted)
{
    const struct deck_card *other = c + 1;
    bool named = is_named(c->name, wanted);
    for (; other->name && !other->doc && other->take == c->take; other++)
        named |= is_named(other->name, wanted);
    if (!named)
        return false;
    printf("%-10s %s\n", c->name, c->doc);
    for (const struct deck_card *o = c + 1; o < other; o++)
        printf("%s%s", o == c + 1 ? "           also " : ", ", o->name);
    if (other > c + 1)
        putchar('\n');
    return true;
}

static size_t print_documented(const char *wanted)
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
static size_t print_ignored(const char *wanted)
{
    size_t shown = 0;
    for (const struct deck_card *c = dot_cards; c->name; c++)
        if (c->take == deck_ignore && is_named(c->name, wanted))
            printf("%s%s", shown++ ? " " : "read over with a warning: ", c->name);
    if (shown > 0)
        putchar('\n');
    return shown;
}

static int list(void *settings, struct job *unused)
{
    (void)unused;
    const char *wanted = ((const struct settings *)settings)->common.deck;
    const size_t documented = print_documented(wanted), ignored = print_ignored(wanted);
    if (documented + ignored > 0)
        return EXIT_DONE;
    fprintf(stderr, "knoten: there is no card '%s'; knoten cards lists all\n", wanted);
    return EXIT_USAGE;
}

static const struct option options[] = {
    HELP_OPTION,
};

const struct command cards_command = {
    .name = "cards",
    .usage = "[NAME]",
    .summary = "lists the dot cards that a deck may contain; NAME is one of them: .tran",
    .table = {options, sizeof options / sizeof *options, sizeof(struct settings), NULL},
    .work = list,
};
