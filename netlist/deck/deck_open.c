/* deck_open.c - the texts of files: loading them, and whether they may be included, with limits on depth, number and size. */
#include "netlist/deck/deck_reader.h"

#include "base/array.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEEPEST_INCLUDE = 50, MOST_FILES = 10000 };
static const size_t most_bytes = (size_t)1 << 30;

/* ---- loading ---- */

static enum kn_status read_all(FILE *from, char **text, size_t *length, const char **reason)
{
    enum { PIECE = 1 << 16 };
    char *buffer = NULL;
    size_t capacity = 0, used = 0, got = PIECE;
    while (got == PIECE && used < most_bytes && array_reserve(&buffer, used + PIECE + 1, &capacity, 1))
        used += got = fread(buffer + used, 1, PIECE, from);
    if (got == PIECE || ferror(from)) {
        *reason = ferror(from) ? strerror(errno) : "the file is too large";
        free(buffer);
        return ferror(from) || used >= most_bytes ? KN_ERROR_IO : KN_ERROR_MEMORY;
    }
    buffer[used] = '\0';
    *text = buffer;
    *length = used;
    return KN_OK;
}

/* Old systems end lines with a carriage return alone. */
static void end_lines(char *text, size_t length)
{
    if (memchr(text, '\n', length))
        return;
    for (char *c = text; c < text + length; c++)
        if (*c == '\r')
            *c = '\n';
}

enum kn_status deck_load_bytes(const char *path, char **bytes, size_t *length, const char **reason)
{
    struct stat about;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
        *reason = "it is a folder";
        return KN_ERROR_IO;
    }
    FILE *from = fopen(path, "rb");
    if (!from) {
        *reason = strerror(errno);
        return KN_ERROR_IO;
    }
    const enum kn_status status = read_all(from, bytes, length, reason);
    fclose(from);
    return status;
}

enum kn_status deck_load(const char *path, char **text, size_t *length, const char **reason)
{
    const enum kn_status status = deck_load_bytes(path, text, length, reason);
    if (status == KN_OK)
        end_lines(*text, *length);
    return status;
}

/* ---- including ---- */

/* Whether two paths lead to one file; compared by what the system says, since names can differ. */
static bool same_file(const char *a, const char *b)
{
    struct stat first, second;
    if (strcmp(a, b) == 0)
        return true;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

static bool check_cycle(struct deck *k, const char *path, const char *section, struct kn_location where)
{
    for (const struct open_file *f = k->open_file; f; f = f->parent) {
        if (!same_file(f->name, path) || (section && (!f->section || !names_equal(section, f->section))))
            continue;
        const char *chain = path;
        for (const struct open_file *g = k->open_file; g && chain; g = g == f ? NULL : g->parent)
            chain = arena_format(k->scratch, "%s -> %s", g->name, chain);
        if (k->dialect == DIALECT_XYCE && f == k->open_file) {
            deck_warn(k, "include-cycle", where, NULL, "'%s' includes itself; it is read once, as in Xyce", path);
            return false;
        }
        return deck_fail(k, "include-cycle", where, diagnostics_hint(k->diagnostics, "%s", chain ? chain : path),
                         "'%s' includes itself", path);
    }
    return true;
}

static bool check_limits(struct deck *k, struct kn_location where)
{
    if (k->open_file->depth >= DEEPEST_INCLUDE)
        return deck_fail(k, "include-depth", where, NULL, "more than %d files include each other", DEEPEST_INCLUDE);
    if (k->files_read == MOST_FILES)
        deck_fail(k, "include-count", where, NULL, "more than %d files are included", MOST_FILES);
    return k->files_read++ < MOST_FILES;
}

static bool load(struct deck *k, const char *path, struct kn_location where, char **text, size_t *length)
{
    const char *reason = "";
    const enum kn_status status = deck_load(path, text, length, &reason);
    if (status == KN_ERROR_MEMORY)
        return deck_no_memory(k);
    if (status != KN_OK) {
        const char *hint = path[0] == '/' || !strrchr(k->open_file->name, '/')
                               ? NULL
                               : "paths start from the folder of the file that includes";
        return deck_fail(k, "include", where, hint, "cannot read '%s': %s", path, reason);
    }
    k->bytes_read += *length;
    if (k->bytes_read <= most_bytes / 4)
        return true;
    free(*text);
    k->files_read = MOST_FILES;
    return deck_fail(k, "include-size", where, NULL, "the included files are too large");
}

bool deck_open_included(struct deck *k, const char *path, const char *section, struct kn_location where, char **text,
                        size_t *length)
{
    return check_limits(k, where) && check_cycle(k, path, section, where) && load(k, path, where, text, length);
}

bool deck_note_included(struct deck *k, const char *path)
{
    struct included_file *file = arena_alloc(k->arena, sizeof *file);
    if (!file)
        return deck_no_memory(k);
    *file = (struct included_file){path, k->included};
    k->included = file;
    return true;
}
