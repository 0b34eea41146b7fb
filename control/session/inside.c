/* inside.c - what the commands of a session have in common. */
#include "control/session/inside.h"

#include "analyses/run.h"
#include "base/diagnostics.h"
#include "base/names.h"
#include "control/obey.h"

#include <string.h>

struct session *session_of(const struct state *s)
{
    return s->request->performer;
}

void session_tell(struct session *s)
{
    struct kn_diagnostics *d = s->request.diagnostics;
    if (d == s->asked.watch->context) /* of a deck: the host reads them itself */
        return;
    for (size_t i = 0; i < kn_diagnostics_count(d); i++)
        if (s->asked.watch->tell && !session_has_heard(s, kn_diagnostics_get(d, i)))
            s->asked.watch->tell(s->asked.watch->context, kn_diagnostics_get(d, i));
    diagnostics_clear(d);
}

/* Place and text. */
static const char *key_of(struct arena *a, const struct kn_diagnostic *item)
{
    const struct kn_location *at = &item->where;
    return arena_format(a, "%s:%d:%d: %s", at->file ? at->file : "", at->line, at->column, item->text);
}

bool session_has_heard(const struct session *s, const struct kn_diagnostic *item)
{
    const struct name_table *heard = s->current ? s->current->heard : NULL;
    struct arena *scratch = heard && item->severity != KN_ERROR ? arena_new() : NULL;
    const char *key = scratch ? key_of(scratch, item) : NULL;
    const bool known = key && name_table_get(heard, key);
    arena_free(scratch);
    return known;
}

void session_tell_reading(struct session *s)
{
    struct loaded *l = s->current;
    const struct kn_diagnostics *d = l->diagnostics;
    struct name_table *heard = (l->memory = arena_new()) ? name_table_new(l->memory) : NULL;
    for (size_t i = 0; heard && i < kn_diagnostics_count(d); i++) {
        const char *key = key_of(l->memory, kn_diagnostics_get(d, i));
        if (key)
            name_table_put(heard, key, l);
    }
    plots_let(&s->state.plots);
    session_tell(s);
    plots_hold(&s->state.plots);
    l->heard = heard;
}

/* ---- analyses ---- */

/* Takes what has ended. */
enum kn_status session_collect(struct session *s)
{
    struct kn_summary summary;
    enum kn_status status = KN_OK;
    if (runner_reap(&s->runner, &status, &summary))
        run_add_up(&s->summary, &summary);
    return status;
}

/* The outcome, or that it is held up by the host. */
enum kn_status session_attend(struct session *s)
{
    if (s->background)
        return KN_OK;
    if (runner_wait(&s->runner) == RUNNER_ENDED)
        return session_collect(s);
    return state_interrupted(&s->state) ? KN_INTERRUPTED : KN_OK;
}

void session_announce(struct session *s)
{
    if (s->background && s->asked.watch->runs)
        s->asked.watch->runs(s->asked.watch->context, true);
}

enum kn_status session_go_on(struct session *s)
{
    plots_let(&s->state.plots);
    session_announce(s);
    runner_go_on(&s->runner);
    const enum kn_status status = session_attend(s);
    plots_hold(&s->state.plots);
    return status;
}

/* ---- texts ---- */

bool session_obey_lines(struct session *s, struct arena *a, const struct control_line *lines, bool typed)
{
    struct state *state = &s->state;
    const struct control_request *r = &s->request;
    const char *deck = r->circuit ? r->circuit->circuit->file : "";
    const struct script_reader reader = {a, r->diagnostics, deck, s->hooks.context, s->hooks.reads, typed};
    struct command *script;
    state->status = script_read(&reader, lines, &script) ? KN_OK : KN_ERROR_DECK;
    if (state->status == KN_OK)
        obey(state, script);
    if (state->status == KN_ERROR_MEMORY)
        diagnostics_add(r->diagnostics, KN_ERROR, "memory", NOWHERE, NULL, "memory is exhausted");
    return state->status == KN_OK || state->status == KN_INTERRUPTED;
}

bool session_obey(struct session *s, const char *name, const char *text, bool typed)
{
    struct arena *a = arena_new();
    const struct control_line *lines = a ? script_lines(a, name, text) : NULL;
    bool good = lines != NULL;
    if (good) {
        diagnostics_source(s->request.diagnostics, name, text, strlen(text));
        good = session_obey_lines(s, a, lines, typed);
    }
    arena_free(a);
    return good;
}
