/* ota.c - A ota: a transconductance amplifier with noise.
 *
 *     i(inp) = v(inp)/rin,  i(out) = gm v(inp) + v(out)/rout      A, from the first node of the port to its second
 *     noise  en gm at the output, in_noise at the input, incm from either node of it to ground, each white with a part
 *            that grows below a corner: d^2 (1 + corner/f)
 *
 * A positive input draws current out of the node of `out`, so that a load there inverts.  Source of ports, parameters and
 * equations: ngspice's manual (48), "Operational transconductance amplifier"; densities after LTspice's OTA.
 */
#include "devices/code_models/code_model.h"
#include "devices/families.h"
#include "devices/noise.h"

#include <float.h>
#include <math.h>

enum { GM, ROUT, RIN, EN, ENK, IN, INK, INCM, INCMK, NOISY, ROWS };
enum { INP, OUT };

static const struct parameter_info rows[ROWS] = {
    [GM] = CODE_FROM("gm", "S", 1e-3, 1e-15, "transconductance"),
    [ROUT] = CODE_FROM("rout", "ohm", 1e12, DBL_MIN, "output resistance"),
    [RIN] = CODE_FROM("rin", "ohm", 1e12, DBL_MIN, "input resistance"),
    [EN] = CODE_FROM("en", "V/sqrt(Hz)", 0, 0, "input voltage noise"),
    [ENK] = CODE_FROM("enk", "Hz", 0, 0, "corner below which en^2 grows as 1/f"),
    [IN] = CODE_FROM("in_noise", "A/sqrt(Hz)", 0, 0, "input current noise"),
    [INK] = CODE_FROM("ink", "Hz", 0, 0, "its corner"),
    [INCM] = CODE_FROM("incm", "A/sqrt(Hz)", 0, 0, "current noise from each input to ground"),
    [INCMK] = CODE_FROM("incmk", "Hz", 0, 0, "its corner"),
    [NOISY] = CODE_FLAG("noise_programmatic", 1, "0: without noise"),
};

static const struct port_info ports[] = {
    [INP] = {.name = "inp", .direction = PORT_BOTH, .type = PORT_GD, .allowed = 1u << PORT_GD},
    [OUT] = {.name = "out", .direction = PORT_BOTH, .type = PORT_G, .allowed = 1u << PORT_G},
};

static void evaluate(const struct code_item *i, const struct code_point *p)
{
    const double gm = i->p[GM], gin = 1 / i->p[RIN], gout = 1 / i->p[ROUT];
    p->f[INP] = gin * p->u[INP];
    p->f[OUT] = gm * p->u[INP] + gout * p->u[OUT];
    p->df[INP * 2 + INP] = gin;
    p->df[OUT * 2 + INP] = gm;
    p->df[OUT * 2 + OUT] = gout;
}

/* A current of d^2 (1 + corner/f), of so many in parallel. */
static bool add(const struct noise_place *at, double parallel, double d, double corner, struct noise_list *list)
{
    const struct noise_source white = {.at = *at, .density = parallel * d * d};
    const struct noise_source slow = {.at = *at, .density = parallel * d * d * corner, .exponent = 1};
    return d == 0 || (noise_add(list, &white) && (corner == 0 || noise_add(list, &slow)));
}

static bool noise(const struct code_item *i, struct noise_list *list)
{
    const double *p = i->p, m = fabs(i->rows[INP].sign);
    const int plus = i->ends[INP][0], minus = i->ends[INP][1];
    const struct noise_place output = {i->element, "en", i->ends[OUT][0], i->ends[OUT][1]};
    const struct noise_place input = {i->element, "in", plus, minus};
    const struct noise_place of_plus = {i->element, "incm_p", plus, 0}, of_minus = {i->element, "incm_n", minus, 0};
    return p[NOISY] == 0 || (add(&output, m, p[EN] * p[GM], p[ENK], list) && add(&input, m, p[IN], p[INK], list) &&
                             add(&of_plus, m, p[INCM], p[INCMK], list) && add(&of_minus, m, p[INCM], p[INCMK], list));
}

const struct code_model ota_model = {CODE_KIND("ota", "transconductance amplifier", "inp out", ports, rows),
                                     .linear = true, .evaluate = evaluate, .noise = noise};
