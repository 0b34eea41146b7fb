/* scattering.c - .sp and .net: S, Y and Z parameters between the ports of a circuit over the frequency, and their noise.
 *
 * With the circuit's own noise and all ports loaded by their z0, b_n = V / sqrt(z0) are the noise waves that leave the ports;
 * those of each source of noise come from one transposed solve per port.  Of them
 *     T b_n,  T = 2 D^-1 (1 + S)^-1,  D = diag(sqrt(z0)),
 * are the short-circuit noise currents, Cy = <T b_n (T b_n)^H> (Hillbrand and Russer, IEEE Trans. Circuits Syst. 23 (1976)
 * 235).  In front of the input of a two-port the same noise is a voltage v and a current i,
 *     v = sqrt(z0) (b_n1 - (1 + S11) b_n2 / S21),     i = -(b_n1 + (1 - S11) b_n2 / S21) / sqrt(z0),
 * which give the noise parameters (Rothe and Dahlke, Proc. IRE 44 (1956) 811); T0 = 290 K.  All sums are taken of each source
 * before squares: where ports are far from their z0 the waves cancel, and in squares twice as many digits of them.
 */
#include "analyses/analysis.h"
#include "analyses/measure/measure_rows.h"
#include "analyses/small_signal/frequencies.h"
#include "analyses/small_signal/ports.h"
#include "base/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const double T0 = 290; /* K, of the source to which noise figures refer (IEEE) */

/* Of a complex entry. */
struct part {
    enum request_part part;
    size_t from; /* column of its real part */
};

struct scattering {
    struct setup *setup;
    const struct port_request *request;
    struct kn_sink *sink;
    struct arena *arena;
    struct linear linear;
    struct ports ports;
    struct port_matrices matrices;
    struct noise_list sources;
    double complex *X;             /* [n] */
    double complex *waves;         /* [count x sources] what each source of noise sends out of each port, sqrt(W/Hz) */
    double complex *currents, *Cy; /* [count] of one source; [count x count] A^2/Hz */
    struct kn_column *columns;
    double *row;
    struct part *parts; /* [part_count] that .print asks for: the last columns */
    size_t part_count;
    size_t column_count;
    long rows;
    bool without_Y, without_Z, without_H; /* has been said */
};

static size_t count(const struct circuit *c)
{
    return c->port_request_count;
}

static const struct analysis_card *sweep(const struct circuit *c, size_t number)
{
    return c->port_requests[number].sweep.outer;
}

/* ---- columns ---- */

static bool add_column(struct scattering *s, const char *name, enum kn_quantity quantity)
{
    s->columns[s->column_count++] = (struct kn_column){name, quantity};
    return name != NULL;
}

static bool add_matrix(struct scattering *s, const char *matrix)
{
    bool good = true;
    for (int i = 1; i <= s->ports.count; i++)
        for (int j = 1; j <= s->ports.count; j++) {
            const char *name = arena_format(s->arena, "%s_%d_%d", matrix, i, j);
            good = add_column(s, name, KN_OTHER) && add_column(s, name, KN_IMAGINARY) && good;
        }
    return good;
}

static enum kn_quantity quantity_of(enum request_part part)
{
    return part == REQUEST_DECIBEL ? KN_DECIBEL : part == REQUEST_PHASE ? KN_PHASE : KN_OTHER;
}

/* "db(s_2_1)", once, where there is such an entry among the first columns. */
static void add_part(struct scattering *s, const char *label, enum request_part part, size_t entries)
{
    const char *inside = strchr(label, '(');
    bool known = !inside;
    for (size_t k = entries; k < s->column_count; k++)
        known |= names_equal(s->columns[k].name, label);
    for (size_t k = 0; k < entries && !known; k++)
        if (strlen(s->columns[k].name) + 2 == strlen(inside) &&
            strncasecmp(s->columns[k].name, inside + 1, strlen(inside) - 2) == 0) {
            s->parts[s->part_count++] = (struct part){part, k};
            known = add_column(s, label, quantity_of(part));
        }
}

