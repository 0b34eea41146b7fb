/* analyse.c - see analyse.h. */
#include "control/analyse.h"

#include "analyses/faults.h"
#include "analyses/run.h"
#include "base/array.h"
#include "base/names.h"
#include "control/job.h"
#include "control/script/lists.h"
#include "netlist/expression/expression.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool analyse_overrides(struct state *s, bool pending, struct overrides *out)
{
    struct override *items = arena_array(s->scratch, s->change_count + 1, sizeof *items);
    *out = (struct overrides){.items = items};
    for (size_t i = 0; items && i < s->change_count; i++)
        if (pending || !s->changes[i].pending)
            items[out->count++] = s->changes[i].override;
    return items || state_no_memory(s);
}

const struct circuit *analyse_circuit(struct state *s)
{
    const struct kn_circuit *deck = s->request->circuit;
    struct overrides all;
    if (s->dry || s->change_count == 0 || s->altered)
        return s->altered && !s->dry ? s->altered : deck->circuit;
    if (!analyse_overrides(s, false, &all))
        return NULL;
    const enum kn_status status = deck_expand(deck->deck, &all, faults_of_deck, s->request->diagnostics, &s->altered);
    s->status = status == KN_OK ? s->status : status;
    return s->altered;
}

const struct element *analyse_element(const struct circuit *c, const char *name)
{
    const int i = circuit_find_element(c, name);
    return i >= 0 && c->elements[i].kind ? &c->elements[i] : NULL;
}

void analyse_forget_circuit(struct state *s)
{
    if (s->altered)
        circuit_free(s->altered);
    s->altered = NULL;
}

/* ---- runs ---- */

static bool ended(struct state *s, enum kn_status status)
{
    if (status != KN_OK && s->status == KN_OK)
        s->status = status;
    return status == KN_OK;
}

enum kn_status analyse_at_once(struct state *s, struct job *j)
{
    const struct control_request *r = s->request;
    plots_let(&s->plots);
    job_run(j, &s->plots, r->sink, r->options, r->diagnostics);
    plots_hold(&s->plots);
    run_add_up(r->summary, &j->summary);
    const enum kn_status status = j->status;
    job_free(j);
    return status;
}

/* At once, or by whoever has taken that on. */
static enum kn_status perform(struct state *s, struct job *j)
{
    const struct control_request *r = s->request;
    s->analysed = true;
    const enum kn_status status = r->perform ? r->perform(r->performer, j) : analyse_at_once(s, j);
    s->unfinished = status != KN_OK;
    return status;
}

/* A deck with the values as they are now; own NULL: the circuit's, with its blocks of .alter.  dry: whether it can be made
 * so. */
static bool run_with_values(struct state *s, struct deck *own, bool pending)
{
    struct overrides all;
    struct kn_diagnostics *d = s->request->diagnostics;
    enum kn_status status = KN_OK;
    if (!analyse_overrides(s, pending, &all)) {
        deck_free(own);
        return false;
    }
    struct job *j = job_new(s->request->circuit, own, &all, d, &status);
    if (j)
        j->squares = state_is_set(s, "sqrnoise");
    if (j && s->asides && !(j->asides = strdup(s->asides))) {
        job_free(j);
        return state_no_memory(s);
    }
    if (!j || !s->dry)
        return ended(s, j ? perform(s, j) : status);
    status = library_check(j->circuit, s->request->options, d);
    job_free(j);
    return ended(s, status);
}

/* The end of @v1[dc], the value of a source: in .dc what it gives, in any other analysis the same for ever. */
static const char *value_of_source(struct state *s, const char *word, const char *bracket)
{
    char *name = arena_text(s->scratch, word + 1, (size_t)(bracket - word - 1));
    const bool swept = strcmp(s->command->name, "dc") == 0 && strcasecmp(bracket, "[dc]") == 0;
    const struct circuit *c = name && swept ? analyse_circuit(s) : NULL;
    const struct element *e = c ? analyse_element(c, name) : NULL;
    return !e || !e->kind || e->kind->form != CARD_SOURCE ? NULL : kind_is_voltage_source(e->kind) ? "[v]" : "[i]";
}

