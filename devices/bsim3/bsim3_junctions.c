/* bsim3_junctions.c - junctions and resistances of source and drain of BSIM3 transistors.
 *
 * BSIM3v3.3 manual, B.3.4 (currents), B.4.1 (charges) and B.5 (temperature); acm: areas as HSPICE counts them (Star-HSPICE
 * manual, MOSFET diode models), with W' = wmlt W + xw and H = wmlt hdif.
 */
#include "devices/bsim3/bsim3_batch.h"

#include <float.h>

/* m^2 and m; the part of the perimeter that lies under the gate. */
struct area {
    double bottom, edge, under_gate;
};

/* Areas of the currents: as given and scaled, or of a contact that this transistor has for itself or shares. */
static struct area counted(const struct bsim_device *t, bool drain)
{
    const int acm = (int)t->p[BSIM3_CARD_ACM] % 10, area = drain ? MOSFET_AD : MOSFET_AS;
    const int edge = drain ? MOSFET_PD : MOSFET_PS, geo = (int)t->own[BSIM3_GEO];
    const double scale = t->p[BSIM3_CARD_WMLT], side = t->own[MOSFET_W] * scale + t->p[BSIM3_CARD_XW];
    const double contact = t->p[BSIM3_CARD_HDIF] * scale;
    const bool own = geo == 0 || geo == (drain ? 2 : 1);
    if (acm == 1)
        return (struct area){side * scale, side, 0};
    struct area a = {.bottom = t->own[area] * scale * scale, .edge = t->own[edge] * scale};
    if (acm == 2) {
        a.bottom = t->own_given[area] ? a.bottom : 2 * contact * side;
        a.edge = t->own_given[edge] ? a.edge : 4 * contact + 2 * side;
    } else {
        a.bottom = t->own_given[area] ? a.bottom : (own ? 2 : 1) * contact * side;
        a.edge = t->own_given[edge] ? a.edge : own ? 4 * contact + side : 2 * contact;
    }
    return a;
}

static struct area as_written(const struct bsim_device *t, bool drain)
{
    return (struct area){t->own[drain ? MOSFET_AD : MOSFET_AS], t->own[drain ? MOSFET_PD : MOSFET_PS], 0};
}

static bool takes_as_written(const struct bsim_device *t)
{
    const double acm = t->p[BSIM3_CARD_ACM];
    return acm == 0 || acm == 10 || (acm == 12 && t->p[BSIM3_CARD_CALCACM] != 1);
}

/* A: without areas 1e-14 A as in Berkeley's program. */
static double saturation_of(const struct bsim_device *t, bool drain)
{
    const struct area a = takes_as_written(t) ? as_written(t, drain) : counted(t, drain);
    const double current = a.bottom * t->p[BSIM3_CARD_JS] + a.edge * t->p[BSIM3_CARD_JSW];
    const bool none = t->p[BSIM3_CARD_ACM] == 0 ? !(a.bottom > 0 || a.edge > 0) : !(current > 0);
    return none ? -1 : current;
}

/* Areas of the charges. */
static struct area stored(const struct bsim_device *t, const struct bsim3_law *law, bool drain)
{
    const int acm = (int)t->p[BSIM3_CARD_ACM];
    const double scale = t->p[BSIM3_CARD_WMLT], side = t->own[MOSFET_W] * scale + t->p[BSIM3_CARD_XW];
    struct area a = takes_as_written(t) ? as_written(t, drain) : counted(t, drain);
    if (acm % 10 == 1)
        return a;
    if (acm == 3) {
        a.under_gate = side;
        return a;
    }
    if (acm == 13) {
        a = as_written(t, drain);
        a.bottom *= scale * scale;
        a.edge *= scale;
    }
    a.under_gate = fmin(a.edge, acm % 10 == 0 ? law->width : side);
    a.edge -= a.under_gate;
    return a;
}

/* One of the three charges of a junction; rows of its capacitance, and of what it has instead where the card gives none. */
struct wall {
    int capacitance, potential, grading, by_temperature, potential_by_temperature;
    int capacitance_else, potential_else, grading_else;
};

static const struct wall bottom = {BSIM3_CARD_CJ,  BSIM3_CARD_PB, BSIM3_CARD_MJ, BSIM3_CARD_TCJ,
                                   BSIM3_CARD_TPB, BSIM3_CARD_CJ, BSIM3_CARD_PB, BSIM3_CARD_MJ};
