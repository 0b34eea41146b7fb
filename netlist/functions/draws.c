/* draws.c - see draws.h. */
#include "netlist/functions/draws.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/philox.h"

struct draws_owner draws_enter(struct draws *d, char kind, const char *path, const char *name)
{
    const struct draws_owner before = d->owner;
    d->owner = (struct draws_owner){kind, path, name, 0};
    return before;
}

bool draws_are_made_by(enum operation op, size_t arguments)
{
    return (op >= OP_AGAUSS && op <= OP_UNIT) || (op == OP_LIMIT && arguments == 2);
}

/* ---- distributions ---- */

enum shape { SHAPE_NORMAL, SHAPE_UNIFORM, SHAPE_ENDS };

/* nominal + spread * (a normal number, one from -1 to 1, or -1 or 1); the tolerance is what a worst case goes to. */
struct distribution {
    enum shape shape;
    double nominal, spread, tolerance;
    double tries; /* so many numbers are drawn, and the one farthest from nominal is taken (HSPICE's multiplier) */
};

/* Sigmas that the worst case of LTspice's gauss(sigma) goes to, which has no tolerance. */
static const double SIGMAS = 3;
static const double MOST_TRIES = 1000;

static double argument(const double *a, size_t count, size_t i, double otherwise)
{
    return i < count ? a[i] : otherwise;
}

/* HSPICE's and ngspice's agauss(nominal, variation, sigmas), gauss the same with a relative variation; with one argument
 * LTspice's gauss(sigma). */
static struct distribution normal(const double *a, size_t count, bool relative)
{
    if (count == 1)
        return (struct distribution){SHAPE_NORMAL, 0, a[0], SIGMAS * a[0], 1};
    const double variation = relative ? a[0] * a[1] : a[1];
    return (struct distribution){SHAPE_NORMAL, a[0], variation / argument(a, count, 2, 1), variation,
                                 argument(a, count, 3, 1)};
}

static struct distribution distribution_of(enum operation op, const double *a, size_t count)
{
    switch (op) {
    case OP_AGAUSS:
        return normal(a, count, false);
    case OP_GAUSS:
        return normal(a, count, true);
    case OP_AUNIF:
        return (struct distribution){SHAPE_UNIFORM, a[0], a[1], a[1], argument(a, count, 2, 1)};
    case OP_UNIF:
        return (struct distribution){SHAPE_UNIFORM, a[0], a[0] * a[1], a[0] * a[1], argument(a, count, 2, 1)};
    case OP_MC:
        return (struct distribution){SHAPE_UNIFORM, a[0], a[0] * a[1], a[0] * a[1], 1};
    case OP_UNIT:
        return (struct distribution){SHAPE_UNIFORM, 0.5, 0.5, 0.5, 1};
    case OP_FLAT:
        return (struct distribution){SHAPE_UNIFORM, 0, a[0], a[0], 1};
    default:
        return (struct distribution){SHAPE_ENDS, a[0], a[1], a[1], 1};
    }
}

/* ---- numbers ---- */

/* ASCII letters in lower case. */
static uint64_t hash_text(uint64_t h, const char *text)
{
    for (; text && *text; text++) {
        const char c = (char)(*text >= 'A' && *text <= 'Z' ? *text - 'A' + 'a' : *text);
        h = hash_bytes(h, &c, 1);
    }
    return h;
}

/* The same on machines of either byte order. */
static uint64_t hash_number(uint64_t h, uint64_t number)
{
    for (int i = 0; i < 8; i++, number >>= 8)
        h = hash_bytes(h, (const unsigned char[]){(unsigned char)(number & 0xff)}, 1);
    return h;
}

/* The try-th number of the owner's current value, of deviation or half width 1. */
static double number(const struct draws *d, enum shape shape, uint64_t attempt)
{
    const char kind[2] = {d->owner.kind, '\0'};
    uint64_t name = hash_text(HASH_BEGIN, kind);
    name = hash_text(hash_text(name, d->owner.path), d->owner.name);
    name = hash_number(hash_number(name, d->owner.drawn), attempt);
    const uint32_t key[] = {(uint32_t)d->chance.seed, (uint32_t)(d->chance.seed >> 32)};
    const uint32_t counter[] = {(uint32_t)d->chance.run, (uint32_t)(d->chance.run >> 32), (uint32_t)name,
                                (uint32_t)(name >> 32)};
    uint32_t bits[4];
    philox(key, counter, bits);
    const double u = philox_uniform(bits);
    return shape == SHAPE_NORMAL ? normal_quantile(u) : shape == SHAPE_UNIFORM ? 2 * u - 1 : u < 0.5 ? -1 : 1;
}

static double farthest(const struct draws *d, const struct distribution *f)
{
    double found = number(d, f->shape, 0);
    for (uint64_t i = 1; (double)i < f->tries && (double)i < MOST_TRIES; i++) {
        const double other = number(d, f->shape, i);
        found = fabs(other) > fabs(found) ? other : found;
    }
    return found;
}

/* Remembers what the value is for. */
static void note(struct draws *d)
{
    const struct draws_owner *o = &d->owner;
    const char *path = o->path ? o->path : "", *name = o->name ? o->name : "?";
    if (!array_reserve_in(d->arena, &d->names, d->count, d->count + 1, &d->capacity, sizeof *d->names)) {
        d->failed = true;
        return;
    }
    const char *full = o->drawn == 0 ? arena_format(d->arena, "%s%s", path, name)
                                     : arena_format(d->arena, "%s%s#%u", path, name, o->drawn + 1);
    d->names[d->count++] = full;
    d->failed |= !full;
}

double draws_value(struct draws *d, enum operation op, const double *arguments, size_t count)
{
    const struct distribution f = distribution_of(op, arguments, count);
    if (!d)
        return f.nominal;
    const size_t place = d->count;
    const struct chance *c = &d->chance;
    note(d);
    double value = f.nominal;
    if (c->kind == CHANCE_DRAWN)
        value += f.spread * farthest(d, &f);
    else if (c->kind == CHANCE_EXTREME && place < c->end_count)
        value += c->ends[place] * f.tolerance;
    d->owner.drawn++;
    return value;
}
