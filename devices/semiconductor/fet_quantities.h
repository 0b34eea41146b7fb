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

#endif
