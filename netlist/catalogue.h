/* catalogue.h - the elements that a deck may contain: one `struct element_kind` for each family of devices.
 *
 * Everything that is known of a family without numerics stands in its kind: how its card is read, what its parts are
 * called, which models it takes, and its parameters.  The reader, its messages and the manual know families from here
 * only; whoever computes keeps the kind in front of its functions (devices/device.h).
 */
#ifndef NETLIST_CATALOGUE_H
#define NETLIST_CATALOGUE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- parameters ---- */

/* One row of a parameter table.  The checks, the warnings about unknown names and the manual's tables come from it. */
struct parameter_info {
    const char *name;        /* lower case */
    const char *unit;        /* "ohm", "F", ""; "[Hz]": a list of numbers in brackets, "\"\"": a text */
    double fallback;         /* default value */
    double minimum, maximum; /* inclusive range; outside is an error */
    const char *doc;         /* one line */
    const char *alias;       /* other accepted names, separated by blanks, or NULL */
};

enum parameter_form {
    PARAMETER_NUMBER, /* TRUE and FALSE, yes and no are 1 and 0 */
    PARAMETER_LIST,   /* stay with the setting, not in the values of the table */
    PARAMETER_TEXT
};

static inline enum parameter_form parameter_form(const struct parameter_info *p)
{
    return p->unit[0] == '[' ? PARAMETER_LIST : p->unit[0] == '"' ? PARAMETER_TEXT : PARAMETER_NUMBER;
}

struct parameter_table {
    const struct parameter_info *rows;
    size_t count;
    const char *ignored; /* harmless baggage of other simulators, accepted in silence; separated by blanks, or NULL */
};

/* Row of a name or alias, or table.count. */
size_t parameter_row(struct parameter_table table, const char *name);

/* What can be asked of an element at a point of the solution, @m1[gm]: currents into its nodes, voltages and small-signal
 * values as they are in the circuit, so that those of a PNP transistor are negative where an NPN's are positive. */
struct quantity_info {
    const char *name;
    const char *alias; /* other accepted names, separated by blanks, or NULL */
    const char *unit;  /* "S"; "region": one of the words of knoten.h */
    const char *doc;   /* one line */
};

struct quantity_table {
    const struct quantity_info *rows;
    size_t count;
};

enum { MOST_QUANTITIES = 40 }; /* of a kind's own */

/* Whether a name is one of those separated by blanks (NULL: of none). */
bool name_is_among(const char *names, const char *name);

/* ---- cards ---- */

/* How the words of a card are read (netlist/expand/). */
enum card_form {
    CARD_PASSIVE,    /* nodes, then a value or a model or both, or a charge or flux given by a law: R C L */
    CARD_COUPLING,   /* names of inductors, coefficient: K */
    CARD_SETTINGS,   /* nodes and name=value: T */
    CARD_SOURCE,     /* nodes, DC, AC, waveform: V I */
    CARD_BY_VOLTAGE, /* nodes, controlling nodes, gain or POLY, or a law: E G */
    CARD_BY_CURRENT, /* nodes, controlling elements, gain or POLY, or a law: F H */
    CARD_LAW,        /* nodes, V= or I=: B */
    CARD_MODEL,      /* nodes, what controls, model, values, flags: D Q M S W, and every device with a model */
    CARD_PORTS,      /* ports, which may be lists of nodes in brackets, and a model: A */
    CARD_TYPED,      /* nodes, and one of the kind's types without a model: LTspice's A */
    CARD_GATE,       /* the name of a gate, nodes, model: U */
    CARD_Y,          /* a type and a name, nodes, model: Y of Xyce */
    CARD_COUPLED,    /* nodes of both ends, model: P of ngspice */
    CARD_RC_LINE,    /* nodes, model: U of SPICE */
    CARD_MACHINE,    /* nodes and numbers that .machine has become */
    CARD_INSTANCE    /* of a subcircuit: X */
};

/* What an element's expression, if it has one, stands for. */
enum element_law {
    LAW_NONE,
    LAW_CURRENT,     /* B I=, G cur=: current from node 0 to node 1 through the element, A */
    LAW_VOLTAGE,     /* B V=, E vol=: voltage of node 0 against node 1, V */
    LAW_CHARGE,      /* C Q=: charge on node 0's side, C */
    LAW_FLUX,        /* L Flux=: flux, Wb, as a function of I(this element) and others */
    LAW_CAPACITANCE, /* C C=: capacitance, F, by its own voltage; the charge is its integral */
    LAW_INDUCTANCE   /* L L=: inductance, H, by its own current; the flux is its integral */
};

/* ---- ports: what a card in XSPICE's manner is connected by ---- */

