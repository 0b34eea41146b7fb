/* messages.c - see messages.h. */
#include "cli/messages.h"

void messages_show(struct messages *m)
{
    if (m->shown == kn_diagnostics_count(m->diagnostics))
        return; /* as nearly always: this is asked in every evaluation */
    const bool colour = terminal_colour(stderr);
    for (; m->shown < kn_diagnostics_count(m->diagnostics); m->shown++) {
        const struct kn_diagnostic *item = kn_diagnostics_get(m->diagnostics, m->shown);
        if (m->quiet && item->severity == KN_NOTE)
            continue;
        progress_clear(m->progress);
        kn_diagnostic_write(item, stderr, colour);
    }
}
