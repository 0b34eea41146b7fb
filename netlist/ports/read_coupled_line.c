/* read_coupled_line.c - ngspice's P cards and HSPICE's W cards, coupled lines over a common conductor:
 *
 *     Pname a1 .. an aref b1 .. bn bref model
 *     .model model cpl R=.. L=.. G=.. C=.. length=..    upper triangles of matrices for each unit of length, row by row
 *     Wname a1 .. an aref b1 .. bn bref N=n L=length RLGCMODEL=model
 *     .model model W MODELTYPE=RLGC N=n Ro=.. Lo=.. Go=.. Co=..    lower triangles; Rs and Gd, which grow with the
 *                                                                  frequency, are left out with a warning
 *
 * Modes of the line (netlist/formulas/line_modes.h) are O lines between nodes of their own, and at either end sources tie
 * them to the conductors: V = T u as voltages, J = T^T I as currents.  Where losses couple the modes, the line is
 * sections of lines without losses with the resistances of conductors in between, half of them at either end of each
 * section, and conductances between conductors: then the error falls as the square of a section's loss, but for edges that
 * last less than a section: each loss throws half of itself back.
 */
#include "base/rounding.h"
#include "netlist/expression/expression_tree.h"
#include "netlist/formulas/line_modes.h"
#include "netlist/ports/line_card.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum {
    MOST = LINE_MODES_MOST,
    LEAST_SECTIONS = 8,
    MOST_SECTIONS = 128,
    /* elements of a section of n conductors: n times two resistances, two pairs of sources, a line and two conductances, and n (n - 1)
     * conductances between them */
    PARTS_OF_CONDUCTOR = 9
};

/* What a program calls them. */
struct line_form {
    const char *R, *L, *G, *C;
    bool lower; /* triangles */
};
static const struct line_form p_form = {"r", "l", "g", "c", false}, w_form = {"ro", "lo", "go", "co", true};

struct coupled_line {
    struct line_card line;
    const struct line_form *form;
    struct arena *arena;
    struct kn_location where;
    size_t n;
    double length;
    double R[MOST * MOST], L[MOST * MOST], G[MOST * MOST], C[MOST * MOST];
    struct line_modes modes;
    const struct model *const *lines; /* [n] of the modes, where they are known; NULL: of what is in modes */
};

/* ---- the model ---- */

static bool bad_matrix(const struct coupled_line *p, const struct item *at, const char *name, size_t count)
{
    return card_fail(p->line.c, "line-values", at->where,
                     p->form->lower ? "the lower triangle, row by row" : "the upper triangle, row by row",
                     "model '%s': %s of %zu conductors needs %zu numbers, but has %zu", p->line.model->name, name, p->n,
                     p->n * (p->n + 1) / 2, count);
}

/* Zeros where it is not given. */
static bool read_matrix(const struct coupled_line *p, const char *name, double *matrix)
{
    struct item *given = line_setting(&p->line, name);
    double numbers[MOST * (MOST + 1) / 2];
    size_t count = 0;
    const size_t needed = p->n * (p->n + 1) / 2;
    for (struct item *i = given ? given->value : NULL; i && count <= needed;
         i = i == given->value ? given->next : i->next) {
        if (i != given->value && i->value)
            break;
        double value;
        if (!expand_value(p->line.c->x, p->line.owner, i, &value))
            return false;
        if (count < needed)
            numbers[count] = value;
        count++;
    }
    if (given && count != needed)
        return bad_matrix(p, given, name, count);
    for (size_t i = 0, k = 0; given && i < p->n; i++)
        for (size_t j = p->form->lower ? 0 : i; p->form->lower ? j <= i : j < p->n; j++, k++)
            matrix[i * p->n + j] = matrix[j * p->n + i] = numbers[k];
    return true;
}

static bool read_matrices(struct coupled_line *p)
{
    return read_matrix(p, p->form->R, p->R) && read_matrix(p, p->form->L, p->L) && read_matrix(p, p->form->G, p->G) &&
           read_matrix(p, p->form->C, p->C);
}

