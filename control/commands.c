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

#include <string.h>

/* The deck once more, beside the circuit there is. */
static bool read_again(struct state *s, const char *rest)
{
    s->copies += !s->dry;
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

static bool quit(struct state *s, const char *rest)
{
    (void)rest;
    s->quit = !s->dry;
    return true;
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

static const char no_program[] = "a deck runs no program; run it yourself, before or after";
static const char no_circuit[] = "a deck is one circuit; run another one by itself";
static const char no_snapshot[] = "keep the operating point: .savebias, and .loadbias in the next deck";
static const char no_stop[] = "a run goes to its end; .tran says when that is";

static const struct command_kind commands[] = {
    {"op", analyse_card, NULL, false, true},
    {"dc", analyse_card, NULL, false, true},
    {"ac", analyse_card, NULL, false, true},
    {"tran", analyse_card, NULL, false, true},
    {"noise", analyse_card, NULL, false, true},
    {"tf", analyse_card, NULL, false, true},
    {"pz", analyse_card, NULL, false, true},
    {"sens", analyse_card, NULL, false, true},
    {"disto", analyse_card, NULL, false, true},
    {"sp", analyse_card, NULL, false, true},
    {"pss", analyse_card, NULL, false, true},
    {"run", analyse_deck, NULL, false, true},
    {"save", analyse_save, NULL, false, true},
    {"alter", analyse_alter, NULL, false, true},
    {"altermod", analyse_altermod, NULL, false, true},
    {"alterparam", analyse_alterparam, NULL, false, true},
    {"reset", analyse_reset, NULL, false, true},
    {"mc_source", read_again, NULL, false, true},
    {"let", assign_let, NULL, false, false},
    {"unlet", assign_unlet, NULL, false, false},
    {"set", assign_set, NULL, false, false},
    {"setcs", assign_set, NULL, false, false},   /* words keep their case anyway */
    {"pre_set", assign_set, NULL, false, false}, /* before the deck is read, in ngspice */
    {"unset", assign_unset, NULL, false, false},
    {"option", assign_option, NULL, false, false},
    {"define", assign_define, NULL, false, false},
    {"undefine", assign_undefine, NULL, false, false},
    {"setseed", assign_seed, NULL, false, false},
    {"strcmp", assign_compare, NULL, false, false},
    {"strstr", assign_find, NULL, false, false},
    {"strslice", assign_slice, NULL, false, false},
    {"shift", assign_shift, NULL, false, false},
    {"cross", compose_cross, NULL, false, false},
    {"compose", compose_vector, NULL, false, false},
    {"reshape", compose_shape, NULL, false, false},
    {"transpose", compose_transpose, NULL, false, false},
    {"setplot", assign_setplot, NULL, false, false},
    {"setscale", assign_setscale, NULL, false, false},
    {"destroy", assign_destroy, NULL, false, false},
    {"echo", report_echo, NULL, true, false},
    {"print", report_print, NULL, false, false},
    {"eprint", report_print, NULL, false, false}, /* nodes of logic are vectors like others */
    {"display", report_display, NULL, false, false},
    {"edisplay", report_display, NULL, false, false},
    {"write", report_write, NULL, false, false},
    {"wrdata", report_wrdata, NULL, false, false},
    {"plot", report_plot, NULL, false, false},
    {"asciiplot", report_plot, NULL, false, false},
    {"gnuplot", report_gnuplot, NULL, false, false},
    {"hardcopy", report_hardcopy, NULL, false, false},
    {"meas", measured_take, NULL, false, false},
    {"measure", measured_take, NULL, false, false},
    {"fourier", spectral_fourier, NULL, false, false},
    {"fft", spectral_fft, NULL, false, false},
    {"psd", spectral_psd, NULL, false, false},
    {"spec", spectral_spec, NULL, false, false},
    {"linearize", spectral_linearize, NULL, false, false},
    {"cutout", spectral_cutout, NULL, false, false},
    {"wrs2p", two_port_write, NULL, false, false},
    {"listing", show_listing, NULL, false, true},
    {"show", show_devices, NULL, false, true},
    {"showmod", show_models, NULL, false, true},
    {"remcirc", remove_circuit, NULL, false, false},
    {"quit", quit, NULL, false, false},
    {"exit", quit, NULL, false, false},
    {"break", leave, NULL, false, false},
    {"continue", go_on, NULL, false, false},
    {"esave", nothing, NULL, false, false},
    {"rusage", nothing, NULL, false, false},
    {"inventory", nothing, NULL, false, false},
    {"history", nothing, NULL, false, false},
    {"rehash", nothing, NULL, false, false},
    {"sysinfo", nothing, NULL, false, false},
    {"state", nothing, NULL, false, false},
    {"where", nothing, NULL, false, false},
    {"trace", nothing, NULL, false, false},
    {"deftype", nothing, NULL, false, false},
    {"remzerovec", nothing, NULL, false, false}, /* there are none without numbers */
    {"status", nothing, NULL, false, false},
    {"settype", nothing, NULL, false, false},
    {"version", nothing, NULL, false, false},
    {"optran", nothing, NULL, false, false}, /* how ngspice looks for operating points */
    {"iplot", nothing, NULL, false, false},
    {"shell", NULL, no_program, false, false},
    {"system", NULL, no_program, false, false},
    {"aspice", NULL, no_program, false, false},
    {"rspice", NULL, no_program, false, false},
    {"jobs", NULL, no_program, false, false},
    {"edit", NULL, no_program, false, false},
    {"codemodel", NULL, no_program, false, false},
    {"osdi", NULL, no_program, false, false},
    {"pre_osdi", NULL, no_program, false, false},
    {"pre_codemodel", NULL, no_program, false, false},
    {"cd", NULL, "a deck writes beside the result file: knoten -o folder/name.raw deck.cir", false, false},
    {"eprvcd", NULL, "write name.raw and wrdata name q1 q2 write the states of nodes of logic", false, false},
    {"load", NULL, "results of earlier runs cannot be read", false, false},
    {"stop", NULL, no_stop, false, false},
    {"step", NULL, no_stop, false, false},
    {"resume", NULL, no_stop, false, false},
    {"setcirc", NULL, no_circuit, false, false},
    {"circbyline", NULL, no_circuit, false, false},
    {"alias", NULL, "write the command itself, or define f(x) for a formula", false, false},
    {"unalias", NULL, "write the commands themselves", false, false},
    {"diff", NULL, "knoten compare a.raw b.raw tells how results differ", false, false},
    {"wrnodev", NULL, "the card .savebias name writes the voltages of the nodes", false, false},
    {"snsave", NULL, no_snapshot, false, false},
    {"snload", NULL, no_snapshot, false, false},
    {"xgraph", NULL, "hardcopy name.svg v(out) draws", false, false},
    {"goto", go_to, NULL, false, false},
    {"label", nothing, NULL, false, false}};

bool command_only_draws(const struct command_kind *kind)
{
    return kind->run == report_plot;
}

const struct command_kind *command_find(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (names_equal(commands[i].name, name))
            return &commands[i];
    return NULL;
}

static const char *const blocks[] = {"foreach", "while", "dowhile", "repeat", "if", "else", "end", "source"};

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
