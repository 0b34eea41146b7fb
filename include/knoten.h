/* knoten.h - the public interface of libknoten.
 *
 * A netlist goes in, a transient solution of its differential-algebraic equations comes out, row by row, through a
 * sink that the caller supplies.  The library never prints, never exits and keeps no global state: every object
 * belongs to the caller who made it, and two simulations may run in two threads.
 *
 * Programs keep working with later libraries of the same soname.  Structs that callers fill and that may grow begin with
 * their size, as the caller's compiler knows it: what lies behind it is 0 to the library, and a size of 0 means the
 * members there were in version 0.1.  Structs that the library hands out by pointer may grow at their end; all others
 * (sinks, columns, vectors, summaries) stay as they are.
 */
#ifndef KNOTEN_H
#define KNOTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define KN_API                 __attribute__((visibility("default")))
#define KN_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#define KN_API
#define KN_PRINTF(text, first)
#endif

/* What a call that can fail returns.  The text that goes with it is in the diagnostics object. */
enum kn_status {
    KN_OK = 0,
    KN_ERROR_DECK,        /* the netlist has errors; nothing was simulated */
    KN_ERROR_CIRCUIT,     /* the circuit has no unique solution: V loop, I cutset, no ground, singular matrix */
    KN_ERROR_CONVERGENCE, /* Newton or the step control gave up; the diagnostics say where and why */
    KN_ERROR_MEMORY,
    KN_ERROR_IO,
    KN_ERROR_ARGUMENT, /* the caller broke the contract of the function */
    KN_INTERRUPTED     /* the caller's stop request was seen; rows so far are valid */
};

/* ---- diagnostics: everything the library has to say ---- */

enum kn_severity { KN_NOTE, KN_WARNING, KN_ERROR };

/* A place in the user's text.  file is NULL where there is none; line and column count from 1, 0 means "whole".
 * Columns are characters: of UTF-8 where the text is that, else bytes. */
struct kn_location {
    const char *file;
    int line;
    int column;
    int width; /* characters to underline, at least 1 where column > 0 */
};

struct kn_diagnostic {
    enum kn_severity severity;
    const char *code; /* short and stable, e.g. "unknown-model", "v-loop" */
    struct kn_location where;
    const char *text;        /* one sentence, no final newline */
    const char *hint;        /* what to do next, or NULL */
    const char *source_line; /* the user's line at `where`, or NULL */
};

struct kn_diagnostics;

KN_API struct kn_diagnostics *kn_diagnostics_new(void);
KN_API void kn_diagnostics_free(struct kn_diagnostics *d);
KN_API size_t kn_diagnostics_count(const struct kn_diagnostics *d);
KN_API const struct kn_diagnostic *kn_diagnostics_get(const struct kn_diagnostics *d, size_t index);
KN_API size_t kn_diagnostics_errors(const struct kn_diagnostics *d);
/* Writes one diagnostic in the form  file:line:column: error: text / source line / caret / hint. */
KN_API void kn_diagnostic_write(const struct kn_diagnostic *item, FILE *to, bool colour);

/* ---- sinks: where rows go ---- */

/* A complex vector is two columns of one name: its real part, and behind it, as KN_IMAGINARY, its imaginary part. */
enum kn_quantity {
    KN_TIME,
    KN_VOLTAGE,
    KN_CURRENT,
    KN_OTHER,
    KN_FREQUENCY,
    KN_DECIBEL,
    KN_PHASE, /* degrees */
    KN_IMAGINARY,
    KN_VOLTAGE_DENSITY, /* V/sqrt(Hz) */
    KN_CURRENT_DENSITY, /* A/sqrt(Hz) */
    KN_HARMONIC,        /* number of a harmonic */
    KN_ADMITTANCE,      /* S */
    KN_CAPACITANCE,     /* F */
    KN_POWER,           /* W */
    KN_REGION           /* one of enum kn_region */
};

/* Where a device operates. */
enum kn_region {
    KN_OFF,        /* no channel, no junction forward biased */
    KN_ON,         /* diode: forward */
    KN_BREAKDOWN,  /* diode */
    KN_LINEAR,     /* MOSFET: below vdsat */
    KN_SATURATION, /* MOSFET: above vdsat; bipolar transistor: both junctions forward */
    KN_ACTIVE,     /* bipolar transistor: base-emitter junction forward alone */
    KN_REVERSE     /* bipolar transistor: base-collector junction forward alone */
};

struct kn_column {
    const char *name; /* "time", "v(out)", "i(v1)" */
    enum kn_quantity quantity;
};

