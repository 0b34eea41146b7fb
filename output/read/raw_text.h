/* raw_text.h - the text of a raw file: bytes, or UTF-16 as LTspice writes it. */
#ifndef OUTPUT_READ_RAW_TEXT_H
#define OUTPUT_READ_RAW_TEXT_H

#include "base/arena.h"
#include "base/diagnostics.h"

struct raw_text {
    FILE *from;
    const char *name;
    struct kn_diagnostics *diagnostics;
    bool wide;      /* UTF-16, the low byte first */
    long line;      /* of the next character, from 1; 0: among binary numbers */
    long word_line; /* where the last word is */
    char *buffer;
    size_t capacity;
    enum kn_status status; /* of the first failure */
};

/* The next character as a code point, or EOF. */
long raw_text_next(struct raw_text *r);
/* The next line without its end, in UTF-8, in the buffer; NULL at the end of the file or after a failure. */
char *raw_text_line(struct raw_text *r);
/* The next word between blanks and line ends, cut to `size`; false at the end of the file. */
bool raw_text_word(struct raw_text *r, char *word, size_t size);

/* Says what is wrong at the line (0: nowhere in particular), and fails. */
bool raw_text_fail(struct raw_text *r, long line, const char *hint, const char *format, ...) KN_PRINTF(4, 5);
bool raw_text_no_memory(struct raw_text *r);

#endif
