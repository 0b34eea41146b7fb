/* deck_reader.c - sorts statements into levels: the deck and its subcircuits, with their models, parameters and
 * functions. */
#include "netlist/deck/deck_reader.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { DEEPEST_LEVEL = 100 };

struct level *level_new(struct deck *k, const char *name, struct kn_location where, struct level *parent)
{
    struct level *l = arena_alloc(k->scratch, sizeof *l);
    if (!l) {
        deck_no_memory(k);
        return NULL;
    }
    *l = (struct level){.name = name, .where = where, .parent = parent, .depth = parent ? parent->depth + 1 : 0};
    l->defaults_end = &l->defaults;
    l->parameters_end = &l->parameters;
    l->functions_end = &l->functions;
    l->number = k->level_count++;
    l->port_table = name_table_new(k->scratch);
    l->parameter_table = name_table_new(k->scratch);
    l->function_table = name_table_new(k->scratch);
    l->models = name_table_new(k->scratch);
    l->children = name_table_new(k->scratch);
    if (!l->port_table || !l->parameter_table || !l->function_table || !l->models || !l->children) {
        deck_no_memory(k);
        return NULL;
    }
    return l;
}

struct level *level_find(const struct level *from, const char *name)
{
    for (; from; from = from->parent) {
        struct level *found = name_table_get(from->children, name);
        if (found)
            return found;
    }
    return NULL;
}

/* As in ngspice, of two models or subcircuits the first counts, of two parameters or functions the last.  A file
 * included twice is no reason for a message. */
static void warn_twice(struct deck *k, const char *what, const char *which, const struct item *name,
                       struct kn_location first)
{
    const struct kn_location where = name->where;
    if (k->is_altered)
        return;
    if (where.line == first.line && where.column == first.column && strcmp(where.file, first.file) == 0)
        return;
    const bool own = strcmp(where.file, k->file) == 0;
    if (!own && k->told_twice && strcmp(where.file, k->told_twice) == 0)
        return; /* libraries of hundreds of models have many such, of which the deck may use none */
    k->told_twice = own ? k->told_twice : where.file;
    deck_warn(k, "defined-twice", where,
              diagnostics_hint(k->diagnostics, "the first definition is at %s", deck_place(k, first)),
              "%s '%s' is defined twice; the %s definition counts%s", what, name->text, which,
              own ? "" : "; further ones of this file are not told");
}

/* ---- .model name type ( settings ) ---- */

/* The types of all kinds, NULL-terminated; NULL without memory. */
static const char **known_types(struct deck *k, size_t *count)
{
    const struct element_kind *kind;
    *count = 0;
    for (size_t i = 0; (kind = catalogue_kind(k->catalogue, i)); i++)
        for (const struct model_type *t = kind->types; t && t->name; t++)
            ++*count;
    const char **names = arena_array(k->scratch, *count + 1, sizeof *names);
    *count = 0;
    for (size_t i = 0; names && (kind = catalogue_kind(k->catalogue, i)); i++)
        for (const struct model_type *t = kind->types; t && t->name; t++)
            if (catalogue_find(k->catalogue, kind->letter, t->name, NAN) == kind) /* the first that has it */
                names[(*count)++] = t->name;
    return names;
}

/* Code models, of which there are too many for a list in passing. */
static bool is_of_ports(const struct deck *k, const char *type)
{
    const struct element_kind *kind = catalogue_find(k->catalogue, 'a', type, NAN);
    return kind && (kind->form == CARD_PORTS || kind->form == CARD_TYPED);
}

static const char *hint_for_type(struct deck *k, const char *written)
{
    size_t count;
    const char **names = known_types(k, &count);
    const char *text = "known types:", *hint = names && written ? deck_did_you_mean(k, written, names, count) : NULL;
    for (size_t i = 0; names && !hint && text && i < count; i++)
        if (!is_of_ports(k, names[i]))
            text = arena_format(k->scratch, "%s %s", text, names[i]);
    text = text ? arena_format(k->scratch, "%s, and those that 'knoten devices a' lists", text) : NULL;
    return hint || !text ? hint : diagnostics_hint(k->diagnostics, "%s", text);
}

/* The name a type is known by; that of another simulator in lower case, which is an error only where one is used. */
static const char *read_type(struct deck *k, const struct item *type)
{
    const char *known = catalogue_type(k->catalogue, type->text);
    const struct foreign_kind *foreign = known ? NULL : foreign_type(type->text);
    if (!known && !foreign)
        deck_fail(k, "model-type", type->where, hint_for_type(k, type->text), "unknown model type '%s'", type->text);
    return known ? known : foreign ? foreign->name : NULL;
}

