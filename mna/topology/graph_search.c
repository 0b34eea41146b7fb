/* graph_search.c - blocks by one depth-first search, shortest paths by breadth-first search from both ends; see
 * graph.h. */
#include "mna/topology/graph.h"

/* ---- blocks ---- */

struct depth_search {
    const struct graph *graph;
    unsigned mask;
    struct blocks *result;
    int discovered; /* nodes so far */
    int *number;    /* [node_count] order of discovery from 1, 0 when not reached */
    int *low;       /* [node_count] smallest number reachable by tree edges down and one edge up */
    int *next;      /* [node_count] half edge to look at next */
    int *stack;     /* [node_count] path from the root */
    int *pending;   /* [edge_count] edges not yet in a block */
    int pending_count;
};

static void discover(struct depth_search *s, int node, int parent_edge)
{
    s->result->parent_edge[node] = parent_edge;
    s->result->order[s->discovered++] = node;
    s->number[node] = s->low[node] = s->discovered;
    s->next[node] = s->graph->start[node];
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* The edges above `edge` on the stack of pending ones, and itself, are a block. */
static void close_block(struct depth_search *s, int edge)
{
    struct blocks *r = s->result;
    int top;
    do {
        top = s->pending[--s->pending_count];
        r->block[top] = r->count;
        r->size[r->count]++;
    } while (top != edge);
    r->count++;
}

/* Looks at the next edge of the node on top of the path; returns the new height of the path. */
static int advance(struct depth_search *s, int height)
{
    const int node = s->stack[height - 1], parent_edge = s->result->parent_edge[node];
    if (s->next[node] < s->graph->start[node + 1]) {
        const struct graph_half half = s->graph->halves[s->next[node]++];
        if (half.edge == parent_edge || !(s->graph->edges[half.edge].kinds & s->mask))
            return height;
        if (s->number[half.node] == 0) {
            s->pending[s->pending_count++] = half.edge;
            discover(s, half.node, half.edge);
            s->stack[height] = half.node;
            return height + 1;
        }
        if (s->number[half.node] < s->number[node]) {
            s->pending[s->pending_count++] = half.edge;
            s->low[node] = smaller(s->low[node], s->number[half.node]);
        }
        return height;
    }
    if (height > 1) {
        const int above = s->stack[height - 2];
        s->low[above] = smaller(s->low[above], s->low[node]);
        if (s->low[node] >= s->number[above])
            close_block(s, parent_edge);
    }
    return height - 1;
}

static bool blocks_allocate(struct arena *memory, struct blocks *b, const struct graph *g)
{
    const size_t nodes = (size_t)g->node_count + 1, edges = (size_t)g->edge_count + 1;
    *b = (struct blocks){.block = arena_array(memory, edges, sizeof *b->block),
                         .size = arena_array(memory, edges, sizeof *b->size),
                         .parent_edge = arena_array(memory, nodes, sizeof *b->parent_edge),
                         .order = arena_array(memory, nodes, sizeof *b->order)};
    for (size_t e = 0; b->block && e < edges; e++)
        b->block[e] = -1;
    return b->block && b->size && b->parent_edge && b->order;
}

static bool depth_search_allocate(struct arena *memory, struct depth_search *s)
{
    const size_t nodes = (size_t)s->graph->node_count + 1;
    int **const vectors[] = {&s->number, &s->low, &s->next, &s->stack};
    bool complete = true;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        complete = (*vectors[i] = arena_array(memory, nodes, sizeof(int))) != NULL && complete;
    s->pending = arena_array(memory, (size_t)s->graph->edge_count + 1, sizeof *s->pending);
    return complete && s->pending;
}

bool blocks_find(struct arena *memory, const struct graph *g, unsigned mask, struct blocks *out)
{
    struct arena *own = arena_new();
    struct depth_search s = {.graph = g, .mask = mask, .result = out};
    const bool allocated = own && blocks_allocate(memory, out, g) && depth_search_allocate(own, &s);
    for (int root = 0; allocated && root < g->node_count; root++) {
        if (s.number[root] != 0)
            continue;
        discover(&s, root, -1);
        s.stack[0] = root;
        for (int height = 1; height > 0;)
            height = advance(&s, height);
    }
    arena_free(own);
    return allocated;
}

bool blocks_is_bridge(const struct blocks *b, int edge)
{
    return b->block[edge] >= 0 && b->size[b->block[edge]] == 1;
}

bool blocks_on_loop(const struct blocks *b, int edge)
{
    return b->block[edge] >= 0 && b->size[b->block[edge]] > 1;
}

/* ---- shortest paths ---- */

bool path_search_init(struct arena *memory, struct path_search *s, const struct graph *g)
{
    const size_t nodes = (size_t)g->node_count + 1;
    *s = (struct path_search){.graph = g};
    int **const vectors[] = {&s->seen[0], &s->seen[1], &s->via[0], &s->via[1], &s->queue[0], &s->queue[1], &s->path};
    bool complete = true;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        complete = (*vectors[i] = arena_array(memory, nodes, sizeof(int))) != NULL && complete;
    return complete;
}

/* The nodes reached last from one end, queue[first] .. queue[last - 1], and their edges. */
struct frontier {
    int first, last;
    long cost;
};

static void reach(struct path_search *s, int side, int node, int edge, struct frontier *f)
{
    s->seen[side][node] = s->stamp;
    s->via[side][node] = edge;
    s->queue[side][f->last++] = node;
    f->cost += s->graph->start[node + 1] - s->graph->start[node];
}

/* Expands one frontier by one edge; returns the node where both searches meet, or -1.  The first meeting is on a
 * shortest path, because all nodes the other end reached earlier have their neighbours marked already. */
static int expand(struct path_search *s, int side, unsigned mask, struct frontier *f)
{
    const struct graph *g = s->graph;
    struct frontier next = {f->last, f->last, 0};
    for (int i = f->first; i < f->last; i++) {
        const int node = s->queue[side][i];
        s->work += g->start[node + 1] - g->start[node];
        for (int h = g->start[node]; h < g->start[node + 1]; h++) {
            const struct graph_half half = g->halves[h];
            if (!(g->edges[half.edge].kinds & mask) || s->seen[side][half.node] == s->stamp)
                continue;
            reach(s, side, half.node, half.edge, &next);
            if (s->seen[!side][half.node] == s->stamp)
                return half.node;
        }
    }
    *f = next;
    return -1;
}

static int other_end(const struct graph *g, int edge, int node)
{
    return g->edges[edge].a == node ? g->edges[edge].b : g->edges[edge].a;
}

/* From the meeting point back to a (reversed into order), then on to b. */
static void collect_path(struct path_search *s, int a, int b, int meeting)
{
    int count = 0;
    for (int node = meeting; node != a; node = other_end(s->graph, s->via[0][node], node))
        s->path[count++] = s->via[0][node];
    for (int i = 0; i < count / 2; i++) {
        const int edge = s->path[i];
        s->path[i] = s->path[count - 1 - i];
        s->path[count - 1 - i] = edge;
    }
    for (int node = meeting; node != b; node = other_end(s->graph, s->via[1][node], node))
        s->path[count++] = s->via[1][node];
    s->path_length = count;
}

bool graph_path(struct path_search *s, int a, int b, unsigned mask)
{
    s->path_length = 0;
    if (a == b)
        return true;
    s->stamp++;
    struct frontier f[2] = {{0}, {0}};
    reach(s, 0, a, -1, &f[0]);
    reach(s, 1, b, -1, &f[1]);
    while (f[0].first < f[0].last && f[1].first < f[1].last) {
        const int side = f[0].cost <= f[1].cost ? 0 : 1;
        const int meeting = expand(s, side, mask, &f[side]);
        if (meeting >= 0) {
            collect_path(s, a, b, meeting);
            return true;
        }
    }
    return false;
}

/* ---- forests ---- */

/* Breadth-first from `root`. */
static void grow_tree(struct forest *f, unsigned mask, int root)
{
    const struct graph *g = f->graph;
    int *queue = f->queue;
    int first = 0, last = 0;
    f->parent_edge[root] = -1;
    f->depth[root] = 0;
    queue[last++] = root;
    while (first < last) {
        const int node = queue[first++];
        for (int h = g->start[node]; h < g->start[node + 1]; h++) {
            const struct graph_half half = g->halves[h];
            if (!(g->edges[half.edge].kinds & mask) || f->depth[half.node] >= 0)
                continue;
            f->parent_edge[half.node] = half.edge;
            f->depth[half.node] = f->depth[node] + 1;
            queue[last++] = half.node;
        }
    }
}

bool forest_init(struct arena *memory, struct forest *f, const struct graph *g)
{
    const size_t nodes = (size_t)g->node_count + 1;
    *f = (struct forest){.graph = g,
                         .parent_edge = arena_array(memory, nodes, sizeof *f->parent_edge),
                         .depth = arena_array(memory, nodes, sizeof *f->depth),
                         .queue = arena_array(memory, nodes, sizeof *f->queue)};
    return f->parent_edge && f->depth && f->queue;
}

void forest_grow(struct forest *f, unsigned mask)
{
    for (int i = 0; i < f->graph->node_count; i++)
        f->depth[i] = -1;
    for (int i = 0; i < f->graph->node_count; i++)
        if (f->depth[i] < 0)
            grow_tree(f, mask, i);
}

/* Climbs from both ends to their common ancestor; b's half is written from the back. */
void forest_path(const struct forest *f, int a, int b, struct path_search *s)
{
    int count = 0, upper = 0;
    int *const from_b = s->queue[1];
    while (a != b) {
        if (f->depth[a] >= f->depth[b]) {
            s->path[count++] = f->parent_edge[a];
            a = other_end(f->graph, f->parent_edge[a], a);
        } else {
            from_b[upper++] = f->parent_edge[b];
            b = other_end(f->graph, f->parent_edge[b], b);
        }
    }
    while (upper > 0)
        s->path[count++] = from_b[--upper];
    s->path_length = count;
}
