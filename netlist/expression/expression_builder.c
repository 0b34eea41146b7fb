/* expression_builder.c - value numbering, folding and simplification while a program is made. */
#include "netlist/expression/expression_builder.h"

#include "base/array.h"
#include "netlist/expression/expression_draft.h"

#include <stdint.h>
#include <string.h>

/* Programs beyond this come from functions that multiply one another, not from circuits. */
enum { VALUE_LIMIT = 1000000 };

struct builder *builder_new(void)
{
    struct arena *arena = arena_new();
    struct builder *b = arena ? arena_alloc(arena, sizeof *b) : NULL;
    if (!b) {
        arena_free(arena);
        return NULL;
    }
    b->arena = arena;
    b->blocks = arena_array(arena, 1, sizeof *b->blocks);
    if (!b->blocks) {
        arena_free(arena);
        return NULL;
    }
    b->blocks[0] = true;
    b->block_count = b->block_capacity = 1;
    builder_constant(b, 0.0);
    builder_constant(b, 1.0);
    if (builder_ok(b))
        return b;
    arena_free(arena);
    return NULL;
}

void builder_free(struct builder *b)
{
    if (b)
        arena_free(b->arena);
}

void *builder_alloc(struct builder *b, size_t count, size_t size)
{
    void *piece = arena_array(b->arena, count, size);
    if (!piece)
        b->failed = true;
    return piece;
}

bool builder_ok(const struct builder *b)
{
    return !b->failed && !b->too_large;
}

bool builder_too_large(const struct builder *b)
{
    return b->too_large;
}

bool builder_room(struct builder *b, void *items, size_t count, size_t *capacity, size_t size)
{
    if (!array_reserve_in(b->arena, items, count, count + 1, capacity, size))
        b->failed = true;
    return !b->failed;
}

/* ---- values ---- */

/* Bits stirred so that all of them reach the low ones (finalizer of MurmurHash3, A. Appleby 2011). */
static uint64_t stir(uint64_t h)
{
    h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
    h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53u;
    return h ^ (h >> 33);
}

static size_t value_bucket(const struct builder *b, const struct value *v)
{
    uint64_t bits;
    memcpy(&bits, &v->number, sizeof bits);
    const uint64_t operands = ((uint64_t)(unsigned)v->a << 32) | (unsigned)v->b;
    const uint64_t what = (uint64_t)v->kind * 256 + (uint64_t)v->operation;
    return (size_t)stir(stir(stir(bits) ^ operands) ^ what) & (b->bucket_count - 1);
}

static int find_value(const struct builder *b, const struct value *v)
{
    if (b->bucket_count == 0)
        return -1;
    for (int i = b->buckets[value_bucket(b, v)]; i; i = b->values[i - 1].next) {
        const struct value *other = &b->values[i - 1];
        if (other->kind == v->kind && other->operation == v->operation && other->a == v->a && other->b == v->b &&
            memcmp(&other->number, &v->number, sizeof v->number) == 0 && b->blocks[other->block])
            return i - 1;
    }
    return -1;
}

static void link_value(struct builder *b, size_t i)
{
    int *bucket = &b->buckets[value_bucket(b, &b->values[i])];
    b->values[i].next = *bucket;
    *bucket = (int)i + 1;
}

static bool grow_buckets(struct builder *b)
{
    const size_t count = b->bucket_count ? 4 * b->bucket_count : 64;
    int *buckets = builder_alloc(b, count, sizeof *buckets);
    if (!buckets)
        return false;
    b->buckets = buckets;
    b->bucket_count = count;
    for (size_t i = 0; i < b->value_count; i++)
        link_value(b, i);
    return true;
}

/* The number of the new value, 0 when there is no room for it. */
static int add_value(struct builder *b, struct value v)
{
    if (b->value_count >= VALUE_LIMIT)
        b->too_large = true;
    if (!builder_room(b, &b->values, b->value_count, &b->value_capacity, sizeof v) || b->too_large)
        return 0;
    b->values[b->value_count++] = v;
    if (b->value_count > b->bucket_count)
        return grow_buckets(b) ? (int)b->value_count - 1 : 0;
    link_value(b, b->value_count - 1);
    return (int)b->value_count - 1;
}

static size_t add_step(struct builder *b, struct step s)
{
    if (!builder_room(b, &b->steps, b->step_count, &b->step_capacity, sizeof s))
        return 0;
    b->steps[b->step_count] = s;
    return b->step_count++;
}