enum port_direction { PORT_IN, PORT_OUT, PORT_BOTH };

/* What a port is in the circuit; those of two nodes are the same between them. */
enum port_type {
    PORT_V,     /* %v: a voltage against ground, measured or kept */
    PORT_VD,    /* %vd: between two nodes */
    PORT_I,     /* %i: a current into a node, measured or driven */
    PORT_ID,    /* %id */
    PORT_G,     /* %g: measures a voltage, drives a current */
    PORT_GD,    /* %gd */
    PORT_H,     /* %h: measures a current, keeps a voltage */
    PORT_HD,    /* %hd */
    PORT_VNAM,  /* %vnam: the current of a voltage source, measured */
    PORT_LOGIC, /* %d: a logic state */
    PORT_TYPES
};

/* "v", "vd" ..; PORT_TYPES where the name is none. */
enum port_type port_type_of(const char *name);

struct port_info {
    const char *name;
    enum port_direction direction;
    enum port_type type; /* where the card does not say it */
    unsigned allowed;    /* bits 1 << PORT_.. */
    bool list;           /* any number of them in brackets */
    bool may_be_null;    /* the word null in its place */
    bool by_voltage;     /* a logic state that the element has as a voltage of 0 or 1 V, and a bridge gives on */
};

/* LTspice's parasitic elements that a card may have, in the order of expand_parasitics.c. */
enum parasitic {
    PARASITIC_RSER = 1,
    PARASITIC_LSER = 2,
    PARASITIC_RLSHUNT = 4,
    PARASITIC_RPAR = 8,
    PARASITIC_CPAR = 16
};

/* "rser" and so on, in the same order; ends with NULL. */
extern const char *const parasitic_names[];

struct model_type {
    const char *name;  /* lower case, "npn" */
    const char *other; /* names of other simulators for the same, separated by blanks, or NULL */
    const char *doc;   /* what distinguishes it from the kind's other types, or NULL */
};

struct model_level {
    double number;
    const char *name; /* "Gummel-Poon", or NULL */
};

/* The letter of elements that no card names: a formula or a card of another kind has made them. */
enum { KIND_OPERATOR = '#', KIND_HOLDER = '~', KIND_LATE = '%', KIND_MACHINE = '=' };

/* No card of a deck begins with these. */
static inline bool letter_is_made(char letter)
{
    return letter == KIND_OPERATOR || letter == KIND_HOLDER || letter == KIND_LATE || letter == KIND_MACHINE;
}

struct element_kind {
    char letter;            /* lower case */
    const char *noun;       /* "diode" */
    const char *short_noun; /* "bjt", by which one may ask for it as well, or NULL */
    const char *nodes;      /* "collector base emitter [substrate]"; what is in brackets may be left out: ground */
    const char *usage;      /* what follows on the card: "model [area]" */
    enum card_form form;
    bool flat;         /* parentheses on the card mean nothing: (a b) is a b */
    bool sets_voltage; /* between its nodes, as a voltage source does */
    const char *
        laws; /* what `explain` calls the laws of its pieces, which kinds with the same share; NULL: it has none of them */
    const char *sweep; /* what ngspice calls the scale of a .dc sweep of its value, or NULL: the element's name */

    struct quantity_table quantities; /* its own, besides those of all kinds */
    struct parameter_table instance;  /* name=value pairs on the element line */
    struct parameter_table model;     /* and on the .model card */

    /* Kinds with models.  Of one letter there may be several, for other types or levels. */
    const struct model_type *types;   /* ends with a NULL name; NULL: no models */
    const struct model_level *levels; /* ends with a number of 0; NULL: any level */
    const char *marks;                /* parameters that make a model this kind's whatever its level, or NULL */
    /* Numbers by which other programs mean something else; `name`: parameters of which a card of this kind has none.  Ends
     * with a number of 0; NULL: none. */
    const struct model_level *contested;
    const char *values;   /* parameters that bare numbers behind the model stand for, in turn, or NULL */
    size_t control_nodes; /* between nodes and model */
    size_t control_elements;
    const struct port_info *ports; /* CARD_PORTS: [port_count], in the order of the card */
    size_t port_count;
    const char *gates; /* CARD_GATE: names, separated by blanks */

    /* The kind of elements whose card says `thermal`, with a node for their temperature.  NULL: there is none. */
    const struct element_kind *heated;

    /* What elements that its card names become: inductors on a core windings.  NULL: what they are. */
    const struct element_kind *taken_as;

