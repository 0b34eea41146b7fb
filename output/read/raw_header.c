/* raw_header.c - see raw_header.h.
 *
 * Lines of a key and a value, "Variables:" with a line for each vector (number, name, type, and in ngspice more behind them),
 * and "Values:" or "Binary:".  What LTspice does of its own: UTF-16; numbers of real plots in four bytes but for those of the
 * first vector, unless the flag `double` is there; vectors one behind the other with the flag `fastaccess`. */
#include "output/read/raw_header.h"

#include "base/names.h"
#include "base/quantities.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_VARIABLES = 10000000 };

/* What stands behind the key; NULL: another one. */
static const char *behind(const char *line, const char *key)
{
    const size_t length = strlen(key);
    if (strncasecmp(line, key, length) != 0)
        return NULL;
    return line + length + strspn(line + length, " \t");
}

static bool has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *c = list + strspn(list, " "); *c; c += strspn(c, " ")) {
        const size_t here = strcspn(c, " ");
        if (here == length && strncasecmp(c, word, length) == 0)
            return true;
        c += here;
    }
    return false;
}

static bool contains(const char *text, const char *word)
{
    for (const char *c = text; *c; c++)
        if (strncasecmp(c, word, strlen(word)) == 0)
            return true;
    return false;
}

static bool read_count(struct raw_text *r, const char *key, const char *text, unsigned long long *count)
{
    char *end;
    *count = strtoull(text, &end, 10);
    if (end != text && *text != '-' && end[strspn(end, " \t")] == '\0' && *count < 1ull << 48)
        return true;
    return raw_text_fail(r, r->line - 1, NULL, "'%s' is no number behind '%s'", text, key);
}

/* ---- variables ---- */

static const struct {
    const char *type;
    enum kn_quantity quantity;
} others[] = {{"device_current", KN_CURRENT}, {"subckt_current", KN_CURRENT}, {"conductance", KN_ADMITTANCE}};

/* LTspice calls the densities of noise voltages. */
static enum kn_quantity quantity_of(const struct raw_header *h, const char *name, const char *type)
{
    const bool noise = h->is_ltspice && behind(h->plot, "Noise") != NULL;
    enum kn_quantity q = KN_OTHER;
    for (int i = 0; i < QUANTITIES; i++)
        if (quantity_words[i].type && strcasecmp(quantity_words[i].type, type) == 0)
            q = (enum kn_quantity)i;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcasecmp(others[i].type, type) == 0)
            q = others[i].quantity;
    if (q == KN_OTHER && strcasecmp(name, "time") == 0)
        return KN_TIME;
    if (q == KN_OTHER && strcasecmp(name, "frequency") == 0)
        return KN_FREQUENCY;
    return noise && q == KN_VOLTAGE ? KN_VOLTAGE_DENSITY : noise && q == KN_CURRENT ? KN_CURRENT_DENSITY : q;
}

/* The next part of a line, at tabs where there are any, else at blanks. */
static char *part(char **at, const char *ends)
{
    char *begin = *at;
    const size_t length = strcspn(begin, ends);
    *at = begin + length + (begin[length] != '\0');
    begin[length] = '\0';
    return begin;
}

/* "v1#branch" of SPICE3 is the current i(v1). */
static const char *name_of(struct raw_text *r, struct arena *a, const char *name)
{
    static const char branch[] = "#branch";
    const size_t length = strlen(name), ending = sizeof branch - 1;
    const bool is_branch = length > ending && strcasecmp(name + length - ending, branch) == 0;
    const char *kept =
        is_branch ? arena_format(a, "i(%.*s)", (int)(length - ending), name) : arena_text(a, name, length);
    if (!kept)
        raw_text_no_memory(r);
    return kept;
}

static bool read_variable(struct raw_text *r, struct arena *a, const struct raw_header *h, size_t number,
                          struct raw_variable *out)
{
    const long line = r->line;
    char *text = raw_text_line(r), *end = NULL;
    if (!text)
        return raw_text_fail(r, line, "the file is cut off", "the list of variables ends after %zu of %zu", number,
                             h->variable_count);
    text += strspn(text, " \t");
    const char *ends = strchr(text, '\t') ? "\t" : " ";
    const char *index = part(&text, ends);
    const unsigned long given = strtoul(index, &end, 10);
    text += strspn(text, ends);
    const char *name = part(&text, ends);
    text += strspn(text, ends);
    const char *type = part(&text, "\t ");
    if (end == index || given != number || !*name || !*type)
        return raw_text_fail(r, line, NULL, "expected number %zu, name and type of a variable", number);
    *out = (struct raw_variable){name_of(r, a, name), quantity_of(h, name, type)};
    return out->name != NULL;
}

