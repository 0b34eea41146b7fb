/* json.h - JSON (RFC 8259): strings and numbers, and a writer of nested values that sees to commas and brackets. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stdio.h>

/* With quotes; bytes that are no UTF-8 are taken as Latin-1.  lower: ASCII letters in lower case. */
void json_write_string(FILE *to, const char *text, bool lower);
/* What is not finite is null: JSON knows no such numbers. */
void json_write_number(FILE *to, double value);

enum { JSON_DEPTH = 16 };

struct json {
    FILE *to;
    int depth;
    int lines; /* levels, from the outermost, that have a line for each member; 2 where the caller says nothing */
    char closing[JSON_DEPTH];
    bool some[JSON_DEPTH]; /* a member stands before */
};

struct json json_begin(FILE *to);
/* An object '{' or a list '['; key NULL: within a list, or the outermost.  The outermost ends with its line. */
void json_open(struct json *j, const char *key, char bracket);
void json_close(struct json *j);
/* Members; key NULL: of a list.  A text that is NULL is null. */
void json_text(struct json *j, const char *key, const char *text);
void json_number(struct json *j, const char *key, double value);
/* The same unless there is no number. */
void json_known_number(struct json *j, const char *key, double value);
void json_bool(struct json *j, const char *key, bool value);
/* In front of a value that is written by other means. */
void json_key(struct json *j, const char *key);

#endif
