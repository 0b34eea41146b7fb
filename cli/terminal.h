/* terminal.h - what the screen can do, and a progress bar on it. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* A terminal that shows colours and a user who has not asked for none (NO_COLOR, TERM=dumb). */
bool terminal_colour(FILE *stream);
/* The user's locale shows UTF-8. */
bool terminal_utf8(void);
/* Size in characters; 80 x 24 where there is no terminal (COLUMNS and LINES have the last word). */
int terminal_width(FILE *stream);
int terminal_height(FILE *stream);

/* A bar on stderr, shown after a second, redrawn ten times a second.  A negative fraction is 1 less than the
 * part that is done of the search of the operating point. */
struct progress {
    bool wanted; /* stderr is a terminal */
    bool shown;
    double start, drawn; /* s */
};

void progress_start(struct progress *p, bool wanted);
void progress_show(struct progress *p, double fraction);
/* Makes room for other text. */
void progress_clear(struct progress *p);

#endif
