/* deck_scan.h - what the scanner deck.l and the grammar deck.y share while they read one text. */
#ifndef NETLIST_DECK_DECK_SCAN_H
#define NETLIST_DECK_DECK_SCAN_H

#include "netlist/deck/deck.h"

/* How far a right side or a brace reaches. */
enum text_extent {
    TEXT_BRACE, /* to the brace that matches the first */
    TEXT_VALUE, /* to the first blank or comma outside parentheses */
    TEXT_REST   /* to the next `name =` or the end of the statement */
};

struct deck_scan {
    struct arena *arena;
    struct kn_diagnostics *diagnostics;
    const struct deck_text *text;
    struct deck_counts *counts;
    bool included, warned; /* not the deck's own text, of which not everything is told; of brackets there */
    struct statements *statements;
    int line, column; /* of the next character, in the text */
    int token_line, token_column;

    bool at_head;           /* the next word opens a statement */
    char letter;            /* of the statement: 'r' for an element, '.' for a dot card */
    bool rest_of_statement; /* .param: every right side is an expression */
    int model_words;  /* of .model so far, 0 of all else: what braces behind three of them hold are its parameters .. */
    bool in_braces;   /* .. and these are read */
    bool careless;    /* models, tables, waveforms: SPICE takes their parentheses for blanks, and so do people */
    bool function;    /* .func: what follows the arguments is an expression */
    int words_left;   /* of .if, .state and .rule: so many until an expression follows; 0: none does */
    bool after_value; /* a comma would go on with a list of values */
    struct item *last_word;

    bool comma; /* since the last item */
    bool operator_is_comma;
    struct kn_location operator; /* the `=` or `,` whose value has not come yet; column 0: none */
    int group_depth;             /* parentheses open in the statement */
    struct kn_location group;    /* the outermost of them */

    enum text_extent extent; /* of the text being collected */
    const char *text_begin;  /* NULL before its first character */
    struct kn_location text_where;
    int text_depth, text_braces;  /* brackets open in it, and how many of them are braces */
    char text_outer;              /* the outermost of them */
    struct kn_location text_open; /* the outermost bracket open in it */

    bool shows;            /* a card that only says what is to be seen: a mistake in it leaves it out and nothing else */
    bool statement_failed;
    bool failed;
    bool out_of_memory;
    void *fatal; /* jmp_buf, while the scanner is set up */
};

/* Called by the scanner. */
void deck_scan_advance(struct deck_scan *s, const char *text, size_t length);
void deck_scan_error(struct deck_scan *s, struct kn_location where, const char *hint, const char *text);
/* A mistake that has been reported, or follows from one. */
void deck_scan_fault(struct deck_scan *s);
void deck_scan_remark(struct deck_scan *s, struct kn_location where, const char *text);
void deck_scan_warn(struct deck_scan *s, struct kn_location where, const char *text);
struct item *deck_scan_word(struct deck_scan *s, const char *text, size_t length, struct kn_location where);
struct item *deck_scan_string(struct deck_scan *s, const char *text, size_t length, struct kn_location where);
/* The text collected up to `end` as a word or an expression. */
struct item *deck_scan_text(struct deck_scan *s, const char *end);
/* Whether only parentheses are open in it, or such in one brace, which LTspice closes where the brace or the card ends. */
bool deck_scan_is_supplied(const struct deck_scan *s);
/* How far the right side reaches whose `=` has just been read. */
enum text_extent deck_scan_extent(const struct deck_scan *s);
/* Whether the value that is being read is a whole number up to there, which no parenthesis goes on with. */
bool deck_scan_has_number(const struct deck_scan *s, const char *end);

/* Called by the grammar. */
/* open, close: its parentheses in the text. */
struct item *deck_scan_group(struct deck_scan *s, struct item *inside, const char *open, const char *close,
                             struct kn_location where);
bool deck_scan_statement(struct deck_scan *s, struct item *items, struct kn_location end, bool broken);

#endif
