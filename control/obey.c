/* obey.c - see obey.h. */
#include "control/obey.h"

#include "base/names.h"
#include "control/script/substitute.h"

#include <math.h>
#include <string.h>

/* ---- what there is ---- */

static const struct command_kind *find(const struct state *s, const char *name)
{
    for (size_t i = 0; i < s->request->more_count; i++)
        if (strcmp(s->request->more[i].name, name) == 0)
            return &s->request->more[i];
    return command_find(name);
}

static bool may_be_obeyed(struct state *s, const struct command *c, const struct command_kind *kind)
{
    const struct control_request *r = s->request;
    if (strchr(c->rest, '`') && !(kind && kind->why))
        return state_fail(s, "a deck runs no program; write what it would print", "'%s %s' is refused", c->name,
                          c->rest);
    if (!kind && c->rest[0] == '=')
        return state_fail(s, "let makes vectors, set variables", "unknown command '%s'", c->name);
    if (!kind)
        return state_fail(s, diagnostics_meant(r->diagnostics, command_closest(c->name)), "unknown command '%s'",
                          c->name);
    if (!kind->run)
        return state_fail(s, kind->why, "command '%s' is refused", c->name);
    if (!kind->of_circuit || (r->circuit && r->circuit->circuit->element_count > 0 && !s->removed))
        return true;
    return r->circuit
               ? state_fail(s, s->removed ? "remcirc has taken it away" : "the deck has no elements, only commands",
                            "%s: there is no circuit", c->name)
               : state_fail(s, "source deck.cir reads one", "%s: there is no circuit", c->name);
}

bool obey_is_comment(const struct state *s, const struct command *c)
{
    return c->in_comment && !find(s, c->name);
}

const struct command_kind *obey_kind(struct state *s, const struct command *c)
{
    const struct command_kind *kind = find(s, c->name);
    return may_be_obeyed(s, c, kind) ? kind : NULL;
}

/* ---- one command ---- */

const char *obey_arguments(struct state *s, const struct command *c, const struct command_kind *kind, bool exact)
{
    return kind->why ? c->rest : substitute(s, c->rest, exact);
}

bool obey_with_scratch(struct state *s, const struct command *c, bool (*work)(struct state *s, const struct command *c))
{
    struct arena *outside = s->scratch;
    s->scratch = arena_new();
    s->command = c;
    const bool good = s->scratch ? work(s, c) : state_no_memory(s);
    arena_free(s->scratch);
    s->scratch = outside;
    return good;
}

static bool run_one(struct state *s, const struct command *c)
{
    if (obey_is_comment(s, c))
        return true;
    const struct command_kind *kind = obey_kind(s, c);
    s->forgiving = kind && command_only_draws(kind);
    const char *rest = kind ? obey_arguments(s, c, kind, !kind->shows) : NULL;
    const bool good = rest && kind->run(s, rest);
    s->forgiving = false;
    if (s->redirected) {
        fclose(s->redirected);
        s->redirected = NULL;
    }
    return good && s->status == KN_OK;
}

/* ---- blocks ---- */

static void obey_list(struct state *s, const struct command *list);

/* The turn of a loop; false where the loop is left. */
static bool turn(struct state *s, const struct command *c)
{
    obey_list(s, c->body);
    const bool again = (s->again || !s->left) && !s->label;
    s->left = s->again = false;
    if (state_interrupted(s))
        s->status = KN_INTERRUPTED;
    return again && !s->quit && s->status == KN_OK;
}

const char *obey_condition(struct state *s, const struct command *c)
{
    s->forgiving = true;
    const char *rest = substitute(s, c->rest, true);
    s->forgiving = false;
    return rest;
}

static bool evaluate_condition(struct state *s, const struct command *c)
{
    const char *rest = obey_condition(s, c);
    bool holds = false;
    return rest && state_condition(s, rest, &holds) && holds;
}

/* As many messages as nobody reads; a loop has more in no time, and each takes memory. */
enum { MOST_FAILURES = 1000 };

/* A command that fails is not the end of the script, as in ngspice: results of others are wanted all the same, as those of the
 * draws of a loop behind one that found no operating point. */
