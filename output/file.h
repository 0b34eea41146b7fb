/* file.h - a result file that is written fast and fails loudly.
 *
 * Bytes are collected in one large buffer and handed to write(2).  The first failure is reported once with the file's
 * name and the system's reason; every later call returns the same status.
 */
#ifndef OUTPUT_FILE_H
#define OUTPUT_FILE_H

#include "base/diagnostics.h"

#include <sys/types.h>

enum { FILE_BUFFER = 256 * 1024 };

struct output_file {
    char *path; /* as given; "-" is standard output */
    struct kn_diagnostics *diagnostics;
    enum kn_status status; /* of the first failure */
    int descriptor;        /* -1: not open */
    bool seekable;
    char *buffer;
    size_t capacity, used;
    off_t written; /* bytes handed to the system since opening */
};

/* diagnostics must outlive the file; nothing is opened yet.  false without memory. */
bool file_init(struct output_file *f, const char *path, struct kn_diagnostics *d);

/* Creates or truncates the file and makes room for pieces of `piece` bytes at least.  A second call only does the
 * latter. */
enum kn_status file_open(struct output_file *f, size_t piece);

/* An unlinked temporary file instead of a named one. */
enum kn_status file_open_temporary(struct output_file *f, size_t piece);

/* Room for `size` bytes (at most `piece`) at the end of the buffer, which is written out first when it is full; NULL
 * after a failure.  file_advance says how many were used. */
char *file_reserve(struct output_file *f, size_t size);
void file_advance(struct output_file *f, size_t size);

enum kn_status file_write(struct output_file *f, const void *bytes, size_t size);
enum kn_status file_flush(struct output_file *f);

/* Overwrites bytes that were flushed before; seekable files only. */
enum kn_status file_patch(struct output_file *f, off_t at, const void *bytes, size_t size);

/* Appends everything that was written to `from`. */
enum kn_status file_append(struct output_file *f, struct output_file *from);

/* Flushes, closes and frees the buffer; the outcome of all that. */
enum kn_status file_close(struct output_file *f);
/* The same, and frees what file_init has made. */
void file_free(struct output_file *f);

#endif
