/* telling.c - see telling.h. */
#include "ngspice/telling.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct telling {
    size_t count;
    struct shared_value *values;
    struct shared_value **value_list;
    struct shared_name *names;
    struct shared_name **name_list;
    char (*texts)[LONGEST_VECTOR];
    size_t *vectors; /* [count] of the plot */
    char kind[32];
    bool made;
};

struct telling *telling_new(void)
{
    return calloc(1, sizeof(struct telling));
}

static void clear(struct telling *r)
{
    free(r->values);
    free(r->value_list);
    free(r->names);
    free(r->name_list);
    free(r->texts);
    free(r->vectors);
    *r = (struct telling){.count = 0};
}

const char *telling_kind(const struct telling *r)
{
    return r->kind;
}

static bool make_room(struct telling *r, size_t count)
{
    clear(r);
    r->values = calloc(count, sizeof *r->values);
    r->value_list = calloc(count, sizeof(struct shared_value *));
    r->names = calloc(count, sizeof *r->names);
    r->name_list = calloc(count, sizeof(struct shared_name *));
    r->texts = calloc(count, sizeof *r->texts);
    r->vectors = calloc(count, sizeof *r->vectors);
    return r->values && r->value_list && r->names && r->name_list && r->texts && r->vectors;
}

static void fill(struct telling *r, const struct simulator *s, const struct plot *p)
{
    for (size_t k = 0; k < p->count; k++) {
        const struct vector_kept *v = &p->vectors[k];
        const size_t i = r->count;
        names_of_vector(v, s->probes, r->texts[i]);
        if (!names_listed(v, r->texts[i]))
            continue;
        r->values[i] = (struct shared_value){.name = r->texts[i],
                                             .is_scale = k == p->scale || (p->scale == p->count && k == 0),
                                             .is_complex = v->is_complex};
        r->value_list[i] = &r->values[i];
        r->names[i] = (struct shared_name){.number = (int)i, .name = r->texts[i], .is_real = !v->is_complex};
        r->name_list[i] = &r->names[i];
        r->vectors[i] = k;
        r->count++;
    }
}

static void send_names(struct telling *r, struct simulator *s, const struct plot *p)
{
    char date[64] = "";
    const time_t now = time(NULL);
    struct tm parts;
    if (localtime_r(&now, &parts))
        strftime(date, sizeof date, "%a %b %e %H:%M:%S  %Y", &parts);
    struct shared_plot plot = {p->name, p->title, date, p->label, (int)r->count, r->name_list};
    s->host.plot(&plot, s->host.ident, s->host.user);
}

void telling_begin(struct telling *r, struct simulator *s, const struct plot *p)
{
    const bool made = make_room(r, p->count);
    r->made = made;
    size_t length = 0;
    while (isalpha((unsigned char)p->name[length]))
        length++;
    snprintf(r->kind, sizeof r->kind, "%.*s", (int)length, p->name);
    if (!made)
        return;
    fill(r, s, p);
    if (s->host.plot)
        send_names(r, s, p);
}

void telling_send(struct telling *r, struct simulator *s, const struct plot *p)
{
    if (!r->made || !s->host.row)
        return;
    for (size_t i = 0; i < r->count; i++) {
        const struct vector_kept *v = &p->vectors[r->vectors[i]];
        if (v->count == 0)
            continue;
        r->values[i].real = v->real[v->count - 1];
        r->values[i].imaginary = v->is_complex ? v->imaginary[v->count - 1] : 0;
    }
    struct shared_row row = {(int)r->count, (int)p->rows, r->value_list};
    s->host.row(&row, (int)r->count, s->host.ident, s->host.user);
}
