/* raw_read.c - see raw_read.h.  The header and what it says of the numbers is raw_header.c's. */
#include "output/read/raw_read.h"

#include "base/array.h"
#include "output/read/raw_header.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct reading {
    struct raw_text text;
    const struct kn_sink *to;
    struct raw_header header;
    size_t columns;
    double *row;                    /* [columns] of the table */
    unsigned long long strange;     /* numbers that are not finite .. */
    unsigned long long strange_row; /* .. the first of them */
    size_t strange_variable;
};

/* ---- the table ---- */

static bool has_two_columns(const struct raw_header *h, size_t variable)
{
    return h->is_complex && variable > 0;
}

static bool is_point(const struct raw_header *h)
{
    static const char *const points[] = {"Operating Point", "Transfer Function", "Integrated Noise"};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        if (strncasecmp(h->plot, points[i], strlen(points[i])) == 0 && h->points <= 1)
            return true;
    return false;
}

static bool begin_table(struct reading *r, struct arena *a)
{
    const struct raw_header *h = &r->header;
    struct kn_column *columns = arena_array(a, 2 * h->variable_count + 1, sizeof *columns);
    r->row = arena_array(a, 2 * h->variable_count + 1, sizeof *r->row);
    if (!columns || !r->row)
        return raw_text_no_memory(&r->text);
    r->columns = 0;
    for (size_t i = 0; i < h->variable_count; i++) {
        columns[r->columns++] = (struct kn_column){h->variables[i].name, h->variables[i].quantity};
        if (has_two_columns(h, i))
            columns[r->columns++] = (struct kn_column){h->variables[i].name, KN_IMAGINARY};
    }
    const bool timed = columns[0].quantity == KN_TIME;
    const struct kn_table table = {h->title, h->plot, columns, r->columns, timed || is_point(h) ? 0 : 1, 0};
    r->text.status = r->to->begin(r->to->context, &table);
    return r->text.status == KN_OK;
}

/* A row of the table is complete.  LTspice marks points that it has thinned out by the sign of their time. */
static bool put_row(struct reading *r, unsigned long long number)
{
    const struct raw_header *h = &r->header;
    if (h->is_ltspice && h->variables[0].quantity == KN_TIME)
        r->row[0] = fabs(r->row[0]);
    for (size_t i = 0, column = 0; i < h->variable_count; i++, column += has_two_columns(h, i - 1) ? 2 : 1) {
        if (isfinite(r->row[column]))
            continue;
        if (r->strange++ == 0) {
            r->strange_row = number;
            r->strange_variable = i;
        }
    }
    r->text.status = r->to->row(r->to->context, r->row);
    return r->text.status == KN_OK;
}

static void tell_strange(const struct reading *r)
{
    if (r->strange > 0)
        diagnostics_add(r->text.diagnostics, KN_WARNING, "raw-file", (struct kn_location){r->text.name, 0, 0, 0}, NULL,
                        "%llu number%s of plot '%s' %s not finite, the first that of '%s' in point %llu", r->strange,
                        r->strange == 1 ? "" : "s", r->header.plot, r->strange == 1 ? "is" : "are",
                        r->header.variables[r->strange_variable].name, r->strange_row);
}

/* ---- binary ---- */

/* A number of the file; its imaginary part behind it where the table has one. */
static void take_number(const char *bytes, size_t size, double *to, bool two)
{
    float single;
    double parts[2] = {0, 0};
    if (size == sizeof single) {
        memcpy(&single, bytes, sizeof single);
        parts[0] = single;
    } else {
        memcpy(parts, bytes, size);
    }
    to[0] = parts[0];
    if (two)
        to[1] = parts[1];
}

/* The bytes of a variable's number in a point: rows one behind the other, or vectors. */
static const char *number_at(const struct raw_header *h, const char *bytes, size_t points, size_t row, size_t variable)
{
    const size_t row_bytes = h->first_bytes + (h->variable_count - 1) * h->other_bytes;
    if (!h->fast_access)
        return bytes + row * row_bytes + (variable ? h->first_bytes + (variable - 1) * h->other_bytes : 0);
    return variable ? bytes + points * h->first_bytes + ((variable - 1) * points + row) * h->other_bytes
                    : bytes + row * h->first_bytes;
}

