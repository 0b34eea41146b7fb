/* deck_statements.c - a prepared text through scanner and grammar. */
#include "netlist/deck/deck_scan.h"

#include "deck_parser.h"
#include "deck_scanner.h"

#include <setjmp.h>

static bool set_up(const struct deck_text *t, struct deck_scan *scan, yyscan_t scanner)
{
    jmp_buf failure;
    scan->fatal = &failure;
    if (setjmp(failure))
        return false;
    deck_yy_scan_buffer(t->text, t->length + 2, scanner);
    return true;
}

enum kn_status deck_statements(struct arena *arena, const struct deck_text *t, struct kn_diagnostics *d,
                               struct deck_counts *counts, struct statements *list)
{
    struct deck_scan scan = {.arena = arena,
                             .diagnostics = d,
                             .text = t,
                             .included = !t->has_title,
                             .counts = counts,
                             .statements = list,
                             .line = 1 + t->lines_before,
                             .column = 1,
                             .at_head = true};
    yyscan_t scanner = NULL;
    if (deck_yylex_init_extra(&scan, &scanner) != 0)
        return KN_ERROR_MEMORY;
    enum kn_status status = KN_ERROR_MEMORY;
    if (set_up(t, &scan, scanner) && deck_yyparse(&scan, scanner) != 2 && !scan.out_of_memory)
        status = scan.failed ? KN_ERROR_DECK : KN_OK;
    deck_yylex_destroy(scanner);
    return status;
}
