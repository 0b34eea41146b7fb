/* Verdicts of check and of the refusal before a run on random linear circuits whose values lie up to 27 decades apart,
 * against exact arithmetic (mna/exact_deck.h).
 *
 * Chains C y_1 = 0, G y_1 + C y_2 = 0, .. of index + 1 vectors are the kernel of the block Toeplitz matrix; derivatives
 * of order k enter the unknowns that the vector k places before the end has entries for (Gantmacher, Theory of Matrices
 * II, ch. XII).
 *
 * test_check_decades SEED COUNT runs that many circuits of each family, beyond those of the suite.
 */
#include "analyses/check/check.h"
#include "analyses/run_index.h"
#include "claims.h"
#include "mna/exact_deck.h"
#include "read_circuit.h"

#include <stdlib.h>
#include <string.h>

/* Row echelon form with the pivots' rows cleared; pivot[rank] columns. */
static int eliminate(uint64_t *a, int rows, int columns, int *pivot)
{
    int rank = 0;
    for (int j = 0; j < columns && rank < rows; j++) {
        int row = rank;
        while (row < rows && a[row * columns + j] == 0)
            row++;
        if (row == rows)
            continue;
        const uint64_t inverse = exact_power(a[row * columns + j], EXACT_PRIME - 2);
        for (int k = 0; k < columns; k++) {
            const uint64_t kept = a[row * columns + k] * inverse % EXACT_PRIME;
            a[row * columns + k] = a[rank * columns + k];
            a[rank * columns + k] = kept;
        }
        for (int i = 0; i < rows; i++) {
            const uint64_t factor = i == rank ? 0 : (EXACT_PRIME - a[i * columns + j]) % EXACT_PRIME;
            for (int k = j; factor != 0 && k < columns; k++)
                a[i * columns + k] = (a[i * columns + k] + factor * a[rank * columns + k]) % EXACT_PRIME;
        }
        pivot[rank++] = j;
    }
    return rank;
}

/* order[n] from the kernel of the Toeplitz matrix of index + 1 block rows. */
static void find_orders(const struct exact_deck *x, int index, int *order)
{
    const int n = x->n, blocks = index + 1, size = blocks * n;
    uint64_t *a = calloc((size_t)size * (size_t)size + 1, sizeof *a);
    int *pivot = calloc((size_t)size + 1, sizeof *pivot);
    bool *is_pivot = calloc((size_t)size + 1, sizeof *is_pivot), *enters = calloc((size_t)size + 1, sizeof *enters);
    CU_ASSERT_FATAL(a && pivot && is_pivot && enters);
    for (int k = 0; k < blocks; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                a[(k * n + i) * size + k * n + j] = x->C[i * n + j];
                if (k > 0)
                    a[(k * n + i) * size + (k - 1) * n + j] = x->G[i * n + j];
            }
    const int rank = eliminate(a, size, size, pivot);
    for (int r = 0; r < rank; r++)
        is_pivot[pivot[r]] = true;
    for (int j = 0; j < size; j++)
        enters[j] = !is_pivot[j];
    for (int r = 0; r < rank; r++)
        for (int j = 0; j < size; j++)
            enters[pivot[r]] |= !is_pivot[j] && a[r * size + j] != 0;
    for (int i = 0; i < n; i++) {
        order[i] = 0;
        for (int k = 1; k < blocks; k++)
            if (enters[(blocks - 1 - k) * n + i])
                order[i] = k;
    }
    free(a);
    free(pivot);
    free(is_pivot);
    free(enters);
}

/* ---- comparison ---- */

struct tally {
    const struct family *family;
    int circuits, unread, singular, indices[8], not_decided, wrong;
};

static void complain(struct tally *t, const struct random_deck *d, uint64_t seed, const char *what, int ours, int exact)
{
    if (t->wrong++ < 5)
        fprintf(stderr, "\n%s, seed %llu: %s: knoten %d, exact %d\n%s", t->family->name, (unsigned long long)seed, what,
                ours, exact, d->text);
}

