/* cards.c - the table of dot cards: what each is called and for, what becomes of it when the deck is read, and who reads
 * it in an expansion.  A new analysis is a row of cards.def and its reader. */
#include "netlist/cards.h"

#include "netlist/expand/expand.h"

enum {
    SPICE = 0, /* all */
    NGSPICE = DIALECT_BIT(DIALECT_NGSPICE) | DIALECT_BIT(DIALECT_KICAD),
    LTSPICE = DIALECT_BIT(DIALECT_LTSPICE),
    PSPICE = DIALECT_BIT(DIALECT_PSPICE),
    HSPICE = DIALECT_BIT(DIALECT_HSPICE),
    XYCE = DIALECT_BIT(DIALECT_XYCE),
};

/* .* stands for all cards that the catalogue hands on. */
const struct deck_card dot_cards[] = {
    {.name = ".*", .any_handed_on = true, .take = deck_keep_with_deck, .phase = PHASE_ANALYSES, .read = read_handed_on},
#define TAKEN(called, dialects, taker, line) {.name = (called), .of = (dialects), .doc = (line), .take = (taker)},
#define READ(called, dialects, taker, when, reader, line)                                                              \
    {.name = (called), .of = (dialects), .doc = (line), .take = (taker), .phase = PHASE_##when, .read = (reader)},
#define ANALYSIS(word, dialects, vectors, taker, when, reader, line)                                                   \
    {.name = "." word,                                                                                                 \
     .of = (dialects),                                                                                                 \
     .doc = (line),                                                                                                    \
     .analysis = (word),                                                                                               \
     .no_vectors = !(vectors),                                                                                         \
     .take = (taker),                                                                                                  \
     .phase = PHASE_##when,                                                                                            \
     .read = (reader)},
#include "netlist/cards.def"
#undef TAKEN
#undef READ
#undef ANALYSIS
    {.name = NULL},
};
