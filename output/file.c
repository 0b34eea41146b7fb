/* file.c - buffered writing with write(2), see file.h. */
#include "output/file.h"

#include "base/array.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool file_init(struct output_file *f, const char *path, struct kn_diagnostics *d)
{
    *f = (struct output_file){.path = strdup(path), .diagnostics = d, .descriptor = -1};
    return f->path != NULL;
}

static const char *shown_name(const struct output_file *f)
{
    return strcmp(f->path, "-") == 0 ? "standard output" : f->path;
}

static const char *advice(int reason)
{
    switch (reason) {
    case ENOSPC:
#ifdef EDQUOT
    case EDQUOT:
#endif
        return "make room, or choose another place with -o";
    case ENOENT:
    case ENOTDIR:
        return "the folder must exist; choose another place with -o";
    case EACCES:
    case EPERM:
    case EROFS:
    case EISDIR:
        return "choose another place with -o";
    default:
        return NULL;
    }
}

static enum kn_status failed(struct output_file *f, const char *what, int reason)
{
    if (f->status == KN_OK) {
        f->status = KN_ERROR_IO;
        if (reason == EPIPE)
            diagnostics_add(f->diagnostics, KN_ERROR, "output-closed", NOWHERE, NULL,
                            "the reader of %s went away; the results are incomplete", shown_name(f));
        else
            diagnostics_add(f->diagnostics, KN_ERROR, "output-failed", NOWHERE, advice(reason), "cannot %s %s: %s",
                            what, shown_name(f), strerror(reason));
    }
    return f->status;
}

static enum kn_status out_of_memory(struct output_file *f)
{
    if (f->status == KN_OK) {
        f->status = KN_ERROR_MEMORY;
        diagnostics_add(f->diagnostics, KN_ERROR, "out-of-memory", NOWHERE, NULL, "no memory left to write %s",
                        shown_name(f));
    }
    return f->status;
}

static enum kn_status make_room(struct output_file *f, size_t piece)
{
    if (piece <= f->capacity)
        return KN_OK;
    const enum kn_status flushed = file_flush(f);
    if (flushed != KN_OK)
        return flushed;
    const size_t capacity = piece > FILE_BUFFER ? piece : FILE_BUFFER;
    if (!array_resize(&f->buffer, capacity, 1))
        return out_of_memory(f);
    f->capacity = capacity;
    return KN_OK;
}

/* Standard output may be a file opened for appending or shared with others: never patched. */
static void look_at(struct output_file *f)
{
    struct stat s;
    f->seekable = strcmp(f->path, "-") != 0 && fstat(f->descriptor, &s) == 0 && S_ISREG(s.st_mode);
}

enum kn_status file_open(struct output_file *f, size_t piece)
{
    if (f->status == KN_OK && f->descriptor < 0) {
        f->descriptor = strcmp(f->path, "-") == 0 ? dup(STDOUT_FILENO)
                                                  : open(f->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (f->descriptor < 0)
            return failed(f, "open", errno);
        look_at(f);
    }
    return f->status == KN_OK ? make_room(f, piece) : f->status;
}

enum kn_status file_open_temporary(struct output_file *f, size_t piece)
{
    const char *folder = getenv("TMPDIR");
    char name[4096];
    const int length = snprintf(name, sizeof name, "%s/knoten-XXXXXX", folder && *folder ? folder : "/tmp");
    if (length < 0 || (size_t)length >= sizeof name)
        return failed(f, "open a temporary file for", ENAMETOOLONG);
    f->descriptor = mkstemp(name);
    if (f->descriptor < 0)
        return failed(f, "open a temporary file for", errno);
    unlink(name);
    f->seekable = true;
    return make_room(f, piece);
}

char *file_reserve(struct output_file *f, size_t size)
{
    if (f->capacity - f->used < size && file_flush(f) != KN_OK)
        return NULL;
    return f->status == KN_OK && size <= f->capacity ? f->buffer + f->used : NULL;
}

void file_advance(struct output_file *f, size_t size)
{
    f->used += size;
}

enum kn_status file_write(struct output_file *f, const void *bytes, size_t size)
{
    const char *from = bytes;
    while (f->status == KN_OK && size > 0) {
        if (f->used == f->capacity && file_flush(f) != KN_OK)
            break;
        const size_t room = f->capacity - f->used, part = size < room ? size : room;
        memcpy(f->buffer + f->used, from, part);
        f->used += part;
        from += part;
        size -= part;
    }
    return f->status;
}

enum kn_status file_flush(struct output_file *f)
{
    size_t done = 0;
    while (f->status == KN_OK && done < f->used) {
        const ssize_t part = write(f->descriptor, f->buffer + done, f->used - done);
        if (part >= 0)
            done += (size_t)part;
        else if (errno != EINTR)
            failed(f, "write", errno);
    }
    f->written += (off_t)done;
    f->used = 0;
    return f->status;
}

enum kn_status file_patch(struct output_file *f, off_t at, const void *bytes, size_t size)
{
    const char *from = bytes;
    while (f->status == KN_OK && size > 0) {
        const ssize_t part = pwrite(f->descriptor, from, size, at);
        if (part >= 0) {
            from += part;
            at += part;
            size -= (size_t)part;
        } else if (errno != EINTR) {
            failed(f, "write", errno);
        }
    }
    return f->status;
}

enum kn_status file_append(struct output_file *f, struct output_file *from)
{
    if (file_flush(from) != KN_OK)
        return from->status;
    if (lseek(from->descriptor, 0, SEEK_SET) < 0)
        return failed(from, "read back", errno);
    while (f->status == KN_OK) {
        char *room = file_reserve(f, 4096);
        const ssize_t part = room ? read(from->descriptor, room, f->capacity - f->used) : 0;
        if (part < 0 && errno != EINTR)
            return failed(f, "read the temporary file of", errno);
        if (part == 0)
            break;
        if (part > 0)
            file_advance(f, (size_t)part);
    }
    return f->status;
}

enum kn_status file_close(struct output_file *f)
{
    if (f->descriptor >= 0) {
        file_flush(f);
        if (close(f->descriptor) != 0 && errno != EINTR)
            failed(f, "write", errno);
        f->descriptor = -1;
    }
    free(f->buffer);
    f->buffer = NULL;
    f->capacity = f->used = 0;
    return f->status;
}

void file_free(struct output_file *f)
{
    file_close(f);
    free(f->path);
    f->path = NULL;
}
