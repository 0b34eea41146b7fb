/* expression_finish.c - giving the values of a draft their places in the workspace and writing the final program.
 *
 * Only what the result needs is kept: one walk from the last step to the first marks it.
 */
#include "netlist/expression/expression_draft.h"

#include <stdlib.h>
#include <string.h>

static bool is_jump(enum operation op)
{
    return op == OP_BRANCH_IF_ZERO || op == OP_JUMP;
}

/* All uses of a value stand after its definition, so one pass backwards suffices; a condition's moves stand after its
 * test.  Returns the number of steps kept. */
static size_t mark_used(struct builder *b, int result)
{
    size_t kept = 0;
    b->values[result].used = true;
    for (size_t i = b->step_count; i-- > 0;) {
        const struct step *s = &b->steps[i];
        if (!b->values[s->value].used)
            continue;
        kept++;
        if (s->operation == OP_JUMP)
            continue;
        b->values[s->a].used = true;
        if (s->operation != OP_PWL)
            b->values[s->b].used = true;
    }
    return kept;
}

/* ---- places ---- */

struct layout {
    struct builder *b;
    struct arena *arena;
    struct expression *e;
    int *variable_number; /* [variable_count] final number, -1 when unused */
    int *input_number;    /* [input_count] */
    int *gather;
    size_t gather_count;
    int next;
};

static bool place_constants(struct layout *l)
{
    struct builder *b = l->b;
    double *constants = arena_array(l->arena, b->value_count, sizeof *constants);
    if (!constants)
        return false;
    for (size_t i = 0; i < b->value_count; i++) {
        struct value *v = &b->values[i];
        const bool always = i < 2; /* 0 and 1 */
        if (v->kind == VALUE_CONSTANT && (v->used || always)) {
            constants[l->next] = v->number;
            v->slot = l->next++;
        }
    }
    l->e->constants = constants;
    l->e->constant_count = (size_t)l->next;
    return true;
}

static bool keep_variables(struct layout *l)
{
    struct builder *b = l->b;
    struct expression_variable *kept = arena_array(l->arena, b->variable_count, sizeof *kept);
    l->variable_number = builder_alloc(b, b->variable_count, sizeof *l->variable_number);
    if (!kept || !l->variable_number)
        return false;
    for (size_t i = 0; i < b->input_count; i++) {
        const struct value *v = &b->values[b->inputs[i]];
        if (v->used && v->a >= 0)
            l->variable_number[v->a] = 1;
        if (v->used && v->b >= 0)
            l->variable_number[v->b] = 1;
    }
    for (size_t i = 0; i < b->variable_count; i++) {
        if (l->variable_number[i]) {
            kept[l->e->variable_count] = b->variables[i];
            l->variable_number[i] = (int)l->e->variable_count++;
        }
    }
    l->e->variables = kept;
    return true;
}

static bool place_inputs(struct layout *l)
{
    struct builder *b = l->b;
    struct expression_input *inputs = arena_array(l->arena, b->input_count, sizeof *inputs);
    l->input_number = builder_alloc(b, b->input_count, sizeof *l->input_number);
    if (!inputs || !l->input_number)
        return false;
    l->e->input_slot = l->next;
    for (size_t i = 0; i < b->input_count; i++) {
        struct value *v = &b->values[b->inputs[i]];
        if (!v->used)
            continue;
        struct expression_input *in = &inputs[l->e->input_count];
        in->plus = v->a >= 0 ? l->variable_number[v->a] : -1;
        in->minus = v->b >= 0 ? l->variable_number[v->b] : -1;
        v->slot = l->next++;
        v->gradient = 1; /* the constant 1 */
        l->input_number[i] = (int)l->e->input_count++;
    }
    l->e->inputs = inputs;
    return true;
}

static void place_registers(struct layout *l)
{
    struct builder *b = l->b;
    l->e->time_slot = l->e->temperature_slot = -1;
    for (size_t i = 0; i < b->value_count; i++) {
        struct value *v = &b->values[i];
        if (!v->used || v->kind == VALUE_CONSTANT || v->kind == VALUE_INPUT)
            continue;
        v->slot = l->next++;
        if (v->kind == VALUE_TIME) {
            v->gradient = 1;
            l->e->time_slot = v->slot;
        } else if (v->kind == VALUE_TEMPERATURE) {
            l->e->temperature_slot = v->slot;
        }
    }
}

