/* Raw files of several programs are read as they were written; broken ones are refused with a place. */
#include "claims.h"
#include "output/read/raw_read.h"
#include "output/sinks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what the reader gives, kept ---- */

enum { MOST_NUMBERS = 4096, MOST_COLUMNS = 16, MOST_PLOTS = 4 };

struct read_plot {
    char title[64], plot[64], names[MOST_COLUMNS][32];
    enum kn_quantity quantities[MOST_COLUMNS];
    size_t columns, rows, sweeps;
    double values[MOST_NUMBERS];
};

struct taken {
    struct read_plot plots[MOST_PLOTS];
    size_t count, ended;
};

static enum kn_status take_begin(void *context, const struct kn_table *t)
{
    struct taken *k = context;
    struct read_plot *p = &k->plots[k->count++ % MOST_PLOTS];
    *p = (struct read_plot){.columns = t->column_count, .sweeps = t->sweeps};
    snprintf(p->title, sizeof p->title, "%s", t->title);
    snprintf(p->plot, sizeof p->plot, "%s", t->plot);
    for (size_t i = 0; i < t->column_count && i < MOST_COLUMNS; i++) {
        snprintf(p->names[i], sizeof p->names[i], "%s", t->columns[i].name);
        p->quantities[i] = t->columns[i].quantity;
    }
    return KN_OK;
}

static enum kn_status take_row(void *context, const double *values)
{
    struct taken *k = context;
    struct read_plot *p = &k->plots[(k->count - 1) % MOST_PLOTS];
    for (size_t i = 0; i < p->columns && (p->rows + 1) * p->columns <= MOST_NUMBERS; i++)
        p->values[p->rows * p->columns + i] = values[i];
    p->rows++;
    return KN_OK;
}

static enum kn_status take_end(void *context, enum kn_status outcome)
{
    struct taken *k = context;
    (void)outcome;
    k->ended++;
    return KN_OK;
}

static double value(const struct taken *k, size_t plot, size_t row, size_t column)
{
    return k->plots[plot].values[row * k->plots[plot].columns + column];
}

static struct taken taken;

static enum kn_status read_file(FILE *from, struct kn_diagnostics *d)
{
    const struct kn_sink sink = {&taken, take_begin, take_row, take_end};
    taken.count = taken.ended = 0;
    rewind(from);
    const enum kn_status status = raw_read(from, "x.raw", d, &sink);
    CU_ASSERT_EQUAL(taken.count, taken.ended);
    return status;
}

static enum kn_status read_bytes(const void *bytes, size_t size, struct kn_diagnostics *d)
{
    FILE *file = tmpfile();
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL_FATAL(fwrite(bytes, 1, size, file), size);
    const enum kn_status status = read_file(file, d);
    fclose(file);
    return status;
}

/* The text of the first message, or "". */
static const char *first_message(const struct kn_diagnostics *d)
{
    return kn_diagnostics_count(d) > 0 ? kn_diagnostics_get(d, 0)->text : "";
}

/* ---- files ---- */

struct bytes {
    char at[65536];
    size_t size;
    bool wide;
};

static void put_text(struct bytes *b, const char *text)
{
    for (; *text; text++) {
        b->at[b->size++] = *text;
        if (b->wide)
            b->at[b->size++] = 0;
    }
}

static void put_double(struct bytes *b, double x)
{
    memcpy(b->at + b->size, &x, sizeof x);
    b->size += sizeof x;
}

static void put_float(struct bytes *b, double x)
{
    const float single = (float)x;
    memcpy(b->at + b->size, &single, sizeof single);
    b->size += sizeof single;
}

static struct bytes ltspice(const char *flags, int points)
{
    struct bytes b = {.wide = true};
    char count[64];
    put_text(
        &b, "Title: * C:\\amp.asc\nDate: Wed Aug  9 23:29:10 2023\nPlotname: Transient Analysis\nFlags: real forward ");
    put_text(&b, flags);
    snprintf(count, sizeof count, "\nNo. Variables: 3\nNo. Points: %12d\n", points);
    put_text(&b, count);
    put_text(&b, "Offset:   0.0000000000000000e+00\nCommand: Linear Technology Corporation LTspice\n");
    put_text(&b, "Variables:\n\t0\ttime\ttime\n\t1\tV(out)\tvoltage\n\t2\tIx(u1:+)\tsubckt_current\nBinary:\n");
    b.wide = false;
    return b;
}

/* ---- claims ---- */

