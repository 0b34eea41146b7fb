/* formula.h - ngspice's formulas of vectors: v(a)-v(b), vdb(out), mean(tran1.i(v1)), x[2], (a gt 1) & b.
 *
 * From the loosest to the tightest: a ? b : c; or |; and &; not !; comparisons eq ne gt lt ge le and their signs; + -;
 * * / %; sign; ^ to the right; [index].  (a,b) is the complex number a + jb.  A number goes with vectors of any length.
 * Quotes hold the name of a vector or a formula.  Functions have one argument; max, min and those of `define` more.
 */
#ifndef CONTROL_VECTORS_FORMULA_H
#define CONTROL_VECTORS_FORMULA_H

#include "control/vectors/definitions.h"
#include "control/vectors/functions.h"
#include "netlist/circuit.h"

struct formula {
    struct arena *arena; /* of the values */
    const struct plots *plots;
    const struct circuit
        *circuit; /* whose nodes may stand in v( ), where nothing is known yet (dry); else NULL will do */
    struct vector_settings set;
    const struct definition *definitions;
    bool (*device_value)(void *context, const struct plot *p, const char *name,
                         struct values *out); /* of @r1[w]; or NULL.  p NULL: it will be asked for */
    void *context;
    struct vector_draws *draws; /* of random functions */
    bool dry;                   /* nothing is known yet but the circuit: grammar, functions and nodes are looked at */
    const char *at;             /* what is still to be read */
    struct bound {
        const struct definition *of;
        const struct values *values; /* [of->count] of its arguments */
    } bound;                         /* where its body is read */
    int depth;
    bool failed;
    char why[600], hint[160]; /* hint "": none */
};

/* The next of the formulas of a line, which stand one behind the other; its text is begin .. f->at.  False where it is none:
 * then why says it. */
bool formula_next(struct formula *f, struct values *out, const char **begin);
bool formula_is_at_end(const struct formula *f);
/* The only one of the text. */
bool formula_whole(struct formula *f, const char *text, struct values *out);

#endif
