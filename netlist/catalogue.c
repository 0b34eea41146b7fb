/* catalogue.c - looking things up in the catalogue of elements. */
#include "netlist/catalogue.h"

#include "base/names.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

bool name_is_among(const char *names, const char *name)
{
    const size_t length = strlen(name);
    for (; names && *names; names += strspn(names, " ")) {
        const size_t size = strcspn(names, " ");
        if (size == length && strncasecmp(names, name, size) == 0)
            return true;
        names += size;
    }
    return false;
}

size_t parameter_row(struct parameter_table table, const char *name)
{
    size_t row = 0;
    while (row < table.count && !names_equal(table.rows[row].name, name) && !name_is_among(table.rows[row].alias, name))
        row++;
    return row;
}

/* ---- kinds ---- */

const struct element_kind *catalogue_kind(const struct catalogue *c, size_t i)
{
    struct catalogue_walk w = catalogue_walk(c);
    const struct element_kind *kind;
    while ((kind = catalogue_next(&w)) && i > 0)
        i--;
    return kind;
}

const struct element_kind *catalogue_letter(const struct catalogue *c, char letter)
{
    const struct element_kind *kind;
    for (struct catalogue_walk w = catalogue_walk(c); (kind = catalogue_next(&w));)
        if (kind->letter == letter)
            return kind;
    return NULL;
}

const struct model_type *kind_type(const struct element_kind *kind, const char *type)
{
    for (const struct model_type *t = kind->types; t && t->name; t++)
        if (names_equal(t->name, type))
            return t;
    return NULL;
}

static bool has_level(const struct element_kind *kind, double level)
{
    if (!kind->levels || isnan(level))
        return true;
    for (const struct model_level *l = kind->levels; l->number != 0; l++)
        if (l->number == level)
            return true;
    return false;
}

const char *kind_foreign_marks(const struct element_kind *kind, double level)
{
    const struct model_level *l = kind->contested;
    while (l && l->number != 0 && l->number != level)
        l++;
    return l ? l->name : NULL;
}

const struct element_kind *catalogue_find(const struct catalogue *c, char letter, const char *type, double level)
{
    const struct element_kind *kind;
    for (struct catalogue_walk w = catalogue_walk(c); (kind = catalogue_next(&w));)
        if (type && kind->letter == letter && has_level(kind, level) && kind_type(kind, type))
            return kind;
    return NULL;
}

const char *catalogue_type(const struct catalogue *c, const char *written)
{
    const struct element_kind *kind;
    for (struct catalogue_walk w = catalogue_walk(c); (kind = catalogue_next(&w));)
        for (const struct model_type *t = kind->types; t && t->name; t++)
            if (names_equal(t->name, written) || name_is_among(t->other, written))
                return t->name;
    return NULL;
}

const char *catalogue_levels(const struct catalogue *c, char letter, const char *type, struct arena *arena)
{
    const struct element_kind *kind;
    const char *text = "";
    for (struct catalogue_walk w = catalogue_walk(c); text && (kind = catalogue_next(&w));) {
        const bool fits = kind->letter == letter && kind_type(kind, type);
        for (const struct model_level *l = fits ? kind->levels : NULL; text && l && l->number != 0; l++)
            text = arena_format(arena, "%s%slevel %g%s%s", text, *text ? "; " : "", l->number, l->name ? ", " : "",
                                l->name ? l->name : "");
    }
    return text;
}

static const char *const port_types[PORT_TYPES] = {"v", "vd", "i", "id", "g", "gd", "h", "hd", "vnam", "d"};

enum port_type port_type_of(const char *name)
{
    int type = 0;
    while (type < PORT_TYPES && !names_equal(port_types[type], name))
        type++;
    return (enum port_type)type;
}

const char *const parasitic_names[] = {"rser", "lser", "rlshunt", "rpar", "cpar", NULL};

