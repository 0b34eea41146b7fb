/* history.c - see history.h. */
#include "cli/results/history.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static bool complain(const struct history_file *h)
{
    fprintf(stderr, "knoten: cannot write '%s': %s\n", h->path, strerror(errno));
    return false;
}

bool history_open(struct history_file *h, const char *path)
{
    *h = (struct history_file){.path = path};
    if (!path)
        return true;
    h->to = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    if (!h->to)
        return complain(h);
    fputs("transient,time,step,method,order,outcome,error,unknown,iterations,limit\n", h->to);
    return true;
}

/* Names of unknowns may hold commas: v(a,b). */
void history_add(struct history_file *h, const struct kn_attempt *a)
{
    h->transient += a->first;
    char error[40] = "";
    const bool known = !isnan(a->error);
    if (known)
        snprintf(error, sizeof error, "%.4g", a->error);
    fprintf(h->to, "%d,%.17g,%.17g,%s,%d,%s,%s,\"%s\",%d,%s\n", h->transient, a->time, a->step, a->method, a->order,
            a->outcome, error, known ? a->unknown : "", a->iterations, a->limit);
}

bool history_close(struct history_file *h)
{
    if (!h->to)
        return true;
    const bool failed = ferror(h->to) != 0;
    const bool closed = h->to == stdout ? fflush(stdout) == 0 : fclose(h->to) == 0;
    h->to = NULL;
    return (!failed && closed) || complain(h);
}
