/* transcript.c - see transcript.h. */
#include "analyses/sweeps/transcript.h"

#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 32768 /* bytes that are collected */ };

enum record_kind {
    RECORD_BEGIN,
    RECORD_ROW,
    RECORD_END,
    RECORD_MESSAGE,
    RECORD_MEASUREMENT,
    RECORD_ATTEMPT,
    RECORD_OUTCOME
};

struct record {
    uint16_t kind, target;
    uint32_t size; /* bytes behind the head */
};

/* ---- writing ---- */

static char *room(struct transcript *t, size_t size)
{
    if (t->failed || !array_reserve(&t->bytes, t->used + size, &t->capacity, 1)) {
        t->failed = true;
        return NULL;
    }
    char *at = t->bytes + t->used;
    t->used += size;
    return at;
}

static void write_bytes(struct transcript *t, const void *bytes, size_t size)
{
    char *at = room(t, size);
    if (at && size > 0)
        memcpy(at, bytes, size);
}

/* NULL is kept. */
static void write_text(struct transcript *t, const char *text)
{
    const uint32_t length = text ? (uint32_t)strlen(text) + 1 : 0;
    write_bytes(t, &length, sizeof length);
    write_bytes(t, text, length);
}

static size_t open_record(struct transcript *t, enum record_kind kind, enum transcript_target target)
{
    const struct record head = {(uint16_t)kind, (uint16_t)target, 0};
    const size_t at = t->used;
    write_bytes(t, &head, sizeof head);
    return at;
}

static enum kn_status close_record(struct transcript *t, size_t at)
{
    if (t->failed)
        return KN_ERROR_MEMORY;
    struct record head;
    memcpy(&head, t->bytes + at, sizeof head);
    head.size = (uint32_t)(t->used - at - sizeof head);
    memcpy(t->bytes + at, &head, sizeof head);
    return t->used < PIECE || transcript_flush(t) ? KN_OK : KN_INTERRUPTED;
}

static enum kn_status begin(void *context, const struct kn_table *table)
{
    const struct transcript_writer *w = context;
    struct transcript *t = w->transcript;
    const uint64_t sizes[] = {table->column_count, table->sweeps, table->steps};
    const size_t at = open_record(t, RECORD_BEGIN, w->target);
    t->columns[w->target] = table->column_count;
    write_bytes(t, sizes, sizeof sizes);
    write_text(t, table->title);
    write_text(t, table->plot);
    for (size_t i = 0; i < table->column_count; i++) {
        const uint32_t quantity = (uint32_t)table->columns[i].quantity;
        write_bytes(t, &quantity, sizeof quantity);
        write_text(t, table->columns[i].name);
    }
    return close_record(t, at);
}

static enum kn_status row(void *context, const double *values)
{
    const struct transcript_writer *w = context;
    struct transcript *t = w->transcript;
    const size_t at = open_record(t, RECORD_ROW, w->target);
    write_bytes(t, values, t->columns[w->target] * sizeof *values);
    return close_record(t, at);
}

static void write_number(struct transcript *t, enum record_kind kind, enum transcript_target target, int number)
{
    const int32_t value = number;
    const size_t at = open_record(t, kind, target);
    write_bytes(t, &value, sizeof value);
    close_record(t, at);
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    const struct transcript_writer *w = context;
    write_number(w->transcript, RECORD_END, w->target, (int)outcome);
    return w->transcript->failed ? KN_ERROR_MEMORY : KN_OK;
}

struct kn_sink transcript_sink(struct transcript_writer *w)
{
    return (struct kn_sink){w, begin, row, end};
}

void transcript_message(struct transcript *t, const struct kn_diagnostic *m)
{
    const int32_t numbers[] = {(int32_t)m->severity, m->where.line, m->where.column, m->where.width};
    const size_t at = open_record(t, RECORD_MESSAGE, TRANSCRIPT_ROWS);
    write_bytes(t, numbers, sizeof numbers);
    write_text(t, m->where.file);
    write_text(t, m->code);
    write_text(t, m->text);
    write_text(t, m->hint);
    close_record(t, at);
}

