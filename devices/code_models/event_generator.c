/* event_generator.c - A seegen: currents of particles that hit a circuit, single event effects.
 *
 *     i(t) = I (e^(-t/tfall) - e^(-t/trise)),    I = inull, or Q/(tfall - trise) with Q = 10.35 fC let cdepth/cos(angle)
 *
 * of a linear energy transfer let in MeV cm^2/mg and a depth cdepth in um, so that Q is the charge of a pulse.  From tdelay on the
 * outputs have a pulse each, one after the other every tperiod, once or with perlim=false for ever; with a control they begin
 * anew where it rises through ctrlthres, tdelay later.  With scaling and scdelay all have their part of one pulse, each at its own time.
 * mon is the current that flows; of several scaled ones the last.  Source: ngspice's manual, "seegen", after Y. Q. de Aguiar, F. Wrobel,
 * J.-L. Autran, R. Garcia Alia, Single-Event Effects, from Space to Accelerator Environments (Springer 2025).  There a pulse is
 * left at what it is after nine tenths of tperiod; here it decays.
 */
#include "devices/code_models/code_model.h"
#include "devices/families.h"

#include <math.h>

enum { FALL, RISE, DELAY, CURRENT, PERIOD, THRESHOLD, TRANSFER, DEPTH, ANGLE, ONCE, SCALING, DELAYS, ROWS };
enum { PORT_CONTROL, PORT_MONITOR, PORT_OUTPUT };

static const struct parameter_info rows[ROWS] = {
    [FALL] = CODE_FROM("tfall", "s", 500e-12, 1e-30, "time constant of the fall"),
    [RISE] = CODE_FROM("trise", "s", 20e-12, 1e-30, "time constant of the rise"),
    [DELAY] = CODE_FROM("tdelay", "s", 0, 0, "until the first pulse"),
    [CURRENT] = CODE_ANY("inull", "A", 0, "I; 0: of let, cdepth and angle"),
    [PERIOD] = CODE_FROM("tperiod", "s", 0, 0, "from the pulse of an output to that of the next one"),
    [THRESHOLD] = CODE_ANY("ctrlthres", "", 0.5, "where the control begins the pulses anew"),
    [TRANSFER] = CODE_ANY("let", "MeV cm^2/mg", 10, "linear energy transfer"),
    [DEPTH] = CODE_ANY("cdepth", "um", 1, "depth from which charge is collected"),
    [ANGLE] = {"angle", "rad", 0, 0, 1.57079, "of the particle against the normal", NULL},
    [ONCE] = CODE_FLAG("perlim", 1, "each output has one pulse, else they come again and again"),
    [SCALING] = CODE_LIST("scaling", "", "of each output its part of a single pulse"),
    [DELAYS] = CODE_LIST("scdelay", "s", "when these begin, besides tdelay"),
};

#define CURRENTS (1u << PORT_I | 1u << PORT_ID)
static const struct port_info ports[] = {
    {.name = "ctrl", .direction = PORT_IN, .type = PORT_V, .allowed = CODE_VALUES, .may_be_null = true},
    {.name = "mon", .direction = PORT_OUT, .type = PORT_V, .allowed = 1u << PORT_V, .may_be_null = true},
    {.name = "out", .direction = PORT_OUT, .type = PORT_I, .allowed = CURRENTS, .list = true},
};

struct generator {
    double current; /* A: I */
    double begin;   /* s: the first pulse; INFINITY: none */
    size_t outputs;
    const double *scaling, *delays; /* [outputs], or NULL: one after the other */
    double sum;                     /* of the scaling */
    signed char control;            /* side when something happened last */
};

static bool has_control(const struct code_item *i)
{
    return code_port_columns(i, PORT_CONTROL) > 0;
}

/* ---- pulses ---- */

struct pulse {
    double value, slope; /* of I, 1/s */
};

/* e^(-t/tau) after `count` pulses before that of t = 0, each a period earlier. */
static double decay(double t, double tau, double period, double count)
{
    const double last = exp(-t / tau);
    return count > 0 ? last * expm1(-(count + 1) * period / tau) / expm1(-period / tau) : last;
}

/* t (s) after the last of pulses. */
static struct pulse pulse_at(const struct code_item *i, double t, double period, double count)
{
    const double fall = decay(t, i->p[FALL], period, count), rise = decay(t, i->p[RISE], period, count);
    return (struct pulse){fall - rise, rise / i->p[RISE] - fall / i->p[FALL]};
}

/* Of an output k, whose pulses begin at `begin`. */
static struct pulse pulses_of(const struct code_item *i, struct instant when, double begin, double period)
{
    if (!(when.over >= begin) || isinf(begin))
        return (struct pulse){0, 0};
    const double over = fmax(when.time - begin, 0);
    const double count = period > 0 ? floor(fmax(when.over - begin, 0) / period) : 0;
    return pulse_at(i, fmax(over - count * period, 0), period, count);
}

static double begin_of(const struct code_item *i, size_t k)
{
    const struct generator *g = i->own;
    return g->begin + (g->scaling ? g->delays[k] : (double)k * i->p[PERIOD]);
}