/* The column i(r1) that the current @r1[i] has where it is saved; NULL of what is no current, and without memory. */
static const char *current_of(struct state *s, const char *vector)
{
    const char *bracket = strchr(vector, '['), *end = bracket ? strchr(bracket, ']') : NULL;
    const char *quantity = end ? arena_text(s->scratch, bracket + 1, (size_t)(end - bracket - 1)) : NULL;
    return !quantity || !quantity_is_current(quantity)
               ? NULL
               : arena_format(s->scratch, "i(%.*s)", (int)(bracket - vector - 1), vector + 1);
}

/* Whether results have the vector, or its column, anyway. */
static bool is_saved(const struct state *s, const struct circuit *c, const char *vector, const char *column)
{
    const char *const ways[] = {"alli", "allcur", "allp", vector, column ? column : vector};
    for (size_t i = 0; i < c->save_count; i++)
        for (size_t k = 3; k < sizeof ways / sizeof *ways; k++)
            if (c->saves[i].label && names_equal(c->saves[i].label, ways[k]))
                return true;
    for (size_t i = 0; s->saved && i < sizeof ways / sizeof *ways; i++)
        if (name_is_among(s->saved, ways[i]))
            return true;
    return false;
}

/* Analyses whose points have quantities of devices, and none else. */
static bool has_points(const struct state *s, const struct circuit *c)
{
    const bool runs = strcmp(s->command->name, "run") == 0;
    const bool only_points =
        c->sweep_count + c->noise_count + c->port_request_count + c->distortion_count + c->sensitivity_count == 0;
    return runs ? c->transient_count > 0 && only_points
                : strcmp(s->command->name, "tran") == 0 || strcmp(s->command->name, "dc") == 0;
}

/* s->asides := columns and vectors of what the script asks for behind the analysis that begins, without having saved it; the latter, with
 * a blank before each, or "". */
static const char *find_asides(struct state *s)
{
    const char *vectors = "";
    s->asides = NULL;
    const struct circuit *c = s->asked ? analyse_circuit(s) : NULL;
    if (!c || !has_points(s, c))
        return vectors;
    for (const char *at = s->asked, *word; (word = state_word(s, &at)) && vectors;) {
        const char *column = current_of(s, word);
        if (is_saved(s, c, word, column))
            continue;
        vectors = arena_format(s->scratch, "%s %s", vectors, word);
        s->asides = arena_format(s->scratch, "%s%s%s %s", s->asides ? s->asides : "", s->asides ? " " : "",
                                 column ? column : word, word);
    }
    return vectors;
}

/* The cards of the deck name nothing, or all and more (.probe of ngspice). */
static bool keeps_all(const struct circuit *c)
{
    bool all = c->save_count == 0;
    for (size_t i = 0; i < c->save_count && !all; i++)
        all = c->saves[i].kind == REQUEST_ALL;
    return all;
}

/* .save of an earlier `save`, with @r1[i] as i(r1), and of what the script asks for. */
static const char *saves(struct state *s)
{
    const char *text = "", *asides = find_asides(s);
    for (const char *at = s->saved, *word; at && text && (word = state_word(s, &at));) {
        const char *bracket = strchr(word, '[');
        const char *value = word[0] == '@' && bracket ? value_of_source(s, word, bracket) : NULL;
        if (value)
            text = arena_format(s->scratch, "%s %.*s%s", text, (int)(bracket - word), word, value);
        else if (word[0] == '@' && bracket && strcasecmp(bracket, "[i]") == 0)
            text = arena_format(s->scratch, "%s i(%.*s)", text, (int)(bracket - word - 1), word + 1);
        else
            text = arena_format(s->scratch, "%s %s", text, word);
    }
    const bool asks = s->mentioned && strcmp(s->command->name, "op") == 0;
    if (asks && text)
        text = arena_format(s->scratch, "%s%s", s->saved ? text : " all", s->mentioned);
    const bool all = !s->saved && s->asides && keeps_all(analyse_circuit(s));
    if (s->asides && text)
        text = arena_format(s->scratch, "%s%s%s", all ? " all" : "", text, asides);
    return (s->saved || asks || s->asides) && text ? arena_format(s->scratch, "\n.save%s", text) : text;
}

