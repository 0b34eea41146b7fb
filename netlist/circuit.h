/* circuit.h - the circuit description: what the netlist says, flat after subcircuit expansion, without numerics.
 *
 * Every element keeps file:line:column of its definition and its instance path ("x1.x2.r5"), so that each later message
 * can point at the user's text.  All strings and arrays live in the circuit's arena.  Names are stored as written and
 * compared without case; node 0 is ground, called "0".
 */
#ifndef NETLIST_CIRCUIT_H
#define NETLIST_CIRCUIT_H

#include "base/arena.h"
#include "base/diagnostics.h"
#include "base/names.h"
#include "netlist/catalogue.h"
#include "netlist/dialect.h"
#include "netlist/expression/expression.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* name=value on an element, a model or an option card.  A bare word (`off`, `uic`) has no value.  A list ic=1,2,3
 * becomes ic, ic2, ic3, and tc=1,2 becomes tc, tc2. */
struct setting {
    const char *name;
    bool has_value, is_parameter; /* is_parameter: a word of a card, the name of one whose value this is */
    double value;                 /* valid when one of both and text is NULL */
    const char *text;             /* value that is a word, e.g. method=gear; else NULL */
    const double *list;           /* [list_count]: numbers in brackets, x=[0 1 2]; else NULL */
    size_t list_count;
    struct kn_location where;
};

/* One of the places by which a card of ports is connected: a member of a list is one of its own. */
struct connection {
    size_t port; /* of the kind */
    enum port_type type;
    int plus, minus; /* places in the element's nodes; -1: ground, or none */
    int control;     /* place in its controlling elements, of PORT_VNAM; else -1 */
    bool inverted;   /* ~: a logic state */
};

struct model {
    const char *name;
    const char *type; /* lower case: a type of a kind in the catalogue, or one of other simulators that nobody uses */
    double level;     /* level=; 1 where the card gives none */
    const struct setting *settings;
    size_t setting_count;
    struct kn_location where;
};

enum waveform_kind {
    WAVEFORM_NONE,
    WAVEFORM_PULSE,
    WAVEFORM_SIN,
    WAVEFORM_EXP,
    WAVEFORM_PWL,
    WAVEFORM_SFFM,
    WAVEFORM_AM,
    WAVEFORM_NOISE,   /* TRNOISE */
    WAVEFORM_RANDOM,  /* TRRANDOM */
    WAVEFORM_EXTERNAL /* its values come from a program around the simulation */
};

/* Transient part of a V or I source: the numbers in SPICE's order, as many as were written (defaults are the device's
 * business).  PWL: t0 v0 t1 v1 ..; repeat_from < 0 means no repetition (`r=`), delay is `td=`. */
/* Of HSPICE's PAT: vhi vlo td tr tf tsample, from which its points are made. */
enum { PATTERN_DELAY = 2, PATTERN_SAMPLE = 5, PATTERN_NUMBERS };
struct bit_pattern {
    double numbers[PATTERN_NUMBERS];
    const char *bits;     /* all of them, "0101m" */
    double repeat, first; /* how often those from the first-th on come again */
    double delay;         /* s, besides td */
};

struct waveform {
    enum waveform_kind kind;
    const double *values;
    size_t count;
    double repeat_from;
    double delay;
    const struct bit_pattern *pattern; /* of PWL: what made the points; NULL: the card */
    uint64_t stream;                   /* of random ones: which numbers they are, besides the seed */
    struct kn_location where;
};

struct source {
    bool has_dc;
    double dc;           /* V or A */
    double ac_magnitude; /* V or A, of small-signal analyses */
    double ac_phase;     /* degrees */
    struct tone {
        double magnitude; /* V or A, of .disto: DISTOF1 and DISTOF2 */
        double phase;     /* degrees */
    } tones[2];
    int port; /* V: number of the port that it feeds through a resistor z0, an element of its own; 0: none */
    struct waveform wave;
};

struct response;

/* Numbers of a U device of type STIM: these, then rows of a time and a state for each output.  Rows from AGAIN on come again
 * after each PERIOD from BEGIN on (s); a period of 0: all happens once. */
