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
        good = circuit->prints[i].kind != REQUEST_NOISE || circuit->prints[i].element < 0 ||
               add_printed(c, &circuit->prints[i]);
    return good;
}

enum kn_status contributions_init(struct contributions *c, struct mna *m, const double *x, bool all)
{
    *c = (struct contributions){.arena = arena_new()};
    const enum kn_status status = c->arena ? mna_noise(m, x, &c->sources) : KN_ERROR_MEMORY;
    if (status != KN_OK)
        return status;
    c->density = arena_array(c->arena, c->sources.count + 1, sizeof *c->density);
    c->integral = arena_array(c->arena, 2 * c->sources.count + 1, sizeof *c->integral);
    return c->density && c->integral && choose(c, mna_circuit(m), all) ? KN_OK : KN_ERROR_MEMORY;
}

void contributions_free(struct contributions *c)
{
    noise_list_free(&c->sources);
    arena_free(c->arena);
    free(c->list);
}

/* ---- how much ---- */

/* With L = ln(f1/f0) and e the exponent, the integral is s0 f0 L (e^u - 1)/u at u = (e + 1) L. */
double contributions_piece(double f0, double s0, double f1, double s1)
{
    if (!(s0 > 0) || !(s1 > 0))
        return (f1 - f0) * (s0 + s1) / 2;
    const double length = log(f1 / f0), u = log(s1 / s0) + length;
    return s0 * f0 * length * (fabs(u) < 1e-12 ? 1 : expm1(u) / u);
}

static double complex at(const double complex *y, int unknown)
{
    return unknown > 0 ? y[unknown - 1] : 0;
}

double contributions_visit(struct contributions *c, double frequency, const double complex *y, double gain2)
{
    double sum = 0;
    for (size_t i = 0; i < c->sources.count; i++) {
        const struct noise_source *s = &c->sources.sources[i];
        const double complex z = at(y, s->at.plus) - at(y, s->at.minus);
        const double flicker = s->exponent == 0 ? 1 : s->exponent == 1 ? frequency : pow(frequency, s->exponent);
        const double now = (creal(z) * creal(z) + cimag(z) * cimag(z)) * s->density / flicker, before = c->density[i];
        if (c->begun) {
            c->integral[2 * i] += contributions_piece(c->frequency, before, frequency, now);
            c->integral[2 * i + 1] += contributions_piece(c->frequency, before / c->gain, frequency, now / gain2);
        }
        c->density[i] = now;
        sum += now;
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
        sum += c->integral[2 * (of->first + i) + input];
    return sum;
}
