/* summary.h - what a run came to, as members of a JSON object. */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include "base/json.h"
#include "cli/command.h"
#include "knoten.h"

static inline const char *outcome_of(enum kn_status status)
{
    return status == KN_OK                     ? "done"
           : status == KN_INTERRUPTED          ? "interrupted"
           : exit_status(status) == EXIT_USAGE ? "refused"
                                               : "failed";
}

static inline void summary_write_json(const struct kn_summary *s, struct json *w)
{
    json_number(w, "unknowns", s->unknowns);
    json_text(w, "method", s->method);
    json_number(w, "steps_accepted", (double)s->steps_accepted);
    json_number(w, "steps_rejected", (double)s->steps_rejected);
    json_number(w, "newton_iterations", (double)s->newton_iterations);
    json_number(w, "factorizations", (double)s->factorizations);
}

#endif
