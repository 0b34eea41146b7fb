/* The public interface: a text goes in, rows come out (test_many_runs.c: many times and at once). */
#include "claims.h"
#include "knoten.h"
#include "run_text.h"

#include <math.h>
#include <string.h>

static const char low_pass[] = "RC low-pass\n"
                               "V1 in 0 PULSE(0 1 0 1n 1n 1 2)\n"
                               "R1 in out 1k\n"
                               "C1 out 0 1u\n"
                               ".options vntol=1n\n"
                               ".op\n"
                               ".tran 10u 5m\n"
                               ".end\n";

/* Counts tables and rows and keeps the last row. */
struct record {
    int begun, ended;
    long rows, stop_after; /* stop_after > 0: asks for the end of the run then */
    size_t columns;
    char names[4][16], plot[32];
    double last[4];
};

static enum kn_status record_begin(void *context, const struct kn_table *table)
{
    struct record *r = context;
    r->begun++;
    r->columns = table->column_count;
    snprintf(r->plot, sizeof r->plot, "%s", table->plot);
    for (size_t i = 0; i < table->column_count && i < 4; i++)
        snprintf(r->names[i], sizeof r->names[i], "%s", table->columns[i].name);
    return KN_OK;
}

static enum kn_status record_row(void *context, const double *values)
{
    struct record *r = context;
    r->rows++;
    memcpy(r->last, values, (r->columns < 4 ? r->columns : 4) * sizeof *values);
    return KN_OK;
}

static enum kn_status record_end(void *context, enum kn_status outcome)
{
    struct record *r = context;
    (void)outcome;
    r->ended++;
    return KN_OK;
}

static enum kn_status run_recorded(const char *text, const struct kn_options *o, struct kn_diagnostics *d,
                                   struct record *r, struct kn_summary *summary)
{
    struct kn_sink sink = {r, record_begin, record_row, record_end};
    return run_text(text, o, d, &sink, summary);
}

static void a_deck_gives_its_operating_point_and_its_transient(void)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct record r = {0};
    struct kn_summary s;
    CU_ASSERT_EQUAL(run_recorded(low_pass, NULL, d, &r, &s), KN_OK);
    CU_ASSERT_EQUAL(kn_diagnostics_errors(d), 0);
    CU_ASSERT(r.begun == 2 && r.ended == 2 && s.analyses == 2);
    CU_ASSERT_STRING_EQUAL(r.plot, "Transient Analysis");
    CU_ASSERT_EQUAL(r.columns, 4);
    CU_ASSERT_STRING_EQUAL(r.names[0], "time");
    CHECK_NEAR(r.last[0], 5e-3, 0);
    CHECK_NEAR(r.last[2], 1 - exp(-5), 2e-3);
    CU_ASSERT_EQUAL(s.rows, r.rows);
    CU_ASSERT(s.unknowns == 3 && s.steps_accepted > 20 && s.factorizations > 0);
    CU_ASSERT_STRING_EQUAL(s.method, "auto");
    kn_diagnostics_free(d);
}

static void options_of_the_caller_override_the_deck(void)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct record coarse = {0}, fine = {0};
    struct kn_summary few, many;
    const struct kn_options tight = {.method = "TRAP", .reltol = 1e-7};
    CU_ASSERT_EQUAL(run_recorded(low_pass, NULL, d, &coarse, &few), KN_OK);
    CU_ASSERT_EQUAL(run_recorded(low_pass, &tight, d, &fine, &many), KN_OK);
    CU_ASSERT_STRING_EQUAL(many.method, "trap");
    CU_ASSERT(many.steps_accepted > 2 * few.steps_accepted);
    /* The tolerance is one of each step. */
    CHECK_NEAR(fine.last[2], 1 - exp(-5), (double)many.steps_accepted * tight.reltol);
    kn_diagnostics_free(d);
}

static void an_unknown_method_is_refused_with_a_correction(void)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct record r = {0};
    const struct kn_options wrong = {.method = "bfd"};
    CU_ASSERT_EQUAL(run_recorded(low_pass, &wrong, d, &r, NULL), KN_ERROR_ARGUMENT);
    CU_ASSERT_EQUAL(r.begun, 0);
    CU_ASSERT_EQUAL_FATAL(kn_diagnostics_errors(d), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(kn_diagnostics_get(d, 0)->hint, "'bdf'"));
    kn_diagnostics_free(d);
}

