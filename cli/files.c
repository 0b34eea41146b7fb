/* files.c - see files.h.  Files that exist are told apart by device and inode, others by their folder and name. */
#include "cli/files.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where writing to a path ends up. */
struct target {
    bool exists;
    bool regular; /* others, such as terminals and /dev/null, may be shared */
    dev_t device; /* of the file, or of the folder it will be in */
    ino_t inode;
    char name[NAME_MAX + 1]; /* in that folder */
};

static struct target existing(const struct stat *s)
{
    return (struct target){.exists = true, .regular = S_ISREG(s->st_mode), .device = s->st_dev, .inode = s->st_ino};
}

/* Replaces the path of a link by what it points to; false at the end of a chain of links. */
static bool follow_link(char path[PATH_MAX])
{
    char link[PATH_MAX];
    const ssize_t length = readlink(path, link, sizeof link - 1);
    if (length < 0)
        return false;
    link[length] = '\0';
    char *slash = strrchr(path, '/');
    const size_t folder = link[0] == '/' || !slash ? 0 : (size_t)(slash - path) + 1;
    return snprintf(path + folder, PATH_MAX - folder, "%s", link) < (int)(PATH_MAX - folder);
}

/* A file that does not exist yet: its folder and its name there, at the end of dangling links. */
static struct target missing(const char *given)
{
    enum { MOST_LINKS = 40 };
    char path[PATH_MAX];
    struct target t = {.regular = true};
    struct stat folder;
    snprintf(path, sizeof path, "%s", given);
    for (int links = 0; links < MOST_LINKS && follow_link(path); links++)
        ;
    char *slash = strrchr(path, '/');
    snprintf(t.name, sizeof t.name, "%.*s", NAME_MAX, slash ? slash + 1 : path);
    if (slash)
        slash[slash == path] = '\0';
    if (stat(slash ? path : ".", &folder) != 0)
        return (struct target){0}; /* which cannot be written: opening it says why */
    t.device = folder.st_dev;
    t.inode = folder.st_ino;
    return t;
}

/* standard: what "-" stands for. */
static struct target target_of(const char *path, int standard)
{
    struct stat s;
    if (!path)
        return (struct target){0};
    if (strcmp(path, "-") == 0)
        return fstat(standard, &s) == 0 ? existing(&s) : (struct target){0};
    return stat(path, &s) == 0 ? existing(&s) : missing(path);
}

static bool same(const struct target *a, const struct target *b)
{
    return a->regular && b->regular && a->exists == b->exists && a->device == b->device && a->inode == b->inode &&
           (a->exists || strcmp(a->name, b->name) == 0);
}

static bool refuse(const struct output_use *o, const char *kind, const char *input)
{
    if (strcmp(input, "-") == 0)
        fprintf(stderr, "knoten: %s would overwrite %s on standard input; choose another file\n", o->what, kind);
    else
        fprintf(stderr, "knoten: %s would overwrite %s '%s'; choose another file\n", o->what, kind, input);
    return false;
}

static bool apart_from_inputs(const struct circuit *c, const char *deck, const struct output_use *o)
{
    const struct target out = target_of(o->path, STDOUT_FILENO), in = target_of(deck, STDIN_FILENO);
    if (same(&out, &in))
        return refuse(o, c ? "the deck" : "the file", deck);
    for (const struct included_file *f = c ? c->included : NULL; f; f = f->next) {
        const struct target included = target_of(f->path, STDIN_FILENO);
        if (same(&out, &included))
            return refuse(o, "a file that the deck includes,", f->path);
    }
    return true;
}

const char *files_taken(const struct circuit *c, const char *deck, const struct output_use *outputs, size_t count,
                        const char *path)
{
    struct stat s;
    const struct target out = target_of(path, STDOUT_FILENO), in = target_of(deck, STDIN_FILENO);
    if (lstat(path, &s) == 0 && !S_ISREG(s.st_mode))
        return "a link or a device";
    if (same(&out, &in))
        return "the deck";
    for (const struct included_file *f = c->included; f; f = f->next) {
        const struct target included = target_of(f->path, STDIN_FILENO);
        if (same(&out, &included))
            return "a file that the deck includes";
    }
    for (size_t i = 0; i < count; i++) {
        const struct target other = target_of(outputs[i].path, STDOUT_FILENO);
        if (outputs[i].path && same(&out, &other))
            return outputs[i].what;
    }
    const struct target shown = target_of("-", STDOUT_FILENO), messages = target_of("-", STDERR_FILENO);
    return same(&out, &shown) || same(&out, &messages) ? "what is printed" : NULL;
}

static bool is_stream(const struct output_use *o)
{
    return strcmp(o->path, "-") == 0;
}

static bool apart(const struct output_use *a, const struct output_use *b)
{
    const struct target first = target_of(a->path, STDOUT_FILENO), second = target_of(b->path, STDOUT_FILENO);
    if (!(is_stream(a) && is_stream(b)) && !same(&first, &second))
        return true;
    fprintf(stderr, "knoten: %s and %s would both go to %s%s%s; choose another file for one of them\n", a->what,
            b->what, is_stream(a) ? "standard output" : "'", is_stream(a) ? "" : a->path, is_stream(a) ? "" : "'");
    return false;
}

/* Messages are on standard error, and what a command shows is on standard output. */
static bool apart_from_streams(const struct output_use *o)
{
    const struct target out = target_of(o->path, STDOUT_FILENO), messages = target_of("-", STDERR_FILENO),
                        shown = target_of("-", STDOUT_FILENO);
    if (is_stream(o) || (!same(&out, &messages) && !same(&out, &shown)))
        return true;
    fprintf(stderr, "knoten: %s and %s would both go to '%s'; choose another file for one of them\n", o->what,
            same(&out, &messages) ? "the messages" : "standard output", o->path);
    return false;
}

bool files_are_apart(const struct circuit *c, const char *deck, const struct output_use *outputs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!outputs[i].path)
            continue;
        if (!apart_from_inputs(c, deck, &outputs[i]) || !apart_from_streams(&outputs[i]))
            return false;
        for (size_t k = 0; k < i; k++)
            if (outputs[k].path && !apart(&outputs[k], &outputs[i]))
                return false;
    }
    return true;
}

static void cannot_write(const char *path, int reason)
{
    fprintf(stderr, "knoten: cannot write '%s': %s\n", path, strerror(reason));
}

FILE *files_open(const char *path)
{
    FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    if (!file)
        cannot_write(path, errno);
    return file;
}

bool files_close(FILE *file, const char *path)
{
    errno = 0;
    const bool good = fflush(file) == 0 && !ferror(file);
    int reason = errno;
    const bool closed = file == stdout || fclose(file) == 0;
    if (good && closed)
        return true;
    reason = good ? errno : reason;
    cannot_write(path, reason ? reason : EIO);
    return false;
}

static bool reader_went_away(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) > 0 && (out.revents & POLLERR);
}

bool files_copy(FILE *from, FILE *to)
{
    char piece[65536];
    bool good = true;
    for (size_t size; good && (size = fread(piece, 1, sizeof piece, from)) > 0;)
        good = fwrite(piece, 1, size, to) == size;
    return good && !ferror(from);
}

bool files_finish_output(void)
{
    errno = 0;
    const bool lost = fflush(stdout) != 0 || ferror(stdout);
    const int reason = errno;
    if (!lost || reader_went_away())
        return true;
    fprintf(stderr, "knoten: standard output is incomplete%s%s\n", reason ? ": " : "", reason ? strerror(reason) : "");
    return false;
}
