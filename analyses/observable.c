/* observable.c - see observable.h. */
#include "analyses/observable.h"

#include <math.h>
#include <stdlib.h>

bool observable_init(struct observable *o, const struct mna *m, const struct expression *e)
{
    const size_t count = expression_variable_count(e);
    *o = (struct observable){.expression = e, .temperature = mna_circuit(m)->temperature};
    o->values = calloc(count + 1, sizeof *o->values);
    o->workspace = calloc(expression_workspace(e) + 1, sizeof *o->workspace);
    const bool good = probes_init(&o->probes, m, expression_variables(e), count) && o->values && o->workspace;
    return good;
}

void observable_free(struct observable *o)
{
    probes_free(&o->probes);
    free(o->values);
    free(o->workspace);
}

void observable_watch(const struct observable *o, const struct mna *m, bool *watched)
{
    probes_watch(&o->probes, m, watched);
}

double observable_value(const struct observable *o, struct mna *m, double t, const double *x, const double *dxdt)
{
    probes_read(&o->probes, m, t, x, dxdt, o->values);
    const struct expression_point point = {o->values, isinf(t) ? 0 : t, o->temperature, NULL, false};
    return expression_evaluate(o->expression, &point, o->workspace, NULL, NULL);
}