/* The deck with these cards instead of its analyses, or without an analysis further ones, is run. */
static bool run_cards(struct state *s, const char *analysis, const char *cards)
{
    struct deck *deck = NULL;
    const bool good = cards ? ended(s, deck_with_cards(s->request->circuit->deck, analysis, cards, s->command->where,
                                                       s->request->diagnostics, &deck)) &&
                                  run_with_values(s, deck, false)
                            : state_no_memory(s);
    s->asides = NULL; /* in memory of this command */
    return good;
}

bool analyse_card(struct state *s, const char *rest)
{
    if (!list_redirect(s, &rest))
        return false;
    s->asks = true;
    const char *kept = saves(s);
    const char *pad = "";
    if (s->factors && strcmp(s->command->name, "sens") == 0)
        rest = arena_format(s->scratch, "%s param=%s", rest, s->factors);
    for (int i = 2; i < s->command->where.column && pad; i++)
        pad = arena_format(s->scratch, "%s ", pad);
    /* At the columns of the command, so that messages point at it. */
    return run_cards(s, s->command->name,
                     kept && pad && rest ? arena_format(s->scratch, "%s.%s %s%s", pad, s->command->name, rest, kept)
                                         : NULL);
}

bool analyse_deck(struct state *s, const char *rest)
{
    if (!list_redirect(s, &rest))
        return false;
    rest += strspn(rest, " \t");
    if (*rest)
        return state_fail(s, "run runs what the cards of the deck ask for; the results are in the result file",
                          "expected nothing behind 'run', found '%s'", rest);
    const bool asks = library_asks(s->request->circuit->circuit);
    if (!asks && s->asks && !s->dry) /* what there is to run has been run */
        state_warn(s, NULL, "run: the cards of the deck ask for no analysis; nothing is done");
    if (!asks && s->asks)
        return true;
    if (!asks)
        return state_fail(s, "write the analysis as a command, tran 1u 1m, or as a card, .tran 1u 1m",
                          "run: the deck asks for no analysis");
    const char *kept = saves(s);
    if (s->saved || s->asides)
        return run_cards(s, NULL, kept);
    return s->dry || run_with_values(s, NULL, false);
}

bool analyse_save(struct state *s, const char *rest)
{
    if (!*rest)
        return state_fail(s, NULL, "save: expected the names of vectors such as v(out)");
    if (!s->dry)
        s->saved = arena_format(s->arena, "%s %s", s->saved ? s->saved : "", rest);
    return s->dry || s->saved || state_no_memory(s);
}

/* ---- changes ---- */

static bool keep_text(struct state *s, const char **text)
{
    return !*text || (*text = arena_text(s->arena, *text, strlen(*text)));
}

static bool keep_values(struct state *s, struct override *o)
{
    double *kept = arena_array(s->arena, o->count + 1, sizeof *kept);
    if (kept)
        memcpy(kept, o->values, o->count * sizeof *kept);
    o->values = kept;
    return kept || state_no_memory(s);
}

/* In the place of an earlier one of the same. */
static bool change(struct state *s, struct override o, bool pending)
{
    if (o.count > 0 && !keep_values(s, &o))
        return false;
    for (size_t i = 0; i < s->change_count; i++) {
        struct override *known = &s->changes[i].override;
        if (s->changes[i].pending == pending && override_same(known, &o)) {
            const bool same_setting =
                !o.setting || names_equal(known->setting, o.setting); /* a sine may become a pulse */
            o.name = known->name;
            o.setting = same_setting ? known->setting : o.setting;
            *known = o;
            return same_setting || keep_text(s, &known->setting);
        }
    }
    if (!array_reserve_in(s->arena, &s->changes, s->change_count, s->change_count + 1, &s->change_capacity,
                          sizeof *s->changes) ||
        !keep_text(s, &o.name) || !keep_text(s, &o.setting))
        return state_no_memory(s);
    s->changes[s->change_count++] = (struct change){o, pending};
    return true;
}