static void place_gradients(struct layout *l)
{
    struct builder *b = l->b;
    for (size_t i = 0; i < b->value_count; i++) {
        struct value *v = &b->values[i];
        if (v->used && v->kind == VALUE_REGISTER && v->width > 0) {
            v->gradient = l->next;
            l->next += v->width;
        }
    }
    l->e->workspace = (size_t)l->next;
}

/* ---- instructions ---- */

static bool same_support(const struct value *x, const struct value *y)
{
    return x->width == y->width && memcmp(x->support, y->support, (size_t)x->width * sizeof *x->support) == 0;
}

/* Slot of v's gradient in this direction, that of 0.0 where v does not depend on it. */
static int component(const struct value *v, int direction)
{
    for (int i = 0; i < v->width; i++)
        if (v->support[i] == direction)
            return v->gradient + i;
    return 0;
}

static bool write_gather(struct layout *l, struct instruction *to, const struct value *v, const struct value *x,
                         const struct value *y)
{
    to->shape = GRADIENT_GATHER;
    to->gradient_a = (int)l->gather_count;
    for (int i = 0; i < v->width; i++) {
        l->gather[l->gather_count++] = component(x, v->support[i]);
        l->gather[l->gather_count++] = y ? component(y, v->support[i]) : 0;
    }
    return true;
}

static void write_gradient(struct layout *l, struct instruction *to, const struct step *s)
{
    const struct value *v = &l->b->values[s->value], *x = &l->b->values[s->a];
    const struct value *y = operation_is_binary(s->operation) ? &l->b->values[s->b] : NULL;
    to->width = v->width;
    to->gradient = v->gradient;
    to->gradient_a = x->gradient;
    to->gradient_b = y ? y->gradient : 0;
    if (v->width == 0)
        to->shape = GRADIENT_NONE;
    else if (v->width == 1)
        to->shape = GRADIENT_SINGLE;
    else if ((!y || y->width == 0) && same_support(v, x))
        to->shape = GRADIENT_FIRST;
    else if (y && x->width == 0 && same_support(v, y))
        to->shape = GRADIENT_SECOND;
    else if (y && same_support(v, x) && same_support(v, y))
        to->shape = GRADIENT_BOTH;
    else
        write_gather(l, to, v, x, y);
}

static size_t gather_size(const struct builder *b)
{
    size_t size = 0;
    for (size_t i = 0; i < b->step_count; i++)
        if (b->values[b->steps[i].value].used && !is_jump(b->steps[i].operation))
            size += 2 * (size_t)b->values[b->steps[i].value].width;
    return size;
}

/* Comparisons, u(), sgn(), floor() and their like jump where their operands cross.  Where both are straight lines in time that is a
 * breakpoint; operands that are piecewise constant themselves have no crossing of their own. */
static bool can_switch(const struct builder *b, const struct step *s)
{
    const bool compares = s->operation >= OP_LESS && s->operation <= OP_UNEQUAL;
    const bool jumps = s->operation == OP_SIGN || s->operation == OP_STEP || operation_is_stair(s->operation);
    const struct value *x = &b->values[s->a], *y = &b->values[compares || s->operation == OP_MODULO ? s->b : s->a];
    if (!compares && !jumps)
        return false;
    return (x->width > 0 || y->width > 0) && !(x->line.known && y->line.known);
}

static void write_instruction(struct layout *l, struct instruction *to, const struct step *s, const size_t *position)
{
    const struct builder *b = l->b;
    to->operation = (unsigned char)s->operation;
    to->shape = GRADIENT_NONE;
    to->switch_number = can_switch(b, s) ? (int)l->e->switch_count++ : -1;
    if (is_jump(s->operation)) {
        to->result = (int)position[s->target];
        to->a = s->operation == OP_JUMP ? 0 : b->values[s->a].slot;
        return;
    }
    to->result = b->values[s->value].slot;
    to->a = b->values[s->a].slot;
    to->b = s->operation == OP_PWL ? s->b : b->values[s->b].slot;
    write_gradient(l, to, s);
}