/* AKO:name or AKO: name, a kind of another model (PSpice); returns the type behind it. */
static struct item *read_base(struct deck *k, const struct item *ako, struct model_card *m)
{
    const struct item *name = ako->text[4] ? ako : ako->next;
    const char *text = name && name->kind == ITEM_WORD ? name->text + (name == ako ? 4 : 0) : NULL;
    m->base = text ? arena_text(k->arena, text, strlen(text)) : NULL;
    return text ? name->next : NULL;
}

static bool read_model(struct deck *k, struct statement *s, struct model_card *m)
{
    const struct item *name = s->items->next;
    struct item *type = name ? name->next : NULL;
    if (s->broken)
        return false;
    if (!name || name->kind != ITEM_WORD)
        return deck_fail(k, "syntax", name ? name->where : s->end, "write .model name type(parameter=value ..)",
                         "expected the model's name");
    if (type && type->kind == ITEM_WORD && strncasecmp(type->text, "ako:", 4) == 0)
        type = read_base(k, type, m);
    if (m->base && (!type || type->value || type->kind == ITEM_GROUP)) { /* the base tells */
        m->settings = type;
        k->has_bases = true;
        return true;
    }
    if (!type || type->kind != ITEM_WORD)
        return deck_fail(k, "syntax", type ? type->where : s->end, hint_for_type(k, NULL),
                         "expected the type of model '%s'", name->text);
    m->type = read_type(k, type);
    m->settings = type->next;
    return m->type;
}

/* nch.1 is one of the bins of nch. */
static bool add_bin(struct deck *k, struct model_card *m)
{
    const char *point = strrchr(m->name, '.');
    if (!point || point == m->name || !point[1] || point[1 + strspn(point + 1, "0123456789")])
        return true;
    const char *name = arena_text(k->arena, m->name, (size_t)(point - m->name));
    if (!k->current->bins)
        k->current->bins = name_table_new(k->scratch);
    if (!name || !k->current->bins)
        return false;
    m->next_bin = name_table_get(k->current->bins, name);
    return name_table_put(k->current->bins, name, m);
}

/* Whether elements of one letter may have models of both types. */
static bool compete(const struct deck *k, const struct model_card *a, const struct model_card *b)
{
    const struct element_kind *kind;
    if (!a->type || !b->type || names_equal(a->type, b->type))
        return true;
    for (size_t i = 0; (kind = catalogue_kind(k->catalogue, i)); i++)
        if (kind->types && catalogue_find(k->catalogue, kind->letter, a->type, NAN) &&
            catalogue_find(k->catalogue, kind->letter, b->type, NAN))
            return true;
    return false;
}

void deck_take_model(struct deck *k, struct statement *s)
{
    struct model_card *m = arena_alloc(k->scratch, sizeof *m);
    if (!m) {
        deck_no_memory(k);
        return;
    }
    m->number = k->model_count++;
    m->statement = s;
    m->branch = k->branch;
    k->last_model = m;
    m->broken = !read_model(k, s, m);
    const struct item *name = s->items->next;
    if (!name || name->kind != ITEM_WORD)
        return;
    m->name = arena_text(k->arena, name->text, strlen(name->text));
    struct model_card *before = name_table_get(k->current->models, name->text), *last = before;
    while (before && (before->branch != m->branch || !compete(k, before, m))) {
        last = before;
        before = before->other;
    }
    if (before && !k->is_altered)
        warn_twice(k, "model", "first", name, before->statement->items->next->where);
    else if (last && !k->is_altered)
        last->other = m;
    else if (!m->name || !name_table_put(k->current->models, m->name, m))
        deck_no_memory(k);
    if ((!before || k->is_altered) && m->name && !add_bin(k, m))
        deck_no_memory(k);
}

/* ---- .param name=value .. ---- */

/* A second definition takes the place of the first. */
static bool take_parameter(struct deck *k, struct level *l, struct parameter_card ***end, struct item *name,
                           bool broken)
{
    struct parameter_card *p = name_table_get(l->parameter_table, name->text), *last = p;
    for (; p && p->branch != k->branch; p = p->other)
        last = p;
    if (p) {
        warn_twice(k, "parameter", "last", name, p->name->where);
        p->name = name;
        p->broken = broken;
        return true;
    }
    p = arena_alloc(k->scratch, sizeof *p);
    if (!p || (!last && !name_table_put(l->parameter_table, name->text, p)))
        return deck_no_memory(k);
    if (last)
        last->other = p;
    p->name = name;
    p->branch = k->branch;
    p->broken = broken;
    **end = p;
    *end = &p->next;
    return true;
}

