/* noise.c - see noise.h. */
#include "devices/noise.h"

#include "base/array.h"
#include "devices/device.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

bool noise_add(struct noise_list *list, const struct noise_source *source)
{
    if (source->at.element && source->at.element->noiseless)
        return true;
    if (!array_reserve(&list->sources, list->count + 1, &list->capacity, sizeof *list->sources))
        return false;
    list->sources[list->count++] = *source;
    return true;
}

bool noise_add_thermal(struct noise_list *list, struct noise_place at, double conductance, double kelvin)
{
    const struct noise_source s = {.at = at, .density = 4 * DEVICE_BOLTZMANN * kelvin * fabs(conductance)};
    return at.plus == at.minus || noise_add(list, &s);
}

bool noise_add_two_port(struct noise_list *list, const struct element *element, const int ends[4], double kelvin,
                        double (*conductance)(const void *of, double frequency), const void *const of[2])
{
    static const char *const mechanisms[2] = {"even", "odd"};
    bool good = true;
    for (int odd = 0; odd < 2 && good; odd++) {
        const struct noise_source s = {
            .at = {element, mechanisms[odd], ends[0], ends[1]},
            .density = 2 * DEVICE_BOLTZMANN * kelvin,
            .twin = odd ? -1 : 1,
            .twin_plus = ends[2],
            .twin_minus = ends[3],
            .spectrum = conductance,
            .of = of[odd],
        };
        good = noise_add(list, &s);
    }
    return good;
}

bool noise_add_shot(struct noise_list *list, struct noise_place at, double current)
{
    const struct noise_source s = {.at = at, .density = 2 * DEVICE_CHARGE * fabs(current)};
    return noise_add(list, &s);
}

double noise_shape(const struct noise_source *s, double frequency)
{
    const double slow = s->exponent == 0 ? 1 : 1 / (s->exponent == 1 ? frequency : pow(frequency, s->exponent));
    return s->spectrum ? slow * s->spectrum(s->of, frequency) : slow;
}

double noise_density(const struct noise_source *s, double frequency)
{
    return s->density * noise_shape(s, frequency);
}

static double complex at(const double complex *y, int unknown)
{
    return unknown > 0 ? y[unknown - 1] : 0;
}

double complex noise_response(const struct noise_source *s, const double complex *y)
{
    const double complex response = at(y, s->at.plus) - at(y, s->at.minus);
    return s->twin == 0 ? response : response + s->twin * (at(y, s->twin_plus) - at(y, s->twin_minus));
}

static double real_at(const double *y, int unknown)
{
    return unknown > 0 ? y[unknown - 1] : 0;
}

double noise_response_real(const struct noise_source *s, const double *y)
{
    const double response = real_at(y, s->at.plus) - real_at(y, s->at.minus);
    return s->twin == 0 ? response : response + s->twin * (real_at(y, s->twin_plus) - real_at(y, s->twin_minus));
}

void noise_list_free(struct noise_list *list)
{
    free(list->sources);
    *list = (struct noise_list){0};
}

double noise_flicker(double kf, double af, double current, double parallel)
{
    return parallel * kf * pow(fabs(current) / parallel, af);
}
