/* Dialects by their names. */
#include "claims.h"

#include "netlist/dialect.h"

#include <string.h>

static void each_dialect_is_found_by_its_name_in_any_case(void)
{
    for (int i = 0; i < DIALECTS; i++) {
        enum dialect found = DIALECTS;
        CU_ASSERT(dialect_by_name(dialect_name((enum dialect)i), &found) && (int)found == i);
        found = DIALECTS;
        CU_ASSERT(dialect_by_name(dialect_title((enum dialect)i), &found) && (int)found == i);
    }
}

static void a_name_of_nothing_is_no_dialect(void)
{
    enum dialect found = DIALECT_XYCE;
    CU_ASSERT(!dialect_by_name("eldo", &found));
    CU_ASSERT(found == DIALECT_XYCE);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(each_dialect_is_found_by_its_name_in_any_case),
        CLAIM(a_name_of_nothing_is_no_dialect),
    };
    return run_claims("dialect", claims, sizeof claims / sizeof *claims);
}
