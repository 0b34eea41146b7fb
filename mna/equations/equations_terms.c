/* equations_terms.c - what each branch of a circuit contributes to its equations, by the kinds and names of
 * equations.h.
 */
#include "mna/equations/equations_parts.h"

#include <math.h>
#include <string.h>

bool branch_is_fixed_voltage(const struct branch *branch)
{
    return branch->kind == BRANCH_V && !branch->controlled && branch->current > 0;
}

struct quantity *builder_quantity(struct equation_builder *b, enum quantity_kind kind, const struct branch *branch)
{
    struct quantity *q = builder_take(b, 1, sizeof *q);
    if (q)
        *q = (struct quantity){.kind = kind, .branch = branch, .element = branch->element, .part = branch->short_name};
    return q;
}

struct quantity *builder_of_difference(struct equation_builder *b, enum quantity_kind kind, const struct branch *branch,
                                       int plus, int minus)
{
    struct quantity *q = builder_quantity(b, kind, branch);
    struct branch_control *input = builder_take(b, 1, sizeof *input);
    if (!q || !input)
        return NULL;
    *input = (struct branch_control){plus, minus};
    q->inputs = input;
    q->input_count = 1;
    return q;
}

static struct quantity *of_own_voltage(struct equation_builder *b, enum quantity_kind kind, const struct branch *branch)
{
    return builder_of_difference(b, kind, branch, branch->plus, branch->minus);
}

/* A control that says something new: no end of the branch itself, none of those before. */
static bool is_new_control(const struct branch *branch, size_t i)
{
    const int node = branch->controls[i];
    for (size_t k = 0; k < i; k++)
        if (branch->controls[k] == node)
            return false;
    return node != branch->plus && node != branch->minus;
}

/* Its own voltage, then the other nodes that matter against its minus node; or what it names one by one. */
static void depend_on_all(struct equation_builder *b, struct quantity *q)
{
    const struct branch *branch = q->branch;
    struct branch_control *inputs = builder_take(b, branch->pair_count + branch->control_count + 1, sizeof *inputs);
    size_t count = 0;
    if (!inputs)
        return;
    for (size_t i = 0; i < branch->pair_count; i++)
        inputs[count++] = branch->pairs[i];
    if (count == 0) {
        inputs[count++] = (struct branch_control){branch->plus, branch->minus};
        for (size_t i = 0; i < branch->control_count; i++)
            if (is_new_control(branch, i))
                inputs[count++] = (struct branch_control){branch->controls[i], branch->minus};
    }
    q->inputs = inputs;
    q->input_count = count;
}

static struct quantity *device_law(struct equation_builder *b, char letter, const struct branch *branch)
{
    struct quantity *q = builder_quantity(b, QUANTITY_LAW, branch);
    if (!q)
        return NULL;
    q->letter = letter;
    depend_on_all(b, q);
    return q;
}

static struct quantity *formula(struct equation_builder *b, const struct branch *branch)
{
    struct quantity *q = builder_quantity(b, QUANTITY_FORMULA, branch);
    if (!q)
        return NULL;
    depend_on_all(b, q);
    q->formula = circuit_formula(b->e->arena, mna_circuit(b->m), branch->element->expression);
    q->formula_is_product = expression_is_product(branch->element->expression);
    b->failed = b->failed || !q->formula;
    return q;
}

/* The controlling voltages or currents on the element's line. */
static void read_controls(struct equation_builder *b, struct quantity *q)
{
    const struct element *e = q->element;
    const bool by_current = e->control_element_count > 0;
    const size_t count = by_current ? e->control_element_count : e->control_node_count / 2;
    struct branch_control *inputs = builder_take(b, count, sizeof *inputs);
    if (!inputs)
        return;
    for (size_t i = 0; i < count; i++)
        inputs[i] = by_current ? (struct branch_control){mna_current_unknown(b->m, e->control_elements[i]) + 1, 0}
                               : (struct branch_control){mna_node_unknown(b->m, e->control_nodes[2 * i]) + 1,
                                                         mna_node_unknown(b->m, e->control_nodes[2 * i + 1]) + 1};
    q->inputs = inputs;
    q->input_count = count;
}

/* A formula, a polynomial or a gain. */
static struct quantity *controlled_value(struct equation_builder *b, char letter, const struct branch *branch)
{
    if (branch->role == ROLE_FORMULA)
        return formula(b, branch);
    struct quantity *q = builder_quantity(b, branch->role == ROLE_POLYNOMIAL ? QUANTITY_LAW : QUANTITY_GAIN, branch);
    if (!q)
        return NULL;
    q->letter = letter;
    read_controls(b, q);
    return q;
}

static struct quantity *charge(struct equation_builder *b, const struct branch *branch)
{
    struct quantity *q = branch->role == ROLE_FORMULA ? formula(b, branch)
                         : branch->role == ROLE_VALUE ? of_own_voltage(b, QUANTITY_CAPACITANCE, branch)
                                                      : device_law(b, LAW_LETTER_CHARGE, branch);
    if (q)
        q->rate = true;
    return q;
}

/* What imposes the value of a branch. */
static struct quantity *imposed(struct equation_builder *b, char letter, const struct branch *branch)
{
    switch (branch->role) {
    case ROLE_SOURCE:
        return builder_quantity(b, QUANTITY_SOURCE, branch);
    case ROLE_VALUE:
        return of_own_voltage(b, QUANTITY_CONDUCTANCE, branch);
    case ROLE_FORMULA:
    case ROLE_POLYNOMIAL:
    case ROLE_GAIN:
        return controlled_value(b, letter, branch);
    case ROLE_LAW:
    case ROLE_PORT:
        break;
    }
    return device_law(b, letter, branch);
}

const struct quantity *builder_current(struct equation_builder *b, const struct branch *branch)
{
    if (branch->current > 0)
        return builder_of_difference(b, QUANTITY_CURRENT, branch, branch->current, 0);
    return branch->kind == BRANCH_C ? charge(b, branch) : imposed(b, LAW_LETTER_CURRENT, branch);
}

const struct quantity *builder_voltage(struct equation_builder *b, const struct branch *branch)
{
    if (branch_is_short(branch))
        return NULL;
    return branch_is_fixed_voltage(branch) ? builder_quantity(b, QUANTITY_SOURCE, branch)
                                           : imposed(b, LAW_LETTER_VOLTAGE, branch);
}
