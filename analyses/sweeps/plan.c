/* plan.c - see plan.h. */
#include "analyses/sweeps/plan.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>

/* ---- cards ---- */

/* Those of the whole deck. */
static const struct {
    const char *name;
    enum kn_status (*read)(const struct sweep_reader *r, const struct analysis_card *card, struct sweeps *out);
} deck_cards[] = {{".step", sweeps_read}, {".mc", sweeps_read_runs}, {".wc", corners_read}, {".wcase", corners_read}};
enum { DECK_CARDS = sizeof deck_cards / sizeof *deck_cards };

static size_t parts_of(const struct run_request *r, const struct circuit *c, const struct analysis *a, size_t number)
{
    const struct setup s = setup_of(c, NULL, r->diagnostics);
    return a->parts ? a->parts(&s, number) : 1;
}

/* What `sweep` on the card of an analysis says; NULL: nothing. */
static const struct analysis_card *own_sweep(const struct circuit *c, const struct analysis *a, size_t number)
{
    return a->sweep ? a->sweep(c, number) : a->count ? NULL : analysis_card(c, a->card, number);
}

static bool has_own_sweep(const struct circuit *c, const struct analysis *a, size_t number)
{
    const struct analysis_card *card = own_sweep(c, a, number);
    for (size_t i = 0; card && i < card->setting_count; i++)
        if (names_equal(card->settings[i].name, "sweep") && !card->settings[i].has_value)
            return true;
    return false;
}

bool plan_is_needed(const struct run_request *r)
{
    if (r->alters > 0 || r->sections > 1)
        return true;
    for (size_t i = 0; i < DECK_CARDS; i++)
        if (analysis_card(r->circuit, deck_cards[i].name, 0))
            return true;
    for (size_t i = 0; analyses[i]; i++)
        for (size_t k = 0; k < analysis_count(analyses[i], r->circuit); k++)
            if (has_own_sweep(r->circuit, analyses[i], k) || parts_of(r, r->circuit, analyses[i], k) > 1)
                return true;
    return false;
}

static enum kn_status worse(enum kn_status a, enum kn_status b)
{
    return a == KN_OK || b == KN_ERROR_MEMORY ? b : a;
}

/* The first card is the inner loop; numbers of runs are outside of all. */
static enum kn_status read_deck_cards(const struct sweep_reader *reader, struct sweeps *out)
{
    enum kn_status status = KN_OK;
    for (size_t i = 0; i < DECK_CARDS; i++)
        for (size_t k = 0; analysis_card(reader->circuit, deck_cards[i].name, k); k++)
            status =
                worse(status, deck_cards[i].read(reader, analysis_card(reader->circuit, deck_cards[i].name, k), out));
    return status;
}

static enum kn_status read_own(const struct sweep_reader *reader, const struct analysis *a, size_t number,
                               struct sweeps *out)
{
    const struct analysis_card *card = own_sweep(reader->circuit, a, number);
    return card ? sweeps_read_outer(reader, card, out) : KN_OK;
}

static const struct sweep *find_meaning(const struct sweeps *s, enum sweep_meaning meaning)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->items[i].meaning == meaning)
            return &s->items[i];
    return NULL;
}

static enum kn_status check_meanings(const struct sweep_reader *reader, const struct sweeps *s)
{
    const struct sweep *corners = find_meaning(s, SWEEP_CORNERS);
    if (!corners || !find_meaning(s, SWEEP_RUNS))
        return KN_OK;
    diagnostics_add(reader->diagnostics, KN_ERROR, "sweep", corners->where, "leave one of them out",
                    "'.wc': random values cannot be drawn and at the ends of their tolerances");
    return KN_ERROR_DECK;
}

static enum kn_status check_sweeps(const struct sweep_reader *reader, const struct sweeps *s)
{
    const enum kn_status status = sweeps_check_names(reader, s);
    return status == KN_OK ? check_meanings(reader, s) : status;
}

/* Runs that all give the same are nobody's wish. */
static void warn_same_runs(const struct sweep_reader *reader, const struct sweeps *s)
{
    const struct sweep *runs = find_meaning(s, SWEEP_RUNS);
    if (runs && reader->circuit->random_count == 0)
        diagnostics_add(reader->diagnostics, KN_WARNING, "sweep", runs->where,
                        "write values such as {agauss(1k,50,3)} or {mc(1k,0.05)}",
                        "'%s': nothing in the deck is random; all runs give the same", runs->card);
}

