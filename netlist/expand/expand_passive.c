/* expand_passive.c - element cards R, C, L, K and T. */
#include "netlist/expand/expand_card.h"
#include "netlist/expression/expression_tree.h"
#include "netlist/formulas/formulas.h"

#include <string.h>
#include <strings.h>

/* ---- R C L: nodes, then value and model in any order, or a charge or flux law ---- */

/* The value by name: as in the parameter table, or value=. */
static struct item *value_assignment(const struct card *c)
{
    const struct parameter_info *p = &c->kind->instance.rows[0];
    for (struct item *i = c->statement->items->next; i; i = i->next)
        if (i->value && i->kind == ITEM_WORD &&
            (item_is(i, p->name) || name_is_among(p->alias, i->text) || item_is(i, "value")))
            return i;
    return NULL;
}

static struct item *law_assignment(const struct card *c)
{
    for (struct item *i = c->statement->items->next; i; i = i->next)
        if (i->value && i->kind == ITEM_WORD && name_is_among(c->kind->law_names, i->text))
            return i;
    return NULL;
}

/* 1M is a milliohm in SPICE; who writes a capital M for a resistor mostly means a megohm.  Said once. */
static void note_milliohm(struct card *c, const struct item *i)
{
    const size_t digits = strspn(i->text, "0123456789.");
    if (c->x->milliohm_noted || i->kind != ITEM_WORD || digits == 0 || i->text[digits] != 'M' ||
        strncasecmp(i->text + digits, "meg", 3) == 0 || strncasecmp(i->text + digits, "mil", 3) == 0)
        return;
    c->x->milliohm_noted = true;
    deck_note(c->x->deck, "milliohm", i->where, "%s: '%s' is read as %g ohm; a megohm is written 1MEG", card_owner(c),
              i->text, c->e->value);
}

/* 1F is a femtofarad in all dialects; who writes a capital F with nothing behind it may mean a farad.  Said once. */
static void note_femtofarad(struct card *c, const struct item *i)
{
    const size_t digits = strspn(i->text, "0123456789.");
    if (c->x->femtofarad_noted || i->kind != ITEM_WORD || digits == 0 || strcmp(i->text + digits, "F") != 0)
        return;
    c->x->femtofarad_noted = true;
    deck_note(c->x->deck, "femtofarad", i->where, "%s: '%s' is read as %g F; a farad is written 1", card_owner(c),
              i->text, c->e->value);
}

/* {2*r1:r} */
static bool asks_values(struct card *c, struct item *i)
{
    const struct expression_tree *tree = i->kind == ITEM_EXPRESSION ? expand_tree(c->x, i) : NULL;
    return tree && formulas_asks_values(tree->root);
}

static bool set_value(struct card *c, struct item *i)
{
    if (c->e->has_value || c->e->law != LAW_NONE)
        return card_fail(c, "syntax", i->where, NULL, "%s has two values", card_owner(c));
    const char *comma = deck_decimal_comma(c->x->deck, i);
    if (comma)
        return card_fail(c, "syntax", i->where, comma, "%s has two values", card_owner(c));
    if (c->kind->variable_letter && (!card_is_constant(c, i) || asks_values(c, i)))
        return card_variable_value(c, i);
    c->e->has_value = true;
    if (!card_value(c, i, &c->e->value))
        return false;
    if (strcmp(c->kind->instance.rows[0].unit, "ohm") == 0)
        note_milliohm(c, i);
    if (strcmp(c->kind->instance.rows[0].unit, "F") == 0)
        note_femtofarad(c, i);
    return true;
}

/* "10nF" for the words 10 and nF, "10" for 10 and F, which would be femto; NULL where they are something else. */
static const char *number_with_unit(struct card *c, const struct item *i)
{
    static const char *const units[] = {"t", "g", "meg", "k", "m", "u", "n", "p", "f", "ohm", "h", "\xc2\xb5", NULL};
    const struct item *number = c->next > 0 ? c->words[c->next - 1] : NULL;
    double ignored;
    if (!number || !number->is_number || number->next != i || strlen(i->text) > 6)
        return NULL;
    const char *unit = item_is(i, "f") || item_is(i, "farad") ? "" : i->text;
    const char *joined = arena_format(c->x->deck->scratch, "%s%s", number->text, unit);
    bool known = false;
    for (size_t k = 0; units[k]; k++)
        known |= strncasecmp(i->text, units[k], strlen(units[k])) == 0;
    return known && joined && expression_number(joined, strlen(joined), &ignored) ? joined : NULL;
}

