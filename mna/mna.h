/* mna.h - modified nodal analysis: from a circuit description to a DAE.
 *
 * Numbers the unknowns (node voltages first, then what devices ask for), makes the shared pattern of G and C and fixes
 * every slot once; evaluates  f = G0 x + s(t) + nonlinear,  q = C0 x + nonlinear.
 */
#ifndef MNA_MNA_H
#define MNA_MNA_H

#include "devices/device.h"
#include "devices/noise.h"
#include "devices/outside.h"
#include "devices/setup.h"
#include "integrators/dae.h"
#include "netlist/circuit.h"

struct mna;

/* SPICE's defaults: V, A and S, and its reltol, by which results are read: nobody sees a smaller part of what there is move or missing. */
static const struct {
    double vntol, abstol, gmin, reltol;
} MNA_SPICE = {.vntol = 1e-6, .abstol = 1e-12, .gmin = 1e-12, .reltol = 1e-3};
/* Rows of dense matrices whose decomposition, eigenvalues included, is a matter of a second. */
enum { MNA_MOST_DENSE = 400 };

struct mna_options {
    double vntol, abstol; /* V, A: absolute tolerances of voltages and currents */
    double gmin;          /* S across pn junctions, part of the device model */
    size_t threads;       /* that may share an evaluation where that takes less time; 0: one */
    /* Asked in every evaluation and in long loops; true ends what is being done with KN_INTERRUPTED.  NULL: never. */
    bool (*interrupted)(void *context);
    /* Told how far the search of an operating point has got on its present way, from 0 to 1.  NULL: not wanted. */
    void (*advanced)(void *context, double part);
    void *context;
};

/* Options of the deck's .options card (vntol, abstol, gmin), SPICE's defaults 1e-6 V, 1e-12 A, 1e-12 S. */
struct mna_options mna_options_of(const struct circuit *c);

/* The circuit must outlive the result. */
enum kn_status mna_new(const struct circuit *c, const struct mna_options *o, struct kn_diagnostics *d,
                       struct mna **out);
void mna_free(struct mna *m);

/* Whether the caller wants an end, see mna_options. */
bool mna_interrupted(const struct mna *m);
void mna_advanced(const struct mna *m, double part);

const struct circuit *mna_circuit(const struct mna *m);
const struct dae *mna_dae(const struct mna *m);
int mna_unknown_count(const struct mna *m);
/* i from 0 (the DAE's numbering; device code counts from 1). */
const struct unknown *mna_unknown(const struct mna *m, int i);
/* Voltages that nonlinear laws state: the laws of the dae, then those of laws that are controlled by their own current. */
const struct dae_law *mna_laws(const struct mna *m, size_t *count);
/* The size that unknown i has in most circuits: 1 V, 1 mA. */
double mna_typical_size(const struct mna *m, int i);
/* Where the deck says for the first time that there is such an unknown. */
struct kn_location mna_unknown_place(const struct mna *m, int i);
/* DAE index of the voltage of a circuit node (-1 for ground) and of an element's branch current (-1 if none). */
int mna_node_unknown(const struct mna *m, int node);
int mna_current_unknown(const struct mna *m, int element);
/* "R1 (line 3), C2 (line 4), ..": the elements that meet at an unknown. */
void mna_describe(const struct mna *m, int unknown, char *buffer, size_t size);

/* Marks the equations [n] to which nonlinear elements contribute entries of G. */
void mna_nonlinear_rows(const struct mna *m, const double *G, bool *rows);

/* The element whose formula had no value in the last evaluation of the equations that gave none, at or after a time
 * (s), and which function in it: "sqrt(-0.1), the square root of a negative number".  NULL if there was none. */
const struct element *mna_describe_fault(const struct mna *m, double since, double *time, char *text, size_t size);

/* Notes on the formulas that have a value at a point x [n] because a quotient of two zeros is 0. */
void mna_report_bounds(const struct mna *m, double time, const double *x, struct kn_diagnostics *d);
/* Warnings about those that have a value but no finite slope there: equations linearised at x do not show it. */
void mna_report_slopes(const struct mna *m, double time, const double *x, struct kn_diagnostics *d);

