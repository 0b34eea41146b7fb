/* messages.h - shows the library's diagnostics on stderr as they come in. */
#ifndef CLI_MESSAGES_H
#define CLI_MESSAGES_H

#include "base/json.h"
#include "cli/terminal.h"
#include "knoten.h"

struct messages {
    struct kn_diagnostics *diagnostics;
    struct progress *progress; /* cleared before a message */
    size_t shown;
    bool quiet; /* no notes */
};

/* Shows what has been added since the last call. */
void messages_show(struct messages *m);

/* All there have been, as "messages": [..]. */
void messages_write_json(const struct messages *m, struct json *to);

#endif
