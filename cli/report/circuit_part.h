/* circuit_part.h - what is known of a circuit before it is run, for a page: its graph, its index, its equations and its
 * eigenvalues.
 */
#ifndef CLI_REPORT_CIRCUIT_PART_H
#define CLI_REPORT_CIRCUIT_PART_H

#include "analyses/check/check.h"

/* With Graphviz where it is there; says what is missing otherwise. */
void circuit_write_graph(const struct index_report *r, FILE *to);
void circuit_write_index(const struct index_report *r, FILE *to);
/* KN_ERROR_MEMORY, or KN_OK. */
enum kn_status circuit_write_equations(const struct index_report *r, FILE *to);
void circuit_write_eigenvalues(const struct index_report *r, FILE *to);

#endif
