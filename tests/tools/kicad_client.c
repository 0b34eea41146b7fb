/* kicad_client.c - what KiCad's simulator does with ngspice's library, call for call in its order (eeschema/sim of KiCad 8 and
 * 9), for test_libngspice.sh: the library is opened by name, told off with what its init file says, given an empty circuit, then
 * circuits as KiCad writes them, which run in a thread of the library; the results are read under its lock when that thread
 * has said that it is done.  What comes back is printed as ngspice_client.c does.
 *
 *   kicad_client LIBRARY FOLDER_OF_CODE_MODELS NETLIST..
 */
#define HAS_NG_BOOL 1
#include <stdbool.h>

#include <dlfcn.h>
#include <math.h>
#include <ngspice/sharedspice.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static struct {
    int (*init)(SendChar *, SendStat *, ControlledExit *, SendData *, SendInitData *, BGThreadRunning *, void *);
    int (*circ)(char **), (*command)(char *);
    pvector_info (*vector)(char *);
    char *(*input_path)(const char *), *(*current)(void);
    char **(*plots)(void), **(*vectors)(char *);
    NG_BOOL (*running)(void);
    int (*lock)(void), (*unlock)(void);
} ng;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int begun, ended, left;
static bool foreign; /* a callback has not got what it is to have */
static bool said_esave;
static int user;

static int take_text(char *text, int ident, void *of)
{
    (void)ident;
    foreign |= of != &user;
    pthread_mutex_lock(&mutex);
    said_esave |= strstr(text, "Command: esave none") != NULL;
    pthread_mutex_unlock(&mutex);
    return 0;
}

static int take_status(char *text, int ident, void *of)
{
    (void)text, (void)ident;
    foreign |= of != &user;
    return 0;
}

static int take_exit(int status, NG_BOOL at_once, NG_BOOL upon_quit, int ident, void *of)
{
    (void)status, (void)at_once, (void)upon_quit, (void)ident, (void)of;
    left++;
    return 0;
}

static int take_running(NG_BOOL finished, int ident, void *of)
{
    (void)ident;
    foreign |= of != &user;
    pthread_mutex_lock(&mutex);
    begun += !finished;
    ended += finished;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    return 0;
}

static int command(const char *words)
{
    char line[1000];
    snprintf(line, sizeof line, "%s", words);
    return ng.command(line);
}

/* dlsym gives a pointer to an object, which a function's is not in C. */
static void *find(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (!found) {
        printf("no %s\n", name);
        exit(1);
    }
    return found;
}

static void load(const char *name)
{
    void *library = dlopen(name, RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(77);
    }
    *(void **)&ng.init = find(library, "ngSpice_Init");
    *(void **)&ng.circ = find(library, "ngSpice_Circ");
    *(void **)&ng.command = find(library, "ngSpice_Command");
    *(void **)&ng.vector = find(library, "ngGet_Vec_Info");
    *(void **)&ng.input_path = find(library, "ngCM_Input_Path");
    *(void **)&ng.current = find(library, "ngSpice_CurPlot");
    *(void **)&ng.plots = find(library, "ngSpice_AllPlots");
    *(void **)&ng.vectors = find(library, "ngSpice_AllVecs");
    *(void **)&ng.running = find(library, "ngSpice_running");
    *(void **)&ng.lock = dlsym(library, "ngSpice_LockRealloc"); /* ngspice has them since 40 */
    *(void **)&ng.unlock = dlsym(library, "ngSpice_UnlockRealloc");
    printf("init %d\n", ng.init(take_text, take_status, take_exit, NULL, NULL, take_running, &user));
}

static int circuit(const char *text)
{
    char *lines[1000], *copy = strdup(text), *rest;
    size_t count = 0;
    for (char *line = strtok_r(copy, "\n", &rest); line && count < 999; line = strtok_r(NULL, "\n", &rest))
        lines[count++] = strdup(line);
    lines[count] = NULL;
    const int result = ng.circ(lines);
    while (count > 0)
        free(lines[--count]);
    free(copy);
    return result;
}

/* What its file spiceinit has, then the words that are to keep it from asking, then an empty circuit. */
static void set_up(const char *models)
{
    char line[600];
    static const char *const names[] = {"spice2poly", "analog", "digital", "xtradev", "xtraevt", "table"};
    snprintf(line, sizeof line, "set __CMPATH=\"%s\"", models);
    command(line);
    command("alias exit quit");
    command("alias acct rusage all");
    command("set num_threads=4");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(line, sizeof line, "codemodel '%s/%s.cm'", models, names[i]);
        command(line);
    }
    command("set noaskquit");
    command("set nomoremode");
    printf("empty circuit %d\n", circuit("*\n.end"));
}

static void choose_mode(void)
{
    command("unset ngbehavior");
    command("set ngbehavior=ltpsa");
}

