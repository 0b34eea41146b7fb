/* test_between_steps.c - rows between steps solve the equations, as rows at steps do.
 *
 * Unknowns without memory tell: what a formula or a diode makes of a source is known at every moment, whatever the
 * steps are.  KNOTEN_CIRCUITS=10000 in the environment tries that many random decks, KNOTEN_SEED=7 begins with that
 * one. KNOTEN_KINKS=1 adds formulas with a kink (abs, limit, max), beside which some rows still miss by ten reltol and
 * more: whether an interpolant is good enough is told by error estimates and the middle of a step.
 */
#include "deck_rows.h"
#include "exact_waves.h"

enum { CIRCUITS = 150, METHODS = 5 };

static void an_ammeter_shows_the_formula_of_its_source(void)
{
    static const char *const methods[] = {"auto", "bdf", "radau", "rodasp", "trbdf2", "trap"};
    static const char deck[] = "ammeter\nV1 in 0 SIN(0 1 1k)\nB1 0 o I={tanh(100*v(in))}\nVo o 0 0\nRx in c 1k\n"
                               "Cx c 0 10n\nDx c 0 dd\n.model dd d\n.save v(in) i(vo)\n.tran 2u 2m\n.end\n";
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        struct deck_rows r = deck_rows(deck, methods[k], 1e-3);
        double worst = 0;
        for (size_t i = 0; i < r.count; i++)
            worst = fmax(worst, fabs(deck_row(&r, i)[2] - tanh(100 * deck_row(&r, i)[1])));
        at_most(worst, 2e-3, "the error of i(vo)", methods[k], 1e-3, deck);
        free(r.values);
    }
}

/* 0.99017 mA: radau at reltol 1e-4 and below; the tail delivers 1 mA, of which some goes into the base.  Without
 * trbdf2, whose i(vm) reaches 1.0028 mA between two steps around the bend. */
static void a_collector_takes_no_more_than_the_tail_delivers(void)
{
    static const char *const methods[] = {"auto", "bdf", "radau", "rodasp", "trap"};
    static const char deck[] = "pair\nVCC c 0 10\nVEE e 0 -10\nVIN in 0 SIN(0 1 10k)\nQ1 c in x q\nQ2 o 0 x q\n"
                               "VM c o 0\nIT x e 1m\n.model q npn(cje=1p cjc=1p)\n.save i(vm)\n"
                               ".tran 0.2u 200u\n.end\n";
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        struct deck_rows r = deck_rows(deck, methods[k], 0);
        const double most = deck_rows_largest(&r, 0, 1);
        at_most(most, 1e-3, "i(vm)", methods[k], 1e-3, deck);
        at_most(fabs(most / 0.99017e-3 - 1), 5e-3, "the relative error of the largest i(vm)", methods[k], 1e-3, deck);
        free(r.values);
    }
}

/* Transistors and diodes, mostly without capacitance, between resistors. */
static void rows_between_long_steps_are_those_of_a_tight_tolerance(void)
{
    static const char deck[] = "between\nVDD vdd 0 3.3\n"
                               "VIN in 0 PULSE(0 10 3.82e-06 3.82e-07 1.91e-06 9.55e-06 1.91e-05)\n"
                               "R1 1 0 1.42e+04\nR2 2 vdd 3.8e+04\nR3 3 vdd 979\nR4 4 vdd 1.6e+04\nR5 5 vdd 4.05e+04\n"
                               "R6 6 2 1.05e+03\nR7 7 1 104\nR50 5 2 368\nR51 3 5 140\nR52 in 3 3.82e+04\n"
                               "C1 4 3 2.86e-08\nD1 3 vdd dm0\nQ1 6 5 7 qp\nM1 1 in 5 vdd mp W=20u L=1u\n"
                               "M2 6 4 6 0 mn W=10u L=1u\n.model dm0 D(IS=1e-14)\n.model qp PNP(IS=1e-15 BF=50)\n"
                               ".model mn NMOS(VTO=0.7 KP=100u LAMBDA=0.02)\n"
                               ".model mp PMOS(VTO=-0.8 KP=40u LAMBDA=0.03)\n.save v(7) v(4)\n"
                               ".tran 1.91093e-08 3.82186e-05 0 7.64371e-07\n.end\n";
    static const struct {
        const char *method;
        double reltol;
    } runs[] = {{"trbdf2", 1e-4}, {"trap", 1e-3}, {"trbdf2", 1e-3}, {"trap", 1e-4}};
    struct deck_rows right = deck_rows(deck, "radau", 1e-7);
    const double range = deck_rows_largest(&right, 0, 1);
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        struct deck_rows r = deck_rows(deck, runs[k].method, runs[k].reltol);
        double worst = 0;
        for (size_t i = 0, j = 0; i < r.count; i++)
            worst = fmax(worst, fabs(deck_row(&r, i)[1] - deck_rows_at(&right, &j, deck_row(&r, i)[0], 1)));
        at_most(worst, 0.01 * range, "the error of v(7)", runs[k].method, runs[k].reltol, deck);
        free(r.values);
    }
    free(right.values);
}

/* Behind blocking diodes both ends of a source swing with it through picofarads, in steps of 0.7 ms that only rounding lets be
 * so long.  Their difference is the source less 0.8 ohm of a current that then is nanoamperes.  multistep.c once took
 * the tolerance that rounding widens for the part of it that one step may use up: 17 and 4 reltol. */
