/* parameters.c - reads name=value pairs against a family's parameter table: defaults, ranges, likely corrections. */
#include "base/names.h"
#include "devices/device.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct reading {
    struct parameter_table table;
    const char *owner;
    struct kn_diagnostics *diagnostics;
};

/* Whether a name is one of those separated by blanks. */
static bool is_among(const char *names, const char *name)
{
    const size_t length = strlen(name);
    for (; names && *names; names += strspn(names, " ")) {
        const size_t size = strcspn(names, " ");
        if (size == length && strncasecmp(names, name, size) == 0)
            return true;
        names += size;
    }
    return false;
}

/* Row of a name or alias, or table.count. */
static size_t find_row(struct parameter_table table, const char *name)
{
    size_t row = 0;
    while (row < table.count && !names_equal(table.rows[row].name, name) && !is_among(table.rows[row].alias, name))
        row++;
    return row;
}

static bool is_listed(const char *const *names, const char *name)
{
    for (; names && *names; names++)
        if (names_equal(*names, name))
            return true;
    return false;
}

/* What stands for parameters that LTspice's elements have; NULL for others. */
static const char *hint_for_habit(const char *name)
{
    static const char parasitic[] = "C, L and V have it; elsewhere put an element of its own in series or parallel";
    static const char ideal[] = "with n=0.01 and rs=0.1, say, a diode comes near to an ideal one";
    static const struct {
        const char *name, *hint;
    } habits[] = {{"rser", parasitic}, {"rpar", parasitic}, {"lser", parasitic}, {"cpar", parasitic},
                  {"vfwd", ideal},     {"ron", ideal},      {"roff", ideal}};
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
                    "%s has no parameter '%s'; it is ignored", r->owner, s->name);
    free(names);
}

static bool report_range(const struct reading *r, const struct setting *s, const struct parameter_info *p)
{
    const char *hint = diagnostics_hint(r->diagnostics, "%s: %s", p->name, p->doc);
    const char *gap = p->unit[0] ? " " : "";
    if (isinf(p->maximum) && p->minimum == DBL_MIN)
        diagnostics_add(r->diagnostics, KN_ERROR, "parameter-range", s->where, hint,
                        "%s: %s must be greater than 0, but is %g%s%s", r->owner, s->name, s->value, gap, p->unit);
    else if (isinf(p->maximum))
        diagnostics_add(r->diagnostics, KN_ERROR, "parameter-range", s->where, hint,
                        "%s: %s must be at least %g, but is %g%s%s", r->owner, s->name, p->minimum, s->value, gap,
                        p->unit);
    else
        diagnostics_add(r->diagnostics, KN_ERROR, "parameter-range", s->where, hint,
                        "%s: %s must be between %g and %g, but is %g%s%s", r->owner, s->name, p->minimum, p->maximum,
                        s->value, gap, p->unit);
    return false;
}

/* The number a setting stands for; a bare flag counts as 1. */
static bool read_value(const struct reading *r, const struct setting *s, const struct parameter_info *p, double *value)
{
    if (s->text) {
        diagnostics_add(r->diagnostics, KN_ERROR, "parameter-value", s->where, NULL, "%s: %s needs a number, not '%s'",
                        r->owner, s->name, s->text);
        return false;
    }
    *value = s->has_value ? s->value : 1.0;
    if (!(*value >= p->minimum && *value <= p->maximum))
        return report_range(r, s, p);
    return true;
}

static bool read_setting(const struct reading *r, const struct setting *s, double *values, bool *given)
{
    const size_t row = find_row(r->table, s->name);
    if (row == r->table.count) {
        report_unknown(r, s);
        return true;
    }
    if (given[row])
        diagnostics_add(r->diagnostics, KN_WARNING, "parameter-twice", s->where, NULL,
                        "%s: %s is given more than once; the last value counts", r->owner, s->name);
    given[row] = true;
    return read_value(r, s, &r->table.rows[row], &values[row]);
}

bool parameters_read(struct parameter_table table, const struct setting *settings, size_t setting_count,
                     const char *const *ignored, const char *owner, struct kn_diagnostics *d, double *values,
                     bool *given)
{
    bool *own = given ? NULL : calloc(table.count + 1, sizeof *own);
    bool *seen = given ? given : own;
    if (!seen) {
        diagnostics_add(d, KN_ERROR, "memory", NOWHERE, NULL, "memory is exhausted while reading %s", owner);
        return false;
    }
    for (size_t i = 0; i < table.count; i++) {
        values[i] = table.rows[i].fallback;
        seen[i] = false;
    }
    const struct reading r = {table, owner, d};
    bool good = true;
    for (size_t i = 0; i < setting_count; i++)
        if (!is_listed(ignored, settings[i].name))
            good = read_setting(&r, &settings[i], values, seen) && good;
    free(own);
    return good;
}
