/* groups.c - see groups.h. */
#include "base/groups.h"

#include "base/arena.h"

#include <stdlib.h>

void groups_separate(int *group, int last)
{
    for (int i = 0; i <= last; i++)
        group[i] = i;
}

int *groups_new(int last)
{
    int *group = malloc(((size_t)last + 1) * sizeof *group);
    if (group)
        groups_separate(group, last);
    return group;
}

int *groups_in(struct arena *a, int last)
{
    int *group = arena_array(a, (size_t)last + 1, sizeof *group);
    if (group)
        groups_separate(group, last);
    return group;
}

int groups_find(int *group, int u)
{
    while (group[u] != u) {
        group[u] = group[group[u]]; /* path halving */
        u = group[u];
    }
    return u;
}

bool groups_unite(int *group, int u, int v)
{
    const int a = groups_find(group, u), b = groups_find(group, v);
    if (a < b)
        group[b] = a;
    else
        group[a] = b;
    return a != b;
}

bool groups_connected(int *group, int u, int v)
{
    return groups_find(group, u) == groups_find(group, v);
}
