/* stability.c - see stability.h.
 *
 * Growth.  Applied to x' = lambda x with equal steps, the formula of order k is  sum_{j=1}^{k} (1/j) nabla^j x = z x,
 * z = h lambda (Hairer/Wanner 1996, V.1); x_n = zeta^n makes nabla = 1 - 1/zeta.  For small z the principal root is
 *     zeta = exp(z + z^(k+1)/(k+1) - k z^(k+2)/(2 (k+2)) ..)      (the sum to infinity is log zeta),
 * so that per step, for z = iy, order 3 excites by y^4/4 and order 4 by y^6/3, order 5 damps by y^6/6.  On the
 * imaginary axis order 3 is stable from y = 1.94 on, order 4 from 4.71, order 5 below 0.71 and from 9.39 on; orders 1
 * and 2 everywhere.  What the circuit damps well they may still excite or keep: of lambda = (-0.48 + i) omega, of which a
 * period leaves a twentieth, order 5 makes 1.09 times as much with every step of 2/omega, and order 4 leaves 0.93 of it.
 * It is then in the error estimate, nothing else is, and steps become as short as if somebody wanted to see it.
 *
 * Finding.  The error estimate contains nabla^(k+1) x, in which a fast component is magnified by (h omega)^(k+1)
 * against the slow ones: it shows there long before the solution does.  With the factors of M = G + alpha C at hand,
 *     B = alpha M^-1 C - 1,     B v = beta v,     beta = lambda / (alpha - lambda)     for  (G + lambda C) v = 0
 * takes the slow components away once more.  If of u = B e, B u, B^2 u the last is a combination of the first two,
 *     B^2 u = a B u + b u     (least squares, weighted by the tolerance),     beta^2 = a beta + b,
 * they span the plane of one oscillation (Rayleigh-Ritz on a Krylov space; Saad, Numerical Methods for Large
 * Eigenvalue Problems, 2011, ch. 4), and lambda = alpha beta / (1 + beta).  What Newton leaves as error is mostly
 * algebraic or stiff, beta = -1, and gives no pair.
 * B magnifies that against an oscillation that steps resolve, of |beta| = 0.1, by ten each time: what a saturated transistor makes of
 * a tank's voltage beyond its linear part hides the tank.  Where there is no plane, one such component is taken off: with
 *     B^3 u = a B^2 u + b B u + c u,     rho the real root of  x^3 = a x^2 + b x + c,     u becomes  (B - rho) u
 * and the plane is looked for once more (deflation; Saad, ch. 4).
 *
 * Damping.  The same series says how much faster an oscillation dies, or grows, than it should: by
 *     d = Re(z^(k+1)/(k+1) - k z^(k+2)/(2 (k+2))) / h
 * per second.  A tank of quality Q remembers 1/|sigma| = 2 Q/omega; over that time its amplitude errs by d/|sigma|,
 * though every single step is within its tolerance.  With 20 steps to a period that is a third at order 5 for Q = 1000.
 * Order 1 takes |z|^2/2 with each step.  Behind kinks there are one or two of them, whose errors are estimated but always have that sign:
 * a tank of Q = 5000 that turns a transistor on in each period lost 2.5 % in 500 periods (test_lasting_oscillations).  They count as often
 * as they have been made.
 * The amplitude follows from the error estimate, which is z^(k+1) / ((k+1) sum_{j<=k} 1/j) times the oscillation.
 *
 * Other ways.  The norms of differences over some steps (Hindmarsh 1992, STALD of CVODE) show |zeta| only after five
 * steps of order 3 or more, and lower the order by one, which from 5 leads to a worse one.  Orders lowered where
 * differences grow from one order to the next (Gear; DASSL) react from h omega = 1 on, where order 4 excites by a tenth
 * per step.  A rate, once known, tells for every order and step
 * beforehand.
 */
#include "integrators/stability.h"

#include "base/rounding.h"

#include <math.h>
#include <string.h>

enum { HIGHEST_ORDER = 5 };

/* Modes are looked for every SHORTEST_PAUSE to LONGEST_PAUSE steps.  After BELIEVED steps a mode of a nonlinear problem is
 * checked, and one that is damped well is forgotten unless it has been seen again; see is_over. */
enum { SHORTEST_PAUSE = 3, LONGEST_PAUSE = 24, BELIEVED = 30 };

