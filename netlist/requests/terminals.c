/* terminals.c - the terminals of elements by the letters of their names, as the kind's table has them: c b e s of bipolar transistors. */
#include "netlist/requests/requests.h"

#include <string.h>

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* The place of a terminal: '1' the first, 'b' that whose name begins so; -1. */
int request_terminal_place(const struct element *e, char letter)
{
    const char *name = e->kind ? e->kind->nodes : NULL;
    letter = lower(letter);
    if (letter >= '1' && letter <= '9')
        return (size_t)(letter - '1') < e->node_count ? letter - '1' : -1;
    for (int place = 0; name && *name && (size_t)place < e->node_count; place++) {
        name += *name == '[';
        if (lower(*name) == letter)
            return place;
        name += strcspn(name, " ");
        name += strspn(name, " ");
    }
    return -1;
}

/* What the kind calls the node at that place. */
const char *request_terminal_name(const struct element *e, int place)
{
    const char *name = e->kind->nodes;
    for (int i = 0; i < place && strchr(name, ' '); i++)
        name = strchr(name, ' ') + 1;
    return name + (*name == '[');
}

static bool is_thermal(const char *name)
{
    return strncmp(name, "temperature", 11) == 0 || strncmp(name, "junction", 8) == 0 || strncmp(name, "case", 4) == 0;
}

/* A substrate that the card does not name is at ground. */
static bool is_left_out(const struct element *e, int place)
{
    return place > 0 && request_terminal_name(e, place)[-1] == '[' && e->nodes[place] == 0;
}

char request_terminal_letter(const struct element *e, int place)
{
    const bool transistor = e->kind && e->kind->nodes && strchr("mqjz", e->kind->letter) && e->node_count > 2;
    if (!transistor || (size_t)place >= e->node_count || is_thermal(request_terminal_name(e, place)) ||
        is_left_out(e, place))
        return '\0';
    const char letter = *request_terminal_name(e, place);
    return request_terminal_place(e, letter) == place ? letter
                                                      : (char)('1' + place); /* a source has a substrate beside it */
}
