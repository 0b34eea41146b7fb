/* bias.c - see bias.h.  A file is written under another name beside its own and then renamed, so that one that was there
 * is whole until the new one is. */
#include "cli/results/bias.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *bias_path(const char *output, const char *name)
{
    const char *slash = strcmp(output, "-") == 0 ? NULL : strrchr(output, '/');
    const size_t folder = slash ? (size_t)(slash - output) + 1 : 0, length = strlen(name);
    char *path = malloc(folder + length + 1);
    if (!path)
        return NULL;
    memcpy(path, output, folder);
    memcpy(path + folder, name, length + 1);
    return path;
}

static enum kn_status complain(const struct bias *b)
{
    diagnostics_add(b->diagnostics, KN_ERROR, "output-failed", NOWHERE, NULL, "cannot write '%s': %s", b->path,
                    strerror(errno));
    return KN_ERROR_IO;
}

static enum kn_status begin(void *context, const struct kn_table *table)
{
    struct bias *b = context;
    b->table = table;
    b->path = bias_path(b->output, table->plot);
    b->temporary = bias_path(b->output, ".savebias-XXXXXX");
    if (!b->path || !b->temporary)
        return KN_ERROR_MEMORY;
    const int descriptor = mkstemp(b->temporary);
    b->file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    return b->file ? KN_OK : complain(b);
}

/* Names that v(..) cannot hold are said in a comment. */
static bool can_stand(const char *name)
{
    return !strpbrk(name, " \t(),={}'\";$*");
}

static bool says_initial(const struct analysis_card *card)
{
    for (size_t i = 1; i < card->setting_count; i++)
        if (names_equal(card->settings[i].name, "ic"))
            return true;
    return false;
}

/* Of two cards with one file, the last one's counts: its points replace the others. */
static bool is_initial(const struct bias *b)
{
    bool is = false;
    for (size_t i = 0; i < b->circuit->card_count; i++) {
        const struct analysis_card *card = &b->circuit->cards[i];
        const bool meant = names_equal(card->name, ".savebias") && strcmp(card->settings[0].name, b->table->plot) == 0;
        is = meant ? says_initial(card) : is;
    }
    return is;
}

static enum kn_status row(void *context, const double *values)
{
    const struct bias *b = context;
    const char *card = is_initial(b) ? ".ic" : ".nodeset";
    fprintf(b->file, "* node voltages saved by .savebias of: %s\n", b->table->title ? b->table->title : "");
    for (size_t i = 0; i < b->table->column_count; i++)
        fprintf(b->file, "%s v(%s)=%.17g\n", can_stand(b->table->columns[i].name) ? card : "*",
                b->table->columns[i].name, values[i]);
    return ferror(b->file) ? KN_ERROR_IO : KN_OK;
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    struct bias *b = context;
    enum kn_status status = outcome;
    if (b->file) {
        const bool written = !ferror(b->file);
        if (fclose(b->file) != 0 || !written || rename(b->temporary, b->path) != 0) {
            status = complain(b);
            unlink(b->temporary);
        }
    }
    free(b->path);
    free(b->temporary);
    b->path = b->temporary = NULL;
    b->file = NULL;
    return status;
}

struct kn_sink bias_sink(struct bias *b)
{
    return (struct kn_sink){b, begin, row, end};
}
