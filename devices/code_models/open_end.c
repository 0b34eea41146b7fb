/* open_end.c - A msopen: the field that reaches beyond the open end of a microstrip, as a capacitance that depends on the frequency.
 *
 * Sources: M. Kirschning, R. H. Jansen, N. H. L. Koster, Electronics Letters 17 (1981) 123; E. Hammerstad, Proc. 5th European Microwave
 * Conference (1975) 268; N. G. Alexopoulos, S.-C. Wu, IEEE Trans. MTT-42 (1994) 1344.  The first two say by how much the line seems
 * longer, dl, whose capacitance is dl sqrt(e)/(c0 Z); the third gives a circuit, a capacitance beside another one in series with an
 * inductance and a resistance.  In runs it is the capacitance of low frequencies; ngspice has nothing there.
 */
#include "devices/code_models/code_model.h"
#include "devices/families.h"
#include "devices/microstrip/microstrip_card.h"

#include <float.h>
#include <math.h>

enum { END_MODEL = STRIP_ROWS, END_ROWS };
enum { END_KIRSCHNING, END_HAMMERSTAD, END_ALEXOPOULOS };

static const struct parameter_info end_rows[END_ROWS] = {
    STRIP_TABLE,
    [END_MODEL] = {"msopen_model", "", 0, 0, 2, "0: Kirschning, 1: Hammerstad, 2: Alexopoulos (er 9.9)", NULL},
};

static const struct port_info end_ports[] = {
    {.name = "p1", .direction = PORT_BOTH, .type = PORT_GD, .allowed = 1u << PORT_G | 1u << PORT_GD}};

struct end {
    struct microstrip strip;
    struct microstrip_rest rest;
};

/* Heights that the line seems longer, with the effective permittivity there. */
static double complex longer(const struct code_item *i, const struct end *s, double complex e)
{
    const double u = s->strip.width / s->strip.height, er = s->strip.permittivity;
    if (i->p[END_MODEL] == END_HAMMERSTAD)
        return 0.102 * (u + 0.106) / (u + 0.264) * (1.166 + (er + 1) / er * (0.9 + log(u + 2.475)));
    const double complex power = cpow(e, 0.81);
    const double wide = pow(u, 0.8544);
    const double complex q1 = 0.434907 * (power + 0.26) / (power - 0.189) * (wide + 0.236) / (wide + 0.87);
    const double q2 = 1 + pow(u, 0.371) / (2.358 * er + 1);
    const double complex q3 = 1 + 0.5274 * atan(0.084 * pow(u, 1.9413 / q2)) / cpow(e, 0.9236);
    const double q4 = 1 + 0.0377 * (6 - 5 * exp(0.036 * (1 - er))) * atan(0.067 * pow(u, 1.456));
    const double q5 = 1 - 0.218 * exp(-7.5 * u);
    return q1 * q3 * q5 / q4;
}

/* K of the capacitance K/Z (s) at w (1/s), and its derivative by w; `e` with a step of w as its imaginary part. */
static double complex stored(const struct code_item *i, const struct end *of, double complex e, double w, double step,
                             double complex *slope)
{
    const double u = of->strip.width / of->strip.height, mils = of->strip.height / 2.54e-5 / 25;
    if (i->p[END_MODEL] != END_ALEXOPOULOS) {
        const double complex k = longer(i, of, e) * of->strip.height * csqrt(e) / MICROSTRIP_LIGHT;
        *slope = cimag(k) / step;
        return creal(k);
    }
    /* c1, c2 are capacitances times Z, l2 and r2 the inductance and the resistance over it. */
    const double c1 = 1e-12 * (1.125 * tanh(1.358 * u) - 0.315) * mils;
    const double c2 = 1e-12 * (6.832 * tanh(0.0109 * u) + 0.919) * mils;
    const double l2 = 1e-9 * (0.008285 * tanh(0.5665 * u) + 0.0103) * mils, r2 = 1.024 * tanh(2.025 * u);
    const double complex s = _Complex_I * w, part = 1 / (1 + s * c2 * (r2 + s * l2));
    *slope = -_Complex_I * c2 * part * part * c2 * (r2 + 2 * s * l2);
    return c1 + c2 * part;
}

static double at_rest(const struct code_item *i)
{
    const struct end *e = i->own;
    double complex slope;
    return creal(stored(i, e, e->rest.permittivity, 0, 1, &slope)) / e->rest.impedance;
}

static enum kn_status end_make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    struct end *e = i->own = arena_alloc(arena, sizeof *e);
    if (!e)
        return KN_ERROR_MEMORY;
    if (strip_card_read(&e->strip, i->p, STRIP_ALONE, i->element->model, d) != KN_OK)
        return KN_ERROR_DECK;
    e->rest = microstrip_at_rest(&e->strip);
    return at_rest(i) > 0 ? KN_OK : code_fail(i, d, NULL, "the formulas give it no capacitance");
}

/* Column and row: the voltage and the current into it. */
static void end_evaluate(const struct code_item *i, const struct code_point *p)
{
    p->dq[0] = at_rest(i);
    p->q[0] = p->dq[0] * p->u[0];
}

/* What the capacitance at rest leaves, j w (K/Z - C), and its derivative. */
static double complex end_transfer(const struct code_item *i, double w, double complex *slope)
{
    const struct end *e = i->own;
    const double step = 1e-30 * w, rest = at_rest(i); /* see struct microstrip_wave */
    double complex k_slope;
    *slope = 0;
    if (!(w > 0))
        return 0;
    const struct microstrip_medium at = microstrip_disperse(&e->strip, &e->rest, (w + _Complex_I * step) / (2 * M_PI));
    const double z = creal(at.impedance), z_slope = cimag(at.impedance) / step;
    const double complex k = stored(i, e, at.permittivity, w, step, &k_slope), more = k / z - rest;
    *slope = _Complex_I * (more + w * (k_slope - k / z * z_slope) / z);
    return _Complex_I * w * more;
}

const struct code_model msopen_model = {CODE_KIND("msopen", "microstrip open end", "p+ p-", end_ports, end_rows),
                                        .linear = true, .make = end_make, .evaluate = end_evaluate,
                                        .transfer = end_transfer};
