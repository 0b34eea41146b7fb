/* sweep.c - see sweep.h.
 *
 *     [lin|dec|oct] [param] name [(parameter)] start stop step ..
 *
 * as ngspice, LTspice, HSPICE and Xyce write it.  dec and oct in front of the name have the number of points per decade
 * or octave behind start and stop (LTspice, Xyce), those behind the name in front of them (HSPICE), but on .step, which
 * HSPICE does not have.  Tables of .data and
 * numbers of Monte Carlo runs: sweep_table.c.
 */
#include "analyses/sweeps/sweep_card.h"

#include <math.h>
#include <string.h>

/* A value is still the last one where rounding puts it so much beyond, as part of a step. */
static const double BEYOND = 1e-6;
static const double MOST_POINTS = 1e8;

static const char *const spacing_words[SPACINGS] = {"lin", "dec", "oct", "list", "poi"};

static struct kn_location place(const struct sweep_cursor *c)
{
    const struct setting *s = sweep_ahead(c, 0);
    return s ? s->where : c->card->where;
}

/* ---- its values ---- */

/* A spacing if the next word is one. */
static bool take_spacing(struct sweep_cursor *c)
{
    for (int i = 0; i < SPACINGS; i++)
        if (sweep_is_word(sweep_ahead(c, 0), spacing_words[i])) {
            c->spacing = (enum sweep_spacing)i;
            c->next++;
            return true;
        }
    return false;
}

static enum kn_status keep_values(const struct sweep_cursor *c, struct sweep *s, double count)
{
    if (!(count <= MOST_POINTS))
        return sweep_fail(c, c->numbers->where, "make the step larger", "so many values would take forever");
    s->count = (size_t)count;
    s->values = arena_array(c->r->arena, s->count, sizeof *s->values);
    return s->values ? KN_OK : KN_ERROR_MEMORY;
}

static enum kn_status make_list(const struct sweep_cursor *c, struct sweep *s)
{
    const size_t skipped = c->spacing == SPACING_POINTS && c->number_count > 1; /* the number of points */
    const enum kn_status status = keep_values(c, s, (double)(c->number_count - skipped));
    for (size_t i = 0; status == KN_OK && i < s->count; i++)
        s->values[i] = c->numbers[i + skipped].value;
    return status;
}

/* From the start to the stop in so many steps, more or less.  A last value that only rounding tells from the stop is the stop; LTspice
 * has that behind the others where they do not meet it. */
static enum kn_status keep_steps(const struct sweep_cursor *c, struct sweep *s, double steps)
{
    const double whole = floor(steps + BEYOND);
    const bool one_more = c->r->circuit->dialect == DIALECT_LTSPICE && steps > whole + BEYOND;
    return keep_values(c, s, whole + 1 + one_more);
}

static void meet_stop(struct sweep *s, double stop, double steps)
{
    double *last = &s->values[s->count - 1];
    if (fabs(*last - stop) <= 1e-12 * fabs(stop) || (double)(s->count - 1) > steps + BEYOND)
        *last = stop;
}

static enum kn_status make_linear(const struct sweep_cursor *c, struct sweep *s, double start, double stop, double step)
{
    const struct setting *where = &c->numbers[2];
    if (step == 0 && start != stop)
        return sweep_fail(c, where->where, NULL, "the step is 0");
    if (step * (stop - start) < 0) {
        step = -step; /* as PSpice and LTspice have it, which take a step without its sign */
        diagnostics_add(c->r->diagnostics, KN_WARNING, "sweep-step", where->where, NULL,
                        "the step leads away from the end; it is taken as %g", step);
    }
    const double steps = step == 0 ? 0 : (stop - start) / step;
    const enum kn_status status = keep_steps(c, s, steps);
    for (size_t i = 0; status == KN_OK && i < s->count; i++)
        s->values[i] = start + (double)i * step;
    if (status == KN_OK)
        meet_stop(s, stop, steps);
    return status;
}

static enum kn_status make_logarithmic(const struct sweep_cursor *c, struct sweep *s, double start, double stop,
                                       double per)
{
    const double base = c->spacing == SPACING_DECADES ? 10 : 2;
    if (!(start * stop > 0))
        return sweep_fail(c, c->numbers->where, "give start and stop the same sign, neither of them 0",
                          "a logarithmic sweep does not reach 0");
    if (!(per >= 1))
        return sweep_fail(c, c->numbers[c->behind ? 0 : 2].where, NULL,
                          "the number of points per decade or octave is less than 1");
    const double span = log(stop / start) / log(base) * per, direction = span < 0 ? -1 : 1;
    const enum kn_status status = keep_steps(c, s, fabs(span));
    for (size_t i = 0; status == KN_OK && i < s->count; i++)
        s->values[i] = start * pow(base, direction * (double)i / per);
    if (status == KN_OK)
        meet_stop(s, stop, fabs(span));
    return status;
}

