/* chebyshev.c - see chebyshev.h.
 *
 * The low-pass prototype with the ripple 1 - 1/sqrt(1 + eps^2) up to 1/s has the order
 *     n >= arcosh(sqrt((10^(As/10) - 1)/(10^(Ap/10) - 1))) / arcosh(Omega_s)
 * and the poles  -sinh(a) sin(theta_k) +- j cosh(a) cos(theta_k),  a = arsinh(1/eps)/n,  theta_k = pi (2k - 1)/(2n);
 * the other bands come from it by s/wp, wp/s, (s^2 + w0^2)/(B s) and its inverse, w0^2 = w1 w2, B = w2 - w1
 * (A. I. Zverev, Handbook of Filter Synthesis, 1967; R. W. Daniels, Approximation Methods for Electronic Filter Design,
 * 1974, chapters 3 and 6).  Every pair of poles stays a factor of its own.
 */
#include "netlist/formulas/chebyshev.h"

#include "base/names.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_ORDER = 60 };

bool chebyshev_kind_of(const char *word, enum chebyshev_kind *kind)
{
    static const char *const names[] = {"lp", "hp", "bp", "br"};
    for (int k = 0; k < 4; k++)
        if (names_equal(names[k], word)) {
            *kind = (enum chebyshev_kind)k;
            return true;
        }
    return false;
}

struct filter {
    enum chebyshev_kind kind;
    double edges[4];            /* 1/s, ascending */
    double pass, centre, width; /* 1/s: end of the pass band; w0 and B */
    double stop;                /* of the prototype, 1/s */
    double ripple, attenuation; /* dB */
    struct arena *arena;
    struct polynomial *above, *below;
    size_t above_count, below_count;
    bool memory;
};

/* ---- bands ---- */

