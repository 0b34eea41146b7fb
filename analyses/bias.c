/* bias.c - see bias.h. */
#include "analyses/bias.h"

#include "analyses/analysis.h"

#include <stdlib.h>
#include <string.h>

/* ---- the card ---- */

static enum kn_status fail(const struct setup *s, struct kn_location where, const char *what)
{
    diagnostics_add(s->diagnostics, KN_ERROR, "syntax", where, "write .savebias bias.op, or .savebias bias.op time=1m",
                    "'.savebias': %s", what);
    return KN_ERROR_DECK;
}

static bool is_time(const struct setting *s)
{
    return names_equal(s->name, "time") && s->has_value;
}

static enum kn_status check_setting(const struct setup *s, const struct setting *word)
{
    if (is_time(word))
        return !word->text && word->value >= 0 ? KN_OK : fail(s, word->where, "a time must be a number from 0 on");
    if (name_is_among("internal op tran dc ac nosubckt ic", word->name) && !word->has_value)
        return KN_OK; /* .nodeset knows the nodes of the deck only; PSpice's words say of which analysis, which time= does; ic is said by the file */
    return fail(s, word->where, "there may be time=.. behind the name of the file");
}

/* The result goes beside the results of the run and nowhere else. */
static bool is_plain_name(const char *name)
{
    return *name && !strchr(name, '/') && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && strcmp(name, "-") != 0;
}

static enum kn_status check(struct setup *s, const struct analysis_card *card)
{
    enum kn_status status = KN_OK;
    if (card->setting_count == 0 || is_time(&card->settings[0]))
        return fail(s, card->where, "the name of the file is missing");
    if (!is_plain_name(card->settings[0].name))
        return fail(s, card->settings[0].where,
                    "the file is written beside the results: a name without folders is needed");
    for (size_t i = 1; i < card->setting_count && status == KN_OK; i++)
        status = check_setting(s, &card->settings[i]);
    return status;
}

static bool time_of(const struct analysis_card *card, double *time)
{
    for (size_t i = 1; i < card->setting_count; i++)
        if (is_time(&card->settings[i])) {
            *time = card->settings[i].value;
            return true;
        }
    return false;
}

const struct analysis_card *bias_in_time(const struct setup *s, double *time)
{
    for (size_t i = 0; s->options->bias && analysis_card(s->circuit, ".savebias", i); i++)
        if (time_of(analysis_card(s->circuit, ".savebias", i), time))
            return analysis_card(s->circuit, ".savebias", i);
    return NULL;
}

/* ---- the voltages ---- */

enum kn_status bias_send(const struct setup *s, const struct analysis_card *card, const double *x)
{
    const struct circuit *c = s->circuit;
    struct kn_column *columns = calloc(c->node_count + 1, sizeof *columns);
    double *row = calloc(c->node_count + 1, sizeof *row);
    struct kn_sink sink = *s->options->bias;
    size_t count = 0;
    enum kn_status status = columns && row ? KN_OK : KN_ERROR_MEMORY;
    for (size_t node = 1; status == KN_OK && node < c->node_count; node++) {
        const int unknown = mna_node_unknown(s->mna, (int)node);
        if (unknown < 0)
            continue;
        columns[count] = (struct kn_column){c->nodes[node].name, KN_VOLTAGE};
        row[count++] = x[unknown];
    }
    if (status == KN_OK)
        status = analysis_one_row(s, card->settings[0].name, columns, count, row, &sink);
    free(columns);
    free(row);
    return status;
}

/* Those with a time are the transient's. */
static enum kn_status run(struct setup *s, size_t number, struct kn_sink *sink, struct analysis_summary *summary)
{
    const struct analysis_card *card = analysis_card(s->circuit, ".savebias", number);
    double time;
    (void)sink;
    if (!s->options->bias)
        return KN_OK;
    if (time_of(card, &time)) {
        if (time > circuit_longest_run(s->circuit) || s->circuit->transient_count == 0)
            diagnostics_add(s->diagnostics, KN_WARNING, "bias-time", card->where, "add a .tran that gets there",
                            "'.savebias': no transient reaches %g s, so that nothing is saved", time);
        return KN_OK;
    }
    const enum kn_status status = setup_operating_point(s, summary);
    return status == KN_OK ? bias_send(s, card, s->operating) : status;
}

const struct analysis analysis_bias = {
    .card = ".savebias",
    .doc = "keeps node voltages of the operating point, or at a time, in a file for .loadbias: .savebias file [time=t]",
    .check = check,
    .run = run,
};
