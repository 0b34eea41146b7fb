/* CSV files, tables and listings: what stands in them, and what happens when they cannot be written. */
#include "claims.h"
#include "output/sinks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct kn_column columns[] = {{"time", KN_TIME}, {"v(a,b)", KN_VOLTAGE}, {"i(v1)", KN_CURRENT}};
static const struct kn_table table = {"A title", "Transient Analysis", columns, 3, 0, 0};
static const double rows[][3] = {{0, 0.1, -1e-12}, {1e-9, 1.0 / 3, 5}, {2e-9, 1e22, 0}};

static enum kn_status push(const struct kn_sink *s, int count)
{
    enum kn_status status = s->begin(s->context, &table);
    for (int i = 0; status == KN_OK && i < count; i++)
        status = s->row(s->context, rows[i]);
    const enum kn_status ended = s->end(s->context, status);
    return status == KN_OK ? ended : status;
}

static void check_file(const char *path, const char *expected)
{
    char text[1024] = "";
    FILE *from = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(from);
    text[fread(text, 1, sizeof text - 1, from)] = '\0';
    fclose(from);
    CU_ASSERT_STRING_EQUAL(text, expected);
}

static void csv_has_a_header_and_exact_numbers(void)
{
    struct kn_sink s;
    char path[] = "/tmp/test-csv-XXXXXX";
    close(mkstemp(path));
    CU_ASSERT_EQUAL_FATAL(csv_sink(path, NULL, &s), KN_OK);
    CU_ASSERT_EQUAL(push(&s, 3), KN_OK);
    sink_free(&s);
    check_file(path, "time,\"v(a,b)\",i(v1)\n"
                     "0,0.1,-1e-12\n"
                     "1e-09,0.3333333333333333,5\n"
                     "2e-09,1e+22,0\n");
    unlink(path);
}

static void csv_separates_tables_by_an_empty_line(void)
{
    struct kn_sink s;
    char path[] = "/tmp/test-csv-XXXXXX";
    close(mkstemp(path));
    CU_ASSERT_EQUAL_FATAL(csv_sink(path, NULL, &s), KN_OK);
    CU_ASSERT_EQUAL(push(&s, 1), KN_OK);
    CU_ASSERT_EQUAL(push(&s, 0), KN_OK);
    sink_free(&s);
    check_file(path, "time,\"v(a,b)\",i(v1)\n0,0.1,-1e-12\n\ntime,\"v(a,b)\",i(v1)\n");
    unlink(path);
}

static void csv_to_a_full_disk_is_an_error_with_the_name(void)
{
    struct kn_sink s;
    struct kn_diagnostics *d = kn_diagnostics_new();
    CU_ASSERT_EQUAL_FATAL(csv_sink("/dev/full", d, &s), KN_OK);
    CU_ASSERT_EQUAL(push(&s, 3), KN_ERROR_IO);
    sink_free(&s);
    CU_ASSERT_EQUAL_FATAL(kn_diagnostics_errors(d), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(kn_diagnostics_get(d, 0)->text, "/dev/full"));
    CU_ASSERT_PTR_NOT_NULL(kn_diagnostics_get(d, 0)->hint);
    kn_diagnostics_free(d);
}

static void tables_are_aligned(void)
{
    struct kn_sink s;
    char text[1024] = "";
    FILE *to = fmemopen(text, sizeof text, "w");
    CU_ASSERT_EQUAL_FATAL(table_sink(to, NULL, &s), KN_OK);
    CU_ASSERT_EQUAL(push(&s, 3), KN_OK);
    sink_free(&s);
    fclose(to);
    CU_ASSERT_STRING_EQUAL(text, "         time         v(a,b)          i(v1)\n"
                                 "  0.00000e+00    1.00000e-01   -1.00000e-12\n"
                                 "  1.00000e-09    3.33333e-01    5.00000e+00\n"
                                 "  2.00000e-09    1.00000e+22    0.00000e+00\n");
}

static void listings_name_values_and_units(void)
{
    struct kn_sink s;
    char text[1024] = "";
    FILE *to = fmemopen(text, sizeof text, "w");
    CU_ASSERT_EQUAL_FATAL(listing_sink(to, false, NULL, &s), KN_OK);
    CU_ASSERT_EQUAL(push(&s, 1), KN_OK);
    sink_free(&s);
    fclose(to);
    CU_ASSERT_STRING_EQUAL(text, "time      0.000000e+00  0 s\n"
                                 "v(a,b)    1.000000e-01  100 mV\n"
                                 "i(v1)    -1.000000e-12  -1 pA\n");
}

static void a_table_that_cannot_be_written_is_reported_once(void)
{
    struct kn_sink s;
    struct kn_diagnostics *d = kn_diagnostics_new();
    FILE *to = fopen("/dev/full", "w");
    setvbuf(to, NULL, _IONBF, 0);
    CU_ASSERT_EQUAL_FATAL(table_sink(to, d, &s), KN_OK);
    CU_ASSERT_EQUAL(push(&s, 3), KN_ERROR_IO);
    sink_free(&s);
    fclose(to);
    CU_ASSERT_EQUAL(kn_diagnostics_errors(d), 1);
    kn_diagnostics_free(d);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(csv_has_a_header_and_exact_numbers),
        CLAIM(csv_separates_tables_by_an_empty_line),
        CLAIM(csv_to_a_full_disk_is_an_error_with_the_name),
        CLAIM(tables_are_aligned),
        CLAIM(listings_name_values_and_units),
        CLAIM(a_table_that_cannot_be_written_is_reported_once),
    };
    return run_claims("text", claims, sizeof claims / sizeof *claims);
}
