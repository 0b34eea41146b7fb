/* json.c - see json.h. */
#include "base/json.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>

/* Length of a well-formed UTF-8 sequence, 0 where there is none. */
static size_t utf8_length(const unsigned char *s)
{
    const size_t length = s[0] < 0x80                   ? 1
                          : s[0] >= 0xC2 && s[0] < 0xE0 ? 2
                          : (s[0] & 0xF0) == 0xE0       ? 3
                          : s[0] >= 0xF0 && s[0] < 0xF5 ? 4
                                                        : 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] >= 0xA0) || (s[0] == 0xF0 && s[1] < 0x90) ||
        (s[0] == 0xF4 && s[1] >= 0x90))
        return 0;
    return length;
}

void json_write_string(FILE *to, const char *text, bool lower)
{
    fputc('"', to);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        const size_t length = utf8_length(s);
        if (length == 0)
            fprintf(to, "\\u%04x", *s);
        else if (*s == '"' || *s == '\\')
            fprintf(to, "\\%c", *s);
        else if (*s < 0x20)
            fprintf(to, "\\u%04x", *s);
        else if (length == 1)
            fputc(lower ? tolower(*s) : *s, to);
        else
            fwrite(s, 1, length, to);
        s += length ? length : 1;
    }
    fputc('"', to);
}

void json_write_number(FILE *to, double value)
{
    if (isfinite(value))
        fprintf(to, "%.15g", value);
    else
        fputs("null", to);
}

/* ---- nested values ---- */

struct json json_begin(FILE *to)
{
    return (struct json){.to = to, .lines = 2};
}

void json_key(struct json *j, const char *key)
{
    if (j->depth > 0)
        fputs(j->some[j->depth - 1] ? "," : "", j->to);
    if (j->depth > 0 && j->depth <= j->lines)
        fprintf(j->to, "\n%*s", 2 * j->depth, "");
    else if (j->depth > 0 && j->some[j->depth - 1])
        fputc(' ', j->to);
    if (j->depth > 0)
        j->some[j->depth - 1] = true;
    if (!key)
        return;
    json_write_string(j->to, key, false);
    fputs(": ", j->to);
}

void json_open(struct json *j, const char *key, char bracket)
{
    json_key(j, key);
    fputc(bracket, j->to);
    j->closing[j->depth] = bracket == '[' ? ']' : '}';
    j->some[j->depth] = false;
    j->depth++;
}

void json_close(struct json *j)
{
    const int own = --j->depth;
    if (own < j->lines && j->some[own])
        fprintf(j->to, "\n%*s", 2 * own, "");
    fputc(j->closing[own], j->to);
    if (own == 0)
        fputc('\n', j->to);
}

void json_text(struct json *j, const char *key, const char *text)
{
    json_key(j, key);
    if (text)
        json_write_string(j->to, text, false);
    else
        fputs("null", j->to);
}

void json_number(struct json *j, const char *key, double value)
{
    json_key(j, key);
    json_write_number(j->to, value);
}

void json_known_number(struct json *j, const char *key, double value)
{
    if (!isnan(value))
        json_number(j, key, value);
}

void json_bool(struct json *j, const char *key, bool value)
{
    json_key(j, key);
    fputs(value ? "true" : "false", j->to);
}