/* u and B u span the plane of one oscillation if B^2 u is in it but for this part. */
static const double MISFIT = 0.15;
/* Two rates that differ by less than this part are taken for the same mode; a mode v found earlier is still there if B v is beta v but
 * for it. */
static const double SAME_MODE = 0.2;
/* What is left of a way where the mode expected from the last one is taken off, as a part of it: less than half a radian. */
static const double TURNED = 0.5;
/* With a rate sigma + i omega: where two oscillations of nearly the same rate are seen as one, sigma may be wrong by this part of omega.
 * Those with more grow in the circuit itself and are followed as they are. */
static const double UNSURE = 0.05;
/* With -sigma above this part of |omega| a period leaves less than a third of an oscillation. */
static const double DYING = 0.2;
/* With no more growth per step than this, an oscillation takes a million steps to grow e times. */
static const double NO_GROWTH = 1 + 1e-6;
/* -Re z / Im z, orders 3 to 5, from which on a step of any size leaves less than `halved` of an oscillation: 69.4, 57.3 and 31.5
 * degrees from the negative axis.  (A(alpha)-stable they are to 86.0, 73.4 and 51.8, where an oscillation stays for good.)  With more
 * damping than the last no order keeps one alive. */
static const double sector[] = {0.376, 0.642, 1.632};
/* Factor on an oscillation in each step with which half of it is left after order + 1 steps, during which no other order is
 * tried: 0.5^(1 / (order + 1)). */
static const double halved[] = {0.8409, 0.8706, 0.8909};
/* With |sigma| below this part of omega (Q above 50) an oscillation lasts so long that errors of many steps add up in it. */
static const double LASTING = 0.01;
/* A mode that looks do not find again is taken to have this part of its amplitude left with each of its periods, and with each look where
 * the problem did not have it when it was checked last.  (With each look, steps grew between those that found it, and by the damping a tank
 * beside a saturated transistor lost up to 5 % at reltols of 2e-3 to 4e-3.) */
static const double FADING = 0.5;

bool stability_init(struct stability *s, int n, struct arena *memory)
{
    *s = (struct stability){.n = n, .pause = SHORTEST_PAUSE};
    double **const filtered[] = {&s->filtered[0], &s->filtered[1], &s->filtered[2], &s->filtered[3], NULL};
    bool complete = arena_vectors(memory, (size_t)n, filtered);
    for (int i = 0; i < STABILITY_MODES; i++) {
        double **const mode[] = {&s->modes[i].real, &s->modes[i].imaginary, NULL};
        complete = arena_vectors(memory, (size_t)n, mode) && complete;
    }
    return complete;
}

/* ---- growth ---- */

static double square(double complex v)
{
    return creal(v) * creal(v) + cimag(v) * cimag(v);
}

/* Whether all roots of  sum_i c_i x^(n-i)  lie within the unit circle: Schur and Cohn's recursion (Miller 1971, JIMA 8,
 * 397).  Uses up c. */
static bool is_contracting(double complex *c, int n)
{
    for (; n > 0; n--) {
        const double complex first = c[0], last = c[n];
        double complex next[HIGHEST_ORDER];
        if (!(square(last) < square(first)))
            return false;
        for (int i = 0; i < n; i++)
            next[i] = conj(first) * c[i] - last * conj(c[n - i]);
        memcpy(c, next, (size_t)n * sizeof *c);
    }
    return true;
}

bool stability_holds(int order, double complex z, double factor)
{
    static const double formula[HIGHEST_ORDER][HIGHEST_ORDER + 1] = {
        {1, -1},
        {3. / 2, -2, 1. / 2},
        {11. / 6, -3, 3. / 2, -1. / 3},
        {25. / 12, -4, 3, -4. / 3, 1. / 4},
        {137. / 60, -5, 5, -10. / 3, 5. / 4, -1. / 5},
    };
    double complex c[HIGHEST_ORDER + 1];
    double power = 1;
    for (int i = 0; i <= order; i++, power *= factor)
        c[i] = formula[order - 1][i] / power;
    c[0] -= z;
    return is_contracting(c, order);
}

/* What a step may leave of it: the circuit leaves exp(Re z), half as much damping will do, and what is gone soon anyway need
 * not go faster. */
static double most_left(double complex z, int order)
{
    return NO_GROWTH * fmax(exp(creal(z) / 2), halved[order - 3]);
}