/* Losses that grow with the frequency. */
static void warn_of_losses(const struct coupled_line *p)
{
    static const char *const names[] = {"rs", "gd"};
    for (size_t k = 0; k < 2; k++) {
        const struct item *given = line_setting(&p->line, names[k]);
        double value = 0;
        if (given && (!given->value->is_number || given->value->numeric != 0) &&
            expand_value(p->line.c->x, p->line.owner, given->value, &value) && value != 0)
            deck_warn(p->line.c->x->deck, "unsupported", given->where, NULL,
                      "model '%s': '%s', losses that grow with the frequency, is left out", p->line.model->name,
                      given->text);
    }
}

static bool read_model_of_w(struct coupled_line *p)
{
    static const char hint[] = "define it: .model name W MODELTYPE=RLGC N=1 Lo=.. Co=.. Ro=.. Go=..";
    struct card *c = p->line.c;
    const struct item *name = card_assignment(c, "rlgcmodel"), *length = card_assignment(c, "l");
    if (!name || !length)
        return card_fail(c, "unsupported", p->where, hint, "'%s': a line is known by L=length and RLGCMODEL=model only",
                         c->e->name);
    if (!line_find_named(&p->line, name->value, "w", hint) || !card_value(c, length->value, &p->length))
        return false;
    const struct item *kind = line_setting(&p->line, "modeltype");
    if (kind && !item_is(kind->value, "rlgc"))
        return card_fail(c, "unsupported", kind->where, hint, "model '%s': MODELTYPE=RLGC alone is known",
                         p->line.model->name);
    warn_of_losses(p);
    return read_matrices(p);
}

static bool read_model(struct coupled_line *p)
{
    struct card *c = p->line.c;
    if (!line_find_model(&p->line, "cpl", "define it: .model name cpl R=.. L=.. C=.. length=..") || !read_matrices(p))
        return false;
    line_check_settings(&p->line, "r l g c length len");
    const struct item *own = card_assignment(c, "len");
    own = own ? own : card_assignment(c, "length");
    p->length = 1;
    if (own)
        return card_value(c, own->value, &p->length);
    struct item *length = line_setting(&p->line, "length");
    length = length ? length : line_setting(&p->line, "len");
    return !length || expand_value(c->x, p->line.owner, length->value, &p->length);
}

/* ---- elements ---- */

static bool no_memory(const struct coupled_line *p)
{
    return deck_no_memory(p->line.c->x->deck);
}

static bool add_source(const struct coupled_line *p, struct element *e, enum element_law law,
                       const struct expression_node *root)
{
    struct card of = *p->line.c;
    of.e = e;
    return e && root && card_law_of_tree(&of, law, expression_tree_of(p->arena, root));
}

/* What the card calls a node or source that it makes. */
static struct circuit_name local_name(const struct coupled_line *p, const char *part)
{
    const char *card = p->line.c->statement->items->text;
    return (struct circuit_name){arena_format(p->arena, "%s#%s", card, part), p->where};
}

/* factor times a voltage or current, added to what there is. */
static struct expression_node *add_term(const struct coupled_line *p, struct expression_node *sum, double factor,
                                        const struct expression_node *of)
{
    const struct tree_maker m = {p->arena, p->where};
    struct expression_node *term = make_binary(&m, make_number(&m, factor), OP_MULTIPLY, of);
    return sum ? make_binary(&m, sum, OP_ADD, term) : term;
}

/* One end of a section: its conductors, the nodes of modes, and the names of the latter and of the currents. */
struct line_end {
    const char *name; /* "a3" */
    const int *conductors;
    int reference;
    int modes[MOST];
    const char *mode_names[MOST], *source_names[MOST];
};

