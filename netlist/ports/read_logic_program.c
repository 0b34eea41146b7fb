/* read_logic_program.c - PSpice's digital devices that say in words what they do, behind their models:
 *
 *     Uname LOGICEXP(inputs,outputs) power ground inputs .. outputs .. timing io
 *     + LOGIC: name = { a & ~b } out = { name | c ^ d }
 *     Uname PINDLY(paths,enables,references) power ground inputs enables references outputs io
 *     + BOOLEAN: name = { CHANGED_LH(clk,0) }
 *     + PINDLY: out .. = { CASE(name & d=='1 & TRN_LH, DELAY(1n,2n,3n), DELAY(4n,5n,6n)) }
 *     + TRISTATE: ENABLE LO = en out .. = { .. }
 *     Uname CONSTRAINT(nodes) power ground nodes io ..
 *
 * Names in LOGIC and BOOLEAN are put into what follows.  SETUP_HOLD, WIDTH, FREQ and GENERAL, which only warn, and CONSTRAINT,
 * which has nothing else, are not looked at.  Source: PSpice Reference Guide, "Behavioral primitives".
 */
#include "netlist/expand/expand_card.h"
#include "netlist/logic_program.h"

#include "base/array.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

struct numbers {
    double *at;
    size_t count, capacity;
};

struct variable {
    const char *name;
    struct numbers program;
    struct variable *next;
};

struct program_reader {
    struct card *c;
    struct numbers out;
    struct numbers program;     /* of the expression being read */
    struct variable *variables; /* of LOGIC and BOOLEAN */
    const struct item *where;   /* whose text is read */
    const char *at;
    size_t inputs, first_name, names; /* in the card's words: those that programs may read */
    size_t depth;
    bool failed;
};

static bool fail(struct program_reader *r, const char *what, const char *found)
{
    if (!r->failed)
        card_fail(r->c, "syntax", r->where ? r->where->where : r->c->statement->end, NULL, "'%s': %s%s%s%s",
                  r->c->e->name, what, found ? " '" : "", found ? found : "", found ? "'" : "");
    r->failed = true;
    return false;
}

static bool put(struct program_reader *r, struct numbers *to, double number)
{
    if (!array_reserve_in(r->c->x->deck->arena, &to->at, to->count, to->count + 1, &to->capacity, sizeof *to->at))
        return deck_no_memory(r->c->x->deck);
    to->at[to->count++] = number;
    return true;
}

static bool put_all(struct program_reader *r, struct numbers *to, const struct numbers *more)
{
    bool good = true;
    for (size_t i = 0; good && i < more->count; i++)
        good = put(r, to, more->at[i]);
    return good;
}

/* Variables that double one another grow without end. */
static bool push(struct program_reader *r, double code)
{
    enum { MOST_CODES = 100000 };
    return r->program.count < MOST_CODES ? put(r, &r->program, code)
                                         : fail(r, "the boolean expressions are too long", NULL);
}

/* Levels that wait on the stack while the program of the expression runs. */
static bool check_depth(struct program_reader *r)
{
    size_t depth = 0, most = 0;
    for (size_t i = 0; i < r->program.count; i++) {
        const int code = (int)r->program.at[i];
        const bool is_value = code >= LOGIC_CODE_X || code <= LOGIC_CODE_CHANGED;
        i += code <= LOGIC_CODE_CHANGED ? 2 : 0;
        depth = is_value ? depth + 1 : depth - (code != LOGIC_CODE_NOT);
        most = depth > most ? depth : most;
    }
    return most <= LOGIC_PROGRAM_DEPTH || fail(r, "the boolean expressions are nested too deeply", NULL);
}

/* ---- boolean expressions ---- */

static void skip_blanks(struct program_reader *r)
{
    r->at += strspn(r->at, " \t\r\n+");
}

