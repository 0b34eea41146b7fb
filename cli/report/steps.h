/* steps.h - the steps of transients for a page: how long, of which order and method, with which error, and what kept each
 * from being longer.
 */
#ifndef CLI_REPORT_STEPS_H
#define CLI_REPORT_STEPS_H

#include "base/json.h"
#include "knoten.h"
#include "netlist/circuit.h"

#include <stdio.h>

struct steps;

struct steps *steps_new(const struct circuit *c);
void steps_free(struct steps *s);
void steps_add(struct steps *s, const struct kn_attempt *a);

/* Members of a list: counts of each transient. */
void steps_write_json(const struct steps *s, struct json *to);
/* False: there have been none. */
bool steps_write(const struct steps *s, FILE *to);

#endif
