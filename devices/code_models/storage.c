/* storage.c - A int, d_dt, slew, capacitoric, inductoric, lcouple, core: what remembers by a charge or a flux.
 *
 *     int          d/dt s = gain (in + in_offset), which stops at a limit; out = s; at rest s = out_ic
 *     d_dt         out = gain d/dt in + out_offset, between limits
 *     slew         d/dt s = (in - s)/tau between -fall_slope and rise_slope; out = s.  tau is so short that the output
 *                  follows a slower input by FOLLOWS
 *     capacitoric  c d/dt v = i, at rest v = ic            inductoric  l d/dt i = v, at rest i = ic
 *     lcouple      v = -d/dt (num_turns phi), phi the current of the magnetic side, whose voltage is num_turns i
 *     core         phi = area B(mmf/length), through given points B(H)
 */
#include "devices/code_models/code_model.h"
#include "devices/code_models/corner.h"
#include "devices/families.h"

#include <float.h>
#include <math.h>

static const struct port_info through[] = {CODE_IN("in"), CODE_OUT("out")};
static const char *const one_state[] = {"state", NULL};

/* ---- integrator ---- */

enum { INT_OFFSET, INT_GAIN, INT_LOWER, INT_UPPER, INT_RANGE, INT_IC, INT_ROWS };

static const struct parameter_info int_rows[INT_ROWS] = {
    [INT_OFFSET] = CODE_ANY("in_offset", "", 0, "added to the input"),
    [INT_GAIN] = CODE_ANY("gain", "1/s", 1, "factor"),
    [INT_LOWER] = CODE_ANY("out_lower_limit", "", -INFINITY, "least output"),
    [INT_UPPER] = CODE_ANY("out_upper_limit", "", INFINITY, "largest output"),
    [INT_RANGE] = CODE_FROM("limit_range", "", 1e-6, 0, "of no meaning here: the integral stops at the limit"),
    [INT_IC] = CODE_ANY("out_ic", "", 0, "output at rest"),
};

static enum kn_status int_make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    (void)arena;
    return i->p[INT_LOWER] < i->p[INT_UPPER] ? KN_OK
                                             : code_fail(i, d, NULL, "out_lower_limit is not below out_upper_limit");
}

enum { AT_UPPER, AT_LOWER };

static double int_rate(const struct code_item *i, double in)
{
    return i->p[INT_GAIN] * (in + i->p[INT_OFFSET]);
}

/* Columns: in, s; rows: out, s. */
static void int_evaluate(const struct code_item *i, const struct code_point *p)
{
    const bool stands = code_side(i, AT_UPPER) > 0 || code_side(i, AT_LOWER) > 0;
    p->f[0] = p->u[1];
    p->df[1] = 1;
    p->q[1] = p->u[1];
    p->dq[3] = 1;
    if (p->rests) {
        p->f[1] = p->u[1] - i->p[INT_IC];
        p->df[3] = 1;
    } else if (!stands) {
        p->f[1] = -int_rate(i, p->u[0]);
        p->df[2] = -i->p[INT_GAIN];
    }
}

/* On the way to a limit: what is left of it; at it: whether the input still presses. */
static void int_switching(const struct code_item *i, struct instant when, const double *u, double *g)
{
    const double rate = int_rate(i, u[0]);
    (void)when;
    g[AT_UPPER] = isinf(i->p[INT_UPPER]) ? NAN : code_side(i, AT_UPPER) > 0 ? rate : u[1] - i->p[INT_UPPER];
    g[AT_LOWER] = isinf(i->p[INT_LOWER]) ? NAN : code_side(i, AT_LOWER) > 0 ? -rate : i->p[INT_LOWER] - u[1];
}

/* A state at a limit, or beyond another one, belongs to the limits that there were. */
static void int_remember(struct code_item *i, struct keepsake *k)
{
    code_same(i->p[INT_LOWER], k);
    code_same(i->p[INT_UPPER], k);
}

static bool int_initial(const struct code_item *i, struct initial_list *list)
{
    return code_initial_state(i, 0, i->p[INT_IC], list);
}

const struct code_model int_model = {CODE_SWITCH_KIND("int", "integrator", "in out", through, int_rows),
                                     .rests_apart = true,
                                     .states = one_state,
                                     .switches = 2,
                                     .make = int_make,
                                     .evaluate = int_evaluate,
                                     .switching = int_switching,
                                     .remember = int_remember,
                                     .initial = int_initial};

/* ---- differentiator ---- */

enum { DDT_GAIN, DDT_OFFSET, DDT_LOWER, DDT_UPPER, DDT_RANGE, DDT_ROWS };

