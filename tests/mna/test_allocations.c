/* No method allocates inside a step or while it interpolates.
 *
 * The linker redirects malloc, calloc and realloc of this program to the functions below (-Wl,--wrap); KLU, a shared
 * library, allocates through pointers of SuiteSparse_config, which are redirected, too.  Solving and refactoring with
 * kept pivots need no memory.  A factorisation with new pivots does: KLU makes its factors anew, because their pattern
 * has changed.  That is all that a step may ask for, and the statistics count each of them.
 */
#include "deck.h"
#include "integrators/methods.h"

#include <SuiteSparse_config.h>

/* Names that the linker chooses. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

static struct {
    long own, klu; /* allocations so far */
} memory;

void *__wrap_malloc(size_t size)
{
    memory.own++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    memory.own++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    memory.own++;
    return __real_realloc(old, size);
}

static void *klu_allocates(size_t size)
{
    memory.klu++;
    return __real_malloc(size);
}

static void *klu_allocates_zeros(size_t count, size_t size)
{
    memory.klu++;
    return __real_calloc(count, size);
}

static void *klu_reallocates(void *old, size_t size)
{
    memory.klu++;
    return __real_realloc(old, size);
}

/* SuiteSparse 7 hides the pointers behind functions. */
static void redirect_klu(void)
{
#if SUITESPARSE_MAIN_VERSION >= 7
    SuiteSparse_config_malloc_func_set(klu_allocates);
    SuiteSparse_config_calloc_func_set(klu_allocates_zeros);
    SuiteSparse_config_realloc_func_set(klu_reallocates);
#else
    SuiteSparse_config.malloc_func = klu_allocates;
    SuiteSparse_config.calloc_func = klu_allocates_zeros;
    SuiteSparse_config.realloc_func = klu_reallocates;
#endif
}

/* ---- runs whose steps are watched ---- */

enum { SECTIONS = 1500, MOST = SECTIONS + 10 };

struct watched {
    struct integrator_class class; /* the method's, with the step below */
    const struct integrator_class *method;
    long steps, own, klu, klu_with_kept_pivots, prepared;
    long before_run, during_run; /* allocations until the first point, between first and last point */
};

static long pivotings(const struct integrator *m, const struct watched *w)
{
    struct integrator_statistics s = {0};
    w->method->statistics(m, &s);
    return s.factorizations;
}

static void watched_step(struct integrator *m, double to, struct step_report *report)
{
    struct watched *w = (struct watched *)(void *)m->class; /* `class` is its first member */
    const long own = memory.own, klu = memory.klu, before = pivotings(m, w);
    w->method->step(m, to, report);
    w->steps++;
    w->own += memory.own - own;
    w->klu += memory.klu - klu;
    if (pivotings(m, w) == before)
        w->klu_with_kept_pivots += memory.klu - klu;
}

static enum kn_status watched_prepare(struct integrator *m)
{
    struct watched *w = (struct watched *)(void *)m->class;
    const long own = memory.own;
    const enum kn_status status = w->method->prepare(m);
    w->prepared += memory.own - own;
    return status;
}

struct follower {
    struct watched *watched;
    double *x, *dxdt; /* [n] */
};

static enum kn_status interpolate(void *context, struct integrator *m, bool first)
{
    struct follower *s = context;
    const long own = memory.own, klu = memory.klu;
    if (!first)
        m->class->interpolate(m, 0.5 * (m->previous + m->t), s->x, s->dxdt);
    s->watched->own += memory.own - own;
    s->watched->klu_with_kept_pivots += memory.klu - klu;
    if (first)
        s->watched->before_run = memory.own;
    s->watched->during_run = memory.own - s->watched->before_run;
    return KN_OK;
}

/* Runs a method over a deck until `stop`; what its steps allocated. */
static struct watched watch(const char *text, const struct integrator_class *method, double relative, double stop)
{
    struct watched w = {.class = *method, .method = method};
    struct deck s;
    w.class.step = watched_step;
    w.class.prepare = method->prepare ? watched_prepare : NULL;
    if (!deck_open(&s, text))
        return w;
    const struct dae *dae = mna_dae(s.mna);
    const struct integrator_options options = {.relative = relative, .kappa = 0.05, .max_iterations = 12};
    const struct run_options run = {.stop = stop, .max_step = stop / 20};
    static double x[MOST], dxdt[MOST];
    struct follower f = {&w, x, dxdt};
    const struct run_callbacks callbacks = {.context = &f, .accepted = interpolate};
    struct integrator_statistics statistics;
    struct integrator *m = NULL;
    CU_ASSERT_FATAL(dae->n <= MOST);
    CU_ASSERT_EQUAL(deck_operate(&s, 1e-6, false), KN_OK);
    CU_ASSERT_FATAL(method->create(dae, &options, &m) == KN_OK);
    m->class = &w.class;
    const enum kn_status status = integrate(m, s.x, &run, &callbacks, s.diagnostics, &statistics);
    if (status != KN_OK) {
        printf("%s:\n", method->name);
        deck_print(&s);
    }
    CU_ASSERT_EQUAL(status, KN_OK);
    w.method->destroy(m);
    deck_close(&s);
    return w;
}

