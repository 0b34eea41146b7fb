/* picture.c - see picture.h.  The program reads from and writes to files without name: no pipe that could fill up, and
 * what becomes of the picture on a full disk is seen here, since not every program looks. */
#include "cli/results/picture.h"

#include "cli/files.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
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

/* Ours, but text is UTF-8 and numbers have points, whatever the user's locale; to be freed, NULL without memory. */
static char **environment(void)
{
    static char locale[] = "LC_ALL=C.UTF-8";
    size_t count = 0, kept = 0;
    while (environ[count])
        count++;
    char **made = calloc(count + 2, sizeof *made);
    for (size_t i = 0; made && i < count; i++)
        if (strncmp(environ[i], "LC_ALL=", strlen("LC_ALL=")) != 0)
            made[kept++] = environ[i];
    if (made)
        made[kept] = locale;
    return made;
}

enum picture_outcome picture_program(char *const *arguments, int input, int output)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    char **variables = environment();
    int status = 0, error = variables ? posix_spawn_file_actions_init(&actions) : ENOMEM;
    if (error != 0) {
        free(variables);
        return PICTURE_FAILED;
    }
    error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (error == 0)
        error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, variables);
    posix_spawn_file_actions_destroy(&actions);
    free(variables);
    while (error == 0 && waitpid(child, &status, 0) < 0)
        error = errno == EINTR ? 0 : errno;
    if (error == ENOENT || (error == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127))
        return PICTURE_NO_PROGRAM;
    return error == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? PICTURE_DRAWN : PICTURE_FAILED;
}

static enum picture_outcome copy(FILE *from, const char *path)
{
    FILE *to = files_open(path);
    rewind(from);
    const bool copied = to && files_copy(from, to);
    return to && files_close(to, path) && copied ? PICTURE_DRAWN : PICTURE_FAILED;
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
        outcome = picture_program(arguments, fileno(input), fileno(output));
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
