/* deck_dialect.c - whose deck a text is, by what one program only writes or understands.
 *
 * Dot cards, comments and the title are looked at; elements look the same in all, but for Xyce's Y.  What counts is in one table: a card or
 * the beginning of a line, what else it must hold, and how much that says.  The dialect with the most points is that of
 * the deck if they are enough, and more than those of any other.
 */
#include "netlist/deck/deck_reader.h"

#include <string.h>

enum {
    ENOUGH = 2,
    CERTAIN = 4,
    DRAWN = 100 /* a schematic's program wrote it, whatever cards of others stand on the sheet */
};

/* card: how the line begins, with `*` for anything behind; holds: a piece of it in lower case; NULL: nothing. */
static const struct evidence {
    enum dialect dialect;
    int points;
    const char *card, *holds;
} evidence[] = {
    {DIALECT_KICAD, DRAWN, ".title", "kicad"},
    {DIALECT_KICAD, DRAWN, "*", "eeschema netlist"},
    {DIALECT_LTSPICE, CERTAIN, ".backanno", NULL},
    {DIALECT_LTSPICE, CERTAIN, "*", ".asc"},
    {DIALECT_LTSPICE, CERTAIN, ".machine", NULL},
    {DIALECT_LTSPICE, CERTAIN, ".ferret", NULL},
    {DIALECT_LTSPICE, CERTAIN, ".tran", " startup"},
    {DIALECT_LTSPICE, 2, ".wave", NULL},
    {DIALECT_LTSPICE, 2, ".sourcepath", NULL},
    {DIALECT_LTSPICE, 3, ".option", "plotwinsize"},
    {DIALECT_LTSPICE, 3, ".lib", "ltspice"},
    {DIALECT_LTSPICE, 3, ".lib", "\\ltc\\"},
    {DIALECT_XYCE, CERTAIN, ".option", " timeint"},
    {DIALECT_XYCE, CERTAIN, ".option", " nonlin"},
    {DIALECT_XYCE, CERTAIN, ".option", " linsol"},
    {DIALECT_XYCE, CERTAIN, ".option", " device"},
    {DIALECT_XYCE, CERTAIN, ".option", " output"},
    {DIALECT_XYCE, CERTAIN, ".global_param", NULL},
    {DIALECT_XYCE, CERTAIN, ".print", "format="},
    {DIALECT_XYCE, CERTAIN, ".print", "file="},
    {DIALECT_XYCE, CERTAIN, ".print", "precision="},
    {DIALECT_XYCE, CERTAIN, ".preprocess", NULL},
    {DIALECT_XYCE, CERTAIN, ".sampling", NULL},
    {DIALECT_XYCE, CERTAIN, ".embeddedsampling", NULL},
    {DIALECT_XYCE, CERTAIN, ".sens", "objfunc"},
    {DIALECT_XYCE, CERTAIN, ".print", " sens"},
    {DIALECT_XYCE, CERTAIN, ".model", " memristor"},
    {DIALECT_XYCE, CERTAIN, "ydelay ", NULL},
    {DIALECT_XYCE, CERTAIN, "yacc ", NULL},
    {DIALECT_XYCE, CERTAIN, "ydac ", NULL},
    {DIALECT_XYCE, CERTAIN, "yadc ", NULL},
    {DIALECT_XYCE, 2, ".dcvolt", NULL},
    {DIALECT_XYCE, 2, ".initcond", NULL},
    {DIALECT_XYCE, 1, ".print", "{"},
    {DIALECT_XYCE, 1, ".tran 0 ", NULL},       /* a step of 0, which LTspice takes too */
    {DIALECT_XYCE, 2, "*.option", " timeint"}, /* tried and put aside */
    {DIALECT_XYCE, CERTAIN, ".tran", "schedule("},
    {DIALECT_XYCE, 1, "*", "xyce"},
    {DIALECT_PSPICE, CERTAIN, ".probe/", NULL},
    {DIALECT_PSPICE, CERTAIN, ".probe64", NULL},
    {DIALECT_PSPICE, CERTAIN, ".stmlib", NULL},
    {DIALECT_PSPICE, CERTAIN, ".stimulus", NULL},
    {DIALECT_PSPICE, CERTAIN, ".aliases", NULL},
    {DIALECT_PSPICE, CERTAIN, ".autoconverge", NULL},
    {DIALECT_PSPICE, CERTAIN, ".lib", "nom.lib"},
    {DIALECT_PSPICE, CERTAIN, "*", "schematics netlist"},
    {DIALECT_PSPICE, CERTAIN, ".subckt", "optional:"},
    {DIALECT_PSPICE, CERTAIN, ".subckt", "text:"},
    {DIALECT_PSPICE, CERTAIN, ".wcase", NULL},
    {DIALECT_PSPICE, CERTAIN, ".mc ", " ymax"},
    {DIALECT_PSPICE, CERTAIN, ".mc ", " rise_edge("},
    {DIALECT_PSPICE, CERTAIN, ".mc ", " fall_edge("},
    {DIALECT_PSPICE, CERTAIN, ".distribution", NULL},
    {DIALECT_PSPICE, 2, ".model", " dev="},
    {DIALECT_PSPICE, 2, ".model", " lot="},
    {DIALECT_PSPICE, 3, ".option", "advconv"},
    {DIALECT_PSPICE, 2, "* source ", NULL},
    {DIALECT_PSPICE, 1, "*", "pspice"},
    {DIALECT_HSPICE, CERTAIN, ".option", " post"},
    {DIALECT_HSPICE, CERTAIN, ".option", " runlvl"},
    {DIALECT_HSPICE, CERTAIN, ".option", " accurate"},
    {DIALECT_HSPICE, CERTAIN, ".hdl", NULL},
    {DIALECT_HSPICE, CERTAIN, ".connect", NULL},
    {DIALECT_HSPICE, 3, ".option", "parhier"},
    {DIALECT_HSPICE, 3, ".option", "ingold"},
    {DIALECT_HSPICE, 3, ".option", " brief"},
    {DIALECT_HSPICE, 3, ".unprot", NULL},
    {DIALECT_HSPICE, 2, ".alter", NULL},
    {DIALECT_HSPICE, 1, "*", "hspice"},
    {DIALECT_NGSPICE, CERTAIN, ".control", NULL},
    {DIALECT_NGSPICE, CERTAIN, ".csparam", NULL},
    {DIALECT_NGSPICE, CERTAIN, "*ng_script", NULL},
    {DIALECT_NGSPICE, 2, ".probe", " alli"},
    {DIALECT_NGSPICE, 1, "*", "ngspice"},
};

