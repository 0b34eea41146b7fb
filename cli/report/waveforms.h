/* waveforms.h - the results of a run for a page: a sink that keeps of every table as much as a picture shows. */
#ifndef CLI_REPORT_WAVEFORMS_H
#define CLI_REPORT_WAVEFORMS_H

#include "knoten.h"
#include "netlist/circuit.h"

#include <stdio.h>

struct waveforms;

/* vectors: names that are wanted, between commas; NULL: those of .print, else the first few of each kind. */
struct waveforms *waveforms_new(const struct circuit *c, const char *vectors);
void waveforms_free(struct waveforms *w);
struct kn_sink waveforms_sink(struct waveforms *w);

/* What is kept, as charts or, of tables of one row, as numbers; false: nothing. */
bool waveforms_write(const struct waveforms *w, FILE *to);

#endif