/* What does not fit the deck is said at once, not by the next analysis. */
static bool try_change(struct state *s, struct override o, bool pending)
{
    const size_t before = s->change_count;
    if (!change(s, o, pending))
        return false;
    const size_t errors = kn_diagnostics_errors(s->request->diagnostics);
    const bool dry = s->dry;
    s->dry = true;
    const bool good = run_with_values(s, NULL, pending);
    s->dry = dry;
    if (dry)
        s->change_count = before;
    s->changes_made += !dry;
    analyse_forget_circuit(s);
    if (!good && s->status == KN_ERROR_DECK && errors < kn_diagnostics_errors(s->request->diagnostics))
        state_fail(s, NULL, "%s cannot change that", s->command->name);
    if (!good && s->analysed && s->status == KN_ERROR_DECK)
        s->status = KN_ERROR_CIRCUIT;
    return good;
}

/* Names in front of a value: alter r1 = 2k, alter v1 dc = 3, alter @r1[tc1] = 0.1. */
struct target {
    const char *names[8];
    size_t count;
    const char *value; /* NULL: there is none */
};

static bool is_value(const char *word)
{
    double value;
    return expression_number(word, strlen(word), &value) || strchr("({[-+", *word);
}

/* Of alter: whether one word is the device, two are device and setting. */
static bool read_target(struct state *s, const char *rest, struct target *t)
{
    *t = (struct target){.count = 0};
    const char *equals = strchr(rest, '=');
    char *left = arena_text(s->scratch, rest, equals ? (size_t)(equals - rest) : strlen(rest));
    if (!left)
        return state_no_memory(s);
    bool inside = false, device = false;
    for (char *c = left; *c; c++) { /* @m1[w] is m1 w; [ 0 1 ] without = in front are values, and x[1] is one */
        device = *c == '@' || (device && *c != ' ' && *c != '\t');
        const bool bracket = *c == '[' ? device : *c == ']' && inside;
        if (*c == '[' || *c == ']')
            inside = bracket && *c == '[';
        if (*c == '@' || bracket)
            *c = ' ';
    }
    for (const char *at = left, *before = at, *word; t->count < 8 && (word = state_word(s, &at)); before = at) {
        if (!equals && t->count > 0 && is_value(word)) {
            t->value = before;
            break;
        }
        t->names[t->count++] = word;
    }
    if (!equals && !t->value && t->count > 1) /* alter r1 x: a vector */
        t->value = t->names[--t->count];
    t->value = equals ? equals + 1 : t->value;
    if (t->count == 0 || !t->value)
        return state_fail(s, "alter r1 = 2k, alter v1 dc = 3, altermod m1 vto = 0.7, alterparam w = 2u",
                          "%s: expected a name and a value", s->command->name);
    return true;
}

static bool is_main_value(const char *setting)
{
    static const char *const names[] = {"resistance", "capacitance", "inductance", "dc", "value", "gain"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(setting, names[i]) == 0)
            return true;
    return false;
}

/* alter @v1[sin] = [ 0 1 1k ]: the numbers, in the scratch arena. */
static bool read_numbers(struct state *s, const char *text, struct override *o)
{
    const char *close = strchr(text, ']');
    char *inside = arena_text(s->scratch, text, close ? (size_t)(close - text) : strlen(text));
    double *values = arena_array(s->scratch, strlen(text) + 1, sizeof *values);
    if (!inside || !values)
        return state_no_memory(s);
    if (!close)
        return state_fail(s, "alter @v1[sin] = [ 0 1 1k ]", "%s: the numbers of a waveform end with ']'",
                          s->command->name);
    *strchr(inside, '[') = ' ';
    struct formula f = state_formula(s, inside);
    while (!formula_is_at_end(&f)) {
        const char *begin;
        struct values v;
        if (!state_evaluate_next(s, &f, &v, &begin))
            return false;
        values[o->count++] = v.count > 0 ? creal(v.at[0]) : 0;
    }
    o->values = values;
    return o->count > 0 ||
           state_fail(s, "alter @v1[sin] = [ 0 1 1k ]", "%s: expected numbers in brackets", s->command->name);
}

