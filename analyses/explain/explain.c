/* explain.c - composes the explanation of a circuit's equations, section by section. */
#include "analyses/explain/explain_parts.h"

#include <stdlib.h>

/* ---- helpers ---- */

static struct explain_line line_of(struct explanation *x, const struct equation_system *s, const struct equation *eq)
{
    struct explain_line line = {.left = notation_mark(x->writer->notation, MARK_ZERO)};
    line.terms = explain_terms(x, s, eq, &line.term_count);
    line.label = eq->kind == EQUATION_SUM ? NULL : explain_row_label(x, eq);
    return line;
}

static void write_system(struct explanation *x, const struct equation_system *s)
{
    struct explain_line *lines = explain_take(x, s->count, sizeof *lines);
    for (size_t i = 0; i < s->count && lines; i++)
        lines[i] = line_of(x, s, &s->equations[i]);
    explain_write_lines(x, lines, s->count);
}

/* ---- sections ---- */

static void introduce(struct explanation *x)
{
    const struct equations *e = x->e;
    const size_t currents = e->full.count - e->full.node_count;
    const char *title = x->circuit->title && *x->circuit->title ? x->circuit->title : "(no title)";
    explain_piece(x, EXPLAIN_HEAD, title);
    explain_piece(x, EXPLAIN_TITLE, title);
    explain_say(x, "%zu element%s, %zu node%s besides ground, %zu branch current%s: %d unknown%s.",
                x->circuit->element_count, text_plural((long)x->circuit->element_count), e->full.node_count,
                text_plural((long)e->full.node_count), currents, text_plural((long)currents), e->unknown_count,
                text_plural(e->unknown_count));
}

static void explain_full_system(struct explanation *x)
{
    explain_piece(x, EXPLAIN_HEADING, "Modified nodal analysis");
    explain_say(x, "In general form, v being the node voltages:");
    fputs(x->writer->general_form, x->to);
    explain_say(x,
                "Of this circuit: a balance of currents for each node (currents that leave it are positive), then an "
                "equation for each branch whose current is an unknown.");
    write_system(x, &x->e->full);
}

static void write_known_voltages(struct explanation *x)
{
    const struct equation_system *s = &x->e->reduced;
    struct explain_line *lines = explain_take(x, s->known_count, sizeof *lines);
    size_t count = 0;
    for (int u = 1; u <= x->e->unknown_count && lines; u++) {
        const char **terms = s->potentials[u].base != u ? explain_take(x, 1, sizeof *terms) : NULL;
        if (!terms)
            continue;
        terms[0] = explain_difference(x, s, (struct branch_control){u, 0});
        lines[count++] = (struct explain_line){.left = explain_unknown(x, u), .terms = terms, .term_count = 1};
    }
    explain_write_lines(x, lines, count);
}

static void write_source_currents(struct explanation *x)
{
    const struct equation_system *s = &x->e->reduced;
    struct explain_line *lines = explain_take(x, s->eliminated_count, sizeof *lines);
    for (size_t i = 0; i < s->eliminated_count && lines; i++) {
        lines[i] = line_of(x, s, &s->eliminated[i].sum);
        lines[i].left = explain_unknown(x, s->eliminated[i].source->current);
    }
    explain_write_lines(x, lines, s->eliminated_count);
}

static bool has_fixed_voltages(const struct explanation *x)
{
    const struct branch_list *list = &x->topology->list;
    for (size_t i = 0; i < list->count; i++)
        if (list->branches[i].kind == BRANCH_V && !list->branches[i].controlled)
            return true;
    return false;
}

static void explain_reduced_system(struct explanation *x)
{
    const struct equation_system *s = &x->e->reduced;
    if (s->eliminated_count == 0) {
        if (has_fixed_voltages(x))
            explain_say(x, "The voltage sources stay in the equations: their currents control other elements in a way "
                           "that would bring derivatives or formulas with them.");
        return;
    }
    explain_piece(x, EXPLAIN_HEADING, "With known voltages put in");
    explain_say(x, "Independent voltage sources (and shorts) impose these voltages:");
    write_known_voltages(x);
    if (s->count > 0) {
        explain_say(x, "Nodes that such a source joins share one balance. What remains to be solved:");
        write_system(x, s);
    } else {
        explain_say(x, "Nothing remains to be solved.");
    }
    explain_say(x, "The currents of the sources follow:");
    write_source_currents(x);
}

/* ---- differential and algebraic equations ---- */

static void explain_differential(struct explanation *x)
{
    const struct equations *e = x->e;
    const struct equation_system *s = &e->reduced;
    struct explain_line *lines = explain_take(x, s->count, sizeof *lines);
    size_t count = 0;
    for (size_t i = 0; i < s->count && lines; i++)
        if (e->is_differential[i])
            lines[count++] = line_of(x, s, &s->equations[i]);
    explain_say(x, count > 0 ? "Differential equations (%zu), as above:" : "Differential equations: none.", count);
    explain_write_lines(x, lines, count);
}

/* "(1)+(2)+(5)" */
static const char *sum_label(struct explanation *x, const struct algebraic_sum *sum)
{
    const struct equation_system *s = &x->e->reduced;
    for (size_t i = 0; i < s->node_count; i++) {
        const int weight = sum->weights[i];
        if (weight == 0)
            continue;
        if (x->w.used > 0)
            text_add(&x->w, "+");
        if (weight > 1)
            text_format(&x->w, "%d", weight);
        text_add(&x->w, explain_row_label(x, &s->equations[i]));
    }
    return text_take(&x->w);
}

