/* test_derived_branches.c - branches found from derivatives against those that the families declare. */
#include "devices/derived_branches.h"
#include "harness.h"

static struct branch_list derive(const struct rig *r)
{
    struct branch_list list = {0};
    for (size_t i = 0; i < r->families.count; i++) {
        struct device_class mute = *r->families.families[i].class;
        struct device_family family = r->families.families[i];
        mute.branches = NULL;
        family.class = &mute;
        CU_ASSERT_EQUAL(derived_branches(&family, r->setup, &list), KN_OK);
    }
    return list;
}

static bool same_ends(const struct branch *a, const struct branch *b)
{
    return (a->plus == b->plus && a->minus == b->minus) || (a->plus == b->minus && a->minus == b->plus);
}

static const struct branch *find_like(const struct branch_list *list, const struct branch *b, bool same_kind)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct branch *other = &list->branches[i];
        if (same_ends(other, b) && other->element == b->element &&
            (same_kind ? other->kind == b->kind && other->current == b->current
                       : (other->kind == BRANCH_C) == (b->kind == BRANCH_C)))
            return other;
    }
    return NULL;
}

static bool controls(const struct branch *b, int unknown)
{
    for (size_t i = 0; i < b->control_count; i++)
        if (b->controls[i] == unknown)
            return true;
    return false;
}

/* Every declared branch has been found, of the same kind or (same_kind false) as a flow or a charge between its ends, and
 * with its controls; and, where it is exact, nothing else. */
static void claim_found(const char *deck, bool exact)
{
    struct rig r = rig_need(deck);
    struct branch_list declared = rig_branches(&r), derived = derive(&r);
    for (size_t i = 0; i < declared.count; i++) {
        const struct branch *b = &declared.branches[i], *found = find_like(&derived, b, exact);
        if (!found)
            fprintf(stderr, "\n%s: kind %d between %d and %d not found\n", b->element->name, (int)b->kind, b->plus,
                    b->minus);
        CU_ASSERT_PTR_NOT_NULL(found);
        for (size_t k = 0; found && k < b->control_count; k++) {
            if (!controls(found, b->controls[k]))
                fprintf(stderr, "\n%s: %s is not controlled by %d\n", b->element->name, b->part, b->controls[k]);
            CU_ASSERT(controls(found, b->controls[k]));
        }
        CU_ASSERT(!exact || !found || found->control_count == b->control_count);
    }
    if (exact)
        CU_ASSERT_EQUAL(derived.count, declared.count);
    branch_list_free(&declared);
    branch_list_free(&derived);
    rig_close(&r);
}

static void two_terminals_are_what_they_declare(void)
{
    claim_found("title\nR1 a b 1k\nR2 b 0 0\nC1 a 0 1n\nL1 a b 1u\nV1 a 0 5\n", true);
    claim_found("title\nD1 a b d\n.model d d\nD2 b 0 e\n.model e d(rs=1 cjo=1p tt=1n)\nD3 0 a e\n", true);
}

static void controlled_sources_know_their_controls(void)
{
    claim_found("title\nG1 a b c d 1m\nE1 c 0 a b 2\nR1 d 0 1\n", true);
}

static void transistors_are_found_with_all_their_pieces(void)
{
    claim_found("title\nM1 d g s b n\n.model n nmos(rd=1 tox=20n cgso=1n cgdo=1n cgbo=1n cj=1m cbd=1p cbs=1p gamma=1)\n"
                "M2 d g 0 0 p\n.model p pmos(gamma=0.5)\n",
                false);
    claim_found("title\nQ1 c b e n\n.model n npn(vaf=50 rb=10 rc=1 re=1 cje=1p cjc=1p xcjc=0.5 tf=1n tr=1n cjs=1p)\n"
                "Q2 c b e s p\n.model p pnp\n",
                false);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(two_terminals_are_what_they_declare),
        CLAIM(controlled_sources_know_their_controls),
        CLAIM(transistors_are_found_with_all_their_pieces),
    };
    return run_claims("derived branches", claims, sizeof claims / sizeof *claims);
}
