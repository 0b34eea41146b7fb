/* Evaluations shared by threads give the same bits as those of one. */
#include "deck.h"
#include "mna/system.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

static uint64_t first_seed = 20261125;
static int rounds = 120;

/* xorshift64* */
static double uniform(uint64_t *state, double low, double high)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return low + (high - low) * (double)((*state * UINT64_C(2685821657736338717)) >> 11) / 9007199254740992.0;
}

enum { NODES = 40, DEVICES = 600, WORDS = 60000 };

static void random_devices(uint64_t *seed, char *text)
{
    int used = snprintf(text, WORDS, "devices\nV1 1 0 5\nB1 2 0 I=1e-3*v(1)^2\n");
    for (int i = 0; i < DEVICES; i++) {
        const char *const cards[] = {"D%d %d %d d1\n*%d\n", "Q%d %d %d %d q1\n", "M%d %d %d %d 0 m1\n",
                                     "M%d %d %d 5 %d m2\n"};
        int node[3];
        for (int k = 0; k < 3; k++)
            node[k] = (int)uniform(seed, 0, NODES + 0.999);
        used += snprintf(text + used, (size_t)(WORDS - used), cards[(int)uniform(seed, 0, 3.999)], i, node[0], node[1],
                         node[2]);
    }
    for (int i = 1; i <= NODES; i++)
        used += snprintf(text + used, (size_t)(WORDS - used), "R%d %d 0 1k\nC%d %d 0 1p\n", i, i, i, i);
    snprintf(text + used, (size_t)(WORDS - used),
             ".model d1 d(is=1e-14 cjo=2p tt=1n)\n.model q1 npn(bf=80 rb=10 cje=1p cjc=1p tf=0.2n)\n"
             ".model m1 nmos(vto=0.6 kp=1e-4 gamma=0.4 tox=20n cbd=10f)\n.model m2 pmos(vto=-0.7 lambda=0.02)\n.end\n");
}

struct side {
    struct mna *mna;
    struct dae_values out;
};

/* However long it takes. */
static void share_always(struct mna *m)
{
    m->pieces.trial.evaluations = LONG_MAX / 2;
    m->pieces.trial.alone = INFINITY;
    m->pieces.trial.pays = true;
}

static void evaluate(struct side *s, double t, const double *x, unsigned what)
{
    CU_ASSERT_EQUAL_FATAL(s->mna->dae.eval(s->mna->dae.problem, t, x, what, &s->out), KN_OK);
}

static void are_equal(const struct side *a, const struct side *b, unsigned what)
{
    const size_t n = (size_t)a->mna->dae.n * sizeof(double),
                 entries = (size_t)a->mna->pattern->entries * sizeof(double);
    CU_ASSERT(!(what & DAE_F) || memcmp(a->out.f, b->out.f, n) == 0);
    CU_ASSERT(!(what & DAE_Q) || memcmp(a->out.q, b->out.q, n) == 0);
    CU_ASSERT(!(what & DAE_G) || memcmp(a->out.G, b->out.G, entries) == 0);
    CU_ASSERT(!(what & DAE_C) || memcmp(a->out.C, b->out.C, entries) == 0);
    CU_ASSERT_EQUAL(a->out.limited, b->out.limited);
}

static bool open_side(struct side *s, const struct deck *d, size_t threads)
{
    struct mna_options options = mna_options_of(d->circuit);
    options.threads = threads;
    if (mna_new(d->circuit, &options, d->diagnostics, &s->mna) != KN_OK)
        return false;
    const size_t n = (size_t)s->mna->dae.n;
    s->out = (struct dae_values){calloc(n, sizeof(double)),
                                 calloc(n, sizeof(double)),
                                 sparse_values(s->mna->pattern),
                                 sparse_values(s->mna->pattern),
                                 NULL,
                                 NULL,
                                 false};
    return s->out.f && s->out.q && s->out.G && s->out.C;
}

static void close_side(struct side *s)
{
    free(s->out.f);
    free(s->out.q);
    free(s->out.G);
    free(s->out.C);
    mna_free(s->mna);
}

/* Newton's iterations from points that jump, then steps that are so small that devices go to rest. */
static void walk(uint64_t seed, struct side sides[2], double *x)
{
    static const unsigned parts[] = {DAE_F | DAE_Q, DAE_F | DAE_Q | DAE_G | DAE_C, DAE_G | DAE_C,
                                     DAE_F | DAE_Q | DAE_G | DAE_C | DAE_LIMIT, DAE_F | DAE_LIMIT};
    uint64_t state = seed;
    for (int round = 1; round <= rounds; round++) {
        for (int s = 0; s < 2; s++)
            sides[s].mna->dae.begin_newton(sides[s].mna, x);
        for (int i = 0; i < sides[0].mna->dae.n; i++)
            x[i] = uniform(&state, 0, 1) < 0.05 ? uniform(&state, -3, 3) : x[i] + uniform(&state, -1, 1) * 5e-8;
        const unsigned what = parts[(int)uniform(&state, 0, 4.999)];
        for (int s = 0; s < 2; s++) {
            evaluate(&sides[s], round, x, what);
            CU_ASSERT_EQUAL(mna_accept(sides[s].mna, round, x, 1, false), KN_OK);
        }
        are_equal(&sides[0], &sides[1], what);
    }
}

static void evaluations_shared_by_threads_give_the_bits_of_one(void)
{
    static char text[WORDS];
    for (size_t threads = 2; threads <= 5; threads++) {
        struct deck d;
        struct side sides[2];
        uint64_t state = first_seed + threads;
        random_devices(&state, text);
        if (!deck_open(&d, text) || !open_side(&sides[0], &d, 1) || !open_side(&sides[1], &d, threads)) {
            CU_FAIL("the circuit cannot be built");
            return;
        }
        CU_ASSERT_PTR_NULL(sides[0].mna->pieces.team);
        CU_ASSERT_PTR_NOT_NULL(sides[1].mna->pieces.team);
        if (threads % 2) /* else trials and all that follows from them */
            share_always(sides[1].mna);
        const unsigned before = CU_get_number_of_failures();
        walk(state, sides, d.x);
        if (CU_get_number_of_failures() > before)
            fprintf(stderr, "seed %llu, %zu threads\n", (unsigned long long)first_seed, threads);
        close_side(&sides[0]);
        close_side(&sides[1]);
        deck_close(&d);
    }
}

static void small_circuits_have_one_thread(void)
{
    struct deck d;
    struct side s;
    if (!deck_open(&d, "small\nV1 1 0 5\nR1 1 2 1k\nD1 2 0 d\nM1 2 1 0 0 m\nQ1 2 1 0 q\n.model d d\n.model m nmos\n"
                       ".model q npn\n.end\n") ||
        !open_side(&s, &d, 8))
        return;
    CU_ASSERT_PTR_NULL(s.mna->pieces.team);
    close_side(&s);
    deck_close(&d);
}

int main(void)
{
    random_arguments(&first_seed, &rounds);
    static const struct claim claims[] = {CLAIM(evaluations_shared_by_threads_give_the_bits_of_one),
                                          CLAIM(small_circuits_have_one_thread)};
    return run_claims("shared devices", claims, sizeof claims / sizeof *claims);
}
