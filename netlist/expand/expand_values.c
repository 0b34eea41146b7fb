/* expand_values.c - numbers, constant expressions and name=value settings in an instance's scope. */
#include "netlist/expand/expand.h"

#include <math.h>
#include <string.h>

bool expand_add(struct expansion *x, struct vector *to, const void *item)
{
    return vector_add(to, item) || deck_no_memory(x->deck);
}

bool item_is_name(const struct item *i)
{
    if (i->kind != ITEM_WORD)
        return false;
    for (const char *c = i->text; *c; c++) {
        const bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
        if (!letter && !(c > i->text && ((*c >= '0' && *c <= '9') || *c == '.')))
            return false;
    }
    return i->text[0] != '\0';
}

const struct expression_tree *expand_parse(struct expansion *x, const char *text, size_t length,
                                           struct kn_location where)
{
    const struct expression_tree *tree =
        expression_parse(x->deck->arena, text, length, where, x->deck->dialect, x->deck->diagnostics);
    x->deck->failed |= !tree;
    return tree;
}

struct item_state *expand_item_state(struct expansion *x, const struct item *i)
{
    struct item_state **page = &x->items[i->number / ITEM_PAGE];
    if (!*page && !(*page = arena_array(x->deck->scratch, ITEM_PAGE, sizeof **page))) {
        deck_no_memory(x->deck);
        return NULL;
    }
    return &(*page)[i->number % ITEM_PAGE];
}

typedef const struct expression_tree *expression_reader(struct arena *, const char *, size_t, struct kn_location,
                                                        enum dialect, struct kn_diagnostics *);

/* An item's tree by a reader, kept in *tree. */
static const struct expression_tree *kept_tree(struct expansion *x, const struct item *i, struct item_state *state,
                                               const struct expression_tree **tree, expression_reader *read)
{
    if (*tree || state->broken)
        return *tree;
    struct kn_location where = i->where;
    where.column += i->kind == ITEM_STRING; /* behind the quote */
    *tree = read(x->deck->arena, i->text, strlen(i->text), where, x->deck->dialect, x->deck->diagnostics);
    state->broken = !*tree;
    x->deck->failed |= !*tree;
    return *tree;
}

const struct expression_tree *expand_tree(struct expansion *x, const struct item *i)
{
    struct item_state *state = expand_item_state(x, i);
    return state ? kept_tree(x, i, state, &state->tree, expression_parse) : NULL;
}

const struct expression_tree *expand_constant_tree(struct expansion *x, const struct item *i)
{
    if (x->deck->dialect != DIALECT_NGSPICE && x->deck->dialect != DIALECT_KICAD)
        return expand_tree(x, i);
    struct item_state *state = expand_item_state(x, i);
    return state ? kept_tree(x, i, state, &state->constant, expression_parse_constant) : NULL;
}

static bool finite_number(struct expansion *x, const struct item *i, double value)
{
    if (isfinite(value))
        return true;
    return deck_fail(x->deck, "number-range", i->where, "the largest number is about 1.8e308", "'%s' is out of range",
                     i->text);
}

/* A word that begins like a number and has no operator was meant as one: 1k5, 4.7k%. */
static bool was_meant_as_number(const struct item *i)
{
    const char *c = i->text;
    if (i->kind != ITEM_WORD)
        return false;
    c += *c == '-' || *c == '+';
    c += *c == '.';
    return *c >= '0' && *c <= '9' && !strpbrk(c, "+-*/^<>&|?:!~");
}

static bool no_number(struct expansion *x, const struct item *i)
{
    return deck_fail(x->deck, "value", i->where, "write digits, a decimal point and one suffix: 1.5k 10meg 4.7u 1e-9",
                     "'%s' is not a number", i->text);
}

/* 1.5a, with nothing else behind the digits. */
static bool ends_with(const struct item *i, char letter)
{
    const size_t length = strlen(i->text);
    return length >= 2 && (i->text[length - 1] | 0x20) == letter && strchr("0123456789.", i->text[length - 2]);
}

/* 5A is five ampere to most programs, five atto to HSPICE and ngspice 46; said once, since a deck has many of them. */
static void note_ampere(struct expansion *x, const struct item *i, double value)
{
    if (x->ampere_noted || !ends_with(i, 'a'))
        return;
    x->ampere_noted = true;
    deck_note(x->deck, "ampere", i->where, "'%s' is read as %.6g: A is the unit ampere; for atto write e-18", i->text,
              value);
}

/* 1x is 1e6 in HSPICE and Xyce and 1 in others; of a deck that could be of any program that is said, once. */
static void warn_of_mega(struct expansion *x, const struct item *i, double value)
{
    if (x->mega_noted || x->deck->dialect != DIALECT_SPICE || !ends_with(i, 'x'))
        return;
    x->mega_noted = true;
    deck_warn(x->deck, "mega", i->where, "write meg for 1e6; --dialect xyce and hspice read it so",
              "'%s' is read as %.6g, as in most programs; in HSPICE and Xyce x is 1e6", i->text, value);
}