static enum request_part part_of(const char *label)
{
    static const struct {
        const char *begin;
        enum request_part part;
    } parts[] = {{"db(", REQUEST_DECIBEL}, {"ph(", REQUEST_PHASE}, {"re(", REQUEST_REAL}, {"im(", REQUEST_IMAGINARY}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strncmp(label, parts[i].begin, 3) == 0)
            return parts[i].part;
    return REQUEST_MAGNITUDE;
}

/* Of .print and .measure. */
static bool add_parts(struct scattering *s)
{
    const struct circuit *c = s->setup->circuit;
    const size_t entries = s->column_count;
    s->parts = arena_array(s->arena, c->print_count + c->vector_count + 1, sizeof *s->parts);
    for (size_t i = 0; s->parts && i < c->print_count; i++)
        if (c->prints[i].kind == REQUEST_RESULT && c->prints[i].part != REQUEST_WHOLE)
            add_part(s, c->prints[i].label, c->prints[i].part, entries);
    for (size_t i = 0; s->parts && i < c->vector_count; i++)
        add_part(s, c->vectors[i], part_of(c->vectors[i]), entries);
    return s->parts != NULL;
}

static double value_of(const struct scattering *s, const struct part *p)
{
    const double complex z = CMPLX(s->row[p->from], s->row[p->from + 1]);
    switch (p->part) {
    case REQUEST_DECIBEL:
        return 20 * log10(cabs(z));
    case REQUEST_PHASE:
        return carg(z) * 180 / acos(-1);
    case REQUEST_REAL:
        return creal(z);
    case REQUEST_IMAGINARY:
        return cimag(z);
    default:
        return cabs(z);
    }
}

static bool has_figures(const struct scattering *s)
{
    return s->request->noise && s->ports.count == 2;
}

/* zin, yin, of two ports zout, yout; and H. */
static bool add_network(struct scattering *s)
{
    static const char *const names[] = {"zin", "yin", "zout", "yout"};
    bool good = add_matrix(s, "h");
    for (int i = 0; i < 2 * s->ports.count; i++)
        good = add_column(s, names[i], KN_OTHER) && add_column(s, names[i], KN_IMAGINARY) && good;
    return good;
}

static bool make_columns(struct scattering *s)
{
    const size_t n = (size_t)s->ports.count,
                 most = 1 + 8 * n * n + 5 + 5 * n + s->setup->circuit->print_count + s->setup->circuit->vector_count;
    s->columns = arena_array(s->arena, most, sizeof *s->columns);
    s->row = arena_array(s->arena, most, sizeof *s->row);
    bool good = s->columns && s->row && add_column(s, "frequency", KN_FREQUENCY) && add_matrix(s, "s") &&
                add_matrix(s, "y") && add_matrix(s, "z");
    if (good && s->request->network)
        good = add_network(s);
    if (good && s->request->noise)
        good = add_matrix(s, "cy");
    if (good && has_figures(s))
        good = add_column(s, "nf", KN_DECIBEL) && add_column(s, "nfmin", KN_DECIBEL) && add_column(s, "rn", KN_OTHER) &&
               add_column(s, "sopt", KN_OTHER) && add_column(s, "sopt", KN_IMAGINARY);
    for (int i = 1; i <= s->ports.count && good; i++)
        good = add_column(s, arena_format(s->arena, "z0_%d", i), KN_OTHER);
    return good && add_parts(s);
}

/* ---- noise ---- */

/* The waves, from the responses of the ports. */
static void find_waves(struct scattering *s, double frequency)
{
    const size_t n = (size_t)s->ports.count, sources = s->sources.count;
    for (size_t i = 0; i < n; i++) {
        port_incidence(&s->linear, &s->ports.list[i], s->X);
        linear_solve_transposed(&s->linear, s->X);
        for (size_t k = 0; k < sources; k++)
            s->waves[i * sources + k] = noise_response(&s->sources.sources[k], s->X) *
                                        sqrt(noise_density(&s->sources.sources[k], frequency) / s->ports.list[i].z0);
    }
}

/* Of source k the short-circuit current of port i: T = D^-1 (1 + D Y D), since 2 (1 + S)^-1 = 1 + (1 - S) (1 + S)^-1. */
static double complex current_of(const struct scattering *s, size_t i, size_t k)
{
    const size_t n = (size_t)s->ports.count, sources = s->sources.count;
    double complex sum = s->waves[i * sources + k] / sqrt(s->ports.list[i].z0);
    for (size_t j = 0; j < n; j++)
        sum += s->matrices.Y[i * n + j] * sqrt(s->ports.list[j].z0) * s->waves[j * sources + k];
    return sum;
}

