/* measured.c - see measured.h.  Signals become columns m_0, m_1 .. of a table, and the line a .measure of such columns. */
#include "control/measured.h"

#include "analyses/faults.h"
#include "analyses/measure/measure_rows.h"
#include "analyses/run.h"
#include "base/text.h"
#include "control/script/lists.h"
#include "netlist/expression/expression.h"
#include "output/decimal.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_SIGNALS = 16 };

struct measuring {
    struct state *state;
    const struct plot *plot;
    struct text line;
    const char *name;
    struct values signals[MOST_SIGNALS];
    const char *written[MOST_SIGNALS]; /* as the line has them */
    size_t count;
    struct kn_measurement result;
    bool told;
};

/* ---- the line ---- */

static bool is_word(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcasecmp(word, *list) == 0)
            return true;
    return false;
}

static bool is_keyword(const char *word)
{
    static const char *const words[] = {
        "trig",  "targ",       "find",   "when",   "at",   "val",    "rise",   "fall", "cross", "last",
        "td",    "from",       "to",     "max",    "min",  "pp",     "avg",    "rms",  "integ", "integral",
        "deriv", "derivative", "min_at", "max_at", "goal", "weight", "minval", "err",  "err1",  "err2",
        "err3",  "duty",       "freq",   "on",     "off",  "ymin",   "ymax",   NULL};
    return is_word(word, words);
}

/* A word up to a blank or = outside parentheses. */
static const char *next_token(struct state *s, const char **text)
{
    const char *at = *text + strspn(*text, " \t"), *from = at;
    int depth = 0;
    bool quoted = false;
    for (; *at && (quoted || depth > 0 || !strchr(" \t=", *at)); at++) {
        depth += (*at == '(' || *at == '{') - (*at == ')' || *at == '}');
        quoted ^= *at == '\'' || *at == '"';
    }
    *text = at;
    return arena_text(s->scratch, from, (size_t)(at - from));
}

static bool add_number(struct measuring *m, double x)
{
    char text[DECIMAL_TEXT];
    decimal_shortest(x, text);
    text_format(&m->line, " %s", text);
    return true;
}

/* A formula: a number, or a column. */
static bool add_signal(struct measuring *m, const char *text)
{
    struct state *s = m->state;
    struct values v;
    char *inside = arena_text(s->scratch, text, strlen(text));
    if (!inside)
        return state_no_memory(s);
    const size_t length = strlen(inside);
    if (length > 1 && (*inside == '\'' || *inside == '"') && inside[length - 1] == *inside) {
        inside[length - 1] = '\0';
        inside++;
    }
    if (!state_evaluate(s, inside, &v))
        return false;
    if (v.count == 1 && !s->dry)
        return add_number(m, creal(v.at[0]));
    if (m->count == MOST_SIGNALS)
        return state_fail(s, NULL, "meas: more than %d signals", (int)MOST_SIGNALS);
    text_format(&m->line, " m_%zu", m->count);
    m->written[m->count] = inside;
    m->signals[m->count++] = v;
    return true;
}

/* What must be a number: while nothing has been run, a vector may still become one. */
static bool is_place(const char *keyword)
{
    static const char *const words[] = {"at", "from", "to", "td", NULL};
    return is_word(keyword, words);
}

static bool take_value(struct measuring *m, const char *keyword, const char **rest)
{
    *rest += strspn(*rest, " \t");
    const char *value = next_token(m->state, rest);
    double number;
    if (!value)
        return state_no_memory(m->state);
    if (!*value)
        return state_fail(m->state, NULL, "meas: expected a value behind '%s='", keyword);
    text_add(&m->line, "=");
    if (expression_number(value, strlen(value), &number) || strcasecmp(value, "last") == 0) {
        text_add(&m->line, value);
        return true;
    }
    const size_t signals = m->count, length = m->line.used;
    if (!add_signal(m, value))
        return false;
    if (m->state->dry && is_place(keyword)) {
        m->count = signals;
        m->line.used = length;
        m->line.at[length] = '\0';
        return add_number(m, strcasecmp(keyword, "to") == 0 ? 1e30 : 0);
    }
    return true;
}

static bool take_token(struct measuring *m, const char *token, const char **rest)
{
    const char *behind = *rest + strspn(*rest, " \t");
    const bool keyword = is_keyword(token), equals = *behind == '=';
    if (keyword)
        text_format(&m->line, " %s", token);
    else if (!add_signal(m, token))
        return false;
    if (!equals)
        return true;
    *rest = behind + 1;
    return take_value(m, token, rest);
}

