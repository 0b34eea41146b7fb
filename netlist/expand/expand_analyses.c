/* expand_analyses.c - .options, .temp, .csparam and .tran. */
#include "netlist/expand/expand.h"
#include "netlist/expression/expression.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- .options and .temp ---- */

/* .options reltol 1e-4 method gear */
static struct item *value_behind_option(struct item *i)
{
    struct item *next = i->next;
    const bool named = item_is(i, "method") && !i->value && next && !next->value && item_is_name(next);
    return named ? next : expand_value_behind(i);
}

/* Xyce's packages: .options timeint reltol=1e-4.  The same word means something else in another. */
static bool is_package(const struct item *i)
{
    static const char *const packages[] = {"timeint",
                                           "device",
                                           "nonlin",
                                           "nonlin-tran",
                                           "nonlin-hb",
                                           "nonlin-transient",
                                           "loca",
                                           "linsol",
                                           "linsol-hb",
                                           "linsol-ac",
                                           "output",
                                           "restart",
                                           "sensitivity",
                                           "hbint",
                                           "mpde",
                                           "mpdeint",
                                           "diagnostic",
                                           "samples",
                                           "pces",
                                           "embeddedsamples",
                                           "measure",
                                           "parser",
                                           "fft",
                                           "sampling",
                                           "random",
                                           "dist",
                                           "timeint-mpde",
                                           "lininfo",
                                           "linsol-sens",
                                           "nonlin-mpde",
                                           "nonlin-twolevel",
                                           "nonlin-twolevel-tran",
                                           "ac",
                                           "noise",
                                           "hb",
                                           "rom",
                                           "dc",
                                           "topology",
                                           "mor",
                                           "mor_opts"};
    for (size_t n = 0; n < sizeof packages / sizeof *packages; n++)
        if (!i->value && item_is(i, packages[n]))
            return true;
    return false;
}

/* Xyce takes any number, which says that steps may be as they like. */
static bool is_loose(struct expansion *x, const struct setting *s)
{
    if (!names_equal(s->name, "reltol") || !s->has_value || s->text || s->value < 1)
        return false;
    deck_warn(x->deck, "option-value", s->where, NULL, "reltol=%g leaves no digit: the default is used", s->value);
    return true;
}

/* Those of a package that mean the same as without it keep their names, the others have it in front: "nonlin.maxstep". */
static bool name_of_package(struct expansion *x, const struct item *package, size_t from)
{
    static const char *const same[] = {"timeint.reltol", "timeint.method", "timeint.maxord", "timeint.delmax",
                                       "device.temp",    "device.tnom",    "device.gmin",    "device.defad",
                                       "device.defas",   "device.defl",    "device.defw",    "parser.scale"};
    struct setting *all = x->settings.items;
    for (size_t i = from; i < x->settings.count; i++) {
        const char *full = arena_format(x->deck->arena, "%s.%s", package->text, all[i].name);
        bool keeps = false;
        for (size_t n = 0; full && n < sizeof same / sizeof *same; n++)
            keeps |= names_equal(same[n], full);
        if (!full)
            return deck_no_memory(x->deck);
        all[i].name = keeps && !is_loose(x, &all[i]) ? all[i].name : full;
    }
    return true;
}

/* One option and its value, which may be the next item, *last. */
static bool read_option(struct expansion *x, const struct instance *top, struct item *i, struct item **last)
{
    struct item *value = value_behind_option(i);
    *last = value ? value : i;
    return value ? expand_setting_with_blank(x, top, i, value) : expand_setting(x, top, i);
}

void read_options(struct expansion *x, struct instance *top, struct statement *s)
{
    const size_t from = x->settings.count;
    struct item *first = s->items->next;
    const struct item *package = first && is_package(first) ? first : NULL;
    struct leniency lenient;
    if (package && !deck_begin_lenient(x->deck, &lenient))
        return;
    for (struct item *i = package ? first->next : first; i; i = i->next)
        x->deck->failed |= !read_option(x, top, i, &i);
    if (!package)
        return;
    deck_end_lenient(x->deck, &lenient, "it is ignored");
    x->deck->failed |= !name_of_package(x, package, from);
}

