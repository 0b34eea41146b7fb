/* dc.c - .dc: operating points along a sweep, each found from the one before.
 *
 * The solution is followed: where Newton's method fails from the last point, or ends far from it, the way there is
 * divided.  What is still a jump on the shortest piece is a curve that turns back (a fold), or one too steep to see: the
 * way back from the other side tells.  Allgower and Georg, Numerical Continuation Methods, 1990, section 6.1.
 */
#include "analyses/analysis.h"
#include "analyses/columns.h"
#include "analyses/sweeps/sweep.h"
#include "mna/start/past.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parts of the way between two points: the shortest that is tried. */
static const double SHORTEST = 1.0 / (1 << 20);
/* Voltages that change by more than V, plus a part of the largest, plus a multiple of a source's change, are looked at
 * more closely. */
static const double NEAR_VOLTAGE = 0.1, NEAR_PART = 0.05, NEAR_CHANGE = 2;

struct dc {
    struct setup *base; /* the deck as it stands */
    struct setup now;   /* with the values of a point, where these need a circuit of their own */
    struct circuit *circuit;
    struct kn_diagnostics *said; /* about that circuit and its points */
    bool in_place;               /* all that is swept are sources, set in the equations of the base */
    struct arena *arena;
    struct sweeps sweeps;
    struct columns columns; /* of the base */
    struct override *overrides;
    /* [n], then the sides of switches [past_count] */
    double *x, *trial, *back, *first, *still, *last, *looked;
    double *values, *between, *goal, *first_values, *row;
    struct analysis_summary *summary;
    struct kn_sink *sink;
    struct measurements *measurements; /* of the innermost sweep; NULL where the deck asks for none */
    struct probes probes;              /* of what they measure, in the base */
    double *before, *here;             /* [variables] at the last point, and at this one */
};

static struct setup *now(struct dc *c)
{
    return c->in_place ? c->base : &c->now;
}

/* ---- a circuit with values ---- */

static void close_now(struct dc *c)
{
    setup_close(&c->now);
    if (c->circuit)
        circuit_free(c->circuit);
    c->circuit = NULL;
    c->now = (struct setup){0};
}

static enum kn_status expand(struct dc *c, const double *values)
{
    close_now(c);
    static const struct chance none = {0};
    const struct chance *chance = c->base->overrides ? &c->base->overrides->chance : &none;
    const struct overrides all = sweeps_override(&c->sweeps, values, chance, c->base->overrides, c->overrides);
    enum kn_status status = deck_expand(c->base->deck, &all, NULL, c->said, &c->circuit);
    if (status != KN_OK)
        return status;
    c->now = setup_of(c->circuit, c->base->options, c->said);
    status = setup_open(&c->now);
    c->now.advances = true;
    if (status != KN_OK || mna_unknown_count(c->now.mna) == mna_unknown_count(c->base->mna))
        return status;
    diagnostics_add(c->said, KN_ERROR, "sweep", NOWHERE, NULL, "with these values the circuit has other unknowns");
    return KN_ERROR_CIRCUIT;
}

static enum kn_status apply(struct dc *c, const double *values)
{
    kn_diagnostics_free(c->said);
    c->said = kn_diagnostics_new();
    if (!c->said)
        return KN_ERROR_MEMORY;
    for (size_t k = 0; c->in_place && k < c->sweeps.count; k++)
        mna_set_dc(c->base->mna, c->sweeps.items[k].source, values[k]);
    return c->in_place ? KN_OK : expand(c, values);
}

/* start NULL: by all methods.  Switches come from their sides there, or at c->x. */
static enum kn_status solve(struct dc *c, const double *values, const double *start, double *x)
{
    const size_t n = (size_t)mna_unknown_count(c->base->mna);
    struct operating_report report = {0};
    enum kn_status status = apply(c, values);
    if (status != KN_OK)
        return status;
    const struct setup *s = now(c);
    const struct operating_options o = {.relative = SETUP_OPERATING_PART * s->options->relative,
                                        .time = SETUP_OPERATING_TIME,
                                        .max_iterations = s->options->op_iterations,
                                        .start = start};
    if (past_count(s->mna) != past_count(c->base->mna)) { /* other laws with these values: nothing to compare sides with */
        status = operating_point(s->mna, s->topology, &o, c->said, x, &report);
    } else {
        memmove(x + n, (start ? start : c->x) + n, past_count(s->mna) * sizeof *x);
        status = past_operating_point(s->mna, s->topology, &o, c->said, x + n, x, &report);
    }
    c->summary->operating.iterations += report.iterations;
    c->summary->operating.factorizations += report.factorizations;
    return status;
}

