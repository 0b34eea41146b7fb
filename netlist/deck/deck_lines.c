/* deck_lines.c - SPICE's rules about lines: title, comments, continuation, .control blocks, .end.
 *
 * The text is changed in place and keeps its length: what is no netlist becomes blanks, and the end of a line that
 * goes on in the next (which begins with `+`, or it ends with two backslashes) becomes '\v', the `+` itself '\f'.  So
 * every later message can give the user's own line and column.
 */
#include "netlist/deck/deck.h"

#include "base/names.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

struct line {
    char *begin, *end; /* end points at the '\n' or behind the text */
    char *first;       /* first character that is no blank, or end */
    int number;
};

struct line_state {
    struct deck_text *deck;
    struct kn_diagnostics *diagnostics;
    char *statement_end; /* where the last statement's line ended; NULL if there is nothing to continue */
    bool goes_on;        /* it ends with two backslashes */
    bool in_control;
    const char *subcircuit; /* name of the last one, NULL: there is none yet */
    size_t subcircuit_length;
    const char *skipped_to; /* the card that ends lines that are not read, or NULL */
    bool control_goes_on;   /* a line of it may be continued */
    bool out_of_memory;
    struct kn_location control;
    bool failed;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

void deck_place_line(const struct deck_text *t, struct kn_location *where)
{
    size_t low = 0, high = t->origins_count;
    while (low < high) { /* the last that begins there or before */
        const size_t middle = low + (high - low) / 2;
        if (t->origins[middle].from <= where->line)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return;
    where->file = t->origins[low - 1].file;
    where->line += t->origins[low - 1].line - t->origins[low - 1].from;
}

static struct kn_location place(const struct line_state *s, const struct line *l, const char *at, int width)
{
    struct kn_location where = {s->deck->file, l->number, (int)(at - l->begin) + 1, width};
    deck_place_line(s->deck, &where);
    return where;
}

static void blank_out(char *from, const char *to)
{
    for (; from < to; from++)
        *from = ' ';
}

/* True when the line's first word is this one. */
static bool starts_with(const struct line *l, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(l->end - l->first) < length)
        return false;
    for (size_t i = 0; i < length; i++) {
        const char c = l->first[i];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != word[i])
            return false;
    }
    return l->first + length == l->end || is_blank(l->first[length]);
}

static bool is_comment(const struct line *l)
{
    if (l->first == l->end)
        return true;
    const char second = l->first + 1 < l->end ? l->first[1] : ' ';
    return strchr("*#;$", *l->first) || (*l->first == '/' && second == '/');
}

/* Whether a value was given to something in front of here, W=1u, and no bracket is open: nodes stand before such, and a word
 * that begins with `$` is none. */
static bool is_behind_setting(const struct line *l, const char *here)
{
    bool given = false;
    int depth = 0;
    for (const char *c = l->first; c < here; c++) {
        depth += (*c == '(' || *c == '{') - (*c == ')' || *c == '}');
        given |= *c == '=' && depth == 0;
    }
    return given && depth == 0;
}

/* Whether a `$` behind a blank begins a comment.  Names of nodes may begin with it, where nodes may stand, but to HSPICE; to Xyce
 * `$` is a name itself. */
static bool begins_comment(const struct line_state *s, const struct line *l, const char *dollar)
{
    const enum dialect dialect = s->deck->dialect;
    const bool alone = dollar + 1 == l->end || is_blank(dollar[1]);
    return dialect != DIALECT_XYCE && (alone || dialect == DIALECT_HSPICE || is_behind_setting(l, dollar));
}

/* Whether a line has no formulas that are neither in quotes nor in brackets: those of elements, but of controlled sources, of models and
 * of analyses. */
static bool keeps_formulas_in_quotes(const struct line *l, bool *model)
{
    static const char *const cards[] = {".tran", ".dc", ".ac", ".noise", ".op", ".print", ".probe", ".plot", ".temp"};
    const bool letter = (*l->first >= 'a' && *l->first <= 'z') || (*l->first >= 'A' && *l->first <= 'Z');
    *model = starts_with(l, ".model");
    bool card = *model;
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++)
        card |= starts_with(l, cards[i]);
    return card || (letter && !strchr("befghBEFGH", *l->first));
}

/* What stands open at a place in a line, which has been looked at so far, and the last character there that is no blank. */
struct open_parts {
    const char *to;
    int brackets;
    bool quote; /* a single one */
    char last;
};