/* What the charge of a capacitor or the flux of an inductor depends on. */
static struct expression_node *own_variable(const struct tree_maker *m, const struct card *c)
{
    return c->kind->law == LAW_CHARGE ? make_voltage(m, c->words[0]->text, c->words[1]->text)
                                      : make_current(m, c->statement->items->text);
}

/* C1 a b POLY c0 c1 c2 ..: C = c0 + c1 v + c2 v^2 .., whose charge is v (c0 + v (c1/2 + v (c2/3 ..))); L likewise in i. */
static bool polynomial_value(struct card *c, const struct item *poly)
{
    const struct tree_maker m = {c->x->deck->arena, poly->where};
    double p[32];
    size_t count = 0;
    if (c->kind->law == LAW_NONE)
        return card_fail(c, "unsupported", poly->where, "write the law itself: R='..'",
                         "%s: POLY is not supported here", card_owner(c));
    for (; c->next + 1 < c->word_count && count < sizeof p / sizeof *p; count++)
        if (!card_value(c, c->words[++c->next], &p[count]))
            return false;
    if (count == 0 || c->next + 1 < c->word_count)
        return card_fail(c, "syntax", poly->where, "write POLY c0 c1 c2 ..", "%s: POLY takes 1 to 32 coefficients",
                         card_owner(c));
    struct expression_node *sum = make_number(&m, p[count - 1] / (double)count);
    for (size_t k = count - 1; k-- > 0;)
        sum = make_binary(&m, make_number(&m, p[k] / (double)(k + 1)), OP_ADD,
                          make_binary(&m, own_variable(&m, c), OP_MULTIPLY, sum));
    return card_law_of_root(c, c->kind->law, make_binary(&m, own_variable(&m, c), OP_MULTIPLY, sum));
}

/* LTspice's flag, of resistors and of those in Rser and Rpar, which have no noise here anyway. */
static bool is_noiseless(const struct card *c, const struct item *i)
{
    struct instance *owner;
    return item_is(i, "noiseless") && !i->value && !expand_model_card(c->at, i->text, &owner);
}

/* noisy=0 behind what the card says itself. */
static bool keep_noiseless(struct card *c)
{
    bool found = false;
    for (size_t i = 0; i < c->word_count; i++)
        found |= is_noiseless(c, c->words[i]);
    struct setting *all = found && c->e->kind && kind_is_resistor(c->e->kind)
                              ? arena_array(c->x->deck->arena, c->e->setting_count + 1, sizeof *all)
                              : NULL;
    if (!all)
        return !found || (c->e->kind && !kind_is_resistor(c->e->kind)) || deck_no_memory(c->x->deck);
    if (c->e->setting_count > 0)
        memcpy(all, c->e->settings, c->e->setting_count * sizeof *all);
    all[c->e->setting_count++] = (struct setting){.name = "noisy", .has_value = true, .value = 0};
    c->e->settings = all;
    return true;
}

/* A word that is no number is a model, or a parameter written without braces. */
static bool value_or_model(struct card *c, struct item *i)
{
    struct instance *owner;
    if (i->kind == ITEM_EXPRESSION || i->is_number)
        return set_value(c, i);
    if (i->kind != ITEM_WORD)
        return card_expected(c, c->kind->value);
    if (item_is(i, "poly"))
        return polynomial_value(c, i);
    if (!expand_model_card(c->at, i->text, &owner) && (scope_has_parameter(c->at->scope, i->text) || !item_is_name(i)))
        return set_value(c, i);
    if (c->e->model)
        return card_fail(c, "syntax", i->where, NULL, "%s has two models", card_owner(c));
    if (!c->e->kind->types) /* it has become a source by a value that varies */
        return card_fail(c, "syntax", i->where, "put braces around what belongs to the value",
                         "%s has a value that varies, and takes no model: '%s'", card_owner(c), i->text);
    const char *joined = c->e->has_value && !expand_model_card(c->at, i->text, &owner) ? number_with_unit(c, i) : NULL;
    if (joined)
        return card_fail(c, "syntax", i->where,
                         diagnostics_hint(c->x->deck->diagnostics, "write %s in one word", joined),
                         "%s: the unit '%s' stands apart from its number", card_owner(c), i->text);
    c->e->model = expand_model(c->x, c->at, i, &c->e->kind);
    return c->e->model != NULL;
}

