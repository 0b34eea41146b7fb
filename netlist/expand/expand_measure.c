/* expand_measure.c - .measure cards, in the forms that SPICE programs share:
 *
 *     .measure [tran|ac|dc|noise|fft] name TRIG signal VAL=level [RISE|FALL|CROSS=n|LAST] [TD=point] TARG ..
 *     .measure .. name WHEN signal=level [RISE=..] [TD=..] [FROM=..] [TO=..]
 *     .measure .. name FIND|DERIV signal AT=point, or WHEN ..
 *     .measure .. name AVG|RMS|INTEG|MIN|MAX|PP|MIN_AT|MAX_AT signal [FROM=..] [TO=..], or TRIG .. TARG .. as the window
 *     .measure .. name ERR|ERR1|ERR2|ERR3 signal signal [MINVAL=..] [YMIN=..] [YMAX=..] [FROM=..] [TO=..]
 *     .measure .. name DUTY|FREQ|ON_TIME|OFF_TIME signal [ON=..] [OFF=..]
 *     .measure .. name PARAM|EQN='formula of results before it'
 *     .measure fft name THD|SNR|SNDR|ENOB|SFDR signal
 *     .measure op name FIND|AVG|MIN|MAX signal
 *
 * (expand_measure_parts.c has the pieces).  A card that cannot be read is a warning, and the result of its name is there,
 * but fails.
 */
#include "netlist/expand/expand_measure.h"

#include <math.h>
#include <string.h>
#include <strings.h>

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
    {"min_at", MEASURE_MINIMUM_AT},
    {"max_at", MEASURE_MAXIMUM_AT},
    {"deriv", MEASURE_DERIVATIVE},
    {"derivative", MEASURE_DERIVATIVE},
    {"err", MEASURE_ERROR_SQUARE},
    {"err1", MEASURE_ERROR_SQUARE},
    {"err2", MEASURE_ERROR_ABSOLUTE},
    {"err3", MEASURE_ERROR_LOGARITHM},
    {"error", MEASURE_DISTANCE},
    {"duty", MEASURE_DUTY},
    {"freq", MEASURE_FREQUENCY},
    {"on_time", MEASURE_ON},
    {"off_time", MEASURE_OFF},
    {"four", MEASURE_DISTORTION},
    {"thd", MEASURE_DISTORTION},
    {"snr", MEASURE_NOISE_RATIO},
    {"sndr", MEASURE_NOISE_AND_DISTORTION_RATIO},
    {"sinad", MEASURE_NOISE_AND_DISTORTION_RATIO},
    {"enob", MEASURE_BITS},
    {"sfdr", MEASURE_SPURIOUS_RANGE},
    {"param", MEASURE_FORMULA},
    {"eqn", MEASURE_FORMULA},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct {
    const char *word;
    enum measure_domain domain;
} domains[] = {{"tran", MEASURE_OF_TRANSIENT}, {"ac", MEASURE_OF_AC},           {"dc", MEASURE_OF_DC},
               {"noise", MEASURE_OF_NOISE},    {"fft", MEASURE_OF_SPECTRUM},    {"four", MEASURE_OF_SPECTRUM},
               {"op", MEASURE_OF_POINT},       {"vectors", MEASURE_OF_VECTORS}, {"sp", MEASURE_OF_VECTORS}};

/* ---- settings ---- */

static bool is_spectral(enum measure_kind k)
{
    return k >= MEASURE_DISTORTION && k <= MEASURE_SPURIOUS_RANGE;
}

/* Settings of other programs that say how to look for something that is found here without them. */
static bool take_ignored(struct measure_card *m, bool *taken)
{
    static const char *const silent[] = {"print", "precision"};
    static const char *const words[] = {"frac_max",    "file",          "minfreq",  "maxfreq", "depvarcol",
                                        "indepvarcol", "comp_function", "gridsize", "numfreq", "binsiz"};
    *taken = true;
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (item_is(m->next, silent[i]))
            return measure_value(m) != NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (item_is(m->next, words[i])) {
            struct item *name = m->next;
            deck_warn(m->x->deck, "measure", name->where,
                      "FROM= and TO= give the window, .four the number of harmonics",
                      "%s: '%s' has no meaning here and is ignored", m->out->name, name->text);
            return measure_value(m) != NULL;
        }
    *taken = false;
    return true;
}

