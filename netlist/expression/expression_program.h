/* expression_program.h - the compiled form of an expression.
 *
 * All numbers of an evaluation stand in one workspace of doubles, addressed by slot:
 *
 *     [0] = 0.0, [1] = 1.0, further constants | inputs, time, temperature | values | gradients
 *
 * An input is one V(a,b) or I(x), also where it depends on two variables: derivatives are taken with respect to the
 * inputs (and time), of which there are fewer, and only the result's gradient is spread over the variables.  The
 * gradient of a value holds only the inputs it depends on (its support); operations whose operands have different
 * supports gather through index pairs, in which the slot of 0.0 stands for an input the operand does not depend on.
 */
#ifndef NETLIST_EXPRESSION_EXPRESSION_PROGRAM_H
#define NETLIST_EXPRESSION_EXPRESSION_PROGRAM_H

#include "netlist/expression/expression.h"
#include "netlist/expression/expression_tree.h"

/* How the gradient of a result is made of those of its operands. */
enum gradient_shape {
    GRADIENT_NONE,
    GRADIENT_SINGLE, /* one component: da * [gradient_a] + db * [gradient_b], slot 0 where there is none */
    GRADIENT_FIRST,  /* da * grad a; same support */
    GRADIENT_SECOND, /* db * grad b */
    GRADIENT_BOTH,   /* da * grad a + db * grad b; same supports */
    GRADIENT_GATHER  /* the same with different supports */
};

struct instruction {
    unsigned char operation;    /* enum operation */
    unsigned char shape;        /* enum gradient_shape */
    int width;                  /* length of the gradient */
    int result, a, b;           /* slots; PWL: b is the table; branches: result is the instruction to go on with */
    int gradient;               /* slot of the result's gradient */
    int gradient_a, gradient_b; /* slots; GATHER: gradient_a is the start of 2 * width slots in gather */
    int switch_number;          /* of a comparison, u(), sgn(), floor() .. that can switch during a run; else -1 */
};

struct pwl_table {
    const double *x, *y;
    int count;
    const double
        *slopes; /* [2 count] of a smooth curve at the points, from the left and to the right; NULL: straight lines */
};

/* Places in time: first, first + period, .. */
struct expression_period {
    double first, period;
    bool swings; /* crests and zeros of a sine, where nothing jumps or bends */
};

struct expression_input {
    int plus, minus; /* variables; -1 is ground or nothing */
};

/* What a V( ) or I( ) of the tree means: node or element numbers; minus is -1 for one name. */
struct expression_mention {
    const struct expression_node *node;
    int plus, minus;
};

/* Direction of a gradient component: an input, or time. */
enum { TIME_DIRECTION = -1 };

struct expression {
    const double *constants;
    size_t constant_count;
    const struct expression_input *inputs;
    size_t input_count;
    const struct instruction *instructions;
    size_t instruction_count;
    const int *gather;
    const struct pwl_table *tables;
    int input_slot, time_slot, temperature_slot; /* time, temperature: -1 when unused */
    int result, result_gradient;                 /* slots */
    const int *directions;                       /* of the result's gradient */
    size_t direction_count;
    struct expression_variable *variables;
    size_t variable_count;
    const double *breakpoints;
    size_t breakpoint_count;
    const struct expression_period *periods;
    size_t period_count;
    size_t switch_count;
    size_t workspace;
    bool uses_time, linear;
    bool judges_quotients; /* a quotient may be compared */
    const struct expression_node *root;  /* the tree it was made from, for those who want to read it .. */
    struct expression_mention *mentions; /* .. and its names; those in the bodies of functions are not among them */
    size_t mention_count;
};

/* y(x) and its slope: straight between the points, the outer segments extended, as in ngspice.  At a point the slope
 * is that to the right. */
double pwl_value(const struct pwl_table *table, double x, double *slope);

#endif
