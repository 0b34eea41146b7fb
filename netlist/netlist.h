/* netlist.h - from the text of a netlist to circuits.
 *
 * A deck is read once and can then be expanded as often as wanted, each time with other values of what its parameters,
 * elements, models and options say: a sweep reads no file twice.  Reading and expanding report every error they find.
 */
#ifndef NETLIST_NETLIST_H
#define NETLIST_NETLIST_H

#include "netlist/circuit.h"
#include "netlist/deck/deck_variant.h"
#include "netlist/functions/draws.h"

struct deck; /* immutable; may be expanded in several threads at once */

/* Reads a netlist of elements in the catalogue, which must outlive deck and circuits; text is copied.  file is the name used in messages and the base of .include paths.  Only memory and
 * a file that cannot be read are failures here: what else is wrong is remembered, and reported by deck_expand together
 * with its own findings in the order of the text.  The text of the files goes to d, so that messages can show lines.
 * variant: which of the decks that a text with .alter or .step lib stands for; NULL: the first. */
enum kn_status deck_parse_text(const struct catalogue *catalogue, const char *file, const char *text, size_t length,
                               const struct deck_variant *variant, struct kn_diagnostics *d, struct deck **out);
enum kn_status deck_parse_file(const struct catalogue *catalogue, const char *path, const struct deck_variant *variant,
                               struct kn_diagnostics *d, struct deck **out);
/* How many .alter blocks there are, and sections on .step lib; 0 without one. */
size_t deck_alters(const struct deck *k);
size_t deck_sections(const struct deck *k);
/* The name of one of these sections; .step lib's place. */
const char *deck_section(const struct deck *k, size_t section);
struct kn_location deck_section_step(const struct deck *k);
void deck_free(struct deck *k);
/* Gives back its statements, a third of what a large circuit and its deck take; neither deck_expand nor deck_with_cards may
 * follow.  Circuits that it has become stay as they are. */
void deck_forget(struct deck *k);
/* A number that changes with the text of the deck and of what it includes. */
uint64_t deck_fingerprint(const struct deck *k);

/* A line of .control .. .endc, or one behind *#, with those that go on with it. */
struct control_line {
    const char *text;
    bool in_comment; /* behind *#: a command as long as there is one of that name */
    struct kn_location where;
    struct control_line *next;
};

/* In the order of the text; NULL: there is none. */
const struct control_line *deck_control(const struct deck *k);
/* Its functions outside of subcircuits, struct function_card of netlist/deck/deck_reader.h. */
const struct function_card *deck_functions(const struct deck *k);
/* The same deck with other analyses: instead of its own those of the cards, lines of a netlist of which the first is at
 * `where`.  Of .measure those of the analysis stay ("tran"), and of the rest what all analyses look at, .save too.  With
 * NULL for the analysis the cards are further ones.  To be freed before k. */
enum kn_status deck_with_cards(const struct deck *k, const char *analysis, const char *cards, struct kn_location where,
                               struct kn_diagnostics *d, struct deck **out);

enum override_kind {
    OVERRIDE_PARAMETER, /* "w", in an instance "x1.w" */
    OVERRIDE_TEMPERATURE,
    OVERRIDE_OPTION,
    OVERRIDE_ELEMENT, /* "x1.r5": its value, of a V or I source the dc value; or a setting of it.  Of a source also
                         `acmag` and `acphase`, a waveform by its name ("pulse": `values` are its numbers), and
                         `external`: its values come from outside */
    OVERRIDE_MODEL,   /* a setting of all models of that name */
    OVERRIDE_DEFAULT  /* of subcircuits of that name: a parameter of theirs, where an instance gives no value */
};

/* A value that counts instead of what the deck says. */
struct override {
    enum override_kind kind;
    const char *name;    /* NULL for the temperature */
    const char *setting; /* of an element, a model or a subcircuit; NULL: the value */
    double value;
    const double *values; /* [count] of a waveform */
    size_t count;
};

/* Whether both say something about the same. */
bool override_same(const struct override *a, const struct override *b);

struct overrides {
    const struct override *items;
    size_t count;
    struct chance chance; /* what random functions give */
    bool of_run;          /* one run of a sweep, which need not know the tables that are swept */
};

/* What the reader cannot judge, such as options and parameters of devices, adds its own errors about a circuit.  It is
 * asked about decks with errors only, so that all of them come in one run: elements that could not be read have no kind,
 * nor have those that refer to them.  k is what the circuit was made of.  NULL: nobody is asked. */
typedef void circuit_check(const struct circuit *c, const struct deck *k, struct kn_diagnostics *d);

/* The circuit of a deck; overrides may be NULL.  KN_ERROR_DECK (and *out = NULL) where the deck has an error or an
 * override names nothing in it; KN_ERROR_MEMORY.  The circuit may outlive the deck. */
enum kn_status deck_expand(const struct deck *k, const struct overrides *overrides, circuit_check *check,
                           struct kn_diagnostics *d, struct circuit **out);

#endif
