/* rosenbrock_study.c - coefficients and what each method is good for; test_rosenbrock.c checks every order condition named
 * here: Steinebach 1988, (6.9) for implicit methods (a-i of the differential, j-m of the algebraic unknowns up to order
 * 4) and (6.17) for those with explicit differential equations.
 */
#include "integrators/study/rosenbrock_study.h"
#include "integrators/methods.h"

/* ROWDAIND2, Lubich and Roche, Computing 43, 1990: stiffly accurate, L-stable; a-d, j, k and the index-2 condition
 * b w w alpha^2 = 2: order 3 in differential, 2 in index-2 unknowns.  The embedded formula fulfils a and b, not j: its
 * error is of order 2 in charges but not in algebraic unknowns. */
const struct rosenbrock_tableau rosenbrock_row2 = {
    ROSENBROCK_METHOD("row2", 4, 3, 3, 0.3),
    .carries_charge = true,
    .alpha = {{0}, {0.5}, {0.28, 0.72}, {0.28, 0.72, 0}},
    .gammas = {{0}, {-35.0 / 312}, {2.54, -3.84}, {29.0 / 75, -0.72, 1.0 / 30}},
    .b = {2.0 / 3, 0, 1.0 / 30, 0.3},
    .embedded = {0.4799002800355166, 0.5176203811215082, 0.002479338842975209, 0},
};
const struct charge_errors charge_errors_row2 = {
    .plain_power = 1.5,
    .charge_power = 1,
};

/* DAE3S, Steinebach 1988, appendix a, with gamma~31 repaired (-31309/15040; the print violates b and d by 7e-7): a-d, j
 * hold exactly, A-stable, R(infinity) = 0.27.  Its two formulas
 * damp differently at infinity and the embedded one violates j; plain_error fulfils a and R(infinity) as b does. */
const struct rosenbrock_tableau rosenbrock_dae3s = {
    ROSENBROCK_METHOD("dae3s", 3, 3, 3, 0.4),
    .carries_charge = true,
    .alpha = {{0}, {0.75}, {0.75, 0}},
    .gammas = {{0}, {0.4 * 255.0 / 128.0}, {0.4 * (-31309.0 / 15040.0), 0.4 * (-59.0 / 235.0)}},
    .b = {11.0 / 27.0, 64.0 / 531.0, 752.0 / 1593.0},
    .embedded = {17503.0 / 46530.0, 2881.0 / 23265.0, 1.0 / 2.0},
};
const struct charge_errors charge_errors_dae3s = {
    .plain_power = 1.5,
    .plain = {0.55831037649219467, 0.085415012995906678, -0.64372538948810135},
    .charge_power = 1,
};

/* DAE4SF, Steinebach 1988, appendix c, recomputed from the recipe of section 7.2c: the printed set violates f and l and
 * has order 3 only (27/32 was used for alpha43 = 9/16 in two equations).  a-m hold exactly, A-stable, R(infinity) =
 * 1/3.  Both formulas have the same stability function, so their
 * difference is blind to linear problems; charge_error is one of order 2 that is not (a, b, c and R(infinity) as b). */
const struct rosenbrock_tableau rosenbrock_dae4sf = {
    ROSENBROCK_METHOD("dae4sf", 5, 4, 4, 0.5),
    .carries_charge = true,
    .alpha = {{0}, {0}, {0.25, 0.25}, {1.0 / 16.0, 1.0 / 8.0, 9.0 / 16.0}, {413.0 / 288.0, -629.0 / 288.0, 0.25, 1}},
    .gammas = {{0},
               {0.5 * 2},
               {0.5 * 17.0 / 36.0, 0.5 * (-3.0 / 4.0)},
               {0.5 * 11.0 / 8.0, 0.5 * (-13.0 / 16.0), 0.5 * (-9.0 / 8.0)},
               {0.5 * (-2795.0 / 432.0), 0.5 * 593.0 / 144.0, 0.5 * 19.0 / 2.0, 0.5 * (-214.0 / 27.0)}},
    .b = {343.0 / 540.0, -41.0 / 180.0, -0.2, 16.0 / 27.0, 0.2},
    .embedded = {599.0 / 1080.0, -31.0 / 120.0, 0, 68.0 / 135.0, 0.2},
};
const struct charge_errors charge_errors_dae4sf = {
    .plain_power = 1,
    .charge_power = 4.0 / 3,
    .charge = {-0.052301255230125523, 0.014644351464435146, -0.032217573221757322, -0.030125523012552301, 0.1},
};

/* DAE3NS, Steinebach 1988, appendix d, with gamma~31 = 17/9 (printed: 17/27): a-e, o of (6.17) hold exactly. */
const struct rosenbrock_tableau rosenbrock_dae3ns = {
    ROSENBROCK_METHOD("dae3ns", 3, 3, 3, 1.0 / 3),
    .alpha = {{0}, {2.0 / 3.0}, {-1.0 / 3.0, 1}},
    .gammas = {{0}, {-10.0 / 27}, {17.0 / 27, -1}},
    .b = {0.25, 0.5, 0.25},
    .embedded = {0.25, 0.75, 0},
};

