/* relay.c - A hyst, sine, triangle, square, d_osc, d_pwm, oneshot: what has a past that jumps.
 *
 *     hyst      out goes straight from out_lower_limit to out_upper_limit, for a rising input between in_low + hyst and
 *               in_high + hyst, for a falling one between in_high - hyst and in_low - hyst; who has come to one end stays
 *               on that side.  Corners are rounded.
 *     sine, triangle, square    the phase runs with a frequency that the control gives, through straight lines
 *               (cntl_array, freq_array).  Its state s goes up from 0 to 1 in one part of the period and down in the
 *               other, so that it has no jumps: d/dt s = f/part or -f/(1 - part).  Where it turns is an event.
 *     d_osc, d_pwm    such phases whose level is a logic state: a voltage of 0 or 1 V for a bridge (read_port_card.c), which jumps.
 *               d_osc is low first; the control of d_pwm gives the part of the period that the level is high
 *     oneshot   a pulse, whose width the control gives, begins where clk passes clk_trig
 */
#include "devices/code_models/code_model.h"
#include "devices/code_models/corner.h"
#include "devices/families.h"
#include "devices/ramp.h"

#include <float.h>
#include <math.h>

/* ---- hysteresis ---- */

enum { HYST_LOW, HYST_HIGH, HYST, HYST_LOWER, HYST_UPPER, HYST_DOMAIN, HYST_FRACTION, HYST_ROWS };

static const struct parameter_info hyst_rows[HYST_ROWS] = {
    [HYST_LOW] = CODE_ANY("in_low", "", 0, "input where the slope begins"),
    [HYST_HIGH] = CODE_ANY("in_high", "", 1, "input where it ends"),
    [HYST] = CODE_FROM("hyst", "", 0.1, 0, "both are so much later for either direction"),
    [HYST_LOWER] = CODE_ANY("out_lower_limit", "", 0, "least output"),
    [HYST_UPPER] = CODE_ANY("out_upper_limit", "", 1, "largest output"),
    [HYST_DOMAIN] = CODE_FROM("input_domain", "", 0.01, 0, "corners are rounded within this of the input"),
    [HYST_FRACTION] = CODE_FLAG("fraction", 1, "input_domain is a part of in_high - in_low"),
};

static const struct port_info through[] = {CODE_IN("in"), CODE_OUT("out")};

static enum kn_status hyst_make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    (void)arena;
    return i->p[HYST_LOW] < i->p[HYST_HIGH] ? KN_OK : code_fail(i, d, NULL, "in_low is not below in_high");
}

static double hyst_domain(const struct code_item *i)
{
    return i->p[HYST_DOMAIN] * (i->p[HYST_FRACTION] != 0 ? i->p[HYST_HIGH] - i->p[HYST_LOW] : 1);
}

/* The input beyond which the direction is the other one. */
static double hyst_turn(const struct code_item *i)
{
    return code_side(i, 0) > 0 ? i->p[HYST_LOW] - i->p[HYST] - hyst_domain(i)
                               : i->p[HYST_HIGH] + i->p[HYST] + hyst_domain(i);
}

static void hyst_evaluate(const struct code_item *i, const struct code_point *p)
{
    const bool falls = i->held[0] > 0 || (i->held[0] == 0 && p->u[0] > hyst_turn(i));
    const double shift = falls ? -i->p[HYST] : i->p[HYST], begin = i->p[HYST_LOW] + shift;
    const double slope = (i->p[HYST_UPPER] - i->p[HYST_LOWER]) / (i->p[HYST_HIGH] - i->p[HYST_LOW]);
    const double range = hyst_domain(i);
    double rises, ends;
    const double way = corner_round(p->u[0] - begin, range, 0, slope, &rises);
    const double late = corner_round(p->u[0] - i->p[HYST_HIGH] - shift, range, 0, slope, &ends);
    p->f[0] = i->p[HYST_LOWER] + way - late;
    p->df[0] = rises - ends;
}

static void hyst_switching(const struct code_item *i, struct instant when, const double *u, double *g)
{
    (void)when;
    g[0] = u[0] - hyst_turn(i);
}

const struct code_model hyst_model = {CODE_SWITCH_KIND("hyst", "hysteresis block", "in out", through, hyst_rows),
                                      .switches = 1, .make = hyst_make, .evaluate = hyst_evaluate,
                                      .switching = hyst_switching};

