/* lines.c - see lines.h. */
#include "devices/code_models/lines.h"

#include "netlist/expression/expression.h"

#include <string.h>

struct reading {
    struct code_item *item;
    const char *name, *shape;
    line_taker *take;
    void *into;
    struct arena *arena;
    struct kn_diagnostics *diagnostics;
};

static enum kn_status read_line(void *context, char *line, int number)
{
    const struct reading *r = context;
    const char *fault = NULL;
    char text[160];
    const enum kn_status status = r->take(r->into, r->arena, line, &fault);
    if (!fault)
        return status;
    snprintf(text, sizeof text, "line %d of '%.60s': %s", number, r->name, fault);
    return code_fail(r->item, r->diagnostics, r->shape, text);
}

enum kn_status lines_read(FILE *f, struct code_item *i, const char *name, const char *shape, line_taker *take,
                          void *into, struct arena *arena, struct kn_diagnostics *d)
{
    return data_file_lines(f, read_line, &(struct reading){i, name, shape, take, into, arena, d});
}

bool lines_number(char **rest, double *value)
{
    const char *word = data_file_word(rest);
    return word && expression_number(word, strlen(word), value);
}
