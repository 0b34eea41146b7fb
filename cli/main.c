/* main.c - finds the sub-command and hands over.  A new command is one new file and one line in `commands`. */
#include "base/names.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/ranks.h"
#include "cli/self/help.h"

#include <fcntl.h>
#ifdef __linux__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct command *const commands[] = {
    &run_command,
    &check_command,
    &explain_command,
    &compare_command,
    &verify_command,
    &parasitics_command,
    &report_command,
    &devices_command,
    &cards_command,
    &functions_command,
    &help_command,
    &completion_command,
    &doctor_command,
    &plot_command,
    &prompt_command,
    NULL,
};

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return strcmp(name, "-i") == 0 || strcmp(name, "--interactive") == 0 ? &prompt_command : NULL;
}

/* "chek" where no such file exists: the command it was meant to be, or NULL. */
static const char *meant_command(const char *word)
{
    const char *names[sizeof commands / sizeof *commands];
    size_t count = 0;
    if (word[0] == '-' || access(word, F_OK) == 0)
        return NULL;
    for (; commands[count]; count++)
        names[count] = commands[count]->name;
    return names_closest(word, names, count);
}

static int finish(int status)
{
    return files_finish_output() || status != EXIT_DONE ? status : EXIT_FAILED;
}

/* A stream that the caller closed (>&-) must not become the number of the first file that is opened.  It is opened for
 * the opposite direction, so that using it fails as it would have. */
static void occupy_streams(void)
{
    static const int modes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int stream = 0; stream < 3; stream++)
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", modes[stream]) < 0)
            return;
}

/* Before anything is read or said, so that one process speaks for all. */
static bool begin_ranks(char **arguments)
{
    bool wanted = false;
    for (char **word = arguments; *word; word++)
        wanted |= strcmp(*word, "--mpi") == 0;
    return !wanted || ranks_begin(arguments);
}

/* Large pieces stay what the system gives anew, zeroed and not there before they are written to: glibc would soon take
 * them from memory given back, which it has to zero. */
static void keep_memory_small(void)
{
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
#endif
}

int main(int count, char **arguments)
{
    keep_memory_small();
    occupy_streams();
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is an ordinary error of write */
    if (!begin_ranks(arguments))
        return EXIT_USAGE;
    if (count >= 2 && (strcmp(arguments[1], "--help") == 0 || strcmp(arguments[1], "-h") == 0))
        return finish(help_all());
    const struct command *command = count >= 2 ? find_command(arguments[1]) : NULL;
    if (command)
        return finish(command_run(command, count - 1, arguments + 1));
    const char *meant = count >= 2 ? meant_command(arguments[1]) : NULL;
    if (!meant)
        return finish(command_run(&run_command, count, arguments));
    fprintf(stderr, "knoten: there is no command and no deck '%s'; did you mean 'knoten %s'?\n", arguments[1], meant);
    return EXIT_USAGE;
}
