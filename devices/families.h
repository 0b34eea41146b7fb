/* families.h - the list of all device families.  A new one is one new file and one line here. */
#ifndef DEVICES_FAMILIES_H
#define DEVICES_FAMILIES_H

#include "devices/device.h"

/* FAMILY(name) for each `const struct device_class name_class`, in the order of unknowns, messages and the manual. */
#define DEVICE_FAMILIES(FAMILY)                                                                                        \
    FAMILY(resistor)                                                                                                   \
    FAMILY(capacitor)                                                                                                  \
    FAMILY(inductor)                                                                                                   \
    FAMILY(coupling)                                                                                                   \
    FAMILY(winding)                                                                                                    \
    FAMILY(core)                                                                                                       \
    FAMILY(voltage_source)                                                                                             \
    FAMILY(current_source)                                                                                             \
    FAMILY(vcvs)                                                                                                       \
    FAMILY(cccs)                                                                                                       \
    FAMILY(vccs)                                                                                                       \
    FAMILY(ccvs)                                                                                                       \
    FAMILY(behavioural)                                                                                                \
    FAMILY(operator)                                                                                                   \
    FAMILY(holder)                                                                                                     \
    FAMILY(late)                                                                                                       \
    FAMILY(transmission_line)                                                                                          \
    FAMILY(lossy_line)                                                                                                 \
    FAMILY(microstrip_line)                                                                                            \
    FAMILY(diode)                                                                                                      \
    FAMILY(heated_diode)                                                                                               \
    FAMILY(ideal_diode)                                                                                                \
    FAMILY(bjt)                                                                                                        \
    FAMILY(vbic)                                                                                                       \
    FAMILY(mosfet)                                                                                                     \
    FAMILY(bsim3)                                                                                                      \
    FAMILY(bsim4)                                                                                                      \
    FAMILY(bsimsoi)                                                                                                    \
    FAMILY(power_mosfet)                                                                                               \
    FAMILY(vdmos)                                                                                                      \
    FAMILY(heated_vdmos)                                                                                               \
    FAMILY(jfet)                                                                                                       \
    FAMILY(mesfet)                                                                                                     \
    FAMILY(gasfet)                                                                                                     \
    FAMILY(mesa)                                                                                                       \
    FAMILY(hfet1)                                                                                                      \
    FAMILY(hfet2)                                                                                                      \
    FAMILY(voltage_switch)                                                                                             \
    FAMILY(current_switch)

/* MODEL(name) for each `const struct code_model name_model`, the A devices of code_models/, which are one batch. */
#define CODE_MODELS(MODEL)                                                                                             \
    MODEL(gain)                                                                                                        \
    MODEL(summer)                                                                                                      \
    MODEL(mult)                                                                                                        \
    MODEL(divide)                                                                                                      \
    MODEL(cmeter)                                                                                                      \
    MODEL(lmeter)                                                                                                      \
    MODEL(limit)                                                                                                       \
    MODEL(climit)                                                                                                      \
    MODEL(pwl)                                                                                                         \
    MODEL(pwlts)                                                                                                       \
    MODEL(filesource)                                                                                                  \
    MODEL(multi_input_pwl)                                                                                             \
    MODEL(aswitch)                                                                                                     \
    MODEL(pswitch)                                                                                                     \
    MODEL(zener)                                                                                                       \
    MODEL(ota)                                                                                                         \
    MODEL(ilimit)                                                                                                      \
    MODEL(int)                                                                                                         \
    MODEL(xfer)                                                                                                        \
    MODEL(s_xfer)                                                                                                      \
    MODEL(d_dt)                                                                                                        \
    MODEL(slew)                                                                                                        \
    MODEL(hyst)                                                                                                        \
    MODEL(sine)                                                                                                        \
    MODEL(triangle)                                                                                                    \
    MODEL(square)                                                                                                      \
    MODEL(d_osc)                                                                                                       \
    MODEL(d_pwm)                                                                                                       \
    MODEL(seegen)                                                                                                      \
    MODEL(oneshot)                                                                                                     \
    MODEL(capacitoric)                                                                                                 \
    MODEL(inductoric)                                                                                                  \
    MODEL(lcouple)                                                                                                     \
    MODEL(core)                                                                                                        \
    MODEL(msopen)                                                                                                      \
    MODEL(table2d)                                                                                                     \
    MODEL(table3d)                                                                                                     \
    MODEL(memristor_threshold)                                                                                         \
    MODEL(memristor)                                                                                                   \
    MODEL(memristor_team)                                                                                              \
    MODEL(memristor_pem)

/* KIND(name) for each `const struct logic_kind name_logic` of logic/, which are one batch. */
#define LOGIC_KINDS(KIND)                                                                                              \
    KIND(adc_bridge)                                                                                                   \
    KIND(dac_bridge)                                                                                                   \
    KIND(d_buffer)                                                                                                     \
    KIND(d_inverter)                                                                                                   \
    KIND(d_and)                                                                                                        \
    KIND(d_nand)                                                                                                       \
    KIND(d_or)                                                                                                         \
    KIND(d_nor)                                                                                                        \
    KIND(d_xor)                                                                                                        \
    KIND(d_xnor)                                                                                                       \
    KIND(d_tristate)                                                                                                   \
    KIND(d_pullup)                                                                                                     \
    KIND(d_pulldown)                                                                                                   \
    KIND(d_open_c)                                                                                                     \
    KIND(d_open_e)                                                                                                     \
    KIND(d_dff)                                                                                                        \
    KIND(d_jkff)                                                                                                       \
    KIND(d_tff)                                                                                                        \
    KIND(d_srff)                                                                                                       \
    KIND(d_dlatch)                                                                                                     \
    KIND(d_srlatch)                                                                                                    \
    KIND(d_fdiv)                                                                                                       \
    KIND(d_lut)                                                                                                        \
    KIND(d_genlut)                                                                                                     \
    KIND(d_ram)                                                                                                        \
    KIND(d_source)                                                                                                     \
    KIND(d_state)                                                                                                      \
    KIND(d_to_real)                                                                                                    \
    KIND(real_gain)                                                                                                    \
    KIND(real_delay)                                                                                                   \
    KIND(real_to_v)                                                                                                    \
    KIND(ltspice_gate)                                                                                                 \
    KIND(digital_gate)                                                                                                 \
    KIND(timed_gate)                                                                                                   \
    KIND(state_machine)

#define DEVICE_DECLARE(name) extern const struct device_class name##_class;
DEVICE_FAMILIES(DEVICE_DECLARE)
struct code_model; /* code_models/code_model.h */
#define CODE_MODEL_DECLARE(name) extern const struct code_model name##_model;
CODE_MODELS(CODE_MODEL_DECLARE)
struct logic_kind; /* logic/logic.h */
#define LOGIC_KIND_DECLARE(name) extern const struct logic_kind name##_logic;
LOGIC_KINDS(LOGIC_KIND_DECLARE)

#endif
