/* test_rest.c - devices at rest give what awake ones give. */
#include "deck.h"
#include "devices/batch.h"
#include "mna/system.h"

#include <stdint.h>

static uint64_t first_seed = 20261122;
static int rounds = 400;

/* xorshift64* */
static double uniform(uint64_t *state, double low, double high)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return low + (high - low) * (double)((*state * UINT64_C(2685821657736338717)) >> 11) / 9007199254740992.0;
}

/* Inverters, bipolar stages (SPICE and VBIC), transistors on insulator and diodes between nodes 1 .. 8, some with resistances inside. */
static void random_devices(uint64_t *seed, const char *vntol, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "devices\n.options vntol=%s\nV1 1 0 5\n", vntol);
    for (int i = 0; i < 30; i++) {
        int node[3];
        for (int k = 0; k < 3; k++)
            node[k] = (int)uniform(seed, 0, 8.999);
        const char *const cards[] = {"D%d %d %d d1\n*%d\n",
                                     "D%d %d %d d2\n*%d\n",
                                     "Q%d %d %d %d q1\n",
                                     "Q%d %d %d %d q2\n",
                                     "M%d %d %d %d 0 m1\n",
                                     "M%d %d %d %d 0 m2\n",
                                     "Q%d %d %d %d q3\n",
                                     "M%d %d %d %d 0 m3 l=0.3u w=3u\n",
                                     "M%d %d %d %d 0 m4 l=0.1u w=2u as=1p ad=1p ps=3u pd=3u\n"};
        used += (size_t)snprintf(text + used, size - used, cards[(int)uniform(seed, 0, 8.999)], i, node[0], node[1],
                                 node[2]);
    }
    for (int i = 1; i <= 8; i++)
        used += (size_t)snprintf(text + used, size - used, "R%d %d 0 1k\nC%d %d 0 1p\n", i, i, i, i);
    snprintf(text + used, size - used,
             ".model d1 d(is=1e-14 cjo=2p tt=1n)\n.model d2 d(is=1e-12 rs=5 bv=6)\n"
             ".model q1 npn(bf=80 cje=1p cjc=1p tf=0.2n vaf=50)\n.model q2 pnp(rb=100 rbm=10 irb=1m cjs=1p)\n"
             ".model m1 nmos(vto=0.6 kp=1e-4 gamma=0.4 tox=20n cbd=10f)\n.model m2 pmos(vto=-0.7 rd=10 "
             "lambda=0.02)\n.model q3 npn(level=4 is=1e-16 ibei=1e-18 iben=1e-17 nen=2 cje=0.3p cjc=0.2p tf=12p rcx=20 "
             "rci=30 rbx=50 rbi=80 re=5 rth=100 cth=1n)\n"
             ".model m4 nmos(level=14 version=4.5 toxe=2n rgatemod=1 rshg=0.4 rbodymod=1)\n.model m3 nmos(level=10 "
             "tox=5n tsi=80n tbox=100n "
             "nch=2e17)\n.end\n");
}

struct values {
    double *f, *q, *G, *C;
};

static struct values values_new(const struct mna *m)
{
    const size_t n = (size_t)mna_unknown_count(m);
    return (struct values){calloc(n, sizeof(double)), calloc(n, sizeof(double)), sparse_values(m->pattern),
                           sparse_values(m->pattern)};
}

static void values_free(struct values *v)
{
    free(v->f);
    free(v->q);
    free(v->G);
    free(v->C);
}

static void evaluate(struct mna *m, double t, const double *x, const struct values *v)
{
    struct dae_values out = {.f = v->f, .q = v->q, .G = v->G, .C = v->C};
    CU_ASSERT_EQUAL(m->dae.eval(m->dae.problem, t, x, DAE_F | DAE_Q | DAE_G | DAE_C, &out), KN_OK);
}

/* At thresholds square laws begin, whose parts of themselves are no measure: Kp/2 (2 uV)^2 is 3e-9 of this current. */
static const double SMALL_CURRENT = 1e-7 /* A */, SMALL_CHARGE = 1e-15 /* C */, SMALL_SLOPE = 1e-6 /* S */;

/* Largest part by which the derivatives and what follows from them differ, of the sums of sizes in a row. */
static double difference(const struct mna *m, const double *x, const struct values *a, const struct values *b,
                         double *slope)
{
    const struct sparse_pattern *p = m->pattern;
    double worst = 0;
    *slope = 0;
    for (int i = 0; i < p->n; i++) {
        double size_f = fabs(b->f[i]), size_q = fabs(b->q[i]), size_g = 0, off = 0;
        for (int j = 0; j < p->n; j++) {
            const int k = sparse_pattern_find(p, i, j);
            if (k < 0)
                continue;
            size_f += fabs(b->G[k] * x[j]);
            size_q += fabs(b->C[k] * x[j]);
            size_g += fabs(b->G[k]);
            off += fabs(a->G[k] - b->G[k]);
        }
        worst = fmax(worst, fabs(a->f[i] - b->f[i]) / (size_f + SMALL_CURRENT));
        worst = fmax(worst, fabs(a->q[i] - b->q[i]) / (size_q + SMALL_CHARGE));
        *slope = fmax(*slope, off / (size_g + SMALL_SLOPE));
    }
    return worst;
}

