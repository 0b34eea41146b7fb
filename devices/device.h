/* device.h - the only contract between circuit elements and the equations.
 *
 * A device family is one file with one `const struct device_class`.  The equations are charge-oriented MNA,
 *     F(t, x, x') = d/dt q(x) + f(x, t) = 0,
 * x: node voltages (V), then branch currents (A); f: currents leaving a node (A) or branch-voltage equations (V);
 * q: charge on a node (C) or minus the flux of an inductor (Wb); G = df/dx, C = dq/dx.
 *
 * A family splits its contribution by what can change, because that is what the time loop costs:
 *   stamp   constant entries of G and C.  The system multiplies them with x once for all families.
 *   force   parts of f that depend on time only (independent sources).
 *   eval    the nonlinear rest: f, q, and G, C when asked, for all instances of the family in one call.
 * A family may have any combination.
 *
 * Unknowns are numbered from 1 in device code; number 0 is ground: x[0] is 0, and what is added to f[0], q[0] or to a
 * matrix slot of row or column 0 goes into a bin.  So device code never asks whether a node is ground.
 */
#ifndef DEVICES_DEVICE_H
#define DEVICES_DEVICE_H

#include "base/diagnostics.h"
#include "devices/instant.h"
#include "netlist/circuit.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- parameters ---- */

/* How an element or a model is called in messages: "diode 'x1.d5'". */
struct owner {
    const char *noun, *name;
};

/* Fills values[] (defaults where absent) and given[] from the settings of an element, by the instance table of its kind;
 * see parameters_read.  The row `m`, where there is one, is multiplied by what instances of subcircuits have. */
bool element_parameters_read(const struct element *e, struct kn_diagnostics *d, double *values, bool *given);

/* Fills values[table.count] (defaults where absent) and given[] from the settings.  Unknown names are warnings with
 * place and likely correction, values out of range errors.  Returns false if there was an error. */
bool parameters_read(struct parameter_table table, const struct setting *settings, size_t setting_count,
                     struct owner owner, struct kn_diagnostics *d, double *values, bool *given);

/* ---- set-up ---- */

enum unknown_kind { UNKNOWN_VOLTAGE, UNKNOWN_CURRENT };

struct unknown {
    const char *name; /* "v(out)", "i(v1)", "v(q1#collector)" */
    enum unknown_kind kind;
    int node;                      /* circuit node, or -1 for internal nodes and currents */
    const struct element *element; /* owner of an internal node or current; NULL for circuit nodes */
    /* Absolute tolerances of the unknown and of the equation in its row, as multiples of those of `signal`; 0: they are
     * those of its kind. */
    enum unknown_kind signal;
    double scale, row_scale;
};

/* Collects the unknowns and matrix entries that devices ask for; owned by the system being built. */
struct device_setup;

/* Unknown of a circuit node (0 for ground). */
int setup_node(const struct device_setup *s, int circuit_node);
/* A new node inside an element, named v(element#part). -1 without memory. */
int setup_internal_node(struct device_setup *s, const struct element *e, const char *part);
/* The branch current of an element (SPICE's sign: into its first node), named i(element). -1 without memory.  For
 * elements with several currents (lossless line) part tells them apart: i(t1#1); NULL otherwise. */
int setup_branch_current(struct device_setup *s, const struct element *e, const char *part);
/* Current of another element; 0 if it has none (in `connect` only). */
int setup_current_of(const struct device_setup *s, const struct element *e);
/* Current of the element of a number in the circuit, by which `user` is controlled; 0 with an error at `where` if it has
 * none (in `connect` only). */
int setup_controlling_current(const struct device_setup *s, struct kn_diagnostics *d, const struct element *user,
                              int number, struct kn_location where);
/* The part of that current in one of the parallel copies that m= of subcircuits makes of the element: what laws in them
 * and switches see. */
double setup_current_share(const struct device_setup *s, int number);
/* Makes an unknown that stands for a signal, whatever its unit, one with absolute tolerances that are multiples of those of
 * a kind. */