static enum kn_status make_values(const struct sweep_cursor *c, struct sweep *s)
{
    const struct setting *n = c->numbers;
    const bool is_list = c->spacing == SPACING_LIST || c->spacing == SPACING_POINTS;
    if (c->number_count == 0 || (!is_list && c->number_count < 3))
        return sweep_fail(c, place(c), sweep_form(c),
                          is_list ? "expected a number" : "expected three numbers: start, stop and step");
    if (is_list)
        return make_list(c, s);
    if (c->spacing == SPACING_LINEAR && !c->behind)
        return make_linear(c, s, n[0].value, n[1].value, n[2].value);
    if (c->spacing == SPACING_LINEAR)
        return make_linear(c, s, n[1].value, n[2].value, (n[2].value - n[1].value) / fmax(1, n[0].value - 1));
    return c->behind ? make_logarithmic(c, s, n[1].value, n[2].value, n[0].value)
                     : make_logarithmic(c, s, n[0].value, n[1].value, n[2].value);
}

static bool is_number(const struct setting *s, bool by_name)
{
    return s && !s->text && (s->has_value || (by_name && s->is_parameter));
}

/* Three numbers, or as many as a list has. HSPICE's may be names of parameters. */
static void take_numbers(struct sweep_cursor *c)
{
    const bool is_list = c->spacing == SPACING_LIST || c->spacing == SPACING_POINTS;
    c->numbers = sweep_ahead(c, 0);
    c->number_count = 0;
    while (is_number(sweep_ahead(c, 0), !is_list) && (is_list || c->number_count < 3)) {
        c->number_count++;
        c->next++;
    }
}

/* ---- the card ---- */

static enum kn_status read_sweep(struct sweep_cursor *c, struct sweep *s)
{
    *s = (struct sweep){.where = place(c), .source = -1};
    c->spacing = SPACING_LINEAR;
    take_spacing(c);
    enum kn_status status = sweep_take_target(c, s);
    if (status != KN_OK)
        return status;
    if (sweep_is_word(sweep_ahead(c, 0), ")"))
        c->next++;
    c->behind = take_spacing(c) && !names_equal(c->card->name, ".step");
    take_numbers(c);
    const struct setting *next = sweep_ahead(c, 0);
    const bool in_file = c->number_count == 0 && next && next->text && names_equal(next->name, "file");
    status = in_file ? sweep_take_file(c, s) : make_values(c, s);
    s->draws = s->target.kind == OVERRIDE_PARAMETER && names_equal(c->card->name, ".step");
    return status == KN_OK ? sweep_finish(c, s) : status;
}

/* Room for as many sweeps as the card can have, behind those that are there. */
static struct sweep *make_room(const struct sweep_reader *r, const struct analysis_card *card, struct sweeps *out)
{
    struct sweep *all = arena_array(r->arena, out->count + card->setting_count + 1, sizeof *all);
    for (size_t i = 0; all && i < out->count; i++)
        all[i] = out->items[i];
    out->items = all ? all : out->items;
    return all;
}

static enum kn_status read_next(struct sweep_cursor *c, struct sweeps *out)
{
    const struct setting *word = sweep_ahead(c, 0);
    if (names_equal(word->name, "data") && word->text)
        return sweep_take_table(c, out);
    if (names_equal(word->name, "monte") && word->has_value)
        return sweep_take_runs(c, out);
    const enum kn_status status = read_sweep(c, &out->items[out->count]);
    out->count += status == KN_OK;
    return status;
}

/* The first word of what the card says behind `sweep`; the number of words where it does not. */
static size_t behind_sweep(const struct analysis_card *card)
{
    size_t i = 0;
    while (i < card->setting_count && !sweep_is_word(&card->settings[i], "sweep"))
        i++;
    return i;
}

static enum kn_status read_part(const struct sweep_reader *r, const struct analysis_card *part, struct sweeps *out)
{
    struct sweep_cursor c = {.r = r, .card = part};
    if (part->setting_count == 0)
        return sweep_fail(&c, part->where, sweep_form(&c), "what is swept is missing");
    enum kn_status status = make_room(r, part, out) ? KN_OK : KN_ERROR_MEMORY;
    while (status == KN_OK && sweep_ahead(&c, 0))
        status = read_next(&c, out);
    return status;
}

enum kn_status sweeps_read(const struct sweep_reader *r, const struct analysis_card *card, struct sweeps *out)
{
    struct analysis_card part = *card;
    part.setting_count = behind_sweep(card);
    return read_part(r, &part, out);
}