static void rows_keep_reltol_where_rounding_widens_the_tolerance_of_steps(void)
{
    static const char *const methods[] = {"auto", "bdf", "trbdf2", "trap"};
    static const double reltols[] = {1e-4, 1e-5, 1e-6};
    static const char deck[] = "bridge\nVac ac1 ac2 SIN(0 17 50)\nRw ac1 a 0.8\nD1 a dc dd\nD2 ac2 dc dd\nD3 0 a dd\n"
                               "D4 0 ac2 dd\nC1 dc 0 470u\nRload dc 0 220\n.model dd D(Is=29.5n N=1.98 Rs=34m "
                               "Cjo=25.9p Vj=0.325 M=0.44 Tt=5.7u Bv=100 Ibv=10u)\n.save v(a) v(ac2)\n"
                               ".tran 50u 100m\n.end\n";
    for (size_t k = 0; k < sizeof methods / sizeof *methods * 3; k++) {
        const char *method = methods[k / 3];
        const double reltol = reltols[k % 3];
        struct deck_rows r = deck_rows(deck, method, reltol);
        double worst = 0;
        for (size_t i = 0; i < r.count; i++) {
            const double *row = deck_row(&r, i), phase = fmod(row[0], 0.01);
            if (row[0] > 0.02 && phase > 0.001 && phase < 0.0025) /* the diodes block */
                worst = fmax(worst, fabs(row[1] - row[2] - 17 * sin(2 * acos(-1) * 50 * row[0])));
        }
        at_most(worst, 2 * reltol * 17, "the error of v(a) - v(ac2)", method, reltol, deck);
        free(r.values);
    }
}

/* i(b1) is a slope through a capacitor, which what Newton's method leaves in junctions of picofarads between steps would be
 * as well: 0.9 to 5.5 times the range until it left no more than rounding there. */
static void slopes_between_steps_are_no_noise_of_fast_junctions(void)
{
    static const char *const methods[] = {"auto", "bdf", "radau", "rodasp", "trbdf2", "trap"};
    static const char deck[] =
        "fast junctions\nVCC vcc 0 3.3\nV1 in 0 SIN(0 3.3 2000)\nR1 in 1 100\nR2 vcc 2 220\n"
        "R3 3 0 100\nR4 2 3 1000\nR5 1 3 2200\nR6 vcc 4 470\nR7 4 0 1000\nC0 0 4 1e-7\nC1 2 0 1e-8\n"
        "L1 2 5 0.02\nRL 5 0 100\nB1 9 0 V={table(v(3),-1,0,0,1,2,1.5)}\nRB 9 2 100\n"
        "CB 9 4 3.33e-8\nM0 2 3 1 vcc mp w=50u l=1u\nQ1 1 4 3 qn\n"
        "M2 3 vcc 4 0 mn w=50u l=1u ad=1e-10 as=1e-10 pd=4e-5 ps=4e-5\n"
        "M3 3 vcc 4 vcc mp w=10u l=2u\nQ4 2 vcc 4 qn\n"
        ".model qn npn(is=1e-15 bf=100 br=1 vaf=100 ikf=0.01 rb=50 rc=10 cje=2e-12 cjs=1e-12 tf=3e-10)\n"
        ".model mn nmos(level=2 vto=0.7 kp=2e-5 lambda=0.02 tox=1e-7 cgso=0.2n cgdo=0.2n nsub=1e15 ucrit=1e4 uexp=0.1 "
        "nfs=0 xj=3e-7 ld=1e-7)\n"
        ".model mp pmos(level=2 vto=-0.7 kp=2e-5 lambda=0.02 tox=1e-7 cgso=0.2n cgdo=0.2n nsub=1e15 ucrit=1e4 uexp=0.1 "
        "nfs=0 xj=3e-7 ld=1e-7)\n"
        ".save i(b1)\n.tran 2e-6 0.001\n.end\n";
    struct deck_rows right = deck_rows(deck, "radau", 1e-7);
    const double range = deck_rows_largest(&right, 1e-4, 1);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        struct deck_rows r = deck_rows(deck, methods[k], 1e-3);
        double worst = 0;
        for (size_t i = 0, j = 0; i < r.count; i++)
            worst = fmax(worst, fabs(deck_row(&r, i)[1] - deck_rows_at(&right, &j, deck_row(&r, i)[0], 1)));
        at_most(worst, 0.1 * range, "the error of i(b1)", methods[k], 1e-3, deck);
        free(r.values);
    }
    free(right.values);
}

/* An echo of a few millivolts reaches the circuit 5 ps before the end of a step of 9 ns.  The slope that it leaves there bent the
 * polynomial of RODASP between both ends by 0.4 V, 11 % of the range; of half that size elsewhere, by 0.05 V. */
