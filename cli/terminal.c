/* terminal.c - see terminal.h. */
#define _DEFAULT_SOURCE /* struct winsize */
#include "cli/terminal.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool terminal_colour(FILE *stream)
{
    const char *off = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(fileno(stream)) && !(off && *off) && !(term && strcmp(term, "dumb") == 0);
}

bool terminal_utf8(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (!value || !*value)
            continue;
        const char *codeset = strchr(value, '.');
        return codeset && (strncasecmp(codeset, ".utf-8", 6) == 0 || strncasecmp(codeset, ".utf8", 5) == 0);
    }
    return false;
}

static int size_of(FILE *stream, const char *variable, bool width, int otherwise)
{
    const char *text = getenv(variable);
    const long asked = text ? strtol(text, NULL, 10) : 0;
    if (asked >= 10 && asked <= 10000)
        return (int)asked;
    struct winsize size;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col >= 10 && size.ws_row >= 5)
        return width ? size.ws_col : size.ws_row;
    return otherwise;
}

int terminal_width(FILE *stream)
{
    return size_of(stream, "COLUMNS", true, 80);
}

int terminal_height(FILE *stream)
{
    return size_of(stream, "LINES", false, 24);
}

void progress_start(struct progress *p, bool wanted)
{
    *p = (struct progress){.wanted = wanted && isatty(STDERR_FILENO), .start = clock_seconds(CLOCK_MONOTONIC)};
}

/* "12 s", "3 min", "2 h" */
static void print_left(double seconds)
{
    const double minutes = seconds / 60;
    if (seconds < 100)
        fprintf(stderr, ", %.0f s left   ", seconds);
    else if (minutes < 100)
        fprintf(stderr, ", %.0f min left   ", minutes);
    else
        fprintf(stderr, ", %.1f h left   ", minutes / 60);
}

void progress_show(struct progress *p, double fraction)
{
    enum { BAR = 40 };
    const double SOME = 0.01; /* of the work: less tells nothing of how long the rest takes */
    if (!p->wanted)
        return;
    const double now = clock_seconds(CLOCK_MONOTONIC);
    if (now - p->start < 1 || now - p->drawn < 0.1)
        return;
    p->drawn = now;
    p->shown = true;
    if (fraction < 0) {
        const double sought = 1 + fraction;
        fprintf(stderr, "\rfinding the operating point, %.0f s", now - p->start);
        if (sought > SOME)
            print_left((now - p->start) * (1 - sought) / sought);
        fflush(stderr);
        return;
    }
    const double part = fraction > 1 ? 1 : fraction;
    char bar[BAR + 1];
    memset(bar, '.', BAR);
    memset(bar, '#', (size_t)(part * BAR));
    bar[BAR] = '\0';
    fprintf(stderr, "\r[%s] %5.1f %%", bar, 100 * part);
    if (part > SOME)
        print_left((now - p->start) * (1 - part) / part);
    fflush(stderr);
}

void progress_clear(struct progress *p)
{
    if (p->shown)
        fprintf(stderr, "\r%70s\r", "");
    p->shown = false;
}
