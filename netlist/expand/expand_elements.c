/* expand_elements.c - which letter is which element, and the walk through the element cards of one instance. */
#include "netlist/expand/expand_card.h"

static const struct element_reader readers[] = {
    {'r', "resistor", "Rname node node value", 2, false, read_passive},
    {'c', "capacitor", "Cname node node value, or Cname node node Q='..'", 2, false, read_passive},
    {'l', "inductor", "Lname node node value, or Lname node node Flux='..'", 2, false, read_passive},
    {'k', "coupling", "Kname L1 L2 coefficient", 0, false, read_coupling},
    {'t', "transmission line", "Tname a+ a- b+ b- Z0=value TD=value", 4, false, read_line},
    {'v', "voltage source", "Vname node node DC value, or a waveform: SIN(0 1 1k)", 2, false, read_source},
    {'i', "current source", "Iname node node DC value, or a waveform: SIN(0 1 1k)", 2, false, read_source},
    {'e', "voltage-controlled voltage source", "Ename n+ n- nc+ nc- gain, POLY(n) .. or vol='..'", 2, true,
     read_voltage_controlled},
    {'g', "voltage-controlled current source", "Gname n+ n- nc+ nc- gain, POLY(n) .. or cur='..'", 2, true,
     read_voltage_controlled},
    {'f', "current-controlled current source", "Fname n+ n- Vsource gain, or POLY(n) ..", 2, true,
     read_current_controlled},
    {'h', "current-controlled voltage source", "Hname n+ n- Vsource gain, or POLY(n) ..", 2, true,
     read_current_controlled},
    {'b', "behavioural source", "Bname n+ n- I=expression or V=expression", 2, false, read_behavioural},
    {'d', "diode", "Dname anode cathode model [area]", 2, false, read_diode},
    {'q', "bipolar transistor", "Qname collector base emitter [substrate] model [area]", 3, false, read_bipolar},
    {'m', "MOSFET", "Mname drain gate source bulk model L=value W=value", 4, false, read_mosfet},
    {'s', "voltage-controlled switch", "Sname n+ n- nc+ nc- model [on|off]", 4, true, read_voltage_switch},
    {'w', "current-controlled switch", "Wname n+ n- Vsource model [on|off]", 2, true, read_current_switch},
    {'x', "instance", "Xname nodes .. subcircuit name=value ..", 0, false, read_instance},
};

static const struct foreign_element {
    char letter;
    const char *noun;
    size_t nodes;
} foreign_elements[] = {
    {'a', "code models", 0},       {'j', "junction field-effect transistors", 3},
    {'n', "Verilog-A devices", 0}, {'o', "lossy transmission lines", 4},
    {'p', "coupled lines", 0},     {'u', "uniform RC lines", 3},
    {'y', "lossy lines", 4},       {'z', "MESFETs", 3},
};

static char letter_of(const struct statement *s)
{
    const char c = s->items->text[0];
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static const struct element_reader *find_reader(char letter)
{
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (readers[i].letter == letter)
            return &readers[i];
    return NULL;
}

static const struct foreign_element *find_foreign(char letter)
{
    for (size_t i = 0; i < sizeof foreign_elements / sizeof *foreign_elements; i++)
        if (foreign_elements[i].letter == letter)
            return &foreign_elements[i];
    return NULL;
}

static void report_letter(struct expansion *x, struct statement *s)
{
    s->failed = true;
    const struct item *name = s->items;
    const char *dot = deck_card_without_dot(name->text);
    const char *hint = dot ? diagnostics_hint(x->deck->diagnostics, "did you mean '%s'?", dot) : NULL;
    const struct foreign_element *foreign = find_foreign(letter_of(s));
    if (foreign)
        deck_fail(x->deck, "unsupported-element", name->where, hint, "'%s': %s are not supported yet", name->text,
                  foreign->noun);
    else
        deck_fail(x->deck, "unknown-element", name->where,
                  hint ? hint
                       : "an element begins with one of the letters R C L K T V I E F G H B D Q M S W X; a line that "
                         "goes on with the one above begins with '+'",
                  "no kind of element begins with '%c'", name->text[0]);
}

/* ---- one card ---- */

/* Positional items, with parentheses flattened away where they mean nothing. */
static bool push_words(struct expansion *x, struct item *i, bool flat)
{
    for (; i; i = i->next) {
        if (i->value)
            continue;
        if (flat && i->kind == ITEM_GROUP) {
            if (!push_words(x, i->inside, flat))
                return false;
            continue;
        }
        struct item **slot = vector_push(&x->words);
        if (!slot)
            return deck_no_memory(x->deck);
        *slot = i;
    }
    return true;
}

/* How many nodes an X card names, or an element of this letter has at least. */
static size_t nodes_of(const struct statement *s, const struct element_reader *reader)
{
    const struct foreign_element *foreign = find_foreign(letter_of(s));
    if (letter_of(s) != 'x')
        return reader ? reader->nodes : foreign ? foreign->nodes : 0;
    size_t count = 0;
    const struct item *name = expand_instance_name(s);
    for (const struct item *i = s->items->next; i && i != name; i = i->next)
        count++;
    return count;
}

/* The element is lost, but its nodes and name exist for those who refer to them. */
static void keep_names(struct expansion *x, struct instance *at, struct statement *s, size_t nodes)
{
    struct element *e = letter_of(s) != 'x' ? expand_new_element(x, at, s) : NULL;
    if (e)
        e->letter = '\0';
    x->missing_instance |= letter_of(s) == 'x';
    const struct item *i = s->items->next;
    for (; i && i->kind == ITEM_WORD && !i->value && nodes > 0; i = i->next, nodes--)
        expand_node(x, at, i);
    x->missing_nodes |= nodes > 0 || (s->broken && letter_of(s) == 'x');
}

static void expand_card(struct expansion *x, struct instance *at, struct statement *s,
                        const struct element_reader *reader)
{
    struct element instance = {.letter = 'x', .name = s->items->text, .where = s->items->where};
    struct element *e = reader->letter == 'x' ? &instance : expand_new_element(x, at, s);
    x->words.count = x->settings.count = 0;
    if (!e || !push_words(x, s->items->next, reader->flat))
        return;
    struct card c = {.x = x, .at = at, .statement = s, .reader = reader, .e = e};
    c.words = x->words.items;
    c.word_count = x->words.count;
    if (!reader->read(&c)) {
        s->failed = true;
        x->deck->failed = true;
        e->letter = '\0';
    }
}

void expand_elements(struct expansion *x, struct instance *at)
{
    for (struct statement *s = at->level->elements.first; s && !x->deck->out_of_memory; s = s->next) {
        const struct element_reader *reader = find_reader(letter_of(s));
        if (!reader && !s->broken && !s->failed)
            report_letter(x, s);
        if (!reader || s->broken || s->failed) /* said once, not for every instance */
            keep_names(x, at, s, nodes_of(s, reader));
        else
            expand_card(x, at, s, reader);
    }
}
