/* expression_draft.h - the builder's own data: the program before its values have places. */
#ifndef NETLIST_EXPRESSION_EXPRESSION_DRAFT_H
#define NETLIST_EXPRESSION_EXPRESSION_DRAFT_H

#include "netlist/expression/expression_builder.h"

enum value_kind { VALUE_CONSTANT, VALUE_INPUT, VALUE_TIME, VALUE_TEMPERATURE, VALUE_REGISTER };

/* On what, and how: nothing that changes during a run, time only, affine in the variables with fixed coefficients
 * (and perhaps a part that depends on time only), anything else. */
enum dependence { FIXED, TIMED, AFFINE, NONLINEAR };

/* slope * time + offset */
struct time_line {
    bool known;
    double slope, offset;
};

struct value {
    enum value_kind kind;
    enum operation operation; /* REGISTER */
    int a, b;                 /* operands; INPUT: variables */
    double number;            /* CONSTANT */
    int block;
    int next; /* in the bucket, number + 1 */
    enum dependence dependence;
    struct time_line line;
    const int *support; /* directions, sorted */
    int width;
    /* when the program is finished */
    bool used;
    int slot, gradient;
};

struct step {
    enum operation operation;
    int value; /* result; of jumps, the result of the condition they belong to */
    int a, b;  /* PWL: b is the table */
    size_t target;
};

struct builder {
    struct arena *arena;
    bool failed, too_large;
    struct value *values;
    size_t value_count, value_capacity;
    int *buckets; /* value numbers + 1, 0 is the end; linked by next */
    size_t bucket_count;
    struct step *steps;
    size_t step_count, step_capacity;
    bool *blocks; /* open? block 0 is the whole program */
    size_t block_count, block_capacity;
    int block;
    struct expression_variable *variables;
    size_t variable_count, variable_capacity;
    int *inputs; /* values */
    size_t input_count, input_capacity;
    struct pwl_table *tables;
    size_t table_count, table_capacity;
    double *breakpoints;
    size_t breakpoint_count, breakpoint_capacity;
    struct expression_period *periods;
    size_t period_count, period_capacity;
};

#endif