/* ---- oscillators ---- */

enum { OSC_CONTROL, OSC_FREQUENCY, OSC_LOW, OSC_HIGH, OSC_DUTY, OSC_RISE, OSC_FALL, OSC_ROWS };

/* The first rows of all, as many as each has. */
static const struct parameter_info oscillator_rows[OSC_ROWS] = {
    [OSC_CONTROL] = CODE_LIST("cntl_array", "", "controls of the points, rising: [0 1] where it is not given"),
    [OSC_FREQUENCY] = CODE_LIST("freq_array", "Hz", "frequencies of the points: [1e3 2e3]"),
    [OSC_LOW] = CODE_ANY("out_low", "", -1, "least output"),
    [OSC_HIGH] = CODE_ANY("out_high", "", 1, "largest output"),
    [OSC_DUTY] = {"duty_cycle", "", 0.5, 1e-6, 0.999999, "part of the period that the output is high, or rises", NULL},
    [OSC_RISE] = CODE_FROM("rise_time", "s", 1e-9, 0, "from low to high"),
    [OSC_FALL] = CODE_FROM("fall_time", "s", 1e-9, 0, "from high to low"),
};

static const struct port_info oscillator_ports[] = {CODE_IN("cntl_in"), CODE_OUT("out")};
static const char *const phase[] = {"phase", NULL};

struct oscillator {
    const double *control, *frequency; /* or parts of the period, or widths */
    size_t count;
    double phase;     /* of the period, at first */
    double start;     /* of the state */
    bool high_first;  /* the state goes up while the square wave is high */
    struct ramp edge; /* of the square wave */
};

static void oscillator_forget(struct code_item *i)
{
    struct oscillator *o = i->own;
    ramp_rest(&o->edge, i->p[OSC_LOW]);
}

/* The points of two lists, or those that are there by default. */
static enum kn_status read_points(struct code_item *i, const char *name, const double *usual, struct oscillator *o,
                                  struct kn_diagnostics *d)
{
    static const double usual_control[2] = {0, 1};
    size_t count;
    o->control = code_list(i, "cntl_array", &o->count);
    o->frequency = code_list(i, name, &count);
    if (o->count == 0) {
        o->control = usual_control;
        o->count = 2;
    }
    if (count == 0) {
        o->frequency = usual;
        count = 2;
    }
    if (count != o->count || count < 2 || !corner_rises(o->control, count))
        return code_fail(i, d, NULL, "the lists need as many points, two at least, and cntl_array must rise");
    return KN_OK;
}

static enum kn_status oscillator_make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    static const double usual[2] = {1e3, 2e3};
    struct oscillator *o = arena_alloc(arena, sizeof *o);
    if (!o)
        return KN_ERROR_MEMORY;
    i->own = o;
    oscillator_forget(i);
    return read_points(i, "freq_array", usual, o, d);
}

static const double LEAST_FREQUENCY = 1e-16; /* Hz */

/* d/dt s = f/part up, -f/(1 - part) down; columns: control, s; rows: out, s. */
static void run_phase(const struct code_item *i, const struct code_point *p, double part)
{
    const struct oscillator *o = i->own;
    double slope;
    const double wanted = corner_lines(o->control, o->frequency, o->count, NULL, p->u[0], &slope);
    const double f = fmax(wanted, LEAST_FREQUENCY), way = code_side(i, 0) > 0 ? -1 / (1 - part) : 1 / part;
    p->q[1] = p->u[1];
    p->dq[3] = 1;
    if (p->rests) {
        p->f[1] = p->u[1] - o->start;
        p->df[3] = 1;
        return;
    }
    p->f[1] = -way * f;
    p->df[2] = wanted > LEAST_FREQUENCY ? -way * slope : 0;
}

static void oscillator_switching(const struct code_item *i, struct instant when, const double *u, double *g)
{
    (void)when;
    g[0] = code_side(i, 0) > 0 ? u[1] : u[1] - 1;
}

static const double PI = 3.14159265358979323846;

static void sine_evaluate(const struct code_item *i, const struct code_point *p)
{
    const double half = (i->p[OSC_HIGH] - i->p[OSC_LOW]) / 2, sign = code_side(i, 0) > 0 ? -1 : 1;
    p->f[0] = i->p[OSC_LOW] + half + sign * half * sin(PI * p->u[1]);
    p->df[1] = sign * half * PI * cos(PI * p->u[1]);
    run_phase(i, p, 0.5);
}