static bool take_points(struct reading *r, const char *bytes, size_t points, unsigned long long first)
{
    const struct raw_header *h = &r->header;
    for (size_t row = 0; row < points; row++) {
        for (size_t i = 0, column = 0; i < h->variable_count; i++) {
            const bool two = has_two_columns(h, i);
            take_number(number_at(h, bytes, points, row, i), i ? h->other_bytes : h->first_bytes, &r->row[column], two);
            column += two ? 2 : 1;
        }
        if (!put_row(r, first + row))
            return false;
    }
    return true;
}

static long long bytes_left(FILE *from)
{
    const off_t here = ftello(from);
    if (here < 0 || fseeko(from, 0, SEEK_END) != 0)
        return -1;
    const off_t end = ftello(from);
    return fseeko(from, here, SEEK_SET) == 0 ? (long long)(end - here) : -1;
}

static bool next_is_title(struct raw_text *t);

/* How many points there are: as many as announced, or all that follow where a run that was cut off has left a 0. */
static bool count_points(struct reading *r, unsigned long long row_bytes, unsigned long long *points)
{
    struct raw_header *h = &r->header;
    const long long left = bytes_left(r->text.from);
    if (left < 0)
        return raw_text_fail(&r->text, 0, NULL, "the file cannot be read from place to place");
    *points = h->points;
    if (h->points > 0 && h->points > (unsigned long long)left / row_bytes)
        return raw_text_fail(
            &r->text, 0, "the file is cut off, or 'No. Points:' is wrong",
            "plot '%s' is to have %llu points of %llu bytes from byte %lld on, but only %lld bytes are "
            "left, for %lld whole points",
            h->plot, h->points, row_bytes, (long long)ftello(r->text.from), left, left / (long long)row_bytes);
    if (h->points > 0 || left == 0 || next_is_title(&r->text))
        return true;
    *points = (unsigned long long)left / row_bytes;
    diagnostics_add(r->text.diagnostics, KN_WARNING, "raw-file",
                    (struct kn_location){r->text.name, (int)h->values_line, 0, 0}, NULL,
                    "the run that wrote plot '%s' was cut off before it wrote the number of points; there are %llu",
                    h->plot, *points);
    return true;
}

static bool read_binary(struct reading *r)
{
    const struct raw_header *h = &r->header;
    const size_t row_bytes = h->first_bytes + (h->variable_count - 1) * h->other_bytes;
    unsigned long long points = 0, done = 0;
    if (!count_points(r, row_bytes, &points))
        return false;
    size_t piece = h->fast_access ? (size_t)points : (1 << 18) / row_bytes + 1;
    char *bytes = NULL;
    bool good = array_resize(&bytes, piece * row_bytes + 1, 1) || raw_text_no_memory(&r->text);
    while (good && done < points) {
        piece = points - done < piece ? (size_t)(points - done) : piece;
        good = fread(bytes, row_bytes, piece, r->text.from) == piece ||
               raw_text_fail(&r->text, 0, NULL, "the file ends behind point %llu of plot '%s'", done, h->plot);
        good = good && take_points(r, bytes, piece, done);
        done += piece;
    }
    free(bytes);
    if (good && h->points < points) /* a torn point behind the others */
        good = fseeko(r->text.from, 0, SEEK_END) == 0;
    return good;
}

/* ---- text ---- */

static bool bad_word(struct reading *r, const char *word, unsigned long long row, const char *what)
{
    const struct raw_header *h = &r->header;
    const long line = r->text.word_line;
    if (!*word)
        return raw_text_fail(&r->text, line, "the file is cut off, or 'No. Points:' is wrong",
                             "the file ends in point %llu of the %llu of plot '%s'", row, h->points, h->plot);
    return raw_text_fail(&r->text, line, NULL, "'%.40s' in point %llu is no %s", word, row, what);
}

/* "1.5", or "1.5,-2" of a complex one, in Xyce "1.5, -2". */
static bool read_number(struct reading *r, size_t variable, unsigned long long row, double *to)
{
    char word[128], more[128], *end, *second;
    const bool two = has_two_columns(&r->header, variable);
    raw_text_word(&r->text, word, sizeof word);
    to[0] = strtod(word, &end);
    if (two)
        to[1] = 0;
    if (end == word || (*end && *end != ','))
        return bad_word(r, word, row, "number");
    if (*end == '\0')
        return true;
    const char *imaginary = end + 1;
    if (*imaginary == '\0' && raw_text_word(&r->text, more, sizeof more))
        imaginary = more;
    const double value = strtod(imaginary, &second);
    if (!r->header.is_complex || second == imaginary || *second)
        return bad_word(r, word, row, "number");
    if (two)
        to[1] = value;
    return true;
}

