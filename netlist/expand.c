/* expand.c - walks through all instances of subcircuits and makes their elements, then resolves what refers to names.
 */
#include "netlist/expand.h"

#include "netlist/expand_card.h"

#include <stdlib.h>
#include <string.h>

static bool read_instance(struct card *c);

static const struct element_reader readers[] = {
    {'r', "resistor", "Rname node node value", false, read_passive},
    {'c', "capacitor", "Cname node node value, or Cname node node Q='..'", false, read_passive},
    {'l', "inductor", "Lname node node value, or Lname node node Flux='..'", false, read_passive},
    {'k', "coupling", "Kname L1 L2 coefficient", false, read_coupling},
    {'t', "transmission line", "Tname a+ a- b+ b- Z0=value TD=value", false, read_line},
    {'v', "voltage source", "Vname node node DC value, or a waveform: SIN(0 1 1k)", false, read_source},
    {'i', "current source", "Iname node node DC value, or a waveform: SIN(0 1 1k)", false, read_source},
    {'e', "voltage-controlled voltage source", "Ename n+ n- nc+ nc- gain, POLY(n) .. or vol='..'", true,
     read_voltage_controlled},
    {'g', "voltage-controlled current source", "Gname n+ n- nc+ nc- gain, POLY(n) .. or cur='..'", true,
     read_voltage_controlled},
    {'f', "current-controlled current source", "Fname n+ n- Vsource gain, or POLY(n) ..", true,
     read_current_controlled},
    {'h', "current-controlled voltage source", "Hname n+ n- Vsource gain, or POLY(n) ..", true,
     read_current_controlled},
    {'b', "behavioural source", "Bname n+ n- I=expression or V=expression", false, read_behavioural},
    {'d', "diode", "Dname anode cathode model [area]", false, read_diode},
    {'q', "bipolar transistor", "Qname collector base emitter [substrate] model [area]", false, read_bipolar},
    {'m', "MOSFET", "Mname drain gate source bulk model L=value W=value", false, read_mosfet},
    {'x', "instance", "Xname nodes .. subcircuit name=value ..", false, read_instance},
};

static const struct {
    char letter;
    const char *noun;
} unsupported[] = {
    {'a', "code models"},       {'j', "junction field-effect transistors"},
    {'n', "Verilog-A devices"}, {'o', "lossy transmission lines"},
    {'p', "coupled lines"},     {'s', "voltage-controlled switches"},
    {'u', "uniform RC lines"},  {'w', "current-controlled switches"},
    {'y', "lossy lines"},       {'z', "MESFETs"},
};

static char letter_of(const struct statement *s)
{
    const char c = s->items->text[0];
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static const struct element_reader *find_reader(char letter)
{
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (readers[i].letter == letter)
            return &readers[i];
    return NULL;
}

static void report_letter(struct expansion *x, const struct statement *s)
{
    const struct item *name = s->items;
    const char *dot = deck_card_without_dot(name->text);
    const char *hint = dot ? diagnostics_hint(x->deck->diagnostics, "did you mean '%s'?", dot) : NULL;
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++)
        if (unsupported[i].letter == letter_of(s)) {
            deck_fail(x->deck, "unsupported-element", name->where, hint, "'%s': %s are not supported yet", name->text,
                      unsupported[i].noun);
            return;
        }
    deck_fail(x->deck, "unknown-element", name->where,
              hint ? hint
                   : "an element begins with one of the letters R C L K T V I E F G H B D Q M X; a line that "
                     "continues the one above begins with '+'",
              "no kind of element begins with '%c'", name->text[0]);
}

/* ---- one card ---- */

/* Positional items, with parentheses flattened away where they mean nothing. */
static bool push_words(struct expansion *x, struct item *i, bool flat)
{
    for (; i; i = i->next) {
        if (i->value)
            continue;
        if (flat && i->kind == ITEM_GROUP) {
            if (!push_words(x, i->inside, flat))
                return false;
            continue;
        }
        struct item **slot = vector_push(&x->words);
        if (!slot)
            return deck_no_memory(x->deck);
        *slot = i;
    }
    return true;
}

static void expand_statement(struct expansion *x, struct instance *at, struct statement *s)
{
    const struct element_reader *reader = find_reader(letter_of(s));
    if (!reader && !s->broken) {
        report_letter(x, s);
        s->broken = true;
    }
    struct element instance = {.letter = 'x', .name = s->items->text, .where = s->items->where};
    struct element *e = &instance;
    if (letter_of(s) != 'x')
        e = expand_new_element(x, at, s->items);
    x->incomplete |= s->broken;
    if (!e || s->broken)
        return;
    x->words.count = x->settings.count = 0;
    if (!push_words(x, s->items->next, reader->flat))
        return;
    struct card c = {.x = x, .at = at, .statement = s, .reader = reader, .e = e};
    c.words = x->words.items;
    c.word_count = x->words.count;
    if (!reader->read(&c)) {
        s->broken = true; /* said once, not for every instance */
        x->deck->failed = true;
    }
}

