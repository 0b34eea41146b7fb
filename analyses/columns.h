/* columns.h - which numbers a row of results has, and how they come from a solution point. */
#ifndef ANALYSES_COLUMNS_H
#define ANALYSES_COLUMNS_H

#include "analyses/observable.h"
#include "mna/mna.h"

struct column_source {
    enum {
        COLUMN_TIME,
        COLUMN_UNKNOWN,
        COLUMN_DIFFERENCE,
        COLUMN_DEVICE_CURRENT,
        COLUMN_QUANTITY,
        COLUMN_EXPRESSION
    } kind;
    int plus, minus; /* unknowns from 0, -1 is ground */
    int element;     /* COLUMN_EXPRESSION: number of the observable */
    int quantity;    /* COLUMN_QUANTITY; COLUMN_DEVICE_CURRENT: terminal */
};

struct columns {
    struct kn_column *names;
    struct column_source *sources;
    size_t count, capacity;
    struct arena *arena; /* of names; NULL: they are the circuit's */
    struct observable *observables;
    size_t observable_count;
    bool of_elements;  /* what elements have besides unknowns is among them */
    bool needs_slopes; /* something wants dx/dt */
    bool plain;        /* time, then all unknowns in order: a row is a copy */
};

/* Whether unknown i is among all vectors: it is nothing inside a device, or .options saveinternals wants that, too. */
bool columns_shows(const struct mna *m, int i);
/* Whether .save leaves all unknowns in the results of such analyses. */
bool columns_wants_all(const struct circuit *c, enum request_domain domain);

/* Time (unless at an operating point), then what .save chooses or else every unknown, then what only .print mentions.
 */
enum kn_status columns_init(struct columns *c, struct mna *m, bool with_time);
/* These vectors, of an expansion of the same deck with the same values; they must outlive the columns. */
enum kn_status columns_init_requests(struct columns *c, const struct mna *m, const struct request *requests,
                                     size_t count);
/* All quantities of the elements that have some of their own. */
enum kn_status columns_init_devices(struct columns *c, struct mna *m);
/* Sets those of the unknowns [n] of m that the columns are made of. */
void columns_watch(const struct columns *c, const struct mna *m, bool *watched);
void columns_free(struct columns *c);

/* row [count] from a point; dxdt may be NULL when needs_slopes is false. */
void columns_fill(const struct columns *c, struct mna *m, double t, const double *x, const double *dxdt, double *row);

#endif
