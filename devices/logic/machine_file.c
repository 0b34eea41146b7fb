/* machine_file.c - the table of a state machine in a file, as XSPICE's d_state has it (XSPICE user's manual, "State Machine"):
 *
 *     * state  outputs  inputs  next
 *     0        0s 0s    0   ->  3
 *                       1   ->  1
 */
#include "devices/logic/stimulus_file.h"

#include "base/array.h"
#include "devices/data_file.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 500 };

struct reading {
    struct logic_item *item;
    struct arena *arena;
    struct kn_diagnostics *diagnostics;
    const char *name;
    size_t inputs, outputs, count, capacity;
    struct machine_row *rows;
    int line;
};

static enum kn_status fail(const struct reading *r, const char *text, const char *found)
{
    diagnostics_add(
        r->diagnostics, KN_ERROR, "state-file", r->item->element->model->where,
        diagnostics_hint(r->diagnostics,
                         "a row has a state, %zu output%s such as 0s, %zu input%s 0, 1 or x, ->, the next state",
                         r->outputs, r->outputs == 1 ? "" : "s", r->inputs, r->inputs == 1 ? "" : "s"),
        "%s:%d: %s%s%s%s", r->name, r->line, text, *found ? " '" : "", found, *found ? "'" : "");
    return KN_ERROR_DECK;
}

static bool read_number(const char *word, long *number)
{
    char *end;
    *number = strtol(word, &end, 10);
    return *word && !*end;
}

static enum kn_status read_outputs(struct reading *r, char *const *words, struct machine_row *row)
{
    struct logic_state *outputs = arena_array(r->arena, r->outputs + 1, sizeof *outputs);
    if (!outputs)
        return KN_ERROR_MEMORY;
    row->outputs = outputs;
    if (!read_number(words[0], &row->state))
        return fail(r, "expected the number of a state, found", words[0]);
    for (size_t k = 0; k < r->outputs; k++)
        if (!state_read(words[1 + k], &outputs[k]))
            return fail(r, "no output:", words[1 + k]);
    return KN_OK;
}

/* Inputs, the arrow, the next state. */
static enum kn_status read_way(struct reading *r, char *const *words, struct machine_row *row)
{
    char *inputs = arena_alloc(r->arena, r->inputs + 1);
    if (!inputs)
        return KN_ERROR_MEMORY;
    row->inputs = inputs;
    for (size_t k = 0; k < r->inputs; k++) {
        const char c = words[k][0] == 'X' ? 'x' : words[k][0];
        if (!strchr("01x", c) || words[k][1])
            return fail(r, "no input:", words[k]);
        inputs[k] = c;
    }
    if (strcmp(words[r->inputs], "->") != 0)
        return fail(r, "expected ->, found", words[r->inputs]);
    return read_number(words[r->inputs + 1], &row->next)
               ? KN_OK
               : fail(r, "expected the number of the next state, found", words[r->inputs + 1]);
}

static enum kn_status read_row(struct reading *r, char *const *words, size_t count)
{
    const size_t way = r->inputs + 2, all = 1 + r->outputs + way;
    struct machine_row row = r->count > 0 ? r->rows[r->count - 1] : (struct machine_row){.state = 0};
    if (count != all && (count != way || r->count == 0))
        return fail(r, "this is no row of the table", "");
    enum kn_status status = count == all ? read_outputs(r, words, &row) : KN_OK;
    if (status == KN_OK)
        status = read_way(r, words + (count - way), &row);
    if (status == KN_OK && !array_reserve_in(r->arena, &r->rows, r->count, r->count + 1, &r->capacity, sizeof *r->rows))
        return KN_ERROR_MEMORY;
    if (status == KN_OK)
        r->rows[r->count++] = row;
    return status;
}

static enum kn_status read_line(void *context, char *line, int number)
{
    struct reading *r = context;
    char *rest = line, *words[MOST_WORDS];
    size_t count = 0;
    r->line = number;
    while (count < MOST_WORDS && (words[count] = data_file_word(&rest)))
        count++;
    return count == 0 ? KN_OK : count == MOST_WORDS ? fail(r, "the row is too long", "") : read_row(r, words, count);
}

static enum kn_status check(const struct reading *r, const struct machine *m)
{
    if (!machine_find(m, m->first))
        return fail(r, "there is no row of the state reset_state", "");
    for (size_t k = 0; k < m->count; k++)
        if (!machine_find(m, m->rows[k].next))
            return fail(r, "a row leads to a state that has none", "");
    return KN_OK;
}

enum kn_status machine_read(struct logic_item *i, const char *name, size_t inputs, size_t outputs, struct machine *m,
                            struct kn_diagnostics *d)
{
    struct reading r = {
        .item = i, .arena = logic_item_arena(i), .diagnostics = d, .name = name, .inputs = inputs, .outputs = outputs};
    FILE *f = data_file_open(name, i->element->model->where.file, r.arena);
    if (!f) {
        diagnostics_add(d, KN_ERROR, "state-file", i->element->model->where, NULL, "cannot read '%s'", name);
        return KN_ERROR_DECK;
    }
    const enum kn_status status = data_file_lines(f, read_line, &r);
    m->rows = r.rows;
    m->count = r.count;
    return status == KN_OK ? check(&r, m) : status;
}
