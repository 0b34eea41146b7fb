/* line_network.c - see line_network.h. */
#include "devices/linear/line_network.h"

#include <complex.h>
#include <math.h>
#include <string.h>

/* Room for one more in an array of the arena. */
static bool reserve(struct line_network *n, void **array, size_t count, size_t *capacity, size_t size)
{
    if (n->full || count < *capacity)
        return !n->full;
    const size_t larger = *capacity ? 2 * *capacity : 64;
    void *moved = arena_array(n->arena, larger, size);
    n->full = !moved;
    if (n->full)
        return false;
    if (count > 0)
        memcpy(moved, *array, count * size);
    *array = moved;
    *capacity = larger;
    return true;
}

int line_unknown_add(struct line_network *n, enum line_unknown kind)
{
    if (!reserve(n, (void **)&n->own, n->own_count, &n->own_capacity, sizeof *n->own))
        return LINE_OWN;
    n->own[n->own_count++] = kind;
    return LINE_OWN + (int)n->own_count - 1;
}

void line_entry_add(struct line_network *n, int row, int column, double value, bool rate)
{
    if (value != 0 && row != LINE_GROUND && column != LINE_GROUND &&
        reserve(n, (void **)&n->entries, n->entry_count, &n->entry_capacity, sizeof *n->entries))
        n->entries[n->entry_count++] = (struct line_entry){row, column, value, rate};
}

void line_mode_add(struct line_network *n, int row, const int columns[2], bool odd, double value, bool rate)
{
    line_entry_add(n, row, columns[0], 0.5 * value, rate);
    line_entry_add(n, row, columns[1], odd ? -0.5 * value : 0.5 * value, rate);
}

void line_late_add(struct line_network *n, const struct line_late *late)
{
    if (late->value != 0 && reserve(n, (void **)&n->late, n->late_count, &n->late_capacity, sizeof *n->late))
        n->late[n->late_count++] = *late;
}

/* tanh(z)/z by z^2, which the ratio depends on alone. */
static double complex tanh_ratio(double complex square)
{
    if (cabs(square) < 1e-6)
        return 1 - square / 3;
    const double complex z = csqrt(square); /* real part not negative */
    const double complex e = cexp(-2 * z);
    return (1 - e) / (1 + e) / z;
}

/* Y0 tanh(g/2) = (Y/2) tanh(g/2)/(g/2) and its dual Z0 tanh(g/2), g^2 = Z Y. */
void line_mode_admittances(const struct line_totals *t, double w, double complex *even, double complex *odd)
{
    const double complex z = t->r + _Complex_I * w * t->l, y = t->g + _Complex_I * w * t->c;
    const double complex ratio = tanh_ratio(0.25 * z * y);
    *even = 0.5 * y * ratio;
    *odd = 1 / (0.5 * z * ratio);
}