static const struct parameter_info d_dt_rows[DDT_ROWS] = {
    [DDT_GAIN] = CODE_ANY("gain", "s", 1, "factor"),
    [DDT_OFFSET] = CODE_ANY("out_offset", "", 0, "added to the output"),
    [DDT_LOWER] = CODE_ANY("out_lower_limit", "", -INFINITY, "least output"),
    [DDT_UPPER] = CODE_ANY("out_upper_limit", "", INFINITY, "largest output"),
    [DDT_RANGE] = CODE_FROM("limit_range", "", 1e-6, 0, "corners are rounded within this of the output"),
};

/* Columns: in, the derivative s; rows: out = limited s, and s - offset - d/dt (gain in) = 0. */
static void d_dt_evaluate(const struct code_item *i, const struct code_point *p)
{
    double slopes[3];
    p->f[0] = corner_limit(p->u[1], i->p[DDT_LOWER], i->p[DDT_UPPER], i->p[DDT_RANGE], slopes);
    p->df[1] = slopes[0];
    p->f[1] = p->u[1] - i->p[DDT_OFFSET];
    p->df[3] = 1;
    p->q[1] = -i->p[DDT_GAIN] * p->u[0];
    p->dq[2] = -i->p[DDT_GAIN];
}

const struct code_model d_dt_model = {CODE_KIND("d_dt", "differentiator", "in out", through, d_dt_rows),
                                      .states = (const char *const[]){"rate", NULL}, .evaluate = d_dt_evaluate};

/* ---- slew rate ---- */

/* V or A: how far the output may stay behind an input that it follows. */
static const double FOLLOWS = 1e-6;

enum { SLEW_RISE, SLEW_FALL, SLEW_ROWS };

static const struct parameter_info slew_rows[SLEW_ROWS] = {
    [SLEW_RISE] = CODE_FROM("rise_slope", "1/s", 1e9, DBL_MIN, "fastest rise of the output"),
    [SLEW_FALL] = CODE_FROM("fall_slope", "1/s", 1e9, DBL_MIN, "fastest fall of the output"),
};

/* Columns: in, s; rows: out, s. */
static void slew_evaluate(const struct code_item *i, const struct code_point *p)
{
    const double rise = i->p[SLEW_RISE], fall = i->p[SLEW_FALL], tau = FOLLOWS / fmax(rise, fall);
    double slopes[3];
    p->f[0] = p->u[1];
    p->df[1] = 1;
    p->q[1] = p->u[1];
    p->dq[3] = 1;
    const double behind = p->u[0] - p->u[1];
    if (p->rests) {
        p->f[1] = -behind / tau;
        slopes[0] = 1;
    } else {
        p->f[1] = -corner_limit(behind / tau, -fall, rise, 0, slopes);
    }
    p->df[2] = -slopes[0] / tau;
    p->df[3] = slopes[0] / tau;
}

const struct code_model slew_model = {CODE_KIND("slew", "slew rate limiter", "in out", through, slew_rows),
                                      .states = one_state, .evaluate = slew_evaluate};

/* ---- capacitance and inductance with initial values ---- */

enum { STORE_VALUE, STORE_IC, STORE_ROWS };

static const struct parameter_info capacitor_rows[STORE_ROWS] = {
    [STORE_VALUE] = CODE_FROM("c", "F", NAN, DBL_MIN, "capacitance, to be given"),
    [STORE_IC] = CODE_ANY("ic", "V", 0, "voltage at rest and at the beginning of a run"),
};
static const struct parameter_info inductor_rows[STORE_ROWS] = {
    [STORE_VALUE] = CODE_FROM("l", "H", NAN, DBL_MIN, "inductance, to be given"),
    [STORE_IC] = CODE_ANY("ic", "A", 0, "current at rest and at the beginning of a run"),
};

static const struct port_info capacitor_ports[] = {
    {.name = "cap", .direction = PORT_BOTH, .type = PORT_HD, .allowed = 1u << PORT_HD}};
static const struct port_info inductor_ports[] = {
    {.name = "ind", .direction = PORT_BOTH, .type = PORT_GD, .allowed = 1u << PORT_GD}};

static enum kn_status store_make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    (void)arena;
    return i->given[STORE_VALUE] ? KN_OK : code_fail(i, d, NULL, "c of a capacitor and l of an inductor are needed");
}

/* Column and row of the port: i and v of the capacitance, v and i of the inductance; the state is what the row gives. */
static void store_evaluate(const struct code_item *i, const struct code_point *p)
{
    p->f[0] = p->u[1];
    p->df[1] = 1;
    p->q[1] = i->p[STORE_VALUE] * p->u[1];
    p->dq[3] = i->p[STORE_VALUE];
    p->f[1] = p->rests ? p->u[1] - i->p[STORE_IC] : -p->u[0];
    p->df[2] = p->rests ? 0 : -1;
    p->df[3] = p->rests;
}

