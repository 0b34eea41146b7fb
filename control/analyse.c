/* analyse.c - see analyse.h. */
#include "control/analyse.h"

#include "analyses/run.h"
#include "base/array.h"
#include "base/names.h"
#include "control/job.h"
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

/* ---- runs ---- */

static bool ended(struct state *s, enum kn_status status)
{
    if (status != KN_OK && s->status == KN_OK)
        s->status = status;
    return status == KN_OK;
}

/* At once, or by whoever has taken that on. */
static enum kn_status perform(struct state *s, struct job *j)
{
    const struct control_request *r = s->request;
    s->analysed = true;
    if (r->perform)
        return r->perform(r->performer, j);
    plots_let(&s->plots);
    job_run(j, &s->plots, r->sink, r->options, r->diagnostics);
    plots_hold(&s->plots);
    run_add_up(r->summary, &j->summary);
    const enum kn_status status = j->status;
    job_free(j);
    return status;
}

/* The deck with its values as they are now; dry: whether it can be made so.  own: the deck is for this only. */
static bool run_with_values(struct state *s, struct deck *deck, bool own, bool pending)
{
    struct overrides all;
    struct kn_diagnostics *d = s->request->diagnostics;
    enum kn_status status = KN_OK;
    if (!analyse_overrides(s, pending, &all)) {
        if (own)
            deck_free(deck);
        return false;
    }
    struct job *j = job_new(deck, own, &all, d, &status);
    if (!j || !s->dry)
        return ended(s, j ? perform(s, j) : status);
    status = library_check(j->circuit, s->request->options, d);
    job_free(j);
    return ended(s, status);
}

/* .save of an earlier `save`, with @r1[i] as i(r1). */
static const char *saves(struct state *s)
{
    const char *text = "";
    for (const char *at = s->saved, *word; at && text && (word = state_word(s, &at));) {
        const char *bracket = strchr(word, '[');
        if (word[0] == '@' && bracket && strcasecmp(bracket, "[i]") == 0)
            text = arena_format(s->scratch, "%s i(%.*s)", text, (int)(bracket - word - 1), word + 1);
        else
            text = arena_format(s->scratch, "%s %s", text, word);
    }
    return s->saved && text ? arena_format(s->scratch, "\n.save%s", text) : text;
}

bool analyse_card(struct state *s, const char *rest)
{
    struct kn_location where = s->command->where;
    const char *kept = saves(s);
    const char *pad = "";
    for (int i = 2; i < where.column && pad; i++)
        pad = arena_format(s->scratch, "%s ", pad);
    /* At the columns of the command, so that messages point at it. */
    const char *cards = kept && pad ? arena_format(s->scratch, "%s.%s %s%s", pad, s->command->name, rest, kept) : NULL;
    struct deck *deck = NULL;
    if (!cards)
        return state_no_memory(s);
    if (!ended(s, deck_with_cards(s->request->circuit->deck, s->command->name, cards, where, s->request->diagnostics,
                                  &deck)))
        return false;
    return run_with_values(s, deck, true, false);
}

bool analyse_deck(struct state *s, const char *rest)
{
    if (*rest)
        return state_fail(s, "run runs what the cards of the deck ask for; the results are in the result file",
                          "expected nothing behind 'run', found '%s'", rest);
    if (!library_asks(s->request->circuit->circuit))
        return state_fail(s, "write the analysis as a command, tran 1u 1m, or as a card, .tran 1u 1m",
                          "run: the deck asks for no analysis");
    if (s->saved && !s->dry)
        state_warn(s, "write the card .save, or the analysis as a command",
                   "run: 'save' counts for analyses that are commands");
    return s->dry || run_with_values(s, s->request->circuit->deck, false, false);
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

/* In the place of an earlier one of the same. */
static bool change(struct state *s, struct override o, bool pending)
{
    for (size_t i = 0; i < s->change_count; i++) {
        struct change *c = &s->changes[i];
        if (override_same(&c->override, &o) && c->pending == pending) {
            c->override.value = o.value;
            return true;
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
    const bool good = run_with_values(s, s->request->circuit->deck, false, pending);
    s->dry = dry;
    if (dry)
        s->change_count = before;
    s->changes_made += !dry;
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
    for (char *c = left; *c; c++) /* @m1[w] is m1 w */
        if (*c == '@' || *c == '[' || *c == ']')
            *c = ' ';
    for (const char *at = left, *before = at, *word; t->count < 8 && (word = state_word(s, &at)); before = at) {
        if (!equals && t->count > 0 && is_value(word)) {
            t->value = before;
            break;
        }
        t->names[t->count++] = word;
    }
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

static bool refuse_waveform(struct state *s, const char *value)
{
    return state_fail(s, "write its numbers as parameters, sin(0 {a} {f}), and change these: alterparam a = 2, reset",
                      "%s: '%s' are the numbers of a waveform, which it cannot change", s->command->name, value);
}

bool analyse_alter(struct state *s, const char *rest)
{
    struct target t;
    double value;
    if (!read_target(s, rest, &t))
        return false;
    if (strchr(t.value, '['))
        return refuse_waveform(s, t.value);
    if (t.count > 2)
        return state_fail(s, NULL, "alter: expected a device and one of its settings, found '%s'", t.names[2]);
    const char *setting = t.count == 2 && !is_main_value(t.names[1]) ? t.names[1] : NULL;
    if (setting && strncasecmp(setting, "ac", 2) == 0)
        return state_fail(s, "write ac {a} in the source, .param a=1, and alterparam a = 2, reset",
                          "alter: it cannot change the ac value of '%s'", t.names[0]);
    return state_evaluate_number(s, t.value, &value) &&
           try_change(s, (struct override){OVERRIDE_ELEMENT, t.names[0], setting, value}, false);
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
    for (size_t i = 0; good && i + 1 < t.count; i++)
        good = try_change(s, (struct override){OVERRIDE_MODEL, t.names[i], t.names[t.count - 1], value}, false);
    return good;
}

bool analyse_alterparam(struct state *s, const char *rest)
{
    struct target t;
    double value;
    if (!read_target(s, rest, &t) || !state_evaluate_number(s, t.value, &value))
        return false;
    if (t.count != 1)
        return state_fail(s, "parameters of the deck can be changed, which the subcircuit may use",
                          "alterparam: it cannot change a parameter of subcircuit '%s'", t.names[0]);
    return try_change(s, (struct override){OVERRIDE_PARAMETER, t.names[0], NULL, value}, true);
}

bool analyse_reset(struct state *s, const char *rest)
{
    (void)rest;
    size_t kept = 0;
    for (size_t i = 0; !s->dry && i < s->change_count; i++) {
        struct change c = s->changes[i];
        if (c.override.kind != OVERRIDE_PARAMETER && c.override.kind != OVERRIDE_OPTION &&
            c.override.kind != OVERRIDE_TEMPERATURE)
            continue;
        for (size_t k = 0; c.pending && k < kept; k++)
            if (!s->changes[k].pending && override_same(&s->changes[k].override, &c.override)) {
                s->changes[k].override.value = c.override.value;
                c.pending = false;
                c.override.name = NULL;
                break;
            }
        if (c.override.kind == OVERRIDE_PARAMETER && !c.override.name)
            continue;
        c.pending = false;
        s->changes[kept++] = c;
    }
    if (!s->dry)
        s->change_count = kept;
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
    const struct override o = {temperature ? OVERRIDE_TEMPERATURE : OVERRIDE_OPTION, temperature ? NULL : name, NULL,
                               value};
    return try_change(s, o, false);
}
