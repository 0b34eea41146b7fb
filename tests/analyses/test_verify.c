/* Verification: what is wrong with a run is found at its place, and edges that come a little late are told as such. */
#include "analyses/compare/verify.h"
#include "claims.h"
#include "read_circuit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rises of 20 ns in a run of 10 us; v(b) follows in 10 ns. */
static const char edges[] = "edges\n"
                            "V1 a 0 PULSE(0 1 1u 20n 20n 2u 5u)\n"
                            "R1 a b 1k\n"
                            "C1 b 0 10p\n"
                            ".save v(a) v(b)\n"
                            ".tran 5n 10u\n"
                            ".end\n";

enum { A = 1, B = 2 };

/* A run by Radau at 1e-9, which passes for one at reltol 1e-3. */
struct stand {
    struct kn_diagnostics *d;
    struct circuit *circuit;
    struct analysis_options options;
    struct recording rows;
};

static struct stand open_stand(const char *text)
{
    struct stand s = {.d = kn_diagnostics_new()};
    struct recording_outcome outcome;
    CU_ASSERT_EQUAL_FATAL(circuit_read_text(&device_catalogue, "deck", text, strlen(text), s.d, &s.circuit), KN_OK);
    CU_ASSERT_EQUAL_FATAL(analysis_options_of(s.circuit, s.d, &s.options), KN_OK);
    s.options.method = integrator_find("radau");
    s.options.relative = 1e-9;
    const struct recording_request request = {
        .circuit = s.circuit, .transient = &s.circuit->transients[0], .options = &s.options, .limit = INFINITY};
    CU_ASSERT_EQUAL_FATAL(recording_make(&request, s.d, &s.rows, &outcome), KN_OK);
    s.options.relative = 1e-3;
    return s;
}

static void close_stand(struct stand *s)
{
    recording_free(&s->rows);
    circuit_free(s->circuit);
    kn_diagnostics_free(s->d);
}

static struct verification verify(const struct stand *s, const char *against, double limit)
{
    struct verification v;
    const struct verify_request request = {.circuit = s->circuit,
                                           .transient = &s->circuit->transients[0],
                                           .options = &s->options,
                                           .first_method = s->options.method,
                                           .against = against ? integrator_find(against) : NULL,
                                           .limit = limit};
    CU_ASSERT_EQUAL(verify_rows(&request, &s->rows, &v), KN_OK);
    return v;
}

static double *at(struct stand *s, size_t row, size_t column)
{
    return &s->rows.values[row * s->rows.columns + column];
}

static const struct verify_vector *vector(const struct verification *v, const char *name)
{
    for (size_t i = 0; i < v->count; i++)
        if (strcmp(v->vectors[i].name, name) == 0)
            return &v->vectors[i];
    CU_FAIL_FATAL("no such vector");
    return NULL;
}

/* The row nearest to a time. */
static size_t row_at(const struct stand *s, double t)
{
    size_t best = 0;
    for (size_t k = 0; k < s->rows.rows; k++)
        if (fabs(recording_time(&s->rows, k) - t) < fabs(recording_time(&s->rows, best) - t))
            best = k;
    return best;
}

static void a_good_run_is_found_good(void)
{
    struct stand s = open_stand(edges);
    struct verification v = verify(&s, NULL, INFINITY);
    CU_ASSERT_FATAL(v.method != NULL && v.count == 2);
    CU_ASSERT_STRING_EQUAL(v.method->name, "bdf"); /* not Radau's own family */
    CHECK_NEAR(v.reltol, 1e-4, 1e-10);
    CU_ASSERT_EQUAL(v.beyond, 0);
    /* reltol * 1 V + vntol */
    CHECK_NEAR(vector(&v, "v(b)")->tolerance, 1e-3 + 1e-6, 2e-6);
    CU_ASSERT(verify_excess(&v.vectors[0]) < 1 && v.vectors[0].shift < 1e-10);
    verify_free(&v);
    close_stand(&s);
}