static bool tie_voltages(struct coupled_line *p, struct line_end *end)
{
    const size_t n = p->n;
    for (size_t k = 0; k < n; k++) {
        struct expression_node *sum = NULL;
        for (size_t j = 0; j < n; j++)
            sum = add_term(p, sum, p->modes.transform[k * n + j],
                           node_voltage(p->arena, (struct circuit_name){end->mode_names[j], p->where}, NULL, p->where));
        const bool first = !p->line.begun;
        const char *part = arena_format(p->arena, "%sv%zu", end->name, k + 1);
        struct element *e = line_element(&p->line, 'e', part, (const int[2]){end->conductors[k], end->reference}, 2);
        end->source_names[k] = first ? p->line.c->statement->items->text : part ? local_name(p, part).text : NULL;
        if (!end->source_names[k] || !add_source(p, e, LAW_VOLTAGE, sum))
            return no_memory(p);
    }
    return true;
}

static bool tie_currents(struct coupled_line *p, const struct line_end *end)
{
    const size_t n = p->n;
    for (size_t j = 0; j < n; j++) {
        struct expression_node *sum = NULL;
        for (size_t k = 0; k < n; k++)
            sum = add_term(p, sum, p->modes.transform[k * n + j],
                           node_current(p->arena, (struct circuit_name){end->source_names[k], p->where}, p->where));
        const char *part = arena_format(p->arena, "%si%zu", end->name, j + 1);
        struct element *e = line_element(&p->line, 'g', part, (const int[2]){0, end->modes[j]}, 2);
        if (!add_source(p, e, LAW_CURRENT, sum))
            return no_memory(p);
    }
    return true;
}

static bool make_end(struct coupled_line *p, struct line_end *end)
{
    for (size_t j = 0; j < p->n; j++) {
        const char *part = arena_format(p->arena, "%sm%zu", end->name, j + 1);
        if (!part)
            return no_memory(p);
        end->mode_names[j] = local_name(p, part).text;
        end->modes[j] = expand_new_internal_node(p->line.c->x, p->line.c->e, part, p->where);
        if (!end->mode_names[j] || end->modes[j] < 0)
            return no_memory(p);
    }
    return tie_voltages(p, end) && tie_currents(p, end);
}

/* The line of mode j, with its losses or without. */
static bool add_mode(struct coupled_line *p, const char *name, size_t j, const int nodes[2], double length, bool losses)
{
    const struct line_modes *m = &p->modes;
    const struct setting settings[] = {
        line_model_value(&p->line, "l", m->l[j]), line_model_value(&p->line, "c", m->c[j]),
        line_model_value(&p->line, "len", length), line_model_value(&p->line, "r", losses ? fmax(m->r[j], 0) : 0),
        line_model_value(&p->line, "g", losses ? fmax(m->g[j], 0) : 0)};
    const char *part = arena_format(p->arena, "%s%zu", name, j + 1);
    struct element *e = line_element(&p->line, 'o', part, (const int[4]){nodes[0], 0, nodes[1], 0}, 4);
    if (!e)
        return false;
    if (p->lines) {
        e->kind = catalogue_find(p->line.c->x->deck->catalogue, 'o', p->lines[j]->type, NAN);
        e->model = p->lines[j];
        return true;
    }
    e->model = expand_model_of(p->line.c->x, e->name, "ltra", settings, sizeof settings / sizeof *settings, p->where);
    return e->model != NULL;
}

/* Lines of all modes between conductors at both ends. */
static bool add_section(struct coupled_line *p, size_t number, struct line_end *ends, double length, bool losses)
{
    const char *name = arena_format(p->arena, "s%zu.", number);
    if (!name || !make_end(p, &ends[0]) || !make_end(p, &ends[1]))
        return no_memory(p);
    for (size_t j = 0; j < p->n; j++)
        if (!add_mode(p, name, j, (const int[2]){ends[0].modes[j], ends[1].modes[j]}, length, losses))
            return false;
    return true;
}

/* ---- losses that couple the modes ---- */

static double at(const struct coupled_line *p, const double *matrix, size_t i, size_t j)
{
    return matrix[i * p->n + j];
}