enum kn_status sweeps_read_outer(const struct sweep_reader *r, const struct analysis_card *card, struct sweeps *out)
{
    const size_t begin = behind_sweep(card);
    if (begin == card->setting_count)
        return KN_OK;
    struct analysis_card part = *card;
    part.where = card->settings[begin].where;
    part.settings += begin + 1;
    part.setting_count -= begin + 1;
    return read_part(r, &part, out);
}

/* ---- all together ---- */

/* Of all sweeps together. */
static enum kn_status check_number(const struct sweep_reader *r, const struct sweeps *s)
{
    double points = 1;
    for (size_t i = 0; i < s->count; i++)
        points *= s->items[i].tied ? 1 : (double)s->items[i].count;
    if (points <= MOST_POINTS)
        return KN_OK;
    diagnostics_add(r->diagnostics, KN_ERROR, "sweep", s->items[s->count - 1].where, "make the steps larger",
                    "'%s': all sweeps together have %g values, which would take forever", s->items[s->count - 1].card,
                    points);
    return KN_ERROR_DECK;
}

enum kn_status sweeps_check_names(const struct sweep_reader *r, const struct sweeps *s)
{
    for (size_t i = 1; i < s->count; i++)
        for (size_t k = 0; k < i; k++)
            if (names_equal(s->items[i].name, s->items[k].name)) {
                diagnostics_add(r->diagnostics, KN_ERROR, "sweep", s->items[i].where, "leave one of them out",
                                "'%s': '%s' is swept twice", s->items[i].card, s->items[i].name);
                return KN_ERROR_DECK;
            }
    return check_number(r, s);
}

size_t sweeps_points(const struct sweeps *s)
{
    size_t points = 1;
    for (size_t i = 0; i < s->count; i++)
        points *= s->items[i].tied ? 1 : s->items[i].count;
    return points;
}

void sweeps_values(const struct sweeps *s, size_t i, double *values)
{
    size_t own = 0;
    for (size_t k = 0; k < s->count; k++) {
        if (!s->items[k].tied) {
            own = i % s->items[k].count;
            i /= s->items[k].count;
        }
        values[k] = s->items[k].values[own];
    }
}

/* A whole number is the number of a run; several parameters, or others, make one of their bits (the finalizer of
 * MurmurHash3, A. Appleby 2011). */
static uint64_t mix(uint64_t run, double value)
{
    uint64_t bits;
    if (run == 0 && value >= 0 && value < 0x1p53 && value == floor(value))
        return (uint64_t)value;
    memcpy(&bits, &value, sizeof bits);
    bits ^= run * 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 33)) * 0xff51afd7ed558ccdu;
    bits = (bits ^ (bits >> 33)) * 0xc4ceb9fe1a85ec53u;
    return bits ^ (bits >> 33);
}

/* Numbers of runs say what is drawn; without them each step of parameters draws anew, as in LTspice. */
static void set_run(const struct sweeps *s, const double *values, struct chance *chance)
{
    for (size_t k = 0; k < s->count; k++)
        if (s->items[k].meaning == SWEEP_RUNS) {
            chance->kind = CHANCE_DRAWN;
            chance->run = (uint64_t)values[k];
            return;
        }
    for (size_t k = 0; k < s->count; k++)
        if (s->items[k].meaning == SWEEP_CORNERS) {
            const struct sweep *corners = &s->items[k];
            chance->kind = CHANCE_EXTREME;
            chance->ends = &corners->ends[(size_t)(values[k] - corners->values[0]) * corners->end_count];
            chance->end_count = corners->end_count;
            return;
        }
    for (size_t k = 0; k < s->count; k++)
        if (s->items[k].draws) {
            chance->run = chance->kind == CHANCE_DRAWN ? mix(chance->run, values[k]) : mix(0, values[k]);
            chance->kind = CHANCE_DRAWN;
        }
}

struct overrides sweeps_override(const struct sweeps *s, const double *values, const struct chance *chance,
                                 const struct overrides *given, struct override *items)
{
    struct overrides all = {items, given ? given->count : 0, *chance, true};
    if (all.count > 0)
        memcpy(items, given->items, all.count * sizeof *items);
    for (size_t k = 0; k < s->count; k++) {
        if (s->items[k].meaning != SWEEP_VALUES)
            continue;
        items[all.count] = s->items[k].target;
        items[all.count++].value = values[k];
    }
    set_run(s, values, &all.chance);
    return all;
}

void sweeps_describe(const struct sweeps *s, const double *values, struct text *out)
{
    struct text_list list = text_list(out, ", ", 0);
    for (size_t k = 0; k < s->count; k++)
        if (s->items[k].labels)
            text_list_format(&list, "%s = %s", s->items[k].name, s->items[k].labels[(size_t)values[k] - 1]);
        else
            text_list_format(&list, "%s = %.6g", s->items[k].name, values[k]);
    text_list_end(&list);
}
