/* circuit_part.c - see circuit_part.h. */
#include "cli/report/circuit_part.h"

#include "analyses/explain/explain.h"
#include "base/html.h"
#include "base/text.h"
#include "cli/files.h"
#include "cli/report/page.h"
#include "cli/results/picture.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Beyond these nobody finds anything in a picture, or in formulas. */
enum { MOST_BRANCHES = 150, MOST_EQUATIONS = 60, MOST_SETS = 12, MOST_LISTED = 40 };

/* ---- graph ---- */

static void write_dot(const void *report, FILE *to)
{
    check_write_graph(report, to);
}

/* The picture without what stands before it in the file.  It shrinks with the page, but not to less than half: then it can be
 * moved about. */
static void copy_svg(const char *text, FILE *to)
{
    double width = 0;
    const char *begin = strstr(text, "<svg"), *size = begin ? strstr(begin, "width=\"") : NULL;
    const char *view = begin ? strstr(begin, "viewBox") : NULL;
    if (!begin) {
        fputs("<p>Graphviz gave no picture.</p>\n", to);
    } else if (size && view && size < view && sscanf(size, "width=\"%lfpt\"", &width) == 1) {
        fprintf(to, "<svg style=\"width:%.0fpt;min-width:%.0fpt\" ", width, width / 2);
        fputs(view, to);
    } else {
        fputs(begin, to);
    }
}

static void copy_picture(FILE *from, FILE *to)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    rewind(from);
    const bool copied = memory && files_copy(from, memory);
    if (memory && fclose(memory) == 0 && copied)
        copy_svg(text, to);
    free(text);
}

static void write_key(FILE *to)
{
    fputs("<p class=\"key small\"><b class=\"loop\">red</b>: loops of capacitors and voltage sources; "
          "<b class=\"cut\">blue</b>: cutsets of inductors and current sources; shaded nodes and dashed branches: "
          "unknowns of index 2 or more; thick and dark: what leaves no unique solution.</p>\n",
          to);
}

void circuit_write_graph(const struct index_report *r, FILE *to)
{
    char program[] = "dot", type[] = "-Tsvg", nodes[] = "-Nfontname=Helvetica", edges[] = "-Efontname=Helvetica",
         graph[] = "-Gfontname=Helvetica";
    char *const arguments[] = {program, type, nodes, edges, graph, NULL};
    if (r->topology->list.count > MOST_BRANCHES) {
        fprintf(
            to,
            "<p>The circuit has %zu branches: too many to be drawn here. <code>knoten check --graph FILE.svg</code> "
            "draws them.</p>\n",
            r->topology->list.count);
        return;
    }
    FILE *picture = tmpfile();
    const enum picture_outcome outcome = picture ? picture_make(arguments, write_dot, r, picture) : PICTURE_FAILED;
    if (outcome == PICTURE_DRAWN) {
        fputs("<div class=\"graph wide\">\n", to);
        copy_picture(picture, to);
        fputs("</div>\n", to);
        write_key(to);
    } else {
        fputs(
            outcome == PICTURE_NO_PROGRAM
                ? "<p>The picture of the circuit needs Graphviz (program <code>dot</code>), which is not installed; on "
                  "Debian: <code>apt install graphviz</code>.</p>\n"
                : "<p>Graphviz could not draw the circuit.</p>\n",
            to);
    }
    if (picture)
        fclose(picture);
}

/* ---- index ---- */

static void write_set(const struct report_set *set, FILE *to)
{
    for (size_t i = 0; i < set->count; i++) {
        fputs(i ? " \xE2\x80\x93 " : "", to);
        html_write(to, set->elements[i]->name);
    }
}

static void write_names(const char *before, const struct names *names, FILE *to)
{
    if (names->count == 0)
        return;
    fprintf(to, "<p>%s", before);
    for (size_t i = 0; i < names->count && i < MOST_LISTED; i++) {
        fputs(i ? ", <code>" : "<code>", to);
        html_write(to, names->names[i]);
        fputs("</code>", to);
    }
    if (names->count > MOST_LISTED)
        fprintf(to, " and %zu more", names->count - MOST_LISTED);
    fputs(".</p>\n", to);
}

static void write_paragraph(const char *before, const char *text, FILE *to)
{
    if (!text)
        return;
    fprintf(to, "<p>%s", before);
    html_write(to, text);
    fputs(*text && strchr(".!?:", text[strlen(text) - 1]) ? "</p>\n" : ".</p>\n", to);
}

static void write_formulas(const char *text, FILE *to)
{
    const char *end;
    for (; (end = strstr(text, "; ")); text = end + 2) {
        fputs("<div class=\"mono\">", to);
        for (; text < end; text++) {
            const char one[2] = {*text, 0};
            html_write(to, one);
        }
        fputs("</div>\n", to);
    }
    fputs("<div class=\"mono\">", to);
    html_write(to, text);
    fputs("</div>\n", to);
}