/* meas tran name param='formula' */
static bool is_formula(const char **rest)
{
    const char *at = *rest + strspn(*rest, " \t");
    if (strncasecmp(at, "param", 5) != 0)
        return false;
    at += 5 + strspn(at + 5, " \t");
    if (*at != '=')
        return false;
    *rest = at + 1 + strspn(at + 1, " \t");
    return true;
}

static void take_result(struct measuring *m, double value)
{
    struct state *s = m->state;
    double complex z = value;
    if (!plot_put(s->plots.current, m->name, &(struct values){.at = &z, .count = 1, .quantity = KN_OTHER}))
        state_no_memory(s);
}

static bool take_formula(struct measuring *m, const char *rest)
{
    double value;
    struct state *s = m->state;
    char *text = arena_text(s->scratch, rest, strlen(rest));
    if (!text)
        return state_no_memory(s);
    const size_t length = strlen(text);
    if (length > 1 && (*text == '\'' || *text == '"')) {
        text[length - 1] = '\0';
        text++;
    }
    if (!state_evaluate_number(s, text, &value) || s->dry)
        return s->status == KN_OK;
    take_result(m, value);
    state_print(s, "%-20s= % .6e\n", m->name, value);
    return s->status == KN_OK;
}

/* ---- the table ---- */

static void measured(void *context, const struct kn_measurement *found)
{
    struct measuring *m = context;
    m->result = *found;
    m->told = true;
}

static bool fits(struct measuring *m)
{
    const struct plot *p = m->plot;
    if (p->scale >= p->count)
        return state_fail(m->state, "setplot chooses another plot", "meas: plot %s has no scale", p->name);
    for (size_t i = 0; i < m->count; i++)
        if (m->signals[i].count != p->vectors[p->scale].count)
            return state_fail(m->state, NULL, "meas: a signal has %zu numbers, the scale of plot %s has %zu",
                              m->signals[i].count, p->name, p->vectors[p->scale].count);
    return true;
}

static enum kn_status send(const struct measuring *m, struct kn_sink *to)
{
    struct kn_column columns[MOST_SIGNALS + 1];
    double row[MOST_SIGNALS + 1];
    char names[MOST_SIGNALS][32];
    const struct vector_kept *scale = &m->plot->vectors[m->plot->scale];
    columns[0] = (struct kn_column){scale->name, scale->quantity};
    for (size_t i = 0; i < m->count; i++) {
        snprintf(names[i], sizeof names[i], "m_%zu", i);
        columns[i + 1] = (struct kn_column){names[i], KN_OTHER};
    }
    const struct kn_table table = {m->plot->title, m->plot->label, columns, m->count + 1, 1, 0};
    enum kn_status status = to->begin(to->context, &table);
    for (size_t k = 0; status == KN_OK && k < scale->count; k++) {
        row[0] = scale->real[k];
        for (size_t i = 0; i < m->count; i++)
            row[i + 1] = m->signals[i].is_complex ? cabs(m->signals[i].at[k]) : creal(m->signals[i].at[k]);
        status = to->row(to->context, row);
    }
    return to->end(to->context, status);
}

/* The signal that a column m_0 is, at the beginning of a text; its length there. */
static const char *column_at(const struct measuring *m, const char *text, size_t *length)
{
    char *end;
    const bool named = text[0] == 'm' && text[1] == '_' && text[2] >= '0' && text[2] <= '9';
    const unsigned long number = named ? strtoul(text + 2, &end, 10) : m->count;
    if (number >= m->count)
        return NULL;
    *length = (size_t)(end - text);
    return m->written[number];
}

/* What is said of columns is said of what the line has. */
static void tell(const struct measuring *m, const struct kn_diagnostics *said)
{
    for (size_t i = 0; i < kn_diagnostics_count(said); i++) {
        const struct kn_diagnostic *d = kn_diagnostics_get(said, i);
        struct text text = text_growing(m->state->scratch);
        size_t length;
        for (const char *at = d->text; *at;) {
            const bool inside = at > d->text && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
            const char *signal = inside ? NULL : column_at(m, at, &length);
            if (signal)
                text_add(&text, signal);
            else
                text_format(&text, "%c", *at);
            at += signal ? length : 1;
        }
        const char *whole = text_take(&text);
        diagnostics_add(m->state->request->diagnostics, d->severity, d->code, d->where, d->hint, "%s",
                        whole ? whole : d->text);
    }
}