static void what_knoten_writes_is_read_back(void)
{
    const struct kn_column columns[] = {{"frequency", KN_FREQUENCY},
                                        {"v(a)", KN_VOLTAGE},
                                        {"v(a)", KN_IMAGINARY},
                                        {"i(v1)", KN_CURRENT},
                                        {"i(v1)", KN_IMAGINARY}};
    const struct kn_table table = {"A title", "AC Analysis", columns, 5, 1, 0};
    for (int format = RAW_BINARY; format <= RAW_ASCII; format++) {
        char path[] = "/tmp/knoten-raw-XXXXXX";
        struct kn_diagnostics *d = kn_diagnostics_new();
        struct kn_sink sink;
        close(mkstemp(path));
        CU_ASSERT_EQUAL_FATAL(raw_sink(path, (enum raw_format)format, d, &sink), KN_OK);
        for (int plot = 0; plot < 2; plot++) {
            sink.begin(sink.context, &table);
            for (int i = 0; i < 100; i++)
                sink.row(sink.context, (double[]){i + 1, 1.0 / (i + 1), -i / 3.0, 1e-300 * i, 5e300});
            sink.end(sink.context, KN_OK);
        }
        sink_free(&sink);
        FILE *from = fopen(path, "rb");
        CU_ASSERT_EQUAL(read_file(from, d), KN_OK);
        fclose(from);
        unlink(path);
        CU_ASSERT_EQUAL_FATAL(taken.count, 2);
        CU_ASSERT_STRING_EQUAL(taken.plots[1].title, "A title");
        CU_ASSERT_STRING_EQUAL(taken.plots[1].plot, "AC Analysis");
        CU_ASSERT_EQUAL_FATAL(taken.plots[1].columns, 5);
        CU_ASSERT_EQUAL(taken.plots[1].rows, 100);
        CU_ASSERT(taken.plots[1].quantities[2] == KN_IMAGINARY && taken.plots[1].quantities[3] == KN_CURRENT);
        for (size_t i = 0; i < 100; i++) {
            const double n = (double)i;
            CU_ASSERT(value(&taken, 1, i, 0) == n + 1 && value(&taken, 1, i, 1) == 1.0 / (n + 1));
            CU_ASSERT(value(&taken, 1, i, 2) == -n / 3.0 && value(&taken, 1, i, 3) == 1e-300 * n);
            CU_ASSERT(value(&taken, 1, i, 4) == 5e300);
        }
        CU_ASSERT_EQUAL(kn_diagnostics_count(d), 0);
        kn_diagnostics_free(d);
    }
}

static void ltspice_has_singles_behind_double_times_which_may_be_marked_by_a_sign(void)
{
    struct bytes b = ltspice("stepped", 3);
    const double times[] = {0, -1e-9, 2.5e-9};
    for (int i = 0; i < 3; i++) {
        put_double(&b, times[i]);
        put_float(&b, 0.5 * i);
        put_float(&b, -0.25 * i);
    }
    CU_ASSERT_EQUAL(read_bytes(b.at, b.size, NULL), KN_OK);
    CU_ASSERT_EQUAL_FATAL(taken.count, 1);
    CU_ASSERT_STRING_EQUAL(taken.plots[0].names[2], "Ix(u1:+)");
    CU_ASSERT(taken.plots[0].quantities[0] == KN_TIME && taken.plots[0].quantities[2] == KN_CURRENT);
    CU_ASSERT(taken.plots[0].rows == 3 && value(&taken, 0, 1, 0) == 1e-9 && value(&taken, 0, 2, 0) == 2.5e-9);
    CU_ASSERT(value(&taken, 0, 2, 1) == 1 && value(&taken, 0, 2, 2) == -0.5);
}

static void ltspice_may_write_doubles_and_vectors_one_behind_the_other(void)
{
    struct bytes doubles = ltspice("double", 2), fast = ltspice("fastaccess", 3);
    for (int i = 0; i < 6; i++)
        put_double(&doubles, i / 7.0);
    CU_ASSERT_EQUAL(read_bytes(doubles.at, doubles.size, NULL), KN_OK);
    CU_ASSERT(taken.plots[0].rows == 2 && value(&taken, 0, 1, 2) == 5 / 7.0);
    for (int i = 0; i < 3; i++)
        put_double(&fast, i);
    for (int i = 0; i < 6; i++)
        put_float(&fast, 10 + i);
    CU_ASSERT_EQUAL(read_bytes(fast.at, fast.size, NULL), KN_OK);
    CU_ASSERT(taken.plots[0].rows == 3 && value(&taken, 0, 1, 0) == 1);
    CU_ASSERT(value(&taken, 0, 1, 1) == 11 && value(&taken, 0, 1, 2) == 14);
}