static bool read_variables(struct raw_text *r, struct arena *a, struct raw_header *h)
{
    if (h->variable_count == 0)
        return raw_text_fail(r, r->line - 1, NULL, "'No. Variables:' is missing in front of 'Variables:', or 0");
    /* Each of them takes a line of more than a byte in the file. */
    const long here = ftell(r->from);
    fseek(r->from, 0, SEEK_END);
    const long end = ftell(r->from);
    fseek(r->from, here, SEEK_SET);
    if (end >= here && h->variable_count > (size_t)(end - here))
        return raw_text_fail(r, r->line - 1, "the file is cut off", "%zu variables are announced, and %ld bytes follow",
                             h->variable_count, end - here);
    h->variables = arena_array(a, h->variable_count, sizeof *h->variables);
    if (!h->variables)
        return raw_text_no_memory(r);
    for (size_t i = 0; i < h->variable_count; i++)
        if (!read_variable(r, a, h, i, &h->variables[i]))
            return false;
    return true;
}

/* ---- lines ---- */

static bool read_flags(struct raw_text *r, const char *flags, struct raw_header *h)
{
    h->is_complex = has_word(flags, "complex");
    h->fast_access = has_word(flags, "fastaccess");
    if (has_word(flags, "unpadded"))
        return raw_text_fail(r, r->line - 1, "ngspice writes padded ones after: set filetype=binary, unset nopadding",
                             "unpadded vectors cannot be read");
    return true;
}

struct seen {
    bool doubles, qspice, variables;
};

static const char *keep(struct raw_text *r, struct arena *a, const char *text)
{
    const char *kept = arena_text(a, text, strlen(text));
    if (!kept)
        raw_text_no_memory(r);
    return kept;
}

/* One line; *last: the numbers begin behind it. */
static bool take_line(struct raw_text *r, struct arena *a, const char *line, struct raw_header *h, struct seen *seen,
                      bool *last)
{
    const char *rest;
    unsigned long long count = 0;
    if ((rest = behind(line, "Title:")))
        return (h->title = keep(r, a, rest)) != NULL;
    if ((rest = behind(line, "Plotname:")))
        return (h->plot = keep(r, a, rest)) != NULL;
    if ((rest = behind(line, "Flags:"))) {
        seen->doubles = has_word(rest, "double");
        return read_flags(r, rest, h);
    }
    if ((rest = behind(line, "Command:"))) {
        h->is_ltspice |= contains(rest, "LTspice");
        seen->qspice = contains(rest, "QSPICE");
        return true;
    }
    if ((rest = behind(line, "No. Points:")))
        return read_count(r, "No. Points:", rest, &h->points);
    if ((rest = behind(line, "No. Variables:"))) {
        const bool good = read_count(r, "No. Variables:", rest, &count);
        h->variable_count = (size_t)count;
        if (good && count > MOST_VARIABLES)
            return raw_text_fail(r, r->line - 1, NULL, "%llu variables are more than can be", count);
        return good;
    }
    if (behind(line, "Variables:"))
        return seen->variables = read_variables(r, a, h);
    h->binary = behind(line, "Binary:") != NULL;
    *last = h->binary || behind(line, "Values:");
    return true; /* Date:, Offset:, Backannotation: and what others may bring */
}

bool raw_header_read(struct raw_text *r, struct arena *a, struct raw_header *h)
{
    struct seen seen = {false, false, false};
    bool last = false;
    *h = (struct raw_header){.title = "", .plot = "", .is_ltspice = r->wide};
    const long begin = r->line;
    while (!last) {
        const char *line = raw_text_line(r);
        if (!line && r->status == KN_OK)
            raw_text_fail(r, r->line, "the file is cut off",
                          "the header that begins in line %ld has no 'Values:' or 'Binary:'", begin);
        if (!line || !take_line(r, a, line, h, &seen, &last))
            return false;
    }
    h->values_line = r->line - 1;
    if (!seen.variables)
        return raw_text_fail(r, h->values_line, NULL, "there are no 'Variables:' in front of the values");
    h->other_bytes = h->is_complex                    ? 2 * sizeof(double)
                     : h->is_ltspice && !seen.doubles ? sizeof(float)
                                                      : sizeof(double);
    h->first_bytes = h->is_complex && !seen.qspice ? 2 * sizeof(double) : sizeof(double);
    return true;
}
