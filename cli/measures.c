/* measures.c - see measures.h. */
#include "cli/measures.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool complain(const struct measures *m)
{
    fprintf(stderr, "knoten: cannot write '%s': %s\n", m->path, strerror(errno));
    return false;
}

bool measures_open(struct measures *m, FILE *screen, const char *path)
{
    const bool on_screen = path && strcmp(path, "-") == 0;
    *m = (struct measures){.screen = on_screen ? NULL : screen, .json = on_screen ? stdout : NULL, .path = path};
    if (path && !m->json && !(m->json = fopen(path, "w")))
        return complain(m);
    if (m->json)
        fputs("[", m->json);
    return true;
}

/* ---- for readers ---- */

static void show(const struct measures *m, const struct kn_measurement *r)
{
    if (m->count == 0)
        fputs("Measurements\n", m->screen);
    if (isnan(r->value))
        fprintf(m->screen, "  %-16s %13s", r->name, "failed");
    else
        fprintf(m->screen, "  %-16s %13.6g", r->name, r->value);
    if (!isnan(r->at))
        fprintf(m->screen, "   at %.6g s", r->at);
    if (!isnan(r->from) && !isnan(r->to))
        fprintf(m->screen, "   from %.6g s to %.6g s", r->from, r->to);
    fputc('\n', m->screen);
}

/* ---- for programs ---- */

static void write_string(FILE *to, const char *text)
{
    fputc('"', to);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c < 0x20)
            fprintf(to, "\\u%04x", c);
        else
            fprintf(to, c == '"' || c == '\\' ? "\\%c" : "%c", c);
    }
    fputc('"', to);
}

static void write_time(FILE *to, const char *name, double value)
{
    if (!isnan(value))
        fprintf(to, ", \"%s\": %.15g", name, value);
}

static void write_json(const struct measures *m, const struct kn_measurement *r)
{
    fputs(m->count == 0 ? "\n  {\"name\": " : ",\n  {\"name\": ", m->json);
    write_string(m->json, r->name);
    if (isfinite(r->value))
        fprintf(m->json, ", \"value\": %.15g", r->value);
    else
        fputs(", \"value\": null", m->json);
    write_time(m->json, "at", r->at);
    write_time(m->json, "from", r->from);
    write_time(m->json, "to", r->to);
    fputs("}", m->json);
}

void measures_add(struct measures *m, const struct kn_measurement *result)
{
    if (m->screen)
        show(m, result);
    if (m->json)
        write_json(m, result);
    m->count++;
}

bool measures_close(struct measures *m)
{
    if (!m->json)
        return true;
    fputs("\n]\n", m->json);
    const bool failed = ferror(m->json) != 0;
    const bool closed = m->json == stdout ? fflush(stdout) == 0 : fclose(m->json) == 0;
    m->json = NULL;
    return (!failed && closed) || complain(m);
}
