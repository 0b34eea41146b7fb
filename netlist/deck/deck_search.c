/* deck_search.c - where a file is that a deck names: as written, or, since decks travel without their folders, beside the
 * deck, in a folder of .sourcepath or among the libraries of KNOTEN_LIBRARIES and LTspice's own.
 */
#include "netlist/deck/deck_reader.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static bool exists(const char *path)
{
    struct stat about;
    return path && stat(path, &about) == 0 && !S_ISDIR(about.st_mode);
}

/* The entry of a folder that is this name but for capitals, as Windows finds it; NULL: there is none. */
static const char *in_other_case(struct deck *k, const char *folder, const char *name)
{
    DIR *d = opendir(*folder ? folder : ".");
    const char *found = NULL;
    for (const struct dirent *e; d && !found && (e = readdir(d));)
        if (strcasecmp(e->d_name, name) == 0)
            found = arena_text(k->scratch, e->d_name, strlen(e->d_name));
    if (d)
        closedir(d);
    return found;
}

/* The file that this path names but for capitals in its last two parts; NULL: there is none. */
static const char *find_in_other_case(struct deck *k, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *folder = slash ? arena_text(k->scratch, path, (size_t)(slash - path)) : "";
    const char *name = folder ? in_other_case(k, folder, slash ? slash + 1 : path) : NULL;
    if (!name && slash && folder) {
        const char *above = strrchr(folder, '/');
        const char *outer = above ? arena_text(k->scratch, folder, (size_t)(above - folder)) : "";
        const char *inner = outer ? in_other_case(k, outer, above ? above + 1 : folder) : NULL;
        folder = inner ? arena_format(k->scratch, "%s%s%s", outer, above ? "/" : "", inner) : NULL;
        name = folder ? in_other_case(k, folder, slash + 1) : NULL;
    }
    const char *found = !name ? NULL : arena_format(k->arena, "%s%s%s", folder, *folder ? "/" : "", name);
    return found && exists(found) ? found : NULL;
}

/* Relative paths start from the folder of another file. */
static const char *beside(struct deck *k, const char *file, const char *path)
{
    const char *slash = strrchr(file, '/');
    if (path[0] == '/' || !slash)
        return arena_text(k->arena, path, strlen(path));
    return arena_format(k->arena, "%.*s/%s", (int)(slash - file), file, path);
}

/* $NAME, ${NAME} and ~ in front: as the shell has them; a name without a value stays. */
static const char *with_environment(struct deck *k, const char *path)
{
    const char *home = path[0] == '~' && path[1] == '/' ? getenv("HOME") : NULL;
    const char *text = home ? arena_format(k->scratch, "%s%s", home, path + 1) : path;
    for (int limit = 20; text && limit > 0; limit--) {
        const char *dollar = strchr(text, '$');
        if (!dollar)
            break;
        const bool brace = dollar[1] == '{';
        const char *name = dollar + 1 + brace;
        const size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
        const char *word = arena_text(k->scratch, name, length);
        const char *value = word && length ? getenv(word) : NULL;
        if (!value)
            break;
        text = arena_format(k->scratch, "%.*s%s%s", (int)(dollar - text), text, value, name + length + brace);
    }
    return text;
}

/* A path of another machine: from its root, or with the separators of Windows. */
static bool is_of_elsewhere(const char *path)
{
    return path[0] == '/' || strchr(path, '\\') || (path[0] && path[1] == ':' && path[2] == '/');
}

static const char *base_of(const char *path)
{
    const char *base = path;
    for (const char *c = path; *c; c++)
        if (*c == '/' || *c == '\\')
            base = c + 1;
    return base;
}

