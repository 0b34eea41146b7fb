/* Tee, selection and resampling. */
#include "claims.h"
#include "output/sink_base.h"
#include "output/sinks.h"

#include <stdlib.h>
#include <string.h>

/* A sink that remembers, and fails where it is told to. */
struct memory {
    struct sink_base base;
    double rows[64][4];
    char names[4][32];
    size_t columns;
    int count, begun, ended, fail_at;
};

static int released;

static void memory_release(void *context)
{
    (void)context;
    released++;
}

static enum kn_status memory_begin(void *context, const struct kn_table *table)
{
    struct memory *m = context;
    m->columns = table->column_count;
    m->begun++;
    m->count = 0;
    for (size_t i = 0; i < m->columns; i++)
        strcpy(m->names[i], table->columns[i].name);
    return KN_OK;
}

static enum kn_status memory_row(void *context, const double *values)
{
    struct memory *m = context;
    if (m->fail_at && m->count + 1 == m->fail_at)
        return KN_ERROR_IO;
    memcpy(m->rows[m->count++], values, m->columns * sizeof *values);
    return KN_OK;
}

static enum kn_status memory_end(void *context, enum kn_status outcome)
{
    struct memory *m = context;
    (void)outcome;
    m->ended++;
    return KN_OK;
}

static struct kn_sink memory_sink(struct memory *m)
{
    m->base.release = memory_release;
    return (struct kn_sink){m, memory_begin, memory_row, memory_end};
}

static const struct kn_column columns[] = {{"time", KN_TIME}, {"v(a)", KN_VOLTAGE}, {"v(b)", KN_VOLTAGE}};
static const struct kn_table table = {"A title", "Transient Analysis", columns, 3};

static void tee_passes_rows_to_all_and_ends_all_after_a_failure(void)
{
    struct memory a = {.fail_at = 0}, b = {.fail_at = 2};
    struct kn_sink parts[] = {memory_sink(&a), memory_sink(&b)}, s;
    const double row[] = {1, 2, 3};
    released = 0;
    CU_ASSERT_EQUAL_FATAL(tee_sink(parts, 2, &s), KN_OK);
    CU_ASSERT_EQUAL(s.begin(s.context, &table), KN_OK);
    CU_ASSERT_EQUAL(s.row(s.context, row), KN_OK);
    CU_ASSERT_EQUAL(s.row(s.context, row), KN_ERROR_IO);
    CU_ASSERT_EQUAL(s.end(s.context, KN_ERROR_IO), KN_OK);
    CU_ASSERT(a.count == 2 && b.count == 1 && a.ended == 1 && b.ended == 1);
    sink_free(&s);
    CU_ASSERT_EQUAL(released, 2);
}

static void selections_choose_and_reorder_columns(void)
{
    struct memory m = {0};
    struct kn_sink next = memory_sink(&m), s;
    const char *const names[] = {"V(B)", "time"};
    const double row[] = {1, 2, 5};
    CU_ASSERT_EQUAL_FATAL(select_sink(&next, names, 2, NULL, &s), KN_OK);
    CU_ASSERT_EQUAL(s.begin(s.context, &table), KN_OK);
    CU_ASSERT_EQUAL(s.row(s.context, row), KN_OK);
    CU_ASSERT_EQUAL(s.end(s.context, KN_OK), KN_OK);
    CU_ASSERT_EQUAL(m.columns, 2);
    CU_ASSERT_STRING_EQUAL(m.names[0], "v(b)");
    CU_ASSERT(m.rows[0][0] == 5 && m.rows[0][1] == 1);
    sink_free(&s);
}

static void names_that_the_table_does_not_have_are_all_reported(void)
{
    struct memory m = {0};
    struct kn_sink next = memory_sink(&m), s;
    struct kn_diagnostics *d = kn_diagnostics_new();
    const char *const names[] = {"v(x)", "v(a)", "v(y)"};
    CU_ASSERT_EQUAL_FATAL(select_sink(&next, names, 3, d, &s), KN_OK);
    CU_ASSERT_EQUAL(s.begin(s.context, &table), KN_ERROR_ARGUMENT);
    CU_ASSERT_EQUAL(s.end(s.context, KN_ERROR_ARGUMENT), KN_OK);
    CU_ASSERT_EQUAL(m.begun + m.ended, 0);
    CU_ASSERT_EQUAL(kn_diagnostics_errors(d), 2);
    sink_free(&s);
    kn_diagnostics_free(d);
}

/* v(a) = 10 t, v(b) = -t at uneven times: straight lines are reproduced exactly. */
static void resample(const double *times, int count, double start, double step, struct memory *m)
{
    struct kn_sink next = memory_sink(m), s;
    CU_ASSERT_EQUAL_FATAL(resample_sink(&next, start, step, &s), KN_OK);
    CU_ASSERT_EQUAL(s.begin(s.context, &table), KN_OK);
    for (int i = 0; i < count; i++) {
        const double row[] = {times[i], 10 * times[i], -times[i]};
        CU_ASSERT_EQUAL(s.row(s.context, row), KN_OK);
    }
    CU_ASSERT_EQUAL(s.end(s.context, KN_OK), KN_OK);
    sink_free(&s);
}

static void resampled_rows_stand_at_even_times(void)
{
    struct memory m = {0};
    const double times[] = {0, 0.1, 0.9, 1.0, 2.7, 3.2, 3.5};
    const double expected[] = {0, 1, 2, 3, 3.5};
    resample(times, 7, 0, 1, &m);
    CU_ASSERT_EQUAL_FATAL(m.count, 5);
    for (int i = 0; i < 5; i++) {
        CHECK_NEAR(m.rows[i][0], expected[i], 0);
        CHECK_NEAR(m.rows[i][1], 10 * expected[i], 1e-14);
        CHECK_NEAR(m.rows[i][2], -expected[i], 1e-15);
    }
}

static void resampling_starts_at_the_first_row_and_ends_at_the_last(void)
{
    struct memory m = {0};
    const double times[] = {2.5, 3, 4.0000000000000009};
    resample(times, 3, 2.5, 0.5, &m);
    CU_ASSERT_EQUAL_FATAL(m.count, 4);
    CHECK_NEAR(m.rows[0][0], 2.5, 0);
    CHECK_NEAR(m.rows[3][0], 4, 1e-15);
}

static void resampling_a_single_row_keeps_it(void)
{
    struct memory m = {0};
    const double times[] = {0.25};
    resample(times, 1, 0, 1, &m);
    CU_ASSERT_EQUAL_FATAL(m.count, 1);
    CHECK_NEAR(m.rows[0][0], 0.25, 0);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(tee_passes_rows_to_all_and_ends_all_after_a_failure),     CLAIM(selections_choose_and_reorder_columns),
        CLAIM(names_that_the_table_does_not_have_are_all_reported),     CLAIM(resampled_rows_stand_at_even_times),
        CLAIM(resampling_starts_at_the_first_row_and_ends_at_the_last), CLAIM(resampling_a_single_row_keeps_it),
    };
    return run_claims("combine", claims, sizeof claims / sizeof *claims);
}