void transcript_measurement(struct transcript *t, const struct kn_measurement *m)
{
    const size_t at = open_record(t, RECORD_MEASUREMENT, TRANSCRIPT_ROWS);
    write_bytes(t, m, sizeof *m); /* the pointers in it mean nothing */
    write_text(t, m->name);
    write_text(t, m->unit);
    close_record(t, at);
}

void transcript_attempt(struct transcript *t, const struct kn_attempt *a)
{
    const size_t at = open_record(t, RECORD_ATTEMPT, TRANSCRIPT_ROWS);
    write_bytes(t, a, sizeof *a); /* the pointers in it mean nothing */
    write_text(t, a->method);
    write_text(t, a->outcome);
    write_text(t, a->unknown);
    write_text(t, a->limit);
    close_record(t, at);
}

void transcript_outcome(struct transcript *t, enum kn_status status, const struct kn_summary *summary)
{
    const int32_t number = (int32_t)status;
    const size_t at = open_record(t, RECORD_OUTCOME, TRANSCRIPT_ROWS);
    write_bytes(t, &number, sizeof number);
    write_bytes(t, summary, sizeof *summary);
    write_text(t, summary->method);
    close_record(t, at);
}

bool transcript_flush(struct transcript *t)
{
    if (!t->failed && t->used > 0 && !t->put(t->context, t->bytes, t->used))
        t->failed = true;
    t->used = 0;
    return !t->failed;
}

void transcript_free(struct transcript *t)
{
    free(t->bytes);
    *t = (struct transcript){0};
}

/* ---- playing ---- */

struct reading {
    const char *at, *end;
    bool torn; /* less is there than there should be */
};

static const char *read_bytes(struct reading *r, size_t size)
{
    if ((size_t)(r->end - r->at) < size) {
        r->torn = true;
        r->at = r->end;
        return NULL;
    }
    const char *from = r->at;
    r->at += size;
    return from;
}

static bool read_into(struct reading *r, void *to, size_t size)
{
    const char *from = read_bytes(r, size);
    if (from)
        memcpy(to, from, size);
    return from;
}

static const char *read_text(struct reading *r)
{
    uint32_t length = 0;
    const char *text = read_into(r, &length, sizeof length) && length > 0 ? read_bytes(r, length) : NULL;
    if (text && text[length - 1] != '\0')
        r->torn = true;
    return r->torn ? NULL : text;
}

static enum kn_status play_begin(struct reading *r, const struct kn_sink *sink)
{
    uint64_t sizes[3];
    if (!read_into(r, sizes, sizeof sizes) || sizes[0] > (size_t)(r->end - r->at))
        return KN_ERROR_IO;
    const char *title = read_text(r), *plot = read_text(r);
    struct kn_column *columns = calloc((size_t)sizes[0] + 1, sizeof *columns);
    if (!columns)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < sizes[0]; i++) {
        uint32_t quantity = 0;
        read_into(r, &quantity, sizeof quantity);
        columns[i] = (struct kn_column){read_text(r), (enum kn_quantity)quantity};
    }
    const struct kn_table table = {title, plot, columns, (size_t)sizes[0], (size_t)sizes[1], (size_t)sizes[2]};
    const enum kn_status status = r->torn ? KN_ERROR_IO : sink->begin ? sink->begin(sink->context, &table) : KN_OK;
    free(columns);
    return status;
}

/* Records begin anywhere, doubles do not. */
static enum kn_status play_row(struct reading *r, const struct kn_sink *sink)
{
    const size_t size = (size_t)(r->end - r->at);
    if (!sink->row)
        return KN_OK;
    if ((uintptr_t)r->at % _Alignof(double) == 0)
        return sink->row(sink->context, (const double *)(const void *)r->at);
    double *copy = malloc(size + 1);
    if (!copy)
        return KN_ERROR_MEMORY;
    memcpy(copy, r->at, size);
    const enum kn_status status = sink->row(sink->context, copy);
    free(copy);
    return status;
}

