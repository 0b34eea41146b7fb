/* ports.c - see ports.h.
 *
 * A source of 1 V behind z0_k at port k, the others at 0 V behind theirs: with the voltages V at the ports
 *     S_jk = 2 V_j sqrt(z0_k / z0_j) - (1 where j = k)
 * (Kurokawa, IEEE Trans. Microwave Theory Tech. 13 (1965) 194, for real z0).  With D = diag(sqrt(z0))
 *     Y = D^-1 (1 - S) (1 + S)^-1 D^-1,     Z = D (1 + S) (1 - S)^-1 D.
 */
#include "analyses/small_signal/ports.h"

#include "sparse/complex_matrix.h"
#include "sparse/lapack.h"

#include <math.h>
#include <string.h>

/* 1 + S or 1 - S is singular where its reciprocal condition is below this: rounding of S; a determinant, where its terms leave less. */
static const double SINGULAR = 1e-13;

static enum kn_status fail(struct kn_diagnostics *d, struct kn_location where, const char *what)
{
    diagnostics_add(d, KN_ERROR, "ports", where, "V1 in 0 DC 0 AC 1 portnum 1 z0 50", "'.sp': %s", what);
    return KN_ERROR_DECK;
}

/* The resistor that the reader has put behind the port (expand_parasitics.c), named after the source. */
static bool take_port(struct arena *a, const struct circuit *c, const struct element *e, struct port *p)
{
    const char *name = arena_format(a, "%s#z0", e->name);
    const int number = name ? circuit_find_element(c, name) : -1;
    if (number < 0)
        return false;
    const struct element *z0 = &c->elements[number];
    *p = (struct port){e->number, z0->nodes[0], e->nodes[1], z0->value};
    return true;
}

enum kn_status ports_find(struct arena *a, const struct circuit *c, struct kn_location where, struct kn_diagnostics *d,
                          struct ports *out)
{
    int highest = 0;
    out->count = 0;
    for (size_t i = 0; i < c->element_count; i++) {
        out->count += c->elements[i].source.port > 0;
        highest = c->elements[i].source.port > highest ? c->elements[i].source.port : highest;
    }
    out->list = arena_array(a, (size_t)highest + 1, sizeof *out->list);
    if (!out->list)
        return KN_ERROR_MEMORY;
    for (int i = 0; i < highest; i++)
        out->list[i].element = -1;
    if (highest == 0)
        return fail(d, where, "the circuit has no ports: give voltage sources a portnum");
    for (size_t i = 0; i < c->element_count; i++) {
        const struct element *e = &c->elements[i];
        if (e->source.port == 0)
            continue;
        struct port *p = &out->list[e->source.port - 1];
        if (p->element >= 0)
            return fail(d, e->where, diagnostics_hint(d, "port %d is there twice", e->source.port));
        if (!take_port(a, c, e, p))
            return KN_ERROR_MEMORY;
    }
    for (int i = 0; i < highest; i++)
        if (out->list[i].element < 0)
            return fail(d, where, diagnostics_hint(d, "there is a port %d, but no port %d", highest, i + 1));
    return KN_OK;
}

bool port_matrices_new(struct arena *a, const struct ports *p, struct port_matrices *out)
{
    const size_t size = (size_t)p->count * (size_t)p->count;
    out->S = arena_array(a, size, sizeof *out->S);
    out->Y = arena_array(a, size, sizeof *out->Y);
    out->Z = arena_array(a, size, sizeof *out->Z);
    out->H = arena_array(a, size, sizeof *out->H);
    return out->S && out->Y && out->Z && out->H;
}

void port_incidence(const struct linear *l, const struct port *p, double complex *v)
{
    const struct mna *m = l->setup->mna;
    const int plus = mna_node_unknown(m, p->plus), minus = mna_node_unknown(m, p->minus);
    memset(v, 0, (size_t)l->n * sizeof *v);
    if (plus >= 0)
        v[plus] += 1;
    if (minus >= 0)
        v[minus] -= 1;
}

static double complex across(const struct linear *l, const struct port *p, const double complex *X)
{
    const struct mna *m = l->setup->mna;
    const int plus = mna_node_unknown(m, p->plus), minus = mna_node_unknown(m, p->minus);
    return (plus >= 0 ? X[plus] : 0) - (minus >= 0 ? X[minus] : 0);
}