/* MAX .. RISE=2: within the second rise of the signal. */
static bool take_run(struct measure_card *m, bool *taken)
{
    static const struct {
        const char *word;
        enum crossing run;
    } runs[] = {{"rise", CROSSING_RISE}, {"fall", CROSSING_FALL}, {"cross", CROSSING_ANY}};
    for (size_t i = 0; i < 3; i++)
        if (item_is(m->next, runs[i].word)) {
            *taken = m->out->runs = true;
            m->out->run = runs[i].run;
            return measure_count(m, &m->out->run_count);
        }
    return true;
}

static bool take_numbers(struct measure_card *m, bool *taken)
{
    struct measure *out = m->out;
    double harmonics = 0;
    const struct {
        const char *word;
        double *number;
        bool *given;
    } numbers[] = {{"goal", &out->goal, &out->has_goal},
                   {"weight", &out->weight, NULL},
                   {"lbound", &out->lowest, NULL},
                   {"ubound", &out->highest, NULL},
                   {"minval", &out->minval, NULL},
                   {"ymin", &out->least, NULL},
                   {"ymax", &out->most, NULL},
                   {"default_val", &out->otherwise, &out->has_default},
                   {"on", &out->on, NULL},
                   {"off", &out->off, NULL},
                   {"nbharm", &harmonics, NULL},
                   {"freq", &out->fundamental, NULL}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && !*taken; i++) {
        if (!item_is(m->next, numbers[i].word))
            continue;
        *taken = true;
        if (!measure_constant(m, numbers[i].number))
            return false;
        if (numbers[i].given)
            *numbers[i].given = true;
        if (item_is(m->next, "nbharm"))
            out->harmonics = (long)harmonics;
    }
    if (harmonics > 0)
        out->harmonics = (long)harmonics;
    return true;
}

/* MAX .. OUTPUT=TIME is where it is. */
static bool take_output(struct measure_card *m)
{
    const struct item *value = measure_value(m);
    const bool where = item_is(value, "time") || item_is(value, "freq") || item_is(value, "sv");
    if (where && m->out->kind == MEASURE_MAXIMUM)
        m->out->kind = MEASURE_MAXIMUM_AT;
    else if (where && m->out->kind == MEASURE_MINIMUM)
        m->out->kind = MEASURE_MINIMUM_AT;
    return value != NULL;
}

/* LTspice: AVG v(a) TRIG .. TARG .. */
static bool take_window_event(struct measure_card *m, struct measure_event *e)
{
    m->next = m->next->next;
    m->out->depends = true;
    return measure_event(m, e);
}

static bool take_level_of_runs(struct measure_card *m)
{
    struct item *value = measure_value(m);
    if (!value)
        return false;
    m->out->trigger.level = m->out->target.level =
        expand_signal(m->x, m->top, value, value->next, &(struct expansion_names){.results = true});
    return m->out->trigger.level != NULL;
}

static bool take_setting(struct measure_card *m)
{
    struct measure *out = m->out;
    const bool is_event = out->kind <= MEASURE_DERIVATIVE;
    bool taken = false;
    if (out->kind == MEASURE_DISTANCE && (!measure_comparison(m, &taken) || taken))
        return taken && !m->x->deck->failed;
    if (item_is(m->next, "from") || item_is(m->next, "td"))
        return measure_number(m, &out->from);
    if (item_is(m->next, "to"))
        return measure_number(m, &out->to);
    if (item_is(m->next, "output"))
        return take_output(m);
    if (item_is(m->next, "rfc_level"))
        return take_level_of_runs(m);
    if (!is_event && item_is(m->next, "trig"))
        return take_window_event(m, &out->trigger);
    if (!is_event && item_is(m->next, "targ"))
        return take_window_event(m, &out->target);
    if (is_spectral(out->kind) && item_is(m->next, "at"))
        return measure_constant(m, &out->fundamental);
    if (!is_event && !take_run(m, &taken))
        return false;
    return taken || (take_numbers(m, &taken) && (taken || (take_ignored(m, &taken) && taken)));
}

