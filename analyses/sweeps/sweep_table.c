/* sweep_table.c - sweeps that are lists of their own: tables of .data, and numbers of Monte Carlo runs. */
#include "analyses/sweeps/sweep_card.h"

#include "base/array.h"
#include "netlist/expression/expression.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double MOST_RUNS = 1e8;

/* ---- .data ---- */

static const struct analysis_card *find_table(const struct circuit *c, const char *name)
{
    for (size_t i = 0; i < c->card_count; i++)
        if (names_equal(c->cards[i].name, ".data") && c->cards[i].setting_count > 0 &&
            names_equal(c->cards[i].settings[0].name, name))
            return &c->cards[i];
    return NULL;
}

static enum kn_status unknown_table(const struct sweep_cursor *c, const struct setting *word)
{
    struct name_guess g = name_guess(word->text);
    for (size_t i = 0; i < c->r->circuit->card_count; i++)
        if (names_equal(c->r->circuit->cards[i].name, ".data") && c->r->circuit->cards[i].setting_count > 0)
            name_guess_offer(&g, c->r->circuit->cards[i].settings[0].name);
    const char *meant = diagnostics_meant(c->r->diagnostics, g.found);
    diagnostics_add(c->r->diagnostics, KN_ERROR, "sweep", word->where,
                    meant ? meant : "define it: .data name parameter .., its values, .enddata",
                    "'%s': there is no table '%s'", c->card->name, word->text);
    return KN_ERROR_DECK;
}

/* Rows of as many numbers as there are columns, behind the names of these. */
static enum kn_status check_table(const struct sweep_cursor *c, const struct analysis_card *table, size_t columns)
{
    const struct sweep_cursor at = {.r = c->r, .card = table};
    const size_t numbers = table->setting_count - 1 - columns;
    for (size_t i = 1 + columns; i < table->setting_count; i++)
        if (!table->settings[i].has_value || table->settings[i].text)
            return sweep_fail(&at, table->settings[i].where, "names of parameters first, then numbers only",
                              "expected a number");
    if (columns == 0)
        return sweep_fail(&at, table->where, "write .data name parameter .., its values, .enddata",
                          "the names of the parameters are missing");
    if (numbers == 0 || numbers % columns != 0)
        return sweep_fail(&at, table->where,
                          diagnostics_hint(c->r->diagnostics, "there are %zu names and %zu numbers", columns, numbers),
                          "each row needs a number for each name");
    return KN_OK;
}

static enum kn_status take_column(struct sweep_cursor *c, const struct analysis_card *table, size_t column,
                                  size_t columns, struct sweep *s)
{
    const struct setting *name = &table->settings[1 + column], *numbers = &table->settings[1 + columns];
    *s = (struct sweep){.tied = column > 0, .source = -1, .where = name->where};
    s->count = (table->setting_count - 1 - columns) / columns;
    s->values = arena_array(c->r->arena, s->count, sizeof *s->values);
    for (size_t i = 0; s->values && i < s->count; i++)
        s->values[i] = numbers[i * columns + column].value;
    return s->values ? sweep_of_column(c, name, s) : KN_ERROR_MEMORY;
}

enum kn_status sweep_take_table(struct sweep_cursor *c, struct sweeps *out)
{
    const struct setting *word = sweep_ahead(c, 0);
    const struct analysis_card *table = find_table(c->r->circuit, word->text);
    c->next++;
    if (!table)
        return unknown_table(c, word);
    size_t columns = 0;
    while (1 + columns < table->setting_count && !table->settings[1 + columns].has_value)
        columns++;
    enum kn_status status = check_table(c, table, columns);
    struct sweep *all = arena_array(c->r->arena, out->count + columns + c->card->setting_count, sizeof *all);
    if (!all)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < out->count; i++)
        all[i] = out->items[i];
    out->items = all;
    for (size_t i = 0; status == KN_OK && i < columns; i++)
        if ((status = take_column(c, table, i, columns, &all[out->count])) == KN_OK)
            out->count++;
    return status;
}

/* ---- .step param name file=values.txt, as in LTspice ---- */

static enum kn_status fail_file(const struct sweep_cursor *c, const struct setting *word, const char *path,
                                const char *reason)
{
    diagnostics_add(c->r->diagnostics, KN_ERROR, "sweep", word->where,
                    "a file of numbers, with blanks or lines between them", "'%s': cannot read values from '%s': %s",
                    c->card->name, path, reason);
    return KN_ERROR_DECK;
}

/* Paths start from the folder of the deck. */
static const char *path_of(const struct sweep_cursor *c, const char *name)
{
    const char *deck = c->r->circuit->file, *slash = deck ? strrchr(deck, '/') : NULL;
    return name[0] == '/' || !slash ? name : arena_format(c->r->arena, "%.*s/%s", (int)(slash - deck), deck, name);
}

/* One number more; they are as many as s->count. */
static bool add_value(const struct sweep_cursor *c, struct sweep *s, size_t *capacity, double value)
{
    if (!array_reserve_in(c->r->arena, &s->values, s->count, s->count + 1, capacity, sizeof *s->values))
        return false;
    s->values[s->count++] = value;
    return true;
}

static enum kn_status read_values(const struct sweep_cursor *c, const struct setting *word, const char *path,
                                  FILE *from, struct sweep *s)
{
    char number[64];
    size_t capacity = 0;
    double value;
    while (fscanf(from, "%63s", number) == 1) {
        if (!expression_number(number, strlen(number), &value))
            return fail_file(c, word, path, diagnostics_hint(c->r->diagnostics, "'%s' is no number", number));
        if (!add_value(c, s, &capacity, value))
            return KN_ERROR_MEMORY;
    }
    return s->count > 0 ? KN_OK : fail_file(c, word, path, "there are none");
}