static void compare_orders(const struct random_deck *d, const struct exact_deck *x, int index,
                           const struct index_report *r, struct tally *t, uint64_t seed)
{
    int order[MOST_UNKNOWNS];
    find_orders(x, index, order);
    for (int i = 0; i < x->n; i++)
        for (int u = 1; u <= r->unknowns; u++)
            if (strcmp(r->topology->unknowns[u].name, d->names[i]) == 0 && r->order[u] != order[i])
                complain(t, d, seed, d->names[i], r->order[u] + 1, order[i] + 1);
}

/* Names after "index-k" and "by its values" of the text, in any order, against the report's and the JSON's list. */
static bool text_names(const char *text, const char *name)
{
    char item[40];
    snprintf(item, sizeof item, " %s", name);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *end = strchr(line, '\n'), *found = strstr(line, item);
        const bool list = strncmp(line, "    index-", 10) == 0 || strncmp(line, "  by its values", 15) == 0;
        const size_t length = strlen(item);
        if (list && found && end && found < end && (found[length] == ',' || found[length] == '\n'))
            return true;
        if (!end)
            break;
    }
    return false;
}

static void write_into(void (*write)(const struct index_report *, FILE *), const struct index_report *r, char *text,
                       size_t size)
{
    FILE *to = fmemopen(text, size, "w");
    CU_ASSERT_FATAL(to != NULL);
    write(r, to);
    fclose(to);
}

static bool json_names(const char *json, const char *name)
{
    char item[40];
    const char *list = strstr(json, "\"index2_unknowns\": ["), *end = list ? strchr(list, ']') : NULL;
    snprintf(item, sizeof item, "\"%s\"", name);
    const char *found = list ? strstr(list, item) : NULL;
    return found && found < end;
}

static void compare_writers(const struct random_deck *d, const struct index_report *r, struct tally *t, uint64_t seed)
{
    static char text[40000], json[40000];
    write_into(check_write_text, r, text, sizeof text);
    write_into(check_write_json, r, json, sizeof json);
    char in_text[40], in_json[40];
    snprintf(in_text, sizeof in_text, "DAE index %d ", r->index);
    snprintf(in_json, sizeof in_json, "\"index\": %d,", r->index);
    if (r->index >= 0 && (!strstr(text, in_text) || !strstr(json, in_json)))
        complain(t, d, seed, "the text's or the JSON's index", -1, r->index);
    for (int u = 1; u <= r->unknowns; u++) {
        const char *name = r->topology->unknowns[u].name;
        if (text_names(text, name) != (r->order[u] > 0) || json_names(json, name) != (r->order[u] > 0))
            complain(t, d, seed, name, text_names(text, name), json_names(json, name));
    }
}

/* The refusal before a run where the topology does not decide. */
static void compare_refusal(const struct random_deck *d, const struct circuit *c, bool singular, struct tally *t,
                            uint64_t seed)
{
    struct kn_diagnostics *aside = kn_diagnostics_new();
    struct mna *m = NULL;
    struct topology *topology = NULL;
    struct run_index run;
    const struct mna_options options = mna_options_of(c);
    CU_ASSERT_FATAL(mna_new(c, &options, aside, &m) == KN_OK && topology_new(m, &topology) == KN_OK);
    if (topology->verdict != TOPOLOGY_SINGULAR) {
        const enum kn_status status = run_index_init(&run, m, topology, aside);
        if (status != KN_OK && !singular)
            complain(t, d, seed, "refusal of a run", status, KN_OK);
        run_index_free(&run);
    }
    topology_free(topology);
    mna_free(m);
    kn_diagnostics_free(aside);
}