static void triangle_evaluate(const struct code_item *i, const struct code_point *p)
{
    p->df[1] = i->p[OSC_HIGH] - i->p[OSC_LOW];
    p->f[0] = i->p[OSC_LOW] + p->df[1] * p->u[1];
    run_phase(i, p, i->p[OSC_DUTY]);
}

static void square_evaluate(const struct code_item *i, const struct code_point *p)
{
    const struct oscillator *o = i->own;
    p->f[0] = ramp_value(&o->edge, p->when, &p->dfdt[0]);
    run_phase(i, p, 1 - i->p[OSC_DUTY]);
}

static void square_happened(struct code_item *i, double time, const double *u)
{
    struct oscillator *o = i->own;
    const bool high = i->held[0] > 0;
    (void)u;
    ramp_start(&o->edge, time, i->p[high ? OSC_HIGH : OSC_LOW], i->p[high ? OSC_RISE : OSC_FALL], 0);
}

/* Its levels are those of now; the way between them goes on. */
static void square_remember(struct code_item *i, struct keepsake *k)
{
    struct ramp *edge = &((struct oscillator *)i->own)->edge;
    KEEPSAKE_PIECE(k, *edge);
    ramp_shift(edge, i->p[code_side(i, 0) > 0 ? OSC_HIGH : OSC_LOW]);
}

static double square_next_corner(const struct code_item *i, double over)
{
    const struct oscillator *o = i->own;
    return ramp_corner(&o->edge, over);
}

#define OSCILLATOR(type_name, what, row_count, ...)                                                                    \
    {                                                                                                                  \
        .class = PORT_CLASS(type_name, what, "cntl_in out", oscillator_ports, oscillator_rows, row_count, NULL,        \
                            &code_switches_class),                                                                     \
        .states = phase, .switches = 1, .make = oscillator_make, .switching = oscillator_switching,                    \
        .forget = oscillator_forget, __VA_ARGS__                                                                       \
    }

const struct code_model sine_model = OSCILLATOR("sine", "sine oscillator", OSC_DUTY, .evaluate = sine_evaluate);
const struct code_model triangle_model =
    OSCILLATOR("triangle", "triangle oscillator", OSC_RISE, .evaluate = triangle_evaluate);
const struct code_model square_model =
    OSCILLATOR("square", "square oscillator", OSC_ROWS, .evaluate = square_evaluate, .happened = square_happened,
               .remember = square_remember, .next_corner = square_next_corner);

/* ---- oscillators of logic: low first, as in ngspice ---- */

enum { CLOCK_CONTROL, CLOCK_POINTS, CLOCK_DUTY, CLOCK_PHASE, CLOCK_ROWS };

static const struct parameter_info clock_rows[CLOCK_ROWS] = {
    [CLOCK_CONTROL] = CODE_LIST("cntl_array", "", "controls of the points, rising: [0 1] where it is not given"),
    [CLOCK_POINTS] = CODE_LIST("freq_array", "Hz", "frequencies of the points: [1e6 2e6]"),
    [CLOCK_DUTY] = {"duty_cycle", "", 0.5, 1e-6, 0.999999, "part of the period that the state is 1", NULL},
    [CLOCK_PHASE] = {"init_phase", "degrees", 0, -180, 360, "phase at first; from 0 on the state is 0", NULL},
};

enum { PWM_CONTROL, PWM_DUTY, PWM_FREQUENCY, PWM_PHASE, PWM_ROWS };

static const struct parameter_info pwm_rows[PWM_ROWS] = {
    [PWM_CONTROL] = CODE_LIST("cntl_array", "", "controls of the points, rising: [-1 1] where it is not given"),
    [PWM_DUTY] = CODE_LIST("dc_array", "", "parts of the period that the state is 1: [0 1], held within 0.01 and 0.99"),
    [PWM_FREQUENCY] = CODE_FROM("frequency", "Hz", 1e6, 1e-6, "frequency"),
    [PWM_PHASE] = {"init_phase", "degrees", 0, -180, 360, "phase at first; from 0 on the state is 0", NULL},
};

static const struct port_info clock_ports[] = {
    CODE_IN("cntl_in"),
    {.name = "out", .direction = PORT_OUT, .type = PORT_LOGIC, .allowed = 1u << PORT_LOGIC, .by_voltage = true}};

