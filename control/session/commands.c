/* commands.c - commands of sessions: circuits, stops, what is held up, help. */
#include "control/analyse.h"
#include "control/assign.h"
#include "control/session/inside.h"
#include "netlist/expression/expression.h"

#include <string.h>
#include <strings.h>

/* ---- what is held up ---- */

static bool ended(struct state *s, enum kn_status status)
{
    s->status = status;
    return status == KN_OK;
}

/* Values that have been changed since it has begun count from here on. */
static bool take_changes(struct session *session, struct state *s, struct job *held)
{
    struct overrides all;
    if (session->changes_at_hold == s->changes_made)
        return true;
    if (!analyse_overrides(s, false, &all))
        return false;
    if (!job_change(held, &all, s->request->diagnostics))
        return ended(s, KN_ERROR_CIRCUIT);
    session->changes_at_hold = s->changes_made;
    return true;
}

static bool go_on(struct state *s)
{
    struct session *session = session_of(s);
    if (s->dry)
        return true;
    struct job *held = runner_held(&session->runner);
    if (!held)
        return state_fail(s, "run begins an analysis", "%s: no analysis is held up", s->command->name);
    return take_changes(session, s, held) && ended(s, session_go_on(session));
}

static bool resume(struct state *s, const char *rest)
{
    (void)rest;
    if (!s->dry)
        session_of(s)->stops.left = 0;
    return go_on(s);
}

static bool step(struct state *s, const char *rest)
{
    struct session *session = session_of(s);
    const char *word = state_word(s, &rest);
    double rows = 1;
    if (word && (!expression_number(word, strlen(word), &rows) || !(rows >= 1)))
        return state_fail(s, "step 10", "step: expected a number of rows, found '%s'", word);
    if (s->dry)
        return true;
    session->stops.left = (long)rows;
    if (runner_state(&session->runner) == RUNNER_HELD)
        return go_on(s);
    return command_find("run")->run(s, "");
}

static bool stop(struct state *s, const char *rest)
{
    struct session *session = session_of(s);
    if (s->dry)
        return stops_check(s, rest);
    pthread_mutex_lock(&session->lock);
    const bool good = stops_add(&session->stops, s, rest);
    pthread_mutex_unlock(&session->lock);
    return good;
}

static bool delete_stop(struct state *s, const char *rest)
{
    struct session *session = session_of(s);
    if (s->dry)
        return true;
    pthread_mutex_lock(&session->lock);
    const bool good = stops_delete(&session->stops, s, rest);
    pthread_mutex_unlock(&session->lock);
    return good;
}

static bool status(struct state *s, const char *rest)
{
    (void)rest;
    if (!s->dry)
        stops_list(&session_of(s)->stops, s);
    return true;
}

/* The plot that an analysis is at work on goes with it. */
static bool destroy(struct state *s, const char *rest)
{
    struct session *session = session_of(s);
    if (s->dry)
        return assign_destroy(s, rest);
    plots_let(&s->plots);
    runner_abandon(&session->runner);
    plots_hold(&s->plots);
    return assign_destroy(s, rest);
}

/* What a host does to be on the safe side: without a circuit there is nothing to do. */
static bool without_circuit(struct state *s)
{
    if (!s->request->circuit)
        state_warn(s, NULL, "%s: there is no circuit", s->command->name);
    return !s->request->circuit;
}

static bool reset(struct state *s, const char *rest)
{
    return without_circuit(s) || command_find("reset")->run(s, rest);
}

static bool remove_circuit(struct state *s, const char *rest)
{
    return without_circuit(s) || circuits_remove(s, rest);
}

/* Of a deck: its own circuit, or one that source has read; a script without elements may do so, too. */
static bool has_elements(const struct state *s)
{
    const struct kn_circuit *c = s->request->circuit;
    return c && c->circuit->element_count > 0;
}

static bool reset_in_deck(struct state *s, const char *rest)
{
    if (has_elements(s) && !s->removed)
        return command_find("reset")->run(s, rest);
    if (!s->dry)
        state_warn(s, NULL, "reset: there is no circuit");
    return true;
}

static bool remove_in_deck(struct state *s, const char *rest)
{
    return s->dry || !session_of(s)->current ? command_find("remcirc")->run(s, rest) : circuits_remove(s, rest);
}