/* ---- from point to point ---- */

static size_t bytes(const struct dc *c)
{
    return ((size_t)mna_unknown_count(c->base->mna) + past_count(c->base->mna)) * sizeof(double);
}

static bool is_near(const struct dc *c, const double *a, const double *b, double change)
{
    const struct mna *m = c->base->mna;
    double largest = 0, difference = 0;
    for (int i = 0; i < mna_unknown_count(m); i++) {
        if (mna_unknown(m, i)->kind != UNKNOWN_VOLTAGE)
            continue;
        largest = fmax(largest, fmax(fabs(a[i]), fabs(b[i])));
        difference = fmax(difference, fabs(a[i] - b[i]));
    }
    return difference <= NEAR_VOLTAGE + NEAR_PART * largest + NEAR_CHANGE * change;
}

/* The values at a part of the way to the goal; V: by how much voltage sources change. */
static double go_to(const struct dc *c, double part, double *out)
{
    double change = 0;
    for (size_t k = 0; k < c->sweeps.count; k++) {
        const struct sweep *s = &c->sweeps.items[k];
        out[k] = part < 1 ? c->values[k] + part * (c->goal[k] - c->values[k]) : c->goal[k];
        if (s->source >= 0 && c->base->circuit->elements[s->source].kind->sets_voltage)
            change = fmax(change, fabs(c->goal[k] - c->values[k]));
    }
    return change;
}

/* Values and point before a jump and behind it: whether the way back leads elsewhere. */
static void say_fold(struct dc *c, double before, const double *behind)
{
    go_to(c, before, c->between);
    const enum kn_status status = solve(c, c->between, behind, c->back);
    if (status == KN_OK && is_near(c, c->back, c->x, 0))
        return;
    struct text at = TEXT(SENTENCE);
    sweeps_describe(&c->sweeps, c->between, &at);
    diagnostics_add(c->base->diagnostics, KN_WARNING, "fold", c->sweeps.items[0].where,
                    "sweep it in the other direction, too, to see the rest of the hysteresis",
                    "the curve turns back near %s: the solution jumps to another branch there", at.at);
}

/* The shortest piece does not lead to a near point: whatever is found behind it counts. */
static enum kn_status jump(struct dc *c, double before, double part, enum kn_status status)
{
    go_to(c, part, c->between);
    if (status != KN_OK)
        status = solve(c, c->between, NULL, c->trial);
    if (status != KN_OK)
        return status;
    say_fold(c, before, c->trial);
    go_to(c, part, c->between);
    return apply(c, c->between);
}

/* x from its values to the goal. */
static enum kn_status follow(struct dc *c)
{
    double part = 0, stride = 1;
    while (part < 1) {
        const double next = fmin(1, part + stride), change = go_to(c, next, c->between) * (next - part);
        enum kn_status status = solve(c, c->between, c->x, c->trial);
        if (status != KN_OK && status != KN_ERROR_CONVERGENCE)
            return status;
        const bool linear = mna_dae(c->base->mna)->linear;
        const bool good = status == KN_OK && (linear || is_near(c, c->x, c->trial, change));
        if (!good && stride > SHORTEST) {
            stride = (next - part) / 4;
            continue;
        }
        if (!good && (status = jump(c, part, next, status)) != KN_OK)
            return status;
        memcpy(c->x, c->trial, bytes(c));
        part = next;
        stride *= 2;
    }
    memcpy(c->values, c->goal, c->sweeps.count * sizeof *c->values);
    return KN_OK;
}