/* In the folders of .sourcepath, as LTspice has them, the last one first; then in libraries. */
static const char *in_source_path(struct deck *k, const char *name)
{
    for (const struct included_file *f = k->source_path; f; f = f->next) {
        const char *path = arena_format(k->arena, "%s/%s", f->path, name);
        const char *found = exists(path) ? path : path ? find_in_other_case(k, path) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

/* A path whose folders are not here: the file itself may be. */
static const char *elsewhere(struct deck *k, const char *file, const char *name)
{
    const char *const from[] = {file, k->file};
    const char *found = NULL;
    for (size_t i = 0; i < 2 && !found; i++) {
        const char *path = beside(k, from[i], name);
        found = exists(path) ? path : NULL;
    }
    for (size_t i = 0; i < 2 && !found; i++) {
        const char *path = beside(k, from[i], name);
        found = path ? find_in_other_case(k, path) : NULL;
    }
    return found ? found : in_source_path(k, name);
}

/* *replaced: it is another one than the path says. */
static const char *look(struct deck *k, const char *name, struct kn_location where, bool *replaced)
{
    const char *written = with_environment(k, name);
    const char *path = written ? beside(k, where.file, written) : NULL;
    if (!path || exists(path))
        return path;
    char *slashes = arena_text(k->scratch, written, strlen(written));
    for (char *c = slashes; c && *c; c++)
        *c = (char)(*c == '\\' ? '/' : *c);
    const char *found = slashes && slashes[1] != ':' ? elsewhere(k, where.file, slashes) : NULL;
    const bool base = !found && (is_of_elsewhere(written) || k->dialect == DIALECT_LTSPICE);
    if (base)
        found = elsewhere(k, where.file, base_of(written));
    *replaced = base && found;
    return found ? found : path;
}

const char *deck_look_for_file(struct deck *k, const char *name, struct kn_location where)
{
    bool replaced = false;
    return look(k, name, where, &replaced);
}

const char *deck_find_file(struct deck *k, const char *name, struct kn_location where)
{
    bool replaced = false;
    const char *path = look(k, name, where, &replaced);
    if (replaced)
        deck_note(k, "include", where, "'%s' is not here; '%s' is read instead", name, path);
    return path;
}

bool deck_is_own_library(const struct deck *k, const char *path)
{
    static const struct {
        enum dialect dialect;
        const char *pattern;
    } own[] = {{DIALECT_LTSPICE, "standard.*"}, {DIALECT_LTSPICE, "ltc*.lib"}, {DIALECT_PSPICE, "nom*.lib"}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (own[i].dialect == k->dialect && names_match(own[i].pattern, base_of(path)))
            return true;
    return false;
}

static void add_folder(struct deck *k, const char *path)
{
    struct included_file *f = path ? arena_alloc(k->arena, sizeof *f) : NULL;
    if (!f) {
        deck_no_memory(k);
        return;
    }
    *f = (struct included_file){path, k->source_path};
    k->source_path = f;
}

void deck_take_source_path(struct deck *k, struct statement *s)
{
    for (const struct item *i = s->items->next; i; i = i->next)
        if (i->text)
            add_folder(k, beside(k, k->open_file->name, i->text));
}

/* A folder of libraries, and what LTspice's has in it: models in cmp, subcircuits in sub. */
static void add_library(struct deck *k, const char *path)
{
    struct stat about;
    if (!path || stat(path, &about) != 0 || !S_ISDIR(about.st_mode))
        return;
    add_folder(k, arena_format(k->arena, "%s/cmp", path));
    add_folder(k, arena_format(k->arena, "%s/sub", path));
    add_folder(k, path);
}

void deck_use_libraries(struct deck *k)
{
    /* Where LTspice 24, XVII and IV keep theirs; on Linux under Wine. */
    static const char *const own[] = {
        ".wine/drive_c/Program Files/LTC/LTspiceIV/lib",
        ".wine/drive_c/Program Files (x86)/LTC/LTspiceIV/lib",
        "Library/Application Support/LTspice/lib",
        "Documents/LTspiceXVII/lib",
        "AppData/Local/LTspice/lib",
    };
    const char *home = getenv("HOME"), *list = getenv("KNOTEN_LIBRARIES");
    for (size_t i = 0; home && k->dialect == DIALECT_LTSPICE && i < sizeof own / sizeof *own; i++)
        add_library(k, arena_format(k->arena, "%s/%s", home, own[i]));
    char *rest = list ? arena_text(k->arena, list, strlen(list)) : NULL;
    while (rest && *rest) { /* from its end: folders added later are looked into first */
        char *colon = strrchr(rest, ':');
        add_library(k, colon ? colon + 1 : rest);
        if (colon)
            *colon = '\0';
        rest = colon ? rest : NULL;
    }
}
