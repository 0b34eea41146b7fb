/* check_json.c - the index report as one JSON object (RFC 8259). */
#include "analyses/check/check.h"
#include "base/json.h"
#include "base/text.h"

#include <math.h>

static void write_key(FILE *to, const char *key)
{
    fprintf(to, ",\n  \"%s\": ", key);
}

static void write_text_or_null(FILE *to, const char *key, const char *text)
{
    write_key(to, key);
    if (text)
        json_write_string(to, text, false);
    else
        fputs("null", to);
}

static void write_integer(FILE *to, const char *key, int value)
{
    write_key(to, key);
    if (value < 0)
        fputs("null", to);
    else
        fprintf(to, "%d", value);
}

static void write_boolean(FILE *to, const char *key, bool value)
{
    write_key(to, key);
    fputs(value ? "true" : "false", to);
}

static void write_names(FILE *to, const char *key, const struct names *names)
{
    write_key(to, key);
    fputc('[', to);
    for (size_t i = 0; i < names->count; i++) {
        fputs(i ? ", " : "", to);
        json_write_string(to, names->names[i], false);
    }
    fputc(']', to);
}

static void write_sets(FILE *to, const char *key, const struct report_sets *sets)
{
    write_key(to, key);
    fputc('[', to);
    for (size_t i = 0; i < sets->count; i++) {
        fputs(i ? ", [" : "[", to);
        for (size_t k = 0; k < sets->sets[i].count; k++) {
            fputs(k ? ", " : "", to);
            json_write_string(to, sets->sets[i].elements[k]->name, true);
        }
        fputc(']', to);
    }
    fputc(']', to);
}

/* The index of each of them: {"v(b)": 3, "i(v1)": 2} */
static void write_indices(FILE *to, const struct index_report *r)
{
    write_key(to, "index_of_unknowns");
    fputc('{', to);
    for (int i = 1, written = 0; i <= r->unknowns; i++)
        if (r->order[i] > 0) {
            fputs(written++ ? ", " : "", to);
            json_write_string(to, r->topology->unknowns[i].name, false);
            fprintf(to, ": %d", r->order[i] + 1);
        }
    fputc('}', to);
}

/* [real part, imaginary part]; null where it is not determined */
static void write_pole(FILE *to, double complex pole)
{
    if (isnan(creal(pole))) {
        fputs("null", to);
        return;
    }
    fputc('[', to);
    json_write_number(to, creal(pole) + 0.0); /* no -0 */
    fputs(", ", to);
    json_write_number(to, cimag(pole) + 0.0);
    fputc(']', to);
}

static void write_numbers(FILE *to, const struct index_analysis *a)
{
    write_key(to, "condition");
    json_write_number(to, a->condition);
    write_key(to, "null_dimensions");
    fputc('[', to);
    for (int k = 0; k < a->step_count; k++)
        fprintf(to, "%s%d", k ? ", " : "", a->null_dimension[k]);
    fputc(']', to);
    write_boolean(to, "nonlinear_in_index2_unknowns", a->nonlinear);
    if (!a->poles)
        return;
    write_key(to, "poles");
    fputc('[', to);
    for (int k = 0; k < a->pole_count; k++) {
        if (k)
            fputs(", ", to);
        write_pole(to, a->poles[k]);
    }
    fputc(']', to);
}

static void write_near(FILE *to, const struct index_report *r)
{
    write_key(to, "nearly_other_index");
    fputc('[', to);
    for (size_t i = 0; i < r->near_count; i++) {
        fputs(i ? ", {\"element\": " : "{\"element\": ", to);
        json_write_string(to, r->near[i].element->name, false);
        fputs(", \"text\": ", to);
        json_write_string(to, r->near[i].text, false);
        fputc('}', to);
    }
    fputc(']', to);
}

void check_write_json(const struct index_report *r, FILE *to)
{
    fputs("{\n  \"title\": ", to);
    json_write_string(to, r->circuit->title ? r->circuit->title : "", false);
    write_integer(to, "elements", r->element_count);
    write_integer(to, "nodes", r->node_count);
    write_integer(to, "unknowns", r->unknowns);
    write_integer(to, "index", r->singular ? -1 : r->index);
    write_integer(to, "topological_index", r->topological_index);
    write_integer(to, "numerical_index", r->numerical_index);
    write_boolean(to, "singular", r->singular);
    write_sets(to, "cv_loops", &r->cv_loops);
    write_sets(to, "li_cutsets", &r->li_cutsets);
    write_sets(to, "v_loops", &r->v_loops);
    write_sets(to, "i_cutsets", &r->i_cutsets);
    write_names(to, "index2_unknowns", &r->index2_unknowns);
    write_indices(to, r);
    write_integer(to, "degrees_of_freedom", r->singular ? -1 : r->degrees_of_freedom);
    write_names(to, "floating_nodes", &r->floating_nodes);
    write_names(to, "hidden_constraints", &r->hidden);
    write_text_or_null(to, "undecided", r->undecided);
    write_text_or_null(to, "not_decided", r->not_decided);
    write_text_or_null(to, "disagreement", r->disagreement);
    write_near(to, r);
    write_text_or_null(to, "point", r->numbers ? r->point : NULL);
    write_text_or_null(to, "constancy", r->constancy);
    if (r->numbers)
        write_numbers(to, r->numbers);
    fputs("\n}\n", to);
}
