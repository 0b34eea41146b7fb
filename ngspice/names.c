/* names.c - see names.h. */
#include "ngspice/names.h"

#include "base/names.h"
#include "control/vectors/formula.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static void lower(char *text)
{
    for (; *text; text++)
        *text = (char)tolower((unsigned char)*text);
}

/* The letter of an element, behind the path of instances. */
static char letter_of(const char *element)
{
    const char *dot = strrchr(element, '.');
    return (char)tolower((unsigned char)(dot ? dot[1] : element[0]));
}

/* Whether ngspice gives the element a current of its own. */
static bool has_branch(char letter)
{
    return strchr("velhb", letter) != NULL;
}

/* What ngspice calls the current of an element without a branch of its own: that of collector or drain. */
static const char *current_of(char letter)
{
    return letter == 'q' ? "ic" : letter == 'i' ? "current" : strchr("dmjz", letter) ? "id" : "i";
}

static void name_current(const char *element, bool probes, char name[LONGEST_VECTOR])
{
    const char letter = letter_of(element);
    const bool own = strchr(element, '#') != NULL, inside = strchr(element, '.') != NULL && !own;
    char path[LONGEST_VECTOR];
    if (inside)
        snprintf(path, sizeof path, "%c.%.490s", letter, element);
    else
        snprintf(path, sizeof path, "%s", element);
    if (has_branch(letter) || own || probes)
        snprintf(name, LONGEST_VECTOR, "%.500s#branch", path);
    else
        snprintf(name, LONGEST_VECTOR, "@%.500s[%s]", path, current_of(letter));
}

/* ngspice gives a node whose name begins with a digit its V( ) back. */
static void name_node(const char *node, char name[LONGEST_VECTOR])
{
    const bool number = isdigit((unsigned char)node[0]);
    snprintf(name, LONGEST_VECTOR, "%s%.500s%s", number ? "V(" : "", node, number ? ")" : "");
    lower(name + number);
}

void names_of_vector(const struct vector_kept *v, bool probes, char name[LONGEST_VECTOR])
{
    const size_t length = strlen(v->name);
    const bool wrapped = v->of_analysis && length > 3 && v->name[1] == '(' && v->name[length - 1] == ')';
    const char letter = (char)(v->name[0] | 0x20);
    char inner[LONGEST_VECTOR];
    snprintf(inner, sizeof inner, "%.*s", (int)(length > 3 ? length - 3 : 0), v->name + 2);
    const bool is_scale = strcasecmp(inner, "v-sweep") == 0 || strcasecmp(inner, "i-sweep") == 0;
    if (wrapped && (letter == 'v' || is_scale)) {
        name_node(inner, name);
        return;
    }
    if (wrapped && letter == 'i')
        name_current(inner, probes, name);
    else if (wrapped && letter == 'p' && probes)
        snprintf(name, LONGEST_VECTOR, "%.500s:power", inner);
    else
        snprintf(name, LONGEST_VECTOR, "%s", v->name);
    lower(name);
}

/* Without the letter that ngspice puts in front of a path: "v.x1.v2". */
static const char *without_letter(const char *element)
{
    return element[0] && element[1] == '.' ? element + 2 : element;
}

/* Ours of the current or power that is meant; "" where that is not what the name is. */
static void translate(const char *name, char ours[LONGEST_VECTOR])
{
    static const char *const currents[] = {"[i]", "[ic]", "[id]", "[current]"};
    const char *branch = strstr(name, "#branch"), *power = strstr(name, ":power"), *bracket = strrchr(name, '[');
    const char *element = without_letter(name[0] == '@' ? name + 1 : name);
    bool is_current = false;
    ours[0] = '\0';
    for (size_t i = 0; bracket && name[0] == '@' && i < sizeof currents / sizeof *currents; i++)
        is_current |= strcasecmp(bracket, currents[i]) == 0;
    const char *end = is_current ? bracket : branch ? branch : power;
    if (end && end > element)
        snprintf(ours, LONGEST_VECTOR, "%c(%.*s)", is_current || branch ? 'i' : 'p', (int)(end - element), element);
}

bool names_listed(const struct vector_kept *v, const char *name)
{
    const char *inside = strchr(name, '#');
    return v->of_analysis ? !inside || strcmp(inside, "#branch") == 0 : name[0] != '@';
}

struct vector_kept *names_find(const struct plots *plots, const struct plot *p, const char *name)
{
    char ours[LONGEST_VECTOR];
    struct vector_kept *v = plot_find(p, name);
    translate(name, ours);
    if (!v && ours[0])
        v = plot_find(p, ours);
    return v ? v : plots_vector(plots, p, name);
}

/* The kinds of ngspice in their order: none, time, frequency, voltage, current, densities of both and their squares, squares
 * of both, pole, zero, S parameter, temperature, resistance, impedance, admittance, power, phase, decibel, capacitance. */
enum {
    TYPE_NONE,
    TYPE_TIME,
    TYPE_FREQUENCY,
    TYPE_VOLTAGE,
    TYPE_CURRENT,
    TYPE_VOLTAGE_DENSITY,
    TYPE_CURRENT_DENSITY,
    TYPE_POLE = 11,
    TYPE_ZERO,
    TYPE_S_PARAMETER,
    TYPE_TEMPERATURE,
    TYPE_RESISTANCE,
    TYPE_ADMITTANCE = 17,
    TYPE_POWER,
    TYPE_PHASE,
    TYPE_DECIBEL,
    TYPE_CAPACITANCE
};

static int type_by_name(const char *name)
{
    static const struct {
        const char *begin;
        int type;
    } types[] = {{"pole(", TYPE_POLE},
                 {"zero(", TYPE_ZERO},
                 {"s_", TYPE_S_PARAMETER},
                 {"temp-sweep", TYPE_TEMPERATURE},
                 {"res-sweep", TYPE_RESISTANCE}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strncasecmp(name, types[i].begin, strlen(types[i].begin)) == 0)
            return types[i].type;
    return TYPE_NONE;
}

int names_type(const struct vector_kept *v)
{
    switch (v->quantity) {
    case KN_TIME:
        return TYPE_TIME;
    case KN_FREQUENCY:
        return TYPE_FREQUENCY;
    case KN_VOLTAGE:
        return TYPE_VOLTAGE;
    case KN_CURRENT:
        return TYPE_CURRENT;
    case KN_VOLTAGE_DENSITY:
        return TYPE_VOLTAGE_DENSITY;
    case KN_CURRENT_DENSITY:
        return TYPE_CURRENT_DENSITY;
    case KN_ADMITTANCE:
        return TYPE_ADMITTANCE;
    case KN_POWER:
        return TYPE_POWER;
    case KN_PHASE:
        return TYPE_PHASE;
    case KN_DECIBEL:
        return TYPE_DECIBEL;
    case KN_CAPACITANCE:
        return TYPE_CAPACITANCE;
    case KN_OTHER:
    case KN_IMAGINARY:
    case KN_HARMONIC:
    case KN_REGION:
        break;
    }
    return v->of_analysis ? type_by_name(v->name) : TYPE_NONE;
}

char *names_keep(struct name_pool *pool, const char *text)
{
    if (!pool->arena && (pool->arena = arena_new()))
        pool->table = name_table_new(pool->arena);
    if (!pool->table)
        return NULL;
    char *kept = name_table_get(pool->table, text);
    if (!kept && (kept = arena_text(pool->arena, text, strlen(text))) && !name_table_put(pool->table, kept, kept))
        kept = NULL;
    return kept;
}