/* Of what is none a comparison and a condition make a number. */
static bool judges_quotients(const struct instruction *instructions, size_t count)
{
    bool divides = false, judges = false;
    for (size_t i = 0; i < count; i++) {
        const enum operation op = (enum operation)instructions[i].operation;
        divides = divides || op == OP_DIVIDE;
        judges = judges || op == OP_BRANCH_IF_ZERO || (op >= OP_LESS && op <= OP_NOT);
    }
    return divides && judges;
}

static bool write_instructions(struct layout *l, size_t kept)
{
    struct builder *b = l->b;
    struct instruction *instructions = arena_array(l->arena, kept, sizeof *instructions);
    size_t *position = builder_alloc(b, b->step_count + 1, sizeof *position);
    l->gather = arena_array(l->arena, gather_size(b), sizeof *l->gather);
    if (!instructions || !position || !l->gather)
        return false;
    size_t count = 0;
    for (size_t i = 0; i < b->step_count; i++) {
        position[i] = count;
        count += b->values[b->steps[i].value].used;
    }
    position[b->step_count] = count;
    count = 0;
    for (size_t i = 0; i < b->step_count; i++)
        if (b->values[b->steps[i].value].used)
            write_instruction(l, &instructions[count++], &b->steps[i], position);
    l->e->instructions = instructions;
    l->e->instruction_count = count;
    l->e->judges_quotients = judges_quotients(instructions, count);
    l->e->gather = l->gather;
    return true;
}

/* ---- result ---- */

static bool write_result(struct layout *l, int result)
{
    const struct value *v = &l->b->values[result];
    int *directions = arena_array(l->arena, (size_t)v->width, sizeof *directions);
    if (!directions)
        return false;
    for (int i = 0; i < v->width; i++)
        directions[i] = v->support[i] == TIME_DIRECTION ? TIME_DIRECTION : l->input_number[v->support[i]];
    l->e->result = v->slot;
    l->e->result_gradient = v->gradient;
    l->e->directions = directions;
    l->e->direction_count = (size_t)v->width;
    l->e->linear = v->dependence <= AFFINE;
    l->e->uses_time = l->e->time_slot >= 0;
    return true;
}

static int ascending(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static bool write_breakpoints(struct layout *l)
{
    struct builder *b = l->b;
    double *times = arena_array(l->arena, b->breakpoint_count, sizeof *times);
    if (!times)
        return false;
    if (b->breakpoint_count)
        qsort(b->breakpoints, b->breakpoint_count, sizeof *b->breakpoints, ascending);
    for (size_t i = 0; i < b->breakpoint_count; i++)
        if (i == 0 || b->breakpoints[i] != b->breakpoints[i - 1])
            times[l->e->breakpoint_count++] = b->breakpoints[i];
    l->e->breakpoints = times;
    struct expression_period *periods = arena_array(l->arena, b->period_count, sizeof *periods);
    if (periods && b->period_count)
        memcpy(periods, b->periods, b->period_count * sizeof *periods);
    l->e->periods = periods;
    l->e->period_count = b->period_count;
    return periods;
}

static bool write_tables(struct layout *l)
{
    struct builder *b = l->b;
    struct pwl_table *tables = arena_array(l->arena, b->table_count, sizeof *tables);
    if (!tables)
        return false;
    if (b->table_count)
        memcpy(tables, b->tables, b->table_count * sizeof *tables);
    l->e->tables = tables;
    return true;
}

struct expression *builder_finish(struct builder *b, int result, struct arena *arena)
{
    if (!builder_ok(b))
        return NULL;
    struct layout l = {.b = b, .arena = arena, .e = arena_alloc(arena, sizeof *l.e)};
    if (!l.e)
        return NULL;
    const size_t kept = mark_used(b, result);
    if (!place_constants(&l) || !keep_variables(&l) || !place_inputs(&l))
        return NULL;
    place_registers(&l);
    place_gradients(&l);
    if (!write_instructions(&l, kept) || !write_result(&l, result) || !write_breakpoints(&l) || !write_tables(&l))
        return NULL;
    return l.e;
}
