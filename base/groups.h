/* groups.h - which nodes belong together: union-find (Tarjan) over unknown numbers, 0 is ground. */
#ifndef BASE_GROUPS_H
#define BASE_GROUPS_H

#include <stdbool.h>

/* Every number 0 .. n alone in its group; n + 1 integers, NULL without memory, free with free(). */
int *groups_new(int n);
int groups_find(int *group, int u);
void groups_unite(int *group, int u, int v);
bool groups_connected(int *group, int u, int v);

#endif