static void wait_for(int ends)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 20;
    pthread_mutex_lock(&mutex);
    while (ended < ends && pthread_cond_timedwait(&changed, &mutex, &until) == 0)
        ;
    printf("finished: %s\n", ended >= ends ? "told" : "not told");
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 2000 && ng.running(); i++)
        nanosleep(&(struct timespec){0, 5000000}, NULL);
    printf("running: %d\n", ng.running());
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static double size_of(const vector_info *v, int i)
{
    return v->v_realdata ? v->v_realdata[i] : hypot(v->v_compdata[i].cx_real, v->v_compdata[i].cx_imag);
}

/* Along the axis at a part of its length, on a straight line. */
static double value_at(const double *x, const double *y, int count, double part)
{
    const double here = x[0] + part * (x[count - 1] - x[0]);
    int i = 1;
    while (i + 1 < count && (x[count - 1] > x[0] ? x[i] < here : x[i] > here))
        i++;
    const double width = x[i] - x[i - 1];
    return width != 0 ? y[i - 1] + (here - x[i - 1]) / width * (y[i] - y[i - 1]) : y[i];
}

/* Copies under the lock, as the vectors of a diagram are; the number of values. */
static int copy(char *name, double **out)
{
    if (ng.lock)
        ng.lock();
    const vector_info *v = ng.vector(name);
    const int count = v ? v->v_length : 0;
    *out = calloc((size_t)count + 1, sizeof **out);
    for (int i = 0; *out && i < count; i++)
        (*out)[i] = size_of(v, i);
    if (ng.unlock)
        ng.unlock();
    return *out ? count : 0;
}

static bool is_axis(const char *name)
{
    const size_t length = strlen(name);
    return strcmp(name, "time") == 0 || strcmp(name, "frequency") == 0 ||
           (length > 6 && strcasecmp(name + length - 6, "-sweep") == 0);
}

static void show_results(void)
{
    char *plot = ng.current(), **all = ng.vectors(plot), *names[300], axis[100] = "";
    size_t count = 0;
    printf("plot %s:", plot);
    for (; all && all[count] && count < 300; count++)
        names[count] = strdup(all[count]);
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        printf(" %s", names[i]);
        if (is_axis(names[i]))
            snprintf(axis, sizeof axis, "%s", names[i]);
    }
    printf("\n");
    double *x = NULL;
    const int length = *axis ? copy(axis, &x) : 1;
    for (size_t i = 0; i < count; i++) {
        double *y;
        const int own = copy(names[i], &y);
        if (own != length)
            printf("%s has another length than its axis\n", names[i]);
        else if (length == 1)
            printf("value %s = %.12g\n", names[i], y[0]);
        else if (strcmp(names[i], axis) != 0)
            for (int k = 1; k <= 3; k++)
                printf("value %s(%g) = %.12g\n", names[i], k / 4.0, value_at(x, y, length, k / 4.0));
        free(y);
        free(names[i]);
    }
    free(x);
}

/* A signal that the user has made of others, and a measurement beside the diagram. */
static void use_results(const char *netlist)
{
    double *y = NULL;
    if (!strstr(netlist, "\n.tran"))
        return;
    command("echo Command: let user0 = V(\"/out\")*2");
    command("let user0 = V(\"/out\")*2");
    char user0[] = "user0", result[] = "meas_result_0";
    const int count = copy(user0, &y);
    printf("value user0 = %.12g\n", count > 0 ? y[count - 1] : -1);
    free(y);
    command("meas tran meas_result_0 MAX V(/out)");
    const int one = copy(result, &y);
    printf("value meas_result_0 = %.12g\n", one == 1 ? y[0] : -1);
    free(y);
}

static void simulate(const char *path)
{
    static char text[20000];
    static int runs;
    FILE *file = fopen(path, "r");
    const size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[size] = '\0';
    printf("netlist %s\n", path);
    command("reset");
    choose_mode();
    ng.input_path("/tmp/");
    choose_mode();
    command("remcirc");
    printf("circuit %d\n", circuit(text));
    command("echo Command: esave none");
    command("esave none");
    printf("run %d\n", command("bg_run"));
    wait_for(++runs);
    show_results();
    use_results(text);
}

int main(int count, char **words)
{
    if (count < 4)
        return 2;
    load(words[1]);
    set_up(words[2]);
    for (int i = 3; i < count; i++)
        simulate(words[i]);
    printf("stop %d\n", command("bg_halt"));
    command("destroy all");
    int left_over = 0;
    for (char **p = ng.plots(); p && *p; p++)
        left_over++;
    printf("plots left: %d, exits: %d, esave: %d, callbacks %s\n", left_over, left, said_esave,
           foreign ? "foreign" : "right");
    return 0;
}
