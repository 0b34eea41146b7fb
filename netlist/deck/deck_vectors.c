/* deck_vectors.c - HSPICE's files of digital vectors, .vec 'file', become a source for each bit that is an input:
 *
 *     radix 1 4 1              bits of each digit of a row
 *     vname clk a[3:0] y       names of nodes: clk a3 a2 a1 a0 y; in<[3:0]> is in<3> .., a[[3:0]] is a[3] ..
 *     io i i o                 of each digit
 *     tunit ns                 period 10, or else a time in front of each row
 *     slope 0.1                trise, tfall; tdelay, idelay; vih, vil; out, a resistance: a value, and a mask of digits
 *     0 7 1                    rows of digits, or z x u l h
 *
 * The first row holds from the start.  What an output is to be is not compared.  (HSPICE Simulation and Analysis User Guide,
 * "Specifying a digital vector file".)
 */
#include "netlist/deck/deck_reader.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DELAY, RISE, FALL, HIGH, LOW, RESISTANCE, SETTINGS, MOST_BITS = 4 };

struct digit {
    int bits;
    char io;
    const char *names[MOST_BITS];   /* of the highest bit first; NULL: none */
    const char *settings[SETTINGS]; /* numbers or expressions */
};

struct row {
    const char *time;   /* NULL: by the period */
    const char *states; /* [digits] */
    struct row *next;
};

struct vectors {
    struct deck *k;
    struct kn_location where; /* of the line that is read */
    struct digit *digits;
    size_t count, name_count, io_count, bit_count;
    const char *period, *unit;
    struct row *first, *last;
    bool guessed; /* a state that an input cannot have was taken for the one before it */
};

static bool fail(struct vectors *v, const char *text, const char *what)
{
    return deck_fail(v->k, "vectors", v->where,
                     "a file of vectors has radix, vname, io, tunit, period, then rows of digits", "%s%s%s%s", text,
                     what ? " '" : "", what ? what : "", what ? "'" : "");
}

static const char *keep(struct vectors *v, const char *text, size_t length)
{
    const char *kept = arena_text(v->k->arena, text, length);
    if (!kept)
        deck_no_memory(v->k);
    return kept;
}

/* ---- words ---- */

/* The next word from *at on, '..' as a whole and without quotes; NULL at the end. */
static const char *word(struct vectors *v, const char **at)
{
    const char *c = *at + strspn(*at, " \t\r,");
    if (!*c)
        return NULL;
    const char *close = *c == '\'' ? strchr(c + 1, '\'') : NULL;
    const size_t length = close ? (size_t)(close - c - 1) : strcspn(c, " \t\r,");
    *at = close ? close + 1 : c + length;
    return keep(v, close ? c + 1 : c, length);
}

/* ---- radix, io, vname ---- */

static bool take_radix(struct vectors *v, const char *at)
{
    for (; *at; at++) {
        if (isspace((unsigned char)*at))
            continue;
        if (*at < '1' || *at > '0' + MOST_BITS)
            return fail(v, "digits of radix are from 1 to 4, found", at);
        struct digit *more = arena_array(v->k->arena, v->count + 1, sizeof *more);
        if (!more)
            return deck_no_memory(v->k);
        if (v->count > 0)
            memcpy(more, v->digits, v->count * sizeof *more);
        v->digits = more;
        v->digits[v->count++] =
            (struct digit){*at - '0', 'i', {NULL}, {"0", "0.1", "0.1", "3.3", "0", "0"}}; /* HSPICE's defaults */
        v->bit_count += (size_t)(*at - '0');
    }
    return true;
}

static bool take_io(struct vectors *v, const char *at)
{
    for (; *at; at++) {
        const char io = (char)tolower((unsigned char)*at);
        if (isspace((unsigned char)*at))
            continue;
        if (!strchr("iobu", io) || v->io_count == v->count)
            return fail(v, "io has an i, o, b or u for each digit of radix, found", at);
        v->digits[v->io_count++].io = io;
    }
    return true;
}

static bool name_bit(struct vectors *v, const char *name)
{
    size_t bit = v->name_count++;
    for (size_t d = 0; name && d < v->count; d++) {
        if (bit < (size_t)v->digits[d].bits) {
            v->digits[d].names[bit] = name;
            return true;
        }
        bit -= (size_t)v->digits[d].bits;
    }
    return name ? fail(v, "there are more names than bits of radix, at", name) : deck_no_memory(v->k);
}