static void an_echo_before_the_end_of_a_step_does_not_bend_it(void)
{
    static const char *const methods[] = {"auto", "bdf", "radau", "rodas", "rodasp"};
    static const char deck[] =
        "echo\nVCC vcc 0 12\nV1 in 0 PULSE(0 12 5e-8 5e-12 5e-11 1e-7 2e-7)\nR1 in 1 100\n"
        "R2 vcc 2 220\nR3 3 0 100\nR4 2 3 1000\nR5 1 3 2200\nR6 vcc 4 470\nR7 4 0 1000\n"
        "C0 2 0 1e-10\nC1 4 1 1e-11\nC2 4 2 1e-9\nT1 3 0 7 0 z0=100 td=5e-8\nRT 7 0 130\n"
        "F1 3 0 V1 0.5\nQ0 3 4 2 qn\nD1 1 vcc dq\nJ2 2 1 4 jn\nD3 4 vcc dq\n"
        ".model dq d(is=1e-12 n=1.3 tt=5e-9 vj=0.75 m=0.5)\n"
        ".model qn npn(is=1e-14 bf=250 br=1 vaf=100 ikf=0.01 ise=1e-14 ne=1.5 rb=20 cje=2e-12 xcjc=0.5 tf=3e-10 xtf=2 "
        "vtf=2 itf=0.1 tr=1e-8)\n"
        ".model jn njf(vto=-4 beta=0.001 cgd=3e-12 is=1e-14)\n.save v(4)\n.tran 2e-9 1e-6\n.end\n";
    struct deck_rows right = deck_rows(deck, "radau", 1e-7);
    const double range = deck_rows_largest(&right, 0, 1);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        struct deck_rows r = deck_rows(deck, methods[k], 1e-3);
        double worst = 0;
        for (size_t i = 0, j = 0; i < r.count; i++)
            worst = fmax(worst, fabs(deck_row(&r, i)[1] - deck_rows_at(&right, &j, deck_row(&r, i)[0], 1)));
        at_most(worst, 1e-3 * range, "the error of v(4)", methods[k], 1e-3, deck);
        free(r.values);
    }
    free(right.values);
}

/* Of a column at times between these; times sign. */
static double largest_between(const struct deck_rows *r, size_t column, double from, double to, double sign)
{
    double most = -INFINITY;
    for (size_t i = 0; i < r->count; i++)
        if (deck_row(r, i)[0] > from && deck_row(r, i)[0] < to)
            most = fmax(most, sign * deck_row(r, i)[column]);
    return most;
}

/* Charges bend within steps shorter than a tenth of tstep: behind that, between two of their ends, i(vcc) went from -58 mA to
 * -37 mA and back.  It is between -57.9 and -69.6 mA there. */
static void currents_do_not_swing_in_steps_that_output_does_not_resolve(void)
{
    static const char deck[] =
        "swinging current\nVCC vcc 0 12\nV1 in 0 SIN(0 12 2e+07)\nR1 in 1 100\nR2 vcc 2 220\nR3 3 0 100\n"
        "R4 2 3 1000\nR5 1 3 2200\nR6 vcc 4 470\nR7 4 0 1000\nC0 0 2 1e-12\nC1 0 3 1e-11\nC2 2 3 1e-11\n"
        "L1a 2 5 5e-07\nL2a 6 0 2e-06\nK1 L1a L2a 1\nRL5 5 0 100\nRL6 6 0 33.3333\nE1 8 0 1 3 2\n"
        "RE 8 4 1000\nG1 2 0 4 0 0.005\nQ0 1 0 3 qp\nQ1 1 3 vcc qn\n"
        "M2 2 0 3 0 mn w=10u l=2u ad=1e-10 as=1e-10 pd=4e-5 ps=4e-5\n"
        "M3 3 1 2 0 mn w=10u l=1u ad=1e-10 as=1e-10 pd=4e-5 ps=4e-5\nD4 4 2 dq\n"
        ".model dq d(is=1e-12 n=1.3 cjo=4e-12 tt=5e-09 rs=10 vj=0.5 m=0.5 bv=50)\n"
        ".model qn npn(is=1e-14 bf=50 br=5 vaf=100 ikf=0.01 ise=1e-14 ne=1.5 rb=20 re=0.5 rc=10 cje=2e-12 "
        "cjc=1e-12 cjs=1e-12 xcjc=0.5 tf=3e-10 xtf=0 vtf=2 itf=0.1 tr=1e-08)\n"
        ".model qp pnp(is=1e-14 bf=50 br=5 vaf=100 ikf=0.01 ise=1e-14 ne=1.5 rb=20 re=0.5 rc=10 cje=2e-12 "
        "cjc=1e-12 cjs=1e-12 xcjc=0.5 tf=3e-10 xtf=0 vtf=2 itf=0.1 tr=1e-08)\n"
        ".model mn nmos(level=2 vto=1.2 kp=2e-05 lambda=0.02 gamma=0.5 phi=0.65 tox=2e-08 cgso=0.2n "
        "cgdo=0.2n cbd=1e-13 cbs=1e-13 nsub=1e15 ucrit=1e4 uexp=0.1 nfs=1e11 neff=1 xj=0 ld=1e-7)\n"
        ".save i(vcc)\n.tran 2e-10 6e-8\n.end\n";
    struct deck_rows r = deck_rows(deck, "bdf", 1e-3);
    at_most(largest_between(&r, 1, 5.78e-8, 5.83e-8, 1), -0.05, "i(vcc)", "bdf", 1e-3, deck);
    free(r.values);
}

/* Column of v(d1#internal) behind the time, five nodes and two sources; it is no name for .save. */
enum { INTERNAL = 8 };

