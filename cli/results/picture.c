/* picture.c - see picture.h.  The program reads from and writes to files without name: no pipe that could fill up, and
 * what becomes of the picture on a full disk is seen here, since not every program looks. */
#include "cli/results/picture.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int picture_format(const char *path, const char *const *endings)
{
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && dot > path && endings[i]; i++)
        if (strcasecmp(dot + 1, endings[i]) == 0)
            return i;
    return -1;
}

static enum picture_outcome run(char *const *arguments, int input, int output)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0, error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return PICTURE_FAILED;
    error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (error == 0)
        error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    while (error == 0 && waitpid(child, &status, 0) < 0)
        error = errno == EINTR ? 0 : errno;
    if (error == ENOENT || (error == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127))
        return PICTURE_NO_PROGRAM;
    return error == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? PICTURE_DRAWN : PICTURE_FAILED;
}

static enum picture_outcome copy(FILE *from, const char *path)
{
    char piece[4096];
    FILE *to = fopen(path, "wb");
    bool good = to != NULL;
    rewind(from);
    for (size_t size; good && (size = fread(piece, 1, sizeof piece, from)) > 0;)
        good = fwrite(piece, 1, size, to) == size;
    if (to && fclose(to) != 0)
        good = false;
    if (!good)
        fprintf(stderr, "knoten: cannot write '%s': %s\n", path, strerror(errno));
    return good ? PICTURE_DRAWN : PICTURE_FAILED;
}

enum picture_outcome picture_make(char *const *arguments, void (*write)(const void *context, FILE *to),
                                  const void *context, FILE *output)
{
    FILE *input = tmpfile();
    enum picture_outcome outcome = PICTURE_FAILED;
    if (!input)
        return PICTURE_FAILED;
    write(context, input);
    if (!ferror(input) && fflush(input) == 0 && fseek(input, 0, SEEK_SET) == 0)
        outcome = run(arguments, fileno(input), fileno(output));
    fclose(input);
    return outcome;
}

enum picture_outcome picture_draw(char *const *arguments, void (*write)(const void *context, FILE *to),
                                  const void *context, const char *path)
{
    FILE *output = tmpfile();
    if (!output) {
        perror("knoten: cannot make a temporary file");
        return PICTURE_FAILED;
    }
    enum picture_outcome outcome = picture_make(arguments, write, context, output);
    if (outcome == PICTURE_DRAWN)
        outcome = copy(output, path);
    fclose(output);
    return outcome;
}

void picture_terminal(FILE *script, const char *path)
{
    static const char *const svg[] = {"svg", NULL};
    if (picture_format(path, svg) == 0)
        fputs("set terminal svg size 900,650 dynamic\n", script);
    else
        fputs("if (strstrt(GPVAL_TERMINALS, 'pngcairo')) { set terminal pngcairo size 900,650 } "
              "else { set terminal png size 900,650 }\n",
              script);
}

void picture_text(FILE *script, const char *text)
{
    for (; *text; text++)
        putc(strchr("\"'\\`\n", *text) ? ' ' : *text, script);
}
