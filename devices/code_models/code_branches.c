/* code_branches.c - of which branches a code model consists, for the topological analysis. */
#include "devices/code_models/code_model.h"

#include <math.h>

/* The unknowns that a row depends on beyond the ends and the current of its branch. */
static size_t find_controls(const struct code_item *i, const struct branch *own)
{
    size_t count = 0;
    for (size_t c = 0; c < i->column_count; c++) {
        const int of[2] = {i->columns[c].plus, i->columns[c].minus};
        for (int end = 0; end < 2; end++)
            if (of[end] != 0 && of[end] != own->plus && of[end] != own->minus && of[end] != own->current)
                i->controls[count++] = of[end];
    }
    return count;
}

/* A branch of this kind that the columns control, or, of a state that rests by an equation of its own, that state. */
static bool add_controlled(const struct code_item *i, struct branch_list *list, struct branch own, bool by_itself)
{
    own.control_count = find_controls(i, &own);
    own.controls = i->controls;
    own.controlled = by_itself || own.control_count > 0;
    own.role = own.controlled ? ROLE_LAW : ROLE_SOURCE;
    own.constant = NAN;
    return branch_add(list, &own);
}

/* Of a connection: a measured current is a short; what it drives, a source; one that measures its own voltage as well, a
 * resistance and what the others add to it. */
static bool add_connection(const struct code_item *i, size_t c, struct branch_list *list)
{
    const struct port_info *port = code_port_of(i, c);
    struct branch own = {.kind = i->currents[c] ? BRANCH_V : BRANCH_I,
                         .plus = i->ends[c][0],
                         .minus = i->ends[c][1],
                         .element = i->element,
                         .part = port->name,
                         .short_name = port->name,
                         .current = i->currents[c]};
    if (port->direction == PORT_IN)
        return own.current == 0 || branch_add(list, &own); /* constant 0 */
    if (port->direction == PORT_BOTH && own.kind == BRANCH_I) {
        const struct branch_place place = {i->element, own.plus, own.minus, port->name, port->name};
        own.part = own.short_name = "control";
        return branch_add_law(list, BRANCH_R, place, NULL, 0) &&
               (find_controls(i, &own) == 0 || add_controlled(i, list, own, false));
    }
    return add_controlled(i, list, own, false);
}

/* A state is a capacitance of one farad that the rest charges. */
static bool add_state(const struct code_item *i, size_t state, struct branch_list *list)
{
    const char *name = i->model->states[state];
    const int unknown = i->columns[i->column_count - i->state_count + state].plus;
    const struct branch_place place = {i->element, unknown, 0, name, name};
    struct branch charge = {.kind = BRANCH_I, .plus = unknown, .element = i->element, .part = name, .short_name = name};
    return branch_add_law(list, BRANCH_C, place, NULL, 0) && add_controlled(i, list, charge, i->model->rests_apart);
}

bool code_branches(const struct code_item *i, struct branch_list *list)
{
    for (size_t c = 0; c < i->element->connection_count; c++)
        if (!add_connection(i, c, list))
            return false;
    for (size_t state = 0; state < i->state_count; state++)
        if (!add_state(i, state, list))
            return false;
    return true;
}