/* From one pulse of an output to its next; 0: it has one only. */
static double period_of(const struct code_item *i)
{
    const struct generator *g = i->own;
    return g->scaling || i->p[ONCE] != 0 ? 0 : (double)g->outputs * i->p[PERIOD];
}

static void evaluate(const struct code_item *i, const struct code_point *p)
{
    const struct generator *g = i->own;
    const size_t first = i->first_row[PORT_OUTPUT], monitor = i->first_row[PORT_MONITOR];
    const double period = period_of(i);
    double all = 0, slope = 0;
    for (size_t k = 0; k < g->outputs; k++) {
        const struct pulse one = pulses_of(i, p->when, begin_of(i, k), period);
        const double current = g->current * (g->scaling ? g->scaling[k] / g->sum : 1);
        p->f[first + k] = current * one.value;
        p->dfdt[first + k] = current * one.slope;
        all = p->f[first + k] + (g->scaling ? 0 : all);
        slope = p->dfdt[first + k] + (g->scaling ? 0 : slope);
    }
    if (monitor < first) {
        p->f[monitor] = all;
        p->dfdt[monitor] = slope;
    }
}

/* ---- when ---- */

/* The first of `begin`, and where they come again each period, later than `over`. */
static double next_of(double begin, double period, double over)
{
    if (begin > over)
        return begin;
    const double next = period > 0 ? begin + (floor((over - begin) / period) + 1) * period : INFINITY;
    return fmax(next, nextafter(over, INFINITY)); /* a period may be less than rounding of the time */
}

static double next_corner(const struct code_item *i, double over)
{
    const struct generator *g = i->own;
    double next = INFINITY;
    for (size_t k = 0; k < g->outputs; k++)
        next = fmin(next, next_of(begin_of(i, k), period_of(i), over));
    return next;
}

static void switching(const struct code_item *i, struct instant when, const double *u, double *g)
{
    (void)when;
    g[0] = has_control(i) ? u[i->first_column[PORT_CONTROL]] - i->p[THRESHOLD] : NAN;
}

static void happened(struct code_item *i, double time, const double *u)
{
    struct generator *g = i->own;
    (void)u;
    if (i->held[0] > 0 && g->control <= 0 && !g->scaling)
        g->begin = time + i->p[DELAY];
    g->control = i->held[0];
}

static void forget(struct code_item *i)
{
    struct generator *g = i->own;
    g->begin = has_control(i) && !g->scaling ? INFINITY : i->p[DELAY];
    g->control = 0;
}

static void remember(struct code_item *i, struct keepsake *k)
{
    struct generator *g = i->own;
    KEEPSAKE_PIECE(k, g->begin);
    KEEPSAKE_PIECE(k, g->control);
}

/* ---- the model ---- */

static enum kn_status read_scaling(struct code_item *i, struct generator *g, struct kn_diagnostics *d)
{
    size_t scaling, delays;
    g->scaling = code_list(i, "scaling", &scaling);
    g->delays = code_list(i, "scdelay", &delays);
    if (scaling != g->outputs || delays != g->outputs)
        return code_fail(i, d, "write scaling=[0.6 0.4] scdelay=[0 10p] of two outputs",
                         "scaling and scdelay need a number for each output");
    for (size_t k = 0; k < scaling; k++) {
        g->sum += g->scaling[k];
        if (!(g->scaling[k] >= 0) || !(g->delays[k] >= 0))
            return code_fail(i, d, NULL, "scaling and scdelay must not be negative");
    }
    return g->sum > 0 ? KN_OK : code_fail(i, d, NULL, "all numbers of scaling are 0");
}

static double current_of(const struct code_item *i)
{
    static const double coulombs = 1.035e-14; /* 10.35 fC in each um of silicon at 1 MeV cm^2/mg */
    return i->p[CURRENT] != 0 ? i->p[CURRENT]
                              : coulombs * i->p[TRANSFER] * i->p[DEPTH] / cos(i->p[ANGLE]) / (i->p[FALL] - i->p[RISE]);
}

static enum kn_status make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    struct generator *g = i->own = arena_alloc(arena, sizeof *g);
    if (!g)
        return KN_ERROR_MEMORY;
    *g = (struct generator){.outputs = i->row_count - i->first_row[PORT_OUTPUT]};
    if (!(i->p[FALL] > i->p[RISE]))
        return code_fail(i, d, "tfall=500p trise=20p", "tfall must be greater than trise");
    g->current = current_of(i);
    if (i->given[SCALING] && i->given[DELAYS]) {
        const enum kn_status status = read_scaling(i, g, d);
        if (status != KN_OK)
            return status;
    } else if (i->p[PERIOD] < 5 * (i->p[RISE] + i->p[FALL])) {
        return code_fail(i, d, "tperiod= is the time from the pulse of an output to that of the next one",
                         "tperiod must be 5 times trise and tfall together at least");
    }
    forget(i);
    return KN_OK;
}

const struct code_model seegen_model = {
    CODE_SWITCH_KIND("seegen", "generator of single event effects", "ctrl mon [out ..]", ports, rows),
    .switches = 1,
    .make = make,
    .evaluate = evaluate,
    .switching = switching,
    .happened = happened,
    .forget = forget,
    .remember = remember,
    .next_corner = next_corner};
