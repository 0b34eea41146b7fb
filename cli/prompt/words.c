/* words.c - see words.h. */
#include "cli/prompt/words.h"

#include "base/array.h"
#include "netlist/circuit.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void forget(struct words *w)
{
    for (size_t i = 0; i < w->count; i++)
        free(w->items[i]);
    w->count = 0;
}

void words_free(struct words *w)
{
    forget(w);
    free(w->items);
}

static void add(struct words *w, const char *word)
{
    char *copy = strdup(word);
    if (copy && array_reserve(&w->items, w->count + 1, &w->capacity, sizeof *w->items))
        w->items[w->count++] = copy;
    else
        free(copy);
}

static void add_commands(struct words *w)
{
    const char *name;
    for (size_t i = 0; (name = session_command_name(i)); i++)
        add(w, name);
}

static void add_vectors(struct words *w)
{
    struct plots *plots = session_plots(w->session);
    plots_hold(plots);
    for (size_t i = 0; i < plots->current->count; i++)
        add(w, plots->current->vectors[i].name);
    plots_let(plots);
}

static void add_plots(struct words *w)
{
    struct plots *plots = session_plots(w->session);
    plots_hold(plots);
    for (const struct plot *p = plots->first; p; p = p->next)
        add(w, p->name);
    plots_let(plots);
}

static void add_elements(struct words *w)
{
    const struct circuit *c = session_current(w->session);
    for (size_t i = 0; c && i < c->element_count; i++)
        add(w, c->elements[i].name);
}

/* Of the folder that is written so far; folders end in a slash. */
static void add_files(struct words *w, const char *start)
{
    char path[4096], folder[2048];
    const char *slash = strrchr(start, '/');
    const int length = slash ? (int)(slash - start) + 1 : 0;
    snprintf(folder, sizeof folder, "%.*s", length, start);
    DIR *d = opendir(length ? folder : ".");
    for (const struct dirent *e; d && (e = readdir(d));) {
        struct stat about;
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s%s", folder, e->d_name);
        const bool is_folder = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
        snprintf(path, sizeof path, "%s%s%s", folder, e->d_name, is_folder ? "/" : "");
        add(w, path);
    }
    if (d)
        closedir(d);
}

static bool is_one_of(const char *word, size_t length, const char *const *names)
{
    for (size_t i = 0; names[i]; i++)
        if (strlen(names[i]) == length && strncmp(names[i], word, length) == 0)
            return true;
    return false;
}

static void gather(struct words *w, const char *before, const char *start)
{
    static const char *const of_files[] = {"source", "write", "wrdata", "hardcopy", NULL};
    static const char *const of_plots[] = {"setplot", "destroy", NULL};
    static const char *const of_elements[] = {"alter", "show", NULL};
    const char *command = before + strspn(before, " \t");
    const size_t length = strcspn(command, " \t");
    const bool first = command[length + strspn(command + length, " \t")] == '\0'; /* behind the command */
    forget(w);
    if (length == 0)
        add_commands(w);
    else if (first && is_one_of(command, length, of_files))
        add_files(w, start);
    else if (is_one_of(command, length, of_plots))
        add_plots(w);
    else if (first && is_one_of(command, length, of_elements))
        add_elements(w);
    else
        add_vectors(w);
}

const char *words_at(void *context, const char *before, const char *start, size_t i)
{
    struct words *w = context;
    if (i == 0)
        gather(w, before, start);
    return i < w->count ? w->items[i] : NULL;
}
