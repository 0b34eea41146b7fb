/* expression_builder.h - from operations asked for one by one to a program.
 *
 * Values are numbered as they are made; asking twice for the same operation on the same values gives the same value
 * (value numbering; J. Cocke and J. T. Schwartz, Programming languages and their compilers, 1970), operations on
 * constants are carried out at once.  The two sides of a condition are blocks: what was computed in a block is known
 * only until the block is closed.
 */
#ifndef NETLIST_EXPRESSION_EXPRESSION_BUILDER_H
#define NETLIST_EXPRESSION_EXPRESSION_BUILDER_H

#include "netlist/expression/expression_program.h"

struct builder;

/* Everything it makes lives in its own arena until builder_free. */
struct builder *builder_new(void);
void builder_free(struct builder *b);
void *builder_alloc(struct builder *b, size_t count, size_t size);
/* Room for one more item in the array at *items (array.h), in the builder's arena. */
bool builder_room(struct builder *b, void *items, size_t count, size_t *capacity, size_t size);
/* False once memory ran out or the program became too large; every value made since is 0. */
bool builder_ok(const struct builder *b);
bool builder_too_large(const struct builder *b);

int builder_constant(struct builder *b, double number);
/* Variable number of a node voltage or branch current; -1 without memory. */
int builder_variable(struct builder *b, const struct expression_variable *variable);
/* plus - minus, variables or -1 for ground. */
int builder_input(struct builder *b, int plus, int minus);
int builder_time(struct builder *b);
int builder_temperature(struct builder *b);
int builder_operation(struct builder *b, enum operation op, int first, int second);
/* The arrays must live as long as the program. */
int builder_pwl(struct builder *b, int value, const struct pwl_table *table);

bool builder_is_constant(const struct builder *b, int value, double *number);
/* A result of a comparison: 0 or 1. */
bool builder_is_truth(const struct builder *b, int value);
/* Steps end at the first, which is above 0, and one period later, and so on. */
void builder_note_period(struct builder *b, double first, double period);

/* condition ? first : second: open, make the first, next, make the second, close.  A condition that is constant needs
 * none of this; the side that is not taken is made in a block and dropped. */
struct builder_branch {
    int condition;
    int first;         /* value */
    size_t test, skip; /* steps that jump */
    int outer;         /* block around */
};
void builder_open(struct builder *b, struct builder_branch *branch, int condition);
void builder_next(struct builder *b, struct builder_branch *branch, int first);
int builder_close(struct builder *b, struct builder_branch *branch, int second);

struct builder_draft {
    size_t steps, breakpoints, periods;
    int outer;
};
struct builder_draft builder_begin_draft(struct builder *b);
void builder_drop_draft(struct builder *b, struct builder_draft draft);

/* The block being filled, and whether a block is still open. */
int builder_block(const struct builder *b);
bool builder_is_open(const struct builder *b, int block);

/* NULL without memory. */
struct expression *builder_finish(struct builder *b, int result, struct arena *arena);

#endif