static void expect_none(const struct watched *w)
{
    printf("%s: %ld steps, %ld allocations, %ld of KLU for new pivots\n", w->method->name, w->steps, w->own, w->klu);
    CU_ASSERT(w->steps > 20);
    CU_ASSERT_EQUAL(w->own, 0);
    CU_ASSERT_EQUAL(w->klu_with_kept_pivots, 0);
    CU_ASSERT_EQUAL(w->during_run, w->prepared);
}

/* ---- decks ---- */

/* Capacitances to ground only, so that methods with explicit rows can take part; no corner, so that nothing restarts.
 */
static const char detector[] = "envelope detector\n.model dm D(is=1e-14 n=1.2)\n"
                               "V1 in 0 SIN(0 2 1k)\nR1 in a 1k\nC1 a 0 10n\nD1 a b dm\nR2 b 0 10k\nC2 b 0 100n\n"
                               ".end\n";

/* Junction and MOS charges, an inductor, a capacitor across a source (index 2), an expression. */
static const char mixed[] =
    "mixed\n.model qn NPN(bf=100 cje=1p cjc=1p tf=0.1n rb=50)\n.model mn NMOS(vto=0.7 kp=100u)\n"
    ".model dm D(is=1e-14 cjo=2p rs=1)\n"
    "Vcc vcc 0 5\nV1 in 0 SIN(0 0.2 1meg)\nC0 in 0 10p\nC1 in b 1n\nR1 vcc b 47k\nR2 b 0 10k\nQ1 c b e qn\nRc vcc c "
    "1k\n"
    "Re e 0 200\nCe e 0 1n\nM1 d c 0 0 mn W=20u L=1u\nRd vcc d 2k\nD1 d o dm\nL1 o p 10u\nRo p 0 1k\nCo p 0 50p\n"
    "B1 0 z I=1m*tanh(V(p)-V(c))\nRz z 0 1k\nCz z 0 10p\n.end\n";

/* Pulses restart the run, and so do comparisons that change their side. */
static const char restarts[] =
    "restarts\n.model dm D(is=1e-14)\nV1 in 0 PULSE(0 5 10u 5u 5u 40u 100u)\nR1 in a 1k\nC1 a 0 10n\n"
    "B1 b 0 V=V(a)>2 ? 5 : V(a)\nR2 b c 1k\nC2 c 0 5n\nD1 c d dm\nR3 d 0 10k\nC3 d 0 1n\n.end\n";

static bool needs_explicit_rows(const struct integrator_class *m)
{
    return m == &integrator_dae3ns || m == &integrator_dae33ns || m == &integrator_dae34ns;
}

/* ---- claims ---- */

static void the_counters_count(void)
{
    const long own = memory.own, klu = memory.klu;
    struct deck s;
    if (!deck_open(&s, detector))
        return;
    CU_ASSERT_EQUAL(deck_operate(&s, 1e-6, false), KN_OK);
    CU_ASSERT(memory.own > own + 10 && memory.klu > klu + 3);
    deck_close(&s);
}

static void steps_of_a_detector_allocate_nothing(void)
{
    for (size_t i = 0; integrator_classes[i]; i++) {
        const struct watched w = watch(detector, integrator_classes[i], 1e-3, 2e-3);
        expect_none(&w);
        CU_ASSERT_EQUAL(w.prepared, 0);
    }
}

static void steps_of_an_index_2_circuit_allocate_nothing(void)
{
    for (size_t i = 0; integrator_classes[i]; i++) {
        if (needs_explicit_rows(integrator_classes[i]))
            continue;
        const struct watched w = watch(mixed, integrator_classes[i], 1e-3, 2e-6);
        expect_none(&w);
    }
}

/* Neither breakpoints nor located switching points need memory between the first point and the last. */
static void restarts_allocate_nothing(void)
{
    static const struct integrator_class *const methods[] = {&integrator_bdf,         &integrator_gear,
                                                             &integrator_trapezoidal, &integrator_trbdf2,
                                                             &integrator_radau,       &integrator_auto};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        const struct watched w = watch(restarts, methods[i], 1e-3, 200e-6);
        expect_none(&w);
    }
}

/* A line of many sections, whose candidates for `auto` are made when their turns begin. */
static void candidates_of_large_circuits_come_between_steps(void)
{
    static char deck[64 * SECTIONS];
    size_t used = (size_t)snprintf(deck, sizeof deck, "line\nV1 n0 0 SIN(0 1 1k)\n");
    for (int i = 1; i <= SECTIONS; i++)
        used += (size_t)snprintf(deck + used, sizeof deck - used, "R%d n%d n%d 1\nC%d n%d 0 1u\n", i, i - 1, i, i, i);
    snprintf(deck + used, sizeof deck - used, ".end\n");
    const struct watched w = watch(deck, &integrator_auto, 1e-3, 20e-3);
    expect_none(&w);
    CU_ASSERT(w.prepared > 0);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(the_counters_count),
        CLAIM(steps_of_a_detector_allocate_nothing),
        CLAIM(steps_of_an_index_2_circuit_allocate_nothing),
        CLAIM(restarts_allocate_nothing),
        CLAIM(candidates_of_large_circuits_come_between_steps),
    };
    redirect_klu();
    return run_claims("allocations", claims, sizeof claims / sizeof claims[0]);
}