/* The name of what a number stands for behind tc=: TC=1m 2u, and in place of `=` a blank, TC 1m 2u.  NULL: something else. */
static const char *name_of_coefficient(const struct card *c, const struct item *number)
{
    const struct item *before = c->statement->items;
    while (before && before->next != number)
        before = before->next;
    if (!before || !number->is_number || !c->e->has_value)
        return NULL;
    if (item_is(before, "tc"))
        return !before->value ? "tc1" : before->value->next ? NULL : "tc2";
    const struct item *word = c->next > 1 ? c->words[c->next - 2] : NULL;
    return item_is(word, "tc") && word->next == before ? "tc2" : NULL;
}

static bool is_coefficients(struct card *c, const struct item *i)
{
    struct instance *owner;
    return c->e->has_value && item_is(i, "tc") && i->next && i->next->is_number &&
           !expand_model_card(c->at, i->text, &owner);
}

static bool read_word(struct card *c, struct item *i)
{
    const char *coefficient = name_of_coefficient(c, i);
    if (!coefficient)
        return is_noiseless(c, i) || is_coefficients(c, i) || value_or_model(c, i);
    struct item name = {.kind = ITEM_WORD, .text = coefficient, .where = i->where};
    return expand_setting_with_blank(c->x, c->at, &name, i);
}

static bool read_words(struct card *c)
{
    for (; card_peek(c); c->next++)
        if (!read_word(c, card_peek(c)))
            return false;
    return true;
}

static bool is_chan(const struct card *c)
{
    return c->kind->law == LAW_FLUX &&
           (card_assignment(c, "hc") || card_assignment(c, "bs") || card_assignment(c, "br"));
}

/* Whole ones have become windings on a core (netlist/deck/deck_cores.c). */
static bool refuse_chan(struct card *c)
{
    const struct item *first = c->statement->items->next;
    while (first && !(first->value && name_is_among("hc bs br", first->text)))
        first = first->next;
    return card_fail(c, "syntax", first ? first->where : c->statement->end,
                     "write L1 a b Hc=16 Bs=.44 Br=.1 A=25u Lm=.02 Lg=0 N=1000",
                     "%s: Chan's core needs Hc, Bs, Br, A and Lm", card_owner(c));
}

/* Xyce's resistor of no value has 1 kohm. */
static bool default_value(struct card *c)
{
    if (is_chan(c) && !card_peek(c))
        return refuse_chan(c);
    if (c->x->deck->dialect != DIALECT_XYCE || !kind_is_resistor(c->kind) || card_peek(c))
        return card_expected(c, c->kind->value);
    diagnostics_add(c->x->deck->diagnostics, KN_WARNING, "missing-value", c->statement->items->where,
                    "write the value that is meant", "%s has no value: it gets 1000 ohm, as in Xyce", card_owner(c));
    c->e->has_value = true;
    c->e->value = 1000;
    return true;
}

/* LTspice's Q=.. x .. and Flux=.. x ..: x is the voltage of the capacitor, the current of the inductor. */
static bool own_law(struct card *c, struct item *i)
{
    const struct tree_maker m = {c->x->deck->arena, i->where};
    const struct expression_tree *tree = expand_tree(c->x, i);
    if (!tree || (c->x->deck->dialect != DIALECT_LTSPICE && scope_has_parameter(c->at->scope, "x")))
        return card_law(c, c->kind->law, i);
    return card_law_of_root(c, c->kind->law, node_with(m.arena, tree->root, "x", own_variable(&m, c)));
}

static double model_value(const struct card *c, const char *name)
{
    const struct setting *s = setting_find(c->e->model->settings, c->e->model->setting_count, name);
    return s && s->has_value && !s->text ? s->value : 0;
}

/* PSpice's models: C = c value (1 + VC1 v + VC2 v^2), L = l value (1 + IL1 i + IL2 i^2) (PSpice reference, C and L).  The law is
 * charge or flux of the value 1. */