/* The card of this name, emptied if there was one. */
static struct function_card *function_named(struct deck *k, struct level *l, const struct item *name)
{
    struct function_card *f = name_table_get(l->function_table, name->text), *last = f;
    for (; f && f->branch != k->branch; f = f->other)
        last = f;
    if (f) {
        warn_twice(k, "function", "last", name, f->where);
        f->argument_count = 0;
        return f;
    }
    f = arena_alloc(k->scratch, sizeof *f);
    if (!f || (!last && !name_table_put(l->function_table, name->text, f)))
        return NULL;
    if (last)
        last->other = f;
    f->branch = k->branch;
    *l->functions_end = f;
    l->functions_end = &f->next;
    return f;
}

static bool take_function(struct deck *k, const struct item *name, const struct item *arguments, struct item *body)
{
    struct function_card *f = function_named(k, k->current, name);
    const size_t count = item_count(arguments->inside);
    if (!f || !(f->arguments = arena_array(k->scratch, count + 1, sizeof *f->arguments)))
        return deck_no_memory(k);
    f->name = name->text;
    f->where = name->where;
    f->body = body;
    for (const struct item *i = arguments->inside; i; i = i->next) {
        if (i->kind != ITEM_WORD || i->value)
            return deck_fail(k, "syntax", i->where, NULL, "expected the name of an argument of '%s'", name->text);
        f->arguments[f->argument_count++] = i->text;
    }
    return true;
}

static bool is_expression(const struct item *i)
{
    return i->kind == ITEM_WORD || i->kind == ITEM_EXPRESSION;
}

static bool begins_with_letter(const struct item *i)
{
    const char c = (char)(i->text[0] | 0x20);
    return (c >= 'a' && c <= 'z') || i->text[0] == '_' || (unsigned char)i->text[0] >= 0x80;
}

/* The word and what follows it up to an item as one expression, table(x,1,2,3,4); NULL without memory. */
static struct item *call_of(struct deck *k, const struct item *name, const struct item *group)
{
    struct item *call = arena_alloc(k->arena, sizeof *call);
    char *text = arena_text(k->arena, name->begin, (size_t)(group->end - name->begin));
    if (!call || !text) {
        deck_no_memory(k);
        return NULL;
    }
    for (char *at = text; *at; at++)
        *at = (char)(*at == '\v' || *at == '\f' ? ' ' : *at);
    *call = *name;
    call->kind = ITEM_EXPRESSION;
    call->text = text;
    call->end = group->end;
    call->next = group->next;
    return call;
}

/* The last of the items that stand without a blank behind a word, 2*(1+a)**b; a function's parentheses may have one. */
static const struct item *end_of_value(const struct item *word)
{
    const struct item *end = word;
    while (end->next && !end->next->value &&
           (end->next->begin == end->end || (end == word && begins_with_letter(word) && end->next->kind == ITEM_GROUP)))
        end = end->next;
    return end;
}

/* .param r 100, which LTspice and PSpice take for r=100. */
static void join_without_sign(struct deck *k, struct item *i)
{
    struct item *next = i->next;
    const struct item *end = next && next->kind == ITEM_WORD && !next->value ? end_of_value(next) : next;
    if (end != next && i->kind == ITEM_WORD && !i->value)
        next = call_of(k, next, end);
    if (i->kind != ITEM_WORD || i->value || !begins_with_letter(i) || !next || next->value || !is_expression(next))
        return;
    deck_warn(k, "syntax", i->where, "write name=value", "'%s %s' is read as %s=%s", i->text, item_text(next), i->text,
              item_text(next));
    i->value = next;
    i->next = next->next;
    next->next = NULL;
}

void deck_take_parameters(struct deck *k, struct statement *s)
{
    struct item *i = s->items->next;
    if (!i && !s->broken && strcmp(s->items->where.file, k->file) != 0) /* of a library */
        deck_warn(k, "syntax", s->end, NULL, "'%s' without a parameter says nothing", s->items->text);
    else if (!i && !s->broken)
        deck_fail(k, "syntax", s->end, "write .param name=value", "expected a parameter behind '%s'", s->items->text);
    for (bool good = true; i && good; i = i->next) {
        join_without_sign(k, i);
        struct item *group = i->next;
        if (i->value)
            deck_join_texts(k, i);
        if (i->kind == ITEM_WORD && i->value && !begins_with_letter(i)) {
            good = deck_fail(k, "syntax", i->where, "names of parameters begin with a letter",
                             "'%s' is no name of a parameter", i->text);
        } else if (i->kind == ITEM_WORD && i->value && i->value->kind == ITEM_STRING) {
            deck_take_text(k, i);
            take_parameter(k, k->current, &k->current->parameters_end, i, false);
        } else if (i->kind == ITEM_WORD && i->value && is_expression(i->value)) {
            take_parameter(k, k->current, &k->current->parameters_end, i, false);
        } else if (i->kind == ITEM_WORD && group && group->kind == ITEM_GROUP && group->value) {
            take_function(k, i, group, group->value);
            i = group;
        } else {
            good = s->broken || deck_fail(k, "syntax", i->where,
                                          "write name=value; an expression with blanks stands in braces: {a + b}",
                                          "expected name=value, found '%s'", item_text(i));
            if (i->kind == ITEM_WORD)
                take_parameter(k, k->current, &k->current->parameters_end, i, true);
        }
    }
}

