/* memristors.c - A memristors of level 2 and 4, Xyce's ymemristor; level 3 is memristor.c.
 *
 * TEAM: S. Kvatinsky, E. G. Friedman, A. Kolodny and U. C. Weiser, IEEE Trans. Circuits Syst. I 60 (2013) 211.
 *     i = v/R(x),  R = ron + (roff - ron) z  or  ron (roff/ron)^z,  z = (x - xon)/(xoff - xon)
 *     d/dt x = koff (i/ioff - 1)^alphaoff w(x) above ioff,  kon (i/ion - 1)^alphaon w(x) below ion,  0 between
 * with the window e^(-e^((x - aoff)/wc)) upwards and e^(-e^(-(x - aon)/wc)) downwards (wt=4), 1 - (2 x/d - 1)^(2 p) (wt=1),
 * 1 - (x/d - s)^(2 p), s = 1 where i >= 0, else 0 (wt=2), or 1 (wt=0).  The unknown is xscaling x.  At rest x is xon.
 *
 * PEM: J. Niroula, S. Agarwal, R. Jacobs-Gedrim, R. L. Schiek, D. Hughart, A. Hsia, C. D. James, M. J. Marinella,
 * "Piecewise empirical model (PEM) of resistive memory for pulsed analog and neuromorphic applications", J. Comput.
 * Electron. 16 (2017) 1144.
 *     i = x (i1 e^(v/v1) - i2 e^(-v/v2) + g0 v - (i1 - i2))
 *     d/dt x = c1 g(v) f+(x) for v >= 0,  c2 g(v) f-(x) below
 *     g = e^(d1 (v - vp)) - 1 for v >= vp,  e^(d2 (v - vn)) - 1 for v <= vn,  0 between; vn has its sign, as in Xyce's program
 * f+ and f- are straight lines through points of files; f+ is 0 above its last point, f- below its first.  At rest x is xo,
 * without it 1 where v > 0, else 0.
 */
#include "devices/code_models/memristor.h"
#include "devices/code_models/points.h"
#include "devices/families.h"

#include <math.h>

/* ---- TEAM ---- */

enum { KON, KOFF, ALPHAON, ALPHAOFF, XON, XOFF, RON, ROFF, ION, IOFF, XSCALING, D, P, AON, AOFF, WC, WT, TEAM_ROWS };

static const struct parameter_info team_rows[TEAM_ROWS] = {
    [KON] = CODE_ANY("kon", "m/s", -8e-13, "speed of the state below ion"),
    [KOFF] = CODE_ANY("koff", "m/s", 8e-13, "and above ioff"),
    [ALPHAON] = CODE_FROM("alphaon", "", 3, 0, "power of the current below ion"),
    [ALPHAOFF] = CODE_FROM("alphaoff", "", 3, 0, "and above ioff"),
    [XON] = CODE_ANY("xon", "m", 0, "state at ron"),
    [XOFF] = CODE_ANY("xoff", "m", 3e-9, "state at roff"),
    [RON] = CODE_FROM("ron", "ohm", 50, 1e-9, "resistance at xon"),
    [ROFF] = CODE_FROM("roff", "ohm", 1e3, 1e-9, "resistance at xoff"),
    [ION] = {"ion", "A", -8.9e-6, -INFINITY, -1e-30, "current below which the state moves", NULL},
    [IOFF] = CODE_FROM("ioff", "A", 1.15e-4, 1e-30, "current above which the state moves"),
    [XSCALING] = CODE_FROM("xscaling", "", 1, 1e-30, "factor of the state as an unknown"),
    [D] = CODE_FROM("d", "", 1.15e-4, 1e-30, "largest state times xscaling, of windows 1 and 2"),
    [P] = CODE_FROM("p", "", 1.15e-4, 0, "power of windows 1 and 2"),
    [AON] = CODE_ANY("aon", "m", 0, "end of the way down, of window 4"),
    [AOFF] = CODE_ANY("aoff", "m", 3e-9, "end of the way up, of window 4"),
    [WC] = CODE_FROM("wc", "m", 1.07e-12, 1e-30, "how far from the ends window 4 closes"),
    [WT] = CODE_FROM("wt", "", 0, 0, "window: 0 none, 1 Joglekar, 2 Biolek, 4 of the model"),
};