static bool store_initial(const struct code_item *i, struct initial_list *list)
{
    return code_initial_state(i, 0, i->p[STORE_IC], list);
}

const struct code_model capacitoric_model = {
    CODE_KIND("capacitoric", "capacitance", "c+ c-", capacitor_ports, capacitor_rows),
    .rests_apart = true,
    .states = one_state,
    .make = store_make,
    .evaluate = store_evaluate,
    .initial = store_initial};
const struct code_model inductoric_model = {
    CODE_KIND("inductoric", "inductance", "l+ l-", inductor_ports, inductor_rows),
    .rests_apart = true,
    .states = one_state,
    .make = store_make,
    .evaluate = store_evaluate,
    .initial = store_initial};

/* ---- magnetics ---- */

static const struct parameter_info lcouple_rows[] = {CODE_ANY("num_turns", "", 1, "turns of the winding")};

static const struct port_info lcouple_ports[] = {
    {.name = "l", .direction = PORT_BOTH, .type = PORT_HD, .allowed = 1u << PORT_H | 1u << PORT_HD},
    {.name = "mmf_out", .direction = PORT_BOTH, .type = PORT_HD, .allowed = 1u << PORT_HD}};

/* Columns: current of the winding, flux; rows: voltage of the winding, magnetomotive force. */
static void lcouple_evaluate(const struct code_item *i, const struct code_point *p)
{
    const double turns = i->p[0];
    p->q[0] = -turns * p->u[1];
    p->dq[1] = -turns;
    p->f[1] = turns * p->u[0];
    p->df[2] = turns;
}

const struct code_model lcouple_model = {
    CODE_KIND("lcouple", "winding", "l+ l- mmf+ mmf-", lcouple_ports, lcouple_rows), .linear = true,
    .evaluate = lcouple_evaluate};

enum { CORE_H, CORE_B, CORE_AREA, CORE_LENGTH, CORE_DOMAIN, CORE_FRACTION, CORE_MODE, CORE_ROWS };

static const struct parameter_info core_rows[CORE_ROWS] = {
    [CORE_H] = CODE_LIST("h_array", "A/m", "magnetic fields of the points, rising"),
    [CORE_B] = CODE_LIST("b_array", "T", "flux densities of the points"),
    [CORE_AREA] = CODE_FROM("area", "m^2", NAN, DBL_MIN, "cross-section, to be given"),
    [CORE_LENGTH] = CODE_FROM("length", "m", NAN, DBL_MIN, "length of the magnetic path, to be given"),
    [CORE_DOMAIN] = {"input_domain", "", 0.01, 1e-12, 0.5, "corners are rounded within this of the field", NULL},
    [CORE_FRACTION] = CODE_FLAG("fraction", 1, "input_domain is a part of the shorter line at the corner"),
    [CORE_MODE] = {"mode", "", 1, 1, 1, "1: through the points", NULL},
};

static const struct port_info core_ports[] = {
    {.name = "mc", .direction = PORT_BOTH, .type = PORT_GD, .allowed = 1u << PORT_G | 1u << PORT_GD}};

struct core {
    const double *h, *b;
    size_t count;
    const double *range; /* [count] */
};

static enum kn_status core_make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    struct core *c = arena_alloc(arena, sizeof *c);
    size_t count;
    if (!c)
        return KN_ERROR_MEMORY;
    c->h = code_list(i, "h_array", &c->count);
    c->b = code_list(i, "b_array", &count);
    if (count != c->count || count < 2 || !corner_rises(c->h, count))
        return code_fail(i, d, NULL, "h_array and b_array need as many points, two at least, and h must rise");
    if (!i->given[CORE_AREA] || !i->given[CORE_LENGTH])
        return code_fail(i, d, NULL, "area and length of the core are needed");
    c->range = corner_ranges(c->h, count, i->p[CORE_DOMAIN], i->p[CORE_FRACTION] != 0, arena);
    i->own = c;
    return c->range ? KN_OK : KN_ERROR_MEMORY;
}

static void core_evaluate(const struct code_item *i, const struct code_point *p)
{
    const struct core *c = i->own;
    double slope;
    const double b = corner_lines(c->h, c->b, c->count, c->range, p->u[0] / i->p[CORE_LENGTH], &slope);
    p->f[0] = i->p[CORE_AREA] * b;
    p->df[0] = i->p[CORE_AREA] * slope / i->p[CORE_LENGTH];
}

const struct code_model core_model = {CODE_KIND("core", "magnetic core", "mc+ mc-", core_ports, core_rows),
                                      .make = core_make, .evaluate = core_evaluate};
