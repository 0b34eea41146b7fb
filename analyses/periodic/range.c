/* range.c - see range.h. */
#include "analyses/periodic/range.h"

#include "analyses/small_signal/frequencies.h"
#include "base/names.h"

#include <math.h>

enum { MOST_POINTS = 1000000 };

static enum kn_status complain(const struct setup *s, const struct range_request *r, struct kn_location where,
                               const char *what)
{
    diagnostics_add(s->diagnostics, KN_ERROR, r->code, where, r->form, "'%s': %s", r->card->name, what);
    return KN_ERROR_DECK;
}

static bool read_scale(const char *word, enum frequency_scale *out)
{
    static const struct {
        const char *word;
        enum frequency_scale scale;
    } scales[] = {{"dec", FREQUENCY_DECADES}, {"oct", FREQUENCY_OCTAVES}, {"lin", FREQUENCY_LINEAR}};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
        if (names_equal(word, scales[i].word)) {
            *out = scales[i].scale;
            return true;
        }
    return false;
}

static bool take_number(const struct range_request *r, const struct setting *word)
{
    for (size_t i = 0; i < r->number_count; i++) {
        const struct range_number *n = &r->numbers[i];
        if (!names_equal(word->name, n->name))
            continue;
        *n->value = word->value;
        return word->value >= n->least && word->value <= n->most && word->value == floor(word->value);
    }
    return false;
}

/* Of a word that is in no place: a number of the card that is out of its range, or nothing. */
static enum kn_status complain_of_word(const struct setup *s, const struct range_request *r, const struct setting *word)
{
    for (size_t i = 0; i < r->number_count; i++)
        if (names_equal(word->name, r->numbers[i].name)) {
            diagnostics_add(s->diagnostics, KN_ERROR, r->code, word->where, r->form,
                            "'%s': %s is a whole number from %g to %g", r->card->name, r->numbers[i].name,
                            r->numbers[i].least, r->numbers[i].most);
            return KN_ERROR_DECK;
        }
    return complain(s, r, word->where, "nothing is known of this");
}

enum kn_status range_read(const struct setup *s, const struct range_request *r, size_t first,
                          struct frequency_sweep *out)
{
    const struct analysis_card *card = r->card;
    double f[3];
    int found = 0;
    *out = (struct frequency_sweep){.where = card->where};
    if (first >= card->setting_count || !read_scale(card->settings[first].name, &out->scale))
        return complain(s, r, first < card->setting_count ? card->settings[first].where : card->where,
                        "dec, oct or lin with a number of points and two frequencies is missing");
    for (size_t i = first + 1; i < card->setting_count; i++) {
        const struct setting *word = &card->settings[i];
        const bool bare = word->has_value && !word->text && (word->name[0] == '\0' || !take_number(r, word));
        if (!bare && word->has_value && !word->text)
            continue;
        if (!bare || found == 3)
            return complain_of_word(s, r, word);
        f[found++] = word->value;
    }
    if (found < 3 || !(f[0] >= 1 && f[2] >= f[1] && (f[1] > 0 || (f[1] == 0 && out->scale == FREQUENCY_LINEAR))))
        return complain(s, r, card->where,
                        "this wants a number of points and two frequencies greater than 0 that rise");
    out->points = f[0];
    out->start = f[1];
    out->stop = f[2];
    const double most = out->scale == FREQUENCY_LINEAR ? f[0] : f[0] * log2(f[2] / f[1]);
    return most > MOST_POINTS ? complain(s, r, card->where, "these are more than a million points") : KN_OK;
}