/* On a flat top no difference of time explains anything. */
static void a_wrong_value_is_found_at_its_place(void)
{
    struct stand s = open_stand(edges);
    const size_t row = row_at(&s, 2.5e-6);
    *at(&s, row, B) -= 0.01;
    struct verification v = verify(&s, NULL, INFINITY);
    CU_ASSERT_EQUAL_FATAL(v.beyond, 1);
    CU_ASSERT_STRING_EQUAL(v.vectors[0].name, "v(b)");
    CHECK_NEAR(v.vectors[0].rows.time, recording_time(&s.rows, row), 1e-15);
    CHECK_NEAR(v.vectors[0].rows.first, 0.99, 1e-3);
    CHECK_NEAR(v.vectors[0].rows.second, 1, 1e-3);
    CHECK_NEAR(verify_excess(&v.vectors[0]), 10, 0.3);
    verify_free(&v);
    close_stand(&s);
}

static void no_number_is_a_wrong_value(void)
{
    struct stand s = open_stand(edges);
    *at(&s, row_at(&s, 2.5e-6), A) = NAN;
    struct verification v = verify(&s, NULL, INFINITY);
    CU_ASSERT_EQUAL(v.beyond, 1);
    CU_ASSERT(isinf(verify_excess(&v.vectors[0])));
    verify_free(&v);
    close_stand(&s);
}

/* Values as they were `late` earlier, from the rows themselves; only behind the start. */
static void delay(struct stand *s, size_t column, double late)
{
    double *old = malloc(s->rows.rows * sizeof *old);
    CU_ASSERT_FATAL(old != NULL);
    for (size_t k = 0; k < s->rows.rows; k++)
        old[k] = *at(s, k, column);
    for (size_t k = 0, from = 0; k < s->rows.rows; k++) {
        const double t = recording_time(&s->rows, k) - late;
        while (from + 1 < s->rows.rows && recording_time(&s->rows, from + 1) <= t)
            from++;
        const double t0 = recording_time(&s->rows, from), t1 = recording_time(&s->rows, from + 1);
        if (t > t0 && from + 1 < s->rows.rows)
            *at(s, k, column) = old[from] + (old[from + 1] - old[from]) * (t - t0) / (t1 - t0);
    }
    free(old);
}

/* 2 ns on edges of 20 ns are a tenth of their height, and less than 3 * 1e-3 of the first edge's time, 1 us. */
static void a_late_edge_is_a_difference_of_time(void)
{
    struct stand s = open_stand(edges);
    delay(&s, B, 2e-9);
    struct verification v = verify(&s, NULL, INFINITY);
    CU_ASSERT_EQUAL(v.beyond, 0);
    CHECK_NEAR(vector(&v, "v(b)")->shift, 2e-9, 0.3e-9);
    CU_ASSERT(vector(&v, "v(a)")->shift < 1e-10);
    verify_free(&v);
    close_stand(&s);
}

/* 6 ns are more than 3 * 1e-3 of 1 us. */
static void a_very_late_edge_is_a_wrong_value(void)
{
    struct stand s = open_stand(edges);
    delay(&s, B, 6e-9);
    struct verification v = verify(&s, NULL, INFINITY);
    CU_ASSERT_EQUAL(v.beyond, 1);
    CU_ASSERT_STRING_EQUAL(v.vectors[0].name, "v(b)");
    verify_free(&v);
    close_stand(&s);
}

/* A pulse of 1 mA with edges of 0.2 ns, where 3 * 1e-3 of the time is nothing: 0.3 ns late it is within a tenth of tstep = 5 ns, with
 * tstep = 1 ns it is not. */
static void differences_of_time_that_output_does_not_resolve_do_not_count(void)
{
    for (int fine = 0; fine <= 1; fine++) {
        char text[200];
        snprintf(text, sizeof text,
                 "pulse\nV1 a 0 PWL(0 0 0.1n 0 0.3n 1 1.5n 1 1.7n 0)\nR1 a 0 1k\n.save i(v1)\n.tran %s 10u\n.end\n",
                 fine ? "1n" : "5n");
        struct stand s = open_stand(text);
        delay(&s, 1, 0.3e-9);
        struct verification v = verify(&s, NULL, INFINITY);
        CU_ASSERT_EQUAL(v.beyond, (size_t)fine);
        verify_free(&v);
        close_stand(&s);
    }
}