/* a[3:0] is a3 a2 a1 a0. */
static bool take_name(struct vectors *v, const char *name)
{
    int from, to, length = 0;
    const char *open = name;
    while ((open = strchr(open, '[')) && sscanf(open, "[%d:%d]%n", &from, &to, &length) != 2)
        open++;
    if (!open || length == 0)
        return name_bit(v, name);
    const int step = from > to ? -1 : 1;
    bool good = true;
    for (int i = from; good; i += step) {
        good = name_bit(v, arena_format(v->k->arena, "%.*s%d%s", (int)(open - name), name, i, open + length));
        if (i == to)
            break;
    }
    return good;
}

static bool take_names(struct vectors *v, const char *at)
{
    bool good = true;
    for (const char *name; good && (name = word(v, &at));)
        good = take_name(v, name);
    return good;
}

/* ---- settings ---- */

/* Of the digits that the mask behind the value marks; without one, of all. */
static bool take_setting(struct vectors *v, int first, int last, const char *at)
{
    const char *value = word(v, &at);
    if (!value)
        return fail(v, "a value is missing", NULL);
    at += strspn(at, " \t\r");
    const bool all = !*at;
    for (size_t d = 0; d < v->count; d++) {
        while (isspace((unsigned char)*at))
            at++;
        const bool marked = all || (*at && *at != '0');
        at += *at != '\0';
        for (int k = first; marked && k <= last; k++)
            v->digits[d].settings[k] = value;
    }
    return true;
}

static const struct {
    const char *word;
    int first, last;
} settings[] = {{"tdelay", DELAY, DELAY}, {"idelay", DELAY, DELAY},        {"slope", RISE, FALL},
                {"trise", RISE, RISE},    {"tfall", FALL, FALL},           {"vih", HIGH, HIGH},
                {"vil", LOW, LOW},        {"out", RESISTANCE, RESISTANCE}, {"outz", RESISTANCE, RESISTANCE}};

/* About outputs, or of no meaning. */
static bool is_of_outputs(const char *name)
{
    return name_is_among("odelay vth vref voh vol triz tskip mask enable hier tstop stop_at_error check_window cwindow",
                         name);
}

static bool take_unit(struct vectors *v, const char *at)
{
    static const char *const units[][2] = {{"fs", "1e-15"}, {"ps", "1e-12"}, {"ns", "1e-9"},
                                           {"us", "1e-6"},  {"ms", "1e-3"},  {"s", "1"}};
    const char *name = word(v, &at);
    for (size_t i = 0; name && i < sizeof units / sizeof *units; i++)
        if (names_equal(name, units[i][0])) {
            v->unit = units[i][1];
            return true;
        }
    return fail(v, "tunit is fs, ps, ns, us or ms, found", name ? name : "");
}

/* ---- rows ---- */

static bool take_row(struct vectors *v, const char *at)
{
    struct row *row = arena_alloc(v->k->arena, sizeof *row);
    char *states = arena_alloc(v->k->arena, v->count + 1);
    size_t count = 0;
    if (!row || !states)
        return deck_no_memory(v->k);
    *row = (struct row){v->period ? NULL : word(v, &at), states, NULL};
    for (; *at; at++)
        if (!isspace((unsigned char)*at) && count < v->count)
            states[count++] = (char)tolower((unsigned char)*at);
    if (count < v->count)
        return fail(v, "the row has fewer digits than radix", NULL);
    if (v->last)
        v->last->next = row;
    else
        v->first = row;
    v->last = row;
    return true;
}

static bool take_line(struct vectors *v, const char *line)
{
    static const char states[] = "0123456789abcdefABCDEFzxulhZXULH";
    const char *rest = line, *name = word(v, &rest);
    if (!name)
        return !v->k->out_of_memory;
    if (names_equal(name, "radix"))
        return take_radix(v, rest);
    if (names_equal(name, "vname"))
        return take_names(v, rest);
    if (names_equal(name, "io"))
        return take_io(v, rest);
    if (names_equal(name, "tunit"))
        return take_unit(v, rest);
    if (names_equal(name, "period"))
        return (v->period = word(v, &rest)) || fail(v, "a period is missing", NULL);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (names_equal(name, settings[i].word))
            return take_setting(v, settings[i].first, settings[i].last, rest);
    if (is_of_outputs(name))
        return true;
    if (v->count == 0)
        return fail(v, "radix must stand in front of", name);
    if (isalpha((unsigned char)*name) && name[strspn(name, states)])
        return fail(v, "this is no row and no word of a file of vectors:", name);
    return take_row(v, line);
}

