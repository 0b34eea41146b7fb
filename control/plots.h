/* plots.h - results of analyses in memory: plots of named vectors, real or complex. */
#ifndef CONTROL_PLOTS_H
#define CONTROL_PLOTS_H

#include "base/arena.h"
#include "knoten.h"

#include <complex.h>

/* A value of a formula, in an arena. */
struct values {
    double complex *at; /* [count] */
    size_t count;
    bool is_complex;
    enum kn_quantity quantity;
};

struct vector_kept {
    char *name;
    double *real, *imaginary; /* [count]; imaginary NULL: a real one */
    size_t count;
    enum kn_quantity quantity;
    bool of_analysis;
};

struct plot {
    char *name;          /* "tran1" */
    char *title, *label; /* of the deck, "Transient Analysis" */
    struct vector_kept *vectors;
    size_t count, capacity;
    size_t rows, row_capacity; /* of the analysis */
    size_t scale;              /* number of the vector that the others are over; count: none */
    bool linearized;
    double step;       /* s, of .tran; 0: it is no transient */
    struct plot *next; /* older */
};

struct plots {
    struct plot *first; /* newest */
    struct plot *current;
    int number; /* of the last one: op1, tran1, tran2 */
};

/* The one of constants, and none else. */
enum kn_status plots_open(struct plots *p);
void plots_close(struct plots *p);
/* A new one of a kind ("tran"), which becomes the current one; NULL without memory. */
struct plot *plots_add(struct plots *p, const char *kind, const char *title, const char *label);
struct plot *plots_find(const struct plots *p, const char *name);
void plots_destroy(struct plots *p, struct plot *plot);

struct vector_kept *plot_find(const struct plot *p, const char *name);
/* Puts a copy of values under the name, in the place of what it was; false without memory. */
bool plot_put(struct plot *p, const char *name, const struct values *v);
void plot_remove(struct plot *p, struct vector_kept *v);
/* The vector as values in an arena; at NULL without memory. */
struct values plot_values(const struct vector_kept *v, struct arena *a);

/* A sink that makes plots of tables. */
struct plot_recorder {
    struct plots *plots;
    struct plot *plot;
    const struct kn_sink *next; /* gets the tables, too */
    size_t *columns, *parts;    /* of the table: vector and 0 or 1, its imaginary part */
    size_t column_count;
    double step; /* s, of the transient */
};
struct kn_sink plot_recorder_sink(struct plot_recorder *r);
void plot_recorder_close(struct plot_recorder *r);

#endif