static void look_up_to(struct open_parts *p, const char *place)
{
    for (; p->to < place; p->to++) {
        p->quote ^= *p->to == '\'';
        p->brackets += p->quote ? 0 : (*p->to == '(' || *p->to == '{') - (*p->to == ')' || *p->to == '}');
        p->last = is_blank(*p->to) ? p->last : *p->to;
    }
}

/* Of HSPICE, whose decks have such: a `*` behind a blank where no formula stands, or behind a formula in quotes. */
static bool begins_star_comment(const struct line_state *s, const struct line *l, const char *star,
                                struct open_parts *p)
{
    bool model;
    if (s->deck->dialect != DIALECT_HSPICE)
        return false;
    look_up_to(p, star);
    if (p->quote || !p->last)
        return false;
    const bool plain = keeps_formulas_in_quotes(l, &model), behind = (is_blank(star[-1]) && plain) || p->last == '\'';
    return behind && (p->brackets == 0 || model);
}

/* Where a comment at the end of a line begins: `;` anywhere, `$`, `//` and `*` after a blank, none of them in "...". */
static char *comment_in(const struct line_state *s, const struct line *l)
{
    bool quoted = false;
    struct open_parts open = {.to = l->first};
    /* From one character that matters to the next. */
    for (char *c = l->first; (c += strcspn(c, "\";$/*\n")) < l->end; c++) {
        const char next = c + 1 < l->end ? c[1] : ' ';
        const bool after_blank = c > l->first && (is_blank(c[-1]) || c[-1] == ',');
        if (*c == '"')
            quoted = !quoted;
        else if (!quoted && (*c == ';' || (after_blank && *c == '$' && begins_comment(s, l, c)) ||
                             (after_blank && *c == '/' && next == '/') ||
                             (*c == '*' && c > l->first && begins_star_comment(s, l, c, &open))))
            return c;
    }
    return l->end;
}

static void blank_comment(struct line_state *s, const struct line *l)
{
    char *comment = comment_in(s, l);
    if (s->deck->dialect == DIALECT_HSPICE && comment < l->end && *comment == '$' && !s->deck->dollar.line &&
        comment + 1 < l->end && !is_blank(comment[1]))
        s->deck->dollar = place(s, l, comment, 1);
    if (comment < l->end && *comment == '*' && !s->deck->star.line)
        s->deck->star = place(s, l, comment, 1);
    blank_out(comment, l->end);
}

/* ---- what is no text ---- */

/* Control characters that stand for blanks, and those in comments, become blanks; any other is an error. */
static bool clean_line(struct line_state *s, const struct line *l)
{
    const bool comment = l->first < l->end && *l->first == '*';
    for (char *c = l->begin; c < l->end; c++) {
        const unsigned char byte = (unsigned char)*c;
        if (byte == '\r' || byte == '\f' || byte == '\v' || (comment && byte < ' '))
            *c = ' ';
        else if ((byte < ' ' && byte != '\t') || byte == 0x7f) {
            diagnostics_add(s->diagnostics, KN_ERROR, "binary", place(s, l, c, 1),
                            "a netlist is a text file; is this the right file?", "this is not text: byte 0x%02x", byte);
            return false;
        }
    }
    return true;
}

/* ---- kinds of lines ---- */

static void enter_control(struct line_state *s, const struct line *l)
{
    s->in_control = true;
    s->control = place(s, l, l->first, 8);
}

/* In the deck itself; elsewhere "*# GHz S MA R 50" is a comment. */
static bool begins_control_line(const struct line_state *s, const struct line *l)
{
    return s->deck->has_title && l->end - l->first > 2 && l->first[0] == '*' && l->first[1] == '#';
}

/* Two lines as one, with a blank between them; NULL without memory. */
static const char *join(struct arena *a, const char *before, const struct line *l)
{
    return arena_format(a, "%s %.*s", before, (int)(l->end - l->first - 1), l->first + 1);
}

/* The line, without memory of which it is left out: what reads the arena notices. */
static void keep_control_line(struct line_state *s, const struct line *l, char *first)
{
    struct deck_text *t = s->deck;
    if (!t->control || first == l->end || *first == '*')
        return;
    struct control_line *made = arena_alloc(t->arena, sizeof *made);
    if (!made || !(made->text = arena_text(t->arena, first, (size_t)(l->end - first)))) {
        s->out_of_memory = true;
        return;
    }
    made->where = place(s, l, first, (int)(l->end - first));
    made->in_comment = l->first[0] == '*';
    while (**t->control)
        *t->control = &(**t->control)->next;
    **t->control = made;
}

