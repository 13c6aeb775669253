/* The stand-in's graphs, with NVIDIA's own declarations: a record of the nodes, and of what a launch of them would run. */
#include <cuda.h>
#include <stdint.h>
#include <string.h>

#define MAX_NODES 16
#define MAX_PARAMETERS 64
typedef struct {
  uint64_t function, grid[3], block[3], shared, behind, values[MAX_PARAMETERS];
} Node;
typedef struct {
  int count;
  Node nodes[MAX_NODES];
} Graph;

extern int expected, sizes[MAX_PARAMETERS];
static Graph defined, instance;
static uint64_t graph_launches, graph_stream, instances, changes, destroyed;
static int refused; /* how many changes are refused from now on */

static int is_right(const CUDA_KERNEL_NODE_PARAMS *p) {
  return p->func && p->gridDimX && p->gridDimY && p->gridDimZ && !p->extra && !p->kern && !p->ctx;
}
static void read_node(Node *node, const CUDA_KERNEL_NODE_PARAMS *p) {
  memset(node->values, 0, sizeof node->values);
  node->function = (uint64_t)p->func;
  node->grid[0] = p->gridDimX, node->grid[1] = p->gridDimY, node->grid[2] = p->gridDimZ;
  node->block[0] = p->blockDimX, node->block[1] = p->blockDimY, node->block[2] = p->blockDimZ;
  node->shared = p->sharedMemBytes;
  for (int i = 0; i < expected; ++i) memcpy(&node->values[i], p->kernelParams[i], sizes[i]);
}

/* The field of a node of the instance that a launch would run, by its place in `Node`. */
uint64_t stub_node(int node, int field) { return ((uint64_t *)&instance.nodes[node])[field]; }
uint64_t stub_graph(int what) {
  return what == 0 ? graph_launches : what == 1 ? graph_stream : what == 2 ? instances : what == 3 ? changes : destroyed;
}

void stub_refuse(int count) { refused = count; }

CUresult cuGraphCreate(CUgraph *graph, unsigned flags) {
  memset(&defined, 0, sizeof defined);
  return *graph = (CUgraph)&defined, flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *behind, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS *p) {
  Graph *g = (Graph *)graph;
  if (g != &defined || g->count == MAX_NODES || count > 1 || !is_right(p)) return CUDA_ERROR_INVALID_VALUE;
  Node *made = &g->nodes[g->count++];
  read_node(made, p);
  made->behind = count ? (Node *)behind[0] - g->nodes + 1 : 0;
  return *node = (CUgraphNode)made, CUDA_SUCCESS;
}
CUresult cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
  if ((Graph *)graph != &defined || flags) return CUDA_ERROR_INVALID_VALUE;
  instance = defined, ++instances;
  return *exec = (CUgraphExec)&instance, CUDA_SUCCESS;
}
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p) {
  Node *n = (Node *)node;
  if ((Graph *)exec != &instance || n < defined.nodes || n >= defined.nodes + defined.count || !is_right(p))
    return CUDA_ERROR_INVALID_VALUE;
  if (refused) return --refused, CUDA_ERROR_NOT_SUPPORTED;
  read_node(&instance.nodes[n - defined.nodes], p), ++changes;
  return CUDA_SUCCESS;
}
CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  if ((Graph *)exec != &instance) return CUDA_ERROR_INVALID_VALUE;
  return ++graph_launches, graph_stream = (uint64_t)stream, CUDA_SUCCESS;
}
CUresult cuGraphExecDestroy(CUgraphExec exec) { return ++destroyed, CUDA_SUCCESS; }
CUresult cuGraphDestroy(CUgraph graph) { return ++destroyed, CUDA_SUCCESS; }
