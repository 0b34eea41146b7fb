/* transfer_target.c - see transfer_target.h.
 *
 * A table: its rows, and between them logarithms and phases that are monotone and smooth (F. N. Fritsch and J. Butland, SIAM
 * J. Sci. Stat. Comput. 5 (1984) 300: slopes are weighted harmonic means of those of the chords).  Parts that were measured are smooth; the
 * corners of the straight lines that .ac draws between the rows would need poles of their own, which are those of no part.
 * A formula: as it is, at frequencies in equal ratios.
 */
#include "devices/behavioural/transfer_target.h"

#include "base/array.h"

#include <math.h>

/* A thousandth at the rows, which is what reltol is by default.  Between them even smooth curves are known by a few hundredths only: of
 * low-passes with 20 rows a decade monotone cubics miss a tenth at resonances (test_waveform_response).  A formula is known
 * everywhere. */
static const double ALLOWED_AT_ROWS = 1e-3, ALLOWED_BETWEEN = 3e-2, ALLOWED_OF_FORMULA = 1e-4;

/* Samples: of a turn of the phase, of a neper, and of an octave; twelve of a turn tell a sine by 3 %. */
enum { PER_TURN = 12, PER_NEPER = 2, PER_OCTAVE = 6, PER_OCTAVE_OF_FORMULA = 12, DECADES_ABOVE_REST = 3 };

struct sampling {
    struct transfer_target *target;
    struct arena *arena;
    size_t capacity;
};

/* ---- tables ---- */

static double part(double complex e, int which)
{
    return which == 0 ? creal(e) : cimag(e);
}

/* At an end, of the parabola through three points, which may not leave the monotone ones. */
static double end_slope(double near, double far, double chord, double next)
{
    const double slope = ((2 * near + far) * chord - near * next) / (near + far);
    if (slope * chord <= 0)
        return 0;
    return chord * next <= 0 && fabs(slope) > 3 * fabs(chord) ? 3 * chord : slope;
}

static double inner_slope(double before, double behind, double chord, double next)
{
    const double a = 2 * behind + before, b = behind + 2 * before;
    return chord * next > 0 ? (a + b) / (a / chord + b / next) : 0;
}

static double width(const struct frequency_table *t, size_t k)
{
    return t->frequency[k + 1] - t->frequency[k];
}

static double chord(const struct frequency_table *t, size_t k, int which)
{
    return part(frequency_table_exponent(t, k + 1) - frequency_table_exponent(t, k), which) / width(t, k);
}

static void find_slopes(const struct frequency_table *t, int which, double *slopes)
{
    const size_t last = t->count - 1;
    if (last == 1)
        slopes[0] = slopes[1] = chord(t, 0, which);
    if (last < 2)
        return;
    for (size_t k = 1; k < last; k++)
        slopes[k] = inner_slope(width(t, k - 1), width(t, k), chord(t, k - 1, which), chord(t, k, which));
    slopes[0] = end_slope(width(t, 0), width(t, 1), chord(t, 0, which), chord(t, 1, which));
    slopes[last] =
        end_slope(width(t, last - 1), width(t, last - 2), chord(t, last - 1, which), chord(t, last - 2, which));
}

static double cubic(const struct frequency_table *t, const double *slopes, size_t k, int which, double f)
{
    const double h = width(t, k), u = (f - t->frequency[k]) / h, a = part(frequency_table_exponent(t, k), which),
                 b = part(frequency_table_exponent(t, k + 1), which);
    return a + (b - a) * u * u * (3 - 2 * u) + h * u * (1 - u) * (slopes[k] * (1 - u) - slopes[k + 1] * u);
}

static double complex between_rows(const struct transfer_target *t, double f)
{
    const struct frequency_table *table = t->response->table;
    size_t low = 0, high = table->count - 1;
    if (high == 0)
        return cexp(frequency_table_exponent(table, 0));
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        *(f < table->frequency[middle] ? &high : &low) = middle;
    }
    return cexp(CMPLX(cubic(table, t->slopes[0], low, 0, f), cubic(table, t->slopes[1], low, 1, f)));
}

/* ---- samples ---- */

double complex transfer_target_value(const struct transfer_target *t, double w)
{
    double complex slope;
    if (t->response->table)
        return between_rows(t, w / RESPONSE_TWO_PI);
    const double complex value = frequency_response(t->response, w, t->workspace, &slope);
    return isfinite(creal(value)) && isfinite(cimag(value)) ? value : 0;
}

struct frequency_band transfer_target_band(const struct transfer_target *t)
{
    const struct frequency_table *table = t->response->table;
    return table ? (struct frequency_band){RESPONSE_TWO_PI * table->frequency[0], RESPONSE_TWO_PI * table->frequency[table->count - 1]}
                 : (struct frequency_band){0, INFINITY};
}