static void clock_forget(struct code_item *i)
{
    struct oscillator *o = i->own;
    ramp_rest(&o->edge, o->high_first);
}

/* Turns from 0 to 1. */
static double phase_of(double degrees)
{
    const double turns = degrees / 360;
    return turns < 0 ? turns + 1 : fmod(turns, 1);
}

static enum kn_status clock_make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    static const double usual[2] = {1e6, 2e6};
    struct oscillator *o = arena_alloc(arena, sizeof *o);
    if (!o)
        return KN_ERROR_MEMORY;
    i->own = o;
    o->phase = phase_of(i->p[CLOCK_PHASE]);
    const double low = 1 - i->p[CLOCK_DUTY];
    o->high_first = o->phase > low;
    o->start = o->high_first ? (o->phase - low) / i->p[CLOCK_DUTY] : o->phase / low;
    clock_forget(i);
    return read_points(i, "freq_array", usual, o, d);
}

static void clock_evaluate(const struct code_item *i, const struct code_point *p)
{
    const struct oscillator *o = i->own;
    p->f[0] = ramp_value(&o->edge, p->when, &p->dfdt[0]);
    run_phase(i, p, o->high_first ? i->p[CLOCK_DUTY] : 1 - i->p[CLOCK_DUTY]);
}

static void clock_happened(struct code_item *i, double time, const double *u)
{
    struct oscillator *o = i->own;
    (void)u;
    ramp_start(&o->edge, time, (i->held[0] > 0) != o->high_first, 0, 0);
}

/* Which half of the period its state goes up in comes from the phase at first. */
static void clock_remember(struct code_item *i, struct keepsake *k)
{
    struct oscillator *o = i->own;
    bool high_first = o->high_first;
    KEEPSAKE_PIECE(k, o->edge);
    KEEPSAKE_PIECE(k, high_first);
    k->failed = k->failed || high_first != o->high_first;
}

/* The periods of d_pwm are those of the time; own of it. */
struct modulator {
    struct oscillator points; /* its phase, too */
    double period;            /* the number of the one that runs */
};

static void pwm_forget(struct code_item *i)
{
    struct modulator *m = i->own;
    m->period = 0;
    ramp_rest(&m->points.edge, 0);
}

static enum kn_status pwm_make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    static const double usual_control[2] = {-1, 1}, usual[2] = {0, 1};
    struct modulator *m = arena_alloc(arena, sizeof *m);
    size_t count;
    if (!m)
        return KN_ERROR_MEMORY;
    i->own = m;
    pwm_forget(i);
    m->points.phase = phase_of(i->p[PWM_PHASE]);
    const enum kn_status points = read_points(i, "dc_array", usual, &m->points, d);
    code_list(i, "cntl_array", &count);
    if (count == 0)
        m->points.control = usual_control;
    return points;
}

/* Low until the rest of the period is as long as the state is to be 1, then high until the period ends. */
static void pwm_switching(const struct code_item *i, struct instant when, const double *u, double *g)
{
    static const double least = 0.01; /* of the period, as in ngspice */
    const struct modulator *m = i->own;
    const struct oscillator *o = &m->points;
    double slope;
    const double wanted = corner_lines(o->control, o->frequency, o->count, NULL, u[0], &slope);
    const double high = fmin(fmax(wanted, least), 1 - least), turns = fmax(when.time, 0) * i->p[PWM_FREQUENCY];
    const double left = m->period + 1 - o->phase - turns;
    g[0] = code_side(i, 0) > 0 ? left : high - left;
}

/* Until its first edge the level is that of the side where the run begins. */
static void pwm_evaluate(const struct code_item *i, const struct code_point *p)
{
    const struct modulator *m = i->own;
    const struct ramp *edge = &m->points.edge;
    double side = i->held[0];
    if (side == 0)
        pwm_switching(i, p->when, p->u, &side);
    p->f[0] = isinf(edge->begin) ? side > 0 : ramp_value(edge, p->when, &p->dfdt[0]);
}

static void pwm_happened(struct code_item *i, double time, const double *u)
{
    struct modulator *m = i->own;
    const bool high = i->held[0] > 0;
    (void)u;
    m->period += !high;
    m->points.edge = (struct ramp){time, time, !high, high};
}