static void compare_report(const struct random_deck *d, const struct circuit *c, const struct index_report *r,
                           struct tally *t, uint64_t seed)
{
    static struct exact_deck x;
    make_exact(d, &x);
    const struct exact_structure s = exact_structure(x.C, x.G, x.n);
    compare_refusal(d, c, s.singular, t, seed);
    compare_writers(d, r, t, seed);
    t->singular += s.singular;
    if (!s.singular)
        t->indices[s.index < 7 ? s.index : 7]++;
    if (r->not_decided)
        t->not_decided++;
    else if (r->singular != s.singular)
        complain(t, d, seed, "singular", r->singular, s.singular);
    else if (!s.singular && r->index != s.index)
        complain(t, d, seed, "index", r->index, s.index);
    else if (!s.singular && r->degrees_of_freedom != s.finite)
        complain(t, d, seed, "degrees of freedom", r->degrees_of_freedom, s.finite);
    else if (!s.singular)
        compare_orders(d, &x, s.index, r, t, seed);
}

static void compare(const struct family *f, uint64_t seed, struct tally *t)
{
    static struct random_deck d;
    struct kn_diagnostics *said = kn_diagnostics_new();
    struct circuit *c = NULL;
    struct index_report *r = NULL;
    const struct check_options options = {0};
    start_random(seed);
    draw_deck(&d, f);
    t->circuits++;
    if (circuit_read_text(&device_catalogue, "decades.cir", d.text, strlen(d.text), said, &c) != KN_OK)
        t->unread++;
    else if (check_circuit(c, &options, said, &r) != KN_OK)
        complain(t, &d, seed, "check", -1, 0);
    else
        compare_report(&d, c, r, t, seed);
    check_free(r);
    circuit_free(c);
    kn_diagnostics_free(said);
}

static const struct family families[] = {
    {"powers of ten", "RRRLLCCCEFGHVI", 1, true, -15, 28, 0},
    {"two digits", "RRRLLCCCEFGHVI", 99, true, -15, 28, 0},
    {"controlled sources", "RRLCEEFFGGHHV", 9, false, -15, 28, 0},
    {"passive", "RRRLLCCCVI", 9, false, -15, 28, 0},
    {"all digits", "RRRLLCCCEFGHVI", 9999999999999999, true, -15, 28, 100},
};
enum { FAMILIES = sizeof families / sizeof *families };

static void compare_family(const struct family *f, uint64_t seed, int count)
{
    struct tally t = {.family = f};
    for (int i = 0; i < count; i++)
        compare(f, seed + (uint64_t)i, &t);
    fprintf(stderr, "%s: %d circuits, %d unread, %d singular, indices 0..7:", f->name, t.circuits, t.unread,
            t.singular);
    for (int i = 0; i < 8; i++)
        fprintf(stderr, " %d", t.indices[i]);
    fprintf(stderr, ", not decided %d, wrong %d\n", t.not_decided, t.wrong);
    CU_ASSERT_EQUAL(t.wrong, 0);
    CU_ASSERT(t.unread * 20 <= t.circuits);
    CU_ASSERT(t.not_decided * 1000 <= t.circuits * f->most_open);
}

static void verdicts_survive_values_27_decades_apart(void)
{
    for (int k = 0; k < FAMILIES; k++)
        compare_family(&families[k], 1000000u * (uint64_t)(k + 1), 250);
}

static uint64_t long_seed;
static int long_count;

static void verdicts_of_a_long_run(void)
{
    for (int k = 0; k < FAMILIES; k++)
        compare_family(&families[k], long_seed + 1000000u * (uint64_t)k, long_count);
}

int main(void)
{
    static const struct claim claims[] = {CLAIM(verdicts_survive_values_27_decades_apart)};
    static const struct claim more[] = {CLAIM(verdicts_of_a_long_run)};
    random_arguments(&long_seed, &long_count);
    if (long_count > 0)
        return run_claims("check, many decades, long", more, 1);
    return run_claims("check, many decades", claims, sizeof claims / sizeof claims[0]);
}