static bool allows(const struct stability_mode *mode, int order, double step)
{
    const double omega = cimag(mode->rate);
    const double complex z = step * (fmin(creal(mode->rate) + UNSURE * omega, 0) + I * omega);
    const bool damped = -creal(z) >= sector[order - 3] * cimag(z);
    return damped || stability_holds(order, z, most_left(z, order));
}

bool stability_allows(const struct stability *s, int order, double step)
{
    for (int i = 0; i < s->count && order > 2; i++)
        if (!allows(&s->modes[i], order, step))
            return false;
    return true;
}

static bool lasts_long(double complex rate)
{
    return -creal(rate) < LASTING * cimag(rate);
}

/* How many steps of that order and size are made per second, in the steady state; order 1 only behind kinks, as often as so far. */
static double steps_per_second(const struct stability *s, int order, double step)
{
    return order == 1 && s->time > 0 ? s->falls / s->time : 1 / step;
}

double stability_damping(const struct stability *s, int order, double step, double span)
{
    double worst = 0;
    for (int i = 0; i < s->count; i++) {
        const struct stability_mode *mode = &s->modes[i];
        if (!lasts_long(mode->rate) ||
            mode->amplitude <= 1) /* that amplitudes below a tolerance are damped does no harm */
            continue;
        const double complex z = step * mode->rate, power = cpow(z, order + 1);
        const double per_step = fabs(creal(power / (order + 1) - order * power * z / (2 * (order + 2))));
        const double decay = fmax(-creal(mode->rate), 0), lasting = decay * span > 1 ? 1 / decay : span;
        worst = fmax(worst, mode->amplitude * per_step * steps_per_second(s, order, step) * lasting);
    }
    return worst;
}

/* ---- finding ---- */

/* out := B v */
static void filter(struct newton *newton, const double *v, double *out)
{
    const struct dae *dae = newton->dae;
    memset(out, 0, (size_t)dae->n * sizeof *out);
    sparse_multiply_add(dae->pattern, newton->C, v, out);
    newton_back_solve(newton, out);
    for (int i = 0; i < dae->n; i++)
        out[i] = newton->alpha * out[i] - v[i];
}

static bool counts(const struct dae *dae, int i)
{
    return !dae->classes || dae->classes[i] == DAE_DIFFERENTIAL || dae->classes[i] == DAE_INDEX1;
}

/* w ~ x u + y v in least squares, from the sums of their products; false where u and v are parallel: one real
 * component.  The determinant is the square of the sine between them. */
static bool combine(double uu, double uv, double vv, double uw, double vw, double *x, double *y)
{
    const double determinant = uu * vv - uv * uv;
    *x = (vv * uw - uv * vw) / determinant;
    *y = (uu * vw - uv * uw) / determinant;
    return determinant > ROUNDING_SAME * uu * vv;
}

/* What is fastest in a vector [n]. */
struct plane {
    double complex beta;
    double misfit;    /* part of the last filtered vector that is not in it */
    double magnified; /* what the filters have made of an oscillation in it */
};

/* The pair beta of the plane of the filtered vectors; false where they are in no plane or the pair is real. */
static bool fit_plane(const struct stability *s, const struct dae *dae, const double *weights, struct plane *plane)
{
    double uu = 0, uv = 0, vv = 0, uw = 0, vw = 0, ww = 0;
    for (int i = 0; i < s->n; i++) {
        if (!counts(dae, i))
            continue;
        const double u = weights[i] * s->filtered[0][i], v = weights[i] * s->filtered[1][i],
                     w = weights[i] * s->filtered[2][i];
        uu += u * u;
        uv += u * v;
        vv += v * v;
        uw += u * w;
        vw += v * w;
        ww += w * w;
    }
    double a, b;
    if (!combine(uu, uv, vv, uw, vw, &b, &a))
        return false;
    const double frequency = -b - a * a / 4; /* squared */
    plane->misfit = sqrt(fmax(ww - a * vw - b * uw, 0) / ww);
    plane->beta = a / 2 + I * sqrt(fmax(frequency, 0));
    plane->magnified = pow(cabs(plane->beta), 3);
    return plane->misfit <= MISFIT && frequency > 0;
}