bool kind_has_parasitic(const struct element_kind *kind, const char *name)
{
    for (int i = 0; kind->parasitics && parasitic_names[i]; i++)
        if (kind->parasitics & (1u << i) && names_equal(parasitic_names[i], name))
            return true;
    return false;
}

static const struct quantity_info common_quantities[COMMON_QUANTITIES] = {
    [COMMON_POWER] = {"p", "power", "W", "power taken by the element"},
    [COMMON_CURRENT] = {"i", "c current", "A", "current into the first node"},
    [COMMON_VOLTAGE] = {"v", NULL, "V", "voltage of the first node against the second"},
};

const struct quantity_info *kind_quantity_info(const struct element_kind *kind, int number)
{
    const int own = (int)kind->quantities.count;
    return number < own ? &kind->quantities.rows[number] : &common_quantities[number - own];
}

bool quantity_is_current(const char *name)
{
    return name_is_among("i id ic current c", name);
}

int kind_quantity(const struct element_kind *kind, const char *name)
{
    const int all = (int)kind->quantities.count + COMMON_QUANTITIES;
    const bool has_current = kind->form != CARD_COUPLING && kind->form != CARD_INSTANCE;
    for (int i = 0; has_current && i < all; i++) {
        const struct quantity_info *q = kind_quantity_info(kind, i);
        if (names_equal(q->name, name) || name_is_among(q->alias, name))
            return i;
    }
    return -1;
}

struct node_counts kind_nodes(const struct element_kind *kind)
{
    struct node_counts counts = {0};
    for (const char *c = kind->nodes; c && *c; c++)
        if (*c == '[')
            counts.open++;
        else if (*c != ' ' && (c == kind->nodes || c[-1] == ' '))
            counts.least++;
    return counts;
}

const char *kind_usage(const struct element_kind *kind, struct arena *arena)
{
    return arena_format(arena, "%cname %s%s%s", toupper((unsigned char)kind->letter), kind->nodes ? kind->nodes : "",
                        kind->nodes ? " " : "", kind->usage);
}

/* ---- what other simulators have ---- */

const struct foreign_kind *foreign_letter(char letter)
{
    static const struct foreign_kind letters[] = {
        {"n", "Verilog-A devices", 0},
        {"p", "coupled lines", 0},
        {"y", "Y devices of this type", 4},
    };
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].name[0] == letter)
            return &letters[i];
    return NULL;
}

const struct foreign_kind *foreign_type(const char *type)
{
    static const struct foreign_kind types[] = {
        {"urc", NULL, 0},           {"neuron", NULL, 0},
        {"cpl", NULL, 0}, {"w", NULL, 0},       {"numd", NULL, 0},          {"nbjt", NULL, 0},
        {"numos", NULL, 0},      {"nigbt", "IGBTs", 0}, {"pigbt", "IGBTs", 0},     {"trn", NULL, 0},  {"soi", NULL, 0},           {"transline", NULL, 0},
        {"astate", NULL, 0},     {"cpline", NULL, 0},        {"cpmlin", NULL, 0},
        {"d_cosim", NULL, 0},    {"d_process", NULL, 0},     {"d_pwm", NULL, 0},
        {"d_to_real", NULL, 0},  {"delay", NULL, 0},     {"file_source", NULL, 0},   {"icm_spice2poly", NULL, 0},
        {"memristor", NULL, 0}, {"nco", NULL, 0},        {"ota", NULL, 0},       {"potentiometer", NULL, 0}, {"real_delay", NULL, 0},
        {"real_gain", NULL, 0},  {"real_to_v", NULL, 0}, {"seegen", NULL, 0},        {"sidiode", NULL, 0},
        {"spice2poly", NULL, 0}, {"table2d", NULL, 0},   {"table3d", NULL, 0},       {"tline", NULL, 0},
        {"xfer", NULL, 0},       {"adc", NULL, 0},       {"dac", NULL, 0},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (names_equal(types[i].name, type))
            return &types[i];
    return NULL;
}
