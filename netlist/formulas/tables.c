/* tables.c - TABLE expression = (x1,y1) (x2,y2) .. on E and G: straight lines, constant beyond the ends.
 *
 * The expression may stand in braces or quotes or in nothing, the `=` and the parentheses may be missing, and the numbers
 * may be expressions in braces: what stands in the file behind the word TABLE is made a call of table( ), as formulas have
 * it.  LTspice's I1 a b tbl=(..) is the same of its own voltage.
 */
#include "netlist/expand/expand_card.h"
#include "netlist/expression/expression_tree.h"

#include <string.h>

/* Where the text of an item and of its values ends. */
static const char *end_of(const struct item *i)
{
    const char *end = i->end;
    for (const struct item *v = i->value; v; v = v->next)
        end = v->end > end ? v->end : end;
    return end;
}

struct item *card_rest(struct card *c, const struct item *behind)
{
    const char *begin = behind->end, *end = begin;
    for (const struct item *i = behind; i; i = i->next)
        end = end_of(i) > end ? end_of(i) : end;
    const char *line_end = memchr(begin, '\n', (size_t)(end - begin)); /* where a bracket of the card is not closed */
    end = line_end ? line_end : end;
    const size_t blanks = strspn(begin, " \t\v\f\n+=");
    struct item *rest = arena_alloc(c->x->deck->scratch, sizeof *rest);
    char *text = rest && begin + blanks < end
                     ? arena_text(c->x->deck->scratch, begin + blanks, (size_t)(end - begin) - blanks)
                     : NULL;
    if (!text) {
        card_expected(c, "an expression");
        return NULL;
    }
    for (char *at = text; *at; at++)
        *at = (char)(*at == '\v' ? ' ' : *at == '\f' ? ' ' : *at);
    *rest = (struct item){.kind = ITEM_EXPRESSION, .text = text, .where = behind->where};
    rest->where.column += (int)((size_t)(begin - behind->begin) + blanks);
    rest->number = behind->number;
    return rest;
}

/* The length of the brackets or quotes that text begins with, or 0. */
static size_t enclosed_length(const char *text)
{
    int depth = 0;
    if (*text == '\'') {
        const char *end = strchr(text + 1, '\'');
        return end ? (size_t)(end - text) + 1 : 0;
    }
    if (*text != '{')
        return 0;
    for (size_t i = 0; text[i]; i++) {
        depth += text[i] == '{';
        depth -= text[i] == '}';
        if (depth == 0)
            return i + 1;
    }
    return 0;
}

/* The `=` outside of brackets that is no part of a comparison; NULL: there is none. */
static const char *equals_sign(const char *text)
{
    int depth = 0;
    for (const char *at = text; *at; at++) {
        depth += strchr("({", *at) != NULL;
        depth -= strchr(")}", *at) != NULL;
        if (*at == '=' && depth == 0 && at[1] != '=' && (at == text || !strchr("<>=!", at[-1])))
            return at;
    }
    return NULL;
}

/* The length of what stands in parentheses at the begin of text, with them; 0: nothing does. */
static size_t group_length(const char *text)
{
    int depth = 0;
    for (size_t i = 0; *text == '(' && text[i]; i++) {
        depth += (strchr("({", text[i]) != NULL) - (strchr(")}", text[i]) != NULL);
        if (depth == 0)
            return i + 1;
    }
    return 0;
}

/* Where the expression in front of the points begins and how long it is: table{v(a)} .., table v(a) = .., table(v(a)) ..,
 * or table(v(a), x1, y1 ..), a call; 0: there is none. */
static size_t find_expression(const char *text, size_t *begin)
{
    const char *equals = equals_sign(text);
    const size_t braces = enclosed_length(text), group = group_length(text);
    *begin = 0;
    if (equals || braces > 0 || group == 0)
        return equals ? (size_t)(equals - text) : braces;
    if (text[group + strspn(text + group, " \t\r")])
        return group;
    *begin = 1;
    int depth = 0;
    for (size_t i = 1; i < group; i++) {
        depth += (strchr("({", text[i]) != NULL) - (strchr(")}", text[i]) != NULL);
        if (text[i] == ',' && depth == 0)
            return i - 1;
    }
    return 0;
}