struct kn_table {
    const char *title; /* first line of the deck */
    const char *plot;  /* "Transient Analysis", "AC Analysis" */
    const struct kn_column *columns;
    size_t column_count;
    size_t sweeps; /* so many of the first columns are what a sweep gave; 0: rows are points in time, or there is one */
    size_t steps;  /* columns of values that .step gave: the first ones, or behind the one of time or a sweep */
};

/* For each table: begin once, row any number of times, end once (also after a failure: rows so far stay valid). Strings
 * of the table live until end returns. */
struct kn_sink {
    void *context;
    enum kn_status (*begin)(void *context, const struct kn_table *table);
    enum kn_status (*row)(void *context, const double *values);
    enum kn_status (*end)(void *context, enum kn_status outcome);
};

/* Sinks that the library brings: SPICE3 raw files (binary or ASCII) and CSV files; path "-" is standard output.  The
 * file is created when the first table begins.  d must outlive the sink. */
KN_API enum kn_status kn_raw_file(const char *path, bool ascii, struct kn_diagnostics *d, struct kn_sink *out);
KN_API enum kn_status kn_csv_file(const char *path, struct kn_diagnostics *d, struct kn_sink *out);
/* Closes and releases a sink made by the library. */
KN_API void kn_sink_free(struct kn_sink *sink);

/* ---- circuits and runs ---- */

/* "0.1.0" */
KN_API const char *kn_version(void);

struct kn_circuit;

/* Reads a netlist.  Every error is reported; KN_ERROR_DECK if there was one (*out is NULL then), KN_ERROR_IO if the
 * file cannot be read, KN_ERROR_MEMORY.  The name of a text is used in messages and as the base of .include paths. */
KN_API enum kn_status kn_circuit_read_file(const char *path, struct kn_diagnostics *d, struct kn_circuit **out);
KN_API enum kn_status kn_circuit_read_text(const char *name, const char *text, size_t length, struct kn_diagnostics *d,
                                           struct kn_circuit **out);
/* The same where the caller knows whose deck it is: "ngspice", "ltspice", "pspice", "hspice", "xyce", "kicad", or "spice"
 * for none in particular; NULL: what the deck itself tells. */
KN_API enum kn_status kn_circuit_read_file_as(const char *path, const char *dialect, struct kn_diagnostics *d,
                                              struct kn_circuit **out);
KN_API enum kn_status kn_circuit_read_text_as(const char *name, const char *text, size_t length, const char *dialect,
                                              struct kn_diagnostics *d, struct kn_circuit **out);
KN_API void kn_circuit_free(struct kn_circuit *c);

/* What a .measure card gives; NaN where there is nothing. */
struct kn_measurement {
    const char *name;
    double value;           /* in the unit of the signal or the scale; NaN: not found, which a warning explains */
    double at;              /* where the value was found; of WHEN and the like the value itself */
    double from, to;        /* trigger and target of a delay */
    const char *unit;       /* of these three: " s", " Hz", or "" for what .dc sweeps */
    bool found;             /* false with a value: that is DEFAULT_VAL of the card */
    double goal;            /* GOAL of the card; NaN: none */
    double lowest, highest; /* LBOUND and UBOUND of the card: bounds of a result that is good; infinite: none */
    double weight;          /* WEIGHT of the card, else 1 */
};

/* An attempt of a step in a transient. */
struct kn_attempt {
    bool first;         /* of a transient */
    double time, step;  /* s: where it begins, its length */
    const char *method; /* "bdf" */
    int order;
    const char *outcome; /* "accepted", "error too large", "no convergence", .. */
    double error;        /* estimated, in tolerances */
    const char *unknown; /* that decides it, or that Newton's method was last busy with */
    int iterations;      /* of Newton's method */
    const char *limit;   /* what has made the step no longer: "error", "breakpoint", "tmax", "start", .. */
};

/* What the runs of a Monte Carlo sweep gave for one .measure. */
struct kn_statistics {
    const char *name;
    size_t runs, failed;    /* runs with a value, and without one */
    double mean, deviation; /* of those with one; the deviation is that of a sample: divided by runs - 1 */
    double minimum, maximum;
    double minimum_at, maximum_at; /* numbers of these runs */
    bool bounded;                  /* LBOUND or UBOUND stands on the card .. */
    double yield;                  /* .. and this part of all runs is within; those without a value are not */
    double yield_of_all;           /* part of the runs in which all that are bounded are within; NaN: none is */
};

/* Where the results of one run go. */
struct kn_desk {
    void *context;
    bool (*put)(void *context, const char *bytes, size_t size); /* false: they are not wanted any more */
    bool (*stopped)(void *context);                             /* the same, asked now and then */
};

