/* periodic.c - see periodic.h. */
#include "analyses/periodic/periodic.h"

#include "analyses/periodic/settle.h"
#include "base/names.h"
#include "devices/device.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    POINTS = 256,
    HARMONICS = 10,
    MOST_HARMONICS = 10000,
    MOST_RATIO = 1000,
    MOST_PARTS = 100,
    REFINEMENTS = 6,
    TIMES = 64
};

/* Periods that a driven circuit and an oscillator get to settle in. */
static const double SETTLING = 10;
/* Part of reltol to which an orbit closes, and the least that rounding allows. */
static const double CLOSED = 1e-3, LEAST_CLOSED = 1e-10;
/* Of a source's value. */
static const double ROUNDING = 1e-6;

/* ---- the card ---- */

static enum kn_status complain(const struct periodic *p, const struct setting *s, const char *what)
{
    const bool tones = names_equal(p->card->name, ".hb");
    diagnostics_add(p->setup->diagnostics, KN_ERROR, "pss-card", s ? s->where : p->where,
                    tones ? ".hb TONE [TONE ..] [nharms=N] [tstab=T], or .hb tones=TONE .."
                          : ".pss FREQUENCY [TSTAB] [NODE] [tstab=T] [osc=NODE] [points=N] [harms=N]",
                    "%s", what);
    return KN_ERROR_DECK;
}

/* "out" or "v(out)" */
static int node_called(const struct circuit *c, const char *text)
{
    char name[200];
    const size_t length = strlen(text);
    const bool wrapped = length > 3 && (text[0] == 'v' || text[0] == 'V') && text[1] == '(' && text[length - 1] == ')';
    snprintf(name, sizeof name, "%.*s", (int)(wrapped ? length - 3 : length), wrapped ? text + 2 : text);
    return circuit_find_node(c, name);
}

static enum kn_status read_oscillator(struct periodic *p, const struct setting *s, const char *name)
{
    p->node = node_called(p->setup->circuit, name);
    p->oscillates = true;
    if (p->node <= 0) {
        p->node = 0;
        diagnostics_add(p->setup->diagnostics, KN_WARNING, "pss-card", s->where, NULL,
                        "there is no node '%s'; the phase of the oscillator is that of a node that moves much", name);
    }
    return KN_OK;
}

static enum kn_status read_count(struct periodic *p, const struct setting *s, double least, double most,
                                 const char *what, int *out)
{
    if (!(s->has_value && !s->text && s->value >= least && s->value <= most && s->value == floor(s->value)))
        return complain(p, s, what);
    *out = (int)s->value;
    return KN_OK;
}

static enum kn_status read_points(struct periodic *p, const struct setting *s)
{
    return read_count(p, s, 2, 1e6, "the points must be a whole number from 2 to 1e6", &p->points);
}

/* Each costs as many looks at the orbit as there are. */
static enum kn_status read_harmonics(struct periodic *p, const struct setting *s)
{
    return read_count(p, s, 1, 1e4, "the harmonics must be a whole number from 1 to 10000", &p->harmonics);
}

/* Bare words in ngspice's order: frequency, tstab, node, points, harmonics, iterations, steadycoeff; the last two are
 * those of its own method. */
static enum kn_status read_bare(struct periodic *p, const struct setting *s, int place)
{
    if (place == 0) {
        p->frequency = s->has_value ? s->value : 0;
        return p->frequency > 0 ? KN_OK : complain(p, s, "the frequency must be a number greater than 0");
    }
    if (place == 1 && s->has_value) {
        p->settling = s->value;
        return s->value >= 0 ? KN_OK : complain(p, s, "the time to settle must not be negative");
    }
    if (place == 2)
        return read_oscillator(p, s, s->name);
    if (place == 3)
        return read_points(p, s);
    if (place == 4)
        return read_harmonics(p, s);
    /* The orbit is looked for from the values of .ic in any case. */
    return place < 7 || names_equal(s->name, "uic") ? KN_OK : complain(p, s, "nothing is known of this");
}

static enum kn_status read_named(struct periodic *p, const struct setting *s)
{
    if (names_equal(s->name, "osc"))
        return read_oscillator(p, s, s->text ? s->text : "");
    if (names_equal(s->name, "points"))
        return read_points(p, s);
    if (names_equal(s->name, "harms"))
        return read_harmonics(p, s);
    if (!names_equal(s->name, "tstab"))
        return complain(p, s, "nothing is known of this");
    if (s->text || !(s->value >= 0))
        return complain(p, s, "the time to settle must be a number that is not negative");
    p->settling = s->value;
    return KN_OK;
}