    /* Kinds with a value or a law. */
    const char *value;         /* "a resistance", for messages */
    const char *law_names;     /* name=expression that gives the law, separated by blanks, or NULL */
    enum element_law law;      /* what an expression gives where the card does not say it */
    const char *variable_hint; /* what to write for a value that depends on the solution, or NULL */
    char variable_letter;      /* the kind that takes an element whose value does, or 0 */
    unsigned parasitics;       /* PARASITIC_.. */
};

/* The members that a kind begins with: letter, noun, nodes or NULL, usage, form. */
#define ELEMENT_KIND(letter_, noun_, nodes_, usage_, form_)                                                            \
    .letter = letter_, .noun = noun_, .nodes = nodes_, .usage = usage_, .form = form_

/* R, also one whose card has not told its value yet; V; L, also as a winding on a core. */
static inline bool kind_is_resistor(const struct element_kind *kind)
{
    return kind->form == CARD_PASSIVE && kind->law == LAW_NONE;
}
static inline bool kind_is_voltage_source(const struct element_kind *kind)
{
    return kind->form == CARD_SOURCE && kind->sets_voltage;
}
static inline bool kind_is_inductor(const struct element_kind *kind)
{
    return kind->form == CARD_PASSIVE && kind->law == LAW_FLUX;
}

/* Kinds in the order in which they are listed, then those of another catalogue: who adds families, compiled in or loaded
 * while the program runs, puts a catalogue of their own in front of device_catalogue. */
struct catalogue {
    const struct element_kind *const *kinds; /* NULL-terminated */
    const struct catalogue *more;            /* or NULL */
    bool (*hands_on)(const char *card);      /* whether the reader keeps such a card (circuit->cards); NULL: none */
};

/* A walk through all kinds in their order: struct catalogue_walk w = catalogue_walk(c); then catalogue_next until NULL. */
struct catalogue_walk {
    const struct catalogue *in;
    const struct element_kind *const *next;
};

static inline struct catalogue_walk catalogue_walk(const struct catalogue *c)
{
    return (struct catalogue_walk){c, c ? c->kinds : NULL};
}

static inline const struct element_kind *catalogue_next(struct catalogue_walk *w)
{
    while (w->in && !*w->next)
        *w = catalogue_walk(w->in->more);
    return w->in ? *w->next++ : NULL;
}

/* The i-th kind of all, NULL behind the last. */
const struct element_kind *catalogue_kind(const struct catalogue *c, size_t i);
/* The first kind of a letter, or NULL. */
const struct element_kind *catalogue_letter(const struct catalogue *c, char letter);
/* The kind of a letter that takes models of this type and level, or NULL.  NAN: of any level.  No type, as of a model card
 * that could not be read: NULL. */
const struct element_kind *catalogue_find(const struct catalogue *c, char letter, const char *type, double level);
/* The name under which a type of model is known, given it or another name of it in any case; or NULL. */
const char *catalogue_type(const struct catalogue *c, const char *written);
/* "level 1, Gummel-Poon; level 4": what there is for a letter and type.  NULL without memory. */
const char *catalogue_levels(const struct catalogue *c, char letter, const char *type, struct arena *arena);

/* Every element with a current has these, behind the quantities of its own. */
enum { COMMON_POWER, COMMON_CURRENT, COMMON_VOLTAGE, COMMON_QUANTITIES };
/* Number of a quantity by its name, -1 if the kind has none of it; and what it is. */
int kind_quantity(const struct element_kind *kind, const char *name);
const struct quantity_info *kind_quantity_info(const struct element_kind *kind, int number);
/* Whether @r1[name] is the vector i(r1). */
bool quantity_is_current(const char *name);

/* Whether that is the name of a parasitic element that the kind's cards may have. */
bool kind_has_parasitic(const struct element_kind *kind, const char *name);
/* The row of a kind's type of that name, or NULL. */
const struct model_type *kind_type(const struct element_kind *kind, const char *type);
/* Parameters by which a card of that level is not of this kind, or NULL. */
const char *kind_foreign_marks(const struct element_kind *kind, double level);
/* How many nodes its card names at least, and how many more it may.  Counts words: once a card is often enough. */
struct node_counts {
    size_t least, open;
};
struct node_counts kind_nodes(const struct element_kind *kind);
/* "Qname collector base emitter [substrate] model [area]"; NULL without memory. */
const char *kind_usage(const struct element_kind *kind, struct arena *arena);

/* ---- what other simulators have ---- */

struct foreign_kind {
    const char *name;  /* letter, or type of model */
    const char *nouns; /* "MESFETs" */
    size_t nodes;      /* of a letter: at least */
};

/* NULL where it is none. */
const struct foreign_kind *foreign_letter(char letter);
const struct foreign_kind *foreign_type(const char *type);

#endif
