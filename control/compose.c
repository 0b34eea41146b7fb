/* compose.c - see compose.h. */
#include "control/compose.h"

#include "control/vectors/functions.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static bool put(struct state *s, const char *name, const struct values *v)
{
    return s->dry ? state_note_vector(s, name) : plot_put(s->plots.current, name, v) || state_no_memory(s);
}

/* ---- values ---- */

static bool compose_values(struct state *s, const char *name, const char *rest)
{
    struct formula f = state_formula(s, rest);
    struct values *items = arena_array(s->scratch, strlen(rest) + 1, sizeof *items);
    size_t count = 0, total = 0;
    bool is_complex = false;
    if (!items)
        return state_no_memory(s);
    for (const char *begin; !formula_is_at_end(&f); count++) {
        if (!state_evaluate_next(s, &f, &items[count], &begin))
            return false;
        total += items[count].count;
        is_complex |= items[count].is_complex;
    }
    struct values out = values_new(s->scratch, total);
    if (!out.at)
        return state_no_memory(s);
    out.is_complex = is_complex;
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        memcpy(out.at + at, items[i].at, items[i].count * sizeof *out.at);
        at += items[i].count;
    }
    return put(s, name, &out);
}

/* ---- series ---- */

enum series_setting { START, STOP, STEP, LIN, DEC, OCT, LOG, GAUSS, MEAN, SD, RANDOM, SETTINGS };

static const char *const setting_names[SETTINGS] = {"start", "stop",  "step", "lin", "dec",   "oct",
                                                    "log",   "gauss", "mean", "sd",  "random"};

/* name=number, with or without blanks around the sign; a number that is not given stays NAN. */
static bool read_settings(struct state *s, const char *rest, double given[SETTINGS])
{
    for (size_t i = 0; i < SETTINGS; i++)
        given[i] = NAN;
    for (rest += strspn(rest, " \t"); *rest; rest += strspn(rest, " \t")) {
        const size_t length = strcspn(rest, " \t=");
        size_t which = 0;
        while (which < SETTINGS &&
               (strlen(setting_names[which]) != length || strncasecmp(setting_names[which], rest, length) != 0))
            which++;
        const char *equals = rest + length + strspn(rest + length, " \t");
        if (which == SETTINGS || *equals != '=')
            return state_fail(s,
                              "compose x values 1 2 3; compose x start=0 stop=1 step=0.1, or lin=, dec=, oct= points",
                              "compose: '%.*s' is unknown", (int)length, rest);
        const char *at = equals + 1, *word = state_word(s, &at);
        if (!word || !state_evaluate_number(s, word, &given[which]))
            return word ? false : state_fail(s, NULL, "compose: expected a number behind '%s ='", setting_names[which]);
        rest = at;
    }
    return true;
}

struct series {
    double begin, step;
    bool logarithmic; /* then the step is a factor */
    double count;
};

/* The numbers of a series, and how many: from two of start, stop and step, and a number of points. */
static struct series series_of(const double given[SETTINGS])
{
    const double stop = given[STOP], lin = given[LIN];
    const double per_decade = !isnan(given[DEC]) ? given[DEC] : !isnan(given[OCT]) ? given[OCT] / log10(2) : NAN;
    struct series r = {isnan(given[START]) ? 0 : given[START], given[STEP], false, 1};
    if (!isnan(per_decade) || !isnan(given[LOG])) {
        const double decades = log10(stop / r.begin), points = given[LOG];
        r.logarithmic = true;
        r.step = !isnan(per_decade) ? pow(10, copysign(1 / per_decade, decades)) : pow(10, decades / (points - 1));
        r.count = !isnan(per_decade) ? floor(fabs(decades) * per_decade * (1 + 1e-12) + 1e-9) + 1 : points;
    } else if (!isnan(lin)) {                     /* with two of start, stop and step */
        if (!isnan(stop) && !isnan(given[START])) /* which a step beside them need not fit */
            r.step = lin > 1 ? (stop - r.begin) / (lin - 1) : 0;
        else if (isnan(given[START]))
            r.begin = stop - (lin - 1) * r.step;
        r.count = lin;
    } else {
        r.step = isnan(r.step) ? copysign(1, stop - r.begin) : r.step;
        r.count = floor((stop - r.begin) / r.step * (1 + 1e-12) + 1e-9) + 1; /* 1/0.1 are 10 steps */
    }
    return r;
}

static bool draw(struct state *s, const char *name, const char *function, const double given[SETTINGS], double count)
{
    const double mean = isnan(given[MEAN]) ? 0 : given[MEAN], deviation = isnan(given[SD]) ? 1 : given[SD];
    struct values out;
    const char *text = arena_format(s->scratch, "%s(unitvec(%.0f))*(%.17g)+(%.17g)", function, count, deviation, mean);
    return text ? state_evaluate(s, text, &out) && put(s, name, &out) : state_no_memory(s);
}

