/* test_measure_sensitivity.c - .sens tran against closed forms and against differences of runs with other values. */
#include "claims.h"
#include "knoten.h"
#include "linear_circuit.h"
#include "run_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RESULTS = 20, MOST_VALUES = 200 };

/* What a deck gives: results of .measure, and the tables of .sens tran that are not per percent. */
struct given {
    enum kn_status status;
    char names[MOST_RESULTS][20], error[300];
    double results[MOST_RESULTS];
    size_t count;
    char of[MOST_RESULTS][20], values[MOST_RESULTS][MOST_VALUES][24];
    double sensitivities[MOST_RESULTS][MOST_VALUES];
    size_t columns[MOST_RESULTS], tables;
    bool reads; /* the table at hand */
};

static enum kn_status begin(void *context, const struct kn_table *table)
{
    static const char head[] = "Sensitivity Analysis of ";
    struct given *g = context;
    g->reads = strncmp(table->plot, head, strlen(head)) == 0 && !strstr(table->plot, "percent");
    if (!g->reads)
        return KN_OK;
    CU_ASSERT_FATAL(g->tables < MOST_RESULTS && table->column_count <= MOST_VALUES);
    snprintf(g->of[g->tables], sizeof g->of[0], "%s", table->plot + strlen(head));
    for (size_t i = 0; i < table->column_count; i++)
        snprintf(g->values[g->tables][i], sizeof g->values[0][0], "%s", table->columns[i].name);
    g->columns[g->tables] = table->column_count;
    return KN_OK;
}

static enum kn_status take_row(void *context, const double *values)
{
    struct given *g = context;
    if (g->reads)
        memcpy(g->sensitivities[g->tables], values, g->columns[g->tables] * sizeof *values);
    return KN_OK;
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    struct given *g = context;
    g->tables += g->reads;
    return outcome;
}

static void take_result(void *context, const struct kn_measurement *m)
{
    struct given *g = context;
    CU_ASSERT_FATAL(g->count < MOST_RESULTS);
    snprintf(g->names[g->count], sizeof g->names[0], "%s", m->name);
    g->results[g->count++] = m->value;
}

/* The caller frees it. */
static struct given *run(const char *deck, double reltol)
{
    struct given *g = calloc(1, sizeof *g);
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct kn_sink sink = {g, begin, take_row, end};
    const struct kn_options options = {.reltol = reltol, .context = g, .measured = take_result};
    CU_ASSERT_FATAL(g && d);
    g->status = run_text(deck, &options, d, &sink, NULL);
    for (size_t i = 0; i < kn_diagnostics_count(d); i++)
        if (kn_diagnostics_get(d, i)->severity == KN_ERROR)
            snprintf(g->error, sizeof g->error, "%s", kn_diagnostics_get(d, i)->text);
    kn_diagnostics_free(d);
    return g;
}

/* dm/dp; NaN: it is in no table. */
static double sensitivity(const struct given *g, const char *result, const char *value)
{
    for (size_t t = 0; t < g->tables; t++)
        for (size_t i = 0; i < g->columns[t] && strcmp(g->of[t], result) == 0; i++)
            if (strcmp(g->values[t][i], value) == 0)
                return g->sensitivities[t][i];
    return NAN;
}

/* ---- closed forms ---- */

static const char step_response[] = "rc\nV1 in 0 PULSE(0 5 0 1p 1p 1 2)\nR1 in out 1k\nC1 out 0 1u\n.tran 10u 3m\n"
                                    ".measure tran vat find v(out) at=1m\n.measure tran tw when v(out)=2.5\n"
                                    ".measure tran av avg v(out) from=0 to=2m\n"
                                    ".measure tran it integ v(out) from=0 to=2m\n"
                                    ".measure tran rr rms v(out) from=0 to=2m\n.measure tran mx max v(out)\n"
                                    ".measure tran dl trig v(out) val=1 rise=1 targ v(out) val=3 rise=1\n"
                                    ".measure tran sl deriv v(out) at=0.5m\n.measure tran pr param='vat*tw'\n"
                                    ".measure tran half avg v(out) from=0 to={tw}\n"
                                    ".sens tran vat tw av it rr mx dl sl pr half\n.end\n";

/* v = 5 (1 - e^(-t/RC)); everything depends on R as a thousandth of a millionth of it on C: RC. */
static double mean_of(double time, double rc)
{
    return 5 * (1 - rc / time * (1 - exp(-time / rc)));
}

