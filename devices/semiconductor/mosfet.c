/* mosfet.c - M: the MOSFET of levels 1, 2, 3 and 6, equations in devices/channel/mosfet_model.h. */
#include "devices/families.h"
#include "devices/semiconductor/mosfet_batch.h"

static const struct model_type types[] = {
    {"nmos", NULL, "current flows into the drain where v(g,s) is above vto"},
    {"pmos", NULL, "current flows out of the drain where v(g,s) is below vto, a negative number as a rule"},
    {NULL, NULL, NULL},
};
static const struct model_level levels[] = {
    {1, "Shichman-Hodges"}, {2, "Grove-Frohman"}, {3, "semi-empirical"}, {6, "Sakurai-Newton"}, {0, NULL}};

const struct device_class mosfet_class = {
    .kind =
        {
            MOSFET_KIND,
            .laws = "mosfet",
            /* Texts of data sheets are ignored. */
            MODEL_TABLES(mosfet_instance_rows, MOSFET_INSTANCE_COUNT, mosfet_model_rows, MOSFET_MODEL_COUNT,
                         "mfg vds ron qg vgs_max vgd_max vgb_max vds_max vbs_max vbd_max id_max pd_max lmin lmax wmin wmax version binunit"),
        },
    FILLED_BATCH(struct mosfet_batch, mosfet_fill),
    MOSFET_INNER_FUNCTIONS,
    .number = mosfet_outer_number,
    .connect = mosfet_outer_connect,
    .stamp = mosfet_outer_stamp,
    .branches = mosfet_outer_branches,
    .current = mosfet_outer_current_into,
    .prepare = mosfet_prepare,
    .noise = mosfet_noise,
};