int builder_constant(struct builder *b, double number)
{
    const struct value v = {.kind = VALUE_CONSTANT, .number = number, .line = {true, 0.0, number}};
    const int found = find_value(b, &v);
    return found >= 0 ? found : add_value(b, v);
}

bool builder_is_constant(const struct builder *b, int value, double *number)
{
    *number = b->values[value].number;
    return b->values[value].kind == VALUE_CONSTANT;
}

int builder_variable(struct builder *b, const struct expression_variable *variable)
{
    for (size_t i = 0; i < b->variable_count; i++)
        if (b->variables[i].kind == variable->kind && b->variables[i].index == variable->index)
            return (int)i;
    if (!builder_room(b, &b->variables, b->variable_count, &b->variable_capacity, sizeof *variable))
        return -1;
    b->variables[b->variable_count] = *variable;
    return (int)b->variable_count++;
}

static const int *single_support(struct builder *b, int direction)
{
    int *support = builder_alloc(b, 1, sizeof *support);
    if (support)
        *support = direction;
    return support;
}

int builder_input(struct builder *b, int plus, int minus)
{
    if (plus == minus)
        return builder_constant(b, 0.0);
    struct value v = {.kind = VALUE_INPUT, .a = minus, .b = plus};
    const int reverse = find_value(b, &v);
    if (reverse >= 0 || plus < 0) {
        const int positive = reverse >= 0 ? reverse : builder_input(b, minus, plus);
        return builder_operation(b, OP_NEGATE, positive, positive);
    }
    v.a = plus;
    v.b = minus;
    const int found = find_value(b, &v);
    if (found >= 0)
        return found;
    v.dependence = AFFINE;
    v.support = single_support(b, (int)b->input_count);
    v.width = v.support ? 1 : 0;
    const int made = add_value(b, v);
    if (!builder_room(b, &b->inputs, b->input_count, &b->input_capacity, sizeof made))
        return 0;
    b->inputs[b->input_count++] = made;
    return made;
}

int builder_time(struct builder *b)
{
    struct value v = {.kind = VALUE_TIME, .dependence = TIMED, .line = {true, 1.0, 0.0}};
    const int found = find_value(b, &v);
    if (found >= 0)
        return found;
    v.support = single_support(b, TIME_DIRECTION);
    v.width = v.support ? 1 : 0;
    return add_value(b, v);
}

int builder_temperature(struct builder *b)
{
    const struct value v = {.kind = VALUE_TEMPERATURE};
    const int found = find_value(b, &v);
    return found >= 0 ? found : add_value(b, v);
}

bool builder_is_truth(const struct builder *b, int value)
{
    const struct value *v = &b->values[value];
    if (v->kind == VALUE_CONSTANT)
        return v->number == 0.0 || v->number == 1.0;
    return v->kind == VALUE_REGISTER && ((v->operation >= OP_LESS && v->operation <= OP_OR) || v->operation == OP_NOT);
}

/* ---- what a result depends on ---- */

static enum dependence larger(enum dependence a, enum dependence b)
{
    return a > b ? a : b;
}

static enum dependence dependence_of(const struct builder *b, enum operation op, int first, int second)
{
    const enum dependence x = b->values[first].dependence;
    const enum dependence y = operation_is_binary(op) ? b->values[second].dependence : FIXED;
    const bool keeps_lines = op == OP_ADD || op == OP_SUBTRACT || op == OP_NEGATE ||
                             (op == OP_MULTIPLY && (x == FIXED || y == FIXED)) || (op == OP_DIVIDE && y == FIXED);
    if (keeps_lines || larger(x, y) <= TIMED)
        return larger(x, y);
    return NONLINEAR;
}

static bool same_support(const struct value *x, const struct value *y)
{
    return x->width == y->width &&
           (x->support == y->support || memcmp(x->support, y->support, (size_t)x->width * sizeof *x->support) == 0);
}

/* Both are sorted; so is the union. */
static void unite_supports(struct builder *b, struct value *v, const struct value *x, const struct value *y)
{
    if (y->width == 0 || (x->width > 0 && same_support(x, y))) {
        v->support = x->support;
        v->width = x->width;
        return;
    }
    if (x->width == 0) {
        v->support = y->support;
        v->width = y->width;
        return;
    }
    int *both = builder_alloc(b, (size_t)(x->width + y->width), sizeof *both);
    if (!both)
        return;
    int i = 0, k = 0, count = 0;
    while (i < x->width || k < y->width) {
        const bool from_x = k == y->width || (i < x->width && x->support[i] <= y->support[k]);
        const int direction = from_x ? x->support[i] : y->support[k];
        i += i < x->width && x->support[i] == direction;
        k += k < y->width && y->support[k] == direction;
        both[count++] = direction;
    }
    v->support = both;
    v->width = count;
}

