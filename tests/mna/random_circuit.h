/* random_circuit.h - random circuits as texts for branch_circuit.h.  Random numbers: xorshift (Marsaglia 2003). */
#ifndef TESTS_MNA_RANDOM_CIRCUIT_H
#define TESTS_MNA_RANDOM_CIRCUIT_H

#include "branch_circuit.h"

#include <stdint.h>

static uint64_t random_state;

static inline void start_random(uint64_t seed)
{
    random_state = seed * 0x9E3779B97F4A7C15u + 1;
}

static inline uint64_t draw_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static inline int below(int limit)
{
    return (int)(draw_random() % (uint64_t)limit);
}

/* letters: drawn from with equal chances. */
static inline void random_circuit(char *text, size_t size, const char *letters, int nodes, int elements)
{
    int count[128] = {0};
    int currents = 0;
    char current[MOST_ELEMENTS][16];
    text[0] = '\0';
    for (int e = 0; e < elements; e++) {
        const size_t used = strlen(text);
        char letter = letters[below((int)strlen(letters))];
        if (strchr("FH", letter) && currents == 0)
            letter = 'V';
        char name[16];
        snprintf(name, sizeof name, "%c%d", letter, ++count[(int)letter]);
        int written = snprintf(text + used, size - used, "%s%s %d %d", e ? "; " : "", name, below(nodes), below(nodes));
        if (letter == 'g') /* from ground, controlled by one node */
            snprintf(text + used, size - used, "%s%s 0 %d %d 0", e ? "; " : "", name, below(nodes), below(nodes));
        if (strchr("EGAQ", letter))
            snprintf(text + used + written, size - used - (size_t)written, " %d %d", below(nodes), below(nodes));
        if (strchr("FH", letter))
            snprintf(text + used + written, size - used - (size_t)written, " %s", current[below(currents)]);
        if (strchr("VLE", letter) && currents < MOST_ELEMENTS)
            snprintf(current[currents++], sizeof *current, "%s", name);
    }
}

#endif