static void explain_algebraic(struct explanation *x)
{
    const struct equations *e = x->e;
    const struct equation_system *s = &e->reduced;
    struct explain_line *lines = explain_take(x, e->sum_count + s->count, sizeof *lines);
    size_t count = 0;
    for (size_t i = 0; i < e->sum_count && lines; i++) {
        lines[count] = line_of(x, s, &e->sums[i].equation);
        lines[count++].label = sum_label(x, &e->sums[i]);
    }
    for (size_t i = s->node_count; i < s->count && lines; i++)
        if (!e->is_differential[i])
            lines[count++] = line_of(x, s, &s->equations[i]);
    explain_say(x, count > 0 ? "Algebraic equations (%zu):" : "Algebraic equations: none.", count);
    explain_write_lines(x, lines, count);
}

static const char *names_of(struct explanation *x, const struct branch_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        if (i > 0)
            text_add(&x->w, " - ");
        const char *part = set->branches[i]->short_name;
        text_add(&x->w, set->branches[i]->element->name);
        text_add(&x->w, part ? "." : "");
        text_add(&x->w, part ? part : "");
    }
    return text_take(&x->w);
}

/* As the nodes see it, before sources are put in. */
static void explain_constraint(struct explanation *x, const struct constraint *c)
{
    const char *names = names_of(x, c->set);
    struct explain_line lines[2] = {line_of(x, &x->e->full, &c->visible), line_of(x, &x->e->full, &c->hidden)};
    lines[0].label = "constraint";
    lines[1].label = "hidden";
    if (c->is_loop)
        explain_say(x,
                    "C-V loop %s: sources impose a voltage on charges, so its derivative is an equation, too, and the "
                    "current of the source depends on derivatives of the data:",
                    names);
    else
        explain_say(x,
                    "L-I cutset %s: a current is imposed on inductors, so its derivative is an equation, too, and the "
                    "voltages at the cutset depend on derivatives of the data:",
                    names);
    explain_write_lines(x, lines, 2);
}

static void explain_hidden(struct explanation *x)
{
    const struct equations *e = x->e;
    if (e->constraint_count == 0) {
        explain_say(x, "Hidden equations: the graph of the circuit gives none (no C-V loop, no L-I cutset).");
        return;
    }
    explain_say(x, "Hidden equations (%zu):", e->constraint_count);
    for (size_t i = 0; i < e->constraint_count; i++)
        explain_constraint(x, &e->constraints[i]);
}

static void explain_split(struct explanation *x)
{
    const struct equations *e = x->e;
    explain_piece(x, EXPLAIN_HEADING, "Differential, algebraic and hidden equations");
    explain_say(x,
                "Sums of balances in which all charges cancel are algebraic; they replace one balance each. They are "
                "the left null space of the capacitance matrix, read off the capacitors' graph: exact, whatever the "
                "values.");
    explain_differential(x);
    explain_algebraic(x);
    explain_hidden(x);
    if (e->topology->verdict == TOPOLOGY_UNDECIDED && e->topology->because)
        explain_say(x, "The graph alone does not decide the index here: %s.", e->topology->because);
}

static void write_all(struct explanation *x)
{
    introduce(x);
    explain_incidence(x);
    explain_full_system(x);
    explain_reduced_system(x);
    explain_capacitances(x);
    explain_split(x);
}

/* ---- the whole ---- */

static const struct explain_writer *writer_of(enum explain_format format)
{
    return format == EXPLAIN_LATEX  ? &explain_latex_writer
           : format == EXPLAIN_HTML ? &explain_html_writer
           : format == EXPLAIN_JSON ? &explain_json_writer
                                    : &explain_text_writer;
}

static enum kn_status compose(struct explanation *x, struct kn_diagnostics *d)
{
    struct equations *e = NULL;
    enum kn_status status = equations_new(x->mna, x->topology, &e);
    if (status != KN_OK)
        return status;
    x->e = e;
    write_all(x);
    status = topology_report_defects(x->topology, x->mna, d);
    if (status == KN_OK)
        status = explain_inherent(x);
    if (status == KN_OK)
        status = explain_numbers(x, d);
    explain_laws(x);
    explain_symbols(x);
    fputs(x->writer->end, x->to);
    equations_free(e);
    if (x->w.cut)
        return KN_ERROR_MEMORY;
    return ferror(x->to) ? KN_ERROR_IO : status;
}

enum kn_status explain_circuit(const struct circuit *c, enum explain_format format, FILE *to, struct kn_diagnostics *d)
{
    struct explanation x = {.to = to, .writer = writer_of(format), .circuit = c, .arena = arena_new()};
    struct topology *topology = NULL;
    const struct mna_options options = mna_options_of(c);
    enum kn_status status = x.arena ? mna_new(c, &options, d, &x.mna) : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = topology_new(x.mna, &topology);
    x.topology = topology;
    x.w = text_growing(x.arena);
    if (status == KN_OK)
        status = compose(&x, d);
    topology_free(topology);
    mna_free(x.mna);
    arena_free(x.arena);
    return status;
}