/* The straight line in time that the value is.  What max or min with a constant has cut off goes unnoticed: the line
 * serves only to find crossings, and one breakpoint too many does no harm. */
static struct time_line line_of(const struct builder *b, enum operation op, int first, int second)
{
    const struct time_line x = b->values[first].line, y = b->values[second].line;
    const struct time_line none = {false, 0.0, 0.0};
    if (!x.known || !y.known)
        return none;
    switch (op) {
    case OP_ADD:
        return (struct time_line){true, x.slope + y.slope, x.offset + y.offset};
    case OP_SUBTRACT:
        return (struct time_line){true, x.slope - y.slope, x.offset - y.offset};
    case OP_NEGATE:
        return (struct time_line){true, -x.slope, -x.offset};
    case OP_MULTIPLY:
        if (x.slope == 0.0)
            return (struct time_line){true, x.offset * y.slope, x.offset * y.offset};
        return y.slope == 0.0 ? (struct time_line){true, x.slope * y.offset, x.offset * y.offset} : none;
    case OP_DIVIDE:
        return y.slope == 0.0 ? (struct time_line){true, x.slope / y.offset, x.offset / y.offset} : none;
    case OP_MINIMUM:
    case OP_MAXIMUM:
        return x.slope == 0.0 ? y : y.slope == 0.0 ? x : none;
    default:
        return none;
    }
}

/* ---- where time switches the program ---- */

static void add_breakpoint(struct builder *b, double time)
{
    if (!(time > 0.0) || isinf(time))
        return;
    if (!builder_room(b, &b->breakpoints, b->breakpoint_count, &b->breakpoint_capacity, sizeof time))
        return;
    b->breakpoints[b->breakpoint_count++] = time;
}

static void add_period(struct builder *b, struct expression_period period)
{
    if (builder_room(b, &b->periods, b->period_count, &b->period_capacity, sizeof *b->periods))
        b->periods[b->period_count++] = period;
}

void builder_note_period(struct builder *b, double first, double period)
{
    add_period(b, (struct expression_period){first, period, false});
}

/* The value jumps or bends, or a sine of it swings, wherever it is `offset` more than a multiple of `step`. */
static void note_steps(struct builder *b, struct time_line x, double step, double offset, bool swings)
{
    const double period = fabs(step / x.slope), first = (offset - x.offset) / x.slope;
    if (!x.known || x.slope == 0.0 || !isfinite(period) || !(period > 0.0) || !isfinite(first))
        return;
    add_period(b, (struct expression_period){first - period * (ceil(first / period) - 1.0), period, swings});
}

/* The value reaches the level when slope * time + offset = level. */
static void note_crossing(struct builder *b, struct time_line x, struct time_line y)
{
    if (x.known && y.known && x.slope != y.slope)
        add_breakpoint(b, (y.offset - x.offset) / (x.slope - y.slope));
}

static bool switches(enum operation op)
{
    return (op >= OP_LESS && op <= OP_UNEQUAL) || op == OP_MINIMUM || op == OP_MAXIMUM;
}

static bool switches_at_zero(enum operation op)
{
    return op == OP_ABS || op == OP_SIGN || op == OP_STEP || op == OP_NOT;
}

/* Of a period of the sine, radian. */
static const double QUARTER = 1.57079632679489661923;

static void note_breakpoints(struct builder *b, enum operation op, int first, int second)
{
    const struct time_line zero = {true, 0.0, 0.0};
    if (op == OP_FLOOR || op == OP_CEIL || op == OP_TRUNCATE || op == OP_HASH)
        note_steps(b, b->values[first].line, 1.0, 0.0, false);
    else if (op == OP_NEAREST || op == OP_ROUND)
        note_steps(b, b->values[first].line, 1.0, 0.5, false);
    else if (op == OP_MODULO && b->values[second].kind == VALUE_CONSTANT)
        note_steps(b, b->values[first].line, b->values[second].number, 0.0, false);
    else if (op == OP_SIN || op == OP_COS)
        note_steps(b, b->values[first].line, QUARTER, 0.0, true);
    else if (switches(op))
        note_crossing(b, b->values[first].line, b->values[second].line);
    else if (switches_at_zero(op))
        note_crossing(b, b->values[first].line, zero);
}