/* Lines without comments, joined where they go on with a +. */
static bool take_lines(struct vectors *v, char *text)
{
    bool good = true;
    char *line = text;
    for (int number = 1; line && good; number++) {
        char *next = strchr(line, '\n'), *begin = line;
        while (next && next[1 + strspn(next + 1, " \t")] == '+') {
            *next = ' ';
            next[1 + strspn(next + 1, " \t")] = ' ';
            next = strchr(next, '\n');
            number++;
        }
        if (next)
            *next = '\0';
        begin[strcspn(begin, ";")] = '\0';
        begin += strspn(begin, " \t\r");
        v->where.line = number;
        good = *begin == '*' || *begin == '#' || take_line(v, begin);
        line = next ? next + 1 : NULL;
    }
    return good;
}

/* ---- sources ---- */

/* The level of a bit, 0 or 1; of what no input can be that of the row before. */
static int level_of(struct vectors *v, const struct row *row, size_t digit, int bit, int before)
{
    const char c = row->states[digit];
    const int value = isdigit((unsigned char)c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (value >= 0)
        return value >> (v->digits[digit].bits - 1 - bit) & 1;
    v->guessed |= c != 'l' && c != 'h';
    return c == 'h' ? 1 : c == 'l' ? 0 : before;
}

/* {(time of the row + delay [+ more])*unit} */
static void write_time(const struct vectors *v, FILE *to, const struct row *row, size_t number, const char *delay,
                       const char *more)
{
    if (row->time)
        fprintf(to, " {((%s)", row->time);
    else
        fprintf(to, " {(%zu*(%s)", number, v->period);
    fprintf(to, "+(%s)+(%s))*%s}", delay, more, v->unit);
}

static void write_source(struct vectors *v, FILE *to, size_t digit, int bit)
{
    const struct digit *d = &v->digits[digit];
    const char *const *s = d->settings, *name = d->names[bit];
    int level = level_of(v, v->first, digit, bit, 0);
    size_t number = 0;
    const bool behind = strcmp(s[RESISTANCE], "0") != 0;
    fprintf(to, "vvec_%s %s%s 0 pwl(0 {%s}", name, name, behind ? "#vec" : "", s[level ? HIGH : LOW]);
    for (const struct row *row = v->first; row; row = row->next, number++) {
        const int next = level_of(v, row, digit, bit, level);
        if (next == level)
            continue;
        write_time(v, to, row, number, s[DELAY], "0");
        fprintf(to, " {%s}\n+", s[level ? HIGH : LOW]);
        write_time(v, to, row, number, s[DELAY], s[next ? RISE : FALL]);
        fprintf(to, " {%s}", s[next ? HIGH : LOW]);
        level = next;
    }
    fprintf(to, ")\n");
    if (behind)
        fprintf(to, "rvec_%s %s#vec %s {%s}\n", name, name, name, s[RESISTANCE]);
}

static void write_sources(struct vectors *v, FILE *to)
{
    for (size_t d = 0; d < v->count; d++)
        for (int bit = 0; bit < v->digits[d].bits; bit++)
            if (v->digits[d].io == 'i' && v->digits[d].names[bit])
                write_source(v, to, d, bit);
}

static void tell(const struct vectors *v, struct kn_location card)
{
    bool outputs = false, both = false;
    for (size_t d = 0; d < v->count; d++) {
        outputs |= v->digits[d].io == 'o';
        both |= v->digits[d].io == 'b';
    }
    if (v->guessed)
        deck_warn(v->k, "vectors", card, NULL, "inputs that are z, x or u in a row stay what they were before it");
    if (both)
        deck_warn(v->k, "vectors", card, "drive them by sources of the deck", "vectors of io b have no source");
    if (outputs)
        deck_warn(v->k, "vectors", card, ".measure looks at them",
                  "what the outputs of the vectors are to be is not compared");
}

char *deck_vectors(struct deck *k, const char *path, char *text, struct kn_location card, size_t *length)
{
    struct vectors v = {.k = k, .where = {.file = path, .line = 1, .column = 1, .width = 1}, .unit = "1e-9"};
    char *netlist = NULL;
    if (!take_lines(&v, text))
        return NULL;
    if (!v.first || v.name_count < v.bit_count) {
        fail(&v, !v.first ? "there are no rows of vectors" : "there are fewer names than bits of radix", NULL);
        return NULL;
    }
    FILE *to = open_memstream(&netlist, length);
    if (to)
        write_sources(&v, to);
    if (!to || fclose(to) != 0) {
        free(netlist);
        deck_no_memory(k);
        return NULL;
    }
    tell(&v, card);
    return netlist;
}