static double square_of(double time, double rc)
{
    return sqrt(25 / time * (time - 2 * rc * (1 - exp(-time / rc)) + rc / 2 * (1 - exp(-2 * time / rc))));
}

static void a_step_response_has_its_closed_derivatives(void)
{
    const double e = exp(-1), h = 1e-6; /* of the time constant of 1 ms, by differences of closed forms */
    struct given *g = run(step_response, 1e-5);
    CU_ASSERT_EQUAL_FATAL(g->status, KN_OK);
    const double find = -5 * e, when = log(2);
    const struct {
        const char *name;
        double expected; /* R d/dR = RC d/dRC, in ms and V */
    } all[] = {
        {"vat", find},
        {"tw", 1e-3 * when},
        {"av", (mean_of(2, 1 + h) - mean_of(2, 1 - h)) / (2 * h)},
        {"it", 2e-3 * (mean_of(2, 1 + h) - mean_of(2, 1 - h)) / (2 * h)},
        {"rr", (square_of(2, 1 + h) - square_of(2, 1 - h)) / (2 * h)},
        {"mx", -5 * 3 * exp(-3)},
        {"dl", 1e-3 * log(2)},
        {"sl", 5e3 * (0.5 - 1) * exp(-0.5)},
        {"pr", find * 1e-3 * when + 5 * (1 - e) * 1e-3 * when},
        {"half", 0}, /* to the half of the height: the same for any RC */
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        CHECK_NEAR(sensitivity(g, all[i].name, "r1") * 1e3, all[i].expected, 1e-5 * fabs(all[i].expected) + 1e-6);
        CHECK_NEAR(sensitivity(g, all[i].name, "c1") * 1e-6, all[i].expected, 1e-5 * fabs(all[i].expected) + 1e-6);
    }
    free(g);
}

/* The start is the operating point, which moves with R2; ic= and uic keep it. */
static void the_start_counts_as_far_as_it_moves(void)
{
    static const char form[] = "start\nV1 in 0 DC 5 PWL(0 5 1n 0)\nR1 in out 1k\nR2 out 0 1k\nC1 out 0 1u%s\n"
                               ".tran 10u 1m%s\n.measure tran v find v(out) at=1m\n.sens tran v\n.end\n";
    char deck[400];
    snprintf(deck, sizeof deck, form, "", "");
    struct given *op = run(deck, 1e-5);
    snprintf(deck, sizeof deck, form, " ic=2.5", " uic");
    struct given *uic = run(deck, 1e-5);
    CU_ASSERT_EQUAL_FATAL(op->status, KN_OK);
    CU_ASSERT_EQUAL_FATAL(uic->status, KN_OK);
    /* v = v0 e^(-t G/C), G = 1/R1 + 1/R2 = 2 mS; v0 = 5 R2/(R1 + R2) = 2.5, dv0/dR2 = 1.25 mV/ohm; dG/dR2 = -1 uS/ohm */
    const double decay = exp(-2);
    CHECK_NEAR(sensitivity(uic, "v", "r2"), 2.5 * decay * 1e-3, 1e-8);
    CHECK_NEAR(sensitivity(op, "v", "r2"), 2.5 * decay * 1e-3 + 1.25e-3 * decay, 1e-8);
    free(op);
    free(uic);
}

/* C1 between R1 and a conductance of -2 mS: v = 1 mV e^(t (2 mS - 1/R1)/C1), set off from 0; so C1 dv/dC1 = -5 v and R1 dv/dR1 = 5 v
 * after 5 us, and as much of the mean, (e^5 - 1)/5 mV, as its exponent moves it. */
static void a_start_beside_an_unstable_point_is_that_of_the_run(void)
{
    struct given *g = run("unstable\nV1 in 0 DC 0\nR1 a in 1k\nG1 a 0 a 0 -2m\nC1 a 0 1n\n.tran 50n 6u\n"
                          ".measure tran v find v(a) at=5u\n.measure tran m avg v(a) from=0 to=5u\n"
                          ".sens tran v m\n.end\n",
                          1e-5);
    CU_ASSERT_EQUAL_FATAL(g->status, KN_OK);
    const double v = 1e-3 * exp(5), mean = v - 1e-3 * (exp(5) - 1) / 5; /* x d/dx of (e^x - 1)/x at 5 */
    CHECK_NEAR(sensitivity(g, "v", "c1") * 1e-9, -5 * v, 1e-4 * v);
    CHECK_NEAR(sensitivity(g, "v", "r1") * 1e3, 5 * v, 1e-4 * v);
    CHECK_NEAR(sensitivity(g, "m", "c1") * 1e-9, -mean, 1e-4 * mean);
    free(g);
}