/* The circuit once more; where remcirc has taken away the last one, that one, as scripts of ngspice do it in loops. */
static bool read_again(struct state *s, const char *rest)
{
    const bool there = has_elements(s) && !s->removed;
    if (!s->dry && !there && !circuits_take_back(session_of(s)) && !s->removed)
        return state_fail(s, "source deck.cir reads one", "mc_source: there is no circuit");
    return command_find("mc_source")->run(s, rest);
}

/* ---- texts ---- */

static bool version(struct state *s, const char *rest)
{
    (void)rest;
    state_print(s, "%s", session_of(s)->asked.version);
    return true;
}

static bool nothing(struct state *s, const char *rest)
{
    (void)s;
    (void)rest;
    return true;
}

static const struct {
    const char *names, *what;
} topics[] = {
    {"source FILE, circbyline LINE, setcirc, remcirc", "reads a circuit; chooses, removes one"},
    {"op, dc, ac, tran, noise, tf, pz, sens, sp, pss", "analyses, written like their cards without the dot"},
    {"run", "what the cards of the circuit ask for"},
    {"stop when v(out) > 1, stop after 100", "holds analyses up; status lists these stops, delete N removes one"},
    {"step N, resume", "goes on for N rows, or to the end"},
    {"save v(a) @r1[i]", "which vectors the following analyses keep"},
    {"print, echo, display", "numbers, texts, the vectors there are"},
    {"plot v(a) v(b) vs x, hardcopy a.svg v(a)", "pictures"},
    {"write FILE, wrdata FILE v(a)", "raw files, columns of numbers"},
    {"meas tran NAME MAX v(a)", "the words of .measure"},
    {"linearize, fft, fourier 1k v(a)", "even times, spectra"},
    {"let x = 2*v(a), unlet x", "vectors"},
    {"set x = 3, unset x, option reltol=1e-5", "variables and options"},
    {"setplot tran1, setscale x, destroy tran1", "plots"},
    {"alter r1 = 2k, altermod, alterparam, reset", "values of devices, models, parameters"},
    {"listing, show r1, showmod m1", "the deck, devices, models"},
    {"if, while, repeat, foreach .. end", "blocks"},
    {"version, help, quit", ""}};

static bool help(struct state *s, const char *rest)
{
    (void)rest;
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++)
        state_print(s, "%-48s %s\n", topics[i].names, topics[i].what);
    state_print(s, "The manual has them in its section on .control blocks.\n");
    return true;
}

static bool devices(struct state *s, const char *rest)
{
    (void)rest;
    state_print(s, "docs/devices.md and `knoten devices r` list the parameters of devices\n");
    return true;
}

/* What holds analyses up, for the blocks of decks, too. */
#define HOLDING_COMMANDS                                                                                               \
    {"stop", stop, NULL, false, false}, {"delete", delete_stop, NULL, false, false},                                   \
        {"status", status, NULL, false, false}, {"step", step, NULL, false, true},                                     \
        {"resume", resume, NULL, false, true},                                                                         \
    {                                                                                                                  \
        "destroy", destroy, NULL, false, false                                                                         \
    }

const struct command_kind session_deck_commands[] = {HOLDING_COMMANDS,
                                                     {"source", circuits_source_netlist, NULL, false, false},
                                                     {"reset", reset_in_deck, NULL, false, false},
                                                     {"remcirc", remove_in_deck, NULL, false, false},
                                                     {"mc_source", read_again, NULL, false, false},
                                                     {"setcirc", circuits_choose, NULL, false, false}};
const size_t session_deck_command_count = sizeof session_deck_commands / sizeof *session_deck_commands;
const struct command_kind session_commands[] = {HOLDING_COMMANDS,
                                                {"source", circuits_source, NULL, false, false},
                                                {"remcirc", remove_circuit, NULL, false, false},
                                                {"mc_source", read_again, NULL, false, false},
                                                {"reset", reset, NULL, false, false},
                                                {"setcirc", circuits_choose, NULL, false, false},
                                                {"version", version, NULL, false, false},
                                                {"help", help, NULL, false, false},
                                                {"codemodel", nothing, NULL, false, false}, /* ours are built in */
                                                {"devhelp", devices, NULL, false, false},
                                                {"alias", nothing, NULL, false, false},
                                                {"unalias", nothing, NULL, false, false}};
const size_t session_command_count = sizeof session_commands / sizeof *session_commands;
