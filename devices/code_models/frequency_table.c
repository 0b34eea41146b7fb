/* frequency_table.c - A xfer: for small signals a transfer that a table tells, of frequencies (Hz) and complex values.
 *
 * A row has `span` numbers: the frequency, and from the `offset`-th behind it the two of a value, which are dB and degrees, or with
 * db=false a magnitude, with r_i=true real and imaginary part; rad=true: radians.  file= is a Touchstone file, whose line of options
 * says the unit and the form, unless the card does.  Values are straight between the frequencies, in both parts, and stay beyond them.  At
 * rest and in time the transfer is the real part of the first value (ngspice's manual, chapter 8, "xfer").
 */
#include "base/array.h"
#include "devices/code_models/lines.h"
#include "devices/families.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { TABLE, NAME, RECTANGULAR, DECIBEL, RADIANS, SPAN, OFFSET, ROWS };

static const struct parameter_info rows[ROWS] = {
    [TABLE] = CODE_LIST("table", "", "rows of a frequency in Hz and the two numbers of a value"),
    [NAME] = {"file", "\"\"", 0, 0, 0, "name of a Touchstone file, instead of the table", NULL},
    [RECTANGULAR] = CODE_FLAG("r_i", 0, "values are real and imaginary parts"),
    [DECIBEL] = CODE_FLAG("db", 1, "magnitudes are in dB"),
    [RADIANS] = CODE_FLAG("rad", 0, "phases are in radians, not in degrees"),
    [SPAN] = CODE_FROM("span", "", 3, 3, "numbers of a row"),
    [OFFSET] = CODE_FROM("offset", "", 1, 1, "where in a row the value begins; 0 is the frequency"),
};

static const struct port_info ports[] = {CODE_IN("in"), CODE_OUT("out")};

struct transfer_table {
    const struct code_item *item;
    double unit;                /* Hz */
    bool rectangular, decibels; /* of the values */
    bool begun, ended;          /* of a file: the line of options is over; its noise has begun */
    double *numbers;            /* as they are read */
    size_t count, capacity;
    double *frequency; /* [row_count] Hz, not falling: at the same one the later row counts */
    double complex *value;
    size_t row_count;
};

/* ---- Touchstone ---- */

static void take_option(struct transfer_table *t, const char *word)
{
    static const struct {
        const char *name;
        double hertz;
    } units[] = {{"hz", 1}, {"khz", 1e3}, {"mhz", 1e6}, {"ghz", 1e9}};
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (strcasecmp(word, units[k].name) == 0)
            t->unit = units[k].hertz;
    t->decibels |= strcasecmp(word, "db") == 0;
    t->rectangular |= strcasecmp(word, "ri") == 0;
}

/* # MHz S RI R 50 */
static void take_options(struct transfer_table *t, char *line)
{
    char *word;
    t->begun = true;
    while ((word = data_file_word(&line)))
        take_option(t, word);
}

static size_t span_of(const struct code_item *i)
{
    return (size_t)i->p[SPAN];
}

/* Of a two-port noise parameters follow, five numbers a line, whose first frequency is not above the last of the others (Touchstone
 * File Format Specification 1.1). */
static bool is_noise(const struct transfer_table *t, size_t on_line)
{
    const size_t before = t->count - on_line;
    return span_of(t->item) == 9 && on_line == 5 && before > 0 && before % 9 == 0 &&
           t->numbers[before] <= t->numbers[before - 9];
}

static enum kn_status take_line(void *into, struct arena *arena, char *line, const char **fault)
{
    struct transfer_table *t = into;
    const size_t before = t->count;
    double value;
    line[strcspn(line, "!\r\n")] = '\0';
    char *rest = line + strspn(line, " \t");
    if (*rest == '#') {
        take_options(t, rest + 1);
        return KN_OK;
    }
    if (t->ended || data_file_is_comment(rest))
        return KN_OK;
    if (!t->begun)
        *fault = "expected the line of options in front of the numbers";
    while (!*fault && rest[strspn(rest, " \t")] != '\0') {
        if (!lines_number(&rest, &value))
            *fault = "expected a number";
        else if (!array_reserve_in(arena, &t->numbers, t->count, t->count + 1, &t->capacity, sizeof *t->numbers))
            return KN_ERROR_MEMORY;
        else
            t->numbers[t->count++] = value;
    }
    if (!*fault && is_noise(t, t->count - before)) {
        t->count = before;
        t->ended = true;
    }
    return *fault ? KN_ERROR_DECK : KN_OK;
}

