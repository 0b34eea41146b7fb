/* expand_transfers.c - .tf, .noise and .sens: what acts on an output. */
#include "netlist/expand/expand.h"
#include "netlist/formulas/formulas.h"

#include <math.h>

static void extra(const struct output_card *c, const struct item *rest)
{
    if (rest)
        deck_warn(c->x->deck, "extra", rest->where, NULL, "'%s': '%s' is ignored", c->statement->items->text,
                  item_text(rest));
}

/* Both are there and known; *source is then the word of the source. */
static bool read_both(const struct output_card *c, struct request *output, int *source, struct item **word)
{
    struct item *function = c->statement->items->next;
    if (c->statement->broken)
        return false;
    if (!function)
        return deck_fail(c->x->deck, "syntax", c->statement->end, c->form, "'%s' needs an output and a source",
                         c->statement->items->text);
    if (!expand_output(c, function, output) || !expand_source(c, function->next->next, source))
        return false;
    *word = function->next->next;
    return true;
}

/* An output that is an unknown: of a current that is none that of 0 V in series, whose adjoint knows what the element adds itself,
 * its noise and its own values. */
static void make_unknown(struct expansion *x, struct request *output)
{
    if (output->kind == REQUEST_CURRENT)
        output->element = formulas_current(x, &x->elements[output->element]);
}

/* ---- .tf v(out[,ref]) | i(element)  source ---- */

void read_transfer(struct expansion *x, struct instance *at, struct statement *s)
{
    const struct output_card card = {x, at, s, "write .tf v(out) v1, or .tf i(r2) v1"};
    struct transfer t = {.where = s->items->where};
    struct item *source = NULL;
    if (!read_both(&card, &t.output, &t.source, &source))
        return;
    extra(&card, source->next);
    expand_add(x, &x->transfers, &t);
}

/* ---- .noise v(out[,ref]) | i(element)  source  dec|oct|lin points start stop | list f ..  [points per summary] ---- */

static const char NOISE_FORM[] = "write .noise v(out) v1 dec points start stop, such as .noise v(out) v1 dec 10 1 1meg";

static bool read_summary(const struct frequency_card *c, struct item *word, struct noise_request *n)
{
    double points;
    if (!word)
        return true;
    if (!expand_value(c->x, c->at, word, &points))
        return false;
    if (!(points >= 0) || points != floor(points) || points > 1e9)
        return deck_fail(c->x->deck, "value-range", word->where,
                         "behind the frequencies: contributions of all devices at every so many points",
                         "'.noise': the points per summary must be a whole number from 0, but are %g", points);
    n->summary = (size_t)points;
    return true;
}

/* Densities are integrated from each frequency to the next, and flicker noise has none at 0. */
static bool check_frequencies(const struct frequency_card *c, const struct item *word, const struct frequency_sweep *f)
{
    const bool list = f->scale == FREQUENCY_LIST;
    bool good = list || f->start > 0;
    for (size_t i = 0; list && i < (size_t)f->points; i++)
        good = good && f->list[i] > (i > 0 ? f->list[i - 1] : 0);
    return good || deck_fail(c->x->deck, "value-range", word->where, c->form,
                             "'.noise': frequencies must be greater than 0%s", list ? " and rise" : "");
}

/* PSpice and HSPICE: .noise v(out) v1 [points], at the frequencies of the deck's .ac; HSPICE has listckt=1 and the like
 * behind it.  False: it is of the other form. */
static bool take_frequencies_of_ac(const struct frequency_card *c, struct item *word, struct frequency_sweep *f)
{
    const struct expansion *x = c->x;
    if (x->sweeps.count == 0 || (word && ((word->next && !word->next->value) || !word->is_number)))
        return false;
    const struct kn_location where = f->where;
    *f = *(const struct frequency_sweep *)x->sweeps.items;
    f->where = where;
    return true;
}

