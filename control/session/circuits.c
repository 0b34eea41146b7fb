/* circuits.c - the circuits of a session: source, circbyline, remcirc, setcirc. */
#include "base/array.h"
#include "base/diagnostics.h"
#include "control/analyse.h"
#include "control/session/inside.h"
#include "netlist/deck/deck_reader.h"
#include "netlist/netlist.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void loaded_free(struct loaded *l)
{
    if (!l)
        return;
    kn_circuit_free(l->read);
    kn_diagnostics_free(l->diagnostics);
    arena_free(l->memory);
    free(l->text);
    free(l);
}

/* What alter and save have said goes with the circuit. */
static void put_away(struct session *s)
{
    struct loaded *l = s->current;
    if (!l)
        return;
    l->changes = s->state.changes;
    l->change_count = s->state.change_count;
    l->change_capacity = s->state.change_capacity;
    l->saved = s->state.saved;
}

static void choose(struct session *s, struct loaded *l)
{
    plots_let(&s->state.plots);
    session_tell(s);
    plots_hold(&s->state.plots);
    state_close_results(&s->state); /* while messages still go to the circuit before */
    put_away(s);
    analyse_forget_circuit(&s->state);
    const char *saved = s->current ? NULL : s->state.saved; /* of no circuit yet: of the first */
    s->current = l;
    s->state.changes = l ? l->changes : NULL;
    s->state.change_count = l ? l->change_count : 0;
    s->state.change_capacity = l ? l->change_capacity : 0;
    s->state.saved = l ? (l->saved ? l->saved : saved) : NULL;
    s->state.analysed = false;
    s->request.circuit = l ? l->read : NULL;
    s->request.text = l ? l->text : NULL;
    s->request.diagnostics = l ? l->diagnostics : s->diagnostics;
    state_take_deck(&s->state, l ? l->read : NULL);
}

/* ---- reading ---- */

/* set ngbehavior=ltpsa and the like; where several are named, the deck itself tells. */
static const char *dialect_of(const struct session *s)
{
    static const char *const words[][2] = {{"lt", "ltspice"}, {"ps", "pspice"}, {"hs", "hspice"}, {"ki", "kicad"}};
    const struct variable *v = state_variable(&s->state, "ngbehavior");
    const char *found = NULL;
    int count = 0;
    for (size_t i = 0; v && v->count == 1 && i < sizeof words / sizeof *words; i++)
        if (strstr(v->words[0], words[i][0])) {
            found = words[i][1];
            count++;
        }
    return count == 1 ? found : count > 1 ? NULL : s->asked.dialect;
}

static bool read_one(struct session *s, const char *name, const char *text)
{
    struct loaded *l = calloc(1, sizeof *l);
    enum kn_status status = KN_ERROR_MEMORY;
    if (l && (l->diagnostics = kn_diagnostics_new()) && (!text || (l->text = strdup(text))))
        status = text ? kn_circuit_read_text_as(name, text, strlen(text), dialect_of(s), l->diagnostics, &l->read)
                      : kn_circuit_read_file_as(name, dialect_of(s), l->diagnostics, &l->read);
    if (status == KN_OK) {
        l->next = s->circuits;
        s->circuits = l;
        choose(s, l);
        session_tell_reading(s);
        return true;
    }
    choose(s, NULL); /* what follows is not meant for another circuit */
    if (l && l->diagnostics)
        diagnostics_copy(s->request.diagnostics, l->diagnostics);
    if (status == KN_ERROR_MEMORY)
        diagnostics_add(s->request.diagnostics, KN_ERROR, "memory", NOWHERE, NULL, "memory is exhausted");
    loaded_free(l);
    s->state.status = status;
    return false;
}

/* The .control block of the current circuit, in which `source` reads commands. */
static bool obey_block(struct session *s)
{
    struct arena *a = arena_new();
    const struct control_line *lines = deck_control(s->current->read->deck);
    const bool anywhere = s->state.anywhere;
    s->state.anywhere = false;
    const bool good = !lines || (a && session_obey_lines(s, a, lines, false));
    s->state.anywhere = anywhere;
    arena_free(a);
    return good;
}

