/* deck_scan.c - the helpers of scanner and grammar: places, items, and which right sides are expressions. */
#include "netlist/deck/deck_scan.h"

#include "base/names.h"

#include <string.h>
#include <strings.h>

void deck_scan_advance(struct deck_scan *s, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\v' || text[i] == '\n') {
            s->line++;
            s->column = 1;
        } else {
            s->column++;
        }
    }
}

void deck_scan_error(struct deck_scan *s, struct kn_location where, const char *hint, const char *text)
{
    const bool first = !s->statement_failed; /* what follows in the statement is likely a consequence */
    deck_scan_fault(s);
    if (first)
        diagnostics_add(s->diagnostics, s->shows ? KN_WARNING : KN_ERROR, "syntax", where, hint, "%s%s", text,
                        s->shows ? "; the card is left out" : "");
}

void deck_scan_fault(struct deck_scan *s)
{
    s->statement_failed = true;
    s->failed |= !s->shows;
}

void deck_scan_remark(struct deck_scan *s, struct kn_location where, const char *text)
{
    diagnostics_add(s->diagnostics, KN_WARNING, "syntax", where, NULL, "%s", text);
}

void deck_scan_warn(struct deck_scan *s, struct kn_location where, const char *text)
{
    if (s->included && s->warned)
        return;
    diagnostics_add(s->diagnostics, KN_WARNING, "syntax", where, NULL, "%s%s", text,
                    s->included ? "; further such brackets of this file are not told" : "");
    s->warned = true;
}

/* text stays where it is; NULL is want of memory. */
static struct item *new_item(struct deck_scan *s, enum item_kind kind, const char *text, const char *begin,
                             const char *end, struct kn_location where)
{
    struct item *made = text ? arena_alloc(s->arena, sizeof *made) : NULL;
    if (!made) {
        s->out_of_memory = true;
        return NULL;
    }
    made->number = s->counts->items++;
    made->kind = kind;
    made->text = text;
    made->begin = begin;
    made->end = end;
    made->is_number = kind == ITEM_WORD && expression_number(text, strlen(text), &made->numeric);
    made->where = where;
    made->after_comma = s->comma;
    s->comma = false;
    return made;
}

/* .param, .params: .pararm and whatever else LTspice knows by its first letters (deck_cards.c). */
static bool defines_parameters(const char *word)
{
    return strncasecmp(word, ".par", 4) == 0 || names_equal(word, ".csparam") || names_equal(word, ".global_param");
}

/* By their first letters, as some programs know them. */
static bool shows_results(const char *word)
{
    static const char *const cards[] = {".prin", ".plot", ".prob", ".save", ".meas", ".four", ".fft", ".width"};
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++)
        if (strncasecmp(word, cards[i], strlen(cards[i])) == 0)
            return true;
    return false;
}

static void open_statement(struct deck_scan *s, const char *word)
{
    s->at_head = s->after_value = s->statement_failed = false;
    s->group_depth = 0;
    s->letter = (char)(*word >= 'A' && *word <= 'Z' ? *word - 'A' + 'a' : *word);
    s->rest_of_statement = defines_parameters(word);
    s->shows = shows_results(word);
    /* Nobody would hear the warning of a title that is tried as a card. */
    const bool source = s->diagnostics && (s->letter == 'v' || s->letter == 'i');
    s->model_words = names_equal(word, ".model");
    s->in_braces = false;
    s->careless = source || s->model_words > 0;
    s->function = strncasecmp(word, ".fun", 4) == 0 || names_equal(word, ".output");
    s->words_left = names_equal(word, ".if") || names_equal(word, ".elseif") || names_equal(word, ".else") ? 1
                    : names_equal(word, ".state")                                                          ? 2
                    : names_equal(word, ".rule")                                                           ? 3
                                                                                                           : 0;
}

struct item *deck_scan_word(struct deck_scan *s, const char *text, size_t length, struct kn_location where)
{
    struct item *word = new_item(s, ITEM_WORD, arena_text(s->arena, text, length), text, text + length, where);
    if (word && s->at_head)
        open_statement(s, word->text);
    else if (word && s->model_words > 0)
        s->model_words++;
    else if (word && (s->letter == 'e' || s->letter == 'g') && names_equal(word->text, "table"))
        s->careless = true;
    s->last_word = word;
    s->after_value = false;
    return word;
}

struct item *deck_scan_string(struct deck_scan *s, const char *text, size_t length, struct kn_location where)
{
    return new_item(s, ITEM_STRING, arena_text(s->arena, text + 1, length - 2), text, text + length, where);
}

/* ---- right sides ---- */

/* Right sides that are expressions up to the end of the statement, blanks included. */
static const struct {
    char letter;
    const char *name;
} expressions[] = {{'b', "v"},     {'b', "i"},       {'c', "q"},       {'c', "charge"}, {'l', "flux"},  {'e', "vol"},
                   {'e', "cur"},   {'e', "value"},   {'g', "vol"},     {'g', "cur"},    {'g', "value"}, {'f', "value"},
                   {'h', "value"}, {'e', "laplace"}, {'g', "laplace"}, {'b', "laplace"}};

enum text_extent deck_scan_extent(const struct deck_scan *s)
{
    if (s->rest_of_statement)
        return TEXT_REST;
    for (size_t i = 0; s->last_word && i < sizeof expressions / sizeof *expressions; i++)
        if (expressions[i].letter == s->letter && names_equal(expressions[i].name, s->last_word->text))
            return TEXT_REST;
    return TEXT_VALUE;
}

