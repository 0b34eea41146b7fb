/* ngspice_client.c - a program that loads ngspice as a library, for test_libngspice.sh: obeys lines of standard input and
 * prints what comes back, the same for every library of that name.
 *
 *   circ FILE        ngSpice_Circ with the lines of a file
 *   do COMMAND       ngSpice_Command; do! the same, and what it returned
 *   plots, current   ngSpice_AllPlots, ngSpice_CurPlot
 *   vectors PLOT     ngSpice_AllVecs, sorted
 *   vector NAME      ngGet_Vec_Info: its name, type, whether it is real or complex, whether it has numbers
 *   last NAME        its last number
 *   at NAME X        its value where the scale of its plot ("time", "frequency" ..) has reached X, on a straight line
 *   has NAME X       whether one of its numbers is X
 *   length NAME      how many numbers
 *   wait, sleep MS   until nothing runs any more; so many milliseconds
 *   until X          until time has reached X in the background
 *   running          ngSpice_running
 *   breakpoint X     ngSpice_SetBkpt
 *   text WORD        whether what has been said since the last time holds the word
 *   told             what callbacks have heard since the last time
 *   sync             ngSpice_Init_Sync, whose sources give 2 V sin(2 pi 1 kHz t) and 1 mA (1 - exp(-t / 1 ms))
 *   halve X          GetSyncData wishes no step longer than X
 *   event NODE       ngGet_Evt_NodeInfo
 *   watch            ngSpice_Init_Evt
 *   nodes            what its callbacks have heard: the nodes of logic, numbered from 0
 *   heard NODE       and the states that one of them has gone through, with the time of the last
 *   scale NAME       the vector that `at` looks into
 */
#define XSPICE
#define HAS_NG_BOOL 1
#include <stdbool.h>

#include <math.h>
#include <ngspice/sharedspice.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct {
    char *said;
    size_t length;
    int exits, begins, rows, scales, voltages, currents, syncs;
    bool exit_unloads, exit_is_quit, bad;
    int names;                  /* of the last table that began */
    volatile int starts, stops; /* of the background thread */
    double longest_step, last_time;
    char scale[100];
} heard = {.scale = "time"};

static int here; /* what user data point to */

