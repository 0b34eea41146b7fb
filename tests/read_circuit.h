/* read_circuit.h - a deck read and expanded once. */
#ifndef TESTS_READ_CIRCUIT_H
#define TESTS_READ_CIRCUIT_H

#include "netlist/netlist.h"

static inline enum kn_status expand_read(enum kn_status status, struct deck *k, struct kn_diagnostics *d,
                                         struct circuit **out)
{
    *out = NULL;
    if (status == KN_OK)
        status = deck_expand(k, NULL, NULL, d, out);
    deck_free(k);
    return status;
}

static inline enum kn_status circuit_read_text(const struct catalogue *catalogue, const char *file, const char *text,
                                               size_t length, struct kn_diagnostics *d, struct circuit **out)
{
    struct deck *k;
    const enum kn_status status = deck_parse_text(catalogue, file, text, length, NULL, d, &k);
    return expand_read(status, k, d, out);
}

static inline enum kn_status circuit_read_file(const struct catalogue *catalogue, const char *path,
                                               struct kn_diagnostics *d, struct circuit **out)
{
    struct deck *k;
    const enum kn_status status = deck_parse_file(catalogue, path, NULL, d, &k);
    return expand_read(status, k, d, out);
}

#endif
