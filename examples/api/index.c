/* index.c - the index report of a circuit as data: which loops and cutsets make it hard to solve. */
#include <knoten.h>

#include <string.h>

static const char deck[] = "A capacitor at a voltage source, an inductor at a current source\n"
                           "V1 a 0 sin(0 1 1k)\n"
                           "C1 a 0 1u\n"
                           "R1 a b 1k\n"
                           "I1 0 b 1m\n"
                           "L1 b c 1m\n"
                           "I2 c 0 1m\n";

static void show(const char *what, const struct kn_sets *all)
{
    for (size_t i = 0; i < all->count; i++) {
        printf("%s:", what);
        for (size_t k = 0; k < all->sets[i].count; k++)
            printf(" %s", all->sets[i].names[k]);
        printf("\n");
    }
}

int main(void)
{
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct kn_circuit *c = NULL;
    const struct kn_index *index = NULL;
    enum kn_status status = kn_circuit_read_text("loops", deck, strlen(deck), d, &c);
    if (status == KN_OK)
        status = kn_index_new(c, d, &index);
    if (status == KN_OK) {
        printf("index %d, %d degrees of freedom, %d unknowns\n", index->index, index->degrees_of_freedom,
               index->unknowns);
        show("C-V loop", &index->cv_loops);
        show("L-I cutset", &index->li_cutsets);
        for (size_t i = 0; i < index->hidden.count; i++)
            printf("hidden: %s\n", index->hidden.names[i]);
    }
    for (size_t i = 0; i < kn_diagnostics_count(d); i++)
        kn_diagnostic_write(kn_diagnostics_get(d, i), stderr, false);
    kn_index_free(index);
    kn_circuit_free(c);
    kn_diagnostics_free(d);
    return status == KN_OK ? 0 : 1;
}