void setup_signal(struct device_setup *s, int unknown, enum unknown_kind kind, double scale, double row_scale);
/* Asks for the matrix entry (row, column); *slot receives its index in the value arrays once the pattern is made, so
 * the int must stay where it is.  false without memory. */
bool setup_entry(struct device_setup *s, int row, int column, int *slot);

/* The four entries of a branch between unknowns a and b: slots[0..3] = (a,a) (a,b) (b,a) (b,b). */
bool setup_pair(struct device_setup *s, int a, int b, int slots[4]);

struct device_input {
    const struct element *const *elements; /* the family's elements, in the circuit's order */
    size_t count;
    const struct circuit *circuit;
    struct kn_diagnostics *diagnostics;
};

/* ---- evaluation ---- */

enum evaluate {
    EVALUATE_F = 1,
    EVALUATE_Q = 2,
    EVALUATE_G = 4,
    EVALUATE_C = 8,
    EVALUATE_ALL = 15,
    EVALUATE_T = 16 /* partial derivatives of f and q with respect to time (Rosenbrock methods) */
};

/* Whether currents and charges of a device are both made, with their slopes in any case: then they are its tangent, and answer
 * near there until it has moved.  Newton's last evaluation of a step is near the one before it, without Jacobians. */
static inline bool makes_tangents(unsigned what)
{
    return (what & (EVALUATE_F | EVALUATE_G)) && (what & (EVALUATE_Q | EVALUATE_C));
}

/* Where a family is evaluated. */
struct device_point {
    struct instant
        when;        /* time -INFINITY: the operating point of .op, where sources take their DC values (see force) */
    const double *x; /* unknowns, x[0] = 0 (ground) */
    unsigned what;   /* EVALUATE_.. */
    double gmin;     /* S, in parallel with every pn junction: part of the model, .options gmin */
    double near;     /* V, see DEVICE_NEAR */
    double source_scale; /* 1, less during source stepping */
    /* Junction limiting (Nagel 1975).  When limit is set, a family may evaluate its junctions at voltages nearer to the
     * previous ones and extrapolate f and q linearly from there; it then sets *limited.  The previous voltages
     * are those of x_reference on the first call of a Newton iteration (first is set), afterwards those evaluated by
     * the call before, which the family keeps in its batch.  Nothing survives into the next Newton iteration. */
    bool limit;
    bool first;
    const double *x_reference; /* x[0] = 0 as well */
    bool *limited;
};

/* Where contributions are added.  G and C share one pattern and so the slots.  Pointers for parts that were not asked
 * for may be NULL. */
struct device_stamp {
    double *f, *q;       /* indexed by unknown, [0] is the bin */
    double *G, *C;       /* indexed by slot */
    double *dfdt, *dqdt; /* indexed by unknown; EVALUATE_T */
};

/* What flows into the nodes of one element: each of its terminals is asked by itself, and one evaluation answers for all. */
enum { DEVICE_FLOWS = 16 };
struct device_flows {
    const void *of; /* what belongs to that element alone; NULL: no element has been asked at this point */
    bool known;     /* into holds them */
    double into[DEVICE_FLOWS];
};

/* Evaluates a family's own current at a solution point: x and its time derivative (both with [0] = 0). */
struct device_probe {
    struct instant when;
    const double *x;
    const double *dxdt;
    double gmin;
    double near;               /* V: within that kept tangents answer, see DEVICE_NEAR */
    bool alternating;          /* x is of small signals about a point, see `alternate` below .. */
    double hertz;              /* .. of this frequency */
    struct device_flows *last; /* of the element asked last; NULL: not kept */
};

/* Where those of an element are kept, *own where the probe keeps none; who finds them not known fills them in. */
static inline struct device_flows *device_flows(const struct device_probe *at, const void *of, struct device_flows *own)
{
    struct device_flows *const kept = at->last ? at->last : own;
    kept->known = at->last && kept->of == of;
    kept->of = of;
    return kept;
}

