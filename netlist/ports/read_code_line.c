/* read_code_line.c - ngspice's code models of lines with a constant impedance and attenuation, and of strips over a substrate:
 *
 *     Aname in out v1sens v2sens model              .model model tline(l=length z=ohm a=dB/m)
 *                                                   .model model mlin(w= l= er= h= ..)
 *     Aname p1 p2 p3 p4 p1s p2s p3s p4s model       .model model cpline(l= ze= zo= ere= ero= ae= ao=)
 *                                                   .model model cpmlin(w= l= s= er= h= ..)
 *
 * Each port lies between two nodes; those of the second half, by which the model there measures voltages, are those of the first.
 * p1 to p2 and p4 to p3 are two equal conductors over a common one, of whose even and odd mode Z and the square of c0/velocity
 * are known.  A line whose losses do not depend on the frequency distorts nothing: R/L = G/C (Heaviside 1887), R = alpha Z
 * and G = alpha/Z.  Sources: ngspice's manual (46), "Transmission lines", and Qucs, whose components they are: a is in dB for
 * each metre, of which ngspice takes half in .ac and nothing in .tran; its .tran leaves ere and ero out as well.  Strips are O lines
 * (devices/microstrip/), two of them by their even and odd mode.
 */
#include "netlist/ports/line_card.h"
#include "netlist/ports/port_reader.h"

#include <math.h>
#include <string.h>

enum { TLINE_PORTS = 4, CPLINE_PORTS = 8 };

static const double light = 299792458;              /* m/s */
static const double neper = 0.11512925464970228420; /* of a decibel: ln(10)/20 */

#define PAIR(port_name, port_type)                                                                                     \
    {                                                                                                                  \
        .name = port_name, .direction = PORT_BOTH, .type = port_type, .allowed = 1u << PORT_HD | 1u << PORT_VD         \
    }

static const struct port_info tline_ports[TLINE_PORTS] = {PAIR("in", PORT_HD), PAIR("out", PORT_HD),
                                                          PAIR("V1sens", PORT_VD), PAIR("V2sens", PORT_VD)};
static const struct port_info cpline_ports[CPLINE_PORTS] = {
    PAIR("p1", PORT_HD),  PAIR("p2", PORT_HD),  PAIR("p3", PORT_HD),  PAIR("p4", PORT_HD),
    PAIR("p1s", PORT_VD), PAIR("p2s", PORT_VD), PAIR("p3s", PORT_VD), PAIR("p4s", PORT_VD)};

bool card_is_code_line(const struct card *c)
{
    return port_model(c, "tline") || port_model(c, "cpline") || port_model(c, "mlin") || port_model(c, "cpmlin");
}

/* Must be positive, or not negative where it may be zero. */
static bool number_of(const struct line_card *l, const char *name, double fallback, bool may_be_zero, double *value)
{
    const struct item *given = line_setting(l, name);
    *value = fallback;
    if (given && !expand_value(l->c->x, l->owner, given->value, value))
        return false;
    return (*value > 0 && isfinite(*value)) || (may_be_zero && *value == 0) ||
           card_fail(l->c, "value-range", given ? given->where : line_place(l), NULL,
                     "model '%s': %s must be %s, but is %g", l->model->name, name,
                     may_be_zero ? "at least 0" : "greater than 0", *value);
}

/* The nodes of the ports, [count] pairs; ground where a port has one node. */
static bool read_nodes(struct card *c, const struct port_info *ports, size_t count, int (*nodes)[2])
{
    const struct element_kind *own = c->kind;
    struct element_kind line = *own;
    line.noun = "line";
    line.nodes = count == TLINE_PORTS ? "in out v1sens v2sens" : "p1 p2 p3 p4 p1s p2s p3s p4s";
    line.ports = ports;
    line.port_count = count;
    struct port_reader r = {.c = c, .kind = &line};
    c->kind = &line; /* what messages say of the card */
    const bool good = port_reader_read(&r, c->word_count - 1);
    c->kind = own;
    for (size_t k = 0; good && k < count; k++) {
        const struct connection *at = &r.connections[k];
        nodes[k][0] = r.nodes[at->plus];
        nodes[k][1] = at->minus < 0 ? 0 : r.nodes[at->minus];
    }
    return good;
}

/* What measures stands where the port does. */
static bool check_sensors(const struct card *c, const struct port_info *ports, int (*nodes)[2], size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (nodes[k][0] != nodes[count + k][0] || nodes[k][1] != nodes[count + k][1])
            return card_fail(c, "unsupported", c->statement->items->where, NULL,
                             "'%s': port '%s' must have the nodes of port '%s'", c->e->name, ports[count + k].name,
                             ports[k].name);
    return true;
}

/* The model, and the nodes of the ports between which the line lies. */
static bool read_line(struct line_card *l, const char *type, const struct port_info *ports, size_t count,
                      int (*nodes)[2])
{
    return line_find_model(l, type, NULL) && read_nodes(l->c, ports, count, nodes) &&
           check_sensors(l->c, ports, nodes, count / 2);
}

/* The O line between two ports, its model not told yet. */
static struct element *line_between(struct line_card *l, int (*nodes)[2])
{
    return line_element(l, 'o', "line", (const int[4]){nodes[0][0], nodes[0][1], nodes[1][0], nodes[1][1]}, 4);
}

