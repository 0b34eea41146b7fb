/* json.h - strings and numbers of JSON (RFC 8259). */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stdio.h>

/* With quotes; bytes that are no UTF-8 are taken as Latin-1.  lower: ASCII letters in lower case. */
void json_write_string(FILE *to, const char *text, bool lower);
/* What is not finite is null: JSON knows no such numbers. */
void json_write_number(FILE *to, double value);

#endif
