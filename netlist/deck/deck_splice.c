/* deck_splice.c - a file in the middle of a card:
 *
 *     .model D1 D (
 *     .include values.txt
 *     + )
 *
 * ngspice puts the lines of a file in place of the .include and looks for continued lines afterwards.  Elsewhere a file is
 * read by itself (deck_files.c), which is the same unless the file begins with a `+`, or one follows upon the .include: then
 * its lines are put into the text here, and `origins` keeps what lines of which file they are.
 */
#include "netlist/deck/deck_reader.h"

#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct splice {
    struct deck *deck;
    char *text; /* NULL: nothing was spliced yet */
    size_t length, capacity;
    struct line_origin *origins;
    size_t count, most;
    int line; /* of the text that is made, from 1 */
    bool failed;
};

/* Lines of a text one after the other. */
struct place {
    const char *at, *end;
    int line; /* from 1 */
};

static const char *line_end(const struct place *p)
{
    const char *newline = memchr(p->at, '\n', (size_t)(p->end - p->at));
    return newline ? newline + 1 : p->end;
}

static void to_next_line(struct place *p)
{
    p->at = line_end(p);
    p->line++;
}

static const char *first_of(const struct place *p)
{
    const char *c = p->at;
    while (c < p->end && (*c == ' ' || *c == '\t'))
        c++;
    return c;
}

static bool has_word(const struct place *p, const char *word)
{
    const char *first = first_of(p);
    const size_t length = strlen(word);
    return (size_t)(p->end - first) >= length && strncasecmp(first, word, length) == 0 &&
           (first + length == p->end || strchr(" \t\r\n", first[length]));
}

/* Whether the first line that is neither blank nor a comment goes on with the one before. */
static bool goes_on(struct place p)
{
    for (; p.at < p.end; to_next_line(&p)) {
        const char *first = first_of(&p);
        if (first < p.end && !strchr("*#;$\r\n", *first))
            return *first == '+';
    }
    return false;
}

/* The file that the line includes: begin and length of its name in *name; NULL: it includes none. */
static const char *included_name(const struct place *p, size_t *length)
{
    if (!has_word(p, ".include") && !has_word(p, ".inc") && !has_word(p, ".incl"))
        return NULL;
    const char *at = first_of(p) + strcspn(first_of(p), " \t\r\n");
    at += strspn(at, " \t");
    const bool quoted = *at == '"' || *at == '\'';
    at += quoted;
    *length = strcspn(at, quoted ? "\"'\n" : " \t\r\n;");
    return *length ? at : NULL;
}

/* The same of the beginning of a file. */
static bool file_goes_on(const char *path)
{
    FILE *from = fopen(path, "rb");
    char line[512];
    bool blank = true, is_begin = true, found = false;
    while (from && blank && fgets(line, sizeof line, from)) {
        const bool ends = strchr(line, '\n') != NULL;
        const char *first = line + strspn(line, " \t");
        blank = !is_begin || strchr("*#;$\r\n", *first);
        found = is_begin && *first == '+';
        is_begin = ends;
    }
    if (from)
        fclose(from);
    return found;
}

static bool reserve(struct splice *s, size_t more)
{
    if (!s->failed && array_reserve(&s->text, s->length + more + 3, &s->capacity, 1) &&
        array_reserve(&s->origins, s->count + 1, &s->most, sizeof *s->origins))
        return true;
    s->failed = true;
    return false;
}

/* Appends the lines from..to, which begin with this line of the file. */
static void append(struct splice *s, const char *file, int line, const char *from, const char *to)
{
    if (from == to || !reserve(s, (size_t)(to - from)))
        return;
    s->origins[s->count++] = (struct line_origin){.from = s->line, .file = file, .line = line};
    for (; from < to; from++) {
        s->text[s->length++] = *from;
        s->line += *from == '\n';
    }
    if (s->text[s->length - 1] != '\n') {
        s->text[s->length++] = '\n';
        s->line++;
    }
}

static void splice_text(struct splice *s, const char *text, size_t length, bool nested, bool has_title);

static void splice_file(struct splice *s, const char *name, struct kn_location where)
{
    struct deck *k = s->deck;
    char *loaded = NULL;
    size_t length = 0;
    const char *path = deck_find_file(k, name, where);
    if (!path || !deck_open_included(k, path, NULL, where, &loaded, &length))
        return;
    const char *text = loaded;
    struct open_file f = {.name = path, .parent = k->open_file, .depth = k->open_file->depth + 1};
    k->open_file = &f;
    if (deck_decode(k->scratch, &text, &length) && deck_note_included(k, path)) {
        diagnostics_source(k->listener, path, text, length);
        splice_text(s, text, length, true, false);
    } else {
        s->failed = true;
    }
    k->open_file = f.parent;
    free(loaded);
}

/* Whether the file that this line includes is one in the middle of a card. */
static bool is_within_card(struct splice *s, const struct place *p, const char *name, struct kn_location where)
{
    struct place behind = *p;
    to_next_line(&behind);
    if (goes_on(behind))
        return true;
    const char *path = deck_look_for_file(s->deck, name, where);
    return path && file_goes_on(path);
}

/* The name of such a file; NULL: this line includes none. */
static const char *name_to_splice(struct splice *s, const struct place *p, struct kn_location *where)
{
    size_t length = 0;
    const char *begin = included_name(p, &length);
    const char *name = begin ? arena_text(s->deck->scratch, begin, length) : NULL;
    s->failed |= begin && !name;
    if (!name)
        return NULL;
    where->line = p->line;
    where->column = (int)(begin - p->at) + 1;
    where->width = (int)length;
    return is_within_card(s, p, name, *where) ? name : NULL;
}

/* Appends the lines with those of the files; of the deck's own text, which is not nested, only where there are such files. */
static void splice_text(struct splice *s, const char *text, size_t length, bool nested, bool has_title)
{
    const char *file = s->deck->open_file->name;
    struct place p = {text, text + length, 1}, rest = p;
    struct kn_location where = {.file = file};
    bool in_control = false;
    if (has_title)
        to_next_line(&p);
    for (; p.at < p.end && (in_control || !has_word(&p, ".end")); to_next_line(&p)) {
        if (*first_of(&p) != '.') /* most lines of large decks */
            continue;
        in_control = has_word(&p, ".control") || (in_control && !has_word(&p, ".endc"));
        const char *name = in_control ? NULL : name_to_splice(s, &p, &where);
        if (!name)
            continue;
        append(s, file, rest.line, rest.at, p.at);
        splice_file(s, name, where);
        rest = p;
        to_next_line(&rest);
    }
    if (nested || s->text) /* and of a file nothing behind its .end */
        append(s, file, rest.line, rest.at, nested ? p.at : rest.end);
}

bool deck_splice(struct deck *k, struct deck_text *t)
{
    struct splice s = {.deck = k, .line = 1};
    splice_text(&s, t->text, t->length, false, t->has_title);
    if (!s.failed && s.text) {
        t->text = arena_alloc(k->scratch, s.length + 2);
        t->origins = arena_alloc(k->scratch, s.count * sizeof *s.origins);
        t->origins_count = s.count;
        t->length = s.length;
        s.failed = !t->text || !t->origins;
    }
    if (!s.failed && s.text) {
        memcpy(t->text, s.text, s.length);
        memset(t->text + s.length, 0, 2);
        memcpy(t->origins, s.origins, s.count * sizeof *s.origins);
    }
    ARRAYS_FREE(s.text, s.origins);
    return !s.failed || deck_no_memory(k);
}