/* The largest loss of a conductor, as a part of what its waves are. */
static double loss_of(const struct coupled_line *p)
{
    double loss = 0;
    for (size_t k = 0; k < p->n; k++)
        for (size_t j = 0; j < p->n; j++) {
            const double impedance = sqrt(p->modes.l[j] / p->modes.c[j]);
            loss = fmax(loss, p->length * (at(p, p->R, k, k) / impedance + at(p, p->G, k, k) * impedance));
        }
    return loss;
}

/* So many that a section's loss is a hundredth of its waves; where these are too many, a warning says what edges show. */
static size_t sections_of(const struct coupled_line *p)
{
    const double loss = loss_of(p), wanted = fmax(ceil(100 * loss), LEAST_SECTIONS);
    if (wanted <= MOST_SECTIONS)
        return (size_t)wanted;
    deck_warn(
        p->line.c->x->deck, "rough-line", p->where,
        "with R and G that do not couple the modes of L and C, as those of equal conductors, there is no such limit",
        "'%s': its losses, which couple its modes, are taken at %d places; behind edges that last less than 1/%d of "
        "its "
        "delay there are steps of up to %.2g %%",
        p->line.c->e->name, MOST_SECTIONS, MOST_SECTIONS, fmin(50 * loss / MOST_SECTIONS, 100));
    return MOST_SECTIONS;
}

/* Of conductor k to the reference: what its row leaves beside those to the others. */
static double conductance_to_reference(const struct coupled_line *p, size_t k)
{
    double sum = 0;
    for (size_t j = 0; j < p->n; j++)
        sum += at(p, p->G, k, j);
    return fabs(sum) > ROUNDING_SAME * at(p, p->G, k, k) ? sum : 0;
}

static bool check_losses(const struct coupled_line *p)
{
    bool plain = true;
    for (size_t k = 0; k < p->n; k++) {
        plain = plain && at(p, p->R, k, k) >= 0 && conductance_to_reference(p, k) >= 0;
        for (size_t j = 0; j < k; j++)
            plain = plain && at(p, p->R, k, j) == 0 && at(p, p->G, k, j) <= 0;
    }
    return plain ||
           card_fail(p->line.c, "unsupported", p->line.model->statement->items->where,
                     "numbers beside the diagonal of R must be 0, those of G must not be above it nor exceed it",
                     "model '%s': losses that couple the modes may be resistances of conductors and conductances "
                     "between them only",
                     p->line.model->name);
}

/* Half the resistance of a section between two nodes of each conductor, or the same node where there is none. */
static bool add_losses(struct coupled_line *p, const char *name, const int *from, int *to, double length)
{
    for (size_t k = 0; k < p->n; k++) {
        const double ohms = 0.5 * length * at(p, p->R, k, k);
        const char *node = arena_format(p->arena, "%sn%zu", name, k + 1);
        const char *part = arena_format(p->arena, "%sr%zu", name, k + 1);
        to[k] = ohms > 0 && node ? expand_new_internal_node(p->line.c->x, p->line.c->e, node, p->where) : from[k];
        if (!node || to[k] < 0 ||
            (ohms > 0 && !line_two_terminal(&p->line, 'r', part, (const int[2]){from[k], to[k]}, ohms)))
            return no_memory(p);
    }
    return true;
}

/* Half the conductances of a section, at its inner nodes of one end. */
static bool add_conductances(struct coupled_line *p, const char *name, const int *nodes, int reference, double length)
{
    for (size_t k = 0; k < p->n; k++)
        for (size_t j = 0; j <= k; j++) {
            const double siemens = 0.5 * length * (j == k ? conductance_to_reference(p, k) : -at(p, p->G, k, j));
            const char *part = arena_format(p->arena, "%sg%zu.%zu", name, k + 1, j + 1);
            const int ends[2] = {nodes[k], j == k ? reference : nodes[j]};
            if (siemens > 0 && !line_two_terminal(&p->line, 'r', part, ends, 1 / siemens))
                return no_memory(p);
        }
    return true;
}

