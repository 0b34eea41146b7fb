/* analysis.c - what analyses have in common; see analysis.h. */
#include "analyses/analysis.h"

#include "base/names.h"

const struct analysis_card *analysis_card(const struct circuit *c, const char *card, size_t number)
{
    for (size_t i = 0; i < c->card_count; i++)
        if (names_equal(c->cards[i].name, card) && number-- == 0)
            return &c->cards[i];
    return NULL;
}

size_t analysis_count(const struct analysis *a, const struct circuit *c)
{
    if (a->count)
        return a->count(c);
    size_t count = 0;
    while (analysis_card(c, a->card, count))
        count++;
    return count;
}

enum kn_status analysis_one_row(const struct setup *s, const char *plot, const struct kn_column *columns, size_t count,
                                const double *row, struct kn_sink *sink)
{
    const struct kn_table table = {s->circuit->title, plot, columns, count, 0, 0};
    enum kn_status status = sink->begin(sink->context, &table);
    if (status != KN_OK)
        return status;
    status = sink->row(sink->context, row);
    const enum kn_status ended = sink->end(sink->context, status);
    return status == KN_OK ? ended : status;
}
