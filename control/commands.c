/* commands.c - see commands.h. */
#include "control/commands.h"

#include "base/names.h"
#include "control/analyse.h"
#include "control/assign.h"
#include "control/compose.h"
#include "control/measured.h"
#include "control/report.h"
#include "control/show.h"
#include "control/spectral.h"
#include "control/two_port.h"
#include "netlist/expression/expression.h"

#include <string.h>

/* The deck once more, beside the circuit there is, or in place of the one that has been removed. */
static bool read_again(struct state *s, const char *rest)
{
    s->copies += !s->dry && !s->removed;
    s->removed = false;
    return analyse_reset(s, rest);
}

/* The copy that was read last; without one what follows has no circuit.  Vectors stay. */
static bool remove_circuit(struct state *s, const char *rest)
{
    (void)rest;
    if (s->copies > 0 && !s->dry)
        s->copies--;
    else
        s->removed = !s->dry;
    return true;
}

/* quit 1: what has run the deck is told that something is wrong. */
static bool quit(struct state *s, const char *rest)
{
    const char *word = state_word(s, &rest);
    double code = 0;
    s->quit = !s->dry;
    return s->dry || !word || !expression_number(word, strlen(word), &code) || code == 0 ||
           state_fail(s, NULL, "the script ends with '%s %s'", s->command->name, word);
}

static bool leave(struct state *s, const char *rest)
{
    (void)rest;
    s->left = !s->dry;
    return true;
}

static bool go_on(struct state *s, const char *rest)
{
    (void)rest;
    s->left = s->again = !s->dry;
    return true;
}

/* goto name: obey.c looks for `label name`, from here outwards. */
static bool go_to(struct state *s, const char *rest)
{
    const char *name = state_word(s, &rest);
    if (!name)
        return state_fail(s, "write goto name, and label name where the script goes on", "goto: expected a name");
    char *kept = s->dry ? NULL : arena_text(s->arena, name, strlen(name));
    s->label = kept;
    return s->dry || kept || state_no_memory(s);
}

/* What only matters to people who sit in front of ngspice. */
static bool nothing(struct state *s, const char *rest)
{
    (void)s;
    (void)rest;
    return true;
}

/* With a warning; a deck that is only looked at is told when it runs. */
static bool pass_over(struct state *s, const char *rest)
{
    (void)rest;
    if (!s->dry)
        state_warn(s, command_find(s->command->name)->why, "command '%s' is passed over", s->command->name);
    return true;
}

/* Sessions read it; what stands behind it is about a circuit that nobody knows yet. */
static bool read_netlist(struct state *s, const char *rest)
{
    s->sourced = s->dry;
    return s->dry || state_fail(s, NULL, "source: nothing here reads the netlist '%s'", rest);
}

/* A deck that is only looked at; sessions have commands of their own for these. */
static bool hold_up(struct state *s, const char *rest)
{
    (void)rest;
    return s->dry || state_fail(s, NULL, "%s: nothing here holds analyses up", s->command->name);
}

static const char no_program[] = "a deck runs no program; run it yourself, before or after";
static const char built_in[] = "code models are built in: knoten devices a lists them";
static const char no_verilog[] = "models in Verilog-A are not read; elements that have one are errors";
static const char no_circuit[] = "a deck is one circuit; run another one by itself";
static const char no_snapshot[] = "keep the operating point: .savebias, and .loadbias in the next deck";

static const struct command_kind commands[] = {
#define COMMAND(name, run)    {name, run, NULL, false, false},
#define OF_CIRCUIT(name, run) {name, run, NULL, false, true},
#define SHOWS(name, run)      {name, run, NULL, true, false},
#define IGNORED(name)         {name, nothing, NULL, false, false},
#define PASSED(name, why)     {name, pass_over, why, true, false},
#define REFUSED(name, why)    {name, NULL, why, false, false},
#include "control/commands.def"
#undef COMMAND
#undef OF_CIRCUIT
#undef SHOWS
#undef IGNORED
#undef PASSED
#undef REFUSED
};

bool command_only_draws(const struct command_kind *kind)
{
    return kind->run == report_plot;
}

const struct command_kind *command_find(const char *name)
{
    const char *meant = strcmp(name, "!") == 0 ? "shell" : name;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (names_equal(commands[i].name, meant))
            return &commands[i];
    return NULL;
}

static const char *const blocks[] = {"foreach", "while", "dowhile", "repeat", "if", "else", "end"};

const char *command_name(size_t i)
{
    enum { COMMANDS = sizeof commands / sizeof *commands, BLOCKS = sizeof blocks / sizeof *blocks };
    return i < COMMANDS ? commands[i].name : i < COMMANDS + BLOCKS ? blocks[i - COMMANDS] : NULL;
}

const char *command_closest(const char *name)
{
    struct name_guess g = name_guess(name);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        name_guess_offer(&g, commands[i].name);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        name_guess_offer(&g, blocks[i]);
    return g.found;
}
