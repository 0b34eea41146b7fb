/* code_model.h - A devices after XSPICE: what one of them says of itself, and what is the same for all.
 *
 * A code model relates the ports of its card by functions of its own.  It sees columns, which are what it is told: the
 * value of every connection of an input or of a port that is both, then its states; and rows, which are what it says:
 * the value of every connection of an output or of a port that is both, then the equation of each state:
 *
 *     output        y = f + d/dt q       V for what keeps a voltage, A into the first node for what drives a current
 *     state         d/dt q + f = 0
 *
 * Columns and rows are in the order of the card.  code_model.c makes unknowns, entries and branches from that.
 * Source of ports and parameters: XSPICE (F. L. Cox, W. B. Kuhn, J. P. Murray, S. D. Tynor, Georgia Tech 1992) as in the
 * manual of ngspice, chapter 12.
 */
#ifndef DEVICES_CODE_MODELS_CODE_MODEL_H
#define DEVICES_CODE_MODELS_CODE_MODEL_H

#include "devices/batch.h"
#include "devices/incidence.h"
#include "devices/memory/keepsake.h"

#include <complex.h>

struct code_item;

/* Where a code model is asked, and what it answers; all values are zero before. */
struct code_point {
    struct instant when;
    bool rests;                      /* an operating point: no time goes on */
    const struct device_point *step; /* of a Newton iteration, for limiting; else NULL */
    const double *u;                 /* [columns] */
    double *f, *q;                   /* [rows] */
    double *df, *dq;                 /* [rows][columns] derivatives */
    double *dfdt;                    /* [rows] partial derivative in time */
};

struct code_model {
    struct device_class class; /* first, so that an element's kind leads here; of it only the kind counts */
    bool linear;               /* derivatives are constant; f may depend on time */
    bool rests_apart;          /* at rest a state has an equation of its own, which small signals do not see */
    const char *const *states; /* their names, ends with NULL; or NULL */
    size_t (*count_states)(const struct element *e); /* how many of them; NULL: all */
    size_t switches;                                 /* switching functions, as in device.h; held sides are states */
    /* Checks parameters and makes what the model keeps in item->own; NULL: nothing.  KN_ERROR_DECK with an error. */
    enum kn_status (*make)(struct code_item *item, struct arena *arena, struct kn_diagnostics *d);
    void (*evaluate)(const struct code_item *item, const struct code_point *p);
    /* H, and dH/dw, of the only row for the only column in small signals at w (1/s), instead of df; NULL: it is df. */
    double complex (*transfer)(const struct code_item *item, double w, double complex *slope);
    void (*switching)(const struct code_item *item, struct instant when, const double *u, double *g);
    /* A held side has changed, and this is the first point on the far side. */
    void (*happened)(struct code_item *item, double time, const double *u);
    void (*forget)(struct code_item *item); /* what has happened; a run begins */
    void (*remember)(struct code_item *item,
                     struct keepsake *k); /* the same, to be kept or given back; NULL: held sides are all */
    double (*next_corner)(const struct code_item *item, double over);
    bool (*initial)(const struct code_item *item, struct initial_list *list);
    bool (*noise)(const struct code_item *item, struct noise_list *list); /* as in device.h; NULL: noiseless */
};

struct code_column {
    int plus, minus; /* unknowns whose difference .. */
    double share;    /* .. times this is the value: one over how many the current of a parallel element is that of */
};

struct code_row {
    int row, opposite; /* equations to which sign * value is added, and from which it is taken */
    double sign;       /* times how many are in parallel, of a current */
    int (*slots)[4];   /* [columns] as of a pair: (row, plus) (row, minus) (opposite, plus) (opposite, minus) */
};

struct code_item {
    const struct code_model *model;
    const struct element *element;
    const struct circuit *circuit;
    const double *p;   /* parameters of the model, by row of its table */
    const bool *given; /* the same */
    double *card;      /* those of the card */
    bool *on_card;
    void *own; /* the model's data */
    size_t column_count, row_count, state_count;
    size_t *first_column; /* [port_count + 1] of each port */
    size_t *first_row;    /* [port_count + 1] */
    struct code_column *columns;
    struct code_row *rows;
    int *currents;                /* [connection_count] own current, 0 if it has none */
    struct incidence *incidences; /* [connection_count] */
    int (*ends)[2];               /* [connection_count] unknowns of its nodes */
    int *controls;                /* [2 column_count] workspace */
    signed char *held;            /* [model->switches] */
    signed char *was; /* [model->switches] the same before the run goes on with other values; 0: it has not begun */
    bool changed;                 /* a held side, since happened was told */
    double *u, *f, *q, *df, *dq, *dfdt;
    double *rest; /* [columns] where it was asked last at rest */
};

