/* test_start_at_rest.c - a run whose sources stay as they are begins where it ends, at the operating point, whatever stands beside what
 * nothing holds: in a vendor's manner of an amplifier the drains of the output have no capacitance, those of the input that of
 * pinched-off transistors of level 2 behind 1 ohm, and the supply 10 uF.  Euler steps of 1e-20 s, for the second, have amperes of
 * round-off from the third. */
#include "claims.h"
#include "exact_waves.h"
#include "measurements.h"

static uint64_t first_seed = 20261129;
static int circuits = 40;

/* Numbers that seeds change by up to ten times either way. */
static const char amplifier[] =
    "amplifier\nV1 vp 0 3\nV2 vn 0 -3\nV3 in 0 %s\nRf out fb %g\n"
    "Is vp tail 50u\nM1 d1 g tail tail pin l=1u w=80u\nM2 d2 fb tail tail pin l=1u w=80u\n"
    "M3 d3 g s3 s3 nin l=1u w=80u\nM4 d4 fb s3 s3 nin l=1u w=80u\n"
    "Rd1 d1 e1 %g\nRd2 d2 e2 %g\nRe1 e1 vn 10k\nRe2 e2 vn 10k\nCe e1 e2 %g\n"
    "Eh h 0 POLY(2) vp 0 vn 0 0 .5 .5\nRq q h 50\nCp vp p %g\nRp p 0 %g\nRn n 0 1meg\nEs h s POLY(2) p 0 0 n 0 1 1\n"
    "Rs s t 800k\nVn z h 0\nHn y h Vn 20\nEos g in POLY(3) q h t h y h 1m 1 1 1\n"
    "E1 u h POLY(2) d1 d2 d3 d4 0 .6 .6\nRu u w 2k\nG1 h x w h 60u\nCf out x %g\nEc c h vp vn 0.5\nD1 x c dm\n"
    "Ea vp a POLY(1) h x 0.44 1\nEb b vn POLY(1) x h 0.43 1\nM5 out a vp vp pout l=1u w=3m\nM6 out b vn vn nout l=1u "
    "w=3m\n"
    ".model pin pmos(level=2 kp=100u vto=-1 lambda=0.01)\n.model nin nmos(level=2 kp=100u vto=1 lambda=0.01)\n"
    ".model pout pmos(level=2 kp=10u vto=-0.33 lambda=0.01)\n.model nout nmos(level=2 kp=10u vto=0.33 lambda=0.01)\n"
    ".model dm d(is=1e-14 rs=5)\n.save v(out)\n.tran 1u 5u\n.end\n";

static double about(uint64_t *seed, double middle)
{
    return middle * pow(10, (double)between(seed, -1000, 1000) / 1000);
}

static void write_amplifier(uint64_t *seed, const char *input, char deck[4000])
{
    const double feedback = about(seed, 1e4), rd1 = about(seed, 1), rd2 = about(seed, 1), ce = about(seed, 1e-12);
    const double cp = about(seed, 1e-5), rp = about(seed, 1e6), cf = about(seed, 15e-12);
    snprintf(deck, 4000, amplifier, input, feedback, rd1, rd2, ce, cp, rp, cf);
}

static void outputs_of_amplifiers_begin_where_they_rest(void)
{
    uint64_t seed = first_seed;
    for (int i = 0; i < circuits; i++) {
        char deck[4000];
        write_amplifier(&seed, "0", deck);
        const struct results *r = run(deck, NULL, 0);
        CU_ASSERT_FATAL(r->rows > 1);
        CHECK_NEAR(r->value[0], r->value[r->rows - 1], 2e-6);
    }
}

/* Its slope at 0 makes currents of index 2 into the gates, and no voltage jump. */
static void a_sine_begins_there_too(void)
{
    uint64_t seed = first_seed;
    for (int i = 0; i < circuits; i++) {
        char deck[4000];
        uint64_t same = seed;
        write_amplifier(&seed, "0", deck);
        const struct results *r = run(deck, NULL, 0);
        const double rest = r->value[0];
        write_amplifier(&same, "SIN(0 1m 10k)", deck);
        r = run(deck, NULL, 0);
        CU_ASSERT_FATAL(r->rows > 1);
        CHECK_NEAR(r->value[0], rest, 2e-6);
    }
}

int main(void)
{
    random_arguments(&first_seed, &circuits);
    static const struct claim claims[] = {CLAIM(outputs_of_amplifiers_begin_where_they_rest),
                                          CLAIM(a_sine_begins_there_too)};
    fprintf(stderr, "seed %llu\n", (unsigned long long)first_seed);
    return run_claims("starts at rest", claims, sizeof claims / sizeof *claims);
}
