/* A stand-in for NVIDIA's driver: enough of it for Triton's launcher, with a record of what is launched.
 *
 * A driver knows the sizes of a kernel's parameters from the kernel; here the test says them (`stub_expect`). */
#include <stdint.h>
#include <string.h>

typedef int CUresult;
typedef struct {
  unsigned grid[3], block[3], shared;
  void *stream, *attrs;
  unsigned num_attrs;
} LaunchConfig;

#define MAX_PARAMETERS 64
int expected, sizes[MAX_PARAMETERS]; /* used by libcuda_graph.c, too */
static uint64_t launches, values[MAX_PARAMETERS];
static LaunchConfig last;
static void *last_function;

void stub_expect(int count, const int *bytes) {
  expected = count;
  memcpy(sizes, bytes, count * sizeof(int));
}
uint64_t stub_launches(void) { return launches; }
uint64_t stub_parameter(int i) { return values[i]; }
unsigned stub_grid(int i) { return last.grid[i]; }
unsigned stub_block(int i) { return last.block[i]; }
uint64_t stub_function(void) { return (uint64_t)last_function; }
unsigned stub_shared(void) { return last.shared; }
uint64_t stub_stream(void) { return (uint64_t)last.stream; }

CUresult cuLaunchKernelEx(const LaunchConfig *config, void *f, void **parameters, void **extra) {
  ++launches;
  last = *config;
  last_function = f;
  for (int i = 0; i < expected; ++i) {
    values[i] = 0;
    memcpy(&values[i], parameters[i], sizes[i]);
  }
  return 0;
}

CUresult cuInit(unsigned flags) { return 0; }
CUresult cuDriverGetVersion(int *version) { return *version = 12080, 0; }
CUresult cuDeviceGet(int *device, int index) { return *device = index, 0; }
CUresult cuDeviceGetCount(int *count) { return *count = 2, 0; }
CUresult cuDeviceGetAttribute(int *value, int attribute, int device) {
  return *value = attribute == 10 ? 32 : attribute == 97 ? 232448 : 132, 0; /* warp size; shared memory a block */
}
static void *current = (void *)0x10;
CUresult cuCtxGetCurrent(void **context) { return *context = current, 0; }
CUresult cuCtxSetCurrent(void *context) { return current = context, 0; }
CUresult cuCtxGetDevice(int *device) { return *device = 0, 0; }
CUresult cuCtxGetLimit(uint64_t *value, int limit) { return *value = 0, 0; }
CUresult cuCtxSetLimit(int limit, uint64_t value) { return 0; }
CUresult cuDevicePrimaryCtxRetain(void **context, int device) { return *context = (char *)0x10 + device, 0; }
CUresult cuMemcpyDtoHAsync_v2(void *target, uint64_t source, size_t nbytes, void *stream) {
  return memcpy(target, (void *)source, nbytes), 0;
}
CUresult cuStreamSynchronize(void *stream) { return 0; }
CUresult cuModuleLoadData(void **module, const void *image) { return *module = (void *)0x20, 0; }
CUresult cuModuleGetFunction(void **f, void *module, const char *name) {
  static uint64_t next = 0x1000;
  return *f = (void *)(next += 0x10), 0;
}
CUresult cuModuleUnload(void *module) { return 0; }
CUresult cuFuncGetAttribute(int *value, int attribute, void *f) {
  return *value = attribute == 0 ? 1024 : 0, 0; /* threads a block */
}
CUresult cuFuncSetAttribute(void *f, int attribute, int value) { return 0; }
CUresult cuFuncSetCacheConfig(void *f, int config) { return 0; }
CUresult cuGetErrorString(CUresult error, const char **text) { return *text = "stub", 0; }
CUresult cuPointerGetAttribute(uint64_t *value, int attribute, uint64_t pointer) { return *value = pointer, 0; }
CUresult cuStreamIsCapturing(void *stream, int *status) { return *status = 0, 0; }
CUresult cuOccupancyMaxActiveClusters(int *n, void *f, const void *config) { return *n = 1, 0; }
CUresult cuTensorMapEncodeTiled() { return 1; }