static void note_failure(struct state *s)
{
    if (s->status == KN_OK || s->status == KN_ERROR_MEMORY || s->status == KN_INTERRUPTED)
        return;
    if (s->failure == KN_OK)
        s->failure = s->status;
    s->status = KN_OK;
    if (++s->failures != MOST_FAILURES)
        return;
    state_fail(s, NULL, "so many commands have failed that the script ends here");
    s->status = KN_OK;
    s->quit = true;
}

/* A condition that cannot be found out is false, as in ngspice: what else is to be done is done. */
static bool holds(struct state *s, const struct command *c)
{
    const bool good = obey_with_scratch(s, c, evaluate_condition) && s->status == KN_OK;
    note_failure(s);
    return good;
}

static void repeat(struct state *s, const struct command *c)
{
    double count = INFINITY;
    const char *rest = substitute(s, c->rest, true);
    if (!rest || (*rest && !state_evaluate_number(s, rest, &count)))
        return;
    for (double i = 0; i < rint(count) && turn(s, c); i++)
        ;
}

/* foreach x a b c, foreach x ( a b c ), foreach x $list */
static void for_each(struct state *s, const struct command *c)
{
    const char *rest = substitute(s, c->rest, true), *name = rest ? state_word(s, &rest) : NULL;
    for (const char *word; name && s->status == KN_OK && (word = state_word(s, &rest));) {
        char *bare = arena_text(s->scratch, word, strlen(word));
        if (bare && *bare == '(')
            bare++;
        const size_t length = bare ? strlen(bare) : 0;
        if (length > 0 && bare[length - 1] == ')' && !strchr(bare, '('))
            bare[length - 1] = '\0';
        if (bare && *bare == '\0')
            continue;
        const char *const one = bare;
        if (!bare || !state_set(s, name, &one, 1))
            state_no_memory(s);
        else if (!turn(s, c))
            return;
        s->command = c;
    }
}

static bool block(struct state *s, const struct command *c)
{
    switch (c->block) {
    case BLOCK_IF:
        obey_list(s, holds(s, c) ? c->body : c->otherwise);
        break;
    case BLOCK_WHILE:
        while (holds(s, c) && turn(s, c))
            ;
        break;
    case BLOCK_DOWHILE:
        while (turn(s, c) && holds(s, c))
            ;
        break;
    case BLOCK_REPEAT:
        repeat(s, c);
        break;
    case BLOCK_FOREACH:
        for_each(s, c);
        break;
    case BLOCK_BEGIN:
        obey_list(s, c->body);
        break;
    case BLOCK_NONE:
        break;
    }
    return s->status == KN_OK;
}

/* `label name` among the commands of a list; blocks in it have labels of their own. */
static const struct command *label_in(const struct command *list, const char *name)
{
    while (list && !(strcmp(list->name, "label") == 0 && names_equal(list->rest, name)))
        list = list->next;
    return list;
}

/* Where the list goes on behind a command; NULL where it is left, as by a goto whose label lies further out. */
static const struct command *behind(struct state *s, const struct command *list, const struct command *c)
{
    if (!s->label)
        return c->next;
    const struct command *label = label_in(list, s->label);
    if (label)
        s->label = NULL;
    if (state_interrupted(s))
        s->status = KN_INTERRUPTED;
    return label;
}

static void obey_list(struct state *s, const struct command *list)
{
    for (const struct command *c = list; c && s->status == KN_OK && !s->quit && !s->left; c = behind(s, list, c)) {
        obey_with_scratch(s, c, c->block ? block : run_one);
        note_failure(s);
    }
}

void obey(struct state *s, const struct command *c)
{
    obey_list(s, c);
    if (s->label && s->status == KN_OK)
        state_fail(s, "goto finds labels in its own block and in those around it", "goto: there is no 'label %s'",
                   s->label);
    s->label = NULL;
    if (s->failure == KN_ERROR_DECK && s->analysed) /* which says that nothing was */
        s->failure = KN_ERROR_CIRCUIT;
    s->status = s->status == KN_OK ? s->failure : s->status;
    s->failure = KN_OK;
}