bool circuits_load(struct session *s, const char *name, const char *text)
{
    return read_one(s, name, text) && obey_block(s);
}

/* Begins with *ng_script: a file of commands and nothing else. */
static bool is_script(const char *text)
{
    return strncasecmp(text, "*ng_script", 10) == 0;
}

/* From where the host is; a file of commands is obeyed, of a netlist its commands too. */
bool circuits_source(struct state *state, const char *rest)
{
    struct session *s = session_of(state);
    const char *path = state_word(state, &rest), *reason = "";
    char *text = NULL;
    size_t length = 0;
    if (!path)
        return state_fail(state, NULL, "source: expected the name of a file");
    if (deck_load(path, &text, &length, &reason) != KN_OK)
        return state_fail(state, reason, "source: cannot read '%s'", path);
    s->hooks.reads(s, path);
    const struct command *before = state->command;
    const bool good = is_script(text) ? session_obey(s, path, text, true) : circuits_load(s, path, NULL);
    state->command = before;
    free(text);
    return good;
}

bool circuits_source_netlist(struct state *state, const char *path)
{
    if (state->dry)
        return command_find("source")->run(state, path);
    const struct command *before = state->command;
    state->removed = false;
    const char *kept = arena_text(state->arena, path, strlen(path));
    const bool good = kept ? circuits_load(session_of(state), kept, NULL) : state_no_memory(state);
    state->command = before;
    return good;
}

/* ---- circbyline ---- */

bool circuits_add_line(struct session *s, const char *line)
{
    const size_t before = s->netlist ? strlen(s->netlist) : 0;
    const char *end = line;
    char *more = realloc(s->netlist, before + strlen(line) + 2);
    if (!more)
        return false;
    s->netlist = more;
    strcpy(more + before, line);
    strcat(more + before, "\n");
    if (!script_word(&end, ".end"))
        return true;
    s->netlist = NULL;
    const bool good = circuits_load(s, "circuit", more);
    free(more);
    return good;
}

/* ---- which one ---- */

static void take_out(struct session *s, struct loaded *l)
{
    struct loaded **at = &s->circuits;
    while (*at != l)
        at = &(*at)->next;
    *at = l->next;
}

bool circuits_remove(struct state *state, const char *rest)
{
    (void)rest;
    struct session *s = session_of(state);
    struct loaded *l = s->current;
    plots_let(&state->plots);
    runner_abandon(&s->runner);
    plots_hold(&state->plots);
    take_out(s, l);
    choose(s, s->circuits);
    loaded_free(s->removed);
    s->removed = l;
    return true;
}

bool circuits_take_back(struct session *s)
{
    struct loaded *l = s->removed;
    if (!l)
        return false;
    s->removed = NULL;
    l->next = s->circuits;
    s->circuits = l;
    choose(s, l);
    return true;
}

/* The newest is number 1, as in ngspice. */
bool circuits_choose(struct state *state, const char *rest)
{
    struct session *s = session_of(state);
    const char *word = state_word(state, &rest);
    const int wanted = word ? atoi(word) : 0;
    int number = 0;
    for (struct loaded *l = s->circuits; l; l = l->next) {
        number++;
        if (!word)
            state_print(state, "%s%d\t%s\n", l == s->current ? "Current " : "\t", number, l->read->circuit->title);
        else if (number == wanted) {
            choose(s, l);
            return true;
        }
    }
    return !word || state_fail(state, "setcirc lists them", "setcirc: there is no circuit '%s'", word);
}

void circuits_close(struct session *s)
{
    for (struct loaded *next; s->circuits; s->circuits = next) {
        next = s->circuits->next;
        loaded_free(s->circuits);
    }
    loaded_free(s->removed);
    s->current = s->removed = NULL;
}
