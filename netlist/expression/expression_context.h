/* expression_context.h - what scanner and grammar share while they read the text of an expression. */
#ifndef NETLIST_EXPRESSION_EXPRESSION_CONTEXT_H
#define NETLIST_EXPRESSION_EXPRESSION_CONTEXT_H

#include "netlist/expression/expression_tree.h"

#include <stddef.h>

struct expression_context {
    struct arena *arena;
    struct kn_diagnostics *diagnostics;
    struct kn_location where; /* of the first character */
    const struct expression_node *root;
    bool failed;
    enum dialect dialect;
    bool of_phasors; /* vdb( ), ip( ) and the like are parts of V( ) and I( ) */
    bool one_level;  /* == and != bind as tight as <, in what ngspice evaluates before it simulates */
    bool has_whole_quotient; /* a '\\' stands in the text */
    char last, before; /* first characters of the last two words */
    int open_conditions; /* '?' whose ':' has not come yet: there a:b are two */
    void *fatal;     /* jmp_buf for the scanner's set-up, which cannot return an error */
    /* All the memory flex wants for one text that lies in memory: its state and one buffer descriptor. */
    max_align_t scanner_memory[2048 / sizeof(max_align_t)];
    size_t scanner_used;
};

/* Place in the text; lines count from 0 at the text's first line, columns from 0. Ends are exclusive. */
struct expression_span {
    int first_line, first_column, last_line, last_column;
};

struct kn_location expression_place(const struct expression_context *c, const struct expression_span *span);
void expression_problem(struct expression_context *c, const struct expression_span *span, const char *hint,
                        const char *format, ...) KN_PRINTF(4, 5);

#endif
