/* read_stimulus.c - what a digital source of PSpice puts out, behind the model of its outputs:
 *
 *     Uname STIM(width,format) power ground outputs io [TIMESTEP=t] commands
 *
 *     time value                     0s 0  +5ns 1  10C F: from the beginning, from the command before, in steps of TIMESTEP
 *     time INCR BY value, DECR BY    the value before plus or minus this
 *     LABEL=name, time GOTO name n TIMES, time GOTO name UNTIL GT value (GE LT LE)      -1 TIMES: for ever
 *     REPEAT n TIMES .. ENDREPEAT, REPEAT FOREVER
 *
 * The format has a figure for each digit of a value: 1, 3 or 4 bits; the first output has the highest bit.  Digits X, R, F and ?
 * are states that are not known, Z drives nothing.  Commands are followed here and become rows (STIMULUS_HEAD); what goes on for
 * ever is the rows of one cycle.  Source: PSpice Reference Guide, "Stimulus devices".
 */
#include "netlist/expand/expand_card.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { MOST_BITS = 64, MOST_ROWS = 1000000, DEEPEST = 16 };

struct loop {
    const struct item *place; /* the command behind LABEL or REPEAT, or the GOTO itself */
    const char *label;        /* of REPEAT: NULL */
    double left, time;        /* how often it comes again; when its commands began (s) */
    size_t row;               /* the first of its rows */
    bool running;             /* GOTO: has been met, and will be met again */
};

struct stimulus_reader {
    struct card *c;
    const char *format; /* a figure for each digit */
    size_t width, count;
    double step, time; /* s */
    unsigned char value[MOST_BITS];
    struct loop labels[DEEPEST], jumps[DEEPEST], repeats[DEEPEST];
    size_t label_count, jump_count, repeat_count;
    double period, begin;
    size_t again;
    bool counted; /* INCR or DECR: no cycle is as the one before */
};

static bool fail(struct stimulus_reader *s, const struct item *at, const char *what)
{
    return card_fail(s->c, "syntax", at ? at->where : s->c->statement->end,
                     "write 0s 0 +5ns 1, LABEL=name, 5ns GOTO name 3 TIMES", "'%s': %s", s->c->e->name, what);
}

/* ---- values ---- */

static bool read_format(struct stimulus_reader *s)
{
    const struct item *group = NULL;
    for (const struct item *i = s->c->statement->items; i && !group; i = i->next)
        group = i->kind == ITEM_GROUP ? i->inside : NULL;
    size_t bits = 0;
    s->width = s->c->e->has_value ? (size_t)s->c->e->value : 1;
    if (!group || !group->next) {
        char *format = arena_alloc(s->c->x->deck->arena, s->width + 1);
        if (!format)
            return deck_no_memory(s->c->x->deck);
        memset(format, '1', s->width);
        format[s->width] = '\0';
        s->format = format;
        return true;
    }
    s->format = group->next->text;
    for (const char *f = s->format; *f; f++)
        bits += strchr("134", *f) ? (size_t)(*f - '0') : MOST_BITS + 1;
    return bits == s->width ||
           fail(s, group->next, "the figures of the format, 1, 3 or 4 bits, must add up to the width");
}

static bool read_digit(char digit, size_t bits, unsigned char *to)
{
    const char low = (char)tolower((unsigned char)digit);
    if (strchr("xrf?", low) && !(low == 'f' && bits == 4)) {
        memset(to, STIMULUS_UNKNOWN, bits);
        return true;
    }
    if (low == 'z') {
        memset(to, STIMULUS_NOWHERE, bits);
        return true;
    }
    const int value = isdigit((unsigned char)low) ? low - '0' : low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
    for (size_t b = 0; b < bits; b++)
        to[b] = value >> (bits - 1 - b) & 1 ? STIMULUS_ONE : STIMULUS_ZERO;
    return value >= 0 && value < 1 << bits;
}

/* Digits that are missing in front are 0. */
static bool read_digits(struct stimulus_reader *s, const struct item *i, unsigned char *to)
{
    const size_t digits = strlen(s->format), given = i ? strlen(i->text) : 0;
    if (!i || given > digits)
        return fail(s, i, "expected a value with a digit for each figure of the format");
    size_t bit = 0;
    for (size_t k = 0; k < digits; k++) {
        const size_t bits = (size_t)(s->format[k] - '0');
        if (!read_digit(k < digits - given ? '0' : i->text[k - (digits - given)], bits, to + bit))
            return fail(s, i, "this digit has more than its bits");
        bit += bits;
    }
    return true;
}