static bool take(struct program_reader *r, const char *sign)
{
    skip_blanks(r);
    if (strncmp(r->at, sign, strlen(sign)) != 0)
        return false;
    r->at += strlen(sign);
    return true;
}

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || strchr("_$.+-#/", c);
}

/* A name; its length 0: there is none.  + - and / belong to names, as there is no sum and no quotient. */
static const char *take_name(struct program_reader *r, char *name, size_t size)
{
    size_t length = 0;
    skip_blanks(r);
    while (*r->at && is_of_name(*r->at) && length + 1 < size)
        name[length++] = *r->at++;
    name[length] = '\0';
    return length > 0 ? name : NULL;
}

static int input_named(const struct program_reader *r, const char *name)
{
    for (size_t i = 0; i < r->names; i++)
        if (names_equal(r->c->words[r->first_name + i]->text, name))
            return (int)i;
    return -1;
}

static struct variable *variable_named(const struct program_reader *r, const char *name)
{
    struct variable *v = r->variables;
    while (v && !names_equal(v->name, name))
        v = v->next;
    return v;
}

/* CHANGED(node,time), CHANGED_LH, CHANGED_HL */
static bool read_changed(struct program_reader *r, enum logic_code code)
{
    char name[100], number[40];
    double time = 0;
    const bool good = take(r, "(") && take_name(r, name, sizeof name) && take(r, ",") &&
                      take_name(r, number, sizeof number) && take(r, ")");
    const int input = good ? input_named(r, name) : -1;
    if (input < 0 || !expression_number(number, strlen(number), &time))
        return fail(r, "expected CHANGED(reference,time), found", r->at);
    return push(r, code) && push(r, input) && push(r, time);
}

/* TRN_LH: from L, H, Z or $, any, to one of these. */
static bool read_transition(struct program_reader *r, const char *name)
{
    static const char ends[] = "$LHZ";
    const char *from = name[4] ? strchr(ends, toupper((unsigned char)name[4])) : NULL,
               *to = from && name[5] ? strchr(ends, toupper((unsigned char)name[5])) : NULL;
    if (!to || name[6])
        return fail(r, "there is TRN_LH, TRN_HL, TRN_ZH and so on, no", name);
    return push(r, LOGIC_CODE_TRANSITION) && push(r, (double)(from - ends)) && push(r, (double)(to - ends));
}

static bool read_named(struct program_reader *r)
{
    char name[100];
    if (!take_name(r, name, sizeof name))
        return fail(r, "expected a name in the boolean expression, found", r->at);
    if (strcasecmp(name, "true") == 0 || strcasecmp(name, "false") == 0)
        return push(r, strcasecmp(name, "true") == 0 ? LOGIC_CODE_ONE : LOGIC_CODE_ZERO);
    if (strcasecmp(name, "changed") == 0)
        return read_changed(r, LOGIC_CODE_CHANGED);
    if (strcasecmp(name, "changed_lh") == 0)
        return read_changed(r, LOGIC_CODE_CHANGED_UP);
    if (strcasecmp(name, "changed_hl") == 0)
        return read_changed(r, LOGIC_CODE_CHANGED_DOWN);
    if (strncasecmp(name, "trn_", 4) == 0)
        return read_transition(r, name);
    const struct variable *v = variable_named(r, name);
    const int input = input_named(r, name);
    if (v) {
        for (size_t i = 0; i < v->program.count; i++)
            if (!push(r, v->program.at[i]))
                return false;
        return true;
    }
    return input >= 0 ? push(r, input) : fail(r, "there is no input and no variable", name);
}

static bool read_either(struct program_reader *r);

