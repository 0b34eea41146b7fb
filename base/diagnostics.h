/* diagnostics.h - how the library's own code reports what went wrong (see knoten.h for how a caller reads it).
 *
 * All functions copy what they are given.  When memory runs out while reporting, the message is dropped but the count
 * of errors still grows, so a failure is never taken for success.
 */
#ifndef BASE_DIAGNOSTICS_H
#define BASE_DIAGNOSTICS_H

#include "knoten.h"

#include <stdarg.h>

/* No place in particular. */
#define NOWHERE ((struct kn_location){NULL, 0, 0, 0})

/* Makes the text of a file known, so that later messages can show the line they speak of. */
void diagnostics_source(struct kn_diagnostics *d, const char *file, const char *text, size_t length);

/* Adds a message, unless it is there already: the same text about the same place.  hint may be NULL.  d may be NULL (the
 * message is dropped). */
void diagnostics_add(struct kn_diagnostics *d, enum kn_severity severity, const char *code, struct kn_location where,
                     const char *hint, const char *format, ...) KN_PRINTF(6, 7);

/* The same for all files that another list knows. */
void diagnostics_sources(struct kn_diagnostics *to, const struct kn_diagnostics *from);

/* Forgets the messages, which have been told; texts of files stay known. */
void diagnostics_clear(struct kn_diagnostics *d);

/* Adds all messages of another list; to nothing where there is none. */
void diagnostics_copy(struct kn_diagnostics *to, const struct kn_diagnostics *from);

/* The text of the first error; NULL: there is none. */
const char *diagnostics_first_error(const struct kn_diagnostics *d);

/* Whether a message says that memory is exhausted (code "memory") or was dropped for that. */
bool diagnostics_exhausted(const struct kn_diagnostics *d);

/* Like diagnostics_add; the hint is itself formatted by the caller with diagnostics_hint. Returns d's own copy,
 * valid until d is freed; NULL without memory. */
const char *diagnostics_hint(struct kn_diagnostics *d, const char *format, ...) KN_PRINTF(2, 3);
/* The hint "did you mean '..'?"; NULL for a guess that is NULL. */
const char *diagnostics_meant(struct kn_diagnostics *d, const char *guess);

#endif
