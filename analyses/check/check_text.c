/* check_text.c - the index report in words. */
#include "analyses/check/check.h"
#include "base/text.h"
#include "mna/listing.h"

#include <math.h>
#include <string.h>

enum { MOST_SETS = 10, MOST_NAMES = 12, MOST_POLES = 40 };

/* "  C-V loop        text" */
static void line(FILE *to, const char *label, const char *text)
{
    fprintf(to, "  %-16s%s\n", label, text);
}

static void sub_line(FILE *to, const char *label, const char *text)
{
    fprintf(to, "    %-14s%s\n", label, text);
}

static void add_set(struct text *p, const struct circuit *c, const struct report_set *set, const char *separator)
{
    struct text_list list = text_list(p, separator, 0);
    for (size_t i = 0; i < set->count; i++)
        listing_item(&list, c->file, set->elements[i]);
    text_list_end(&list);
}

static void add_names(struct text *p, const struct names *names, size_t most)
{
    struct text_list list = text_list(p, ", ", most);
    for (size_t i = 0; i < names->count; i++)
        text_list_add(&list, names->names[i]);
    text_list_end_counted(&list);
}

/* ---- the verdict ---- */

static void add_causes(struct text *p, const struct index_report *r)
{
    const int loops = (int)r->cv_loops.count, cutsets = (int)r->li_cutsets.count;
    if (loops > 0)
        text_format(p, "%d C-V loop%s", loops, text_plural(loops));
    if (cutsets > 0)
        text_format(p, "%s%d L-I cutset%s", loops ? ", " : "", cutsets, text_plural(cutsets));
    if (loops + cutsets == 0)
        text_add(p, "no C-V loop, no L-I cutset");
}

static void add_numbers(struct text *p, const struct index_report *r)
{
    const struct index_analysis *a = r->numbers;
    if (!a)
        text_format(p, "no numbers: %s", r->no_numbers);
    else if (a->outcome == INDEX_OPEN)
        text_format(p, a->rounding ? "numbers cannot, either: rounding hides it" : "numbers cannot, either");
    else if (r->disagreement)
        text_add(p, "NOT confirmed numerically");
    else if (isnan(a->condition))
        text_format(p, r->topological_index < 0 ? "decided by exact arithmetic" : "confirmed by exact arithmetic");
    else if (r->topological_index < 0)
        text_format(p, "decided numerically (condition %.*g)", a->condition < 9.95 ? 2 : 3, a->condition);
    else
        text_format(p, "confirmed numerically (condition %.*f)", a->condition < 1000 ? 1 : 0, a->condition);
}

/* Why numbers have not decided about a large circuit, and what helps. */
static void write_open(const struct index_report *r, FILE *to)
{
    const size_t sets = r->cv_loops.count + r->li_cutsets.count;
    fprintf(to, "\n  numbers: ");
    if (sets > 0)
        fprintf(to,
                "sparse matrices follow derivatives through up to %d loops and cutsets that hang together, fewer in\n  "
                "circuits of more than %d unknowns; here are %zu. ",
                INDEX_MOST_SETS, 8000, sets);
    fprintf(to,
            "Up to %d more null vectors may come from values, and these must not\n  differ by too many decades. What "
            "hangs on the rest by ground only is decided part by part, and up to\n  1500 unknowns anything is: check a "
            "part of the circuit on its own.\n",
            INDEX_MOST_BY_VALUES);
}

static void write_verdict(const struct index_report *r, FILE *to)
{
    struct text p = TEXT(SENTENCE);
    if (r->singular) {
        text_add(&p, "singular        no unique solution exists, whatever the sources do");
    } else if (r->index < 0) {
        text_format(&p, "DAE index %s     topology cannot decide      ",
                    r->not_decided                                    ? "not decided"
                    : r->numbers && r->numbers->outcome == INDEX_OPEN ? "2 or more, or singular"
                                                                      : "unknown");
        add_numbers(&p, r);
    } else {
        text_format(&p, "DAE index %d     topology: ", r->index);
        add_causes(&p, r);
        text_add(&p, "      ");
        add_numbers(&p, r);
    }
    fprintf(to, "  %s\n", p.at);
    if (r->undecided)
        fprintf(to, "\n  topology alone cannot decide because %s\n", r->undecided);
    if (r->not_decided)
        fprintf(to, "\n  not decided: %s\n", r->not_decided);
    else if (r->index < 0 && r->numbers && r->numbers->outcome == INDEX_OPEN)
        write_open(r, to);
    if (r->disagreement)
        fprintf(to, "\n  %s\n", r->disagreement);
}

static void write_defects(const struct index_report *r, FILE *to, const char *label, const struct report_sets *sets,
                          const char *why)
{
    for (size_t i = 0; i < sets->count && i < MOST_SETS; i++) {
        struct text p = TEXT(SENTENCE);
        add_set(&p, r->circuit, &sets->sets[i], " - ");
        fputc('\n', to);
        line(to, label, p.at);
        sub_line(to, "meaning", why);
    }
    if (sets->count > MOST_SETS)
        fprintf(to, "  and %zu more\n", sets->count - MOST_SETS);
}

