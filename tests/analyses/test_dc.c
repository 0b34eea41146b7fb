/* test_dc.c - .dc: every point is the operating point of the deck with the value written in. */
#include "deck_rows.h"

#include <stdint.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static uint64_t state = 20261122;

/* 0 .. 1 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014). */
static double chance(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double between(double low, double high)
{
    return low + (high - low) * chance();
}

static const char *const models = ".model d1 d is=1e-14 n=1.2 rs=2\n.model qn npn is=1e-15 bf=80 vaf=60 rb=50\n"
                                  ".model mn nmos vto=0.7 kp=2e-4 lambda=0.02 gamma=0.4 phi=0.6\n";

/* Elements between random nodes of a ladder from V1 to ground.  {vin}, {rx} and the temperature are to be given. */
static void random_body(char *text, size_t size)
{
    struct {
        char *at;
        size_t used;
    } body = {text, 0};
#define ADD(...) body.used += (size_t)snprintf(body.at + body.used, size - body.used, __VA_ARGS__)
    const int nodes = 3 + (int)(4 * chance());
    for (int i = 0; i < nodes; i++)
        ADD("R%d n%d n%d %g\n", i, i, i + 1, between(100, 5e3));
    ADD("RL n%d 0 %g\nV9 s 0 3\nRS s n1 {rx}\n", nodes, between(500, 5e3));
    for (int i = 1; i <= nodes; i++) {
        const double kind = chance();
        if (kind < 0.3)
            ADD("D%d n%d 0 d1\n", i, i);
        else if (kind < 0.55)
            ADD("Q%d n%d n%d 0 qn\n", i, i, 1 + (int)(nodes * chance()));
        else if (kind < 0.8)
            ADD("M%d n%d n%d 0 0 mn w=20u l=2u\n", i, i, 1 + (int)(nodes * chance()));
        else
            ADD("R1%d n%d 0 %g\n", i, i, between(1e3, 1e5));
    }
    ADD("%s", models);
#undef ADD
}

struct point {
    double vin, rx, celsius;
};

/* Whether a row without its `lead` swept values is the operating point; voltages to 1e-5. */
static bool is_operating_point(const char *body, const struct point *p, const double *row, size_t columns)
{
    char deck[3000];
    snprintf(deck, sizeof deck, "one point\nV1 n0 0 %.17g\n%s.param rx=%.17g\n.temp %.17g\n.op\n.end\n", p->vin, body,
             p->rx, p->celsius);
    struct deck_rows r = deck_rows(deck, NULL, 0);
    bool good = r.status == KN_OK && r.columns == columns;
    for (size_t i = 0; good && i < columns; i++)
        good = fabs(row[i] - r.values[i]) <= 1e-5 * fmax(1e-3, fabs(r.values[i])) + 1e-9;
    if (!good)
        fprintf(stderr, "\nnot the operating point of:\n%s", deck);
    free(r.values);
    return good;
}

static void every_point_of_a_random_circuit_is_its_operating_point(void)
{
    static const struct {
        const char *card;
        size_t lead, count;
        struct point first, step, outer;
        size_t inner;
    } sweeps[] = {
        {".dc V1 -1 4 0.5", 1, 11, {-1, 1e3, 27}, {0.5, 0, 0}, {0, 0, 0}, 11},
        {".dc V1 4 -1 -0.5", 1, 11, {4, 1e3, 27}, {-0.5, 0, 0}, {0, 0, 0}, 11},
        {".dc RS 500 3000 500", 1, 6, {2, 500, 27}, {0, 500, 0}, {0, 0, 0}, 6},
        {".dc PARAM rx 500 3000 500", 1, 6, {2, 500, 27}, {0, 500, 0}, {0, 0, 0}, 6},
        {".dc TEMP -40 120 40", 1, 5, {2, 1e3, -40}, {0, 0, 40}, {0, 0, 0}, 5},
        {".dc V1 0 3 1 TEMP 0 50 25", 2, 12, {0, 1e3, 0}, {1, 0, 0}, {0, 0, 25}, 4},
        {".dc RS 500 1500 500 V1 0 2 1", 2, 9, {0, 500, 27}, {0, 500, 0}, {1, 0, 0}, 3},
    };
    bool good = true;
    for (int circuit = 0; circuit < 40 && good; circuit++) {
        char body[2000], deck[3000];
        random_body(body, sizeof body);
        for (size_t i = 0; i < COUNT(sweeps) && good; i++) {
            snprintf(deck, sizeof deck, "sweep\nV1 n0 0 2\n%s.param rx=1k\n%s\n.end\n", body, sweeps[i].card);
            struct deck_rows r = deck_rows(deck, NULL, 0);
            good = r.status == KN_OK && r.count == sweeps[i].count;
            for (size_t k = 0; k < r.count && good; k++) {
                const double a = (double)(k % sweeps[i].inner), b = (double)(k / sweeps[i].inner);
                const struct point *f = &sweeps[i].first, *s = &sweeps[i].step, *o = &sweeps[i].outer;
                const struct point p = {f->vin + a * s->vin + b * o->vin, f->rx + a * s->rx + b * o->rx,
                                        f->celsius + a * s->celsius + b * o->celsius};
                good = is_operating_point(body, &p, deck_row(&r, k) + sweeps[i].lead, r.columns - sweeps[i].lead);
            }
            if (!good)
                fprintf(stderr, "\nin the sweep %s (%zu rows)\n", sweeps[i].card, r.count);
            free(r.values);
        }
    }
    CU_ASSERT_TRUE(good);
}

static void the_first_sweep_is_the_inner_one(void)
{
    struct deck_rows r = deck_rows("nested\nV1 a 0 1\nV2 b 0 1\nR1 a b 1k\n.dc V1 0 2 1 V2 10 30 10\n.end\n", NULL, 0);
    CU_ASSERT_EQUAL_FATAL(r.count, 9);
    for (size_t i = 0; i < 9; i++) {
        const double *row = deck_row(&r, i);
        CHECK_NEAR(row[0], (double)(i % 3), 0);
        CHECK_NEAR(row[1], 10 * (1 + (double)(i / 3)), 0);
        CHECK_NEAR(row[2], row[0], 1e-12); /* v(a) */
        CHECK_NEAR(row[3], row[1], 1e-12); /* v(b) */
    }
    free(r.values);
}

static void the_stop_counts_where_steps_meet_it(void)
{
    static const struct {
        const char *sweep;
        size_t count;
        double last;
    } cases[] = {
        {"0 1 0.3", 4, 0.9},         {"0 1 0.1", 11, 1},  {"0 5 0.1", 51, 5},      {"1 0 -0.25", 5, 0},
        {"-5 5 0.01", 1001, 5},      {"2 2 1", 1, 2},     {"0 1u 0.1u", 11, 1e-6}, {"0 0.7 0.1", 8, 0.7},
        {"dec 1 1 1000", 4, 1e3},    {"oct 2 1 4", 5, 4}, {"list 3 1 2", 3, 2},    {"lin 5 0 1", 5, 1},
        {"0 3e-14 1e-14", 4, 3e-14},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char deck[200];
        snprintf(deck, sizeof deck, "points\nV1 a 0 1\nR1 a 0 1k\n.dc V1 %s\n.end\n", cases[i].sweep);
        struct deck_rows r = deck_rows(deck, NULL, 0);
        CU_ASSERT_EQUAL(r.count, cases[i].count);
        if (r.count == cases[i].count)
            CHECK_NEAR(deck_row(&r, r.count - 1)[0], cases[i].last, 1e-12 * fabs(cases[i].last));
        free(r.values);
    }
}

/* A comparator with limits +-5 V, of which the part k = 1/5 (nearly) is fed back: out = 5 u, u = tanh(100 (5 k u - in)).
 * in = 5 k u - atanh(u)/100 turns back where its derivative by u is 0: 500 k (1 - u^2) = 1. */
static const char *const schmitt = "Schmitt trigger\nVin in 0 0\nB1 o1 0 V=5*tanh(100*v(p,in))\nRo o1 out 1\n"
                                   "R1 out p 40k\nR2 p 0 10k\n";

static void a_trigger_switches_up_and_down_at_its_own_thresholds(void)
{
    char deck[500];
    static const struct {
        const char *sweep;
        double sign;
    } ways[] = {{"-2 2 0.01", 1}, {"2 -2 -0.01", -1}};
    /* 10k/(40k + 10k + 1) of o1 is fed back. */
    const double k = 1e4 / 50001, end = sqrt(1 - 1 / (500 * k));
    const double threshold = 5 * k * end - atanh(end) / 100;
    for (size_t i = 0; i < COUNT(ways); i++) {
        snprintf(deck, sizeof deck, "%s.dc Vin %s\n.save v(o1)\n.end\n", schmitt, ways[i].sweep);
        struct deck_rows r = deck_rows(deck, NULL, 0);
        CU_ASSERT_EQUAL_FATAL(r.count, 401);
        for (size_t n = 0; n < r.count; n++) {
            const double *row = deck_row(&r, n);
            const double expected = ways[i].sign * row[0] < threshold ? ways[i].sign : -ways[i].sign;
            CU_ASSERT(expected * row[1] > 4.8);
        }
        free(r.values);
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(every_point_of_a_random_circuit_is_its_operating_point),
        CLAIM(the_first_sweep_is_the_inner_one),
        CLAIM(the_stop_counts_where_steps_meet_it),
        CLAIM(a_trigger_switches_up_and_down_at_its_own_thresholds),
    };
    return run_claims(".dc", claims, COUNT(claims));
}
