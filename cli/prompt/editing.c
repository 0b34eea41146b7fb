/* editing.c - see editing.h. */
#include "cli/prompt/editing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef KNOTEN_LIBEDIT
#include <histedit.h>
#endif

enum { HISTORY_LINES = 1000 };

struct editing {
    char *line; /* of getline */
    size_t size;
    bool live;
    const char *prompt;
    editing_word *words;
    void *context;
    const char *history_file;
#ifdef KNOTEN_LIBEDIT
    EditLine *edit; /* NULL: it is not used */
    History *history;
#endif
};

#ifdef KNOTEN_LIBEDIT

static char *prompt_of(EditLine *edit)
{
    struct editing *e;
    static char none[] = "";
    return el_get(edit, EL_CLIENTDATA, &e) == 0 ? (char *)e->prompt : none;
}

/* Where the word that is being written begins. */
static const char *word_start(const LineInfo *l)
{
    const char *at = l->cursor;
    while (at > l->buffer && !strchr(" \t,;=+-*<>", at[-1]))
        at--;
    return at;
}

/* The words that begin with what is written: their common part into `common`, and how many there are. */
static size_t look_up(struct editing *e, const char *before, const char *start, char *common, size_t size, bool list)
{
    size_t count = 0;
    const char *word;
    for (size_t i = 0; (word = e->words(e->context, before, start, i)); i++) {
        if (strncmp(word, start, strlen(start)) != 0)
            continue;
        if (list)
            printf("%s%s", count % 6 ? "  " : "\n", word);
        if (count++ == 0)
            snprintf(common, size, "%s", word);
        size_t same = 0;
        while (common[same] && common[same] == word[same])
            same++;
        common[same] = '\0';
    }
    return count;
}

static unsigned char complete(EditLine *edit, int key)
{
    struct editing *e;
    const LineInfo *l = el_line(edit);
    char before[1024], start[256], common[256] = "";
    const char *at = word_start(l);
    (void)key;
    if (el_get(edit, EL_CLIENTDATA, &e) != 0)
        return CC_ERROR;
    snprintf(before, sizeof before, "%.*s", (int)(at - l->buffer), l->buffer);
    snprintf(start, sizeof start, "%.*s", (int)(l->cursor - at), at);
    const size_t count = look_up(e, before, start, common, sizeof common, false);
    const char *rest = common + strlen(start);
    if (count == 0)
        return CC_ERROR;
    if (*rest)
        el_insertstr(edit, rest);
    if (count == 1 && (*common == '\0' || common[strlen(common) - 1] != '/'))
        el_insertstr(edit, " ");
    if (count == 1 || *rest)
        return CC_REFRESH;
    look_up(e, before, start, common, sizeof common, true);
    putchar('\n');
    fflush(stdout);
    return CC_REDISPLAY;
}

static void open_editor(struct editing *e)
{
    HistEvent event;
    e->history = history_init();
    e->edit = e->history ? el_init("knoten", stdin, stdout, stderr) : NULL;
    if (!e->edit)
        return;
    history(e->history, &event, H_SETSIZE, HISTORY_LINES);
    history(e->history, &event, H_SETUNIQUE, 1);
    if (e->history_file)
        history(e->history, &event, H_LOAD, e->history_file);
    el_set(e->edit, EL_CLIENTDATA, e);
    el_set(e->edit, EL_PROMPT, prompt_of);
    el_set(e->edit, EL_EDITOR, "emacs");
    el_set(e->edit, EL_HIST, history, e->history);
    el_set(e->edit, EL_ADDFN, "knoten-complete", "completes the word", complete);
    el_set(e->edit, EL_BIND, "^I", "knoten-complete", NULL);
    el_set(e->edit, EL_BIND, "^R", "em-inc-search-prev", NULL);
    el_source(e->edit, NULL);
}

static void close_editor(struct editing *e)
{
    HistEvent event;
    if (e->history && e->history_file)
        history(e->history, &event, H_SAVE, e->history_file);
    if (e->edit)
        el_end(e->edit);
    if (e->history)
        history_end(e->history);
}

/* A blank in front keeps a line out of the history. */
static enum line_outcome read_edited(struct editing *e, const char **line)
{
    HistEvent event;
    int length = 0;
    errno = 0;
    const char *text = el_gets(e->edit, &length);
    if (!text || length <= 0) {
        const bool interrupted = errno == EINTR;
        el_reset(e->edit);
        return interrupted ? LINE_INTERRUPTED : LINE_ENDED;
    }
    free(e->line);
    e->line = strdup(text);
    if (!e->line)
        return LINE_ENDED;
    e->line[strcspn(e->line, "\r\n")] = '\0';
    if (e->line[0] && e->line[0] != ' ')
        history(e->history, &event, H_ENTER, e->line);
    *line = e->line;
    return LINE_READ;
}

#endif

struct editing *editing_open(const char *history_file, editing_word *words, void *context)
{
    struct editing *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->live = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    e->words = words;
    e->context = context;
    e->history_file = history_file;
#ifdef KNOTEN_LIBEDIT
    if (e->live)
        open_editor(e);
#endif
    return e;
}

void editing_close(struct editing *e)
{
    if (!e)
        return;
#ifdef KNOTEN_LIBEDIT
    close_editor(e);
#endif
    free(e->line);
    free(e);
}

bool editing_is_live(const struct editing *e)
{
    return e->live;
}

enum line_outcome editing_read(struct editing *e, const char *prompt, const char **line)
{
    e->prompt = prompt;
    fflush(stdout);
#ifdef KNOTEN_LIBEDIT
    if (e->edit)
        return read_edited(e, line);
#endif
    if (e->live) {
        fputs(prompt, stdout);
        fflush(stdout);
    }
    errno = 0;
    const ssize_t length = getline(&e->line, &e->size, stdin);
    if (length < 0) {
        const bool interrupted = errno == EINTR;
        clearerr(stdin);
        return interrupted ? LINE_INTERRUPTED : LINE_ENDED;
    }
    e->line[strcspn(e->line, "\r\n")] = '\0';
    *line = e->line;
    return LINE_READ;
}