/* ---- .hb: tones, whose common period is that of the state ---- */

/* Of two frequencies, as whole multiples of which they can be told from rounding. */
static double common_frequency(double a, double b)
{
    const double rounding = 1e-9 * fmax(a, b);
    while (b > rounding) {
        const double rest = fmod(a, b);
        a = b;
        b = b - rest > rounding ? rest : 0;
    }
    return a;
}

/* The nearest tone that has a common period with the others, which are multiples of `common`. */
static enum kn_status complain_of_tone(const struct periodic *p, const struct setting *s, double common, double highest)
{
    const int most = (int)fmax(1, fmin(MOST_PARTS, floor(MOST_RATIO * common / highest)));
    double nearest = INFINITY, base = common;
    for (int parts = 1; parts <= most; parts++) {
        const double unit = common / parts, tone = fmax(1, round(s->value / unit)) * unit;
        if (fabs(tone - s->value) < (1 - 1e-9) * fabs(nearest - s->value)) {
            nearest = tone;
            base = unit;
        }
    }
    struct kn_diagnostics *d = p->setup->diagnostics;
    diagnostics_add(
        d, KN_ERROR, "pss-card", s->where,
        diagnostics_hint(d,
                         "write %.9g here and in its source, so that all are multiples of %.6g Hz; or take .tran "
                         "and .fft with a window, which know any tones",
                         nearest, base),
        "the tones have no common period that is less than a thousand of the fastest one's");
    return KN_ERROR_DECK;
}

static enum kn_status add_tone(struct periodic *p, const struct setting *s, double *highest)
{
    const double others = p->frequency;
    if (!(s->has_value && !s->text && s->value > 0))
        return complain(p, s, "a tone must be a frequency greater than 0");
    p->frequency = p->frequency > 0 ? common_frequency(p->frequency, s->value) : s->value;
    *highest = fmax(*highest, s->value);
    if (*highest > MOST_RATIO * p->frequency)
        return complain_of_tone(p, s, others, *highest);
    return KN_OK;
}

/* Bare numbers go on with the list that the last name began, tones at first. */
static enum kn_status read_tones(struct periodic *p)
{
    enum kn_status status = KN_OK;
    double highest = 0;
    bool of_tones = true;
    p->frequency = 0;
    for (size_t i = 0; i < p->card->setting_count && status == KN_OK; i++) {
        const struct setting *s = &p->card->settings[i];
        const bool named = s->has_value && s->name[0] != '\0' && !strchr("0123456789.+-", s->name[0]);
        if (named && !names_equal(s->name, "tones") && !names_equal(s->name, "nharms")) {
            status = read_named(p, s);
            continue;
        }
        of_tones = named ? names_equal(s->name, "tones") : of_tones;
        const int before = named ? 0 : p->harmonics;
        status = of_tones ? add_tone(p, s, &highest) : read_harmonics(p, s);
        p->harmonics = of_tones || p->harmonics > before ? p->harmonics : before;
    }
    if (status == KN_OK && p->frequency == 0)
        return complain(p, NULL, "the frequency of the tone is missing");
    p->harmonics = (int)fmin(MOST_HARMONICS, round(p->harmonics * highest / p->frequency));
    p->settles_by_itself = p->settling < 0;
    p->settling = p->settles_by_itself ? SETTLING / p->frequency : p->settling;
    return status;
}

static enum kn_status read_card(struct periodic *p)
{
    enum kn_status status = KN_OK;
    int place = 0;
    if (names_equal(p->card->name, ".hb"))
        return read_tones(p);
    for (size_t i = 0; i < p->card->setting_count && status == KN_OK; i++) {
        const struct setting *s = &p->card->settings[i];
        if (names_equal(s->name, "sweep"))
            return complain(p, s, ".pss has no sweep of its own; write .step with the same words on a line of its own");
        const bool bare = !s->has_value || s->name[0] == '\0' || strpbrk(s->name, "0123456789.+-") == s->name;
        status = bare ? read_bare(p, s, place++) : read_named(p, s);
    }
    if (status == KN_OK && place == 0)
        status = complain(p, NULL, "the frequency is missing: of an oscillator about where it is expected");
    p->settles_by_itself = p->settling < 0;
    p->settling = p->settles_by_itself ? SETTLING / p->frequency : p->settling;
    return status;
}

