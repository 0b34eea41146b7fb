/* check_graph.c - the circuit as a graph in Graphviz's language: nodes are nodes, branches are edges; C-V loops red,
 * L-I cutsets blue, what makes the circuit singular dark and thick; node voltages and currents of index 2 are shaded.
 *
 * Control is drawn as dotted arrows from the nodes whose voltages control, or from the branch whose current does, to the
 * branch that is controlled; coupled inductors have one with two heads.  Edges cannot be the ends of edges: such branches
 * have a point in their middle.
 */
#include "analyses/check/check.h"
#include "devices/couplings.h"
#include "devices/setup.h"

#include <stdlib.h>
#include <string.h>

static void write_escaped(FILE *to, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"' || text[i] == '\\')
            fputc('\\', to);
        fputc(text[i], to);
    }
}

static void write_quoted(FILE *to, const char *text, size_t length)
{
    fputc('"', to);
    write_escaped(to, text, length);
    fputc('"', to);
}

/* At a branch: the blanks keep the name off its line. */
static void write_label(FILE *to, const struct element *e)
{
    fputs("label=\" ", to);
    write_escaped(to, e->name, strlen(e->name));
    fputs(" \"", to);
}

static void write_node_name(FILE *to, const struct topology *t, int unknown)
{
    const char *name = t->unknowns[unknown].name;
    const size_t length = unknown > 0 ? strlen(name) : 0;
    if (length > 3)
        write_quoted(to, name + 2, length - 3);
    else
        fputs("\"0\"", to);
}

static bool contains(const struct branch_sets *sets, const struct branch *b)
{
    for (size_t i = 0; i < sets->count; i++)
        for (size_t k = 0; k < sets->sets[i].count; k++)
            if (sets->sets[i].branches[k] == b)
                return true;
    return false;
}

static const char *style_of(const struct topology *t, const struct branch *b)
{
    if (contains(&t->v_loops, b) || contains(&t->i_cutsets, b))
        return "color=\"#7f0000\", fontcolor=\"#7f0000\", penwidth=4";
    if (contains(&t->cv_loops, b))
        return "color=\"#d62728\", fontcolor=\"#d62728\", penwidth=2.5";
    if (contains(&t->li_cutsets, b))
        return "color=\"#1f77b4\", fontcolor=\"#1f77b4\", penwidth=2.5";
    return "color=\"#404040\"";
}

static bool depends(const struct index_report *r, const char *name)
{
    for (size_t i = 0; i < r->index2_unknowns.count; i++)
        if (strcmp(r->index2_unknowns.names[i], name) == 0)
            return true;
    return false;
}

static void write_nodes(const struct index_report *r, FILE *to)
{
    const struct topology *t = r->topology;
    fputs("  \"0\" [shape=point, width=0.15, xlabel=\"0\"];\n", to);
    for (int i = 1; i <= t->unknown_count; i++) {
        if (t->unknowns[i].kind != UNKNOWN_VOLTAGE)
            continue;
        fputs("  ", to);
        write_node_name(to, t, i);
        fputs(depends(r, t->unknowns[i].name) ? " [style=filled, fillcolor=\"#ffd27f\"];\n" : ";\n", to);
    }
}

/* ---- control ---- */

/* Whether an unknown is one of the element's own: what a device does with its own voltages is no control from elsewhere.
 * The branches of an element stand beside each other. */
static bool is_own(const struct topology *t, const struct branch *b, int unknown)
{
    const struct branch *first = b, *end = t->list.branches + t->list.count;
    while (first > t->list.branches && first[-1].element == b->element)
        first--;
    for (; first < end && first->element == b->element; first++)
        if (first->plus == unknown || first->minus == unknown || first->current == unknown)
            return true;
    return false;
}

/* A switch is a conductance to the equations: what turns it is known to its element alone. */
static bool is_switch(const struct branch *b)
{
    const struct element *e = b->element;
    return b->kind == BRANCH_R && !b->controlled && e->control_node_count + e->control_element_count > 0;
}

static size_t control_count(const struct branch *b)
{
    return is_switch(b) ? b->element->control_node_count + b->element->control_element_count : b->control_count;
}

/* The k-th control of a branch, an unknown; 0: none from elsewhere. */
static int control_of(const struct index_report *r, const struct branch *b, size_t k)
{
    const struct element *e = b->element;
    int unknown = b->controlled ? b->controls[k] : 0;
    if (is_switch(b))
        unknown = 1 + (k < e->control_node_count
                           ? mna_node_unknown(r->mna, e->control_nodes[k])
                           : mna_current_unknown(r->mna, e->control_elements[k - e->control_node_count]));
    return unknown > 0 && !is_own(r->topology, b, unknown) ? unknown : 0;
}

/* Branches that control or are controlled, [branches], and whose current each unknown is, [unknowns + 1], NULL: a
 * voltage. */
struct controls {
    bool *has_middle;
    const struct branch **owner;
};