static bool read_operand(struct program_reader *r)
{
    if (++r->depth > LOGIC_PROGRAM_DEPTH / 2)
        return fail(r, "the boolean expression is nested too deeply", NULL);
    bool good;
    if (take(r, "~"))
        good = read_operand(r) && push(r, LOGIC_CODE_NOT);
    else if (take(r, "("))
        good = read_either(r) && (take(r, ")") || fail(r, "a ')' is missing in front of", r->at));
    else if (take(r, "'")) {
        const char level = (char)toupper((unsigned char)*r->at);
        r->at += level != '\0';
        good = push(r, level == '0' ? LOGIC_CODE_ZERO : level == '1' ? LOGIC_CODE_ONE : LOGIC_CODE_X);
    } else
        good = read_named(r);
    r->depth--;
    return good;
}

static bool read_comparison(struct program_reader *r)
{
    if (!read_operand(r))
        return false;
    for (;;) {
        const bool equal = take(r, "=="), unequal = !equal && take(r, "!=");
        if (!equal && !unequal)
            return true;
        if (!read_operand(r) || !push(r, equal ? LOGIC_CODE_EQUAL : LOGIC_CODE_UNEQUAL))
            return false;
    }
}

/* ~ before == before & before ^ before |; `rank` of the operator, the weakest is 0. */
static bool read_ranked(struct program_reader *r, int rank)
{
    static const struct {
        const char *sign;
        enum logic_code code;
    } operators[] = {{"|", LOGIC_CODE_OR}, {"^", LOGIC_CODE_XOR}, {"&", LOGIC_CODE_AND}};
    if (rank == sizeof operators / sizeof *operators)
        return read_comparison(r);
    if (!read_ranked(r, rank + 1))
        return false;
    while (take(r, operators[rank].sign))
        if (!read_ranked(r, rank + 1) || !push(r, operators[rank].code))
            return false;
    return true;
}

static bool read_either(struct program_reader *r)
{
    return read_ranked(r, 0);
}

/* A whole text. */
static bool read_expression(struct program_reader *r, const struct item *text)
{
    r->where = text;
    r->at = text->text;
    r->program.count = 0;
    if (!read_either(r))
        return false;
    skip_blanks(r);
    return (!*r->at || fail(r, "the boolean expression has an end in front of", r->at)) && check_depth(r);
}

/* ---- name = { expression } ---- */

static bool keep_variable(struct program_reader *r, const struct item *given)
{
    struct variable *v = arena_alloc(r->c->x->deck->scratch, sizeof *v);
    if (!v)
        return deck_no_memory(r->c->x->deck);
    *v = (struct variable){.name = given->text, .next = r->variables};
    r->variables = v;
    return put_all(r, &v->program, &r->program);
}

static bool read_variable(struct program_reader *r, const struct item *given)
{
    if (!given->value || given->value->kind != ITEM_EXPRESSION)
        return fail(r, "expected name = { boolean expression }, found", given->text);
    return read_expression(r, given->value) && keep_variable(r, given);
}

/* BOOLEAN: and the like; whether checks follow, which are not made. */
static bool is_section(const struct item *i, const char *name)
{
    const size_t length = strlen(name);
    return i->kind == ITEM_WORD && strncasecmp(i->text, name, length) == 0 && i->text[length] == ':';
}

static bool is_check(const struct item *i)
{
    return is_section(i, "setup_hold") || is_section(i, "width") || is_section(i, "freq") || is_section(i, "general");
}

static bool keep_numbers(struct program_reader *r)
{
    r->c->e->numbers = r->out.at;
    r->c->e->number_count = r->out.count;
    return true;
}

static const char *node_name(const struct program_reader *r, size_t place)
{
    return r->c->words[r->first_name - r->inputs + place]->text;
}

/* ---- LOGICEXP ---- */

static bool read_logic(struct program_reader *r, const struct item *i, size_t outputs)
{
    while (i && !is_section(i, "logic"))
        i = i->next;
    if (!i)
        return fail(r, "expected LOGIC: and expressions", NULL);
    for (i = i->next; i; i = i->next)
        if (!read_variable(r, i))
            return false;
    for (size_t k = 0; k < outputs; k++) {
        const char *name = r->c->words[r->first_name + r->names + k]->text;
        const struct variable *v = variable_named(r, name);
        if (!v)
            return fail(r, "no expression gives the output", name);
        if (!put(r, &r->out, (double)v->program.count) || !put_all(r, &r->out, &v->program))
            return false;
    }
    return keep_numbers(r);
}