/* ---- hidden constraints ---- */

/* An equation and those it needs, one in a line. */
static void write_hidden(const char *text, FILE *to)
{
    const char *end;
    for (; (end = strstr(text, "; ")); text = end + 2)
        fprintf(to, "    %-14s%.*s\n", "", (int)(end - text), text);
    sub_line(to, "", text);
}

static void write_label(int order, const struct text *names, FILE *to)
{
    char label[24];
    snprintf(label, sizeof label, "index-%d", order + 1);
    if (names->used > 0)
        sub_line(to, label, names->at);
}

/* "index-2       i(v1)", a line for each order of derivatives */
static void write_labels(const struct index_report *r, const struct report_constraint *c, FILE *to)
{
    for (int order = 1; order < r->index || order == 1; order++) {
        struct text names = TEXT(SENTENCE);
        struct text_list list = text_list(&names, ", ", 0);
        for (size_t i = 0; i < c->unknown_count; i++)
            if (r->order[c->unknowns[i]] == order)
                text_list_add(&list, r->topology->unknowns[c->unknowns[i]].name);
        text_list_end(&list);
        write_label(order, &names, to);
    }
}

static void write_constraint(const struct index_report *r, const struct report_constraint *c, FILE *to)
{
    struct text p = TEXT(SENTENCE);
    const struct report_sets *sets = c->cutset ? &r->li_cutsets : &r->cv_loops;
    add_set(&p, r->circuit, &sets->sets[c->number], " - ");
    fputc('\n', to);
    line(to, c->cutset ? "L-I cutset" : "C-V loop", p.at);
    sub_line(to, "constraint", c->constraint);
    write_hidden(c->hidden, to);
    write_labels(r, c, to);
    sub_line(to, "consequence", c->consequence);
    sub_line(to, "to index 1", c->remedy);
}

static void write_constancy(const struct index_report *r, FILE *to)
{
    if (!r->constancy)
        return;
    fputc('\n', to);
    line(to, "along the run", r->constancy);
    sub_line(to, "meaning", "where N1 or S1 is constant, BDF and Radau treat the equations like the ordinary");
    sub_line(to, "", "differential equation inside them");
}

/* Unknowns that the numbers found beyond those of loops and cutsets. */
static void write_others(const struct index_report *r, FILE *to)
{
    struct text p = TEXT(SENTENCE);
    if (r->index2_by_values.count == 0)
        return;
    add_names(&p, &r->index2_by_values, MOST_NAMES);
    fputc('\n', to);
    line(to, "by its values", p.at);
    sub_line(to, "consequence", "these depend on derivatives of the data, too, through controlled sources or");
    sub_line(to, "", "parameters that cancel, not through a loop or cutset of the graph");
}

static void write_high_index(const struct index_report *r, FILE *to)
{
    fprintf(to, "\n  Index %d: derivatives of the data up to order %d enter the solution.  Noise reaches\n", r->index,
            r->index - 1);
    for (int order = r->index - 1; order >= 1; order--) {
        struct text names = TEXT(SENTENCE);
        struct text_list list = text_list(&names, ", ", 0);
        for (int i = 1; i <= r->unknowns; i++)
            if (r->order[i] == order)
                text_list_add(&list, r->topology->unknowns[i].name);
        text_list_end(&list);
        if (names.used > 0)
            fprintf(to, order > 1 ? "    %s amplified by 1/h^%d (index %d),\n" : "    %s amplified by 1/h,\n", names.at,
                    order, order + 1);
    }
    fprintf(to, "  and step size control cannot remove it.\n");
}

static void write_constraints(const struct index_report *r, FILE *to)
{
    for (size_t i = 0; i < r->constraint_count && i < MOST_SETS; i++)
        write_constraint(r, &r->constraints[i], to);
    if (r->constraint_count > MOST_SETS)
        fprintf(to, "\n  and %zu more loops and cutsets (--json lists all)\n", r->constraint_count - MOST_SETS);
    write_others(r, to);
    if (r->index >= 3)
        write_high_index(r, to);
    if (r->numbers && r->numbers->nonlinear)
        fprintf(to,
                "\n  The equations are nonlinear in unknowns of index 2: errors of these feed back on all others.\n");
}

/* ---- floating nodes ---- */

static void write_floating(const struct index_report *r, FILE *to)
{
    if (r->floating_nodes.count == 0)
        return;
    struct text p = TEXT(SENTENCE);
    add_names(&p, &r->floating_nodes, MOST_NAMES);
    fputc('\n', to);
    if (r->topology->islands.count > 0) {
        line(to, "floating", p.at);
        sub_line(to, "meaning", "no path to ground: their common voltage is not determined");
        return;
    }
    line(to, "no DC path", p.at);
    sub_line(to, "meaning", "only capacitances lead there: the operating point is not unique; a run assumes no net");
    sub_line(to, "", "charge, or what .ic says");
}

