/* Raw files read back bit for bit, also when the run or the disk ends early. */
#include "claims.h"
#include "output/sinks.h"
#include "raw_file.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct kn_column columns[] = {{"time", KN_TIME}, {"v(out)", KN_VOLTAGE}, {"i(v1)", KN_CURRENT}};
static const struct kn_table transient = {"A title", "Transient Analysis", columns, 3, 0, 0};
static const struct kn_table point = {"A title", "Operating Point", columns + 1, 2, 0, 0};

static void row_of(long i, double row[3])
{
    row[0] = (double)i * 1e-9;
    row[1] = sin((double)i) * 1e-3;
    row[2] = i % 7 ? -1 / (double)(i + 3) : 5e-324;
}

static enum kn_status push(const struct kn_sink *s, const struct kn_table *table, long first, long end)
{
    enum kn_status status = s->begin(s->context, table);
    for (long i = first; status == KN_OK && i < end; i++) {
        double row[3];
        row_of(i, row);
        status = s->row(s->context, table->column_count == 3 ? row : row + 1);
    }
    const enum kn_status ended = s->end(s->context, status);
    return status == KN_OK ? ended : status;
}

/* How many of the plot's rows are those of row_of. */
static long rows_right(const struct raw_plot *p, long first)
{
    long right = 0;
    for (long i = 0; i < p->points; i++) {
        double row[3];
        row_of(first + i, row);
        right += memcmp(p->values + i * p->variables, p->variables == 3 ? row : row + 1,
                        (size_t)p->variables * sizeof(double)) == 0;
    }
    return right;
}

static char scratch[64];

static const char *scratch_file(void)
{
    strcpy(scratch, "/tmp/test-raw-XXXXXX");
    const int file = mkstemp(scratch);
    CU_ASSERT_FATAL(file >= 0);
    close(file);
    return scratch;
}

static void check_round_trip(enum raw_format format, long rows)
{
    struct kn_sink s;
    const char *path = scratch_file();
    CU_ASSERT_EQUAL_FATAL(raw_sink(path, format, NULL, &s), KN_OK);
    CU_ASSERT_EQUAL(push(&s, &transient, 0, rows), KN_OK);
    sink_free(&s);
    struct raw_plot p;
    FILE *from = fopen(path, "rb");
    CU_ASSERT_FATAL(raw_read(from, &p));
    CU_ASSERT_STRING_EQUAL(p.title, "A title");
    CU_ASSERT_STRING_EQUAL(p.plot, "Transient Analysis");
    CU_ASSERT_PTR_NOT_NULL(strstr(p.command, "knoten 0."));
    CU_ASSERT_STRING_EQUAL(p.names[1], "v(out)");
    CU_ASSERT_STRING_EQUAL(p.types[2], "current");
    CU_ASSERT_EQUAL(p.points, rows);
    CU_ASSERT_EQUAL(rows_right(&p, 0), rows);
    CU_ASSERT_EQUAL(fgetc(from), EOF);
    free(p.values);
    fclose(from);
    unlink(path);
}

static void binary_rows_read_back_bit_for_bit(void)
{
    check_round_trip(RAW_BINARY, 0);
    check_round_trip(RAW_BINARY, 1);
    check_round_trip(RAW_BINARY, 54321);
}

static void ascii_rows_read_back_bit_for_bit(void)
{
    check_round_trip(RAW_ASCII, 0);
    check_round_trip(RAW_ASCII, 12345);
}

static void several_plots_follow_each_other_in_one_file(void)
{
    struct kn_sink s;
    const char *path = scratch_file();
    for (int format = RAW_BINARY; format <= RAW_ASCII; format++) {
        CU_ASSERT_EQUAL_FATAL(raw_sink(path, (enum raw_format)format, NULL, &s), KN_OK);
        CU_ASSERT_EQUAL(push(&s, &point, 3, 4), KN_OK);
        CU_ASSERT_EQUAL(push(&s, &transient, 0, 20000), KN_OK);
        CU_ASSERT_EQUAL(push(&s, &transient, 5, 10), KN_OK);
        sink_free(&s);
        const long firsts[] = {3, 0, 5}, counts[] = {1, 20000, 5};
        FILE *from = fopen(path, "rb");
        for (int i = 0; i < 3; i++) {
            struct raw_plot p;
            CU_ASSERT_FATAL(raw_read(from, &p));
            CU_ASSERT_EQUAL(p.points, counts[i]);
            CU_ASSERT_EQUAL(rows_right(&p, firsts[i]), counts[i]);
            free(p.values);
        }
        CU_ASSERT_EQUAL(fgetc(from), EOF);
        fclose(from);
    }
    unlink(path);
}

