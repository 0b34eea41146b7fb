/* help.c - see help.h; and `knoten help`. */
#include "cli/self/help.h"

#include "base/names.h"
#include "knoten.h"

#include <string.h>

/* Its name and a blank in front of what belongs to it; run may be left out: knoten DECK. */
static void print_name(const struct command *c, FILE *to)
{
    if (c != &run_command)
        fprintf(to, "%s ", c->name);
}

void help_usage(const struct command *c, FILE *to)
{
    fputs("usage: knoten ", to);
    print_name(c, to);
    fprintf(to, "%s\n", c->usage);
}

static void print_examples(const struct command *c)
{
    printf("\nexamples:\n");
    for (const struct example *e = c->examples; e && e->command; e++)
        printf("  %s\n      %s\n", e->command, e->doc);
}

int help_show(const struct command *c)
{
    help_usage(c, stdout);
    printf("\n%s\n", c->about ? c->about : c->summary);
    printf("\noptions:\n");
    arguments_help(&c->table);
    if (c->examples)
        print_examples(c);
    printf("\nexit status: %s\n", c->exits ? c->exits : EXIT_MEANINGS);
    return EXIT_DONE;
}

int help_all(void)
{
    printf("knoten %s - circuit simulation: a SPICE netlist goes in, waveforms come out\n\nusage:\n", kn_version());
    for (size_t i = 0; commands[i]; i++) {
        printf("  knoten ");
        print_name(commands[i], stdout);
        printf("%s\n      %s\n", commands[i]->usage, commands[i]->summary);
    }
    printf("\noptions:\n");
    arguments_help(&run_command.table);
    printf("\nDECK is a netlist; '-' reads it from standard input.  knoten COMMAND --help tells more of each command.\n"
           "\nexit status: " EXIT_MEANINGS "\n");
    return EXIT_DONE;
}

int help_version(void)
{
    printf("knoten %s\n", kn_version());
    return EXIT_DONE;
}

/* ---- knoten help ---- */

struct settings {
    struct common_settings common;
    bool page;
};

static const char *command_names(size_t i, const char **title)
{
    *title = commands[i] ? commands[i]->summary : NULL;
    return commands[i] ? commands[i]->name : NULL;
}

static const struct command *wanted_command(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (names_equal(commands[i]->name, name))
            return commands[i];
    fprintf(stderr, "knoten: there is no command '%s'; knoten --help lists all\n", name);
    return NULL;
}

static int tell(void *settings, struct job *unused)
{
    (void)unused;
    const struct settings *s = settings;
    const struct command *c = s->common.deck ? wanted_command(s->common.deck) : &run_command;
    if (!c)
        return EXIT_USAGE;
    if (!s->page)
        return s->common.deck ? help_show(c) : help_all();
    help_page(c, stdout);
    return EXIT_DONE;
}

static const struct option options[] = {
    {OPTION_FLAG, "--man", NULL, NULL, offsetof(struct settings, page), "the manual page, for groff -man", ANYTHING},
    HELP_OPTION,
};

const struct command help_command =
    SELF_COMMAND("help", "[--man] [COMMAND]", "says what a command does and which options it has", command_names,
                 struct settings, tell, {"knoten help check", "the same as knoten check --help"},
                 {"knoten help --man check | groff -man -Tutf8", "the manual page where it is not installed"});