static int ascending(const void *a, const void *b)
{
    const double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

static double band_pass(const struct filter *f, double w)
{
    return fabs((w * w - f->centre * f->centre) / (f->width * w));
}

static void set_bands(struct filter *f)
{
    const double *w = f->edges;
    const bool inner_passes = f->kind == CHEBYSHEV_BP;
    switch (f->kind) {
    case CHEBYSHEV_LP:
        f->pass = w[0];
        f->stop = w[1] / w[0];
        return;
    case CHEBYSHEV_HP:
        f->pass = w[1];
        f->stop = w[1] / w[0];
        return;
    case CHEBYSHEV_BP:
    case CHEBYSHEV_BR:
        break;
    }
    const double low = inner_passes ? w[1] : w[0], high = inner_passes ? w[2] : w[3];
    f->centre = sqrt(low * high);
    f->width = high - low;
    f->stop = inner_passes ? fmin(band_pass(f, w[0]), band_pass(f, w[3]))
                           : fmin(1 / band_pass(f, w[1]), 1 / band_pass(f, w[2]));
}

static const char *read_numbers(struct filter *f, const double *numbers, size_t count)
{
    const size_t edges = f->kind == CHEBYSHEV_LP || f->kind == CHEBYSHEV_HP ? 2 : 4;
    if (count != edges + 2)
        return edges == 2 ? "LP and HP have two frequencies, a ripple and an attenuation"
                          : "BP and BR have four frequencies, a ripple and an attenuation";
    for (size_t i = 0; i < edges; i++)
        f->edges[i] = 2 * acos(-1) * numbers[i];
    qsort(f->edges, edges, sizeof *f->edges, ascending);
    f->ripple = numbers[edges];
    f->attenuation = numbers[edges + 1];
    if (!(f->edges[0] > 0))
        return "frequencies must be positive";
    for (size_t i = 1; i < edges; i++)
        if (!(f->edges[i] > f->edges[i - 1]))
            return "no two frequencies may be equal";
    if (!(f->ripple > 0 && f->attenuation > f->ripple))
        return "the ripple must be positive and the attenuation larger";
    set_bands(f);
    return NULL;
}

/* ---- factors ---- */

static void add(struct filter *f, struct polynomial *list, size_t *count, double c0, double c1, double c2)
{
    double *at = arena_array(f->arena, 3, sizeof *at);
    f->memory = f->memory && at;
    if (!f->memory)
        return;
    at[0] = c0;
    at[1] = c1;
    at[2] = c2;
    list[(*count)++] = (struct polynomial){at, c2 != 0 ? 3 : c1 != 0 ? 2 : 1};
}

/* 1 - s (1/r + 1/conj(r)) + s^2/|r|^2 */
static void add_pole_pair(struct filter *f, double complex r)
{
    const double size = cabs(r);
    add(f, f->below, &f->below_count, 1, -2 * creal(r) / size / size, 1 / size / size);
}

/* The band's poles for those p of s^2 - q s + w0^2 = 0, and their conjugates. */
static void add_band_pairs(struct filter *f, double complex q)
{
    const double complex root = csqrt(q * q - 4 * f->centre * f->centre);
    const double complex larger = cabs(q + root) >= cabs(q - root) ? (q + root) / 2 : (q - root) / 2;
    add_pole_pair(f, larger);
    add_pole_pair(f, f->centre * f->centre / larger);
}

/* The factor that a pair p, conj(p) of the prototype makes. */
static void add_pair(struct filter *f, double complex p)
{
    switch (f->kind) {
    case CHEBYSHEV_LP:
        add_pole_pair(f, p * f->pass);
        return;
    case CHEBYSHEV_HP:
        add_pole_pair(f, f->pass / p);
        add(f, f->above, &f->above_count, 0, cabs(p) / f->pass, 0);
        add(f, f->above, &f->above_count, 0, cabs(p) / f->pass, 0);
        return;
    case CHEBYSHEV_BP:
        add_band_pairs(f, p * f->width);
        for (int i = 0; i < 2; i++)
            add(f, f->above, &f->above_count, 0, cabs(p) * f->width / f->centre / f->centre, 0);
        return;
    case CHEBYSHEV_BR:
        add_band_pairs(f, f->width / p);
        for (int i = 0; i < 2; i++)
            add(f, f->above, &f->above_count, 1, 0, 1 / f->centre / f->centre);
        return;
    }
}

/* The one that a real pole -x of it makes. */
static void add_real(struct filter *f, double x)
{
    const double square = f->centre * f->centre;
    switch (f->kind) {
    case CHEBYSHEV_LP:
        add(f, f->below, &f->below_count, 1, 1 / (x * f->pass), 0);
        return;
    case CHEBYSHEV_HP:
        add(f, f->below, &f->below_count, 1, x / f->pass, 0);
        add(f, f->above, &f->above_count, 0, x / f->pass, 0);
        return;
    case CHEBYSHEV_BP:
        add(f, f->below, &f->below_count, 1, x * f->width / square, 1 / square);
        add(f, f->above, &f->above_count, 0, x * f->width / square, 0);
        return;
    case CHEBYSHEV_BR:
        add(f, f->below, &f->below_count, 1, f->width / x / square, 1 / square);
        add(f, f->above, &f->above_count, 1, 0, 1 / square);
        return;
    }
}

enum transfer_outcome chebyshev_response(enum chebyshev_kind kind, const double *numbers, size_t count,
                                         struct arena *arena, struct response *out, const char **why)
{
    struct filter f = {.kind = kind, .arena = arena, .memory = true};
    *why = read_numbers(&f, numbers, count);
    if (*why)
        return TRANSFER_NONE;
    const double epsilon = sqrt(pow(10, f.ripple / 10) - 1);
    const double ratio = sqrt(pow(10, f.attenuation / 10) - 1) / epsilon;
    const double order = f.stop > 1 ? ceil(acosh(ratio) / acosh(f.stop) - 1e-9) : INFINITY;
    if (!(order <= MOST_ORDER)) {
        *why = "pass band and stop band are too close for this attenuation";
        return TRANSFER_NONE;
    }
    const int n = order > 1 ? (int)order : 1;
    const double a = asinh(1 / epsilon) / n;
    f.above = arena_array(arena, 2 * (size_t)n + 2, sizeof *f.above);
    f.below = arena_array(arena, 2 * (size_t)n + 2, sizeof *f.below);
    if (!f.above || !f.below)
        return TRANSFER_MEMORY;
    for (int k = 1; k <= n / 2; k++) {
        const double theta = acos(-1) * (2 * k - 1) / (2.0 * n);
        add_pair(&f, CMPLX(-sinh(a) * sin(theta), cosh(a) * cos(theta)));
    }
    if (n % 2 == 1)
        add_real(&f, sinh(a));
    const double gain = n % 2 == 1 ? 1 : 1 / sqrt(1 + epsilon * epsilon);
    return f.memory ? transfer_of_factors(gain, f.above, f.above_count, f.below, f.below_count, arena, out)
                    : TRANSFER_MEMORY;
}