/* What a switch whose side is a state does where its function comes to zero and rests there: what the last digit says, nothing, or turn. */
enum switch_rest { SWITCH_REST_BY_SIGN, SWITCH_REST_KEEPS, SWITCH_REST_TURNS };

/* A point that is accepted: the end of a step; the first, or one where derivatives jump; or inside a step. */
enum acceptance { ACCEPT_STEP, ACCEPT_RESTART, ACCEPT_INSIDE };

/* ---- what the topological index analysis sees ---- */

enum branch_kind { BRANCH_R, BRANCH_C, BRANCH_L, BRANCH_V, BRANCH_I };

/* A voltage x[plus] - x[minus], or a current x[plus] with minus 0. */
struct branch_control {
    int plus, minus;
};

/* What gives the value of a branch, for those who write equations about it. */
enum branch_role {
    ROLE_LAW,        /* a function that the family knows: a junction, a charge */
    ROLE_VALUE,      /* `constant`, of the whole element (no part) or of a piece such as a series resistance */
    ROLE_FORMULA,    /* the deck's own text */
    ROLE_POLYNOMIAL, /* coefficients in the deck */
    ROLE_GAIN,       /* the element's value times what controls it */
    ROLE_SOURCE,     /* a function of time in the deck */
    ROLE_PORT        /* of a line: an impedance `constant` behind a wave that the past determines */
};

/* A two-terminal piece of an element.  A controlled piece names what controls it, because the index theorems put
 * conditions on that. */
struct branch {
    enum branch_kind kind;
    int plus, minus; /* unknown numbers of the two nodes, 0 is ground */
    const struct element *element;
    const char *part;       /* "gate-source charge", or NULL when the element is just this branch */
    const char *short_name; /* the same in symbols, "gs"; NULL where the element says it all */
    enum branch_role role;
    bool increasing;     /* a law whose value rises with its own voltage wherever the circuit stands */
    bool blocks;         /* kinds R and C: next to nothing while a junction blocks, however high its voltage */
    bool held;           /* kind C: its voltage at rest is told, see initial_value */
    bool controlled;     /* kind V or I (also C): value depends on other branches than its own */
    const int *controls; /* unknown numbers (node voltages or currents) it depends on, beyond its own nodes */
    size_t control_count;
    /* The same as differences x[plus] - x[minus], its own nodes and current included, where they are known one by one
     * (a formula); otherwise none, and it may depend on every difference of its own nodes and those that control it. */
    const struct branch_control *pairs;
    size_t pair_count;
    double constant; /* value when it is a plain positive/negative constant (R, C, L); NaN otherwise and for ROLE_LAW */
    double delay;    /* s, of a port of a line without losses, whose inductance is constant * delay; else 0 */
    int current;     /* unknown number of its own branch current, 0 if it has none */
};

/* Takes copies of what it is given (controls too).  Here alone it is decided what values of zero and infinity are: no
 * ohms in a branch with a current of its own and no henries are a voltage of 0 (branch_is_short), infinite ohms a current
 * source, no farads nothing at all.  false without memory. */
struct branch_list;
bool branch_add(struct branch_list *list, const struct branch *b);

/* An entry of a linear network's own equations as a piece to ground of its row, which `row` names: a conductance or a
 * capacitance where it is of the row's own unknown, else a current or a charge that another one controls. */
bool branch_add_entry(struct branch_list *list, const struct branch *row, int column, double value, bool rate);

/* Between which unknowns a piece of a device lies and what it is called there: "base-emitter charge", "be". */
struct branch_place {
    const struct element *element;
    int plus, minus;
    const char *part, *short_name;
};

/* A series resistance (ohm); none where both ends are one unknown, because the internal node has collapsed. */
bool branch_add_resistance(struct branch_list *list, struct branch_place at, double resistance);
/* A law of the family: kind R for a current of its own voltage, I for one that other voltages control as well, C for a
 * charge, which rises with its own voltage unless others control it. */
