/* check_graph.c - the circuit as a graph in Graphviz's language: nodes are nodes, branches are edges; C-V loops red,
 * L-I cutsets blue, what makes the circuit singular dark and thick; node voltages and currents of index 2 are shaded.
 */
#include "analyses/check/check.h"

#include <stdlib.h>
#include <string.h>

static void write_quoted(FILE *to, const char *text, size_t length)
{
    fputc('"', to);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"' || text[i] == '\\')
            fputc('\\', to);
        fputc(text[i], to);
    }
    fputc('"', to);
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

static void write_branch(const struct index_report *r, const struct branch *b, FILE *to)
{
    const char *name = b->element->name;
    const bool shaded = b->current > 0 && depends(r, r->topology->unknowns[b->current].name);
    fputs("  ", to);
    write_node_name(to, r->topology, b->plus);
    fputs(" -- ", to);
    write_node_name(to, r->topology, b->minus);
    fputs(" [label=", to);
    write_quoted(to, name, strlen(name));
    fprintf(to, ", %s%s];\n", style_of(r->topology, b), shaded ? ", style=dashed" : "");
}

void check_write_graph(const struct index_report *r, FILE *to)
{
    const char *title = r->circuit->title ? r->circuit->title : "";
    fputs("graph circuit {\n  label=", to);
    write_quoted(to, title, strlen(title));
    fputs(";\n  labelloc=t;\n  node [shape=circle, fontsize=10, margin=0.05];\n  edge [fontsize=10];\n", to);
    write_nodes(r, to);
    for (size_t i = 0; i < r->topology->list.count; i++)
        write_branch(r, &r->topology->list.branches[i], to);
    fputs("}\n", to);
}
