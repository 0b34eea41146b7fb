/* groups.c - see groups.h. */
#include "base/groups.h"

#include <stdlib.h>

int *groups_new(int n)
{
    int *group = malloc(((size_t)n + 1) * sizeof *group);
    for (int i = 0; group && i <= n; i++)
        group[i] = i;
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

/* The smaller number represents the group, so that ground is always its own representative. */
void groups_unite(int *group, int u, int v)
{
    const int a = groups_find(group, u), b = groups_find(group, v);
    if (a < b)
        group[b] = a;
    else
        group[a] = b;
}

bool groups_connected(int *group, int u, int v)
{
    return groups_find(group, u) == groups_find(group, v);
}
