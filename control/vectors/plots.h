/* plots.h - results of analyses in memory: plots of named vectors, real or complex. */
#ifndef CONTROL_VECTORS_PLOTS_H
#define CONTROL_VECTORS_PLOTS_H

#include "base/arena.h"
#include "knoten.h"

#include <complex.h>
#include <pthread.h>

enum { MOST_DIMENSIONS = 8 };

/* Of a vector that `reshape` has made a table of; the last dimension runs fastest, their product is its count. */
struct shape {
    size_t extent[MOST_DIMENSIONS];
    size_t dimensions; /* 0: a plain vector */
};

/* A value of a formula, in an arena. */
struct values {
    double complex *at; /* [count] */
    size_t count;
    bool is_complex;
    enum kn_quantity quantity;
    struct shape shape;
    const struct plot *plot; /* over whose scale the numbers stand; NULL: not known */
};

struct vector_kept {
    char *name;
    double *real, *imaginary; /* [count]; imaginary NULL: a real one, or none yet */
    bool is_complex;
    size_t count;
    enum kn_quantity quantity;
    struct shape shape;
    bool of_analysis;
    double complex *shown; /* [shown_count] both parts side by side; NULL: nobody has asked for them */
    size_t shown_count;
};

struct plot {
    char *name;          /* "tran1" */
    char *title, *label; /* of the deck, "Transient Analysis" */
    struct vector_kept *vectors;
    size_t count, capacity;
    size_t rows, row_capacity; /* of the analysis */
    size_t scale;              /* number of the vector that the others are over; count: none */
    bool linearized;
    double step;    /* s, of .tran; 0: it is no transient */
    bool grows;     /* an analysis is at work on it, or held up */
    bool keeps;     /* arrays that have become too short, for those who look at them */
    void **retired; /* [retired_count] these arrays */
    size_t retired_count, retired_capacity;
    struct plot *next; /* older */
};

/* An analysis in a thread of its own adds to them: who looks at them or changes them holds them.  Commands hold them, but
 * not while text goes out or an analysis runs. */
struct plots {
    struct plot *first; /* newest */
    struct plot *current;
    int number; /* of the last one: op1, tran1, tran2 */
    bool keeps;
    pthread_mutex_t lock;
};

/* The one of constants, and none else.  keeps: arrays of vectors stay where they are as long as their plot. */
enum kn_status plots_open(struct plots *p, bool keeps);
void plots_close(struct plots *p);
/* A number among the constants; false without memory. */
bool plots_put_constant(struct plots *p, const char *name, double value);
void plots_hold(struct plots *p);
void plots_let(struct plots *p);
/* A new one of a kind ("tran"), which becomes the current one; NULL without memory. */
struct plot *plots_add(struct plots *p, const char *kind, const char *title, const char *label);
struct plot *plots_find(const struct plots *p, const char *name);
void plots_destroy(struct plots *p, struct plot *plot);

/* Of how many numbers an element v[i] is: 1 of a plain vector. */
size_t shape_block(const struct shape *s, size_t count);
/* What is left of the shape of such an element. */
struct shape shape_of_block(const struct shape *s);

struct vector_kept *plot_find(const struct plot *p, const char *name);
/* A vector by one of its names: out and v(out), v1#branch and i(v1), @r1[i] and i(r1). */
struct vector_kept *plots_vector(const struct plots *plots, const struct plot *in, const char *name);
/* Puts a copy of values under the name, in the place of what it was; false without memory. */
bool plot_put(struct plot *p, const char *name, const struct values *v);
void plot_remove(struct plot *p, struct vector_kept *v);
/* The vector as values in an arena; at NULL without memory. */
struct values plot_values(const struct vector_kept *v, struct arena *a);

/* The numbers as complex ones, also of a real vector; they stay where they are as long as the plot where it keeps arrays.
 * NULL without memory. */
const double complex *plot_complex(struct plot *p, struct vector_kept *v);

/* A sink that makes plots of tables. */
struct plot_recorder {
    struct plots *plots;
    struct plot *plot;
    const struct kn_sink *next; /* gets the tables, too */
    size_t *columns;            /* of the table: its vector */
    bool *imaginary;            /* whether it is the imaginary part */
    size_t column_count;
    double step;  /* s, of the transient */
    bool squares; /* of densities and totals of noise */
};
struct kn_sink plot_recorder_sink(struct plot_recorder *r);
/* A number for each column, as vectors of the latest plot. */
bool plot_recorder_add(struct plot_recorder *r, const struct kn_column *columns, size_t count, const double *values);
void plot_recorder_close(struct plot_recorder *r);

#endif