bool analyse_alter(struct state *s, const char *rest)
{
    struct target t;
    if (!read_target(s, rest, &t))
        return false;
    if (t.count > 2)
        return state_fail(s, NULL, "alter: expected a device and one of its settings, found '%s'", t.names[2]);
    const char *setting = t.count == 2 && !is_main_value(t.names[1]) ? t.names[1] : NULL;
    const struct element *e = analyse_element(s->request->circuit->circuit, t.names[0]);
    struct override o = {.kind = OVERRIDE_ELEMENT, .name = e ? e->name : t.names[0], .setting = setting};
    const bool good = t.value[strspn(t.value, " \t")] == '[' && setting ? read_numbers(s, t.value, &o)
                                                                        : state_evaluate_number(s, t.value, &o.value);
    return good && try_change(s, o, false);
}

/* A model by its name, or by that of an element that has it. */
static const char *model_named(const struct state *s, const char *name)
{
    const struct circuit *c = s->request->circuit->circuit;
    for (size_t i = 0; i < c->model_count; i++)
        if (names_equal(c->models[i].name, name))
            return name;
    const struct element *e = analyse_element(c, name);
    const struct model *m = e ? e->model : NULL;
    return m ? m->name : name;
}

bool analyse_altermod(struct state *s, const char *rest)
{
    struct target t;
    double value;
    if (!read_target(s, rest, &t) || !state_evaluate_number(s, t.value, &value))
        return false;
    if (t.count < 2)
        return state_fail(s, "altermod model parameter = value", "altermod: expected a parameter of model '%s'",
                          t.names[0]);
    bool good = true;
    for (size_t i = 0; good && i + 1 < t.count; i++) {
        const struct override o = {.kind = OVERRIDE_MODEL,
                                   .name = model_named(s, t.names[i]),
                                   .setting = t.names[t.count - 1],
                                   .value = value};
        good = try_change(s, o, false);
    }
    return good;
}

bool analyse_alterparam(struct state *s, const char *rest)
{
    struct target t;
    double value;
    if (!read_target(s, rest, &t) || !state_evaluate_number(s, t.value, &value))
        return false;
    if (t.count > 2)
        return state_fail(s, "alterparam w = 2u, alterparam subcircuit w = 2u",
                          "alterparam: expected a parameter, or a subcircuit and its parameter, found '%s'",
                          t.names[2]);
    const struct override o = {.kind = t.count == 1 ? OVERRIDE_PARAMETER : OVERRIDE_DEFAULT,
                               .name = t.names[0],
                               .setting = t.count == 1 ? NULL : t.names[1],
                               .value = value};
    return try_change(s, o, true);
}

bool analyse_reset(struct state *s, const char *rest)
{
    (void)rest;
    size_t kept = 0;
    for (size_t i = 0; !s->dry && i < s->change_count; i++) {
        struct change c = s->changes[i];
        if (c.override.kind == OVERRIDE_ELEMENT || c.override.kind == OVERRIDE_MODEL)
            continue;
        bool known = false;
        for (size_t k = 0; c.pending && !known && k < kept; k++)
            if (!s->changes[k].pending && override_same(&s->changes[k].override, &c.override)) {
                s->changes[k].override.value = c.override.value;
                known = true;
            }
        if (known)
            continue;
        c.pending = false;
        s->changes[kept++] = c;
    }
    if (!s->dry) {
        s->change_count = kept;
        analyse_forget_circuit(s);
    }
    return true;
}

/* ---- options ---- */

bool analyse_is_option(const char *name)
{
    static const char *const names[] = {"temp",   "tnom",   "reltol", "abstol", "vntol", "chgtol",
                                        "trtol",  "gmin",   "maxord", "itl1",   "itl2",  "itl4",
                                        "pivtol", "pivrel", "rshunt", "cshunt", "seed"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(names[i], name) == 0)
            return true;
    return false;
}

bool analyse_option(struct state *s, const char *name, double value)
{
    if (!s->request->circuit)
        return state_fail(s, "source deck.cir reads one", "%s: there is no circuit", s->command->name);
    const bool temperature = strcasecmp(name, "temp") == 0;
    const struct override o = {.kind = temperature ? OVERRIDE_TEMPERATURE : OVERRIDE_OPTION,
                               .name = temperature ? NULL : name,
                               .value = value};
    return try_change(s, o, false);
}
