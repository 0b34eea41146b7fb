/* equations_parts.h - the inside of the symbolic equations, shared by the files that do its steps. */
#ifndef MNA_EQUATIONS_EQUATIONS_PARTS_H
#define MNA_EQUATIONS_EQUATIONS_PARTS_H

#include "mna/equations/equations.h"

struct equation_builder {
    struct equations *e;
    const struct mna *m;
    const struct branch_list *list;
    const struct quantity **currents; /* [branch] what each branch contributes to the balances of its nodes */
    int *order;                       /* [branch] as the elements stand in the deck */
    bool failed;                      /* out of memory; everything after that is empty */
};

void *builder_take(struct equation_builder *b, size_t count, size_t size);

/* ---- equations_terms.c: branches as quantities ---- */

/* Current of a branch; NULL without memory. */
const struct quantity *builder_current(struct equation_builder *b, const struct branch *branch);
/* What a voltage-type branch imposes on its own voltage; NULL for a short, or without memory. */
const struct quantity *builder_voltage(struct equation_builder *b, const struct branch *branch);
struct quantity *builder_quantity(struct equation_builder *b, enum quantity_kind kind, const struct branch *branch);
/* A quantity with one difference of unknowns. */
struct quantity *builder_of_difference(struct equation_builder *b, enum quantity_kind kind, const struct branch *branch,
                                       int plus, int minus);
bool branch_is_fixed_voltage(const struct branch *branch);

/* ---- equations.c: rows ---- */

/* Adds sign * quantity, or sign * gain * quantity where gain is not NULL. */
void equation_add(struct equation_builder *b, struct equation *eq, int sign, const struct element *gain,
                  const struct quantity *q);
/* to += sign * from */
void equation_add_equation(struct equation_builder *b, struct equation *to, int sign, const struct equation *from);
/* Removes what has cancelled. */
void equation_tidy(struct equation *eq);

/* Adds a quantity as the system sees it: currents of eliminated sources are replaced. */
void builder_add_seen(struct equation_builder *b, const struct equation_system *s, struct equation *eq, int sign,
                      const struct quantity *q);

/* Fills the equations of a system whose potentials and eliminated currents are known. */
void builder_fill_system(struct equation_builder *b, struct equation_system *s);

/* ---- the rest ---- */

void builder_reduce(struct equation_builder *b, struct equation_system *s);     /* equations_reduce.c */
void builder_split(struct equation_builder *b);                                 /* equations_split.c */
void builder_constraints(struct equation_builder *b, const struct topology *t); /* equations_hidden.c */

#endif
