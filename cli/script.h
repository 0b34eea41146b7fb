/* script.h - the .control block of a deck: its text on the screen, its files beside the result file, its pictures. */
#ifndef CLI_SCRIPT_H
#define CLI_SCRIPT_H

#include "cli/command.h"
#include "cli/files.h"

struct script {
    struct job *job;
    const char *deck;
    const struct output_use *outputs; /* of the command line, the result file first */
    size_t output_count;
    FILE *screen;
    bool quiet;
    int pictures;
    struct output_use *read; /* files of commands */
    size_t read_count, read_capacity;
};

/* As kn_run, but what the block says instead of the cards. */
enum kn_status script_run(struct script *s, const struct kn_options *options, struct kn_sink *sink,
                          struct kn_summary *summary);

#endif
