/* cyclic_noise.c - see cyclic_noise.h.
 *
 * A current u(t) e^(j w t) into the equations, u of the period T, adds 1/T int a(t) u(t) dt to the output's phasor at w, a
 * being the periodic adjoint (waves.h).  White noise whose density follows the orbit is uncorrelated at different times:
 * what it adds is 1/T int |a_p - a_n|^2 S(t) dt.  Slow noise m(t) n(t), m^2 the density at 1 Hz, comes with each harmonic of
 * a m from another frequency of n (Telichevesky, Kundert and White, 33rd Design Automation Conf., 1996; Roychowdhury, Long
 * and Feldmann, IEEE J. Solid-State Circuits 33, 1998):
 *
 *     sum over k of |1/T int (a_p - a_n) m e^(j 2 pi k t / T) dt|^2 / |f + k/T|^e.
 */
#include "analyses/periodic/cyclic_noise.h"

#include "analyses/list.h"
#include "analyses/periodic/range.h"
#include "analyses/periodic/waves.h"
#include "analyses/small_signal/frequencies.h"
#include "base/array.h"
#include "base/names.h"
#include "devices/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 3, SIDEBANDS = 10, MOST_SIDEBANDS = 1000 };

static const char FORM[] = "write .pnoise v(out) dec points from to [sidebands=n]";

struct noisy_card {
    int plus, minus; /* unknowns from 0, -1: ground */
    struct frequency_sweep sweep;
    double sidebands;
};

struct cyclic_noise {
    struct setup *setup;
    struct periodic found;
    struct waves waves;
    struct noisy_card card;
    struct noise_list *lists;        /* [3 steps] sources at the stages */
    double complex *unit, *response; /* [n], [3 steps n] */
    struct kn_sink *sink;
    long rows;
};

bool cyclic_noise_is_asked(const struct analysis_card *card)
{
    return card->setting_count > 0 && names_equal(card->settings[0].name, "v");
}

static enum kn_status complain(const struct setup *s, struct kn_location where, const char *what)
{
    diagnostics_add(s->diagnostics, KN_ERROR, "pnoise-card", where, FORM, "'.pnoise': %s", what);
    return KN_ERROR_DECK;
}

/* v ( a [b] ), then frequencies; nodes are numbers where mna is not there yet. */
static enum kn_status read(const struct setup *s, const struct analysis_card *card, struct noisy_card *out)
{
    const struct range_number numbers[] = {{"sidebands", 0, MOST_SIDEBANDS, &out->sidebands}};
    const struct range_request r = {card, "pnoise-card", FORM, numbers, 1};
    int nodes[2] = {0, 0};
    size_t next = card->setting_count > 1 && strcmp(card->settings[1].name, "(") == 0 ? 2 : 1;
    *out = (struct noisy_card){.plus = -1, .minus = -1, .sidebands = SIDEBANDS};
    for (size_t k = 0; k < 2 && next < card->setting_count; k++) {
        const struct setting *word = &card->settings[next];
        if (k > 0 &&
            (names_equal(word->name, "dec") || names_equal(word->name, "oct") || names_equal(word->name, "lin")))
            break;
        nodes[k] = circuit_find_node(s->circuit, word->name);
        if (nodes[k] < 0)
            return complain(s, word->where, "there is no such node");
        next++;
    }
    if (s->mna) {
        out->plus = nodes[0] > 0 ? mna_node_unknown(s->mna, nodes[0]) : -1;
        out->minus = nodes[1] > 0 ? mna_node_unknown(s->mna, nodes[1]) : -1;
    }
    return range_read(s, &r, next, &out->sweep);
}

enum kn_status cyclic_noise_check(struct setup *s, const struct analysis_card *card)
{
    struct noisy_card unused;
    return read(s, card, &unused);
}

/* ---- densities ---- */

static double complex response_of(const struct cyclic_noise *c, size_t stage, const struct noise_source *s)
{
    return noise_response(s, c->response + stage * (size_t)c->waves.orbit->n);
}

static double white(const struct cyclic_noise *c, size_t source)
{
    double sum = 0;
    for (size_t stage = 0; stage < STAGES * (size_t)c->waves.orbit->steps; stage++) {
        const struct noise_source *s = &c->lists[stage].sources[source];
        sum += waves_weight(&c->waves, stage) * pow(cabs(response_of(c, stage, s)), 2) * s->density;
    }
    return sum;
}

