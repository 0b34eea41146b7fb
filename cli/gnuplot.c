/* gnuplot.c - see gnuplot.h.  gnuplot is a child process that reads the script from a pipe. */
#include "cli/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

bool gnuplot_knows(const char *path)
{
    return ends_with(path, ".svg") || ends_with(path, ".png");
}

/* Starts the child with the reading end as its input; an errno. */
static int start(pid_t *child, int reading, int writing)
{
    char *arguments[] = {"gnuplot", "-", NULL};
    posix_spawn_file_actions_t actions;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure)
        return failure;
    failure = posix_spawn_file_actions_adddup2(&actions, reading, STDIN_FILENO);
    if (!failure)
        failure = posix_spawn_file_actions_addclose(&actions, writing);
    if (!failure && reading != STDIN_FILENO)
        failure = posix_spawn_file_actions_addclose(&actions, reading);
    if (!failure)
        failure = posix_spawnp(child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

/* A string of gnuplot between single quotes, where only the quote itself is special. */
static void write_quoted(FILE *script, const char *text)
{
    putc('\'', script);
    for (; *text; text++)
        fprintf(script, *text == '\'' ? "''" : "%c", *text);
    putc('\'', script);
}

static void write_head(FILE *script, const char *path)
{
    if (ends_with(path, ".svg"))
        fputs("set terminal svg size 900,650 dynamic\n", script);
    else
        fputs("if (strstrt(GPVAL_TERMINALS, 'pngcairo')) { set terminal pngcairo size 900,650 } "
              "else { set terminal png size 900,650 }\n",
              script);
    fputs("set output ", script);
    write_quoted(script, path);
    putc('\n', script);
}

static bool ended_well(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

enum gnuplot_outcome gnuplot_draw(const char *path, void (*write)(const void *context, FILE *script),
                                  const void *context)
{
    int ends[2];
    pid_t child;
    if (pipe(ends) != 0)
        return GNUPLOT_FAILED;
    const int failure = start(&child, ends[0], ends[1]);
    close(ends[0]);
    if (failure) {
        close(ends[1]);
        return failure == ENOENT ? GNUPLOT_MISSING : GNUPLOT_FAILED;
    }
    FILE *script = fdopen(ends[1], "w");
    bool good = script != NULL;
    if (good) {
        write_head(script, path);
        write(context, script);
        good = !ferror(script);
        good = fclose(script) == 0 && good;
    } else {
        close(ends[1]);
    }
    return ended_well(child) && good ? GNUPLOT_DRAWN : GNUPLOT_FAILED;
}
