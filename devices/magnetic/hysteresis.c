/* hysteresis.c - see hysteresis.h. */
#include "devices/magnetic/hysteresis.h"

#include <math.h>

/* A slope with its derivatives by the effective field, the magnetisation itself, and the sign. */
struct part {
    double value, effective, own, sign;
};

static struct part anhysteretic(const struct hysteresis *h, double he, double *man)
{
    const double s = hypot(he, h->round_field), d = h->shape + s;
    const double n = h->shape + h->round_field * h->round_field / s;
    const double bend = -h->round_field * h->round_field * he / (s * s * s);
    *man = h->saturation * he / d;
    return (struct part){h->saturation * n / (d * d), h->saturation * (bend - 2 * n * he / (s * d)) / (d * d), 0, 0};
}

/* Far from Man the pinning may not be lost: alpha r stays below k. */
static const double LEAST_PINNING = 0.01;

static struct part irreversible(const struct hysteresis *h, double distance, double distance_rate, double sign)
{
    const double r = hypot(distance, h->round_distance);
    const double least = LEAST_PINNING * h->pinning, left = h->pinning - h->domains * r;
    const double k = fmax(left, least), rise = left > least ? h->domains * distance / r : 0;
    const double pull = distance * sign + r, value = pull / (2 * k);
    const double by_distance = (sign + distance / r) / (2 * k) + value / k * rise;
    return (struct part){value, by_distance * distance_rate, -by_distance, distance / (2 * k)};
}

struct hysteresis_slope hysteresis_slope(const struct hysteresis *h, double field, double magnetisation, double sign)
{
    double man;
    const double inner = h->domains - h->gap, he = field + inner * magnetisation;
    const struct part a = anhysteretic(h, he, &man);
    const struct part i = irreversible(h, man - magnetisation, a.value, sign);
    const double c = h->flexing, b = 1 - c;
    const double top = c * a.value + b * i.value, bottom = 1 - inner * c * a.value + h->gap * b * i.value;
    /* d(top/bottom) = (by_a da + by_i di), the derivatives by both slopes */
    const double by_a = c * (bottom + inner * top) / (bottom * bottom);
    const double by_i = b * (bottom - h->gap * top) / (bottom * bottom);
    const double effective = by_a * a.effective + by_i * i.effective;
    return (struct hysteresis_slope){top / bottom, effective, inner * effective + by_i * i.own, by_i * i.sign};
}
