/* diagnostics.c - the list of messages of a run and their form on paper. */
#include "base/diagnostics.h"

#include "base/arena.h"
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* A deck of garbage must not fill the memory with messages; errors beyond are counted only. */
enum { MOST_MESSAGES = 1000 };

struct source_text {
    const char *file;
    const char *text;
    size_t length;
    size_t *line_start; /* [lines] offsets */
    size_t lines;
};

struct kn_diagnostics {
    struct arena *arena;
    struct kn_diagnostic *items;
    size_t count, capacity, errors;
    struct source_text *sources;
    size_t source_count, source_capacity;
    bool exhausted;
};

struct kn_diagnostics *kn_diagnostics_new(void)
{
    struct kn_diagnostics *d = calloc(1, sizeof *d);
    if (d && !(d->arena = arena_new())) {
        free(d);
        d = NULL;
    }
    return d;
}

void kn_diagnostics_free(struct kn_diagnostics *d)
{
    if (!d)
        return;
    arena_free(d->arena);
    free(d->items);
    free(d->sources);
    free(d);
}

size_t kn_diagnostics_count(const struct kn_diagnostics *d)
{
    return d->count;
}

const struct kn_diagnostic *kn_diagnostics_get(const struct kn_diagnostics *d, size_t index)
{
    return index < d->count ? &d->items[index] : NULL;
}

size_t kn_diagnostics_errors(const struct kn_diagnostics *d)
{
    return d->errors;
}

static bool index_lines(struct arena *a, struct source_text *s)
{
    s->lines = 1;
    for (size_t i = 0; i < s->length; i++)
        s->lines += s->text[i] == '\n';
    s->line_start = arena_array(a, s->lines, sizeof *s->line_start);
    if (!s->line_start)
        return false;
    size_t line = 1;
    for (size_t i = 0; i < s->length; i++)
        if (s->text[i] == '\n')
            s->line_start[line++] = i + 1;
    return true;
}

void diagnostics_source(struct kn_diagnostics *d, const char *file, const char *text, size_t length)
{
    if (!d || !array_reserve(&d->sources, d->source_count + 1, &d->source_capacity, sizeof *d->sources))
        return;
    struct source_text s = {.length = length};
    s.file = arena_text(d->arena, file, strlen(file));
    s.text = arena_text(d->arena, text, length);
    if (!s.file || !s.text || !index_lines(d->arena, &s))
        return;
    size_t at = 0;
    while (at < d->source_count && strcmp(d->sources[at].file, file) != 0)
        at++;
    d->sources[at] = s; /* in the place of an earlier text of that name */
    d->source_count += at == d->source_count;
}

void diagnostics_sources(struct kn_diagnostics *to, const struct kn_diagnostics *from)
{
    for (size_t i = 0; i < from->source_count; i++)
        diagnostics_source(to, from->sources[i].file, from->sources[i].text, from->sources[i].length);
}

void diagnostics_clear(struct kn_diagnostics *d)
{
    d->count = d->errors = 0;
}

/* The line of a place and its length; NULL where its text is not known. */
static const char *source_line(const struct kn_diagnostics *d, struct kn_location where, size_t *length)
{
    if (!where.file || where.line < 1)
        return NULL;
    for (size_t i = d->source_count; i-- > 0;) {
        const struct source_text *s = &d->sources[i];
        if (strcmp(s->file, where.file) != 0 || (size_t)where.line > s->lines)
            continue;
        const size_t begin = s->line_start[where.line - 1];
        size_t end = begin;
        while (end < s->length && s->text[end] != '\n' && s->text[end] != '\r' && s->text[end] != '\0')
            end++;
        *length = end - begin;
        return s->text + begin;
    }
    return NULL;
}

/* ---- characters ---- */

