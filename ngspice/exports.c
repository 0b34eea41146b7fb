/* exports.c - the functions that a program which loads ngspice calls (shared.h). */
#include "ngspice/partner.h"
#include "ngspice/simulator.h"
#include "ngspice/telling.h"

#include "base/array.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int ngSpice_Init(shared_text *text, shared_status *status, shared_exit *leave, shared_take_row *row,
                 shared_take_plot *plot, shared_running *running, void *user)
{
    struct simulator *s = simulator_here();
    struct host *h = &s->host;
    h->text = text;
    h->status = status;
    h->leave = leave;
    h->row = row;
    h->plot = plot;
    h->running = running;
    h->user = user;
    if (!simulator_open(s))
        return 1;
    char greeting[400], *rest;
    strcpy(greeting, s->version);
    for (const char *line = strtok_r(greeting, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        simulator_say(s, "stdout", line);
    return 0;
}

int ngSpice_Init_Sync(shared_source *voltage, shared_source *current, shared_synchronise *synchronise, int *ident,
                      void *user)
{
    struct simulator *s = simulator_here();
    s->host.voltage = voltage;
    s->host.current = current;
    s->host.synchronise = synchronise;
    s->host.ident = ident ? *ident : s->host.ident;
    if (user)
        s->host.user = user;
    partner_connect(s);
    return 0;
}

/* ---- commands and circuits ---- */

/* NULL frees what ngspice keeps of commands; nothing is kept here. */
int ngSpice_Command(char *command)
{
    struct simulator *s = simulator_here();
    if (!s->session)
        return 1;
    if (!command)
        return 0;
    if (s->bare && (strcmp(command, "reset") == 0 || strcmp(command, "remcirc") == 0)) {
        s->bare = command[2] == 's';
        return 0;
    }
    const locale_t before = simulator_enter(s);
    const int result = simulator_answer(s, session_command(s->session, command), command);
    simulator_leave(before);
    return result;
}

/* A title and .end: KiCad hands that over so that there is a circuit to be reset and removed. */
static bool is_bare(char *const *lines)
{
    for (size_t i = 1; lines[0] && lines[i]; i++) {
        const char *word = lines[i] + strspn(lines[i], " \t\r\n");
        if (*word != '\0' && *word != '*' && strncasecmp(word, ".end", 5) != 0)
            return false;
    }
    return true;
}

/* Whether currents are asked for by .probe, which has other names for them than .save. */
static bool has_probes(char *const *lines)
{
    for (size_t i = 0; lines[i]; i++)
        if (strncasecmp(lines[i] + strspn(lines[i], " \t"), ".probe", 6) == 0)
            return true;
    return false;
}

static char *joined(char *const *lines)
{
    size_t length = 1;
    for (size_t i = 0; lines[i]; i++)
        length += strlen(lines[i]) + 1;
    char *text = malloc(length), *to = text;
    for (size_t i = 0; text && lines[i]; i++) {
        const size_t size = strcspn(lines[i], "\r\n");
        memcpy(to, lines[i], size);
        to += size;
        *to++ = '\n';
    }
    if (text)
        *to = '\0';
    return text;
}

/* "circuit", in the folder that ngCM_Input_Path has named. */
static char *circuit_name(const struct simulator *s)
{
    static const char name[] = "circuit";
    const char *folder = s->folder ? s->folder : "";
    const size_t length = strlen(folder);
    char *path = malloc(length + sizeof name + 1);
    if (path) {
        strcpy(path, folder);
        if (length > 0 && folder[length - 1] != '/')
            strcat(path, "/");
        strcat(path, name);
    }
    return path;
}

int ngSpice_Circ(char **lines)
{
    struct simulator *s = simulator_here();
    if (!s->session || !lines)
        return 1;
    s->bare = is_bare(lines);
    if (s->bare)
        return 0;
    const locale_t before = simulator_enter(s);
    char *text = joined(lines), *name = circuit_name(s);
    enum session_answer answer = SESSION_FAILED;
    if (!session_at_work(s->session))
        s->probes = has_probes(lines);
    if (text && name)
        answer = session_circuit(s->session, name, text);
    free(text);
    free(name);
    const int result = simulator_answer(s, answer, "ngSpice_Circ");
    simulator_leave(before);
    return result || answer == SESSION_FAILED;
}

char *ngCM_Input_Path(const char *path)
{
    struct simulator *s = simulator_here();
    char *copy = path ? strdup(path) : NULL;
    if (copy) {
        free(s->folder);
        s->folder = copy;
    }
    return s->folder;
}

int ngSpice_Reset(void)
{
    struct simulator *s = simulator_here();
    if (!s->session || session_at_work(s->session))
        return 1;
    return simulator_restart(s) ? 0 : 1;
}

/* ---- plots and vectors ---- */

static struct plots *hold(struct simulator *s)
{
    struct plots *p = s->session ? session_plots(s->session) : NULL;
    if (p)
        plots_hold(p);
    return p;
}

char *ngSpice_CurPlot(void)
{
    struct simulator *s = simulator_here();
    struct plots *plots = hold(s);
    if (!plots)
        return NULL;
    pthread_mutex_lock(&s->lock);
    char *name = names_keep(&s->pool, plots->current->name);
    pthread_mutex_unlock(&s->lock);
    plots_let(plots);
    return name;
}

/* A list of `count` names and NULL in the place of the one before. */
static char **new_list(char ***at, size_t count)
{
    free(*at);
    return *at = calloc(count + 1, sizeof **at);
}

char **ngSpice_AllPlots(void)
{
    struct simulator *s = simulator_here();
    struct plots *plots = hold(s);
    size_t count = 0;
    if (!plots)
        return NULL;
    for (const struct plot *p = plots->first; p; p = p->next)
        count++;
    pthread_mutex_lock(&s->lock);
    char **list = new_list(&s->plots, count);
    const struct plot *p = plots->first;
    for (size_t i = 0; list && i < count; i++, p = p->next)
        list[i] = names_keep(&s->pool, p->name);
    pthread_mutex_unlock(&s->lock);
    plots_let(plots);
    return list;
}

static char **names_of_plot(struct simulator *s, const struct plot *p)
{
    char name[LONGEST_VECTOR];
    char **list = new_list(&s->vectors, p->count);
    for (size_t i = 0, listed = 0; list && i < p->count; i++) {
        names_of_vector(&p->vectors[i], s->probes, name);
        if (names_listed(&p->vectors[i], name))
            list[listed++] = names_keep(&s->pool, name);
    }
    return list;
}

char **ngSpice_AllVecs(char *plot)
{
    struct simulator *s = simulator_here();
    struct plots *plots = plot ? hold(s) : NULL;
    if (!plots)
        return NULL;
    const struct plot *p = plots_find(plots, plot);
    pthread_mutex_lock(&s->lock);
    char **list = p ? names_of_plot(s, p) : NULL;
    pthread_mutex_unlock(&s->lock);
    plots_let(plots);
    return list;
}

/* "tran1.out": the plot, and the name behind it. */
static struct plot *plot_of(const struct plots *plots, const char **name)
{
    const char *dot = strchr(*name, '.');
    char prefix[80];
    if (!dot || dot - *name >= (long)sizeof prefix)
        return plots->current;
    snprintf(prefix, sizeof prefix, "%.*s", (int)(dot - *name), *name);
    struct plot *p = plots_find(plots, prefix);
    if (!p)
        return plots->current;
    *name = dot + 1;
    return p;
}

/* Frequencies of complex vectors are complex, too, as in ngspice. */
static bool is_shown_complex(const struct plot *p, const struct vector_kept *v)
{
    return v->is_complex || (v->quantity == KN_FREQUENCY && p->count > 1 && p->vectors[p->count - 1].is_complex);
}

static bool describe(struct simulator *s, struct plots *plots, const char *name, struct shared_vector *out)
{
    struct plot *p = plot_of(plots, &name);
    struct vector_kept *v = names_find(plots, p, name);
    char text[LONGEST_VECTOR];
    if (!v)
        return false;
    names_of_vector(v, s->probes, text);
    const bool is_complex = is_shown_complex(p, v);
    const double complex *both = is_complex ? plot_complex(p, v) : NULL;
    *out = (struct shared_vector){.name = names_keep(&s->pool, text),
                                  .type = names_type(v),
                                  .flags = is_complex ? SHARED_COMPLEX : SHARED_REAL,
                                  .real = is_complex ? NULL : v->real,
                                  .length = (int)v->count};
    memcpy(&out->complex_numbers, &both, sizeof both); /* a double complex is two doubles side by side (C17, 6.2.5) */
    return out->name && (both || !is_complex);
}

struct shared_vector *ngGet_Vec_Info(char *name)
{
    static _Thread_local struct shared_vector found; /* until the next call, as in ngspice */
    struct simulator *s = simulator_here();
    struct plots *plots = name ? hold(s) : NULL;
    if (!plots)
        return NULL;
    pthread_mutex_lock(&s->lock);
    const bool good = describe(s, plots, name, &found);
    pthread_mutex_unlock(&s->lock);
    plots_let(plots);
    return good ? &found : NULL;
}

/* Arrays stay where they are as long as their plot: there is nothing to lock. */
int ngSpice_LockRealloc(void)
{
    return 1;
}

int ngSpice_UnlockRealloc(void)
{
    return 1;
}

/* ---- analyses ---- */

bool ngSpice_running(void)
{
    struct simulator *s = simulator_here();
    return s->session && session_at_work(s->session);
}

bool ngSpice_SetBkpt(double time)
{
    return partner_stop_at(simulator_here(), time);
}
