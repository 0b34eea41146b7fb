/* groups.h - which nodes belong together: union-find (Tarjan) over unknown numbers, 0 is ground. */
#ifndef MNA_GROUPS_H
#define MNA_GROUPS_H

#include "devices/setup.h"

/* Every number 0 .. n alone in its group; n + 1 integers, NULL without memory, free with free(). */
int *groups_new(int n);
int groups_find(int *group, int u);
void groups_unite(int *group, int u, int v);
bool groups_connected(int *group, int u, int v);
/* Unites the ends of every branch of a kind. */
void groups_unite_branches(int *group, const struct branch_list *list, enum branch_kind kind);

#endif