enum { STIMULUS_WIDTH, STIMULUS_PERIOD, STIMULUS_AGAIN, STIMULUS_BEGIN, STIMULUS_HEAD };
enum { STIMULUS_ZERO, STIMULUS_ONE, STIMULUS_UNKNOWN, STIMULUS_NOWHERE };

struct element {
    /* Of the catalogue; NULL for one that could not be read (circuit_check).  A resistor whose value depends on
     * voltages, currents or time is of the behavioural sources' kind with the current law v(a,b)/(..). */
    const struct element_kind *kind;
    const char *name; /* with instance path, "x1.r5" */
    int number;       /* index in circuit->elements */
    /* m= of the instances of subcircuits it is in, multiplied: the element stands for that many in parallel, and its
     * currents are those of all.  0, of an element made by hand: 1 (element_multiplicity). */
    double multiplicity;
    struct kn_location where;

    const int *nodes; /* node numbers, SPICE's order; for q: c b e s (s is ground when omitted) */
    size_t node_count;
    size_t named_nodes; /* of a card with a model: the nodes that it names; others are ground */

    bool has_value;
    double value; /* R C L: ohm, farad, henry; K: coupling; E F G H: gain (linear form) */

    const struct setting *settings; /* name=value pairs and flags */
    size_t setting_count;
    const struct model *model; /* R C L: when named; else always where the kind has models, or NULL */

    /* E G S: pairs of controlling nodes (+ - + - ..); F H W: controlling elements; K: the coupled inductors. */
    const int *control_nodes;
    size_t control_node_count;
    const int *control_elements;
    size_t control_element_count;
    const char *type;                     /* of a card of a type without a model, lower case */
    const struct connection *connections; /* of a card of ports, in the order of the card */
    size_t connection_count;
    const double *polynomial; /* POLY(n) coefficients p0 p1 ..; NULL for the linear form */
    size_t polynomial_count;
    bool noiseless;        /* whatever it is made of, LTspice's word on cards with models */
    bool ordered_products; /* of its variables, as in Xyce (base/products.h) */
    const double *numbers; /* U: those behind the type, ANDA(2,4); of STIM what read_stimulus.c makes */
    size_t number_count;

    enum element_law law;
    bool reciprocal; /* the law is one divided by a value, to which scale and tc belong: of a resistance */
    const struct expression *expression;
    const struct response *response; /* of an operator (netlist/response.h); else NULL */
    struct source source;            /* V I */
};

struct node {
    const char *name;         /* with instance path for nodes inside subcircuits, "x1.n3" */
    struct kn_location where; /* first mention */
};

/* .ic / .nodeset entry. */
struct node_value {
    int node;
    double value; /* V */
    struct kn_location where;
};

/* REQUEST_RESULT: a result of .noise or .sp by its name, "onoise_spectrum"; `element` is whose contribution it is, or -1.
 */
enum request_kind {
    REQUEST_VOLTAGE,
    REQUEST_CURRENT,
    REQUEST_EXPRESSION,
    REQUEST_ALL,
    REQUEST_RESULT,
    REQUEST_QUANTITY
};

/* Of a phasor, in small-signal analyses. */
enum request_part {
    REQUEST_WHOLE,
    REQUEST_MAGNITUDE,
    REQUEST_DECIBEL,
    REQUEST_PHASE,
    REQUEST_REAL,
    REQUEST_IMAGINARY,
    REQUEST_GROUP_DELAY
};

/* Whose results a vector belongs to, bits: those of .tran, of .op and .dc, of .pss, phasors over the frequency, noise, or
 * ports.  Of a card that names no analysis: anywhere but in noise and at ports. */
enum request_domain {
    REQUEST_IN_TIME = 1,
    REQUEST_AT_REST = 2,
    REQUEST_IN_PERIOD = 4,
    REQUEST_OF_VALUES = 7, /* real ones, by the unknowns */
    REQUEST_IN_FREQUENCY = 8,
    REQUEST_ANYWHERE = 15,
    REQUEST_IN_NOISE = 16,
    REQUEST_AT_PORTS = 32
};

