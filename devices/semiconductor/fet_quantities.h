/* fet_quantities.h - rows of what can be asked of every field-effect transistor, for tables of struct quantity_info.  `p`
 * stands before the names of a table's rows: FET_QUANTITIES(Q_) has rows Q_ID, Q_IS, Q_VGS and Q_VDS. */
#ifndef DEVICES_SEMICONDUCTOR_FET_QUANTITIES_H
#define DEVICES_SEMICONDUCTOR_FET_QUANTITIES_H

#define FET_REGION                                                                                                     \
    {                                                                                                                  \
        "region", NULL, "region", "off, linear or saturation"                                                          \
    }

#define FET_QUANTITIES(p)                                                                                              \
    [p##ID] = {"id", "cd", "A", "current into the drain"}, [p##IS] = {"is", NULL, "A", "current into the source"},     \
    [p##VGS] = {"vgs", NULL, "V", "gate-source voltage behind the series resistances"},                                \
    [p##VDS] = {"vds", NULL, "V", "drain-source voltage behind the series resistances"}

/* Of transistors with a bulk. */
#define MOSFET_QUANTITIES(p)                                                                                           \
    FET_QUANTITIES(p),                                                                                                 \
        [p##IG] = {"ig", NULL, "A", "current into the gate"}, [p##IB] = {"ib", NULL, "A", "current into the bulk"},    \
        [p##VBS] = {"vbs", NULL, "V", "bulk-source voltage behind the series resistances"},                            \
        [p##VTH] = {"vth", "von", "V", "threshold of the gate against the end that acts as source"},                   \
        [p##VDSAT] = {"vdsat", NULL, "V", "drain-source voltage from which on the channel is saturated"},              \
        [p##GM] = {"gm", NULL, "S", "d id / d vgs of the channel"},                                                    \
        [p##GDS] = {"gds", NULL, "S", "d id / d vds of the channel"},                                                  \
        [p##GMBS] = {"gmbs", "gmb", "S", "d id / d vbs of the channel"}

#endif