static void pwm_remember(struct code_item *i, struct keepsake *k)
{
    struct modulator *m = i->own;
    KEEPSAKE_PIECE(k, m->period);
    KEEPSAKE_PIECE(k, m->points.edge);
    code_same(i->p[PWM_FREQUENCY], k); /* by these and the time periods are counted */
    code_same(i->p[PWM_PHASE], k);
}

static double pwm_next_corner(const struct code_item *i, double over)
{
    const struct modulator *m = i->own;
    return ramp_corner(&m->points.edge, over);
}

#define CLOCK_CLASS(type_name, what, rows, row_count)                                                                  \
    .class = PORT_CLASS(type_name, what, "cntl_in out", clock_ports, rows, row_count, "rise_delay fall_delay",         \
                        &code_switches_class),                                                                         \
    .switches = 1

const struct code_model d_osc_model = {CLOCK_CLASS("d_osc", "oscillator of a logic state", clock_rows, CLOCK_ROWS),
                                       .states = phase,
                                       .make = clock_make,
                                       .evaluate = clock_evaluate,
                                       .switching = oscillator_switching,
                                       .happened = clock_happened,
                                       .forget = clock_forget,
                                       .remember = clock_remember,
                                       .next_corner = square_next_corner};
const struct code_model d_pwm_model = {
    CLOCK_CLASS("d_pwm", "pulse width modulator of a logic state", pwm_rows, PWM_ROWS),
    .make = pwm_make,
    .evaluate = pwm_evaluate,
    .switching = pwm_switching,
    .happened = pwm_happened,
    .forget = pwm_forget,
    .remember = pwm_remember,
    .next_corner = pwm_next_corner};

/* ---- one-shot ---- */

enum {
    SHOT_CONTROL,
    SHOT_WIDTH,
    SHOT_TRIGGER,
    SHOT_POSITIVE,
    SHOT_LOW,
    SHOT_HIGH,
    SHOT_RISE,
    SHOT_RISE_DELAY,
    SHOT_FALL_DELAY,
    SHOT_FALL,
    SHOT_AGAIN,
    SHOT_ROWS
};

static const struct parameter_info shot_rows[SHOT_ROWS] = {
    [SHOT_CONTROL] = CODE_LIST("cntl_array", "", "controls of the points, rising: [0 1] where it is not given"),
    [SHOT_WIDTH] = CODE_LIST("pw_array", "s", "widths of the pulse: [1u 1]"),
    [SHOT_TRIGGER] = CODE_ANY("clk_trig", "", 0.5, "level of clk and clear"),
    [SHOT_POSITIVE] = CODE_FLAG("pos_edge_trig", 1, "a pulse begins where clk rises, else where it falls"),
    [SHOT_LOW] = CODE_ANY("out_low", "", 0, "output at rest"),
    [SHOT_HIGH] = CODE_ANY("out_high", "", 1, "output in the pulse"),
    [SHOT_RISE] = CODE_FROM("rise_time", "s", 1e-9, 0, "from low to high"),
    [SHOT_RISE_DELAY] = CODE_FROM("rise_delay", "s", 1e-9, 0, "from the trigger to the rise"),
    [SHOT_FALL_DELAY] = CODE_FROM("fall_delay", "s", 1e-9, 0, "added to the width"),
    [SHOT_FALL] = CODE_FROM("fall_time", "s", 1e-9, 0, "from high to low"),
    [SHOT_AGAIN] = CODE_FLAG("retrig", 0, "a trigger within the pulse lengthens it"),
};

static const struct port_info shot_ports[] = {
    CODE_IN("clk"),
    {.name = "cntl_in", .direction = PORT_IN, .type = PORT_V, .allowed = CODE_INPUTS, .may_be_null = true},
    {.name = "clear", .direction = PORT_IN, .type = PORT_V, .allowed = CODE_INPUTS, .may_be_null = true},
    CODE_OUT("out"),
};

enum { SHOT_PORT_CLOCK, SHOT_PORT_CONTROL, SHOT_PORT_CLEAR };

struct shot {
    struct oscillator width; /* its points */
    struct ramp rise, fall;
    signed char clock; /* side of the clock when something happened last */
};

static void shot_forget(struct code_item *i)
{
    struct shot *s = i->own;
    ramp_rest(&s->rise, i->p[SHOT_LOW]);
    ramp_rest(&s->fall, i->p[SHOT_LOW]);
    s->clock = 0;
}