/* ---- X ---- */

static bool check_ports(struct card *c, const struct level *level, size_t count, const struct item *name)
{
    if (count == level->port_count)
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

static bool unknown_subcircuit(struct card *c, const struct item *name)
{
    const char *hint = NULL;
    for (const struct level *l = c->at->level; l && !hint; l = l->parent)
        hint = deck_did_you_mean_in(c->x->deck, name->text, l->children);
    c->x->incomplete = true;
    return card_fail(c, "unknown-subcircuit", name->where, hint, "unknown subcircuit '%s'", name->text);
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

static bool unknown_parameter(struct card *c, const struct level *l, const struct item *i)
{
    if (item_is(i, "m"))
        return item_is(i->value, "1") ||
               card_fail(c, "unsupported", i->where, "use several instances",
                         "%s: multiplicity m= of subcircuits is not supported", card_owner(c));
    struct name_table *names = name_table_new();
    for (const struct parameter_card *p = l->defaults; names && p; p = p->next)
        name_table_put(names, p->name->text, p->name);
    deck_warn(c->x->deck, "unknown-parameter", i->where,
              names ? deck_did_you_mean_in(c->x->deck, i->text, names) : NULL,
              "subcircuit '%s' has no parameter '%s'; it is ignored", l->name, i->text);
    name_table_free(names);
    return true;
}

/* Given parameters are evaluated where the instance stands, defaults inside. */
static bool define_parameters(struct card *c, struct instance *inner)
{
    struct kn_diagnostics *d = c->x->deck->diagnostics;
    bool good = true;
    for (struct item *i = c->statement->items->next; i; i = i->next) {
        if (!i->value)
            continue;
        if (!has_parameter(inner->level, i->text)) {
            good = unknown_parameter(c, inner->level, i) && good;
            continue;
        }
        const struct expression_tree *tree = expand_tree(c->x, i->value);
        good = tree && scope_parameter(inner->scope, i->text, tree, c->at->scope, i->where, d) && good;
    }
    for (const struct parameter_card *p = inner->level->defaults; p; p = p->next) {
        if (card_assignment(c, p->name->text))
            continue;
        const struct expression_tree *tree = expand_tree(c->x, p->name->value);
        good = tree && scope_parameter(inner->scope, p->name->text, tree, NULL, p->name->where, d) && good;
    }
    return good;
}

static void expand_elements(struct expansion *x, struct instance *at)
{
    for (struct statement *s = at->level->elements.first; s && !x->deck->out_of_memory; s = s->next)
        expand_statement(x, at, s);
}

static bool expand_instance(struct card *c, struct level *level, const int *ports)
{
    struct deck *k = c->x->deck;
    struct instance *inner = arena_alloc(k->scratch, sizeof *inner);
    if (!inner)
        return deck_no_memory(k);
    *inner = (struct instance){.parent = c->at, .level = level, .ports = ports, .call = c->statement};
    inner->path = arena_format(k->scratch, "%s%s.", c->at->path, c->statement->items->text);
    inner->scope = scope_new(k->arena, c->at->scope);
    if (!inner->path || !inner->scope)
        return deck_no_memory(k);
    if (!define_parameters(c, inner)) {
        c->x->incomplete = true;
        return false;
    }
    expand_scope(c->x, inner);
    expand_scope_check(c->x, inner);
    expand_elements(c->x, inner);
    if (!level->requests.first)
        return true;
    struct instance **later = vector_push(&c->x->later);
    if (!later)
        return deck_no_memory(k);
    *later = inner;
    return true;
}

static bool read_instance(struct card *c)
{
    const struct item *name = expand_instance_name(c->statement);
    size_t count = 0;
    while (count < c->word_count && c->words[count] != name)
        count++;
    if (!name)
        return card_expected(c, "nodes and the name of a subcircuit");
    struct level *level = level_find(c->at->level, name->text);
    if (!level)
        return unknown_subcircuit(c, name);
    if (level->broken || level->unusable) {
        c->x->incomplete = true;
        return false;
    }
    const int *ports = NULL;
    if (!check_ports(c, level, count, name)) {
        c->x->incomplete = true;
        return false;
    }
    return card_node_list(c, count, &ports, "a node") && expand_instance(c, level, ports);
}

/* ---- what refers to names ---- */

static bool resolve_control(struct expansion *x, struct pending *p, size_t i)
{
    const struct item *name = p->controls[i];
    struct element *e = p->element;
    const struct element *found = expand_find_element(x, p->at, name->text);
    const bool coupling = e->letter == 'k';
    if (found && (!coupling || found->letter == 'l')) {
        ((int *)e->control_elements)[e->control_element_count++] = found->number;
        return true;
    }
    x->deck->failed = true;
    if (found)
        return deck_fail(x->deck, "not-an-inductor", name->where, NULL, "'%s' couples inductors, but '%s' is none",
                         e->name, name->text);
    if (x->incomplete)
        return false;
    const char *guess = expand_closest_element(x, p->at, name->text);
    const char *hint = guess ? diagnostics_hint(x->deck->diagnostics, "did you mean '%s'?", guess) : NULL;
    return deck_fail(x->deck, "unknown-element", name->where, hint,
                     coupling ? "'%s' couples '%s', but there is no such inductor"
                              : "'%s' is controlled by '%s', but there is no such element",
                     e->name, name->text);
}

static void resolve(struct expansion *x, struct pending *p)
{
    bool good = true;
    for (size_t i = 0; i < p->control_count; i++)
        good = resolve_control(x, p, i) && good;
    const struct expression_tree *tree = p->law ? expand_tree(x, p->law) : NULL;
    if (tree) {
        const struct expression_resolver resolver = expand_resolver(x, p->at);
        p->element->expression =
            expression_compile(x->deck->arena, p->at->scope, tree, &resolver, x->deck->diagnostics);
        x->deck->failed |= !p->element->expression;
    }
}

/* ---- the whole ---- */

static bool prepare(struct expansion *x, struct deck *k, struct circuit *c)
{
    *x = (struct expansion){.deck = k, .circuit = c};
    x->nodes.size = sizeof(struct node);
    x->settings.size = sizeof(struct setting);
    x->words.size = sizeof(struct item *);
    x->numbers.size = sizeof(double);
    x->initial.size = x->guesses.size = sizeof(struct node_value);
    x->prints.size = x->saves.size = sizeof(struct request);
    x->transients.size = sizeof(struct transient);
    x->later.size = sizeof(struct instance *);
    x->models_end = &x->first_model;
    c->node_table = name_table_new();
    c->element_table = name_table_new();
    x->element_capacity = k->top->flat_elements;
    x->elements = arena_array(k->arena, x->element_capacity + 1, sizeof *x->elements);
    struct node *ground = vector_push(&x->nodes);
    if (!c->node_table || !c->element_table || !x->elements || !ground)
        return deck_no_memory(k);
    *ground = (struct node){"0", {k->file, 0, 0, 0}};
    return true;
}

static bool keep(struct expansion *x)
{
    struct circuit *c = x->circuit;
    struct arena *a = x->deck->arena;
    c->elements = x->elements;
    c->element_count = x->element_count;
    return vector_keep(&x->nodes, a, (const void **)&c->nodes, &c->node_count) &&
           vector_keep(&x->initial, a, (const void **)&c->initial, &c->initial_count) &&
           vector_keep(&x->guesses, a, (const void **)&c->guesses, &c->guess_count) &&
           vector_keep(&x->prints, a, (const void **)&c->prints, &c->print_count) &&
           vector_keep(&x->saves, a, (const void **)&c->saves, &c->save_count) &&
           vector_keep(&x->transients, a, (const void **)&c->transients, &c->transient_count) && expand_keep_models(x);
}

static void clean_up(struct expansion *x)
{
    struct vector *all[] = {&x->nodes,  &x->settings, &x->words, &x->numbers,    &x->initial, &x->guesses,
                            &x->prints, &x->saves,    &x->later, &x->transients, &x->name};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]->items);
}

static void expand_all(struct expansion *x, struct instance *top)
{
    expand_scope(x, top);
    expand_temperature(x, top);
    expand_scope_check(x, top);
    expand_deck_models(x, top);
    expand_elements(x, top);
    for (struct pending *p = x->first_pending; p; p = p->next)
        resolve(x, p);
    expand_requests(x, top);
    struct instance *const *later = x->later.items;
    for (size_t i = 0; i < x->later.count; i++)
        expand_requests(x, later[i]);
    expand_analyses(x, top);
}

void expand_deck(struct deck *k, struct circuit *c)
{
    struct expansion x;
    expand_check(k);
    struct instance top = {.level = k->top, .path = "", .scope = scope_new(k->arena, NULL)};
    if (prepare(&x, k, c) && top.scope) {
        expand_all(&x, &top);
        if (!k->failed && !k->out_of_memory && !keep(&x))
            deck_no_memory(k);
    } else {
        deck_no_memory(k);
    }
    clean_up(&x);
}