/* As a number; false where a bit is not known. */
static bool number_of(const struct stimulus_reader *s, const unsigned char *value, double *number)
{
    *number = 0;
    for (size_t b = 0; b < s->width; b++) {
        if (value[b] > STIMULUS_ONE)
            return false;
        *number = 2 * *number + value[b];
    }
    return true;
}

static bool add_to_value(struct stimulus_reader *s, const struct item *by, double sign)
{
    unsigned char added[MOST_BITS];
    double value, change;
    if (!read_digits(s, by, added) || !number_of(s, added, &change))
        return fail(s, by, "INCR and DECR are BY a value that is known");
    s->counted = true;
    if (!number_of(s, s->value, &value))
        return true;
    const double all = ldexp(1, (int)s->width);
    value = fmod(value + sign * change + all, all);
    for (size_t b = s->width; b-- > 0; value = floor(value / 2))
        s->value[b] = fmod(value, 2) != 0 ? STIMULUS_ONE : STIMULUS_ZERO;
    return true;
}

/* ---- times, rows ---- */

static bool read_time(struct stimulus_reader *s, struct item *i)
{
    const bool relative = i->text[0] == '+';
    const size_t length = strlen(i->text);
    const bool steps = length > 1 && (i->text[length - 1] | 0x20) == 'c' &&
                       strspn(i->text + relative, "0123456789.") + relative + 1 == length;
    double time;
    if (!card_value(s->c, i, &time))
        return false;
    time = (steps ? time * s->step : time) + (relative ? s->time : 0);
    if (time < s->time)
        return fail(s, i, "times must rise");
    s->time = time;
    return true;
}

static bool push_number(struct stimulus_reader *s, double number)
{
    return expand_add(s->c->x, &s->c->x->numbers, &number);
}

/* What is set twice at one time has the last value. */
static bool push_row(struct stimulus_reader *s, const struct item *at)
{
    struct vector *v = &s->c->x->numbers;
    const size_t length = s->width + 1;
    const double *last = s->count ? (const double *)v->items + STIMULUS_HEAD + (s->count - 1) * length : NULL;
    if (s->count == MOST_ROWS)
        return fail(s, at, "too many changes");
    if (last && last[0] == s->time) {
        v->count -= length;
        s->count--;
    }
    s->count++;
    bool good = push_number(s, s->time);
    for (size_t b = 0; b < s->width; b++)
        good = good && push_number(s, s->value[b]);
    return good;
}

/* ---- loops ---- */

static struct loop *find_loop(struct loop *loops, size_t count, const struct item *place, const char *label)
{
    for (size_t k = 0; k < count; k++)
        if (label ? names_equal(loops[k].label, label) : loops[k].place == place)
            return &loops[k];
    return NULL;
}

static struct loop *new_loop(struct stimulus_reader *s, struct loop *loops, size_t *count, const struct item *place)
{
    if (*count == DEEPEST) {
        fail(s, place, "too many loops");
        return NULL;
    }
    loops[*count] = (struct loop){.place = place, .time = s->time, .row = s->count};
    return &loops[(*count)++];
}

/* The rows since the loop began come again and again. */
static bool go_on_for_ever(struct stimulus_reader *s, const struct loop *l, const struct item *at)
{
    if (s->counted)
        return fail(s, at, "a loop that never ends cannot count");
    s->period = s->time - l->time;
    s->again = l->row;
    s->begin = l->time;
    return s->period > 0 || fail(s, at, "a loop that never ends takes no time");
}

static bool compare(const char *how, double a, double b)
{
    return names_equal(how, "gt") ? a > b : names_equal(how, "ge") ? a >= b : names_equal(how, "lt") ? a < b : a <= b;
}

/* GOTO name n TIMES, GOTO name UNTIL GT value; *next: where to go on, NULL at the end. */
static bool read_jump(struct stimulus_reader *s, struct item *go, struct item **next)
{
    struct item *name = go->next, *how = name ? name->next : NULL, *what = how ? how->next : NULL;
    struct loop *label = name ? find_loop(s->labels, s->label_count, NULL, name->text) : NULL;
    if (!label || !what)
        return fail(s, name, "GOTO needs a label in front of it, and a number of TIMES");
    if (item_is(how, "until")) {
        unsigned char limit[MOST_BITS];
        double wanted, now;
        if (!read_digits(s, what->next, limit) || !number_of(s, limit, &wanted) || !number_of(s, s->value, &now))
            return fail(s, what, "UNTIL compares with values that are known");
        *next = compare(what->text, now, wanted) ? what->next->next : (struct item *)label->place;
        return true;
    }
    struct loop *jump = find_loop(s->jumps, s->jump_count, go, NULL);
    if (!jump && !(jump = new_loop(s, s->jumps, &s->jump_count, go)))
        return false;
    if (!jump->running && !card_value(s->c, how, &jump->left))
        return false;
    jump->running = jump->left >= 1;
    if (jump->left < 0) {
        *next = NULL;
        return go_on_for_ever(s, label, go);
    }
    *next = jump->running ? (struct item *)label->place : what->next;
    jump->left -= jump->running;
    return true;
}

