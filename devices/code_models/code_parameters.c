/* code_parameters.c - parameters of code models that are no numbers, and what is wrong with them. */
#include "devices/code_models/code_model.h"

static const struct setting *find_setting(const struct code_item *i, const char *name)
{
    return setting_find(i->element->model->settings, i->element->model->setting_count, name);
}

const double *code_list(const struct code_item *i, const char *name, size_t *count)
{
    const struct setting *s = find_setting(i, name);
    *count = s && s->list ? s->list_count : s ? 1 : 0;
    return s && s->list ? s->list : s ? &s->value : NULL;
}

const char *code_text(const struct code_item *i, const char *name)
{
    const struct setting *s = find_setting(i, name);
    return s ? s->text : NULL;
}

enum kn_status code_fail(const struct code_item *i, struct kn_diagnostics *d, const char *hint, const char *text)
{
    diagnostics_add(d, KN_ERROR, "code-model", i->element->model->where, hint, "model '%s': %s",
                    i->element->model->name, text);
    return KN_ERROR_DECK;
}
