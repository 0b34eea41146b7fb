/* engine.c - see engine.h: a binary heap of events by time and order of posting, and a list of parts that must react. */
#include "devices/logic/engine.h"

#include "base/array.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* At one time a part may react so many times before it is said that there is no end. */
enum { MOST_REACTIONS = 2000 };

struct event {
    double time;
    long order;
    int driver;
    struct logic_state state;
    int next; /* event of the same driver that is later; or of the list of free ones; -1: none */
    bool dead;
};

struct driver {
    int net;
    bool inertial;
    struct logic_state state, posted;
    int first; /* event that is still to come; -1: none */
    int last;  /* of these, which follow each other in time; -1: none */
};

struct net {
    struct logic_state state;
    bool at_zero; /* may begin there, unless it is doubted */
    bool doubted;
    int *drivers;
    size_t driver_count, driver_capacity;
    struct logic_part **readers;
    size_t reader_count, reader_capacity;
};

struct logic {
    struct net *nets;
    size_t net_count, net_capacity;
    struct driver *drivers;
    size_t driver_count, driver_capacity;
    struct logic_part **parts;
    size_t part_count, part_capacity;
    struct logic_part **waiting; /* a stack of the parts that must react; their order does not matter */
    size_t waiting_count, waiting_capacity;
    struct event *events;
    size_t event_count, event_capacity;
    int free_event;
    int *heap; /* numbers of events */
    size_t heap_count, heap_capacity;
    long order;
    double now;
    bool settles, failed;
    const void *culprit;
    const struct logic_part *restless; /* at which the search for states at rest was given up */
};

struct logic *logic_new(struct arena *arena)
{
    struct logic *l = arena_alloc(arena, sizeof *l);
    if (l)
        *l = (struct logic){.free_event = -1, .now = -INFINITY, .settles = true};
    return l;
}

void logic_free(struct logic *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->net_count; i++) {
        free(l->nets[i].drivers);
        free(l->nets[i].readers);
    }
    free(l->nets);
    free(l->drivers);
    free(l->parts);
    free(l->waiting);
    free(l->events);
    free(l->heap);
}

/* ---- making ---- */

int logic_add_net(struct logic *l)
{
    if (!array_reserve(&l->nets, l->net_count + 1, &l->net_capacity, sizeof *l->nets))
        return -1;
    l->nets[l->net_count] = (struct net){0};
    l->nets[l->net_count].state = (struct logic_state){LOGIC_UNKNOWN, LOGIC_OFF, 0.0};
    return (int)l->net_count++;
}

void logic_begin_at_zero(struct logic *l, int net)
{
    l->nets[net].at_zero = true;
}

static bool doubt_outputs(struct logic *l, const struct logic_part *p)
{
    bool changed = false;
    for (size_t i = 0; i < p->driver_count; i++) {
        struct net *n = p->drivers[i] >= 0 ? &l->nets[l->drivers[p->drivers[i]].net] : NULL;
        changed |= n && !n->doubted;
        if (n)
            n->doubted = true;
    }
    return changed;
}

static bool reads_what_is_doubted(const struct logic *l, const struct logic_part *p)
{
    for (size_t i = 0; i < p->input_count; i++)
        if (p->inputs[i].net >= 0 && l->nets[p->inputs[i].net].doubted)
            return true;
    return false;
}

bool logic_doubt(struct logic *l)
{
    const bool changed = l->restless && doubt_outputs(l, l->restless);
    for (bool more = changed; more;) {
        more = false;
        for (size_t i = 0; i < l->part_count; i++)
            more |= reads_what_is_doubted(l, l->parts[i]) && doubt_outputs(l, l->parts[i]);
    }
    return changed;
}