bool branch_add_law(struct branch_list *list, enum branch_kind kind, struct branch_place at, const int *controls,
                    size_t control_count);

static inline bool branch_is_short(const struct branch *b)
{
    return b->kind == BRANCH_V && b->constant == 0;
}

/* Inductive coupling: the topological analysis must know which L belong together. */
struct coupling; /* couplings.h */
bool branch_couple(struct branch_list *list, const struct coupling *coupling);

/* ---- initial conditions given on elements (ic=) ---- */

enum initial_kind { INITIAL_VOLTAGE /* across plus-minus */, INITIAL_CURRENT /* of unknown plus */ };

struct initial_value {
    enum initial_kind kind;
    int plus, minus; /* unknown numbers */
    double value;
    const struct element *element;
    bool stored;  /* by the element as a charge or flux of one value, so that it can be kept exactly */
    bool held;    /* at the operating point, too, whose equation of `plus` it takes the place of */
    bool at_rest; /* the same where a transient starts, as PSpice and Xyce have it for ic= of C and L, Xyce of M too */
    bool settled; /* at rest the equations of the element give it */
};

struct initial_list;
bool initial_add(struct initial_list *list, const struct initial_value *v);

/* ---- noise (noise.h) ---- */

struct noise_list;

/* ---- the class ---- */

enum { DEVICE_MOST_ENDS = 16 };

struct outside;

/* Finds what active[from] .. active[to - 1] of a batch, at most BATCH_PIECE, give at a point, and leaves in `room` what a
 * device_add needs to add it.  It touches nothing but these elements' own. */
typedef void device_look(void *batch, const struct device_point *at, size_t from, size_t to, void *room);
typedef void device_add(const void *batch, const struct device_point *at, size_t from, size_t to, const void *room,
                        const struct device_stamp *out);

struct device_class {
    struct element_kind kind; /* first, so that an element's kind leads to its class */
    /* The elements of all kinds with the same class here are one batch, which this class works on; the class of a kind
     * then has nothing but its kind and this.  NULL: a batch of its own. */
    const struct device_class *together;

    /* The batch of all elements of the family, a structure of arrays, begins with a struct batch (batch.h).  fill gets
     * these many zeroed bytes, makes room and reads models; then make reads and checks the parameters of the k-th
     * element, of every one although models or others are wrong (KN_ERROR_DECK).  Either may be NULL.  What they take from the batch's arena is given
     * back with it.  release gives back what is not from there; NULL: nothing. */
    size_t batch_size;
    enum kn_status (*fill)(void *batch, const struct device_input *in);
    enum kn_status (*make)(void *batch, size_t k, const struct device_input *in);
    void (*release)(void *batch);

    /* First pass over the elements: internal nodes and branch currents of the k-th.  NULL if it needs none. */
    bool (*number)(void *batch, size_t k, struct device_setup *s);
    /* Second pass, when every unknown is known: node numbers, controlling currents, matrix entries. */
    bool (*connect)(void *batch, size_t k, struct device_setup *s);
    /* Everything that depends on temperature (degrees Celsius); called before the first stamp or eval. */
    void (*prepare)(void *batch, size_t k, double temperature);

