/* explain.h - `knoten explain`: the equations of a circuit, written for people who learn what they are.
 *
 * The text is composed once (explain.c) and written in one of four formats (explain_text.c, explain_latex.c,
 * explain_html.c, explain_json.c).
 */
#ifndef ANALYSES_EXPLAIN_EXPLAIN_H
#define ANALYSES_EXPLAIN_EXPLAIN_H

#include "netlist/circuit.h"

#include <stdio.h>

enum explain_format { EXPLAIN_TEXT, EXPLAIN_LATEX, EXPLAIN_HTML, EXPLAIN_JSON };

/* Writes to `to`.  A singular circuit gets its symbolic equations, too; what is wrong with it goes to d and
 * KN_ERROR_CIRCUIT is returned.  KN_ERROR_CONVERGENCE: everything but the numbers at the operating point was written.
 */
enum kn_status explain_circuit(const struct circuit *c, enum explain_format format, FILE *to, struct kn_diagnostics *d);

#endif
