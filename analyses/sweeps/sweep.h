/* sweep.h - what .dc, .step, .mc and `sweep` on other cards sweep over, and its values: sources, elements, models,
 * parameters, the temperature, tables of them, and the numbers of Monte Carlo runs. */
#ifndef ANALYSES_SWEEPS_SWEEP_H
#define ANALYSES_SWEEPS_SWEEP_H

#include "base/text.h"
#include "netlist/netlist.h"

/* What the values are. */
enum sweep_meaning {
    SWEEP_VALUES,   /* of the target */
    SWEEP_RUNS,     /* numbers of Monte Carlo runs */
    SWEEP_SECTIONS, /* of a library, counted from 1 */
    SWEEP_CORNERS   /* numbers of corners */
};

struct sweep {
    enum sweep_meaning meaning;
    struct override target; /* with one of the values: what counts instead of the deck's */
    bool draws;             /* each value is a new run: a parameter of .step, as in LTspice */
    bool tied;              /* goes along with the one in front of it: a column of the same table */
    int source;             /* element number of an independent source; -1: it is none */
    const char *name;       /* "v1", "temp", "npn2(bf)", in lower case */
    double *values;
    size_t count;
    const char *const *labels; /* [count] for messages, instead of the values; NULL: none */
    signed char *ends;         /* [count][end_count] SWEEP_CORNERS: -1, 0 or 1 for each random value */
    size_t end_count;
    const char *card; /* ".step" */
    struct kn_location where;
};

struct sweeps {
    struct sweep *items;
    size_t count;
};

/* What the reading of a card needs. */
struct sweep_reader {
    const struct circuit *circuit;
    const struct deck *deck; /* of the circuit; NULL: names of parameters are not checked */
    struct kn_diagnostics *diagnostics;
    struct arena *arena; /* where sweeps live */
};

/* The sweeps of a card, the innermost first, behind those that are there.  KN_ERROR_DECK where the card has an error. */
enum kn_status sweeps_read(const struct sweep_reader *r, const struct analysis_card *card, struct sweeps *out);

/* The same of what stands behind the word `sweep` on it; none where there is no such word. */
enum kn_status sweeps_read_outer(const struct sweep_reader *r, const struct analysis_card *card, struct sweeps *out);
/* Those of .mc: numbers of runs. */
enum kn_status sweeps_read_runs(const struct sweep_reader *r, const struct analysis_card *card, struct sweeps *out);

/* Two sweeps of one name would be two columns of one: an error. */
enum kn_status sweeps_check_names(const struct sweep_reader *r, const struct sweeps *s);

/* How many combinations of values there are; those of the first sweep change fastest. */
size_t sweeps_points(const struct sweeps *s);
/* values [s->count] of the i-th of them. */
void sweeps_values(const struct sweeps *s, size_t i, double *values);
/* The overrides for these values behind those `given` (NULL: none); items [given->count + s->count].  chance: of all runs
 * alike, such as the seed; where runs have numbers, or a parameter is stepped, random values are drawn. */
struct overrides sweeps_override(const struct sweeps *s, const double *values, const struct chance *chance,
                                 const struct overrides *given, struct override *items);
/* "v1 = 2, r1 = 1000" */
void sweeps_describe(const struct sweeps *s, const double *values, struct text *out);

#endif