static enum kn_status check_all(const struct sweep_reader *reader)
{
    struct sweeps sweeps = {0};
    enum kn_status status = read_deck_cards(reader, &sweeps);
    status = status == KN_OK ? check_sweeps(reader, &sweeps) : status;
    warn_same_runs(reader, &sweeps);
    const struct sweeps of_deck = sweeps;
    for (size_t i = 0; analyses[i]; i++)
        for (size_t k = 0; k < analysis_count(analyses[i], reader->circuit) && status != KN_ERROR_MEMORY; k++) {
            sweeps = of_deck;
            enum kn_status own = read_own(reader, analyses[i], k, &sweeps);
            own = own == KN_OK && status == KN_OK ? check_sweeps(reader, &sweeps) : own;
            warn_same_runs(reader, &sweeps);
            status = worse(status, own);
        }
    return status;
}

/* ---- the seed ---- */

static const double LARGEST_SEED = 0x1p53;

static bool take_seed(const struct setting *s, struct kn_diagnostics *d, uint64_t *seed)
{
    if (s->has_value && !s->text && s->value >= 0 && s->value <= LARGEST_SEED && s->value == floor(s->value)) {
        *seed = (uint64_t)s->value;
        return true;
    }
    diagnostics_add(d, KN_ERROR, "option-value", s->where, "runs of a seed come out the same, again and everywhere",
                    "the seed must be a whole number from 0 on, such as seed=7");
    return false;
}

/* That of the command line, of .mc, of .options, or 1. */
static enum kn_status find_seed(const struct run_request *r, struct chance *out)
{
    const struct setting *option = circuit_option(r->circuit, "seed");
    bool good = true;
    out->seed = 1;
    if (option)
        good = take_seed(option, r->diagnostics, &out->seed);
    for (size_t i = 0; analysis_card(r->circuit, ".mc", i); i++) {
        const struct analysis_card *card = analysis_card(r->circuit, ".mc", i);
        for (size_t k = 0; k < card->setting_count; k++)
            if (names_equal(card->settings[k].name, "seed"))
                good = take_seed(&card->settings[k], r->diagnostics, &out->seed) && good;
    }
    if (r->options && r->options->seed)
        out->seed = *r->options->seed;
    return good ? KN_OK : KN_ERROR_DECK;
}

/* Whether a run of this batch has numbers, by which random values are drawn. */
static bool draws(const struct sweeps *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->items[i].meaning == SWEEP_RUNS || s->items[i].meaning == SWEEP_CORNERS || s->items[i].draws)
            return true;
    return false;
}

enum kn_status plan_check(const struct run_request *r)
{
    struct chance ignored = {0};
    const struct sweep_reader reader = {r->circuit, r->deck, r->diagnostics, arena_new()};
    const enum kn_status status = reader.arena ? check_all(&reader) : KN_ERROR_MEMORY;
    arena_free(reader.arena);
    return worse(status, find_seed(r, &ignored));
}

/* ---- runs ---- */

/* .step lib: outside of all. */
static enum kn_status add_sections(const struct plan *p, const struct deck *k, struct sweeps *out)
{
    const size_t count = deck_sections(k);
    struct sweep *all = arena_array(p->arena, out->count + 1, sizeof *all);
    double *values = arena_array(p->arena, count + 1, sizeof *values);
    const char **labels = arena_array(p->arena, count + 1, sizeof *labels);
    if (!all || !values || !labels)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < out->count; i++)
        all[i] = out->items[i];
    for (size_t i = 0; i < count; i++) {
        values[i] = (double)i + 1;
        labels[i] = deck_section(k, i);
    }
    all[out->count++] = (struct sweep){.meaning = SWEEP_SECTIONS,
                                       .source = -1,
                                       .name = "lib",
                                       .values = values,
                                       .count = count,
                                       .labels = labels,
                                       .card = ".step",
                                       .where = deck_section_step(k)};
    out->items = all;
    return KN_OK;
}

/* There is room for it. */
static void append(struct plan *p, struct batch *b)
{
    b->first = p->runs;
    b->points = b->parts * sweeps_points(&b->sweeps);
    p->runs += b->points;
    p->widest = b->sweeps.count > p->widest ? b->sweeps.count : p->widest;
    p->batches[p->batch_count++] = *b;
}

