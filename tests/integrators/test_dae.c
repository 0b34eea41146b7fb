/* A dae around another: every function reaches the inner problem, those to come as well. */
#include "integrators/dae.h"

#include "claims.h"

#include <stddef.h>
#include <string.h>

struct outer {
    const struct dae *inner;
    int of_its_own;
};

/* ---- each function is called with the inner problem and hands on what it gets and returns ---- */

static char innermost;
static int calls;

static bool arrived(const void *problem)
{
    calls++;
    return problem == &innermost;
}

static enum kn_status eval(void *problem, double t, const double *x, unsigned what, struct dae_values *out)
{
    CU_ASSERT(arrived(problem) && t == 2 && *x == 3 && what == DAE_F);
    out->limited = true;
    return KN_ERROR_CONVERGENCE;
}

static void begin_newton(void *problem, const double *x)
{
    CU_ASSERT(arrived(problem) && *x == 3);
}

static double step_now(void *problem)
{
    CU_ASSERT(arrived(problem));
    return 4;
}

static double next_breakpoint(void *problem, double t)
{
    CU_ASSERT(arrived(problem));
    return t + 1;
}

static void hold_left(void *problem, double t)
{
    CU_ASSERT(arrived(problem) && t == 2);
}

static enum kn_status accept(void *problem, double t, const double *x, int order, enum dae_accepted how)
{
    CU_ASSERT(arrived(problem) && t == 2 && *x == 3 && order == 4 && how == DAE_RESTART);
    return KN_ERROR_MEMORY;
}

static enum kn_status arrive(void *problem, double t, const double *x)
{
    CU_ASSERT(arrived(problem) && t == 2 && *x == 3);
    return KN_ERROR_CIRCUIT;
}

static void switches(void *problem, double t, const double *x, double *g)
{
    CU_ASSERT(arrived(problem) && t == 2 && *x == 3);
    *g = 7;
}

static void hold(void *problem, int i, int side)
{
    CU_ASSERT(arrived(problem) && i == 5 && side == -1);
}

static bool may_be_left(void *problem, int i)
{
    CU_ASSERT(arrived(problem) && i == 5);
    return true;
}

static enum dae_rest at_zero(void *problem, int i)
{
    CU_ASSERT(arrived(problem) && i == 5);
    return DAE_REST_TURNS;
}

static const char *unknown_name(void *problem, int i)
{
    CU_ASSERT(arrived(problem) && i == 5);
    return "name";
}

static void describe(void *problem, int i, char *buffer, size_t size)
{
    CU_ASSERT(arrived(problem) && i == 5);
    snprintf(buffer, size, "described");
}

static void every_function_reaches_the_inner_problem(void)
{
    const struct dae inner = {.n = 1,
                              .switch_count = 6,
                              .problem = &innermost,
                              .eval = eval,
                              .begin_newton = begin_newton,
                              .step_now = step_now,
                              .next_breakpoint = next_breakpoint,
                              .hold_left = hold_left,
                              .accept = accept,
                              .arrive = arrive,
                              .switches = switches,
                              .hold = hold,
                              .may_be_left = may_be_left,
                              .at_zero = at_zero,
                              .unknown_name = unknown_name,
                              .describe = describe,
                              .describe_switch = describe};
    struct outer o = {.inner = &inner};
    struct dae out;
    struct dae_values values = {.limited = false};
    const double x = 3;
    double g = 0;
    char text[20];
    dae_forward(&inner, &o, &out);
    CU_ASSERT(out.problem == &o && out.n == 1 && out.switch_count == 6);
    CU_ASSERT(out.eval(&o, 2, &x, DAE_F, &values) == KN_ERROR_CONVERGENCE && values.limited);
    out.begin_newton(&o, &x);
    CU_ASSERT(out.step_now(&o) == 4);
    CU_ASSERT(out.next_breakpoint(&o, 2) == 3);
    out.hold_left(&o, 2);
    CU_ASSERT(out.accept(&o, 2, &x, 4, true) == KN_ERROR_MEMORY);
    CU_ASSERT(out.arrive(&o, 2, &x) == KN_ERROR_CIRCUIT);
    out.switches(&o, 2, &x, &g);
    CU_ASSERT(g == 7);
    out.hold(&o, 5, -1);
    CU_ASSERT(out.may_be_left(&o, 5));
    CU_ASSERT_EQUAL(out.at_zero(&o, 5), DAE_REST_TURNS);
    CU_ASSERT_STRING_EQUAL(out.unknown_name(&o, 5), "name");
    out.describe(&o, 5, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "described");
    out.describe_switch(&o, 5, text, sizeof text);
    CU_ASSERT_EQUAL(calls, 14);
}

static void what_the_inner_problem_lacks_stays_away(void)
{
    const struct dae inner = {.n = 1};
    struct outer o = {.inner = &inner};
    struct dae out;
    dae_forward(&inner, &o, &out);
    CU_ASSERT(!out.eval && !out.begin_newton && !out.step_now && !out.next_breakpoint && !out.hold_left && !out.accept && !out.arrive);
    CU_ASSERT(!out.switches && !out.hold && !out.may_be_left && !out.at_zero);
    CU_ASSERT(!out.unknown_name && !out.describe && !out.describe_switch);
}

/* ---- a member added to struct dae is data, listed here, or forwarded ---- */

struct span {
    size_t start, size;
};

#define DATA(member)                                                                                                   \
    {                                                                                                                  \
        offsetof(struct dae, member), sizeof(((struct dae *)NULL)->member)                                             \
    }

static const struct span data[] = {
    DATA(n),
    DATA(pattern),
    DATA(linear),
    DATA(no_time_derivatives),
    DATA(largest_step),
    DATA(absolute),
    DATA(remembered),
    DATA(classes),
    DATA(equation_absolute),
    DATA(potentials),
    DATA(beside),
    DATA(readings),
    DATA(reading_count),
    DATA(inner),
    DATA(inner_count),
    DATA(waves),
    DATA(wave_count),
    DATA(laws),
    DATA(law_count),
    DATA(switch_count),
    DATA(switches_equations_only),
};

/* Words that may stay as they are: those with a byte of data in them. */
static bool holds_data(size_t word)
{
    for (size_t k = 0; k < sizeof data / sizeof *data; k++)
        if (data[k].start < word + sizeof(void *) && word < data[k].start + data[k].size)
            return true;
    return false;
}

static void no_function_is_forgotten(void)
{
    struct dae inner, out;
    struct outer o = {.inner = &inner};
    memset(&inner, 0x11, sizeof inner); /* never called */
    inner.linear = inner.no_time_derivatives = inner.switches_equations_only = true;
    dae_forward(&inner, &o, &out);
    for (size_t word = 0; word + sizeof(void *) <= sizeof inner; word += sizeof(void *)) {
        const bool same = memcmp((const char *)&inner + word, (const char *)&out + word, sizeof(void *)) == 0;
        if (same && !holds_data(word))
            fprintf(stderr, "\nthe member of struct dae at byte %zu is neither data nor forwarded\n", word);
        CU_ASSERT(!same || holds_data(word));
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(every_function_reaches_the_inner_problem),
        CLAIM(what_the_inner_problem_lacks_stays_away),
        CLAIM(no_function_is_forgotten),
    };
    return run_claims("a dae around another", claims, sizeof claims / sizeof claims[0]);
}
