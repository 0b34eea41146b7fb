/* phase_noise.c - .pnoise: the phase noise of an oscillator.
 *
 * A small current into the equations at time t shifts the phase of the orbit for good by w(t)^T i dt seconds, where w
 * carries the left Floquet vector of the multiplier 1, u^T x' = 1, back along the orbit.  White noise makes the phase a
 * random walk of variance c t (Demir, Mehrotra and Roychowdhury, IEEE Trans. Circuits Syst. I 47, 2000):
 *
 *     c = 1/T int sum_k (w_p - w_n)^2 S_k/2 dt,   S_k one-sided, A^2/Hz,
 *
 * and of noise that is slow beside the period the mean counts (Demir, IEEE Trans. Circuits Syst. I 49, 2002):
 *
 *     c(f) = c + sum_k (1/T int (w_p - w_n) sqrt(S_k(1 Hz)/2) dt)^2 / f^e,
 *
 * the noise at the distance f from the carrier f_0, relative to its power, being
 *
 *     L(f) = 10 log10 (f_0^2 c(f) / (pi^2 f_0^4 c^2 + f^2))  dBc/Hz.
 */
#include "analyses/list.h"
#include "analyses/periodic/cyclic_noise.h"
#include "analyses/periodic/range.h"
#include "analyses/small_signal/frequencies.h"
#include "base/array.h"
#include "devices/noise.h"
#include "sparse/gmres.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BASIS = 250 };

static const char FORM[] = "write .pnoise dec points from to, or of a driven circuit .pnoise v(out) dec points from to";

/* Residual of the left vector. */
static const double SOLVED = 1e-10;

/* f, L and its part of white noise alone. */
enum { FREQUENCY, NOISE, WHITE, COLUMNS };

struct slow {
    double mean, exponent; /* integral of (w_p - w_n) sqrt(S(1 Hz)/2) dt */
};

struct phase_noise {
    struct periodic found;
    struct mna *mna;
    double white;      /* s^2: integral of sum (w_p - w_n)^2 S/2 dt */
    struct slow *slow; /* of each source, in the order of mna_noise */
    size_t count;
    struct frequency_sweep sweep; /* distances from the carrier */
    struct kn_sink *sink;
    long rows;
};

/* ---- along the orbit ---- */

/* Of noise whose density depends on the frequency neither a local time nor a mean over the period says enough. */
static enum kn_status refuse(const struct phase_noise *p, const struct noise_source *s)
{
    const struct setup *setup = p->found.setup;
    diagnostics_add(setup->diagnostics, KN_ERROR, "pnoise-card", s->at.element->where,
                    "make the line of resistors, capacitors and inductors",
                    "'.pnoise': the phase noise that '%s' causes cannot be found, since the density of a line's noise "
                    "depends on the frequency",
                    s->at.element->name);
    return KN_ERROR_CIRCUIT;
}

static enum kn_status take_point(void *context, const double *x, const double *response, double weight)
{
    struct phase_noise *p = context;
    struct noise_list list = {0};
    enum kn_status status = mna_noise(p->mna, x, &list);
    if (status == KN_OK && !array_resize(&p->slow, list.count + 1, sizeof *p->slow))
        status = KN_ERROR_MEMORY;
    for (; status == KN_OK && p->count < list.count; p->count++)
        p->slow[p->count] = (struct slow){0, 0};
    for (size_t i = 0; i < list.count && status == KN_OK; i++) {
        const struct noise_source *s = &list.sources[i];
        const double w = noise_response_real(s, response);
        p->slow[i].exponent = s->exponent;
        if (s->spectrum)
            status = refuse(p, s);
        else if (s->exponent == 0)
            p->white += weight * w * w * s->density / 2;
        else
            p->slow[i].mean += weight * w * sqrt(s->density / 2);
    }
    noise_list_free(&list);
    return status;
}

/* ((M - I)^T x'; x'^T 0) (u, s) = (0, 1), which is regular and has the left null vector of M - I with u^T x' = 1, in units
 * of what counts of each unknown. */
struct bordered_map {
    struct orbit *orbit;
    double *v, *border; /* [n] */
};

static enum kn_status apply_bordered(void *context, double complex *x)
{
    const struct bordered_map *m = context;
    struct orbit *o = m->orbit;
    const int n = o->n;
    double complex last = 0;
    for (int i = 0; i < n; i++) {
        m->v[i] = creal(x[i]) * o->scale[i];
        last += m->border[i] * x[i];
    }
    const enum kn_status status = orbit_apply(o, m->v, true);
    for (int j = 0; j < n; j++)
        x[j] = m->v[j] / o->scale[j] - x[j] + m->border[j] * x[n];
    x[n] = last;
    return status;
}

/* u [n] */
static enum kn_status left_vector(struct arena *memory, struct orbit *o, double *u)
{
    const int n = o->n;
    double complex *unit = arena_array(memory, (size_t)n + 1, sizeof *unit);
    double complex *x = arena_array(memory, (size_t)n + 1, sizeof *x);
    struct bordered_map map = {.orbit = o};
    const struct linear_map linear = {.n = n + 1, .context = &map, .apply = apply_bordered};
    double largest = 0;
    if (!unit || !x || !arena_vectors(memory, (size_t)n + 1, (double **const[]){&map.v, &map.border, NULL}))
        return KN_ERROR_MEMORY;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(o->by_period[i]) * o->scale[i]);
    for (int i = 0; i < n; i++)
        map.border[i] = o->by_period[i] * o->scale[i] / largest;
    unit[n] = 1;
    const enum kn_status status = gmres_solve(&linear, unit, SOLVED, BASIS, x, NULL);
    for (int i = 0; i < n && status == KN_OK; i++)
        u[i] = creal(x[i]) * o->scale[i] / largest;
    return status;
}

