/* measure_parts.h - the data of measurements, for the files that share the work. */
#ifndef ANALYSES_MEASURE_MEASURE_PARTS_H
#define ANALYSES_MEASURE_MEASURE_PARTS_H

#include "analyses/measure/measure.h"

/* Numbers at a point that integrals look at. */
enum { MEASURE_INTEGRATED = 3 };

/* The curve at one point.  Points grow along the curve: u is the scale s, or -s where a sweep goes down. */
struct sample {
    double u;
    double *values; /* [numbers] */
};

struct watched_event {
    const struct measure_event *event; /* NULL: there is none */
    struct signal signal, level;
    double point, delay; /* u, once they are known */
    double before;       /* signal minus level where the last piece ended; NaN: there was none */
    int side;            /* of the level on which the signal was last, by more than noise; 0: on it since it crossed */
    double largest;      /* of their magnitudes so far */
    double size;         /* largest magnitude of the signal and of the level so far */
    long crossings;
    bool found;
    double u;
    double value; /* of the measured signal there */
};

/* On and off: above `on`, until below `off`. */
struct switching {
    bool known, is_on;
    double largest; /* magnitude of the signal so far */
    double since;   /* u where that began; NaN: before the window */
    double time_on, time_off;
    long ons, offs;             /* parts that begin and end in the window .. */
    double whole_on, whole_off; /* .. and their lengths */
    double first, last;         /* u where it went on */
    long starts;
};

/* Rises and falls of a signal. */
struct runs {
    double scale;              /* largest size so far */
    int direction;             /* 1, -1; 0: not known yet */
    double extreme, extreme_u; /* the largest or smallest sample since it turned; NaN: there was no sample yet */
    double left_u, right_u;    /* those beside it */
    double last_u;
    long counts[3];
    bool open, done;
    double from, to; /* u of the one that is wanted */
};

struct measurement {
    const struct measure *card;
    size_t number; /* of the card */
    struct signal signal, other;
    struct watched_event trigger, target;
    double from, to; /* u, the window */
    double low, high, low_u, high_u;
    double low_there, high_there;      /* values at these points */
    double sum, span;                  /* of integrals, so far */
    double scales[MEASURE_INTEGRATED]; /* of what is integrated */
    struct switching switching;
    struct runs runs;
    size_t compared;    /* points of a file, so far */
    double given;       /* by those who know it */
    const char *reason; /* why there is no result, where that is known */
};

/* A part of the curve on which all variables are polynomials, or a row of one that can be looked at anywhere. */
struct kept_piece {
    double from, to; /* s */
    double *values;  /* [CURVE_POINTS][numbers]; of rows [2][numbers] */
};

struct measurements {
    const struct circuit *circuit;
    struct measure_curve curve;
    struct signal_set set;
    size_t numbers;
    struct measurement *items;
    size_t count;
    double *results;
    /* The piece that is looked at. */
    double sign;    /* of the scale; 0: there was no piece yet */
    bool unordered; /* there was one the other way */
    bool returned;  /* there was, between sweeps that vectors of a script have one behind the other */
    bool has_point; /* there was one without length, which is the piece that is looked at while sign is 0 */
    struct curve_look look;
    struct sample points[CURVE_POINTS];
    bool filled;                      /* those inside */
    struct sample tests[CURVE_TESTS]; /* so that measurements share them */
    bool tested;
    struct sample older; /* begin of the piece before, where this one goes on from it */
    bool goes_on;
    struct sample spare;
    struct sample last;    /* where the curve ends, so far */
    enum kn_status status; /* the first failure of a look */
    /* What has been kept. */
    bool keeps;
    struct kept_piece *kept;
    size_t kept_count, kept_capacity;
    const struct kept_piece *replayed; /* the one that is looked at again */
    double *scales, *split_workspace;
    double *workspace; /* curve_workspace(MEASURE_INTEGRATED), of integrals */
};

static inline double measure_value_of(const struct measurements *all, const struct signal *s, const struct sample *at)
{
    return signal_at(s, all->sign * at->u, at->values);
}

/* The next piece becomes the one that is looked at (measure_points.c). */
void measure_take_piece(struct measurements *all, const struct measure_piece *piece);
void measure_remember_end(struct measurements *all);
/* The curve at u, in the last piece; a failure is remembered. */
void measure_look(struct measurements *all, double u, struct sample *out);
/* The points inside the piece, unless they are there or nobody looks at them. */
void measure_fill(struct measurements *all);
/* The same of those at which curve_split tests. */
void measure_test(struct measurements *all);
/* How many of the points of the piece are looked at for crossings, and the next one behind k. */
int measure_next_point(const struct measurements *all, int k);

/* What a piece says about a measurement (measure_events.c, measure_extremes.c, measure_means.c); all of them
 * (measure_watch.c). */
void watch_event(struct measurements *all, struct measurement *item, struct watched_event *e);
void watch_extremes(struct measurements *all, struct measurement *item, double from, double to);
void watch_runs(struct measurements *all, struct measurement *item);
void watch_comparison(struct measurements *all, struct measurement *item);
void watch_integral(struct measurements *all, struct measurement *item, double from, double to);
void watch_switching(struct measurements *all, struct measurement *item, double from, double to);

/* The same of means where the curve has one point. */
void watch_mean_point(struct measurements *all, struct measurement *item, double u);

void measure_watch_piece(struct measurements *all, struct measurement *item);
/* The curve has ended: its only point is what is measured, where there was no piece. */
void measure_watch_point(struct measurements *all);
/* Before the first piece: the numbers of its card. */
void measure_begin(const struct measurements *all, struct measurement *item);

/* Runs over what has been kept (measure_replay.c). */
enum kn_status measure_keep(struct measurements *all, const struct measure_piece *piece);
/* The only point, which is the piece that is looked at. */
enum kn_status measure_keep_point(struct measurements *all);
void measure_replay(struct measurements *all, struct measurement *item, const struct curve_look *live,
                    void (*watch)(struct measurements *all, struct measurement *item));

#endif