static void find_scattering(const struct linear *l, const struct ports *p, double complex *X, double complex *S)
{
    const int n = p->count;
    for (int k = 0; k < n; k++) {
        memset(X, 0, (size_t)l->n * sizeof *X);
        mna_excite(l->setup->mna, p->list[k].element, 1, X);
        linear_solve(l, X);
        for (int j = 0; j < n; j++)
            S[j * n + k] = 2 * across(l, &p->list[j], X) * sqrt(p->list[k].z0 / p->list[j].z0) - (j == k);
    }
}

/* ---- .net ----
 *
 * Of two excitations that the circuit around the ports does not let depend on each other the voltages V at the ports and the currents I
 * into them are linear functions of one another, whatever the ports are loaded by: Y takes V to I, Z takes I to V, S the waves
 * (V + z0 I) / sqrt(z0) to (V - z0 I) / sqrt(z0).  Directly, since by way of S what is far from z0 would lose its digits.
 * The impedance seen at a port is that with the other one loaded: the input by rout, the output by rin (HSPICE Command
 * Reference, .NET; LTspice's help, .NET: "the ports will be terminated"). */

enum kn_status ports_of_network(struct arena *a, const struct circuit *c, const struct port_network *n,
                                struct ports *out)
{
    const struct element *e = &c->elements[n->source];
    const int rser = n->rser ? circuit_find_element(c, n->rser) : -1;
    *out = (struct ports){arena_array(a, 2, sizeof *out->list), n->two ? 2 : 1, true};
    if (!out->list)
        return KN_ERROR_MEMORY;
    out->list[0] =
        e->kind->sets_voltage
            ? (struct port){n->source, rser >= 0 ? c->elements[rser].nodes[0] : e->nodes[0], e->nodes[1], n->input}
            : (struct port){n->source, e->nodes[1], e->nodes[0], n->input}; /* where its current comes out */
    const struct request *r = &n->output;
    const int *ends = r->kind == REQUEST_CURRENT ? c->elements[r->element].nodes : NULL;
    out->list[1] = (struct port){ends ? r->element : -1, ends ? ends[0] : r->plus, ends ? ends[1] : r->minus, n->load};
    return KN_OK;
}

/* The current of an element that no phasor of a source drives. */
static double complex load_current(const struct linear *l, int element, const double complex *X, double complex *no,
                                   double *workspace)
{
    const struct mna_small_point from = {l->setup->operating, 0};
    return element < 0 ? 0
                       : mna_small_current(l->setup->mna, (struct mna_terminal){element, 0}, from, X, no, workspace);
}

/* For 1 V or 1 A of the source, k = 0, and 1 A into the output, k = 1. */
static void excite(const struct linear *l, const struct ports *p, int k, double complex *X)
{
    memset(X, 0, (size_t)l->n * sizeof *X);
    if (k == 0)
        mna_excite(l->setup->mna, p->list[0].element, 1, X);
    else
        port_incidence(l, &p->list[1], X);
    linear_solve(l, X);
}

/* above below^-1; NaN where below is singular up to rounding, whatever the units of its rows and the size of an excitation. */
static void divide(int n, const double complex *above, const double complex *below, double complex *out)
{
    const double complex *b = below, straight = n == 1 ? b[0] : b[0] * b[3], crossed = n == 1 ? 0 : b[1] * b[2];
    const double complex determinant = straight - crossed;
    const double complex adjugate[4] = {n == 1 ? 1 : b[3], n == 1 ? 0 : -b[1], n == 1 ? 0 : -b[2], b[0]};
    complex_multiply(n, above, adjugate, out);
    const bool exists = cabs(determinant) > SINGULAR * (cabs(straight) + cabs(crossed));
    for (int i = 0; i < n * n; i++)
        out[i] = exists ? out[i] / determinant : NAN;
}

/* The matrix between what the rows j of `above` and those of `below` are. */
static void relate(int n, const double complex *const above[2], const double complex *const below[2],
                   double complex *out)
{
    double complex over[4], under[4];
    for (int j = 0; j < n; j++) {
        memcpy(over + j * n, above[j], (size_t)n * sizeof *over);
        memcpy(under + j * n, below[j], (size_t)n * sizeof *under);
    }
    divide(n, over, under, out);
}

/* What is seen at port k while the others are loaded by their z0, so that no wave comes from there: V / I and I / V. */
static void find_driving_point(int n, int k, const double complex *const V[2], const double complex *const J[2],
                               const double complex *const in[2], struct port_matrices *out)
{
    double complex seen[4];
    const double complex *above[2] = {in[0], in[n - 1]}, *below[2] = {in[0], in[n - 1]};
    above[k] = V[k];
    below[k] = J[k];
    relate(n, above, below, seen);
    out->impedance[k] = seen[k * n + k];
    above[k] = J[k];
    below[k] = V[k];
    relate(n, above, below, seen);
    out->admittance[k] = seen[k * n + k];
}

