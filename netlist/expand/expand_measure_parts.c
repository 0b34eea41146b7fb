/* expand_measure_parts.c - the pieces of .measure cards: signals, levels, numbers, events.
 *
 * A signal is an expression of voltages, currents, parameters and results before it, up to the next keyword
 * (expand_signal.c).
 */
#include "netlist/expand/expand_measure.h"
#include "netlist/expression/expression_tree.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const char measure_form[] = "write .measure tran name TRIG v(a) VAL=1 RISE=1 TARG v(b) VAL=1 FALL=1; FIND v(a) WHEN "
                            "v(b)=1; or MAX v(a) FROM=0 TO=1m, likewise MIN PP AVG RMS INTEG";

/* Words that end a signal. */
static const char *const keywords[] = {
    "trig",      "targ",    "when",      "at",        "val",         "rise",         "fall",     "cross",
    "td",        "from",    "to",        "last",      "goal",        "weight",       "minval",   "ymin",
    "lbound",    "ubound",  "ymax",      "on",        "off",         "print",        "output",   "default_val",
    "precision", "nbharm",  "rfc_level", "frac_max",  "binsiz",      "numfreq",      "gridsize", "file",
    "freq",      "minfreq", "maxfreq",   "depvarcol", "indepvarcol", "comp_function"};

bool measure_is_keyword(const struct item *i)
{
    for (size_t k = 0; k < sizeof keywords / sizeof *keywords; k++)
        if (item_is(i, keywords[k]))
            return true;
    return false;
}

bool measure_fail(const struct measure_card *m, const struct item *i, const char *what)
{
    return deck_fail(m->x->deck, "measure", i ? i->where : m->statement->end, measure_form, "'%s': expected %s%s%s%s",
                     m->statement->items->text, what, i ? ", found '" : "", i ? item_text(i) : "", i ? "'" : "");
}

/* ---- signals ---- */

static struct expansion_names names_of(const struct measure_card *m)
{
    return (struct expansion_names){.results = true,
                                    .of_phasors = m->out->domain != MEASURE_OF_TRANSIENT &&
                                                  m->out->domain != MEASURE_OF_DC && m->out->domain != MEASURE_OF_POINT,
                                    .of_vectors =
                                        m->out->domain == MEASURE_OF_NOISE || m->out->domain == MEASURE_OF_VECTORS};
}

/* Whether it is known only when all results before it are. */
static const struct expression *note_results(const struct measure_card *m, const struct expression *e)
{
    for (size_t i = 0; e && i < expression_variable_count(e); i++)
        m->out->depends |= expression_variables(e)[i].kind == EXPRESSION_RESULT;
    return e;
}

static const struct expression *compile(const struct measure_card *m, const struct item *first, const struct item *end)
{
    const struct expansion_names names = names_of(m);
    return note_results(m, expand_signal(m->x, m->top, first, end, &names));
}

/* ---- results at ports ---- */

/* s_2_1 for s21, h_1_1 for h11, and zin and the like for themselves; false: it is no such name. */
static bool name_entry(const char *text, char name[8])
{
    static const char *const seen[] = {"zin", "zout", "yin", "yout"};
    char matrix, row, column, rest;
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
        if (strcasecmp(text, seen[i]) == 0)
            return snprintf(name, 8, "%s", seen[i]) > 0;
    const int long_form = sscanf(text, "%c_%c_%c%c", &matrix, &row, &column, &rest);
    if (long_form != 3 && sscanf(text, "%c%c%c%c", &matrix, &row, &column, &rest) != 3)
        return false;
    return strchr("syzhSYZH", matrix) && isdigit((unsigned char)row) && isdigit((unsigned char)column) &&
           snprintf(name, 8, "%c_%c_%c", tolower((unsigned char)matrix), row, column) > 0;
}

static const char *part_of(const char *word)
{
    static const char *const parts[][2] = {{"m", "mag"}, {"db", "db"}, {"p", "ph"}, {"r", "re"}, {"i", "im"}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcasecmp(word, parts[i][0]) == 0 || strcasecmp(word, parts[i][1]) == 0)
            return parts[i][1];
    return NULL;
}

/* "a", "a(b)" or "a(b(c))", blanks anywhere, as words; their number, 0 for all else. */
static int split_calls(const char *text, char words[3][16])
{
    char packed[64], whole[64];
    size_t length = 0;
    for (; *text && length + 1 < sizeof packed; text++)
        if (*text != ' ' && *text != '\t')
            packed[length++] = *text;
    packed[length] = '\0';
    const int count = sscanf(packed, "%15[A-Za-z0-9_](%15[A-Za-z0-9_.](%15[A-Za-z0-9_.]", words[0], words[1], words[2]);
    if (count < 1)
        return 0;
    if (count == 1)
        snprintf(whole, sizeof whole, "%s", words[0]);
    else if (count == 2)
        snprintf(whole, sizeof whole, "%s(%s)", words[0], words[1]);
    else
        snprintf(whole, sizeof whole, "%s(%s(%s))", words[0], words[1], words[2]);
    return strcmp(whole, packed) == 0 ? count : 0;
}

