/* stimulus_file.c - see stimulus_file.h. */
#include "devices/logic/stimulus_file.h"

#include "base/array.h"
#include "devices/data_file.h"
#include "netlist/expression/expression.h"

#include <math.h>
#include <string.h>

struct reading {
    struct logic_item *item;
    struct arena *arena;
    struct kn_diagnostics *diagnostics;
    const char *name;
    size_t outputs, count, time_capacity, state_capacity, state_count;
    double *times;
    struct logic_state *states;
    int line;
};

static enum kn_status fail(const struct reading *r, const char *text, const char *found)
{
    diagnostics_add(r->diagnostics, KN_ERROR, "stimulus", r->item->element->model->where,
                    "a line has a time and a state such as 0s, 1s or Uz for each output", "%s:%d: %s%s%s%s", r->name,
                    r->line, text, *found ? " '" : "", found, *found ? "'" : "");
    return KN_ERROR_DECK;
}

bool state_read(const char *word, struct logic_state *state)
{
    static const char strengths[] = "srzu";
    const char *level = word[0] ? strchr("01uU", word[0]) : NULL;
    const char *strength = word[0] && word[1] ? strchr(strengths, word[1] | 0x20) : NULL;
    if (!level || !strength || word[2])
        return false;
    state->level = *level == '0' ? LOGIC_ZERO : *level == '1' ? LOGIC_ONE : LOGIC_UNKNOWN;
    state->strength = (enum logic_strength)(strength - strengths);
    return true;
}

static enum kn_status read_line(void *context, char *line, int number)
{
    struct reading *r = context;
    char *rest = line, *word = data_file_word(&rest);
    double time;
    r->line = number;
    if (!word)
        return KN_OK;
    if (!expression_number(word, strlen(word), &time))
        return fail(r, "expected a time, found", word);
    if (r->count > 0 && !(time > r->times[r->count - 1]))
        return fail(r, "times must rise", "");
    if (!array_reserve_in(r->arena, &r->times, r->count, r->count + 1, &r->time_capacity, sizeof *r->times) ||
        !array_reserve_in(r->arena, &r->states, r->state_count, r->state_count + r->outputs, &r->state_capacity,
                          sizeof *r->states))
        return KN_ERROR_MEMORY;
    r->times[r->count++] = time;
    for (size_t k = 0; k < r->outputs; k++) {
        word = data_file_word(&rest);
        if (!word || !state_read(word, &r->states[r->state_count++]))
            return fail(r, word ? "no state:" : "fewer states than outputs", word ? word : "");
    }
    return KN_OK;
}

enum kn_status stimulus_read(struct logic_item *i, const char *name, size_t outputs, struct stimulus *out,
                             struct kn_diagnostics *d)
{
    struct reading r = {.item = i, .arena = logic_item_arena(i), .diagnostics = d, .name = name, .outputs = outputs};
    FILE *f = data_file_open(name, i->element->model->where.file, r.arena);
    if (!f) {
        diagnostics_add(d, KN_ERROR, "stimulus", i->element->model->where, NULL, "cannot read '%s'", name);
        return KN_ERROR_DECK;
    }
    enum kn_status status = data_file_lines(f, read_line, &r);
    if (status == KN_OK && r.count == 0)
        status = fail(&r, "there is no line with states", "");
    *out = (struct stimulus){.times = r.times, .states = r.states, .count = r.count};
    return status;
}
