/* waveform_files.c - PWL FILE "points.csv" and wavefile="sound.wav": waveforms that stand in files of their own. */
#include "netlist/expand/sources/waveforms.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef enum kn_status loader(const char *path, char **text, size_t *length, const char **reason);

static bool load(struct card *c, const struct item *name, loader *read, char **text, size_t *length)
{
    const char *reason = NULL;
    const char *path = deck_find_file(c->x->deck, name->text, name->where);
    if (!path)
        return deck_no_memory(c->x->deck);
    const enum kn_status status = read(path, text, length, &reason);
    if (status == KN_ERROR_MEMORY)
        return deck_no_memory(c->x->deck);
    return status == KN_OK || card_fail(c, "include", name->where, "paths start from the folder of the deck",
                                        "%s: cannot read '%s': %s", card_owner(c), path, reason);
}

/* ---- pairs in text ---- */

/* The line of a place in the text, from 1 on. */
static int line_of(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

/* Lines that begin with a sign of a comment are none; commas, semicolons, parentheses and blanks separate numbers. */
static const char *skip(const char *at, bool begins)
{
    for (;; at++) {
        if (*at == '\n' || *at == '\r')
            begins = true;
        else if (begins && strchr("*#;%", *at) && *at)
            at += strcspn(at, "\n") - 1;
        else if (*at && strchr(" \t,;()", *at))
            continue;
        else
            return at;
    }
}

static bool read_numbers(struct card *c, const struct item *name, const char *text)
{
    for (const char *at = skip(text, true); *at; at = skip(at, false)) {
        const size_t length = strcspn(at, " \t,;()\r\n");
        double value;
        if (!expression_number(at, length, &value))
            return card_fail(c, "waveform", name->where, "each line has a time and a value",
                             "%s: line %d of '%s': '%.*s' is not a number", card_owner(c), line_of(text, at),
                             name->text, (int)(length < 40 ? length : 40), at);
        if (!expand_add(c->x, &c->x->numbers, &value))
            return false;
        at += length;
    }
    return true;
}

bool waveform_file(struct card *c, const struct item *name)
{
    char *text = NULL;
    size_t length = 0;
    if (!load(c, name, deck_load, &text, &length))
        return false;
    const char *begin = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text;
    const bool good = read_numbers(c, name, begin);
    free(text);
    return good;
}

/* ---- sound: RIFF WAVE, PCM of 8 to 32 bits or floating point (Microsoft, Multimedia Programming Interface 1.0, 1991) ---- */

struct sound {
    const unsigned char *samples;
    size_t bytes;
    unsigned format, channels, bits;
    double rate;
};

static uint32_t little(const unsigned char *at, int bytes)
{
    uint32_t value = 0;
    for (int i = bytes; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

enum { FORMAT_PCM = 1, FORMAT_FLOAT = 3, FORMAT_EXTENDED = 0xfffe };

static bool find_chunks(const unsigned char *data, size_t length, struct sound *s)
{
    if (length < 12 || memcmp(data, "RIFF", 4) != 0 || memcmp(data + 8, "WAVE", 4) != 0)
        return false;
    for (size_t at = 12; at + 8 <= length;) {
        const size_t size = little(data + at + 4, 4), left = length - at - 8, inside = size < left ? size : left;
        const unsigned char *chunk = data + at + 8;
        if (memcmp(data + at, "fmt ", 4) == 0 && inside >= 16) {
            s->format = little(chunk, 2);
            s->channels = little(chunk + 2, 2);
            s->rate = little(chunk + 4, 4);
            s->bits = little(chunk + 14, 2);
            if (s->format == FORMAT_EXTENDED && inside >= 26)
                s->format = little(chunk + 24, 2);
        } else if (memcmp(data + at, "data", 4) == 0) {
            s->samples = chunk;
            s->bytes = inside;
        }
        at += 8 + inside + (inside & 1);
    }
    return s->samples && s->channels > 0 && s->rate > 0 &&
           ((s->format == FORMAT_PCM && s->bits % 8 == 0 && s->bits >= 8 && s->bits <= 32) ||
            (s->format == FORMAT_FLOAT && s->bits == 32));
}

static double sample_at(const struct sound *s, size_t frame, size_t channel)
{
    const int bytes = (int)s->bits / 8;
    const uint32_t raw = little(s->samples + (frame * s->channels + channel) * (size_t)bytes, bytes);
    if (s->format == FORMAT_FLOAT) {
        float value;
        memcpy(&value, &raw, sizeof value);
        return value;
    }
    if (bytes == 1)
        return ((double)raw - 128) / 128;
    const double range = (double)(UINT64_C(1) << (s->bits - 1));
    return (raw < range ? raw : raw - 2 * range) / range;
}

static bool take_samples(struct card *c, const struct item *name, const struct sound *s, size_t channel)
{
    const size_t frames = s->bytes / (s->channels * (s->bits / 8));
    if (channel >= s->channels)
        return card_fail(c, "waveform", name->where, "channels are counted from 0", "%s: '%s' has %u channel%s",
                         card_owner(c), name->text, s->channels, s->channels == 1 ? "" : "s");
    for (size_t i = 0; i < frames; i++) {
        const double time = (double)i / s->rate, value = sample_at(s, i, channel);
        if (!expand_add(c->x, &c->x->numbers, &time) || !expand_add(c->x, &c->x->numbers, &value))
            return false;
    }
    return true;
}

bool waveform_sound(struct card *c, const struct item *name, size_t channel)
{
    char *text = NULL;
    size_t length = 0;
    struct sound s = {0};
    if (!load(c, name, deck_load_bytes, &text, &length))
        return false;
    const bool good =
        find_chunks((const unsigned char *)text, length, &s)
            ? take_samples(c, name, &s, channel)
            : card_fail(c, "waveform", name->where, "RIFF files with PCM or 32-bit floating point are read",
                        "%s: '%s' is no sound that can be read", card_owner(c), name->text);
    free(text);
    return good;
}