static enum kn_status shot_make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    static const double usual[2] = {1e-6, 1};
    struct shot *s = arena_alloc(arena, sizeof *s);
    if (!s)
        return KN_ERROR_MEMORY;
    i->own = s;
    shot_forget(i);
    return read_points(i, "pw_array", usual, &s->width, d);
}

static double shot_value(const struct shot *s, struct instant when, double *slope)
{
    return ramp_value(when.over >= s->fall.begin && !isinf(s->fall.begin) ? &s->fall : &s->rise, when, slope);
}

static void shot_evaluate(const struct code_item *i, const struct code_point *p)
{
    p->f[0] = shot_value(i->own, p->when, &p->dfdt[0]);
}

static void shot_switching(const struct code_item *i, struct instant when, const double *u, double *g)
{
    (void)when;
    g[0] = u[0] - i->p[SHOT_TRIGGER];
    g[1] = code_port_columns(i, SHOT_PORT_CLEAR) > 0 ? u[i->first_column[SHOT_PORT_CLEAR]] - i->p[SHOT_TRIGGER] : NAN;
}

static double shot_width(const struct code_item *i, const double *u)
{
    const struct shot *s = i->own;
    const double control = code_port_columns(i, SHOT_PORT_CONTROL) > 0 ? u[i->first_column[SHOT_PORT_CONTROL]] : 0;
    double slope;
    return fmax(0, corner_lines(s->width.control, s->width.frequency, s->width.count, NULL, control, &slope));
}

/* The fall of a pulse triggered now. */
static void set_fall(const struct code_item *i, double time, double width)
{
    struct shot *s = i->own;
    const double begin = time + i->p[SHOT_RISE_DELAY] + i->p[SHOT_RISE] + width + i->p[SHOT_FALL_DELAY];
    s->fall = (struct ramp){begin, begin + i->p[SHOT_FALL], i->p[SHOT_HIGH], i->p[SHOT_LOW]};
}

static void shot_happened(struct code_item *i, double time, const double *u)
{
    struct shot *s = i->own;
    const signed char trigger = i->p[SHOT_POSITIVE] != 0 ? 1 : -1, before = s->clock;
    const bool triggered = i->held[0] == trigger && before != trigger, runs = time < s->fall.end;
    double slope;
    s->clock = i->held[0];
    if (i->held[1] > 0) {
        shot_forget(i);
        s->clock = i->held[0];
    } else if (triggered && !runs) {
        const double begin = time + i->p[SHOT_RISE_DELAY];
        s->rise =
            (struct ramp){begin, begin + i->p[SHOT_RISE], shot_value(s, instant_at(time), &slope), i->p[SHOT_HIGH]};
        set_fall(i, time, shot_width(i, u));
    } else if (triggered && i->p[SHOT_AGAIN] != 0 && time < s->fall.begin) {
        set_fall(i, time, shot_width(i, u));
    }
}

/* Its levels are those of now. */
static void shot_remember(struct code_item *i, struct keepsake *k)
{
    struct shot *s = i->own;
    KEEPSAKE_PIECE(k, s->rise);
    KEEPSAKE_PIECE(k, s->fall);
    KEEPSAKE_PIECE(k, s->clock);
    const bool waits = isinf(s->rise.begin);
    s->rise.to = s->fall.from = i->p[waits ? SHOT_LOW : SHOT_HIGH];
    s->rise.from = waits ? s->rise.to : s->rise.from;
    s->fall.to = i->p[SHOT_LOW];
}

static double shot_next_corner(const struct code_item *i, double over)
{
    const struct shot *s = i->own;
    const double corners[] = {s->rise.begin, s->rise.end, s->fall.begin, s->fall.end};
    for (int k = 0; k < 4; k++)
        if (corners[k] > over)
            return corners[k];
    return INFINITY;
}

const struct code_model oneshot_model = {
    CODE_SWITCH_KIND("oneshot", "one-shot", "clk cntl_in clear out", shot_ports, shot_rows),
    .switches = 2,
    .make = shot_make,
    .evaluate = shot_evaluate,
    .switching = shot_switching,
    .happened = shot_happened,
    .forget = shot_forget,
    .remember = shot_remember,
    .next_corner = shot_next_corner};
