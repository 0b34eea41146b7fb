/* reference.c - as much JSON (RFC 8259) as the files of known answers need: objects, arrays, strings, numbers. */
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct json {
    const char *at;
    bool bad;
};

static char peek(struct json *j)
{
    j->at += strspn(j->at, " \t\r\n");
    return *j->at;
}

static bool take(struct json *j, char wanted)
{
    if (peek(j) != wanted)
        return false;
    j->at++;
    return true;
}

static void expect(struct json *j, char wanted)
{
    if (!take(j, wanted))
        j->bad = true;
}

/* A string without escapes, as names are; longer ones are cut. */
static void read_string(struct json *j, char *name, size_t size)
{
    size_t used = 0;
    expect(j, '"');
    while (!j->bad && *j->at && *j->at != '"') {
        if (*j->at == '\\' && j->at[1])
            j->at++;
        if (used + 1 < size)
            name[used++] = *j->at;
        j->at++;
    }
    name[used] = '\0';
    expect(j, '"');
}

static double read_number(struct json *j)
{
    char *end;
    peek(j);
    double value = strtod(j->at, &end);
    j->bad |= end == j->at;
    j->at = end;
    return value;
}

/* Any value, nested as it may be. */
static void skip(struct json *j)
{
    char text[8];
    int depth = 0;
    do {
        char c = peek(j);
        if (c == '"') {
            read_string(j, text, sizeof text);
        } else if (c == '\0') {
            j->bad = true;
        } else {
            depth += (c == '{' || c == '[') - (c == '}' || c == ']');
            j->at++;
            if (depth == 0 && c != '}' && c != ']')
                j->at += strcspn(j->at, ",]} \t\r\n");
        }
    } while (depth > 0 && !j->bad);
}

static void read_values(struct json *j, struct reference *out)
{
    expect(j, '{');
    do {
        if (out->count == REFERENCE_MOST) {
            j->bad = true;
            return;
        }
        struct reference_value *v = &out->values[out->count++];
        read_string(j, v->name, sizeof v->name);
        expect(j, ':');
        v->value = read_number(j);
    } while (!j->bad && take(j, ','));
    expect(j, '}');
}

static void read_record(struct json *j, struct reference *out)
{
    char key[REFERENCE_NAME];
    expect(j, '{');
    do {
        read_string(j, key, sizeof key);
        expect(j, ':');
        if (strcmp(key, "time") == 0)
            out->time = read_number(j);
        else if (strcmp(key, "values") == 0)
            read_values(j, out);
        else
            skip(j);
    } while (!j->bad && take(j, ','));
    expect(j, '}');
}

static bool read_deck(struct json *j, const char *deck, struct reference *out)
{
    char key[REFERENCE_NAME];
    expect(j, '{');
    do {
        read_string(j, key, sizeof key);
        expect(j, ':');
        if (strcmp(key, deck) == 0) {
            read_record(j, out);
            return !j->bad && out->count > 0;
        }
        skip(j);
    } while (!j->bad && take(j, ','));
    return false;
}

bool reference_read(const char *path, const char *deck, struct reference *out)
{
    static const size_t largest = 1 << 20;
    memset(out, 0, sizeof *out);
    FILE *file = fopen(path, "rb");
    char *text = file ? calloc(1, largest + 1) : NULL;
    bool good = text && fread(text, 1, largest, file) > 0;
    struct json j = {text, false};
    good = good && read_deck(&j, deck, out);
    if (!good)
        fprintf(stderr, "%s: no usable record of '%s'\n", path, deck);
    free(text);
    if (file)
        fclose(file);
    return good;
}