/* A transistor ceases to conduct within a step shorter than a tenth of tstep, and the current through the charge of a diode falls to
 * nothing: at the ends of steps of order 5 it went on to a seventh of its size beyond, and back. */
static void slopes_of_charges_do_not_change_their_sign_behind_a_kink(void)
{
    static const char *const methods[] = {"auto", "bdf"};
    static const struct {
        const char *deck;
        double from, to, sign;
    } runs[] = {
        {"cut off\n.options saveinternals\nVCC vcc 0 5\nV1 in 0 PULSE(0 3 5e-05 2.5e-05 2.5e-05 5e-05 0.0002)\nR1 in 1 "
         "1k\nR2 vcc 2 2.2k\n"
         "R3 3 0 1k\nR4 2 3 10k\nR5 1 3 22k\nC1 3 0 3.33e-09\nM0 2 1 0 0 m0 w=20u l=2u\nQ1 2 1 0 q0\nD2 0 1 dq\n"
         ".model dq d(is=1e-14 cjo=4p tt=5n rs=1)\n.model q0 npn(is=1e-15 bf=80)\n"
         ".model m0 nmos(vto=0.7 kp=100u lambda=0.02)\n.tran 2e-06 0.001\n.end\n",
         4.56e-4, 4.575e-4, -1},
        {"saturation\n.options saveinternals\nVCC vcc 0 12\nV1 in 0 SIN(0 3 1000)\nR1 in 1 1k\nR2 vcc 2 2.2k\nR3 3 0 "
         "1k\nR4 2 3 10k\n"
         "R5 1 3 22k\nQ0 2 1 0 qn\nD1 0 2 dq\nQ2 2 1 3 qn\n.model dq d(is=1e-14 cjo=4p tt=5n rs=1)\n"
         ".model qn npn(is=1e-15 bf=100 cje=2p cjc=1p tf=0.3n)\n.tran 2e-06 0.001\n.end\n",
         4.54e-5, 4.62e-5, 1},
    };
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            struct deck_rows r = deck_rows(runs[k].deck, methods[m], 1e-3);
            at_most(largest_between(&r, INTERNAL, runs[k].from, runs[k].to, runs[k].sign), 0,
                    "the voltage of the diode's resistance", methods[m], 1e-3, runs[k].deck);
            free(r.values);
        }
}

/* Steps of 1 ns of Radau's method where output has 20 ns, behind one of 0.2 us: the polynomial through the stages began with a
 * current of 5 uA through a diode of 4 pF, which has 2.11 uA at both ends and, by radau at 1e-7, all the way. */
static void stages_do_not_swing_in_steps_that_output_does_not_resolve(void)
{
    static const char deck[] =
        "gate charge\n.options saveinternals\nVCC vcc 0 12\nV1 in 0 SIN(0 10 300000)\nR1 in 1 1k\nR2 vcc 2 2.2k\nR3 3 "
        "0 1k\nR4 2 3 10k\n"
        "R5 1 3 22k\nC1 3 0 3.33e-11\nM0 2 1 3 0 mn w=20u l=2u\nD1 0 3 dq\n.model dq d(is=1e-14 cjo=4p tt=5n rs=1)\n"
        ".model mn nmos(vto=0.7 kp=100u lambda=0.02 tox=20n cgso=0.2n cgdo=0.2n)\n"
        ".tran 2e-08 1e-05\n.end\n";
    struct deck_rows r = deck_rows(deck, "auto", 1e-3);
    at_most(largest_between(&r, INTERNAL, 3.38e-6, 3.4e-6, 1), 2.6e-6, "v(d1#internal)", "auto", 1e-3, deck);
    free(r.values);
}

/* Charges of a transistor change their slope at 50.1 ns, within a step shorter than a tenth of tstep; rows that are put there follow
 * i(v1) = -dQG/dt, which jumps, and no line from one end of the step to the other (tests/decks/hard/charge-pump.cir). */
static void rows_in_steps_that_output_does_not_resolve_follow_constraints(void)
{
    static const char deck[] =
        "charge pump\n.param vt0=0.2 gam=0.035 phi=1.01 cox=4p\n.param vfb={vt0-gam*sqrt(phi)-phi}\n"
        ".func root(ugs,ugb) {sqrt(max(phi-ugs+ugb,0))}\n.func vte(ugs,ugb) {vt0+gam*(root(ugs,ugb)-sqrt(phi))}\n"
        ".func mean(a,b) {a+b>0 ? a+b-a*b/(a+b) : 0}\n.func drain(ugd,v) {max(ugd-v,0)}\n"
        ".func inverted(ugb,ugs,ugd) {mean(drain(ugd,vte(ugs,ugb)),ugs-vte(ugs,ugb))}\n"
        ".func depleted(ugb) {gam*(sqrt(max(gam*gam/4+ugb-vfb,0))-gam/2)}\n"
        ".func gate(ugb,ugs,ugd) {ugb<=vfb ? ugb-vfb : ugs<=vte(ugs,ugb) ? depleted(ugb) : "
        "2/3*inverted(ugb,ugs,ugd)+gam*root(ugs,ugb)}\n"
        ".func channel(ugb,ugs,ugd) {ugb<=vfb || ugs<=vte(ugs,ugb) ? 0 : -inverted(ugb,ugs,ugd)/3}\n"
        "V1 1 0 PULSE(0 20 50n 10n 10n 50n 120n)\nCG 1 0 Q='cox*gate(v(1),max(v(1,2),v(1,3)),min(v(1,2),v(1,3)))'\n"
        "CS 2 0 Q='1.6p*v(2)+cox*channel(v(1),max(v(1,2),v(1,3)),min(v(1,2),v(1,3)))'\n"
        "CD 3 0 Q='0.4p*v(3)+cox*channel(v(1),max(v(1,2),v(1,3)),min(v(1,2),v(1,3)))'\n"
        ".save i(v1)\n.tran 0.1n 60n uic\n.end\n";
    struct deck_rows r = deck_rows(deck, "bdf", 1e-3);
    double before = 0, behind = 0;
    for (size_t i = 0; i < r.count; i++) {
        const double *row = deck_row(&r, i), error = fabs(row[1] + (row[0] < 5.01e-8 ? 1.37e-4 : 2.9485e-3));
        if (row[0] > 5.0096e-8 && row[0] < 5.00999e-8)
            before = fmax(before, error);
        if (row[0] > 5.01001e-8 && row[0] < 5.02e-8)
            behind = fmax(behind, error);
    }
    at_most(before, 1e-5, "the error of i(v1) before the kink", "bdf", 1e-3, deck);
    at_most(behind, 1e-5, "the error of i(v1) behind the kink", "bdf", 1e-3, deck);
    free(r.values);
}

