/* batch.h - a family's batch, which lives with everything in it in one arena, and what is asked of each of its elements. */
#ifndef DEVICES_BATCH_H
#define DEVICES_BATCH_H

#include "base/arena.h"
#include "devices/setup.h"

/* First member of every batch. */
struct batch {
    struct arena *arena;
    const struct element *const *elements; /* [count] */
    size_t count;
    struct kn_diagnostics *diagnostics;
    /* Of classes with tangents: the elements to be evaluated, ascending, and how often in a row each was answered from its
     * tangent, up to BATCH_CALM; BATCH_RESTS: it rests, and is not among the active. */
    size_t *active, active_count;
    unsigned char *calm; /* [count] */
};

/* Newton's later evaluations of a step are near the first, so that fewer say nothing of the next step: adder:4 of bench/large.awk takes
 * 351, 344 and 335 million instructions with 2, 4 and 6, mixed:20 1168, 933 and 919. */
enum { BATCH_CALM = 6, BATCH_RESTS = 255 };

/* Elements that are looked at together. */
enum { BATCH_PIECE = 64 };

/* The whole batch. */
void batch_eval(void *batch, device_look *look, device_add *add, const struct device_point *at, void *room,
                const struct device_stamp *out);

/* Counts whether the k-th element was answered from its tangent. */
static inline void batch_count_calm(struct batch *b, size_t k, bool near)
{
    if (!near)
        b->calm[k] = 0;
    else if (b->calm[k] < BATCH_CALM)
        b->calm[k]++;
}

/* What most classes have, by the names that these functions have in their files. */
#define USUAL_FUNCTIONS .number = number, .connect = connect, .stamp = stamp, .branches = branches, .current = current
/* Of transistors that have several files, in which these functions are named after the family. */
#define TRANSISTOR_FUNCTIONS(family)                                                                                   \
    .number = family##_number, .connect = family##_connect, .eval = family##_eval, .current = family##_current_into,   \
    .noise = family##_noise
#define BATCH_OF(type)            .batch_size = sizeof(type), .fill = fill, .make = make
#define FILLED_BATCH(type, fill_) .batch_size = sizeof(type), .fill = fill_
/* Of those that are looked at in pieces and go to rest: see LOOK_AT_TANGENTS. */
#define LOOK_FUNCTIONS                                                                                                 \
    .eval = eval, .look = look, .add = add, .room = sizeof(struct room), .ends = ends, .tangent = tangent,             \
    .initial = initial, .observe = observe
/* Members of a kind that has cards of models: tables of both, and settings of models that are passed over. */
#define MODEL_TABLES(instances, instance_count, models, model_count, without_meaning)                                  \
    .instance = {instances, instance_count, NULL}, .model = {models, model_count, without_meaning}, .types = types,    \
    .levels = levels
/* The room of a class that keeps a tangent for each element, and its look(): the file's tangent_at() finds that of an element, in
 * the room where it is not the one that is kept. */
#define LOOK_AT_TANGENTS(batch_type, tangent_type)                                                                     \
    struct room {                                                                                                      \
        const tangent_type *tangents[BATCH_PIECE];                                                                     \
        tangent_type partial[BATCH_PIECE];                                                                             \
    };                                                                                                                 \
    static void look(void *object, const struct device_point *at, size_t from, size_t to, void *room)                  \
    {                                                                                                                  \
        batch_type *b = object;                                                                                        \
        struct room *r = room;                                                                                         \
        for (size_t i = 0; i < to - from; i++)                                                                         \
            r->tangents[i] = tangent_at(b, ((const struct batch *)b)->active[from + i], at, &r->partial[i]);           \
    }
/* Of classes with switches, and of those that remember. */
#define SWITCH_FUNCTIONS  .switch_count = switch_count, .switches = switches, .hold = hold, .switch_owner = switch_owner
#define HISTORY_FUNCTIONS .largest_step = largest_step, .accept = accept, .remembered = remembered
#define MEMORY_FUNCTIONS  .memory = memory, .recall = recall
/* Of classes whose currents depend on what was earlier. */
#define DELAY_FUNCTIONS                                                                                                \
    .eval = eval, .nonlinear = nonlinear, .delay = delay, .next_breakpoint = next_breakpoint, HISTORY_FUNCTIONS

/* The class of A devices with models of this type, whose batch is that of another class; tables of ports and of the first
 * `row_count` parameters, and names of parameters without meaning. */
#define PORT_CLASS(type_name, what, nodes_text, port_rows, parameter_rows, row_count, without_meaning, batch_class)    \
    {                                                                                                                  \
        .kind = {.letter = 'a',                                                                                        \
                 .noun = what,                                                                                         \
                 .nodes = nodes_text,                                                                                  \
                 .usage = "model",                                                                                     \
                 .form = CARD_PORTS,                                                                                   \
                 .ports = port_rows,                                                                                   \
                 .port_count = sizeof(port_rows) / sizeof *(port_rows),                                                \
                 .types = (const struct model_type[]){{type_name, NULL, NULL}, {NULL, NULL, NULL}},                    \
                 .model = {parameter_rows, row_count, without_meaning}},                                               \
        .together = batch_class                                                                                        \
    }

/* *out is set on KN_OK only, otherwise all is freed. */
enum kn_status batch_new(const struct device_class *class, const struct device_input *in, void **out);

void batch_prepare(const struct device_class *class, void *batch, double temperature);
/* One of the passes of a class, its number or connect; NULL: nothing to do. */
bool batch_pass(bool (*pass)(void *batch, size_t k, struct device_setup *s), void *batch, struct device_setup *s);
/* Only of classes that tell their branches. */
bool batch_branches(const struct device_class *class, const void *batch, struct branch_list *list);
bool batch_initial(const struct device_class *class, const void *batch, struct initial_list *list);
bool batch_noise(const struct device_class *class, const void *batch, const struct device_probe *at,
                 struct noise_list *list);

/* NULL is allowed. */
void batch_free(const struct device_class *class, void *batch);

#endif
