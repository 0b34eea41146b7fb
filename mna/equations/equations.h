/* equations.h - the equations of a circuit in symbols: rows as lists of terms with the names of the deck, no printing.
 *
 * Modified nodal analysis (Ho, Ruehli and Brennan, IEEE Trans. CAS-22, 1975): a current balance for each node, currents
 * leaving it counted positive, and an equation for each branch that has a current of its own.  The reduced system takes
 * the voltages that independent sources impose for known, as one does by hand (Deuflhard and Bornemann, Numerische
 * Mathematik 2, 2008, section 1.4): nodes that such sources join share one balance, and the sources' currents follow
 * from those of the other branches.
 *
 * Both are systems of the same kind.  In the first every voltage stands for itself, in the second for another one plus
 * source voltages (struct potential).
 */
#ifndef MNA_EQUATIONS_EQUATIONS_H
#define MNA_EQUATIONS_EQUATIONS_H

#include "mna/mna.h"
#include "mna/topology/topology.h"

/* ---- terms ---- */

enum quantity_kind {
    QUANTITY_VOLTAGE,     /* v(a) - v(b) */
    QUANTITY_CURRENT,     /* i(v1), an unknown */
    QUANTITY_SOURCE,      /* V1(t), I1(t) of independent sources */
    QUANTITY_CONDUCTANCE, /* G (v(a) - v(b)) */
    QUANTITY_CAPACITANCE, /* C (v(a) - v(b)) */
    QUANTITY_INDUCTANCE,  /* L i */
    QUANTITY_MUTUAL,      /* M i(other) */
    QUANTITY_GAIN,        /* gain (v(a) - v(b)) or gain i of a linear controlled source */
    QUANTITY_IMPEDANCE,   /* z0 i of a line's port */
    QUANTITY_WAVE,        /* the wave that arrives at a line's port */
    QUANTITY_LAW,         /* a device's current, charge, or POLY voltage as a function of differences */
    QUANTITY_FORMULA,     /* the deck's own text */
    QUANTITY_PER_HENRY    /* (v(a) - v(b)) / L */
};

enum law_letter { LAW_LETTER_CURRENT = 'i', LAW_LETTER_CHARGE = 'q', LAW_LETTER_VOLTAGE = 'v' };

/* What one branch contributes, without its sign in a row. */
struct quantity {
    enum quantity_kind kind;
    bool rate;                           /* stands under d/dt */
    char letter;                         /* QUANTITY_LAW: enum law_letter */
    const struct branch *branch;         /* or NULL */
    const struct element *element;       /* names the quantity */
    const struct element *partner;       /* QUANTITY_MUTUAL: the other inductor */
    const char *part;                    /* short name of a piece of the element, "be"; or NULL */
    const struct branch_control *inputs; /* [input_count] differences of unknowns, 1-based */
    size_t input_count;
    const char *formula;     /* QUANTITY_FORMULA; names are those of the whole circuit */
    bool formula_is_product; /* it can be a factor without parentheses */
};

/* number + sum of signed products number_k * gain_k, the gains being those of linear F and H. */
struct gain_share {
    int number;
    const struct element *gain;
};

struct coefficient {
    int number;
    struct gain_share *gains;
    size_t gain_count;
};

struct equation_term {
    struct coefficient coefficient;
    const struct quantity *quantity;
};

enum equation_kind { EQUATION_NODE, EQUATION_BRANCH, EQUATION_SUM };

/* 0 = sum of terms; in struct source_current the current is that sum. */
struct equation {
    enum equation_kind kind;
    int unknown; /* NODE: of the balance's node; BRANCH: of its current; 1-based */
    struct equation_term *terms;
    size_t count, capacity;
};

/* ---- systems ---- */

/* v(node) = v(base) + sum of signed source voltages. */
struct source_share {
    int sign;
    const struct branch *source; /* independent V that is not always zero */
};

struct potential {
    int base; /* unknown, 0 is ground */
    struct source_share *sources;
    size_t source_count;
};

/* i(source) = sum: the current of a source that has been eliminated. */
struct source_current {
    const struct branch *source;
    struct equation sum;
};

struct equation_system {
    struct potential *potentials; /* [unknown_count + 1]; of currents: themselves */
    struct equation *equations;   /* balances of nodes in the order of unknowns, then branch equations */
    size_t count, node_count;     /* node_count: how many are balances */
    struct source_current *eliminated;
    size_t eliminated_count;
    size_t known_count; /* nodes whose voltage is not an unknown any more */
};

/* A sum of equations that no charge enters: the nodes of one part that capacitors hold together, without ground. */
struct algebraic_sum {
    int *weights; /* [node_count of the system] of the balances */
    struct equation equation;
};

/* What a C-V loop or an L-I cutset imposes; the hidden equation is its derivative with respect to time. */
struct constraint {
    const struct branch_set *set; /* of the topology */
    bool is_loop;
    struct equation visible, hidden;
};

struct equations {
    struct arena *arena;
    const struct topology *topology;
    const struct unknown *unknowns; /* [unknown_count + 1] */
    int unknown_count;
    struct equation_system full, reduced;

    /* Of the reduced system: balances that contain charges, one of each part left out (its sum is algebraic), and what
     * is algebraic.  Branch equations of inductors are differential, others algebraic. */
    bool *is_differential; /* [reduced.count] */
    struct algebraic_sum *sums;
    size_t sum_count;
    int capacitance_rank; /* of A_C C A_C^T, if the capacitances are positive definite */

    struct constraint *constraints;
    size_t constraint_count;
};

/* The topology (and with it the system m) must outlive the result. */
enum kn_status equations_new(const struct mna *m, const struct topology *t, struct equations **out);
void equations_free(struct equations *e);

/* ---- reading them ---- */

/* A difference of two unknowns as the system sees it: signed unknowns and sources. */
struct atom {
    int sign;
    int unknown;                 /* 1-based; 0 when it is a source */
    const struct branch *source; /* or NULL */
};

struct combination {
    struct atom *atoms;
    size_t count;
};

/* plus - minus; what cancels is left out.  false without memory. */
bool equations_difference(const struct equations *e, const struct equation_system *s, struct branch_control input,
                          struct combination *out);

/* Entry of the reduced system's capacitance matrix: d(charge of balance `row`)/d(v of balance `column`). */
struct capacitance_share {
    int number;
    const struct quantity *charge;
    size_t input; /* the derivative is that with respect to this input of the charge */
};

struct capacitance_entry {
    struct capacitance_share *shares;
    size_t count;
};

/* [node_count * node_count], by rows.  NULL without memory. */
struct capacitance_entry *equations_capacitance(const struct equations *e);

#endif
