/* list.h - the analyses that a deck can ask for, in the order in which it gets them: one line each. */
#ifndef ANALYSES_LIST_H
#define ANALYSES_LIST_H

#include "analyses/analysis.h"

#define ANALYSES(ANALYSIS)                                                                                             \
    ANALYSIS(operating)                                                                                                \
    ANALYSIS(bias)                                                                                                     \
    ANALYSIS(dc)                                                                                                       \
    ANALYSIS(ac)                                                                                                       \
    ANALYSIS(transfer)                                                                                                 \
    ANALYSIS(noise)                                                                                                    \
    ANALYSIS(scattering)                                                                                               \
    ANALYSIS(sensitivity)                                                                                              \
    ANALYSIS(distortion)                                                                                               \
    ANALYSIS(pole_zero)                                                                                                \
    ANALYSIS(transient)                                                                                                \
    ANALYSIS(measure_sensitivity)                                                                                      \
    ANALYSIS(periodic)                                                                                                 \
    ANALYSIS(tones)                                                                                                    \
    ANALYSIS(periodic_ac)                                                                                              \
    ANALYSIS(phase_noise)

#define ANALYSIS_DECLARED(name) extern const struct analysis analysis_##name;
ANALYSES(ANALYSIS_DECLARED)

#endif