/* ---- the circuit ---- */

/* The first element to which things happen that no unknown knows of; NULL: there is none. */
static const struct element *find_eventful(const struct circuit *c)
{
    for (size_t i = 0; i < c->element_count; i++) {
        const struct device_class *own = device_class_of(c->elements[i].kind);
        if ((own->together ? own->together : own)->arrive)
            return &c->elements[i];
    }
    return NULL;
}

/* What an orbit that is followed from any start does not know of. */
static enum kn_status check_circuit(const struct periodic *p)
{
    const struct dae *dae = mna_dae(p->setup->mna);
    char owner[200] = "a switch";
    const char *what = NULL;
    for (int i = 0; i < dae->switch_count && !what; i++)
        if (dae->may_be_left && !dae->may_be_left(dae->problem, i)) {
            if (dae->describe_switch)
                dae->describe_switch(dae->problem, i, owner, sizeof owner);
            what = "has a state of its own (hysteresis)";
        }
    if (!what && dae->largest_step < INFINITY) {
        snprintf(owner, sizeof owner, "a line or a delay");
        what = "remembers a waveform";
    }
    const struct element *eventful = what ? NULL : find_eventful(p->setup->circuit);
    if (eventful) {
        snprintf(owner, sizeof owner, "%s (line %d)", eventful->name, eventful->where.line);
        what = "has levels of logic or another memory beside the unknowns";
    }
    if (!what)
        return KN_OK;
    diagnostics_add(p->setup->diagnostics, KN_ERROR, "pss-circuit", p->where,
                    "a long .tran with .four shows the steady state", ".pss cannot treat this deck: %s %s", owner,
                    what);
    return KN_ERROR_CIRCUIT;
}

/* f at the point x at two times; the row in which they differ most beside it, -1: in none. */
static enum kn_status compare_times(const struct dae *dae, const double *x, const double times[2], double *f, int *row)
{
    double most = ROUNDING;
    *row = -1;
    for (int k = 0; k < 2; k++) {
        struct dae_values values = {.f = f + k * dae->n};
        const enum kn_status status = dae->eval(dae->problem, times[k], x, DAE_F, &values);
        if (status != KN_OK)
            return status;
    }
    for (int i = 0; i < dae->n; i++) {
        const double off = fabs(f[dae->n + i] - f[i]), part = off / (fabs(f[i]) + dae->equation_absolute[i]);
        if (part > most) {
            most = part;
            *row = i;
        }
    }
    return KN_OK;
}

/* Whether the equations depend on the time at all; where they do, they have to repeat after a period. */
static enum kn_status look_at_sources(struct periodic *p, const double *x, bool *found)
{
    const struct dae *dae = mna_dae(p->setup->mna);
    const double period = 1 / p->frequency, start = ceil(p->settling / period) * period;
    double *f = calloc(2 * (size_t)dae->n + 1, sizeof *f);
    enum kn_status status = f ? KN_OK : KN_ERROR_MEMORY;
    int moves = -1, differs = -1;
    *found = false;
    for (int k = 0; k < TIMES && status == KN_OK && differs < 0; k++) {
        const double t = start + (k + 0.381966) / TIMES * period;
        status = compare_times(dae, x, (const double[]){start, t}, f, &moves);
        if (status == KN_OK)
            status = compare_times(dae, x, (const double[]){t, t + period}, f, &differs);
        *found |= moves >= 0 || differs >= 0;
    }
    free(f);
    if (status != KN_OK || differs < 0)
        return status;
    char around[200];
    mna_describe(p->setup->mna, differs, around, sizeof around);
    diagnostics_add(p->setup->diagnostics, KN_ERROR, "pss-period", p->where,
                    "give the frequency of which those of all sources are multiples, and a tstab= behind their delays",
                    "the sources do not repeat after a period of %g s, from %g s on; look at %s", period, start,
                    around);
    return KN_ERROR_DECK;
}

/* Of a disturbance in a period, as far as the orbit was followed; 0: not known. */
static double find_growth(struct periodic *p)
{
    struct arena *memory = arena_new();
    struct orbit *o = &p->orbit;
    struct eigenvalue *m = memory ? arena_array(memory, (size_t)o->n + SHOOTING_SHOWN, sizeof *m) : NULL;
    int count = 0;
    const bool found = m && shooting_multipliers(memory, o, m, &count) == KN_OK && count > 0;
    const double growth = found ? cabs(m[0].value) : 0;
    arena_free(memory);
    return isfinite(growth) ? growth : 0;
}