static void mark_coupled(const struct topology *t, struct controls *c)
{
    for (size_t i = 0; i < t->list.count; i++) {
        const struct branch *b = &t->list.branches[i];
        if (b->kind == BRANCH_L && is_coupled(&t->list, b->element))
            c->has_middle[i] = true;
    }
}

static bool find_controls(const struct index_report *r, struct controls *c)
{
    const struct topology *t = r->topology;
    c->has_middle = arena_array(r->arena, t->list.count + 1, sizeof *c->has_middle);
    c->owner = arena_array(r->arena, (size_t)t->unknown_count + 1, sizeof *c->owner);
    if (!c->has_middle || !c->owner)
        return false;
    for (size_t i = 0; i < t->list.count; i++)
        if (t->list.branches[i].current > 0)
            c->owner[t->list.branches[i].current] = &t->list.branches[i];
    for (size_t i = 0; i < t->list.count; i++)
        for (size_t k = 0; k < control_count(&t->list.branches[i]); k++) {
            const int control = control_of(r, &t->list.branches[i], k);
            c->has_middle[i] |= control > 0;
            if (control > 0 && c->owner[control])
                c->has_middle[c->owner[control] - t->list.branches] = true;
        }
    mark_coupled(t, c);
    return true;
}

static void write_middle(FILE *to, const struct topology *t, const struct branch *b)
{
    fprintf(to, "\"branch %td\"", b - t->list.branches);
}

static const struct branch *coil_of(const struct topology *t, const struct element *e)
{
    for (size_t i = 0; i < t->list.count; i++)
        if (t->list.branches[i].element == e && t->list.branches[i].kind == BRANCH_L)
            return &t->list.branches[i];
    return NULL;
}

static const char arrow[] = "style=dotted, color=\"#2ca02c\", fontcolor=\"#2ca02c\", constraint=false";

static void write_arrow(const struct topology *t, const struct controls *c, int control, const struct branch *b,
                        FILE *to)
{
    fputs("  ", to);
    if (c->owner[control])
        write_middle(to, t, c->owner[control]);
    else
        write_node_name(to, t, control);
    fputs(" -- ", to);
    write_middle(to, t, b);
    fprintf(to, " [dir=forward, %s];\n", arrow);
}

static void write_controls(const struct index_report *r, const struct controls *c, FILE *to)
{
    const struct topology *t = r->topology;
    for (size_t i = 0; i < t->list.count; i++)
        for (size_t k = 0; k < control_count(&t->list.branches[i]); k++)
            if (control_of(r, &t->list.branches[i], k) > 0)
                write_arrow(t, c, control_of(r, &t->list.branches[i], k), &t->list.branches[i], to);
}

static void write_couplings(const struct topology *t, FILE *to)
{
    for (size_t i = 0; i < t->list.coupling_count; i++) {
        const struct coupling *c = &t->list.couplings[i];
        const struct branch *first = coil_of(t, c->first), *second = coil_of(t, c->second);
        if (!first || !second)
            continue;
        fputs("  ", to);
        write_middle(to, t, first);
        fputs(" -- ", to);
        write_middle(to, t, second);
        fputs(" [", to);
        write_label(to, c->element);
        fprintf(to, ", dir=both, %s];\n", arrow);
    }
}

/* ---- branches ---- */

static void write_ends(const struct topology *t, const struct branch *b, int half, FILE *to)
{
    fputs("  ", to);
    if (half == 2)
        write_middle(to, t, b);
    else
        write_node_name(to, t, b->plus);
    fputs(" -- ", to);
    if (half == 1)
        write_middle(to, t, b);
    else
        write_node_name(to, t, b->minus);
}

static void write_branch(const struct index_report *r, const struct branch *b, bool divided, FILE *to)
{
    const bool shaded = b->current > 0 && depends(r, r->topology->unknowns[b->current].name);
    if (divided) {
        fputs("  ", to);
        write_middle(to, r->topology, b);
        fputs(" [shape=point, width=0.06, label=\"\"];\n", to);
    }
    for (int half = divided ? 1 : 0; half <= (divided ? 2 : 0); half++) {
        write_ends(r->topology, b, half, to);
        fputs(" [", to);
        if (half < 2) {
            write_label(to, b->element);
            fputs(", ", to);
        }
        fprintf(to, "%s%s];\n", style_of(r->topology, b), shaded ? ", style=dashed" : "");
    }
}

bool check_write_graph(const struct index_report *r, FILE *to)
{
    const struct topology *t = r->topology;
    struct controls controls;
    if (!find_controls(r, &controls))
        return false;
    const char *title = r->circuit->title ? r->circuit->title : "";
    fputs("graph circuit {\n  label=", to);
    write_quoted(to, title, strlen(title));
    fputs(";\n  labelloc=t;\n  node [shape=circle, fontsize=10, margin=0.05];\n  edge [fontsize=10];\n", to);
    write_nodes(r, to);
    for (size_t i = 0; i < t->list.count; i++)
        write_branch(r, &t->list.branches[i], controls.has_middle[i], to);
    write_controls(r, &controls, to);
    write_couplings(t, to);
    fputs("}\n", to);
    return true;
}
