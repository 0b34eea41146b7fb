/* expand_analyses.c - .options, .temp and .tran. */
#include "netlist/expand/expand.h"
#include "netlist/expression/expression.h"

#include <string.h>

/* ---- .options and .temp ---- */

/* .options reltol 1e-4 method gear */
static struct item *value_behind_option(struct item *i)
{
    struct item *next = i->next;
    const bool named = item_is(i, "method") && !i->value && next && !next->value && item_is_name(next);
    return named ? next : expand_value_behind(i);
}

void read_options(struct expansion *x, struct instance *top, struct statement *s)
{
    for (struct item *i = s->items->next; i; i = i->next) {
        struct item *value = value_behind_option(i);
        x->deck->failed |= !(value ? expand_setting_with_blank(x, top, i, value) : expand_setting(x, top, i));
        i = value ? value : i;
    }
}

static double option_number(const struct circuit *c, const char *name, double otherwise)
{
    const struct setting *s = circuit_option(c, name);
    return s && s->has_value && !s->text ? s->value : otherwise;
}

static bool check_temperature(struct expansion *x, struct kn_location where, double celsius)
{
    return celsius > -273.15 || deck_fail(x->deck, "value-range", where, "temperatures are in degrees Celsius",
                                          "%g degrees Celsius is below absolute zero", celsius);
}

void read_temperature(struct expansion *x, struct instance *top, struct statement *s)
{
    struct item *value = s->items->next;
    if (!value) {
        if (!s->broken)
            deck_fail(x->deck, "syntax", s->end, "write .temp 27", "expected a temperature");
        return;
    }
    if (value->next)
        deck_warn(x->deck, "unsupported", value->next->where, NULL,
                  "only the first temperature of '.temp' is used; the others are ignored");
    double celsius;
    if (expand_value(x, top, value, &celsius) && check_temperature(x, value->where, celsius))
        x->circuit->temperature = celsius;
}

void expand_take_options(struct expansion *x)
{
    struct circuit *c = x->circuit;
    expand_override_options(x);
    expand_keep_settings(x, &c->options, &c->option_count);
    c->temperature = option_number(c, "temp", 27.0);
    c->nominal_temperature = option_number(c, "tnom", 27.0);
}

void expand_take_temperature(struct expansion *x, const struct instance *top)
{
    struct circuit *c = x->circuit;
    expand_override_temperature(x, &c->temperature);
    static const char *const names[] = {"temp", "tnom"};
    for (size_t i = 0; i < 2; i++) {
        const struct setting *s = circuit_option(c, names[i]);
        if (s && (s->text || !s->has_value))
            deck_fail(x->deck, "value", s->where, "write .options temp=27", "option '%s' needs a number", names[i]);
        else if (s)
            check_temperature(x, s->where, option_number(c, names[i], 27.0));
    }
    scope_temperature(top->scope, c->temperature);
}

/* ---- .tran tstep tstop [tstart [tmax]] [uic] ---- */

static const double MOST_STEPS = 1e10; /* weeks of computing */

enum { STEP, STOP, START, MAX_STEP, TIMES };

struct times {
    const struct statement *statement;
    struct item *items[TIMES];
    double values[TIMES];
    size_t count;
    bool uic;
    struct item *sweep; /* the word of this spelling; NULL: there is none */
};

static bool collect_times(struct expansion *x, const struct instance *top, struct times *t)
{
    bool good = true;
    for (struct item *i = t->statement->items->next; i && !t->sweep; i = i->next) {
        if (item_is(i, "sweep")) {
            t->sweep = i;
        } else if (item_is(i, "uic") || item_is(i, "noop")) {
            t->uic = true;
        } else if (i->value || i->kind == ITEM_GROUP || i->kind == ITEM_STRING || t->count == TIMES) {
            return deck_fail(x->deck, "syntax", i->where, "write .tran tstep tstop [tstart [tmax]] [uic]",
                             "'.tran': unexpected '%s'", item_text(i));
        } else {
            good = expand_value(x, top, i, &t->values[t->count]) && good;
            t->items[t->count++] = i;
        }
    }
    return good;
}