/* Workers elsewhere, to whom the runs of a sweep are given. */
struct kn_crew {
    void *context;
    size_t workers;
    /* Lets a worker (from 0) make a run and puts its results on the desk, pieces as kn_serve has given them, until that does
     * not want them or the run has ended with an outcome.  Called in several threads, for different workers.  False: the
     * worker is gone; its run is given to another, and made in the caller's process where none is left.  key: of deck and
     * options, which must be those of the worker. */
    bool (*perform)(void *context, size_t worker, size_t run, unsigned long long key, const struct kn_desk *desk,
                    enum kn_status *outcome);
};

/* The side of such a worker. */
struct kn_service {
    void *context;
    /* The next run to make; false: there is none any more. */
    bool (*next)(void *context, unsigned long long key, size_t *run);
    struct kn_desk desk;
    void (*done)(void *context, enum kn_status outcome);
};

/* A program that simulates what is around the circuit, at the same time: a controller, a mechanism.  It is asked in the
 * caller's thread; runs of a sweep are then made one after the other, in a thread of their own.  NULL: it does not want to
 * know. */
struct kn_partner {
    size_t size; /* sizeof(struct kn_partner), or 0 */
    void *context;
    /* The value (V, A) of a source whose card says `external` at a time (s), which may be one of a step that is tried
     * only; at operating points 0, unless the source has a dc value.  Where a jump has been told by `breakpoint`, the time
     * just before it asks for the value on its left, the time itself for that on its right.  *rate is NaN: set it to the
     * time derivative where that is known.  False ends the run with KN_INTERRUPTED. */
    bool (*source)(void *context, const char *name, double time, double *value, double *rate);
    /* The first time after `time` (s) where sources jump or bend; INFINITY: none.  Asked before each step. */
    double (*breakpoint)(void *context, double time);
    /* How long a step from `time` may be, at most `step` (s).  Asked before each attempt. */
    double (*shorten)(void *context, double time, double step);
    /* At the end of a step that meets its tolerances, before it counts.  False: it is to be made again, shorter, with *again
     * (s) to begin with; half of it where *again stays as it is. */
    bool (*agrees)(void *context, double time, double step, double *again);
};

/* What a run may do differently from the deck's .options; zero or NULL leaves the deck's. */
struct kn_options {
    size_t size;        /* sizeof(struct kn_options), or 0 */
    const char *method; /* "bdf", "trap", .. */
    double reltol;
    int maxord;
    bool (*interrupted)(void *context); /* asked in every evaluation; true ends the run with KN_INTERRUPTED */
    /* Told now and then: 0..1 of the current analysis; before it -1 while the equations are analysed, and from there towards
     * 0 while their operating point is sought on a way of which so much is done. */
    void (*progress)(void *context, double fraction);
    void *context;
    /* Told the results of .measure after each transient that reached its end, in the order of the deck; NULL: not
     * wanted. */
    void (*measured)(void *context, const struct kn_measurement *m);
    /* Told the values of .step before each analysis of each step, in the order of the cards; NULL: not wanted. */
    void (*stepped)(void *context, const char *const *names, const double *values, size_t count);
    /* Told every attempt of a step; NULL: not wanted. */
    void (*attempted)(void *context, const struct kn_attempt *attempt);
    /* Gets each transient as a table of its own, with rows at tstart and every tstep after it, read from the method's
     * interpolant, and at the last time; where that were more than a million, the rows of the result, with a warning.
     * NULL: not wanted.  Begun after and ended before the table of the result. */
    const struct kn_sink *even;
    /* Gets the quantities of the devices, "@q1[gm]", behind each operating point as a table of its own of one row; NULL:
     * not wanted. Not of decks with .step. */
    const struct kn_sink *devices;
    /* Gets the node voltages of each .savebias as a table of one row, whose plot is the name of the file and whose columns
     * are names of nodes; NULL: not wanted. Not of decks with .step. */
    const struct kn_sink *bias;
    /* Threads: runs of .step, .mc and other sweeps that are made at a time, or those that share the devices of one run of a
     * large circuit; 0: as many as there are processors.  Results do not depend on it, and sinks and functions above are
     * called in the caller's thread only. */
    int jobs;
    /* Seed of random values; NULL: .options seed, or 1. */
    const unsigned long long *seed;
    /* NULL: threads of this process (jobs). */
    const struct kn_crew *crew;
    /* A file that keeps the results of runs that have ended, in a form of its own, until the sweep has; NULL: none.  With
     * `resume` those of an earlier one that was cut off, of the same deck with the same options, are not made again. */
    const char *journal;
    bool resume;
    /* Told after the last run of a Monte Carlo sweep, once for each .measure; NULL: not wanted. */
    void (*summarised)(void *context, const struct kn_statistics *s);
    /* s: all steps of transients are that long, those that land on breakpoints shorter; 0: the deck's, or as long as
     * their errors allow. */
    double step;
    /* Who gives values to sources that are `external`, and goes along with the steps of transients; NULL: nobody. */
    const struct kn_partner *partner;
};