static void take_control_line(struct line_state *s, const struct line *l)
{
    struct control_line *last = s->deck->control ? **s->deck->control : NULL;
    if (begins_control_line(s, l)) {
        char *first = l->first + 2;
        while (first < l->end && is_blank(*first))
            first++;
        keep_control_line(s, l, first);
    } else if (l->first < l->end && *l->first == '+' && last && s->control_goes_on) {
        last->text = join(s->deck->arena, last->text, l);
        s->out_of_memory |= !last->text;
    } else {
        keep_control_line(s, l, l->first);
    }
    s->control_goes_on = true;
}

/* Two backslashes at the end of a line, or one behind a blank, go on with the next one, as a `+` there would. */
static void look_for_backslashes(struct line_state *s, const struct line *l)
{
    if (!memchr(l->first, '\\', (size_t)(l->end - l->first))) {
        s->goes_on = false;
        return;
    }
    char *end = comment_in(s, l);
    while (end > l->first && (is_blank(end[-1]) || end[-1] == '\r'))
        end--;
    const ptrdiff_t length = end - l->first;
    const bool backslash = length >= 2 && end[-1] == '\\';
    s->goes_on = backslash && (end[-2] == '\\' || is_blank(end[-2]));
    if (s->goes_on)
        blank_out(end - 2, end);
}

static void join_to_statement(struct line_state *s, const struct line *l)
{
    for (char *c = s->statement_end; c < l->begin; c++)
        if (*c == '\n')
            *c = '\v';
    blank_comment(s, l);
    s->statement_end = l->end;
}

static void continue_statement(struct line_state *s, const struct line *l)
{
    if (!s->statement_end) {
        diagnostics_add(s->diagnostics, KN_ERROR, "syntax", place(s, l, l->first, 1),
                        "'+' in the first column continues the statement above it; there is none",
                        "nothing to continue here");
        s->failed = true;
        blank_out(l->begin, l->end);
        return;
    }
    *l->first = '\f';
    join_to_statement(s, l);
}

/* To Xyce a line that begins with a blank is a comment, unless it goes on with the one above. */
static bool is_indented_comment(struct line_state *s, const struct line *l)
{
    if (s->deck->dialect != DIALECT_XYCE || l->first == l->begin || *l->first == '+')
        return false;
    if (!s->deck->indented.line && !is_comment(l))
        s->deck->indented = place(s, l, l->first, 1);
    return true;
}

/* The names that PSpice's schematics have for the pins of elements. */
static const char *end_of_skipped(const struct line *l)
{
    return starts_with(l, ".aliases") ? ".endaliases" : NULL;
}

/* What stands behind the first word of a line. */
static const char *second_word(const struct line *l)
{
    const char *at = l->first;
    while (at < l->end && !is_blank(*at))
        at++;
    while (at < l->end && is_blank(*at))
        at++;
    return at;
}

static size_t word_length(const char *at, const char *end)
{
    size_t length = 0;
    while (at + length < end && !is_blank(at[length]))
        length++;
    return length;
}

/* `.end name` in a library, where `.ends name` is meant: the text ends with none of its subcircuits.  It becomes `.ends`. */
static bool ends_subcircuit(const struct line_state *s, struct line *l)
{
    const char *name = second_word(l);
    const size_t length = word_length(name, l->end);
    if (s->deck->has_title || !s->subcircuit || length == 0 || length != s->subcircuit_length ||
        strncasecmp(name, s->subcircuit, length) != 0)
        return false;
    blank_out(l->first + 4, l->end);
    l->first[4] = 's';
    return true;
}

static void note_subcircuit(struct line_state *s, const struct line *l)
{
    if (!starts_with(l, ".subckt") && !starts_with(l, "subckt"))
        return;
    s->subcircuit = second_word(l);
    s->subcircuit_length = word_length(s->subcircuit, l->end);
}

static void leave_open_control(struct line_state *s)
{
    diagnostics_add(s->diagnostics, KN_WARNING, "syntax", s->control, "end the block with '.endc'",
                    "this '.control' block has no '.endc'; it ends with the deck");
    s->in_control = s->control_goes_on = false;
}