static void currents_of_spice3_and_complex_text_of_xyce_are_understood(void)
{
    static const char text[] =
        "Title: t\r\nPlotname: AC Analysis\r\nFlags: complex\r\nNo. Variables: 2\r\nNo. Points: 2   \r\n"
        "Variables:\r\n\t0\tfrequency\tfrequency\r\n\t1\tVIN#branch\tcurrent dims=2\r\nValues:\r\n"
        "0\t1.0e+00, 0.0\r\n\t2.5e+00, -3.0\r\n\r\n1\t10,0\r\n\t4,5\r\n";
    struct kn_diagnostics *d = kn_diagnostics_new();
    CU_ASSERT_EQUAL(read_bytes(text, sizeof text - 1, d), KN_OK);
    CU_ASSERT_STRING_EQUAL(taken.plots[0].names[1], "i(VIN)");
    CU_ASSERT(taken.plots[0].columns == 3 && taken.plots[0].quantities[2] == KN_IMAGINARY);
    CU_ASSERT(value(&taken, 0, 0, 1) == 2.5 && value(&taken, 0, 0, 2) == -3 && value(&taken, 0, 1, 2) == 5);
    CU_ASSERT_EQUAL(kn_diagnostics_count(d), 0);
    kn_diagnostics_free(d);
}

static void a_file_cut_anywhere_gives_whole_plots_or_an_error(void)
{
    struct bytes b = ltspice("", 3);
    static const char text[] = "Title: t\nPlotname: p\nFlags: real\nNo. Variables: 2\nNo. Points: 2\nVariables:\n"
                               "\t0\ttime\ttime\n\t1\tv(1)\tvoltage\nValues:\n0\t0\n\t1\n1\t1\n\t25\n";
    for (int i = 0; i < 3; i++) {
        put_double(&b, i);
        put_float(&b, i);
        put_float(&b, i);
    }
    for (size_t size = 0; size < b.size; size++) {
        struct kn_diagnostics *d = kn_diagnostics_new();
        CU_ASSERT_NOT_EQUAL(read_bytes(b.at, size, d), KN_OK);
        CU_ASSERT_EQUAL(kn_diagnostics_errors(d), 1);
        kn_diagnostics_free(d);
    }
    for (size_t size = 0; size < sizeof text - 4; size++) {
        struct kn_diagnostics *d = kn_diagnostics_new();
        CU_ASSERT_NOT_EQUAL(read_bytes(text, size, d), KN_OK);
        CU_ASSERT_EQUAL(kn_diagnostics_errors(d), 1);
        kn_diagnostics_free(d);
    }
    CU_ASSERT_EQUAL(read_bytes(text, sizeof text - 1, NULL), KN_OK);
}

/* Bytes changed at random, seeded: whatever comes out, it ends. */
static void bytes_changed_at_random_do_no_harm(void)
{
    unsigned state = 20261122;
    struct bytes whole = ltspice("", 2);
    for (int i = 0; i < 2; i++) {
        put_double(&whole, i);
        put_float(&whole, i);
        put_float(&whole, i);
    }
    for (int round = 0; round < 3000; round++) {
        struct bytes b = whole;
        for (int i = 0; i < 3; i++) {
            state = state * 1664525u + 1013904223u;
            const unsigned place = (state >> 8) % (unsigned)b.size;
            state = state * 1664525u + 1013904223u;
            b.at[place] = (char)(state >> 16);
        }
        struct kn_diagnostics *d = kn_diagnostics_new();
        const enum kn_status status = read_bytes(b.at, b.size, d);
        CU_ASSERT(status == KN_OK || kn_diagnostics_errors(d) == 1);
        kn_diagnostics_free(d);
    }
}

static void refused(const char *text, int line, const char *expected)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    CU_ASSERT_EQUAL(read_bytes(text, strlen(text), d), KN_ERROR_IO);
    CU_ASSERT_EQUAL_FATAL(kn_diagnostics_count(d), 1);
    CU_ASSERT_EQUAL(kn_diagnostics_get(d, 0)->where.line, line);
    if (!strstr(first_message(d), expected))
        fprintf(stderr, "expected '%s' in '%s'\n", expected, first_message(d));
    CU_ASSERT_PTR_NOT_NULL(strstr(first_message(d), expected));
    kn_diagnostics_free(d);
}

