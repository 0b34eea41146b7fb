/* observable.c - see observable.h. */
#include "analyses/observable.h"

#include <math.h>
#include <stdlib.h>

static struct variable variable_of(const struct mna *m, const struct expression_variable *v)
{
    struct variable out = {-1, -1, -1};
    if (v->kind == EXPRESSION_RESULT)
        out.result = v->index;
    else if (v->kind == EXPRESSION_NODE_VOLTAGE)
        out.unknown = mna_node_unknown(m, v->index);
    else if ((out.unknown = mna_current_unknown(m, v->index)) < 0)
        out.element = v->index;
    return out;
}

bool observable_init(struct observable *o, const struct mna *m, const struct expression *e, const double *results)
{
    *o = (struct observable){.temperature = mna_circuit(m)->temperature, .results = results};
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
        o->sources[i] = variable_of(m, &expression_variables(e)[i]);
        o->needs_slopes |= o->sources[i].element >= 0;
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
        o->values[i] = v->unknown >= 0   ? x[v->unknown]
                       : v->element >= 0 ? mna_probed_current(m, v->element, 0)
                       : v->result >= 0  ? o->results[v->result]
                                         : 0;
    }
    const struct expression_point point = {o->values, isinf(t) ? 0 : t, o->temperature, NULL};
    return expression_evaluate(o->expression, &point, o->workspace, NULL, NULL);
}