/* A chain of inverters, most steps of which are shorter than a tenth of tstep: the current of its supply, of index 2, takes fewer
 * factorisations than to ask for it in the middle of each of them, and at its quarters where that shows a bend, does (3.4 a step). */
static void looks_at_steps_that_output_does_not_resolve_cost_little(void)
{
    static const char deck[] =
        "inverters\nvdd vdd 0 5\nv1 a 0 pulse(0 5 1n 0.1n 0.1n 2n)\n"
        ".model n1 nmos(level=1 vto=0.7 kp=110u gamma=0.4 lambda=0.04 phi=0.7 tox=14n cgso=0.3n cgdo=0.3n cj=0.4m)\n"
        ".model p1 pmos(level=1 vto=-0.8 kp=40u gamma=0.5 lambda=0.05 phi=0.7 tox=14n cgso=0.3n cgdo=0.3n cj=0.6m)\n"
        ".subckt inv i o vdd\nmn o i 0 0 n1 w=2u l=1u as=4p ad=4p\nmp o i vdd vdd p1 w=4u l=1u as=8p ad=8p\n.ends\n"
        "x1 a b vdd inv\nx2 b c vdd inv\nx3 c d vdd inv\nx4 d e vdd inv\n.save i(vdd)\n.tran 1n 5n\n.end\n";
    struct deck_rows r = deck_rows(deck, "bdf", 1e-3);
    const double each = (double)r.summary.factorizations / (double)r.summary.steps_accepted;
    at_most(each, 2.8, "factorisations a step", "bdf", 1e-3, deck);
    free(r.values);
}

/* A source at rest holds 5 pC, of which 1e-16 times 1/step is more than a millionth of abstol: it asks for no search of its own at the ends
 * of steps whose currents of index 2 are asked of derivatives of constraints (4.1 iterations a step where it did). */
static void charges_of_sources_at_rest_cost_no_iterations(void)
{
    static const char deck[] =
        "inverters beside a source at rest\nvdd vdd 0 5\nv1 a 0 pulse(0 5 1n 0.1n 0.1n 2n)\n"
        ".model n1 nmos(level=1 vto=0.7 kp=110u gamma=0.4 lambda=0.04 phi=0.7 tox=14n cgso=0.3n cgdo=0.3n cj=0.4m)\n"
        ".model p1 pmos(level=1 vto=-0.8 kp=40u gamma=0.5 lambda=0.05 phi=0.7 tox=14n cgso=0.3n cgdo=0.3n cj=0.6m)\n"
        ".subckt inv i o vdd\nmn o i 0 0 n1 w=2u l=1u as=4p ad=4p\nmp o i vdd vdd p1 w=4u l=1u as=8p ad=8p\n.ends\n"
        "x1 a b vdd inv\nx2 b c vdd inv\nx3 c d vdd inv\nx4 d e vdd inv\nv2 r 0 5\nc2 r 0 1p\n.tran 1n 5n\n.end\n";
    struct deck_rows r = deck_rows(deck, "bdf", 1e-3);
    at_most((double)r.summary.newton_iterations / (double)r.summary.steps_accepted, 3.8, "iterations a step", "bdf",
            1e-3, deck);
    free(r.values);
}

/* The current of a source across a junction's charge, -C(v) dv/dt - v/R: smooth, so that estimates of bdf vouch for it, and derivatives
 * of constraints are asked at one end in eight (3.8 factorisations a step where at each, most for rows inside). */