bool deck_scan_has_number(const struct deck_scan *s, const char *end)
{
    const char *begin = s->text_begin;
    if (s->extent != TEXT_VALUE || s->text_depth > 0 || !begin || begin == end)
        return false;
    while (begin < end && ((*begin >= '0' && *begin <= '9') || *begin == '.'))
        begin++;
    return begin == end;
}

/* True when the text is one pair of braces or quotes around everything else. */
static bool is_enclosed(const char *text, size_t length)
{
    if (length < 2)
        return false;
    if (text[0] == '\'')
        return memchr(text + 1, '\'', length - 1) == text + length - 1;
    if (text[0] != '{')
        return false;
    int depth = 0;
    for (size_t i = 0; i < length; i++) {
        depth += text[i] == '{';
        depth -= text[i] == '}';
        if (depth == 0)
            return i == length - 1;
    }
    return false;
}

/* How many characters of par(..), HSPICE's mark of an expression, stand in front of it; 0: it is none. */
static size_t par_before(const char *text, size_t length)
{
    const bool par = length > 5 && (text[0] | 0x20) == 'p' && (text[1] | 0x20) == 'a' && (text[2] | 0x20) == 'r' &&
                     text[3] == '(' && text[length - 1] == ')';
    return par && is_enclosed(text + 4, length - 5) ? 4 : 0;
}

/* a = 1 in a condition is a == 1; only where a blank is beside it, since places in the text must stay. */
static void double_equals(char *text)
{
    for (char *c = strchr(text, '='); c; c = strchr(c + 1, '=')) {
        const bool alone = c > text && !strchr("=!<>", c[-1]) && c[1] != '=';
        if (alone && c[-1] == ' ')
            c[-1] = '=';
        else if (alone && c[1] == ' ')
            c[1] = '=';
        c += c[1] == '=';
    }
}

bool deck_scan_is_supplied(const struct deck_scan *s)
{
    return s->text->dialect == DIALECT_LTSPICE && s->text_depth > 0 && s->text_braces <= 1 &&
           (s->text_braces == 0 || s->text_outer == '{');
}

/* The text of an expression, with parentheses at its end that LTspice does without; NULL: out of memory. */
static char *closed_text(struct deck_scan *s, const char *begin, size_t length, struct kn_location where)
{
    size_t open = 0;
    for (size_t i = 0; i < length; i++)
        open = strchr("({", begin[i]) ? open + 1 : strchr(")}", begin[i]) && open > 0 ? open - 1 : open;
    if (s->text->dialect != DIALECT_LTSPICE || open == 0)
        return arena_text(s->arena, begin, length);
    char *text = arena_alloc(s->arena, length + open + 1);
    if (!text)
        return NULL;
    memcpy(text, begin, length);
    memset(text + length, ')', open);
    text[length + open] = '\0';
    deck_scan_warn(s, where, "a '(' in this expression is not closed; it ends with the expression");
    return text;
}

/* Lines that go on are lines again. */
static void restore_lines(char *text)
{
    for (; *text; text++)
        *text = (char)(*text == '\v' ? '\n' : *text == '\f' ? '+' : *text);
}

struct item *deck_scan_text(struct deck_scan *s, const char *end)
{
    const char *begin = s->text_begin, *first = begin;
    size_t length = (size_t)(end - begin);
    while (length > 0 && strchr(" \t\v\f,", begin[length - 1]))
        length--;
    struct kn_location where = s->text_where;
    const char *behind = begin + length;
    const size_t par = par_before(begin, length);
    if (par) {
        begin += par;
        length -= par + 1;
        where.column += (int)par;
    }
    const bool enclosed = is_enclosed(begin, length);
    const char *newline = memchr(begin, '\v', length);
    where.width = (int)(newline ? (size_t)(newline - begin) : length);
    if (enclosed) {
        begin++;
        length -= 2;
        where.column++;
        where.width -= newline ? 1 : 2;
    }
    if (where.width < 1)
        where.width = 1;
    bool expression = enclosed || s->extent != TEXT_VALUE;
    for (size_t i = 0; i < length && !expression; i++)
        expression = strchr("(){}'", begin[i]) != NULL;
    char *text = closed_text(s, begin, length, where);
    struct item *made = new_item(s, expression ? ITEM_EXPRESSION : ITEM_WORD, text, first, behind, where);
    if (made)
        restore_lines(text);
    if (made && s->letter == '.' && s->extent == TEXT_REST && !s->rest_of_statement)
        double_equals(text);
    s->after_value = s->extent == TEXT_VALUE;
    return made;
}

/* ---- for the grammar ---- */

struct item *deck_scan_group(struct deck_scan *s, struct item *inside, const char *open, const char *close,
                             struct kn_location where)
{
    struct item *group = new_item(s, ITEM_GROUP, "", open, close + 1, where);
    if (group)
        group->inside = inside;
    return group;
}

void statements_append(struct statements *list, struct statement *s)
{
    s->next = NULL;
    if (list->last)
        list->last->next = s;
    else
        list->first = s;
    list->last = s;
}

bool deck_scan_statement(struct deck_scan *s, struct item *items, struct kn_location end, bool broken)
{
    broken |= s->statement_failed;
    s->statement_failed = false;
    if (broken && s->shows)
        return true;
    struct statement *made = arena_alloc(s->arena, sizeof *made);
    if (!made) {
        s->out_of_memory = true;
        return false;
    }
    made->number = s->counts->statements++;
    made->items = items;
    made->end = end;
    made->broken = broken;
    statements_append(s->statements, made);
    return true;
}