enum { ROWS = sizeof evidence / sizeof *evidence, LONGEST = 300 };

struct search {
    int points[DIALECTS];
    const struct evidence *best[DIALECTS]; /* the row that said most, and where it was found */
    int line[DIALECTS];
};

/* The line in lower case, tabs as blanks; cut where it is long. */
static size_t lower_line(const char *from, size_t length, char *to)
{
    if (length > LONGEST)
        length = LONGEST;
    for (size_t i = 0; i < length; i++)
        to[i] = (char)(from[i] >= 'A' && from[i] <= 'Z' ? from[i] - 'A' + 'a' : from[i] == '\t' ? ' ' : from[i]);
    to[length] = '\0';
    return length;
}

/* .tran 10m: one word that is no flag. */
static bool is_single_time(const char *line)
{
    if (strncmp(line, ".tran ", 6) != 0)
        return false;
    const char *first = line + 6 + strspn(line + 6, " ");
    const char *rest = first + strcspn(first, " \r;");
    rest += strspn(rest, " \r");
    const bool number = (*first >= '0' && *first <= '9') || *first == '{' || *first == '.';
    return number && (!*rest || *rest == ';' || strncmp(rest, "uic", 3) == 0 || strncmp(rest, "startup", 7) == 0);
}

static void count(struct search *s, const struct evidence *e, int line)
{
    s->points[e->dialect] += e->points;
    const struct evidence *best = s->best[e->dialect];
    if (best && best->points >= e->points)
        return;
    s->best[e->dialect] = e;
    s->line[e->dialect] = line;
}

/* .print tran p(r1) w(r1): Xyce alone has both letters for power, HSPICE the first and PSpice the second. */
static bool has_both_powers(const char *card, const char *line)
{
    return strncmp(card, ".print ", 7) == 0 && strstr(line, " p(") && strstr(line, " w(");
}

