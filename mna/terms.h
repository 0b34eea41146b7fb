/* terms.h - the constant parts of G and C as their terms, each as its element gives it, before they are added up.
 *
 * Sums forget: 1e12 S beside 1e-12 S at a node leave 1e12 S, and a node that hangs on the small one seems to float.
 */
#ifndef MNA_TERMS_H
#define MNA_TERMS_H

#include "base/arena.h"
#include "mna/mna.h"

struct mna_terms {
    int n;
    size_t count;
    int *row, *column; /* [count] from 0 */
    double *G, *C;     /* [count] */
    bool *is_current;  /* [n] the unknown is a current */
};

/* Memory of the arena.  All there is of a linear circuit. */
enum kn_status mna_terms_find(const struct mna *m, struct arena *memory, struct mna_terms *out);

#endif
