/* report.h - commands that show and write vectors. */
#ifndef CONTROL_REPORT_H
#define CONTROL_REPORT_H

#include "control/script/state.h"

command_function report_echo, report_print, report_display, report_write, report_wrdata, report_plot, report_gnuplot,
    report_hardcopy;

#endif