/* A list may leap; an inner sweep begins anew from its first point in the last one. */
static enum kn_status reach(struct dc *c, size_t point)
{
    const size_t inner = c->sweeps.items[0].count, width = c->sweeps.count * sizeof *c->values;
    sweeps_values(&c->sweeps, point, c->goal);
    enum kn_status status;
    memcpy(c->last, c->x, bytes(c));
    if (point == 0) {
        status = solve(c, c->goal, NULL, c->x);
        if (status == KN_OK)
            diagnostics_copy(c->base->diagnostics, c->said);
        memcpy(c->values, c->goal, width);
    } else {
        if (point % inner == 0) {
            memcpy(c->x, c->first, bytes(c));
            memcpy(c->values, c->first_values, width);
        }
        status = follow(c);
    }
    if (status == KN_OK && point % inner == 0) {
        memcpy(c->first, c->x, bytes(c));
        memcpy(c->first_values, c->goal, width);
    }
    return status;
}

static enum kn_status say_failure(struct dc *c, enum kn_status status)
{
    struct text at = TEXT(SENTENCE);
    if (status == KN_INTERRUPTED || status == KN_ERROR_MEMORY)
        return status;
    sweeps_describe(&c->sweeps, c->goal, &at);
    if (c->said)
        diagnostics_copy(c->base->diagnostics, c->said);
    diagnostics_add(c->base->diagnostics, KN_ERROR, "sweep-failed", c->sweeps.items[0].where,
                    "leave these values out, or help with .nodeset", "'.dc' ends: no operating point found at %s",
                    at.at);
    return status;
}

/* ---- rows ---- */

/* Names of ngspice. */
static struct kn_column scale_of(const struct dc *c)
{
    const struct sweep *s = &c->sweeps.items[0];
    const struct element *e = s->target.kind == OVERRIDE_ELEMENT && !s->target.setting
                                  ? &c->base->circuit->elements[circuit_find_element(c->base->circuit, s->target.name)]
                                  : NULL;
    if (s->target.kind == OVERRIDE_TEMPERATURE)
        return (struct kn_column){"temp-sweep", KN_OTHER};
    if (!e || !e->kind->sweep)
        return (struct kn_column){s->name, KN_OTHER};
    return (struct kn_column){e->kind->sweep, s->source < 0            ? KN_OTHER
                                              : e->kind->sets_voltage ? KN_VOLTAGE
                                                                      : KN_CURRENT};
}

static enum kn_status begin(struct dc *c)
{
    const size_t lead = c->sweeps.count;
    struct kn_column *columns = arena_array(c->arena, lead + c->columns.count, sizeof *columns);
    if (!columns)
        return KN_ERROR_MEMORY;
    columns[0] = scale_of(c);
    for (size_t k = 1; k < lead; k++)
        columns[k] = (struct kn_column){c->sweeps.items[k].name, KN_OTHER};
    memcpy(columns + lead, c->columns.names, c->columns.count * sizeof *columns);
    const struct kn_table table = {.title = c->base->circuit->title,
                                   .plot = "DC transfer characteristic",
                                   .columns = columns,
                                   .column_count = lead + c->columns.count,
                                   .sweeps = lead};
    return c->sink->begin(c->sink->context, &table);
}

static enum kn_status write_row(struct dc *c)
{
    struct columns own = {0};
    const size_t lead = c->sweeps.count;
    memcpy(c->row, c->goal, lead * sizeof *c->row);
    if (!c->in_place && columns_init(&own, c->now.mna, false) != KN_OK)
        return KN_ERROR_MEMORY;
    columns_fill(c->in_place ? &c->columns : &own, now(c)->mna, SETUP_OPERATING_TIME, c->x, c->still, c->row + lead);
    columns_free(&own);
    c->summary->rows++;
    return c->sink->row(c->sink->context, c->row);
}

/* ---- measurements of the innermost sweep ---- */

static enum kn_status read_variables(struct dc *c, const double *x, double *values)
{
    const struct signal_set *set = measure_signals(c->measurements);
    struct mna *m = now(c)->mna;
    struct probes own = {0};
    if (!c->in_place && !probes_init(&own, m, set->variables, set->count)) {
        probes_free(&own);
        return KN_ERROR_MEMORY;
    }
    probes_read(c->in_place ? &c->probes : &own, m, SETUP_OPERATING_TIME, x, c->still, values);
    probes_free(&own);
    return KN_OK;
}

