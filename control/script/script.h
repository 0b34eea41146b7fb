/* script.h - the lines of .control blocks as a tree of commands. */
#ifndef CONTROL_SCRIPT_SCRIPT_H
#define CONTROL_SCRIPT_SCRIPT_H

#include "netlist/netlist.h"

enum block { BLOCK_NONE, BLOCK_IF, BLOCK_WHILE, BLOCK_DOWHILE, BLOCK_REPEAT, BLOCK_FOREACH, BLOCK_BEGIN };

struct command {
    const char *name; /* lower case */
    const char *rest; /* of the line, without comment */
    struct kn_location where;
    bool in_comment; /* behind *#, a comment where there is no such command */
    enum block block;
    struct command *body, *otherwise; /* of a block */
    struct command *next;
};

struct script_reader {
    struct arena *arena;
    struct kn_diagnostics *diagnostics;
    const char *deck; /* `source` finds files beside it */
    void *context;
    void (*reads)(void *context, const char *path); /* told of them */
    bool keeps_source;                              /* as a command: it is obeyed later */
};

/* Errors have been said where it is false: what is not closed or not opened, files that cannot be read. */
bool script_read(const struct script_reader *r, const struct control_line *lines, struct command **out);

/* How many more blocks are open behind a line: 1, 0 or -1. */
int script_opens(const char *line);

/* Whether the first word of a text is this one, without regard to case; behind it the rest. */
bool script_word(const char **text, const char *word);
/* The lines of a text, copied, without those of a netlist around commands; NULL without memory. */
struct control_line *script_lines(struct arena *a, const char *name, const char *text);

#endif
