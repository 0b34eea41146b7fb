/* picture.c - see picture.h.  The program reads from a file without name: no pipe that could fill up. */
#include "cli/picture.h"

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

static enum picture_outcome run(char *const *arguments, int input)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0, error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return PICTURE_FAILED;
    error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (error == 0)
        error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    while (error == 0 && waitpid(child, &status, 0) < 0)
        error = errno == EINTR ? 0 : errno;
    if (error == ENOENT || (error == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127))
        return PICTURE_NO_PROGRAM;
    return error == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? PICTURE_DRAWN : PICTURE_FAILED;
}

enum picture_outcome picture_draw(char *const *arguments, void (*write)(const void *context, FILE *to),
                                  const void *context)
{
    FILE *input = tmpfile();
    if (!input) {
        perror("knoten: cannot make a temporary file");
        return PICTURE_FAILED;
    }
    write(context, input);
    const bool good = !ferror(input) && fflush(input) == 0 && fseek(input, 0, SEEK_SET) == 0;
    const enum picture_outcome outcome = good ? run(arguments, fileno(input)) : PICTURE_FAILED;
    fclose(input);
    return outcome;
}
