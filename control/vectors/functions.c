/* functions.c - see functions.h. */
#include "control/vectors/functions.h"

#include "analyses/spectrum/samples.h"
#include "base/names.h"
#include "base/philox.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct values values_new(struct arena *a, size_t count)
{
    return (struct values){
        .at = arena_array(a, count + 1, sizeof(double complex)), .count = count, .quantity = KN_OTHER};
}

static const double full_turn = 6.28318530717958647692; /* rad */

static double angle(const struct function_call *c, double radians)
{
    return c->set.degrees ? radians * 360 / full_turn : radians;
}

static double radians(const struct function_call *c, double angle_given)
{
    return c->set.degrees ? angle_given * full_turn / 360 : angle_given;
}

static enum kn_quantity angle_kind(const struct function_call *c)
{
    return c->set.degrees ? KN_PHASE : KN_OTHER;
}

/* ---- element by element ---- */

typedef double complex map(const struct function_call *c, double complex z);

static struct values mapped(struct function_call *c, const struct values *x, map *f, bool to_real,
                            enum kn_quantity quantity)
{
    struct values out = values_new(c->arena, x->count);
    out.quantity = quantity;
    for (size_t i = 0; out.at && i < x->count; i++) {
        out.at[i] = f(c, x->at[i]);
        out.is_complex |= !to_real && (x->is_complex || cimag(out.at[i]) != 0);
    }
    return out;
}