enum kn_status sweep_take_file(struct sweep_cursor *c, struct sweep *s)
{
    const struct setting *word = sweep_ahead(c, 0);
    const char *path = path_of(c, word->text);
    c->numbers = word;
    c->next++;
    if (!path)
        return KN_ERROR_MEMORY;
    FILE *from = fopen(path, "r");
    if (!from)
        return fail_file(c, word, path, strerror(errno));
    const enum kn_status status = read_values(c, word, path, from, s);
    fclose(from);
    return status;
}

/* ---- numbers of runs ---- */

static bool is_number_of_run(double value)
{
    return value >= 0 && value <= 0x1p53 && value == floor(value);
}

static enum kn_status bad_runs(const struct sweep_cursor *c, struct kn_location where)
{
    return sweep_fail(c, where, "write monte=100, monte=100 firstrun=101 or monte=list (7 12:20); .mc 100",
                      "the number of runs is a whole number from 1 to 1e8");
}

static enum kn_status add_runs(const struct sweep_cursor *c, struct kn_location where, double *values, size_t count,
                               struct sweeps *out)
{
    out->items[out->count++] = (struct sweep){.meaning = SWEEP_RUNS,
                                              .source = -1,
                                              .name = "run",
                                              .values = values,
                                              .count = count,
                                              .card = c->card->name,
                                              .where = where};
    return KN_OK;
}

static enum kn_status add_range(const struct sweep_cursor *c, struct kn_location where, double first, double count,
                                struct sweeps *out)
{
    if (!is_number_of_run(first) || !is_number_of_run(count) || count < 1 || count > MOST_RUNS)
        return bad_runs(c, where);
    double *values = arena_array(c->r->arena, (size_t)count, sizeof *values);
    for (size_t i = 0; values && i < (size_t)count; i++)
        values[i] = first + (double)i;
    return values ? add_runs(c, where, values, (size_t)count, out) : KN_ERROR_MEMORY;
}

/* 7 or 12:20 */
static bool read_range(const struct setting *word, double *first, double *last)
{
    char *end = NULL;
    *first = *last = strtod(word->name, &end);
    if (end != word->name && *end == ':')
        *last = strtod(end + 1, &end);
    return end != word->name && *end == '\0' && is_number_of_run(*first) && is_number_of_run(*last) &&
           *last >= *first && *last - *first < MOST_RUNS;
}

/* The words of list(7 12:20), which end where the card does or at a name. */
static enum kn_status take_list(struct sweep_cursor *c, struct sweeps *out)
{
    const struct setting *begin = sweep_ahead(c, 0);
    double first, last, *values = NULL;
    size_t count = 0, words = 0;
    if (sweep_is_word(begin, "(")) {
        c->next++;
        begin = sweep_ahead(c, 0);
    }
    for (; sweep_ahead(c, words) && read_range(sweep_ahead(c, words), &first, &last); words++)
        count += (size_t)(last - first) + 1;
    const struct setting *next = sweep_ahead(c, words);
    if (next && strpbrk(next->name, "0123456789") == next->name) /* 7:6 */
        return bad_runs(c, next->where);
    if (count == 0)
        return bad_runs(c, begin ? begin->where : c->card->where);
    if (!(values = arena_array(c->r->arena, count, sizeof *values)))
        return KN_ERROR_MEMORY;
    count = 0;
    for (; words > 0; words--, c->next++)
        for (read_range(sweep_ahead(c, 0), &first, &last); first <= last; first++)
            values[count++] = first;
    if (sweep_is_word(sweep_ahead(c, 0), ")"))
        c->next++;
    return add_runs(c, begin->where, values, count, out);
}

/* firstrun=K, or 1. */
static double take_first(struct sweep_cursor *c)
{
    const struct setting *next = sweep_ahead(c, 0);
    if (!next || !next->has_value || next->text || !names_equal(next->name, "firstrun"))
        return 1;
    c->next++;
    return next->value;
}

enum kn_status sweep_take_runs(struct sweep_cursor *c, struct sweeps *out)
{
    const struct setting *word = sweep_ahead(c, 0);
    c->next++;
    if (word->text && names_equal(word->text, "list"))
        return take_list(c, out);
    return word->text ? bad_runs(c, word->where) : add_range(c, word->where, take_first(c), word->value, out);
}

/* .mc 100 [firstrun=K] [seed=S], or .mc list 7 12:20; words of PSpice behind the number mean nothing here. */
enum kn_status sweeps_read_runs(const struct sweep_reader *r, const struct analysis_card *card, struct sweeps *out)
{
    struct sweep_cursor c = {.r = r, .card = card, .next = 1};
    const struct setting *number = card->setting_count > 0 ? &card->settings[0] : NULL;
    struct sweep *all = arena_array(r->arena, out->count + 1, sizeof *all);
    if (!all)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < out->count; i++)
        all[i] = out->items[i];
    out->items = all;
    if (sweep_is_word(number, "list"))
        return take_list(&c, out);
    if (!number || !number->has_value || number->text)
        return bad_runs(&c, number ? number->where : card->where);
    double first = 1;
    bool told = false;
    for (; sweep_ahead(&c, 0); c.next++) {
        const struct setting *word = sweep_ahead(&c, 0);
        if (names_equal(word->name, "firstrun") && word->has_value && !word->text)
            first = word->value;
        else if (!names_equal(word->name, "seed") && !told) {
            told = true;
            diagnostics_add(r->diagnostics, KN_WARNING, "sweep", word->where,
                            "all analyses run, and all results of .measure are summed up",
                            "'.mc': '%s' and what follows it is ignored", word->name);
        }
    }
    return add_range(&c, number->where, first, number->value, out);
}