/* Products of the filtered vectors, [3][4]: those of the first three with all, columns of unit length. */
static bool multiply_filtered(const struct stability *s, const struct dae *dae, const double *weights, double p[3][4],
                              double size[4])
{
    double all[4][4] = {{0}};
    for (int i = 0; i < s->n; i++) {
        const double w = counts(dae, i) ? weights[i] * weights[i] : 0;
        for (int r = 0; r < 4; r++)
            for (int c = r; c < 4 && w != 0; c++)
                all[r][c] += w * s->filtered[r][i] * s->filtered[c][i];
    }
    for (int k = 0; k < 4; k++)
        size[k] = sqrt(all[k][k]);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            p[r][c] = (r < c ? all[r][c] : all[c][r]) / (size[r] * size[c]);
    return size[0] > 0 && size[3] > 0;
}

/* Gauss's elimination of p x = last column, symmetric and of a unit diagonal; false where its rows are parallel. */
static bool solve_for_three(double p[3][4], double x[3])
{
    for (int k = 0; k < 3; k++) {
        if (!(p[k][k] > ROUNDING_SAME))
            return false;
        for (int r = k + 1; r < 3; r++)
            for (int c = 3; c >= k; c--)
                p[r][c] -= p[r][k] / p[k][k] * p[k][c];
    }
    for (int k = 2; k >= 0; k--) {
        x[k] = p[k][3];
        for (int c = k + 1; c < 3; c++)
            x[k] -= p[k][c] * x[c];
        x[k] /= p[k][k];
    }
    return true;
}

/* The real root of  x^3 = a x^2 + b x + c  beside a pair (Cardano, of x - a/3); false where all three are real. */
static bool find_real_root(double a, double b, double c, double *root)
{
    const double p = -b - a * a / 3, q = -2 * a * a * a / 27 - a * b / 3 - c, d = q * q / 4 + p * p * p / 27;
    *root = d > 0 ? cbrt(-q / 2 + sqrt(d)) + cbrt(-q / 2 - sqrt(d)) + a / 3 : 0;
    return d > 0;
}

/* Takes one decaying component off the filtered vectors; *root: its beta. */
static bool deflate(struct stability *s, struct newton *newton, const double *weights, double *root)
{
    double **f = s->filtered, products[3][4], size[4], x[3];
    filter(newton, f[2], f[3]);
    if (!multiply_filtered(s, newton->dae, weights, products, size) || !solve_for_three(products, x))
        return false;
    for (int k = 0; k < 3; k++)
        x[k] *= size[3] / size[k];
    if (!find_real_root(x[2], x[1], x[0], root))
        return false;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < s->n; i++)
            f[k][i] = f[k + 1][i] - *root * f[k][i];
    return true;
}

static bool lasts(double complex rate)
{
    return creal(rate) > -sector[HIGHEST_ORDER - 3] * cimag(rate) && creal(rate) < UNSURE * cimag(rate);
}

static bool dies_soon(double complex rate)
{
    return -creal(rate) > DYING * cimag(rate);
}

/* The place of the mode with about this rate, else a free one, else that of the mode not seen for the longest time. */
static struct stability_mode *place_of(struct stability *s, double complex rate, bool *new)
{
    struct stability_mode *oldest = &s->modes[0];
    *new = false;
    for (int i = 0; i < s->count; i++) {
        struct stability_mode *mode = &s->modes[i];
        if (cabs(mode->rate - rate) <= SAME_MODE * cabs(rate))
            return mode;
        if (mode->seen < oldest->seen)
            oldest = mode;
    }
    *new = true;
    return s->count < STABILITY_MODES ? &s->modes[s->count++] : oldest;
}

/* The mode v with this beta in the plane of the filtered vectors u = Re v and B u = Re(beta v).  True if it is new. */
static bool remember(struct stability *s, double complex rate, const struct plane *plane, double amplitude)
{
    const double complex beta = plane->beta;
    bool new;
    struct stability_mode *mode = place_of(s, rate, &new);
    const bool known = isnan(mode->missed) && !new; /* as the problem has it now */
    mode->seen = mode->checked = s->step;
    mode->missed = NAN;
    /* a look that falls on a crest, where nothing moves, says less of what lasts than the one before */
    mode->amplitude = new || !lasts_long(rate) ? amplitude : fmax(amplitude, mode->amplitude);
    if (known && plane->misfit > mode->misfit)
        return false;
    mode->rate = rate;
    mode->misfit = plane->misfit;
    mode->way = 0;
    for (int i = 0; i < s->n; i++) {
        mode->real[i] = s->filtered[0][i];
        mode->imaginary[i] = (creal(beta) * s->filtered[0][i] - s->filtered[1][i]) / cimag(beta);
    }
    return new;
}