/* After 50 periods 3 * 1e-3 of the time would be 0.15 periods; but a tenth of a swing is 0.05, so that a phase of 0.1
 * is wrong, and one of 0.01 is a difference of time. */
static void a_phase_is_not_explained_by_many_periods(void)
{
    static const char sine[] = "sine\nV1 a 0 SIN(0 1 50k)\nR1 a b 1k\nC1 b 0 1n\n.save v(a)\n.tran 0.2u 1m\n.end\n";
    for (int wrong = 0; wrong <= 1; wrong++) {
        struct stand s = open_stand(sine);
        for (size_t k = 0; k < s.rows.rows; k++) {
            const double t = recording_time(&s.rows, k), phase = (wrong ? 0.1 : 0.01) * t / 1e-3;
            *at(&s, k, A) = sin(2 * acos(-1) * (50e3 * t - phase));
        }
        struct verification v = verify(&s, NULL, INFINITY);
        CU_ASSERT_EQUAL(v.beyond, (size_t)wrong);
        if (!wrong)
            CHECK_NEAR(v.vectors[0].shift, 0.01 * 20e-6, 0.02 * 20e-6 * 0.1 + 2e-8);
        verify_free(&v);
        close_stand(&s);
    }
}

/* Rows 2 .. 3 us are taken away: the straight line between the others cuts off the pulse, though every row is right. */
static void what_lies_between_rows_is_found(void)
{
    struct stand s = open_stand(edges);
    const size_t from = row_at(&s, 0.9e-6), to = row_at(&s, 4.5e-6), count = s.rows.columns;
    memmove(at(&s, from, 0), at(&s, to, 0), (s.rows.rows - to) * count * sizeof(double));
    s.rows.rows -= to - from;
    struct verification v = verify(&s, NULL, INFINITY);
    CU_ASSERT_EQUAL_FATAL(v.beyond, 2);
    CU_ASSERT(vector(&v, "v(b)")->rows.difference < 1e-3);
    CHECK_NEAR(vector(&v, "v(b)")->lines.difference, 1, 1e-3);
    verify_free(&v);
    close_stand(&s);
}

static void the_method_to_judge_may_be_chosen(void)
{
    struct stand s = open_stand(edges);
    struct verification v = verify(&s, "trbdf2", INFINITY);
    CU_ASSERT_FATAL(v.method != NULL);
    CU_ASSERT_STRING_EQUAL(v.method->name, "trbdf2");
    verify_free(&v);
    close_stand(&s);
}

static void a_second_run_may_be_given_up(void)
{
    static const char slow[] = "slow\nV1 a 0 SIN(0 1 50k)\nR1 a b 1k\nC1 b 0 1n\n.tran 0.2u 1m 0 20n\n.end\n";
    struct stand s = open_stand(slow);
    struct verification v = verify(&s, NULL, 1e-4);
    CU_ASSERT(v.method == NULL && v.too_long && strstr(v.reason, "longer") != NULL);
    verify_report(&v, s.d);
    CU_ASSERT_EQUAL(kn_diagnostics_count(s.d), 1);
    CU_ASSERT_EQUAL(kn_diagnostics_get(s.d, 0)->severity, KN_WARNING);
    verify_free(&v);
    close_stand(&s);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(a_good_run_is_found_good),          CLAIM(a_wrong_value_is_found_at_its_place),
        CLAIM(no_number_is_a_wrong_value),        CLAIM(a_late_edge_is_a_difference_of_time),
        CLAIM(a_very_late_edge_is_a_wrong_value), CLAIM(a_phase_is_not_explained_by_many_periods),
        CLAIM(what_lies_between_rows_is_found),   CLAIM(the_method_to_judge_may_be_chosen),
        CLAIM(a_second_run_may_be_given_up),      CLAIM(differences_of_time_that_output_does_not_resolve_do_not_count),
    };
    return run_claims("verify", claims, sizeof claims / sizeof *claims);
}