/* ---- operations ---- */

static bool commutes(enum operation op)
{
    return op == OP_ADD || op == OP_MULTIPLY || op == OP_MINIMUM || op == OP_MAXIMUM || op == OP_HYPOT ||
           op == OP_EQUAL || op == OP_UNEQUAL || op == OP_AND || op == OP_OR || op == OP_XOR;
}

static int emit(struct builder *b, enum operation op, int first, int second)
{
    struct value v = {.kind = VALUE_REGISTER, .operation = op, .a = first, .b = second};
    const int found = find_value(b, &v);
    if (found >= 0)
        return found;
    v.block = b->block;
    v.dependence = dependence_of(b, op, first, second);
    v.line = line_of(b, op, first, second);
    if (!operation_is_flat(op))
        unite_supports(b, &v, &b->values[first], &b->values[second]);
    note_breakpoints(b, op, first, second);
    const int made = add_value(b, v);
    add_step(b, (struct step){.operation = op, .value = made, .a = first, .b = second});
    return made;
}

/* A power with a constant exponent, in its cheapest form. */
static int constant_power(struct builder *b, int base, double exponent)
{
    if (exponent == 0.0)
        return builder_constant(b, 1.0);
    if (exponent == 1.0)
        return base;
    if (exponent == 2.0)
        return emit(b, OP_SQUARE, base, base);
    if (exponent == -1.0)
        return emit(b, OP_DIVIDE, builder_constant(b, 1.0), base);
    if (exponent == 0.5)
        return builder_operation(b, OP_SQRT, builder_operation(b, OP_ABS, base, base), 0);
    if (exponent == trunc(exponent) && fabs(exponent) <= 64.0)
        return emit(b, OP_INTEGER_POWER, base, builder_constant(b, exponent));
    return emit(b, OP_FIXED_POWER, base, builder_constant(b, exponent));
}

/* Dividing by a power of two is multiplying by its reciprocal, to the last bit. */
static bool has_exact_reciprocal(double x)
{
    int exponent;
    return fabs(frexp(x, &exponent)) == 0.5 && isnormal(1.0 / x);
}

/* The value when one operand is the constant c; -1 if nothing is simpler. */
static int simplify_right(struct builder *b, enum operation op, int x, double c)
{
    if ((op == OP_ADD || op == OP_SUBTRACT) && c == 0.0)
        return x;
    if (op == OP_MULTIPLY && c == 0.0)
        return builder_constant(b, 0.0);
    if ((op == OP_MULTIPLY || op == OP_DIVIDE || op == OP_SIGNED_POWER) && c == 1.0)
        return x;
    if ((op == OP_MULTIPLY || op == OP_DIVIDE) && c == -1.0)
        return builder_operation(b, OP_NEGATE, x, x);
    if (op == OP_DIVIDE && has_exact_reciprocal(c))
        return builder_operation(b, OP_MULTIPLY, x, builder_constant(b, 1.0 / c));
    if (op == OP_POWER)
        return constant_power(b, x, c);
    if (op == OP_SIGNED_POWER)
        return emit(b, OP_FIXED_SIGNED_POWER, x, builder_constant(b, c));
    return -1;
}

static int simplify(struct builder *b, enum operation op, int first, int second)
{
    double x, y;
    const bool first_known = builder_is_constant(b, first, &x), second_known = builder_is_constant(b, second, &y);
    if (first_known && second_known)
        return builder_constant(b, operation_value(op, x, y));
    if (op == OP_NEGATE && b->values[first].kind == VALUE_REGISTER && b->values[first].operation == OP_NEGATE)
        return b->values[first].a;
    if (!operation_is_binary(op))
        return -1;
    if (second_known)
        return simplify_right(b, op, first, y);
    if (first_known && commutes(op))
        return simplify_right(b, op, second, x);
    if (first_known && op == OP_SUBTRACT && x == 0.0)
        return builder_operation(b, OP_NEGATE, second, second);
    if (op == OP_MULTIPLY && first == second)
        return emit(b, OP_SQUARE, first, first);
    return -1;
}

