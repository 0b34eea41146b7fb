/* pieces.c - see pieces.h. */
#include "mna/pieces.h"

#include "base/clock.h"
#include "devices/batch.h"

#include <math.h>

/* A trial has as many evaluations alone and then shared; the next one follows after FIRST_PAUSE, and each that ends like
 * the one before doubles the pause, so that the worse way takes no more than a hundredth of the run in the end. */
enum { TRIED = 16, FIRST_PAUSE = 16 * TRIED, LONGEST_PAUSE = 256 * TRIED };
/* Sharing has to save a tenth of the time, since it costs the time of other processors. */
static const double CLEARLY_LESS = 0.9;
/* s; an evaluation of less is not worth to wake another thread, which takes 40 us (bench/README.md). */
static const double WORTH_SHARING = 80e-6;

static const struct batch *batch_of(const struct device_family *family)
{
    return family->batch;
}

static size_t pieces_of(size_t devices)
{
    return (devices + BATCH_PIECE - 1) / BATCH_PIECE;
}

static bool make_rooms(struct arena *memory, size_t room, struct pieces *p)
{
    bool complete = true;
    for (size_t i = 0; i < TEAM_PLACES; i++)
        complete = (p->room[i] = arena_array(memory, room, 1)) && complete;
    return complete;
}

enum kn_status pieces_new(struct arena *memory, const struct device_family *const *families, size_t count,
                          size_t threads, struct pieces *out)
{
    size_t devices = 0, room = 0;
    for (size_t i = 0; i < count; i++) {
        const struct device_class *class = families[i]->class;
        devices += class->look ? batch_of(families[i])->count : 0;
        room = class->look && class->room > room ? class->room : room;
    }
    *out = (struct pieces){.families = families, .family_count = count, .trial.pause = FIRST_PAUSE};
    out->first = arena_array(memory, count + 1, sizeof *out->first);
    const size_t most = devices / BATCH_PIECE, wanted = threads < most ? threads : most;
    if (out->first && wanted > 1 && make_rooms(memory, room, out))
        out->team = team_new(wanted);
    return out->first && (wanted < 2 || out->team) ? KN_OK : KN_ERROR_MEMORY;
}

void pieces_free(struct pieces *p)
{
    team_free(p->team);
}

/* ---- whether it pays ---- */

static bool is_to_be_shared(struct pieces *p)
{
    p->trial.begin = clock_seconds(CLOCK_MONOTONIC);
    return p->trial.evaluations < 2 * TRIED ? p->trial.evaluations >= TRIED : p->trial.pays;
}

static void end_trial(struct pieces *p, bool pays)
{
    if (pays != p->trial.pays)
        p->trial.pause = FIRST_PAUSE;
    else if (p->trial.pause < LONGEST_PAUSE)
        p->trial.pause *= 2;
    p->trial.pays = pays;
    p->trial.shared = 0;
    p->trial.evaluations = 2 * TRIED;
}

static void begin_trial(struct pieces *p)
{
    p->trial.evaluations = 0;
    p->trial.alone = p->trial.shared = 0;
}

/* A trial ends as soon as sharing cannot win it any more: where others want the processors, one piece may wait long. */
static void count_trial(struct pieces *p, double seconds)
{
    const bool shared = p->trial.evaluations++ >= TRIED;
    *(shared ? &p->trial.shared : &p->trial.alone) += seconds;
    if (shared && p->trial.shared >= CLEARLY_LESS * p->trial.alone)
        end_trial(p, false);
    else if (p->trial.evaluations == 2 * TRIED)
        end_trial(p, true);
    else if (p->trial.evaluations == TRIED && p->trial.alone < TRIED * WORTH_SHARING)
        end_trial(p, false);
}

/* What sharing has cost beyond evaluations alone, however long ago that was measured, ends it as well. */
static void count_evaluation(struct pieces *p)
{
    const double seconds = clock_seconds(CLOCK_MONOTONIC) - p->trial.begin;
    if (p->trial.evaluations < 2 * TRIED) {
        count_trial(p, seconds);
        return;
    }
    if (p->trial.pays)
        p->trial.shared = fmax(0, p->trial.shared + seconds - p->trial.alone / TRIED);
    if (p->trial.evaluations++ == 2 * TRIED + p->trial.pause || p->trial.shared > p->trial.alone)
        begin_trial(p);
}

/* ---- an evaluation ---- */

static size_t end_of_piece(const struct device_family *family, size_t from)
{
    const size_t count = batch_of(family)->active_count;
    return from + BATCH_PIECE < count ? from + BATCH_PIECE : count;
}

static void look(void *context, size_t number, size_t place)
{
    struct pieces *p = context;
    size_t i = 0;
    while (p->first[i + 1] <= number)
        i++;
    const struct device_family *family = p->families[i];
    const size_t from = (number - p->first[i]) * BATCH_PIECE;
    struct device_point at = p->at;
    at.limited = &p->limited[place];
    p->limited[place] = false;
    family->class->look(family->batch, &at, from, end_of_piece(family, from), p->room[place]);
}

void pieces_begin(struct pieces *p, const struct device_point *at)
{
    p->at = *at;
    if (!p->team)
        return;
    const bool shared = is_to_be_shared(p);
    for (size_t i = 0; i < p->family_count; i++) {
        const struct device_family *family = p->families[i];
        p->first[i + 1] = p->first[i];
        if (shared && family->class->look)
            p->first[i + 1] += pieces_of(batch_of(family)->active_count);
    }
    if (shared)
        team_begin(p->team, &(struct team_work){p->first[p->family_count], look, p});
}

static void add_pieces(struct pieces *p, size_t i, const struct device_stamp *out)
{
    const struct device_family *family = p->families[i];
    for (size_t number = p->first[i]; number < p->first[i + 1]; number++) {
        const size_t from = (number - p->first[i]) * BATCH_PIECE, place = team_await(p->team, number);
        family->class->add(family->batch, &p->at, from, end_of_piece(family, from), p->room[place], out);
        if (p->limited[place])
            *p->at.limited = true;
    }
}

void pieces_add(struct pieces *p, const struct device_stamp *out)
{
    for (size_t i = 0; i < p->family_count; i++)
        if (p->first[i + 1] > p->first[i])
            add_pieces(p, i, out);
        else
            p->families[i]->class->eval(p->families[i]->batch, &p->at, out);
    if (p->team)
        count_evaluation(p);
}
