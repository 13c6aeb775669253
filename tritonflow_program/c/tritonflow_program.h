/* Programs that tritonflow.export wrote, from C, C++ or Rust: six functions, no Python in the process.

       tritonflow_program *program = tritonflow_open("classifier", 0, NULL);
       tritonflow_tensor image = {.rank = 4, .shape = {1, 3, 224, 224}, .dtype = "float32", .data = pixels};
       tritonflow_tensor scores = {0};
       if (!program || tritonflow_run(program, &image, 1, &scores, 1)) puts(tritonflow_error());

   Compile the sources beside this file with the rest, for Linux on x86-64:

       cc -O2 -I DIR main.c DIR/tritonflow_program.c DIR/folder.c DIR/sha256.c -lpthread -ldl */
#ifndef TRITONFLOW_PROGRAM_H
#define TRITONFLOW_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRITONFLOW_MOST_DIMS 16

typedef struct tritonflow_program tritonflow_program;

/* An input, an output, or what a program says of one. */
typedef struct {
    const char *name;                       /* of a description, and of outputs; inputs go by their order */
    const char *dtype;                      /* "float32", "bfloat16", "int64", "bool" ... */
    int64_t rank;
    int64_t shape[TRITONFLOW_MOST_DIMS];    /* of a description: -1 for a size that differs from run to run */
    int64_t stride[TRITONFLOW_MOST_DIMS];   /* of outputs, in elements; inputs are contiguous */
    void *data;                             /* inputs are only read */
    size_t nbytes;                          /* of an output's data: how many bytes may be written, and then how many were */
} tritonflow_tensor;

/* The program in a folder, or NULL. Everything is read and compared with its digests before anything of it is loaded. `threads` is
   from 1 to 64; 0 for as many as there are CPUs. `digest` is what export() gave, or NULL for any. */
tritonflow_program *tritonflow_open(const char *path, int threads, const char *digest);

/* How many inputs a program takes, in which order and of which kind. The descriptions live as long as the program. */
int tritonflow_inputs(const tritonflow_program *program, const tritonflow_tensor **inputs);

/* The same of its outputs; shapes are -1 where they differ from run to run. */
int tritonflow_outputs(const tritonflow_program *program, const tritonflow_tensor **outputs);

/* Run: 0, or -1 and an error. Of each output `data` is memory for `nbytes` bytes that begins at a multiple of 16, or NULL: then it
   is allocated, and the caller calls free() of it. Name, dtype, shape, stride and nbytes of the outputs are filled in. What is
   wrong with inputs is found before anything runs. Runs of one program from several threads are done one after the other. */
int tritonflow_run(
    tritonflow_program *program, const tritonflow_tensor *inputs, int input_count, tritonflow_tensor *outputs, int output_count);

/* What was wrong in the last call of this thread. */
const char *tritonflow_error(void);

/* Free a program; NULL is none. No run may be under way. */
void tritonflow_close(tritonflow_program *program);

#ifdef __cplusplus
}
#endif
#endif
