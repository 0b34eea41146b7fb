/* editing.c - see editing.h. */
#include "cli/prompt/editing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef KNOTEN_LIBEDIT
#include <dlfcn.h>
#include <histedit.h>

/* libedit is loaded where a person types only: with three libraries behind it it took a fifth of the time of every start. */
struct library {
    EditLine *(*init)(const char *, FILE *, FILE *, FILE *);
    void (*end)(EditLine *);
    void (*reset)(EditLine *);
    int (*set)(EditLine *, int, ...);
    int (*get)(EditLine *, int, ...);
    const char *(*gets)(EditLine *, int *);
    int (*source)(EditLine *, const char *);
    const LineInfo *(*line)(EditLine *);
    int (*insert)(EditLine *, const char *);
    History *(*history_init)(void);
    void (*history_end)(History *);
    int (*history)(History *, HistEvent *, int, ...);
};
static const char *const functions[] = {"el_init",      "el_end",       "el_reset",    "el_set",
                                        "el_get",       "el_gets",      "el_source",   "el_line",
                                        "el_insertstr", "history_init", "history_end", "history"};
_Static_assert(sizeof(struct library) == sizeof functions / sizeof *functions * sizeof(void *), "a name for each");
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
    void *loaded;
    struct library lib;
    EditLine *edit; /* NULL: it is not used */
    History *history;
#endif
};

#ifdef KNOTEN_LIBEDIT

/* What libedit hands to functions that it calls says whose it is by el_get only, which is found anew. */
static struct editing *owner_of(EditLine *edit)
{
    struct editing *e = NULL;
    struct library lib;
    void *loaded = dlopen(KNOTEN_LIBEDIT, RTLD_LAZY), *get = loaded ? dlsym(loaded, "el_get") : NULL;
    memcpy(&lib.get, &get, sizeof get);
    if (get && lib.get(edit, EL_CLIENTDATA, &e) != 0)
        e = NULL;
    if (loaded)
        dlclose(loaded);
    return e;
}

static char *prompt_of(EditLine *edit)
{
    struct editing *e = owner_of(edit);
    static char none[] = "";
    return e ? (char *)e->prompt : none;
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
    struct editing *e = owner_of(edit);
    char before[1024], start[256], common[256] = "";
    (void)key;
    if (!e)
        return CC_ERROR;
    const LineInfo *l = e->lib.line(edit);
    const char *at = word_start(l);
    snprintf(before, sizeof before, "%.*s", (int)(at - l->buffer), l->buffer);
    snprintf(start, sizeof start, "%.*s", (int)(l->cursor - at), at);
    const size_t count = look_up(e, before, start, common, sizeof common, false);
    const char *rest = common + strlen(start);
    if (count == 0)
        return CC_ERROR;
    if (*rest)
        e->lib.insert(edit, rest);
    if (count == 1 && (*common == '\0' || common[strlen(common) - 1] != '/'))
        e->lib.insert(edit, " ");
    if (count == 1 || *rest)
        return CC_REFRESH;
    look_up(e, before, start, common, sizeof common, true);
    putchar('\n');
    fflush(stdout);
    return CC_REDISPLAY;
}

/* Whether libedit is there with all that is used of it. */
static bool load(struct editing *e)
{
    e->loaded = dlopen(KNOTEN_LIBEDIT, RTLD_LAZY);
    for (size_t i = 0; e->loaded && i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(e->loaded, functions[i]);
        if (!function)
            return false;
        memcpy((char *)&e->lib + i * sizeof function, &function, sizeof function);
    }
    return e->loaded;
}

static void open_editor(struct editing *e)
{
    HistEvent event;
    if (!load(e))
        return;
    e->history = e->lib.history_init();
    e->edit = e->history ? e->lib.init("knoten", stdin, stdout, stderr) : NULL;
    if (!e->edit)
        return;
    e->lib.history(e->history, &event, H_SETSIZE, HISTORY_LINES);
    e->lib.history(e->history, &event, H_SETUNIQUE, 1);
    if (e->history_file)
        e->lib.history(e->history, &event, H_LOAD, e->history_file);
    e->lib.set(e->edit, EL_CLIENTDATA, e);
    e->lib.set(e->edit, EL_PROMPT, prompt_of);
    e->lib.set(e->edit, EL_EDITOR, "emacs");
    e->lib.set(e->edit, EL_HIST, e->lib.history, e->history);
    e->lib.set(e->edit, EL_ADDFN, "knoten-complete", "completes the word", complete);
    e->lib.set(e->edit, EL_BIND, "^I", "knoten-complete", NULL);
    e->lib.set(e->edit, EL_BIND, "^R", "em-inc-search-prev", NULL);
    e->lib.source(e->edit, NULL);
}

static void close_editor(struct editing *e)
{
    HistEvent event;
    if (e->history && e->history_file)
        e->lib.history(e->history, &event, H_SAVE, e->history_file);
    if (e->edit)
        e->lib.end(e->edit);
    if (e->history)
        e->lib.history_end(e->history);
    if (e->loaded)
        dlclose(e->loaded);
}

/* A blank in front keeps a line out of the history. */
static enum line_outcome read_edited(struct editing *e, const char **line)
{
    HistEvent event;
    int length = 0;
    errno = 0;
    const char *text = e->lib.gets(e->edit, &length);
    if (!text || length <= 0) {
        const bool interrupted = errno == EINTR;
        e->lib.reset(e->edit);
        return interrupted ? LINE_INTERRUPTED : LINE_ENDED;
    }
    free(e->line);
    e->line = strdup(text);
    if (!e->line)
        return LINE_ENDED;
    e->line[strcspn(e->line, "\r\n")] = '\0';
    if (e->line[0] && e->line[0] != ' ')
        e->lib.history(e->history, &event, H_ENTER, e->line);
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