static const struct parameter_info team_instance[] = {
    {"ivrelation", "", 0, 0, 1, "resistance between ron and roff: 0 a straight line, 1 an exponential", NULL}};

static enum kn_status team_make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    (void)arena;
    if (i->p[WT] != 0 && i->p[WT] != 1 && i->p[WT] != 2 && i->p[WT] != 4)
        return code_fail(i, d, "wt=4 is the model's own", "there are windows 0, 1, 2 and 4");
    if (i->p[XON] == i->p[XOFF])
        return code_fail(i, d, NULL, "xon and xoff are equal");
    return KN_OK;
}

/* A value, and its derivatives by v and x. */
struct part {
    double value, of_v, of_x;
};

static struct part team_resistance(const struct code_item *i, double x)
{
    const double *p = i->p, way = (p[XOFF] - p[XON]) * p[XSCALING], z = x / way - p[XON] / (p[XOFF] - p[XON]);
    if (i->card[0] == 0)
        return (struct part){p[RON] + (p[ROFF] - p[RON]) * z, 0, (p[ROFF] - p[RON]) / way};
    const double lambda = log(p[ROFF] / p[RON]), r = p[RON] * exp(lambda * z);
    return (struct part){r, 0, lambda * r / way};
}

/* e^(-e^u) and its derivative; beyond 50 it is 0 to all digits. */
static struct part closes(double u)
{
    const double e = exp(fmin(u, 50)), w = exp(-e);
    return (struct part){w, 0, -e * w};
}

static struct part team_window(const double *p, double x, bool up)
{
    const double s = p[XSCALING];
    if (p[WT] == 0)
        return (struct part){1, 0, 0};
    if (p[WT] == 4) {
        const double direction = up ? 1 : -1;
        const struct part w = closes(direction * (x - s * p[up ? AOFF : AON]) / (s * p[WC]));
        return (struct part){w.value, 0, direction * w.of_x / (s * p[WC])};
    }
    const double slope = (p[WT] == 1 ? 2 : 1) / p[D], y = slope * x - (p[WT] == 1 || up ? 1 : 0);
    const double power = pow(fabs(y), 2 * p[P]);
    return (struct part){1 - power, 0, y != 0 ? -2 * p[P] * power / y * slope : 0};
}

/* Speed of the state for a current, and its derivative by the current in of_v. */
static struct part team_speed(const double *p, double current)
{
    const bool up = current > p[IOFF], down = current < p[ION];
    if (!up && !down)
        return (struct part){0, 0, 0};
    const double edge = p[up ? IOFF : ION], k = p[XSCALING] * p[up ? KOFF : KON], alpha = p[up ? ALPHAOFF : ALPHAON];
    const double over = current / edge - 1, speed = k * pow(over, alpha);
    return (struct part){speed, alpha * speed / (over * edge), 0};
}

/* Columns: v, x; rows: i, x. */
static void team_evaluate(const struct code_item *i, const struct code_point *point)
{
    const double *p = i->p, v = point->u[0], x = point->u[1];
    const struct part r = team_resistance(i, x);
    const double current = v / r.value, of_x = -current / r.value * r.of_x;
    point->f[0] = current;
    point->df[0] = 1 / r.value;
    point->df[1] = of_x;
    point->q[1] = x;
    point->dq[3] = 1;
    if (point->rests) {
        point->f[1] = x - p[XSCALING] * p[XON];
        point->df[3] = 1;
        return;
    }
    const struct part speed = team_speed(p, current), w = team_window(p, x, current >= 0);
    point->f[1] = -speed.value * w.value;
    point->df[2] = -speed.of_v / r.value * w.value;
    point->df[3] = -speed.of_v * of_x * w.value - speed.value * w.of_x;
}

static bool team_initial(const struct code_item *i, struct initial_list *list)
{
    return code_initial_state(i, 0, i->p[XSCALING] * i->p[XON], list);
}

static const struct model_level team_levels[] = {{2, "TEAM"}, {0, NULL}};

const struct code_model memristor_team_model = {
    MEMRISTOR(team_levels, team_instance, 1, team_rows, TEAM_ROWS,
              "level j resnoise resseed reslambda restd reseptd resdelta resdeltagrad"),
    .make = team_make, .evaluate = team_evaluate, .initial = team_initial};

/* ---- PEM ---- */