static enum kn_status add_batch(struct plan *p, const struct variant *v, const struct analysis *a, size_t number)
{
    const struct sweep_reader reader = {v->circuit, NULL, p->request->diagnostics, p->arena};
    struct batch b = {.analysis = a, .variants = v, .number = number};
    enum kn_status status = read_own(&reader, a, number, &b.sweeps);
    if (status == KN_OK)
        status = read_deck_cards(&reader, &b.sweeps);
    if (status == KN_OK && deck_sections(v->deck) > 0)
        status = add_sections(p, v->deck, &b.sweeps);
    if (status == KN_OK && !array_resize(&p->batches, p->batch_count + 1, sizeof *p->batches))
        status = KN_ERROR_MEMORY;
    if (status != KN_OK)
        return status;
    b.parts = parts_of(p->request, v->circuit, a, number);
    if (b.sweeps.count == 1 && b.sweeps.items[0].meaning == SWEEP_CORNERS) {
        b.corners = arena_alloc(p->arena, sizeof *b.corners);
        if (!b.corners || !corners_open(b.corners, p->arena, v->circuit, &b.sweeps.items[0]))
            return KN_ERROR_MEMORY;
        p->later += 2 * v->circuit->measure_count * b.parts;
    }
    append(p, &b);
    return KN_OK;
}

enum kn_status plan_follow(struct plan *p)
{
    const size_t count = p->batch_count;
    enum kn_status status = KN_OK;
    for (size_t i = 0; status == KN_OK && i < count; i++) {
        struct batch b = p->batches[i];
        struct sweep *next = NULL;
        status = b.corners ? corners_follow(b.corners, &next) : KN_OK;
        if (status != KN_OK || !next)
            continue;
        if (!array_resize(&p->batches, p->batch_count + 1, sizeof *p->batches))
            return KN_ERROR_MEMORY;
        b.sweeps = (struct sweeps){next, 1};
        append(p, &b);
    }
    return status;
}

void plan_say_corners(const struct plan *p)
{
    for (size_t i = 0; i < p->batch_count; i++)
        if (p->batches[i].corners && p->batches[i].sweeps.items[0].values[0] == 0)
            corners_say(p->batches[i].corners, p->request->diagnostics);
}

void plan_note_nominal(const struct run_request *r, const struct plan *p)
{
    const struct circuit *c = r->circuit;
    bool drawn = false;
    for (size_t i = 0; p && i < p->batch_count; i++)
        drawn |= draws(&p->batches[i].sweeps);
    if (c->random_count > 0 && !drawn)
        diagnostics_add(r->diagnostics, KN_NOTE, "nominal", NOWHERE,
                        "to draw them add .mc 100, or sweep monte=100 to the card of an analysis",
                        "the random values of the deck (%s%s) are the nominal ones: it asks for no Monte Carlo",
                        c->random[0], c->random_count > 1 ? ", .." : "");
}

/* All analyses of one .alter. */
static enum kn_status add_batches(struct plan *p, const struct variant *v)
{
    const size_t before = p->batch_count;
    enum kn_status status = KN_OK;
    for (size_t i = 0; analyses[i]; i++)
        for (size_t k = 0; status == KN_OK && k < analysis_count(analyses[i], v->circuit); k++)
            status = add_batch(p, v, analyses[i], k);
    return status == KN_OK && p->batch_count == before ? add_batch(p, v, analyses[0], 0) : status;
}

enum kn_status plan_open(struct plan *p, const struct run_request *r)
{
    *p = (struct plan){.request = r, .arena = arena_new()};
    enum kn_status status = p->arena ? find_seed(r, &p->chance) : KN_ERROR_MEMORY;
    for (size_t i = 0; status == KN_OK && i <= r->alters; i++)
        status = add_batches(p, &r->variants[i * r->sections]);
    return status;
}

void plan_close(struct plan *p)
{
    free(p->batches);
    arena_free(p->arena);
    *p = (struct plan){0};
}

const struct batch *plan_batch(const struct plan *p, size_t run)
{
    size_t low = 0, high = p->batch_count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (p->batches[middle].first <= run)
            low = middle;
        else
            high = middle;
    }
    return &p->batches[low];
}

size_t plan_most_overrides(const struct plan *p)
{
    return p->widest + (p->request->overrides ? p->request->overrides->count : 0);
}

struct overrides plan_values(const struct plan *p, size_t run, double *values, struct override *items)
{
    const struct batch *b = plan_batch(p, run);
    sweeps_values(&b->sweeps, (run - b->first) / b->parts, values);
    return sweeps_override(&b->sweeps, values, &p->chance, p->request->overrides, items);
}

const struct variant *plan_variant(const struct batch *b, const double *values)
{
    for (size_t k = 0; k < b->sweeps.count; k++)
        if (b->sweeps.items[k].meaning == SWEEP_SECTIONS)
            return &b->variants[(size_t)values[k] - 1];
    return &b->variants[0];
}