static void slopes_that_estimates_vouch_for_are_not_asked(void)
{
    static const char deck[] =
        "varactor\nV1 a 0 SIN(3 2 1meg)\nD1 0 a dv\n.model dv d(is=1e-30 cjo=10p vj=0.7 m=0.4)\n"
        "R1 a 0 1meg\nR2 a b 1k\nC2 b c 1n\nV2 c 0 SIN(3 2 1meg)\n.save v(a) i(V1)\n.tran 20n 5u\n.end\n";
    struct deck_rows r = deck_rows(deck, "bdf", 1e-3);
    double worst = 0;
    for (size_t i = 0; i < r.count; i++) {
        const double *row = deck_row(&r, i), slope = 4e6 * M_PI * cos(2e6 * M_PI * row[0]);
        const double current = -10e-12 * pow(1 + row[1] / 0.7, -0.4) * slope - row[1] / 1e6;
        worst = fmax(worst, fabs(row[2] - current));
    }
    at_most(worst, 3e-3 * deck_rows_largest(&r, 0, 2), "the error of i(V1)", "bdf", 1e-3, deck);
    at_most((double)r.summary.factorizations / (double)r.summary.steps_accepted, 3.4, "factorisations a step", "bdf",
            1e-3, deck);
    free(r.values);
}

/* v(b) jumps where the current through two diodes changes its sign, in steps of which the ends know nothing of it: points inside
 * begin at what is missed on both sides of them (18 factorisations a row from the interpolant, which come down an exponential), and what
 * lies between two points of a branch is on it (12 where each is sought again from the end of the step). */
static void points_inside_steps_begin_beside_those_that_are_known(void)
{
    static const char deck[] = "diodes\nv1 in 0 sin(0 1 1k)\nr1 in a 1k\nc1 a 0 100n\nf1 0 b v1 1\nd1 b 0 d\nd2 0 b d\n"
                               ".model d d(is=1e-14)\n.tran 10u 3m\n.end\n";
    struct deck_rows r = deck_rows(deck, "bdf", 1e-3);
    at_most((double)r.summary.factorizations / (double)r.count, 7, "factorisations a row", "bdf", 1e-3, deck);
    free(r.values);
}

/* A step ends at v(2) = -3 V, where a junction has a slope of 1e50 S, whose rounding is no excuse for missing the equations there. */
static void a_point_far_from_a_solution_is_no_rounding(void)
{
    static const char deck[] = "saturated\nVCC vcc 0 5\nV1 in 0 PULSE(0 1 1u 0.5n 0.5n 1.5u 3u)\nR1 in 1 1k\n"
                               "R2 vcc 2 2.2k\nR3 3 0 1k\nR4 2 3 10k\nR5 1 3 22k\nD0 2 1 d0\nQ1 2 1 0 q0\n"
                               ".model d0 d(is=1e-14)\n.model q0 npn(is=1e-15 bf=80)\n.save v(2)\n"
                               ".tran 20n 10u\n.end\n";
    struct deck_rows r = deck_rows(deck, "rodasp", 1e-5);
    double least = 0;
    for (size_t i = 0; i < r.count; i++)
        least = fmin(least, deck_row(&r, i)[1]);
    at_most(-least, 0, "the voltage below zero of v(2)", "rodasp", 1e-5, deck);
    free(r.values);
}

/* A layer of 0.1 us behind each corner of V1, 2 per mille of the voltages, is 10 % of the largest i(v1) for methods that
 * step over it. */
static void a_short_layer_leaves_no_wave_in_a_current(void)
{
    static const char *const methods[] = {"auto", "bdf", "radau", "rodasp", "trap"};
    static const char deck[] =
        "layer\nV1 1 0 PULSE(-5 5 2.5e-05 2.5e-05 2.5e-05 5e-05 0.0002)\nR0 1 2 10\nR2 2 1 2200\n"
        "I0 1 2 SIN(0 0.001 1000)\nG1 2 0 1 0 1e-05\nC2 2 0 1e-08\n"
        "I3 0 1 PULSE(0 0.001 5e-05 2.5e-05 5e-08 0.00015 0.0002)\nL4 1 m4 0.01\nRl4 m4 2 100\n"
        ".save i(v1)\n.tran 2e-06 0.001\n.end\n";
    struct deck_rows right = deck_rows(deck, "radau", 1e-7);
    const double range = deck_rows_largest(&right, 0, 1);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        struct deck_rows r = deck_rows(deck, methods[k], 1e-3);
        double worst = 0;
        for (size_t i = 0, j = 0; i < r.count; i++)
            if (fmod(deck_row(&r, i)[0], 25e-6) > 1e-6) /* not within the corners themselves */
                worst = fmax(worst, fabs(deck_row(&r, i)[1] - deck_rows_at(&right, &j, deck_row(&r, i)[0], 1)));
        at_most(worst, 0.02 * range, "the error of i(v1)", methods[k], 1e-3, deck);
        free(r.values);
    }
    free(right.values);
}

static void a_current_source_shows_its_sine_also_on_lines_between_rows(void)
{
    static const char *const methods[] = {"auto", "bdf", "radau", "rodasp", "trbdf2", "trap"};
    static const char deck[] = "sine\nI1 0 a SIN(0 1 4k)\nV1 a 0 0\n.save i(v1)\n.tran 5u 1m\n.end\n";
    enum { PARTS = 20 };
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        struct deck_rows r = deck_rows(deck, methods[k], 1e-3);
        double worst = 0;
        for (size_t i = 0; i + 1 < r.count; i++)
            for (int part = 0; part <= PARTS; part++) {
                const double *a = deck_row(&r, i), *b = deck_row(&r, i + 1), s = (double)part / PARTS;
                const double time = a[0] + s * (b[0] - a[0]), line = a[1] + s * (b[1] - a[1]);
                worst = fmax(worst, fabs(line - sin(8e3 * acos(-1) * time)));
            }
        at_most(worst, 3e-3, "the error of i(v1)", methods[k], 1e-3, deck);
        free(r.values);
    }
}

