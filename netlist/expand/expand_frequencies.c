/* expand_frequencies.c - dec|oct|lin points start stop, list frequency .. and data=table, of .ac and the cards like it; .ac
 * and .sp. */
#include "netlist/expand/expand.h"

#include <math.h>
#include <string.h>

static const double MOST_POINTS = 1e8;

static const struct {
    const char *name;
    enum frequency_scale scale;
} scales[] = {
    {"dec", FREQUENCY_DECADES}, {"oct", FREQUENCY_OCTAVES}, {"lin", FREQUENCY_LINEAR}, {"list", FREQUENCY_LIST}};

enum { POINTS, START, STOP, NUMBERS };

static bool read_scale(const struct frequency_card *c, const struct item *word, enum frequency_scale *scale)
{
    const char *names[sizeof scales / sizeof *scales];
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        names[i] = scales[i].name;
        if (item_is(word, names[i])) {
            *scale = scales[i].scale;
            return true;
        }
    }
    const char *hint = deck_did_you_mean(c->x->deck, item_text(word), names, sizeof names / sizeof *names);
    return deck_fail(c->x->deck, "syntax", word->where, hint ? hint : c->form,
                     "'%s': expected dec, oct, lin or list, found '%s'", c->card, item_text(word));
}

static bool range_error(const struct frequency_card *c, const struct item *at, const char *what, double value)
{
    return deck_fail(c->x->deck, "value-range", at->where, c->form, "'%s': %s, but is %g", c->card, what, value);
}

static bool read_list(const struct frequency_card *c, struct item *first, struct frequency_sweep *f, struct item **rest)
{
    struct expansion *x = c->x;
    x->numbers.count = 0;
    f->scale = FREQUENCY_LIST;
    struct item *i = first;
    for (; i && !item_is(i, "sweep") && !item_is(i, "donoise"); i = i->next) {
        double value;
        if (!expand_value(x, c->at, i, &value) || !expand_add(x, &x->numbers, &value))
            return false;
        if (!(value >= 0))
            return range_error(c, i, "a frequency must not be negative", value);
    }
    double *list = arena_array(x->deck->arena, x->numbers.count + 1, sizeof *list);
    if (!list)
        return deck_no_memory(x->deck);
    if (x->numbers.count > 0)
        memcpy(list, x->numbers.items, x->numbers.count * sizeof *list);
    *rest = i;
    f->list = list;
    f->points = (double)x->numbers.count;
    return true;
}

/* data=table of HSPICE and Xyce: the numbers of its one column, freq. */
static bool read_table(const struct frequency_card *c, struct item *word, struct frequency_sweep *f, struct item **rest)
{
    const struct statement *table = c->at->level->cards.first;
    while (table && !(item_is(table->items, ".data") && table->items->next &&
                      names_equal(table->items->next->text, word->value->text)))
        table = table->next;
    if (!table)
        return deck_fail(c->x->deck, "unknown-name", word->value->where,
                         "define it: .data name freq, its values, .enddata", "'%s': there is no table '%s'", c->card,
                         word->value->text);
    struct item *column = table->items->next->next, *end;
    if (!column || !item_is(column, "freq") || !column->next ||
        (column->next->kind == ITEM_WORD && !column->next->is_number))
        return deck_fail(c->x->deck, "unsupported", word->value->where,
                         "write the other columns as .step, or as sweep data= of another table",
                         "'%s': a table of frequencies has one column, freq", c->card);
    *rest = word->next;
    return read_list(c, column->next, f, &end);
}

static bool check_range(const struct frequency_card *c, struct item *const items[NUMBERS],
                        const struct frequency_sweep *f)
{
    const bool linear = f->scale == FREQUENCY_LINEAR;
    if (!(f->points >= 1) || f->points != floor(f->points))
        return range_error(c, items[POINTS], "the number of points must be a whole number from 1", f->points);
    if (linear ? !(f->start >= 0) : !(f->start > 0))
        return range_error(c, items[START],
                           linear ? "the first frequency must not be negative"
                                  : "the first frequency must be greater than 0",
                           f->start);
    if (!(f->stop >= f->start))
        return deck_fail(c->x->deck, "value-range", items[STOP]->where, "were they meant the other way round?",
                         "'%s': the last frequency, %g Hz, is below the first, %g Hz", c->card, f->stop, f->start);
    if (f->points * (linear ? 1 : log2(f->stop / f->start)) > MOST_POINTS)
        return range_error(c, items[POINTS], "the sweep may have at most 1e8 points; their number is too large",
                           f->points);
    return true;
}

static bool read_range(const struct frequency_card *c, struct item *first, struct frequency_sweep *f,
                       struct item **rest)
{
    struct deck *k = c->x->deck;
    struct item *items[NUMBERS] = {NULL}, *i = first;
    double values[NUMBERS];
    for (int n = 0; n < NUMBERS; n++, i = i->next) {
        static const char *const missing[NUMBERS] = {"the number of points", "the first frequency",
                                                     "the last frequency"};
        if (!i)
            return deck_fail(k, "syntax", c->end, c->form, "'%s': %s is missing", c->card, missing[n]);
        if (!expand_value(c->x, c->at, i, &values[n]))
            return false;
        items[n] = i;
    }
    *rest = i;
    f->points = values[POINTS];
    f->start = values[START];
    f->stop = values[STOP];
    return check_range(c, items, f);
}

