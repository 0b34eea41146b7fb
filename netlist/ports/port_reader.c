/* port_reader.c - see port_reader.h.
 *
 * A port is a node, two of them where it lies between two, a source for %vnam, or a list of such things in brackets.
 * %type in front says what it is where it is not what the kind has it to be: of one member, or of the whole list.  ~
 * inverts a logic state, null leaves a port open.  Brackets, ~ and % need no blanks around them.
 */
#include "netlist/ports/port_reader.h"

#include <string.h>

enum token_kind { TOKEN_NAME, TOKEN_TYPE, TOKEN_TILDE, TOKEN_OPEN, TOKEN_CLOSE, TOKEN_PAIR, TOKEN_END };

struct token {
    enum token_kind kind;
    enum port_type type; /* TOKEN_TYPE */
    struct item *name;   /* what stands there; TOKEN_NAME: a word of its own */
};

/* ---- tokens ---- */

static struct token *new_token(struct port_reader *r, enum token_kind kind, struct item *at)
{
    struct token *t = &r->tokens[r->token_count++];
    *t = (struct token){kind, PORT_TYPES, at};
    return t;
}

/* The part of a word from `text` on, of this length, as a word of its own. */
static struct item *part_of(struct port_reader *r, const struct item *word, const char *text, size_t length)
{
    struct arena *arena = r->c->x->deck->arena;
    struct item *part = arena_alloc(arena, sizeof *part);
    const char *copy = arena_text(arena, text, length);
    if (!part || !copy)
        return NULL;
    *part = (struct item){.kind = ITEM_WORD, .text = copy, .begin = word->begin, .end = word->end};
    part->where = word->where;
    part->where.column += (int)(text - word->text);
    part->where.width = (int)length;
    return part;
}

static bool no_memory(struct port_reader *r)
{
    return deck_no_memory(r->c->x->deck);
}

/* "%vd" */
static bool cut_type(struct port_reader *r, struct item *part)
{
    const enum port_type type = port_type_of(part->text + 1);
    if (type == PORT_TYPES)
        return card_fail(r->c, "port-type", part->where, "%v %vd %i %id %g %gd %h %hd %vnam %d",
                         "%s: there is no type of ports '%s'", card_owner(r->c), part->text);
    new_token(r, TOKEN_TYPE, part)->type = type;
    return true;
}

static bool cut_word(struct port_reader *r, struct item *word)
{
    for (const char *c = word->text; *c;) {
        const size_t length = *c == '[' || *c == ']' || *c == '~' ? 1 : 1 + strcspn(c + 1, "[]~%");
        struct item *part = part_of(r, word, c, length);
        if (!part)
            return no_memory(r);
        if (*c == '%' && !cut_type(r, part))
            return false;
        if (*c != '%')
            new_token(r, *c == '[' ? TOKEN_OPEN : *c == ']' ? TOKEN_CLOSE : *c == '~' ? TOKEN_TILDE : TOKEN_NAME, part);
        c += length;
    }
    return true;
}

/* Behind TOKEN_PAIR come the words of a pair of parentheses and TOKEN_END. */
static bool cut(struct port_reader *r, struct item *i)
{
    if (i->kind == ITEM_WORD)
        return cut_word(r, i);
    if (i->kind != ITEM_GROUP)
        return card_fail(r->c, "syntax", i->where, card_usage_hint(r->c), "%s: expected a port, found '%s'",
                         card_owner(r->c), item_text(i));
    new_token(r, TOKEN_PAIR, i);
    for (struct item *inside = i->inside; inside; inside = inside->next)
        if (!cut(r, inside))
            return false;
    new_token(r, TOKEN_END, i);
    return true;
}

static size_t length_of(const struct item *i)
{
    size_t length = 2;
    for (const struct item *inside = i->inside; inside; inside = inside->next)
        length += length_of(inside);
    return length + strlen(i->text);
}

static bool cut_all(struct port_reader *r, size_t words)
{
    size_t most = 1;
    for (size_t i = 0; i < words; i++)
        most += length_of(r->c->words[i]);
    struct arena *scratch = r->c->x->deck->scratch, *arena = r->c->x->deck->arena;
    r->tokens = arena_array(scratch, most, sizeof *r->tokens);
    r->sources = arena_array(scratch, most, sizeof *r->sources);
    if (!r->tokens || !r->sources)
        return no_memory(r);
    for (size_t i = 0; i < words; i++)
        if (!cut(r, r->c->words[i]))
            return false;
    r->connections = arena_array(arena, r->token_count + 1, sizeof *r->connections);
    r->nodes = arena_array(arena, 2 * r->token_count + 1, sizeof *r->nodes);
    return (r->connections && r->nodes) || no_memory(r);
}

static const struct token *peek(const struct port_reader *r)
{
    return r->next < r->token_count ? &r->tokens[r->next] : NULL;
}

static bool take(struct port_reader *r, enum token_kind kind)
{
    const struct token *t = peek(r);
    if (!t || t->kind != kind)
        return false;
    r->next++;
    return true;
}

/* ---- ports ---- */

static bool expected(struct port_reader *r, const char *what, const struct port_info *port)
{
    const struct token *found = peek(r);
    if (found)
        return card_fail(r->c, "syntax", found->name->where, card_usage_hint(r->c),
                         "%s: expected %s for port '%s', found '%s'", card_owner(r->c), what, port->name,
                         item_text(found->name));
    return card_fail(r->c, "syntax", r->c->statement->end, card_usage_hint(r->c), "%s: expected %s for port '%s'",
                     card_owner(r->c), what, port->name);
}