static bool take_coefficients(struct card *c)
{
    static const char *const names[2][3] = {{"c", "vc1", "vc2"}, {"l", "il1", "il2"}};
    const char *const *name = names[c->kind->law == LAW_FLUX];
    if (!c->e->model || c->e->law != LAW_NONE || (c->kind->law != LAW_CHARGE && c->kind->law != LAW_FLUX))
        return true;
    const struct tree_maker m = {c->x->deck->arena, c->e->where};
    const double first = model_value(c, name[1]), second = model_value(c, name[2]);
    if (first == 0 && second == 0)
        return true;
    if (!c->e->has_value) {
        const bool factor = c->x->deck->dialect == DIALECT_PSPICE || c->x->deck->dialect == DIALECT_XYCE;
        c->e->value = factor ? 1 : model_value(c, name[0]);
        c->e->has_value = true;
    }
    struct expression_node *v = make_binary(&m, own_variable(&m, c), OP_MULTIPLY, make_number(&m, second / 3));
    v = make_closed(&m, make_binary(&m, v, OP_ADD, make_number(&m, first / 2)));
    v = make_binary(&m, v, OP_MULTIPLY, own_variable(&m, c));
    v = make_closed(&m, make_binary(&m, v, OP_ADD, make_number(&m, 1)));
    return card_law_of_root(c, c->kind->law, make_binary(&m, v, OP_MULTIPLY, own_variable(&m, c)));
}

bool read_passive(struct card *c)
{
    struct item *value = value_assignment(c), *law = law_assignment(c);
    const char *taken[] = {value ? value->text : law ? law->text : NULL, value && law ? law->text : NULL, NULL};
    if (!card_nodes(c, 0))
        return false;
    bool good = read_words(c);
    if (good && kind_is_resistor(c->kind) && !value && card_is_heated(c)) {
        static const char *const own[] = {
            "a",       "l", "thermal_a", "thermal_l", "thermal_heatcapacity", "resistivity", "heatcapacity",
            "density", "w", "temp",      NULL};
        return card_heated_resistor(c) && card_settings(c, own);
    }
    if (value)
        good = good && set_value(c, value->value);
    if (law && (value || c->e->has_value))
        good = card_fail(c, "syntax", law->where, NULL, "%s has both a value and '%s'", card_owner(c), law->text);
    else if (law)
        good = own_law(c, law->value) && good;
    else if (good && !c->e->has_value && !c->e->law && !c->e->model)
        good = default_value(c);
    good = good && take_coefficients(c);
    return card_settings(c, taken) && good && keep_noiseless(c) && card_parasitics(c);
}

/* ---- K: names of coupled inductors, coupling coefficient, perhaps the model of a core ---- */

/* The word behind the coefficient: a core.  One that nobody has defined is an error, if it can be nothing else. */
static bool take_core(struct card *c)
{
    struct instance *owner;
    const struct item *last = c->word_count > 2 ? c->words[c->word_count - 1] : NULL;
    if (!last || last->kind != ITEM_WORD || last->is_number)
        return true;
    const bool known = expand_model_card(c->at, last->text, &owner) != NULL;
    if (!known && (!c->words[c->word_count - 2]->is_number || !item_is_name(last)))
        return true;
    if (!known)
        return card_fail(c, "unknown-model", last->where,
                         diagnostics_hint(c->x->deck->diagnostics, "define it: .model %s core(..)", last->text),
                         "unknown model '%s'", last->text);
    c->e->model = expand_model(c->x, c->at, last, &c->e->kind);
    c->kind = c->e->kind;
    c->word_count--;
    return c->e->model != NULL;
}

bool read_coupling(struct card *c)
{
    struct item *k = card_assignment(c, "k");
    if (!take_core(c))
        return false;
    const size_t least = c->e->model ? 1 : 2; /* on a core even one is something */
    const size_t inductors = k ? c->word_count : c->word_count > 0 ? c->word_count - 1 : 0;
    if (c->word_count > 0 && inductors < least)
        c->next = c->word_count;
    if (inductors < least)
        return card_expected(c, "the names of two inductors and the coupling coefficient");
    struct item *value = k ? k->value : c->words[inductors];
    static const char *const taken[] = {"k", NULL};
    bool good = card_controls(c, inductors);
    if (good && !c->e->model && !card_is_constant(c, value))
        return card_law_of_tree(c, LAW_NONE, expand_tree(c->x, value)) && card_settings(c, taken);
    if (!good || !card_value(c, value, &c->e->value))
        return false;
    c->e->has_value = true;
    if (c->e->value < -1.0 || c->e->value > 1.0)
        good =
            card_fail(c, "value-range", value->where, "1 is perfect coupling",
                      "%s: the coupling coefficient must be between -1 and 1, but is %g", card_owner(c), c->e->value);
    return card_settings(c, taken) && good;
}

/* ---- T: two ports, Z0 and TD ---- */

bool read_nodes_and_settings(struct card *c)
{
    return card_is_loss_line(c) ? read_loss_line(c) : card_nodes(c, 0) && card_end(c) && card_settings(c, NULL);
}