static void nap(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

static int take_text(char *text, int ident, void *user)
{
    const size_t more = strlen(text);
    heard.bad |= user != &here || ident < 0;
    char *longer = realloc(heard.said, heard.length + more + 2);
    if (!longer)
        return 1;
    heard.said = longer;
    memcpy(longer + heard.length, text, more);
    heard.length += more;
    longer[heard.length++] = '\n';
    longer[heard.length] = '\0';
    return 0;
}

static int take_status(char *text, int ident, void *user)
{
    heard.bad |= !text || user != &here || ident < 0;
    return 0;
}

static int take_exit(int status, NG_BOOL unload, NG_BOOL quit, int ident, void *user)
{
    (void)status;
    (void)ident;
    heard.bad |= user != &here;
    heard.exits++;
    heard.exit_unloads = unload;
    heard.exit_is_quit = quit;
    return 0;
}

static int take_begin(pvecinfoall all, int ident, void *user)
{
    (void)ident;
    heard.bad |= user != &here || !all->name || !all->title || !all->type;
    heard.begins++;
    heard.names = all->veccount;
    for (int i = 0; i < all->veccount; i++)
        heard.bad |= !all->vecs[i]->vecname || all->vecs[i]->number != i;
    return 0;
}

static int take_row(pvecvaluesall all, int count, int ident, void *user)
{
    (void)ident;
    heard.bad |= user != &here || count != all->veccount;
    heard.rows++;
    heard.scales = 0;
    for (int i = 0; i < all->veccount; i++) {
        heard.bad |= !all->vecsa[i]->name;
        heard.scales += all->vecsa[i]->is_scale;
    }
    return 0;
}

/* The flag is false when it begins and true when it has ended, whatever the header says. */
static int take_running(NG_BOOL stands, int ident, void *user)
{
    (void)ident;
    heard.bad |= user != &here;
    if (stands)
        heard.stops++;
    else
        heard.starts++;
    return 0;
}

static int give_voltage(double *value, double time, char *name, int ident, void *user)
{
    (void)ident;
    heard.bad |= user != &here || !name;
    heard.voltages++;
    *value = 2 * sin(2 * 3.14159265358979323846 * 1e3 * time);
    return 0;
}

static int give_current(double *value, double time, char *name, int ident, void *user)
{
    (void)ident;
    heard.bad |= user != &here || !name;
    heard.currents++;
    *value = -1e-3 * expm1(-time / 1e-3);
    return 0;
}

static double most_step;

static int synchronise(double time, double *step, double old, int redo, int ident, int place, void *user)
{
    (void)old;
    (void)ident;
    (void)place;
    heard.bad |= user != &here;
    heard.syncs++;
    if (most_step > 0 && *step > most_step)
        *step = most_step;
    if (time > heard.last_time && time - heard.last_time > heard.longest_step)
        heard.longest_step = time - heard.last_time;
    heard.last_time = time;
    return redo;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* ---- nodes of logic, as callbacks tell of them ---- */

enum { MOST_LOGIC = 50, MOST_STATES = 400 };

static struct {
    int count; /* of the dictionary */
    char names[MOST_LOGIC][80], kinds[MOST_LOGIC][20];
    char states[MOST_LOGIC][MOST_STATES]; /* "0s 1s ", those that are new */
    double last[MOST_LOGIC], value[MOST_LOGIC];
    int calls;
} logic;

static int take_node(int index, int most, char *name, char *kind, int ident, void *user)
{
    heard.bad |= user != &here || ident < 0 || index < 0 || index > most || index >= MOST_LOGIC;
    if (index >= 0 && index < MOST_LOGIC) {
        snprintf(logic.names[index], sizeof *logic.names, "%s", name);
        snprintf(logic.kinds[index], sizeof *logic.kinds, "%s", kind);
        logic.count = index + 1 > logic.count ? index + 1 : logic.count;
    }
    return 0;
}

static int take_event(int index, double time, double value, char *state, void *data, int size, int mode, int ident,
                      void *user)
{
    (void)data;
    (void)size;
    (void)mode;
    heard.bad |= user != &here || ident < 0 || index < 0 || index >= MOST_LOGIC;
    logic.calls++;
    if (index < 0 || index >= MOST_LOGIC)
        return 0;
    char *list = logic.states[index];
    const size_t length = strlen(list), more = strlen(state);
    if (length >= more + 1 && strncmp(list + length - more - 1, state, more) == 0)
        return 0; /* told again */
    if (length + more + 2 < MOST_STATES)
        strcat(strcat(list, state), " ");
    logic.last[index] = time;
    logic.value[index] = value;
    return 0;
}

static void tell_nodes(void)
{
    char texts[MOST_LOGIC][120], *list_of[MOST_LOGIC];
    for (int i = 0; i < logic.count; i++) {
        snprintf(texts[i], sizeof texts[i], "%s(%s)", logic.names[i], logic.kinds[i]);
        list_of[i] = texts[i];
    }
    qsort(list_of, (size_t)logic.count, sizeof *list_of, compare);
    printf("nodes:");
    for (int i = 0; i < logic.count; i++)
        printf(" %s", list_of[i]);
    printf("\n");
}

static void tell_heard_of(const char *name)
{
    for (int i = 0; i < logic.count; i++)
        if (strcmp(logic.names[i], name) == 0) {
            printf("heard %s: %s\n", name, logic.states[i]);
            printf("value heard %s = %.6g,%g\n", name, logic.last[i], logic.value[i]);
            return;
        }
    printf("heard %s: nothing\n", name);
}

/* ---- what is asked for ---- */

static void load(const char *path)
{
    enum { MOST = 1000 };
    static char *lines[MOST + 1];
    char line[1000];
    size_t count = 0;
    FILE *f = fopen(path, "r");
    while (f && count < MOST && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        lines[count++] = strdup(line);
    }
    if (f)
        fclose(f);
    lines[count] = NULL;
    printf("circ %d\n", ngSpice_Circ(lines));
    while (count > 0)
        free(lines[--count]);
}

static void list(const char *what, char **names, bool sorted)
{
    char *copy[200];
    size_t count = 0;
    while (names && names[count] && count < 200) {
        copy[count] = names[count];
        count++;
    }
    if (sorted)
        qsort(copy, count, sizeof *copy, compare);
    printf("%s:", what);
    for (size_t i = 0; i < count; i++)
        printf(" %s", copy[i]);
    printf("\n");
}

static double real_of(const vector_info *v, int i)
{
    return v->v_realdata ? v->v_realdata[i] : v->v_compdata[i].cx_real;
}

static double imaginary_of(const vector_info *v, int i)
{
    return v->v_realdata ? 0 : v->v_compdata[i].cx_imag;
}

static void tell_vector(char *name)
{
    const vector_info *v = ngGet_Vec_Info(name);
    if (v)
        printf("vector %s: %s type %d %s %s\n", name, v->v_name, v->v_type,
               v->v_flags & 2   ? "complex"
               : v->v_flags & 1 ? "real"
                                : "nothing",
               v->v_length > 0 ? "numbers" : "empty");
    else
        printf("vector %s: none\n", name);
}

static void tell_value(const char *name, double real, double imaginary, bool is_complex)
{
    printf("value %s = %.12g", name, real);
    if (is_complex)
        printf(",%.12g", imaginary);
    printf("\n");
}

static void tell_last(char *name)
{
    const vector_info *v = ngGet_Vec_Info(name);
    if (!v || v->v_length < 1)
        printf("value %s: none\n", name);
    else
        tell_value(name, real_of(v, v->v_length - 1), imaginary_of(v, v->v_length - 1), !v->v_realdata);
}

/* "tran1.out" -> "tran1.time" */
static void scale_of(const char *name, char *scale, size_t size)
{
    const char *dot = strchr(name, '.');
    snprintf(scale, size, "%.*s%s", dot ? (int)(dot - name) + 1 : 0, name, heard.scale);
}

static void tell_at(char *name, double x)
{
    char scale[200];
    scale_of(name, scale, sizeof scale);
    const vector_info *found = ngGet_Vec_Info(scale);
    if (!found) {
        printf("value %s: no scale\n", name);
        return;
    }
    const vector_info t = *found; /* the next call may use its place */
    const vector_info *v = ngGet_Vec_Info(name);
    int i = 0;
    while (v && i < t.v_length && i < v->v_length && real_of(&t, i) < x)
        i++;
    if (!v || i >= t.v_length || i >= v->v_length) {
        printf("value %s: none at %g\n", name, x);
        return;
    }
    const int before = i > 0 ? i - 1 : 0;
    const double width = real_of(&t, i) - real_of(&t, before), part = width > 0 ? (x - real_of(&t, before)) / width : 1;
    const double real = real_of(v, before) + part * (real_of(v, i) - real_of(v, before));
    const double imaginary = imaginary_of(v, before) + part * (imaginary_of(v, i) - imaginary_of(v, before));
    char label[260];
    snprintf(label, sizeof label, "%s(%g)", name, x);
    tell_value(label, real, imaginary, !v->v_realdata);
}

static void wait_for_end(void)
{
    for (int i = 0; i < 2000 && ngSpice_running(); i++)
        nap(5);
    nap(20); /* a callback may be on its way */
    printf("wait: %s\n", ngSpice_running() ? "still running" : "done");
}

static void wait_until(double x)
{
    static char name[] = "time";
    for (int i = 0; i < 2000; i++) {
        const vector_info *v = ngGet_Vec_Info(name);
        if (v && v->v_length > 0 && real_of(v, v->v_length - 1) >= x)
            break;
        nap(2);
    }
}

static void tell_text(const char *word)
{
    printf("text %s: %s\n", word, heard.said && strstr(heard.said, word) ? "said" : "not said");
    heard.length = 0;
    if (heard.said)
        heard.said[0] = '\0';
}

static void tell_heard(void)
{
    printf("told:%s%s%s%s%s%s%s%s\n", heard.begins ? " begins" : "", heard.rows ? " rows" : "",
           heard.starts ? " starts" : "", heard.stops ? " stops" : "", heard.exits ? " exit" : "",
           heard.exit_is_quit ? " quit" : "", heard.exit_unloads ? " unload" : "", heard.bad ? " BAD" : "");
    if (heard.rows)
        printf("told: %d vectors, %d scale\n", heard.names, heard.scales);
    printf("told:%s%s%s\n", heard.voltages ? " voltages" : "", heard.currents ? " currents" : "",
           heard.syncs ? " syncs" : "");
    heard.exits = heard.begins = heard.rows = heard.starts = heard.stops = 0;
    heard.voltages = heard.currents = heard.syncs = 0;
    heard.exit_unloads = heard.exit_is_quit = false;
}

static void tell_event(char *name)
{
    const evt_shared_data *e = ngGet_Evt_NodeInfo(name);
    if (!e) {
        printf("event %s: none\n", name);
        return;
    }
    printf("event %s:", name);
    for (int i = 0; i < e->num_steps; i++)
        printf(" %s", e->evt_dect[i]->node_value);
    printf("\n");
    if (e->num_steps > 0)
        printf("value event %s = %.6g\n", name, e->evt_dect[e->num_steps - 1]->step);
}

static void tell_whether(char *name, double x)
{
    const vector_info *v = ngGet_Vec_Info(name);
    bool there = false;
    for (int i = 0; v && i < v->v_length; i++)
        there |= fabs(real_of(v, i) - x) <= 1e-9 * fabs(x);
    printf("has %s %g: %d\n", name, x, there);
}

static void obey(char *line)
{
    char *rest = strchr(line, ' ');
    if (rest)
        *rest++ = '\0';
    char *x = rest ? strchr(rest, ' ') : NULL;
    if (strcmp(line, "circ") == 0)
        load(rest);
    else if (strcmp(line, "do") == 0)
        ngSpice_Command(rest);
    else if (strcmp(line, "do!") == 0)
        printf("do %s: %d\n", rest, ngSpice_Command(rest));
    else if (strcmp(line, "plots") == 0)
        list("plots", ngSpice_AllPlots(), false);
    else if (strcmp(line, "current") == 0)
        printf("current: %s\n", ngSpice_CurPlot());
    else if (strcmp(line, "vectors") == 0)
        list("vectors", ngSpice_AllVecs(rest), true);
    else if (strcmp(line, "vector") == 0)
        tell_vector(rest);
    else if (strcmp(line, "last") == 0)
        tell_last(rest);
    else if (strcmp(line, "at") == 0 && x) {
        *x = '\0';
        tell_at(rest, atof(x + 1));
    } else if (strcmp(line, "has") == 0 && x) {
        *x = '\0';
        tell_whether(rest, atof(x + 1));
    } else if (strcmp(line, "length") == 0) {
        const vector_info *v = ngGet_Vec_Info(rest);
        printf("length %s: %d\n", rest, v ? v->v_length : -1);
    } else if (strcmp(line, "wait") == 0)
        wait_for_end();
    else if (strcmp(line, "sleep") == 0)
        nap(atol(rest));
    else if (strcmp(line, "until") == 0)
        wait_until(atof(rest));
    else if (strcmp(line, "running") == 0)
        printf("running: %d\n", ngSpice_running());
    else if (strcmp(line, "breakpoint") == 0)
        printf("breakpoint: %d\n", ngSpice_SetBkpt(atof(rest)));
    else if (strcmp(line, "text") == 0)
        tell_text(rest);
    else if (strcmp(line, "say") == 0) {
        printf("%s", heard.said ? heard.said : "");
        tell_text("");
    } else if (strcmp(line, "told") == 0)
        tell_heard();
    else if (strcmp(line, "sync") == 0) {
        static int ident = 3;
        printf("sync: %d\n", ngSpice_Init_Sync(give_voltage, give_current, synchronise, &ident, &here));
    } else if (strcmp(line, "halve") == 0)
        most_step = atof(rest);
    else if (strcmp(line, "longest") == 0)
        printf("longest: %s\n", heard.longest_step <= most_step * (1 + 1e-9) ? "as wished" : "longer");
    else if (strcmp(line, "event") == 0)
        tell_event(rest);
    else if (strcmp(line, "events") == 0)
        list("events", ngSpice_AllEvtNodes(), true);
    else if (strcmp(line, "watch") == 0)
        printf("watch: %d\n", ngSpice_Init_Evt(take_event, take_node, &here));
    else if (strcmp(line, "nodes") == 0)
        tell_nodes();
    else if (strcmp(line, "heard") == 0)
        tell_heard_of(rest);
    else if (strcmp(line, "scale") == 0)
        snprintf(heard.scale, sizeof heard.scale, "%s", rest);
    else if (*line && *line != '#')
        printf("what is '%s'?\n", line);
}

int main(void)
{
    char line[1000];
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (ngSpice_Init(take_text, take_status, take_exit, take_row, take_begin, take_running, &here) != 0)
        return 1;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        obey(line);
    }
    free(heard.said);
    return heard.bad;
}
