/* expand_instance.c - X cards: the subcircuit, its ports and its parameters. */
#include "netlist/expand/expand_card.h"
#include "netlist/expression/expression_tree.h"

static size_t ports_needed(const struct level *level)
{
    size_t needed = level->port_count;
    while (level->optional && needed > 0 && level->optional[needed - 1])
        needed--;
    return needed;
}

/* Nodes of the optional ports that the instance does not name. */
static bool connect_optional(struct card *c, const struct level *level, size_t count, const int **ports)
{
    if (count == level->port_count)
        return true;
    int *all = arena_array(c->x->deck->arena, level->port_count, sizeof *all);
    if (!all)
        return deck_no_memory(c->x->deck);
    for (size_t i = 0; i < level->port_count; i++) {
        all[i] = i < count ? (*ports)[i] : expand_node(c->x, c->at, level->optional[i]);
        if (all[i] < 0)
            return false;
        if (i >= count)
            expand_use_node(c->x, all[i], USE_PORT);
    }
    *ports = all;
    return true;
}

static bool check_ports(struct card *c, const struct level *level, size_t count, const struct item *name)
{
    if (count <= level->port_count && count >= ports_needed(level))
        return true;
    const char *ports = "";
    for (size_t i = 0; i < level->port_count && ports; i++)
        ports = arena_format(c->x->deck->scratch, "%s %s", ports, level->ports[i]);
    return card_fail(c, "port-count", name->where,
                     diagnostics_hint(c->x->deck->diagnostics, "it is defined at %s with ports%s",
                                      deck_place(c->x->deck, level->where), ports ? ports : ""),
                     "%s connects %zu node%s, but subcircuit '%s' has %zu", card_owner(c), count, count == 1 ? "" : "s",
                     level->name, level->port_count);
}

/* Port 0 is ground, and what an instance connects to it remains outside; of ports of one name the first counts: both as in ngspice. */
static void warn_bound_ports(struct card *c, const struct level *level, const int *ports)
{
    for (size_t i = 0; i < level->port_count && level->has_bound_ports; i++) {
        const char **first = name_table_get(level->port_table, level->ports[i]);
        if (ports[i] == (first ? ports[first - level->ports] : 0))
            continue;
        const struct kn_location where = c->words[i < c->word_count ? i : c->word_count - 1]->where;
        const char *hint = diagnostics_hint(c->x->deck->diagnostics, "subcircuit '%s' is defined at %s", level->name,
                                            deck_place(c->x->deck, level->where));
        deck_warn(c->x->deck, "port-bound", where, hint,
                  first ? "%s: two ports are named '%s'; the first is connected, this one is not"
                        : "%s: port '%s' is ground in the subcircuit; what stands for it here is not connected",
                  card_owner(c), level->ports[i]);
    }
}

static bool unknown_subcircuit(struct card *c, const struct item *name)
{
    const char *hint = NULL;
    for (const struct level *l = c->at->level; l && !hint; l = l->parent)
        hint = deck_did_you_mean_in(c->x->deck, name->text, l->children);
    return card_fail(c, "unknown-subcircuit", name->where, hint ? hint : "define it with .subckt, or .include its file",
                     "unknown subcircuit '%s'", name->text);
}

static const struct parameter_card *find_default(const struct level *l, const char *name)
{
    for (const struct parameter_card *p = l->defaults; p; p = p->next)
        if (names_equal(p->name->text, name))
            return p;
    return NULL;
}

static bool has_parameter(const struct level *l, const char *name)
{
    for (const struct parameter_card *p = l->parameters; p; p = p->next)
        if (names_equal(p->name->text, name))
            return true;
    return find_default(l, name) != NULL;
}

static bool is_multiplicity(const struct item *i)
{
    return item_is(i, "m") || item_is(i, "multi");
}

/* m=: everything inside stands for that many in parallel.  One that the subcircuit has a parameter of its own for is no
 * more than that (ngspice and Xyce). */
static bool read_multiplicity(struct card *c, struct instance *inner, struct item *i)
{
    double m = 1;
    if (i->value->next)
        return card_fail(c, "syntax", i->value->next->where, NULL, "%s: '%s' takes a single value", card_owner(c),
                         i->text);
    if (!expand_value(c->x, c->at, i->value, &m))
        return false;
    if (!(m > 0))
        return card_fail(c, "value-range", i->value->where, "it is the number of subcircuits in parallel",
                         "%s: %s must be greater than 0, but is %g", card_owner(c), i->text, m);
    inner->multiplicity *= m;
    return true;
}

static bool unknown_parameter(struct card *c, const struct level *l, struct item *i, const char *what)
{
    struct item_state *state = expand_item_state(c->x, i);
    if (!state || state->broken)
        return state != NULL;
    state->broken = true; /* said once, not for every instance */
    struct name_guess g = name_guess(i->text);
    for (const struct parameter_card *p = l->defaults; p; p = p->next)
        name_guess_offer(&g, p->name->text);
    deck_warn(c->x->deck, "unknown-parameter", i->where, diagnostics_meant(c->x->deck->diagnostics, g.found),
              "subcircuit '%s' has no parameter '%s'; %s", l->name, i->text, what);
    return true;
}

