/* read_rc_line.c - U cards of SPICE, lines of distributed resistance and capacitance:
 *
 *     Uname node1 node2 capacitances model L=length [N=lumps]
 *     .model model urc (k=.. fmax=.. rperl=.. cperl=.. isperl=.. rsperl=..)
 *
 * Lumps as SPICE3 makes them (L. Gertzberrg's model, B. Johnson et al., SPICE3 Version 3f User's Manual, sections 3.3.5 and
 * 3.3.6): resistors from both ends to the middle, each K times that before it, and capacitances between them that grow likewise,
 * or diodes where isperl is given.  What the manual leaves open (the number of lumps, CPERL of 1 pF/m, RSPERL times the number
 * of lumps) is as the program has it.
 */
#include "netlist/ports/line_card.h"

#include <math.h>

enum { MOST_LUMPS = 200 };

struct rc_line {
    struct line_card line;
    int lumps;
    double growth;            /* K */
    double r, c_lump, is, rs; /* of the outermost lump: ohm, F, A, ohm of its diode */
    bool diodes;
};

size_t rc_line_parts(const struct statement *s)
{
    size_t words = 0;
    bool plain = true; /* without (3), of gates */
    for (const struct item *i = s->items->next; i; i = i->next) {
        plain = plain && i->kind == ITEM_WORD;
        words += !i->value;
    }
    return (s->items->text[0] | 0x20) == 'u' && plain && words == 4 ? 4 * MOST_LUMPS : 0;
}

/* ---- values ---- */

static bool read_value(const struct rc_line *u, const char *name, double *value)
{
    const struct item *given = line_setting(&u->line, name);
    return !given || expand_value(u->line.c->x, u->line.owner, given->value, value);
}

static bool read_own(const struct rc_line *u, const char *name, double *value)
{
    const struct item *given = card_assignment(u->line.c, name);
    return !given || card_value(u->line.c, given->value, value);
}

static bool bad_value(const struct rc_line *u, const char *what)
{
    return card_fail(u->line.c, "line-values", line_place(&u->line), NULL, "distributed RC line '%s': %s",
                     u->line.c->e->name, what);
}

/* The manual's N = ln(2 pi fmax R C ((k-1)/k)^2) / ln k, at least 3, with R and C of the whole line.  The program takes 3 below
 * 2 pi fmax R C = 35, whatever K is. */
static double usual_lumps(double growth, double fmax_, double r, double c)
{
    const double pi = 3.14159265358979323846, ends = (growth - 1) / growth, norm = 2 * pi * fmax_ * r * c;
    return norm < 35 ? 3 : fmax(3, floor(log(norm * ends * ends) / log(growth)));
}

static bool read_values(struct rc_line *u)
{
    double k = 1.5, top = 1e9, rperl = 1000, cperl = 1e-12, isperl = 0, rsperl = 0, length = 0, lumps = 0, m = 1;
    if (!read_value(u, "k", &k) || !read_value(u, "fmax", &top) || !read_value(u, "rperl", &rperl) ||
        !read_value(u, "cperl", &cperl) || !read_value(u, "isperl", &isperl) || !read_value(u, "rsperl", &rsperl) ||
        !read_own(u, "l", &length) || !read_own(u, "n", &lumps) || !read_own(u, "m", &m))
        return false;
    if (!(length > 0))
        return bad_value(u, card_assignment(u->line.c, "l") ? "L must be above 0" : "it needs a length, L=..");
    if (!(k > 1 && top > 0 && rperl > 0 && cperl > 0 && isperl >= 0 && rsperl >= 0 && m > 0))
        return bad_value(u, "K must be above 1, all other values of its model above 0");
    lumps = lumps > 0 ? floor(lumps) : usual_lumps(k, top, length * rperl, length * cperl);
    if (!(lumps >= 1 && lumps <= MOST_LUMPS))
        return bad_value(u, "it would need more than 200 lumps");
    const double of_r = (k - 1) / (2 * pow(k, lumps) - 2), of_c = (k - 1) / (pow(k, lumps - 1) * (k + 1) - 2);
    u->lumps = (int)lumps;
    u->growth = k;
    u->diodes = line_setting(&u->line, "isperl") != NULL;
    u->r = length * rperl * of_r / m;
    u->c_lump = length * cperl * of_c * m;
    u->is = length * isperl * of_c * m;
    u->rs = length * lumps * rsperl / m;
    return true;
}

/* ---- elements ---- */

static const char *part_name(const struct rc_line *u, const char *part, int number)
{
    return arena_format(line_arena(&u->line), "%s%d", part, number);
}

static bool add_resistor(struct rc_line *u, const char *part, int number, int a, int b, double times)
{
    return line_two_terminal(&u->line, 'r', part_name(u, part, number), (const int[2]){a, b}, times * u->r);
}

static bool add_capacitance(struct rc_line *u, const char *side, int number, int node, int ground, double times)
{
    struct card *c = u->line.c;
    const char *part = arena_format(line_arena(&u->line), "%c%s%d", u->diodes ? 'd' : 'c', side, number);
    const int nodes[2] = {node, ground};
    if (!u->diodes)
        return line_two_terminal(&u->line, 'c', part, nodes, times * u->c_lump);
    const struct setting settings[] = {line_model_value(&u->line, "is", times * u->is),
                                       line_model_value(&u->line, "rs", u->rs / times),
                                       line_model_value(&u->line, "cjo", times * u->c_lump)};
    struct element *e = line_element(&u->line, 'd', part, nodes, 2);
    if (e)
        e->model =
            expand_model_of(c->x, e->name, "d", settings, sizeof settings / sizeof *settings, line_place(&u->line));
    return e && e->model;
}

static int new_node(const struct rc_line *u, const char *side, int number)
{
    const char *name = part_name(u, side, number);
    return name ? expand_new_internal_node(u->line.c->x, u->line.c->e, name, line_place(&u->line)) : -1;
}

/* From both ends, `low` and `high`, inwards; the last lump's node is that of both sides. */
static bool add_lumps(struct rc_line *u, int low, int high, int ground)
{
    double times = 1;
    for (int i = 1; i <= u->lumps; i++, times *= u->growth) {
        const bool middle = i == u->lumps;
        const int next_high = new_node(u, "hi", i), next_low = middle ? next_high : new_node(u, "lo", i);
        if (next_high < 0 || next_low < 0)
            return deck_no_memory(u->line.c->x->deck);
        if (!add_resistor(u, "rlo", i, low, next_low, times) || !add_resistor(u, "rhi", i, next_high, high, times) ||
            !add_capacitance(u, "lo", i, next_low, ground, times) ||
            (!middle && !add_capacitance(u, "hi", i, next_high, ground, times)))
            return false;
        low = next_low;
        high = next_high;
    }
    return true;
}

bool read_rc_line(struct card *c)
{
    static const char *const taken[] = {"l", "n", "m", NULL};
    struct rc_line u = {.line = {.c = c}};
    const int *nodes;
    if (!line_find_model(&u.line, "urc", "define it: .model name urc rperl=.. cperl=.."))
        return false;
    if (!card_node_list(c, 3, &nodes, USE_TERMINAL, "the name of a node") || !card_settings(c, taken) ||
        !read_values(&u))
        return false;
    c->kind = c->e->kind = catalogue_letter(c->x->deck->catalogue, 'r');
    return add_lumps(&u, nodes[0], nodes[1], nodes[2]);
}
