/* journal.c - see journal.h.
 *
 * Behind a head stand records, each written at once and with a checksum, so that one that was torn ends the file when it
 * is read.  Pieces belong to attempts; that an attempt is the whole of a run is a record of its own.
 */
#include "analyses/sweeps/journal.h"

#include "base/array.h"
#include "base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char MAGIC[16] = "knoten journal 1";
static const uint64_t NONE = UINT64_MAX;

struct head {
    char magic[sizeof MAGIC];
    uint64_t key, runs;
};

struct record {
    uint64_t checksum; /* of the rest and of the bytes behind it */
    uint64_t attempt;
    uint64_t run; /* that the attempt has ended; NONE: a piece */
    uint64_t size;
};

struct piece {
    uint64_t attempt;
    off_t at;
    size_t size;
};

struct journal {
    char *path;
    int file;
    off_t end; /* behind the last whole record */
    pthread_mutex_t lock;
    int failed; /* errno of the first failure of writing; 0: none */
    uint64_t next_attempt;
    size_t runs, count;
    uint64_t *attempts; /* [runs] that is the run, found when the file was opened; NONE */
    struct piece *pieces;
    size_t piece_count, capacity; /* by attempt, then by place */
};

static uint64_t checksum_of(const struct record *r, const char *bytes)
{
    const uint64_t head = hash_bytes(HASH_BEGIN, (const char *)r + sizeof r->checksum, sizeof *r - sizeof r->checksum);
    return hash_bytes(head, bytes, (size_t)r->size);
}

/* ---- files ---- */

/* All bytes from a place on, or to it. */
static bool move_all(int file, char *bytes, size_t size, off_t at, bool out)
{
    while (size > 0) {
        const ssize_t part = out ? pwrite(file, bytes, size, at) : pread(file, bytes, size, at);
        if (part < 0 && errno == EINTR)
            continue;
        if (part <= 0)
            return false;
        bytes += part;
        at += part;
        size -= (size_t)part;
    }
    return true;
}

static bool write_all(int file, void *bytes, size_t size, off_t at)
{
    return move_all(file, bytes, size, at, true);
}

static bool read_all(int file, void *bytes, size_t size, off_t at)
{
    return move_all(file, bytes, size, at, false);
}

/* ---- what is there ---- */

static bool note_record(struct journal *j, const struct record *r, off_t at)
{
    if (r->attempt >= j->next_attempt)
        j->next_attempt = r->attempt + 1;
    if (r->run != NONE) {
        j->count += r->run < j->runs && j->attempts[r->run] == NONE;
        if (r->run < j->runs)
            j->attempts[r->run] = r->attempt;
        return true;
    }
    if (!array_reserve(&j->pieces, j->piece_count + 1, &j->capacity, sizeof *j->pieces))
        return false;
    j->pieces[j->piece_count++] = (struct piece){r->attempt, at, (size_t)r->size};
    return true;
}

static int by_attempt(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    return x->attempt != y->attempt ? (x->attempt > y->attempt) - (x->attempt < y->attempt)
                                    : (x->at > y->at) - (x->at < y->at);
}

/* Whole records from j->end on; the rest of the file is cut off. */
static enum kn_status read_records(struct journal *j)
{
    struct record r;
    char *bytes = NULL;
    size_t capacity = 0;
    struct stat s;
    enum kn_status status = fstat(j->file, &s) == 0 ? KN_OK : KN_ERROR_IO;
    while (status == KN_OK && read_all(j->file, &r, sizeof r, j->end)) {
        const off_t at = j->end + (off_t)sizeof r;
        if (r.size > (uint64_t)(s.st_size - at))
            break;
        if (!array_reserve(&bytes, (size_t)r.size + 1, &capacity, 1))
            status = KN_ERROR_MEMORY;
        else if (!read_all(j->file, bytes, (size_t)r.size, at) || checksum_of(&r, bytes) != r.checksum)
            break;
        else if (!note_record(j, &r, at))
            status = KN_ERROR_MEMORY;
        j->end = at + (off_t)r.size;
    }
    free(bytes);
    if (status == KN_OK && ftruncate(j->file, j->end) != 0)
        status = KN_ERROR_IO;
    if (j->piece_count > 0)
        qsort(j->pieces, j->piece_count, sizeof *j->pieces, by_attempt);
    return status;
}

static enum kn_status refuse(const struct journal_request *r, const char *what, const char *hint)
{
    diagnostics_add(r->diagnostics, KN_ERROR, "journal", NOWHERE, hint, "'%s' %s", r->path, what);
    return KN_ERROR_ARGUMENT;
}

/* What stands in front of the records, of a file that is there. */
static enum kn_status check_head(const struct journal_request *r, int file)
{
    struct head head = {{0}, 0, 0};
    struct stat s;
    if (fstat(file, &s) == 0 && s.st_size == 0)
        return KN_OK;
    if (!read_all(file, &head, sizeof head, 0) || memcmp(head.magic, MAGIC, sizeof MAGIC) != 0)
        return refuse(r, "is no journal of a sweep, and would be written over",
                      "choose another name for the results with -o");
    if (r->resume && (head.key != r->key || head.runs != r->runs))
        return refuse(r, "belongs to another deck, or was written with other options",
                      "give the options of the interrupted run, or begin anew without --resume");
    return KN_OK;
}