/* What the word `sweep` begins, whatever stands in front of it. */
static void take_outer(const struct frequency_card *c, struct item *word, struct frequency_sweep *f, struct item **rest)
{
    while (word && !item_is(word, "sweep"))
        word = word->next;
    f->outer = word ? expand_outer_sweep(c->x, c->at, c->card, word) : NULL;
    if (*rest == word)
        *rest = NULL;
}

bool expand_frequencies(const struct frequency_card *c, struct item *word, struct frequency_sweep *f,
                        struct item **rest)
{
    *rest = NULL;
    const bool is_table = word && word->value && item_is(word, "data");
    if (!word || !(word->next || is_table))
        return deck_fail(c->x->deck, "syntax", c->end, c->form, "'%s' needs frequencies", c->card);
    if (!is_table && !read_scale(c, word, &f->scale))
        return false;
    if (!(is_table                     ? read_table(c, word, f, rest)
          : f->scale == FREQUENCY_LIST ? read_list(c, word->next, f, rest)
                                       : read_range(c, word->next, f, rest)))
        return false;
    f->ends_at_stop = c->x->deck->dialect == DIALECT_LTSPICE;
    take_outer(c, word, f, rest);
    return true;
}

bool expand_only_frequencies(const struct frequency_card *c, struct item *word, struct frequency_sweep *f)
{
    struct item *rest;
    if (!expand_frequencies(c, word, f, &rest))
        return false;
    return !rest ||
           deck_fail(c->x->deck, "syntax", rest->where, c->form, "'%s': unexpected '%s'", c->card, item_text(rest));
}

void read_frequencies(struct expansion *x, struct instance *top, struct statement *s)
{
    struct frequency_sweep f = {.where = s->items->where};
    const struct frequency_card card = {x, top, ".ac", "write .ac dec points start stop, such as .ac dec 10 1 1meg",
                                        s->end};
    if (s->broken || !expand_only_frequencies(&card, s->items->next, &f))
        return;
    expand_add(x, &x->sweeps, &f);
}

/* ---- .sp dec|oct|lin points start stop | list f ..  [donoise | 0 | 1] ---- */

static bool read_noise_word(const struct frequency_card *c, struct item *word, struct port_request *p)
{
    double value = 1;
    if (!word)
        return true;
    if (!item_is(word, "donoise") && !expand_value(c->x, c->at, word, &value))
        return false;
    p->noise = value != 0;
    return (!word->next && (value == 0 || value == 1)) ||
           deck_fail(c->x->deck, "syntax", word->next ? word->next->where : word->where, c->form,
                     "'.sp': behind the frequencies there may be donoise, 0 or 1");
}

static bool list_rises(const struct frequency_sweep *f)
{
    bool rises = true;
    for (size_t i = 1; f->scale == FREQUENCY_LIST && i < (size_t)f->points; i++)
        rises = rises && f->list[i] > f->list[i - 1];
    return rises;
}

void read_ports(struct expansion *x, struct instance *top, struct statement *s)
{
    struct port_request p = {.sweep.where = s->items->where};
    struct item *rest;
    const struct frequency_card card = {
        x, top, ".sp", "write .sp dec points start stop [donoise], such as .sp dec 10 1meg 1g", s->end};
    if (s->broken || !expand_frequencies(&card, s->items->next, &p.sweep, &rest) || !read_noise_word(&card, rest, &p))
        return;
    if (!list_rises(&p.sweep)) {
        deck_fail(x->deck, "value-range", s->items->next->where, card.form, "'.sp': the frequencies must rise");
        return;
    }
    expand_add(x, &x->port_requests, &p);
}

/* .disto dec|oct|lin points start stop [f2overf1] */
void read_distortion(struct expansion *x, struct instance *top, struct statement *s)
{
    static const char form[] = "write .disto dec points start stop [f2overf1], such as .disto dec 10 1k 1meg 0.9";
    const struct frequency_card card = {x, top, ".disto", form, s->end};
    struct distortion_request d = {.sweep.where = s->items->where};
    struct item *rest = NULL;
    if (s->broken || !expand_frequencies(&card, s->items->next, &d.sweep, &rest))
        return;
    if (!(d.sweep.scale == FREQUENCY_LIST || d.sweep.start > 0)) {
        range_error(&card, s->items->next, "frequencies must be greater than 0", d.sweep.start);
        return;
    }
    if (rest && !expand_value(x, top, rest, &d.ratio))
        return;
    if (rest && !(d.ratio > 0 && d.ratio < 1)) {
        range_error(&card, rest, "f2overf1 must be between 0 and 1", d.ratio);
        return;
    }
    if (rest && rest->next)
        deck_warn(x->deck, "extra", rest->next->where, NULL, "'.disto': '%s' is ignored", item_text(rest->next));
    struct distortion_request *slot = vector_push(&x->distortions);
    if (slot)
        *slot = d;
    else
        deck_no_memory(x->deck);
}
