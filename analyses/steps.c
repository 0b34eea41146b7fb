/* steps.c - see steps.h. */
#include "analyses/steps.h"

#include "analyses/sweep.h"

#include <string.h>

static const struct analysis_card *card_of(const struct circuit *c, size_t number)
{
    return analysis_card(c, ".step", number);
}

bool steps_wanted(const struct circuit *c)
{
    return card_of(c, 0) != NULL;
}

/* The first card is the inner loop. */
static enum kn_status read_cards(const struct sweep_reader *reader, struct sweeps *out)
{
    enum kn_status status = KN_OK;
    for (size_t i = 0; card_of(reader->circuit, i) && status != KN_ERROR_MEMORY; i++) {
        const enum kn_status one = sweeps_read(reader, card_of(reader->circuit, i), out);
        status = one == KN_OK ? status : one;
    }
    return status;
}

enum kn_status steps_check(const struct run_request *r)
{
    struct sweeps sweeps = {0};
    const struct sweep_reader reader = {r->circuit, r->deck, r->diagnostics, arena_new()};
    const enum kn_status status = reader.arena ? read_cards(&reader, &sweeps) : KN_ERROR_MEMORY;
    arena_free(reader.arena);
    return status;
}

/* ---- one table of many ---- */

/* Gets the tables of all steps, hands on one with the stepped values behind the scale, or in front where there is none. */
struct joined {
    const struct kn_sink *next; /* NULL: not wanted */
    const struct sweeps *sweeps;
    const double *values; /* of the current step */
    struct kn_diagnostics *diagnostics;
    struct arena *arena;
    bool begun;
    size_t scale, columns; /* columns in front of the stepped values; of a step's table */
    double *row;
};

static enum kn_status begin_first(struct joined *j, const struct kn_table *t)
{
    const size_t steps = j->sweeps->count;
    struct kn_column *columns = arena_array(j->arena, t->column_count + steps, sizeof *columns);
    j->row = arena_array(j->arena, t->column_count + steps, sizeof *j->row);
    j->columns = t->column_count;
    j->scale = t->sweeps > 0 || (t->column_count > 0 && t->columns[0].quantity == KN_TIME);
    if (!columns || !j->row)
        return KN_ERROR_MEMORY;
    /* Circuits come and go with their names. */
    for (size_t i = 0; i < t->column_count; i++) {
        struct kn_column *to = &columns[i < j->scale ? i : i + steps];
        *to = (struct kn_column){arena_text(j->arena, t->columns[i].name, strlen(t->columns[i].name)),
                                 t->columns[i].quantity};
        if (!to->name)
            return KN_ERROR_MEMORY;
    }
    for (size_t k = 0; k < steps; k++)
        columns[j->scale + k] = (struct kn_column){j->sweeps->items[k].name, KN_OTHER};
    const struct kn_table table = {arena_text(j->arena, t->title, strlen(t->title)),
                                   arena_text(j->arena, t->plot, strlen(t->plot)),
                                   columns,
                                   j->columns + steps,
                                   t->sweeps,
                                   steps};
    if (!table.title || !table.plot)
        return KN_ERROR_MEMORY;
    j->begun = true;
    return j->next->begin(j->next->context, &table);
}

static enum kn_status joined_begin(void *context, const struct kn_table *t)
{
    struct joined *j = context;
    if (!j->begun)
        return begin_first(j, t);
    if (t->column_count == j->columns)
        return KN_OK;
    diagnostics_add(j->diagnostics, KN_ERROR, "sweep", j->sweeps->items[0].where, "name the vectors in .save",
                    "'.step': with these values the circuit has %zu vectors, with the first ones %zu", t->column_count,
                    j->columns);
    return KN_ERROR_CIRCUIT;
}

static enum kn_status joined_row(void *context, const double *values)
{
    struct joined *j = context;
    const size_t steps = j->sweeps->count;
    memcpy(j->row, values, j->scale * sizeof *values);
    memcpy(j->row + j->scale, j->values, steps * sizeof *values);
    memcpy(j->row + j->scale + steps, values + j->scale, (j->columns - j->scale) * sizeof *values);
    return j->next->row(j->next->context, j->row);
}

/* The table goes on with the next step. */
static enum kn_status joined_end(void *context, enum kn_status outcome)
{
    (void)context;
    (void)outcome;
    return KN_OK;
}

static enum kn_status end(struct joined *j, enum kn_status status)
{
    const enum kn_status ended = j->begun ? j->next->end(j->next->context, status) : KN_OK;
    return status == KN_OK ? ended : status;
}

/* ---- the runs ---- */

struct stepping {
    const struct run_request *request;
    const struct analysis *analysis;
    size_t number, step, points;
    struct arena *arena;
    struct sweeps sweeps;
    struct override *overrides;
    const char **names;
    double *values;
    struct joined rows, even;
};