/* ---- PINDLY ---- */

struct path {
    int enable, level;
    struct numbers rules;
    size_t rule_count;
};

/* DELAY(least,typical,most), -1 for what is not known. */
static bool read_delay(struct program_reader *r, double delays[LOGIC_RULE_DELAYS])
{
    char number[40];
    bool good = take(r, "(");
    for (int k = 0; k < LOGIC_RULE_DELAYS && good; k++)
        good = take_name(r, number, sizeof number) && expression_number(number, strlen(number), &delays[k]) &&
               take(r, k + 1 < LOGIC_RULE_DELAYS ? "," : ")");
    return good || fail(r, "expected DELAY(least,typical,most), found", r->at);
}

static bool take_word(struct program_reader *r, const char *word)
{
    skip_blanks(r);
    const size_t length = strlen(word);
    if (strncasecmp(r->at, word, length) != 0 || is_of_name(r->at[length]))
        return false;
    r->at += length;
    return true;
}

static bool add_rule(struct program_reader *r, struct path *p, const double delays[LOGIC_RULE_DELAYS])
{
    bool good = true;
    for (int k = 0; good && k < LOGIC_RULE_DELAYS; k++)
        good = put(r, &p->rules, delays[k]);
    p->rule_count++;
    return good && put(r, &p->rules, (double)r->program.count) && put_all(r, &p->rules, &r->program);
}

/* DELAY(..), or CASE(condition, DELAY(..), .., DELAY(..)). */
static bool read_rules(struct program_reader *r, const struct item *text, struct path *p)
{
    double delays[LOGIC_RULE_DELAYS];
    r->where = text;
    r->at = text->text;
    const bool cases = take_word(r, "case");
    if (cases && !take(r, "("))
        return fail(r, "expected '(' behind CASE, found", r->at);
    for (bool last = false; !last;) {
        r->program.count = 0;
        last = take_word(r, "delay");
        if (!last && (!cases || !read_either(r) || !check_depth(r) || !take(r, ",") || !take_word(r, "delay")))
            return fail(r, "expected a condition, a comma and DELAY(..), found", r->at);
        if (!read_delay(r, delays) || !add_rule(r, p, delays))
            return false;
        if (!last && !take(r, ","))
            return fail(r, "expected a comma and the delay of all other cases, found", r->at);
    }
    return !cases || take(r, ")") || fail(r, "a ')' is missing in front of", r->at);
}

/* The rules of an output are those of all that stand in front of the same `=`. */
static bool give_rules(struct program_reader *r, struct path *paths, size_t count, const struct path *rules,
                       const struct item *output)
{
    const size_t first = r->first_name + r->names;
    for (size_t k = 0; k < count; k++)
        if (names_equal(r->c->words[first + k]->text, output->text)) {
            paths[k] = *rules;
            return true;
        }
    return fail(r, "there is no output", output->text);
}

/* ENABLE LO = en, or HI, which does not stand among the outputs. */
static bool read_enable(struct program_reader *r, const struct item **i, size_t paths, size_t enables, struct path *p)
{
    const struct item *level = (*i)->next;
    if (!level || !level->value || !(item_is(level, "lo") || item_is(level, "hi")))
        return fail(r, "expected ENABLE LO=node or ENABLE HI=node", NULL);
    for (size_t k = 0; k < enables; k++)
        if (names_equal(node_name(r, paths + k), level->value->text)) {
            p->enable = (int)k;
            p->level = item_is(level, "hi");
            *i = level->next;
            return true;
        }
    return fail(r, "there is no enable", level->value->text);
}

