/* alone.c - a transient of a circuit that nothing else is asked of. */
#include "analyses/transient/transient.h"

enum kn_status transient_alone(const struct circuit *c, const struct transient *request,
                               const struct analysis_options *o, struct kn_diagnostics *d, struct kn_sink *sink,
                               struct analysis_summary *summary)
{
    struct setup s = setup_of(c, o, d);
    *summary = (struct analysis_summary){0};
    const enum kn_status status = transient_run(&s, request, sink, summary);
    setup_close(&s);
    return status;
}
