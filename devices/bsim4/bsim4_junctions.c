/* bsim4_junctions.c - junctions of source and drain of BSIM4 transistors (BSIM4.8 manual, chapter 10; temperature 12.5).
 *
 * Where a junction has no breakdown and no traps its current is an exponential that goes on straight from ijth on, which
 * all MOSFETs have (struct bulk_diode).
 */
#include "devices/bsim4/bsim4_batch.h"

#include <float.h>

/* Before this version a junction without area and perimeter has a saturation current of 1e-14 A, and since then none. */
static const double without_area_from = 4.6;

/* The exponential and breakdown, of the saturation current, and its slope; v/nVt below -34 is nothing. */
static double exponentials(const struct bsim4_junction *j, double v, double *slope)
{
    const double x = v * j->rate, y = -(j->breakdown + v) * j->rate;
    double by_x, by_y;
    const double e = junction_exp(fmax(x, -BSIM_FAR), &by_x);
    const double back = junction_exp(j->mode == 2 ? fmax(y, -BSIM_FAR) : y, &by_y);
    if (x < -BSIM_FAR)
        by_x = 0;
    if (j->mode == 2 && y < -BSIM_FAR)
        by_y = 0;
    *slope = (by_x + j->factor * by_y) * j->rate;
    return e - 1 + j->at_zero - j->factor * back;
}

static double own_current(const struct bulk_law *law, double v, double *conductance)
{
    const struct bsim4_junction *j = (const struct bsim4_junction *)law;
    double i = 0, g = 0;
    if (j->saturation > 0) {
        if (j->mode > 0 && v > j->forward) {
            g = j->forward_slope;
            i = j->forward_current + g * (v - j->forward);
        } else if (j->mode == 2 && v < j->reverse) {
            const double x = v * j->rate, e = exp(fmax(x, -BSIM_FAR));
            const double line = j->reverse_current + j->reverse_slope * (v - j->reverse);
            i = (e - 1) * line;
            g = (x < -BSIM_FAR ? 0 : e * j->rate) * line + (e - 1) * j->reverse_slope;
        } else if (j->mode == 1) {
            const double x = v * j->rate, e = exp(fmax(x, -BSIM_FAR));
            i = j->saturation * (e - 1);
            g = x < -BSIM_FAR ? 0 : j->saturation * e * j->rate;
        } else {
            i = j->saturation * exponentials(j, v, &g);
            g *= j->saturation;
        }
    }
    for (int k = 0; k < 3; k++) {
        const struct bsim4_traps *t = &j->traps[k];
        if (t->current == 0)
            continue;
        const bool near = t->voltage - v < 1e-3 * t->voltage;
        const double stretch = near ? 1e3 : t->voltage / (t->voltage - v);
        double slope;
        const double e = bsim4_exp(-v * t->rate * stretch, &slope);
        i -= t->current * (e - 1);
        g += t->current * slope * t->rate * (near ? stretch : stretch * stretch);
    }
    *conductance = j->parallel * g;
    return j->parallel * i;
}

static struct bsim4_traps traps_of(const struct bsim_device *t, bool drain, int rows[5], double size, double gap)
{
    const double warmth = (t->celsius + DEVICE_KELVIN) / (t->nominal + DEVICE_KELVIN) - 1;
    const double kelvin = t->celsius + DEVICE_KELVIN;
    const double emission = bsim4_side(t, drain, rows[1]) * (1 + bsim4_side(t, drain, rows[3]) * warmth);
    double slope;
    const double growth = bsim4_exp(bsim4_side(t, drain, rows[2]) * gap / (BSIM_KELVIN * kelvin) * warmth, &slope);
    return (struct bsim4_traps){growth * size * bsim4_side(t, drain, rows[0]),
                                1 / (BSIM_KELVIN * (t->nominal + DEVICE_KELVIN) * emission),
                                bsim4_side(t, drain, rows[4])};
}

/* Where the current goes on straight, forwards and in breakdown (10.1). */
static void find_ends(const struct bsim_device *t, bool drain, struct bsim4_junction *j)
{
    const double is = j->saturation, thermal = 1 / j->rate;
    const double zero = j->mode == 2 ? j->at_zero : 0;
    const double b = 1 + bsim4_side(t, drain, BSIM4_CARD_IJTHF_S) / is - zero;
    const double e = 0.5 * (b + sqrt(b * b + 4 * zero));
    j->forward = thermal * log(e);
    j->forward_current = is * (e - 1 + zero - zero / e);
    j->forward_slope = is * (e + zero / e) * j->rate;
    if (j->mode == 1) {
        j->forward_current = is * (e - 1);
        j->forward_slope = is * e * j->rate;
        return;
    }
    double ratio = bsim4_side(t, drain, BSIM4_CARD_IJTHR_S) / is;
    if (ratio < 1)
        ratio = 10;
    j->reverse = -j->breakdown - thermal * log((ratio - 1) / j->factor);
    const double back = j->factor * exp(-(j->breakdown + j->reverse) * j->rate);
    j->reverse_current = is * (1 + back);
    j->reverse_slope = -is * back * j->rate;
}

/* One of the three charges of a junction. */
struct wall {
    int capacitance, potential, grading, by_temperature, potential_by_temperature;
};
static const struct wall bottom = {BSIM4_CARD_CJ_S, BSIM4_CARD_PB_S, BSIM4_CARD_MJ_S, BSIM4_CARD_TCJ, BSIM4_CARD_TPB};
static const struct wall sidewall = {BSIM4_CARD_CJSW_S, BSIM4_CARD_PBSW_S, BSIM4_CARD_MJSW_S, BSIM4_CARD_TCJSW,
                                     BSIM4_CARD_TPBSW};
