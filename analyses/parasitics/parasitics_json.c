/* parasitics_json.c - the report on parasitics as one JSON object (RFC 8259). */
#include "analyses/parasitics/parasitics.h"
#include "base/json.h"

#include <math.h>

static void write_index(struct json *w, int index)
{
    json_number(w, "index", index < 0 ? NAN : index);
}

static const char *verdict_of(const struct leaving *l)
{
    static const char *const words[] = {"attractive", "undamped", "undamped", "unstable", "open"};
    return l->unsolvable ? "unsolvable" : words[l->verdict];
}

/* Time constants as [real part, imaginary part], s. */
static void write_modes(struct json *w, const struct leaving *l)
{
    json_open(w, "time_constants", '[');
    for (size_t k = 0; k < l->mode_count; k++) {
        json_open(w, NULL, '[');
        json_number(w, NULL, creal(l->modes[k].constant));
        json_number(w, NULL, cimag(l->modes[k].constant));
        json_close(w);
    }
    json_close(w);
}

static void write_choice(struct json *w, const char *key, const struct leaving *l)
{
    const struct fast_dissipation *b = &l->dissipation;
    json_open(w, key, '{');
    json_number(w, "count", (double)l->count);
    json_text(w, "verdict", verdict_of(l));
    json_bool(w, "raises_index", l->verdict == FAST_RAISES && !l->unsolvable);
    json_text(w, "why", l->why);
    json_text(w, "hint", l->hint);
    json_text(w, "point", l->point);
    write_index(w, l->index);
    write_modes(w, l);
    json_number(w, "without_time_constant", (double)l->without);
    json_number(w, "contraction", l->contraction);
    json_number(w, "fastest_slow", l->fastest_slow);
    json_number(w, "slow_contraction", b->known ? b->slow : NAN);
    json_number(w, "fast_contraction", b->known ? b->fast : NAN);
    json_number(w, "coupling", b->known ? b->coupling : NAN);
    json_close(w);
}

static void write_element(struct json *w, const struct parasitics_report *r, size_t i)
{
    const struct stray *p = &r->parasitics.list[i];
    json_open(w, NULL, '{');
    json_text(w, "name", p->element->name);
    json_text(w, "kind", p->inductor ? "inductor" : "capacitor");
    json_number(w, "value", p->value);
    json_number(w, "resistance", p->inductor ? 1 / r->resistance[i] : r->resistance[i]);
    json_number(w, "time_constant", r->own[i]);
    json_bool(w, "may_go", r->may_go[i]);
    json_text(w, "why_not", r->why_not[i]);
    json_close(w);
}

static void write_run(struct json *w, const struct parasitics_report *r)
{
    json_text(w, "no_run", r->no_run);
    if (!r->has_run)
        return;
    json_open(w, "run", '{');
    json_number(w, "steps", (double)r->steps);
    json_number(w, "outside_layers", (double)r->outside);
    json_number(w, "layers", (double)r->layers);
    json_number(w, "slowest", r->run_slowest);
    json_number(w, "slowest_at", r->run_slowest_at);
    json_open(w, "errors", '[');
    for (size_t k = 0; k < r->error_count; k++) {
        json_open(w, NULL, '{');
        json_text(w, "name", r->errors[k].name);
        json_number(w, "first_order", r->errors[k].most);
        json_number(w, "at", r->errors[k].when);
        json_number(w, "size", r->errors[k].size);
        json_close(w);
    }
    json_close(w);
    json_close(w);
}

void parasitics_write_json(const struct parasitics_report *r, FILE *to)
{
    struct json w = json_begin(to);
    json_open(&w, NULL, '{');
    json_text(&w, "title", r->circuit->title);
    write_index(&w, r->index);
    write_choice(&w, "all", &r->all);
    write_choice(&w, "may_go_together", &r->some);
    json_open(&w, "elements", '[');
    for (size_t i = 0; i < r->parasitics.count; i++)
        write_element(&w, r, i);
    json_close(&w);
    write_run(&w, r);
    json_close(&w);
}
