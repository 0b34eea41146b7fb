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

/* Counting sort: start[k + 1] moves from where group k begins to where it ends. */
bool groups_sort(struct arena *a, const int *group_of, int count, int groups, int **members, int **first)
{
    int *start = *first = arena_array(a, (size_t)groups + 2, sizeof *start);
    *members = arena_array(a, (size_t)count + 1, sizeof **members);
    if (!start || !*members)
        return false;
    for (int i = 0; i < count; i++)
        if (group_of[i] >= 0)
            start[group_of[i] + 2]++;
    for (int k = 1; k <= groups; k++)
        start[k + 1] += start[k];
    for (int i = 0; i < count; i++)
        if (group_of[i] >= 0)
            (*members)[start[group_of[i] + 1]++] = i;
    return true;
}
