/* expand_waveforms.c - the waveforms of V and I cards: their names, values and points, also from files. */
#include "netlist/expand/sources/waveforms.h"

#include "base/hash.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

/* Names, and how many values each must and may have. */
static const struct {
    const char *name;
    enum waveform_kind kind;
    size_t least, most;
    const char *form;
} waveforms[] = {
    {"pulse", WAVEFORM_PULSE, 2, 8, "PULSE(v1 v2 td tr tf pw per)"},
    {"sin", WAVEFORM_SIN, 2, 7, "SIN(vo va freq td theta phase cycles)"},
    {"exp", WAVEFORM_EXP, 2, 9, "EXP(v1 v2 td1 tau1 td2 tau2 period cycles burst)"},
    {"pwl", WAVEFORM_PWL, 2, SIZE_MAX, "PWL(t1 v1 t2 v2 ..)"},
    {"sffm", WAVEFORM_SFFM, 2, 8, "SFFM(vo va fc mdi fs phasec phases)"},
    {"am", WAVEFORM_AM, 2, 8, "AM(va vo mf fc td phasec phases)"},
    {"trnoise", WAVEFORM_NOISE, 2, 7, "TRNOISE(na nt nalpha namp rtsam rtscapt rtsemt)"},
    {"trrandom", WAVEFORM_RANDOM, 2, 5, "TRRANDOM(type ts td param1 param2)"},
    {"pat", WAVEFORM_PWL, 6, 6, "PAT(vhi vlo td tr tf tsample b0101)"},
    {"external", WAVEFORM_EXTERNAL, 0, 0, "EXTERNAL"},
};
/* "sine" and the like: one more name for a waveform. */
static const struct {
    const char *other, *name;
} synonyms[] = {{"sine", "sin"}, {"pul", "pulse"}};

enum { WAVEFORM_COUNT = sizeof waveforms / sizeof *waveforms };

int waveform_index(const struct item *i)
{
    for (int w = 0; w < WAVEFORM_COUNT; w++)
        if (item_is(i, waveforms[w].name))
            return w;
    for (size_t s = 0; s < sizeof synonyms / sizeof *synonyms; s++)
        for (int w = 0; item_is(i, synonyms[s].other) && w < WAVEFORM_COUNT; w++)
            if (strcmp(waveforms[w].name, synonyms[s].name) == 0)
                return w;
    return -1;
}

static bool is_pattern(int index)
{
    return strcmp(waveforms[index].name, "pat") == 0;
}