/* The column of a part of an entry: s21(db) and s21, the magnitude, of HSPICE, db(s_2_1), and mag(s21(v1)) of LTspice, where v1
 * is the source.  NULL: it is no result at ports. */
static const char *port_column(const struct measure_card *m, const struct item *first, const struct item *end)
{
    char words[3][16] = {"", "", ""}, name[8];
    const struct item *last = first;
    while (last->next && last->next != end)
        last = last->next;
    const char *text = arena_text(m->x->deck->scratch, first->begin, (size_t)(last->end - first->begin));
    const int count = text ? split_calls(text, words) : 0;
    const bool inside = count > 1 && !name_entry(words[0], name); /* r(zin) is no part, but of an element */
    const char *entry = words[inside], *behind = count > inside + 1 ? words[inside + 1] : NULL;
    const char *part = inside ? (words[0][1] ? part_of(words[0]) : NULL) : behind ? part_of(behind) : "mag";
    const bool of_source = behind && expand_find_element(m->x, m->top, behind);
    if (count < 1 || !name_entry(entry, name) || (behind && inside && !of_source) || (!part && (inside || !of_source)))
        return NULL;
    return arena_format(m->x->deck->arena, "%s(%s)", part ? part : "mag", name);
}

/* Of .sp and .net, which the word ac stands for beside .ac. */
static const struct expression *port_signal(struct measure_card *m, const struct item *first, const struct item *end)
{
    struct arena *a = m->x->deck->arena;
    const bool of_ports =
        m->x->port_requests.count > 0 && (m->out->domain == MEASURE_OF_AC || m->out->domain == MEASURE_OF_VECTORS);
    const char *name = of_ports ? port_column(m, first, end) : NULL;
    const struct expression_node *node = name ? node_name(a, name, first->where) : NULL;
    const struct expression_tree *tree = node ? expression_tree_of(a, node) : NULL;
    if (!tree)
        return NULL;
    m->out->domain = MEASURE_OF_VECTORS;
    return expand_vector(m->x, m->top, tree);
}

const struct expression *measure_signal(struct measure_card *m, struct item **level)
{
    struct item *first = m->next, *i = first;
    *level = NULL;
    const bool is_frequency = item_is(first, "freq") && !first->value; /* which freq=1k is not */
    if (!first || (measure_is_keyword(first) && !is_frequency)) {
        measure_fail(m, first, "a signal such as v(out)");
        return NULL;
    }
    for (; i && (i == first || !measure_is_keyword(i)) && !*level; i = i->next)
        *level = i->value;
    m->next = i;
    const struct expression *at_ports = port_signal(m, first, i);
    return at_ports ? at_ports : compile(m, first, i);
}

/* What stands behind = or VAL=, and what blanks have cut off from it. */
static const struct expression *read_level(struct measure_card *m, struct item *level)
{
    struct item *last = level;
    for (; m->next && !measure_is_keyword(m->next); m->next = m->next->next)
        last = m->next->value ? m->next->value : m->next;
    struct item whole = *level;
    whole.next = NULL;
    if (last != level) {
        whole.kind = ITEM_GROUP; /* by its text alone */
        whole.end = last->end;
    }
    return compile(m, &whole, NULL);
}

const struct expression *measure_formula(struct measure_card *m, struct item *word)
{
    struct item *first = word->value ? word->value : m->next, *last = first;
    if (!first || first->kind == ITEM_STRING) {
        measure_fail(m, first, "a formula of results before it");
        return NULL;
    }
    for (struct item *i = word->value ? word->next : first; i; i = i->next)
        last = i->value ? i->value : i;
    struct item whole = *first;
    whole.next = NULL;
    if (last != first) {
        whole.kind = ITEM_GROUP;
        whole.end = last->end;
    }
    m->next = NULL;
    return compile(m, &whole, NULL);
}

/* ---- numbers ---- */

struct item *measure_value(struct measure_card *m)
{
    struct item *i = m->next, *value = i->value ? i->value : i->next;
    m->next = i->value ? i->next : value ? value->next : NULL;
    if (!value)
        measure_fail(m, NULL, "a value");
    return value;
}

static bool is_part_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '#' || c == '$';
}

