/* Selection of columns. */
#include "claims.h"
#include "output/sink_base.h"
#include "output/sinks.h"

#include <stdlib.h>
#include <string.h>

/* A sink that remembers. */
struct memory {
    struct sink_base base;
    double rows[64][4];
    char names[4][32];
    size_t columns;
    int count, begun, ended;
};

static void memory_release(void *context)
{
    (void)context;
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
static const struct kn_table table = {"A title", "Transient Analysis", columns, 3, 0, 0};

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

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(selections_choose_and_reorder_columns),
        CLAIM(names_that_the_table_does_not_have_are_all_reported),
    };
    return run_claims("select", claims, sizeof claims / sizeof *claims);
}