static void errors_of_a_deck_are_diagnostics_with_places(void)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct record r = {0};
    CU_ASSERT_EQUAL(run_recorded("Bad\nR1 a 0 1k\nR1 a 0 2k\nR2 a\n.end\n", NULL, d, &r, NULL), KN_ERROR_DECK);
    CU_ASSERT(kn_diagnostics_errors(d) >= 2);
    const struct kn_diagnostic *first = kn_diagnostics_get(d, 0);
    CU_ASSERT_STRING_EQUAL(first->where.file, "deck");
    CU_ASSERT_EQUAL(first->where.line, 3);
    CU_ASSERT_STRING_EQUAL(first->source_line, "R1 a 0 2k");
    CU_ASSERT_EQUAL(r.begun, 0);
    kn_diagnostics_free(d);
}

static void a_deck_without_an_analysis_gets_an_operating_point_and_a_warning(void)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct record r = {0};
    CU_ASSERT_EQUAL(run_recorded("Divider\nV1 a 0 3\nR1 a b 1k\nR2 b 0 2k\n.end\n", NULL, d, &r, NULL), KN_OK);
    CU_ASSERT_STRING_EQUAL(r.plot, "Operating Point");
    CHECK_NEAR(r.last[1], 2, 1e-9);
    CU_ASSERT_EQUAL_FATAL(kn_diagnostics_count(d), 1);
    CU_ASSERT_EQUAL(kn_diagnostics_get(d, 0)->severity, KN_WARNING);
    CU_ASSERT_STRING_EQUAL(kn_diagnostics_get(d, 0)->code, "no-analysis");
    kn_diagnostics_free(d);
}

static bool after_some_rows(void *context)
{
    const struct record *r = context;
    return r->rows > r->stop_after;
}

static void an_interrupted_run_ends_its_table(void)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct record r = {.stop_after = 10};
    struct kn_summary s;
    const struct kn_options o = {.reltol = 1e-7, .interrupted = after_some_rows, .context = &r};
    CU_ASSERT_EQUAL(run_recorded(low_pass, &o, d, &r, &s), KN_INTERRUPTED);
    CU_ASSERT_EQUAL(r.begun, r.ended);
    CU_ASSERT(s.rows == r.rows && r.last[0] < 5e-3);
    kn_diagnostics_free(d);
}

static void note_fraction(void *context, double fraction)
{
    double *last = context;
    if (fraction < 0) { /* the operating point is sought */
        CU_ASSERT_EQUAL(*last, 0);
        return;
    }
    CU_ASSERT(fraction >= *last && fraction <= 1);
    *last = fraction;
}

static void progress_grows_up_to_one(void)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct record r = {0};
    double fraction = 0;
    const struct kn_options o = {.progress = note_fraction, .context = &fraction};
    static const char long_run[] = "Many steps\nV1 a 0 SIN(0 1 1k)\nR1 a b 1k\nC1 b 0 1u\n.tran 1u 2m 0 1u\n.end\n";
    CU_ASSERT_EQUAL(run_recorded(long_run, &o, d, &r, NULL), KN_OK);
    CU_ASSERT(fraction > 0.5);
    kn_diagnostics_free(d);
}

/* ---- rows at even times ---- */

static void note_search(void *context, double fraction)
{
    double *farthest = context;
    CU_ASSERT(fraction >= -1 && fraction <= 1);
    if (fraction < 0)
        *farthest = fmax(*farthest, fraction);
}

/* v^2 + 1 = 0 at the end of all ways; on the way with conductances there are solutions down to 2 mS, of 16 decades from 1 S
 * the first 2.7. */
static void the_search_of_an_operating_point_tells_how_far_it_is(void)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct record r = {0};
    double farthest = -1;
    const struct kn_options o = {.progress = note_search, .context = &farthest};
    CU_ASSERT_EQUAL(run_recorded("none\nB1 out 0 I='1m*(v(out)*v(out)+1)'\n.op\n.end\n", &o, d, &r, NULL),
                    KN_ERROR_CONVERGENCE);
    CU_ASSERT(farthest > -0.9 && farthest < 0);
    kn_diagnostics_free(d);
}

