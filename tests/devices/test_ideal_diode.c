/* Claims about LTspice's diode of straight lines. */
#include "stand.h"

static struct stand *diode(const struct stand_setting *model)
{
    return stand_new(&ideal_diode_class, "d", 2, model, NULL, 27);
}

static double current_at(struct stand *r, double v)
{
    const double x[3] = {0, v, 0};
    stand_evaluate(r, x, NULL);
    return r->f[1];
}

static void straight_lines_meet_at_the_corners(void)
{
    struct stand *r =
        diode((struct stand_setting[]){{"ron", 2}, {"roff", 1e6}, {"vfwd", 0.5}, {"vrev", 4}, {"rrev", 8}, {0}});
    CHECK_NEAR(current_at(r, 0.5), 0.5e-6, 1e-18);
    CHECK_NEAR(current_at(r, 2.5), 0.5e-6 + 2.0 / 2, 1e-12);
    CHECK_NEAR(current_at(r, -4), -4e-6, 1e-18);
    CHECK_NEAR(current_at(r, -12), -4e-6 - 8.0 / 8, 1e-12);
    stand_free(r);
}

/* ngspice 39 with ngbehavior=lta and its own example simple-diode.cir, and the formulas of SpiceSharpParser's ideal diode. */
static void parabolas_lie_beyond_the_corners(void)
{
    struct stand *r = diode((struct stand_setting[]){
        {"ron", 1}, {"roff", 1e9}, {"vfwd", 1}, {"epsilon", 1}, {"vrev", 2}, {"revepsilon", 0.5}, {0}});
    CHECK_NEAR(current_at(r, 0.99), 0, 1e-8);
    CHECK_NEAR(current_at(r, 1.663), 0.663 * 0.663 / 2, 1e-8);
    CHECK_NEAR(current_at(r, 3), 1.5, 1e-8);
    CHECK_NEAR(current_at(r, -1.99), 0, 1e-8);
    CHECK_NEAR(current_at(r, -2.3), -0.3 * 0.3, 1e-8);
    CHECK_NEAR(current_at(r, -4), -1.75, 1e-8);
    stand_free(r);
}

static void derivatives_are_exact_everywhere(void)
{
    uint64_t seed = 11;
    struct stand *r = diode((struct stand_setting[]){{"ron", 0.3},
                                                     {"roff", 1e3},
                                                     {"vfwd", 0.4},
                                                     {"epsilon", 0.3},
                                                     {"vrev", 2},
                                                     {"revepsilon", 0.5},
                                                     {"ilimit", 3},
                                                     {"revilimit", 2},
                                                     {0}});
    for (int i = 0; i < 300; i++) {
        const double x[STAND_LIMIT] = {0, stand_uniform(&seed, -3, 3), stand_uniform(&seed, -1, 1)};
        CU_ASSERT_EQUAL(stand_wrong_derivatives(r, x), 0);
        CU_ASSERT(stand_conserves(r, x));
    }
    stand_free(r);
}

static void a_side_that_is_held_goes_on_beyond_its_corner(void)
{
    struct stand *r = diode((struct stand_setting[]){{"ron", 2}, {"roff", 1e6}, {"vfwd", 0.5}, {0}});
    CU_ASSERT_EQUAL_FATAL(r->class->switch_count(r->batch), 1);
    r->class->hold(r->batch, 0, 1);
    CHECK_NEAR(current_at(r, 0.3), 0.3e-6 - 0.2 * (0.5 - 1e-6), 1e-12);
    r->class->hold(r->batch, 0, -1);
    CHECK_NEAR(current_at(r, 0.9), 0.9e-6, 1e-18);
    stand_free(r);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(straight_lines_meet_at_the_corners),
        CLAIM(parabolas_lie_beyond_the_corners),
        CLAIM(derivatives_are_exact_everywhere),
        CLAIM(a_side_that_is_held_goes_on_beyond_its_corner),
    };
    return run_claims("ideal_diode", claims, sizeof claims / sizeof *claims);
}