static void find_currents(struct scattering *s)
{
    const size_t n = (size_t)s->ports.count;
    memset(s->Cy, 0, n * n * sizeof *s->Cy);
    for (size_t k = 0; k < s->sources.count; k++) {
        for (size_t i = 0; i < n; i++)
            s->currents[i] = current_of(s, i, k);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                s->Cy[i * n + j] += s->currents[i] * conj(s->currents[j]);
    }
}

struct figures {
    double factor, least, rn;
    double complex sopt;
};

/* v and i as combinations of the two waves; NAN where nothing gets through.  Without v (shunts alone) a source the nearer to a
 * short the better. */
static struct figures find_figures(const struct scattering *s)
{
    const double complex *S = s->matrices.S, *first = s->waves, *second = s->waves + s->sources.count;
    const double z0 = s->ports.list[0].z0, root = sqrt(z0), kT4 = 4 * DEVICE_BOLTZMANN * T0;
    double vv = 0, ii = 0;
    double complex iv = 0;
    for (size_t k = 0; k < s->sources.count; k++) {
        const double complex v = root * (first[k] - (1 + S[0]) * second[k] / S[2]);
        const double complex i = -(first[k] + (1 - S[0]) * second[k] / S[2]) / root;
        vv += creal(v * conj(v));
        ii += creal(i * conj(i));
        iv += i * conj(v);
    }
    struct figures f = {.rn = vv / kT4};
    const double complex correlated = vv > 0 ? iv / vv : 0;
    const double b = -cimag(correlated), g = vv > 0 ? sqrt(fmax(ii / vv - b * b, 0)) : 0;
    const double complex optimum = CMPLX(g, b);
    f.factor = 1 + (ii + vv / (z0 * z0) + 2 * creal(iv) / z0) * z0 / kT4;
    f.least = 1 + 2 * f.rn * (g + creal(correlated));
    f.sopt = vv > 0 ? (1 - z0 * optimum) / (1 + z0 * optimum) : ii > 0 ? -1 : 0;
    return f;
}

/* ---- one frequency ---- */

static void put(double **to, double value)
{
    *(*to)++ = value;
}

static void put_matrix(double **to, const double complex *m, int size)
{
    for (int k = 0; k < size; k++) {
        put(to, creal(m[k]));
        put(to, cimag(m[k]));
    }
}

static void put_network(double **to, const struct port_matrices *m, int ports)
{
    put_matrix(to, m->H, ports * ports);
    for (int k = 0; k < ports; k++) {
        put_matrix(to, &m->impedance[k], 1);
        put_matrix(to, &m->admittance[k], 1);
    }
}

static void fill_row(struct scattering *s, double frequency)
{
    const int size = s->ports.count * s->ports.count;
    double *to = s->row;
    put(&to, frequency);
    put_matrix(&to, s->matrices.S, size);
    put_matrix(&to, s->matrices.Y, size);
    put_matrix(&to, s->matrices.Z, size);
    if (s->request->network)
        put_network(&to, &s->matrices, s->ports.count);
    if (s->request->noise)
        put_matrix(&to, s->Cy, size);
    if (has_figures(s)) {
        const struct figures f = find_figures(s);
        put(&to, 10 * log10(f.factor));
        put(&to, 10 * log10(f.least));
        put(&to, f.rn);
        put_matrix(&to, &f.sopt, 1);
    }
    for (int i = 0; i < s->ports.count; i++)
        put(&to, s->ports.list[i].z0);
}

static void note_absence(const struct scattering *s, bool *said, const double complex *m, const char *what,
                         const char *why, double frequency)
{
    if (*said || !isnan(creal(m[0])))
        return;
    *said = true;
    diagnostics_add(s->setup->diagnostics, KN_NOTE, "no-matrix", s->request->sweep.where, NULL,
                    "'%s': there are no %s parameters at %g Hz, %s; they are NaN there",
                    s->request->network ? ".net" : ".sp", what, frequency, why);
}

