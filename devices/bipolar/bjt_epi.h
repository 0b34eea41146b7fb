/* bjt_epi.h - quasi-saturation: the epitaxial layer between the collector's resistance and the junction, with Rco.
 *
 * G. M. Kull, L. W. Nagel, S. W. Lee, P. Lloyd, E. J. Prendergast and H. Dirks, A unified circuit model for bipolar transistors
 * including quasi-saturation effects, IEEE Trans. ED-32 (1985) 1103, as PSpice, LTspice and ngspice have it: with the
 * base against the inner end of the layer, vbc, against its outer one, vbn, and K(v) = sqrt(1 + gamma e^(v/Vt)),
 *     i = (vbc - vbn + Vt (K(vbc) - K(vbn) - ln((1 + K(vbc))/(1 + K(vbn))))) / (Rco (1 + |vbc - vbn|/Vo))
 *     Qo = Qco (K(vbc) - 1 - gamma/2) from the base to the inner end, Qw the same of vbn to the outer one.
 */
#ifndef DEVICES_BIPOLAR_BJT_EPI_H
#define DEVICES_BIPOLAR_BJT_EPI_H

/* conductance 0: there is no such layer. */
struct bjt_epi_law {
    double conductance; /* 1/Rco, S */
    double inverse_vo;  /* 1/V; 0: no saturation of the velocity */
    double gamma;
    double rate;   /* 1/Vt, 1/V */
    double charge; /* Qco, C */
};

struct bjt_epi {
    double current, by_bc, by_bn;
    double charge, capacitance; /* Qw */
};

void bjt_epi_at(const struct bjt_epi_law *law, double vbc, double vbn, struct bjt_epi *out);
/* Qo or Qw and its derivative. */
double bjt_epi_charge(const struct bjt_epi_law *law, double v, double *capacitance);

#endif
