/* measure.h - what the .measure cards of a deck ask for, of a curve that an analysis makes piece by piece.
 *
 * Rows of a result are as dense as straight lines between them need, or as the user wants them, which is not dense enough
 * for points and integrals with the digits of the run.  So crossings are located, extremes refined and integrals summed up
 * within each piece, where the analysis can look at any point: the method's interpolant of a transient, a further solution
 * of an ac or dc analysis.
 *
 * What depends on results before it, WHEN v(a)={0.7*top}, is measured when these are known: of the curve kept in memory.
 */
#ifndef ANALYSES_MEASURE_MEASURE_H
#define ANALYSES_MEASURE_MEASURE_H

#include "analyses/measure/curve.h"
#include "analyses/measure/signals.h"

struct measurements;

/* How an analysis makes its curve. */
struct measure_curve {
    enum measure_domain domain;
    bool dense;    /* its pieces are as long as the equations allow and must be looked into; else they are the user's */
    bool straight; /* monotone between its points: extremes are among these */
    bool anywhere; /* the look finds any point of the curve, also in the end; else those of the last piece only */
    double exact;  /* part of the largest values to which looks agree with one another */
    double apart;  /* part of them by which a piece may begin off the end of the one before without a jump */
    const char *unit;   /* of the scale, " s" */
    const bool *chosen; /* [measure_count] those of the domain that are made; NULL: all */
};

/* Of a run in time whose interpolants agree to that, and its points to reltol. */
struct measure_curve measure_curve_of_transient(double exact, double relative);

/* NULL in *out where the deck asks for none of this domain.  results [measure_count of c] are those of all cards, which
 * become known one after the other. */
enum kn_status measure_new(const struct circuit *c, const struct measure_curve *curve, double *results,
                           struct measurements **out);
void measure_free(struct measurements *all);
/* What the looks are to supply. */
const struct signal_set *measure_signals(const struct measurements *all);

/* A piece of the curve and the values at its ends [signals_numbers]. */
struct measure_piece {
    double from, to;
    const double *begin, *end;
    struct curve_look look;
};

/* The next piece; where its begin is not what the last one ended with, the curve jumps.  One without length in front of all
 * others is the first point: it is measured where no other follows. */
enum kn_status measure_piece(struct measurements *all, const struct measure_piece *piece);

/* A result that somebody else knows, or why there is none (a text that stays; NULL: there is one). */
void measure_give(struct measurements *all, size_t number, double value, const char *reason);

/* Where on the scale a result was found, once it has been reported: its window, its events, its extremes; NaN or infinite:
 * there is none. */
struct measure_places {
    double from, to, trigger, target, low, high;
};
/* By the number of the card. */
struct measure_places measure_places(const struct measurements *all, size_t number);

struct measure_listener {
    struct kn_diagnostics *diagnostics;
    void (*measured)(void *context, const struct kn_measurement *m); /* NULL: nobody */
    void *context;
    const char *behind; /* what names of results end with; NULL: nothing */
};
/* Hands on the results in the order of the cards, with a warning for each that was not found. */
enum kn_status measure_report(struct measurements *all, const struct curve_look *look,
                              const struct measure_listener *listener);

#endif
