/* messages.c - see messages.h. */
#include "cli/messages.h"

void messages_show(struct messages *m)
{
    if (m->shown == kn_diagnostics_count(m->diagnostics))
        return; /* as nearly always: this is asked in every evaluation */
    const bool colour = terminal_colour(stderr);
    for (; m->shown < kn_diagnostics_count(m->diagnostics); m->shown++) {
        const struct kn_diagnostic *item = kn_diagnostics_get(m->diagnostics, m->shown);
        if (m->quiet && item->severity == KN_NOTE)
            continue;
        progress_clear(m->progress);
        kn_diagnostic_write(item, stderr, colour);
    }
}

static void write_one(const struct kn_diagnostic *item, struct json *to)
{
    static const char *const severities[] = {[KN_NOTE] = "note", [KN_WARNING] = "warning", [KN_ERROR] = "error"};
    json_open(to, NULL, '{');
    json_text(to, "severity", severities[item->severity]);
    json_text(to, "code", item->code);
    json_text(to, "file", item->where.file);
    if (item->where.line > 0)
        json_number(to, "line", item->where.line);
    if (item->where.column > 0)
        json_number(to, "column", item->where.column);
    json_text(to, "text", item->text);
    json_text(to, "hint", item->hint);
    json_close(to);
}

void messages_write_json(const struct messages *m, struct json *to)
{
    json_open(to, "messages", '[');
    for (size_t i = 0; i < kn_diagnostics_count(m->diagnostics); i++)
        write_one(kn_diagnostics_get(m->diagnostics, i), to);
    json_close(to);
}