static enum kn_status read_file(struct transfer_table *t, struct code_item *i, struct arena *arena,
                                struct kn_diagnostics *d)
{
    const char *name = code_text(i, "file");
    if (i->given[TABLE])
        return code_fail(i, d, "leave one of both out", "both a table and a file are given");
    FILE *f = data_file_open(name, i->element->model->where.file, arena);
    if (!f)
        return code_fail(i, d, "it is looked for beside the deck: file=\"part.s2p\"", "cannot read the file");
    t->unit = 1e9;
    t->decibels = false;
    return lines_read(f, i, name, "a Touchstone file: # Hz S RI R 50, then rows of numbers", take_line, t, arena, d);
}

/* ---- the table ---- */

static double complex value_of(const struct code_item *i, const struct transfer_table *t, double a, double b)
{
    if (t->rectangular)
        return CMPLX(a, b);
    const double size = t->decibels ? pow(10, a / 20) : a, angle = i->p[RADIANS] != 0 ? b : b * acos(-1) / 180;
    return CMPLX(size * cos(angle), size * sin(angle));
}

static enum kn_status make_rows(struct transfer_table *t, const struct code_item *i, const double *numbers,
                                size_t count, struct arena *arena, struct kn_diagnostics *d)
{
    const size_t span = span_of(i), offset = (size_t)i->p[OFFSET];
    if (offset + 2 > span)
        return code_fail(i, d, "offset=1 is the value next to the frequency",
                         "a row of span numbers has no value at this offset");
    if (count == 0 || count % span != 0)
        return code_fail(i, d, "write table=[0 0 0  1k -3 -45], or span= of the numbers in a row",
                         "its numbers are no whole rows of a frequency and a value");
    t->row_count = count / span;
    t->frequency = arena_array(arena, t->row_count, sizeof *t->frequency);
    t->value = arena_array(arena, t->row_count, sizeof *t->value);
    if (!t->frequency || !t->value)
        return KN_ERROR_MEMORY;
    for (size_t k = 0; k < t->row_count; k++) {
        const double *row = numbers + k * span;
        t->frequency[k] = row[0] * t->unit;
        t->value[k] = value_of(i, t, row[offset], row[offset + 1]);
        if (!(row[0] >= 0) || (k > 0 && !(t->frequency[k] >= t->frequency[k - 1])))
            return code_fail(i, d, NULL, "the frequencies of its rows must not fall, from 0 on");
    }
    return KN_OK;
}

/* Said of each that is there: results in time are those of another circuit. */
static void warn_of_time(const struct code_item *i, struct kn_diagnostics *d)
{
    if (circuit_runs_in_time(i->circuit))
        diagnostics_add(
            d, KN_WARNING, "no-waveform", i->element->where,
            "an s_xfer, or LAPLACE with a ratio of polynomials of s, has waveforms",
            "'%s': a table of frequencies (xfer) has a meaning in .ac and its like only; in time the output "
            "is the input times the real part of the first value, as in ngspice",
            i->element->name);
}

static enum kn_status make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    struct transfer_table *t = i->own = arena_alloc(arena, sizeof *t);
    size_t count;
    const double *numbers = code_list(i, "table", &count);
    if (!t)
        return KN_ERROR_MEMORY;
    *t = (struct transfer_table){.item = i, .unit = 1, .decibels = i->p[DECIBEL] != 0};
    if (i->given[NAME]) {
        const enum kn_status status = read_file(t, i, arena, d);
        if (status != KN_OK)
            return status;
        numbers = t->numbers;
        count = t->count;
    }
    if (i->given[RECTANGULAR] || !i->given[NAME])
        t->rectangular = i->p[RECTANGULAR] != 0;
    if (i->given[DECIBEL])
        t->decibels = i->p[DECIBEL] != 0;
    warn_of_time(i, d);
    return make_rows(t, i, numbers, count, arena, d);
}

static void evaluate(const struct code_item *i, const struct code_point *p)
{
    const struct transfer_table *t = i->own;
    p->df[0] = creal(t->value[0]);
    p->f[0] = p->df[0] * p->u[0];
}

static double complex transfer(const struct code_item *i, double w, double complex *slope)
{
    const struct transfer_table *t = i->own;
    const double f = w / (2 * acos(-1));
    size_t k = 0;
    *slope = 0;
    if (f <= t->frequency[0])
        return t->value[0];
    while (k + 1 < t->row_count && f >= t->frequency[k + 1])
        k++;
    if (k + 1 == t->row_count)
        return t->value[k];
    const double complex rise = (t->value[k + 1] - t->value[k]) / (t->frequency[k + 1] - t->frequency[k]);
    *slope = rise / (2 * acos(-1));
    return t->value[k] + rise * (f - t->frequency[k]);
}

const struct code_model xfer_model = {CODE_KIND("xfer", "table of a transfer function", "in out", ports, rows),
                                      .linear = true, .make = make, .evaluate = evaluate, .transfer = transfer};
