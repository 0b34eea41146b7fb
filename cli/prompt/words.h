/* words.h - what may stand where a person writes: commands, vectors, files. */
#ifndef CLI_PROMPT_WORDS_H
#define CLI_PROMPT_WORDS_H

#include "control/session/session.h"

struct words {
    struct session *session;
    char **items; /* of the place that was asked about last */
    size_t count, capacity;
};

/* An editing_word; the context is a struct words. */
const char *words_at(void *context, const char *before, const char *start, size_t i);
void words_free(struct words *w);

#endif
