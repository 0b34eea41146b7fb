/* control.c - see control.h: looks at the tree of commands, then obeys it. */
#include "control/control.h"

#include "control/assign.h"
#include "control/commands.h"
#include "control/state.h"
#include "control/substitute.h"
#include "output/sinks.h"

#include <math.h>
#include <string.h>

/* ---- one command ---- */

/* Memory of a command for as long as it runs. */
static bool with_scratch(struct state *s, const struct command *c,
                         bool (*work)(struct state *s, const struct command *c))
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
    const struct command_kind *kind = command_find(c->name);
    const char *rest = substitute(s, c->rest, !kind->shows);
    const bool good = rest && kind->run(s, rest);
    if (s->redirected) {
        fclose(s->redirected);
        s->redirected = NULL;
    }
    return good && s->status == KN_OK;
}

/* ---- before anything runs ---- */

static bool is_known(struct state *s, const struct command *c)
{
    const struct command_kind *kind = command_find(c->name);
    if (c->name[0] == '!' || strchr(c->rest, '`'))
        return state_fail(s, "a deck runs no program; run it yourself, before or after", "'%s%s%s' is refused", c->name,
                          *c->rest ? " " : "", c->rest);
    if (!kind && strchr(c->rest, '=') && c->rest[0] == '=')
        return state_fail(s, "let makes vectors, set variables", "unknown command '%s'", c->name);
    if (!kind)
        return state_fail(s, diagnostics_meant(s->request->diagnostics, command_closest(c->name)),
                          "unknown command '%s'", c->name);
    return kind->run || state_fail(s, kind->why, "command '%s' is refused", c->name);
}

/* Formulas of blocks, where nothing is to be put in. */
static bool check_block(struct state *s, const struct command *c)
{
    bool condition;
    double count;
    const char *rest = substitute(s, c->rest, true);
    if (!rest)
        return false;
    if (c->block == BLOCK_FOREACH)
        return *rest || state_fail(s, "foreach x 1 2 3", "foreach: expected a name and values");
    if (strchr(c->rest, '`'))
        return state_fail(s, "a deck runs no program", "'%s' is refused", c->rest);
    if (substitute_needed(c->rest) || (c->block == BLOCK_REPEAT && !*rest))
        return true;
    return c->block == BLOCK_REPEAT ? state_evaluate_number(s, rest, &count) : state_condition(s, rest, &condition);
}

static bool check_one(struct state *s, const struct command *c)
{
    if (c->block)
        return check_block(s, c);
    if (!is_known(s, c))
        return false;
    const char *rest = substitute(s, c->rest, true);
    return rest && (substitute_needed(c->rest) || command_find(c->name)->run(s, rest));
}

/* Names of variables that some command sets. */
static bool note_names(struct state *s, const struct command *c)
{
    const char *rest = c->rest;
    const char *name = c->block == BLOCK_FOREACH     ? state_word(s, &rest)
                       : strcmp(c->name, "set") == 0 ? assign_set_name(s, c->rest)
                                                     : NULL;
    if (name && !state_is_set(s, name)) {
        state_set(s, name, NULL, 0);
        state_unset(s, name);
    }
    return true;
}

static void visit(struct state *s, const struct command *c, bool (*work)(struct state *s, const struct command *c),
                  bool *failed)
{
    for (; c && s->status != KN_ERROR_MEMORY && s->status != KN_INTERRUPTED; c = c->next) {
        s->status = KN_OK;
        *failed |= !with_scratch(s, c, work) || s->status != KN_OK;
        visit(s, c->body, work, failed);
        visit(s, c->otherwise, work, failed);
    }
}

static enum kn_status check(struct state *s, const struct command *script)
{
    bool failed = false;
    s->dry = true;
    visit(s, script, note_names, &failed);
    visit(s, script, check_one, &failed);
    s->dry = false;
    const enum kn_status status = s->status;
    s->status = KN_OK;
    for (size_t i = 0; i < s->variable_count; i++) /* what `set` lines have left */
        s->variables[i].set = false;
    s->change_count = 0;
    return status == KN_ERROR_MEMORY || status == KN_INTERRUPTED ? status : failed ? KN_ERROR_DECK : KN_OK;
}

/* ---- blocks ---- */

static void obey(struct state *s, const struct command *c);

/* The turn of a loop; false where the loop is left. */
static bool turn(struct state *s, const struct command *c)
{
    obey(s, c->body);
    const bool again = s->again || !s->left;
    s->left = s->again = false;
    if (state_interrupted(s))
        s->status = KN_INTERRUPTED;
    return again && !s->quit && s->status == KN_OK;
}

static bool evaluate_condition(struct state *s, const struct command *c)
{
    const char *rest = substitute(s, c->rest, true);
    bool holds = false;
    return rest && state_condition(s, rest, &holds) && holds;
}

static bool holds(struct state *s, const struct command *c)
{
    return with_scratch(s, c, evaluate_condition) && s->status == KN_OK;
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
        obey(s, holds(s, c) ? c->body : c->otherwise);
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
    case BLOCK_NONE:
        break;
    }
    return s->status == KN_OK;
}

static void obey(struct state *s, const struct command *c)
{
    for (; c && s->status == KN_OK && !s->quit && !s->left; c = c->next)
        with_scratch(s, c, c->block ? block : run_one);
}

/* ---- the whole ---- */

static enum kn_status close_results(struct state *s)
{
    for (struct open_result *r = s->results; r; r = r->next)
        sink_free(&r->sink);
    return s->status;
}

static void run(struct state *s)
{
    const struct control_request *r = s->request;
    const struct script_reader reader = {s->arena, r->diagnostics, r->circuit->circuit->file, r->hooks->context,
                                         r->hooks->reads};
    struct command *script;
    const bool read = script_read(&reader, deck_control(r->circuit->deck), &script);
    s->status = plots_open(&s->plots);
    if (s->status == KN_OK)
        s->status = check(s, script);
    if (s->status == KN_OK && !read)
        s->status = KN_ERROR_DECK;
    if (s->status == KN_OK)
        obey(s, script);
    s->status = close_results(s);
    plots_close(&s->plots);
}

enum kn_status control_run(const struct control_request *r)
{
    struct state s = {.request = r, .arena = arena_new()};
    if (!s.arena)
        return KN_ERROR_MEMORY;
    run(&s);
    arena_free(s.arena);
    return s.status;
}
