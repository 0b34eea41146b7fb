/* expression_print.c - the tree of an expression as text.
: parentheses stand where the tree needs them, and where
 * the user put some around operators.
 */
#include "base/text.h"
#include "netlist/expression/expression_program.h"

struct printer {
    struct text text;
    const struct expression *expression;
    const struct expression_naming *naming; /* NULL: names as written */
    size_t next_mention;                    /* they come in nearly the order of the text */
};

/* Sums, comparisons and what is looser have blanks around their operators. */
static const char *operator_text(enum operation op)
{
    switch (op) {
    case OP_ADD:
        return " + ";
    case OP_SUBTRACT:
        return " - ";
    case OP_MULTIPLY:
        return "*";
    case OP_DIVIDE:
        return "/";
    case OP_LESS:
        return " < ";
    case OP_LESS_EQUAL:
        return " <= ";
    case OP_GREATER:
        return " > ";
    case OP_GREATER_EQUAL:
        return " >= ";
    case OP_EQUAL:
        return " == ";
    case OP_UNEQUAL:
        return " != ";
    case OP_AND:
        return " && ";
    case OP_OR:
        return " || ";
    case OP_XOR:
        return " xor ";
    case OP_MODULO:
        return "%";
    case OP_NEGATE:
        return "-";
    case OP_NOT:
        return "!";
    default:
        return "^";
    }
}

/* What a V( ) or I( ) of the tree means; NULL where that is not known, as in a part that was never needed. */
static const struct expression_mention *find_mention(struct printer *p, const struct expression_node *node)
{
    const size_t count = p->naming ? p->expression->mention_count : 0;
    for (size_t i = 0; i < count; i++) {
        const size_t at = (p->next_mention + i) % count;
        if (p->expression->mentions[at].node == node) {
            p->next_mention = at + 1;
            return &p->expression->mentions[at];
        }
    }
    return NULL;
}

/* v(plus,minus) or i(name), also by the name of a part of them. */
static void print_quantity(struct printer *p, const struct expression_node *node, const char *function)
{
    const struct expression_mention *m = find_mention(p, node);
    const struct expression_naming *n = p->naming;
    const bool voltage = node->kind == NODE_VOLTAGE;
    text_add(&p->text, function);
    text_add(&p->text, "(");
    text_add(&p->text, !m ? node->name : voltage ? n->node(n->context, m->plus) : n->element(n->context, m->plus));
    if (node->minus) {
        text_add(&p->text, ",");
        text_add(&p->text, m ? n->node(n->context, m->minus) : node->minus);
    }
    text_add(&p->text, ")");
}

static void print_number(struct printer *p, const struct expression_node *node)
{
    if (node->name)
        text_add(&p->text, node->name);
    else
        text_format(&p->text, "%.15g", node->number);
}

static void print_node(struct printer *p, const struct expression_node *node);

/* An operand that binds at least as tight as `level` does without parentheses. */
static void print_operand(struct printer *p, const struct expression_node *node, int level)
{
    const bool parentheses = node_level(node) < level || (node->closed && node_level(node) < LEVEL_VALUE);
    if (parentheses)
        text_add(&p->text, "(");
    print_node(p, node);
    if (parentheses)
        text_add(&p->text, ")");
}

static void print_chain(struct printer *p, const struct expression_node *node)
{
    const int level = node_level(node);
    for (const struct expression_operand *o = node->operands; o; o = o->next) {
        if (o != node->operands)
            text_add(&p->text, operator_text(o->operation));
        print_operand(p, o->node, o == node->operands ? level : level + 1);
    }
}

static void print_call(struct printer *p, const struct expression_node *node)
{
    if (node->minus) {
        print_quantity(p, node->operands->node, node->minus);
        return;
    }
    const struct expression_mention *state = find_mention(p, node);
    if (state) {
        text_format(&p->text, "v(%s)", p->naming->node(p->naming->context, state->plus));
        return;
    }
    text_add(&p->text, node->name);
    text_add(&p->text, "(");
    for (const struct expression_operand *o = node->operands; o; o = o->next) {
        print_node(p, o->node);
        if (o->next)
            text_add(&p->text, ",");
    }
    text_add(&p->text, ")");
}

static void print_condition(struct printer *p, const struct expression_node *node)
{
    const struct expression_operand *first = node->operands->next;
    print_operand(p, node->operands->node, LEVEL_CONDITION + 1);
    text_add(&p->text, " ? ");
    print_operand(p, first->node, LEVEL_CONDITION);
    text_add(&p->text, " : ");
    print_operand(p, first->next->node, LEVEL_CONDITION);
}

static void print_node(struct printer *p, const struct expression_node *node)
{
    switch (node->kind) {
    case NODE_NUMBER:
        print_number(p, node);
        return;
    case NODE_NAME:
        text_add(&p->text, node->name);
        return;
    case NODE_VOLTAGE:
    case NODE_CURRENT:
        print_quantity(p, node, node->kind == NODE_VOLTAGE ? "v" : "i");
        return;
    case NODE_UNARY:
        text_add(&p->text, operator_text(node->operation));
        print_operand(p, node->operands->node, LEVEL_SIGN);
        return;
    case NODE_STRING:
        text_add(&p->text, "\"");
        text_add(&p->text, node->name);
        text_add(&p->text, "\"");
        return;
    case NODE_CHAIN:
        print_chain(p, node);
        return;
    case NODE_CALL:
        print_call(p, node);
        return;
    case NODE_CONDITION:
        print_condition(p, node);
        return;
    }
}

char *expression_print(struct arena *arena, const struct expression *e, const struct expression_naming *naming)
{
    struct printer p = {.text = text_growing(arena), .expression = e, .naming = naming};
    print_node(&p, e->root);
    return p.text.cut ? NULL : p.text.at;
}

static bool is_product(const struct expression_node *node)
{
    bool product = node_level(node) >= LEVEL_PRODUCT && node->kind != NODE_UNARY;
    for (const struct expression_operand *o = node->kind == NODE_CHAIN ? node->operands : NULL; o; o = o->next)
        product = product && (o->node->closed || is_product(o->node));
    return product;
}

bool expression_is_product(const struct expression *e)
{
    return is_product(e->root);
}
