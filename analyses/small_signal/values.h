/* values.h - the numbers of a circuit on which its results depend, and the circuit with another value of one of them. */
#ifndef ANALYSES_SMALL_SIGNAL_VALUES_H
#define ANALYSES_SMALL_SIGNAL_VALUES_H

#include "netlist/circuit.h"

enum value_kind {
    VALUE_OWN,      /* of an element: R1 .. 1k, a gain */
    VALUE_DC,       /* of a source */
    VALUE_SETTING,  /* name=value of an element */
    VALUE_MODEL,    /* of a model: of all elements that use it */
    VALUE_AC,       /* magnitude of a source */
    VALUE_AC_PHASE, /* degrees */
};

struct value {
    enum value_kind kind;
    const char *name; /* "r1", "q1:area", "qn:bf" in lower case */
    int element;
    const struct model *model; /* VALUE_MODEL */
    const char *setting;
    double number;
    bool given; /* by the deck; else it is the default */
};

struct values {
    const struct circuit *circuit;
    struct arena *arena;
    struct value *list;
    size_t count, capacity;
    const char *const *asked; /* [asked_count] "r1:m" */
    size_t asked_count;
};

/* All of them: values, numbers of sources, what the deck gives of elements and models, and defaults other than 0; those of
 * AC sources where asked for.  Free with values_free, also after a failure.  Factors that nobody gives (how many there are
 * of an element, how large) are among them where their names are asked for. */
enum kn_status values_find(struct values *v, const struct circuit *c, bool with_ac, const char *const *asked,
                           size_t asked_count);
void values_free(struct values *v);
/* Whether there is something that a card may ask for by this name. */
bool values_can_have(const struct circuit *c, const char *name);

/* The circuit without elements, and with the few that one value concerns: these have their kinds, no others. */
struct altered {
    struct circuit circuit;
    const struct circuit *original;
    struct element *elements;
    int *couplings; /* [coupling_count] numbers of the elements that couple others */
    size_t coupling_count;
    int *shown; /* [shown_count] numbers of the elements that are there now */
    size_t shown_count;
    struct model model;
    struct setting *settings;
    size_t room;
};

/* free with altered_free, also after a failure. */
enum kn_status altered_init(struct altered *a, const struct circuit *c);
void altered_free(struct altered *a);
/* The elements that a value concerns, with this number instead (`as_written`: with what the deck says); it holds until the
 * next call. */
void altered_set(struct altered *a, const struct value *v, double number, bool as_written);
/* All of the circuit with these; elements: room for as many as it has. */
void altered_whole(const struct altered *a, struct element *elements, struct circuit *out);

#endif