/* ---- spectrum ---- */

struct spectrum {
    double slowest, fastest; /* 1/s, of decaying modes */
    int unstable, undamped, zero;
    bool complete; /* all poles are determined */
};

static struct spectrum sum_up(const struct index_analysis *a)
{
    struct spectrum s = {.slowest = INFINITY, .complete = true};
    double largest = 0;
    for (int k = 0; k < a->pole_count; k++)
        largest = fmax(largest, cabs(a->poles[k])); /* passes over NAN */
    for (int k = 0; k < a->pole_count; k++) {
        const double size = cabs(a->poles[k]), re = creal(a->poles[k]);
        if (isnan(size))
            s.complete = false;
        else if (size <= 1e-20 * largest)
            s.zero++;
        else if (fabs(re) <= 1e-9 * size)
            s.undamped++;
        else if (re > 0)
            s.unstable++;
        else {
            s.slowest = fmin(s.slowest, -re);
            s.fastest = fmax(s.fastest, -re);
        }
    }
    return s;
}

static void write_pole(FILE *to, double complex pole)
{
    const double re = creal(pole), im = cimag(pole), size = cabs(pole);
    if (im < 0)
        return; /* said with its conjugate */
    if (isnan(size))
        fprintf(to, "    %-34s rounding hides it beside the others\n", "not determined");
    else if (size == 0)
        fprintf(to, "    %-34s a quantity that is kept for ever\n", "0");
    else if (im > 1e-12 * size) {
        char text[64];
        snprintf(text, sizeof text, "%.6g +- %.6gj 1/s", re, im);
        fprintf(to, "    %-34s %.4g Hz, damping %.3g\n", text, size / (2 * 3.14159265358979323846),
                (0 - re) / size); /* no -0 */
    } else {
        char text[64];
        snprintf(text, sizeof text, "%.6g 1/s", re);
        fprintf(to, "    %-34s %s %.4g s\n", text, re < 0 ? "time constant" : "grows by e in", 1 / fabs(re));
    }
}

static void write_spectrum(const struct index_report *r, FILE *to)
{
    const struct index_analysis *a = r->numbers;
    if (a && !a->poles && a->outcome == INDEX_KNOWN && a->degrees_of_freedom > 0)
        fprintf(to, "\n  poles %s\n",
                isnan(a->condition) ? "are not determined: rounding hides them, since values differ by many decades"
                                    : "are computed for up to 400 degrees of freedom");
    if (!a || !a->poles || a->pole_count == 0)
        return;
    fprintf(to, "\n  poles %s\n", r->point);
    for (int k = 0; k < a->pole_count && k < MOST_POLES; k++)
        write_pole(to, a->poles[k]);
    if (a->pole_count > MOST_POLES)
        fprintf(to, "    and %d more\n", a->pole_count - MOST_POLES);
    const struct spectrum s = sum_up(a);
    if (s.complete && s.fastest > s.slowest)
        fprintf(to, "    stiffness ratio %.3g\n", s.fastest / s.slowest);
    if (s.undamped > 0)
        fprintf(to, "    %d undamped mode%s\n", s.undamped, text_plural(s.undamped));
    if (s.unstable > 0)
        fprintf(to, "    %d unstable mode%s: grow%s until something nonlinear stops %s\n", s.unstable,
                text_plural(s.unstable), s.unstable == 1 ? "s" : "", s.unstable == 1 ? "it" : "them");
}

static void write_near(const struct index_report *r, FILE *to)
{
    if (r->near_count == 0)
        return;
    fprintf(to, "\n  nearly of another index:\n");
    for (size_t i = 0; i < r->near_count; i++)
        fprintf(to, "    %s\n", r->near[i].text);
}

void check_write_text(const struct index_report *r, FILE *to)
{
    const char *title = r->circuit->title && *r->circuit->title ? r->circuit->title : "untitled";
    fprintf(to, "%s", title);
    if (r->circuit->file)
        fprintf(to, " (%s)", r->circuit->file);
    fprintf(to, "\n  %d element%s, %d node%s, %d unknown%s", r->element_count, text_plural(r->element_count),
            r->node_count, text_plural(r->node_count), r->unknowns, text_plural(r->unknowns));
    if (!r->singular && r->degrees_of_freedom >= 0)
        fprintf(to, "; %d degree%s of freedom", r->degrees_of_freedom, text_plural(r->degrees_of_freedom));
    fprintf(to, "\n\n");
    write_verdict(r, to);
    write_defects(r, to, "V loop", &r->v_loops, "the current around it is not determined");
    write_defects(r, to, "I cutset", &r->i_cutsets, "the voltage across it is not determined");
    write_constraints(r, to);
    write_constancy(r, to);
    write_near(r, to);
    write_floating(r, to);
    write_spectrum(r, to);
}