static bool read_repeat(struct stimulus_reader *s, struct item *i, struct item **next)
{
    struct item *how = i->next;
    const bool forever = item_is(how, "forever");
    double times = -1;
    if (!how || (!forever && !card_value(s->c, how, &times)))
        return fail(s, how, "expected REPEAT FOREVER, or a number of TIMES");
    *next = forever ? how->next : item_is(how->next, "times") ? how->next->next : how->next;
    struct loop *l = new_loop(s, s->repeats, &s->repeat_count, *next);
    if (l)
        l->left = times;
    return l != NULL;
}

static bool end_repeat(struct stimulus_reader *s, struct item *i, struct item **next)
{
    struct loop *l = s->repeat_count ? &s->repeats[s->repeat_count - 1] : NULL;
    if (!l)
        return fail(s, i, "ENDREPEAT without a REPEAT");
    *next = NULL;
    if (l->left < 0)
        return go_on_for_ever(s, l, i);
    l->left--;
    s->repeat_count -= l->left < 1;
    *next = l->left < 1 ? i->next : (struct item *)l->place;
    return true;
}

/* ---- commands ---- */

/* time and what happens then. */
static bool read_change(struct stimulus_reader *s, struct item *i, struct item **next)
{
    struct item *what = i->next;
    if (!read_time(s, i))
        return false;
    if (item_is(what, "goto"))
        return read_jump(s, what, next);
    const bool up = item_is(what, "incr"), down = item_is(what, "decr");
    struct item *value = up || down ? what->next : what;
    value = (up || down) && item_is(value, "by") ? value->next : value;
    if (up || down ? !add_to_value(s, value, up ? 1 : -1) : !read_digits(s, value, s->value))
        return false;
    *next = value->next;
    return push_row(s, i);
}

static bool read_label(struct stimulus_reader *s, struct item *i, struct item **next)
{
    *next = i->next;
    if (!item_is(i, "label") || find_loop(s->labels, s->label_count, NULL, i->value->text))
        return true;
    struct loop *l = new_loop(s, s->labels, &s->label_count, i->next);
    if (l)
        l->label = i->value->text;
    return l != NULL;
}

static bool read_command(struct stimulus_reader *s, struct item *i, struct item **next)
{
    if (i->value)
        return read_label(s, i, next);
    if (item_is(i, "repeat"))
        return read_repeat(s, i, next);
    if (item_is(i, "endrepeat"))
        return end_repeat(s, i, next);
    return read_change(s, i, next);
}

static bool keep_rows(struct stimulus_reader *s)
{
    double head[STIMULUS_HEAD] = {[STIMULUS_WIDTH] = (double)s->width,
                                  [STIMULUS_PERIOD] = s->period,
                                  [STIMULUS_AGAIN] = (double)s->again,
                                  [STIMULUS_BEGIN] = s->begin};
    struct vector *v = &s->c->x->numbers;
    memcpy(v->items, head, sizeof head);
    return vector_keep(v, s->c->x->deck->arena, (const void **)&s->c->e->numbers, &s->c->e->number_count);
}

bool read_stimulus(struct card *c, const struct item *io)
{
    struct stimulus_reader s = {.c = c};
    const struct item *step = card_assignment(c, "timestep");
    static const char *const taken[] = {"timestep", "label", NULL};
    struct item *i = io->next;
    c->next = c->word_count;
    c->x->numbers.count = 0;
    bool good = read_format(&s) && (!step || card_value(c, step->value, &s.step));
    for (int k = 0; k < STIMULUS_HEAD; k++)
        good = good && push_number(&s, 0);
    for (struct item *next = NULL; good && i; i = next)
        good = read_command(&s, i, &next);
    if (good && s.count == 0)
        return fail(&s, io, "it puts out nothing");
    return good && keep_rows(&s) && card_settings(c, taken);
}