/* The first number behind `.step param name`, or NULL; 1 in place of file=name, whose numbers are not known yet. */
static struct item *stepped_value(struct deck *k, const struct statement *s, const struct item **name)
{
    const struct item *i = s->items->next;
    while (i && !item_is(i, "param"))
        i = i->next;
    *name = i ? i->next : NULL;
    struct item *value = *name ? (*name)->next : NULL;
    while (value && value->kind == ITEM_WORD && !value->is_number && !item_is(value, "file"))
        value = value->next;
    struct item *one = value && item_is(value, "file") && value->value ? arena_alloc(k->scratch, sizeof *one) : NULL;
    if (!one)
        return value && is_expression(value) ? value : NULL;
    *one = *value;
    one->text = "1";
    one->is_number = true;
    one->numeric = 1;
    one->value = NULL;
    return one;
}

void deck_take_stepped_parameters(struct deck *k)
{
    for (const struct statement *s = k->top->cards.first; s; s = s->next) {
        const struct item *name = NULL;
        struct item *value = item_is(s->items, ".step") && !s->broken ? stepped_value(k, s, &name) : NULL;
        if (!value || name->kind != ITEM_WORD || name->value || name_table_get(k->top->parameter_table, name->text))
            continue;
        struct item *made = arena_array(k->scratch, 2, sizeof *made); /* name and value, without what follows them */
        if (!made) {
            deck_no_memory(k);
            return;
        }
        made[0] = *name;
        made[1] = *value;
        made[0].value = &made[1];
        made[0].next = made[1].next = NULL;
        take_parameter(k, k->top, &k->top->parameters_end, made, false);
    }
}

/* ---- .func name(arguments) body ---- */

void deck_take_function(struct deck *k, struct statement *s)
{
    const struct item *name = s->items->next;
    const struct item *arguments = name ? name->next : NULL;
    struct item *body = arguments ? arguments->next : NULL;
    const char *form = "write .func name(x,y) {expression}";
    if (s->broken)
        return;
    if (!name || name->kind != ITEM_WORD)
        deck_fail(k, "syntax", name ? name->where : s->end, form, "expected the function's name");
    else if (!arguments || arguments->kind != ITEM_GROUP)
        deck_fail(k, "syntax", arguments ? arguments->where : s->end, form,
                  "expected the arguments of '%s' in parentheses", name->text);
    else if (!body || !is_expression(body))
        deck_fail(k, "syntax", body ? body->where : s->end, form, "expected the expression that '%s' stands for",
                  name->text);
    else if (body->next)
        deck_fail(k, "syntax", body->next->where, form, "expected nothing behind the expression of '%s'", name->text);
    else
        take_function(k, name, arguments, body);
}

/* ---- .subckt name ports .. [params:] name=default .. ---- */

/* Two ports of one name, or one named 0, are as good as one if the instance connects them so. */
static bool take_port(struct deck *k, struct level *l, const struct item *i)
{
    const char **port = &l->ports[l->port_count++];
    *port = i->text;
    const bool bound = strcmp(i->text, "0") == 0 || name_table_get(l->port_table, i->text);
    l->has_bound_ports |= bound;
    return bound || name_table_put(l->port_table, i->text, port) || deck_no_memory(k);
}

/* PSpice's text: has parameters that are words. */
static bool is_params_word(const struct item *i)
{
    return item_is(i, "params:") || item_is(i, "params") || item_is(i, "param:") || item_is(i, "text:");
}

/* PSpice's optional: vcc=$g_vcc, a port that an instance need not connect. */
static bool take_optional_port(struct deck *k, struct level *l, const struct item *i, size_t most)
{
    if (!l->optional && !(l->optional = arena_array(k->scratch, most, sizeof *l->optional)))
        return deck_no_memory(k);
    l->optional[l->port_count] = i->value;
    return take_port(k, l, i);
}

