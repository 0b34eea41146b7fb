/* dialect.h - whose decks a text is one of: where two programs read the same words differently, it decides.
 *
 * A deck has one dialect (struct deck), which its circuit and its outermost scope take over. */
#ifndef NETLIST_DIALECT_H
#define NETLIST_DIALECT_H

#include <stdbool.h>

enum dialect {
    DIALECT_SPICE, /* none in particular: knoten's own reading, ngspice's with what all others have where that is free */
    DIALECT_NGSPICE,
    DIALECT_LTSPICE,
    DIALECT_PSPICE,
    DIALECT_HSPICE,
    DIALECT_XYCE,
    DIALECT_KICAD, /* ngspice's language, KiCad's names of nets */
    DIALECTS
};

/* A set of dialects. */
#define DIALECT_BIT(dialect) (1u << (dialect))

/* "ngspice", as --dialect takes it; "spice" for none in particular. */
const char *dialect_name(enum dialect dialect);
/* As people write it: "LTspice". */
const char *dialect_title(enum dialect dialect);
/* False where none has this name. */
bool dialect_by_name(const char *name, enum dialect *dialect);

/* HSPICE's templates of MOS and bipolar transistors and diodes, lx7(m1): the quantity of that element that each is here, "gm".  Source: Star-HSPICE
 * Manual, release 2001.2, element template output.  NULL: it is none, or nothing here. */
const char *dialect_template_quantity(const char *template, const char *element);

#endif
