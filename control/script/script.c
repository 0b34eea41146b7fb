/* script.c - see script.h. */
#include "control/script/script.h"

#include "netlist/deck/deck_reader.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DEEPEST = 50, MOST_SOURCES = 100 };

/* A block that is open: where its next command goes. */
struct open_block {
    struct command *command; /* NULL: the script itself */
    struct command **end;
    bool in_else;
};

struct reading {
    const struct script_reader *reader;
    struct open_block open[DEEPEST];
    int depth;
    int sources;
    bool failed;
};

static bool fail(struct reading *r, struct kn_location where, const char *hint, const char *format, const char *what)
{
    char text[300];
    snprintf(text, sizeof text, format, what);
    diagnostics_add(r->reader->diagnostics, KN_ERROR, "control", where, hint, "%s", text);
    r->failed = true;
    return false;
}

static bool no_memory(struct reading *r)
{
    return fail(r, NOWHERE, NULL, "memory is exhausted%s", "");
}

bool script_word(const char **text, const char *word)
{
    const size_t length = strlen(word);
    const char *at = *text + strspn(*text, " \t");
    if (strncasecmp(at, word, length) != 0 || (at[length] && !strchr(" \t", at[length])))
        return false;
    *text = at + length + strspn(at + length, " \t");
    return true;
}

/* Of a $: "$ text", "x)$ text"; a $ at the end of a line only where it stands alone. */
static bool begins_comment(const char *text, size_t at)
{
    const bool alone = at == 0 || strchr(" \t", text[at - 1]);
    return text[at + 1] ? strchr(" \t", text[at + 1]) != NULL : alone;
}

/* Where a comment begins: at `;`, and at a `$` with a blank behind it, not in quotes. */
static size_t without_comment(const char *text)
{
    bool quoted = false;
    size_t end = 0;
    for (; text[end]; end++) {
        quoted ^= text[end] == '"';
        if (!quoted && (text[end] == ';' || (text[end] == '$' && begins_comment(text, end))))
            break;
    }
    while (end > 0 && strchr(" \t\r", text[end - 1]))
        end--;
    return end;
}

/* NULL for an empty line. */
static struct command *command_of(struct reading *r, const struct control_line *line)
{
    struct arena *a = r->reader->arena;
    const char *text = line->text + strspn(line->text, " \t");
    const size_t length = without_comment(text);
    if (length == 0 || strchr("*#", *text))
        return NULL;
    char *copy = arena_text(a, text, length);
    struct command *c = arena_alloc(a, sizeof *c);
    if (!copy || !c) {
        no_memory(r);
        return NULL;
    }
    size_t name = 0;
    while (isalnum((unsigned char)copy[name]) || copy[name] == '_')
        name++;
    name += name == 0; /* !ls */
    char *word = arena_text(a, copy, name);
    for (char *w = word; w && *w; w++)
        *w = (char)tolower((unsigned char)*w);
    *c = (struct command){.name = word ? word : "",
                          .rest = copy + name + strspn(copy + name, " \t"),
                          .where = line->where,
                          .in_comment = line->in_comment};
    if (!word)
        no_memory(r);
    return c;
}

/* ---- blocks ---- */

static void append(struct reading *r, struct command *c)
{
    struct open_block *o = &r->open[r->depth];
    *o->end = c;
    o->end = &c->next;
}

static enum block block_of(const char *name)
{
    static const char *const names[] = {
        [BLOCK_IF] = "if",         [BLOCK_WHILE] = "while",     [BLOCK_DOWHILE] = "dowhile",
        [BLOCK_REPEAT] = "repeat", [BLOCK_FOREACH] = "foreach", [BLOCK_BEGIN] = "begin"};
    for (int b = BLOCK_IF; b <= BLOCK_BEGIN; b++)
        if (strcmp(name, names[b]) == 0)
            return (enum block)b;
    return BLOCK_NONE;
}

int script_opens(const char *line)
{
    char name[16] = "";
    line += strspn(line, " \t");
    for (size_t i = 0; i + 1 < sizeof name && isalpha((unsigned char)line[i]); i++)
        name[i] = (char)tolower((unsigned char)line[i]);
    return block_of(name) != BLOCK_NONE ? 1 : strcmp(name, "end") == 0 || strcmp(name, "endif") == 0 ? -1 : 0;
}

static void open_block(struct reading *r, struct command *c)
{
    append(r, c);
    if (r->depth + 1 == DEEPEST) {
        fail(r, c->where, NULL, "the blocks are nested too deeply%s", "");
        return;
    }
    r->open[++r->depth] = (struct open_block){c, &c->body, false};
}

static void take_else(struct reading *r, const struct command *c)
{
    struct open_block *o = &r->open[r->depth];
    if (!o->command || o->command->block != BLOCK_IF || o->in_else)
        fail(r, c->where, NULL, "'else' without an 'if' before it%s", "");
    else if (*c->rest)
        fail(r, c->where, "write the next 'if' in a line of its own, and an 'end' for it",
             "expected nothing behind 'else', found '%s'", c->rest);
    else
        *o = (struct open_block){o->command, &o->command->otherwise, true};
}

