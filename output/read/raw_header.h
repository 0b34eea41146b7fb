/* raw_header.h - the text in front of the numbers of a raw file. */
#ifndef OUTPUT_READ_RAW_HEADER_H
#define OUTPUT_READ_RAW_HEADER_H

#include "output/read/raw_text.h"

struct raw_variable {
    const char *name;
    enum kn_quantity quantity;
};

struct raw_header {
    const char *title, *plot; /* in the arena, as the names are */
    size_t variable_count;
    unsigned long long points;
    struct raw_variable *variables;
    bool is_complex, fast_access, binary;
    size_t first_bytes, other_bytes; /* of a number of the first vector, of the others */
    bool is_ltspice;
    long values_line; /* of "Values:" or "Binary:" */
};

/* False where there is none; that has been said then, and r->status is why. */
bool raw_header_read(struct raw_text *r, struct arena *a, struct raw_header *h);

#endif