static enum kn_status play_end(struct reading *r, const struct kn_sink *sink)
{
    int32_t outcome = 0;
    read_into(r, &outcome, sizeof outcome);
    return r->torn ? KN_ERROR_IO : sink->end ? sink->end(sink->context, (enum kn_status)outcome) : KN_OK;
}

static enum kn_status play_message(struct reading *r, const struct transcript_listener *to)
{
    int32_t numbers[4] = {0};
    read_into(r, numbers, sizeof numbers);
    struct kn_diagnostic m = {.severity = (enum kn_severity)numbers[0]};
    m.where = (struct kn_location){read_text(r), numbers[1], numbers[2], numbers[3]};
    m.code = read_text(r);
    m.text = read_text(r);
    m.hint = read_text(r);
    if (r->torn || !m.code || !m.text)
        return KN_ERROR_IO;
    if (to->message)
        to->message(to->context, &m);
    return KN_OK;
}

static enum kn_status play_measurement(struct reading *r, const struct transcript_listener *to)
{
    struct kn_measurement m;
    if (!read_into(r, &m, sizeof m) || !(m.name = read_text(r)) || !(m.unit = read_text(r)))
        return KN_ERROR_IO;
    if (to->measurement)
        to->measurement(to->context, &m);
    return KN_OK;
}

static enum kn_status play_attempt(struct reading *r, const struct transcript_listener *to)
{
    struct kn_attempt a;
    if (!read_into(r, &a, sizeof a))
        return KN_ERROR_IO;
    a.method = read_text(r);
    a.outcome = read_text(r);
    a.unknown = read_text(r);
    a.limit = read_text(r);
    if (to->attempt && !r->torn)
        to->attempt(to->context, &a);
    return r->torn ? KN_ERROR_IO : KN_OK;
}

static enum kn_status play_outcome(struct reading *r, const struct transcript_listener *to)
{
    int32_t status = 0;
    struct kn_summary summary;
    read_into(r, &status, sizeof status);
    if (!read_into(r, &summary, sizeof summary))
        return KN_ERROR_IO;
    summary.method = read_text(r);
    if (to->outcome && !r->torn)
        to->outcome(to->context, (enum kn_status)status, &summary);
    return r->torn ? KN_ERROR_IO : KN_OK;
}

static enum kn_status play(const struct record *head, struct reading *r, const struct transcript_listener *to)
{
    const struct kn_sink *sink = head->target < TRANSCRIPT_TARGETS ? &to->sinks[head->target] : &to->sinks[0];
    switch ((enum record_kind)head->kind) {
    case RECORD_BEGIN:
        return play_begin(r, sink);
    case RECORD_ROW:
        return play_row(r, sink);
    case RECORD_END:
        return play_end(r, sink);
    case RECORD_MESSAGE:
        return play_message(r, to);
    case RECORD_MEASUREMENT:
        return play_measurement(r, to);
    case RECORD_ATTEMPT:
        return play_attempt(r, to);
    case RECORD_OUTCOME:
        return play_outcome(r, to);
    }
    return KN_ERROR_IO;
}

enum kn_status transcript_play(const char *bytes, size_t size, const struct transcript_listener *to)
{
    struct reading all = {bytes, bytes + size, false};
    enum kn_status status = KN_OK;
    while (status == KN_OK && all.at < all.end) {
        struct record head = {0};
        const char *body = read_into(&all, &head, sizeof head) ? read_bytes(&all, head.size) : NULL;
        if (all.torn)
            return KN_ERROR_IO;
        struct reading one = {body, body + head.size, false};
        status = play(&head, &one, to);
    }
    return status;
}
