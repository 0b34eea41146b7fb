/* stops.h - where an analysis is to be held up: stop after 100, stop when v(out) > 1 when time > 1m, step 10. */
#ifndef CONTROL_SESSION_STOPS_H
#define CONTROL_SESSION_STOPS_H

#include "control/script/state.h"

enum { MOST_CONDITIONS = 4 };

enum stop_comparison { STOP_ABOVE, STOP_NOT_BELOW, STOP_BELOW, STOP_NOT_ABOVE, STOP_EQUAL, STOP_DIFFERENT };

struct stop_condition {
    char *left, *right; /* a vector, or a number */
    enum stop_comparison comparison;
    double before; /* left - right at the row before; NaN: there was none */
};

struct stop {
    int number;
    long after; /* rows; 0: not asked for */
    struct stop_condition conditions[MOST_CONDITIONS];
    size_t count;
    bool reached; /* at the row before: it counts where it begins */
};

struct stops {
    struct stop *items;
    size_t count, capacity;
    int numbers;
    long rows, left; /* rows of the table so far; those that `step` leaves, 0: all */
};

void stops_free(struct stops *s);
/* A table begins. */
void stops_begin(struct stops *s);
/* Whether the analysis is to be held up behind the last row of the plot; which one asks for it is told in text. */
bool stops_reached(struct stops *s, const struct plots *plots, const struct plot *p, char *text, size_t size);

/* The first time after `time` (s) at which a condition on time changes; INFINITY: none. */
double stops_next_time(const struct stops *s, double time);

/* Whether a line can be read; false with the error said. */
bool stops_check(struct state *state, const char *rest);
bool stops_add(struct stops *s, struct state *state, const char *rest);
bool stops_delete(struct stops *s, struct state *state, const char *rest);
void stops_list(const struct stops *s, struct state *state);

#endif
