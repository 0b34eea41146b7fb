/* library.h - what a kn_circuit of knoten.h is, for the program on top of the library. */
#ifndef ANALYSES_LIBRARY_H
#define ANALYSES_LIBRARY_H

#include "analyses/run.h"

/* Values that count instead of the deck's. */
struct changes {
    struct arena *memory; /* of all of them; NULL: there are none */
    struct overrides all;
};

struct kn_circuit {
    struct deck *deck;        /* of the first variant */
    struct circuit *circuit;  /* the deck as it stands */
    struct variant *variants; /* [alters + 1][sections] */
    size_t alters, sections;  /* .alter blocks; sections on .step lib, 1 without one */
    struct changes changes;   /* the circuits have been made with */
    struct carry *carry;      /* its transient can go on with other values (transient/carry.h); NULL: it cannot */
    bool lent;                /* the deck is somebody else's */
    bool commanded;           /* by a .control block, which is not to be missed then */
};

/* A circuit with other values, which are copied: of `own`, a deck that becomes the circuit's, and is freed also where no
 * circuit can be made of it; own NULL: of all that `of` stands for, which must outlive the circuit. */
enum kn_status library_circuit(const struct kn_circuit *of, struct deck *own, const struct overrides *values,
                               struct kn_diagnostics *d, struct kn_circuit **out);
/* A copy with memory of its own. */
bool changes_copy(struct changes *out, const struct overrides *from);

/* As kn_circuit_read_file_as and kn_circuit_read_text_as (text NULL: name is the path of a file), with who is asked about a
 * deck with errors. */
enum kn_status library_read(const char *name, const char *text, size_t length, const char *dialect,
                            circuit_check *check, struct kn_diagnostics *d, struct kn_circuit **out);
/* All errors of a circuit that could be read: of its options, cards, devices and graph. */
void library_faults(const struct kn_circuit *c, struct kn_diagnostics *d);
/* Whether there are analyses that the deck asks for. */
bool library_asks(const struct circuit *c);
/* Whether the cards of its analyses can be read; errors are said, nothing is run. */
enum kn_status library_check(const struct kn_circuit *c, const struct kn_options *options, struct kn_diagnostics *d);

/* The circuit, with the analysis of a card as it stands behind the dot, "tran 1u 1m", instead of its own; more cards may
 * follow on lines of their own.  To be freed (kn_circuit_free) before c. */
enum kn_status library_with_card(const struct kn_circuit *c, const char *card, struct kn_diagnostics *d,
                                 struct kn_circuit **out);
/* The caller's options, as this version of the library knows them; NULL: none. */
const struct kn_options *library_options(const struct kn_options *given, struct kn_options *known);
/* Gives back what only further circuits of its deck would need, where running it makes none; it can then be run, and nothing
 * else. */
void library_forget_deck(const struct kn_circuit *c, const struct kn_options *options);
/* What a run of it is. */
struct run_request library_request(const struct kn_circuit *c, const struct kn_options *options,
                                   struct kn_diagnostics *d, struct kn_sink *sink, struct kn_summary *total);

#endif
