/* test_deck_parasitics.c - Rser, Lser, RLshunt, Rpar and Cpar of LTspice's C, L and V become elements of their own. */
#include "deck_fixture.h"

/* "name first second" of an element, in the arena of the circuit's own strings. */
static void claim_between(const struct reading *r, const char *name, const char *first, const char *second,
                          double value)
{
    const struct element *e = element_named(r, name);
    CU_ASSERT_STRING_EQUAL(node_of(r, e, 0), first);
    CU_ASSERT_STRING_EQUAL(node_of(r, e, 1), second);
    if (e->kind->letter != 'v')
        CHECK_NEAR(e->value, value, 1e-12 * value);
}

static void a_capacitor_has_five_of_them(void)
{
    struct reading r = read_good("V1 a 0 1\nC1 a b 1u Rser=1 Lser=2n RLshunt=3 Rpar=4k Cpar=5p ic=6\nR1 b 0 1\n");
    CU_ASSERT_EQUAL(kn_diagnostics_count(r.diagnostics), 0);
    CU_ASSERT_EQUAL(r.circuit->element_count, 8);
    claim_between(&r, "C1#rser", "a", "C1#rser", 1);
    claim_between(&r, "C1#lser", "C1#rser", "C1#lser", 2e-9);
    claim_between(&r, "C1#rlshunt", "C1#rser", "C1#lser", 3);
    claim_between(&r, "C1", "C1#lser", "b", 1e-6);
    claim_between(&r, "C1#rpar", "a", "b", 4e3);
    claim_between(&r, "C1#cpar", "a", "b", 5e-12);
    CU_ASSERT_EQUAL(element_named(&r, "C1")->setting_count, 1);
    CHECK_NEAR(setting_of(element_named(&r, "C1"), "ic"), 6, 0);
    end_reading(&r);
}

static void an_inductor_has_three_and_a_source_two(void)
{
    struct reading r = read_good("V1 a 0 SIN(0 1 1k) RSER=2 Cpar=1n AC 1\nL1 a 0 1m rser=1 Rpar=2k Cpar=3p m=2\n");
    CU_ASSERT_EQUAL(kn_diagnostics_count(r.diagnostics), 0);
    claim_between(&r, "V1#rser", "a", "V1#rser", 2);
    claim_between(&r, "V1", "V1#rser", "0", 0);
    claim_between(&r, "V1#cpar", "a", "0", 1e-9);
    CHECK_NEAR(element_named(&r, "V1")->source.ac_magnitude, 1, 0);
    claim_between(&r, "L1", "L1#rser", "0", 1e-3);
    claim_between(&r, "L1#rpar", "a", "0", 2e3);
    CHECK_NEAR(setting_of(element_named(&r, "L1#cpar"), "m"), 2, 0); /* two of everything in parallel */
    end_reading(&r);
}

static void a_behavioural_source_has_two_across_it(void)
{
    struct reading r =
        read_good("V1 a 0 1\nB1 b 0 I=v(a) Rpar=1k Cpar=2p\nB2 a b V=1 Rpar=3\nC1 b 0 Q=1u*v(b) Rpar=4\n");
    CU_ASSERT_EQUAL(kn_diagnostics_count(r.diagnostics), 0);
    claim_between(&r, "B1#rpar", "b", "0", 1e3);
    claim_between(&r, "B1#cpar", "b", "0", 2e-12);
    claim_between(&r, "B2#rpar", "a", "b", 3);
    claim_between(&r, "C1#rpar", "b", "0", 4);
    end_reading(&r);
}

static void they_belong_to_their_instance(void)
{
    struct reading r = read_good(".subckt s p esr=1\nC1 p 0 1u Rser={esr}\n.ends\nX1 a s\nX2 a s esr=3\nV1 a 0 1\n");
    claim_between(&r, "X1.C1#rser", "a", "X1.C1#rser", 1);
    claim_between(&r, "x2.c1", "X2.C1#rser", "0", 1e-6);
    CHECK_NEAR(element_named(&r, "x2.c1#rser")->value, 3, 0);
    end_reading(&r);
}

static void zero_is_none(void)
{
    struct reading r = read_good("V1 a 0 1 Rser=0\nC1 a 0 1u Rser=0 Lser=0 RLshunt=5 Cpar={1-1}\n");
    CU_ASSERT_EQUAL(r.circuit->element_count, 2);
    CU_ASSERT_EQUAL(r.circuit->node_count, 2);
    end_reading(&r);
}

static void what_makes_no_sense_is_refused(void)
{
    claim_error("V1 a 0 1\nC1 a 0 1u Rser=-1\n", 3, 16, "value-range", "Rser must not be negative", NULL);
    claim_error("V1 a 0 1\nC1 a 0 Q='1u*v(a)' Rser=1\n", 3, 1, "unsupported", "law", "elements of their own");
    claim_error("V1 a 0 1 Rser={v(a)}\nR1 a 0 1\n", 2, 16, "not-constant", NULL, NULL);
    claim_error("V1 a 0 1\nC1 a 0 1u Rser=q\n", 3, 16, "value", "'q'", NULL);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(a_capacitor_has_five_of_them),
        CLAIM(an_inductor_has_three_and_a_source_two),
        CLAIM(a_behavioural_source_has_two_across_it),
        CLAIM(they_belong_to_their_instance),
        CLAIM(zero_is_none),
        CLAIM(what_makes_no_sense_is_refused),
    };
    return run_claims("deck parasitics", claims, COUNT(claims));
}