static enum kn_status visit(void *context, size_t number, double frequency)
{
    struct scattering *s = context;
    (void)number;
    enum kn_status status = linear_factor(&s->linear, frequency);
    if (status == KN_OK)
        status = port_matrices_find(&s->linear, &s->ports, s->X, &s->matrices);
    if (status == KN_OK && s->request->noise) {
        find_waves(s, frequency);
        find_currents(s);
    }
    if (status != KN_OK)
        return status;
    note_absence(s, &s->without_Y, s->matrices.Y, "Y", "since voltages at the ports determine each other", frequency);
    note_absence(s, &s->without_Z, s->matrices.Z, "Z", "since currents into the ports determine each other", frequency);
    if (s->request->network)
        note_absence(s, &s->without_H, s->matrices.H, "H",
                     "since the first current and the second voltage determine each other", frequency);
    fill_row(s, frequency);
    for (size_t k = 0; k < s->part_count; k++)
        s->row[s->column_count - s->part_count + k] = value_of(s, &s->parts[k]);
    status = s->sink->row(s->sink->context, s->row);
    s->rows += status == KN_OK;
    return status;
}

/* ---- the analysis ---- */

static enum kn_status prepare(struct scattering *s, struct analysis_summary *summary)
{
    const struct circuit *c = s->setup->circuit;
    enum kn_status status = s->request->network
                                ? ports_of_network(s->arena, c, s->request->network, &s->ports)
                                : ports_find(s->arena, c, s->request->sweep.where, s->setup->diagnostics, &s->ports);
    if (status == KN_OK)
        status = linear_init(&s->linear, s->setup, summary);
    if (status == KN_OK && s->request->noise)
        status = mna_noise(s->setup->mna, s->setup->operating, &s->sources);
    if (status == KN_OK)
        status = linear_alternate(&s->linear);
    if (status != KN_OK)
        return status;
    const size_t n = (size_t)s->ports.count;
    s->X = arena_array(s->arena, (size_t)s->linear.n + 1, sizeof *s->X);
    s->waves = arena_array(s->arena, n * s->sources.count + 1, sizeof *s->waves);
    s->currents = arena_array(s->arena, n, sizeof *s->currents);
    s->Cy = arena_array(s->arena, n * n, sizeof *s->Cy);
    const bool good = s->X && s->waves && s->currents && s->Cy && port_matrices_new(s->arena, &s->ports, &s->matrices);
    return good && make_columns(s) ? KN_OK : KN_ERROR_MEMORY;
}

static enum kn_status write_table(struct scattering *s)
{
    const struct kn_table table = {s->setup->circuit->title, "SP Analysis", s->columns, s->column_count, 1, 0};
    enum kn_status status = s->sink->begin(s->sink->context, &table);
    if (status != KN_OK)
        return status;
    status = frequencies_walk(s->setup, &s->request->sweep, visit, s);
    const enum kn_status ended = s->sink->end(s->sink->context, status);
    return status == KN_OK ? ended : status;
}

/* The table with what .measure asks of it. */
static enum kn_status measure_table(struct scattering *s)
{
    struct kn_sink *const sink = s->sink;
    struct measure_rows rows;
    const struct measure_listener listener = setup_listener(s->setup);
    enum kn_status status =
        measure_rows_init(&rows, s->setup->circuit, MEASURE_OF_VECTORS, setup_results(s->setup), &listener, sink);
    struct kn_sink measured = measure_rows_sink(&rows);
    s->sink = &measured;
    status = status == KN_OK ? write_table(s) : status;
    s->sink = sink;
    measure_rows_free(&rows);
    return status;
}

static enum kn_status run(struct setup *setup, size_t number, struct kn_sink *sink, struct analysis_summary *summary)
{
    struct scattering s = {
        .setup = setup, .request = &setup->circuit->port_requests[number], .sink = sink, .arena = arena_new()};
    enum kn_status status = s.arena ? prepare(&s, summary) : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = measure_table(&s);
    summary->rows = s.rows;
    noise_list_free(&s.sources);
    linear_end(&s.linear, summary);
    arena_free(s.arena);
    return status;
}

const struct analysis analysis_scattering = SWEPT_ANALYSIS(
    ".sp", "S, Y and Z parameters between the ports of the circuit, and their noise, over the frequency");
