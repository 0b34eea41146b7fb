/* check_json.c - the index report as one JSON object (RFC 8259). */
#include "analyses/check/check.h"
#include "base/json.h"

#include <math.h>

/* What is not known is negative. */
static void write_integer(struct json *j, const char *key, int value)
{
    json_number(j, key, value < 0 ? NAN : value);
}

static void write_names(struct json *j, const char *key, const struct names *names)
{
    json_open(j, key, '[');
    for (size_t i = 0; i < names->count; i++)
        json_text(j, NULL, names->names[i]);
    json_close(j);
}

static void write_sets(struct json *j, const char *key, const struct report_sets *sets)
{
    json_open(j, key, '[');
    for (size_t i = 0; i < sets->count; i++) {
        json_open(j, NULL, '[');
        for (size_t k = 0; k < sets->sets[i].count; k++) {
            json_key(j, NULL);
            json_write_string(j->to, sets->sets[i].elements[k]->name, true);
        }
        json_close(j);
    }
    json_close(j);
}

/* The index of each of them: {"v(b)": 3, "i(v1)": 2} */
static void write_indices(struct json *j, const struct index_report *r)
{
    json_open(j, "index_of_unknowns", '{');
    for (int i = 1; i <= r->unknowns; i++)
        if (r->order[i] > 0)
            json_number(j, r->topology->unknowns[i].name, r->order[i] + 1);
    json_close(j);
}

/* [real part, imaginary part]; null where it is not determined */
static void write_pole(struct json *j, double complex pole)
{
    if (isnan(creal(pole))) {
        json_text(j, NULL, NULL);
        return;
    }
    json_open(j, NULL, '[');
    json_number(j, NULL, creal(pole) + 0.0); /* no -0 */
    json_number(j, NULL, cimag(pole) + 0.0);
    json_close(j);
}

static void write_numbers(struct json *j, const struct index_analysis *a)
{
    json_number(j, "condition", a->condition);
    json_open(j, "null_dimensions", '[');
    for (int k = 0; k < a->step_count; k++)
        json_number(j, NULL, a->null_dimension[k]);
    json_close(j);
    json_bool(j, "nonlinear_in_index2_unknowns", a->nonlinear);
    if (!a->poles)
        return;
    json_open(j, "poles", '[');
    for (int k = 0; k < a->pole_count; k++)
        write_pole(j, a->poles[k]);
    json_close(j);
}

static void write_near(struct json *j, const struct index_report *r)
{
    json_open(j, "nearly_other_index", '[');
    for (size_t i = 0; i < r->near_count; i++) {
        json_open(j, NULL, '{');
        json_text(j, "element", r->near[i].element->name);
        json_text(j, "text", r->near[i].text);
        json_close(j);
    }
    json_close(j);
}

void check_write_json(const struct index_report *r, FILE *to)
{
    struct json whole = json_begin(to), *j = &whole;
    whole.lines = 1;
    json_open(j, NULL, '{');
    json_text(j, "title", r->circuit->title ? r->circuit->title : "");
    write_integer(j, "elements", r->element_count);
    write_integer(j, "nodes", r->node_count);
    write_integer(j, "unknowns", r->unknowns);
    write_integer(j, "index", r->singular ? -1 : r->index);
    write_integer(j, "topological_index", r->topological_index);
    write_integer(j, "numerical_index", r->numerical_index);
    json_bool(j, "singular", r->singular);
    write_sets(j, "cv_loops", &r->cv_loops);
    write_sets(j, "li_cutsets", &r->li_cutsets);
    write_sets(j, "v_loops", &r->v_loops);
    write_sets(j, "i_cutsets", &r->i_cutsets);
    write_names(j, "index2_unknowns", &r->index2_unknowns);
    write_indices(j, r);
    write_integer(j, "degrees_of_freedom", r->singular ? -1 : r->degrees_of_freedom);
    write_names(j, "floating_nodes", &r->floating_nodes);
    write_names(j, "hidden_constraints", &r->hidden);
    json_text(j, "undecided", r->undecided);
    json_text(j, "not_decided", r->not_decided);
    json_text(j, "disagreement", r->disagreement);
    write_near(j, r);
    json_text(j, "point", r->numbers ? r->point : NULL);
    json_text(j, "constancy", r->constancy);
    if (r->numbers)
        write_numbers(j, r->numbers);
    json_close(j);
}
