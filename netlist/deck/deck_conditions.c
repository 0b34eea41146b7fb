/* deck_conditions.c - .if, .elseif, .else, .endif: the branch that each statement stands in.  Which of them count is known
 * in an expansion only (expand_conditions.c).
 */
#include "netlist/deck/deck_reader.h"

static const char form[] = "write .if (a > 1), then .elseif (..) and .else as wanted, and .endif";

enum { DEEPEST_BRANCH = 1000 };

static struct condition *new_branch(struct deck *k, const struct statement *s, struct condition *outer,
                                    const struct item *expression)
{
    struct condition *b = arena_alloc(k->scratch, sizeof *b);
    if (!b) {
        deck_no_memory(k);
        return NULL;
    }
    *b = (struct condition){.outer = outer,
                            .first = b,
                            .expression = expression,
                            .depth = outer ? outer->depth + 1 : 0,
                            .level = k->current,
                            .where = s->items->where,
                            .number = k->current->branch_count++};
    if (b->depth == DEEPEST_BRANCH)
        deck_fail(k, "too-deep", b->where, "is an '.endif' missing?", "more than %d branches inside each other",
                  DEEPEST_BRANCH);
    k->branch = b;
    return b;
}

/* The expression behind the card's name; NULL with an error. */
static const struct item *condition_of(struct deck *k, const struct statement *s)
{
    const struct item *condition = s->items->next;
    if (!condition && !s->broken)
        deck_fail(k, "syntax", s->end, form, "'%s' needs a condition", s->items->text);
    return condition;
}

/* Whether a branch is open here. */
static bool is_inside(struct deck *k, const struct statement *s)
{
    return (k->branch && k->branch->level == k->current) ||
           deck_fail(k, "syntax", s->items->where, form, "'%s' without an '.if' before it", s->items->text);
}

void deck_take_if(struct deck *k, struct statement *s)
{
    new_branch(k, s, k->branch, condition_of(k, s));
}

/* The next branch of the same block. */
static void go_on(struct deck *k, struct statement *s, const struct item *condition)
{
    struct condition *before = k->branch;
    if (!before->expression && before != before->first)
        deck_fail(k, "syntax", s->items->where, form, "'%s' behind the '.else' of %s", s->items->text,
                  deck_place(k, before->where));
    struct condition *b = new_branch(k, s, before->outer, condition);
    if (!b)
        return;
    b->first = before->first;
    before->next = b;
}

void deck_take_elseif(struct deck *k, struct statement *s)
{
    if (is_inside(k, s))
        go_on(k, s, condition_of(k, s));
}

/* .else if (..) is .elseif (..) to some. */
void deck_take_else(struct deck *k, struct statement *s)
{
    if (is_inside(k, s))
        go_on(k, s, s->items->next);
}

void deck_take_endif(struct deck *k, struct statement *s)
{
    if (is_inside(k, s))
        k->branch = k->branch->outer;
}

void deck_check_branches(struct deck *k, struct condition *outside)
{
    for (; k->branch && k->branch != outside; k->branch = k->branch->outer)
        if (k->branch->level == k->current)
            deck_fail(k, "syntax", k->branch->where, form, "this branch has no '.endif'");
    k->branch = outside;
}