/* RISE=2 RFC_LEVEL=1: from there to where the signal falls through the level again. */
static void frame_runs(struct measure *out)
{
    if (!out->runs || !out->trigger.level)
        return;
    out->trigger.signal = out->target.signal = out->signal;
    out->trigger.crossing = out->run;
    out->trigger.count = out->run_count;
    out->target.crossing = out->run == CROSSING_RISE   ? CROSSING_FALL
                           : out->run == CROSSING_FALL ? CROSSING_RISE
                                                       : CROSSING_ANY;
    out->target.count = 1;
}

/* What .dc sweeps may go down. */
static bool check_window(const struct measure_card *m)
{
    const struct measure *out = m->out;
    const bool known = !out->from.formula && !out->to.formula;
    const double from = out->from.value, to = out->to.value;
    const char *unit = out->domain == MEASURE_OF_TRANSIENT ? " s" : out->domain == MEASURE_OF_DC ? "" : " Hz";
    if (!known || (out->domain == MEASURE_OF_DC ? from != to : from < to))
        return true;
    return deck_fail(m->x->deck, "measure", out->where, NULL, "'%s': the window from %g%s to %g%s is empty", out->name,
                     from, unit, to, unit);
}

static bool read_settings(struct measure_card *m)
{
    struct measure *out = m->out;
    while (m->next) {
        const struct item *here = m->next;
        if (take_setting(m))
            continue;
        return !m->x->deck->failed && measure_fail(m, here, "FROM= or TO="); /* unless that has been said */
    }
    frame_runs(out);
    out->on = isnan(out->on) ? out->off : out->on;
    out->off = isnan(out->off) ? out->on : out->off;
    out->depends |= out->runs;
    return check_window(m);
}

/* ---- the forms ---- */

static bool read_delay(struct measure_card *m)
{
    if (!measure_event(m, &m->out->trigger))
        return false;
    if (!item_is(m->next, "targ"))
        return measure_fail(m, m->next, "TARG");
    m->next = m->next->next;
    return measure_event(m, &m->out->target);
}

static bool read_find(struct measure_card *m)
{
    struct item *level;
    if (!(m->out->signal = measure_signal(m, &level)))
        return false;
    if (!item_is(m->next, "at") && !item_is(m->next, "when"))
        return measure_fail(m, m->next, "AT=point or WHEN");
    return measure_event(m, &m->out->target);
}

/* Two signals, side by side. */
static bool read_error(struct measure_card *m)
{
    struct item *first = m->next, *second = first ? first->next : NULL, *level;
    while (second && second->kind == ITEM_GROUP)
        second = second->next;
    if (!first || !second || measure_is_keyword(second))
        return measure_fail(m, second, "two signals");
    const struct expansion_names names = {.of_phasors = m->out->domain == MEASURE_OF_AC};
    m->out->signal = expand_signal(m->x, m->top, first, second, &names);
    m->next = second;
    m->out->other = m->out->signal ? measure_signal(m, &level) : NULL;
    return m->out->other != NULL;
}

static bool read_distance(struct measure_card *m)
{
    struct item *level;
    if (!(m->out->signal = measure_signal(m, &level)) || !read_settings(m))
        return false;
    if (!m->file || m->columns[0] < 0 || m->columns[1] < 0)
        return measure_fail(m, NULL, "FILE=name INDEPVARCOL=number DEPVARCOL=number");
    const size_t columns[] = {(size_t)m->columns[0], (size_t)m->columns[1]};
    m->out->points = expand_columns_of(m->x, m->file, columns, &m->out->point_count);
    return m->out->points != NULL;
}

