/* stride.h - where steps end that errors shorten without an end: one that leads across.
 *
 * A charge that nothing but its current holds (Tt of a diode without cjo) runs out in an instant.  With the part of it that is left the
 * voltage falls as a logarithm, so that each step is a part of the one before and is accepted, until times tell it from none no more;
 * rejected ones would have been a jump for methods (control_sees_jump).  What is over before is not seen, so there the method begins
 * anew with a step as long as output allows.  It leads across, or is cut again: then nothing does, and there is no second one near.
 */
#ifndef INTEGRATORS_DRIVE_STRIDE_H
#define INTEGRATORS_DRIVE_STRIDE_H

#include "integrators/integrator.h"

struct stride {
    double time; /* s, of the last one; -INFINITY before */
};

/* How long a step shall be from where m is stuck, which is remembered; 0: there is none. */
double stride_from(struct stride *s, const struct integrator *m, double breakpoint);

#endif