static bool add_lossy_section(struct coupled_line *p, size_t number, const int *from, const int *to, int reference,
                              double length)
{
    int left[MOST], right[MOST];
    const char *a = arena_format(p->arena, "a%zu.", number), *b = arena_format(p->arena, "b%zu.", number);
    if (!a || !b || !add_losses(p, a, from, left, length) || !add_losses(p, b, to, right, length) ||
        !add_conductances(p, a, left, reference, length) || !add_conductances(p, b, right, reference, length))
        return no_memory(p);
    struct line_end ends[2] = {{.name = a, .conductors = left, .reference = reference},
                               {.name = b, .conductors = right, .reference = reference}};
    return add_section(p, number, ends, length, false);
}

static bool add_lossy_sections(struct coupled_line *p, const int *nodes)
{
    const size_t n = p->n;
    int from[MOST], to[MOST];
    if (!check_losses(p))
        return false;
    const size_t sections = sections_of(p);
    if (nodes[n] != nodes[2 * n + 1])
        return card_fail(p->line.c, "unsupported", p->where, "connect both ends to one",
                         "'%s': the reference of a line whose losses couple its modes must be one node",
                         p->line.c->e->name);
    memcpy(from, nodes, n * sizeof *from);
    for (size_t s = 1; s <= sections; s++) {
        for (size_t k = 0; k < n; k++) {
            const char *part = arena_format(p->arena, "s%zu.n%zu", s, k + 1);
            to[k] = s == sections ? nodes[n + 1 + k]
                    : part        ? expand_new_internal_node(p->line.c->x, p->line.c->e, part, p->where)
                                  : -1;
            if (to[k] < 0)
                return no_memory(p);
        }
        if (!add_lossy_section(p, s, from, to, nodes[n], p->length / (double)sections))
            return false;
        memcpy(from, to, n * sizeof *from);
    }
    return true;
}

/* What its conductances alone would not tie to the reference in each way in which the conductors may float together: a strictly
 * dominant diagonal would. */
static bool may_float(const struct coupled_line *p, size_t k)
{
    double others = 0;
    for (size_t j = 0; j < p->n; j++)
        others += j == k ? 0 : fabs(at(p, p->G, k, j));
    return !(at(p, p->G, k, k) - others > ROUNDING_SAME * at(p, p->G, k, k));
}

/* Conductors to which no direct current flows have the potential of the reference at rest, as in ngspice, not one that
 * rounding of the modes' transformation chooses. */
static bool add_leaks(struct coupled_line *p, const int *nodes)
{
    static const double LEAK = 1e12; /* ohm: 1 over the usual gmin, far above what lines are connected to */
    for (size_t k = 0; k < p->n; k++)
        if (may_float(p, k) && !line_two_terminal(&p->line, 'r', arena_format(p->arena, "leak%zu", k + 1),
                                                  (const int[2]){nodes[k], nodes[p->n]}, LEAK))
            return false;
    return true;
}

/* ---- the card ---- */

/* W of HSPICE; of other programs it is a switch. */
bool is_line_of_hspice(const struct statement *s)
{
    static const char *const names[] = {"rlgcmodel", "rlgcfile", "tablemodel", "umodel", "fsmodel", "smodel", "fgd"};
    for (const struct item *i = s->items->next; i && tolower((unsigned char)s->items->text[0]) == 'w'; i = i->next)
        for (size_t k = 0; i->value && k < sizeof names / sizeof *names; k++)
            if (item_is(i, names[k]))
                return true;
    return false;
}

size_t coupled_line_parts(const struct statement *s)
{
    size_t words = is_line_of_hspice(s); /* its model is no word of its own */
    for (const struct item *i = s->items->next; i; i = i->next)
        words += i->kind == ITEM_WORD && !i->value;
    const size_t n = words > 3 ? (words - 3) / 2 : 0;
    if (n > MOST) /* refused by whoever reads it */
        return 1;
    return n > 1 || is_line_of_hspice(s) ? n * (PARTS_OF_CONDUCTOR + n - 1) * MOST_SECTIONS
                                         : 1; /* otherwise a port of Xyce's: a source and a resistor */
}

