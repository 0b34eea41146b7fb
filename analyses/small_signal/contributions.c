/* contributions.c - see contributions.h. */
#include "analyses/small_signal/contributions.h"

#include "base/array.h"
#include "base/names.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

/* ---- who ---- */

static const char *lower_name(struct arena *a, const struct noise_place *at, bool whole)
{
    char *name =
        whole ? arena_format(a, "%s", at->element->name) : arena_format(a, "%s_%s", at->element->name, at->mechanism);
    for (char *c = name; c && *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return name;
}

static bool add(struct contributions *c, const char *name, size_t first, size_t count)
{
    if (!name || !array_reserve(&c->list, c->count + 1, &c->capacity, sizeof *c->list))
        return false;
    c->list[c->count++] = (struct contributor){name, first, count};
    return true;
}

/* The mechanisms of a device are next to each other. */
static size_t end_of_device(const struct noise_list *l, size_t first)
{
    size_t end = first;
    while (end < l->count && l->sources[end].at.element == l->sources[first].at.element)
        end++;
    return end;
}

static bool add_device(struct contributions *c, size_t first, size_t end)
{
    const struct noise_source *s = c->sources.sources;
    bool good = add(c, lower_name(c->arena, &s[first].at, true), first, end - first);
    for (size_t i = first; i < end && good; i++)
        good = !s[i].at.mechanism || add(c, lower_name(c->arena, &s[i].at, false), i, 1);
    return good;
}

/* One that .print names, "onoise_q1_rb"; of mechanisms that the device does not have it is 0. */
static bool add_printed(struct contributions *c, const struct request *r)
{
    const char *name = r->label + sizeof "onoise_" - 1;
    const struct noise_list *l = &c->sources;
    for (size_t i = 0; i < c->count; i++)
        if (names_equal(c->list[i].name, name))
            return true;
    for (size_t first = 0; first < l->count; first++) {
        const struct noise_place *at = &l->sources[first].at;
        if (at->element->number != r->element)
            continue;
        if (names_equal(lower_name(c->arena, at, true), name))
            return add(c, name, first, end_of_device(l, first) - first);
        if (at->mechanism && names_equal(lower_name(c->arena, at, false), name))
            return add(c, name, first, 1);
    }
    return add(c, name, 0, 0);
}

static bool choose(struct contributions *c, const struct circuit *circuit, bool all)
{
    bool good = true;
    for (size_t i = 0, end; i < c->sources.count && all && good; i = end) {
        end = end_of_device(&c->sources, i);
        good = add_device(c, i, end);
    }
    for (size_t i = 0; i < circuit->print_count && good; i++)
        good = circuit->prints[i].kind != REQUEST_RESULT || circuit->prints[i].element < 0 ||
               add_printed(c, &circuit->prints[i]);
    return good;
}

enum kn_status contributions_init(struct contributions *c, struct mna *m, const double *x, bool all)
{
    *c = (struct contributions){.arena = arena_new()};
    const enum kn_status status = c->arena ? mna_noise(m, x, &c->sources) : KN_ERROR_MEMORY;
    if (status != KN_OK)
        return status;
    double **const vectors[] = {&c->density, &c->before, &c->root, &c->root_before, &c->output, &c->input, NULL};
    const bool made = arena_vectors(c->arena, c->sources.count + 1, vectors) && choose(c, mna_circuit(m), all);
    return made ? KN_OK : KN_ERROR_MEMORY;
}

void contributions_free(struct contributions *c)
{
    noise_list_free(&c->sources);
    arena_free(c->arena);
    free(c->list);
}

/* ---- how much ---- */

/* From f0 to f1 a density s0 (f/f0)^e that ends at s1 has, with L = ln(f1/f0) and u = (e + 1) L = ln(s1/s0) + L, the
 * integral s0 f0 L (e^u - 1)/u = sqrt(s0 s1) sqrt(f0 f1) L sinh(u/2)/(u/2).  What all densities of a step share, at the
 * output and divided by the squared gain at either end: */
struct step {
    double width, length, mean; /* f1 - f0, L, sqrt(f0 f1) L */
    double gain[2];
    double gain_length, gain_mean; /* logarithm of their ratio, root of their product */
};

static struct step step_of(const struct contributions *c, double frequency, double gain2)
{
    const double length = log(frequency / c->frequency);
    return (struct step){.width = frequency - c->frequency,
                         .length = length,
                         .mean = sqrt(c->frequency * frequency) * length,
                         .gain = {c->gain, gain2},
                         .gain_length = log(gain2 / c->gain),
                         .gain_mean = sqrt(c->gain) * sqrt(gain2)};
}

double contributions_referred(double density, double gain2)
{
    return density > 0 ? density / gain2 : 0;
}

static double sinh_ratio(double x)
{
    return fabs(x) < 1e-4 ? 1 + x * x / 6 : sinh(x) / x;
}

/* A straight line where an end is 0, of which no power is. */
static void integrate_one(const struct contributions *c, const struct step *s, size_t i)
{
    const double before = c->before[i], now = c->density[i];
    const bool power = before > 0 && now > 0;
    const double u = log(now / before) + s->length, mean = c->root_before[i] * c->root[i] * s->mean;
    c->output[i] += power ? mean * sinh_ratio(0.5 * u) : s->width * (before + now) / 2;
    if (power && s->gain_mean > 0)
        c->input[i] += mean / s->gain_mean * sinh_ratio(0.5 * (u - s->gain_length));
    else
        c->input[i] +=
            s->width * (contributions_referred(before, s->gain[0]) + contributions_referred(now, s->gain[1])) / 2;
}

/* Up to here series are exact to a double: of ln(b/a) in z = (b - a)/(b + a), of sinh(x)/x in x. */
static const double NEAR_Z = 0.05, NEAR_X = 0.2;
enum { BLOCK = 16 }; /* sources taken together, in which the compiler finds several at once */

static inline double near_log_ratio(double z)
{
    const double z2 = z * z;
    return 2 * z * (1 + z2 * (1.0 / 3 + z2 * (1.0 / 5 + z2 * (1.0 / 7 + z2 * (1.0 / 9)))));
}

static inline double near_sinh_ratio(double x)
{
    const double x2 = x * x;
    return 1 + x2 * (1.0 / 6 + x2 * (1.0 / 120 + x2 * (1.0 / 5040 + x2 * (1.0 / 362880))));
}

/* A block by series; false, and nothing done, where one of them is too far. */
static bool integrate_near(const struct contributions *c, const struct step *s, size_t first)
{
    const double *now = c->density + first, *before = c->before + first;
    const double *root = c->root + first, *root_before = c->root_before + first;
    double *restrict output = c->output + first, *restrict input = c->input + first;
    const double at_input = 1 / s->gain_mean, length = s->length, gain_length = s->gain_length, whole = s->mean;
    double out[BLOCK], in[BLOCK], z[BLOCK], x[BLOCK], y[BLOCK];
    for (int i = 0; i < BLOCK; i++) {
        z[i] = (now[i] - before[i]) / (now[i] + before[i]);
        x[i] = 0.5 * (near_log_ratio(z[i]) + length);
        y[i] = x[i] - 0.5 * gain_length;
        const double mean = root_before[i] * root[i] * whole;
        out[i] = mean * near_sinh_ratio(x[i]);
        in[i] = mean * at_input * near_sinh_ratio(y[i]);
    }
    for (int i = 0; i < BLOCK; i++)
        if (!(fabs(z[i]) < NEAR_Z) || !(fabs(x[i]) < NEAR_X) || !(fabs(y[i]) < NEAR_X))
            return false;
    for (int i = 0; i < BLOCK; i++) {
        output[i] += out[i];
        input[i] += in[i];
    }
    return true;
}

static void integrate(const struct contributions *c, const struct step *s)
{
    size_t i = 0;
    for (; i + BLOCK <= c->sources.count; i += BLOCK)
        if (!integrate_near(c, s, i))
            for (size_t k = i; k < i + BLOCK; k++)
                integrate_one(c, s, k);
    for (; i < c->sources.count; i++)
        integrate_one(c, s, i);
}

static void swap(double **a, double **b)
{
    double *kept = *a;
    *a = *b;
    *b = kept;
}

double contributions_visit(struct contributions *c, double frequency, const double complex *y, double gain2)
{
    double sum = 0;
    swap(&c->density, &c->before);
    swap(&c->root, &c->root_before);
    for (size_t i = 0; i < c->sources.count; i++) {
        const struct noise_source *s = &c->sources.sources[i];
        const double complex z = noise_response(s, y);
        c->density[i] = (creal(z) * creal(z) + cimag(z) * cimag(z)) * noise_density(s, frequency);
        sum += c->density[i];
    }
    for (size_t i = 0; i < c->sources.count; i++)
        c->root[i] = sqrt(c->density[i]);
    if (c->begun) {
        const struct step step = step_of(c, frequency, gain2);
        integrate(c, &step);
    }
    c->frequency = frequency;
    c->gain = gain2;
    c->begun = true;
    return sum;
}

double contributions_density(const struct contributions *c, size_t k)
{
    double sum = 0;
    for (size_t i = 0; i < c->list[k].count; i++)
        sum += c->density[c->list[k].first + i];
    return sum;
}

double contributions_integral(const struct contributions *c, size_t k, bool input)
{
    const struct contributor all = {NULL, 0, c->sources.count}, *of = k < c->count ? &c->list[k] : &all;
    double sum = 0;
    for (size_t i = 0; i < of->count; i++)
        sum += (input ? c->input : c->output)[of->first + i];
    return sum;
}