/* A file with a head, and what it has of records where the sweep goes on. */
static enum kn_status open_file(struct journal *j, const struct journal_request *r)
{
    struct head head = {{0}, r->key, r->runs};
    struct stat s;
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    enum kn_status status = check_head(r, j->file);
    if (status != KN_OK)
        return status;
    j->end = (off_t)sizeof head;
    if (r->resume && fstat(j->file, &s) == 0 && s.st_size > 0)
        return read_records(j);
    if (r->resume)
        diagnostics_add(r->diagnostics, KN_NOTE, "journal", NOWHERE, NULL,
                        "there is nothing to resume: no runs in '%s'; the sweep begins with the first", r->path);
    const bool good = ftruncate(j->file, 0) == 0 && write_all(j->file, &head, sizeof head, 0);
    return good ? KN_OK : KN_ERROR_IO;
}

static struct journal *new_journal(const struct journal_request *r)
{
    struct journal *j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
    pthread_mutex_init(&j->lock, NULL);
    j->file = -1;
    j->runs = r->runs;
    j->path = strdup(r->path);
    j->attempts = malloc((r->runs + 1) * sizeof *j->attempts);
    for (size_t i = 0; j->attempts && i < r->runs; i++)
        j->attempts[i] = NONE;
    return j;
}

static void release(struct journal *j)
{
    if (j->file >= 0)
        close(j->file);
    pthread_mutex_destroy(&j->lock);
    free(j->path);
    free(j->attempts);
    free(j->pieces);
    free(j);
}

static void say_no_journal(struct kn_diagnostics *d, const char *path, int reason)
{
    diagnostics_add(d, KN_WARNING, "journal", NOWHERE, "without it an interrupted sweep begins anew",
                    "the journal '%s' cannot be written: %s", path, strerror(reason));
}

enum kn_status journal_open(const struct journal_request *r, struct journal **out)
{
    struct journal *j = new_journal(r);
    *out = NULL;
    if (!j)
        return KN_ERROR_MEMORY;
    enum kn_status status = j->path && j->attempts ? KN_OK : KN_ERROR_MEMORY;
    if (status == KN_OK && (j->file = open(r->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666)) < 0)
        status = KN_ERROR_IO;
    if (status == KN_OK)
        status = open_file(j, r);
    if (status == KN_OK) {
        *out = j;
        return KN_OK;
    }
    if (status == KN_ERROR_IO)
        say_no_journal(r->diagnostics, r->path, errno);
    release(j);
    return status == KN_ERROR_IO ? KN_OK : status;
}

/* ---- playing ---- */

size_t journal_count(const struct journal *j)
{
    return j->count;
}

bool journal_has(const struct journal *j, size_t run)
{
    return run < j->runs && j->attempts[run] != NONE;
}

static size_t first_piece(const struct journal *j, uint64_t attempt)
{
    size_t low = 0, high = j->piece_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (j->pieces[middle].attempt < attempt)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool journal_play(struct journal *j, size_t run, bool (*put)(void *context, const char *bytes, size_t size),
                  void *context)
{
    const uint64_t attempt = j->attempts[run];
    bool good = true;
    for (size_t i = first_piece(j, attempt); good && i < j->piece_count && j->pieces[i].attempt == attempt; i++) {
        const struct piece *p = &j->pieces[i];
        char *bytes = malloc(p->size + 1);
        good = bytes && read_all(j->file, bytes, p->size, p->at) && put(context, bytes, p->size);
        free(bytes);
    }
    return good;
}

/* ---- writing ---- */

uint64_t journal_begin(struct journal *j)
{
    pthread_mutex_lock(&j->lock);
    const uint64_t attempt = j->next_attempt++;
    pthread_mutex_unlock(&j->lock);
    return attempt;
}

static void write_record(struct journal *j, uint64_t attempt, uint64_t run, const char *bytes, size_t size)
{
    struct record r = {0, attempt, run, size};
    char *whole = malloc(sizeof r + size);
    r.checksum = checksum_of(&r, bytes);
    if (whole) {
        memcpy(whole, &r, sizeof r);
        if (size > 0)
            memcpy(whole + sizeof r, bytes, size);
    }
    pthread_mutex_lock(&j->lock);
    if (j->failed == 0 && whole && write_all(j->file, whole, sizeof r + size, j->end))
        j->end += (off_t)(sizeof r + size);
    else if (j->failed == 0)
        j->failed = whole ? errno : ENOMEM;
    pthread_mutex_unlock(&j->lock);
    free(whole);
}

void journal_piece(struct journal *j, uint64_t attempt, const char *bytes, size_t size)
{
    write_record(j, attempt, NONE, bytes, size);
}

void journal_done(struct journal *j, uint64_t attempt, size_t run)
{
    write_record(j, attempt, run, NULL, 0);
}

void journal_close(struct journal *j, bool finished, struct kn_diagnostics *d)
{
    if (!j)
        return;
    if (j->failed != 0)
        say_no_journal(d, j->path, j->failed);
    if (finished)
        unlink(j->path);
    release(j);
}