void read_noise(struct expansion *x, struct instance *at, struct statement *s)
{
    const struct output_card card = {x, at, s, NOISE_FORM};
    const struct frequency_card frequencies = {x, at, s->items->text, NOISE_FORM, s->end};
    struct noise_request n = {.sweep.where = s->items->where};
    struct item *source = NULL, *rest = NULL;
    if (!read_both(&card, &n.output, &n.source, &source))
        return;
    const bool of_ac = take_frequencies_of_ac(&frequencies, source->next, &n.sweep);
    rest = of_ac ? source->next : NULL;
    if ((!of_ac && !expand_frequencies(&frequencies, source->next, &n.sweep, &rest)) ||
        !check_frequencies(&frequencies, source->next ? source->next : source, &n.sweep) ||
        !read_summary(&frequencies, rest, &n))
        return;
    extra(&card, rest ? rest->next : NULL);
    make_unknown(x, &n.output);
    expand_add(x, &x->noises, &n);
}

/* ---- .sens v(out[,ref]) | i(element)  [dc | ac dec|oct|lin points start stop | ac list f ..] ---- */

static const char SENSITIVITY_FORM[] =
    "write .sens v(out), .sens v(out) ac dec 10 1 1meg, or .sens tran name of a .measure";

static bool read_range_of(const struct output_card *c, struct item *word, struct sensitivity_request *s)
{
    const struct frequency_card frequencies = {c->x, c->at, c->statement->items->text, SENSITIVITY_FORM,
                                               c->statement->end};
    if (!word || item_is(word, "dc")) {
        extra(c, word ? word->next : NULL);
        return true;
    }
    s->over_frequencies = true;
    return item_is(word, "ac") ? expand_only_frequencies(&frequencies, word->next, &s->sweep)
                               : deck_fail(c->x->deck, "syntax", word->where, SENSITIVITY_FORM,
                                           "'.sens': expected dc or ac, found '%s'", item_text(word));
}

/* ---- Xyce: .sens objfunc={v(out)} param=R1:R,..  of the analysis that the deck has ---- */

static bool is_of_xyce(const struct item *word)
{
    return word && word->value && (item_is(word, "objfunc") || item_is(word, "objvars"));
}

/* What an expression is besides a constant: the difference of two voltages, or a current. */
static bool output_of(struct expansion *x, const struct expression *e, struct request *out)
{
    double values[2] = {0, 0}, gradient[2] = {0, 0}, *workspace;
    const size_t count = expression_variable_count(e);
    const struct expression_variable *list = expression_variables(e);
    const struct expression_point at = {values, 0, 27, NULL, false};
    if (count < 1 || count > 2 || !expression_is_linear(e) ||
        !(workspace = arena_array(x->deck->scratch, expression_workspace(e) + 1, sizeof *workspace)))
        return false;
    expression_evaluate(e, &at, workspace, gradient, NULL);
    *out = (struct request){.element = -1, .label = expand_label(x, e)};
    for (size_t i = 0; i < count; i++) {
        int *const node = gradient[i] == 1 ? &out->plus : gradient[i] == -1 ? &out->minus : NULL;
        if (list[i].kind == EXPRESSION_NODE_VOLTAGE && node && *node == 0) {
            *node = list[i].index;
        } else if (list[i].kind == EXPRESSION_BRANCH_CURRENT && count == 1 && gradient[i] == 1 &&
                   x->elements[list[i].index].kind) {
            out->kind = REQUEST_CURRENT;
            out->element = list[i].index;
        } else {
            return false;
        }
    }
    return out->label != NULL;
}

static bool read_objective(const struct output_card *c, const struct item *word, struct request *out)
{
    static const char hint[] = "write .sens v(out); of what is more, a .measure tran and .sens tran with its name";
    struct expansion *x = c->x;
    if (item_is(word, "objvars")) {
        out->element = -1;
        out->plus = expand_find_node(x, c->at, item_text(word->value));
        out->label = arena_format(x->deck->arena, "v(%s)", item_text(word->value));
        return (out->plus > 0 && !word->value->next) ||
               deck_fail(x->deck, "syntax", word->value->where, hint, "'.sens': objvars takes the name of one node");
    }
    const struct expression *e = expand_signal(x, c->at, word->value, word->value->next, &(struct expansion_names){0});
    return e && (output_of(x, e, out) || deck_fail(x->deck, "unsupported", word->value->where, hint,
                                                   "'.sens': objfunc must be a voltage, a difference of two, or a "
                                                   "current"));
}

