/* raw_text.c - see raw_text.h. */
#include "output/read/raw_text.h"

#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_LINE = 1 << 20 };

bool raw_text_fail(struct raw_text *r, long line, const char *hint, const char *format, ...)
{
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (r->status == KN_OK)
        diagnostics_add(r->diagnostics, KN_ERROR, "raw-file",
                        (struct kn_location){r->name, line > 0 ? (int)line : 0, 0, 0}, hint, "%s", text);
    r->status = r->status == KN_OK ? KN_ERROR_IO : r->status;
    return false;
}

bool raw_text_no_memory(struct raw_text *r)
{
    r->status = KN_ERROR_MEMORY;
    return false;
}

long raw_text_next(struct raw_text *r)
{
    const int low = getc(r->from);
    if (low == EOF)
        return EOF;
    const int high = r->wide ? getc(r->from) : 0;
    const long c = high == EOF ? EOF : (long)high << 8 | low;
    r->line += c == '\n' && r->line > 0;
    return c;
}

/* Names and titles get onto screens, which obey some characters. */
static bool is_obeyed(const struct raw_text *r, long c)
{
    return (c < 0x20 && c != '\t' && c != '\r') || c == 0x7f || (r->wide && c > 0x7f && c < 0xa0);
}

/* Of the basic plane; bytes of a file that is not wide stay what they are. */
static size_t encode(const struct raw_text *r, long c, char *to)
{
    c = is_obeyed(r, c) ? '?' : c;
    if (!r->wide || c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        to[0] = (char)(0xc0 | c >> 6);
        to[1] = (char)(0x80 | (c & 0x3f));
        return 2;
    }
    to[0] = (char)(0xe0 | c >> 12);
    to[1] = (char)(0x80 | (c >> 6 & 0x3f));
    to[2] = (char)(0x80 | (c & 0x3f));
    return 3;
}

char *raw_text_line(struct raw_text *r)
{
    enum { MOST = 4 }; /* bytes of a character and the zero behind it */
    size_t length = 0;
    const long line = r->line;
    for (long c; r->status == KN_OK && (c = raw_text_next(r)) != '\n';) {
        if (c == EOF && length == 0)
            return NULL;
        if (c == EOF)
            break;
        if (length > LONGEST_LINE)
            raw_text_fail(r, line, "is it a raw file?", "the line has more than a million characters");
        else if (!array_reserve(&r->buffer, length + MOST, &r->capacity, 1))
            raw_text_no_memory(r);
        else
            length += encode(r, c, r->buffer + length);
    }
    if (r->status != KN_OK || (length == 0 && !array_reserve(&r->buffer, MOST, &r->capacity, 1)))
        return NULL;
    length -= length > 0 && r->buffer[length - 1] == '\r';
    r->buffer[length] = '\0';
    return r->buffer;
}

static bool is_blank(long c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool raw_text_word(struct raw_text *r, char *word, size_t size)
{
    size_t length = 0;
    long c = raw_text_next(r);
    while (is_blank(c))
        c = raw_text_next(r);
    r->word_line = r->line;
    for (; c != EOF && !is_blank(c); c = raw_text_next(r))
        if (length + 1 < size)
            word[length++] = c < 0x80 ? (char)c : '?';
    word[length] = '\0';
    return length > 0;
}
