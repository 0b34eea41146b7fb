/* passive.c - reads the parameters of R, C and L (see passive.h). */
#include "devices/linear/passive.h"

#include "devices/model_cards.h"

#include <math.h>

struct passive_reader {
    const struct passive_rules *rules;
    const struct device_input *in;
    struct model_cards cards;
    double *values; /* of an element */
    bool *given;
};

double passive_temperature(const struct passive *p, double circuit_temperature)
{
    return isnan(p->own_temperature) ? circuit_temperature + p->difference : p->own_temperature;
}

double passive_factor(const struct passive *p, double temperature)
{
    const double rise = passive_temperature(p, temperature) - p->nominal_temperature;
    return p->grows ? pow(1.01, p->tce * rise) : 1.0 + rise * (p->tc1 + rise * (p->tc2 + rise * p->tc3));
}

static bool is_of_pspice_or_xyce(const struct device_input *in)
{
    return in->circuit->dialect == DIALECT_PSPICE || in->circuit->dialect == DIALECT_XYCE;
}

/* What the element says by itself; NaN where it is its model's to say. */
static double own_value(const struct passive_reader *r, const struct element *e, const struct passive_parameters *p)
{
    if (e->has_value)
        return e->value;
    if (p->instance_given[PASSIVE_VALUE])
        return p->instance[PASSIVE_VALUE];
    if (e->law != LAW_NONE)
        return 1.0;
    return r->rules->geometry ? r->rules->geometry(p) : NAN;
}

/* The value before scale; NaN when there is none.  In PSpice and Xyce the model's value is a factor of what the element
 * says (PSpice reference, R, C and L: "resistance multiplier"), in SPICE3 it stands for what the element does not say. */
static double nominal_value(const struct passive_reader *r, const struct element *e, const struct passive_parameters *p)
{
    const double own = own_value(r, e, p);
    const bool given = p->model && p->model_given[PASSIVE_MODEL_VALUE];
    if (isnan(own))
        return given ? p->model[PASSIVE_MODEL_VALUE] : NAN;
    if (given && is_of_pspice_or_xyce(r->in))
        return own * p->model[PASSIVE_MODEL_VALUE];
    if (given && p->model[PASSIVE_MODEL_VALUE] != 1 && r->in->circuit->dialect == DIALECT_SPICE)
        diagnostics_add(
            r->in->diagnostics, KN_NOTE, "model-value", e->where, "--dialect pspice or xyce makes it a factor",
            "%s '%s' has a value, so that %s = %g of model '%s' does not count, as in SPICE3", e->kind->noun, e->name,
            e->kind->model.rows[PASSIVE_MODEL_VALUE].name, p->model[PASSIVE_MODEL_VALUE], e->model->name);
    return own;
}

/* A coefficient given on the element wins over the model's. */
static double coefficient(const struct passive_parameters *p, size_t instance_row, size_t model_row)
{
    if (p->instance_given[instance_row] || !p->model)
        return p->instance[instance_row];
    return p->model[model_row];
}

/* Wherever it is given, tce takes the place of the others (ngspice manual, 3.3.1; Xyce reference guide, resistor). */
static void read_growth(struct passive *out, const struct passive_rules *rules, const struct passive_parameters *p)
{
    const size_t own = rules->growth_row, of_model = rules->growth_model_row;
    if (!own)
        return;
    out->grows = p->instance_given[own] || (p->model && p->model_given[of_model]);
    out->tce = coefficient(p, own, of_model);
}