bool source_keyword(const struct item *i)
{
    static const char *const others[] = {"dc", "ac", "distof1", "distof2", "portnum", "z0"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (item_is(i, others[k]))
            return true;
    return waveform_index(i) >= 0 || (item_is(i, "load") && !i->next);
}

bool source_value(const struct item *i)
{
    return i && !i->value && (i->kind == ITEM_EXPRESSION || (i->kind == ITEM_WORD && !source_keyword(i)));
}

bool source_group(const struct item *i)
{
    return i && i->kind == ITEM_GROUP && !i->value;
}

static bool push(struct card *c, double value)
{
    return expand_add(c->x, &c->x->numbers, &value);
}

/* Parentheses among values are blanks. */
static bool push_values(struct card *c, struct item *i, struct item **rest)
{
    for (; source_value(i) || source_group(i); i = i->next) {
        double value = 0.0;
        if (source_group(i)) {
            struct item *left = NULL;
            if (!push_values(c, i->inside, &left))
                return false;
            if (!left)
                continue;
            *rest = left;
            return true;
        }
        if (!card_value(c, i, &value) || !push(c, value))
            return false;
    }
    *rest = i;
    return true;
}

/* ---- settings ---- */

/* LTspice's wavefile="x.wav" [chan=0] makes a waveform of its own. */
static bool read_sound(struct card *c, struct item *i)
{
    struct waveform *w = &c->e->source.wave;
    struct item *chan = card_assignment(c, "chan");
    double channel = 0;
    if (w->kind != WAVEFORM_NONE)
        return card_fail(c, "waveform", i->where, NULL, "%s has two waveforms", card_owner(c));
    if (chan && !card_value(c, chan->value, &channel))
        return false;
    if (!(channel >= 0 && channel < 65536 && channel == (size_t)channel))
        return card_fail(c, "value-range", chan->value->where, NULL, "%s: chan must be a whole number from 0 on",
                         card_owner(c));
    c->x->numbers.count = 0;
    w->kind = WAVEFORM_PWL;
    w->where = i->where;
    return waveform_sound(c, i->value, (size_t)channel) &&
           vector_keep(&c->x->numbers, c->x->deck->arena, (const void **)&w->values, &w->count);
}

/* Settings inside the parentheses, PWL(.. r=0 td=1u), count like those behind. */
bool waveform_setting(struct card *c, struct item *i, bool *taken)
{
    struct waveform *w = &c->e->source.wave;
    double value = 0.0;
    *taken = item_is(i, "r") || item_is(i, "td") || item_is(i, "chan");
    if (item_is(i, "wavefile")) {
        *taken = true;
        return read_sound(c, i);
    }
    if (!*taken || item_is(i, "chan"))
        return true;
    if (!card_value(c, i->value, &value))
        return false;
    if (item_is(i, "r"))
        w->repeat_from = value;
    else
        w->delay += value;
    return true;
}

/* ---- points ---- */

struct points {
    double time_scale, value_scale; /* LTspice's TIME_SCALE_FACTOR and VALUE_SCALE_FACTOR */
};

static double number_at(const struct card *c, size_t i)
{
    return ((const double *)c->x->numbers.items)[i];
}

/* A time with a sign of plus counts from the one before, as in LTspice: +1m, +{t}, + 1m. */
static bool push_point(struct card *c, struct item **i)
{
    struct item *here = *i, *braces = item_is(here, "+") && source_value(here->next) ? here->next : NULL;
    const size_t count = c->x->numbers.count;
    double value = 0.0;
    *i = braces ? braces->next : here->next;
    if (!card_value(c, braces ? braces : here, &value))
        return false;
    const bool relative = here->kind == ITEM_WORD && here->text[0] == '+' && count % 2 == 0 && count >= 2;
    return push(c, relative ? value + number_at(c, count - 2) : value);
}

static bool push_points(struct card *c, struct item *i, struct item **rest, struct points *p);

/* Of number k, which counts from the pass's begin; its end and the next one's begin are the same number. */
static double time_in_pass(const struct card *c, size_t k, double from, double pass, double length)
{
    const double time = number_at(c, k);
    return time == length ? from + (pass + 1) * length : from + pass * length + time;
}

/* REPEAT FOR n .. ENDREPEAT, REPEAT FOREVER .. ENDREPEAT: times inside count from the last point before. */
static bool push_repeated(struct card *c, struct item *i, struct item **rest, struct points *p)
{
    struct item *word = i->next, *end = NULL;
    const bool forever = word && item_is(word, "forever");
    const size_t begin = c->x->numbers.count;
    const double from = begin >= 2 ? number_at(c, begin - 2) : 0;
    double passes = 1;
    if (!forever && (!word || !item_is(word, "for") || !source_value(word->next)))
        return card_fail(c, "waveform", i->where, "write REPEAT FOR 3 (t1 v1 ..) ENDREPEAT, or REPEAT FOREVER",
                         "%s: expected FOR and a number or FOREVER behind REPEAT", card_owner(c));
    if (!forever && !card_value(c, word->next, &passes))
        return false;
    if (!(passes >= 1 && passes <= 1e6))
        return card_fail(c, "value-range", word->next->where, NULL, "%s: REPEAT FOR takes 1 to 1e6 passes, not %g",
                         card_owner(c), passes);
    if (!push_points(c, forever ? word->next : word->next->next, &end, p))
        return false;
    const size_t size = c->x->numbers.count - begin;
    if (!end || !item_is(end, "endrepeat") || size < 2 || size % 2 != 0)
        return card_fail(c, "waveform", i->where, "write REPEAT FOR 3 (t1 v1 ..) ENDREPEAT",
                         "%s: REPEAT without points or without ENDREPEAT", card_owner(c));
    const double length = number_at(c, begin + size - 2);
    for (double pass = 1; pass < passes; pass++)
        for (size_t k = begin; k < begin + size; k += 2)
            if (!push(c, time_in_pass(c, k, from, pass, length)) || !push(c, number_at(c, k + 1)))
                return false;
    for (size_t k = begin; k < begin + size; k += 2)
        ((double *)c->x->numbers.items)[k] = time_in_pass(c, k, from, 0, length);
    if (forever)
        c->e->source.wave.repeat_from = from;
    *rest = end->next;
    return true;
}

/* FILE "x", file=x, PWLFILE=x; *name is what names it, NULL where i is none of that. */
static const struct item *named_file(const struct item *i)
{
    const bool keyword = item_is(i, "file") || item_is(i, "pwlfile");
    const struct item *name = keyword ? (i->value ? i->value : i->next) : NULL;
    return name && (name->kind == ITEM_WORD || name->kind == ITEM_STRING || name->kind == ITEM_EXPRESSION) ? name
                                                                                                           : NULL;
}

/* HSPICE's r 2n at the end, which it also writes r=2n. */
static bool is_last_number(const struct item *i)
{
    return i && !i->value && (i->is_number || i->kind == ITEM_EXPRESSION) && (!i->next || i->next->value);
}

static bool take_repeat_time(struct card *c, struct item **i)
{
    const bool good = card_value(c, *i, &c->e->source.wave.repeat_from);
    *i = (*i)->next;
    return good;
}

/* One part of the list of points; *i moves behind it, or stays where it is none. */
static bool push_part(struct card *c, struct item **i, struct points *p)
{
    struct item *here = *i;
    const struct item *file = named_file(here);
    bool taken = false;
    if (source_group(here)) {
        struct item *left = NULL;
        *i = here->next;
        if (!push_points(c, here->inside, &left, p))
            return false;
        return !left || card_fail(c, "waveform", left->where, "write PWL(t1 v1 t2 v2 ..)",
                                  "%s: expected a number in 'pwl', found '%s'", card_owner(c), item_text(left));
    }
    if (file) {
        *i = here->value ? here->next : file->next;
        return waveform_file(c, file);
    }
    if (here->value && (item_is(here, "time_scale_factor") || item_is(here, "value_scale_factor"))) {
        *i = here->next;
        return card_value(c, here->value, item_is(here, "time_scale_factor") ? &p->time_scale : &p->value_scale);
    }
    if (here->value && here->kind == ITEM_WORD) {
        if (!waveform_setting(c, here, &taken))
            return false;
        *i = taken ? here->next : here;
        return true;
    }
    if (item_is(here, "repeat"))
        return push_repeated(c, here, i, p);
    if (item_is(here, "r") && !scope_has_parameter(c->at->scope, "r")) { /* from the beginning */
        c->e->source.wave.repeat_from = 0;
        *i = here->next;
        return !is_last_number(*i) || take_repeat_time(c, i);
    }
    if (!source_value(here) || item_is(here, "endrepeat"))
        return true;
    return push_point(c, i);
}

static bool push_points(struct card *c, struct item *i, struct item **rest, struct points *p)
{
    for (struct item *before = NULL; i && i != before;) {
        before = i;
        if (!push_part(c, &i, p))
            return false;
    }
    *rest = i;
    return true;
}

static bool read_points(struct card *c, struct item **i)
{
    struct waveform *w = &c->e->source.wave;
    struct points p = {1, 1};
    if (!push_points(c, (*i)->next, i, &p))
        return false;
    double *numbers = c->x->numbers.items;
    for (size_t k = 0; k < c->x->numbers.count; k++)
        numbers[k] *= k % 2 == 0 ? p.time_scale : p.value_scale;
    if (w->repeat_from > 0)
        w->repeat_from *= p.time_scale;
    return true;
}

/* ---- all waveforms ---- */

static bool check_times(struct card *c, const struct waveform *w)
{
    if (w->count % 2 != 0)
        return card_fail(c, "waveform", w->where, "write PWL(t1 v1 t2 v2 ..)",
                         "%s: PWL needs pairs of time and value, but has %zu numbers", card_owner(c), w->count);
    for (size_t i = 2; i < w->count; i += 2)
        if (w->values[i] < w->values[i - 2])
            return card_fail(c, "waveform", w->where, NULL, "%s: the times of PWL must not fall, but %g follows %g",
                             card_owner(c), w->values[i], w->values[i - 2]);
    return true;
}

/* Up to seven values are in the order that programs had for decades, eight in that of ngspice from version 40 on. */
static void note_eighth(struct card *c)
{
    struct waveform *w = &c->e->source.wave;
    const bool frequency = w->kind == WAVEFORM_SFFM;
    if (w->count == 8 && (frequency || w->kind == WAVEFORM_AM))
        deck_note(c->x->deck, "waveform", w->where, "%s: eight values are read as %s", card_owner(c),
                  frequency ? "SFFM(vo va fc mdi fm td phasem phasec)" : "AM(vo vmo vma fm fc td phasem phasec)");
}

static bool finish(struct card *c, int index)
{
    struct waveform *w = &c->e->source.wave;
    const bool pattern = is_pattern(index);
    if (!vector_keep(&c->x->numbers, c->x->deck->arena, (const void **)&w->values, &w->count))
        return deck_no_memory(c->x->deck);
    note_eighth(c);
    const size_t count = w->count, least = waveforms[index].least, most = waveforms[index].most;
    if (!pattern && (count < least || count > most))
        return card_fail(c, "waveform", w->where,
                         diagnostics_hint(c->x->deck->diagnostics, "write %s", waveforms[index].form),
                         "%s: '%s' with %zu value%s; it takes %s%zu", card_owner(c), waveforms[index].name, count,
                         count == 1 ? "" : "s", count < least ? "at least " : "at most ", count < least ? least : most);
    return w->kind != WAVEFORM_PWL || check_times(c, w);
}

/* SIN(0 1,5 1k): commas join numbers of a list whose others are apart.  PWL(0,0 1u,5) is a habit. */
static void warn_of_commas(struct card *c, const struct item *first, int index)
{
    const char *hint = NULL;
    bool blanks = false;
    for (const struct item *i = first; source_value(i) && source_value(i->next); i = i->next) {
        const char *comma = deck_decimal_comma(c->x->deck, i);
        hint = hint ? hint : comma;
        blanks |= !i->next->after_comma;
    }
    if (hint && blanks)
        deck_warn(c->x->deck, "comma", first->where, hint, "%s: commas and blanks separate the values of '%s'",
                  card_owner(c), waveforms[index].name);
}

static bool read_numbers(struct card *c, struct item **i, int index)
{
    struct item *group = (*i)->next, *rest = NULL;
    const bool in_group = source_group(group);
    if (!push_values(c, in_group ? group->inside : group, &rest))
        return false;
    warn_of_commas(c, in_group ? group->inside : group, index);
    *i = in_group ? group->next : rest;
    return !in_group || !rest ||
           card_fail(
               c, "waveform", rest->where, diagnostics_hint(c->x->deck->diagnostics, "write %s", waveforms[index].form),
               "%s: expected a number in '%s', found '%s'", card_owner(c), waveforms[index].name, item_text(rest));
}

/* Of random waveforms: whose numbers they are, and of which run. */
static uint64_t stream_of(const struct expansion *x, const struct element *e)
{
    const struct chance *chance = &x->draws.chance;
    return hash_bytes(hash_bytes(HASH_BEGIN, &chance->run, sizeof chance->run), e->name, strlen(e->name));
}

bool expand_override_waveform(struct expansion *x, struct element *e, const struct override *o)
{
    struct card c = {.x = x, .kind = e->kind, .e = e};
    const struct item name = {.kind = ITEM_WORD, .text = o->setting};
    const int index = waveform_index(&name);
    if (index < 0 || is_pattern(index))
        return deck_fail(x->deck, "override", e->where, "such as pulse, sin, exp or pwl",
                         "%s: there is no waveform '%s' whose numbers could be others", card_owner(&c), o->setting);
    e->source.wave = (struct waveform){
        .kind = waveforms[index].kind, .repeat_from = -1, .stream = stream_of(x, e), .where = e->where};
    x->numbers.count = 0;
    for (size_t i = 0; i < o->count; i++)
        if (!push(&c, o->values[i]))
            return false;
    return finish(&c, index);
}

/* Names are those of the forms above, and v0 is Xyce's for vo. */
int expand_waveform_number(const struct element *e, const char *name)
{
    const char *sought = names_equal(name, "v0") ? "vo" : name, *form = NULL;
    for (int w = 0; w < WAVEFORM_COUNT && !form; w++)
        if (waveforms[w].kind == e->source.wave.kind &&
            (waveforms[w].kind != WAVEFORM_PWL || (is_pattern(w) && e->source.wave.pattern)))
            form = strchr(waveforms[w].form, '(');
    for (int place = 0; form && *form && *form != '.'; place++) {
        const size_t length = strcspn(++form, " )");
        if (length == strlen(sought) && strncasecmp(form, sought, length) == 0)
            return place;
        form += length;
    }
    return -1;
}

bool expand_override_waveform_number(struct expansion *x, struct element *e, const struct override *o, bool *found)
{
    struct waveform *w = &e->source.wave;
    const int place = expand_waveform_number(e, o->setting);
    *found = place >= 0;
    if (place < 0)
        return true;
    if (w->pattern)
        return pattern_set(x, w, place, o->value);
    if ((size_t)place > w->count)
        return deck_fail(x->deck, "override", e->where, "write the numbers in front of it on the card",
                         "'%s' of '%s' cannot be another: it is not on the card", o->setting, e->name);
    const size_t count = (size_t)place == w->count ? w->count + 1 : w->count;
    double *values = arena_array(x->deck->arena, count, sizeof *values);
    if (!values)
        return deck_no_memory(x->deck);
    if (w->count > 0)
        memcpy(values, w->values, w->count * sizeof *values);
    values[place] = o->value;
    w->values = values;
    w->count = count;
    return true;
}

bool expand_finish_pattern(struct expansion *x, struct element *e)
{
    struct card c = {.x = x, .kind = e->kind, .e = e};
    int index = 0;
    while (!is_pattern(index))
        index++;
    return !e->source.wave.pattern || (pattern_points(&c) && finish(&c, index));
}

bool waveform_read(struct card *c, struct item **i, int index)
{
    struct waveform *w = &c->e->source.wave;
    if (w->kind != WAVEFORM_NONE)
        return card_fail(c, "waveform", (*i)->where, NULL, "%s has two waveforms", card_owner(c));
    w->kind = waveforms[index].kind;
    w->where = (*i)->where;
    w->stream = stream_of(c->x, c->e);
    c->x->numbers.count = 0;
    const bool read = is_pattern(index)         ? pattern_read(c, i)
                      : w->kind == WAVEFORM_PWL ? read_points(c, i)
                                                : read_numbers(c, i, index);
    return read && finish(c, index);
}
