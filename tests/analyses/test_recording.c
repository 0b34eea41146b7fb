/* Recorded runs: rows of one run are read from another at the same times, on the right side of jumps. */
#include "analyses/transient/recording.h"
#include "claims.h"
#include "read_circuit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 1 V from 1 us on, through 1 us of R C. */
static const char step[] = "step\n"
                           "V1 a 0 PWL(0 0 1u 0 1u 1 4u 1)\n"
                           "R1 a b 1k\n"
                           "C1 b 0 1n\n"
                           ".tran 0.1u 4u\n"
                           ".end\n";

struct stand {
    struct kn_diagnostics *d;
    struct circuit *circuit;
    struct analysis_options options;
};

static struct stand open_stand(const char *text, const char *method, double reltol)
{
    struct stand s = {.d = kn_diagnostics_new()};
    CU_ASSERT_EQUAL_FATAL(circuit_read_text(&device_catalogue, "deck", text, strlen(text), s.d, &s.circuit), KN_OK);
    CU_ASSERT_EQUAL_FATAL(analysis_options_of(s.circuit, s.d, &s.options), KN_OK);
    s.options.method = integrator_find(method);
    s.options.relative = reltol;
    return s;
}

static void close_stand(struct stand *s)
{
    circuit_free(s->circuit);
    kn_diagnostics_free(s->d);
}

static enum kn_status record(const struct stand *s, double limit, struct recording *out, struct recording_outcome *how)
{
    const struct recording_request request = {
        .circuit = s->circuit, .transient = &s->circuit->transients[0], .options = &s->options, .limit = limit};
    return recording_make(&request, s->d, out, how);
}

enum { TIME, A, B };

static double value(const struct recording *r, size_t row, size_t column)
{
    return r->values[row * r->columns + column];
}

/* v(b) = 1 - exp(-(t - 1 us)/1 us) at every time asked for, with 1e-9 asked for. */
static void given_times_are_read_with_the_tolerance_of_the_run(void)
{
    static const double times[] = {0, 1e-7, 1e-6, 1.23e-6, 1.24e-6, 2.5e-6, 4e-6};
    enum { COUNT = sizeof times / sizeof *times };
    struct stand s = open_stand(step, "radau", 1e-9);
    struct recording r;
    struct recording_outcome how;
    s.options.sample_times = times;
    s.options.samples = COUNT;
    CU_ASSERT_EQUAL(record(&s, INFINITY, &r, &how), KN_OK);
    CU_ASSERT_EQUAL_FATAL(r.rows, COUNT);
    for (size_t k = 0; k < COUNT; k++) {
        CU_ASSERT_EQUAL(value(&r, k, TIME), times[k]);
        CHECK_NEAR(value(&r, k, B), times[k] <= 1e-6 ? 0 : 1 - exp(-(times[k] - 1e-6) / 1e-6), 1e-8);
    }
    recording_free(&r);
    close_stand(&s);
}

static void a_time_given_twice_is_read_on_both_sides_of_a_jump(void)
{
    static const double times[] = {0.5e-6, 1e-6, 1e-6, 2e-6};
    static const char *const methods[] = {"bdf", "radau", "rodasp", "trbdf2", "trap", "auto"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        struct stand s = open_stand(step, methods[i], 1e-4);
        struct recording r;
        struct recording_outcome how;
        s.options.sample_times = times;
        s.options.samples = 4;
        CU_ASSERT_EQUAL(record(&s, INFINITY, &r, &how), KN_OK);
        CU_ASSERT_EQUAL_FATAL(r.rows, 4);
        CHECK_NEAR(value(&r, 1, A), 0, 1e-9);
        CHECK_NEAR(value(&r, 2, A), 1, 1e-9);
        recording_free(&r);
        close_stand(&s);
    }
}

/* The rows of a run, read from the same run again, are that run. */
static void a_run_read_at_its_own_rows_is_itself(void)
{
    struct stand s = open_stand(step, "bdf", 1e-5);
    struct recording first, second;
    struct recording_outcome how;
    CU_ASSERT_EQUAL(record(&s, INFINITY, &first, &how), KN_OK);
    CU_ASSERT_FATAL(first.rows > 20 && first.columns == 4);
    double *times = malloc(first.rows * sizeof *times);
    CU_ASSERT_FATAL(times != NULL);
    for (size_t k = 0; k < first.rows; k++)
        times[k] = recording_time(&first, k);
    s.options.sample_times = times;
    s.options.samples = (long)first.rows;
    CU_ASSERT_EQUAL(record(&s, INFINITY, &second, &how), KN_OK);
    CU_ASSERT_EQUAL_FATAL(second.rows, first.rows);
    double largest = 0;
    for (size_t k = 0; k < first.rows; k++)
        largest = fmax(largest, fabs(value(&first, k, A) - value(&second, k, A)) +
                                    fabs(value(&first, k, B) - value(&second, k, B)));
    CHECK_NEAR(largest, 0, 1e-12);
    free(times);
    recording_free(&first);
    recording_free(&second);
    close_stand(&s);
}

static void a_recording_knows_what_its_columns_are_and_their_extremes(void)
{
    static const char text[] = "extremes\nV1 a 0 SIN(-3 2 1k)\nR1 a 0 1meg\n.tran 1u 1m\n.end\n";
    struct stand s = open_stand(text, "bdf", 1e-6);
    struct recording r;
    struct recording_outcome how;
    CU_ASSERT_EQUAL(record(&s, INFINITY, &r, &how), KN_OK);
    CU_ASSERT_EQUAL_FATAL(r.columns, 3);
    CU_ASSERT(r.quantities[1] == KN_VOLTAGE && r.quantities[2] == KN_CURRENT);
    CHECK_NEAR(r.low[1], -5, 1e-4);
    CHECK_NEAR(r.high[1], -1, 1e-4);
    CHECK_NEAR(r.low[2], 1e-6, 1e-10);
    CHECK_NEAR(r.high[2], 5e-6, 1e-10);
    recording_free(&r);
    close_stand(&s);
}

static void a_limit_of_time_ends_a_run(void)
{
    struct stand s = open_stand("long\nV1 a 0 SIN(0 1 1meg)\nR1 a b 1k\nC1 b 0 1n\n.tran 1n 10\n.end\n", "bdf", 1e-6);
    struct recording r;
    struct recording_outcome how;
    CU_ASSERT_EQUAL(record(&s, 0.05, &r, &how), KN_INTERRUPTED);
    CU_ASSERT(how.too_long && how.seconds < 5);
    recording_free(&r);
    close_stand(&s);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(given_times_are_read_with_the_tolerance_of_the_run),
        CLAIM(a_time_given_twice_is_read_on_both_sides_of_a_jump),
        CLAIM(a_run_read_at_its_own_rows_is_itself),
        CLAIM(a_recording_knows_what_its_columns_are_and_their_extremes),
        CLAIM(a_limit_of_time_ends_a_run),
    };
    return run_claims("recording", claims, sizeof claims / sizeof *claims);
}
