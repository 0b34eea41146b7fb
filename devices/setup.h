/* setup.h - what devices ask for while a system is built: the inside of struct device_setup and of the lists they fill.
 *
 * For the builder of the system (mna/) and for tests of devices; device code itself needs only device.h.  Order of use:
 * device_setup_new, `number` of every family, `connect` of every family, make a pattern from `entries`,
 * device_setup_fix with the place of every entry, device_setup_free.
 */
#ifndef DEVICES_SETUP_H
#define DEVICES_SETUP_H

#include "devices/couplings.h"
#include "devices/device.h"

/* One request of setup_entry; numbers from 1, 0 is ground. */
struct matrix_request {
    int row, column;
    int *slot;
};

struct device_setup {
    const struct circuit *circuit;
    struct arena *arena; /* the names; taken over by whoever keeps `unknowns` */
    /* unknowns[0] stands for ground; node voltages have the numbers of the circuit's nodes, then what devices ask for.
     */
    struct unknown *unknowns;
    size_t unknown_count; /* ground included */
    size_t unknown_capacity;
    int *current_of; /* [element_count]: unknown of the first branch current, 0 if none */
    struct matrix_request *requests;
    size_t request_count, request_capacity;
    /* Where elements of a system that is there are set up once more: its unknowns by name (numbers as pointers), which are
     * asked for again, and whether one was asked for that it does not have. */
    const struct name_table *known;
    bool unknown_missing;
};

/* NULL without memory.  The circuit must outlive it. */
struct device_setup *device_setup_new(const struct circuit *c);
/* For elements that are set up once more, with other values, on the unknowns of `original`; c has its nodes and elements,
 * or some of these, and `known` is from device_setup_names. */
struct device_setup *device_setup_again(const struct circuit *c, const struct device_setup *original,
                                        const struct name_table *known);
/* NULL without memory. */
const struct name_table *device_setup_names(const struct device_setup *s, struct arena *arena);
void device_setup_free(struct device_setup *s);

/* Hands every request its place in the value arrays: slot[i] belongs to requests[i]. */
void device_setup_fix(const struct device_setup *s, const int *slot);

/* The two-terminal branches of all devices. */
struct branch_list {
    struct branch *branches;
    size_t count, capacity;
    struct coupling *couplings;
    size_t coupling_count, coupling_capacity;
};
void branch_list_free(struct branch_list *list);
/* Unites in the groups of base/groups.h the ends of every branch of a kind. */
void branch_list_unite(const struct branch_list *list, enum branch_kind kind, int *group);

/* Whether any of the couplings has the inductor. */
bool is_coupled(const struct branch_list *list, const struct element *inductor);

/* ic= values of elements. */
struct initial_list {
    struct initial_value *values;
    size_t count, capacity;
};
void initial_list_free(struct initial_list *list);

/* ---- families: the elements of a circuit by class ---- */

struct device_family {
    const struct device_class *class;
    const struct element **elements; /* in the circuit's order */
    size_t count;
    void *batch;
};

struct device_families {
    struct device_family *families; /* those that have elements, in the catalogue's order */
    size_t count;
    int *family_of;   /* [element_count]: index into families; -1 for an element without a kind */
    size_t *index_of; /* [element_count]: place of the element within its family */
};

/* Sorts the elements by kind and creates the batches: every family is tried, so that all errors are reported in one
 * run.  KN_ERROR_DECK for bad parameters. */
enum kn_status device_families_create(const struct circuit *c, struct kn_diagnostics *d, struct device_families *out);
/* number and connect of every family. */
enum kn_status device_families_connect(const struct device_families *f, struct device_setup *s,
                                       struct kn_diagnostics *d);
void device_families_destroy(struct device_families *f);

#endif