static const struct wall gate_wall = {BSIM4_CARD_CJSWG_S, BSIM4_CARD_PBSWG_S, BSIM4_CARD_MJSWG_S, BSIM4_CARD_TCJSWG,
                                      BSIM4_CARD_TPBSWG};

/* The row of the gate's edge is the sidewall's where neither side gives it: of the drain the source's goes first. */
static double row_of(const struct bsim_device *t, bool drain, int row, int otherwise)
{
    if (t->given[row] || (drain && t->given[row + 1]))
        return bsim4_side(t, drain, row);
    return bsim4_side(t, false, otherwise);
}

/* From zero bias on the capacitance grows straight. */
static struct depletion depletion_at(const struct bsim_device *t, bool drain, const struct wall *w,
                                     const struct wall *otherwise, double size)
{
    const double warmer = t->celsius - t->nominal, growth = fmax(1 + t->p[w->by_temperature] * warmer, 0);
    const double measured = fmax(row_of(t, drain, w->potential, otherwise->potential), 0.1);
    const double potential = fmax(measured - t->p[w->potential_by_temperature] * warmer, 0.01);
    return depletion_of(size * row_of(t, drain, w->capacitance, otherwise->capacitance) * growth, potential,
                        row_of(t, drain, w->grading, otherwise->grading), 0);
}

static bool has_traps(const struct bsim4_junction *j)
{
    return j->traps[0].current != 0 || j->traps[1].current != 0 || j->traps[2].current != 0;
}

void bsim4_prepare_diode(const struct bsim_device *t, const struct bsim4_law *law, bool drain, struct bsim4_junction *j,
                         struct bulk_diode *out)
{
    static const int rows[3][5] = {
        {BSIM4_CARD_JTS_S, BSIM4_CARD_NJTS_S, BSIM4_CARD_XTS_S, BSIM4_CARD_TNJTS_S, BSIM4_CARD_VTS_S},
        {BSIM4_CARD_JTSSW_S, BSIM4_CARD_NJTSSW_S, BSIM4_CARD_XTSSW_S, BSIM4_CARD_TNJTSSW_S, BSIM4_CARD_VTSSW_S},
        {BSIM4_CARD_JTSSWG_S, BSIM4_CARD_NJTSSWG_S, BSIM4_CARD_XTSSWG_S, BSIM4_CARD_TNJTSSWG_S, BSIM4_CARD_VTSSWG_S}};
    const double m = t->own[MOSFET_M], kelvin = t->celsius + DEVICE_KELVIN, nominal = t->nominal + DEVICE_KELVIN;
    const struct bsim4_diffusion d = bsim4_diffusion_of(t, drain);
    const double edge = law->width_junction * t->own[BSIM4_NF], emission = bsim4_side(t, drain, BSIM4_CARD_NJ_S);
    double gap;
    bsim4_intrinsic_carriers(t, &gap);
    struct bsim_device warm = *t;
    warm.nominal = t->celsius;
    double warm_gap;
    bsim4_intrinsic_carriers(&warm, &warm_gap);
    const double growth = exp((gap / (BSIM_KELVIN * nominal) - warm_gap / law->thermal +
                               bsim4_side(t, drain, BSIM4_CARD_XTI_S) * log(kelvin / nominal)) /
                              emission);
    *j = (struct bsim4_junction){.law = {own_current},
                                 .mode = (int)t->p[BSIM4_CARD_DIOMOD],
                                 .parallel = m,
                                 .rate = 1 / (emission * law->thermal),
                                 .breakdown = bsim4_side(t, drain, BSIM4_CARD_BV_S),
                                 .factor = bsim4_side(t, drain, BSIM4_CARD_XJBV_S)};
    if (d.area <= 0 && d.perimeter <= 0)
        j->saturation = t->version < without_area_from ? 1e-14 : 0;
    else
        j->saturation = growth * (d.area * bsim4_side(t, drain, BSIM4_CARD_JS_S) +
                                  d.perimeter * bsim4_side(t, drain, BSIM4_CARD_JSW_S) +
                                  edge * bsim4_side(t, drain, BSIM4_CARD_JSWG_S));
    j->at_zero = j->factor * exp(-fmin(j->breakdown * j->rate, BSIM_FAR));
    const double sizes[3] = {d.area, d.perimeter,
                             edge * (1 + sqrt(fmax(t->p[BSIM4_CARD_JTWEFF], 0) / law->width_junction))};
    for (int i = 0; i < 3; i++)
        j->traps[i] = traps_of(t, drain, (int *)rows[i], sizes[i], gap);
    out->law = (struct junction_law){m * j->saturation, j->rate};
    out->critical_voltage = junction_critical_voltage(&(struct junction_law){m * fmax(j->saturation, 1e-20), j->rate});
    if (j->saturation > 0 && j->mode > 0)
        find_ends(t, drain, j);
    out->knee = j->saturation > 0 && j->mode == 1 ? j->forward : HUGE_VAL;
    out->own = j->mode != 1 || has_traps(j) ? &j->law : NULL;
    out->bottom = depletion_at(t, drain, &bottom, &bottom, m * d.area);
    out->sidewall = depletion_at(t, drain, &sidewall, &sidewall, m * d.perimeter);
    out->gate_wall = depletion_at(t, drain, &gate_wall, &sidewall, m * edge);
}
