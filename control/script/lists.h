/* lists.h - the vectors that stand behind a command, and files behind > and >>. */
#ifndef CONTROL_SCRIPT_LISTS_H
#define CONTROL_SCRIPT_LISTS_H

#include "control/script/state.h"

struct listed {
    const char *name; /* as written, or of the vector */
    struct values values;
};

struct list {
    struct listed *items;
    size_t count, capacity;
    const struct plot *plot; /* of the first vector; the current one where it is of none */
    struct values scale;     /* of that plot; count 0: none */
    const char *scale_name;
};

/* Formulas one behind the other; `all`, or nothing at all where `none_is_all`, are all vectors of the current plot, `tran1.all`
 * those of another. False with the error said. */
bool list_read(struct state *s, const char *text, bool none_is_all, struct list *out);
/* Whether vector i belongs over the scale. */
bool list_has_scale(const struct list *l, size_t i);

/* Text that a command prints goes to a file where its line ends in > name or >> name, which is taken off. */
/* Where its sign stands; NULL: nowhere. */
const char *list_redirect_sign(const char *text);
bool list_redirect(struct state *s, const char **text);
bool list_end_redirect(struct state *s);

#endif
