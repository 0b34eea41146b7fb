/* events.c - the nodes of logic and what they have gone through: ngSpice_AllEvtNodes, ngGet_Evt_NodeInfo, and the callbacks
 * of ngSpice_Init_Evt.
 *
 * Their states are vectors of an analysis like others: 0, 1, and 1/2 where it is not known.  Strengths are not told apart:
 * all states are strong ones.
 */
#include "base/array.h"
#include "base/names.h"
#include "netlist/circuit.h"
#include "ngspice/simulator.h"

#include <stdlib.h>
#include <string.h>

static bool is_logic(const struct circuit *c, int node)
{
    for (size_t i = 0; i < c->element_count; i++) {
        const struct element *e = &c->elements[i];
        for (size_t k = 0; k < e->connection_count; k++) {
            const struct connection *place = &e->connections[k];
            if (place->type == PORT_LOGIC && place->plus >= 0 && e->nodes[place->plus] == node)
                return true;
        }
    }
    return false;
}

int ngSpice_Init_Evt(shared_take_event *event, shared_take_node *node, void *user)
{
    struct simulator *s = simulator_here();
    s->host.event = event;
    s->host.node = node;
    s->host.event_user = user;
    return 1; /* as ngspice does where all is well */
}

static size_t gather(struct simulator *s, const struct circuit *c)
{
    size_t count = 0;
    for (size_t i = 1; i < c->node_count; i++)
        if (is_logic(c, (int)i))
            s->nodes[count++] = names_keep(&s->pool, c->nodes[i].name);
    return count;
}

char **ngSpice_AllEvtNodes(void)
{
    struct simulator *s = simulator_here();
    if (!s->session)
        return NULL;
    struct plots *plots = session_plots(s->session); /* held, no command takes the circuit away */
    plots_hold(plots);
    pthread_mutex_lock(&s->lock);
    const struct circuit *c = session_current(s->session);
    free(s->nodes);
    s->nodes = calloc((c ? c->node_count : 0) + 1, sizeof *s->nodes);
    const size_t count = c && s->nodes ? gather(s, c) : 0;
    char **list = count > 0 ? s->nodes : NULL;
    pthread_mutex_unlock(&s->lock);
    plots_let(plots);
    return list;
}

/* ---- what a node has gone through ---- */

/* Levels are unknowns of the equations, and carry rounding. */
static char *state_text(double level)
{
    static char zero[] = "0s", one[] = "1s", unknown[] = "Us";
    return level < 0.25 ? zero : level > 0.75 ? one : unknown;
}

static bool add(struct simulator *s, double time, double level)
{
    struct shared_events *e = &s->events;
    if (!array_reserve(&s->event_items, (size_t)e->count + 1, &s->event_capacity, sizeof *s->event_items))
        return false;
    s->event_items[e->count++] =
        (struct shared_event){.at_rest = e->count == 0, .time = time, .state = state_text(level)};
    return true;
}

/* The rows at which the state is another one. */
static bool collect(struct simulator *s, const struct vector_kept *v, const struct vector_kept *time)
{
    s->events.count = 0;
    bool good = true;
    for (size_t i = 0; good && i < v->count && i < time->count; i++)
        if (i == 0 || state_text(v->real[i]) != state_text(v->real[i - 1]))
            good = add(s, time->real[i], v->real[i]);
    struct shared_event **list = good ? realloc(s->events.events, ((size_t)s->events.count + 1) * sizeof *list) : NULL;
    if (!list)
        return false;
    s->events.events = list;
    for (int i = 0; i < s->events.count; i++)
        list[i] = &s->event_items[i];
    return true;
}

static bool describe(struct simulator *s, const struct plots *plots, const char *name)
{
    const struct circuit *c = session_current(s->session);
    const struct plot *p = plots->current;
    const int node = c ? circuit_find_node(c, name) : -1;
    const struct vector_kept *v = node > 0 && is_logic(c, node) ? names_find(plots, p, name) : NULL;
    return v && !v->is_complex && p->scale < p->count && collect(s, v, &p->vectors[p->scale]);
}