int logic_add_driver(struct logic *l, int net, bool inertial)
{
    struct net *n = &l->nets[net];
    if (!array_reserve(&l->drivers, l->driver_count + 1, &l->driver_capacity, sizeof *l->drivers) ||
        !array_reserve(&n->drivers, n->driver_count + 1, &n->driver_capacity, sizeof *n->drivers))
        return -1;
    l->drivers[l->driver_count] = (struct driver){.net = net, .inertial = inertial, .first = -1, .last = -1};
    n->drivers[n->driver_count++] = (int)l->driver_count;
    return (int)l->driver_count++;
}

bool logic_add_part(struct logic *l, struct logic_part *p)
{
    for (size_t i = 0; i < p->input_count; i++) {
        if (p->inputs[i].net < 0)
            continue;
        struct net *n = &l->nets[p->inputs[i].net];
        if (!array_reserve(&n->readers, n->reader_count + 1, &n->reader_capacity, sizeof *n->readers))
            return false;
        n->readers[n->reader_count++] = p;
    }
    if (!array_reserve(&l->parts, l->part_count + 1, &l->part_capacity, sizeof *l->parts) ||
        !array_reserve(&l->waiting, l->part_count + 1, &l->waiting_capacity, sizeof *l->waiting))
        return false;
    l->parts[l->part_count++] = p;
    return true;
}

/* ---- states ---- */

struct logic_state logic_resolve(struct logic_state a, struct logic_state b)
{
    /* A strength that is not determined may be any, so that only what agrees with it is known. */
    const bool open = a.strength == LOGIC_UNDETERMINED || b.strength == LOGIC_UNDETERMINED;
    if (open || a.strength == b.strength) {
        const enum logic_level level = a.level == b.level ? a.level : LOGIC_UNKNOWN;
        return (struct logic_state){level, open ? LOGIC_UNDETERMINED : a.strength, a.number + b.number};
    }
    return a.strength < b.strength ? a : b;
}

struct logic_state logic_state_of(const struct logic *l, int net)
{
    return l->nets[net].state;
}

enum logic_level logic_read(const struct logic *l, const struct logic_part *p, size_t input, enum logic_level absent)
{
    const struct logic_input *i = &p->inputs[input];
    if (i->net < 0)
        return absent;
    const enum logic_level level = l->nets[i->net].state.level;
    return i->inverted ? logic_not(level) : level;
}

struct logic_state logic_posted(const struct logic *l, int driver)
{
    return l->drivers[driver].posted;
}

static void must_react(struct logic *l, struct logic_part *p)
{
    if (p->queued)
        return;
    p->queued = true;
    l->waiting[l->waiting_count++] = p; /* has room for all parts */
}

static struct logic_state resolved(const struct logic *l, const struct net *n)
{
    struct logic_state all = l->drivers[n->drivers[0]].state;
    for (size_t i = 1; i < n->driver_count; i++)
        all = logic_resolve(all, l->drivers[n->drivers[i]].state);
    return all;
}

static void drive(struct logic *l, int driver, struct logic_state state)
{
    struct driver *d = &l->drivers[driver];
    struct net *n = &l->nets[d->net];
    if (logic_same(d->state, state))
        return;
    d->state = state;
    const struct logic_state all = resolved(l, n);
    if (logic_same(all, n->state))
        return;
    n->state = all;
    for (size_t i = 0; i < n->reader_count; i++)
        must_react(l, n->readers[i]);
}

/* ---- the queue ---- */

static bool is_before(const struct logic *l, int a, int b)
{
    const struct event *x = &l->events[a], *y = &l->events[b];
    return x->time < y->time || (x->time == y->time && x->order < y->order);
}

static void swap(int *a, int *b)
{
    const int kept = *a;
    *a = *b;
    *b = kept;
}