/* A point of the sweep behind the last one, whose values and sides have a memory. */
static enum kn_status look(void *context, double s, double *values)
{
    struct dc *c = context;
    memcpy(c->between, c->values, c->sweeps.count * sizeof *c->between);
    c->between[0] = s;
    enum kn_status status = solve(c, c->between, c->last, c->looked);
    if (status == KN_ERROR_CONVERGENCE)
        status = solve(c, c->between, NULL, c->looked);
    return status == KN_OK ? read_variables(c, c->looked, values) : status;
}

static enum kn_status begin_measurements(struct dc *c)
{
    struct setup *s = c->base;
    const struct measure_curve curve = {.domain = MEASURE_OF_DC, .exact = 1e-2 * s->options->relative, .unit = ""};
    double *results = s->options->measured ? setup_results(s) : NULL;
    if (!results)
        return s->options->measured ? KN_ERROR_MEMORY : KN_OK;
    const enum kn_status status = measure_new(s->circuit, &curve, results, &c->measurements);
    if (status != KN_OK || !c->measurements || c->before)
        return status;
    const struct signal_set *set = measure_signals(c->measurements);
    const bool good = probes_init(&c->probes, s->mna, set->variables, set->count);
    c->before = arena_array(c->arena, set->count + 1, sizeof *c->before);
    c->here = arena_array(c->arena, set->count + 1, sizeof *c->here);
    return good && c->before && c->here ? KN_OK : KN_ERROR_MEMORY;
}

/* Of several sweeps those outside tell the results apart: "[v2 = 1]" */
static enum kn_status end_measurements(struct dc *c)
{
    struct measure_listener listener = setup_listener(c->base);
    struct text behind = TEXT(SENTENCE);
    const struct sweeps outer = {c->sweeps.items + 1, c->sweeps.count - 1};
    text_add(&behind, "[");
    sweeps_describe(&outer, c->goal + 1, &behind);
    text_add(&behind, "]");
    listener.behind = outer.count > 0 ? behind.at : NULL;
    const enum kn_status status = measure_report(c->measurements, NULL, &listener);
    measure_free(c->measurements);
    c->measurements = NULL;
    return status;
}

/* After a point has been reached. */
static enum kn_status measure(struct dc *c, size_t point)
{
    const size_t inner = c->sweeps.items[0].count, k = point % inner;
    enum kn_status status = k == 0 ? begin_measurements(c) : KN_OK;
    if (status != KN_OK || !c->measurements)
        return status;
    double *swapped = c->before;
    c->before = c->here;
    c->here = swapped;
    status = read_variables(c, c->x, c->here);
    if (status == KN_OK) {
        const double last = c->sweeps.items[0].values[k > 0 ? k - 1 : 0];
        const struct measure_piece piece = {
            k > 0 ? last : c->goal[0], c->goal[0], k > 0 ? c->before : c->here, c->here, {c, look}};
        status = measure_piece(c->measurements, &piece);
    }
    return status == KN_OK && k == inner - 1 ? end_measurements(c) : status;
}

/* ---- parts: some of the outer loops each ---- */

/* The way to its first point costs each part as much as half of the outer loops on the average. */
enum { MOST_PARTS = 16, LEAST_INNER = 50, LEAST_POINTS = 2000 };

static size_t parts_of(const struct sweeps *s)
{
    const size_t points = sweeps_points(s), outer = s->items[0].count > 0 ? points / s->items[0].count : 1;
    const bool divides = s->items[0].count >= LEAST_INNER && points >= LEAST_POINTS;
    return !divides ? 1 : outer < MOST_PARTS ? outer : MOST_PARTS;
}

static size_t first_point(const struct dc *c, size_t part)
{
    const size_t inner = c->sweeps.items[0].count, outer = sweeps_points(&c->sweeps) / inner;
    return outer * part / c->base->parts * inner;
}

/* Through the first points of the outer loops in front of it, as one part would. */
static enum kn_status go_to_part(struct dc *c, size_t *point)
{
    const size_t end = c->base->parts > 0 ? first_point(c, c->base->part) : 0;
    enum kn_status status = KN_OK;
    for (*point = 0; status == KN_OK && *point < end; *point += c->sweeps.items[0].count)
        if ((status = reach(c, *point)) != KN_OK)
            status = say_failure(c, status);
    return status;
}

