/* passive.c - reads the parameters of R, C and L (see passive.h). */
#include "devices/linear/passive.h"

#include "base/names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct model_values {
    double *values;
    bool *given;
};

struct passive_reader {
    const struct passive_kind *kind;
    const struct device_input *in;
    struct arena *arena;
    struct model_values *models; /* [model_count] of the circuit; values NULL where the type is another */
    double *values;              /* [instance.count] */
    bool *given;
};

double passive_temperature(const struct passive *p, double circuit_temperature)
{
    return isnan(p->own_temperature) ? circuit_temperature + p->difference : p->own_temperature;
}

double passive_factor(const struct passive *p, double temperature)
{
    const double rise = passive_temperature(p, temperature) - p->nominal_temperature;
    return 1.0 + rise * (p->tc1 + rise * p->tc2);
}

/* Every model is read once, so that its faults are reported once. */
static enum kn_status read_models(struct passive_reader *r)
{
    const struct circuit *c = r->in->circuit;
    r->models = arena_array(r->arena, c->model_count + 1, sizeof *r->models);
    if (!r->models)
        return KN_ERROR_MEMORY;
    enum kn_status status = KN_OK;
    for (size_t i = 0; i < c->model_count; i++) {
        const struct model *m = &c->models[i];
        if (!names_equal(m->type, r->kind->model_type))
            continue;
        r->models[i].values = arena_array(r->arena, r->kind->model.count + 1, sizeof(double));
        r->models[i].given = arena_array(r->arena, r->kind->model.count + 1, sizeof(bool));
        if (!r->models[i].values || !r->models[i].given)
            return KN_ERROR_MEMORY;
        char owner[128];
        snprintf(owner, sizeof owner, "model '%s'", m->name);
        if (!parameters_read(r->kind->model, m->settings, m->setting_count, NULL, owner, r->in->diagnostics,
                             r->models[i].values, r->models[i].given))
            status = KN_ERROR_DECK;
    }
    return status;
}

/* The value before scale; NaN when there is none. */
static double nominal_value(const struct passive_reader *r, const struct element *e, const struct passive_parameters *p)
{
    if (e->has_value)
        return e->value;
    if (p->instance_given[PASSIVE_VALUE])
        return p->instance[PASSIVE_VALUE];
    if (e->law != LAW_NONE)
        return 1.0;
    const double geometric = r->kind->geometry ? r->kind->geometry(p) : NAN;
    if (!isnan(geometric))
        return geometric;
    if (p->model && p->model_given[PASSIVE_MODEL_VALUE])
        return p->model[PASSIVE_MODEL_VALUE];
    return NAN;
}

/* A coefficient given on the element wins over the model's. */
static double coefficient(const struct passive_parameters *p, size_t instance_row, size_t model_row)
{
    if (p->instance_given[instance_row] || !p->model)
        return p->instance[instance_row];
    return p->model[model_row];
}

static void fill(struct passive *out, const struct passive_reader *r, const struct passive_parameters *p, double value)
{
    const size_t ic = r->kind->initial_row;
    const bool own = p->instance_given[PASSIVE_TEMP];
    const bool tnom = p->model && p->model_given[PASSIVE_MODEL_TNOM];
    *out = (struct passive){
        .nominal = value * p->instance[PASSIVE_SCALE],
        .tc1 = coefficient(p, PASSIVE_TC1, PASSIVE_MODEL_TC1),
        .tc2 = coefficient(p, PASSIVE_TC2, PASSIVE_MODEL_TC2),
        .nominal_temperature = tnom ? p->model[PASSIVE_MODEL_TNOM] : r->in->circuit->nominal_temperature,
        .own_temperature = own ? p->instance[PASSIVE_TEMP] : NAN,
        .difference = p->instance[PASSIVE_DTEMP],
        .multiplier = p->instance[PASSIVE_M],
        .has_initial = ic && p->instance_given[ic],
        .initial = ic ? p->instance[ic] : 0.0,
    };
}

/* A temperature that turns the sign or makes the value vanish is a mistake in tc1 or tc2. */
static bool check_temperature(const struct passive_reader *r, const struct element *e, const struct passive *p)
{
    const double factor = passive_factor(p, r->in->circuit->temperature);
    if (factor > 0.0)
        return true;
    diagnostics_add(r->in->diagnostics, KN_ERROR, "temperature-factor", e->where, "check tc1, tc2, temp and tnom",
                    "%s '%s': the temperature coefficients give the factor %g, which must be positive", r->kind->name,
                    e->name, factor);
    return false;
}

static bool read_element(struct passive_reader *r, const struct element *e, struct passive *out)
{
    char owner[128];
    snprintf(owner, sizeof owner, "%s '%s'", r->kind->name, e->name);
    if (!parameters_read(r->kind->instance, e->settings, e->setting_count, r->kind->ignored, owner, r->in->diagnostics,
                         r->values, r->given))
        return false;
    const struct model_values *m = e->model ? &r->models[e->model - r->in->circuit->models] : NULL;
    const bool has_model = m && m->values;
    const struct passive_parameters p = {.instance = r->values,
                                         .instance_given = r->given,
                                         .model = has_model ? m->values : NULL,
                                         .model_given = has_model ? m->given : NULL};
    const double value = nominal_value(r, e, &p);
    if (isnan(value)) {
        diagnostics_add(r->in->diagnostics, KN_ERROR, "missing-value", e->where,
                        "write the value after the nodes, or give it in the model", "%s has no value", owner);
        return false;
    }
    fill(out, r, &p, value);
    return check_temperature(r, e, out);
}

enum kn_status passive_read(const struct passive_kind *kind, const struct device_input *in, struct arena *arena,
                            struct passive **out)
{
    struct passive_reader r = {.kind = kind, .in = in, .arena = arena};
    r.values = arena_array(arena, kind->instance.count + 1, sizeof *r.values);
    r.given = arena_array(arena, kind->instance.count + 1, sizeof *r.given);
    *out = arena_array(arena, in->count + 1, sizeof **out);
    if (!r.values || !r.given || !*out)
        return KN_ERROR_MEMORY;
    enum kn_status status = read_models(&r);
    if (status == KN_ERROR_MEMORY)
        return status;
    for (size_t i = 0; i < in->count; i++)
        if (!read_element(&r, in->elements[i], &(*out)[i]))
            status = KN_ERROR_DECK;
    return status;
}
