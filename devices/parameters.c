/* parameters.c - reads name=value pairs against a family's parameter table: defaults, ranges, likely corrections. */
#include "base/names.h"
#include "devices/model_cards.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct parameter_table table;
    struct owner owner;
    struct kn_diagnostics *diagnostics;
};

static const char *hint_for_habit(const char *name)
{
    static const char parasitic[] = "C, L and V have it; elsewhere put an element of its own in series or parallel";
    static const struct {
        const char *name, *hint;
    } habits[] = {{"rser", parasitic}, {"rpar", parasitic}, {"lser", parasitic}, {"cpar", parasitic}};
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++)
        if (names_equal(name, habits[i].name))
            return habits[i].hint;
    return NULL;
}

static void report_unknown(const struct reading *r, const struct setting *s)
{
    const char **names = calloc(r->table.count + 1, sizeof *names);
    size_t count = 0;
    for (; names && count < r->table.count; count++)
        names[count] = r->table.rows[count].name;
    const char *guess = names ? names_closest(s->name, names, count) : NULL;
    const char *hint = hint_for_habit(s->name);
    if (!hint && guess)
        hint = diagnostics_hint(r->diagnostics, "did you mean '%s'?", guess);
    diagnostics_add(r->diagnostics, KN_WARNING, "unknown-parameter", s->where, hint,
                    "%s '%s' has no parameter '%s'; it is ignored", r->owner.noun, r->owner.name, s->name);
    free(names);
}

/* As many warnings as a page of cards would have say less than one: those of models of another version of a device. */
enum { MOST_ONE_BY_ONE = 3, MOST_NAMES = 12 };

static bool report_range(const struct reading *r, const struct setting *s, const struct parameter_info *p)
{
    char range[80];
    if (!isinf(p->maximum))
        snprintf(range, sizeof range, "between %g and %g", p->minimum, p->maximum);
    else if (p->minimum == DBL_MIN)
        snprintf(range, sizeof range, "greater than 0");
    else
        snprintf(range, sizeof range, "at least %g", p->minimum);
    const char *hint = diagnostics_hint(r->diagnostics, "%s: %s", p->name, p->doc);
    diagnostics_add(r->diagnostics, KN_ERROR, "parameter-range", s->where, hint,
                    "%s '%s': %s must be %s, but is %g%s%s", r->owner.noun, r->owner.name, s->name, range, s->value,
                    p->unit[0] ? " " : "", p->unit);
    return false;
}

/* Libraries of vendors go beyond these, and programs take the limit: fc of 1 (SPICE), widths of bends below 0 (LTspice). */
static bool takes_limit(const struct reading *r, const struct setting *s, const struct parameter_info *p, double *value)
{
    if (!name_is_among("fc epsilon revepsilon", p->name) || isnan(*value))
        return false;
    *value = fmax(fmin(*value, p->maximum), p->minimum);
    diagnostics_add(r->diagnostics, KN_WARNING, "parameter-range", s->where, NULL, "%s '%s': %s = %g is taken as %g",
                    r->owner.noun, r->owner.name, p->name, s->value, *value);
    return true;
}

/* 1 and 0 for the words of truth; NAN for others. */
static double truth_of(const char *word)
{
    return name_is_among("true yes t", word) ? 1 : name_is_among("false no f", word) ? 0 : NAN;
}

static bool report_form(const struct reading *r, const struct setting *s, const char *needed)
{
    diagnostics_add(r->diagnostics, KN_ERROR, "parameter-value", s->where, NULL, "%s '%s': %s needs %s", r->owner.noun,
                    r->owner.name, s->name, needed);
    return false;
}

/* A list or a text stays with the setting. */
static bool check_form(const struct reading *r, const struct setting *s, enum parameter_form form)
{
    if (form == PARAMETER_TEXT)
        return s->text || report_form(r, s, "a text");
    return (s->list || (s->has_value && !s->text)) || report_form(r, s, "numbers in brackets: [0 1]");
}

/* The number a setting stands for; a bare flag counts as 1. */
/* Ohm. Series resistances below are as good as none (1 kA leaves ten times vntol), but 1e-9 S of currents beside 1e15 S of them leave
 * Newton's method no digits: vendors write rs=1e-15 for none. */
static const double LEAST_RESISTANCE = 1e-8;

/* Where 0 means that there is none, as in the series resistances of transistors and diodes. */
static double series_resistance(const struct parameter_info *p, double value)
{
    const bool may_be_none = p->minimum == 0 && p->unit && strcmp(p->unit, "ohm") == 0;
    return may_be_none && value < LEAST_RESISTANCE ? 0 : value;
}