static bool heap_push(struct logic *l, int event)
{
    if (!array_reserve(&l->heap, l->heap_count + 1, &l->heap_capacity, sizeof *l->heap))
        return false;
    size_t i = l->heap_count++;
    l->heap[i] = event;
    for (; i > 0 && is_before(l, l->heap[i], l->heap[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&l->heap[i], &l->heap[(i - 1) / 2]);
    return true;
}

static int heap_pop(struct logic *l)
{
    const int first = l->heap[0];
    l->heap[0] = l->heap[--l->heap_count];
    for (size_t i = 0;;) {
        size_t least = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < l->heap_count; child++)
            least = is_before(l, l->heap[child], l->heap[least]) ? child : least;
        if (least == i)
            return first;
        swap(&l->heap[i], &l->heap[least]);
        i = least;
    }
}

static void give_back(struct logic *l, int event)
{
    l->events[event].next = l->free_event;
    l->free_event = event;
}

/* Events that were taken back leave the front of the queue. */
static void drop_dead(struct logic *l)
{
    while (l->heap_count > 0 && l->events[l->heap[0]].dead)
        give_back(l, heap_pop(l));
}

/* -1 without memory. */
static int new_event(struct logic *l)
{
    const int event = l->free_event;
    if (event >= 0) {
        l->free_event = l->events[event].next;
        return event;
    }
    if (!array_reserve(&l->events, l->event_count + 1, &l->event_capacity, sizeof *l->events))
        return -1;
    return (int)l->event_count++;
}

/* Takes back the events of a driver from a time on; those that differ by rounding are at one time. */
static void take_back(struct logic *l, struct driver *d, double time)
{
    const double limit = time - 8 * DBL_EPSILON * fabs(time);
    int kept = d->last >= 0 && l->events[d->last].time < limit ? d->last : -1;
    int taken = kept >= 0 ? -1 : d->first;
    for (; taken >= 0 && l->events[taken].time < limit; taken = l->events[taken].next)
        kept = taken;
    for (int event = taken; event >= 0; event = l->events[event].next)
        l->events[event].dead = true;
    if (kept >= 0)
        l->events[kept].next = -1;
    else
        d->first = -1;
    d->last = kept;
}

static void put_event(struct logic *l, int driver, struct logic_state state, double time)
{
    struct driver *d = &l->drivers[driver];
    take_back(l, d, d->inertial ? -INFINITY : time);
    const int last = d->last;
    const struct logic_state before = last >= 0 ? l->events[last].state : d->state;
    if (logic_same(before, state))
        return;
    const int event = new_event(l); /* may move the events */
    if (event < 0) {
        l->failed = true;
        return;
    }
    l->events[event] = (struct event){time, l->order++, driver, state, -1, false};
    if (last >= 0)
        l->events[last].next = event;
    else
        d->first = event;
    d->last = event;
    l->failed |= !heap_push(l, event);
}

void logic_post(struct logic *l, int driver, struct logic_state state, double delay)
{
    if (driver < 0)
        return;
    l->drivers[driver].posted = state;
    if (l->settles)
        drive(l, driver, state);
    else
        put_event(l, driver, state, l->now + delay);
}

/* ---- going on with other values ---- */

static void keep_events(const struct logic *l, const struct driver *d, struct keepsake *k)
{
    size_t count = 0;
    for (int event = d->first; event >= 0; event = l->events[event].next)
        count++;
    KEEPSAKE_PIECE(k, count);
    for (int event = d->first; event >= 0; event = l->events[event].next) {
        KEEPSAKE_PIECE(k, l->events[event].time);
        KEEPSAKE_PIECE(k, l->events[event].state);
    }
}

static void recall_events(struct logic *l, int driver, struct keepsake *k)
{
    size_t count = 0;
    KEEPSAKE_PIECE(k, count);
    for (size_t i = 0; i < count && !k->failed; i++) {
        double time = 0;
        struct logic_state state = {0};
        KEEPSAKE_PIECE(k, time);
        KEEPSAKE_PIECE(k, state);
        if (!k->failed)
            put_event(l, driver, state, time);
    }
}

/* Nobody reacts: what follows from the states has been posted, or stands in what the parts remember. */
void logic_remember_driver(struct logic *l, int driver, struct keepsake *k)
{
    if (driver < 0)
        return;
    struct driver *d = &l->drivers[driver];
    KEEPSAKE_PIECE(k, d->state);
    KEEPSAKE_PIECE(k, d->posted);
    if (k->arena) {
        keep_events(l, d, k);
        return;
    }
    take_back(l, d, -INFINITY);
    recall_events(l, driver, k);
    l->nets[d->net].state = resolved(l, &l->nets[d->net]);
    l->settles = false;
}

/* ---- running ---- */

static enum kn_status react(struct logic *l)
{
    for (size_t count = 0; l->waiting_count > 0; count++) {
        struct logic_part *p = l->waiting[--l->waiting_count];
        p->queued = false;
        if (count > (size_t)MOST_REACTIONS * (l->part_count + 1)) {
            l->culprit = p->owner;
            l->restless = p;
            return KN_ERROR_CIRCUIT;
        }
        p->class->react(l, p);
    }
    return l->failed ? KN_ERROR_MEMORY : KN_OK;
}

void logic_begin(struct logic *l)
{
    l->settles = true;
    l->now = -INFINITY;
    l->heap_count = l->event_count = l->waiting_count = 0;
    l->free_event = -1;
    for (size_t i = 0; i < l->driver_count; i++) {
        l->drivers[i].state = l->drivers[i].posted = (struct logic_state){LOGIC_UNKNOWN, LOGIC_OFF, 0};
        l->drivers[i].first = l->drivers[i].last = -1;
    }
    for (size_t i = 0; i < l->net_count; i++)
        l->nets[i].state =
            (struct logic_state){l->nets[i].at_zero && !l->nets[i].doubted ? LOGIC_ZERO : LOGIC_UNKNOWN, LOGIC_OFF, 0};
    for (size_t i = 0; i < l->part_count; i++) {
        l->parts[i]->queued = false;
        if (l->parts[i]->class->forget)
            l->parts[i]->class->forget(l->parts[i]);
    }
}

enum kn_status logic_settle(struct logic *l)
{
    for (size_t i = l->part_count; i-- > 0;)
        must_react(l, l->parts[i]);
    return react(l);
}

bool logic_settles(const struct logic *l)
{
    return l->settles;
}

/* From the first time on time counts: parts see the states at rest once more, and post what changes. */
void logic_at(struct logic *l, double time)
{
    for (size_t i = l->settles ? l->part_count : 0; i-- > 0;)
        must_react(l, l->parts[i]);
    l->settles = false;
    l->now = fmax(l->now, time);
}

static bool is_due(const struct logic *l, double over)
{
    return l->heap_count > 0 && l->events[l->heap[0]].time <= over;
}

static void let_happen(struct logic *l, int number)
{
    const struct event e = l->events[number];
    l->drivers[e.driver].first = e.next;
    if (e.next < 0)
        l->drivers[e.driver].last = -1;
    give_back(l, number);
    drive(l, e.driver, e.state);
}

enum kn_status logic_run(struct logic *l, double over)
{
    enum kn_status status = react(l);
    drop_dead(l);
    for (long count = 0; status == KN_OK && is_due(l, over); count++) {
        for (; is_due(l, over); drop_dead(l)) /* what happens at one time is seen together */
            let_happen(l, heap_pop(l));
        l->culprit = l->waiting_count > 0 ? l->waiting[0]->owner : NULL;
        status = count < MOST_REACTIONS ? react(l) : KN_ERROR_CIRCUIT;
        drop_dead(l);
    }
    return status;
}

double logic_next(const struct logic *l, double over)
{
    double next = INFINITY;
    if (l->heap_count == 0)
        return INFINITY;
    if (!l->events[l->heap[0]].dead)
        return l->events[l->heap[0]].time > over ? l->events[l->heap[0]].time : INFINITY;
    for (size_t i = 0; i < l->heap_count; i++) { /* dead ones are among them until events are handled again */
        const struct event *e = &l->events[l->heap[i]];
        if (!e->dead && e->time > over)
            next = fmin(next, e->time);
    }
    return next;
}

double logic_now(const struct logic *l)
{
    return l->now;
}

const void *logic_culprit(const struct logic *l)
{
    return l->culprit;
}
