/* dialect.c - see dialect.h. */
#include "netlist/dialect.h"

#include "base/names.h"

#include <stddef.h>

static const struct {
    const char *name, *title;
} dialects[DIALECTS] = {
    [DIALECT_SPICE] = {"spice", "SPICE"},       [DIALECT_NGSPICE] = {"ngspice", "ngspice"},
    [DIALECT_LTSPICE] = {"ltspice", "LTspice"}, [DIALECT_PSPICE] = {"pspice", "PSpice"},
    [DIALECT_HSPICE] = {"hspice", "HSPICE"},    [DIALECT_XYCE] = {"xyce", "Xyce"},
    [DIALECT_KICAD] = {"kicad", "KiCad"},
};

const char *dialect_name(enum dialect dialect)
{
    return dialects[dialect].name;
}

const char *dialect_title(enum dialect dialect)
{
    return dialects[dialect].title;
}

bool dialect_by_name(const char *name, enum dialect *dialect)
{
    for (size_t i = 0; i < DIALECTS; i++)
        if (names_equal(dialects[i].name, name)) {
            *dialect = (enum dialect)i;
            return true;
        }
    return false;
}