/* DAE33NS, Steinebach 1988, appendix e: a-e, o-r of (6.17) hold exactly, order 3 in the algebraic unknowns per step. */
const struct rosenbrock_tableau rosenbrock_dae33ns = {
    ROSENBROCK_METHOD("dae33ns", 4, 3, 3, 0.25),
    .alpha = {{0}, {0.5}, {9.0 / 8.0, -3.0 / 8.0}, {0.5, 0.25, 0.25}},
    .gammas = {{0},
               {0.25 * (-2)},
               {0.25 * (-21.0 / 4.0), 0.25 * 9.0 / 4.0},
               {0.25 * (-265.0 / 144.0), 0.25 * 11.0 / 6.0, 0.25 * (-14.0 / 9.0)}},
    .b = {14.0 / 117.0, 37.0 / 39.0, -44.0 / 117.0, 4.0 / 13.0},
    .embedded = {0, 17.0 / 13.0, -8.0 / 13.0, 4.0 / 13.0},
};

/* DAE34NS, Steinebach 1988, appendix f: Fehlberg's explicit method with the algebraic equations linearly implicit.
 * `embedded` has order 4 (all of 6.17), b, with which it goes on, order 3 (a-e, o). */
const struct rosenbrock_tableau rosenbrock_dae34ns = {
    ROSENBROCK_METHOD("dae34ns", 6, 3, 4, 0.125),
    .alpha = {{0},
              {0.25},
              {3.0 / 32.0, 9.0 / 32.0},
              {1932.0 / 2197.0, -7200.0 / 2197.0, 7296.0 / 2197.0},
              {439.0 / 216.0, -8, 3680.0 / 513.0, -845.0 / 4104.0},
              {-8.0 / 27.0, 2, -3544.0 / 2565.0, 1859.0 / 4104.0, -11.0 / 40.0}},
    .gammas = {{0},
               {0.125 * (-2)},
               {0.125 * (-1.5), 0.125 * (-1.5)},
               {0.125 * (-28176.0 / 2197.0), 0.125 * 52080.0 / 2197.0, 0.125 * (-40128.0 / 2197.0)},
               {0.125 * (-24001.0 / 864.0), 0.125 * 117.0 / 2.0, 0.125 * (-1190.0 / 27.0), 0.125 * 845.0 / 864.0},
               {0.125 * 28573.0 / 13824.0, 0.125 * (-2105.0 / 288.0), 0.125 * 47971.0 / 6840.0,
                0.125 * (-879307.0 / 262656.0), 0.125 * 143.0 / 80.0}},
    .b = {25.0 / 216.0, 0, 1408.0 / 2565.0, 2197.0 / 4104.0, -0.2, 0},
    .embedded = {16.0 / 135.0, 0, 6656.0 / 12825.0, 28561.0 / 56430.0, -9.0 / 50.0, 2.0 / 55.0},
};

/* ---- the methods ---- */

#define WITH_CHARGE_ERRORS(id, text, good, bad)                                                                        \
    ROSENBROCK_CREATE(id)                                                                                              \
    static void id##_step(struct integrator *base, double to, struct step_report *report)                              \
    {                                                                                                                  \
        charge_errors_step(base, &charge_errors_##id, to, report);                                                     \
    }                                                                                                                  \
    ROSENBROCK_CLASS(id, text, good, bad, id##_create, id##_step, 1, 1, UNCHANGED)
#define WITH_EXPLICIT_ROWS(id, text, good, bad)                                                                        \
    static enum kn_status id##_create(const struct dae *dae, const struct integrator_options *o,                       \
                                      struct integrator **out)                                                         \
    {                                                                                                                  \
        return explicit_rows_create(&rosenbrock_##id, &integrator_##id, dae, o, out);                                  \
    }                                                                                                                  \
    ROSENBROCK_CLASS(id, text, good, bad, id##_create, explicit_rows_step, 1, 1, UNCHANGED)

/* What is off by how much, at a reltol of 1e-3: docs/methods.md. */
WITH_CHARGE_ERRORS(
    row2, "Rosenbrock method ROWDAIND2 of order 3(2), made for index 2", "C-V loops, whose currents it gets to order 2",
    "its steps are short, and it is off by tens of tolerances where the stored charge of a diode runs out");
WITH_CHARGE_ERRORS(dae3s, "Rosenbrock method DAE3S of order 3(2) by Steinebach, index 1", "smooth circuits of index 1",
                   "it is off by 2 tolerances in C-V loops, by tens where the stored charge of a diode runs out");
WITH_CHARGE_ERRORS(dae4sf, "Rosenbrock method DAE4SF of order 4(3) by Steinebach, index 1",
                   "smooth circuits of index 1",
                   "it is off by 3 tolerances in C-V loops, by 200 where the stored charge of a diode runs out");
static const char explicit_good[] = "circuits that are not stiff, with constant capacitors to ground and inductors";
static const char explicit_bad[] =
    "other circuits it refuses, and where one is stiff it takes 500 times the steps of bdf";
WITH_EXPLICIT_ROWS(dae3ns,
                   "DAE3NS by Steinebach: order 3(2), differential equations explicit, for problems that are not stiff",
                   explicit_good, explicit_bad);
WITH_EXPLICIT_ROWS(
    dae33ns, "DAE33NS by Steinebach: order 3(2), differential equations explicit, for problems that are not stiff",
    explicit_good, explicit_bad);
WITH_EXPLICIT_ROWS(
    dae34ns, "DAE34NS by Steinebach: order 3(4), differential equations explicit, for problems that are not stiff",
    explicit_good, explicit_bad);