    void (*stamp)(const void *batch, double *G, double *C);
    /* At time -INFINITY (.op) sources take their DC values; where only a waveform is given, its value at 0. */
    void (*force)(const void *batch, struct instant when, double source_scale, double *f);
    /* Another DC value for the k-th element, from now on; NULL where elements have none. */
    void (*set_dc)(void *batch, size_t k, double value);
    /* From now on somebody gives the values of elements that take them from outside (outside.h); NULL where none do. */
    void (*set_outside)(void *batch, const struct outside *o);
    /* Partial derivative of what force adds with respect to time (Rosenbrock methods); NULL where force is NULL. */
    void (*force_rate)(const void *batch, struct instant when, double source_scale, double *dfdt);
    void (*eval)(void *batch, const struct device_point *at, const struct device_stamp *out);
    /* The same in two parts, where families have them, so that several threads can do the first one (mna/pieces.h). */
    device_look *look;
    device_add *add;
    size_t room; /* bytes that look leaves for add */
    /* Small signals, (G + j w C) X = B at the operating point (eval at time -INFINITY gives G and C).  excite adds what the
     * k-th element gives to B, indexed by unknown, when its value has the phasor `value`, and returns the phasor of the
     * whole source (several in parallel); NULL where elements are no sources. */
    double _Complex (*excite)(const void *batch, size_t k, double _Complex value, double _Complex *B);
    /* Adds to G what the family is for small signals alone, whatever their frequency (R with ac=); returns whether that is
     * anything.  NULL: nothing. */
    bool (*alternate)(const void *batch, double *G);
    /* What delays add at the frequency w (1/s) to A = G + j w C, and to dA/dw, by slot; NULL: nothing.  Of a class without
     * largest_step: what else depends on the frequency of small signals, and on nothing else. */
    void (*delay)(const void *batch, double w, double _Complex *A, double _Complex *dAdw);
    /* Of a class that is shared: whether small signals at the element are no ratio of polynomials of s; NULL: none are so. */
    bool (*transcendental)(const struct element *e);
    /* Values [kind.quantities.count] of the k-th element's quantities at a point; NULL where it has none of its own. */
    void (*observe)(const void *batch, size_t k, const struct device_probe *at, double *values);
    /* The noise of the k-th element at a point, dxdt is 0; the mechanisms follow from parameters alone, so that they are
     * the same at all points.  false without memory.  NULL: noiseless. */
    bool (*noise)(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list);
    /* Devices at rest (mna/rest.h), of families that answer from tangents: such a family evaluates those in batch.active
     * only and counts in batch.calm how often in a row its kept tangent answered for one.  ends gives the unknowns that
     * the k-th is evaluated with, none if its tangent is not linear in them; tangent adds its kept tangent as a law that
     * holds everywhere, f and q at x = 0, G and C, times `sign`.  NULL: devices of the family never rest. */
    size_t (*ends)(const void *batch, size_t k, int unknowns[DEVICE_MOST_ENDS]);
    void (*tangent)(const void *batch, size_t k, double gmin, double sign, const struct device_stamp *out);
    /* False when eval has nothing to do for this batch (a family of capacitors without a charge law): it is then never
     * called, and a circuit of such families only is known to be linear.  NULL: eval, where there is one, always has.
     */
    bool (*nonlinear)(const void *batch);

    /* The first corner or jump of a waveform later than `over`; INFINITY if none. */
    double (*next_breakpoint)(const void *batch, double over);
    /* The first crest or zero later than `time` of sources that oscillate, by more than `relative` of their size; INFINITY: none
     * does.  *period: made the shorter of itself and theirs (s).  NULL: no sources. */
    double (*next_quarter)(void *batch, double time, double relative, double *period);
    /* Jumps in what eval and force give, where a function of x and time changes its sign: how many; these functions g
     * [switch_count], NaN where one does not matter at present; and on which side of zero (1, -1) one is held from now
     * on, whatever its sign is, or 0: not held, as at first.  NULL if there are none. */
    size_t (*switch_count)(const void *batch);
    void (*switches)(const void *batch, struct instant when, const double *x, double *g);
    void (*hold)(void *batch, size_t number, int side);
    const struct element *(*switch_owner)(const void *batch, size_t number);
    bool (*switch_rectifies)(const void *batch, size_t number, double bend[2]); /* as in struct dae, bend is 0, 0; NULL: none does */
    /* What one does whose function comes to zero and rests there; NULL: its sign decides. */
    enum switch_rest (*switch_at_zero)(const void *batch, size_t number);
    bool switches_remember; /* the held side is a state (hysteresis): no switch may be left free because the equations
                               happen to agree on both sides of one switching point */
    /* Largest step the family can bear (lossless line: its delay); INFINITY if any. NULL if any. */
    double (*largest_step)(const void *batch);
    /* The largest from the point that was accepted last, where it is not the same all the time; NULL: it is. */
    double (*step_now)(const void *batch);
    /* A run begins at this instant, and x is what has been before: the operating point, from which index-2 unknowns may jump.  NULL: of no
     * meaning. */
    void (*begin)(void *batch, struct instant when, const double *x);
    /* A point was accepted: history may grow.  order is that of the method. */
    bool (*accept)(void *batch, struct instant when, const double *x, int order, enum acceptance how);
    /* Marks the unknowns that `accept` reads inside steps; others may be off there by more than the tolerance.  NULL: perhaps all. */
    void (*remembered)(const void *batch, bool *unknowns);
    /* Time has come to this instant for good, on the far side of what is there: corners and switching points.  What
     * happens then happens now.  An error is reported.  NULL: nothing. */
    enum kn_status (*arrive)(void *batch, struct instant when, const double *x);
    /* Begins (true) and ends the search of an operating point, where no time goes on and nothing has happened yet.  A
     * step that is accepted ends it too.  NULL: of no meaning. */
    void (*rest)(void *batch, bool rests);