int builder_operation(struct builder *b, enum operation op, int first, int second)
{
    if (!builder_ok(b))
        return 0;
    if (!operation_has_second(op))
        second = first;
    if (op == OP_GREATER || op == OP_GREATER_EQUAL) {
        op = op == OP_GREATER ? OP_LESS : OP_LESS_EQUAL;
        const int swapped = first;
        first = second;
        second = swapped;
    }
    const int simple = simplify(b, op, first, second);
    if (simple >= 0)
        return simple;
    if (commutes(op) && first > second)
        return emit(b, op, second, first);
    return emit(b, op, first, second);
}

int builder_pwl(struct builder *b, int value, const struct pwl_table *table)
{
    double x, slope;
    if (builder_is_constant(b, value, &x))
        return builder_constant(b, pwl_value(table, x, &slope));
    if (!builder_room(b, &b->tables, b->table_count, &b->table_capacity, sizeof *table))
        return 0;
    b->tables[b->table_count] = *table;
    for (int i = 1; i + 1 < table->count; i++)
        note_crossing(b, b->values[value].line, (struct time_line){true, 0.0, table->x[i]});
    const struct value v = {.kind = VALUE_REGISTER,
                            .operation = OP_PWL,
                            .a = value,
                            .b = (int)b->table_count++,
                            .block = b->block,
                            .dependence =
                                b->values[value].dependence <= TIMED ? b->values[value].dependence : NONLINEAR,
                            .support = b->values[value].support,
                            .width = b->values[value].width};
    const int made = add_value(b, v);
    add_step(b, (struct step){.operation = OP_PWL, .value = made, .a = value, .b = v.b});
    return made;
}

/* ---- blocks ---- */

int builder_block(const struct builder *b)
{
    return b->block;
}

bool builder_is_open(const struct builder *b, int block)
{
    return b->blocks[block];
}

static void open_block(struct builder *b)
{
    if (!builder_room(b, &b->blocks, b->block_count, &b->block_capacity, sizeof *b->blocks))
        return;
    b->blocks[b->block_count] = true;
    b->block = (int)b->block_count++;
}

static void close_block(struct builder *b, int outer)
{
    if (b->block != 0)
        b->blocks[b->block] = false;
    b->block = outer;
}

struct builder_draft builder_begin_draft(struct builder *b)
{
    const struct builder_draft draft = {b->step_count, b->breakpoint_count, b->period_count, b->block};
    open_block(b);
    return draft;
}

void builder_drop_draft(struct builder *b, struct builder_draft draft)
{
    close_block(b, draft.outer);
    b->step_count = draft.steps;
    b->breakpoint_count = draft.breakpoints;
    b->period_count = draft.periods;
}

void builder_open(struct builder *b, struct builder_branch *branch, int condition)
{
    branch->condition = condition;
    branch->outer = b->block;
    branch->test = add_step(b, (struct step){.operation = OP_BRANCH_IF_ZERO, .a = condition, .b = condition});
    open_block(b);
}

void builder_next(struct builder *b, struct builder_branch *branch, int first)
{
    branch->first = first;
    close_block(b, branch->outer);
    add_step(b, (struct step){.operation = OP_MOVE, .a = first, .b = first});
    branch->skip = add_step(b, (struct step){.operation = OP_JUMP});
    if (b->step_count)
        b->steps[branch->test].target = b->step_count;
    open_block(b);
}

static enum dependence condition_dependence(enum dependence condition, enum dependence first, enum dependence second)
{
    const enum dependence sides = larger(first, second);
    if (condition == FIXED)
        return sides;
    return condition == TIMED && sides <= TIMED ? TIMED : NONLINEAR;
}

int builder_close(struct builder *b, struct builder_branch *branch, int second)
{
    close_block(b, branch->outer);
    if (!builder_ok(b))
        return 0;
    const struct value *x = &b->values[branch->first], *y = &b->values[second];
    struct value v = {.kind = VALUE_REGISTER, .operation = OP_MOVE, .a = (int)b->value_count, .block = b->block};
    v.dependence = condition_dependence(b->values[branch->condition].dependence, x->dependence, y->dependence);
    unite_supports(b, &v, x, y);
    const int made = add_value(b, v);
    add_step(b, (struct step){.operation = OP_MOVE, .value = made, .a = second, .b = second});
    if (!builder_ok(b))
        return 0;
    b->steps[branch->test].value = made;
    b->steps[branch->skip - 1].value = made;
    b->steps[branch->skip].value = made;
    b->steps[branch->skip].target = b->step_count;
    return made;
}