enum { V1, V2, I1, I2, G0, VP, VN, D1, D2, C1, C2, FXP, FXM, PEM_ROWS };

static const struct parameter_info pem_rows[PEM_ROWS] = {
    [V1] = CODE_FROM("v1", "V", 1, 1e-12, "how steep the current is at positive voltages"),
    [V2] = CODE_FROM("v2", "V", 1, 1e-12, "and at negative ones"),
    [I1] = CODE_ANY("i1", "A", 1, "amplitude of the current at positive voltages"),
    [I2] = CODE_ANY("i2", "A", 1, "and at negative ones"),
    [G0] = CODE_ANY("g0", "S", 1, "conductance beside both"),
    [VP] = CODE_ANY("vp", "V", 0.01, "voltage above which the state moves"),
    [VN] = CODE_ANY("vn", "V", -0.01, "voltage below which the state moves"),
    [D1] = CODE_ANY("d1", "1/V", 1, "how much faster above vp"),
    [D2] = CODE_ANY("d2", "1/V", 1, "how much faster below vn"),
    [C1] = CODE_ANY("c1", "1/s", 1, "speed of the state at positive voltages"),
    [C2] = CODE_ANY("c2", "1/s", 1, "and at negative ones"),
    [FXP] = {"fxpdata", "\"\"", 0, 0, 0, "file of x and f+(x)", NULL},
    [FXM] = {"fxmdata", "\"\"", 0, 0, 0, "file of x and f-(x)", NULL},
};

static const struct parameter_info pem_instance[] = {
    {"xo", "", 0, 0, 1, "state at first; 1 without it where the voltage is positive", "x0"}};

struct pem {
    struct points up, down;
};

static enum kn_status pem_make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    struct pem *own = i->own = arena_alloc(arena, sizeof *own);
    if (!own)
        return KN_ERROR_MEMORY;
    const enum kn_status up = points_read(i, "fxpdata", arena, d, &own->up);
    return up != KN_OK ? up : points_read(i, "fxmdata", arena, d, &own->down);
}

static struct part pem_current(const double *p, double v)
{
    const double rise = p[I1] * exp(v / p[V1]), fall = p[I2] * exp(-v / p[V2]);
    return (struct part){rise - fall + p[G0] * v - (p[I1] - p[I2]), rise / p[V1] + fall / p[V2] + p[G0], 0};
}

static struct part pem_speed(const double *p, double v)
{
    if (v > p[VN] && v < p[VP])
        return (struct part){0, 0, 0};
    const double d = p[v >= p[VP] ? D1 : D2], e = exp(d * (v - p[v >= p[VP] ? VP : VN])), c = p[v >= 0 ? C1 : C2];
    return (struct part){c * (e - 1), c * d * e, 0};
}

static struct part pem_window(const struct pem *own, double x, bool up)
{
    const struct points *f = up ? &own->up : &own->down;
    if (up ? x > f->x[f->count - 1] : x < f->x[0])
        return (struct part){0, 0, 0};
    struct part w = {0, 0, 0};
    w.value = points_value(f, x, &w.of_x);
    return w;
}

static void pem_evaluate(const struct code_item *i, const struct code_point *point)
{
    const double v = point->u[0], x = point->u[1];
    const struct part h = pem_current(i->p, v);
    point->f[0] = x * h.value;
    point->df[0] = x * h.of_v;
    point->df[1] = h.value;
    point->q[1] = x;
    point->dq[3] = 1;
    if (point->rests) {
        point->f[1] = x - (i->on_card[0] ? i->card[0] : v > 0 ? 1 : 0);
        point->df[3] = 1;
        return;
    }
    const struct part g = pem_speed(i->p, v), f = pem_window(i->own, x, v >= 0);
    point->f[1] = -g.value * f.value;
    point->df[2] = -g.of_v * f.value;
    point->df[3] = -g.value * f.of_x;
}

static bool pem_initial(const struct code_item *i, struct initial_list *list)
{
    return code_initial_state(i, 0, i->card[0], list);
}

static const struct model_level pem_levels[] = {{4, "PEM"}, {0, NULL}};

const struct code_model memristor_pem_model = {MEMRISTOR(pem_levels, pem_instance, 1, pem_rows, PEM_ROWS, "level"),
                                               .make = pem_make, .evaluate = pem_evaluate, .initial = pem_initial};