static bool compose_series(struct state *s, const char *name, const char *rest)
{
    double given[SETTINGS];
    if (!read_settings(s, rest, given) || s->dry)
        return s->status == KN_OK;
    if (!isnan(given[GAUSS]) || !isnan(given[RANDOM]))
        return draw(s, name, isnan(given[GAUSS]) ? "sunif" : "sgauss", given,
                    isnan(given[GAUSS]) ? given[RANDOM] : given[GAUSS]);
    const struct series r = series_of(given);
    if (!(r.count >= 1 && r.count <= 1e8) || !isfinite(r.begin) || (r.count > 1 && !isfinite(r.step)))
        return state_fail(s, "compose x start=0 stop=1 step=0.1; dec and log take limits of one sign",
                          "compose: these numbers make no series");
    struct values out = values_new(s->scratch, (size_t)r.count);
    if (!out.at)
        return state_no_memory(s);
    for (size_t i = 0; i < out.count; i++)
        out.at[i] = r.logarithmic ? r.begin * pow(r.step, (double)i) : r.begin + r.step * (double)i;
    return put(s, name, &out);
}

bool compose_vector(struct state *s, const char *rest)
{
    const char *name = state_word(s, &rest);
    if (!name || !*rest)
        return state_fail(s, "compose x values 1 2 3; compose x start=0 stop=1 step=0.1",
                          "compose: expected the name of a vector, and what it holds");
    return script_word(&rest, "values") ? compose_values(s, name, rest) : compose_series(s, name, rest);
}

/* ---- shapes ---- */

/* [5][6] or [5, 6] */
static bool read_shape(struct state *s, const char *text, struct shape *out)
{
    const char *at = text;
    *out = (struct shape){.dimensions = 0};
    while (*(at += strspn(at, "[], \t"))) {
        const size_t length = strcspn(at, "[], \t");
        const char *word = arena_text(s->scratch, at, length);
        double extent;
        if (!word || !state_evaluate_number(s, word, &extent))
            return word ? false : state_no_memory(s);
        if (out->dimensions == MOST_DIMENSIONS || !(extent >= 1 && extent <= 1e8))
            return state_fail(s, NULL, "reshape: a shape has 1 to 8 dimensions of 1 to 1e8");
        out->extent[out->dimensions++] = (size_t)extent;
        at += length;
    }
    return out->dimensions > 0 || state_fail(s, "reshape x [5][6]", "reshape: expected dimensions in brackets");
}

/* The numbers of a table of rows as one of columns. */
static bool transpose(struct state *s, struct vector_kept *v)
{
    const struct shape old = v->shape;
    struct values x = plot_values(v, s->scratch), out = values_new(s->scratch, x.count);
    if (!x.at || !out.at)
        return state_no_memory(s);
    for (size_t i = 0; i < x.count; i++)
        out.at[i % old.extent[1] * old.extent[0] + i / old.extent[1]] = x.at[i];
    out.is_complex = x.is_complex;
    out.quantity = x.quantity;
    out.shape = (struct shape){{old.extent[1], old.extent[0]}, 2};
    return put(s, v->name, &out);
}

bool compose_transpose(struct state *s, const char *rest)
{
    if (!*rest)
        return state_fail(s, "transpose x", "transpose: expected vectors that reshape has made tables of");
    for (const char *name; !s->dry && (name = state_word(s, &rest));) {
        struct vector_kept *v = plot_find(s->plots.current, name);
        if (!v)
            return state_fail(s, NULL, "transpose: there is no vector '%s' in plot %s", name, s->plots.current->name);
        if (v->shape.dimensions != 2)
            return state_fail(s, "reshape x [5][6]", "transpose: '%s' has no rows and columns", name);
        if (!transpose(s, v))
            return false;
    }
    return true;
}

bool compose_shape(struct state *s, const char *rest)
{
    const char *bracket = strchr(rest, '[');
    struct shape shape;
    if (!bracket)
        return state_fail(s, "reshape x [5][6]", "reshape: expected a vector and dimensions in brackets");
    if (!read_shape(s, bracket, &shape) || s->dry)
        return s->status == KN_OK;
    const char *names = arena_text(s->scratch, rest, (size_t)(bracket - rest));
    double count = 1;
    for (size_t i = 0; i < shape.dimensions; i++)
        count *= (double)shape.extent[i];
    for (const char *name; names && (name = state_word(s, &names));) {
        struct vector_kept *v = plot_find(s->plots.current, name);
        if (!v)
            return state_fail(s, NULL, "reshape: there is no vector '%s' in plot %s", name, s->plots.current->name);
        if ((double)v->count != count)
            return state_fail(s, NULL, "reshape: '%s' has %zu numbers, this shape %.0f", name, v->count, count);
        v->shape = shape;
    }
    return names || state_no_memory(s);
}

/* ---- cross ---- */

bool compose_cross(struct state *s, const char *rest)
{
    static const char hint[] = "cross x 3 a b: number 3, from 0, of a and of b";
    const char *name = state_word(s, &rest), *word = name ? state_word(s, &rest) : NULL;
    double place;
    if (!word || !rest[strspn(rest, " \t")])
        return state_fail(s, hint, "cross: expected a name, a number and vectors");
    if (!state_evaluate_number(s, word, &place))
        return false;
    struct formula f = state_formula(s, rest);
    struct values item, out = values_new(s->scratch, strlen(rest));
    out.count = 0;
    for (const char *begin; out.at && !formula_is_at_end(&f); out.count++) {
        if (!state_evaluate_next(s, &f, &item, &begin))
            return false;
        const size_t i = !s->dry && place >= 0 && place < (double)item.count ? (size_t)place : 0;
        if (!s->dry && (double)i != place)
            return state_fail(s, hint, "cross: number %g, but there are %zu, from 0", place, item.count);
        out.at[out.count] = s->dry ? 0 : item.at[i];
        out.is_complex |= item.is_complex;
    }
    return out.at ? put(s, name, &out) : state_no_memory(s);
}
