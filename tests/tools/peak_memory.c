/* peak_memory.c - runs a command and reports what it took:  peak_memory FILE COMMAND [ARGUMENT]..
 *
 * Writes one line "KILOBYTES SECONDS PROCESSOR" (peak resident size, elapsed time, time of the processor) to FILE and exits with the command's status.
 * Stands in for GNU time, which small systems lack. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double of(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static int run(char **command)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        execvp(command[0], command);
        perror(command[0]);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 126;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
    struct rusage usage;
    if (argc < 3) {
        fprintf(stderr, "usage: peak_memory FILE COMMAND [ARGUMENT]..\n");
        return 126;
    }
    double begin = seconds();
    int status = run(argv + 2);
    double elapsed = seconds() - begin;
    FILE *file = fopen(argv[1], "w");
    if (!file || getrusage(RUSAGE_CHILDREN, &usage) != 0)
        return 126;
    fprintf(file, "%ld %.4f %.4f\n", usage.ru_maxrss, elapsed, of(usage.ru_utime) + of(usage.ru_stime));
    fclose(file);
    return status;
}
