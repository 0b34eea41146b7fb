/* rosenbrock_tableaus.c - coefficients; test_rosenbrock.c checks every order condition named here.
 *
 * Conditions: Steinebach 1988, (6.9) for implicit methods (a-i of the differential, j-m of the algebraic unknowns up to
 * order 4).  Coefficients published with 16 digits in transformed form (Gamma^-1) were transformed back with 40.
 */
#include "integrators/rosenbrock/rosenbrock_tableaus.h"

/* RODAS, Hairer and Wanner, Solving ODEs II, 1996, VI.4: both formulas stiffly accurate, L-stable; a-m hold, and all
 * conditions of order 4 of the algebraic unknowns, so that nothing is lost when charges are evaluated from x.  Order 1
 * in index-2 unknowns. */
const struct rosenbrock_tableau rosenbrock_rodas = {
    ROSENBROCK_METHOD("rodas", 6, 4, 4, 0.25),
    .alpha = {{0},
              {0.386},
              {0.1460747075254179, 0.0639252924745821},
              {-0.33081150366773011, 0.71115102516828476, 0.24966047849944542},
              {-4.552557186318031, 1.7101813632413319, 4.0143473321031723, -0.17197150902647375},
              {2.4286337654669878, -0.38274873376478461, -1.8557203309295804, 0.55983529922737625, 0.25}},
    .gammas = {{0},
               {-0.3543},
               {-0.13360250526817555, -0.012897494731824469},
               {1.5268491730064671, -0.53365628875045728, -1.27939288425601},
               {6.9811909517850188, -2.0929300970061166, -5.8700676630327527, 0.73180680825385},
               {-2.0801894941809363, 0.59576235567668331, 1.7016177982672619, -0.088514519835880427,
                -0.37867613992712837}},
    .b = {0.34844427128605153, 0.2130136219118987, -0.15410253266231846, 0.47132077939149582, -0.12867613992712837,
          0.25},
    .embedded = {2.4286337654669878, -0.38274873376478461, -1.8557203309295804, 0.55983529922737625, 0.25, 0},
};

/* RODASP, Steinebach 1995 (Order-reduction of ROW-methods for DAEs and method of lines applications): as RODAS, and
 * b w w alpha^k = k, k = 2, 3, for parabolic problems; that gives order 2 in index-2 unknowns. */
const struct rosenbrock_tableau rosenbrock_rodasp = {
    ROSENBROCK_METHOD("rodasp", 6, 4, 4, 0.25),
    .alpha = {{0},
              {0.75},
              {0.086120400814155125, 0.12387959918584487},
              {0.77493453550732511, 0.14926515495087028, -0.2941996904581955},
              {5.3087466826461448, 1.3308921400372703, -5.3741378116555649, -0.26550101102785025},
              {-1.7644376487744869, -0.47475655720630346, 2.3696918469158057, 0.6195023590649835, 0.25}},
    .gammas = {{0},
               {-0.75},
               {-0.13551240081415506, -0.13799159918584487},
               {-1.2569840048950807, -0.25014471050642585, 1.2209287154015062},
               {-7.0731843314206317, -1.8056486972435738, 7.7438296585713706, 0.88500337009283375},
               {1.6840692779853743, 0.41826594361385698, -1.8814062168730106, -0.11378614758336444,
                -0.35714285714285731}},
    .b = {-0.080368370789112607, -0.056490613592446477, 0.48828563004279502, 0.50571621148161906, -0.10714285714285731,
          0.25},
    .embedded = {-1.7644376487744869, -0.47475655720630346, 2.3696918469158057, 0.6195023590649835, 0.25, 0},
};
