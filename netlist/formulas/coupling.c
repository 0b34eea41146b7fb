/* coupling.c - K whose coefficient is a formula, such as one of time (Xyce).
 *
 * The mutual inductance M = k sqrt(L1 L2) then stands in the fluxes of both inductors, which become laws:
 *
 *     Phi_1 = L1 i_1 + M(..) i_2,     Phi_2 = L2 i_2 + M(..) i_1,     v = d/dt Phi
 *
 * and the coupling itself a source of no current across the first of them.
 */
#include "netlist/expand/expand_card.h"
#include "netlist/expression/expression_tree.h"
#include "netlist/formulas/formulas.h"

#include <math.h>

/* An inductance that a flux can be written with. */
static bool is_plain(const struct element *e)
{
    return e->kind && kind_is_inductor(e->kind) && e->law == LAW_NONE && e->has_value && e->value > 0 && !e->model &&
           e->setting_count == 0;
}

static bool refuse(struct expansion *x, const struct pending *p)
{
    return deck_fail(x->deck, "not-constant", p->element->where,
                     "write the flux of all currents on the cards of the inductors: L1 a b Flux='..'",
                     "'%s': a coefficient that is a formula needs two inductors with nothing but a value",
                     p->element->name);
}

/* L_own I(own) + M I(other) */
static bool write_flux(struct expansion *x, const struct pending *p, size_t own, double mutual)
{
    const struct tree_maker m = {x->deck->arena, p->element->where};
    struct element *e = &x->elements[p->numbers[own]];
    struct expression_node *first =
        make_binary(&m, make_number(&m, e->value), OP_MULTIPLY, make_current(&m, p->controls[own]->text));
    struct expression_node *second =
        make_binary(&m, make_number(&m, mutual), OP_MULTIPLY, make_closed(&m, p->law->root));
    second = make_binary(&m, second, OP_MULTIPLY, make_current(&m, p->controls[1 - own]->text));
    const struct expression_tree *tree = expression_tree_of(m.arena, make_binary(&m, first, OP_ADD, second));
    e->expression = tree ? expand_compile(x, p->at, tree, NULL) : NULL;
    return e->expression != NULL;
}

bool formulas_coupling(struct expansion *x, const struct pending *p)
{
    struct element *k = p->element;
    const struct tree_maker m = {x->deck->arena, k->where};
    if (p->control_count != 2 || k->control_element_count != 2)
        return refuse(x, p);
    struct element *const pair[2] = {&x->elements[p->numbers[0]], &x->elements[p->numbers[1]]};
    if (pair[0] == pair[1] || !is_plain(pair[0]) || !is_plain(pair[1]))
        return refuse(x, p);
    const double mutual = sqrt(pair[0]->value * pair[1]->value);
    if (!write_flux(x, p, 0, mutual) || !write_flux(x, p, 1, mutual))
        return false;
    for (int i = 0; i < 2; i++) {
        pair[i]->law = LAW_FLUX;
        pair[i]->has_value = false;
    }
    k->kind = catalogue_letter(x->deck->catalogue, 'b');
    k->nodes = pair[0]->nodes;
    k->node_count = 2;
    k->control_element_count = 0;
    k->law = LAW_CURRENT;
    const struct expression_tree *nothing = expression_tree_of(m.arena, make_number(&m, 0));
    k->expression = nothing ? expand_compile(x, p->at, nothing, NULL) : NULL;
    return k->expression != NULL;
}