/* False when the text ends with this line. */
static bool treat_line(struct line_state *s, struct line *l)
{
    if (s->in_control && starts_with(l, ".end"))
        leave_open_control(s);
    if (s->skipped_to && !starts_with(l, ".end")) {
        s->skipped_to = starts_with(l, s->skipped_to) ? NULL : s->skipped_to;
        blank_out(l->begin, l->end);
        s->statement_end = NULL;
    } else if (s->in_control) {
        s->in_control = !starts_with(l, ".endc");
        if (s->in_control)
            take_control_line(s, l);
        else
            s->control_goes_on = false;
        blank_out(l->begin, l->end);
    } else if (begins_control_line(s, l)) {
        take_control_line(s, l);
        s->control_goes_on = false;
        blank_out(l->begin, l->end);
    } else if (is_comment(l) || is_indented_comment(s, l)) {
        blank_out(l->begin, l->end);
    } else if (*l->first == '+') {
        look_for_backslashes(s, l);
        continue_statement(s, l);
    } else if (s->goes_on && s->statement_end) {
        look_for_backslashes(s, l);
        join_to_statement(s, l);
    } else if (starts_with(l, ".control")) {
        enter_control(s, l);
        s->statement_end = NULL;
        blank_out(l->begin, l->end);
    } else if (starts_with(l, ".end") && !ends_subcircuit(s, l)) {
        return false;
    } else {
        s->skipped_to = end_of_skipped(l);
        note_subcircuit(s, l);
        look_for_backslashes(s, l);
        blank_comment(s, l);
        s->statement_end = l->end;
    }
    return true;
}

static void skip_byte_order_mark(struct deck_text *t)
{
    if (t->length >= 3 && memcmp(t->text, "\xef\xbb\xbf", 3) == 0)
        blank_out(t->text, t->text + 3);
}

static struct line next_line(char *at, char *stop, int number)
{
    struct line l = {.begin = at, .number = number};
    l.end = memchr(at, '\n', (size_t)(stop - at));
    if (!l.end)
        l.end = stop;
    return l;
}

static void truncate_at(struct deck_text *t, const char *here)
{
    t->length = (size_t)(here - t->text);
    memset(t->text + t->length, 0, 2);
}

/* ^Z behind the last line, or behind the last word of a line. */
static void blank_final_marks(struct deck_text *t)
{
    const char *const end = t->text + t->length;
    for (char *at = t->text; (at = memchr(at, 0x1a, (size_t)(end - at)));) {
        const size_t marks = strspn(at, "\x1a"), behind = strspn(at, "\x1a\t\r ");
        const bool last = at + behind == end || at[behind] == '\n';
        const bool alone = (at == t->text || at[-1] == '\n') && strspn(at, "\x1a\n\r\t ") < (size_t)(end - at);
        if (last && !alone)
            memset(at, ' ', marks);
        at += marks;
    }
}

bool deck_lines_prepare(struct deck_text *t, struct kn_diagnostics *d)
{
    struct line_state s = {.deck = t, .diagnostics = d};
    skip_byte_order_mark(t);
    blank_final_marks(t);
    char *const stop = t->text + t->length;
    struct line l = {0};
    for (char *at = t->text; at < stop; at = l.end + 1) {
        l = next_line(at, stop, l.number + 1);
        if (memchr(l.begin, 0x1a, (size_t)(l.end - l.begin)) == l.begin) { /* ^Z ends a text of old systems */
            truncate_at(t, l.begin);
            break;
        }
        for (l.first = l.begin; l.first < l.end && is_blank(*l.first);)
            l.first++;
        if (!clean_line(&s, &l)) {
            truncate_at(t, t->text);
            return false;
        }
        while (l.first < l.end && is_blank(*l.first)) /* what is cleaned away may stand in front */
            l.first++;
        if (t->has_title && l.number == 1) {
            blank_out(l.begin, l.end);
        } else if (!treat_line(&s, &l)) {
            truncate_at(t, l.begin);
            break;
        }
    }
    if (s.in_control)
        leave_open_control(&s);
    if (s.out_of_memory)
        diagnostics_add(d, KN_ERROR, "memory", NOWHERE, NULL, "memory is exhausted while reading '%s'", t->file);
    return !s.failed && !s.out_of_memory;
}