/* One section of lines that losses do not couple. */
static bool add_separate(struct coupled_line *p, const int *nodes)
{
    struct line_end ends[2] = {{.name = "a", .conductors = nodes, .reference = nodes[p->n]},
                               {.name = "b", .conductors = nodes + p->n + 1, .reference = nodes[2 * p->n + 1]}};
    return add_section(p, 1, ends, p->length, true);
}

/* The elements, once the matrices are known, or the lines of the modes. */
static bool build(struct coupled_line *p, const int *nodes)
{
    struct card *c = p->line.c;
    c->kind = c->e->kind = catalogue_letter(c->x->deck->catalogue, 'e'); /* what its sources are read as */
    if (!p->lines && !line_modes_of(&p->modes, p->n, p->R, p->L, p->G, p->C))
        return card_fail(c, "line-values", p->line.model->statement->items->where,
                         "self-inductances exceed what couples them; couplings of C are negative",
                         "model '%s': L and C must be positive definite", p->line.model->name);
    return (p->lines || p->modes.separate ? add_separate(p, nodes) : add_lossy_sections(p, nodes)) &&
           add_leaks(p, nodes);
}

bool read_coupled_line(struct card *c)
{
    static const char *const taken_by_p[] = {"len", "length", NULL};
    static const char *const taken_by_w[] = {"n", "l", "rlgcmodel", "includersimag", "delayopt", "includegdimag", NULL};
    const bool w = is_line_of_hspice(c->statement);
    const size_t words = c->word_count + w;
    struct coupled_line p = {.line = {.c = c},
                             .form = w ? &w_form : &p_form,
                             .arena = c->x->deck->arena,
                             .where = c->statement->items->where,
                             .n = (words - 3) / 2};
    const int *nodes;
    if (words < 5 || words % 2 == 0 || p.n > MOST)
        return card_fail(c, "syntax", c->statement->end,
                         w ? "write Wname a1 a2 .. aref b1 b2 .. bref N=2 L=length RLGCMODEL=model"
                           : "write Pname a1 a2 .. aref b1 b2 .. bref model",
                         "'%s': expected the same number of nodes, %d at most, and a reference for both ends",
                         c->e->name, MOST);
    if (!card_node_list(c, 2 * p.n + 2, &nodes, USE_TERMINAL, "the name of a node") ||
        !(w ? read_model_of_w(&p) : read_model(&p)) || !card_settings(c, w ? taken_by_w : taken_by_p))
        return false;
    return build(&p, nodes);
}

/* By mode X = even or odd, L = Z delay, C = delay/Z, R = attenuation Z, G = attenuation/Z; of the conductors (even + odd)/2 on the
 * diagonal, (even - odd)/2 beside it. */
static void fill_pair(double *matrix, double even, double odd)
{
    matrix[0] = matrix[3] = (even + odd) / 2;
    matrix[1] = matrix[2] = (even - odd) / 2;
}

bool line_add_pair(struct line_card *l, const int nodes[6], const struct line_mode modes[2], double length)
{
    const struct line_mode *e = &modes[0], *o = &modes[1];
    struct coupled_line p = {
        .line = *l, .form = &p_form, .arena = line_arena(l), .where = line_place(l), .n = 2, .length = length};
    fill_pair(p.L, e->impedance * e->delay, o->impedance * o->delay);
    fill_pair(p.C, e->delay / e->impedance, o->delay / o->impedance);
    fill_pair(p.R, e->attenuation * e->impedance, o->attenuation * o->impedance);
    fill_pair(p.G, e->attenuation / e->impedance, o->attenuation / o->impedance);
    return build(&p, nodes);
}

bool line_add_modes(struct line_card *l, const int nodes[6], const struct model *const lines[2])
{
    struct coupled_line p = {
        .line = *l, .form = &p_form, .arena = line_arena(l), .where = line_place(l), .n = 2, .lines = lines};
    for (size_t k = 0; k < 4; k++)
        p.modes.transform[k] = k == 3 ? -M_SQRT1_2 : M_SQRT1_2;
    return build(&p, nodes);
}
