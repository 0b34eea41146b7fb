/* control.c - see control.h: looks at the tree of commands, then has it obeyed. */
#include "control/control.h"

#include "analyses/faults.h"
#include "control/analyse.h"
#include "control/assign.h"
#include "control/commands.h"
#include "control/devices.h"
#include "control/obey.h"
#include "control/script/state.h"
#include "control/script/substitute.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* ---- whether there are commands ---- */

static bool names_command(const char *text)
{
    enum { LONGEST = 32 }; /* longer than any command's name */
    char name[LONGEST] = {0};
    for (size_t k = 0; k + 1 < LONGEST && (isalnum((unsigned char)text[k]) || text[k] == '_'); k++)
        name[k] = text[k];
    return command_find(name) != NULL;
}

bool control_wanted(const struct kn_circuit *c)
{
    for (const struct control_line *l = deck_control(c->deck); l; l = l->next)
        if (!l->in_comment || names_command(l->text))
            return true;
    return false;
}

/* The file that a line writes, by write or wrdata; NULL: none. */
static const char *written_file(const char *line, size_t *length)
{
    static const char *const commands[] = {"write", "wrdata"};
    line += strspn(line, " \t");
    const size_t word = strcspn(line, " \t");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (word == strlen(commands[i]) && strncasecmp(commands[i], line, word) == 0) {
            line += word + strspn(line + word, " \t\"'");
            *length = strcspn(line, " \t\"'\r\n");
            return line;
        }
    return NULL;
}

bool control_writes(const struct kn_circuit *c, const char *file)
{
    for (const struct control_line *l = deck_control(c->deck); l; l = l->next) {
        size_t length;
        const char *name = l->in_comment ? NULL : written_file(l->text, &length);
        if (name && length == strlen(file) && strncmp(name, file, length) == 0)
            return true;
    }
    return false;
}

/* ---- before anything runs ---- */

/* foreach n i1 i1_m: names that formulas will have by way of $n. */
static bool mention_words(struct state *s, const char *rest)
{
    struct values unknown = {0};
    const char *word = state_word(s, &rest);
    while (word && (word = state_word(s, &rest)))
        s->device_value(s, NULL, word, &unknown);
    return true;
}

/* Formulas of blocks, where nothing is to be put in. */
static bool check_block(struct state *s, const struct command *c)
{
    bool condition;
    double count;
    const bool is_condition = c->block != BLOCK_REPEAT && c->block != BLOCK_FOREACH;
    if (c->block == BLOCK_BEGIN)
        return true;
    const char *rest = is_condition ? obey_condition(s, c) : substitute(s, c->rest, true);
    if (!rest)
        return is_condition && s->status == KN_OK;
    if (c->block == BLOCK_FOREACH)
        return *rest ? mention_words(s, rest) : state_fail(s, "foreach x 1 2 3", "foreach: expected a name and values");
    if (strchr(c->rest, '`'))
        return state_fail(s, "a deck runs no program", "'%s' is refused", c->rest);
    if (substitute_needed(c->rest) || (c->block == BLOCK_REPEAT && !*rest))
        return true;
    return c->block == BLOCK_REPEAT ? state_evaluate_number(s, rest, &count) : state_condition(s, rest, &condition);
}

static bool check_one(struct state *s, const struct command *c)
{
    if (s->sourced)
        return true;
    if (c->block)
        return check_block(s, c);
    if (obey_is_comment(s, c))
        return true;
    const struct command_kind *kind = obey_kind(s, c);
    const char *rest = kind ? obey_arguments(s, c, kind, true) : NULL;
    s->forgiving = kind && command_only_draws(kind);
    const bool good = rest && (substitute_needed(c->rest) || kind->run(s, rest) || s->forgiving);
    s->forgiving = false;
    return good;
}

static bool sets(const struct command *c)
{
    return strcmp(c->name, "set") == 0 || strcmp(c->name, "setcs") == 0 || strcmp(c->name, "pre_set") == 0;
}

static bool sets_first_word(const struct command *c)
{
    return strcmp(c->name, "strcmp") == 0 || strcmp(c->name, "strstr") == 0 || strcmp(c->name, "strslice") == 0;
}

/* Names of variables that some command sets. */
static bool note_names(struct state *s, const struct command *c)
{
    const char *rest = c->rest;
    const char *name = c->block == BLOCK_FOREACH ? state_word(s, &rest)
                       : sets(c)                 ? assign_set_name(s, c->rest)
                       : sets_first_word(c)      ? state_word(s, &rest)
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
        *failed |= !obey_with_scratch(s, c, work) || s->status != KN_OK;
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
    s->sourced = false;
    s->definitions = s->of_cards;
    s->draws = (struct vector_draws){.seed = 1};
    return status == KN_ERROR_MEMORY || status == KN_INTERRUPTED ? status : failed ? KN_ERROR_DECK : KN_OK;
}

/* ---- the whole ---- */

/* Where the block cannot be run, the deck is told all of its own faults too. */
void control_obey(struct state *s)
{
    const struct control_request *r = s->request;
    const struct script_reader reader = {s->arena,          r->diagnostics,  r->circuit->circuit->file,
                                         r->hooks->context, r->hooks->reads, false};
    struct command *script;
    const bool read = script_read(&reader, deck_control(r->circuit->deck), &script);
    plots_hold(&s->plots);
    if (s->status == KN_OK && state_take_deck(s, r->circuit))
        s->status = check(s, script);
    if (s->status == KN_OK && !read)
        s->status = KN_ERROR_DECK;
    if (s->status == KN_ERROR_DECK && !s->dry_only)
        library_faults(r->circuit, r->diagnostics);
    if (s->status == KN_OK && !s->dry_only)
        obey(s, script);
    state_close_results(s);
    analyse_forget_circuit(s);
    plots_let(&s->plots);
}

/* ---- of a deck with errors ---- */

static void print_nothing(void *context, const char *text)
{
    (void)context, (void)text;
}

static const char *place_plain(void *context, const char *name, char *path, size_t size)
{
    (void)context;
    return snprintf(path, size, "%s", name) >= (int)size ? "it is too long" : NULL;
}

void control_faults(const struct circuit *c, const struct deck *k, struct kn_diagnostics *d)
{
    faults_of_deck(c, k, d);
    if (!deck_control(k))
        return;
    /* Nothing of it is changed. */
    struct variant only = {(struct deck *)k, (struct circuit *)c};
    const struct kn_circuit broken = {
        .deck = only.deck, .circuit = only.circuit, .variants = &only, .sections = 1, .commanded = true};
    const struct control_hooks hooks = {.print = print_nothing, .place = place_plain};
    struct kn_summary summary = {0};
    struct kn_sink sink = run_sink_of_nothing();
    const struct control_request request = {
        .circuit = &broken, .hooks = &hooks, .diagnostics = d, .sink = &sink, .summary = &summary};
    struct state s = {.request = &request, .arena = arena_new(), .device_value = devices_value, .dry_only = true};
    if (!s.arena)
        return;
    s.status = plots_open(&s.plots, false);
    control_obey(&s);
    plots_close(&s.plots);
    arena_free(s.arena);
}
