/* expand_measure.c - .measure cards, in the forms that SPICE programs share:
 *
 *     .measure tran name TRIG signal VAL=level [RISE|FALL|CROSS=n|LAST] [TD=time] TARG ..      (or TRIG AT=time)
 *     .measure tran name WHEN signal=level [RISE=..] [TD=..] [FROM=..] [TO=..]
 *     .measure tran name FIND|DERIV signal AT=time, or WHEN ..
 *     .measure tran name AVG|RMS|INTEG|MIN|MAX|PP|MIN_AT|MAX_AT signal [FROM=time] [TO=time]
 *     .measure tran name PARAM|EQN='formula of results before it'
 *
 * A signal is an expression of voltages and currents (expand_signal.c) up to the next keyword.  A card that cannot be
 * read is a warning, and the result of its name is there, but fails.
 */
#include "netlist/expand/expand.h"

#include <math.h>
#include <string.h>

struct measure_card {
    struct expansion *x;
    const struct instance *top;
    struct statement *statement;
    struct item *next;
    struct measure *out;
};

static const char form[] = "write .measure tran name TRIG v(a) VAL=1 RISE=1 TARG v(b) VAL=1 FALL=1; FIND v(a) WHEN "
                           "v(b)=1; or MAX v(a) FROM=0 TO=1m, likewise MIN PP AVG RMS INTEG";

