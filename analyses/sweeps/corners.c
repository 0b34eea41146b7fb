/* corners.c - see corners.h. */
#include "analyses/sweeps/corners.h"

#include <math.h>
#include <string.h>

/* So many values at most have all of their combinations made. */
enum { MOST_COMBINED = 8, MOST_VALUES = 5000, MOST_NAMED = 8 };

struct corner_values {
    const char *name;
    double *values; /* by the number of the corner; NaN where there is none */
};

static bool are_all_combined(size_t values)
{
    return values <= MOST_COMBINED;
}

static size_t corner_count(size_t values)
{
    return 1 + (are_all_combined(values) ? (size_t)1 << values : 2 * values);
}

/* ---- the sweep ---- */

static struct sweep *new_sweep(struct arena *a, double first, size_t count, size_t values)
{
    struct sweep *s = arena_alloc(a, sizeof *s);
    double *numbers = arena_array(a, count, sizeof *numbers);
    signed char *ends = arena_array(a, count * values + 1, sizeof *ends);
    if (!s || !numbers || !ends)
        return NULL;
    for (size_t i = 0; i < count; i++)
        numbers[i] = first + (double)i;
    *s = (struct sweep){.meaning = SWEEP_CORNERS,
                        .source = -1,
                        .name = "corner",
                        .values = numbers,
                        .count = count,
                        .ends = ends,
                        .end_count = values,
                        .card = ".wc"};
    return s;
}

/* Corner i + 1: bit k of i is the end of value k; or, where each moves alone, i / 2 is the value. */
static void set_ends(struct sweep *s)
{
    for (size_t i = 0; i + 1 < s->count; i++) {
        signed char *ends = &s->ends[(i + 1) * s->end_count];
        for (size_t k = 0; k < s->end_count && are_all_combined(s->end_count); k++)
            ends[k] = (i >> k) & 1 ? 1 : -1;
        if (!are_all_combined(s->end_count))
            ends[i / 2] = i % 2 ? 1 : -1;
    }
}

static enum kn_status refuse(const struct sweep_reader *r, const struct analysis_card *card, const char *what,
                             const char *hint)
{
    diagnostics_add(r->diagnostics, KN_ERROR, "sweep", card->where, hint, "'%s': %s", card->name, what);
    return KN_ERROR_DECK;
}

enum kn_status corners_read(const struct sweep_reader *r, const struct analysis_card *card, struct sweeps *out)
{
    const size_t values = r->circuit->random_count;
    if (values == 0)
        return refuse(r, card, "nothing in the deck has a tolerance",
                      "write values such as {unif(1k,0.05)} or {mc(1k,0.05)}");
    if (values > MOST_VALUES)
        return refuse(r, card, "there are more than 5000 values with a tolerance", ".mc draws them");
    if (card->setting_count > 0)
        diagnostics_add(r->diagnostics, KN_WARNING, "sweep", card->settings[0].where,
                        "all analyses run, and the worst case of each .measure is sought", "'%s': '%s' is ignored",
                        card->name, card->settings[0].name);
    struct sweep *made = new_sweep(r->arena, 0, corner_count(values), values);
    struct sweep *all = arena_array(r->arena, out->count + 1, sizeof *all);
    if (!made || !all)
        return KN_ERROR_MEMORY;
    set_ends(made);
    made->where = card->where;
    for (size_t i = 0; i < out->count; i++)
        all[i] = out->items[i];
    all[out->count++] = *made;
    out->items = all;
    return KN_OK;
}

/* ---- results ---- */

bool corners_open(struct corners *c, struct arena *arena, const struct circuit *circuit, const struct sweep *first)
{
    *c = (struct corners){.arena = arena, .circuit = circuit, .first = first, .measures = name_table_new(arena)};
    return c->measures;
}

/* Room for two more corners of each measure of the deck. */
static size_t most_corners(const struct corners *c)
{
    return c->first->count + 2 * c->circuit->measure_count;
}

static struct corner_values *values_of(struct corners *c, const char *name)
{
    struct corner_values *one = name_table_get(c->measures, name);
    if (one)
        return one;
    const size_t most = most_corners(c);
    one = arena_alloc(c->arena, sizeof *one);
    if (!one || !(one->name = arena_text(c->arena, name, strlen(name))) ||
        !(one->values = arena_array(c->arena, most, sizeof *one->values)) ||
        !name_table_put(c->measures, one->name, one))
        return NULL;
    for (size_t i = 0; i < most; i++)
        one->values[i] = NAN;
    return one;
}