static bool read_tline(struct line_card *l)
{
    int nodes[TLINE_PORTS][2];
    double length, z, loss;
    if (!read_line(l, "tline", tline_ports, TLINE_PORTS, nodes) || !number_of(l, "l", 1, false, &length) ||
        !number_of(l, "z", 50, false, &z) || !number_of(l, "a", 0, true, &loss))
        return false;
    line_check_settings(l, "l z a");
    const struct setting settings[] = {line_model_value(l, "l", z / light), line_model_value(l, "c", 1 / (z * light)),
                                       line_model_value(l, "r", neper * loss * z),
                                       line_model_value(l, "g", neper * loss / z), line_model_value(l, "len", length)};
    struct element *e = line_between(l, nodes);
    if (!e)
        return false;
    e->model = expand_model_of(l->c->x, e->name, "ltra", settings, sizeof settings / sizeof *settings, line_place(l));
    l->c->kind = e->kind;
    return e->model != NULL;
}

static bool read_mlin(struct line_card *l)
{
    int nodes[TLINE_PORTS][2];
    struct card *c = l->c;
    if (!read_line(l, "mlin", tline_ports, TLINE_PORTS, nodes))
        return false;
    struct element *e = line_between(l, nodes);
    if (!e)
        return false;
    e->model = expand_model(c->x, c->at, c->words[c->word_count - 1], &e->kind);
    c->kind = e->kind;
    return e->model != NULL;
}

static bool read_mode(const struct line_card *l, const char *const names[3], double z, double er,
                      struct line_mode *mode)
{
    if (!number_of(l, names[0], z, false, &mode->impedance) || !number_of(l, names[1], er, false, &er) ||
        !number_of(l, names[2], 0, true, &mode->attenuation))
        return false;
    mode->delay = sqrt(er) / light;
    mode->attenuation *= neper;
    return true;
}

/* Both conductors and their reference at either end. */
static bool pair_ends(struct line_card *l, int (*nodes)[2], int ends[6])
{
    const int of[6] = {nodes[0][0], nodes[3][0], nodes[0][1], nodes[1][0], nodes[2][0], nodes[1][1]};
    memcpy(ends, of, sizeof of);
    return (nodes[0][1] == nodes[3][1] && nodes[1][1] == nodes[2][1]) ||
           card_fail(l->c, "unsupported", line_place(l), "give both conductors of an end one reference",
                     "'%s': the second nodes of p1 and p4, and those of p2 and p3, must be one", l->c->e->name);
}

static bool read_cpline(struct line_card *l)
{
    static const char *const even[] = {"ze", "ere", "ae"}, *const odd[] = {"zo", "ero", "ao"};
    struct line_mode modes[2];
    int nodes[CPLINE_PORTS][2];
    double length;
    if (!read_line(l, "cpline", cpline_ports, CPLINE_PORTS, nodes) || !number_of(l, "l", 1, false, &length) ||
        !read_mode(l, even, 50, 1, &modes[0]) || !read_mode(l, odd, 50, 1, &modes[1]))
        return false;
    line_check_settings(l, "l ze zo ere ero ae ao");
    int ends[6];
    return pair_ends(l, nodes, ends) && line_add_pair(l, ends, modes, length);
}

/* A microstrip line of the even and one of the odd mode: what the model says, and which. */
static bool read_cpmlin(struct line_card *l)
{
    static const struct {
        const char *name;
        double fallback;
        bool may_be_zero;
    } values[] = {{"l", 1, false},      {"w", 1e-3, false},   {"s", 1e-3, false},     {"model", 0, true},
                  {"disp", 0, true},    {"er", 9.8, false},   {"h", 1e-3, false},     {"t", 35e-6, true},
                  {"tand", 2e-4, true}, {"d", 0.15e-6, true}, {"rho", 0.022e-6, true}};
    enum { COUNT = sizeof values / sizeof *values, MODE = COUNT, RUNS, SETTINGS };
    struct setting settings[SETTINGS];
    const struct model *lines[2];
    int nodes[CPLINE_PORTS][2], ends[6];
    double value;
    if (!read_line(l, "cpmlin", cpline_ports, CPLINE_PORTS, nodes) || !pair_ends(l, nodes, ends))
        return false;
    for (size_t k = 0; k < COUNT; k++) {
        if (!number_of(l, values[k].name, values[k].fallback, values[k].may_be_zero, &value))
            return false;
        settings[k] = line_model_value(l, values[k].name, value);
    }
    if (!number_of(l, "tranmodel", 0, true, &value))
        return false;
    settings[RUNS] = line_model_value(l, "tranmodel", value);
    line_check_settings(l, "l w s model disp er h t tand d rho tranmodel");
    for (size_t mode = 0; mode < 2; mode++) {
        settings[MODE] = line_model_value(l, "mode", (double)mode + 1);
        lines[mode] = expand_model_of(l->c->x, l->model->name, "mlin", settings,
                                      line_setting(l, "tranmodel") ? SETTINGS : RUNS, line_place(l));
        if (!lines[mode])
            return false;
    }
    return line_add_modes(l, ends, lines);
}

bool read_code_line(struct card *c)
{
    static const struct {
        const char *type;
        bool (*read)(struct line_card *l);
    } readers[] = {{"tline", read_tline}, {"mlin", read_mlin}, {"cpline", read_cpline}, {"cpmlin", read_cpmlin}};
    struct line_card l = {.c = c};
    size_t k = 0;
    while (!port_model(c, readers[k].type))
        k++;
    return readers[k].read(&l) && card_settings(c, NULL);
}
