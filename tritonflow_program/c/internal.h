/* What the files of this folder share; nothing for who uses a program. */
#ifndef TRITONFLOW_INTERNAL_H
#define TRITONFLOW_INTERNAL_H

#include "tritonflow_program.h"

#include <pthread.h>

#define fail tritonflow_internal_fail
#define aligned tritonflow_internal_aligned
#define sha256 tritonflow_internal_sha256
#define read_program tritonflow_internal_read_program
#define SHARED __attribute__((visibility("hidden")))

enum { VERSION = 1, MOST_THREADS = 64, ALIGNMENT = 64, ENOUGH = 16, PAGE = 4096, RECORD = 9 };

enum { SIZE, TABLE, ADD, SUB, MUL, DIV, MOD, MIN, MAX, OPERATIONS };
static const char *const NAMES[OPERATIONS] = {"size", "table", "add", "sub", "mul", "div", "mod", "min", "max"};

typedef struct { int is_line; int64_t value; } number;               /* itself, or that of a line of the variant */
typedef struct { char kind; int64_t which; number offset; } operand; /* an argument of a launch */
typedef struct { int count; operand *rows; } row_list;
typedef struct { int operation, count; number *operands; } formula;
typedef struct { int result; char *name, *dtype; number nbytes; int rank; number *shape, *stride; } output;
typedef struct { char *error; int count; char **texts; } check;
typedef struct { int kernel, word; number grid[3], alone; row_list arguments; } launch;
typedef struct {
    int formulas, outputs, buffers, undone, words, tables, launches;
    formula *formula;
    output *output;
    number arena, *buffer;
    int *undo;
    check *word;
    row_list *table;
    launch *launch;
} variant;
typedef struct { char *name; int count; int64_t *values; } size_list;
typedef struct { char *name, *dtype; int rank, *size; int64_t *shape; } input; /* size: which of the sizes, or -1 */
typedef struct { uint8_t *memory; int64_t nbytes; } state;
typedef struct { char *name; uint8_t *data; size_t size; } file;
typedef struct { char kind; int slot, which; int64_t offset, *slots; } live;
typedef struct {                                                     /* a variant bound to memory for some sizes */
    int64_t combination, *slots, *records, *tables, failure[2];
    int32_t *words;
    int lives;
    live *live;
    int64_t *numbers;
    variant *of;
} bound;

struct tritonflow_program {
    char *path, *text, digest[65];
    file *files;
    int file_count, threads, kernel_count, state_count, size_count, input_count, variant_count, result_count;
    int64_t stride, combinations, *choices, arena_bytes;
    void **kernels, *library;
    int descriptor;
    int64_t (*run)(const int64_t *, int64_t, int64_t, void *, int64_t);
    state *states;
    size_list *sizes;
    input *inputs;
    variant *variants;
    tritonflow_tensor *input_tensors, *output_tensors;
    uint8_t *arena, *scratch;
    bound bound;
    pthread_mutex_t lock;
    void **blocks; /* all memory of the text's parts */
    int block_count, block_room;
};

/* Note an error of this thread; -1. */
SHARED int fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Memory that begins at a page, for so many bytes and a vector. */
SHARED void *aligned(size_t nbytes);

/* The digest of some bytes: 64 hexadecimal digits and a zero. */
SHARED void sha256(const uint8_t *data, size_t size, char *hexadecimal);

/* Fill in a program that has a path and a number of threads: 0, or -1 and an error. */
SHARED int read_program(tritonflow_program *program, const char *digest);

#endif