static const struct {
    const char *word;
    enum measure_kind kind;
} kinds[] = {
    {"trig", MEASURE_DELAY},
    {"when", MEASURE_WHEN},
    {"find", MEASURE_FIND},
    {"avg", MEASURE_AVERAGE},
    {"rms", MEASURE_RMS},
    {"integ", MEASURE_INTEGRAL},
    {"integral", MEASURE_INTEGRAL},
    {"min", MEASURE_MINIMUM},
    {"max", MEASURE_MAXIMUM},
    {"pp", MEASURE_PEAK_TO_PEAK},
    {"min_at", MEASURE_MINIMUM_TIME},
    {"max_at", MEASURE_MAXIMUM_TIME},
    {"deriv", MEASURE_DERIVATIVE},
    {"derivative", MEASURE_DERIVATIVE},
    {"param", MEASURE_FORMULA},
    {"eqn", MEASURE_FORMULA},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* Words that end a signal. */
static const char *const keywords[] = {"trig",  "targ", "when", "at", "val",  "rise", "fall",
                                       "cross", "td",   "from", "to", "last", "goal", "weight"};

static bool is_keyword(const struct item *i)
{
    for (size_t k = 0; k < sizeof keywords / sizeof *keywords; k++)
        if (item_is(i, keywords[k]))
            return true;
    return false;
}

static bool fail(const struct measure_card *m, const struct item *i, const char *what)
{
    return deck_fail(m->x->deck, "measure", i ? i->where : m->statement->end, form, "'%s': expected %s%s%s%s",
                     m->statement->items->text, what, i ? ", found '" : "", i ? item_text(i) : "", i ? "'" : "");
}

/* ---- signals ---- */

/* The signal that begins here; m->next moves behind it.  *level is its value where it has one: v(a)=2.5. */
static const struct expression *read_signal(struct measure_card *m, struct item **level)
{
    struct item *first = m->next, *i = first;
    *level = NULL;
    if (!first || is_keyword(first)) {
        fail(m, first, "a signal such as v(out)");
        return NULL;
    }
    for (; i && !is_keyword(i) && !*level; i = i->next)
        *level = i->value;
    m->next = i;
    return expand_signal(m->x, m->top, first, i);
}

static const struct expression *read_level(const struct measure_card *m, struct item *level)
{
    return expand_signal(m->x, m->top, level, level->next);
}

/* ---- settings ---- */

/* The value of FROM=1m, also written FROM 1m; m->next moves behind it. */
static struct item *take_value(struct measure_card *m)
{
    struct item *i = m->next, *value = i->value ? i->value : i->next;
    m->next = i->value ? i->next : value ? value->next : NULL;
    if (!value)
        fail(m, NULL, "a value");
    return value;
}

static bool take_number(struct measure_card *m, double *number)
{
    struct item *value = take_value(m);
    return value && expand_value(m->x, m->top, value, number);
}

static bool take_count(struct measure_card *m, enum crossing crossing, struct measure_event *e)
{
    double count = 0;
    struct item *value = take_value(m);
    e->crossing = crossing;
    e->count = 0;
    if (!value || item_is(value, "last"))
        return value != NULL;
    if (!expand_value(m->x, m->top, value, &count))
        return false;
    e->count = (long)count;
    if (count >= 1 && count <= 1e9 && count == floor(count))
        return true;
    return deck_fail(m->x->deck, "measure", value->where, "write RISE=1, FALL=2, CROSS=3 or RISE=LAST",
                     "crossings are counted from 1, found %g", count);
}

/* One of the settings of an event; *taken says whether it was one. */
static bool take_event_setting(struct measure_card *m, struct measure_event *e, bool *taken)
{
    static const struct {
        const char *word;
        enum crossing crossing;
    } counts[] = {{"rise", CROSSING_RISE}, {"fall", CROSSING_FALL}, {"cross", CROSSING_ANY}};
    *taken = true;
    for (size_t i = 0; i < 3; i++)
        if (item_is(m->next, counts[i].word))
            return take_count(m, counts[i].crossing, e);
    if (item_is(m->next, "td"))
        return take_number(m, &e->delay);
    *taken = item_is(m->next, "last");
    if (*taken) {
        e->count = 0;
        m->next = m->next->next;
    }
    return true;
}

/* ---- events ---- */

static bool take_time(struct measure_card *m, struct measure_event *e)
{
    e->is_time = true;
    return take_number(m, &e->time);
}

/* What follows TRIG, TARG or WHEN: AT=time, or a signal, its level and which crossing. */
static bool read_event(struct measure_card *m, struct measure_event *e)
{
    struct item *level;
    bool taken = true;
    e->count = 1;
    if (item_is(m->next, "at"))
        return take_time(m, e);
    if (!(e->signal = read_signal(m, &level)))
        return false;
    if (!level && item_is(m->next, "val") && !(level = take_value(m)))
        return false;
    if (!level)
        return fail(m, m->next, "a level: VAL=..");
    if (!(e->level = read_level(m, level)))
        return false;
    while (m->next && taken)
        if (!take_event_setting(m, e, &taken))
            return false;
    return true;
}

static bool read_delay(struct measure_card *m)
{
    if (!read_event(m, &m->out->trigger))
        return false;
    if (!item_is(m->next, "targ"))
        return fail(m, m->next, "TARG");
    m->next = m->next->next;
    return read_event(m, &m->out->target);
}

static bool read_find(struct measure_card *m)
{
    struct item *level;
    if (!(m->out->signal = read_signal(m, &level)))
        return false;
    if (item_is(m->next, "at"))
        return take_time(m, &m->out->target);
    if (!item_is(m->next, "when"))
        return fail(m, m->next, "AT=time or WHEN");
    m->next = m->next->next;
    return read_event(m, &m->out->target);
}

/* Settings of other programs that say how to look for something that is found here without them. */
static bool is_ignored_setting(struct measure_card *m)
{
    static const char *const words[] = {"rise",   "fall",        "cross",     "goal", "weight",
                                        "minval", "default_val", "precision", "print"};
    size_t i = 0;
    while (i < sizeof words / sizeof *words && !item_is(m->next, words[i]))
        i++;
    if (i == sizeof words / sizeof *words)
        return false;
    struct item *name = m->next;
    deck_warn(m->x->deck, "measure", name->where,
              "give the window as FROM= and TO=", "%s: '%s' has no meaning here and is ignored", m->out->name,
              name->text);
    return take_value(m) != NULL;
}

static bool read_window(struct measure_card *m)
{
    while (m->next) {
        if (is_ignored_setting(m))
            continue;
        double *const number = item_is(m->next, "from") || item_is(m->next, "td") ? &m->out->from
                               : item_is(m->next, "to")                           ? &m->out->to
                                                                                  : NULL;
        if (!number)
            return fail(m, m->next, "FROM= or TO=");
        if (!take_number(m, number))
            return false;
    }
    if (m->out->from < m->out->to)
        return true;
    return deck_fail(m->x->deck, "measure", m->out->where, NULL, "'%s': the window from %g s to %g s is empty",
                     m->out->name, m->out->from, m->out->to);
}

/* ---- formulas of results ---- */

static int find_result(void *context, const char *name)
{
    const struct vector *measures = context;
    const struct measure *all = measures->items;
    for (size_t i = measures->count; i-- > 0;) /* the last of that name */
        if (names_equal(all[i].name, name))
            return (int)i;
    return -1;
}

/* NULL with an error. */
static const struct expression *compile_formula(const struct measure_card *m, struct item *formula)
{
    struct deck *k = m->x->deck;
    const struct expression_resolver resolver = {.context = &m->x->measures, .result = find_result};
    const struct expression_tree *tree = expand_tree(m->x, formula);
    return tree ? expression_compile(k->arena, m->top->scope, tree, &resolver, k->diagnostics) : NULL;
}

static bool read_formula(struct measure_card *m, const struct item *param)
{
    struct item *formula = param->value ? param->value : m->next;
    if (!formula || (formula->kind != ITEM_EXPRESSION && formula->kind != ITEM_WORD))
        return fail(m, formula, "a formula of results before it");
    m->next = param->value ? param->next : formula->next;
    m->out->signal = compile_formula(m, formula);
    m->x->deck->failed |= !m->out->signal;
    return m->out->signal && (!m->next || fail(m, m->next, "nothing behind the formula"));
}

/* ---- the card ---- */

static bool read_kind(struct measure_card *m)
{
    for (size_t i = 0; i < KINDS; i++)
        if (item_is(m->next, kinds[i].word)) {
            m->out->kind = kinds[i].kind;
            m->next = m->next->next;
            return true;
        }
    static const char *const others[] = {"err", "err1", "err2", "err3", "four", "fft", "duty", "freq"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (item_is(m->next, others[i]))
            return deck_fail(
                m->x->deck, "unsupported", m->next->where,
                "there are TRIG .. TARG, WHEN, FIND, DERIV, AVG, RMS, INTEG, MIN, MAX, PP, MIN_AT, MAX_AT, PARAM",
                "'%s %s' is not supported", m->statement->items->text, m->next->text);
    const char *words[KINDS];
    for (size_t i = 0; i < KINDS; i++)
        words[i] = kinds[i].word;
    const char *hint = m->next ? deck_did_you_mean(m->x->deck, item_text(m->next), words, KINDS) : NULL;
    return deck_fail(m->x->deck, "measure", m->next ? m->next->where : m->statement->end, hint ? hint : form,
                     "'%s': expected what to measure%s%s%s", m->statement->items->text, m->next ? ", found '" : "",
                     m->next ? item_text(m->next) : "", m->next ? "'" : "");
}

static bool read_rest(struct measure_card *m, const struct item *kind)
{
    struct item *level;
    switch (m->out->kind) {
    case MEASURE_FORMULA:
        return read_formula(m, kind);
    case MEASURE_DELAY:
        return read_delay(m) && read_window(m);
    case MEASURE_WHEN:
        return read_event(m, &m->out->target) && read_window(m);
    case MEASURE_FIND:
    case MEASURE_DERIVATIVE:
        return read_find(m) && read_window(m);
    default:
        m->out->signal = read_signal(m, &level);
        return m->out->signal && read_window(m);
    }
}

static bool is_used(const struct expansion *x, const char *name)
{
    const struct measure *all = x->measures.items;
    for (size_t i = 0; i < x->measures.count; i++)
        if (names_equal(all[i].name, name))
            return true;
    return false;
}

static bool is_kind(const struct item *i)
{
    for (size_t k = 0; k < KINDS; k++)
        if (item_is(i, kinds[k].word))
            return true;
    return false;
}

/* .measure ac name MAX .. and the like belong to analyses that do not run; .measure sens MAX .. is a result of that name. */
static bool is_foreign(const struct measure_card *m)
{
    if (!deck_analysis(m->x->deck, m->next) || item_is(m->next, "tran") || is_kind(m->next->next))
        return false;
    deck_warn(m->x->deck, "unsupported", m->next->where, NULL, "'%s %s' is not supported yet; ignored",
              m->statement->items->text, m->next->text);
    return true;
}

/* The card behind its name; *made is what it asks for. */
static bool read_named(struct measure_card *m, const struct item *name)
{
    struct expansion *x = m->x;
    m->out->where = name->where;
    m->next = name->next;
    const struct item *kind = m->next;
    if (!read_kind(m) || !read_rest(m, kind))
        return false;
    if (is_used(x, m->out->name))
        deck_warn(x->deck, "measure", name->where, "give each of them a name of its own",
                  "there are two measurements named '%s'; both are made", m->out->name);
    return true;
}

static void read_card(struct expansion *x, const struct instance *top, struct statement *s)
{
    struct measure made = {.to = INFINITY};
    struct measure_card m = {x, top, s, s->items->next, &made};
    if (s->broken || is_foreign(&m))
        return;
    if (item_is(m.next, "tran"))
        m.next = m.next->next;
    const struct item *name = m.next;
    if (!name || (name->kind != ITEM_WORD && name->kind != ITEM_STRING) || name->value) {
        fail(&m, name, "the name of the result");
        return;
    }
    made.name = arena_text(x->deck->arena, name->text, strlen(name->text));
    if (!made.name) {
        deck_no_memory(x->deck);
        return;
    }
    if (!read_named(&m, name))
        made = (struct measure){.name = made.name, .kind = MEASURE_NOTHING, .where = name->where};
    expand_add(x, &x->measures, &made);
}

void read_measure(struct expansion *x, struct instance *top, struct statement *s)
{
    struct leniency lenient;
    if (!deck_begin_lenient(x->deck, &lenient))
        return;
    read_card(x, top, s);
    deck_end_lenient(x->deck, &lenient, "this measurement fails");
}
