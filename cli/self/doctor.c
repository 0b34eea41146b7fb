/* doctor.c - `knoten doctor`: which helpers of knoten this machine has, what they are for and where they come from. */
#include "base/json.h"
#include "cli/command.h"
#include "knoten.h"

#include <ctype.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { VERSION = 64 };

/* Something that may be there. */
struct helper {
    const char *name;
    const char *purpose, *remedy;
    /* Whether it is there; its version, "" where it does not tell. */
    bool (*find)(const struct helper *h, char version[VERSION]);
    const char *command; /* for the shell: prints the version */
};

/* ---- finding ---- */

/* The first number with a point, or a number alone: "5.4" of "gnuplot 5.4 patchlevel 4". */
static void take_version(const char *line, char version[VERSION])
{
    const char *best = "";
    for (const char *c = line; *c; c += *c ? 1 : 0) {
        const size_t length = strspn(c, "0123456789.");
        if (!isdigit((unsigned char)*c))
            continue;
        if (!*best || memchr(c, '.', length)) {
            best = c;
            if (memchr(c, '.', length))
                break;
        }
        c += length - 1;
    }
    size_t length = strspn(best, "0123456789.");
    length -= length > 0 && best[length - 1] == '.';
    snprintf(version, VERSION, "%.*s", (int)length, best);
}

/* What says nothing on being asked for its version is not there. */
static bool find_program(const struct helper *h, char version[VERSION])
{
    char line[256];
    bool there = false;
    FILE *pipe = popen(h->command, "r");
    *version = '\0';
    while (pipe && fgets(line, sizeof line, pipe)) {
        there = true;
        if (!*version)
            take_version(line, version);
    }
    return pipe && pclose(pipe) == 0 && there;
}

static bool find_arpack(const struct helper *h, char version[VERSION])
{
    (void)h;
    *version = '\0';
#ifdef KNOTEN_ARPACK
    return true;
#else
    return false;
#endif
}

static bool find_libedit(const struct helper *h, char version[VERSION])
{
    void *loaded = NULL;
    (void)h;
    *version = '\0';
#ifdef KNOTEN_LIBEDIT
    loaded = dlopen(KNOTEN_LIBEDIT, RTLD_LAZY);
    if (loaded)
        dlclose(loaded);
#endif
    return loaded;
}

/* Beside this program, as ranks.c looks for it. */
static bool find_mpi(const struct helper *h, char version[VERSION])
{
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof "-mpi");
    if (length <= 0)
        return false;
    path[length] = '\0';
    if (length < 4 || strcmp(path + length - 4, "-mpi") != 0)
        strcpy(path + length, "-mpi");
    return access(path, X_OK) == 0 && find_program(h, version);
}

#define PROGRAM(name, asked, purpose, remedy)                                                                          \
    {                                                                                                                  \
        name, purpose, remedy, find_program, "{ " asked "; } 2>/dev/null </dev/null"                                   \
    }

static const struct helper helpers[] = {
    PROGRAM("gnuplot", "gnuplot --version", "pictures of waveforms and of knoten compare as SVG, PNG and PDF",
            "apt install gnuplot-nox"),
    PROGRAM("Graphviz", "{ dot -V 2>&1; }", "circuit graphs: knoten check --graph", "apt install graphviz"),
    {"ARPACK", "poles and zeros of large circuits (.pz)", "apt install libarpack2-dev, then build knoten again",
     find_arpack, NULL},
    {"libedit", "editing, history and completion of lines in knoten -i",
     "apt install libedit2; or libedit-dev, then build knoten again", find_libedit, NULL},
    {"MPI", "sweeps on several machines: mpirun -n 4 knoten --mpi DECK",
     "the package knoten-mpi; or apt install libopenmpi-dev openmpi-bin, then build knoten again", find_mpi,
     "mpirun --version 2>/dev/null </dev/null"},
    PROGRAM("C compiler", "cc -dumpfullversion -dumpversion", "programs with libknoten, devices of your own",
            "apt install gcc libc6-dev"),
    PROGRAM("npm", "npm --version", "fetches uPlot when knoten is built: plots in HTML", "apt install npm"),
    PROGRAM("Python", "/usr/bin/python3 --version", "knoten from Python", "apt install python3 python3-numpy"),
    PROGRAM("NumPy", "/usr/bin/python3 -c 'import numpy; print(numpy.__version__)'", "waveforms as arrays in Python",
            "apt install python3-numpy"),
    PROGRAM("ngspice", "ngspice --version | grep -m 1 '[0-9]'", "comparisons in the test-suite and bench/run",
            "apt install ngspice"),
};
enum { HELPERS = sizeof helpers / sizeof *helpers };

/* ---- telling ---- */

static void print_one(const struct helper *h)
{
    char version[VERSION];
    const bool found = h->find(h, version);
    printf("%-11s %-9s %-9s %s\n", h->name, found ? "found" : "missing", found ? version : "", h->purpose);
    if (!found)
        printf("%-11s %-9s on Debian: %s\n", "", "", h->remedy);
}

static void json_one(struct json *j, const struct helper *h)
{
    char version[VERSION];
    const bool found = h->find(h, version);
    json_open(j, NULL, '{');
    json_text(j, "name", h->name);
    json_bool(j, "found", found);
    json_text(j, "version", found && *version ? version : NULL);
    json_text(j, "purpose", h->purpose);
    json_text(j, "remedy", found ? NULL : h->remedy);
    json_close(j);
}

static int examine(void *settings, struct job *j)
{
    const struct common_settings *s = settings;
    if (!s->json) {
        printf("knoten %s needs none of these to simulate.\n\n", kn_version());
        for (size_t i = 0; i < HELPERS; i++)
            print_one(&helpers[i]);
        return EXIT_DONE;
    }
    struct json w = json_begin(job_report(j));
    json_open(&w, NULL, '{');
    json_text(&w, "knoten", kn_version());
    json_open(&w, "helpers", '[');
    for (size_t i = 0; i < HELPERS; i++)
        json_one(&w, &helpers[i]);
    json_close(&w);
    json_close(&w);
    return EXIT_DONE;
}

static const char *no_names(size_t i, const char **title)
{
    (void)i;
    *title = NULL;
    return NULL;
}

static const struct option options[] = {
    JSON_OPTION("the same as one JSON object"),
    HELP_OPTION,
};

const struct command doctor_command =
    SELF_COMMAND("doctor", "[--json]", "says which helpers this machine has: gnuplot, Graphviz, MPI ..", no_names,
                 struct common_settings, examine, {"knoten doctor", "what is there, and how to get what is not"});