/* Frequencies do not fall from one to the next. */
static bool add(struct sampling *s, double w, double allowed, bool told)
{
    struct transfer_target *t = s->target;
    if (t->count > 0 && w <= t->samples[t->count - 1].w)
        return true;
    if (!array_reserve_in(s->arena, &t->samples, t->count, t->count + 1, &s->capacity, sizeof *t->samples))
        return false;
    const double complex value = transfer_target_value(t, w);
    t->samples[t->count++] = (struct target_sample){w, value, allowed, told};
    t->told_count += told;
    t->largest = fmax(t->largest, cabs(value));
    return true;
}

/* Behind row k: as many as its phase and its magnitude ask for in equal distances, and, where it is wide, in equal ratios too.  Both
 * kinds are merged. */
static bool add_between(struct sampling *s, size_t k)
{
    const struct frequency_table *t = s->target->response->table;
    const double a = t->frequency[k], b = t->frequency[k + 1];
    const double complex rise = frequency_table_exponent(t, k + 1) - frequency_table_exponent(t, k);
    const double parts = ceil(fmax(2, fmax(PER_TURN * fabs(cimag(rise)) / RESPONSE_TWO_PI, PER_NEPER * fabs(creal(rise)))));
    const double low = a > 0 ? a : b * pow(10, -DECADES_ABOVE_REST), ratios = ceil(PER_OCTAVE * log2(b / low));
    double straight = 1, ratio = a > 0 ? 1 : 0;
    bool good = true;
    while (good && (straight < parts || ratio < ratios)) {
        const double f = straight < parts ? a + (b - a) * straight / parts : INFINITY,
                     g = ratio < ratios ? low * pow(b / low, ratio / ratios) : INFINITY;
        good = add(s, RESPONSE_TWO_PI * fmin(f, g), ALLOWED_BETWEEN, false);
        straight += f <= g;
        ratio += g <= f;
    }
    return good;
}

static bool sample_table(struct sampling *s)
{
    const struct frequency_table *t = s->target->response->table;
    bool good = add(s, RESPONSE_TWO_PI * t->frequency[0], ALLOWED_AT_ROWS, true);
    for (size_t k = 0; k + 1 < t->count && good; k++)
        good = add_between(s, k) && add(s, RESPONSE_TWO_PI * t->frequency[k + 1], ALLOWED_AT_ROWS, true);
    return good;
}

static bool sample_formula(struct sampling *s, struct frequency_band band)
{
    const double count = ceil(PER_OCTAVE_OF_FORMULA * log2(band.high / band.low));
    bool good = s->target->rest == 0 || add(s, 0, ALLOWED_OF_FORMULA, true);
    for (double k = 0; k <= count && good; k++)
        good = add(s, band.low * pow(band.high / band.low, k / count), ALLOWED_OF_FORMULA, true);
    return good;
}

/* ---- lags ---- */

/* Parts of a lag that is larger than what can be taken out of it.  The poles follow the rest. */
static void add_lags(struct transfer_target *t, double lag)
{
    static const double parts[] = {1, 0.9, 0.75, 0.5, 0.25};
    const double radians = lag * t->samples[t->count - 1].w;
    for (size_t k = 0; k < sizeof parts / sizeof *parts && radians > RESPONSE_TWO_PI / 2; k++)
        t->lags[t->lag_count++] = parts[k] * lag;
}

/* The delay of groups at the last frequency where something passes, s; of a table from its first to its last row. */
static double lag_of(const struct transfer_target *t)
{
    const struct frequency_table *table = t->response->table;
    if (table) {
        const double complex rise =
            frequency_table_exponent(table, table->count - 1) - frequency_table_exponent(table, 0);
        return -cimag(rise) / (RESPONSE_TWO_PI * (table->frequency[table->count - 1] - table->frequency[0]));
    }
    double complex slope;
    const double complex value = frequency_response(t->response, t->samples[t->count - 1].w, t->workspace, &slope);
    const double lag = -cimag(slope / value);
    return isfinite(lag) ? lag : 0;
}

/* What is below this part of the largest value at high frequencies is not followed. */
static const double NOTHING = 1e-6;

static void cut(struct transfer_target *t)
{
    while (t->count > 2 && !(cabs(t->samples[t->count - 2].value) > NOTHING * t->largest))
        t->count--;
}

bool transfer_target_make(struct transfer_target *t, const struct response *r, const struct waveform_use *use,
                          struct arena *arena)
{
    struct sampling s = {.target = t, .arena = arena};
    *t = (struct transfer_target){.response = r, .lag_count = 1};
    if (r->of_s && !(t->workspace = arena_array(arena, expression_workspace(r->of_s) + 1, sizeof *t->workspace)))
        return false;
    for (int which = 0; which < 2 && r->table; which++) {
        if (!(t->slopes[which] = arena_array(arena, r->table->count + 1, sizeof(double))))
            return false;
        find_slopes(r->table, which, t->slopes[which]);
    }
    t->rest = r->table && r->table->frequency[0] > 0 ? 0 : creal(transfer_target_value(t, 0));
    if (!(r->table ? sample_table(&s) : sample_formula(&s, use->band)))
        return false;
    if (r->of_s)
        cut(t);
    if (t->count > 1 && !use->prompt)
        add_lags(t, lag_of(t));
    return true;
}
