/* sink_base.h - what every sink of this folder begins with, so that sink_free can release any of them. */
#ifndef OUTPUT_SINK_BASE_H
#define OUTPUT_SINK_BASE_H

/* First member of every sink's context. */
struct sink_base {
    void (*release)(void *context);
};

#endif
