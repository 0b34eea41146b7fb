/* help.h - what --help says, on the screen and as manual pages, from the tables that the command line is read by. */
#ifndef CLI_SELF_HELP_H
#define CLI_SELF_HELP_H

#include "cli/command.h"

/* These return an exit status. */
int help_show(const struct command *c);
int help_all(void);
int help_version(void);

/* The line "usage: knoten check [options] DECK". */
void help_usage(const struct command *c, FILE *to);

/* A page of section 1 for groff: knoten(1) for the command that runs decks, knoten-check(1) .. for the others
 * (manual_page.c). */
void help_page(const struct command *c, FILE *to);

#endif