static enum kn_status write_rows(struct dc *c)
{
    const size_t points = sweeps_points(&c->sweeps);
    const struct analysis_options *o = c->base->options;
    size_t i = 0;
    enum kn_status status = begin(c);
    if (status != KN_OK)
        return status;
    status = go_to_part(c, &i);
    const size_t begin_at = i, end_at = c->base->parts > 0 ? first_point(c, c->base->part + 1) : points;
    for (; status == KN_OK && i < end_at; i++) {
        status = reach(c, i);
        status = status == KN_OK ? write_row(c) : say_failure(c, status);
        if (status == KN_OK)
            status = measure(c, i);
        if (o->progress)
            o->progress(o->context, (double)(i + 1 - begin_at) / (double)(end_at - begin_at));
    }
    const enum kn_status ended = c->sink->end(c->sink->context, status);
    return status == KN_OK ? ended : status;
}

/* ---- the analysis ---- */

static enum kn_status make_room(struct dc *c)
{
    const struct overrides *given = c->base->overrides;
    const size_t n = (size_t)mna_unknown_count(c->base->mna), lead = c->sweeps.count;
    c->overrides = arena_array(c->arena, (given ? given->count : 0) + lead, sizeof *c->overrides);
    c->row = arena_array(c->arena, lead + c->columns.count, sizeof *c->row);
    double **const points[] = {&c->x, &c->trial, &c->back, &c->first, &c->still, &c->last, &c->looked, NULL};
    if (!c->overrides || !c->row || !arena_vectors(c->arena, n + past_count(c->base->mna), points) ||
        !arena_vectors(c->arena, lead, (double **const[]){&c->values, &c->between, &c->goal, &c->first_values, NULL}))
        return KN_ERROR_MEMORY;
    c->in_place = true;
    for (size_t k = 0; k < lead; k++)
        c->in_place &= c->sweeps.items[k].source >= 0;
    return KN_OK;
}

static enum kn_status check(struct setup *s, const struct analysis_card *card)
{
    struct sweeps sweeps = {0};
    const struct sweep_reader reader = {s->circuit, s->deck, s->diagnostics, arena_new()};
    enum kn_status status = reader.arena ? sweeps_read(&reader, card, &sweeps) : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = sweeps_check_names(&reader, &sweeps);
    arena_free(reader.arena);
    return status;
}

static enum kn_status open(struct dc *c, const struct analysis_card *card)
{
    /* checked before */
    const struct sweep_reader reader = {c->base->circuit, NULL, c->base->diagnostics, c->arena};
    enum kn_status status = sweeps_read(&reader, card, &c->sweeps);
    if (status == KN_OK)
        status = setup_open(c->base);
    if (status == KN_OK)
        status = columns_init(&c->columns, c->base->mna, false);
    return status == KN_OK ? make_room(c) : status;
}

static enum kn_status run(struct setup *s, size_t number, struct kn_sink *sink, struct analysis_summary *summary)
{
    struct dc c = {.base = s, .arena = arena_new(), .summary = summary, .sink = sink};
    enum kn_status status = c.arena ? open(&c, analysis_card(s->circuit, ".dc", number)) : KN_ERROR_MEMORY;
    if (status == KN_OK) {
        summary->unknowns = mna_unknown_count(s->mna);
        s->used = s->advances = true; /* sources keep the values of the last point */
        status = write_rows(&c);
        past_forget(s->mna);
    }
    measure_free(c.measurements);
    probes_free(&c.probes);
    columns_free(&c.columns);
    close_now(&c);
    kn_diagnostics_free(c.said);
    arena_free(c.arena);
    return status;
}

/* A card that cannot be read is said when it is checked. */
static size_t parts(const struct setup *s, size_t number)
{
    struct sweeps sweeps = {0};
    const struct sweep_reader reader = {s->circuit, NULL, NULL, arena_new()};
    const struct analysis_card *card = analysis_card(s->circuit, ".dc", number);
    const bool read = reader.arena && sweeps_read(&reader, card, &sweeps) == KN_OK && sweeps.count > 1;
    const size_t count = read ? parts_of(&sweeps) : 1;
    arena_free(reader.arena);
    return count;
}

const struct analysis analysis_dc = {
    .card = ".dc",
    .doc = "operating points along a sweep: .dc source start stop step [source start stop step ..]",
    .check = check,
    .parts = parts,
    .run = run,
};
