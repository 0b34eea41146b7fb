/* deck.h - a netlist file as a list of statements, each a list of items, before anything is known about their meaning.
 *
 * Three steps make it: deck_lines blanks what is no netlist (comments, control blocks) and marks continuation lines,
 * a flex scanner (deck.l) cuts the rest into words, and a bison grammar (deck.y) builds statements.  Blanking keeps
 * every character at its offset, so that line and column of each item are those of the user's text.
 */
#ifndef NETLIST_DECK_DECK_H
#define NETLIST_DECK_DECK_H

#include "base/arena.h"
#include "base/diagnostics.h"
#include "netlist/expression/expression.h"
#include "netlist/netlist.h"

#include <stdbool.h>
#include <stddef.h>

enum item_kind {
    ITEM_WORD,       /* a name or a number, as written */
    ITEM_EXPRESSION, /* the text of {...}, '...' or of a whole right side such as that of `I=` on a B source */
    ITEM_STRING,     /* "...", without the quotes */
    ITEM_GROUP       /* (...): what stands between the parentheses */
};

struct item {
    enum item_kind kind;
    bool is_number;          /* a word .. */
    bool after_comma;        /* a comma stands between it and the item before */
    double numeric;          /* .. and its value */
    const char *text;        /* "" for a group */
    const char *begin, *end; /* the same in the text of the file, with braces, quotes and parentheses */
    struct kn_location where;
    struct item *next;
    struct item *inside; /* first item of a group */
    struct item *value;  /* first item to the right of `=`, further ones after commas; or NULL */
    size_t number;       /* in the deck, from 0: for what an expansion finds out about it */
};

struct item_list {
    struct item *first, *last;
};

struct statement {
    struct item *items;             /* the first is the element's name or the dot card */
    struct kn_location end;         /* just behind the last item */
    size_t number;                  /* in the deck, from 0 */
    const struct deck_card *card;   /* of a dot card that is kept */
    const struct condition *branch; /* of .if, in which it stands; NULL: none */
    bool is_machine;                /* made of .machine (deck_machine.c) */
    bool broken;                    /* has a syntax error, which has been reported; items are those before it */
    struct statement *next;
};

struct statements {
    struct statement *first, *last;
};

/* How many there are in a deck so far. */
struct deck_counts {
    size_t items, statements;
};

void statements_append(struct statements *list, struct statement *s);

/* ---- lines (deck_lines.c) ---- */

/* Lines of a text that are those of another file (deck_splice.c). */
struct line_origin {
    int from; /* the first of them in the text, from 1 */
    const char *file;
    int line; /* which it is there */
};

struct deck_text {
    const char *file; /* as shown in messages */
    char *text;       /* [length + 2]; the two characters behind the text are NUL */
    size_t length;
    bool has_title;
    enum dialect dialect;
    struct kn_location
        dollar;              /* set: the first `$` behind which a comment stands, as one dialect has it; line 0: none */
    struct kn_location star; /* likewise, of a `*` */
    struct kn_location indented; /* the first line that is a comment because it begins with a blank; line 0: none */
    int lines_before;            /* in the file */
    struct line_origin *origins; /* by lines; NULL: all are the file's own */
    size_t origins_count;
    struct arena *arena;            /* of the lines of .control blocks .. */
    struct control_line ***control; /* .. which are appended here; NULL: nobody wants them */
};

/* Where a line of the text is to be found, from line 1 + lines_before. */
void deck_place_line(const struct deck_text *t, struct kn_location *where);

/* Blanks, in place, comments, control blocks and the title, everything behind .end; ends a statement with '\n' and
 * puts '\v' where a line goes on in a `+` line and '\f' for that `+`.  Returns false (with errors in d) where this is
 * no text or a `+` has nothing to continue. */
bool deck_lines_prepare(struct deck_text *t, struct kn_diagnostics *d);

/* ---- scanner and grammar (deck_scan.c, deck.l, deck.y) ---- */

/* Appends the statements of a prepared text to list; they live in the arena and are numbered on from the counts.  Errors
 * go to d and return KN_ERROR_DECK with the statements marked broken. */
enum kn_status deck_statements(struct arena *arena, const struct deck_text *t, struct kn_diagnostics *d,
                               struct deck_counts *counts, struct statements *list);

#endif