static const double pi = 3.14159265358979323846;

/* What a table of v(in) = sin(2 pi 1 kHz t) gets. */
struct sine_table {
    int begun, ended;
    long rows;
    double error, off_grid, last; /* V; distance from multiples of 7 us as a part of it, but for the last row; s */
};

static enum kn_status sine_begin(void *context, const struct kn_table *table)
{
    struct sine_table *s = context;
    (void)table;
    s->begun++;
    return KN_OK;
}

static enum kn_status sine_row(void *context, const double *values)
{
    struct sine_table *s = context;
    if (s->rows > 0)
        s->off_grid = fmax(s->off_grid, fabs(s->last / 7e-6 - (double)(s->rows - 1)));
    s->rows++;
    s->last = values[0];
    s->error = fmax(s->error, fabs(values[1] - sin(2e3 * pi * values[0])));
    return KN_OK;
}

static enum kn_status sine_end(void *context, enum kn_status outcome)
{
    struct sine_table *s = context;
    (void)outcome;
    s->ended++;
    return KN_OK;
}

static struct sine_table tabulate(const char *method, double reltol, struct record *result)
{
    static const char deck[] = "sine\nV1 in 0 SIN(0 1 1k)\nR1 in 0 1k\n.tran 7u 3m\n.end\n";
    struct sine_table table = {0};
    const struct kn_sink even = {&table, sine_begin, sine_row, sine_end};
    const struct kn_options o = {.method = method, .reltol = reltol, .even = method ? &even : NULL};
    struct kn_diagnostics *d = kn_diagnostics_new();
    CU_ASSERT_EQUAL(run_recorded(deck, &o, d, result, NULL), KN_OK);
    kn_diagnostics_free(d);
    return table;
}

static void even_rows_stand_every_tstep_and_at_the_end(void)
{
    struct record r = {0}, plain = {0};
    const struct sine_table table = tabulate("auto", 1e-3, &r);
    tabulate(NULL, 1e-3, &plain);
    CU_ASSERT(table.begun == 1 && table.ended == 1);
    CU_ASSERT_EQUAL(table.rows, 430); /* 0 to 428, and 3 ms */
    CHECK_NEAR(table.off_grid, 0, 1e-9);
    CHECK_NEAR(table.last, 3e-3, 0);
    CU_ASSERT_EQUAL(r.rows, plain.rows);
}

/* Straight lines between the rows of the result would miss by 7e-4 whatever the tolerance. */
static void even_rows_are_as_exact_as_the_method(void)
{
    static const char *const methods[] = {"radau", "rodas", "trap"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        struct record r = {0};
        CHECK_NEAR(tabulate(methods[i], 1e-7, &r).error, 0, 1e-6);
    }
}

/* BDF takes no steps below tstep/10 for the sake of points between them; at order 1 its interpolant is the chord over
 * such a step, which misses the sine by (omega h)^2/8. */
static void even_rows_of_bdf_miss_by_the_chord_over_its_shortest_step(void)
{
    const double turn = 2e3 * pi * 0.7e-6;
    struct record r = {0};
    CHECK_NEAR(tabulate("bdf", 1e-9, &r).error, 0, turn * turn / 8);
    CHECK_NEAR(tabulate("auto", 1e-9, &r).error, 0, turn * turn / 8);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(even_rows_stand_every_tstep_and_at_the_end),
        CLAIM(even_rows_are_as_exact_as_the_method),
        CLAIM(even_rows_of_bdf_miss_by_the_chord_over_its_shortest_step),
        CLAIM(a_deck_gives_its_operating_point_and_its_transient),
        CLAIM(options_of_the_caller_override_the_deck),
        CLAIM(an_unknown_method_is_refused_with_a_correction),
        CLAIM(errors_of_a_deck_are_diagnostics_with_places),
        CLAIM(a_deck_without_an_analysis_gets_an_operating_point_and_a_warning),
        CLAIM(an_interrupted_run_ends_its_table),
        CLAIM(progress_grows_up_to_one),
        CLAIM(the_search_of_an_operating_point_tells_how_far_it_is),
    };
    return run_claims("library", claims, sizeof claims / sizeof *claims);
}