    /* What the k-th element remembers besides charges, in the arena (NULL without memory); and the same element of another
     * batch, with other values, goes on from there: KN_ERROR_MEMORY, or KN_ERROR_CIRCUIT where it cannot.  recall is told of all
     * elements in their order.  Every class with accept, arrive or switches_remember has both. */
    void *(*memory)(const void *batch, size_t k, struct arena *arena);
    enum kn_status (*recall)(void *batch, size_t k, const void *memory);

    /* Of the k-th element.  NULL: found from the derivatives (derived_branches.h). */
    bool (*branches)(const void *batch, size_t k, struct branch_list *list);
    bool (*initial)(const void *batch, size_t k, struct initial_list *list);
    /* Current into the first terminal of the k-th element; terminal t for multi-terminal devices. */
    double (*current)(const void *batch, size_t k, int terminal, const struct device_probe *at);
    bool conducts_only; /* nothing of it depends on at->dxdt */
};

/* All families that are compiled in (registry.c). */
extern const struct catalogue device_catalogue;

/* Whether an element is late, so that its equations contain e^(-s td): a function of s with infinitely many poles. */
bool device_is_late(const struct element *e);

static inline const struct device_class *device_class_of(const struct element_kind *kind)
{
    return (const struct device_class *)kind;
}

/* ---- numbers every family uses ---- */

#define DEVICE_CHARGE    1.602176634e-19 /* C, exact since 2019 */
#define DEVICE_BOLTZMANN 1.380649e-23    /* J/K, exact since 2019 */
#define DEVICE_KELVIN    273.15          /* degrees Celsius to kelvin */

/* V.  Most devices of a large circuit rest at any time.  Where no voltage of one has moved by more than this since it
 * was last evaluated, its tangent there is as good as the device: at the distance d a junction's current misses by the
 * part (d/Vt)^2/2 < 1e-15 of itself, less than by the rounding of its exponential.  In transients the distance belongs to
 * the tolerance: see device_near. */
#define DEVICE_NEAR      1e-9
#define DEVICE_NEAR_MOST 1e-4

/* At the distance d a tangent misses a junction's current by as much as a shift of its voltage by d^2 / (2 Vt) would; a
 * channel, whose current is a square at most of its overdrive, by less.  That shift may be a fiftieth of vntol, the
 * change of a voltage that nobody asks about.  At most DEVICE_NEAR_MOST, where the part is 7e-6. */
static inline double device_near(double vntol)
{
    const double thermal_voltage = 0.025;
    return fmin(fmax(sqrt(2 * thermal_voltage * vntol / 50), DEVICE_NEAR), DEVICE_NEAR_MOST);
}

#endif