static void an_interrupted_run_leaves_a_complete_file(void)
{
    struct kn_sink s;
    const char *path = scratch_file();
    CU_ASSERT_EQUAL_FATAL(raw_sink(path, RAW_BINARY, NULL, &s), KN_OK);
    s.begin(s.context, &transient);
    for (long i = 0; i < 17; i++) {
        double row[3];
        row_of(i, row);
        s.row(s.context, row);
    }
    CU_ASSERT_EQUAL(s.end(s.context, KN_INTERRUPTED), KN_OK);
    sink_free(&s);
    struct raw_plot p;
    FILE *from = fopen(path, "rb");
    CU_ASSERT_FATAL(raw_read(from, &p));
    CU_ASSERT_EQUAL(p.points, 17);
    CU_ASSERT_EQUAL(rows_right(&p, 0), 17);
    free(p.values);
    fclose(from);
    unlink(path);
}

/* As if the process had been killed: nobody calls end. */
static void a_file_is_readable_while_it_grows(void)
{
    struct kn_sink s;
    const char *path = scratch_file();
    CU_ASSERT_EQUAL_FATAL(raw_sink(path, RAW_BINARY, NULL, &s), KN_OK);
    s.begin(s.context, &transient);
    for (long i = 0; i < 100000; i++) {
        double row[3];
        row_of(i, row);
        s.row(s.context, row);
    }
    struct raw_plot p;
    FILE *from = fopen(path, "rb");
    CU_ASSERT_FATAL(raw_read(from, &p));
    CU_ASSERT(p.points > 50000 && p.points <= 100000);
    CU_ASSERT_EQUAL(rows_right(&p, 0), p.points);
    CU_ASSERT_EQUAL(fgetc(from), EOF);
    free(p.values);
    fclose(from);
    s.end(s.context, KN_OK);
    sink_free(&s);
    unlink(path);
}