#define MAP(name, to_real, kind, formula)                                                                              \
    static double complex name##_of(const struct function_call *c, double complex z)                                   \
    {                                                                                                                  \
        (void)c;                                                                                                       \
        (void)z;                                                                                                       \
        return formula;                                                                                                \
    }                                                                                                                  \
    static struct values name##_map(struct function_call *c, const struct values *x)                                   \
    {                                                                                                                  \
        return mapped(c, x, name##_of, to_real, kind);                                                                 \
    }

/* Of a real number the real function where it has one: the complex one leaves a rounding error beside the axis. */
static double complex real_or(double complex z, bool defined, double real, double complex other)
{
    return cimag(z) == 0 && defined ? CMPLX(real, 0) : other;
}

MAP(magnitude, true, x->quantity, cabs(z))
MAP(phase, true, angle_kind(c), angle(c, carg(z)))
MAP(real, true, x->quantity, creal(z))
MAP(imaginary, true, x->quantity, cimag(z))
MAP(conjugate, false, x->quantity, conj(z))
MAP(times_i, false, x->quantity, CMPLX(-cimag(z), creal(z)))
MAP(decibel, true, KN_DECIBEL, 20 * log10(cabs(z)))
MAP(ln, false, KN_OTHER, real_or(z, creal(z) > 0, log(creal(z)), clog(z)))
MAP(log10, false, KN_OTHER, real_or(z, creal(z) > 0, log10(creal(z)), clog(z) / log(10)))
MAP(exp, false, KN_OTHER, real_or(z, true, exp(creal(z)), cexp(z)))
MAP(sqrt, false, KN_OTHER, real_or(z, creal(z) >= 0, sqrt(creal(z)), csqrt(z)))
MAP(sin, false, KN_OTHER, real_or(z, true, sin(radians(c, creal(z))), csin(z)))
MAP(cos, false, KN_OTHER, real_or(z, true, cos(radians(c, creal(z))), ccos(z)))
MAP(tan, false, KN_OTHER, real_or(z, true, tan(radians(c, creal(z))), ctan(z)))
MAP(atan, true, KN_OTHER, angle(c, atan(creal(z))))
MAP(sinh, false, KN_OTHER, real_or(z, true, sinh(creal(z)), csinh(z)))
MAP(cosh, false, KN_OTHER, real_or(z, true, cosh(creal(z)), ccosh(z)))
MAP(tanh, false, KN_OTHER, real_or(z, true, tanh(creal(z)), ctanh(z)))
MAP(asin, false, KN_OTHER, real_or(z, fabs(creal(z)) <= 1, angle(c, asin(creal(z))), casin(z)))
MAP(acos, false, KN_OTHER, real_or(z, fabs(creal(z)) <= 1, angle(c, acos(creal(z))), cacos(z)))
MAP(asinh, false, KN_OTHER, real_or(z, true, asinh(creal(z)), casinh(z)))
MAP(acosh, false, KN_OTHER, real_or(z, creal(z) >= 1, acosh(creal(z)), cacosh(z)))
MAP(atanh, false, KN_OTHER, real_or(z, fabs(creal(z)) < 1, atanh(creal(z)), catanh(z)))
MAP(floor, false, x->quantity, CMPLX(floor(creal(z)), floor(cimag(z))))
MAP(ceil, false, x->quantity, CMPLX(ceil(creal(z)), ceil(cimag(z))))
MAP(nint, false, x->quantity, CMPLX(rint(creal(z)), rint(cimag(z))))
MAP(positive, true, KN_OTHER, creal(z) > 0)

/* ---- random ---- */

/* Uniform between 0 and 1, neither of them. */
static double draw(const struct function_call *c)
{
    uint32_t bits[4];
    const uint64_t number = c->draws->drawn++;
    philox((const uint32_t[]){c->draws->seed, 0x766563}, /* "vec": not the numbers of the deck's random parameters */
           (const uint32_t[]){(uint32_t)number, (uint32_t)(number >> 32), 0, 0}, bits);
    return philox_uniform(bits);
}

/* Of mean lambda: as many as uniform numbers can be multiplied before e^-lambda is passed (Knuth), above 500 the normal
 * law, which is as good as that to 1 %. */
static double poisson(const struct function_call *c, double lambda)
{
    if (lambda > 500)
        return fmax(0, rint(lambda + sqrt(lambda) * normal_quantile(draw(c))));
    double product = draw(c), count = 0;
    for (const double limit = exp(-lambda); product > limit; product *= draw(c))
        count++;
    return count;
}

MAP(random, true, KN_OTHER, floor(draw(c) * fmax(1, floor(cabs(z)))))
MAP(normal, true, KN_OTHER, normal_quantile(draw(c)))
MAP(uniform, true, KN_OTHER, 2 * draw(c) - 1)
MAP(exponential, true, KN_OTHER, -creal(z) * log(draw(c)))
MAP(poisson, true, KN_OTHER, poisson(c, creal(z)))

/* ---- of all elements ---- */

static struct values number(struct function_call *c, double complex z, bool is_complex)
{
    struct values out = values_new(c->arena, 1);
    if (out.at)
        out.at[0] = z;
    out.is_complex = is_complex;
    return out;
}

static struct values empty(struct function_call *c)
{
    c->why = "the vector is empty";
    return values_new(c->arena, 0);
}

static struct values length(struct function_call *c, const struct values *x)
{
    return number(c, (double)x->count, false);
}

static struct values mean(struct function_call *c, const struct values *x)
{
    double complex sum = 0;
    for (size_t i = 0; i < x->count; i++)
        sum += x->at[i];
    return x->count ? number(c, sum / (double)x->count, x->is_complex) : empty(c);
}

/* Of a sample: over count - 1. */
static struct values deviation(struct function_call *c, const struct values *x)
{
    const struct values middle = mean(c, x);
    double sum = 0;
    if (x->count < 2) {
        c->why = "it takes two numbers at least";
        return values_new(c->arena, 0);
    }
    for (size_t i = 0; middle.at && i < x->count; i++)
        sum += pow(cabs(x->at[i] - middle.at[0]), 2);
    return number(c, sqrt(sum / (double)(x->count - 1)), false);
}

/* Of complex numbers the extremes of both parts, as in ngspice. */
static struct values extreme(struct function_call *c, const struct values *x, double (*better)(double, double))
{
    if (x->count == 0)
        return empty(c);
    double real = creal(x->at[0]), other = cimag(x->at[0]);
    for (size_t i = 1; i < x->count; i++) {
        real = better(real, creal(x->at[i]));
        other = better(other, cimag(x->at[i]));
    }
    return number(c, CMPLX(real, other), x->is_complex);
}

static struct values largest(struct function_call *c, const struct values *x)
{
    return extreme(c, x, fmax);
}

static struct values smallest(struct function_call *c, const struct values *x)
{
    return extreme(c, x, fmin);
}

static struct values running_mean(struct function_call *c, const struct values *x)
{
    struct values out = values_new(c->arena, x->count);
    out.is_complex = x->is_complex;
    double complex sum = 0;
    for (size_t i = 0; out.at && i < x->count; i++)
        out.at[i] = (sum += x->at[i]) / (double)(i + 1);
    return out;
}

static struct values normalised(struct function_call *c, const struct values *x)
{
    double most = 0;
    for (size_t i = 0; i < x->count; i++)
        most = fmax(most, cabs(x->at[i]));
    struct values out = values_new(c->arena, x->count);
    out.is_complex = x->is_complex;
    for (size_t i = 0; out.at && i < x->count; i++)
        out.at[i] = most > 0 ? x->at[i] / most : x->at[i];
    return out;
}

/* ---- of a length ---- */

static struct values counted(struct function_call *c, const struct values *x, double step, double begin)
{
    const double wanted = x->count ? cabs(x->at[0]) : 0;
    if (!(wanted >= 1 && wanted <= 1e8)) {
        c->why = "the length of a vector is a number from 1 to 1e8";
        return values_new(c->arena, 0);
    }
    struct values out = values_new(c->arena, (size_t)wanted);
    for (size_t i = 0; out.at && i < out.count; i++)
        out.at[i] = begin + step * (double)i;
    return out;
}

static struct values counting(struct function_call *c, const struct values *x)
{
    return counted(c, x, 1, 0);
}

static struct values ones(struct function_call *c, const struct values *x)
{
    return counted(c, x, 0, 1);
}

/* ---- along the scale ---- */

static bool has_scale(struct function_call *c, const struct values *x, size_t least)
{
    if (!c->scale || c->scale->count != x->count)
        c->why = "the vector has no scale of its length in this plot";
    else if (x->count < least)
        c->why = "the vector is too short";
    return !c->why;
}

static double scale_step(const struct values *scale, size_t i)
{
    return creal(scale->at[i + 1]) - creal(scale->at[i]);
}

/* Behind the last point of the piece that begins at `from`: where the scale stands still there is a jump, and where it
 * turns another run begins, or the way back. */
static size_t piece_end(const struct values *scale, size_t from)
{
    size_t end = from + 1;
    if (end == scale->count)
        return end;
    const double first = scale_step(scale, from);
    while (end < scale->count && first * scale_step(scale, end - 1) > 0)
        end++;
    return end;
}

/* Slope at s of the parabola through three points, by Newton's divided differences. */
static double complex slope(const double complex *y, const double *s, double at)
{
    const double complex first = (y[1] - y[0]) / (s[1] - s[0]), second = (y[2] - y[1]) / (s[2] - s[1]);
    return first + (second - first) / (s[2] - s[0]) * (at - s[0] + at - s[1]);
}

static double complex slope_within(const struct values *x, const struct values *scale, size_t begin, size_t end,
                                   size_t i)
{
    if (end - begin < 2)
        return NAN; /* a point alone */
    if (end - begin == 2)
        return (x->at[begin + 1] - x->at[begin]) / scale_step(scale, begin);
    const size_t from = i == begin ? begin : i + 1 == end ? i - 2 : i - 1;
    const double s[] = {creal(scale->at[from]), creal(scale->at[from + 1]), creal(scale->at[from + 2])};
    return slope(x->at + from, s, creal(scale->at[i]));
}

static struct values derivative(struct function_call *c, const struct values *x)
{
    if (!has_scale(c, x, 2))
        return values_new(c->arena, 0);
    struct values out = values_new(c->arena, x->count);
    out.is_complex = x->is_complex;
    for (size_t begin = 0, end; out.at && begin < x->count; begin = end) {
        end = piece_end(c->scale, begin);
        for (size_t i = begin; i < end; i++)
            out.at[i] = slope_within(x, c->scale, begin, end, i);
    }
    return out;
}

/* Whether the scale goes back to where the run began or beyond: then another one begins. */
static bool begins_anew(const struct values *scale, size_t begin, size_t i)
{
    const double first = creal(scale->at[begin]), here = creal(scale->at[i]), before = creal(scale->at[i - 1]);
    return (before > first && here <= first) || (before < first && here >= first);
}

static struct values integral(struct function_call *c, const struct values *x)
{
    if (!has_scale(c, x, 1))
        return values_new(c->arena, 0);
    struct values out = values_new(c->arena, x->count);
    out.is_complex = x->is_complex;
    size_t begin = 0;
    for (size_t i = 1; out.at && i < x->count; i++) {
        begin = begins_anew(c->scale, begin, i) ? i : begin;
        if (i > begin)
            out.at[i] = out.at[i - 1] + (x->at[i] + x->at[i - 1]) / 2 * scale_step(c->scale, i - 1);
    }
    return out;
}

/* From the beginning of the scale to a place on it, along straight lines; *k: the line that was looked at last, not behind it. */
static double complex area_to(const struct values *sums, const struct values *x, const struct values *scale, double at,
                              size_t *k)
{
    while (*k + 2 < x->count && creal(scale->at[*k + 1]) <= at)
        ++*k;
    const double length = scale_step(scale, *k), h = at - creal(scale->at[*k]);
    const double complex slope = length > 0 ? (x->at[*k + 1] - x->at[*k]) / length : 0;
    return sums->at[*k] + h * (x->at[*k] + slope * h / 2);
}

/* mtimeavg: the mean over a window around each point, or what there is of it. */
static struct values moving_mean(struct function_call *c, const struct values *x)
{
    if (!has_scale(c, x, 2))
        return values_new(c->arena, 0);
    for (size_t i = 0; i + 1 < x->count; i++)
        if (scale_step(c->scale, i) < 0)
            c->why = "mtimeavg takes a vector whose scale rises";
    if (!(c->set.window > 0))
        c->why = "set mtimeavgwindow = 1m says how long the means are of mtimeavg";
    const struct values sums = integral(c, x);
    struct values out = values_new(c->arena, c->why || !sums.at ? 0 : x->count);
    out.is_complex = x->is_complex;
    const double first = creal(c->scale->at[0]), last = creal(c->scale->at[x->count - 1]);
    size_t left = 0, right = 0;
    for (size_t i = 0; out.at && i < out.count; i++) {
        const double here = creal(c->scale->at[i]);
        const double from = fmax(here - c->set.window / 2, first), to = fmin(here + c->set.window / 2, last);
        const double complex until = area_to(&sums, x, c->scale, from, &left);
        out.at[i] = to > from ? (area_to(&sums, x, c->scale, to, &right) - until) / (to - from) : x->at[i];
    }
    return out;
}

/* A vector of another plot at the points of the current one, along straight lines; beyond its ends their values. */
static struct values interpolated(struct function_call *c, const struct values *x)
{
    if (!has_scale(c, x, 2))
        return values_new(c->arena, 0);
    for (size_t i = 0; i + 1 < x->count; i++)
        if (scale_step(c->scale, i) < 0)
            c->why = "interpolate takes a vector whose scale rises";
    if (!c->current)
        c->why = "the current plot has no scale";
    struct values out = values_new(c->arena, c->why ? 0 : c->current->count);
    const struct samples given = {c->scale->at, x->at, x->count};
    const double first = creal(c->scale->at[0]), last = creal(c->scale->at[x->count - 1]);
    double before = -INFINITY;
    size_t at = 0;
    for (size_t i = 0; out.at && i < out.count; i++) {
        const double s = creal(c->current->at[i]);
        at = s < before ? 0 : at;
        before = s;
        out.at[i] = samples_between(&given, fmin(fmax(s, first), last), &at);
    }
    out.is_complex = x->is_complex;
    out.quantity = x->quantity;
    return out;
}

/* The phase without jumps of a whole turn. */
static struct values unwrapped(struct function_call *c, const struct values *x)
{
    struct values out = values_new(c->arena, x->count);
    out.quantity = angle_kind(c);
    double turns = 0, before = 0;
    for (size_t i = 0; out.at && i < x->count; i++) {
        const double now = carg(x->at[i]);
        turns -= i ? rint((now + turns * full_turn - before) / full_turn) : 0;
        before = now + turns * full_turn;
        out.at[i] = angle(c, before);
    }
    return out;
}

/* s: minus the slope of the phase over the angular frequency. */
static struct values group_delay(struct function_call *c, const struct values *x)
{
    struct function_call in_radians = *c;
    in_radians.set.degrees = false;
    const struct values phase = unwrapped(&in_radians, x);
    struct values out = derivative(c, &phase);
    for (size_t i = 0; out.at && i < out.count; i++)
        out.at[i] = -out.at[i] / full_turn;
    return out;
}

/* ---- transforms, order ---- */

static struct values transformed(struct function_call *c, const struct values *x, bool inverse)
{
    struct values out = values_new(c->arena, x->count);
    if (out.at && x->count)
        memcpy(out.at, x->at, x->count * sizeof *out.at);
    if (!out.at || (x->count && !samples_transform(c->arena, out.at, x->count, inverse)))
        return (struct values){0};
    out.is_complex = true;
    out.quantity = x->quantity;
    return out;
}

static struct values transform_of(struct function_call *c, const struct values *x)
{
    return transformed(c, x, false);
}

static struct values inverse_of(struct function_call *c, const struct values *x)
{
    return transformed(c, x, true);
}

struct ranked {
    double number;
    size_t place;
};

/* Equal ones stay in their order. */
static int by_number(const void *a, const void *b)
{
    const struct ranked *p = a, *q = b;
    const int places = (p->place > q->place) - (p->place < q->place);
    return p->number > q->number ? 1 : p->number < q->number ? -1 : places;
}

/* The places of the numbers, the smallest first. */
static struct values order_of(struct function_call *c, const struct values *x)
{
    struct values out = values_new(c->arena, x->count);
    struct ranked *all = arena_array(c->arena, x->count + 1, sizeof *all);
    if (!out.at || !all)
        return (struct values){0};
    for (size_t i = 0; i < x->count; i++)
        all[i] = (struct ranked){creal(x->at[i]), i};
    qsort(all, x->count, sizeof *all, by_number);
    for (size_t i = 0; i < x->count; i++)
        out.at[i] = (double)all[i].place;
    return out;
}

/* ---- the table ---- */

static const struct {
    const char *name;
    function_of_vector *of;
} functions[] = {{"mag", magnitude_map},
                 {"magnitude", magnitude_map},
                 {"abs", magnitude_map},
                 {"ph", phase_map},
                 {"phase", phase_map},
                 {"cph", unwrapped},
                 {"cphase", unwrapped},
                 {"unwrap", unwrapped},
                 {"real", real_map},
                 {"re", real_map},
                 {"imag", imaginary_map},
                 {"im", imaginary_map},
                 {"conj", conjugate_map},
                 {"j", times_i_map},
                 {"db", decibel_map},
                 {"ln", ln_map},
                 {"log", ln_map},
                 {"log10", log10_map},
                 {"exp", exp_map},
                 {"sqrt", sqrt_map},
                 {"sin", sin_map},
                 {"cos", cos_map},
                 {"tan", tan_map},
                 {"atan", atan_map},
                 {"sinh", sinh_map},
                 {"cosh", cosh_map},
                 {"tanh", tanh_map},
                 {"asin", asin_map},
                 {"acos", acos_map},
                 {"asinh", asinh_map},
                 {"acosh", acosh_map},
                 {"atanh", atanh_map},
                 {"floor", floor_map},
                 {"ceil", ceil_map},
                 {"nint", nint_map},
                 {"pos", positive_map},
                 {"rnd", random_map},
                 {"sgauss", normal_map},
                 {"sunif", uniform_map},
                 {"exponential", exponential_map},
                 {"poisson", poisson_map},
                 {"length", length},
                 {"mean", mean},
                 {"avg", running_mean},
                 {"stddev", deviation},
                 {"vecmax", largest},
                 {"maximum", largest},
                 {"vecmin", smallest},
                 {"minimum", smallest},
                 {"norm", normalised},
                 {"vector", counting},
                 {"unitvec", ones},
                 {"deriv", derivative},
                 {"integ", integral},
                 {"mtimeavg", moving_mean},
                 {"interpolate", interpolated},
                 {"group_delay", group_delay},
                 {"fft", transform_of},
                 {"ifft", inverse_of},
                 {"sortorder", order_of}};

function_of_vector *function_find(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (names_equal(functions[i].name, name))
            return functions[i].of;
    return NULL;
}

const char *function_closest(const char *name)
{
    struct name_guess g = name_guess(name);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        name_guess_offer(&g, functions[i].name);
    return g.found;
}
