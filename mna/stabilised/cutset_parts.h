/* cutset_parts.h - the inside of struct cutset_equations, shared by what finds the sums and what evaluates them. */
#ifndef MNA_STABILISED_CUTSET_PARTS_H
#define MNA_STABILISED_CUTSET_PARTS_H

#include "base/arena.h"
#include "devices/setup.h"
#include "mna/mna.h"

/* In equation `equation` stands `factor` times equation `other` beside its own. */
struct term {
    int equation, other;
    double factor;
};

/* The same for entries of G. */
struct addition {
    int from, to; /* places in the inner pattern and in this one */
    double factor;
};

/* What leaves a part is `factor` times an unknown in the sum `equation`: the current of a coil or of a voltage source, or with
 * a conductance (S) a voltage at one end of a resistance. */
struct cut_current {
    int equation, unknown, place; /* place in the pattern */
    double factor;
};

/* An equation that is the sum of a part depends on this unknown: what flows inside does not count. */
struct reach {
    int equation, unknown;
};

/* In the pattern. */
struct places {
    int *at; /* [count] */
    size_t count;
};

struct cutset_equations {
    const struct dae *inner; /* first: dae_forward */
    struct dae dae;
    struct arena *memory;
    struct sparse_pattern *pattern;
    struct term *terms; /* [term_count] by `other`; what stands there is nowhere `equation` */
    size_t term_count;
    int *first;     /* [n + 1] terms with the other one i begin at first[i] */
    bool *replaced; /* [n] equations that are sums */
    int *uncharged; /* [uncharged_count] the same as a list */
    size_t uncharged_count;
    bool *is_node;              /* [n] equations of nodes */
    int *place;                 /* [inner entries] in the pattern */
    struct addition *additions; /* [addition_count], by places */
    size_t addition_count;
    struct reach *reaches; /* [reach_count], sorted */
    size_t reach_count, reach_capacity;
    bool *is_cut;                 /* [n] equations that are sums of such currents */
    size_t coil_currents;         /* .. of coils alone: these come first */
    struct cut_current *currents; /* [current_count] */
    size_t current_count;
    struct places added, of_sums,
        of_currents; /* not in the inner pattern; in equations that are sums; in those of currents */
    double *G, *C;   /* [inner entries + 1] */
    double *sizes;   /* [n] used up */
};

/* cutset_search.c: finds terms, reaches and currents where the circuit stands. */
enum kn_status cutset_search(struct cutset_equations *s, const struct mna *m, double time, const double *x);
/* cutset_balances.c: where nothing but resistances and branches with a current of their own leaves a part, adds these currents to
 * s->currents.  bearer [n + 1]: by part the node, from 1, whose equation is its sum. */
enum kn_status cutset_balances(struct cutset_equations *s, const struct branch_list *list, int *charged,
                               const int *bearer);
/* Whether entry (row, column) of the circuit's equations counts in the sum `equation`. */
bool cutset_counts(const struct cutset_equations *s, int equation, int column);

#endif