/* Bytes of the first character: of a whole one in UTF-8; any other byte, such as one of Latin-1, is a character. */
static size_t character_size(const char *text, size_t left)
{
    const unsigned char first = (unsigned char)*text;
    const size_t size = first >= 0xf0 && first < 0xf8 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 1;
    if (size > left || first >= 0xf8)
        return 1;
    for (size_t i = 1; i < size; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 1;
    return size;
}

static size_t count_characters(const char *text, size_t bytes)
{
    size_t count = 0;
    for (size_t at = 0; at < bytes; at += character_size(text + at, bytes - at))
        count++;
    return count;
}

/* Bytes that so many characters take, or all of them. */
static size_t bytes_of_characters(const char *text, size_t count)
{
    const size_t length = strlen(text);
    size_t at = 0;
    for (; count > 0 && at < length; count--)
        at += character_size(text + at, length - at);
    return at;
}

/* Code that reads text counts bytes; a place that is shown counts characters, as editors do. */
static void count_in_characters(struct kn_location *where, const char *line, size_t length)
{
    const size_t begin = where->column > 0 ? (size_t)where->column - 1 : 0;
    if (!line || where->column < 1 || begin > length)
        return;
    const size_t width = where->width > 0 ? (size_t)where->width : 0, left = length - begin;
    const size_t within = width < left ? width : left;
    where->column = (int)count_characters(line, begin) + 1;
    where->width = (int)(count_characters(line + begin, within) + (width - within));
}

/* ---- messages ---- */

static bool same_place(struct kn_location a, struct kn_location b)
{
    const bool same_file = a.file && b.file ? strcmp(a.file, b.file) == 0 : a.file == b.file;
    return a.line == b.line && a.column == b.column && same_file;
}

/* Whether the same has been said of the same place: two analyses of a circuit find the same in it. */
static bool is_known(const struct kn_diagnostics *d, const struct kn_diagnostic *item)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->items[i].severity == item->severity && same_place(d->items[i].where, item->where) &&
            strcmp(d->items[i].text, item->text) == 0)
            return true;
    return false;
}

/* Copies what the item borrows into the list's own memory. */
static bool keep_item(struct kn_diagnostics *d, struct kn_diagnostic *item, size_t line_length)
{
    struct arena *a = d->arena;
    item->code = arena_text(a, item->code, strlen(item->code));
    item->text = arena_text(a, item->text, strlen(item->text));
    item->hint = item->hint ? arena_text(a, item->hint, strlen(item->hint)) : NULL;
    item->source_line = item->source_line ? arena_text(a, item->source_line, line_length) : NULL;
    item->where.file = item->where.file ? arena_text(a, item->where.file, strlen(item->where.file)) : NULL;
    return item->code && item->text;
}

static void add_item(struct kn_diagnostics *d, struct kn_diagnostic *item)
{
    size_t length = 0;
    item->source_line = source_line(d, item->where, &length);
    count_in_characters(&item->where, item->source_line, length);
    if (is_known(d, item))
        return;
    d->errors += item->severity == KN_ERROR;
    if (array_reserve(&d->items, d->count + 1, &d->capacity, sizeof *d->items) && keep_item(d, item, length))
        d->items[d->count++] = *item;
    else
        d->exhausted = true;
}

void diagnostics_add(struct kn_diagnostics *d, enum kn_severity severity, const char *code, struct kn_location where,
                     const char *hint, const char *format, ...)
{
    char text[1000], *longer = NULL;
    if (!d)
        return;
    d->exhausted |= strcmp(code, "memory") == 0;
    /* errors have room of their own, so that no run fails without a word */
    if (d->count >= (severity == KN_ERROR ? 2 * MOST_MESSAGES : MOST_MESSAGES)) {
        d->errors += severity == KN_ERROR;
        return;
    }
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int needed = vsnprintf(text, sizeof text, format, arguments);
    if (needed >= (int)sizeof text && (longer = malloc((size_t)needed + 1)))
        vsnprintf(longer, (size_t)needed + 1, format, again);
    va_end(again);
    va_end(arguments);
    struct kn_diagnostic item = {
        .severity = severity, .code = code, .where = where, .text = longer ? longer : text, .hint = hint};
    add_item(d, &item);
    free(longer);
}