/* .measure tran name FOUR v(a) AT=1k: what .four 1k v(a) finds. */
static bool add_spectrum(struct measure_card *m)
{
    struct arena *a = m->x->deck->arena;
    struct spectrum_signal *signal = arena_alloc(a, sizeof *signal);
    char *label = expression_print(a, m->out->signal, NULL);
    struct spectrum_request *slot = vector_push(&m->x->spectra);
    if (!signal || !label || !slot)
        return deck_no_memory(m->x->deck);
    if (!(m->out->fundamental > 0))
        return measure_fail(m, NULL, "AT=frequency");
    *signal = (struct spectrum_signal){m->out->signal, label};
    *slot = (struct spectrum_request){.signals = signal,
                                      .signal_count = 1,
                                      .fundamental = m->out->fundamental,
                                      .harmonics = 9,
                                      .periods = 1,
                                      .where = m->out->where};
    m->out->domain = MEASURE_OF_SPECTRUM;
    return true;
}

/* A formula of results of other analyses is known when the last of these is: in the order in which a deck gets them. */
static bool wait_for_results(const struct measure_card *m)
{
    static const int order[MEASURE_DOMAINS] = {
        [MEASURE_OF_POINT] = 0,   [MEASURE_OF_DC] = 1,        [MEASURE_OF_AC] = 2,      [MEASURE_OF_NOISE] = 3,
        [MEASURE_OF_VECTORS] = 4, [MEASURE_OF_TRANSIENT] = 5, [MEASURE_OF_SPECTRUM] = 6};
    const struct measure *all = m->x->measures.items;
    const struct expression *e = m->out->signal;
    for (size_t i = 0; i < expression_variable_count(e); i++) {
        const struct expression_variable *v = &expression_variables(e)[i];
        const enum measure_domain d = v->kind == EXPRESSION_RESULT ? all[v->index].domain : m->out->domain;
        m->out->domain = order[d] > order[m->out->domain] ? d : m->out->domain;
    }
    return true;
}

/* At a single point what finds a value finds the same one, AT= or WHEN whatever. */
static bool read_of_point(struct measure_card *m, const struct item *kind)
{
    struct item *level;
    const enum measure_kind k = m->out->kind;
    if (k != MEASURE_FIND && k != MEASURE_AVERAGE && k != MEASURE_MINIMUM && k != MEASURE_MAXIMUM)
        return deck_fail(
            m->x->deck, "measure", kind->where,
            "write .measure op name FIND v(a), or PARAM='formula'; a curve is measured as .measure tran, ac "
            "or dc",
            "'%s op' is of a single point, where '%s' has no meaning", m->statement->items->text, item_text(kind));
    m->out->kind = MEASURE_FORMULA;
    m->out->signal = measure_signal(m, &level);
    return m->out->signal && wait_for_results(m);
}

static bool read_rest(struct measure_card *m, struct item *kind)
{
    struct item *level;
    if (m->out->domain == MEASURE_OF_POINT && m->out->kind != MEASURE_FORMULA)
        return read_of_point(m, kind);
    switch (m->out->kind) {
    case MEASURE_FORMULA:
        m->out->signal = measure_formula(m, kind);
        return m->out->signal && wait_for_results(m);
    case MEASURE_DELAY:
        return read_delay(m) && read_settings(m);
    case MEASURE_WHEN:
        return measure_event(m, &m->out->target) && read_settings(m);
    case MEASURE_FIND:
    case MEASURE_DERIVATIVE:
        return read_find(m) && read_settings(m);
    case MEASURE_ERROR_SQUARE:
    case MEASURE_ERROR_ABSOLUTE:
    case MEASURE_ERROR_LOGARITHM:
        return read_error(m) && read_settings(m);
    case MEASURE_DISTANCE:
        return read_distance(m);
    default:
        m->out->signal = measure_signal(m, &level);
        if (!m->out->signal || !read_settings(m))
            return false;
        return !is_spectral(m->out->kind) || m->out->domain == MEASURE_OF_SPECTRUM || add_spectrum(m);
    }
}