static void write_constraint(const struct index_report *r, const struct report_constraint *c, FILE *to)
{
    const struct report_sets *sets = c->cutset ? &r->li_cutsets : &r->cv_loops;
    fprintf(to, "<div class=\"cause\"><p><b class=\"%s\">%s</b> ", c->cutset ? "cut" : "loop",
            c->cutset ? "L-I cutset" : "C-V loop");
    write_set(&sets->sets[c->number], to);
    fputs("</p>\n<p>", to);
    html_write(to, c->constraint);
    fputs("</p>\n", to);
    write_formulas(c->hidden, to);
    write_paragraph("", c->consequence, to);
    write_paragraph("<span class=\"soft\">To index 1:</span> ", c->remedy, to);
    fputs("</div>\n", to);
}

static void write_defects(const char *name, const char *meaning, const struct report_sets *sets, FILE *to)
{
    for (size_t i = 0; i < sets->count && i < MOST_SETS; i++) {
        fprintf(to, "<div class=\"cause\"><p><b>%s</b> ", name);
        write_set(&sets->sets[i], to);
        fprintf(to, "</p><p>%s</p></div>\n", meaning);
    }
}

static const char *meaning_of(int index)
{
    switch (index) {
    case 0:
        return "The equations are ordinary differential equations: every unknown has a derivative of its own.";
    case 1:
        return "Some unknowns are given by equations without derivatives, which can be solved for them at any time: no "
               "derivative of the sources enters, and methods for stiff equations treat such circuits well.";
    case 2:
        return "Some unknowns depend on derivatives of the sources: an equation that nobody wrote down, the derivative "
               "of "
               "another one, has to hold, too. Noise reaches these unknowns divided by the step.";
    default:
        return "Some unknowns depend on second or higher derivatives of the sources. Noise reaches them divided by "
               "powers "
               "of the step, and no control of the step can remove it.";
    }
}

void circuit_write_index(const struct index_report *r, FILE *to)
{
    if (r->singular)
        fputs("<p><b>The equations have no unique solution</b>, whatever the sources do.</p>\n", to);
    else if (r->index < 0)
        fputs("<p><b>The index is not decided.</b></p>\n", to);
    else
        fprintf(to, "<p><b>The equations have index %d</b> and %d degree%s of freedom. %s</p>\n", r->index,
                r->degrees_of_freedom, r->degrees_of_freedom == 1 ? "" : "s", meaning_of(r->index));
    write_paragraph("Topology alone cannot decide because ", r->undecided, to);
    write_paragraph("Not decided: ", r->not_decided, to);
    write_paragraph("", r->disagreement, to);
    write_defects("V loop", "Around it the voltages of sources contradict or repeat each other.", &r->v_loops, to);
    write_defects("I cutset", "The currents of sources have no way back.", &r->i_cutsets, to);
    for (size_t i = 0; i < r->constraint_count && i < MOST_SETS; i++)
        write_constraint(r, &r->constraints[i], to);
    if (r->constraint_count > MOST_SETS)
        fprintf(to, "<p class=\"soft\">and %zu more.</p>\n", r->constraint_count - MOST_SETS);
    write_names("Of index 2 or more: ", &r->index2_unknowns, to);
    write_names("By their values, without a loop or cutset in the graph: ", &r->index2_by_values, to);
    write_names("Nodes without a path to ground, or without one for direct current: ", &r->floating_nodes, to);
    if (r->point)
        fprintf(to, "<p class=\"soft small\">Point of linearisation: %s.</p>\n", r->point);
}

/* ---- equations ---- */

/* The body of the page that explains, one level of headings lower and without its title. */
static void copy_body(const char *text, FILE *to)
{
    const char *body = strstr(text, "<body>"), *end = body ? strstr(body, "</body>") : NULL;
    if (!end)
        return;
    for (const char *at = body + strlen("<body>"); at < end;) {
        if (strncmp(at, "<h1>", 4) == 0) {
            const char *behind = strstr(at, "</h1>");
            at = behind ? behind + 5 : end;
        } else if (strncmp(at, "<h2>", 4) == 0 || strncmp(at, "</h2>", 5) == 0) {
            fputs(at[1] == 'h' ? "<h3>" : "</h3>", to);
            at += at[1] == 'h' ? 4 : 5;
        } else {
            fputc(*at++, to);
        }
    }
}

enum kn_status circuit_write_equations(const struct index_report *r, FILE *to)
{
    if (r->unknowns > MOST_EQUATIONS) {
        fprintf(to,
                "<p>The circuit has %d equations: too many to be read here. <code>knoten explain</code> writes them "
                "down.</p>\n",
                r->unknowns);
        return KN_OK;
    }
    char *text = NULL;
    size_t size = 0;
    struct kn_diagnostics *aside = kn_diagnostics_new();
    FILE *memory = aside ? open_memstream(&text, &size) : NULL;
    enum kn_status status = memory ? explain_circuit(r->circuit, EXPLAIN_HTML, memory, aside) : KN_ERROR_MEMORY;
    if (memory && fclose(memory) != 0)
        status = KN_ERROR_MEMORY;
    if (status != KN_ERROR_MEMORY)
        copy_body(text, to);
    free(text);
    kn_diagnostics_free(aside);
    return status == KN_ERROR_MEMORY ? status : KN_OK;
}