static void fill(struct passive *out, const struct passive_reader *r, const struct passive_parameters *p, double value)
{
    const size_t ic = r->rules->initial_row;
    const bool own = p->instance_given[PASSIVE_TEMP];
    const bool tnom = p->model && p->model_given[PASSIVE_MODEL_TNOM];
    *out = (struct passive){
        .nominal = value * p->instance[PASSIVE_SCALE] * (r->rules->factor ? r->rules->factor(p) : 1),
        .tc1 = coefficient(p, PASSIVE_TC1, PASSIVE_MODEL_TC1),
        .tc2 = coefficient(p, PASSIVE_TC2, PASSIVE_MODEL_TC2),
        .tc3 = coefficient(p, PASSIVE_TC3, PASSIVE_MODEL_TC3),
        .nominal_temperature = tnom ? p->model[PASSIVE_MODEL_TNOM] : r->in->circuit->nominal_temperature,
        .own_temperature = own ? p->instance[PASSIVE_TEMP] : NAN,
        .difference = p->instance[PASSIVE_DTEMP],
        .multiplier = p->instance[PASSIVE_M],
        .has_initial = ic && p->instance_given[ic],
        .initial = ic ? p->instance[ic] : 0.0,
        .at_rest = is_of_pspice_or_xyce(r->in),
    };
    read_growth(out, r->rules, p);
}

/* T_ABS and T_REL_GLOBAL of PSpice's models, unless the element has a temperature of its own. */
static void take_temperature_of(const struct model *m, struct passive *p)
{
    if (!m || !isnan(p->own_temperature))
        return;
    const double at_0 = model_temperature(m, 0), at_1 = model_temperature(m, 1);
    if (at_0 == at_1)
        p->own_temperature = at_0;
    else
        p->difference += at_0;
}

/* A temperature that turns the sign or makes the value vanish is a mistake in tc1, tc2 or tc3. */
static bool check_temperature(const struct passive_reader *r, const struct element *e, const struct passive *p)
{
    const double factor = passive_factor(p, r->in->circuit->temperature);
    if (factor > 0.0)
        return true;
    diagnostics_add(r->in->diagnostics, KN_ERROR, "temperature-factor", e->where, "check tc1, tc2, temp and tnom",
                    "%s '%s': the temperature coefficients give the factor %g, which must be positive", e->kind->noun,
                    e->name, factor);
    return false;
}

static bool read_element(struct passive_reader *r, size_t number, struct passive *out)
{
    const struct element *e = r->in->elements[number];
    if (!element_parameters_read(e, r->in->diagnostics, r->values, r->given))
        return false;
    const size_t card = e->model ? model_cards_find(&r->cards, e->model) : 0;
    const struct passive_parameters p = {.instance = r->values,
                                         .instance_given = r->given,
                                         .model = e->model ? model_card_values(&r->cards, card) : NULL,
                                         .model_given = e->model ? model_card_given(&r->cards, card) : NULL};
    const double value = nominal_value(r, e, &p);
    if (isnan(value)) {
        diagnostics_add(r->in->diagnostics, KN_ERROR, "missing-value", e->where,
                        "write the value after the nodes, or give it in the model", "%s '%s' has no value",
                        e->kind->noun, e->name);
        return false;
    }
    fill(out, r, &p, value);
    if (r->rules->keep)
        r->rules->keep(r->rules->batch, number, &p);
    take_temperature_of(e->model, out);
    return check_temperature(r, e, out);
}

enum kn_status passive_read(const struct passive_rules *rules, const struct device_input *in, struct arena *arena,
                            struct passive **out)
{
    const size_t rows = in->elements[0]->kind->instance.count;
    struct passive_reader r = {.rules = rules, .in = in};
    r.values = arena_array(arena, rows, sizeof *r.values);
    r.given = arena_array(arena, rows, sizeof *r.given);
    *out = arena_array(arena, in->count + 1, sizeof **out);
    if (!r.values || !r.given || !*out)
        return KN_ERROR_MEMORY;
    enum kn_status status = model_cards_read(in, arena, &r.cards);
    if (status == KN_ERROR_MEMORY)
        return status;
    for (size_t i = 0; i < in->count; i++) {
        (*out)[i].multiplier = 1; /* also where it cannot be read, so that nobody complains of that */
        if (!read_element(&r, i, &(*out)[i]))
            status = KN_ERROR_DECK;
    }
    return status;
}

bool passive_add_initial(const struct passive *p, const struct element *e, enum initial_kind kind, int plus, int minus,
                         struct initial_list *list)
{
    const struct initial_value v = {kind, plus, minus, p->initial, e, true, false, p->at_rest, false};
    return !p->has_initial || initial_add(list, &v);
}
