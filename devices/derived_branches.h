/* derived_branches.h - what a family consists of, found from its derivatives where its class has no `branches`.
 *
 * For families made by a compiler or loaded at run time.  Each element is set up alone, with a node of its own for every
 * terminal, and evaluated at a few points: which entries of G = df/dx and C = dq/dx are not zero there tells what
 * depends on what.
 *     Two nodes whose rows both depend on both: R (C for charges), controlled by the others that both depend on.
 *     Rows that depend on other unknowns only: I, controlled by these, between nodes that depend on the same.
 *     A current of its own: V, or L where its row stores flux, controlled by what else the row depends on.
 * Of elements that are controlled by other elements nothing is known so; their families must say it themselves.
 */
#ifndef DEVICES_DERIVED_BRANCHES_H
#define DEVICES_DERIVED_BRANCHES_H

#include "devices/setup.h"

/* Adds the branches of all elements of a family; `s` has the unknowns of the circuit. */
enum kn_status derived_branches(const struct device_family *family, const struct device_setup *s,
                                struct branch_list *out);

#endif