bool expand_value(struct expansion *x, const struct instance *at, struct item *i, double *value)
{
    if (i->is_number) {
        *value = i->numeric;
        if (number_x_is_mega(x->deck->dialect))
            expression_number_in(x->deck->dialect, i->text, strlen(i->text), value);
        note_ampere(x, i, *value);
        warn_of_mega(x, i, *value);
        number_warn_of_exponent(i->text, *value, i->where, x->deck->diagnostics);
        return finite_number(x, i, *value);
    }
    if (i->kind == ITEM_GROUP || i->kind == ITEM_STRING)
        return deck_fail(x->deck, "value", i->where, "an expression stands in braces: {2*a}",
                         "expected a number, found '%s'", item_text(i));
    const char *with_point = was_meant_as_number(i) ? number_with_point(x->deck->arena, i->text) : NULL;
    if (with_point) {
        deck_note(x->deck, "decimal-sign", i->where,
                  "'%s' is read as %s; programs without such numbers drop what is behind "
                  "the letter",
                  i->text, with_point);
        return expression_number(with_point, strlen(with_point), value) && finite_number(x, i, *value);
    }
    if (was_meant_as_number(i))
        return no_number(x, i);
    if (i->kind == ITEM_WORD && strspn(i->text, "+-*/^<>&|?:!~") == strlen(i->text))
        return deck_fail(x->deck, "value", i->where, "an expression with blanks stands in braces: {2 * a}",
                         "expected a number, found '%s'", i->text);
    if (item_is_name(i) && !scope_has_parameter(at->scope, i->text))
        return deck_fail(x->deck, "value", i->where, NULL, "expected a number, found '%s', which is no parameter",
                         i->text);
    const struct expression_tree *tree = expand_constant_tree(x, i);
    if (tree && scope_evaluate(at->scope, tree, x->deck->diagnostics, value))
        return true;
    x->deck->failed = true;
    return false;
}

/* ---- settings ---- */

bool expand_push_setting(struct expansion *x, const char *name, struct kn_location where, struct setting value)
{
    value.name = arena_text(x->deck->arena, name, strlen(name));
    value.where = where;
    return value.name ? expand_add(x, &x->settings, &value) : deck_no_memory(x->deck);
}

/* version=4.7.0, also in quotes */
static bool is_version(const struct item *i)
{
    const char *point = strchr(i->text, '.');
    return i->text[strspn(i->text, "0123456789.")] == '\0' && point && strchr(point + 1, '.');
}

/* tol=1%, of which LTspice makes nothing either. */
static bool is_percentage(const struct item *i)
{
    const size_t length = strlen(i->text);
    double ignored;
    return length > 1 && i->text[length - 1] == '%' && expression_number(i->text, length - 1, &ignored);
}

/* Words of LTspice's libraries about a part, mfg=Smith_&_Sons, and HSPICE's search='folder'. */
static bool is_about_the_part(const char *name)
{
    return names_equal(name, "mfg") || names_equal(name, "pn") || names_equal(name, "search");
}

/* A number of a list, of which `text` is what is left of a word without brackets. */
static bool read_member(struct expansion *x, const struct instance *at, struct kn_location where, const char *text)
{
    double value;
    const size_t length = strlen(text);
    if (!expression_number(text, length, &value)) {
        const struct expression_tree *tree = expand_parse(x, text, length, where);
        if (!tree || !scope_evaluate(at->scope, tree, x->deck->diagnostics, &value)) {
            x->deck->failed = true;
            return false;
        }
    }
    return expand_add(x, &x->numbers, &value);
}

/* "[1 2 {a}]", a list of numbers in a text; a member is a number or a formula without blanks. */
static bool list_of_text(struct expansion *x, const struct instance *at, struct kn_location where, const char *text,
                         struct setting *s)
{
    static const char blanks[] = " \t,[]{}'";
    bool good = true;
    x->numbers.count = 0;
    for (text += strspn(text, blanks); *text && good; text += strspn(text, blanks)) {
        const size_t length = strcspn(text, blanks);
        const char *member = arena_text(x->deck->arena, text, length);
        good = member ? read_member(x, at, where, member) : deck_no_memory(x->deck);
        text += length;
    }
    return good && (vector_keep(&x->numbers, x->deck->arena, (const void **)&s->list, &s->list_count) ||
                    deck_no_memory(x->deck));
}