static bool time_error(struct expansion *x, const struct times *t, int which, const char *what)
{
    return deck_fail(x->deck, "value-range", t->items[which]->where, "write .tran tstep tstop [tstart [tmax]] [uic]",
                     "'.tran': %s, but is %g", what, t->values[which]);
}

/* Exchanged as a rule; or a decimal comma made two numbers of one. */
static bool step_beyond_stop(struct expansion *x, const struct times *t)
{
    const char *comma = deck_decimal_comma(x->deck, t->items[STEP]);
    const char *swapped = diagnostics_hint(x->deck->diagnostics, "were they meant the other way round, .tran %s %s?",
                                           item_text(t->items[STOP]), item_text(t->items[STEP]));
    return deck_fail(x->deck, "value-range", t->items[STEP]->where, comma ? comma : swapped,
                     "'.tran': the step of %g s is longer than the run, which stops at %g s", t->values[STEP],
                     t->values[STOP]);
}

static bool check_times(struct expansion *x, const struct times *t)
{
    bool good = true;
    if (t->values[STEP] < 0.0)
        good = time_error(x, t, STEP, "the step must not be negative");
    if (!(t->values[STOP] > 0.0))
        good = time_error(x, t, STOP, "the stop time must be greater than 0");
    else if (good && t->values[STEP] > t->values[STOP])
        good = step_beyond_stop(x, t);
    if (t->values[START] < 0.0)
        good = time_error(x, t, START, "the start time must not be negative");
    else if (good && t->count > START && t->values[START] >= t->values[STOP])
        good = time_error(x, t, START, "the start time must be before the stop time");
    if (t->count > MAX_STEP && !(t->values[MAX_STEP] >= 0.0))
        good = time_error(x, t, MAX_STEP, "the largest step must not be negative");
    else if (good && t->values[MAX_STEP] > 0.0 && t->values[STOP] / t->values[MAX_STEP] > MOST_STEPS)
        good = deck_fail(x->deck, "value-range", t->items[MAX_STEP]->where, "leave it away: steps follow from reltol",
                         "'.tran': with steps of at most %g s the run would take more than %g of them",
                         t->values[MAX_STEP], MOST_STEPS);
    return good;
}

/* Some simulators do without a step for output and have 0 in its place. */
static void choose_step(struct expansion *x, struct times *t)
{
    if (t->values[STEP] > 0.0)
        return;
    t->values[STEP] = (t->values[STOP] - t->values[START]) / 1000.0;
    deck_warn(x->deck, "step", t->items[STEP]->where, "write .tran tstep tstop [tstart [tmax]] [uic]",
              "'.tran': the step is 0; a thousandth of the time, %g s, is used instead", t->values[STEP]);
}

/* A single time is the stop time to users of LTspice. */
static const char *form_of_transient(struct expansion *x, const struct times *t)
{
    if (t->count == 1 && t->values[0] > 0.0)
        return diagnostics_hint(x->deck->diagnostics, "write .tran tstep tstop; to stop at %s: .tran %g %s",
                                item_text(t->items[0]), t->values[0] / 1000.0, item_text(t->items[0]));
    return "write .tran tstep tstop [tstart [tmax]] [uic]";
}

void read_transient(struct expansion *x, struct instance *top, struct statement *s)
{
    struct times t = {.statement = s};
    if (s->broken || !collect_times(x, top, &t))
        return;
    if (t.count < 2) {
        deck_fail(x->deck, "syntax", s->end, form_of_transient(x, &t),
                  t.count == 0 ? "'.tran' needs a step and a stop time" : "'.tran' needs a stop time behind the step");
        return;
    }
    if (!check_times(x, &t))
        return;
    choose_step(x, &t);
    const struct transient made = {.step = t.values[STEP],
                                   .stop = t.values[STOP],
                                   .start = t.values[START],
                                   .max_step = t.values[MAX_STEP],
                                   .uic = t.uic,
                                   .outer = t.sweep ? expand_outer_sweep(x, top, s->items->text, t.sweep) : NULL,
                                   .where = s->items->where};
    expand_add(x, &x->transients, &made);
}

