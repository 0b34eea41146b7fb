/* bsim4_geometry.c - areas, perimeters and resistances of source and drain of a BSIM4 transistor of several fingers
 * (BSIM4.8 manual, chapter 11).
 */
#include "devices/bsim4/bsim4_batch.h"

/* ---- diffusions ---- */

enum diffusion { ISOLATED, SHARED, MERGED };

/* Of source and drain at the ends of the row of fingers, by geomod (11.1). */
static const enum diffusion ends_of[][2] = {{ISOLATED, ISOLATED}, {ISOLATED, SHARED}, {SHARED, ISOLATED},
                                            {SHARED, SHARED},     {ISOLATED, MERGED}, {SHARED, MERGED},
                                            {MERGED, ISOLATED},   {MERGED, SHARED},   {MERGED, MERGED}};

struct layout {
    double width;                     /* m, of a finger */
    double contact, isolation, merge; /* m: DMCG, DMCI, DMDG effective */
};

/* How many diffusions lie between fingers and at the ends of the row. */
struct counts {
    double inside, end;
};

static struct counts count(const struct bsim_device *t, bool drain)
{
    const double nf = t->own[BSIM4_NF];
    const double between = 2 * fmax(nf / 2 - 1, 0);
    if ((int)nf % 2 != 0)
        return (struct counts){2 * fmax((nf - 1) / 2, 0), 1};
    return (t->own[BSIM4_MIN] == 1) == drain ? (struct counts){between, 2} : (struct counts){nf, 0};
}

static struct bsim4_diffusion one(const struct layout *l, enum diffusion kind)
{
    const double along = kind == MERGED ? l->merge : l->contact;
    if (kind == ISOLATED)
        return (struct bsim4_diffusion){(l->contact + l->isolation) * l->width,
                                        2 * (l->contact + l->isolation) + l->width, 0};
    return (struct bsim4_diffusion){along * l->width, 2 * along, 0};
}

/* Squares of a diffusion at an end of the row (11.2): wide contacts, or points; rgeomod 5 and 6 speak of the source only, 7
 * and 8 of the drain only. */
static double end_squares(const struct layout *l, enum diffusion kind, int contacts, bool drain, double n)
{
    const bool wide = contacts == 1 || contacts == (drain ? 3 : 2) || contacts == (drain ? 7 : 5);
    const bool points = contacts == 4 || contacts == (drain ? 2 : 3) || contacts == (drain ? 8 : 6);
    const double along = kind == ISOLATED ? 3 * (l->contact + l->isolation) : 6 * l->contact;
    if (n == 0 || (!wide && !points) || (points && along == 0))
        return 0;
    return wide ? l->contact / (l->width * n) : l->width / (along * n);
}

static double parallel(double a, double b)
{
    return a <= 0 ? b : b <= 0 ? a : a * b / (a + b);
}

/* The contacts at the ends of the row, rgeomod. */
static int contacts_of(const struct bsim_device *t)
{
    return (int)bsim4_either(t, BSIM4_RGEOMOD_OWN, BSIM4_CARD_RGEOMOD);
}

/* Squares of a diffusion; the two arrangements of geomod = 9 and 10 have one end and wide contacts. */
static double squares(const struct bsim_device *t, const struct layout *l, int geometry, bool drain)
{
    const double nf = t->own[BSIM4_NF];
    if (geometry > 8) {
        const bool outside = drain == (geometry == 10);
        const double rest = outside ? nf - 2 : nf;
        return parallel(rest > 0 ? l->contact / (l->width * rest) : 0, outside ? 0.5 * l->contact / l->width : 0);
    }
    const struct counts n = count(t, drain);
    const enum diffusion kind = ends_of[geometry][drain];
    const double inside = n.inside > 0 ? l->contact / (l->width * n.inside) : 0;
    const double end =
        kind == MERGED
            ? (geometry == 5 || geometry == 7 ? (n.end > 0 ? l->merge / (l->width * n.end) : 0) : l->merge / l->width)
            : end_squares(l, kind, contacts_of(t), drain, n.end);
    return parallel(inside, end);
}

struct bsim4_diffusion bsim4_diffusion_of(const struct bsim_device *t, bool drain)
{
    const double *p = t->p, nf = t->own[BSIM4_NF];
    const double contact = p[BSIM4_CARD_DMCG] - p[BSIM4_CARD_DMCGT];
    const struct layout l = {bsim4_junction_width(t), contact, bsim_or(t, BSIM4_CARD_DMCI, BSIM4_CARD_DMCG),
                             p[BSIM4_CARD_DMDG] - p[BSIM4_CARD_DMCGT]};
    const int geometry = (int)bsim4_either(t, BSIM4_GEOMOD_OWN, BSIM4_CARD_GEOMOD);
    const struct bsim4_diffusion inner = one(&l, SHARED);
    struct bsim4_diffusion d;
    if (geometry > 8) {
        const bool outside = drain == (geometry == 10);
        const struct bsim4_diffusion end = one(&l, outside ? ISOLATED : SHARED);
        d = (struct bsim4_diffusion){end.area + (nf - 1) * inner.area, end.perimeter + (nf - 1) * inner.perimeter, 0};
    } else {
        const struct counts n = count(t, drain);
        const struct bsim4_diffusion end = one(&l, ends_of[geometry][drain]);
        d = (struct bsim4_diffusion){n.end * end.area + n.inside * inner.area,
                                     n.end * end.perimeter + n.inside * inner.perimeter, 0};
    }
    const int area = drain ? MOSFET_AD : MOSFET_AS, edge = drain ? MOSFET_PD : MOSFET_PS;
    const int turns = drain ? MOSFET_NRD : MOSFET_NRS;
    if (t->own_given[area])
        d.area = t->own[area];
    if (t->own_given[edge])
        d.perimeter = t->own[edge] == 0 ? 0 : t->own[edge] - (p[BSIM4_CARD_PERMOD] != 0 ? l.width * nf : 0);
    d.area = fmax(d.area, 0);
    d.perimeter = fmax(d.perimeter, 0);
    d.resistance = p[BSIM4_CARD_RSH] * (t->own_given[turns]  ? t->own[turns]
                                        : contacts_of(t) > 0 ? squares(t, &l, geometry, drain)
                                                             : 0);
    return d;
}