/* Sums over the analyses of a run. */
struct kn_summary {
    int analyses;
    int unknowns;
    long rows;
    long steps_accepted, steps_rejected;
    long newton_iterations;
    long factorizations; /* refactorisations included */
    double seconds;
    const char *method; /* of the last transient analysis; NULL if there was none */
    char choice[160];   /* what an automatic method chose and why; empty for the others */
};

/* Does what the deck asks for (.op, .dc, .ac, .tf, .pz, .noise, .sp, then each .tran; an operating point with a warning if it asks for
 * nothing) and
 * sends each analysis to the sink as one table.  options and summary may be NULL.  Stops at the first analysis that
 * fails; the table it was writing is ended properly. */
KN_API enum kn_status kn_run(const struct kn_circuit *c, const struct kn_options *options, struct kn_diagnostics *d,
                             struct kn_sink *sink, struct kn_summary *summary);

/* The same with an analysis that need not be in the deck, as its card says behind the dot: "tran 1u 1m", "ac dec 10 1 1meg";
 * those of the deck are left out. */
KN_API enum kn_status kn_analyse(const struct kn_circuit *c, const char *card, const struct kn_options *options,
                                 struct kn_diagnostics *d, struct kn_sink *sink, struct kn_summary *summary);

/* ---- values ---- */

/* From now on a circuit has another value; what follows from it does, too.  Where that cannot be, the reason is in d and
 * the circuit as it was.  No run of it may be under way.
 *   a parameter: "w", of an instance "x1.w"; a setting of .options, or "temp" in degrees Celsius;
 *   the value of an element (setting NULL; of a source its dc value), or one of its settings: "x1.r5", "m1" and "w";
 *   setting "external" of a source, 1: its values come from outside;  a parameter of a model. */
KN_API enum kn_status kn_circuit_set_parameter(struct kn_circuit *c, const char *name, double value,
                                               struct kn_diagnostics *d);
KN_API enum kn_status kn_circuit_set_option(struct kn_circuit *c, const char *name, double value,
                                            struct kn_diagnostics *d);
KN_API enum kn_status kn_circuit_alter(struct kn_circuit *c, const char *element, const char *setting, double value,
                                       struct kn_diagnostics *d);
KN_API enum kn_status kn_circuit_alter_model(struct kn_circuit *c, const char *model, const char *setting, double value,
                                             struct kn_diagnostics *d);
/* Back to the values of the deck. */
KN_API enum kn_status kn_circuit_reset(struct kn_circuit *c, struct kn_diagnostics *d);
/* A parameter, or a formula of parameters, with the values as they are now. */
KN_API enum kn_status kn_circuit_parameter(const struct kn_circuit *c, const char *formula, double *value,
                                           struct kn_diagnostics *d);
/* Of an element, as kn_circuit_alter takes them. */
KN_API enum kn_status kn_circuit_value(const struct kn_circuit *c, const char *element, const char *setting,
                                       double *value, struct kn_diagnostics *d);

/* ---- results in memory ---- */

/* Tables as vectors.  Everything belongs to it. */
struct kn_results;
KN_API struct kn_results *kn_results_new(void);
KN_API void kn_results_free(struct kn_results *r);
/* For kn_run and its like; tables are added to those that are there.  r must outlive it. */
KN_API struct kn_sink kn_results_sink(struct kn_results *r);
KN_API size_t kn_results_count(const struct kn_results *r);

struct kn_results_table {
    const char *title, *plot; /* as in kn_table */
    size_t vectors, rows;
    size_t sweeps, steps; /* as in kn_table */
};

struct kn_vector {
    const char *name;
    enum kn_quantity quantity;
    size_t length;
    const double *real, *imaginary; /* [length]; imaginary NULL: it is real */
};

/* False where there is none; names regardless of case.  Pointers hold until a run goes on with the sink. */
KN_API bool kn_results_table(const struct kn_results *r, size_t table, struct kn_results_table *out);
KN_API bool kn_results_vector(const struct kn_results *r, size_t table, size_t number, struct kn_vector *out);
KN_API bool kn_results_find(const struct kn_results *r, size_t table, const char *name, struct kn_vector *out);

