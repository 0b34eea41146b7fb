/* bracket.c - see bracket.h. */
#include "integrators/bracket.h"

#include <float.h>
#include <math.h>

enum { MOST_ROUNDS = 100 };

bool bracket_next(struct bracket *b, double *t)
{
    const double width = b->right - b->left;
    if (b->rounds++ == MOST_ROUNDS || !(width > 2 * DBL_EPSILON * fabs(b->right)) || b->g_right == 0)
        return false;
    *t = b->right - b->g_right * width / (b->g_right - b->g_left);
    if (!(*t > b->left && *t < b->right))
        *t = b->left + 0.5 * width;
    return *t > b->left && *t < b->right;
}

/* An end that stays a second time counts half, lest the other crawl. */
void bracket_narrow(struct bracket *b, double t, double g, bool beyond)
{
    if (beyond) {
        b->right = t;
        b->g_right = isnan(g) ? b->g_right : g;
        b->g_left *= b->kept == 1 ? 0.5 : 1;
        b->kept = 1;
    } else {
        b->left = t;
        b->g_left = isnan(g) ? b->g_left : g;
        b->g_right *= b->kept == -1 ? 0.5 : 1;
        b->kept = -1;
    }
}