static enum kn_status integrate_noise(struct phase_noise *p)
{
    struct arena *memory = arena_new();
    double *u = memory ? arena_array(memory, (size_t)p->found.orbit.n + 1, sizeof *u) : NULL;
    enum kn_status status = u ? left_vector(memory, &p->found.orbit, u) : KN_ERROR_MEMORY;
    const struct orbit_visit visit = {p, take_point};
    if (status == KN_OK)
        status = orbit_adjoint(&p->found.orbit, u, &visit);
    arena_free(memory);
    return status;
}

/* ---- the spectrum ---- */

static double decibel(double f0, double c, double c_at, double f)
{
    const double pi = acos(-1), corner = pi * f0 * f0 * c;
    return 10 * log10(f0 * f0 * c_at / (corner * corner + f * f));
}

static enum kn_status visit(void *context, size_t number, double frequency)
{
    struct phase_noise *p = context;
    const double period = p->found.orbit.period, c = p->white / period;
    double row[COLUMNS] = {frequency}, all = c;
    (void)number;
    for (size_t i = 0; i < p->count; i++)
        if (p->slow[i].mean != 0)
            all += pow(p->slow[i].mean / period, 2) / pow(frequency, p->slow[i].exponent);
    row[NOISE] = decibel(1 / period, c, all, frequency);
    row[WHITE] = decibel(1 / period, c, c, frequency);
    p->rows++;
    return p->sink->row(p->sink->context, row);
}

static enum kn_status write_table(struct phase_noise *p)
{
    static const struct kn_column names[COLUMNS] = {
        {"frequency", KN_FREQUENCY}, {"phasenoise", KN_DECIBEL}, {"phasenoise_white", KN_DECIBEL}};
    struct setup *s = p->found.setup;
    const struct kn_table table = {s->circuit->title, "Phase Noise", names, COLUMNS, 1, 0};
    enum kn_status status = p->sink->begin(p->sink->context, &table);
    if (status != KN_OK)
        return status;
    status = frequencies_walk(s, &p->sweep, visit, p);
    const enum kn_status ended = p->sink->end(p->sink->context, status);
    return status == KN_OK ? ended : status;
}

static void report(const struct phase_noise *p)
{
    const double period = p->found.orbit.period, c = p->white / period, f0 = 1 / period;
    diagnostics_add(
        p->found.setup->diagnostics, KN_NOTE, "phase-noise", p->found.where, NULL,
        "white noise makes the phase of %.9g Hz walk by c = %.4g s: %.4g s rms from one period to the next, "
        "a line of %.4g Hz on either side",
        f0, c, sqrt(c * period), acos(-1) * f0 * f0 * c);
}

/* ---- the card ---- */

static enum kn_status complain(const struct setup *s, struct kn_location where, const char *what)
{
    diagnostics_add(s->diagnostics, KN_ERROR, "pnoise-card", where, FORM, "%s", what);
    return KN_ERROR_DECK;
}

static enum kn_status read_card(const struct setup *s, const struct analysis_card *card, struct frequency_sweep *out)
{
    const struct range_request r = {.card = card, .code = "pnoise-card", .form = FORM};
    return range_read(s, &r, 0, out);
}

static enum kn_status check(struct setup *s, const struct analysis_card *card)
{
    struct frequency_sweep unused;
    const enum kn_status status =
        cyclic_noise_is_asked(card) ? cyclic_noise_check(s, card) : read_card(s, card, &unused);
    if (status == KN_OK && analysis_count(&analysis_periodic, s->circuit) == 0)
        return complain(s, card->where, "there is no .pss card to say which oscillation it is of");
    return status;
}

static enum kn_status run(struct setup *s, size_t number, struct kn_sink *sink, struct analysis_summary *summary)
{
    const struct analysis_card *card = analysis_card(s->circuit, ".pnoise", number);
    struct phase_noise p = {.sink = sink};
    if (cyclic_noise_is_asked(card))
        return cyclic_noise_run(s, card, sink, summary);
    enum kn_status status = read_card(s, card, &p.sweep);
    if (status == KN_OK)
        status = periodic_find(s, analysis_card(s->circuit, ".pss", 0), &p.found, summary);
    if (status == KN_OK && !p.found.oscillates)
        status = complain(s, card->where, "the circuit is driven: its phase is that of its sources; name an output");
    p.mna = s->mna;
    if (status == KN_OK)
        status = integrate_noise(&p);
    if (status == KN_OK) {
        report(&p);
        status = write_table(&p);
    }
    summary->method = "shooting";
    summary->rows = p.rows;
    periodic_free(&p.found);
    free(p.slow);
    return status;
}

const struct analysis analysis_phase_noise = {
    .card = ".pnoise",
    .doc = "phase noise of the oscillator of .pss: .pnoise dec points from to; noise of a driven state: .pnoise v(out) "
           "dec ..",
    .check = check,
    .run = run,
};