static bool read_group(struct program_reader *r, const struct item **i, struct path *paths, size_t count,
                       struct path rules)
{
    const struct item *first = *i, *last = first;
    while (last && !last->value)
        last = last->next;
    if (!last || last->value->kind != ITEM_EXPRESSION)
        return fail(r, "expected outputs = { DELAY(..) }, found", first->text);
    rules.rules = (struct numbers){0};
    rules.rule_count = 0;
    if (!read_rules(r, last->value, &rules))
        return false;
    for (const struct item *output = first; output != last->next; output = output->next)
        if (!give_rules(r, paths, count, &rules, output))
            return false;
    *i = last->next;
    return true;
}

static bool keep_paths(struct program_reader *r, const struct path *paths, size_t count)
{
    bool good = true;
    for (size_t k = 0; good && k < count; k++) {
        if (paths[k].rule_count == 0)
            return fail(r, "no delay is given for the output", r->c->words[r->first_name + r->names + k]->text);
        good = put(r, &r->out, paths[k].enable) && put(r, &r->out, paths[k].level) &&
               put(r, &r->out, (double)paths[k].rule_count) && put_all(r, &r->out, &paths[k].rules);
    }
    return good && keep_numbers(r);
}

static bool read_paths(struct program_reader *r, const struct item *i, size_t count, size_t enables)
{
    enum { NOTHING, BOOLEANS, DELAYS, STATES } section = NOTHING;
    struct path *paths = arena_array(r->c->x->deck->scratch, count + 1, sizeof *paths), rules = {.enable = -1};
    if (!paths)
        return deck_no_memory(r->c->x->deck);
    while (i && !is_check(i)) {
        const struct item *here = i;
        if (is_section(i, "boolean"))
            section = BOOLEANS;
        else if (is_section(i, "pindly") || is_section(i, "tristate"))
            section = is_section(i, "pindly") ? DELAYS : STATES;
        else if (section == BOOLEANS && !read_variable(r, i))
            return false;
        else if (section == STATES && item_is(i, "enable")) {
            if (!read_enable(r, &i, count, enables, &rules))
                return false;
        } else if (section == DELAYS || section == STATES) {
            const struct path plain = {.enable = -1};
            if (!read_group(r, &i, paths, count, section == STATES ? rules : plain))
                return false;
        }
        i = i == here ? i->next : i;
    }
    return keep_paths(r, paths, count);
}

/* ---- the cards ---- */

/* Behind the models; what IO_LEVEL= and the like say stands there too. */
static const struct item *behind(const struct item *model)
{
    const struct item *i = model->next;
    while (i && i->value && (item_is(i, "mntymxdly") || item_is(i, "io_level")))
        i = i->next;
    return i;
}

static struct program_reader reader_of(struct card *c, size_t first_name, size_t inputs, size_t names)
{
    return (struct program_reader){.c = c, .inputs = inputs, .first_name = first_name, .names = names};
}

bool read_logic_expression(struct card *c, size_t nodes, const struct item *io)
{
    const size_t inputs = (size_t)c->e->numbers[0], outputs = (size_t)c->e->numbers[1];
    struct program_reader r = reader_of(c, nodes + 2, 0, inputs);
    return put(&r, &r.out, (double)inputs) && put(&r, &r.out, (double)outputs) && read_logic(&r, behind(io), outputs);
}

bool read_pin_delays(struct card *c, size_t nodes, const struct item *io)
{
    const size_t paths = (size_t)c->e->numbers[0], enables = (size_t)c->e->numbers[1],
                 references = (size_t)c->e->numbers[2];
    struct program_reader r = reader_of(c, nodes + 2 + paths + enables, paths + enables, references);
    return put(&r, &r.out, (double)paths) && put(&r, &r.out, (double)enables) && put(&r, &r.out, (double)references) &&
           read_paths(&r, behind(io), paths, enables);
}