/* ---- the card ---- */

static bool is_kind(const struct item *i)
{
    for (size_t k = 0; k < KINDS; k++)
        if (item_is(i, kinds[k].word))
            return true;
    return false;
}

static bool read_kind(struct measure_card *m)
{
    for (size_t i = 0; i < KINDS; i++)
        if (item_is(m->next, kinds[i].word)) {
            m->out->kind = kinds[i].kind;
            m->next = m->next->next;
            return true;
        }
    if (item_is(m->next, "err_file"))
        return deck_fail(m->x->deck, "unsupported", m->next->where,
                         "ERR1 to ERR3 compare two signals of the deck, and 'knoten compare' two runs",
                         "'%s %s', which compares with a file, is not supported", m->statement->items->text,
                         m->next->text);
    const char *words[KINDS];
    for (size_t i = 0; i < KINDS; i++)
        words[i] = kinds[i].word;
    const char *hint = m->next ? deck_did_you_mean(m->x->deck, item_text(m->next), words, KINDS) : NULL;
    return deck_fail(m->x->deck, "measure", m->next ? m->next->where : m->statement->end, hint ? hint : measure_form,
                     "'%s': expected what to measure%s%s%s", m->statement->items->text, m->next ? ", found '" : "",
                     m->next ? item_text(m->next) : "", m->next ? "'" : "");
}

static bool is_used(const struct expansion *x, const struct measure *made)
{
    const struct measure *all = x->measures.items;
    for (size_t i = 0; i < x->measures.count; i++)
        if (names_equal(all[i].name, made->name) && all[i].domain == made->domain)
            return true;
    return false;
}

static bool has_card(const struct expansion *x, const char *name)
{
    const struct analysis_card *all = x->cards.items;
    for (size_t i = 0; i < x->cards.count; i++)
        if (names_equal(all[i].name, name))
            return true;
    return false;
}

/* Whether the deck asks for the analysis of such results. */
static bool has_analysis(const struct expansion *x, enum measure_domain domain)
{
    switch (domain) {
    case MEASURE_OF_AC:
        return x->sweeps.count > 0;
    case MEASURE_OF_DC:
        return has_card(x, ".dc");
    case MEASURE_OF_NOISE:
        return x->noises.count > 0;
    case MEASURE_OF_SPECTRUM:
        return x->spectra.count > 0;
    case MEASURE_OF_POINT:
        return x->circuit->has_operating_point;
    case MEASURE_OF_VECTORS:
        return x->deck->has_vectors || x->port_requests.count > 0;
    default:
        return x->transients.count > 0;
    }
}

/* Without a word for it, as LTspice has it: of the analysis that there is. */
static enum measure_domain only_domain(const struct expansion *x)
{
    for (int d = 0; d < MEASURE_OF_SPECTRUM; d++)
        if (has_analysis(x, (enum measure_domain)d))
            return (enum measure_domain)d;
    return has_analysis(x, MEASURE_OF_POINT) ? MEASURE_OF_POINT : MEASURE_OF_TRANSIENT;
}

/* ac MAX v(a), where ac is the name of a result; but not ac rms RMS v(a). */
static bool is_kind_behind(const struct item *word)
{
    return is_kind(word->next) && !(word->next && is_kind(word->next->next));
}

/* .measure ac name MAX ..; but .measure sens MAX .. is a result of that name.  False for analyses without measurements. */
static bool read_domain(struct measure_card *m)
{
    m->out->domain = only_domain(m->x);
    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++)
        if (item_is(m->next, domains[i].word) &&
            (domains[i].domain != MEASURE_OF_VECTORS || has_analysis(m->x, MEASURE_OF_VECTORS)) &&
            (i == 0 || !is_kind_behind(m->next))) {
            m->out->domain = domains[i].domain;
            m->next = m->next->next;
            return true;
        }
    if (item_is(m->next, "tran_cont") || item_is(m->next, "ac_cont") || item_is(m->next, "dc_cont")) {
        deck_warn(m->x->deck, "unsupported", m->next->where,
                  "write .measure tran name .. RISE=1, another for RISE=2, ..",
                  "'%s %s', which measures each crossing, is not supported; ignored", m->statement->items->text,
                  m->next->text);
        return false;
    }
    if (!deck_analysis(m->x->deck, m->next) || is_kind_behind(m->next))
        return true;
    deck_warn(m->x->deck, "unsupported", m->next->where, "there are measurements of tran, ac, dc, op, noise and fft",
              "'%s %s' is not supported; ignored", m->statement->items->text, m->next->text);
    return false;
}