/* Steps of half a period, by tmax: all end where the ringing, of ten tolerances, crosses its mean.  Straight lines over whole
 * steps miss it by six. */
static void ringing_shows_in_steps_of_half_its_period(void)
{
    static const char deck[] = "ring\nV0 o 0 30\nL2 b o 10u ic=1m\nC2 b o 101.32118364p ic=0\n.save v(b)\n"
                               ".tran 1u 20u 0 0.1u uic\n.end\n";
    const double amplitude = 1e-3 * sqrt(10e-6 / 101.32118364e-12), rate = acos(-1) / 0.1e-6;
    enum { PARTS = 20 };
    struct deck_rows r = deck_rows(deck, "radau", 1e-3);
    double worst = 0;
    for (size_t i = 0; i + 1 < r.count; i++)
        for (int part = 0; part <= PARTS; part++) {
            const double *a = deck_row(&r, i), *b = deck_row(&r, i + 1), s = (double)part / PARTS;
            const double time = a[0] + s * (b[0] - a[0]), line = a[1] + s * (b[1] - a[1]);
            worst = fmax(worst, fabs(line - 30 + amplitude * sin(rate * time)));
        }
    at_most(worst, 2 * 1e-3 * (30 + amplitude), "the error of v(b)", "radau", 1e-3, deck);
    free(r.values);
}

/* ---- random decks: formulas of a source, beside a capacitor and diodes ---- */

enum formula { TANH, ATAN, SQUARE, EXPONENTIAL, LIMIT, MAGNITUDE, LARGER, FORMULAS, SMOOTH = LIMIT };

static double value_of(enum formula f, double gain, double v)
{
    switch (f) {
    case TANH:
        return tanh(gain * v);
    case ATAN:
        return atan(gain * v);
    case SQUARE:
        return v * v;
    case LIMIT:
        return fmax(-1, fmin(1, gain * v));
    case MAGNITUDE:
        return fabs(v);
    case LARGER:
        return fmax(v, 0.2);
    default:
        return 1e-3 * exp(3 * v);
    }
}

static void append_formula(struct written *t, enum formula f, long gain)
{
    switch (f) {
    case TANH:
        append(t, "{tanh(%ld*v(in))}", gain);
        break;
    case ATAN:
        append(t, "{atan(%ld*v(in))}", gain);
        break;
    case LIMIT:
        append(t, "{limit(%ld*v(in),-1,1)}", gain);
        break;
    default:
        append(t, "%s",
               f == SQUARE      ? "{v(in)^2}"
               : f == MAGNITUDE ? "{abs(v(in))}"
               : f == LARGER    ? "{max(v(in),0.2)}"
                                : "{1m*exp(3*v(in))}");
    }
}

static void append_source(struct written *t, uint64_t *seed)
{
    const long amplitude = between(seed, 5, 15);
    append(t, "V1 in 0 ");
    if (between(seed, 0, 2))
        append(t, "SIN(0 %ld.%ld %ld)\n", amplitude / 10, amplitude % 10, between(seed, 5, 60) * 100);
    else
        append(t, "PULSE(-%ld.%ld 1 %ldu %ldu %ldu %ldu %ldu)\n", amplitude / 10, amplitude % 10, between(seed, 0, 99),
               between(seed, 1, 100), between(seed, 1, 100), between(seed, 50, 300), between(seed, 501, 900));
}

static void append_deck(struct written *t, uint64_t *seed, enum formula f, long gain)
{
    append(t, "memoryless\n");
    append_source(t, seed);
    append(t, "B1 0 o I=");
    append_formula(t, f, gain);
    append(t, "\nVm o 0 0\nB2 p 0 V=");
    append_formula(t, f, gain);
    append(t, "\nR1 p 0 1k\nRx in c 1k\nCx c 0 %ldn\n", between(seed, 1, 100));
    if (between(seed, 0, 9) < 6)
        append(t, "Dx c 0 d0\n");
    if (between(seed, 0, 9) < 4)
        append(t, "D1 in q d0\nD2 p q d0\nRq q 0 1k\n");
    append(t, ".model d0 d(is=1e-14)\n.save v(in) v(p) i(vm)\n.tran 2u 1m\n.end\n");
}

/* A few tolerances: a row is read from an interpolant that may miss by one, of a source that may miss by one. */
static void check_deck(uint64_t number)
{
    static const char *const methods[METHODS] = {"auto", "bdf", "rodasp", "trbdf2", "trap"};
    static const long gains[] = {3, 30, 100};
    const char *method = methods[number % METHODS];
    const double reltol = number / METHODS % 2 ? 1e-5 : 1e-3;
    uint64_t seed = number;
    struct written text = {.used = 0};
    next_random(&seed);
    const enum formula f = (enum formula)between(&seed, 0, (getenv("KNOTEN_KINKS") ? FORMULAS : SMOOTH) - 1);
    const long gain = gains[between(&seed, 0, 2)];
    append_deck(&text, &seed, f, gain);
    struct deck_rows r = deck_rows(text.at, method, reltol);
    double voltage = 0, current = 0, low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < r.count; i++) {
        const double *row = deck_row(&r, i), right = value_of(f, (double)gain, row[1]);
        voltage = fmax(voltage, fabs(row[2] - right));
        current = fmax(current, fabs(row[3] - right));
        low = fmin(low, right);
        high = fmax(high, right);
    }
    const double bound = 4 * (reltol * (high - low) + 1e-6);
    char what[60];
    snprintf(what, sizeof what, "seed %ld: the error of v(p)", (long)number);
    at_most(voltage, bound, what, method, reltol, text.at);
    snprintf(what, sizeof what, "seed %ld: the error of i(vm)", (long)number);
    at_most(current, bound, what, method, reltol, text.at);
    free(r.values);
}