static bool read_text(struct reading *r)
{
    const struct raw_header *h = &r->header;
    for (unsigned long long row = 0; row < h->points; row++) {
        char word[64], *end;
        raw_text_word(&r->text, word, sizeof word);
        if (strtoull(word, &end, 10) != row || end == word || *end)
            return bad_word(r, word, row, "number of that point");
        for (size_t i = 0, column = 0; i < h->variable_count; i++) {
            if (!read_number(r, i, row, &r->row[column]))
                return false;
            column += has_two_columns(h, i) ? 2 : 1;
        }
        if (!put_row(r, row))
            return false;
    }
    return true;
}

/* ---- plots ---- */

static bool next_is_title(struct raw_text *t)
{
    static const char title[] = "Title:";
    const off_t here = ftello(t->from);
    const long line = t->line;
    size_t matched = 0;
    long c = raw_text_next(t);
    while (c == '\n' || c == '\r' || c == ' ')
        c = raw_text_next(t);
    while (title[matched] && c == title[matched]) {
        matched++;
        c = title[matched] ? raw_text_next(t) : c;
    }
    fseeko(t->from, here, SEEK_SET);
    t->line = line;
    return title[matched] == '\0';
}

/* A line without text in front of the next title. */
static void skip_blank(struct raw_text *t)
{
    off_t here = ftello(t->from);
    long line = t->line, c;
    while ((c = raw_text_next(t)) == '\n' || c == '\r' || c == ' ') {
        here = ftello(t->from);
        line = t->line;
    }
    fseeko(t->from, here, SEEK_SET);
    t->line = line;
}

/* Behind the last plot: nothing, or as Xyce does it lines of text that are none; LTspice leaves a point that it does not count. */
static bool is_end(struct raw_text *t, bool lenient)
{
    char bytes[256];
    const long long at = (long long)ftello(t->from), left = bytes_left(t->from);
    const size_t count = left == 0 ? 0 : fread(bytes, 1, sizeof bytes, t->from);
    for (size_t i = 0; i < count; i++)
        if (!lenient && !isprint((unsigned char)bytes[i]) && !isspace((unsigned char)bytes[i]))
            return raw_text_fail(t, 0, "'No. Points:' may be wrong, or the file has been overwritten",
                                 "what follows the last point, at byte %lld, is no plot", at);
    if (count > 0)
        diagnostics_add(t->diagnostics, KN_WARNING, "raw-file", (struct kn_location){t->name, (int)t->line, 0, 0}, NULL,
                        "what follows the last plot, at byte %lld, is left out", at);
    return true;
}

static bool read_plot(struct reading *r)
{
    struct arena *a = arena_new();
    bool good = a ? raw_header_read(&r->text, a, &r->header) : raw_text_no_memory(&r->text);
    good = good && begin_table(r, a);
    if (good) {
        r->strange = 0;
        good = r->header.binary ? read_binary(r) : read_text(r);
        const enum kn_status ended = r->to->end(r->to->context, r->text.status);
        r->text.status = r->text.status == KN_OK ? ended : r->text.status;
        tell_strange(r);
        r->text.line = r->header.binary ? 0 : r->text.line;
    }
    arena_free(a);
    return good && r->text.status == KN_OK;
}

enum kn_status raw_read(FILE *from, const char *name, struct kn_diagnostics *d, const struct kn_sink *to)
{
    struct reading r = {.text = {.from = from, .name = name, .diagnostics = d, .line = 1}, .to = to};
    const int first = getc(from), second = getc(from);
    r.text.wide = first == 'T' && second == 0;
    rewind(from);
    if (first == EOF)
        raw_text_fail(&r.text, 0, NULL, "the file is empty");
    else if (!next_is_title(&r.text))
        raw_text_fail(&r.text, 1, "a raw file begins with 'Title:'", "this is no raw file");
    for (bool more = r.text.status == KN_OK; more;) {
        skip_blank(&r.text);
        more = next_is_title(&r.text) ? read_plot(&r) : is_end(&r.text, r.header.is_ltspice) && false;
    }
    free(r.text.buffer);
    return r.text.status;
}