/* A step of 1 V at time 0 that C1 and C2 divide: v = C1/(C1 + C2) e^(-t/(R (C1 + C2))). */
static void a_jump_at_the_start_is_divided_by_the_capacitors(void)
{
    struct given *g = run("divider\nV1 in 0 DC 1\nC1 in a 1n\nC2 a 0 3n\nR1 a 0 1k\n.tran 1n 1u uic\n"
                          ".measure tran m find v(a) at=0.5u\n.sens tran m\n.end\n",
                          1e-5);
    const double c1 = 1e-9, c2 = 3e-9, sum = c1 + c2, times = 0.5e-6 / (1e3 * sum), m = c1 / sum * exp(-times);
    CU_ASSERT_EQUAL_FATAL(g->status, KN_OK);
    CHECK_NEAR(sensitivity(g, "m", "c1") / 1e9, m * (c2 / (c1 * sum) + times / sum) / 1e9, 1e-6);
    CHECK_NEAR(sensitivity(g, "m", "c2") / 1e9, m * (-1 / sum + times / sum) / 1e9, 1e-6);
    CHECK_NEAR(sensitivity(g, "m", "r1") / 1e-3, m * times / 1e3 / 1e-3, 1e-6);
    CHECK_NEAR(sensitivity(g, "m", "v1"), m, 1e-6);
    free(g);
}

/* C1 keeps its 2 V of 5 V, and C2 is left the rest whatever they are: v = 3 e^(-t/(R (C1 + C2))). */
static void what_ic_holds_stays_where_the_capacitors_change(void)
{
    struct given *g = run("given\nV1 in 0 DC 5\nC1 in a 1n ic=2\nC2 a 0 3n\nR1 a 0 1k\n.tran 1n 10u uic\n"
                          ".measure tran m find v(a) at=2u\n.sens tran m\n.end\n",
                          1e-5);
    const double sum = 4e-9, times = 2e-6 / (1e3 * sum), m = 3 * exp(-times);
    CU_ASSERT_EQUAL_FATAL(g->status, KN_OK);
    CHECK_NEAR(sensitivity(g, "m", "c1") / 1e9, m * times / sum / 1e9, 1e-6);
    CHECK_NEAR(sensitivity(g, "m", "c2") / 1e9, m * times / sum / 1e9, 1e-6);
    CHECK_NEAR(sensitivity(g, "m", "v1"), exp(-times), 1e-6);
    free(g);
}

static bool count_evaluation(void *context)
{
    ++*(long *)context;
    return false;
}

static long evaluations(const char *deck)
{
    long count = 0;
    struct given *g = calloc(1, sizeof *g);
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct kn_sink sink = {g, begin, take_row, end};
    const struct kn_options options = {.reltol = 1e-4, .context = &count, .interrupted = count_evaluation};
    CU_ASSERT_FATAL(g && d);
    CU_ASSERT_EQUAL(run_text(deck, &options, d, &sink, NULL), KN_OK);
    kn_diagnostics_free(d);
    free(g);
    return count;
}

/* A start takes two steps of three lengths, each of an evaluation or more: were it found again for each of the values, of which a
 * transistor has dozens, there would be hundreds. */
static void starts_with_other_values_take_no_evaluations(void)
{
#define DECK                                                                                                           \
    "x\nV1 in 0 DC 5\nC1 in a 1n ic=2\nC2 a 0 3n\nR1 a 0 1k\n%s.model qn npn(is=1e-15 bf=80 cje=20p cjc=10p tf=1n)\n"  \
    ".model dm d(is=1e-15 cjo=9p)\n.tran 1n 2u uic\n.measure tran m find v(a) at=1u\n.sens tran m\n.end\n"
    char few[500], many[500];
    snprintf(few, sizeof few, DECK, "D1 0 a dm\n");
    snprintf(many, sizeof many, DECK, "D1 0 a dm\nQ1 in 0 0 qn\n");
    const long less = evaluations(few), more = evaluations(many);
    if (more > less + 100)
        fprintf(stderr, "\n%ld evaluations, %ld with a transistor that rests\n", less, more);
    CU_ASSERT(less > 0 && more <= less + 100);
#undef DECK
}

