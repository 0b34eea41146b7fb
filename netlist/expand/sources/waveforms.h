/* waveforms.h - the words of V and I cards that make a waveform. */
#ifndef NETLIST_EXPAND_SOURCES_WAVEFORMS_H
#define NETLIST_EXPAND_SOURCES_WAVEFORMS_H

#include "netlist/expand/expand_card.h"

/* Number of a waveform's name, -1 if it is none. */
int waveform_index(const struct item *i);
/* SIN(0 1 1k), SIN (0 1 1k) or SIN 0 1 1k, PWL also with parentheses around its points; *i moves behind it. */
bool waveform_read(struct card *c, struct item **i, int index);
/* r= and td= of PWL, inside its parentheses or behind; wavefile= and chan= of LTspice.  *taken: it was one of them. */
bool waveform_setting(struct card *c, struct item *i, bool *taken);

/* HSPICE's PAT (patterns.c): its points, from the card or from w->pattern, are pushed as numbers. */
bool pattern_read(struct card *c, struct item **i);
bool pattern_points(struct card *c);
/* Another number by its place, from which pattern_points is to make the points anew. */
bool pattern_set(struct expansion *x, struct waveform *w, int place, double value);

/* Something that can be a number: the list of values after a keyword ends at the next keyword or setting. */
bool source_keyword(const struct item *i);
bool source_value(const struct item *i);
bool source_group(const struct item *i);

/* Appends times and values of a file, pairs in text (waveform_files.c). */
bool waveform_file(struct card *c, const struct item *name);
/* Samples of a channel of a RIFF file, from -1 to 1, as a PWL waveform. */
bool waveform_sound(struct card *c, const struct item *name, size_t channel);

/* LTspice's load, behind the words of a current source: it takes power only (load.c). */
bool source_only_takes(struct card *c);

#endif