static bool check_analysis(const struct measure_card *m)
{
    static const char *const cards[MEASURE_DOMAINS] = {".tran",         ".ac", ".dc",     ".noise",
                                                       ".four or .fft", ".op", ".control"};
    const enum measure_domain d = m->out->domain;
    if (m->out->kind == MEASURE_FORMULA || has_analysis(m->x, d))
        return true;
    return deck_fail(m->x->deck, "measure", m->out->where, NULL,
                     "%s: the deck has no %s card that it could be measured of", m->out->name, cards[d]);
}

/* The card behind its name; *made is what it asks for. */
static bool read_named(struct measure_card *m, const struct item *name)
{
    struct expansion *x = m->x;
    m->out->where = name->where;
    m->next = name->next;
    struct item *kind = m->next;
    if (!read_kind(m) || !read_rest(m, kind) || !check_analysis(m))
        return false;
    if (is_used(x, m->out))
        deck_warn(x->deck, "measure", name->where, "give each of them a name of its own",
                  "there are two measurements named '%s'; both are made", m->out->name);
    return true;
}

/* pdp=param('a*b'), of HSPICE's decks, as pdp param=('a*b'). */
static struct item *with_name_behind_sign(struct measure_card *m, struct item *i)
{
    static const char param[] = "param";
    const size_t length = sizeof param - 1;
    const struct item *formula = i && i->kind == ITEM_WORD && !i->next ? i->value : NULL;
    if (!formula || formula->kind != ITEM_EXPRESSION || strncasecmp(formula->text, param, length) != 0 ||
        formula->text[length] != '(')
        return i;
    struct arena *a = m->x->deck->scratch;
    struct item *name = arena_alloc(a, sizeof *name), *word = arena_alloc(a, sizeof *word),
                *value = arena_alloc(a, sizeof *value);
    if (!name || !word || !value) {
        deck_no_memory(m->x->deck);
        return NULL;
    }
    *name = *i;
    *value = *formula;
    value->text += length;
    value->begin += length;
    value->where.column += (int)length;
    *word = (struct item){.kind = ITEM_WORD, .text = param, .where = formula->where, .value = value};
    name->value = NULL;
    name->next = word;
    return name;
}

static void read_card(struct expansion *x, const struct instance *top, struct statement *s)
{
    struct measure made = {.from = {-INFINITY, NULL},
                           .to = {INFINITY, NULL},
                           .on = NAN,
                           .off = NAN,
                           .minval = 1e-12,
                           .least = 1e-15,
                           .most = 1e15,
                           .weight = 1,
                           .lowest = -INFINITY,
                           .highest = INFINITY};
    struct measure_card m = {x, top, s, s->items->next, &made, NULL, NULL, {-1, -1}};
    if (s->broken || !read_domain(&m))
        return;
    m.next = with_name_behind_sign(&m, m.next);
    const struct item *name = m.next;
    if (!name || (name->kind != ITEM_WORD && name->kind != ITEM_STRING) || name->value) {
        measure_fail(&m, name, "the name of the result");
        return;
    }
    made.name = arena_text(x->deck->arena, name->text, strlen(name->text));
    if (!made.name) {
        deck_no_memory(x->deck);
        return;
    }
    if (!read_named(&m, name))
        made =
            (struct measure){.name = made.name, .kind = MEASURE_NOTHING, .domain = made.domain, .where = name->where};
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