static const struct wall sidewall = {BSIM3_CARD_CJSW,  BSIM3_CARD_PBSW, BSIM3_CARD_MJSW, BSIM3_CARD_TCJSW,
                                     BSIM3_CARD_TPBSW, BSIM3_CARD_CJSW, BSIM3_CARD_PBSW, BSIM3_CARD_MJSW};
static const struct wall gate_wall = {BSIM3_CARD_CJSWG,  BSIM3_CARD_PBSWG, BSIM3_CARD_MJSWG, BSIM3_CARD_TCJSWG,
                                      BSIM3_CARD_TPBSWG, BSIM3_CARD_CJSW,  BSIM3_CARD_PBSW,  BSIM3_CARD_MJSW};

static double row_of(const struct bsim_device *t, int row, int otherwise)
{
    return t->p[t->given[row] ? row : otherwise];
}

/* From zero bias on the capacitance grows straight. */
static struct depletion depletion_at(const struct bsim_device *t, const struct wall *w, double size)
{
    const double warmer = t->celsius - t->nominal;
    const double growth = fmax(1 + t->p[w->by_temperature] * warmer, 0);
    const double potential =
        fmax(row_of(t, w->potential, w->potential_else) - t->p[w->potential_by_temperature] * warmer, 0.01);
    const double capacitance = size * row_of(t, w->capacitance, w->capacitance_else) * growth;
    return depletion_of(capacitance, potential, row_of(t, w->grading, w->grading_else), 0);
}

void bsim3_prepare_diode(const struct bsim_device *t, const struct bsim3_law *law, bool drain, struct bulk_diode *out)
{
    const double *p = t->p, m = t->own[MOSFET_M], kelvin = t->celsius + DEVICE_KELVIN;
    const double nominal = t->nominal + DEVICE_KELVIN, emission = p[BSIM3_CARD_NJ];
    const double growth = exp((thermal_gap(nominal) / (BSIM_KELVIN * nominal) - thermal_gap(kelvin) / law->thermal +
                               p[BSIM3_CARD_XTI] * log(kelvin / nominal)) /
                              emission);
    const double measured = saturation_of(t, drain), saturation = measured < 0 ? 1e-14 : measured * growth;
    const struct area a = stored(t, law, drain);
    out->law = (struct junction_law){m * saturation, 1 / (emission * law->thermal)};
    out->critical_voltage = junction_critical_voltage(&out->law);
    out->knee = p[BSIM3_CARD_IJTH] > 0 && saturation > 0
                    ? emission * law->thermal * log(p[BSIM3_CARD_IJTH] / saturation + 1)
                    : HUGE_VAL;
    out->bottom = depletion_at(t, &bottom, m * a.bottom);
    out->sidewall = depletion_at(t, &sidewall, m * a.edge);
    out->gate_wall = depletion_at(t, &gate_wall, m * a.under_gate);
}

/* S: sheet resistance, and with acm that of the lightly doped part and of the contact. */
static double conductance_of(const struct bsim_device *t, int squares, int diffusion, int contact)
{
    const double *p = t->p, acm = (int)p[BSIM3_CARD_ACM] % 10;
    const bool given = t->own_given[squares];
    double ohms = p[BSIM3_CARD_RSH] * (given ? t->own[squares] : acm == 0 ? 1 : 0);
    if (acm > 0) {
        const double scale = p[BSIM3_CARD_WMLT], side = t->own[MOSFET_W] * scale + p[BSIM3_CARD_XW];
        if (acm > 1 && !given)
            ohms = p[BSIM3_CARD_HDIF] * scale * p[BSIM3_CARD_RSH] / side;
        ohms += (p[BSIM3_CARD_LD] + p[BSIM3_CARD_LDIF]) * p[diffusion] / side + p[contact];
    }
    return ohms > 0 ? t->own[MOSFET_M] / ohms : 0;
}

struct mosfet_series bsim3_series(const struct bsim_device *t)
{
    return (struct mosfet_series){.drain = conductance_of(t, MOSFET_NRD, BSIM3_CARD_RD, BSIM3_CARD_RDC),
                                  .source = conductance_of(t, MOSFET_NRS, BSIM3_CARD_RS, BSIM3_CARD_RSC)};
}