static inline const struct port_info *code_port_of(const struct code_item *i, size_t connection)
{
    return &i->element->kind->ports[i->element->connections[connection].port];
}

/* The side on which it is held, or before that the one on which the run goes on; 0: there is none. */
static inline int code_side(const struct code_item *i, size_t number)
{
    return i->held[number] != 0 ? i->held[number] : i->was[number];
}

/* A value without which what the model remembers means something else. */
static inline void code_same(double value, struct keepsake *k)
{
    double kept = value;
    KEEPSAKE_PIECE(k, kept);
    k->failed = k->failed || kept != value;
}

/* code_branches.c */
bool code_branches(const struct code_item *i, struct branch_list *list);

/* How many members the list of a port has; 0 where it is null. */
static inline size_t code_port_columns(const struct code_item *i, size_t port)
{
    return i->first_column[port + 1] - i->first_column[port];
}

/* The numbers of a parameter that is a list; *count is 0 where it is not given. */
const double *code_list(const struct code_item *i, const char *name, size_t *count);
/* The word of a parameter that is a text, or NULL. */
const char *code_text(const struct code_item *i, const char *name);
/* An error at the model; KN_ERROR_DECK. */
enum kn_status code_fail(const struct code_item *i, struct kn_diagnostics *d, const char *hint, const char *text);

/* That state begins with this value, and where the model has a state of rest of its own (rests_apart), it is there. */
bool code_initial_state(const struct code_item *i, size_t state, double value, struct initial_list *list);

/* The classes of the batches of all: of those without switches, whose unknowns say all there is to them; and of the others. */
extern const struct device_class code_models_class, code_switches_class;

/* The ports that are in the tables of most models. */
#define CODE_VALUES (1u << PORT_V | 1u << PORT_VD | 1u << PORT_I | 1u << PORT_ID)
#define CODE_INPUTS (CODE_VALUES | 1u << PORT_VNAM)
#define CODE_IN(port_name)                                                                                             \
    {                                                                                                                  \
        .name = port_name, .direction = PORT_IN, .type = PORT_V, .allowed = CODE_INPUTS                                \
    }
#define CODE_IN_LIST(port_name)                                                                                        \
    {                                                                                                                  \
        .name = port_name, .direction = PORT_IN, .type = PORT_V, .allowed = CODE_INPUTS, .list = true                  \
    }
#define CODE_OUT(port_name)                                                                                            \
    {                                                                                                                  \
        .name = port_name, .direction = PORT_OUT, .type = PORT_V, .allowed = CODE_VALUES                               \
    }

/* Rows of tables of parameters. */
#define CODE_ANY(row_name, unit_text, value, doc_text)                                                                 \
    {                                                                                                                  \
        .name = row_name, .unit = unit_text, .fallback = value, .minimum = -INFINITY, .maximum = INFINITY,             \
        .doc = doc_text                                                                                                \
    }
#define CODE_FROM(row_name, unit_text, value, least, doc_text)                                                         \
    {                                                                                                                  \
        .name = row_name, .unit = unit_text, .fallback = value, .minimum = least, .maximum = INFINITY, .doc = doc_text \
    }
#define CODE_LIST(row_name, unit_text, doc_text)                                                                       \
    {                                                                                                                  \
        .name = row_name, .unit = "[" unit_text "]", .minimum = -INFINITY, .maximum = INFINITY, .doc = doc_text        \
    }
#define CODE_FLAG(row_name, value, doc_text)                                                                           \
    {                                                                                                                  \
        .name = row_name, .unit = "", .fallback = value, .minimum = 0, .maximum = 1, .doc = doc_text                   \
    }

/* The kind of a model of this type, with a table of ports and one of parameters; without switches, and with some. */
#define CODE_KIND_OF(batch_class, type_name, what, nodes_text, port_rows, parameter_rows)                              \
    .class = PORT_CLASS(type_name, what, nodes_text, port_rows, parameter_rows,                                        \
                        sizeof(parameter_rows) / sizeof *(parameter_rows), NULL, batch_class)
#define CODE_KIND(...)        CODE_KIND_OF(&code_models_class, __VA_ARGS__)
#define CODE_SWITCH_KIND(...) CODE_KIND_OF(&code_switches_class, __VA_ARGS__)

#endif