bool stability_is_due(const struct stability *s)
{
    return s->step >= s->look_at;
}

/* Of the oscillation in the solution, given that of the filtered error estimate: see above.  It is no larger than what
 * the unknown in which it is largest has moved in the step allows. */
static double amplitude_of(const struct stability *s, const struct dae *dae, const struct tolerance *tolerance,
                           const struct plane *plane, double complex z, const struct stability_step *step)
{
    double size = 0, sum = 0;
    int largest = 0;
    for (int i = 0; i < s->n; i++) {
        const double here = fabs(s->filtered[2][i]) * tolerance->weights[i];
        if (counts(dae, i) && here > size) {
            size = here;
            largest = i;
        }
    }
    for (int j = 1; j <= step->order; j++)
        sum += 1.0 / j;
    const double found = size / plane->magnified * (step->order + 1) * sum / pow(cabs(z), step->order + 1);
    const double moved = fabs(step->end[largest] - step->begin[largest]) * tolerance->weights[largest];
    return tolerance->part * fmin(found, moved / fmin(cabs(z), 1));
}

/* The same of a mode found earlier, by the way of the step, Re(c (e^z - 1) v) in least squares: where rounding or Newton's method
 * make up the error estimate it is not seen there, and yet goes on.  *at_end: c e^z; 0 where the way is not in that plane but for
 * MISFIT. */
static double amplitude_by_way(const struct stability *s, const struct dae *dae, const struct tolerance *tolerance,
                               const struct stability_mode *mode, const struct stability_step *step,
                               double complex *at_end)
{
    double rr = 0, ri = 0, ii = 0, rd = 0, id = 0, dd = 0, size = 0;
    for (int i = 0; i < s->n; i++) {
        if (!counts(dae, i))
            continue;
        const double w = tolerance->weights[i], r = w * mode->real[i], m = w * mode->imaginary[i],
                     d = w * (step->end[i] - step->begin[i]);
        rr += r * r;
        ri += r * m;
        ii += m * m;
        rd += r * d;
        id += m * d;
        dd += d * d;
        size = fmax(size, hypot(r, m));
    }
    double a, b;
    *at_end = 0;
    if (!combine(rr, ri, ii, rd, id, &a, &b) || !((a * rd + b * id) / dd > 1 - MISFIT * MISFIT))
        return 0;
    const double complex growth = cexp(step->size * mode->rate);
    *at_end = (a - I * b) * growth / (growth - 1);
    return tolerance->part * size * hypot(a, b) / cabs(growth - 1);
}

/* The plane of what is fastest in a vector [n], in the filtered ones; s->filtered[2] may be it. */
static bool find_plane(struct stability *s, struct newton *newton, const double *weights, const double *from,
                       struct plane *plane)
{
    double root;
    filter(newton, from, s->filtered[0]);
    filter(newton, s->filtered[0], s->filtered[1]);
    filter(newton, s->filtered[1], s->filtered[2]);
    if (fit_plane(s, newton->dae, weights, plane))
        return true;
    if (!deflate(s, newton, weights, &root) || !fit_plane(s, newton->dae, weights, plane))
        return false;
    plane->magnified *= cabs(plane->beta - root);
    return true;
}

static const double *way_of(struct stability *s, const struct stability_step *step)
{
    for (int i = 0; i < s->n; i++)
        s->filtered[2][i] = step->end[i] - step->begin[i];
    return s->filtered[2];
}

/* What is all of a step's way, and has turned since the last look as the mode does, is still there.  Whatever two unknowns do lies in
 * the plane of a mode of these two, a coil's current that ramps included, but does not turn. */
static void look_at_way(const struct stability *s, const struct dae *dae, const struct tolerance *tolerance,
                        struct stability_mode *mode, const struct stability_step *step)
{
    const double time = s->time + step->size;
    const double complex expected = mode->way * cexp(mode->rate * (time - mode->way_time));
    const double amplitude = amplitude_by_way(s, dae, tolerance, mode, step, &mode->way);
    mode->way_time = time;
    if (!(amplitude > 0 && cabs(mode->way - expected) <= TURNED * cabs(mode->way)))
        return;
    mode->checked = s->step;
    mode->missed = NAN;
    mode->amplitude = fmax(mode->amplitude, amplitude);
}

