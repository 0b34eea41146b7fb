/* editing.h - lines from a person: with history, completion and editing where libedit is there and standard input is a
 * terminal, as they come otherwise. */
#ifndef CLI_PROMPT_EDITING_H
#define CLI_PROMPT_EDITING_H

#include <stdbool.h>
#include <stddef.h>

struct editing;

/* The i-th word that may stand where the line has `before` in front of it, beginning with `start` or not; NULL behind the
 * last.  The text lives until the next call. */
typedef const char *editing_word(void *context, const char *before, const char *start, size_t i);

/* history: a file that keeps lines; NULL: none.  NULL without memory. */
struct editing *editing_open(const char *history, editing_word *words, void *context);
void editing_close(struct editing *e);
/* Whether a person types, who sees the prompt. */
bool editing_is_live(const struct editing *e);

enum line_outcome { LINE_READ, LINE_ENDED, LINE_INTERRUPTED };

/* The next line without its end; it lives until the next call. */
enum line_outcome editing_read(struct editing *e, const char *prompt, const char **line);

#endif
