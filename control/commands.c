/* commands.c - see commands.h. */
#include "control/commands.h"

#include "base/names.h"
#include "control/analyse.h"
#include "control/assign.h"
#include "control/measured.h"
#include "control/report.h"
#include "control/show.h"
#include "control/spectral.h"

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

/* What only matters to people who sit in front of ngspice. */
static bool nothing(struct state *s, const char *rest)
{
    (void)s;
    (void)rest;
    return true;
}

static const char no_program[] = "a deck runs no program; run it yourself, before or after";
static const char no_circuit[] = "a deck is one circuit; run another one by itself";
static const char no_stop[] = "a run goes to its end; .tran says when that is";

static const struct command_kind commands[] = {
    {"op", analyse_card, NULL, false},
    {"dc", analyse_card, NULL, false},
    {"ac", analyse_card, NULL, false},
    {"tran", analyse_card, NULL, false},
    {"noise", analyse_card, NULL, false},
    {"tf", analyse_card, NULL, false},
    {"pz", analyse_card, NULL, false},
    {"sens", analyse_card, NULL, false},
    {"sp", analyse_card, NULL, false},
    {"pss", analyse_card, NULL, false},
    {"run", analyse_deck, NULL, false},
    {"save", analyse_save, NULL, false},
    {"alter", analyse_alter, NULL, false},
    {"altermod", analyse_altermod, NULL, false},
    {"alterparam", analyse_alterparam, NULL, false},
    {"reset", analyse_reset, NULL, false},
    {"mc_source", analyse_reset, NULL, false},
    {"let", assign_let, NULL, false},
    {"unlet", assign_unlet, NULL, false},
    {"set", assign_set, NULL, false},
    {"unset", assign_unset, NULL, false},
    {"option", assign_option, NULL, false},
    {"setplot", assign_setplot, NULL, false},
    {"setscale", assign_setscale, NULL, false},
    {"destroy", assign_destroy, NULL, false},
    {"echo", report_echo, NULL, true},
    {"print", report_print, NULL, false},
    {"eprint", report_print, NULL, false}, /* nodes of logic are vectors like others */
    {"display", report_display, NULL, false},
    {"edisplay", report_display, NULL, false},
    {"write", report_write, NULL, false},
    {"wrdata", report_wrdata, NULL, false},
    {"plot", report_plot, NULL, false},
    {"asciiplot", report_plot, NULL, false},
    {"hardcopy", report_hardcopy, NULL, false},
    {"meas", measured_take, NULL, false},
    {"measure", measured_take, NULL, false},
    {"fourier", spectral_fourier, NULL, false},
    {"fft", spectral_fft, NULL, false},
    {"linearize", spectral_linearize, NULL, false},
    {"listing", show_listing, NULL, false},
    {"show", show_devices, NULL, false},
    {"showmod", show_models, NULL, false},
    {"quit", quit, NULL, false},
    {"exit", quit, NULL, false},
    {"break", leave, NULL, false},
    {"continue", go_on, NULL, false},
    {"esave", nothing, NULL, false},
    {"rusage", nothing, NULL, false},
    {"status", nothing, NULL, false},
    {"settype", nothing, NULL, false},
    {"version", nothing, NULL, false},
    {"shell", NULL, no_program, false},
    {"system", NULL, no_program, false},
    {"aspice", NULL, no_program, false},
    {"rspice", NULL, no_program, false},
    {"jobs", NULL, no_program, false},
    {"edit", NULL, no_program, false},
    {"codemodel", NULL, no_program, false},
    {"osdi", NULL, no_program, false},
    {"pre_osdi", NULL, no_program, false},
    {"pre_codemodel", NULL, no_program, false},
    {"gnuplot", NULL, "hardcopy name.svg v(out) writes a picture, wrdata name v(out) the numbers", false},
    {"cd", NULL, "a deck writes beside the result file: knoten -o folder/name.raw deck.cir", false},
    {"eprvcd", NULL, "write name.raw and wrdata name q1 q2 write the states of nodes of logic", false},
    {"load", NULL, "results of earlier runs cannot be read", false},
    {"stop", NULL, no_stop, false},
    {"step", NULL, no_stop, false},
    {"resume", NULL, no_stop, false},
    {"remcirc", NULL, no_circuit, false},
    {"setcirc", NULL, no_circuit, false},
    {"circbyline", NULL, no_circuit, false},
    {"goto", NULL, "use while, if and break", false},
    {"label", NULL, "use while, if and break", false},
    {"define", NULL, "write the formula where it is used, or .func in the deck", false}};

const struct command_kind *command_find(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (names_equal(commands[i].name, name))
            return &commands[i];
    return NULL;
}

const char *command_closest(const char *name)
{
    static const char *const blocks[] = {"foreach", "while", "dowhile", "repeat", "if", "else", "end", "source"};
    struct name_guess g = name_guess(name);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        name_guess_offer(&g, commands[i].name);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        name_guess_offer(&g, blocks[i]);
    return g.found;
}