static bool names_result(const struct measure_card *m, const char *text)
{
    const struct measure *all = m->x->measures.items;
    for (size_t i = 0; i < m->x->measures.count; i++) {
        const size_t length = strlen(all[i].name);
        for (const char *c = text; *c; c++)
            if ((c == text || !is_part_of_name(c[-1])) && strncasecmp(c, all[i].name, length) == 0 &&
                !is_part_of_name(c[length]))
                return true;
    }
    return false;
}

bool measure_number(struct measure_card *m, struct measure_number *out)
{
    struct item *value = measure_value(m);
    *out = (struct measure_number){0};
    if (!value)
        return false;
    if (value->kind == ITEM_GROUP || value->is_number || !names_result(m, value->text))
        return expand_value(m->x, m->top, value, &out->value);
    struct item alone = *value;
    alone.next = NULL;
    out->formula = compile(m, &alone, NULL);
    return out->formula != NULL;
}

bool measure_constant(struct measure_card *m, double *out)
{
    struct item *value = measure_value(m);
    return value && expand_value(m->x, m->top, value, out);
}

bool measure_count(struct measure_card *m, long *out)
{
    double count = 0;
    struct item *value = measure_value(m);
    *out = 0;
    if (!value || item_is(value, "last"))
        return value != NULL;
    if (!expand_value(m->x, m->top, value, &count))
        return false;
    const bool good = count == -1 || (count >= 1 && count <= 1e9 && count == floor(count));
    *out = good && count != -1 ? (long)count : 0; /* -1: the last one, in Xyce */
    return good || deck_fail(m->x->deck, "measure", value->where, "write RISE=1, FALL=2, CROSS=3 or RISE=LAST",
                             "crossings are counted from 1, found %g", count);
}

/* ---- events ---- */

/* One of the settings of an event; *taken says whether it was one. */
static bool take_event_setting(struct measure_card *m, struct measure_event *e, bool *taken)
{
    static const struct {
        const char *word;
        enum crossing crossing;
    } counts[] = {{"rise", CROSSING_RISE}, {"fall", CROSSING_FALL}, {"cross", CROSSING_ANY}};
    *taken = true;
    for (size_t i = 0; i < 3; i++)
        if (item_is(m->next, counts[i].word)) {
            if (m->counted)
                deck_warn(m->x->deck, "measure", m->next->where, "a crossing is counted by one of RISE, FALL and CROSS",
                          "'%s' takes the place of '%s' before it", item_text(m->next), item_text(m->counted));
            m->counted = m->next;
            e->crossing = counts[i].crossing;
            return measure_count(m, &e->count);
        }
    if (item_is(m->next, "td"))
        return measure_number(m, &e->delay);
    *taken = item_is(m->next, "last");
    if (*taken) {
        e->count = 0;
        m->next = m->next->next;
    }
    return true;
}

bool measure_event(struct measure_card *m, struct measure_event *e)
{
    struct item *level;
    bool taken = true;
    e->count = 1;
    m->counted = NULL;
    if (item_is(m->next, "when"))
        m->next = m->next->next;
    if (item_is(m->next, "at")) {
        e->is_point = true;
        return measure_number(m, &e->point);
    }
    if (!(e->signal = measure_signal(m, &level)))
        return false;
    while (!level && m->next && taken && !item_is(m->next, "val"))
        if (!take_event_setting(m, e, &taken)) /* in front of VAL= as well */
            return false;
    if (!level && item_is(m->next, "val") && !(level = measure_value(m)))
        return false;
    if (!level)
        return measure_fail(m, m->next, "a level: VAL=..");
    if (!(e->level = read_level(m, level)))
        return false;
    taken = true;
    while (m->next && taken)
        if (!take_event_setting(m, e, &taken))
            return false;
    return true;
}

/* ---- comparisons ---- */

/* A column's number: a whole one that any file could have (a larger one would leave the range of the type it is counted in). */
static bool is_column(double number)
{
    return number >= 0 && number <= 1e6 && number == floor(number);
}

bool measure_comparison(struct measure_card *m, bool *taken)
{
    static const char *const columns[] = {"indepvarcol", "depvarcol"};
    *taken = true;
    for (int k = 0; k < 2; k++)
        if (item_is(m->next, columns[k])) {
            const struct item *word = m->next;
            return measure_constant(m, &m->columns[k]) &&
                   (is_column(m->columns[k]) || measure_fail(m, word, "the number of a column, from 0 to a million"));
        }
    if (item_is(m->next, "file"))
        return (m->file = measure_value(m)) != NULL;
    if (item_is(m->next, "comp_function")) {
        const struct item *norm = measure_value(m);
        m->out->norm = item_is(norm, "l1norm") ? NORM_SUM : item_is(norm, "infnorm") ? NORM_LARGEST : NORM_SQUARES;
        return norm != NULL;
    }
    *taken = false;
    return true;
}
