/* raw_file.h - reads a raw file back, for tests; written from the format's description, not from the writer. */
#ifndef TESTS_RAW_FILE_H
#define TESTS_RAW_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct raw_plot {
    char title[128], plot[128], command[128], names[16][64], types[16][32];
    long variables, points;
    double *values; /* [points][variables] */
};

static inline bool raw_header(FILE *from, struct raw_plot *p, bool *binary)
{
    char line[512];
    while (fgets(line, sizeof line, from)) {
        line[strcspn(line, "\n")] = '\0';
        sscanf(line, "Title: %127[^\n]", p->title);
        sscanf(line, "Plotname: %127[^\n]", p->plot);
        sscanf(line, "Command: %127[^\n]", p->command);
        sscanf(line, "No. Variables: %ld", &p->variables);
        sscanf(line, "No. Points: %ld", &p->points);
        for (long i = 0; strcmp(line, "Variables:") == 0 && i < p->variables && i < 16; i++)
            if (fscanf(from, "%*d %63s %31s\n", p->names[i], p->types[i]) != 2)
                return false;
        *binary = strcmp(line, "Binary:") == 0;
        if (*binary || strcmp(line, "Values:") == 0)
            return true;
    }
    return false;
}

/* The next plot of the file; false at its end or when it is malformed.  values are the caller's to free. */
static inline bool raw_read(FILE *from, struct raw_plot *p)
{
    bool binary;
    memset(p, 0, sizeof *p);
    if (!raw_header(from, p, &binary) || p->variables < 1 || p->points < 0)
        return false;
    const size_t count = (size_t)p->variables * (size_t)p->points;
    p->values = malloc((count + 1) * sizeof *p->values);
    bool good = p->values != NULL;
    if (good && binary)
        good = fread(p->values, sizeof *p->values, count, from) == count;
    for (size_t i = 0; good && !binary && i < count; i++) {
        long number = 0;
        if (i % (size_t)p->variables == 0)
            good = fscanf(from, "%ld", &number) == 1 && number == (long)i / p->variables;
        good = good && fscanf(from, "%lf", &p->values[i]) == 1;
    }
    if (good && !binary && fgetc(from) != '\n')
        good = count == 0;
    if (!good) {
        free(p->values);
        p->values = NULL;
    }
    return good;
}

#endif