/* More growth in a period leaves no digits for an orbit to close by. */
static const double TOO_FAST = 1e8;

static enum kn_status blame(struct periodic *p)
{
    const struct orbit *o = &p->orbit;
    struct kn_diagnostics *d = p->setup->diagnostics;
    const char *hint = p->oscillates ? "a better frequency or a longer tstab= starts nearer to it"
                                     : "a longer tstab= starts nearer to it; if it answers with twice the period, give "
                                       "half the frequency";
    const double growth = p->oscillates ? 0 : find_growth(p);
    if (growth > TOO_FAST)
        hint = diagnostics_hint(d,
                                "the circuit is unstable: disturbances grow by a factor of %.2g in a period, which "
                                "leaves no digits for a steady state (.pz names the poles)",
                                growth);
    diagnostics_add(d, KN_ERROR, "no-periodic-state", p->where, hint,
                    "no periodic steady state was found in %d iterations; they ended at a period of %g s, in which %s "
                    "moved most",
                    p->iterations, o->period, mna_unknown(p->setup->mna, o->failed_unknown)->name);
    return KN_ERROR_CONVERGENCE;
}

static enum kn_status solve(struct periodic *p, struct analysis_summary *summary)
{
    p->shooting.orbit = &p->orbit;
    const enum kn_status status = shooting_solve(&p->shooting);
    summary->steps.newton_iterations += p->orbit.iterations;
    summary->steps.factorizations += p->orbit.factorizations;
    p->iterations += p->shooting.iterations;
    return status;
}

/* 1 / tolerance of the run; of index-2 unknowns errors do not count. */
static void set_weights(const struct periodic *p, double *weights)
{
    const struct dae *dae = mna_dae(p->setup->mna);
    for (int i = 0; i < p->orbit.n; i++)
        weights[i] = dae->classes && dae->classes[i] == DAE_INDEX2 ? 0 : p->orbit.closed * p->orbit.scale[i];
}

/* Halves the steps until that changes the orbit and its period by no more than the tolerance.  What weak damping makes
 * of errors of steps, a Q of 1e5 times as much, no estimate of a step can tell. */
static enum kn_status refine(struct periodic *p, struct analysis_summary *summary)
{
    double *weights = calloc((size_t)p->orbit.n + 1, sizeof *weights);
    enum kn_status status = weights ? KN_OK : KN_ERROR_MEMORY;
    p->error = INFINITY;
    for (int i = 0; i < REFINEMENTS && status == KN_OK && p->error > 1; i++) {
        struct orbit coarse = p->orbit;
        set_weights(p, weights);
        status = orbit_halve_steps(&coarse, &p->orbit);
        if (status == KN_OK)
            status = solve(p, summary);
        if (status == KN_OK)
            p->error = fmax(orbit_distance(&coarse, &p->orbit, weights),
                            fabs(p->orbit.period / coarse.period - 1) / p->setup->options->relative);
        orbit_free(&coarse);
    }
    free(weights);
    return status;
}

struct renewal {
    const struct periodic *found;
    const struct settle_request *request;
    struct analysis_summary *summary;
};

static enum kn_status renew(void *context, struct orbit *o)
{
    const struct renewal *r = context;
    struct orbit fresh;
    const enum kn_status status = settle_anew(r->found->setup, r->request, o, &fresh, r->summary);
    if (status != KN_OK)
        return status;
    fresh.iterations = o->iterations;
    fresh.factorizations = o->factorizations;
    orbit_free(o);
    *o = fresh;
    return KN_OK;
}

/* An orbit from a run of the circuit, if there is one; phase: the unknown whose returns end a period, below 0: none. */
static enum kn_status solve_from_run(struct periodic *p, const struct settle_request *request, int phase,
                                     struct analysis_summary *summary)
{
    struct setup *s = p->setup;
    const struct dae *dae = mna_dae(s->mna);
    struct renewal renewal = {p, request, summary};
    p->orbit.relative = s->options->relative;
    p->orbit.closed = fmax(CLOSED, LEAST_CLOSED / s->options->relative);
    orbit_rescale(&p->orbit);
    for (int i = 0; i < dae->switch_count; i++)
        dae->hold(dae->problem, i, 0);
    p->shooting = (struct shooting){.orbit = &p->orbit, .phase = phase, .anew = renew, .context = &renewal};
    const enum kn_status status = solve(p, summary);
    return status == KN_OK ? refine(p, summary) : status;
}