/* One vector of .print or .save: v(a), v(a,b), i(v1), an expression such as v(a)/10, or "all". */
struct request {
    enum request_kind kind;
    int plus, minus; /* nodes; minus is 0 when not written */
    int element;     /* REQUEST_CURRENT, REQUEST_QUANTITY */
    int quantity;    /* its number, kind_quantity */
    int terminal;    /* REQUEST_CURRENT: the node of the card into which it flows; 0 where there are two only */
    const struct expression *expression; /* REQUEST_EXPRESSION; else NULL */
    enum request_part part;
    enum request_domain domain;
    const char *label; /* "v(a,b)" in lower case, names as in the circuit */
    struct kn_location where;
};

/* .four and .fft: what a transient is made of, in frequencies. */
enum spectrum_window {
    WINDOW_RECTANGLE,
    WINDOW_BARTLETT,
    WINDOW_HANN,
    WINDOW_HAMMING,
    WINDOW_BLACKMAN,
    WINDOW_HARRIS,
    WINDOW_GAUSS,
    WINDOW_KAISER
};

struct spectrum_signal {
    const struct expression *expression;
    const char *label; /* "v(out)" */
};

struct spectrum_request {
    bool sampled; /* .fft; else .four */
    const struct spectrum_signal *signals;
    size_t signal_count;
    double fundamental; /* Hz; .fft: 0: one over the length of the window */
    long harmonics;     /* .four: besides the mean */
    double periods;     /* .four: at the end of the run that are looked at; 0: all whole ones */
    double start, stop; /* s, .fft; NaN: of the run */
    long points;        /* .fft: a power of two */
    enum spectrum_window window;
    double shape;           /* alfa of Gauss's and Kaiser's window */
    bool normalised;        /* magnitudes as parts of the largest one */
    double lowest, highest; /* Hz, .fft: what is written; NaN: all */
    struct kn_location where;
};

enum frequency_scale { FREQUENCY_DECADES, FREQUENCY_OCTAVES, FREQUENCY_LINEAR, FREQUENCY_LIST };

/* A card of an analysis that the reader only hands on: its words, numbers and name=value pairs. */
struct analysis_card {
    const char *name;               /* ".power" */
    const struct setting *settings; /* words without a value: their name; bare numbers: a value as well */
    size_t setting_count;
    struct kn_location where;
};

/* .ac */
struct frequency_sweep {
    enum frequency_scale scale;
    double points;      /* per decade or octave, or in all */
    double start, stop; /* Hz */
    bool ends_at_stop;  /* octaves: behind the others stands the last frequency, where they do not meet it */
    const double *list; /* Hz, FREQUENCY_LIST: `points` of them */
    const struct analysis_card *outer; /* `sweep` and what follows; NULL: no such word */
    struct kn_location where;
};

/* .noise: the frequencies are greater than 0 and rise. */
struct noise_request {
    struct request output; /* first; a voltage, or the current of a voltage source */
    int source;            /* element number of a voltage or current source */
    struct frequency_sweep sweep;
    size_t summary; /* contributions of all devices, at every so many frequencies; 0: none */
};

/* .net: ports at an independent source, from its card's nodes on, and at an output; in place of those with numbers. */
struct port_network {
    int source;            /* element: V or I */
    const char *rser;      /* name of the resistance in front of it; NULL: none */
    bool two;              /* there is an output */
    struct request output; /* a voltage, or the current of the resistor that loads it, which is not of the two-port */
    double input, load;    /* ohm, to which waves refer */
};

/* .sp and .net */
struct port_request {
    struct frequency_sweep sweep;
    bool noise;                         /* also of the ports */
    const struct port_network *network; /* NULL: .sp */
};

/* .disto: the frequencies are greater than 0. */
struct distortion_request {
    struct frequency_sweep sweep;
    double ratio; /* of the second frequency, which stays, to the first of the sweep; 0: a single tone */
};

/* .sens */
struct sensitivity_request {
    struct request output; /* first; a voltage, or the current of a voltage source */
    bool over_frequencies; /* else of the operating point */
    struct frequency_sweep sweep;
    const char **asked; /* [asked_count] "r1:m": values that are results although nobody gives them */
    size_t asked_count;
};

