/* formula_names.h - a formula of the deck with the names that its nodes and elements have in the whole circuit. */
#ifndef MNA_EQUATIONS_FORMULA_NAMES_H
#define MNA_EQUATIONS_FORMULA_NAMES_H

#include "netlist/circuit.h"

/* The text of the element's expression, where V(b,e) inside of a subcircuit has become V(1,3).  Parameters and
 * functions keep their names.  In the arena; NULL without memory. */
const char *formula_with_names(struct arena *arena, const struct circuit *c, const struct element *e);

#endif
