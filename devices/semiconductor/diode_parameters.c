/* diode_parameters.c - see diode_parameters.h. */
#include "devices/semiconductor/diode_parameters.h"

#include "base/diagnostics.h"
#include "devices/device.h"
#include "devices/noise.h"

#include <float.h>

const struct parameter_info diode_instance_rows[DIODE_OWN_COUNT] = {
    [DIODE_OWN_AREA] = {"area", "", 1, DBL_MIN, INFINITY, "area factor: multiplies currents and charges, divides Rs",
                        NULL},
    INSTANCE_ROWS(DIODE_OWN_M, DIODE_OWN_TEMP, DIODE_OWN_DTEMP, DIODE_OWN_OFF),
    [DIODE_OWN_IC] = {"ic", "V", 0, -INFINITY, INFINITY, "junction voltage at the start of a transient with uic", NULL},
    [DIODE_OWN_PJ] = {"pj", "m", 0, 0, INFINITY, "perimeter, for jsw and cjsw", "perim"},
    [DIODE_OWN_W] = {"w", "m", 0, 0, INFINITY, "width; with l, level 3: area w l and perimeter 2 (w + l)", NULL},
    [DIODE_OWN_L] = {"l", "m", 0, 0, INFINITY, "length", NULL},
    [DIODE_OWN_LM] = {"lm", "m", 0, 0, INFINITY, "length of the metal above, level 3", NULL},
    [DIODE_OWN_LP] = {"lp", "m", 0, 0, INFINITY, "length of the polysilicon above, level 3", NULL},
    [DIODE_OWN_WM] = {"wm", "m", 0, 0, INFINITY, "width of the metal", NULL},
    [DIODE_OWN_WP] = {"wp", "m", 0, 0, INFINITY, "width of the polysilicon", NULL},
    [DIODE_OWN_N] = {"n", "", 1, DBL_MIN, INFINITY, "number of diodes in series", NULL},
    [DIODE_OWN_THERMAL] = {"thermal", "", 0, 0, 1, "self-heating, with rth0 of the model and a third node", NULL},
};

const struct parameter_info diode_model_rows[DIODE_COUNT] = {
#define ROW(symbol, ...) {__VA_ARGS__},
#include "devices/semiconductor/diode_model.def"
#undef ROW
};

/* Ratings and texts of data sheets. */
const char diode_without_meaning[] = "mfg type iave vpk ipk vrev irms diss vp fv_max bv_max id_max pd_max te_max";

#define VACUUM_PERMITTIVITY 8.8541878128e-12 /* F/m */

/* The diode's own value of a size, else that of its model. */
static double size_of(const struct instances *all, size_t k, int own, int model)
{
    return all->own_given[k][own] ? all->own[k][own] : all->model[k][model];
}

/* Farads of a plate of these sides over an oxide of that many Angstrom. */
static double plate(double width, double length, double oxide)
{
    return 3.9 * VACUUM_PERMITTIVITY / (1e-10 * oxide) * fmax(width, 0) * fmax(length, 0);
}

/* Metal and polysilicon of level 3 (ngspice manual, junction diodes). */
double diode_fixed_capacitance(const struct instances *all, size_t k)
{
    const double *p = all->model[k];
    if (p[DIODE_LEVEL] != 3)
        return 0;
    return all->own[k][DIODE_OWN_M] * (plate(size_of(all, k, DIODE_OWN_WM, DIODE_WM) + p[DIODE_XM],
                                             size_of(all, k, DIODE_OWN_LM, DIODE_LM) + p[DIODE_XM], p[DIODE_XOM]) +
                                       plate(size_of(all, k, DIODE_OWN_WP, DIODE_WP) + p[DIODE_XP],
                                             size_of(all, k, DIODE_OWN_LP, DIODE_LP) + p[DIODE_XP], p[DIODE_XOI]));
}

/* HSPICE has tlevc 2 and 3 besides. */
static void take_known_law(struct model_cards *cards, size_t card, int row, int most, struct kn_diagnostics *d)
{
    double *law = &cards->values[card * cards->width + (size_t)row];
    if (*law == 0 || *law == 1 || *law == most)
        return;
    const struct model *m = cards->models[card];
    diagnostics_add(d, KN_WARNING, "model-level", m->where, NULL,
                    "model '%s': %s = %g is a temperature law that there is not; taken as 0", m->name,
                    diode_model_rows[row].name, *law);
    *law = 0;
}

/* Models of P-channel transistors may have a breakdown below 0, and fits of vendors a transit time. */
static void take_usual_signs(double *p, const struct model *m, struct kn_diagnostics *d)
{
    p[DIODE_BV] = fabs(p[DIODE_BV]);
    p[DIODE_IBV] = fabs(p[DIODE_IBV]);
    if (p[DIODE_TT] < 0)
        diagnostics_add(d, KN_WARNING, "parameter-range", m->where, NULL,
                        "model '%s': tt = %g s is below 0; taken as 0", m->name, p[DIODE_TT]);
    p[DIODE_TT] = fmax(p[DIODE_TT], 0);
}

enum kn_status diode_read(struct instances *all, const struct device_input *in)
{
    const enum kn_status status = instances_read(all, in);
    for (size_t i = 0; status != KN_ERROR_MEMORY && i < all->cards.count; i++) {
        take_known_law(&all->cards, i, DIODE_TLEV, 2, in->diagnostics);
        take_known_law(&all->cards, i, DIODE_TLEVC, 1, in->diagnostics);
        take_usual_signs(all->cards.values + i * all->cards.width, all->cards.models[i], in->diagnostics);
    }
    return status;
}

/* ---- temperature ---- */

#define SILICON_GAP 1.16 /* eV at 0 K: eg of tlev 2, as in HSPICE */

#define LAW(name)  name
#define LAW_NUMBER double
#include "devices/semiconductor/diode_card_bodies.h"
#undef LAW
#undef LAW_NUMBER
#define LAW(name)  warm_##name
#define LAW_NUMBER warm_number
#include "devices/semiconductor/diode_card_bodies.h"

/* ---- noise ---- */

/* Shot noise of the whole junction current, that through gmin included, as in SPICE (Antognetti and Massobrio, 1.6). */
bool diode_add_noise(const struct instances *all, size_t k, struct diode_ends ends, double i, double series,
                     double kelvin, struct noise_list *list)
{
    const struct element *e = all->base.elements[k];
    const double *p = all->model[k], count = all->own[k][DIODE_OWN_N], m = all->own[k][DIODE_OWN_M];
    const struct noise_source flicker = {.at = {e, "1overf", ends.inner, ends.cathode},
                                         .density = noise_flicker(p[DIODE_KF], p[DIODE_AF], i, m) / count,
                                         .exponent = 1};
    return noise_add_thermal(list, (struct noise_place){e, "rs", ends.anode, ends.inner}, series, kelvin) &&
           noise_add_shot(list, (struct noise_place){e, "id", ends.inner, ends.cathode}, i / count) &&
           (p[DIODE_KF] == 0 || noise_add(list, &flicker));
}