/* .tf */
struct transfer {
    struct request output; /* first; a voltage, or a current */
    int source;            /* element: V or I */
    struct kn_location where;
};

struct transient {
    double step, stop, start, max_step; /* s; max_step 0 when not given */
    double fixed_step;                  /* s, of the integrator; 0: steps follow their errors */
    bool uic;
    const struct analysis_card *outer; /* `sweep` and what follows; NULL: no such word */
    struct kn_location where;
};

enum measure_kind {
    MEASURE_DELAY,      /* from trigger to target */
    MEASURE_WHEN,       /* point of the target */
    MEASURE_FIND,       /* signal at the target */
    MEASURE_DERIVATIVE, /* of the signal with respect to the scale, at the target */
    MEASURE_AVERAGE,
    MEASURE_RMS,
    MEASURE_INTEGRAL,
    MEASURE_MINIMUM,
    MEASURE_MAXIMUM,
    MEASURE_PEAK_TO_PEAK,
    MEASURE_MINIMUM_AT, /* point of the scale */
    MEASURE_MAXIMUM_AT,
    MEASURE_ERROR_SQUARE,    /* root of the mean of ((signal - other)/max(|signal|, minval))^2; ERR, ERR1 */
    MEASURE_ERROR_ABSOLUTE,  /* mean of |signal - other|/max(|signal|, minval); ERR2 */
    MEASURE_ERROR_LOGARITHM, /* mean of |log(|signal/other|)|/|log(|signal|)|, both at least minval; ERR3 */
    MEASURE_DISTANCE,        /* of the signal from the points of a file, in a norm */
    MEASURE_DUTY,      /* part of the window in which the signal is on: above `on`, and not yet below `off` again */
    MEASURE_FREQUENCY, /* one over the mean distance of the points where it goes on */
    MEASURE_ON,        /* mean length of the parts in which it is on, and of the others */
    MEASURE_OFF,
    MEASURE_DISTORTION, /* of a spectrum, as are the following ones */
    MEASURE_NOISE_RATIO,
    MEASURE_NOISE_AND_DISTORTION_RATIO,
    MEASURE_BITS,
    MEASURE_SPURIOUS_RANGE,
    MEASURE_NOTHING, /* a card that could not be read: its result fails */
    MEASURE_FORMULA  /* of other results: the branch currents of its signal are numbers of measurements before it */
};

/* Of which results: the scale is the time, the frequency, what .dc sweeps, the frequency, the frequency. */
enum measure_domain {
    MEASURE_OF_TRANSIENT,
    MEASURE_OF_AC,
    MEASURE_OF_DC,
    MEASURE_OF_NOISE,
    MEASURE_OF_SPECTRUM, /* .four and .fft */
    MEASURE_OF_POINT,    /* .op: signals there, all of them formulas */
    MEASURE_OF_VECTORS,  /* of a table by the names of its columns, which whoever adds the card has (deck_with_cards) */
    MEASURE_DOMAINS
};

/* Sum of the sizes, root of the sum of the squares, largest size. */
enum measure_norm { NORM_SQUARES, NORM_SUM, NORM_LARGEST };

enum crossing { CROSSING_ANY, CROSSING_RISE, CROSSING_FALL };

/* A number that is known when the deck is read, or a formula of results before it. */
struct measure_number {
    double value;
    const struct expression *formula; /* NULL: none */
};

/* A point of the scale: given, or where a signal crosses a level for the n-th time. */
struct measure_event {
    bool is_point;
    struct measure_number point;
    const struct expression *signal, *level;
    enum crossing crossing;
    long count;                  /* 1 ..; 0: the last one */
    struct measure_number delay; /* crossings before it do not count */
};

