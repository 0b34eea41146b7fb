/* observable.c - see observable.h. */
#include "analyses/observable.h"

#include <math.h>
#include <stdlib.h>

bool observable_init(struct observable *o, const struct mna *m, const struct expression *e)
{
    *o = (struct observable){.temperature = mna_circuit(m)->temperature};
    if (!e)
        return true;
    const size_t count = expression_variable_count(e);
    o->expression = e;
    o->sources = calloc(count + 1, sizeof *o->sources);
    o->values = calloc(count + 1, sizeof *o->values);
    o->workspace = calloc(expression_workspace(e) + 1, sizeof *o->workspace);
    if (!o->sources || !o->values || !o->workspace)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct expression_variable *v = &expression_variables(e)[i];
        const bool voltage = v->kind == EXPRESSION_NODE_VOLTAGE;
        const int unknown = voltage ? mna_node_unknown(m, v->index) : mna_current_unknown(m, v->index);
        o->sources[i] = (struct variable){unknown, voltage ? -1 : v->index};
        o->needs_slopes |= !voltage && unknown < 0;
    }
    return true;
}

void observable_free(struct observable *o)
{
    free(o->sources);
    free(o->values);
    free(o->workspace);
}

void observable_watch(const struct observable *o, bool *watched)
{
    for (size_t i = 0; o->expression && i < expression_variable_count(o->expression); i++)
        if (o->sources[i].unknown >= 0)
            watched[o->sources[i].unknown] = true;
}

double observable_value(const struct observable *o, struct mna *m, double t, const double *x, const double *dxdt)
{
    if (o->needs_slopes)
        mna_probe(m, t, x, dxdt);
    const size_t count = expression_variable_count(o->expression);
    for (size_t i = 0; i < count; i++) {
        const struct variable *v = &o->sources[i];
        o->values[i] = v->unknown >= 0 ? x[v->unknown] : v->element >= 0 ? mna_probed_current(m, v->element, 0) : 0;
    }
    const struct expression_point point = {o->values, isinf(t) ? 0 : t, o->temperature, NULL};
    return expression_evaluate(o->expression, &point, o->workspace, NULL, NULL);
}