static bool read_value(const struct reading *r, const struct setting *s, const struct parameter_info *p, double *value)
{
    if (parameter_form(p) != PARAMETER_NUMBER)
        return check_form(r, s, parameter_form(p));
    if (s->list && s->list_count != 1)
        return report_form(r, s, "a single number");
    if (s->text && !isnan(*value = truth_of(s->text)))
        return true;
    if (s->text) {
        diagnostics_add(r->diagnostics, KN_ERROR, "parameter-value", s->where, NULL,
                        "%s '%s': %s needs a number, not '%s'", r->owner.noun, r->owner.name, s->name, s->text);
        return false;
    }
    *value = s->list ? s->list[0] : s->has_value ? s->value : 1.0;
    if (!(*value >= p->minimum && *value <= p->maximum))
        return takes_limit(r, s, p, value) || report_range(r, s, p);
    *value = series_resistance(p, *value);
    return true;
}

/* PSpice's temperatures of models: t_measured is tnom, and the others are read by model_cards.c. */
static size_t row_of(const struct reading *r, const char *name, bool *elsewhere)
{
    const bool has_nominal = parameter_row(r->table, "tnom") < r->table.count;
    *elsewhere = has_nominal && name_is_among(MODEL_TEMPERATURES, name);
    return parameter_row(r->table, has_nominal && names_equal(name, "t_measured") ? "tnom" : name);
}

static bool is_unknown(const struct reading *r, const struct setting *s)
{
    bool elsewhere;
    return !name_is_among(r->table.ignored, s->name) && row_of(r, s->name, &elsewhere) == r->table.count && !elsewhere;
}

static const struct setting *next_unknown(const struct reading *r, const struct setting *s, const struct setting *end)
{
    while (s < end && !is_unknown(r, s))
        s++;
    return s;
}

static void report_many_unknown(const struct reading *r, const struct setting *s, const struct setting *end,
                                size_t count)
{
    char names[400] = "";
    size_t length = 0, named = 0;
    const char *where_hint =
        "'knoten devices' lists parameters; the card may be that of another version or level of the model";
    const struct setting *first = next_unknown(r, s, end);
    for (s = first; named < MOST_NAMES && s < end; s = next_unknown(r, s + 1, end), named++) {
        const size_t room = sizeof names - length;
        const int wanted = snprintf(names + length, room, "%s'%s'", named ? ", " : "", s->name);
        if (wanted < 0 || (size_t)wanted >= room)
            break;
        length += (size_t)wanted;
    }
    names[length] = 0;
    char rest[40] = "";
    if (named < count)
        snprintf(rest, sizeof rest, " and %zu more", count - named);
    diagnostics_add(r->diagnostics, KN_WARNING, "unknown-parameter", first->where, where_hint,
                    "%s '%s' does not have these parameters, which are ignored: %s%s", r->owner.noun, r->owner.name,
                    names, rest);
}

static void report_all_unknown(const struct reading *r, const struct setting *s, size_t setting_count, size_t count)
{
    const struct setting *end = s + setting_count;
    if (count > MOST_ONE_BY_ONE)
        report_many_unknown(r, s, end, count);
    else if (count)
        for (s = next_unknown(r, s, end); s < end; s = next_unknown(r, s + 1, end))
            report_unknown(r, s);
}

/* Those that there are not count in *unknown. */
static bool read_setting(const struct reading *r, const struct setting *s, double *values, bool *given, size_t *unknown)
{
    bool elsewhere;
    const size_t row = row_of(r, s->name, &elsewhere);
    if (row == r->table.count) {
        *unknown += !elsewhere;
        return true;
    }
    if (given[row])
        diagnostics_add(r->diagnostics, KN_WARNING, "parameter-twice", s->where, NULL,
                        "%s '%s': %s is given more than once; the last value counts", r->owner.noun, r->owner.name,
                        s->name);
    given[row] = true;
    return read_value(r, s, &r->table.rows[row], &values[row]);
}

bool parameters_read(struct parameter_table table, const struct setting *settings, size_t setting_count,
                     struct owner owner, struct kn_diagnostics *d, double *values, bool *given)
{
    for (size_t i = 0; i < table.count; i++) {
        values[i] = table.rows[i].fallback;
        given[i] = false;
    }
    const struct reading r = {table, owner, d};
    bool good = true;
    size_t unknown = 0;
    for (size_t i = 0; i < setting_count; i++)
        if (!name_is_among(table.ignored, settings[i].name))
            good = read_setting(&r, &settings[i], values, given, &unknown) && good;
    report_all_unknown(&r, settings, setting_count, unknown);
    return good;
}

/* Every family that counts parallel elements has a row `m`; m= of subcircuits is in it from here on. */
bool element_parameters_read(const struct element *e, struct kn_diagnostics *d, double *values, bool *given)
{
    const struct parameter_table table = e->kind->instance;
    const struct owner owner = {e->kind->noun, e->name};
    const bool good = parameters_read(table, e->settings, e->setting_count, owner, d, values, given);
    const size_t m = parameter_row(table, "m");
    if (m < table.count)
        values[m] *= element_multiplicity(e);
    return good;
}