static long number_from(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : otherwise;
}

static void every_row_of_random_decks_obeys_formulas(void)
{
    const long first = number_from("KNOTEN_SEED", 1), count = number_from("KNOTEN_CIRCUITS", CIRCUITS);
    for (long number = first; number < first + count; number++)
        check_deck((uint64_t)number);
}

/* Newton's method needs shorter steps than tstep/1000 in an edge of 5 ns, in which the collector dips to 1.69 V: that is no jump,
 * and the charges of a step of implicit Euler are known, so that rows inside it come from the equations. */
static void a_short_step_that_saves_newtons_method_is_no_jump(void)
{
    static const char deck[] =
        "dip\nVCC vcc 0 5\nV1 in 0 PULSE(-10 10 2.5e-05 5e-09 2.5e-05 5e-05 0.0002)\nR1 in 1 1k\n"
        "R2 vcc 2 2.2k\nR3 3 0 1k\nR4 2 3 10k\nR5 1 3 22k\nQ0 2 1 3 q0\n.model q0 npn(is=1e-15 bf=80)\n"
        ".save v(2)\n.tran 2e-06 0.001\n.end\n";
    struct deck_rows r = deck_rows(deck, "radau", 1e-7);
    double least = INFINITY;
    for (size_t i = 0; i < r.count; i++)
        if (deck_row(&r, i)[0] > 2.2499e-4 && deck_row(&r, i)[0] < 2.2501e-4)
            least = fmin(least, deck_row(&r, i)[1]);
    CU_ASSERT(least < 1.7);
    free(r.values);
}

/* A step within an edge of 5 ns, too short for an unknown without memory to reject it, leads from one side of a peak of 1.2 V to the
 * other.  The unknown is off where the step ends, but between its ends the equations say what it is: there is no jump. */
static void a_peak_within_a_short_step_shows(void)
{
    static const char *const methods[] = {"auto", "bdf", "trap", "trbdf2", "rodasp", "radau"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int place = 1; place < 10; place++) {
            char deck[300];
            snprintf(deck, sizeof deck,
                     "peak\nV1 a 0 PULSE(0 1 100u 5n 5n 1 2)\nR1 a 0 1k\nR2 b 0 1k\n"
                     "B1 b 0 V=exp(-((v(a)-0.%d)/0.03)^2)+0.3*tanh(200*(v(a)-0.%d))\n.save v(b)\n.tran 2u 1m\n.end\n",
                     place, place);
            struct deck_rows r = deck_rows(deck, methods[m], 1e-3);
            const double peak = deck_rows_largest(&r, 0, 1);
            at_most(fabs(peak - 1.2129), 0.01, "the peak", methods[m], 1e-3,
                    deck); /* e^-0.0504 + 0.3 tanh(1.347), the maximum */
            free(r.values);
        }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(a_peak_within_a_short_step_shows),
        CLAIM(a_short_step_that_saves_newtons_method_is_no_jump),
        CLAIM(an_ammeter_shows_the_formula_of_its_source),
        CLAIM(a_collector_takes_no_more_than_the_tail_delivers),
        CLAIM(rows_keep_reltol_where_rounding_widens_the_tolerance_of_steps),
        CLAIM(slopes_between_steps_are_no_noise_of_fast_junctions),
        CLAIM(an_echo_before_the_end_of_a_step_does_not_bend_it),
        CLAIM(currents_do_not_swing_in_steps_that_output_does_not_resolve),
        CLAIM(slopes_of_charges_do_not_change_their_sign_behind_a_kink),
        CLAIM(stages_do_not_swing_in_steps_that_output_does_not_resolve),
        CLAIM(rows_in_steps_that_output_does_not_resolve_follow_constraints),
        CLAIM(looks_at_steps_that_output_does_not_resolve_cost_little),
        CLAIM(charges_of_sources_at_rest_cost_no_iterations),
        CLAIM(slopes_that_estimates_vouch_for_are_not_asked),
        CLAIM(points_inside_steps_begin_beside_those_that_are_known),
        CLAIM(a_point_far_from_a_solution_is_no_rounding),
        CLAIM(a_short_layer_leaves_no_wave_in_a_current),
        CLAIM(rows_between_long_steps_are_those_of_a_tight_tolerance),
        CLAIM(a_current_source_shows_its_sine_also_on_lines_between_rows),
        CLAIM(ringing_shows_in_steps_of_half_its_period),
        CLAIM(every_row_of_random_decks_obeys_formulas),
    };
    return run_claims("analyses/between_steps", claims, sizeof claims / sizeof *claims);
}