static void take_end(struct reading *r, const struct command *c)
{
    if (r->depth == 0) /* ngspice goes on, too */
        diagnostics_add(r->reader->diagnostics, KN_WARNING, "control", c->where, NULL,
                        "'end' without a block before it is left out");
    else
        r->depth--;
}

static bool in_loop(const struct reading *r)
{
    for (int i = r->depth; i > 0; i--)
        if (r->open[i].command->block != BLOCK_IF && r->open[i].command->block != BLOCK_BEGIN)
            return true;
    return false;
}

static void take_lines(struct reading *r, const struct control_line *lines);

/* ---- source ---- */

struct control_line *script_lines(struct arena *a, const char *name, const char *text)
{
    struct control_line *first = NULL, **end = &first;
    const char *file = arena_text(a, name, strlen(name)), *next = text;
    for (int number = 1; next; number++) {
        const size_t length = strcspn(next, "\n");
        struct control_line *l = arena_alloc(a, sizeof *l);
        const char *kept = arena_text(a, next, length);
        if (!l || !kept || !file)
            return NULL;
        const char *word = kept;
        if (script_word(&word, ".control") || script_word(&word, ".endc") || script_word(&word, ".end"))
            kept = "";
        *l = (struct control_line){.text = kept, .where = {file, number, 1, 0}};
        *end = l;
        end = &l->next;
        next = next[length] ? next + length + 1 : NULL;
    }
    return first;
}

/* A netlist has cards, or an .end without commands around it; a file that begins with *ng_script has commands only. */
static bool is_netlist(const char *text)
{
    bool cards = false, control = false, end = false;
    if (strncasecmp(text, "*ng_script", 10) == 0)
        return false;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *word = line += strspn(line, " \t");
        const bool of_commands = script_word(&word, ".control") || script_word(&word, ".endc");
        control |= of_commands;
        end |= !of_commands && script_word(&word, ".end");
        cards |= *line == '.' && isalpha((unsigned char)line[1]) && word == line;
    }
    return cards || (end && !control);
}

/* Names that do not begin with / count from the folder of the deck, which $inputdir is as well. */
static const char *without_folder(const char *name)
{
    static const char folder[] = "$inputdir/";
    return strncasecmp(name, folder, sizeof folder - 1) == 0 ? name + sizeof folder - 1 : name;
}

static void take_source(struct reading *r, struct command *c)
{
    char path[4096];
    const char *deck = r->reader->deck, *slash = strrchr(deck, '/'), *reason = "", *name = c->rest;
    char *text = NULL;
    size_t length = strcspn(name, " \t");
    const bool quoted = *name == '"' && strchr(name + 1, '"');
    if (quoted)
        length = strcspn(++name, "\"");
    const char *const own = without_folder(name);
    length -= (size_t)(own - name);
    name = own;
    if (length == 0 || memchr(name, '$', length)) {
        fail(r, c->where, NULL, "'source' needs the name of a file of commands%s", "");
        return;
    }
    snprintf(path, sizeof path, "%.*s%.*s", *name == '/' || !slash ? 0 : (int)(slash - deck) + 1, deck, (int)length,
             name);
    if (++r->sources > MOST_SOURCES) {
        fail(r, c->where, "does a file name itself?", "more than 100 files of commands%s", "");
        return;
    }
    if (deck_load(path, &text, &length, &reason) != KN_OK) {
        fail(r, c->where, reason, "cannot read '%.200s'", path);
        return;
    }
    diagnostics_source(r->reader->diagnostics, path, text, length);
    if (r->reader->reads)
        r->reader->reads(r->reader->context, path);
    if (is_netlist(text)) { /* is read when the command is obeyed */
        free(text);
        c->rest = arena_text(r->reader->arena, path, strlen(path));
        if (c->rest)
            append(r, c);
        else
            no_memory(r);
        return;
    }
    struct control_line *lines = script_lines(r->reader->arena, path, text);
    free(text);
    if (lines)
        take_lines(r, lines);
    else
        no_memory(r);
}

/* ---- the whole ---- */

static void take(struct reading *r, struct command *c)
{
    c->block = block_of(c->name);
    if (c->block)
        open_block(r, c);
    else if (strcmp(c->name, "else") == 0)
        take_else(r, c);
    else if (strcmp(c->name, "end") == 0 || strcmp(c->name, "endif") == 0)
        take_end(r, c);
    else if (strcmp(c->name, "source") == 0 && !r->reader->keeps_source)
        take_source(r, c);
    else if ((strcmp(c->name, "break") == 0 || strcmp(c->name, "continue") == 0) && !in_loop(r))
        fail(r, c->where, NULL, "'%s' stands in no loop", c->name);
    else
        append(r, c);
}

static void take_lines(struct reading *r, const struct control_line *lines)
{
    for (; lines; lines = lines->next) {
        struct command *c = command_of(r, lines);
        if (c)
            take(r, c);
    }
}

bool script_read(const struct script_reader *reader, const struct control_line *lines, struct command **out)
{
    struct reading r = {.reader = reader};
    *out = NULL;
    r.open[0].end = out;
    take_lines(&r, lines);
    for (; r.depth > 0 && r.depth < DEEPEST - 1; r.depth--)
        fail(&r, r.open[r.depth].command->where, "close it with 'end'", "this '%s' has no 'end'",
             r.open[r.depth].command->name);
    return !r.failed;
}