/* Solution point and its time derivative [n each] for mna_probed_current; it holds until the next evaluation of the
 * DAE. */
void mna_probe(struct mna *m, double t, const double *x, const double *dxdt);
/* Whether what is read of an element there depends on the time derivative, which may be NULL where no element's does. */
bool mna_needs_slopes(const struct mna *m, int element);
/* Current of an element into terminal 0.. */
double mna_probed_current(const struct mna *m, int element, int terminal);

/* Quantity of an element by its number (kind_quantity) at that point. */
double mna_probed_quantity(const struct mna *m, int element, int quantity);

/* ---- small signals about a point (small_signal.c): (G + j w C) X = B, X and B [n] ---- */

/* Adds what an element gives to B as a source of the phasor `value`; returns the phasor of the whole source, which may be
 * several in parallel; 0 for elements that are no sources. */
double _Complex mna_excite(struct mna *m, int element, double _Complex value, double _Complex *B);
/* Adds to G what devices are for small signals alone; returns whether that is anything. */
bool mna_alternate(const struct mna *m, double *G);
/* What delays add at the frequency w (1/s) to A = G + j w C and to dA/dw (values of the pattern). */
void mna_delay(const struct mna *m, double w, double _Complex *A, double _Complex *dAdw);
/* The operating point and a frequency. */
struct mna_small_point {
    const double *x0; /* [n] */
    double hertz;
};
/* Where a current flows into an element. */
struct mna_terminal {
    int element, terminal;
};
/* The phasor of such a current, sources aside, from those of x and dx/dt about such a point; workspace [4 n]. */
double _Complex mna_small_current(struct mna *m, struct mna_terminal of, struct mna_small_point from,
                                  const double _Complex *X, const double _Complex *dXdt, double *workspace);

/* The noise of all devices at a point x, unknown numbers from 1, 0 is ground.  Free with noise_list_free, also after a
 * failure. */
enum kn_status mna_noise(struct mna *m, const double *x, struct noise_list *out);

/* Puts what devices remember besides charges into the table, by the names of elements; false without memory. */
bool mna_remember(const struct mna *m, struct arena *arena, struct name_table *memories);
/* Equations of the same elements with other values go on from there.  KN_ERROR_MEMORY; or KN_ERROR_CIRCUIT, then *lost is the first
 * element that cannot. */
enum kn_status mna_recall(struct mna *m, const struct name_table *memories, const struct element **lost);

/* The two-terminal branches of all devices, for topology.h; unknown numbers from 1, 0 is ground.  Free with
 * branch_list_free (devices/setup.h). */
enum kn_status mna_branches(const struct mna *m, struct branch_list *out);

/* ic= values of elements.  Free with initial_list_free (devices/setup.h). */
enum kn_status mna_initial_values(const struct mna *m, struct initial_list *out);

/* Index classes of the unknowns from the topological analysis; numbers from 0, copied. */
void mna_set_classes(struct mna *m, const enum dae_class *classes);
/* Beside which other an unknown of index 2 is so, see struct dae; numbers from 0, copied. */
enum kn_status mna_set_beside(struct mna *m, const int *beside);

/* Nodes inside devices behind series resistances: struct dae, inner; on those to ground they are read as currents, too: readings.  And
 * ends of lines: waves. */
enum kn_status mna_set_inner(struct mna *m, const struct branch_list *list);

/* Handles for the operating point's homotopies; normal values are 1 and 0. */
void mna_set_source_scale(struct mna *m, double scale);
void mna_set_junction_gmin(struct mna *m, double gmin);
/* Another DC value (V, A) for an independent source, from now on. */
void mna_set_dc(struct mna *m, int element, double value);
/* Who gives the values of sources that take them from outside; it must outlive the system. */
void mna_set_outside(struct mna *m, const struct outside *o);
/* Whether what follows is the search of an operating point (rest of struct device_class). */
void mna_set_rest(struct mna *m, bool rests);
/* A run begins at t from the operating point x [n]: what delays let through before is that. */
void mna_begin(struct mna *m, double t, const double *x);

#endif