/* C1 given 2 V of 5 V: v = (5 - ic) e^(-t/(R (C1 + C2))), as ic says whatever C2 is. */
static void what_ic_says_moves_with_its_number(void)
{
    struct given *g = run("given\nV1 in 0 DC 5\nC1 in a 1n ic=2\nC2 a 0 3n\nR1 a 0 1k\n.tran 1n 10u uic\n"
                          ".measure tran m find v(a) at=2u\n.sens tran m\n.end\n",
                          1e-5);
    CU_ASSERT_EQUAL_FATAL(g->status, KN_OK);
    CHECK_NEAR(sensitivity(g, "m", "c1:ic"), -exp(-0.5), 1e-6);
    free(g);
}

/* ---- random circuits ---- */

struct random_deck {
    char names[12][16]; /* "r2" */
    double values[12];
    int count;
    bool diode, transistor, mosfet, pulse;
};

static struct random_deck random_values(uint64_t *state)
{
    struct random_deck r = {.count = 0};
    for (int i = 2; i <= 4; i++) {
        snprintf(r.names[r.count], sizeof r.names[0], "r%d", i);
        r.values[r.count++] = linear_value(state, 100, 3e3);
        snprintf(r.names[r.count], sizeof r.names[0], "c%d", i);
        r.values[r.count++] = linear_value(state, 1e-8, 1e-7);
    }
    snprintf(r.names[r.count], sizeof r.names[0], "l1");
    r.values[r.count++] = linear_value(state, 1e-3, 1e-2);
    r.pulse = linear_chance(state) < 0.5;
    r.diode = linear_chance(state) < 0.6;
    r.transistor = linear_chance(state) < 0.6;
    r.mosfet = linear_chance(state) < 0.4;
    return r;
}

/* wanted: results whose sensitivities are asked for; NULL: none. */
static char *deck_of(const struct random_deck *r, const struct given *wanted)
{
    const double *v = r->values;
    char *deck = NULL;
    size_t length;
    FILE *to = open_memstream(&deck, &length);
    CU_ASSERT_FATAL(to != NULL);
    fprintf(to, "random\nV1 n1 0 %s\n", r->pulse ? "DC 0 PULSE(0 2 10u 50u 50u 300u 1m)" : "DC 0.5 SIN(0.5 1 1k)");
    fprintf(to, "R2 n2 n1 %.17g\nC2 n2 0 %.17g\nR3 n3 n2 %.17g\nC3 n3 0 %.17g\nR4 n4 n3 %.17g\nC4 n4 0 %.17g\n", v[0],
            v[1], v[2], v[3], v[4], v[5]);
    fprintf(to, "L1 n3 n5 %.17g\nR5 n5 0 330\n", v[6]);
    fprintf(to, "%s%s%s", r->diode ? "D1 n4 0 dm\n" : "", r->transistor ? "Q1 n4 n3 0 qm\n" : "",
            r->mosfet ? "M1 n2 n4 0 0 mm w=10u l=1u\n" : "");
    fprintf(to,
            ".model dm d(is=1e-12 cjo=100p tt=1u n=1.5)\n.model qm npn(is=1e-15 bf=80 cje=20p cjc=10p tf=1n rb=20)\n"
            ".model mm nmos(vto=0.3 kp=100u cgso=1n lambda=0.02)\n.tran 1u 1.2m\n"
            ".measure tran a find v(n4) at=0.9m\n.measure tran b avg v(n3) from=0.1m to=1m\n"
            ".measure tran c rms v(n2) from=0.1m to=1m\n.measure tran d max v(n4)\n"
            ".measure tran e when v(n2)=0.55 rise=1\n.measure tran f integ i(v1)\n"
            ".measure tran g find v(n3)*v(n4) when v(n2)=0.55 rise=1\n.measure tran h param='a*b+e*1000'\n"
            ".measure tran k pp v(n3)\n.measure tran m avg v(n2)*v(n3) from=0 to={e*2}\n");
    fprintf(to, "%s", wanted ? ".sens tran" : "");
    for (size_t i = 0; wanted && i < wanted->count; i++)
        if (!isnan(wanted->results[i])) /* there is such a crossing */
            fprintf(to, " %s", wanted->names[i]);
    fprintf(to, "\n.end\n");
    fclose(to);
    return deck;
}

static struct given *run_random(const struct random_deck *r, const struct given *wanted, double reltol)
{
    char *deck = deck_of(r, wanted);
    struct given *g = run(deck, reltol);
    if (g->status != KN_OK)
        fprintf(stderr, "\n%s\nof\n%s", g->error, deck);
    CU_ASSERT_EQUAL_FATAL(g->status, KN_OK);
    free(deck);
    return g;
}