#define HEAD     "Title: t\nPlotname: p\nFlags: real\n"
#define TWO_VARS "Variables:\n\t0\ttime\ttime\n\t1\tv(1)\tvoltage\n"

static void what_is_wrong_is_said_with_its_line(void)
{
    refused("* a deck\n.end\n", 1, "this is no raw file");
    refused("Title: t\n", 2, "has no 'Values:' or 'Binary:'");
    refused(HEAD "No. Variables: 2\nNo. Points: x\n" TWO_VARS, 5, "'x' is no number");
    refused(HEAD "No. Variables: -2\nNo. Points: 1\n" TWO_VARS, 4, "'-2' is no number");
    refused(HEAD "No. Points: 1\n" TWO_VARS "Values:\n0\t0\n\t0\n", 5, "'No. Variables:' is missing");
    refused(HEAD "No. Variables: 3\nNo. Points: 1\n" TWO_VARS "Values:\n0\t0\n\t0\n", 9, "expected number 2");
    refused(HEAD "No. Variables: 900000\nNo. Points: 1\n" TWO_VARS, 6, "900000 variables are announced");
    refused(HEAD "No. Variables: 2\nNo. Points: 1\nValues:\n0\t0\n\t0\n", 6, "there are no 'Variables:'");
    refused(HEAD "No. Variables: 2\nNo. Points: 2\n" TWO_VARS "Values:\n0\t0\n\t0\n1\t0\n", 13,
            "ends in point 1 of the 2");
    refused(HEAD "No. Variables: 2\nNo. Points: 2\n" TWO_VARS "Values:\n0\t0\n\tone\n", 11,
            "'one' in point 0 is no number");
    refused(HEAD "No. Variables: 2\nNo. Points: 2\n" TWO_VARS "Values:\n0\t0\n\t1\n7\t1\n\t1\n", 12, "'7' in point 1");
    refused(HEAD "No. Variables: 2\nNo. Points: 99999999999\n" TWO_VARS "Binary:\n01234567", 0,
            "99999999999 points of 16 bytes");
}

static void numbers_that_are_not_finite_are_told_with_their_point(void)
{
    static const char text[] = HEAD "No. Variables: 2\nNo. Points: 2\n" TWO_VARS "Values:\n0\t0\n\t1\n1\t1\n\tnan\n";
    struct kn_diagnostics *d = kn_diagnostics_new();
    CU_ASSERT_EQUAL(read_bytes(text, sizeof text - 1, d), KN_OK);
    CU_ASSERT_EQUAL_FATAL(kn_diagnostics_count(d), 1);
    CU_ASSERT_EQUAL(kn_diagnostics_get(d, 0)->severity, KN_WARNING);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(first_message(d), "1 number of plot 'p' is not finite, the first that of 'v(1)' in point 1"));
    kn_diagnostics_free(d);
}

static void points_of_a_run_that_was_cut_off_before_it_counted_them_are_read(void)
{
    struct bytes b = {.wide = false};
    put_text(&b, HEAD "No. Variables: 2\nNo. Points: 0        \n" TWO_VARS "Binary:\n");
    for (int i = 0; i < 7; i++)
        put_double(&b, i);
    struct kn_diagnostics *d = kn_diagnostics_new();
    (void)read_bytes(b.at, b.size, d);
    CU_ASSERT_EQUAL(taken.plots[0].rows, 3);
    CU_ASSERT(kn_diagnostics_count(d) > 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(first_message(d), "was cut off before it wrote the number of points; there are 3"));
    kn_diagnostics_free(d);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(what_knoten_writes_is_read_back),
        CLAIM(ltspice_has_singles_behind_double_times_which_may_be_marked_by_a_sign),
        CLAIM(ltspice_may_write_doubles_and_vectors_one_behind_the_other),
        CLAIM(currents_of_spice3_and_complex_text_of_xyce_are_understood),
        CLAIM(a_file_cut_anywhere_gives_whole_plots_or_an_error),
        CLAIM(bytes_changed_at_random_do_no_harm),
        CLAIM(what_is_wrong_is_said_with_its_line),
        CLAIM(numbers_that_are_not_finite_are_told_with_their_point),
        CLAIM(points_of_a_run_that_was_cut_off_before_it_counted_them_are_read),
    };
    return run_claims("raw_read", claims, sizeof claims / sizeof *claims);
}