/* ---- the index of the equations ---- */

struct kn_set {
    const char *const *names; /* [count] */
    size_t count;
};

struct kn_sets {
    const struct kn_set *sets; /* [count] */
    size_t count;
};

/* What `knoten check` tells. */
struct kn_index {
    int index;                  /* -1: none, the circuit has no unique solution */
    int topological, numerical; /* by the graph, by the matrices; -1: not decided */
    int degrees_of_freedom;     /* -1: none */
    int unknowns;
    bool singular;
    struct kn_sets cv_loops, li_cutsets; /* of elements, which make the index 2 */
    struct kn_sets v_loops, i_cutsets;   /* which contradict each other */
    struct kn_set dependent;             /* unknowns that depend on derivatives of the data */
    struct kn_set hidden;                /* hidden equations, in symbols */
    struct kn_set floating;              /* nodes without path to ground */
};

/* A circuit without unique solution is an ordinary result: defects are errors in d. */
KN_API enum kn_status kn_index_new(const struct kn_circuit *c, struct kn_diagnostics *d, const struct kn_index **out);
KN_API void kn_index_free(const struct kn_index *i);
/* The whole report in words, or as one JSON object. */
KN_API void kn_index_write(const struct kn_index *i, bool json, FILE *to);

/* ---- methods compared ---- */

/* What one integration method makes of the first .tran at one tolerance. */
struct kn_compared {
    const char *method;
    double reltol;
    enum kn_status status;
    double error;      /* largest, against a reference by another method, relative to the range of the waveform */
    const char *worst; /* that waveform; NULL: the run failed */
    long steps, newton_iterations, factorizations;
    double seconds;
};

/* methods: names with commas between them, NULL: all.  Each is run at every decade of reltol from loosest to tightest, and
 * told when it is done. */
KN_API enum kn_status kn_compare(const struct kn_circuit *c, const char *methods, double loosest, double tightest,
                                 struct kn_diagnostics *d, void *context,
                                 void (*told)(void *context, const struct kn_compared *point));

/* ---- transients that wait ---- */

/* A transient under way: it goes on as far as it is told, its values can be read, and sources be given others. */
struct kn_transient;

/* Begins one and goes to its first point: of the card, "tran 1u 1m", or (NULL) of the first .tran of the deck.  The circuit,
 * d, what options point to and the sink (NULL: rows are not wanted) must outlive it.  *out is to be handed to
 * kn_transient_end in any case. */
KN_API enum kn_status kn_transient_begin(const struct kn_circuit *c, const char *card, const struct kn_options *options,
                                         struct kn_diagnostics *d, struct kn_sink *sink, struct kn_transient **out);
/* On to a time (s), at which a step ends exactly; beyond tstop: to that. */
KN_API enum kn_status kn_transient_advance(struct kn_transient *t, double time);
/* On by one step, as long as the method finds it. */
KN_API enum kn_status kn_transient_step(struct kn_transient *t);
/* Where it is, and tstop (s). */
KN_API double kn_transient_time(const struct kn_transient *t);
KN_API double kn_transient_stop(const struct kn_transient *t);
/* The value there of whatever .save could name: "v(out)", "v(a,b)", "i(r1)", "@m1[gm]", "v(a)*i(v1)".  A name is looked up
 * when it is read for the first time.  KN_ERROR_ARGUMENT, with a message: there is no such vector. */
KN_API enum kn_status kn_transient_read(struct kn_transient *t, const char *vector, double *value);
/* A source whose card says `external` has another value (V, A) from here on.  At first it is that of its dc, or what
 * kn_partner gives, which this takes the place of. */
KN_API enum kn_status kn_transient_set(struct kn_transient *t, const char *source, double value);
/* What kn_partner gives to sources jumps or bends at a later time (s). */
KN_API enum kn_status kn_transient_breakpoint(struct kn_transient *t, double time);
/* Ends and frees it (NULL is allowed); measurements are told where it has come to tstop, else the result is
 * KN_INTERRUPTED, or what went wrong before.  summary may be NULL. */
KN_API enum kn_status kn_transient_end(struct kn_transient *t, struct kn_summary *summary);

/* ---- sweeps elsewhere ---- */

/* Makes runs of the deck's sweeps for a kn_run elsewhere, which has the same deck and options, until there is none. */
KN_API enum kn_status kn_serve(const struct kn_circuit *c, const struct kn_options *options, struct kn_diagnostics *d,
                               const struct kn_service *service);

#ifdef __cplusplus
}
#endif
#endif
