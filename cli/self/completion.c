/* completion.c - `knoten completion bash|zsh`: what a shell completes command lines by, from the tables that they are
 * read by.  For bash as its manual says in "Programmable Completion", for zsh by _arguments of its zshcompsys(1). */
#include "base/names.h"
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

/* Endings of decks; where no such file is there, all are offered. */
static const char *const deck_endings[] = {"cir", "ckt", "net", "sp", "spi", "spice", "deck", NULL};

static bool writes_or_reads_a_file(const struct option *o)
{
    return o->kind == OPTION_FILE || (o->kind == OPTION_TEXT && strstr(o->value, "FILE"));
}

static bool has_list(const struct option *o)
{
    return o->kind == OPTION_WORD || o->names;
}

/* "auto raw ascii" */
static void print_list(const struct option *o)
{
    const char *title, *name;
    for (size_t i = 0; o->kind == OPTION_WORD && o->words[i]; i++)
        printf("%s%s", i ? " " : "", o->words[i]);
    for (size_t i = 0; o->kind != OPTION_WORD && (name = o->names(i, &title)); i++)
        printf("%s%s", i ? " " : "", name);
}

/* In single quotes of a shell; of zsh's _arguments brackets mean more. */
static void print_quoted(const char *text, size_t length, const char *escaped)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\'')
            fputs("'\\''", stdout);
        else
            printf(strchr(escaped, text[i]) ? "\\%c" : "%c", text[i]);
}

static void print_names(argument_lister *names)
{
    const char *title, *name;
    for (size_t i = 0; (name = names(i, &title)); i++) {
        fputs(i ? " " : "", stdout);
        print_quoted(name, strlen(name), "");
    }
}

static void print_commands(const char *between)
{
    for (size_t i = 0; commands[i]; i++)
        printf("%s%s", i ? between : "", commands[i]->name);
}

/* ---- bash ---- */

static const char bash_begin[] = "# Completion of knoten for bash, printed by: knoten completion bash\n"
                                 "\n"
                                 "_knoten_words()\n"
                                 "{\n"
                                 "    local IFS=$' \\t\\n'\n"
                                 "    COMPREPLY+=($(compgen -W \"$1\" -- \"$cur\"))\n"
                                 "}\n"
                                 "\n"
                                 "_knoten_files()\n"
                                 "{\n"
                                 "    local IFS=$'\\n'\n"
                                 "    compopt -o filenames 2>/dev/null\n"
                                 "    COMPREPLY+=($(compgen -f -- \"$cur\"))\n"
                                 "}\n"
                                 "\n"
                                 "_knoten_decks()\n"
                                 "{\n"
                                 "    local file decks=()\n"
                                 "    _knoten_files\n"
                                 "    for file in \"${COMPREPLY[@]}\"; do\n"
                                 "        case $file in\n"
                                 "        ";

static const char bash_decks_end[] = ") decks+=(\"$file\") ;;\n"
                                     "        *) [ ! -d \"$file\" ] || decks+=(\"$file\") ;;\n"
                                     "        esac\n"
                                     "    done\n"
                                     "    [ ${#decks[@]} -eq 0 ] || COMPREPLY=(\"${decks[@]}\")\n"
                                     "}\n"
                                     "\n";

/* A word such as --format=csv is three, with "=" in the middle. */
static const char bash_function[] =
    "_knoten()\n"
    "{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=run\n"
    "    COMPREPLY=()\n"
    "    if [ \"$before\" = = ]; then\n"
    "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    elif [ \"$cur\" = = ]; then\n"
    "        cur=\n"
    "    fi\n"
    "    if [ \"$COMP_CWORD\" -gt 1 ]; then\n"
    "        case ${COMP_WORDS[1]} in\n"
    "        ";

static void bash_value(const struct option *o)
{
    printf("        %s%s%s) ", o->other ? o->other : "", o->other ? " | " : "", o->name);
    if (has_list(o)) {
        fputs("_knoten_words '", stdout);
        print_list(o);
        fputs("'; ", stdout);
    } else if (writes_or_reads_a_file(o)) {
        fputs("_knoten_files; ", stdout);
    }
    puts("return ;;");
}

static void bash_command(const struct command *c)
{
    printf("    %s)\n        case $before in\n", c->name);
    for (size_t i = 0; i < c->table.count; i++)
        if (c->table.options[i].value)
            bash_value(&c->table.options[i]);
    fputs("        esac\n        case $cur in\n        -*) _knoten_words '", stdout);
    for (size_t i = 0; i < c->table.count; i++) {
        const struct option *o = &c->table.options[i];
        printf("%s%s%s%s", i ? " " : "", o->name, o->other ? " " : "", o->other ? o->other : "");
    }
    fputs("' ;;\n        *) ", stdout);
    if (c->names) {
        fputs("_knoten_words \"", stdout);
        print_names(c->names);
        fputs("\" ", stdout);
    } else {
        fputs(c->undone ? "_knoten_decks " : "_knoten_files ", stdout);
    }
    puts(";;\n        esac ;;");
}

