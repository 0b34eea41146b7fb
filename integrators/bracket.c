/* bracket.c - see bracket.h. */
#include "integrators/bracket.h"

#include <math.h>

double bracket_inside(double guess, double left, double right)
{
    const double middle = left + 0.5 * (right - left), least = BRACKET_WIDTH * fabs(right);
    if (!(right - left > 2 * least) || isnan(guess))
        return middle;
    return fmin(fmax(guess, left + least), right - least);
}

bool bracket_next(struct bracket *b, double *t)
{
    const double width = b->right - b->left;
    if (b->rounds++ == BRACKET_ROUNDS || !(width > BRACKET_WIDTH * fabs(b->right)) || b->g_right == 0)
        return false;
    *t = bracket_inside(b->right - b->g_right * width / (b->g_right - b->g_left), b->left, b->right);
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
