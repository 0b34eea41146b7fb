/* history.c - see history.h. */
#include "cli/results/history.h"

#include "cli/files.h"

#include <math.h>

bool history_open(struct history_file *h, const char *path)
{
    *h = (struct history_file){.path = path};
    if (!path)
        return true;
    h->to = files_open(path);
    if (!h->to)
        return false;
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
    FILE *to = h->to;
    h->to = NULL;
    return !to || files_close(to, h->path);
}
