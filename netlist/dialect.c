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

/* HSPICE manual, element template listings: of MOS transistors, bipolar ones and diodes. */
static const struct {
    char letter;
    const char *template, *quantity;
} templates[] = {
    {'m', "lv9", "vth"}, {'m', "lv10", "vdsat"}, {'m', "lx1", "vbs"}, {'m', "lx2", "vgs"},  {'m', "lx3", "vds"},
    {'m', "lx4", "id"},  {'m', "lx7", "gm"},     {'m', "lx8", "gds"}, {'m', "lx9", "gmbs"}, {'q', "lx0", "vbe"},
    {'q', "lx1", "vbc"}, {'q', "lx2", "ic"},     {'q', "lx3", "ib"},  {'q', "lx4", "gpi"},  {'q', "lx5", "gmu"},
    {'q', "lx6", "gm"},  {'q', "lx7", "go"},     {'d', "lx0", "vd"},  {'d', "lx1", "id"},   {'d', "lx2", "gd"},
};

const char *dialect_template_quantity(const char *template, const char *element)
{
    const char *point = strrchr(element, '.'), *own = point ? point + 1 : element;
    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++)
        if ((*own | 0x20) == templates[i].letter && names_equal(templates[i].template, template))
            return templates[i].quantity;
    return NULL;
}