static enum kn_status measure(struct measuring *m, const struct circuit *c)
{
    struct state *s = m->state;
    struct measure_rows rows = {0};
    struct kn_diagnostics *said = kn_diagnostics_new();
    if (!said)
        return KN_ERROR_MEMORY;
    const struct measure_listener listener = {said, measured, m, NULL};
    const struct kn_sink next = run_sink_of_nothing();
    double *results = arena_array(s->scratch, c->measure_count + 1, sizeof *results);
    for (size_t i = 0; results && i < c->measure_count; i++)
        results[i] = NAN;
    enum kn_status status = measure_rows_init(&rows, c, MEASURE_OF_VECTORS, results, &listener, &next);
    if (status == KN_OK) {
        struct kn_sink sink = measure_rows_sink(&rows);
        status = send(m, &sink);
    }
    measure_rows_free(&rows);
    tell(m, said);
    kn_diagnostics_free(said);
    return status;
}

static void print_result(struct state *s, const struct measuring *m)
{
    const struct kn_measurement *r = &m->result;
    state_print(s, "%-20s= % .6e", m->name, r->value);
    if (isfinite(r->at))
        state_print(s, " at= % .6e", r->at);
    if (isfinite(r->from))
        state_print(s, " from= % .6e", r->from);
    if (isfinite(r->to))
        state_print(s, " to= % .6e", r->to);
    state_print(s, "\n");
}

/* The .measure card of the columns in a deck of its own. */
static bool with_card(struct measuring *m, const char *card)
{
    struct state *s = m->state;
    struct deck *deck = NULL;
    struct circuit *c = NULL;
    struct kn_location where = s->command->where;
    struct kn_diagnostics *said = kn_diagnostics_new();
    if (!said)
        return state_no_memory(s);
    enum kn_status status = deck_with_cards(s->request->circuit->deck, "", card, where, said, &deck);
    if (status == KN_OK)
        status = deck_expand(deck, NULL, faults_of_deck, said, &c);
    tell(m, said);
    kn_diagnostics_free(said);
    if (status == KN_OK && c->measure_count == 1 && c->measures[0].kind == MEASURE_NOTHING)
        state_warn(s, "meas has the words of .measure", "meas: '%s' cannot be measured", m->name);
    else if (status == KN_OK && !s->dry && fits(m))
        status = measure(m, c);
    if (c)
        circuit_free(c);
    deck_free(deck);
    if (status == KN_ERROR_DECK && s->analysed)
        status = KN_ERROR_CIRCUIT;
    s->status = s->status == KN_OK ? status : s->status;
    return s->status == KN_OK;
}

bool measured_take(struct state *s, const char *rest)
{
    static const char *const words[] = {"tran", "ac", "dc", "noise", "sp", "fft", "spec", NULL};
    struct measuring m = {.state = s, .plot = s->plots.current, .line = text_growing(s->scratch)};
    if (!strpbrk(rest, "'{") && !list_redirect(s, &rest)) /* where no formula may mean a comparison */
        return false;
    const char *analysis = state_word(s, &rest);
    m.name = state_word(s, &rest);
    if (!analysis || !m.name || !is_word(analysis, words)) {
        state_warn(s, "meas tran name MAX v(out)", "meas: expected an analysis, tran ac dc noise or sp, and a name");
        return true;
    }
    if (!s->dry && strncasecmp(m.plot->name, analysis, strlen(analysis)) != 0)
        return state_fail(s, "setplot chooses another plot", "meas %s: the current plot is %s", analysis, m.plot->name);
    if (is_formula(&rest))
        return take_formula(&m, rest);
    text_format(&m.line, ".measure vectors %s", m.name);
    for (rest += strspn(rest, " \t"); *rest; rest += strspn(rest, " \t")) {
        const char *token = next_token(s, &rest);
        if (!token)
            return state_no_memory(s);
        if (!*token) {
            state_warn(s, "meas has the words of .measure", "meas: '%s' cannot be measured: expected a word before '='",
                       m.name);
            return true;
        }
        if (!take_token(&m, token, &rest))
            return false;
    }
    const char *card = text_take(&m.line);
    if (!with_card(&m, card) || s->dry)
        return s->status == KN_OK;
    if (m.told && isfinite(m.result.value)) {
        take_result(&m, m.result.value);
        print_result(s, &m);
    } else if (m.told) {
        state_print(s, "%-20s= failed\n", m.name);
    }
    return s->status == KN_OK;
}