/* A .measure card. */
struct measure {
    const char *name;
    enum measure_kind kind;
    enum measure_domain domain;
    const struct expression *signal, *other; /* NULL: a matter of points only; of errors only */
    struct measure_event trigger, target;    /* of what is no event: the window, where they are there */
    struct measure_number from, to;          /* the window, which may be INFINITE */
    bool depends;                            /* on results before it: known only when these are */
    bool runs;                               /* one rise or fall of the signal is the window .. */
    enum crossing run;
    long run_count;       /* .. of this number; 0: the last one */
    double on, off;       /* levels */
    double minval;        /* of errors */
    const double *points; /* [2 point_count] of a distance: scale, rising, and value */
    size_t point_count;
    enum measure_norm norm;
    double least, most;         /* |signal| of the points where an error counts */
    bool has_default, has_goal; /* result where nothing is found; what the result ought to be */
    double otherwise, goal, weight;
    double lowest, highest; /* bounds of a result that is good */
    double fundamental;     /* Hz, of a spectrum; 0: its own */
    long harmonics;         /* that count; 0: all */
    struct kn_location where;
};

/* A file that the deck includes. */
struct included_file {
    const char *path;
    const struct included_file *next;
};

struct circuit {
    struct arena *arena;
    struct arena *names; /* what it shares with the deck it was made from; NULL where it was made by hand */
    const struct catalogue *catalogue;
    enum dialect dialect; /* of the deck */
    const char *file;
    const struct included_file *included; /* libraries too; the last one first */
    const char *title;
#define LIST(type, items, count)                                                                                       \
    type const *items;                                                                                                 \
    size_t count;
#include "netlist/circuit_lists.def"
#undef LIST
    const struct element *elements;
    size_t element_count;
    bool is_whole; /* all elements and models could be read, also where other cards could not */
    const struct model *models;
    size_t model_count;
    const struct setting *options; /* .options, in order of appearance */
    size_t option_count;
    const struct setting *command_values; /* .csparam: numbers that .control knows as vectors */
    size_t command_value_count;
    double temperature;            /* degrees Celsius, .temp or .options temp; 27 by default */
    double nominal_temperature;    /* .options tnom; 27 by default */
    bool has_operating_point;      /* .op */
    const double *operating_times; /* s, rising: .op also asks for the points that transients have there */
    size_t operating_time_count;
    double startup; /* s, in which the sources of transients rise from 0 (.tran .. startup); 0: they do not */
    const char *const *random; /* what random functions were asked for: "r1", "x1.w" */
    size_t random_count;
    /* For circuit_find_..; NULL in a circuit made by hand, which is then searched. */
    struct name_table *node_table;    /* name -> int, node number; ground is not in it */
    struct name_table *element_table; /* name -> struct element */
};

/* Whether a vector belongs to the results of such analyses. */
static inline bool request_is_in(const struct request *r, enum request_domain domain)
{
    return (r->domain & domain) != 0;
}

void circuit_free(struct circuit *c);

/* Number of the node / element of this name (instance path included), or -1. */
int circuit_find_node(const struct circuit *c, const char *name);
int circuit_find_element(const struct circuit *c, const char *name);
/* The same, also where the name goes on with a terminal: q1:b. */
int circuit_find_terminal(const struct circuit *c, const char *name);

/* An expression of the circuit as text, nodes and elements by their names in it; in the arena, NULL without memory. */
char *circuit_formula(struct arena *arena, const struct circuit *c, const struct expression *e);

static inline double element_multiplicity(const struct element *e)
{
    return e->multiplicity > 0 ? e->multiplicity : 1;
}

/* The last setting of this name, or NULL. */
const struct setting *setting_find(const struct setting *settings, size_t count, const char *name);

/* Value of an R, C or L that says none, from its model; NULL where it says one, where a geometry determines it, which goes
 * before (devices/linear/passive.c), and where there is none. */
const double *element_model_value(const struct element *e);

/* A V or I whose value never changes. */
bool element_is_constant_source(const struct element *e);

/* Where the longest .tran ends (s); 0: there is none. */
double circuit_longest_run(const struct circuit *c);
/* Whether periodic steady states are asked for, .pss or .hb; whether waveforms are: these or .tran. */
bool circuit_is_periodic(const struct circuit *c);
bool circuit_runs_in_time(const struct circuit *c);

/* The last .options entry of this name, or NULL. */
const struct setting *circuit_option(const struct circuit *c, const char *name);

#endif