/* ---- eigenvalues ---- */

static double least_size(const struct index_analysis *a)
{
    double least = INFINITY;
    for (int k = 0; k < a->pole_count; k++) {
        const double re = fabs(creal(a->poles[k])), im = fabs(cimag(a->poles[k]));
        least = re > 0 ? fmin(least, re) : least;
        least = im > 1e-9 * re ? fmin(least, im) : least;
    }
    return isfinite(least) ? pow(10, floor(log10(least))) : 1;
}

static bool add_poles(const struct index_analysis *a, struct chart *c)
{
    struct chart_panel as = {.title = "imaginary part over real part, 1/s",
                             .x = chart_axis_of("real part", "1/s", false),
                             .y = chart_axis_of("", "", false)};
    const double least = least_size(a);
    const size_t count = (size_t)a->pole_count;
    double *decays, *grows, *im, most_re = least, most_im = least, least_re = -least;
    as.x.least = as.y.least = least;
    if (!arena_vectors(c->arena, count, (double **const[]){&decays, &grows, &im, NULL}))
        return false;
    for (size_t k = 0; k < count; k++) {
        const double re = creal(a->poles[k]);
        decays[k] = re > 0 ? NAN : re;
        grows[k] = re > 0 ? re : NAN;
        im[k] = cimag(a->poles[k]);
        least_re = fmin(least_re, re);
        most_re = fmax(most_re, re);
        most_im = fmax(most_im, fabs(im[k]));
    }
    as.x.from = 3 * least_re; /* half a decade of room */
    as.x.to = 3 * most_re;
    as.y.from = -most_im;
    as.y.to = most_im;
    struct chart_panel *p = chart_add_panel(c, &as);
    const struct chart_trace stable = {.name = "", .x = decays, .y = im, .count = count, .drawn = CHART_CROSSES};
    struct chart_trace unstable = stable;
    unstable.x = grows;
    unstable.colour = 1;
    unstable.unlisted = true;
    return p && chart_add_trace(c, p, &stable) && chart_add_trace(c, p, &unstable);
}

static void draw_poles(const struct index_analysis *a, FILE *to)
{
    struct chart c;
    struct arena *memory = arena_new();
    chart_init(&c, memory, "");
    page_figures(memory && add_poles(a, &c) ? &c : NULL, to);
    arena_free(memory);
}

static void write_pole(double complex pole, FILE *to)
{
    char number[40];
    const double re = creal(pole), im = cimag(pole);
    if (isnan(re)) {
        fputs("<tr><td class=\"n\" colspan=\"3\">not determined: hidden by rounding</td></tr>\n", to);
        return;
    }
    fprintf(to, "<tr><td class=\"n\">%.4g", re);
    if (im > 0)
        fprintf(to, " \xC2\xB1 j %.4g", im);
    page_number(number, sizeof number, re != 0 ? 1 / fabs(re) : INFINITY, "s");
    fprintf(to, "</td><td class=\"n\">%s%s</td>", re != 0 ? number : "\xE2\x80\x93", re > 0 ? " (grows)" : "");
    page_number(number, sizeof number, im / (2 * 3.14159265358979323846), "Hz");
    fprintf(to, "<td class=\"n\">%s</td></tr>\n", im > 0 ? number : "\xE2\x80\x93");
}

void circuit_write_eigenvalues(const struct index_report *r, FILE *to)
{
    const struct index_analysis *a = r->numbers;
    if (!a || !a->poles) {
        fputs("<p>They are not known: ", to);
        html_write(to, r->no_numbers ? r->no_numbers
                       : r->singular ? "the equations have no unique solution."
                                     : "the circuit is too large, or numbers do not decide.");
        fputs("</p>\n", to);
        return;
    }
    if (a->pole_count == 0) {
        fputs("<p>There are none: nothing in the circuit takes time.</p>\n", to);
        return;
    }
    fprintf(
        to,
        "<p>%d of the linearised circuit (%s). Axes are logarithmic on both sides of 0.</p>\n<div class=\"charts\">\n",
        a->pole_count, r->point);
    draw_poles(a, to);
    fputs("<div class=\"wide\"><table class=\"list\">\n<tr><th class=\"n\">eigenvalue, 1/s</th><th class=\"n\">time "
          "constant</th>"
          "<th class=\"n\">frequency</th></tr>\n",
          to);
    int shown = 0, left = 0;
    for (int k = 0; k < a->pole_count; k++) {
        if (cimag(a->poles[k]) < 0)
            continue; /* its conjugate stands for both */
        if (shown++ < MOST_LISTED / 2)
            write_pole(a->poles[k], to);
        else
            left++;
    }
    fputs("</table>\n", to);
    if (left > 0)
        fprintf(to, "<p class=\"soft small\">and %d more.</p>\n", left);
    fputs("</div>\n</div>\n", to);
}
