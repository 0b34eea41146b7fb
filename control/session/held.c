/* held.c - the .control block of a deck whose analyses are held up by `stop` and `step`, and go on by `resume`.
 *
 * A session obeys it (session.h), with what the deck may do: it may write plain names only, and its messages and results go where
 * the request says.  As long as nothing is to hold them up, analyses run in the thread of the script, as they do without a session.
 */
#include "analyses/run.h"
#include "base/diagnostics.h"
#include "control/analyse.h"
#include "control/session/inside.h"

static void tell(void *context, const struct kn_diagnostic *item)
{
    diagnostics_add(context, item->severity, item->code, item->where, item->hint, "%s", item->text);
}

static enum kn_status perform(void *performer, struct job *j)
{
    struct session *s = performer;
    plots_let(&s->state.plots);
    runner_abandon(&s->runner);
    plots_hold(&s->state.plots);
    if (s->stops.count == 0 && s->stops.left == 0)
        return analyse_at_once(&s->state, j);
    plots_let(&s->state.plots);
    s->changes_at_hold = s->state.changes_made;
    enum kn_status status = runner_start(&s->runner, j, s->request.sink, s->request.diagnostics);
    if (status == KN_OK)
        status = session_attend(s);
    plots_hold(&s->state.plots);
    return status;
}

enum kn_status session_run_deck(const struct control_request *r)
{
    const struct session_watch watch = {.context = r->diagnostics, .tell = tell};
    const struct session_request asked = {.options = r->options, .hooks = r->hooks, .watch = &watch, .sink = r->sink};
    struct session *s;
    const enum kn_status opened = session_open(&asked, &s);
    if (!s)
        return opened;
    s->request = *r;
    s->request.perform = perform;
    s->request.performer = s;
    s->request.more = session_deck_commands;
    s->request.more_count = session_deck_command_count;
    s->state.anywhere = false;
    s->state.status = opened;
    control_obey(&s->state);
    const enum kn_status status = s->state.status;
    session_tell(s);
    run_add_up(r->summary, &s->summary);
    session_close(s);
    return status;
}
