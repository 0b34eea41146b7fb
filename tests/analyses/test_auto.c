/* test_auto.c - what `auto` says that it did, and that it did it: the closing line of a run. */
#include "deck_rows.h"

#include <stdbool.h>

#define RC "rc\nV1 in 0 5\nR1 in out 1k\nC1 out 0 1u ic=0\n%s.tran 1u 1m uic\n.end\n"

static bool says(const struct deck_rows *r, const char *part)
{
    const bool found = strstr(r->summary.choice, part) != NULL;
    if (!found)
        fprintf(stderr, "\n'%s' is not in '%s'\n", part, r->summary.choice);
    return found;
}

static long steps_of(const struct deck_rows *r, const char *method)
{
    const char *at = strstr(r->summary.choice, method);
    if (!at || at == r->summary.choice)
        return 0;
    at--; /* the space before the name */
    while (at > r->summary.choice && at[-1] >= '0' && at[-1] <= '9')
        at--;
    return strtol(at, NULL, 10);
}

static struct deck_rows run(const char *form, const char *options)
{
    char deck[2000];
    snprintf(deck, sizeof deck, form, options);
    return deck_rows(deck, "auto", 0);
}

static void a_short_linear_run_is_rodasps(void)
{
    struct deck_rows r = run(RC, "");
    CU_ASSERT_EQUAL(steps_of(&r, "rodasp"), r.summary.steps_accepted);
    CU_ASSERT(says(&r, "the circuit is linear and the run too short to try others"));
    free(r.values);
}

static void below_a_reltol_of_1e_5_rodasp_is_no_candidate(void)
{
    struct deck_rows r = run(RC, ".options reltol=1e-6\n");
    CU_ASSERT_EQUAL(steps_of(&r, "rodasp"), 0);
    CU_ASSERT_EQUAL(steps_of(&r, "bdf") + steps_of(&r, "radau"), r.summary.steps_accepted);
    free(r.values);
}

static void maxord_keeps_bdf(void)
{
    struct deck_rows r = run(RC, ".options maxord=2\n");
    CU_ASSERT_EQUAL(steps_of(&r, "bdf"), r.summary.steps_accepted);
    CU_ASSERT(says(&r, "as maxord is given"));
    free(r.values);
}

/* Longer than the first trials; every step has its method. */
static void a_long_run_says_how_candidates_compared(void)
{
    static const char form[] = "oscillator\nL1 a b 1m ic=0\nR1 b 0 1\nC1 a 0 1n ic=10m\n"
                               "B1 a 0 I={-1.5u*tanh(V(a))}\n%s.tran 1u 5m uic\n.end\n";
    struct deck_rows r = run(form, "");
    CU_ASSERT(says(&r, "where last compared "));
    CU_ASSERT(says(&r, " times as far per work as "));
    CU_ASSERT_EQUAL(steps_of(&r, "bdf") + steps_of(&r, "rodasp") + steps_of(&r, "radau"), r.summary.steps_accepted);
    free(r.values);
}

/* Such an oscillation is what the order of radau and rodasp is for: the run must have been handed over. */
static void an_oscillation_of_little_loss_is_handed_over(void)
{
    static const char form[] = "oscillator\nL1 a b 1m ic=0\nR1 b 0 1\nC1 a 0 1n ic=10m\n"
                               "B1 a 0 I={-1.5u*tanh(V(a))}\n%s.tran 1u 5m uic\n.end\n";
    struct deck_rows r = run(form, "");
    CU_ASSERT(2 * steps_of(&r, "bdf") < r.summary.steps_accepted);
    free(r.values);
}

/* Formulas have no memory, so that rows are solved for: of `bdf`, whose interpolant they find wrong more often, some twenty times as many
 * iterations as of its steps.  Counted by steps alone the two were near each other, and `bdf`, 2.5 times as long, had the run or not as it
 * happened. */
static void rows_are_part_of_the_work_of_a_method(void)
{
    static const char form[] = "magnitude\nV1 a 0 SIN(0 1 1meg)\nB1 x 0 V=abs(v(a))\nR1 x b 1k\nC1 b 0 10n\n%s"
                               ".tran 1u 0.5m\n.end\n";
    struct deck_rows r = run(form, "");
    CU_ASSERT(2 * steps_of(&r, "radau") > r.summary.steps_accepted);
    free(r.values);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(a_short_linear_run_is_rodasps),
        CLAIM(below_a_reltol_of_1e_5_rodasp_is_no_candidate),
        CLAIM(maxord_keeps_bdf),
        CLAIM(a_long_run_says_how_candidates_compared),
        CLAIM(an_oscillation_of_little_loss_is_handed_over),
        CLAIM(rows_are_part_of_the_work_of_a_method),
    };
    return run_claims("analyses/auto", claims, sizeof claims / sizeof *claims);
}
