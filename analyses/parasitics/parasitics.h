/* parasitics.h - `knoten parasitics`: which capacitors and inductors may be left out of a circuit, and what that does. */
#ifndef ANALYSES_PARASITICS_PARASITICS_H
#define ANALYSES_PARASITICS_PARASITICS_H

#include "analyses/options.h"
#include "mna/quasistatic/fast.h"

/* A choice of parasitics together. */
struct leaving {
    size_t count; /* of the parasitics */
    enum fast_verdict verdict;
    bool unsolvable;         /* without them there is no unique solution */
    const char *why, *hint;  /* of another verdict than `attractive`; else NULL */
    const char *point;       /* "at the operating point"; NULL where there are no numbers */
    struct fast_mode *modes; /* slowest first */
    size_t mode_count, without;
    double contraction; /* see fast.h */
    struct fast_dissipation dissipation;
    int index;           /* of the circuit without them; -1: not known */
    double slowest;      /* s: in which the slowest fast mode falls to 1/e; 0: there is none */
    double fastest_slow; /* s: 1/|fastest pole| of the circuit without them; NAN: not known; INFINITY: no poles */
};

struct node_error {
    const char *name, *unit;
    double most, when, size; /* largest |error| to the first order outside layers, s, largest value */
};

struct parasitics_report {
    struct arena *arena;
    const struct circuit *circuit;
    struct parasitics parasitics;
    double *resistance, *own; /* [parasitics] see fast.h, where all may go; NAN */
    bool *may_go;             /* [parasitics] with the others that may */
    const char **why_not;     /* [parasitics] NULL: it may */
    size_t tried;             /* choices that were looked at */
    bool cut_short;           /* not all were: those left stay */
    int index;                /* of the circuit as it is; -1: not known */
    struct leaving all;
    struct leaving some; /* those that may go; all of them: the same */

    bool has_run;              /* a transient without them was made .. */
    const char *no_run;        /* .. or why not, a sentence */
    struct node_error *errors; /* unknowns, largest error beside the tolerance first */
    size_t error_count;
    double *jump; /* [parasitics] largest jump that a layer covers, V or A */
    long steps, outside, layers;
    double run_slowest, run_slowest_at; /* s */
};

enum kn_status parasitics_report_of(const struct circuit *c, const struct analysis_options *o, struct kn_diagnostics *d,
                                    struct parasitics_report **out);
void parasitics_report_free(struct parasitics_report *r);

/* parasitics_text.c, parasitics_json.c */
void parasitics_write_text(const struct parasitics_report *r, FILE *to);
void parasitics_write_json(const struct parasitics_report *r, FILE *to);

#endif
