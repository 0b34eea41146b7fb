/* diode_laws.h - what diode_law.h has for each kind of number: a template, see number.h. */

/* Parameters of a card; Bv, Ikf, Tt and gradings at the temperature, all others at the nominal one. */
struct LAW(diode_card) {
    double size, edge; /* area factor times m, and perimeter times m (m) */
    double is, n, jsw, ns, isr, nr;
    LAW_NUMBER ikf, bv; /* bv 0 or infinite: no breakdown */
    double ibv, nbv, ibvl, nbvl;
    LAW_NUMBER cjo, vj, m, cjsw, vjsw;
    double fc, mjsw, fcs;
    double jtun, jtunsw, ntun, xtitun, keg; /* tunnelling; jtun and jtunsw 0: none */
    double fixed;                           /* capacitance of metal and polysilicon above, m included */
    double ikr;                             /* reverse knee current; 0: none */
    LAW_NUMBER tt;
    double eg, xti;
    double in_series;      /* of how many such junctions the voltage is that of all; 0: one */
    bool root_injection;   /* PSpice's */
    bool gap_moves;        /* saturation currents follow the gap of the thermal numbers instead of eg */
    bool depletion_is_hot; /* cjo, vj, cjsw and vjsw are at the temperature already */
};

/* What an evaluation needs of one junction; size and temperature are in it. */
struct LAW(diode_law) {
    struct LAW(junction_law) forward;
    struct LAW(junction_law) sidewall;      /* saturation 0: none */
    struct LAW(junction_law) recombination; /* likewise */
    LAW_NUMBER breakdown_voltage;           /* INFINITY: none */
    LAW_NUMBER breakdown_rate;              /* 1/(Nbv Vt) */
    LAW_NUMBER breakdown_offset;            /* Is e^(-Vb/(Nbv Vt)): makes the current vanish at 0 V */
    LAW_NUMBER low_breakdown;               /* Ibvl; 0: none */
    LAW_NUMBER low_voltage, low_rate;
    struct LAW(junction_law) tunnel; /* at -v; saturation 0: none */
    LAW_NUMBER tunnel_critical;
    LAW_NUMBER inverse_knee;     /* 1/Ikf, 0: none */
    double inverse_reverse_knee; /* 1/Ikr, 0: none */
    bool root_injection;
    LAW_NUMBER transit_time;
    double fixed_capacitance;
    LAW_NUMBER critical_voltage;
    struct LAW(depletion) depletion, side_depletion;
};

void LAW(diode_law_prepare)(struct LAW(diode_law) * law, const struct LAW(diode_card) * card,
                            const struct LAW(thermal) * t);

LAW_NUMBER LAW(diode_current)(const struct LAW(diode_law) * law, LAW_NUMBER v, LAW_NUMBER *conductance);

/* Whether there is a charge at all; the charge of depletion and, with the current and its slope at v, of the transit. */
static inline bool LAW(diode_stores)(const struct LAW(diode_law) * law)
{
    return number_value(law->depletion.capacitance) > 0 || number_value(law->side_depletion.capacitance) > 0 ||
           number_value(law->transit_time) > 0 || law->fixed_capacitance > 0;
}
LAW_NUMBER LAW(diode_charge)(const struct LAW(diode_law) * law, LAW_NUMBER v, LAW_NUMBER current,
                             LAW_NUMBER conductance, LAW_NUMBER *capacitance);
