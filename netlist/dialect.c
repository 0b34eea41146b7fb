/* dialect.c - see dialect.h. */
#include "netlist/dialect.h"

#include "base/names.h"

#include <stddef.h>
#include <string.h>

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

static const struct {
    const char *template, *quantity;
} templates[] = {
    {"lv9", "vth"}, {"lv10", "vdsat"}, {"lx1", "vbs"}, {"lx2", "vgs"},  {"lx3", "vds"},
    {"lx4", "id"},  {"lx7", "gm"},     {"lx8", "gds"}, {"lx9", "gmbs"},
};

const char *dialect_template_quantity(const char *template, const char *element)
{
    const char *point = strrchr(element, '.'), *own = point ? point + 1 : element;
    if (*own != 'm' && *own != 'M')
        return NULL;
    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++)
        if (names_equal(templates[i].template, template))
            return templates[i].quantity;
    return NULL;
}