static bool has_two_nodes(enum port_type type)
{
    return type == PORT_VD || type == PORT_ID || type == PORT_GD || type == PORT_HD;
}

static enum node_use use_of(const struct port_info *port, enum port_type type)
{
    if (port->direction == PORT_IN && (type == PORT_V || type == PORT_VD || type == PORT_LOGIC))
        return USE_CONTROL;
    return type == PORT_I || type == PORT_ID || type == PORT_G || type == PORT_GD ? USE_TERMINAL : USE_DRIVEN;
}

/* The place of the next node; -1 with an error. */
static int read_node(struct port_reader *r, const struct port_info *port, enum port_type type)
{
    const struct token *t = peek(r);
    if (!t || t->kind != TOKEN_NAME) {
        expected(r, "a node", port);
        return -1;
    }
    const int node = expand_node(r->c->x, r->c->at, t->name);
    if (node < 0)
        return -1;
    expand_use_node(r->c->x, node, use_of(port, type));
    r->next++;
    r->nodes[r->node_count] = node;
    return (int)r->node_count++;
}

static bool read_source_name(struct port_reader *r, const struct port_info *port, struct connection *to)
{
    const struct token *t = peek(r);
    if (!t || t->kind != TOKEN_NAME)
        return expected(r, "the name of a voltage source", port);
    r->next++;
    to->control = (int)r->source_count;
    r->sources[r->source_count++] = t->name;
    return true;
}

static bool read_nodes(struct port_reader *r, const struct port_info *port, struct connection *to)
{
    if (to->type == PORT_VNAM)
        return read_source_name(r, port, to);
    to->plus = read_node(r, port, to->type);
    if (to->plus < 0)
        return false;
    const struct token *t = peek(r);
    if (has_two_nodes(to->type) && t && (t->kind == TOKEN_NAME))
        to->minus = read_node(r, port, to->type);
    return true;
}

/* The type that stands here, or that of the list or the kind. */
static bool read_type(struct port_reader *r, const struct port_info *port, enum port_type *type)
{
    const struct token *t = peek(r);
    if (!take(r, TOKEN_TYPE))
        return true;
    if (!(port->allowed & (1u << t->type)))
        return card_fail(r->c, "port-type", t->name->where, card_usage_hint(r->c), "%s: port '%s' cannot be of type %s",
                         card_owner(r->c), port->name, t->name->text);
    *type = t->type;
    return true;
}

/* One member of a list, or the port itself. */
static bool read_member(struct port_reader *r, size_t port_number, enum port_type type)
{
    const struct port_info *port = &r->kind->ports[port_number];
    struct connection to = {.port = port_number, .plus = -1, .minus = -1, .control = -1};
    to.inverted = take(r, TOKEN_TILDE);
    if (!read_type(r, port, &type))
        return false;
    to.inverted |= take(r, TOKEN_TILDE);
    to.type = type;
    const bool pair = take(r, TOKEN_PAIR);
    if (!read_nodes(r, port, &to))
        return false;
    if (pair && !take(r, TOKEN_END))
        return expected(r, "no more than these", port);
    r->connections[r->connection_count++] = to;
    return true;
}

static bool read_list(struct port_reader *r, size_t port_number, enum port_type type)
{
    const struct port_info *port = &r->kind->ports[port_number];
    if (!port->list)
        return expected(r, "a single connection", port);
    r->next++;
    while (!take(r, TOKEN_CLOSE)) {
        if (!peek(r))
            return expected(r, "']'", port);
        if (!read_member(r, port_number, type))
            return false;
    }
    return true;
}

static bool is_null(const struct token *t)
{
    return t && t->kind == TOKEN_NAME && item_is(t->name, "null");
}

/* [ or ([ stands so many tokens ahead. */
static bool begins_list(const struct port_reader *r, size_t ahead)
{
    size_t at = r->next + ahead;
    at += at < r->token_count && r->tokens[at].kind == TOKEN_PAIR;
    return at < r->token_count && r->tokens[at].kind == TOKEN_OPEN;
}

static bool read_port(struct port_reader *r, size_t port_number)
{
    const struct port_info *port = &r->kind->ports[port_number];
    enum port_type type = port->type;
    const struct token *t = peek(r);
    if (is_null(t)) {
        r->next++;
        return port->may_be_null || card_fail(r->c, "syntax", t->name->where, card_usage_hint(r->c),
                                              "%s: port '%s' cannot be null", card_owner(r->c), port->name);
    }
    if (t && t->kind == TOKEN_TYPE && begins_list(r, 1) && !read_type(r, port, &type))
        return false;
    if (!begins_list(r, 0))
        return read_member(r, port_number, type);
    const bool pair = take(r, TOKEN_PAIR);
    return read_list(r, port_number, type) && (!pair || take(r, TOKEN_END) || expected(r, "')'", port));
}

static bool read_all_ports(struct port_reader *r)
{
    for (size_t i = 0; i < r->kind->port_count; i++)
        if (!read_port(r, i))
            return false;
    if (!peek(r))
        return true;
    const struct port_info *last = &r->kind->ports[r->kind->port_count - 1];
    return expected(r, "nothing more behind what stands", last);
}

bool port_reader_read(struct port_reader *r, size_t words)
{
    return cut_all(r, words) && read_all_ports(r);
}

const struct model_card *port_model(const struct card *c, const char *type)
{
    struct instance *owner;
    const struct item *last = c->word_count > 0 ? c->words[c->word_count - 1] : NULL;
    const struct model_card *card =
        last && last->kind == ITEM_WORD ? expand_model_card(c->at, last->text, &owner) : NULL;
    return card && card->type && names_equal(card->type, type) ? card : NULL;
}