/* Some nodes creep, some move (not so far that saturated transistors carry kiloamperes that cancel); both are evaluated, one of them with devices at rest. */
static void walk(uint64_t seed, struct deck *resting, struct deck *awake)
{
    struct mna *m = resting->mna;
    struct values a = values_new(m), b = values_new(awake->mna);
    double *x = resting->x, slope;
    size_t most = 0;
    uint64_t state = seed;
    for (int round = 1; round <= rounds; round++) {
        for (int i = 0; i < m->dae.n; i++)
            x[i] = uniform(&state, 0, 1) < 0.05 ? uniform(&state, -0.35, 0.35) : x[i] + uniform(&state, -1, 1) * 5e-8;
        for (int again = 0; again < 3; again++) {
            evaluate(m, round, x, &a);
            evaluate(awake->mna, round, x, &b);
            CHECK_NEAR(difference(m, x, &a, &b, &slope), 0, 3e-9); /* (2 near / Vt)^2 / 2, near = 1 uV */
            CHECK_NEAR(slope, 0, 8e-5);                            /* 2 near / Vt */
        }
        CU_ASSERT_EQUAL(m->dae.accept(m->dae.problem, round, x, 1, false), KN_OK);
        most = m->rest.count > most ? m->rest.count : most;
    }
    CU_ASSERT(most >= 10);
    CU_ASSERT_EQUAL(awake->mna->rest.count, 0);
    evaluate(m, 0, x, &a); /* an operating point: all wake, and near is a nanovolt */
    evaluate(awake->mna, 0, x, &b);
    CU_ASSERT_EQUAL(m->rest.count, 0);
    CHECK_NEAR(difference(m, x, &a, &b, &slope), 0, 1e-13);
    values_free(&a);
    values_free(&b);
}

static void devices_at_rest_give_what_awake_ones_give(void)
{
    static char text[8000];
    for (uint64_t seed = first_seed; seed < first_seed + 6; seed++) {
        struct deck resting, awake;
        uint64_t state = seed;
        random_devices(&state, "1u", text, sizeof text);
        const bool opened = deck_open(&resting, text);
        state = seed;
        random_devices(&state, "1n", text, sizeof text);
        if (!opened || !deck_open(&awake, text))
            return;
        const unsigned before = CU_get_number_of_failures();
        walk(seed, &resting, &awake);
        if (CU_get_number_of_failures() > before)
            fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
        deck_close(&resting);
        deck_close(&awake);
    }
}

/* The last that was evaluated before a step is accepted may be a row inside it, 10 mV away. */
static void devices_calm_at_a_row_do_not_rest_at_the_end_of_the_step(void)
{
    struct deck s;
    if (!deck_open(&s, "row\nV1 1 0 5\nR1 1 2 1k\nD1 2 0 d\nC1 2 0 1p\n.model d d(is=1e-14 cjo=1p tt=1n)\n.end\n"))
        return;
    struct values v = values_new(s.mna), right = values_new(s.mna);
    double slope, *junction = &s.x[deck_unknown(&s, "v(2)")];
    *junction = 0.6;
    evaluate(s.mna, 1, s.x, &right);
    *junction = 0.59;
    for (int i = 0; i < BATCH_CALM + 2; i++)
        evaluate(s.mna, 0.9, s.x, &v);
    *junction = 0.6;
    CU_ASSERT_EQUAL(s.mna->dae.accept(s.mna->dae.problem, 1, s.x, 1, false), KN_OK);
    evaluate(s.mna, 1, s.x, &v);
    CHECK_NEAR(difference(s.mna, s.x, &v, &right, &slope), 0, 1e-13);
    for (int i = 0; i < BATCH_CALM + 2; i++)
        evaluate(s.mna, 1, s.x, &v);
    CU_ASSERT_EQUAL(s.mna->dae.accept(s.mna->dae.problem, 1, s.x, 1, false), KN_OK);
    CU_ASSERT_EQUAL(s.mna->rest.count, 1);
    values_free(&v);
    values_free(&right);
    deck_close(&s);
}

/* Nodes that are not known to be sane: a point of an iteration may be anything. */
static void nothing_rests_before_a_step_is_accepted(void)
{
    struct deck s;
    if (!deck_open(&s, "wild\nV1 1 0 5\nR1 1 2 1k\nD1 2 0 d\n.model d d(is=1e-14 cjo=1p)\n.end\n"))
        return;
    struct values v = values_new(s.mna);
    s.x[1] = 1e22;
    for (int i = 0; i < BATCH_CALM + 2; i++)
        evaluate(s.mna, 1, s.x, &v);
    CU_ASSERT_EQUAL(s.mna->rest.count, 0);
    values_free(&v);
    deck_close(&s);
}

int main(void)
{
    random_arguments(&first_seed, &rounds);
    static const struct claim claims[] = {CLAIM(devices_at_rest_give_what_awake_ones_give),
                                          CLAIM(devices_calm_at_a_row_do_not_rest_at_the_end_of_the_step),
                                          CLAIM(nothing_rests_before_a_step_is_accepted)};
    return run_claims("rest", claims, sizeof claims / sizeof *claims);
}
