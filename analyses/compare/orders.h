/* orders.h - the order that methods have on a circuit, by halving a fixed step, in unknowns of each index.
 *
 * Every method runs the deck's first .tran with 10, 20, .. 1280 equal steps.  Errors are taken at the times that all runs
 * have in common, those of the longest step, in the second half of the run, where what a start has left is gone (BDF
 * needs some steps for the unknowns of index 3: Brenan, Campbell and Petzold, Numerical Solution of Initial-Value
 * Problems in DAEs, 1996, 3.2).  They are relative to the largest value there.
 *
 * The reference is Radau IIA of order 13, also with equal steps: for each index those two of some runs of it agree best
 * whose difference is a bound below which errors cannot be told (rounding, divided by the step or by its square in
 * unknowns of index 2 and 3, makes very short steps the worse ones).  The observed order is that of the two shortest
 * steps whose errors are well above it.
 */
#ifndef ANALYSES_COMPARE_ORDERS_H
#define ANALYSES_COMPARE_ORDERS_H

#include "analyses/options.h"

enum orders_kind { ORDERS_DIFFERENTIAL, ORDERS_INDEX1, ORDERS_INDEX2, ORDERS_INDEX3, ORDERS_KINDS };
enum { ORDERS_LEVELS = 8, ORDERS_REFERENCES = 5 };

/* A method at one order. */
struct orders_method {
    const char *method; /* "bdf" */
    int max_order;      /* 0: the method has only one */
    const char *label;  /* "bdf3" */
    /* What theory says, by kind; 0: no convergence, NaN: nothing is known.  Where unknowns of index 2 take an order from
     * all others `reduced` says which is left to these, else 0. */
    double expected[ORDERS_KINDS], reduced;
};
/* NULL-terminated labels. */
extern const struct orders_method orders_methods[];

struct orders;

struct orders_request {
    const struct integrator_class *const *methods; /* all orders of these */
    size_t method_count;
    long steps;                                       /* of the coarsest run */
    double limit;                                     /* s, for one run; longer ones are given up */
    void (*progress)(void *context, double fraction); /* NULL: not wanted */
    /* Told after each method, the last of out->results; NULL: not wanted. */
    void (*done)(void *context, const struct orders *out);
};

struct orders_curve {
    double errors[ORDERS_LEVELS]; /* NaN: none, the run has failed */
    double order;                 /* NaN: cannot be told */
    int level;                    /* of the shorter of the two steps; -1: none */
};

struct orders_result {
    const struct orders_method *method;
    char reason[160]; /* why its last run failed; "": it did not */
    struct orders_curve curves[ORDERS_KINDS];
};

struct orders {
    size_t n;
    char **names;                 /* [n] unknowns */
    int *kinds;                   /* [n] enum orders_kind; -1: index above 3, or it does not move */
    size_t members[ORDERS_KINDS]; /* how many unknowns are of that kind */
    long steps[ORDERS_LEVELS];
    size_t times;                         /* common to all runs */
    double *reference[ORDERS_REFERENCES]; /* [times][n] */
    long reference_steps[ORDERS_REFERENCES];
    int judge[ORDERS_KINDS];    /* which of them judges; -1: none */
    double limit[ORDERS_KINDS]; /* relative errors below cannot be told */
    double *scale;              /* [n] */
    bool has_index2;
    struct orders_result *results;
    size_t count;
};

/* o: from the deck's options; method, reltol and steps are replaced.  A run that fails is a result; what is returned as an
 * error is that there is nothing to compare with.  KN_INTERRUPTED: the results so far are valid.  *out is to be freed in
 * any case. */
enum kn_status orders_run(const struct circuit *c, const struct analysis_options *o,
                          const struct orders_request *request, struct kn_diagnostics *d, struct orders *out);
void orders_free(struct orders *o);

/* Whether a method has rows in the table. */
bool orders_knows(const struct integrator_class *method);
/* That theory expects of it on this circuit. */
double orders_expected(const struct orders *o, const struct orders_method *m, enum orders_kind kind);

#endif
