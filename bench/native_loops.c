/* What this machine can do at best: a loop of fused multiply-adds, and loops that only move bytes. Built by cpu_kernels.py. */
#include <immintrin.h>
#include <stddef.h>

#ifdef __AVX512F__
#define LANES 16
typedef __m512 vec;
#define FMA _mm512_fmadd_ps
#define SET1 _mm512_set1_ps
#define LOAD _mm512_loadu_ps
#define ADD _mm512_add_ps
#define STORE _mm512_storeu_ps
#define STREAM _mm512_stream_ps
#else
#define LANES 8
typedef __m256 vec;
#define FMA _mm256_fmadd_ps
#define SET1 _mm256_set1_ps
#define LOAD _mm256_loadu_ps
#define ADD _mm256_add_ps
#define STORE _mm256_storeu_ps
#define STREAM _mm256_stream_ps
#endif

/* 20 independent chains a thread; returns the floating-point operations done. */
double fma_loop(long steps, int threads) {
    float sink = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sink)
    {
        vec acc[20], x = SET1(0.999f), y = SET1(1e-3f);
        for (int i = 0; i < 20; i++) acc[i] = SET1((float)i);
        for (long s = 0; s < steps; s++)
#pragma GCC unroll 20
            for (int i = 0; i < 20; i++) acc[i] = FMA(acc[i], x, y);
        for (int i = 0; i < 20; i++) sink += ((float *)&acc[i])[0];
    }
    return sink == 1.25f ? 0 : 2.0 * LANES * 20 * steps * threads;
}

/* Every output is the sum of all inputs; n is a multiple of LANES, the arrays are aligned to 64 bytes. */
static inline __attribute__((always_inline)) void stream_of(
    float **in, const int reads, float **out, const int writes, long n, int threads, const int bypass) {
    float sink = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sink)
    {
        vec total = SET1(0.0f);
#pragma omp for schedule(static)
        for (long i = 0; i < n; i += LANES) {
            vec sum = SET1(1.0f);
            for (int k = 0; k < reads; k++) sum = ADD(sum, LOAD(in[k] + i));
            for (int k = 0; k < writes; k++)
                if (bypass) STREAM(out[k] + i, sum);
                else STORE(out[k] + i, sum);
            if (!writes) total = ADD(total, sum);
        }
        sink += ((float *)&total)[0];
    }
    if (sink == 1.25f) out[0] = in[0];
}

#define CASE(r, w) \
    case 4 * r + w: \
        if (bypass) stream_of(in, r, out, w, n, threads, 1); \
        else stream_of(in, r, out, w, n, threads, 0); \
        break;

void stream_loop(float **in, int reads, float **out, int writes, long n, int threads, int bypass) {
    switch (4 * reads + writes) {
        CASE(0, 1) CASE(1, 0) CASE(1, 1) CASE(2, 0) CASE(2, 1) CASE(3, 1) CASE(4, 1) CASE(4, 3)
    }
}