static void print_bash(void)
{
    fputs(bash_begin, stdout);
    for (size_t i = 0; deck_endings[i]; i++)
        printf("%s*.%s", i ? " | " : "", deck_endings[i]);
    fputs(bash_decks_end, stdout);
    fputs(bash_function, stdout);
    print_commands(" | ");
    puts(") command=${COMP_WORDS[1]} ;;\n        esac\n    fi\n    case $command in");
    for (size_t i = 0; commands[i]; i++)
        bash_command(commands[i]);
    fputs("    esac\n    [ \"$COMP_CWORD\" -gt 1 ] || _knoten_words '", stdout);
    print_commands(" ");
    puts("'\n}\n\ncomplete -F _knoten knoten knoten-mpi");
}

/* ---- zsh ---- */

/* '(-o --output)'{-o+,--output=}'[result file]:FILE:_files' */
static void zsh_option(const struct option *o)
{
    static const char special[] = "[]";
    const char *joint = !o->value ? "" : o->kind == OPTION_MAYBE ? "=-" : "=";
    const bool letter = o->name[1] != '-';
    const char *first = o->name, *second = o->other;
    fputs("        ", stdout);
    if (second)
        printf("'(%s %s)'{%s%s,%s%s}'[", first, second, first, letter && o->value ? "+" : joint, second,
               !letter && o->value ? "+" : joint);
    else
        printf("'%s%s[", first, letter && o->value ? "+" : joint);
    print_quoted(o->doc, strcspn(o->doc, "\n"), special);
    putchar(']');
    if (o->value) {
        printf(o->kind == OPTION_MAYBE ? "::" : ":");
        print_quoted(o->value, strlen(o->value), "[]:");
        putchar(':');
        if (has_list(o)) {
            putchar('(');
            print_list(o);
            putchar(')');
        } else {
            fputs(writes_or_reads_a_file(o) ? "_files" : " ", stdout);
        }
    }
    puts("' \\");
}

static void zsh_command(const struct command *c)
{
    printf("_knoten_%s()\n{\n    _arguments -s \\\n", c->name);
    for (size_t i = 0; i < c->table.count; i++)
        zsh_option(&c->table.options[i]);
    fputs("        '*: :", stdout);
    if (c->names) {
        putchar('(');
        const char *title, *name;
        for (size_t i = 0; (name = c->names(i, &title)); i++) {
            fputs(i ? " " : "", stdout);
            print_quoted(name, strlen(name), "&|()<>*? :\\\"$");
        }
        putchar(')');
    } else {
        fputs(c->undone ? "_knoten_decks" : "_files", stdout);
    }
    puts("'\n}\n");
}

static void print_zsh(void)
{
    fputs("#compdef knoten knoten-mpi\n# Completion of knoten for zsh, printed by: knoten completion zsh\n\n"
          "_knoten_decks()\n{\n    _files -g '*.(",
          stdout);
    for (size_t i = 0; deck_endings[i]; i++)
        printf("%s%s", i ? "|" : "", deck_endings[i]);
    puts(")(-.)'\n}\n");
    for (size_t i = 0; commands[i]; i++)
        zsh_command(commands[i]);
    puts("_knoten()\n{\n    local -a commands\n    commands=(");
    for (size_t i = 0; commands[i]; i++) {
        printf("        '%s:", commands[i]->name);
        print_quoted(commands[i]->summary, strlen(commands[i]->summary), "");
        puts("'");
    }
    fputs("    )\n    local command=run\n    if (( CURRENT > 2 )); then\n        case $words[2] in\n        (", stdout);
    print_commands("|");
    puts(")\n            command=$words[2]\n            shift words\n            (( CURRENT-- )) ;;\n        esac\n"
         "    else\n        _describe -t commands command commands\n    fi\n    _knoten_$command\n}\n\n"
         "if [ \"$funcstack[1]\" = _knoten ]; then\n    _knoten \"$@\"\nelse\n    compdef _knoten knoten "
         "knoten-mpi\nfi");
}

/* ---- the command ---- */

static const struct {
    const char *name, *title;
    void (*print)(void);
} shells[] = {{"bash", "source <(knoten completion bash)", print_bash},
              {"zsh", "source <(knoten completion zsh), or the file _knoten in a folder of fpath", print_zsh}};
enum { SHELLS = sizeof shells / sizeof *shells };

static const char *shell_names(size_t i, const char **title)
{
    *title = i < SHELLS ? shells[i].title : NULL;
    return i < SHELLS ? shells[i].name : NULL;
}

static int print(void *settings, struct job *unused)
{
    (void)unused;
    const char *name = ((const struct common_settings *)settings)->deck;
    for (size_t i = 0; name && i < SHELLS; i++)
        if (names_equal(name, shells[i].name)) {
            shells[i].print();
            return EXIT_DONE;
        }
    if (name)
        fprintf(stderr, "knoten: there is no completion for '%s'; there is one for bash and for zsh\n", name);
    else
        fprintf(stderr, "knoten: for which shell: knoten completion bash, or knoten completion zsh?\n");
    return EXIT_USAGE;
}

static const struct option options[] = {
    HELP_OPTION,
};

const struct command completion_command =
    SELF_COMMAND("completion", "bash|zsh", "prints what a shell completes the command lines of knoten by", shell_names,
                 struct common_settings, print,
                 {"source <(knoten completion bash)", "completes commands, options, methods and decks in this shell"},
                 {"knoten completion zsh > _knoten", "a file for a folder of zsh's fpath"});
