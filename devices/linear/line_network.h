/* line_network.h - the equations of a line with losses as a linear network: unknowns of its own, constant entries, and
 * waves of its sections that arrive a delay later.
 *
 * Three kinds of lines, by what the conductor has for its length:
 *     with inductance and capacitance   sections of waves (line_waves.c)
 *     with resistance and capacitance   the modes of diffusion (line_modes.c)
 *     without any storage               cosh and sinh of its attenuation (line_modes.c)
 *
 * Unknowns are numbered inside the network: the nodes of the two ports, the currents into their first nodes, then what
 * the line needs besides.  Rows likewise; the row of a current is the equation of its port, in volts or amperes, and rows
 * of further voltages are equations in volts, but for the nodes between sections, where currents meet.
 */
#ifndef DEVICES_LINEAR_LINE_NETWORK_H
#define DEVICES_LINEAR_LINE_NETWORK_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* Of the whole line: ohm, H, S, F. */
struct line_totals {
    double r, l, g, c;
};

enum { LINE_GROUND = -1, LINE_A_PLUS, LINE_A_MINUS, LINE_B_PLUS, LINE_B_MINUS, LINE_I1, LINE_I2, LINE_OWN };

enum line_unknown {
    LINE_STATE,   /* a voltage with an equation of its own */
    LINE_FLOW,    /* a current with an equation of its own, in volts */
    LINE_NODE,    /* between two sections */
    LINE_CURRENT, /* into a port of a section inside the line */
};

struct line_entry {
    int row, column;
    double value; /* of the column itself; of its rate: s times as much */
    bool rate;
};

struct line_port {
    int plus, minus, current;
};

/* What travels: w = v + z i goes into a port, r = v - z i comes out of it. */
enum line_wave { WAVE_IN_1, WAVE_IN_2, WAVE_OUT_1, WAVE_OUT_2, LINE_WAVES };

/* value times the wave of a section one delay before, in a row. */
struct line_late {
    int row;
    size_t section;
    enum line_wave wave;
    double value;
};

struct line_network {
    struct arena *arena;
    bool full; /* without memory: nothing more was added */
    enum line_unknown *own;
    size_t own_count, own_capacity;
    struct line_entry *entries;
    size_t entry_count, entry_capacity;
    struct line_late *late;
    size_t late_count, late_capacity;
    struct line_port (*sections)[2]; /* [section_count], all with the same impedance and delay */
    size_t section_count;
    double delay, impedance; /* s, ohm: of one section; of a line without waves the impedance of a port */
    bool rests_on_far;       /* without storage: the first port is a current, the second a voltage, by the other's */
};

/* Number of a further unknown. */
int line_unknown_add(struct line_network *n, enum line_unknown kind);
void line_entry_add(struct line_network *n, int row, int column, double value, bool rate);
/* value times the half sum (even) or half difference of the same unknown of both ports, or of its rate. */
void line_mode_add(struct line_network *n, int row, const int columns[2], bool odd, double value, bool rate);
void line_late_add(struct line_network *n, const struct line_late *late);

/* The longest attenuation of a section, in nepers: what is left of a front is e^-3 of it, and sums of its kernels lose two
 * digits to each other. */
#define LINE_SECTION_LOSS 3.0
/* Sections that are too many. */
enum { LINE_SECTIONS_MOST = 400 };

/* How many sections of waves a line with inductance and capacitance needs. */
double line_sections_needed(const struct line_totals *t);

/* Each makes the network of a line in the arena; false without memory. */
bool line_make_waves(struct line_network *n, const struct line_totals *t);
bool line_make_modes(struct line_network *n, const struct line_totals *t);
bool line_make_static(struct line_network *n, const struct line_totals *t);

/* The admittances of the even and the odd mode at s = j w: 1 / impedance of half the line, open and shorted in the
 * middle.  For small signals and noise. */
void line_mode_admittances(const struct line_totals *t, double w, double _Complex *even, double _Complex *odd);

#endif
