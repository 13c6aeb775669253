/* Runs the network that classify.py exports: no Python in the process. Prints the class of each of four images. */
#include "tritonflow_program.h"

#include <stdio.h>
#include <stdlib.h>

enum { IMAGES = 4, PIXELS = 64 };

int main(int count, char **words) {
    if (count != 2) return fprintf(stderr, "usage: %s FOLDER\n", words[0]), 2;
    tritonflow_program *program = tritonflow_open(words[1], 0, NULL);
    if (!program) return fprintf(stderr, "%s\n", tritonflow_error()), 1;

    static float pixels[IMAGES * PIXELS];
    for (int i = 0; i < IMAGES * PIXELS; i++) pixels[i] = (float)(i * 7 % 17) / 8 - 1;
    tritonflow_tensor images = {.dtype = "float32", .rank = 4, .shape = {IMAGES, 1, 8, 8}, .data = pixels};
    tritonflow_tensor scores = {0};
    if (tritonflow_run(program, &images, 1, &scores, 1)) return fprintf(stderr, "%s\n", tritonflow_error()), 1;

    for (int image = 0; image < scores.shape[0]; image++) {
        const float *own = (const float *)scores.data + image * scores.stride[0];
        int best = 0;
        for (int k = 1; k < scores.shape[1]; k++)
            if (own[k] > own[best]) best = k;
        printf("%d\n", best);
    }
    free(scores.data);
    tritonflow_close(program);
    return 0;
}