static void check_full_disk(enum raw_format format)
{
    struct kn_sink s;
    struct kn_diagnostics *d = kn_diagnostics_new();
    const char *path = scratch_file();
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    const struct rlimit small = {1000 * 1000 + 3, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    CU_ASSERT_EQUAL_FATAL(raw_sink(path, format, d, &s), KN_OK);
    CU_ASSERT_EQUAL(push(&s, &transient, 0, 1000000), KN_ERROR_IO);
    sink_free(&s);
    setrlimit(RLIMIT_FSIZE, &before);
    CU_ASSERT_EQUAL(kn_diagnostics_count(d), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(kn_diagnostics_get(d, 0)->text, path));
    struct raw_plot p;
    FILE *from = fopen(path, "rb");
    CU_ASSERT_FATAL(raw_read(from, &p));
    CU_ASSERT(p.points > 5000);
    CU_ASSERT_EQUAL(rows_right(&p, 0), p.points);
    CU_ASSERT_EQUAL(fgetc(from), EOF);
    free(p.values);
    fclose(from);
    unlink(path);
    kn_diagnostics_free(d);
}

static void a_full_disk_is_an_error_and_leaves_a_valid_shorter_file(void)
{
    check_full_disk(RAW_BINARY);
    check_full_disk(RAW_ASCII);
}

static void check_refused(const char *path, const char *said)
{
    struct kn_sink s;
    struct kn_diagnostics *d = kn_diagnostics_new();
    CU_ASSERT_EQUAL_FATAL(raw_sink(path, RAW_BINARY, d, &s), KN_OK);
    CU_ASSERT_EQUAL(push(&s, &transient, 0, 100), KN_ERROR_IO);
    sink_free(&s);
    CU_ASSERT_EQUAL_FATAL(kn_diagnostics_errors(d), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(kn_diagnostics_get(d, 0)->text, said));
    kn_diagnostics_free(d);
}

static void places_that_cannot_be_written_are_errors_with_the_name(void)
{
    check_refused("/dev/full", "/dev/full");
    check_refused("/nowhere/at/all.raw", "/nowhere/at/all.raw");
    check_refused("/tmp", "/tmp");
}

static void no_file_is_made_before_the_first_table(void)
{
    struct kn_sink s;
    char path[] = "/tmp/test-raw-XXXXXX";
    close(mkstemp(path));
    unlink(path);
    CU_ASSERT_EQUAL_FATAL(raw_sink(path, RAW_BINARY, NULL, &s), KN_OK);
    CU_ASSERT_EQUAL(s.end(s.context, KN_ERROR_CIRCUIT), KN_OK);
    sink_free(&s);
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
}

struct pipe_reader {
    const char *path;
    struct raw_plot first, second;
    bool read_first, read_second;
};

static void *read_pipe(void *context)
{
    struct pipe_reader *r = context;
    FILE *from = fopen(r->path, "rb");
    r->read_first = raw_read(from, &r->first);
    r->read_second = raw_read(from, &r->second);
    fclose(from);
    return NULL;
}

static void a_pipe_gets_the_right_count_too(void)
{
    struct kn_sink s;
    struct pipe_reader r = {.path = scratch_file()};
    unlink(r.path);
    CU_ASSERT_EQUAL_FATAL(mkfifo(r.path, 0600), 0);
    pthread_t thread;
    pthread_create(&thread, NULL, read_pipe, &r);
    CU_ASSERT_EQUAL_FATAL(raw_sink(r.path, RAW_BINARY, NULL, &s), KN_OK);
    CU_ASSERT_EQUAL(push(&s, &transient, 0, 30000), KN_OK);
    CU_ASSERT_EQUAL(push(&s, &transient, 7, 9), KN_OK);
    sink_free(&s);
    pthread_join(thread, NULL);
    CU_ASSERT(r.read_first && r.first.points == 30000 && rows_right(&r.first, 0) == 30000);
    CU_ASSERT(r.read_second && r.second.points == 2 && rows_right(&r.second, 7) == 2);
    free(r.first.values);
    free(r.second.values);
    unlink(r.path);
}

static void *close_pipe(void *context)
{
    close(open(context, O_RDONLY));
    return NULL;
}

static void a_reader_that_goes_away_is_an_error(void)
{
    struct kn_sink s;
    struct kn_diagnostics *d = kn_diagnostics_new();
    const char *path = scratch_file();
    signal(SIGPIPE, SIG_IGN);
    unlink(path);
    CU_ASSERT_EQUAL_FATAL(mkfifo(path, 0600), 0);
    pthread_t thread;
    pthread_create(&thread, NULL, close_pipe, (void *)(uintptr_t)path);
    CU_ASSERT_EQUAL_FATAL(raw_sink(path, RAW_BINARY, d, &s), KN_OK);
    CU_ASSERT_EQUAL_FATAL(s.begin(s.context, &transient), KN_OK);
    pthread_join(thread, NULL);
    double row[3] = {0};
    for (int i = 0; i < 10; i++)
        s.row(s.context, row);
    CU_ASSERT_EQUAL(s.end(s.context, KN_OK), KN_ERROR_IO);
    sink_free(&s);
    CU_ASSERT_EQUAL(kn_diagnostics_errors(d), 1);
    kn_diagnostics_free(d);
    unlink(path);
}

static void a_million_rows_keep_memory_flat(void)
{
    struct kn_sink s;
    struct rusage before, after;
    CU_ASSERT_EQUAL_FATAL(raw_sink("/dev/null", RAW_BINARY, NULL, &s), KN_OK);
    sink_free(&s);
    const char *path = scratch_file();
    CU_ASSERT_EQUAL_FATAL(raw_sink(path, RAW_BINARY, NULL, &s), KN_OK);
    s.begin(s.context, &transient);
    double row[3] = {0};
    for (long i = 0; i < 20000; i++)
        s.row(s.context, row);
    getrusage(RUSAGE_SELF, &before);
    for (long i = 0; i < 1000000; i++)
        s.row(s.context, row);
    getrusage(RUSAGE_SELF, &after);
    CU_ASSERT_EQUAL(s.end(s.context, KN_OK), KN_OK);
    CU_ASSERT(after.ru_maxrss - before.ru_maxrss < 256);
    sink_free(&s);
    unlink(path);
}

static void odd_names_and_titles_do_not_break_the_header(void)
{
    struct kn_sink s;
    const struct kn_column odd[] = {{"time", KN_TIME}, {"v(a b)", KN_VOLTAGE}, {"x", KN_OTHER}};
    const struct kn_table table = {"two\nlines", "Transient Analysis", odd, 3, 0, 0};
    const char *path = scratch_file();
    CU_ASSERT_EQUAL_FATAL(raw_sink(path, RAW_BINARY, NULL, &s), KN_OK);
    CU_ASSERT_EQUAL(push(&s, &table, 0, 2), KN_OK);
    sink_free(&s);
    struct raw_plot p;
    FILE *from = fopen(path, "rb");
    CU_ASSERT_FATAL(raw_read(from, &p));
    CU_ASSERT_STRING_EQUAL(p.title, "two lines");
    CU_ASSERT_STRING_EQUAL(p.names[1], "v(a_b)");
    CU_ASSERT_STRING_EQUAL(p.types[2], "notype");
    free(p.values);
    fclose(from);
    unlink(path);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(binary_rows_read_back_bit_for_bit),
        CLAIM(ascii_rows_read_back_bit_for_bit),
        CLAIM(several_plots_follow_each_other_in_one_file),
        CLAIM(an_interrupted_run_leaves_a_complete_file),
        CLAIM(a_file_is_readable_while_it_grows),
        CLAIM(a_full_disk_is_an_error_and_leaves_a_valid_shorter_file),
        CLAIM(places_that_cannot_be_written_are_errors_with_the_name),
        CLAIM(no_file_is_made_before_the_first_table),
        CLAIM(a_pipe_gets_the_right_count_too),
        CLAIM(a_reader_that_goes_away_is_an_error),
        CLAIM(a_million_rows_keep_memory_flat),
        CLAIM(odd_names_and_titles_do_not_break_the_header),
    };
    return run_claims("raw", claims, sizeof claims / sizeof *claims);
}