/* What the caller is told goes through here, since progress is that of all steps. */
static bool interrupted(void *context)
{
    const struct kn_options *o = ((const struct stepping *)context)->request->options;
    return o->interrupted(o->context);
}

static void progress(void *context, double fraction)
{
    const struct stepping *s = context;
    const struct kn_options *o = s->request->options;
    o->progress(o->context, ((double)s->step + (fraction > 0 ? fraction : 0)) / (double)s->points);
}

static void measured(void *context, const struct kn_measurement *m)
{
    const struct kn_options *o = ((const struct stepping *)context)->request->options;
    o->measured(o->context, m);
}

static void listen(struct stepping *s, struct analysis_options *o, const struct kn_sink *even)
{
    o->interrupted = o->interrupted ? interrupted : NULL;
    o->progress = o->progress ? progress : NULL;
    o->measured = o->measured ? measured : NULL;
    o->even = o->even ? even : NULL;
    o->context = s;
}

static enum kn_status run_circuit(struct stepping *s, const struct circuit *c, const struct overrides *all)
{
    const struct kn_options *told = s->request->options;
    const struct kn_sink even = {&s->even, joined_begin, joined_row, joined_end};
    struct kn_sink rows = {&s->rows, joined_begin, joined_row, joined_end};
    struct analysis_options o = {0};
    enum kn_status status = run_options(s->request, c, &o);
    if (status != KN_OK)
        return status;
    listen(s, &o, &even);
    if (told && told->stepped)
        told->stepped(told->context, s->names, s->values, s->sweeps.count);
    struct setup setup = setup_of(c, &o, s->request->diagnostics);
    setup.deck = s->request->deck;
    setup.overrides = all;
    status = run_analysis(s->request, s->analysis, &setup, s->number, &rows);
    setup_close(&setup);
    return status;
}

static enum kn_status run_step(struct stepping *s)
{
    struct circuit *c = NULL;
    sweeps_values(&s->sweeps, s->step, s->values);
    sweeps_override(&s->sweeps, s->values, s->overrides);
    const struct overrides all = {s->overrides, s->sweeps.count};
    enum kn_status status = deck_expand(s->request->deck, &all, NULL, s->request->diagnostics, &c);
    if (status != KN_OK)
        return status;
    status = run_circuit(s, c, &all);
    circuit_free(c);
    return status;
}

static void say_failure(const struct stepping *s)
{
    struct text at = TEXT(SENTENCE);
    sweeps_describe(&s->sweeps, s->values, &at);
    diagnostics_add(s->request->diagnostics, KN_ERROR, "step-failed", s->sweeps.items[0].where, NULL,
                    "'.step': the run with %s failed", at.at);
}

static enum kn_status run_steps(struct stepping *s)
{
    enum kn_status worst = KN_OK;
    for (s->step = 0; s->step < s->points; s->step++) {
        const enum kn_status status = run_step(s);
        if (status == KN_INTERRUPTED || status == KN_ERROR_MEMORY || status == KN_ERROR_IO)
            return status;
        if (status != KN_OK)
            say_failure(s);
        worst = status == KN_OK ? worst : status == KN_ERROR_DECK ? KN_ERROR_CIRCUIT : status;
    }
    return worst;
}

static struct joined join(const struct stepping *s, const struct kn_sink *next)
{
    return (struct joined){.next = next,
                           .sweeps = &s->sweeps,
                           .values = s->values,
                           .diagnostics = s->request->diagnostics,
                           .arena = s->arena};
}

/* The cards have been checked. */
static enum kn_status open(struct stepping *s)
{
    const struct run_request *r = s->request;
    const struct sweep_reader reader = {r->circuit, NULL, r->diagnostics, s->arena};
    const enum kn_status status = read_cards(&reader, &s->sweeps);
    if (status != KN_OK)
        return status;
    const size_t count = s->sweeps.count;
    s->points = sweeps_points(&s->sweeps);
    s->values = arena_array(s->arena, count, sizeof *s->values);
    s->names = arena_array(s->arena, count, sizeof *s->names);
    s->overrides = arena_array(s->arena, count, sizeof *s->overrides);
    if (!s->values || !s->names || !s->overrides)
        return KN_ERROR_MEMORY;
    for (size_t k = 0; k < count; k++)
        s->names[k] = s->sweeps.items[k].name;
    s->rows = join(s, r->sink);
    s->even = join(s, r->options ? r->options->even : NULL);
    return KN_OK;
}

enum kn_status steps_run(const struct run_request *r, const struct analysis *a, size_t number)
{
    struct stepping s = {.request = r, .analysis = a, .number = number, .arena = arena_new()};
    enum kn_status status = s.arena ? open(&s) : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = run_steps(&s);
    status = end(&s.rows, end(&s.even, status));
    arena_free(s.arena);
    return status;
}
