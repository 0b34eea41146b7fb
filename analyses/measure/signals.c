/* signals.c - see signals.h. */
#include "analyses/measure/signals.h"

#include "base/array.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

size_t signal_variable(struct signal_set *set, const struct expression_variable *v)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->variables[i].kind == v->kind && set->variables[i].index == v->index)
            return i;
    if (!array_reserve(&set->variables, set->count + 1, &set->capacity, sizeof *set->variables))
        return SIZE_MAX;
    set->variables[set->count] = *v;
    return set->count++;
}

static bool find_sources(struct signal *s, struct signal_set *set)
{
    const struct expression_variable *variables = expression_variables(s->expression);
    for (size_t i = 0; i < expression_variable_count(s->expression); i++) {
        const bool is_result = variables[i].kind == EXPRESSION_RESULT;
        s->sources[i] = is_result ? (size_t)variables[i].index : signal_variable(set, &variables[i]);
        if (s->sources[i] == SIZE_MAX)
            return false;
    }
    return true;
}

static bool find_imaginary(struct signal *s)
{
    bool *workspace = calloc(expression_workspace(s->expression) + 1, sizeof *workspace);
    s->is_phasor = workspace && expression_is_phasor(s->expression, workspace);
    s->is_phase = expression_is_phase(s->expression);
    free(workspace);
    return workspace != NULL;
}

bool signal_init(struct signal *s, struct signal_set *set, const struct expression *e)
{
    *s = (struct signal){.set = set, .expression = e};
    if (!e)
        return true;
    const size_t count = expression_variable_count(e) + 1, work = expression_workspace(e) + 1;
    s->sources = calloc(count, sizeof *s->sources);
    if (set->width == SIGNAL_PHASOR) {
        s->variables = calloc(count, sizeof *s->variables);
        s->workspace = calloc(work, sizeof *s->workspace);
        if (!s->variables || !s->workspace || !find_imaginary(s))
            return false;
    } else {
        s->real_variables = calloc(count, sizeof *s->real_variables);
        s->real_workspace = calloc(work, sizeof *s->real_workspace);
        if (!s->real_variables || !s->real_workspace)
            return false;
    }
    return s->sources && find_sources(s, set);
}

void signal_free(struct signal *s)
{
    free(s->sources);
    free(s->variables);
    free(s->workspace);
    free(s->real_variables);
    free(s->real_workspace);
}

static double real_value(const struct signal *s, double scale, const double *values)
{
    const struct expression_variable *variables = expression_variables(s->expression);
    for (size_t i = 0; i < expression_variable_count(s->expression); i++)
        s->real_variables[i] =
            variables[i].kind == EXPRESSION_RESULT ? s->set->results[s->sources[i]] : values[s->sources[i]];
    const struct expression_point point = {s->real_variables, scale, s->set->circuit->temperature, NULL, false};
    return expression_evaluate(s->expression, &point, s->real_workspace, NULL, NULL);
}

struct phasor signal_phasor(const struct signal *s, double scale, const double *values)
{
    const struct expression_variable *variables = expression_variables(s->expression);
    for (size_t i = 0; i < expression_variable_count(s->expression); i++) {
        const double *four = values + SIGNAL_PHASOR * s->sources[i];
        s->variables[i] = variables[i].kind == EXPRESSION_RESULT
                              ? (struct phasor){s->set->results[s->sources[i]], 0}
                              : (struct phasor){CMPLX(four[0], four[1]), CMPLX(four[2], four[3])};
    }
    const struct phasor_point point = {s->variables, scale, s->set->circuit->temperature};
    return expression_phasor(s->expression, &point, s->workspace);
}

double signal_at(const struct signal *s, double scale, const double *values)
{
    if (!s->expression)
        return 0;
    if (s->set->width == SIGNAL_REAL)
        return real_value(s, scale, values);
    const double complex value = signal_phasor(s, scale, values).value;
    return s->is_phasor ? cabs(value) : creal(value);
}

double signal_slope(const struct signal *s, double scale, const double *values)
{
    const struct phasor p = signal_phasor(s, scale, values);
    const double slope = s->is_phasor ? creal(conj(p.value) * p.slope) / cabs(p.value) : creal(p.slope);
    return 2 * acos(-1) * slope;
}
