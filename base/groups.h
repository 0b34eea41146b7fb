/* groups.h - which things belong together, told pair by pair: union-find over numbers from 0, with path halving (Tarjan and
 * van Leeuwen, J. ACM 31, 1984).
 *
 * Each group is represented by its smallest number: among nodes, ground (0) represents what is joined to it.
 */
#ifndef BASE_GROUPS_H
#define BASE_GROUPS_H

#include <stdbool.h>

struct arena;

/* Every number 0 .. last alone in its group; last + 1 integers, NULL without memory, free with free(). */
int *groups_new(int last);
/* The same in an arena. */
int *groups_in(struct arena *a, int last);
void groups_separate(int *group, int last);
int groups_find(int *group, int u);
/* True if the two were apart. */
bool groups_unite(int *group, int u, int v);
bool groups_connected(int *group, int u, int v);

/* Things 0 .. count - 1 in the order of their groups 0 .. groups - 1, those of group k from (*first)[k] to
 * (*first)[k + 1]; a negative group: in none.  Both arrays come from the arena; false without memory. */
bool groups_sort(struct arena *a, const int *group_of, int count, int groups, int **members, int **first);

#endif