/* ---- what the card gives: X1 a b nfet W=2 nf=2 ad='W/nf*0.29' ---- */

/* In braces or quotes it is one as well. */
static bool is_number(struct card *c, struct item *value)
{
    const struct expression_tree *tree = value && !value->is_number ? expand_value_tree(c->x, value) : NULL;
    return value && (value->is_number || (tree && tree->root->kind == NODE_NUMBER));
}

/* What it declares in its head, then in its body: both may be given. */
static const struct parameter_card *first_declared(const struct level *l)
{
    return l->defaults ? l->defaults : l->parameters;
}

static const struct parameter_card *next_declared(const struct level *l, const struct parameter_card *p)
{
    const struct parameter_card *head = p->next ? NULL : l->defaults;
    while (head && head != p)
        head = head->next;
    return p->next ? p->next : head ? l->parameters : NULL;
}

static bool default_mentions(struct card *c, const struct parameter_card *p, const char *name)
{
    const struct expression_tree *tree = p && !p->broken ? expand_value_tree(c->x, p->name->value) : NULL;
    return tree && scope_mentions(c->at->scope, tree, name);
}

/* Whether a name in what is given for a parameter means that of the same card.  In ngspice it does for numbers and for what the
 * subcircuit declares earlier (numparam), defaults that ask for others behind these; elsewhere the names are those of where the instance
 * stands, and only those that are not there can be the card's own. */
static bool means_own(struct card *c, const struct level *l, const struct item *given,
                      const struct parameter_card *other)
{
    const enum dialect dialect = c->x->deck->dialect;
    if (!scope_has_parameter(c->at->scope, other->name->text))
        return true;
    if (dialect != DIALECT_NGSPICE && dialect != DIALECT_KICAD)
        return false;
    const struct item *own = card_assignment(c, other->name->text);
    if (is_number(c, own ? own->value : other->name->value))
        return true;
    const struct parameter_card *p = first_declared(l), *asked = find_default(l, given->text);
    const bool behind = default_mentions(c, asked, other->name->text);
    if (behind || default_mentions(c, other, given->text))
        return behind;
    while (p && p != other && !names_equal(p->name->text, given->text))
        p = next_declared(l, p);
    return p == other;
}

/* Where the instance stands; with those names that mean parameters of its own in front, a scope between both. */
static const struct scope *scope_of_given(struct card *c, const struct instance *inner, const struct item *given,
                                          const struct expression_tree *tree)
{
    struct deck *k = c->x->deck;
    struct scope *between = NULL;
    const struct level *l = inner->level;
    for (const struct parameter_card *p = first_declared(l); p; p = next_declared(l, p)) {
        const char *name = p->name->text;
        if (tree->root->kind == NODE_NUMBER || names_equal(name, given->text) ||
            !scope_mentions(c->at->scope, tree, name) || !means_own(c, l, given, p))
            continue;
        const struct expression_tree *same =
            expression_tree_of(k->arena, node_name(k->arena, name, given->value->where));
        if (!between && (between = scope_new(k->arena, c->at->scope)))
            scope_path(between, c->at->path);
        if (!between || !same || !scope_parameter(between, name, same, inner->scope, given->where, k->diagnostics)) {
            deck_no_memory(k);
            return NULL;
        }
    }
    return between ? between : c->at->scope;
}

static bool is_same_name(struct card *c, const struct item *i)
{
    const struct expression_tree *tree = expand_value_tree(c->x, i->value);
    return tree && tree->root->kind == NODE_NAME && names_equal(tree->root->name, i->text);
}

/* HSPICE takes, of several parameters of one name, that of the outermost level, unless .option parhier=local says otherwise:
 * .param of the deck, then what an instance gives, then the head of the subcircuit.  Here the innermost counts, which is
 * said where the deck has another. */
static bool warn_where_deck_counts(struct card *c, const struct level *l, struct item *i)
{
    const struct setting *rule = circuit_option(c->x->circuit, "parhier");
    const struct instance *top = c->at;
    while (top->parent)
        top = top->parent;
    if (c->x->deck->dialect != DIALECT_HSPICE || (rule && rule->text && names_equal(rule->text, "local")) ||
        !scope_has_parameter(top->scope, i->text) || is_same_name(c, i))
        return true;
    struct item_state *state = expand_item_state(c->x, i);
    if (state && !state->hides)
        deck_warn(c->x->deck, "hidden-parameter", i->where, ".option parhier=local says that this is meant",
                  "'%s' of subcircuit '%s' counts in it; HSPICE takes the '%s' of the deck's .param there", i->text,
                  l->name, i->text);
    if (state)
        state->hides = true;
    return state != NULL;
}

static bool define_given(struct card *c, struct instance *inner, struct item *i)
{
    if (i->value->kind == ITEM_GROUP || i->value->next)
        return card_fail(c, "syntax", i->value->next ? i->value->next->where : i->value->where, "write name=value",
                         "%s: parameter '%s' needs a single number or expression", card_owner(c), i->text);
    const struct expression_tree *tree = expand_value_tree(c->x, i->value);
    const struct scope *home = tree ? scope_of_given(c, inner, i, tree) : NULL;
    return home && expand_define(c->x, inner, i, tree, home);
}