void stability_look(struct stability *s, struct newton *newton, const struct tolerance *tolerance,
                    const struct stability_step *step)
{
    const struct dae *dae = newton->dae;
    const bool by_way = s->by_way;
    struct plane plane = {0};
    for (int i = 0; i < s->count; i++) /* of those that are not seen */
        s->modes[i].amplitude *= isnan(s->modes[i].missed)
                                     ? pow(FADING, (s->time - s->looked) * cimag(s->modes[i].rate) / (2 * acos(-1)))
                                     : FADING;
    s->looked = s->time;
    const double *from = by_way ? way_of(s, step) : step->error;
    const bool found = find_plane(s, newton, tolerance->weights, from, &plane);
    const double complex rate = newton->alpha * plane.beta / (1 + plane.beta);
    bool new = false;
    if (found && lasts(rate) && (!by_way || lasts_long(rate))) {
        const double amplitude = by_way ? 0 : amplitude_of(s, dae, tolerance, &plane, step->size * rate, step);
        new = remember(s, rate, &plane, amplitude) && !dies_soon(rate);
    }
    for (int i = 0; i < s->count; i++)
        if (lasts_long(s->modes[i].rate))
            look_at_way(s, dae, tolerance, &s->modes[i], step);
    s->by_way = !found && !by_way && !dae->linear; /* errors of linear circuits are those of modes */
    const long longer = 2 * s->pause < LONGEST_PAUSE ? 2 * s->pause : LONGEST_PAUSE;
    s->pause = new ? SHORTEST_PAUSE : longer;
    s->look_at = s->step + s->pause;
}

/* ---- forgetting ---- */

/* Whether the problem as it is linearised now has this mode. */
static bool is_still_there(struct stability *s, struct newton *newton, const double *weights,
                           const struct stability_mode *mode)
{
    const double complex beta = mode->rate / (newton->alpha - mode->rate);
    double missed = 0, size = 0;
    filter(newton, mode->real, s->filtered[0]);
    for (int i = 0; i < s->n; i++) {
        if (!counts(newton->dae, i))
            continue;
        const double is = weights[i] * s->filtered[0][i];
        const double was = weights[i] * (creal(beta) * mode->real[i] - cimag(beta) * mode->imaginary[i]);
        missed += (is - was) * (is - was);
        size += is * is;
    }
    return missed <= SAME_MODE * SAME_MODE * size;
}

static void forget(struct stability *s, struct stability_mode *mode)
{
    const struct stability_mode forgotten = *mode;
    *mode = s->modes[--s->count];
    s->modes[s->count] = forgotten;
}

/* One that the circuit damps well, and that was not in the error when it was looked at last: that of a first section of a line whose
 * wave has gone. */
static bool has_died(const struct stability *s, const struct stability_mode *mode)
{
    return dies_soon(mode->rate) && s->step - mode->seen > BELIEVED;
}

/* Not where the problem has it, nor, of one that lasts, until it has been missed for a whole period: a transistor that conducts for a
 * part of each period of a tank detunes it as long, which may be most of the steps, and they grew twofold there until it was found again. */
static bool is_over(struct stability *s, struct newton *newton, const struct tolerance *tolerance,
                    struct stability_mode *mode)
{
    mode->checked = s->step;
    if (is_still_there(s, newton, tolerance->weights, mode)) {
        mode->missed = NAN;
        return false;
    }
    mode->missed = isnan(mode->missed) ? s->time : mode->missed;
    return !lasts_long(mode->rate) || (s->time - mode->missed) * cimag(mode->rate) > 2 * acos(-1);
}

void stability_advance(struct stability *s, struct newton *newton, const struct tolerance *tolerance, int order,
                       double size)
{
    s->step++;
    s->falls += order == 1;
    s->time += size;
    for (int i = s->count - 1; i >= 0; i--) {
        struct stability_mode *mode = &s->modes[i];
        const bool due = !newton->dae->linear && s->step - mode->checked > BELIEVED;
        if (has_died(s, mode) || (due && is_over(s, newton, tolerance, mode)))
            forget(s, mode);
    }
}