/* Of columns k of two excitations: H takes the first current and the second voltage to the first voltage and the second
 * current (IEEE Std 100, hybrid parameters); of a single port it is Z. */
static void find_network(const struct ports *p, const double complex *V, const double complex *J,
                         struct port_matrices *out)
{
    const int n = p->count, last = n - 1;
    double complex in[4], from[4];
    for (int i = 0; i < n * n; i++) {
        const double z0 = p->list[i / n].z0;
        in[i] = (V[i] + z0 * J[i]) / sqrt(z0);
        from[i] = (V[i] - z0 * J[i]) / sqrt(z0);
    }
    const double complex *const voltages[] = {V, V + last * n}, *const currents[] = {J, J + last * n};
    const double complex *const waves[] = {in, in + last * n}, *const back[] = {from, from + last * n};
    const double complex *const above[] = {V, J + last * n}, *const below[] = {J, V + last * n};
    relate(n, back, waves, out->S);
    relate(n, currents, voltages, out->Y);
    relate(n, voltages, currents, out->Z);
    relate(n, above, below, out->H);
    for (int k = 0; k < n; k++)
        find_driving_point(n, k, voltages, currents, waves, out);
}

static enum kn_status network_matrices(struct arena *a, const struct linear *l, const struct ports *p,
                                       double complex *X, struct port_matrices *out)
{
    const int n = p->count, source = mna_current_unknown(l->setup->mna, p->list[0].element);
    double complex V[4], J[4], *no = arena_array(a, (size_t)l->n + 1, sizeof *no);
    double *workspace = arena_array(a, 4 * (size_t)l->n + 1, sizeof *workspace);
    if (!no || !workspace)
        return KN_ERROR_MEMORY;
    for (int k = 0; k < n; k++) {
        excite(l, p, k, X);
        for (int j = 0; j < n; j++) {
            const struct port *at = &p->list[j];
            V[j * n + k] = across(l, at, X);
            J[j * n + k] = j == 1        ? (k == 1) - load_current(l, at->element, X, no, workspace)
                           : source >= 0 ? -X[source]
                                         : (k == 0);
        }
    }
    find_network(p, V, J, out);
    return KN_OK;
}

/* ---- matrices ---- */

/* out := (1 - sign S) (1 + sign S)^-1; NAN where that does not exist. */
static enum kn_status transform(struct arena *a, int n, const double complex *S, double sign, double complex *out)
{
    const size_t size = (size_t)n * (size_t)n;
    double complex *below = arena_array(a, size, sizeof *below), *above = arena_array(a, size, sizeof *above);
    double reciprocal;
    if (!below || !above)
        return KN_ERROR_MEMORY;
    for (int i = 0; i < n * n; i++) {
        above[i] = (i % (n + 1) == 0) - sign * S[i];
        below[i] = (i % (n + 1) == 0) + sign * S[i];
    }
    const enum kn_status status = lapack_complex_inverse(n, below, &reciprocal);
    if (status != KN_OK)
        return status;
    complex_multiply(n, above, below, out);
    for (int i = 0; i < n * n && !(reciprocal > SINGULAR); i++)
        out[i] = NAN;
    return KN_OK;
}

static void scale(const struct ports *p, double exponent, double complex *m)
{
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j < p->count; j++)
            m[i * p->count + j] *= pow(p->list[i].z0 * p->list[j].z0, exponent);
}

static enum kn_status matrices_of_waves(struct arena *a, const struct linear *l, const struct ports *p,
                                        double complex *X, struct port_matrices *out)
{
    find_scattering(l, p, X, out->S);
    enum kn_status status = transform(a, p->count, out->S, 1, out->Y);
    if (status == KN_OK)
        status = transform(a, p->count, out->S, -1, out->Z);
    scale(p, -0.5, out->Y);
    scale(p, 0.5, out->Z);
    return status;
}

enum kn_status port_matrices_find(const struct linear *l, const struct ports *p, double complex *X,
                                  struct port_matrices *out)
{
    struct arena *a = arena_new();
    if (!a)
        return KN_ERROR_MEMORY;
    const enum kn_status status =
        p->of_network ? network_matrices(a, l, p, X, out) : matrices_of_waves(a, l, p, X, out);
    arena_free(a);
    return status;
}
