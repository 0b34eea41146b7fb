/* deck.c - reads the deck from a file or standard input. */
#include "cli/deck.h"

#include "base/array.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All of standard input; NULL with errno set. */
static char *read_standard_input(size_t *length)
{
    enum { PIECE = 65536 };
    char *text = NULL;
    size_t capacity = 0, got = PIECE;
    *length = 0;
    while (got == PIECE && array_reserve(&text, *length + PIECE, &capacity, 1))
        *length += got = fread(text + *length, 1, PIECE, stdin);
    if (got < PIECE && !ferror(stdin))
        return text;
    free(text);
    return NULL;
}

enum kn_status deck_read(const char *path, const char *dialect, circuit_check *check, struct kn_diagnostics *d,
                         struct kn_circuit **out)
{
    if (strcmp(path, "-") != 0)
        return library_read(path, NULL, 0, dialect, check, d, out);
    size_t length;
    char *text = read_standard_input(&length);
    if (!text) {
        fprintf(stderr, "knoten: cannot read standard input: %s\n", strerror(errno));
        return KN_ERROR_IO;
    }
    const enum kn_status status = library_read("stdin", text, length, dialect, check, d, out);
    free(text);
    return status;
}
