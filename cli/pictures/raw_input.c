/* raw_input.c - see raw_input.h.  gzip unpacks what it gets as an open file: no name is handed on, no library is needed. */
#include "cli/pictures/raw_input.h"

#include "cli/files.h"
#include "cli/pictures/stepped.h"
#include "cli/results/picture.h"
#include "output/read/raw_read.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static FILE *cannot_read(const char *path, const char *why)
{
    fprintf(stderr, "knoten: cannot read '%s': %s\n", path, why);
    return NULL;
}

/* What comes through a pipe, in a file without name that can be read from place to place. */
static FILE *spooled(FILE *from, const char *path)
{
    FILE *to = tmpfile();
    const bool good = to && files_copy(from, to) && fflush(to) == 0 && fseek(to, 0, SEEK_SET) == 0;
    if (!good)
        cannot_read(path, strerror(errno));
    if (!good && to)
        fclose(to);
    return good ? to : NULL;
}

static FILE *opened(const char *path)
{
    struct stat about;
    if (strcmp(path, "-") == 0)
        return spooled(stdin, "standard input");
    FILE *file = fopen(path, "rb");
    if (!file)
        return cannot_read(path, strerror(errno));
    if (fstat(fileno(file), &about) == 0 && S_ISDIR(about.st_mode)) {
        fclose(file);
        return cannot_read(path, "it is a folder");
    }
    if (S_ISREG(about.st_mode))
        return file;
    FILE *copy = spooled(file, path);
    fclose(file);
    return copy;
}

static bool is_packed(FILE *file)
{
    const int first = getc(file), second = getc(file);
    rewind(file);
    return first == 0x1f && second == 0x8b;
}

static FILE *unpacked(FILE *file, const char *path)
{
    char program[] = "gzip", options[] = "-dc";
    char *const arguments[] = {program, options, NULL};
    FILE *to = tmpfile();
    const char *why = "a temporary file cannot be made";
    if (to && fseek(file, 0, SEEK_SET) == 0 && fflush(file) == 0) {
        const enum picture_outcome outcome = picture_program(arguments, fileno(file), fileno(to));
        why = outcome == PICTURE_NO_PROGRAM ? "it is compressed and gzip is not installed"
              : outcome == PICTURE_FAILED   ? "gzip could not unpack it"
                                            : NULL;
    }
    fclose(file);
    if (!why) {
        rewind(to);
        return to;
    }
    if (to)
        fclose(to);
    return cannot_read(path, why);
}

bool raw_input_read(const char *path, struct kn_diagnostics *d, struct plots *plots)
{
    struct plot_recorder recorder = {.plots = plots};
    const struct kn_sink sink = plot_recorder_sink(&recorder);
    FILE *file = opened(path);
    if (file && is_packed(file))
        file = unpacked(file, path);
    if (!file)
        return false;
    enum kn_status status = raw_read(file, strcmp(path, "-") == 0 ? "standard input" : path, d, &sink);
    plot_recorder_close(&recorder);
    fclose(file);
    if (status == KN_OK && !stepped_take_values(path, plots))
        status = KN_ERROR_MEMORY;
    if (status == KN_ERROR_MEMORY)
        cannot_read(path, "out of memory");
    return status == KN_OK;
}
