/* expand_frequencies.c - .ac dec|oct|lin points start stop, .ac list frequency .. */
#include "netlist/expand/expand.h"

#include <math.h>
#include <string.h>

static const char FORM[] = "write .ac dec points start stop, such as .ac dec 10 1 1meg";

static const double MOST_POINTS = 1e8;

static const struct {
    const char *name;
    enum frequency_scale scale;
} scales[] = {
    {"dec", FREQUENCY_DECADES}, {"oct", FREQUENCY_OCTAVES}, {"lin", FREQUENCY_LINEAR}, {"list", FREQUENCY_LIST}};

enum { POINTS, START, STOP, NUMBERS };

static bool read_scale(struct expansion *x, const struct item *word, enum frequency_scale *scale)
{
    const char *names[sizeof scales / sizeof *scales];
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        names[i] = scales[i].name;
        if (item_is(word, names[i])) {
            *scale = scales[i].scale;
            return true;
        }
    }
    const char *hint = deck_did_you_mean(x->deck, item_text(word), names, sizeof names / sizeof *names);
    return deck_fail(x->deck, "syntax", word->where, hint ? hint : FORM,
                     "'.ac': expected dec, oct, lin or list, found '%s'", item_text(word));
}

static bool push_number(struct expansion *x, double value)
{
    double *slot = vector_push(&x->numbers);
    if (!slot)
        return deck_no_memory(x->deck);
    *slot = value;
    return true;
}

static bool range_error(struct expansion *x, const struct item *at, const char *what, double value)
{
    return deck_fail(x->deck, "value-range", at->where, FORM, "'.ac': %s, but is %g", what, value);
}

static bool read_list(struct expansion *x, const struct instance *top, struct item *first, struct frequency_sweep *f)
{
    x->numbers.count = 0;
    for (struct item *i = first; i; i = i->next) {
        double value;
        if (!expand_value(x, top, i, &value) || !push_number(x, value))
            return false;
        if (!(value >= 0))
            return range_error(x, i, "a frequency must not be negative", value);
    }
    double *list = arena_array(x->deck->arena, x->numbers.count + 1, sizeof *list);
    if (!list)
        return deck_no_memory(x->deck);
    if (x->numbers.count > 0)
        memcpy(list, x->numbers.items, x->numbers.count * sizeof *list);
    f->list = list;
    f->points = (double)x->numbers.count;
    return true;
}

static bool check_range(struct expansion *x, struct item *const items[NUMBERS], const struct frequency_sweep *f)
{
    const bool linear = f->scale == FREQUENCY_LINEAR;
    if (!(f->points >= 1) || f->points != floor(f->points))
        return range_error(x, items[POINTS], "the number of points must be a whole number from 1", f->points);
    if (linear ? !(f->start >= 0) : !(f->start > 0))
        return range_error(x, items[START],
                           linear ? "the first frequency must not be negative"
                                  : "the first frequency must be greater than 0",
                           f->start);
    if (!(f->stop >= f->start))
        return deck_fail(x->deck, "value-range", items[STOP]->where, "were they meant the other way round?",
                         "'.ac': the last frequency, %g Hz, is below the first, %g Hz", f->stop, f->start);
    if (f->points * (linear ? 1 : log2(f->stop / f->start)) > MOST_POINTS)
        return range_error(x, items[POINTS], "the sweep may have at most 1e8 points; their number is too large",
                           f->points);
    return true;
}

static bool read_range(struct expansion *x, const struct instance *top, struct item *first, struct frequency_sweep *f,
                       struct kn_location end)
{
    struct item *items[NUMBERS] = {NULL}, *i = first;
    double values[NUMBERS];
    for (int k = 0; k < NUMBERS; k++, i = i->next) {
        static const char *const missing[NUMBERS] = {"the number of points", "the first frequency",
                                                     "the last frequency"};
        if (!i)
            return deck_fail(x->deck, "syntax", end, FORM, "'.ac': %s is missing", missing[k]);
        if (!expand_value(x, top, i, &values[k]))
            return false;
        items[k] = i;
    }
    if (i)
        return deck_fail(x->deck, "syntax", i->where, FORM, "'.ac': unexpected '%s'", item_text(i));
    f->points = values[POINTS];
    f->start = values[START];
    f->stop = values[STOP];
    return check_range(x, items, f);
}

void read_frequencies(struct expansion *x, struct instance *top, struct statement *s)
{
    struct item *word = s->items->next;
    struct frequency_sweep f = {.where = s->items->where};
    if (s->broken)
        return;
    if (!word || !word->next) {
        deck_fail(x->deck, "syntax", s->end, FORM, "'.ac' needs frequencies");
        return;
    }
    if (!read_scale(x, word, &f.scale) ||
        !(f.scale == FREQUENCY_LIST ? read_list(x, top, word->next, &f) : read_range(x, top, word->next, &f, s->end)))
        return;
    struct frequency_sweep *slot = vector_push(&x->sweeps);
    if (slot)
        *slot = f;
    else
        deck_no_memory(x->deck);
}
