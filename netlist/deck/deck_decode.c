/* deck_decode.c - texts in UTF-16, as LTspice writes its netlists where a name needs it, become UTF-8; and what is encrypted
 * for one program only. */
#include "netlist/deck/deck_reader.h"

#include <string.h>

enum { LOOKED_AT = 200 };

/* Netlists are mostly ASCII, of which every second byte is 0 in UTF-16. */
static bool is_wide(const unsigned char *text, size_t length, size_t zero)
{
    size_t zeros = 0, pairs = 0;
    for (size_t i = 0; i + 1 < length && i < LOOKED_AT; i += 2, pairs++)
        zeros += text[i + zero] == 0 && text[i + 1 - zero] != 0;
    return pairs > 1 && 10 * zeros >= 9 * pairs;
}

/* As many bytes as the code point needs. */
static size_t put(char *to, unsigned long c)
{
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    size_t count = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char heads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = count; i-- > 1; c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3f));
    to[0] = (char)(heads[count] | c);
    return count;
}

static unsigned long unit(const unsigned char *text, size_t zero)
{
    return ((unsigned long)text[zero] << 8) | text[1 - zero];
}

/* zero: which byte of a pair is the high one. */
static char *narrow(struct arena *a, const unsigned char *text, size_t length, size_t zero, size_t *made)
{
    char *to = arena_alloc(a, length / 2 * 3 + 4);
    *made = 0;
    for (size_t i = 0; to && i + 1 < length; i += 2) {
        unsigned long c = unit(text + i, zero);
        if (c >= 0xd800 && c < 0xdc00 && i + 3 < length) {
            i += 2;
            c = 0x10000 + ((c - 0xd800) << 10) + ((unit(text + i, zero) - 0xdc00) & 0x3ff);
        }
        *made += c == 0xfeff ? 0 : put(to + *made, c);
    }
    return to;
}

bool deck_decode(struct arena *a, const char **text, size_t *length)
{
    const unsigned char *bytes = (const unsigned char *)*text;
    const bool marked =
        *length >= 2 && ((bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] == 0xfe && bytes[1] == 0xff));
    const size_t skip = marked ? 2 : 0;
    if (*length < 4 || !(is_wide(bytes + skip, *length - skip, 0) || is_wide(bytes + skip, *length - skip, 1)))
        return true;
    const size_t zero = is_wide(bytes + skip, *length - skip, 0) ? 0 : 1;
    *text = narrow(a, bytes + skip, *length - skip, zero, length);
    return *text != NULL;
}

const char *deck_encrypted_for(const char *text)
{
    static const char *const marks[][2] = {{"* LTspice Encrypted File", "LTspice"}, {"<Binary File>", "LTspice"}};
    const char *start = text + strspn(text, " \t\r\n"); /* LTspice IV left a line free */
    const char *part = strstr(text, "$CDNENCSTART"); /* within the text: bodies of subcircuits */
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strncmp(start, marks[i][0], strlen(marks[i][0])) == 0)
            return marks[i][1];
    return part && (part == text || part[-1] == '\n') ? "PSpice" : NULL;
}