bool corners_add(struct corners *c, const struct kn_measurement *m, double corner)
{
    struct corner_values *one = values_of(c, m->name);
    if (one && corner < (double)most_corners(c))
        one->values[(size_t)corner] = m->value;
    return one;
}

/* The end of value k that makes a measure larger. */
static signed char rising_end(const double *values, size_t k)
{
    const double change = values[2 + 2 * k] - values[1 + 2 * k];
    return change > 0 ? 1 : change < 0 ? -1 : 0;
}

enum kn_status corners_follow(struct corners *c, struct sweep **out)
{
    const size_t values = c->first->end_count, measures = name_table_count(c->measures);
    *out = NULL;
    if (are_all_combined(values) || measures == 0 || measures > c->circuit->measure_count)
        return KN_OK;
    struct sweep *s = new_sweep(c->arena, (double)c->first->count, 2 * measures, values);
    if (!s)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < measures; i++)
        for (size_t k = 0; k < values; k++) {
            const struct corner_values *one = name_table_value(c->measures, i);
            const signed char end = rising_end(one->values, k);
            s->ends[2 * i * values + k] = (signed char)-end;
            s->ends[(2 * i + 1) * values + k] = end;
        }
    s->where = c->first->where;
    *out = s;
    c->second = s;
    return KN_OK;
}

/* ---- what is said ---- */

static const signed char *ends_of(const struct corners *c, size_t corner)
{
    const struct sweep *s = corner < c->first->count ? c->first : c->second;
    return &s->ends[(corner - (size_t)s->values[0]) * s->end_count];
}

/* "R1 high, C1 low"; "nominal" */
static void describe(const struct corners *c, size_t corner, struct text *out)
{
    const signed char *ends = ends_of(c, corner);
    struct text_list list = text_list(out, ", ", MOST_NAMED);
    size_t moved = 0;
    for (size_t k = 0; k < c->first->end_count && k < c->circuit->random_count; k++)
        if (ends[k] != 0) {
            text_list_format(&list, "%s %s", c->circuit->random[k], ends[k] > 0 ? "high" : "low");
            moved++;
        }
    if (moved == 0)
        text_add(out, "nominal");
    else
        text_list_end_counted(&list);
}

static void say_extreme(const struct corners *c, const struct corner_values *one, double sign, struct kn_diagnostics *d)
{
    const size_t count = c->first->count + (c->second ? c->second->count : 0);
    size_t best = count;
    for (size_t i = 0; i < count; i++)
        if (isfinite(one->values[i]) && (best == count || sign * one->values[i] > sign * one->values[best]))
            best = i;
    if (best == count)
        return;
    struct text where = TEXT(SENTENCE);
    describe(c, best, &where);
    diagnostics_add(d, KN_NOTE, "worst-case", c->first->where, NULL,
                    "%s is %s with %.6g in corner %zu: %s (nominal: %.6g)", one->name,
                    sign > 0 ? "largest" : "smallest", one->values[best], best, where.at, one->values[0]);
}

/* Half the difference between the ends, of those that count most. */
static void say_sensitivities(const struct corners *c, const struct corner_values *one, struct kn_diagnostics *d)
{
    enum { SHOWN = 5 };
    struct text list = TEXT(SENTENCE);
    double before = INFINITY;
    for (int shown = 0; shown < SHOWN; shown++) {
        size_t best = c->first->end_count;
        double most = 0;
        for (size_t k = 0; k < c->first->end_count; k++) {
            const double change = fabs(one->values[2 + 2 * k] - one->values[1 + 2 * k]);
            if (change > most && change < before) {
                most = change;
                best = k;
            }
        }
        if (best == c->first->end_count)
            break;
        before = most;
        text_format(&list, "%s%s %+.3g", shown > 0 ? ", " : "", c->circuit->random[best],
                    0.5 * (one->values[2 + 2 * best] - one->values[1 + 2 * best]));
    }
    if (list.used > 0)
        diagnostics_add(d, KN_NOTE, "sensitivity", c->first->where, NULL,
                        "%s changes most, from nominal to the high end alone, by: %s", one->name, list.at);
}

void corners_say(const struct corners *c, struct kn_diagnostics *d)
{
    for (size_t i = 0; i < name_table_count(c->measures); i++) {
        const struct corner_values *one = name_table_value(c->measures, i);
        say_extreme(c, one, 1, d);
        say_extreme(c, one, -1, d);
        if (c->second)
            say_sensitivities(c, one, d);
    }
}