static const struct evidence both_powers = {DIALECT_XYCE, CERTAIN, ".print", "p() w()"};
static const struct evidence single_time = {DIALECT_LTSPICE, 2, ".tran", NULL};

/* of: NULL, or the card that the line goes on with. */
static void look_at(struct search *s, const char *of, const char *line, int number)
{
    const char *card = of ? of : line;
    for (size_t i = 0; i < ROWS; i++) {
        const struct evidence *e = &evidence[i];
        if (strncmp(card, e->card, strlen(e->card)) == 0 && (!e->holds || strstr(line, e->holds)))
            count(s, e, number);
    }
    if (has_both_powers(card, line))
        count(s, &both_powers, number);
    if (!of && is_single_time(line))
        count(s, &single_time, number);
}

static enum dialect winner(const struct search *s)
{
    enum dialect best = DIALECT_SPICE;
    bool alone = true;
    for (int d = 0; d < DIALECTS; d++) {
        if (s->points[d] < ENOUGH)
            continue;
        alone = s->points[d] != s->points[best];
        if (s->points[d] > s->points[best])
            best = (enum dialect)d;
    }
    return alone ? best : DIALECT_SPICE;
}

static void take(struct deck *k, const struct search *s)
{
    const enum dialect d = winner(s);
    if (d == DIALECT_SPICE)
        return;
    const struct evidence *e = s->best[d];
    const char *words = e->holds ? e->holds + strspn(e->holds, " ") : NULL;
    k->dialect = d;
    k->dialect_evidence = words ? arena_format(k->arena, "%s .. %s", e->card, words) : e->card;
    k->dialect_where = (struct kn_location){k->file, s->line[d], 1, 1};
    if (!k->dialect_evidence)
        deck_no_memory(k);
}

static const char print[] = ".print ";

/* Cards that go on over many lines and tell something there. */
static const char *long_card(const char *line)
{
    static const char *const cards[] = {".model ", print};
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++)
        if (strncmp(line, cards[i], strlen(cards[i])) == 0)
            return cards[i];
    return NULL;
}

void deck_find_dialect(struct deck *k, const char *text, size_t length)
{
    struct search s = {0};
    char line[LONGEST + 1];
    int number = 0;
    const char *card = NULL; /* lines with + go on with a card of that kind */
    if (k->variant.dialect) {
        k->dialect = *k->variant.dialect;
        return;
    }
    for (const char *at = text, *end = text + length, *next; at < end; at = next) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        next = newline ? newline + 1 : end;
        number++;
        while (at < next && (*at == ' ' || *at == '\t'))
            at++;
        if (at == next)
            continue;
        const bool goes_on = *at == '+' && card;
        if (!goes_on && *at != '*')
            card = NULL;
        if (!goes_on && !strchr(".*yY", *at))
            continue;
        lower_line(at, (size_t)(next - at) - (newline != NULL), line);
        card = card ? card : long_card(line);
        look_at(&s, goes_on ? card : NULL, line, number);
        if (card && strcmp(card, print) == 0 && strchr(line, '{')) /* which counts once a card */
            card = NULL;
        if (strncmp(line, ".end", 4) == 0 && strspn(line + 4, " \r") == strlen(line + 4))
            break;
    }
    take(k, &s);
}

static const char *of_dialect(struct deck *k, const char *what)
{
    const char *text =
        k->dialect_evidence
            ? arena_format(k->scratch, "%s, as in %s; the deck is taken for one of it because of '%s' in line %d", what,
                           dialect_title(k->dialect), k->dialect_evidence, k->dialect_where.line)
            : arena_format(k->scratch, "%s, as in %s", what, dialect_title(k->dialect));
    if (!text)
        deck_no_memory(k);
    return text ? text : what;
}

void deck_note_dialect(struct deck *k, const char *code, struct kn_location where, const char *what)
{
    deck_note(k, code, where, "%s", of_dialect(k, what));
}

void deck_warn_dialect(struct deck *k, const char *code, struct kn_location where, const char *what)
{
    deck_warn(k, code, where, NULL, "%s", of_dialect(k, what));
}
