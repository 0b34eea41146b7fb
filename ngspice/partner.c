/* partner.c - see partner.h. */
#include "ngspice/partner.h"

#include "base/array.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* "x1.V2" is a voltage source. */
static bool is_voltage(const char *element)
{
    const char *dot = strrchr(element, '.');
    return ((dot ? dot[1] : element[0]) | 0x20) == 'v';
}

static bool source(void *context, const char *name, double time, double *value, double *rate)
{
    struct simulator *s = context;
    shared_source *ask = is_voltage(name) ? s->host.voltage : s->host.current;
    char lower[LONGEST_VECTOR], text[LONGEST_VECTOR + 100];
    size_t i = 0;
    (void)rate;
    for (; name[i] && i + 1 < sizeof lower; i++)
        lower[i] = (char)tolower((unsigned char)name[i]);
    lower[i] = '\0';
    *value = 0;
    if (ask) {
        ask(value, time, lower, s->host.ident, s->host.user);
        return true;
    }
    snprintf(text, sizeof text, "Error: %s: ngSpice_Init_Sync has named nobody who gives its values", name);
    simulator_say(s, "stderr", text);
    return false;
}

static double breakpoint(void *context, double time)
{
    struct simulator *s = context;
    double next = INFINITY;
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->stop_count; i++)
        if (s->stops[i] > time && s->stops[i] < next)
            next = s->stops[i];
    pthread_mutex_unlock(&s->lock);
    return next;
}

static double shorten(void *context, double time, double step)
{
    struct simulator *s = context;
    double wished = step;
    s->host.synchronise(time, &wished, s->step, 0, s->host.ident, 0, s->host.user);
    return wished > 0 && wished < step ? wished : step;
}

static bool agrees(void *context, double time, double step, double *again)
{
    struct simulator *s = context;
    double wished = step;
    s->step = step;
    if (s->host.synchronise(time + step, &wished, step, 0, s->host.ident, 1, s->host.user) == 0)
        return true;
    if (wished > 0 && wished < step)
        *again = wished;
    return false;
}

void partner_connect(struct simulator *s)
{
    const bool gives = s->host.voltage || s->host.current, synchronises = s->host.synchronise != NULL;
    s->partner = (struct kn_partner){.context = s,
                                     .source = gives ? source : NULL,
                                     .breakpoint = breakpoint,
                                     .shorten = synchronises ? shorten : NULL,
                                     .agrees = synchronises ? agrees : NULL};
    s->options.partner = &s->partner;
}

bool partner_stop_at(struct simulator *s, double time)
{
    if (!s->session || !session_current(s->session) || !(time >= 0))
        return false;
    pthread_mutex_lock(&s->lock);
    const bool room = array_reserve(&s->stops, s->stop_count + 1, &s->stop_capacity, sizeof *s->stops);
    if (room)
        s->stops[s->stop_count++] = time;
    pthread_mutex_unlock(&s->lock);
    return room;
}