/* Newton's method may miss the orbit of an oscillator from where a run has ended that is far from it, and meet it from another such
 * point: unless the deck says how long to run, it is tried from the ends of OTHER_RUNS longer ones. */
enum { OTHER_RUNS = 2 };

static enum kn_status find_orbit(struct periodic *p, struct analysis_summary *summary)
{
    struct setup *s = p->setup;
    const double period = 1 / p->frequency;
    struct settle_request request = {.period = period,
                                     .time = p->oscillates ? p->settling : ceil(p->settling / period) * period,
                                     .phase = p->node > 0 ? mna_node_unknown(s->mna, p->node) : -1,
                                     .driven = !p->oscillates,
                                     .where = p->where};
    const int runs = p->oscillates && p->settles_by_itself ? OTHER_RUNS : 0;
    int phase;
    enum kn_status status = KN_ERROR_CONVERGENCE;
    for (int run = 0; run <= runs && status == KN_ERROR_CONVERGENCE; run++, request.time *= 2) {
        orbit_free(&p->orbit);
        status = settle(s, &request, &p->orbit, &phase, summary);
        if (status != KN_OK)
            return status;
        status = solve_from_run(p, &request, phase, summary);
    }
    if (status == KN_ERROR_CONVERGENCE || status == KN_ERROR_CIRCUIT)
        return blame(p);
    if (status == KN_OK && phase >= 0 && orbit_swing(&p->orbit, phase) * p->orbit.scale[phase] < 1e3)
        return blame(p);
    return status;
}

static struct periodic of_card(struct setup *s, const struct analysis_card *card)
{
    return (struct periodic){
        .setup = s, .card = card, .where = card->where, .settling = -1, .points = POINTS, .harmonics = HARMONICS};
}

enum kn_status periodic_check(struct setup *s, const struct analysis_card *card)
{
    struct periodic p = of_card(s, card);
    return read_card(&p);
}

enum kn_status periodic_find(struct setup *s, const struct analysis_card *card, struct periodic *p,
                             struct analysis_summary *summary)
{
    bool driven = false;
    *p = of_card(s, card);
    enum kn_status status = setup_operating_point(s, summary);
    if (status == KN_OK)
        status = read_card(p);
    if (status == KN_OK)
        status = check_circuit(p);
    if (status == KN_OK)
        status = look_at_sources(p, s->operating, &driven);
    if (status == KN_OK && driven && p->oscillates)
        status = complain(p, NULL,
                          "sources depend on the time: the circuit is driven and has their period, osc= is for "
                          "oscillators");
    p->oscillates = !driven;
    s->used = true;
    return status == KN_OK ? find_orbit(p, summary) : status;
}

void periodic_free(struct periodic *p)
{
    orbit_free(&p->orbit);
}

/* A sine is integrated to 1e-8 on so many steps of order 5. */
enum { STEPS_OF_A_SINE = 16 };

enum kn_status periodic_for_sidebands(struct periodic *p, int sidebands, const struct analysis_card *card)
{
    const double longest = 1.0 / (STEPS_OF_A_SINE * (sidebands + 1));
    enum kn_status status = KN_OK;
    if (p->oscillates) {
        diagnostics_add(p->setup->diagnostics, KN_ERROR, "periodic-signals", card->where,
                        ".pnoise dec points from to gives the phase noise of an oscillator",
                        "'%s': the circuit oscillates by itself, and nothing holds its phase against small signals",
                        card->name);
        return KN_ERROR_CIRCUIT;
    }
    for (bool fine = false; !fine && status == KN_OK;) {
        fine = true;
        for (int i = 0; i < p->orbit.steps; i++)
            fine &= p->orbit.part[i + 1] - p->orbit.part[i] <= longest * (1 + 1e-9);
        if (fine)
            break;
        struct orbit coarse = p->orbit;
        status = orbit_halve_steps(&coarse, &p->orbit);
        orbit_free(&coarse);
        p->shooting.anew = NULL;
        p->shooting.orbit = &p->orbit;
        if (status == KN_OK)
            status = shooting_solve(&p->shooting);
    }
    return status;
}