static double slow(const struct cyclic_noise *c, size_t source, double frequency)
{
    const int bands = (int)c->card.sidebands;
    const double f0 = 1 / c->found.orbit.period;
    double all = 0;
    for (int k = -bands; k <= bands; k++) {
        double complex sum = 0;
        for (size_t stage = 0; stage < STAGES * (size_t)c->waves.orbit->steps; stage++) {
            const struct noise_source *s = &c->lists[stage].sources[source];
            const double angle = 2 * acos(-1) * k * waves_part(&c->waves, stage);
            sum += waves_weight(&c->waves, stage) * response_of(c, stage, s) * sqrt(s->density) * cexp(CMPLX(0, angle));
        }
        const double at = fabs(frequency + k * f0);
        if (sum != 0)
            all += pow(cabs(sum), 2) * noise_shape(&c->lists[0].sources[source], at);
    }
    return all;
}

static enum kn_status visit(void *context, size_t number, double frequency)
{
    struct cyclic_noise *c = context;
    double total = 0;
    (void)number;
    enum kn_status status = waves_set(&c->waves, 2 * acos(-1) * frequency);
    if (status == KN_OK)
        status = waves_adjoint(&c->waves, c->unit, c->response);
    if (status == KN_ERROR_CONVERGENCE)
        status = KN_ERROR_CIRCUIT;
    for (size_t i = 0; i < c->lists[0].count && status == KN_OK; i++)
        total += noise_is_white(&c->lists[0].sources[i]) ? white(c, i) : slow(c, i, frequency);
    if (status != KN_OK)
        return status;
    c->rows++;
    return c->sink->row(c->sink->context, (const double[]){frequency, sqrt(total)});
}

static enum kn_status write_table(struct cyclic_noise *c)
{
    static const struct kn_column names[] = {{"frequency", KN_FREQUENCY}, {"onoise_spectrum", KN_VOLTAGE_DENSITY}};
    const struct kn_table table = {c->setup->circuit->title, "Periodic Noise Spectral Density", names, 2, 1, 0};
    enum kn_status status = c->sink->begin(c->sink->context, &table);
    if (status != KN_OK)
        return status;
    status = frequencies_walk(c->setup, &c->card.sweep, visit, c);
    const enum kn_status ended = c->sink->end(c->sink->context, status);
    return status == KN_OK ? ended : status;
}

/* ---- the whole ---- */

/* As they are along the orbit, in one order. */
static enum kn_status find_sources(struct cyclic_noise *c)
{
    const struct orbit *o = &c->found.orbit;
    const size_t stages = STAGES * (size_t)o->steps;
    c->lists = calloc(stages + 1, sizeof *c->lists);
    enum kn_status status = c->lists ? KN_OK : KN_ERROR_MEMORY;
    for (size_t k = 0; k < stages && status == KN_OK; k++) {
        status = mna_noise(c->setup->mna, o->x + (k + 1) * (size_t)o->n, &c->lists[k]);
        if (status == KN_OK && c->lists[k].count != c->lists[0].count)
            status = KN_ERROR_ARGUMENT;
    }
    return status;
}

static enum kn_status prepare(struct cyclic_noise *c, const struct analysis_card *card,
                              struct analysis_summary *summary)
{
    struct setup *s = c->setup;
    enum kn_status status = periodic_find(s, analysis_card(s->circuit, ".pss", 0), &c->found, summary);
    if (status == KN_OK)
        status = read(s, card, &c->card);
    if (status == KN_OK)
        status = periodic_for_sidebands(&c->found, (int)c->card.sidebands, card);
    if (status == KN_OK)
        status = waves_init(&c->waves, &c->found.orbit);
    if (status == KN_OK)
        status = find_sources(c);
    if (status != KN_OK)
        return status;
    const size_t n = (size_t)c->found.orbit.n;
    c->unit = calloc(n + 1, sizeof *c->unit);
    c->response = calloc(STAGES * (size_t)c->found.orbit.steps * n + 1, sizeof *c->response);
    if (!c->unit || !c->response)
        return KN_ERROR_MEMORY;
    if (c->card.plus >= 0)
        c->unit[c->card.plus] += 1;
    if (c->card.minus >= 0)
        c->unit[c->card.minus] -= 1;
    return KN_OK;
}

enum kn_status cyclic_noise_run(struct setup *s, const struct analysis_card *card, struct kn_sink *sink,
                                struct analysis_summary *summary)
{
    struct cyclic_noise c = {.setup = s, .sink = sink};
    enum kn_status status = prepare(&c, card, summary);
    if (status == KN_OK)
        status = write_table(&c);
    summary->method = "shooting";
    summary->rows = c.rows;
    for (int k = 0; c.lists && k < STAGES * c.found.orbit.steps; k++)
        noise_list_free(&c.lists[k]);
    if (c.waves.orbit)
        waves_free(&c.waves);
    periodic_free(&c.found);
    free(c.lists);
    free(c.unit);
    free(c.response);
    return status;
}
