/* driver FOLDER THREADS RUNS INPUT... -- OUTPUT...: an input is dtype:2,3:file; each output's bytes go to a file, or nowhere with -.
   Prints "output name dtype shape stride" for each. RUNS threads run at once, and must give the same; 0: it is opened and closed. */
#include "tritonflow_program.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

typedef struct {
    tritonflow_program *program;
    tritonflow_tensor *inputs, outputs[MOST];
    int input_count, output_count, failed;
    char text[2048];
} job;

static void *run(void *data) {
    job *own = data;
    own->failed = tritonflow_run(own->program, own->inputs, own->input_count, own->outputs, own->output_count);
    if (own->failed) snprintf(own->text, sizeof own->text, "%s", tritonflow_error());
    return NULL;
}

static tritonflow_tensor input(char *text) {
    tritonflow_tensor found = {.dtype = strtok(text, ":")};
    char *shape = strtok(NULL, ":"), *path = strtok(NULL, ":"), *next;
    for (; *shape && *shape != '-'; shape = *next ? next + 1 : next) found.shape[found.rank++] = strtoll(shape, &next, 10);
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    found.data = (char *)malloc((size_t)size + 8) + 4; /* not where vectors may begin */
    if (fread(found.data, 1, (size_t)size, file) != (size_t)size) exit(3);
    fclose(file);
    return found;
}

int main(int count, char **words) {
    static job jobs[64];
    tritonflow_tensor inputs[MOST];
    int runs = atoi(words[3]), given = 0, at = 4;
    tritonflow_program *program = tritonflow_open(words[1], atoi(words[2]), NULL);
    if (!program) return puts(tritonflow_error()), 1;
    for (; at < count && strcmp(words[at], "--"); at++) inputs[given++] = input(words[at]);
    if (!runs) return tritonflow_close(program), 0;
    const tritonflow_tensor *wanted, *told;
    int outputs = tritonflow_outputs(program, &told);
    if (tritonflow_inputs(program, &wanted) != given) puts("another number of inputs");
    pthread_t threads[64];
    for (int i = 0; i < runs; i++) {
        jobs[i] = (job){.program = program, .inputs = inputs, .input_count = given, .output_count = outputs};
        if (pthread_create(threads + i, NULL, run, jobs + i)) return 4;
    }
    for (int i = 0; i < runs; i++) pthread_join(threads[i], NULL);
    if (jobs[0].failed) return puts(jobs[0].text), 2;
    for (int k = 0; k < outputs; k++) {
        tritonflow_tensor *own = jobs[0].outputs + k;
        for (int i = 1; i < runs; i++) {
            if (jobs[i].failed || memcmp(jobs[i].outputs[k].data, own->data, own->nbytes)) puts("runs differ");
            free(jobs[i].outputs[k].data);
        }
        if (strcmp(own->name, told[k].name) || strcmp(own->dtype, told[k].dtype) || own->rank != told[k].rank) puts("not as told");
        printf("output %s %s", own->name, own->dtype);
        for (int d = 0; d < own->rank; d++) printf(" %lld", (long long)own->shape[d]);
        printf(" /");
        for (int d = 0; d < own->rank; d++) printf(" %lld", (long long)own->stride[d]);
        puts("");
        FILE *file = ++at < count && strcmp(words[at], "-") ? fopen(words[at], "wb") : NULL;
        if (file) fwrite(own->data, 1, own->nbytes, file), fclose(file);
        free(own->data);
    }
    for (int i = 0; i < given; i++) free((char *)inputs[i].data - 4);
    tritonflow_close(program);
    return 0;
}