static void adjoints_of_random_circuits_are_differences_of_runs(void)
{
    enum { CIRCUITS = 8 };
    uint64_t state = 20261122;
    if (getenv("KNOTEN_SEED"))
        state = strtoull(getenv("KNOTEN_SEED"), NULL, 10);
    for (int trial = 0; trial < CIRCUITS; trial++) {
        const uint64_t seed = state;
        const struct random_deck r = random_values(&state);
        struct given *there = run_random(&r, NULL, 1e-4), *all = run_random(&r, there, 1e-5), *beside[2];
        for (int p = 0; p < r.count; p++) {
            const double h = 1e-3;
            for (int k = 0; k < 2; k++) {
                struct random_deck other = r;
                other.values[p] *= k ? 1 + h : 1 - h;
                beside[k] = run_random(&other, NULL, 1e-9);
            }
            for (size_t m = 0; m < all->count; m++) {
                const double difference = (beside[1]->results[m] - beside[0]->results[m]) / (2 * h);
                const double adjoint = sensitivity(all, all->names[m], r.names[p]) * r.values[p];
                const bool is_voltage = !strchr("ef", all->names[m][0]); /* a point and a charge are smaller */
                const double size = fabs(difference) + 0.01 * fabs(all->results[m]) + (is_voltage ? 1e-7 : 0);
                if (isnan(difference) || isnan(all->results[m]))
                    continue;
                if (!(fabs(difference - adjoint) <= 2e-3 * size))
                    fprintf(stderr, "\nseed %llu: %s of %s is %g by differences, %g by the adjoint; %g\n",
                            (unsigned long long)seed, all->names[m], r.names[p], difference, adjoint, all->results[m]);
                CHECK_NEAR(difference / size, adjoint / size, 2e-3);
            }
            free(beside[0]);
            free(beside[1]);
        }
        free(all);
        free(there);
    }
}

/* ---- what cannot be done ---- */

static void fails_saying(const char *deck, const char *words)
{
    struct given *g = run(deck, 0);
    CU_ASSERT(g->status != KN_OK);
    CU_ASSERT(strstr(g->error, words) != NULL);
    if (!strstr(g->error, words))
        fprintf(stderr, "\n'%s' instead of '%s'\n", g->error, words);
    free(g);
}

static void what_has_no_derivative_is_refused_with_the_reason(void)
{
#define RC "V1 in 0 SIN(0 1 1k)\nR1 in out 1k\nC1 out 0 1u\n"
    fails_saying("x\n" RC ".tran 1u 1m\n.measure tran a max v(out)\n.sens tran b\n.end\n", "is called 'b'");
    fails_saying("x\n" RC ".tran 1u 1m\n.measure tran a max v(out)\n.sens tran\n.end\n", "the name of a result");
    fails_saying("x\n" RC ".measure tran a max v(out)\n.sens tran a\n.end\n", "there is no .tran");
    fails_saying("x\n" RC ".tran 1u 1m\n.measure tran a avg i(r1)\n.sens tran a\n.end\n", "no unknown");
    fails_saying("x\n" RC ".tran 1u 1m\n.measure tran a max_at v(out)\n.sens tran a\n.end\n", "no derivative here");
    fails_saying("x\n" RC ".tran 1u 1m\n.measure tran a when v(out)=7\n.sens tran a\n.end\n", "was not found");
    fails_saying("x\n" RC
                 "T1 out 0 b 0 z0=50 td=1u\nR2 b 0 50\n.tran 1u 1m\n.measure tran a max v(out)\n.sens tran a\n.end\n",
                 "lines remember");
    fails_saying("x\n" RC "S1 out 0 in 0 sw\n.model sw sw(vt=0.5 vh=0.1)\n.tran 1u 1m\n.measure tran a max v(out)\n"
                 ".sens tran a\n.end\n",
                 "switches");
#undef RC
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(a_step_response_has_its_closed_derivatives),
        CLAIM(the_start_counts_as_far_as_it_moves),
        CLAIM(a_start_beside_an_unstable_point_is_that_of_the_run),
        CLAIM(a_jump_at_the_start_is_divided_by_the_capacitors),
        CLAIM(what_ic_holds_stays_where_the_capacitors_change),
        CLAIM(what_ic_says_moves_with_its_number),
        CLAIM(starts_with_other_values_take_no_evaluations),
        CLAIM(adjoints_of_random_circuits_are_differences_of_runs),
        CLAIM(what_has_no_derivative_is_refused_with_the_reason),
    };
    return run_claims("measure_sensitivity", claims, sizeof claims / sizeof *claims);
}