/* param=r1:m,i1:m at the end of the card, which is cut off. */
static bool take_asked(const struct output_card *c, struct sensitivity_request *r)
{
    struct item *before = c->statement->items;
    while (before->next && !(item_is(before->next, "param") && before->next->value))
        before = before->next;
    const struct item *first = before->next ? before->next->value : NULL;
    for (const struct item *i = first; i; i = i->next)
        r->asked_count++;
    r->asked = arena_array(c->x->deck->arena, r->asked_count + 1, sizeof *r->asked);
    if (!r->asked)
        return deck_no_memory(c->x->deck);
    r->asked_count = 0;
    for (const struct item *i = first; i; i = i->next)
        if (!(r->asked[r->asked_count++] = arena_format(c->x->deck->arena, "%s", item_text(i))))
            return deck_no_memory(c->x->deck);
    if (before->next)
        before->next = before->next->next;
    return true;
}

/* All values of the circuit are results, those of `param` among them. */
static void read_of_xyce(const struct output_card *c, const struct item *word, struct sensitivity_request *r)
{
    struct expansion *x = c->x;
    bool good = read_objective(c, word, &r->output);
    for (const struct item *i = word->next; i && good; i = i->next)
        if (!item_is(i, "param"))
            deck_warn(x->deck, "extra", i->where, NULL, "'.sens': '%s' is ignored", item_text(i));
    if (good && x->sweeps.count > 0) {
        r->over_frequencies = true;
        r->sweep = *(const struct frequency_sweep *)x->sweeps.items;
        r->sweep.where = c->statement->items->where;
    }
    if (!good)
        return;
    make_unknown(x, &r->output);
    expand_add(x, &x->sensitivities, r);
}

/* ---- all forms ---- */

static bool is_output(const struct item *i)
{
    return i && i->next && i->next->kind == ITEM_GROUP && (item_is(i, "v") || item_is(i, "i"));
}

/* One, or PSpice's several, each a result of its own. */
static void read_outputs(const struct output_card *c, const struct item *function, struct sensitivity_request *r)
{
    struct item *range = function->next ? function->next->next : NULL;
    while (is_output(range))
        range = range->next->next;
    for (bool first = true; function != range; function = function->next->next, first = false) {
        if (!expand_output(c, function, &r->output) || (first && !read_range_of(c, range, r)))
            return;
        struct sensitivity_request *slot = vector_push(&c->x->sensitivities);
        if (!slot) {
            deck_no_memory(c->x->deck);
            return;
        }
        make_unknown(c->x, &r->output);
        *slot = *r;
    }
}

void read_sensitivity(struct expansion *x, struct instance *at, struct statement *s)
{
    const struct output_card card = {x, at, s, SENSITIVITY_FORM};
    struct sensitivity_request r = {.sweep.where = s->items->where};
    if (s->broken)
        return;
    struct item *const function = s->items->next;
    if (function && item_is(function, "tran")) {
        read_handed_on(x, at, s);
        return;
    }
    if (!take_asked(&card, &r))
        return;
    if (is_of_xyce(function) && x->transients.count == 0) {
        read_of_xyce(&card, function, &r);
        return;
    }
    if (!function) {
        deck_fail(x->deck, "syntax", s->end, SENSITIVITY_FORM, "'.sens' needs an output");
        return;
    }
    if (function->value) { /* Xyce: objfunc={..} param=.., of all its analyses */
        deck_warn(x->deck, "unsupported", s->items->where, SENSITIVITY_FORM,
                  "'%s' with '%s=' is not supported yet; ignored", s->items->text, function->text);
        return;
    }
    read_outputs(&card, function, &r);
}