/* A word that is neither a number nor a parameter stays a word, e.g. method=gear. */
static bool read_right_side(struct expansion *x, const struct instance *at, const char *name, struct item *i,
                            struct setting *s)
{
    const char *named = i->kind == ITEM_EXPRESSION || item_is_name(i) ? scope_text(at->scope, i->text) : NULL;
    s->has_value = true;
    if (named && named[0] == '[')
        return list_of_text(x, at, i->where, named, s);
    if (named) /* of a parameter that is a text */
        return (s->text = arena_text(x->deck->arena, named, strlen(named))) || deck_no_memory(x->deck);
    const bool word =
        is_about_the_part(name) ? i->kind == ITEM_WORD || i->kind == ITEM_EXPRESSION
        : i->kind == ITEM_EXPRESSION
            ? is_version(i)
            : i->kind == ITEM_WORD && !i->is_number &&
                  ((item_is_name(i) && !scope_has_parameter(at->scope, i->text)) || is_version(i) || is_percentage(i));
    if (i->kind != ITEM_STRING && !word)
        return expand_value(x, at, i, &s->value);
    s->text = arena_text(x->deck->arena, i->text, strlen(i->text));
    return s->text || deck_no_memory(x->deck);
}

/* Name of the n-th value of a list: ic, ic2, ic3. */
static const char *name_in_list(struct expansion *x, const struct item *i, int n)
{
    if (n == 1)
        return i->text;
    const char *name = arena_format(x->deck->arena, "%s%d", i->text, n);
    if (!name)
        deck_no_memory(x->deck);
    return name;
}

/* Values in turn; what follows the first is part of a list or not. */
static bool push_values(struct expansion *x, const struct instance *at, struct item *i, struct item *value, bool list)
{
    bool good = true;
    int n = 1;
    for (struct item *v = value; v; v = list ? v->next : NULL, n++) {
        struct setting s = {0};
        const char *name = name_in_list(x, i, n);
        good = name && read_right_side(x, at, i->text, v, &s) && expand_push_setting(x, name, i->where, s) && good;
    }
    return good;
}

bool expand_setting(struct expansion *x, const struct instance *at, struct item *i)
{
    if (i->kind != ITEM_WORD)
        return deck_fail(x->deck, "syntax", i->where, "write name=value", "expected name=value, found '%s'",
                         item_text(i));
    if (!i->value)
        return expand_push_setting(x, i->text, i->where, (struct setting){0});
    const char *comma = deck_decimal_comma(x->deck, i->value);
    if (comma && !names_equal(i->text, "ic") && !names_equal(i->text, "tc"))
        return deck_fail(x->deck, "value", i->value->where, comma, "'%s' takes a single value", i->text);
    return push_values(x, at, i, i->value, true);
}

struct item *expand_value_behind(const struct item *i)
{
    struct item *next = i->next;
    const bool value =
        next && !next->value && (next->kind == ITEM_EXPRESSION || next->kind == ITEM_STRING || next->is_number);
    return !i->value && item_is_name(i) && value ? next : NULL;
}

bool expand_setting_with_blank(struct expansion *x, const struct instance *at, struct item *i, struct item *value)
{
    return push_values(x, at, i, value, false);
}

/* ---- lists in brackets ---- */

bool expand_begins_list(const struct item *i)
{
    return (i->kind == ITEM_WORD || i->kind == ITEM_EXPRESSION) && i->text[0] == '[';
}

/* What an item adds to the list; *ends where its bracket closes. */
static bool read_members(struct expansion *x, const struct instance *at, const struct item *i, bool *ends)
{
    const char *text = i->text;
    size_t length = strlen(text);
    if (i->kind != ITEM_WORD && i->kind != ITEM_EXPRESSION)
        return deck_fail(x->deck, "value", i->where, NULL, "expected a number, found '%s'", item_text(i));
    const bool opens = *text == '[';
    *ends = length > 0 && text[length - 1] == ']';
    text += opens;
    length -= (size_t)opens + (size_t)*ends;
    const char *number = length > 0 ? arena_text(x->deck->arena, text, length) : "";
    if (!number)
        return deck_no_memory(x->deck);
    return length == 0 || read_member(x, at, i->where, number);
}

/* The values behind `=` and the items behind these up to the one that closes the bracket. */
static bool collect_list(struct expansion *x, const struct instance *at, struct item **i)
{
    struct item *named = *i;
    bool ends = false, good = true;
    for (struct item *v = named->value; v && !ends; v = v->next)
        good = read_members(x, at, v, &ends) && good;
    while (!ends && (*i)->next) {
        *i = (*i)->next;
        good = read_members(x, at, *i, &ends) && good;
        for (struct item *v = (*i)->value; v && !ends; v = v->next)
            good = read_members(x, at, v, &ends) && good;
    }
    return ends ? good
                : deck_fail(x->deck, "syntax", named->value->where, NULL, "this '[' of '%s' is never closed",
                            named->text);
}

bool expand_list_setting(struct expansion *x, const struct instance *at, struct item **i)
{
    struct item *named = *i;
    struct setting s = {.has_value = true};
    x->numbers.count = 0;
    return collect_list(x, at, i) &&
           (vector_keep(&x->numbers, x->deck->arena, (const void **)&s.list, &s.list_count) ||
            deck_no_memory(x->deck)) &&
           expand_push_setting(x, named->text, named->where, s);
}

bool expand_keep_settings(struct expansion *x, const struct setting **settings, size_t *count)
{
    return vector_keep(&x->settings, x->deck->arena, (const void **)settings, count) || deck_no_memory(x->deck);
}