static bool declares_what_it_is_given(const struct deck *k)
{
    return k->dialect == DIALECT_LTSPICE || k->dialect == DIALECT_XYCE;
}

/* Given parameters are evaluated where the instance stands, defaults inside.  Behind LTspice's params: a multiplicity is a
 * parameter like others. */
static bool define_parameters(struct card *c, struct instance *inner)
{
    bool good = true, ordinary = false;
    for (struct item *i = c->statement->items->next; i; i = i->next) {
        ordinary |= c->x->deck->dialect == DIALECT_LTSPICE && item_is(i, "params:");
        if (i->value && i->kind != ITEM_WORD)
            good = card_fail(c, "syntax", i->where, "write name=value", "%s: expected name=value", card_owner(c));
        else if (i->value && has_parameter(inner->level, i->text))
            good = warn_where_deck_counts(c, inner->level, i) && define_given(c, inner, i) && good;
        else if (i->value && is_multiplicity(i) && !ordinary)
            good = read_multiplicity(c, inner, i) && good;
        else if (i->value && declares_what_it_is_given(c->x->deck))
            good = define_given(c, inner, i) && good;
        else if (i->value && c->x->deck->dialect == DIALECT_SPICE) /* some program may declare it */
            good = unknown_parameter(c, inner->level, i, "within it is one all the same") &&
                   define_given(c, inner, i) && good;
        else if (i->value)
            good = unknown_parameter(c, inner->level, i, "it is ignored") && good;
    }
    for (struct parameter_card *p = inner->level->defaults; p; p = p->next)
        if (!card_assignment(c, p->name->text))
            good = warn_where_deck_counts(c, inner->level, p->name) && expand_parameter(c->x, inner, p) && good;
    return good;
}

/* Two instances of one name would mix up their elements. */
static bool check_name(struct card *c, struct instance *inner)
{
    const struct item *name = c->statement->items;
    const struct instance *first = name_table_get(c->x->instances, inner->path);
    const struct item *before = first ? first->call->items : NULL;
    if (before)
        return card_fail(c, "duplicate-element", name->where,
                         diagnostics_hint(c->x->deck->diagnostics, "the first '%s' is at %s", before->text,
                                          deck_place(c->x->deck, before->where)),
                         "there are two instances named '%s'", name->text);
    return name_table_put(c->x->instances, inner->path, inner) || deck_no_memory(c->x->deck);
}

static bool make_instance(struct card *c, struct level *level, const int *ports)
{
    struct deck *k = c->x->deck;
    struct instance *inner = arena_alloc(k->scratch, sizeof *inner);
    if (!inner)
        return deck_no_memory(k);
    *inner = (struct instance){.x = c->x,
                               .parent = c->at,
                               .level = level,
                               .ports = ports,
                               .call = c->statement,
                               .multiplicity = c->at->multiplicity};
    inner->path = arena_format(k->scratch, "%s%s.", c->at->path, c->statement->items->text);
    inner->scope = scope_new(k->arena, c->at->scope);
    if (!inner->path || !inner->scope)
        return deck_no_memory(k);
    scope_path(inner->scope, inner->path);
    scope_surroundings_of_text(inner->scope, expand_surroundings(inner)->scope);
    if (!check_name(c, inner) || !define_parameters(c, inner))
        return false;
    expand_scope(c->x, inner);
    expand_scope_check(c->x, inner);
    c->inside = inner;
    return true;
}

/* What is wrong inside is said for the first instance. */
static bool report_level(struct expansion *x, const struct level *l)
{
    bool *said = &x->parameters_checked[l->number];
    if (!*said)
        deck_report_faults(x->deck, l->faults);
    *said = true;
    return false;
}

static bool expand_in(struct card *c, const struct item *name)
{
    size_t count = 0;
    const int *ports = NULL;
    while (c->words[count]->number != name->number) /* a copy where the text of a parameter was put in */
        count++;
    name = c->words[count];
    if (name->kind != ITEM_WORD)
        return card_expected(c, "nodes and the name of a subcircuit");
    count -= count > 0 && item_is(c->words[count - 1], "/"); /* X1 a b / cell, as netlists of Cadence have it */
    if (!card_node_list(c, count, &ports, USE_PORT, "a node"))
        return false;
    struct level *level = expand_level(c->at, name->text);
    if (!level)
        return unknown_subcircuit(c, name);
    if (level->faults)
        return report_level(c->x, level);
    if (level->broken || level->unusable || !check_ports(c, level, count, name) ||
        !connect_optional(c, level, count, &ports))
        return false;
    warn_bound_ports(c, level, ports);
    return make_instance(c, level, ports);
}

bool read_instance(struct card *c)
{
    const struct item *name = expand_instance_name(c->statement);
    if (!name)
        return card_expected(c, "nodes and the name of a subcircuit");
    if (expand_in(c, name))
        return true;
    c->x->missing_instance = true;
    return false;
}