void diagnostics_copy(struct kn_diagnostics *to, const struct kn_diagnostics *from)
{
    if (!to)
        return;
    const size_t errors = to->errors + from->errors;
    for (size_t i = 0; i < from->count; i++) {
        const struct kn_diagnostic *m = &from->items[i];
        diagnostics_add(to, m->severity, m->code, m->where, m->hint, "%s", m->text);
    }
    to->errors = errors;
    to->exhausted |= from->exhausted;
}

const char *diagnostics_first_error(const struct kn_diagnostics *d)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->items[i].severity == KN_ERROR)
            return d->items[i].text;
    return NULL;
}

bool diagnostics_exhausted(const struct kn_diagnostics *d)
{
    return d && d->exhausted;
}

const char *diagnostics_hint(struct kn_diagnostics *d, const char *format, ...)
{
    if (!d)
        return NULL;
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_format_list(d->arena, format, arguments);
    va_end(arguments);
    return text;
}

const char *diagnostics_meant(struct kn_diagnostics *d, const char *guess)
{
    return guess ? diagnostics_hint(d, "did you mean '%s'?", guess) : NULL;
}

/* ---- on paper ---- */

static const char *const severity_names[] = {"note", "warning", "error"};
static const char *const severity_colours[] = {"\033[36m", "\033[35m", "\033[31m"};

static void write_place(const struct kn_location *where, FILE *to)
{
    if (!where->file)
        return;
    fputs(where->file, to);
    if (where->line > 0)
        fprintf(to, ":%d", where->line);
    if (where->line > 0 && where->column > 0)
        fprintf(to, ":%d", where->column);
    fputs(": ", to);
}

/* Control characters and bytes that are no text become '?', so that a binary file cannot disturb the terminal. */
static void write_clean(const char *text, size_t length, FILE *to)
{
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        fputc(c < 0x20 || c == 0x7f ? (c == '\t' ? ' ' : '?') : c, to);
    }
}

static void write_caret(const struct kn_diagnostic *item, FILE *to, bool colour)
{
    enum { MARGIN = 60, WINDOW = 110 };
    const char *line = item->source_line;
    const size_t length = count_characters(line, strlen(line));
    const size_t column = item->where.column > 0 ? (size_t)item->where.column - 1 : 0;
    const size_t first = column > WINDOW - 10 ? column - MARGIN : 0; /* long lines show a window around the place */
    const size_t shown = length > first ? (length - first > WINDOW ? WINDOW : length - first) : 0;
    const char *from = line + bytes_of_characters(line, first);
    fputs("    ", to);
    write_clean(from, bytes_of_characters(from, shown), to);
    fputc('\n', to);
    if (item->where.column < 1 || column > length)
        return;
    size_t width = item->where.width > 0 ? (size_t)item->where.width : 1;
    if (column - first + width > shown + 1)
        width = shown + 1 > column - first ? shown + 1 - (column - first) : 1;
    fprintf(to, "    %*s%s", (int)(column - first), "", colour ? "\033[32m^" : "^");
    for (size_t i = 1; i < width; i++)
        fputc('~', to);
    fputs(colour ? "\033[0m\n" : "\n", to);
}

/* Text may quote the deck, where a name can be as long as the file: the middle of very long words is left out. */
static void write_text(const char *text, FILE *to)
{
    enum { LONGEST_WORD = 300, SHOWN = 60 };
    while (*text) {
        const size_t word = strcspn(text, " \n");
        const size_t shown = word > LONGEST_WORD ? SHOWN : word;
        write_clean(text, shown, to);
        if (shown < word) {
            fputs("..", to);
            write_clean(text + word - SHOWN, SHOWN, to);
        }
        text += word;
        if (*text)
            fputc(*text++, to);
    }
}

void kn_diagnostic_write(const struct kn_diagnostic *item, FILE *to, bool colour)
{
    write_place(&item->where, to);
    fprintf(to, "%s%s:%s ", colour ? severity_colours[item->severity] : "", severity_names[item->severity],
            colour ? "\033[0m" : "");
    write_text(item->text, to);
    fputc('\n', to);
    if (item->source_line)
        write_caret(item, to, colour);
    if (!item->hint)
        return;
    fputs("    hint: ", to);
    write_text(item->hint, to);
    fputc('\n', to);
}