struct shared_events *ngGet_Evt_NodeInfo(char *node)
{
    struct simulator *s = simulator_here();
    if (!s->session || !node)
        return NULL;
    struct plots *plots = session_plots(s->session);
    plots_hold(plots);
    pthread_mutex_lock(&s->lock);
    const bool good = describe(s, plots, node);
    pthread_mutex_unlock(&s->lock);
    plots_let(plots);
    return good ? &s->events : NULL;
}

/* ---- what the host hears of them while an analysis is at work ---- */

/* XSPICE's digital value (its mif.h: Digital_t), which callbacks are handed. */
struct digital {
    int state;    /* 0, 1; 2: not known */
    int strength; /* 0: strong */
};

/* Of the analysis: that of an operating point, which transients begin with, too, and that of a transient. */
enum { MODE_AT_REST = 0, MODE_TRANSIENT = 3 };

/* Whether these are the nodes that the host knows already. */
static bool are_known(const struct simulator *s, const struct circuit *c)
{
    size_t count = 0;
    for (size_t i = 1; i < c->node_count; i++)
        if (is_logic(c, (int)i)) {
            if (count >= s->watched_count || !names_equal(s->watched[count].name, c->nodes[i].name))
                return false;
            count++;
        }
    return count == s->watched_count;
}

static bool learn(struct simulator *s, const struct circuit *c)
{
    size_t count = 0, capacity = 0;
    free(s->watched);
    s->watched = NULL;
    s->watched_count = 0;
    for (size_t i = 1; i < c->node_count; i++)
        if (is_logic(c, (int)i)) {
            pthread_mutex_lock(&s->lock);
            char *name = names_keep(&s->pool, c->nodes[i].name);
            pthread_mutex_unlock(&s->lock);
            if (!name || !array_reserve(&s->watched, count + 1, &capacity, sizeof *s->watched))
                return false;
            s->watched[count++] = (struct watched_node){.name = name};
        }
    s->watched_count = count;
    return true;
}

static void tell_nodes(struct simulator *s)
{
    static char kind[] = "d";
    const int count = (int)s->watched_count;
    for (int i = 0; i < count && s->host.node; i++)
        s->host.node(i, count, s->watched[i].name, kind, s->host.ident, s->host.event_user);
}

void events_begin(struct simulator *s, const struct plot *p)
{
    const struct circuit *c = s->host.event || s->host.node ? session_current(s->session) : NULL;
    if (!c)
        return;
    if (!are_known(s, c)) {
        if (!learn(s, c))
            return;
        tell_nodes(s);
    }
    for (size_t i = 0; i < s->watched_count; i++) {
        const struct vector_kept *v = names_find(session_plots(s->session), p, s->watched[i].name);
        s->watched[i].state = NULL;
        s->watched[i].vector = v && !v->is_complex ? (size_t)(v - p->vectors) : p->count;
    }
}

static void tell_state(struct simulator *s, int node, double time, char *state, int mode)
{
    struct digital value = {*state == '0' ? 0 : *state == '1' ? 1 : 2, 0};
    const double shown = *state == '0' ? 0 : *state == '1' ? 1 : 0.5;
    s->host.event(node, time, shown, state, &value, (int)sizeof value, mode, s->host.ident, s->host.event_user);
}

void events_send(struct simulator *s, const struct plot *p)
{
    const bool in_time = p->scale < p->count && p->vectors[p->scale].quantity == KN_TIME;
    for (size_t i = 0; i < s->watched_count && s->host.event; i++) {
        struct watched_node *w = &s->watched[i];
        const struct vector_kept *v = w->vector < p->count ? &p->vectors[w->vector] : NULL;
        if (!v || v->count == 0 || (p->scale < p->count && !in_time))
            continue;
        const double time = in_time ? p->vectors[p->scale].real[v->count - 1] : 0;
        char *state = state_text(v->real[v->count - 1]);
        if (state != w->state)
            tell_state(s, (int)i, time, state, in_time && w->state ? MODE_TRANSIENT : MODE_AT_REST);
        w->state = state;
    }
}
