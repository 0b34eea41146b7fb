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
