/* Comparison of methods: what errors are relative to, and what is told while it runs. */
#include "analyses/compare/compare.h"
#include "claims.h"
#include "read_circuit.h"

#include <math.h>
#include <string.h>

/* R C charged by a pulse: i(v1) is a spike of 10 ns after each edge, every 50 us.  The common times are 1 us apart, the
 * next one 0.38 us after an edge. */
static const char spikes[] = "spikes\n"
                             "V1 a 0 PULSE(0 1 2u 1n 1n 50u 100u)\n"
                             "R1 a b 10\n"
                             "C1 b 0 1n\n"
                             ".tran 1u 1m\n"
                             ".end\n";

struct seen {
    size_t points, last_count;
    size_t stop_after; /* points; 0: never */
};

static void note_point(void *context, const struct comparison *c)
{
    struct seen *s = context;
    s->points++;
    s->last_count = c->count;
}

static bool enough(void *context)
{
    const struct seen *s = context;
    return s->stop_after > 0 && s->points >= s->stop_after;
}

static enum kn_status compare_spikes(struct seen *s, struct comparison *c)
{
    const struct integrator_class *const methods[] = {integrator_find("bdf"), integrator_find("radau")};
    const struct compare_request request = {.methods = methods,
                                            .method_count = 2,
                                            .loosest = 1e-3,
                                            .tightest = 1e-4,
                                            .runs = 1,
                                            .limit = 20,
                                            .done = note_point};
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct circuit *circuit = NULL;
    struct analysis_options o;
    enum kn_status status = circuit_read_text(&device_catalogue, "spikes.cir", spikes, strlen(spikes), d, &circuit);
    if (status == KN_OK)
        status = analysis_options_of(circuit, d, &o);
    if (status == KN_OK) {
        o.context = s;
        o.interrupted = enough;
        status = compare_run(circuit, &o, &request, d, c);
    }
    circuit_free(circuit);
    kn_diagnostics_free(d);
    return status;
}

/* At the end of an edge of length T the current is C/T (1 - exp(-T/RC)) = 95.2 mA, of either sign. */
static void ranges_include_spikes_between_the_common_times(void)
{
    struct seen s = {0};
    struct comparison c = {0};
    CU_ASSERT_EQUAL(compare_spikes(&s, &c), KN_OK);
    CU_ASSERT_EQUAL_FATAL(c.columns, 4);
    CU_ASSERT_STRING_EQUAL(c.names[3], "i(v1)");
    CHECK_NEAR(c.scale[3], 2 * (1 - exp(-0.1)), 1e-4);
    compare_free(&c);
}

static void every_point_is_told_when_it_is_measured(void)
{
    struct seen s = {0};
    struct comparison c = {0};
    CU_ASSERT_EQUAL(compare_spikes(&s, &c), KN_OK);
    CU_ASSERT(s.points == 4 && s.last_count == 4 && c.count == 4);
    compare_free(&c);
}

static void an_interrupted_comparison_keeps_its_points(void)
{
    struct seen s = {.stop_after = 3};
    struct comparison c = {0};
    CU_ASSERT_EQUAL(compare_spikes(&s, &c), KN_INTERRUPTED);
    CU_ASSERT_EQUAL_FATAL(c.count, 3);
    CU_ASSERT(c.points[2].status == KN_OK && c.points[2].error < 1e-2);
    compare_free(&c);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(ranges_include_spikes_between_the_common_times),
        CLAIM(every_point_is_told_when_it_is_measured),
        CLAIM(an_interrupted_comparison_keeps_its_points),
    };
    return run_claims("compare", claims, sizeof claims / sizeof *claims);
}
