/* run_text.h - reads the text of a deck and runs all its analyses. */
#ifndef TESTS_RUN_TEXT_H
#define TESTS_RUN_TEXT_H

#include "knoten.h"

#include <string.h>

/* Messages go to d; options and summary may be NULL. */
static inline enum kn_status run_text(const char *text, const struct kn_options *options, struct kn_diagnostics *d,
                                      struct kn_sink *sink, struct kn_summary *summary)
{
    struct kn_circuit *c = NULL;
    enum kn_status status = kn_circuit_read_text("deck", text, strlen(text), d, &c);
    if (status == KN_OK)
        status = kn_run(c, options, d, sink, summary);
    kn_circuit_free(c);
    return status;
}

#endif