/* ---- .op [time ..] ---- */

/* HSPICE's words for what is printed; here it is all. */
static bool is_operating_word(const struct item *i)
{
    static const char *const words[] = {"all", "brief", "current", "debug", "none", "voltage"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (item_is(i, words[k]))
            return true;
    return false;
}

/* Adds a time to those there are, in order and once. */
static bool add_operating_time(struct expansion *x, double time)
{
    struct circuit *c = x->circuit;
    double *times = arena_array(x->deck->arena, c->operating_time_count + 1, sizeof *times);
    size_t count = 0, i = 0;
    if (!times)
        return deck_no_memory(x->deck);
    for (; i < c->operating_time_count && c->operating_times[i] < time; i++)
        times[count++] = c->operating_times[i];
    times[count++] = time;
    for (; i < c->operating_time_count; i++)
        if (c->operating_times[i] != time)
            times[count++] = c->operating_times[i];
    c->operating_times = times;
    c->operating_time_count = count;
    return true;
}

void read_operating_point(struct expansion *x, struct instance *top, struct statement *s)
{
    x->circuit->has_operating_point = true;
    for (struct item *i = s->items->next; i; i = i->next) {
        double time;
        if (is_operating_word(i))
            continue;
        if (!expand_value(x, top, i, &time))
            return;
        if (!(time >= 0))
            deck_fail(x->deck, "value-range", i->where, "write .op, or .op 1u 5u for points of a transient",
                      "'.op': a time must not be negative, but is %g", time);
        else
            add_operating_time(x, time);
    }
}

/* ---- cards that are handed on ---- */

static bool read_words(struct expansion *x, const struct instance *top, struct item *first);

/* A word of a card: a name, a number, or {an expression}; a parenthesis is a word in front of those in it. */
static bool read_word(struct expansion *x, const struct instance *top, struct item *i)
{
    if (i->value)
        return expand_setting(x, top, i);
    const char *text = item_text(i);
    struct setting word = {0};
    if (i->kind == ITEM_EXPRESSION)
        word.has_value = expand_value(x, top, i, &word.value);
    else
        word.has_value = expression_number(text, strlen(text), &word.value);
    return expand_push_setting(x, text, i->where, word) && (word.has_value || i->kind != ITEM_EXPRESSION) &&
           read_words(x, top, i->inside);
}

static bool read_words(struct expansion *x, const struct instance *top, struct item *first)
{
    bool good = true;
    for (struct item *i = first; i; i = i->next)
        good = read_word(x, top, i) && good;
    return good;
}

/* The words from one item on as a card. */
static bool read_card(struct expansion *x, const struct instance *top, const char *name, struct kn_location where,
                      struct item *first, struct analysis_card *card)
{
    x->settings.count = 0;
    x->deck->failed |= !read_words(x, top, first);
    card->where = where;
    card->name = arena_text(x->deck->arena, name, strlen(name));
    return (card->name && expand_keep_settings(x, &card->settings, &card->setting_count)) || deck_no_memory(x->deck);
}

void read_handed_on(struct expansion *x, struct instance *top, struct statement *s)
{
    struct analysis_card *card = vector_push(&x->cards);
    if (card)
        read_card(x, top, s->items->text, s->items->where, s->items->next, card);
    else
        deck_no_memory(x->deck);
}

void read_data(struct expansion *x, struct instance *top, struct statement *s)
{
    if (!x->overrides || !x->overrides->of_run)
        read_handed_on(x, top, s);
}

const struct analysis_card *expand_outer_sweep(struct expansion *x, const struct instance *top, const char *card,
                                               struct item *sweep)
{
    struct analysis_card *made = arena_alloc(x->deck->arena, sizeof *made);
    if (made)
        return read_card(x, top, card, sweep->where, sweep, made) ? made : NULL;
    deck_no_memory(x->deck);
    return NULL;
}
