/* reference.h - known answers: values of some vectors at one time, from a JSON file of such records. */
#ifndef TESTS_TOOLS_REFERENCE_H
#define TESTS_TOOLS_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

enum { REFERENCE_MOST = 64, REFERENCE_NAME = 64 };

struct reference {
    double time; /* s */
    struct reference_value {
        char name[REFERENCE_NAME];
        double value;
    } values[REFERENCE_MOST];
    size_t count;
};

/* { "deck": { "time": t, "values": { "v(1)": x, .. }, other members are skipped }, .. } */
bool reference_read(const char *path, const char *deck, struct reference *out);

#endif