void read_command_values(struct expansion *x, struct instance *top, struct statement *s)
{
    struct circuit *c = x->circuit;
    bool good = true;
    for (size_t i = 0; i < c->command_value_count && good; i++) /* those of cards before */
        good = expand_push_setting(x, c->command_values[i].name, c->command_values[i].where, c->command_values[i]);
    for (struct item *i = s->items->next; i && good; i = i->next) {
        struct setting value = {.has_value = true};
        good = i->kind == ITEM_WORD && i->value
                   ? expand_value(x, top, i->value, &value.value) && expand_push_setting(x, i->text, i->where, value)
                   : deck_fail(x->deck, "syntax", i->where, "write .csparam name=value",
                               "expected name=value, found '%s'", item_text(i));
    }
    expand_keep_settings(x, &c->command_values, &c->command_value_count);
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

/* .temp 0 27 100 is .step temp list 0 27 100. */
static bool step_temperatures(struct expansion *x, const struct item *first, size_t count)
{
    static const char *const words[] = {"temp", "list"};
    struct analysis_card *card = vector_push(&x->cards);
    const double *celsius = x->numbers.items;
    if (!card)
        return deck_no_memory(x->deck);
    struct vector options = x->settings; /* of this deck, which are taken already */
    x->settings = (struct vector){.size = options.size};
    bool good = true;
    for (size_t i = 0; i < 2; i++)
        good = good && expand_push_setting(x, words[i], first->where, (struct setting){0});
    for (size_t i = 0; i < count; i++, first = first->next)
        good = good && expand_push_setting(x, item_text(first), first->where,
                                           (struct setting){.has_value = true, .value = celsius[i]});
    card->name = ".step";
    card->where = first ? first->where : NOWHERE;
    good = good && expand_keep_settings(x, &card->settings, &card->setting_count);
    free(x->settings.items);
    x->settings = options;
    return good;
}

void read_temperature(struct expansion *x, struct instance *top, struct statement *s)
{
    struct item *first = s->items->next;
    if (!first) {
        if (!s->broken)
            deck_fail(x->deck, "syntax", s->end, "write .temp 27", "expected a temperature");
        return;
    }
    x->numbers.count = 0;
    for (struct item *i = first; i; i = i->next) {
        double celsius;
        if (!expand_value(x, top, i, &celsius) || !check_temperature(x, i->where, celsius) ||
            !expand_add(x, &x->numbers, &celsius))
            return;
    }
    x->circuit->temperature = *(const double *)x->numbers.items;
    if (x->numbers.count > 1)
        step_temperatures(x, first, x->numbers.count);
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
    scope_surroundings(top->scope, c->temperature, option_number(c, "gmin", 1e-12));
}

/* ---- .tran tstep tstop [tstart [tmax]] [uic] [step=h] ---- */

static const double MOST_STEPS = 1e10; /* weeks of computing */
static const double STARTUP = 20e-6;   /* s, in which LTspice's sources rise */
static const char tran_form[] = "write .tran tstep tstop [tstart [tmax]] [uic] [step=h]";

enum { STEP, STOP, START, MAX_STEP, TIMES };

struct times {
    const struct statement *statement;
    struct item *items[TIMES];
    double values[TIMES];
    size_t count;
    bool uic, startup;
    struct item *sweep; /* the word of this spelling; NULL: there is none */
    struct item *fixed; /* what `step=` gives; NULL: there is none */
    double fixed_step;  /* s, its value */
};

/* Words of LTspice that change nothing here: old points are not kept to be thrown away, loads are not stepped. */
static bool is_word_without_meaning(const struct item *i)
{
    static const char *const words[] = {"nodiscard", "step", "steady", "op"};
    for (size_t n = 0; n < sizeof words / sizeof *words; n++)
        if (item_is(i, words[n]))
            return true;
    return false;
}

static bool collect_times(struct expansion *x, const struct instance *top, struct times *t)
{
    bool good = true;
    struct item *start = NULL; /* start=1n of HSPICE */
    for (struct item *i = t->statement->items->next; i && !t->sweep; i = i->next) {
        if (item_is(i, "sweep")) {
            t->sweep = i;
        } else if (item_is(i, "uic") || item_is(i, "noop") || item_is(i, "skipbp")) {
            t->uic = true;
        } else if (item_is(i, "startup")) {
            t->startup = true;
        } else if (item_is(i, "step") && i->value) {
            t->fixed = i->value;
            good = expand_value(x, top, i->value, &t->fixed_step) && good;
        } else if (item_is(i, "start") && i->value) {
            start = i;
            good = expand_value(x, top, i->value, &t->values[START]) && good;
        } else if (is_word_without_meaning(i) && !i->value) {
            deck_warn(x->deck, "unsupported", i->where, NULL, "'.tran': '%s' changes nothing here; it is ignored",
                      i->text);
        } else if (i->kind == ITEM_EXPRESSION && strncasecmp(i->text + strspn(i->text, " "), "schedule(", 9) == 0) {
            deck_warn(x->deck, "unsupported", i->where, "steps follow from reltol; tmax bounds them all",
                      "'.tran': largest steps for parts of the run are not read");
        } else if (i->value || i->kind == ITEM_GROUP || i->kind == ITEM_STRING || t->count == TIMES) {
            return deck_fail(x->deck, "syntax", i->where, tran_form, "'.tran': unexpected '%s'", item_text(i));
        } else {
            good = expand_value(x, top, i, &t->values[t->count]) && good;
            t->items[t->count++] = i;
        }
    }
    if (start && t->count == START) {
        t->items[START] = start;
        t->count = START + 1;
    } else if (start) {
        return deck_fail(x->deck, "syntax", start->where, tran_form,
                         "'.tran': start= belongs behind a step and a stop time alone");
    }
    return good;
}

static bool time_error(struct expansion *x, const struct times *t, int which, const char *what)
{
    return deck_fail(x->deck, "value-range", t->items[which]->where, tran_form, "'.tran': %s, but is %g", what,
                     t->values[which]);
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

static bool check_fixed_step(struct expansion *x, const struct times *t)
{
    const double step = t->fixed_step, stop = t->values[STOP];
    if (!t->fixed)
        return true;
    if (!(step > 0.0) || step > stop)
        return deck_fail(x->deck, "value-range", t->fixed->where, tran_form,
                         "'.tran': the fixed step must be greater than 0 and at most the stop time of %g s, but is %g",
                         stop, step);
    if (stop / step > MOST_STEPS)
        return deck_fail(x->deck, "value-range", t->fixed->where, "leave it away: steps follow from reltol",
                         "'.tran': with steps of %g s the run would take more than %g of them", step, MOST_STEPS);
    return true;
}

/* LTspice keeps nothing from before the start: a negative one, from a schematic's form, is 0. */
static void begin_at_zero(struct expansion *x, struct times *t)
{
    if (x->deck->dialect != DIALECT_LTSPICE || !(t->values[START] < 0.0))
        return;
    deck_warn(x->deck, "value-range", t->items[START]->where, tran_form,
              "'.tran': a run begins at 0; the start time of %g s is taken as that", t->values[START]);
    t->values[START] = 0.0;
}

/* LTspice makes nothing of the step, and ngspice runs such a deck. */
static bool check_times(struct expansion *x, const struct times *t)
{
    bool good = true;
    if (t->values[STEP] < 0.0)
        good = time_error(x, t, STEP, "the step must not be negative");
    if (!(t->values[STOP] > 0.0))
        good = time_error(x, t, STOP, "the stop time must be greater than 0");
    else if (good && t->values[STEP] > t->values[STOP] && x->deck->dialect != DIALECT_LTSPICE &&
             x->deck->dialect != DIALECT_NGSPICE)
        good = step_beyond_stop(x, t);
    if (t->values[START] < 0.0)
        good = time_error(x, t, START, "the start time must not be negative");
    else if (good && t->values[STOP] > 0.0 && t->count > START && t->values[START] >= t->values[STOP])
        good = time_error(x, t, START, "the start time must be before the stop time");
    if (t->count > MAX_STEP && !(t->values[MAX_STEP] >= 0.0))
        good = time_error(x, t, MAX_STEP, "the largest step must not be negative");
    else if (good && t->values[MAX_STEP] > 0.0 && t->values[STOP] / t->values[MAX_STEP] > MOST_STEPS)
        good = deck_fail(x->deck, "value-range", t->items[MAX_STEP]->where, "leave it away: steps follow from reltol",
                         "'.tran': with steps of at most %g s the run would take more than %g of them",
                         t->values[MAX_STEP], MOST_STEPS);
    return check_fixed_step(x, t) && good;
}

/* Whether 0 in place of the step is the rule. */
static bool needs_no_step(const struct expansion *x)
{
    const unsigned such = DIALECT_BIT(DIALECT_LTSPICE) | DIALECT_BIT(DIALECT_XYCE) | DIALECT_BIT(DIALECT_PSPICE);
    return such & DIALECT_BIT(x->deck->dialect);
}

/* Some simulators do without a step for output and have 0 in its place. */
static void choose_step(struct expansion *x, struct times *t)
{
    if (t->values[STEP] > 0.0 && t->values[STEP] <= t->values[STOP])
        return;
    const bool longer = t->values[STEP] > 0.0;
    t->values[STEP] = (t->values[STOP] - t->values[START]) / 1000.0;
    if (!needs_no_step(x))
        deck_warn(x->deck, "step", t->items[STEP]->where, tran_form,
                  "'.tran': the step is %s; a thousandth of the time, %g s, is used instead",
                  longer ? "longer than the run" : "0", t->values[STEP]);
}

/* A single time is the stop time, as in LTspice. */
static void take_single_time(struct expansion *x, struct times *t)
{
    if (x->deck->dialect == DIALECT_LTSPICE)
        deck_note_dialect(x->deck, "step", t->items[0]->where, "a single time is the stop time");
    else
        deck_note(x->deck, "step", t->items[0]->where, "'.tran %s': a single time is the stop time, as in LTspice",
                  item_text(t->items[0]));
    t->items[STOP] = t->items[STEP];
    t->values[STOP] = t->values[STEP];
    t->values[STEP] = t->values[STOP] / 1000.0;
    t->count = 2;
}

/* .options delmax, maxstep: where the card gives none. */
static double largest_step(const struct expansion *x, const struct times *t)
{
    const double of_options = option_number(x->circuit, "delmax", option_number(x->circuit, "maxstep", 0));
    return t->count > MAX_STEP ? t->values[MAX_STEP] : of_options > 0 ? of_options : 0;
}

/* .options step: the same; what is no positive number is told with the other options. */
static double fixed_step(const struct expansion *x, const struct times *t)
{
    const double of_options = option_number(x->circuit, "step", 0);
    return t->fixed ? t->fixed_step : of_options > 0 ? of_options : 0;
}

void read_transient(struct expansion *x, struct instance *top, struct statement *s)
{
    struct times t = {.statement = s};
    if (s->broken || !collect_times(x, top, &t))
        return;
    if (t.count == 0) {
        deck_fail(x->deck, "syntax", s->end, tran_form, "'.tran' needs a step and a stop time");
        return;
    }
    if (t.count == 1)
        take_single_time(x, &t);
    begin_at_zero(x, &t);
    if (!check_times(x, &t))
        return;
    choose_step(x, &t);
    x->circuit->startup = t.startup ? STARTUP : x->circuit->startup;
    const struct transient made = {.step = t.values[STEP],
                                   .stop = t.values[STOP],
                                   .start = t.values[START],
                                   .max_step = largest_step(x, &t),
                                   .fixed_step = fixed_step(x, &t),
                                   .uic = t.uic,
                                   .outer = t.sweep ? expand_outer_sweep(x, top, s->items->text, t.sweep) : NULL,
                                   .where = s->items->where};
    expand_add(x, &x->transients, &made);
}

/* The numbers in front of the first word that is none. */
static bool look_at_times(struct expansion *x, const struct instance *top, const struct statement *s, double *values)
{
    size_t count = 0;
    for (struct item *i = s->items->next; i && count < TIMES && (i->is_number || i->kind == ITEM_EXPRESSION);
         i = i->next)
        if (i->value || !expand_value(x, top, i, &values[count++]))
            return false;
    if (count == 1)
        values[STOP] = values[STEP];
    return count > 0 && values[STOP] > 0;
}

/* ngspice's longest step is that of the output, or a 50th of the run (Nagel 1975 in SPICE2), or what the card says. */
struct transient_times expand_transient_times(struct expansion *x, const struct instance *at)
{
    struct transient_times longest = {0, 0};
    while (at->parent)
        at = at->parent;
    for (const struct statement *s = at->level->cards.first; s; s = s->next) {
        double t[TIMES] = {0};
        if (s->card->read != read_transient || s->broken || !look_at_times(x, at, s, t) || t[STOP] <= longest.stop)
            continue;
        longest.stop = t[STOP];
        longest.step = t[MAX_STEP] > 0 ? t[MAX_STEP] : fmin(t[STEP], (t[STOP] - t[START]) / 50);
    }
    return longest;
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
        if (item_is_name(i) && !scope_has_parameter(top->scope, i->text)) { /* op lin 0 3.3, which ngspice reads over */
            deck_warn(x->deck, "extra", i->where, "write .op, or .op 1u 5u for points of a transient",
                      "'.op': '%s' and what follows it is ignored", i->text);
            return;
        }
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
    if (!word.has_value && item_is_name(i) && scope_has_parameter(top->scope, text))
        word.is_parameter = expand_value(x, top, i, &word.value);
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