/* Appends a part of the text of rest to the call of table( ). */
static struct expression_node *append(struct card *c, struct expression_node *call, const struct item *rest,
                                      const char *part, size_t length)
{
    struct kn_location where = rest->where;
    where.column += (int)(part - rest->text);
    const struct expression_tree *tree = expand_parse(c->x, part, length, where);
    return tree ? node_append(c->x->deck->arena, call, tree->root) : NULL;
}

/* Appends the coordinates, which have commas, blanks and parentheses between them. */
static struct expression_node *append_coordinates(struct card *c, struct expression_node *call, const struct item *rest,
                                                  const char *text, size_t *count)
{
    for (*count = 0; call && *(text += strspn(text, " \t\r(),")); (*count)++) {
        const size_t braces = enclosed_length(text), length = braces ? braces : strcspn(text, " \t\r(),");
        call = append(c, call, rest, text, length);
        text += length;
    }
    return call;
}

static bool write_table(struct card *c)
{
    const struct item *table = c->statement->items;
    while (table && !item_is(table, "table"))
        table = table->next;
    return card_fail(c, "syntax", table ? table->where : c->statement->end, "write TABLE {V(a)} = (x1,y1) (x2,y2)",
                     "%s: expected an expression behind TABLE, and points behind it", card_owner(c));
}

bool read_table(struct card *c, enum element_law law, const struct item *table)
{
    if (!table->next && !table->value)
        return write_table(c);
    struct item *rest = card_rest(c, table);
    if (!rest)
        return false;
    size_t begin, count;
    const size_t length = find_expression(rest->text, &begin);
    if (length == 0)
        return write_table(c);
    const struct tree_maker m = {c->x->deck->arena, table->where};
    struct kn_location where = rest->where;
    where.column += (int)begin;
    const char *behind = rest->text + begin + length;
    const struct expression_tree *of = expand_parse(c->x, rest->text + begin, length, where);
    struct expression_node *call = of ? make_call(&m, "table", of->root) : NULL;
    call = append_coordinates(c, call, rest, behind + (*behind == '='), &count);
    if (call && (count < 4 || count % 2 != 0))
        return card_fail(c, "syntax", table->where, "write TABLE {V(a)} = (x1,y1) (x2,y2)",
                         "%s: TABLE needs pairs of numbers, two at least, but has %zu numbers", card_owner(c), count);
    return card_law_of_root(c, law, call);
}

/* table( ) of a node and what stands behind the word TABLE. */
static bool take_points(struct card *c, enum element_law law, const struct item *table, struct expression_node *of)
{
    struct item *rest = card_rest(c, table);
    const struct tree_maker m = card_maker(c);
    size_t count = 0;
    if (!rest)
        return false;
    struct expression_node *call = make_call(&m, "table", of);
    call = append_coordinates(c, call, rest, rest->text, &count);
    if (call && (count < 4 || count % 2 != 0))
        return card_fail(c, "syntax", table->where, "write table=(x1,y1,x2,y2)",
                         "%s: a table needs pairs of numbers, two at least, but has %zu numbers", card_owner(c), count);
    return card_law_of_root(c, law, call);
}

bool read_table_of(struct card *c, const struct item *table, struct expression_node *of)
{
    return take_points(c, c->kind->law, table, of);
}

bool read_current_table(struct card *c, const struct item *table)
{
    const struct tree_maker m = card_maker(c);
    c->kind = c->e->kind = catalogue_letter(c->x->deck->catalogue, 'b');
    return take_points(c, LAW_CURRENT, table, make_voltage(&m, c->words[0]->text, c->words[1]->text));
}