static bool read_ports(struct deck *k, struct level *l, struct item *i)
{
    const size_t most = item_count(i) + 1;
    l->ports = arena_array(k->scratch, most, sizeof *l->ports);
    if (!l->ports)
        return deck_no_memory(k);
    bool good = true, in_parameters = false, optional = false;
    for (; i && good; i = i->next) {
        if (i->kind == ITEM_EXPRESSION && i->value) /* PSpice's params: {ratio}=1 */
            i->kind = ITEM_WORD;
        if (is_params_word(i)) {
            in_parameters = true;
            optional = false;
        } else if (item_is(i, "optional:"))
            optional = true;
        else if (optional && i->kind == ITEM_WORD && i->value && i->value->kind == ITEM_WORD)
            good = take_optional_port(k, l, i, most);
        else if (i->kind == ITEM_WORD && i->value)
            good = take_parameter(k, l, &l->defaults_end, i, false);
        else if (i->kind == ITEM_WORD && !in_parameters && !l->defaults)
            good = take_port(k, l, i);
        else if (i->kind == ITEM_GROUP && !i->value && !i->next && l->port_count > 0 && !l->defaults)
            deck_warn(k, "syntax", i->where, NULL, "what stands in parentheses behind the ports is ignored");
        else
            good = deck_fail(k, "syntax", i->where, "write .subckt name ports .. params: name=value ..",
                             "expected %s, found '%s'", in_parameters || l->defaults ? "name=value" : "a port",
                             item_text(i));
    }
    return good;
}

/* Opens a level even when its head has errors, so that what follows is read as its body. */
void deck_take_subcircuit(struct deck *k, struct statement *s)
{
    struct item *name = s->items->next;
    const bool named = name && name->kind == ITEM_WORD && !name->value;
    if (named)
        deck_open_group(name);
    const char *text = named ? arena_text(k->arena, name->text, strlen(name->text)) : "?";
    struct level *l = text ? level_new(k, text, named ? name->where : s->items->where, k->current) : NULL;
    if (!l) {
        deck_no_memory(k);
        return;
    }
    if (l->depth > DEEPEST_LEVEL) {
        deck_fail(k, "too-deep", l->where, "is an '.ends' missing?", "more than %d subcircuits inside each other",
                  DEEPEST_LEVEL);
        l->depth = 0; /* say it once */
    }
    k->current = l;
    l->broken = s->broken;
    l->branch = k->branch;
    k->branch = NULL;
    if (!named) {
        l->broken = true;
        if (!s->broken)
            deck_fail(k, "syntax", name ? name->where : s->end, "write .subckt name ports ..",
                      "expected the subcircuit's name");
        return;
    }
    l->broken |= !read_ports(k, l, name->next);
    struct level *before = name_table_get(l->parent->children, text), *last = before;
    while (before && before->branch != l->branch) {
        last = before;
        before = before->other;
    }
    if (before && !k->is_altered)
        warn_twice(k, "subcircuit", "first", name, before->where);
    else if (last && !k->is_altered)
        last->other = l;
    else if (!name_table_put(l->parent->children, text, l))
        deck_no_memory(k);
}

void deck_take_ends(struct deck *k, struct statement *s)
{
    const struct item *name = s->items->next;
    struct level *l = k->current;
    if (!l->parent) {
        static const char text[] = "'.ends' without a '.subckt' before it";
        const bool own = strcmp(s->items->where.file, k->file) == 0; /* not of a library */
        if (!own || k->dialect == DIALECT_XYCE || k->dialect == DIALECT_PSPICE)
            deck_warn(k, "ends", s->items->where, NULL, "%s; it is ignored", text);
        else
            deck_fail(k, "ends", s->items->where, NULL, "%s", text);
        return;
    }
    deck_check_branches(k, NULL);
    k->branch = l->branch;
    if (name && !item_is(name, l->name) && !l->broken) {
        const struct level *outer = l;
        while (outer && outer->name && !item_is(name, outer->name))
            outer = outer->parent;
        if (outer && outer->name) {
            deck_fail(
                k, "ends", l->where,
                diagnostics_hint(k->diagnostics, "expected '.ends %s' before %s", l->name, deck_place(k, name->where)),
                "subcircuit '%s' has no '.ends'", l->name);
            k->current = outer->parent;
            k->branch = outer->branch;
            return;
        }
        deck_warn(k, "ends", name->where, NULL, "'.ends %s' closes subcircuit '%s' of %s", item_text(name), l->name,
                  deck_place(k, l->where));
    }
    k->current = l->parent;
}
