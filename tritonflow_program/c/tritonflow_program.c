/* The six functions: open and close programs, bind them to memory for the sizes of a run, and run them. */
#define _GNU_SOURCE
#include "internal.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Thread_local char error_text[2048];

int fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error_text, sizeof error_text, format, arguments);
    va_end(arguments);
    return -1;
}

const char *tritonflow_error(void) { return error_text; }

void *aligned(size_t nbytes) {
    return aligned_alloc(PAGE, (nbytes + ALIGNMENT + PAGE - 1) / PAGE * PAGE);
}

/* --------------------------------------------------------------------------------------------------------------------- opening */

static int available_cpus(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
}

tritonflow_program *tritonflow_open(const char *path, int threads, const char *digest) {
    if (threads < 0 || threads > MOST_THREADS) {
        fail("threads must be from 1 to %d, or 0, not %d", MOST_THREADS, threads);
        return NULL;
    }
    tritonflow_program *p = calloc(1, sizeof *p);
    if (!p || !(p->path = strdup(path))) {
        free(p);
        fail("there is no memory for the program");
        return NULL;
    }
    int cpus = available_cpus();
    p->threads = threads ? threads : cpus < MOST_THREADS ? cpus : MOST_THREADS;
    p->descriptor = -1;
    p->bound.combination = -1;
    pthread_mutex_init(&p->lock, NULL);
    if (read_program(p, digest)) {
        tritonflow_close(p);
        return NULL;
    }
    for (int i = 0; i < p->file_count; i++) free(p->files[i].data), p->files[i].data = NULL;
    return p;
}

int tritonflow_inputs(const tritonflow_program *p, const tritonflow_tensor **inputs) {
    *inputs = p->input_tensors;
    return p->input_count;
}

int tritonflow_outputs(const tritonflow_program *p, const tritonflow_tensor **outputs) {
    *outputs = p->output_tensors;
    return p->result_count;
}

static void unbind(bound *b) {
    free(b->slots), free(b->records), free(b->tables), free(b->words), free(b->live), free(b->numbers);
    memset(b, 0, sizeof *b);
    b->combination = -1;
}

void tritonflow_close(tritonflow_program *p) {
    if (!p) return;
    unbind(&p->bound);
    if (p->library) dlclose(p->library);
    if (p->descriptor >= 0) close(p->descriptor);
    for (int i = 0; i < p->state_count && p->states; i++) free(p->states[i].memory);
    for (int i = 0; i < p->file_count; i++) free(p->files[i].data);
    for (int i = 0; i < p->block_count; i++) free(p->blocks[i]);
    free(p->blocks), free(p->arena), free(p->scratch), free(p->text), free(p->path);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

/* --------------------------------------------------------------------------------------------------------------------- binding */

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b && (a < 0) != (b < 0)); }

static int64_t calculated(const formula *f, const int64_t *numbers, const int64_t *sizes, int64_t position) {
    if (f->operation == SIZE) return sizes[f->operands[0].value];
    if (f->operation == TABLE) return position < f->count ? f->operands[position].value : 0;
    int64_t value[2];
    for (int i = 0; i < 2; i++) value[i] = f->operands[i].is_line ? numbers[f->operands[i].value] : f->operands[i].value;
    int64_t a = value[0], b = value[1];
    switch (f->operation) {
        case ADD: return a + b;
        case SUB: return a - b;
        case MUL: return a * b;
        case DIV: return b ? floor_div(a, b) : 0;
        case MOD: return b ? a - b * floor_div(a, b) : 0;
        case MIN: return a < b ? a : b;
        default: return a > b ? a : b;
    }
}

static int64_t of(const bound *b, number n) { return n.is_line ? b->numbers[n.value] : n.value; }

/* Arguments in their slots, but for what differs from run to run; `tables` says where each table of addresses begins. */
static int fill(tritonflow_program *p, bound *b, int64_t *slots, const row_list *rows, const int64_t *tables) {
    variant *v = b->of;
    for (int i = 0; i < rows->count; i++) {
        const operand *each = rows->rows + i;
        int64_t which = each->which, offset = of(b, each->offset), base = 0;
        int64_t most[128] = {['v'] = 1, ['i'] = p->input_count, ['o'] = v->outputs, ['s'] = p->state_count, ['a'] = v->buffers,
                             ['t'] = v->tables, ['w'] = v->words};
        if (which < 0 || which >= most[(int)each->kind]) return fail("the program in '%s' names what it does not have", p->path);
        if (each->kind == 'i' || each->kind == 'o') {
            b->live[b->lives++] = (live){each->kind, i, (int)which, offset, slots};
            continue;
        }
        if (each->kind == 's') base = (int64_t)p->states[which].memory;
        if (each->kind == 'a') base = (int64_t)p->arena + of(b, v->buffer[which]);
        if (each->kind == 't') base = tables[which];
        if (each->kind == 'w') base = (int64_t)(b->words + which);
        slots[i] = base + offset;
    }
    return 0;
}

static int bind(tritonflow_program *p, int64_t combination, const int64_t *sizes) {
    bound *b = &p->bound;
    if (b->combination == combination) return 0;
    unbind(b);
    variant *v = b->of = p->variants + p->choices[combination];
    int64_t position = 0, slots = 0, rows = 0;
    for (int64_t i = 0; i < combination; i++) position += p->choices[i] == p->choices[combination];
    for (int i = 0; i < v->launches; i++) slots += v->launch[i].arguments.count + 1;
    for (int i = 0; i < v->tables; i++) rows += v->table[i].count;
    b->numbers = calloc((size_t)v->formulas + 1, 8);
    b->slots = calloc((size_t)slots + 1, 8);
    b->records = calloc((size_t)v->launches * RECORD + 1, 8);
    b->tables = calloc((size_t)rows + 1, 8);
    b->words = calloc((size_t)v->words + 1, 4);
    b->live = calloc((size_t)(slots + rows) + 1, sizeof *b->live);
    if (!b->numbers || !b->slots || !b->records || !b->tables || !b->words || !b->live) return fail("there is no memory for a run");
    for (int i = 0; i < v->formulas; i++) b->numbers[i] = calculated(v->formula + i, b->numbers, sizes, position);
    int64_t arena = of(b, v->arena);
    if (!p->arena || arena > p->arena_bytes) {
        free(p->arena);
        p->arena_bytes = arena;
        p->arena = aligned((size_t)arena);
        if (!p->arena) return fail("there is no memory for %lld bytes between the kernels", (long long)arena);
    }
    int64_t *begins = calloc((size_t)v->tables + 1, 8), *table = b->tables, *slot = b->slots;
    if (!begins) return fail("there is no memory for a run");
    for (int i = 0; i < v->tables; table += v->table[i++].count) {
        begins[i] = (int64_t)table;
        if (fill(p, b, table, v->table + i, begins)) return free(begins), -1;
    }
    for (int i = 0; i < v->launches; i++) {
        launch *each = v->launch + i;
        if (fill(p, b, slot, &each->arguments, begins)) return free(begins), -1;
        int64_t *record = b->records + (size_t)i * RECORD, total = 1;
        record[0] = (int64_t)p->kernels[each->kernel];
        for (int k = 0; k < 3; k++) total *= record[2 + k] = of(b, each->grid[k]);
        record[1] = total;
        record[5] = of(b, each->alone);
        record[6] = (int64_t)slot;
        record[8] = each->word < 0 ? 0 : (int64_t)(b->words + each->word);
        slot[each->arguments.count] = (int64_t)b->failure;
        slot += each->arguments.count + 1;
    }
    free(begins);
    b->combination = combination;
    return 0;
}

/* --------------------------------------------------------------------------------------------------------------------- running */

static int64_t itemsize(const char *dtype) {
    if (!strcmp(dtype, "bool")) return 1;
    if (!strncmp(dtype, "float8", 6)) return 1;
    int64_t bits = atoll(dtype + strcspn(dtype, "0123456789"));
    return bits / 8;
}

static int64_t elements(const tritonflow_tensor *x) {
    int64_t count = 1;
    for (int d = 0; d < x->rank; d++) count *= x->shape[d];
    return count;
}

static int64_t combination_of(tritonflow_program *p, const tritonflow_tensor *given, int count, int64_t *sizes) {
    if (count != p->input_count) return fail("the program takes %d inputs, and %d were given", p->input_count, count);
    for (int i = 0; i < p->size_count; i++) sizes[i] = -1;
    for (int i = 0; i < count; i++) {
        const input *want = p->inputs + i;
        const tritonflow_tensor *x = given + i;
        if (!x->dtype || strcmp(x->dtype, want->dtype))
            return fail("the input '%s' must be of dtype %s, not %s", want->name, want->dtype, x->dtype ? x->dtype : "none");
        if (x->rank != want->rank)
            return fail("the input '%s' must have %d dimensions, not %lld", want->name, want->rank, (long long)x->rank);
        for (int d = 0; d < want->rank; d++) {
            int64_t n = x->shape[d], size = want->size[d], wanted = size < 0 ? want->shape[d] : sizes[size];
            if (size >= 0 && wanted < 0) wanted = sizes[size] = n;
            if (n != wanted || n < 0)
                return fail(
                    "dimension %d of the input '%s' must be %lld, not %lld", d, want->name, (long long)wanted, (long long)n);
        }
        if (!x->data && elements(x)) return fail("the input '%s' has no data", want->name);
    }
    int64_t found = 0;
    for (int i = 0; i < p->size_count; i++) {
        int k = 0;
        while (k < p->sizes[i].count && p->sizes[i].values[k] != sizes[i]) k++;
        if (k == p->sizes[i].count)
            return fail("the size '%s' is %lld, for which the program was not exported", p->sizes[i].name, (long long)sizes[i]);
        found = found * p->sizes[i].count + k;
    }
    return found;
}

static int overlap(const void *a, int64_t n, const void *b, int64_t m) {
    return n > 0 && m > 0 && (const char *)a < (const char *)b + m && (const char *)b < (const char *)a + n;
}

static void describe(const bound *b, const output *each, tritonflow_tensor *to) {
    to->name = each->name, to->dtype = each->dtype, to->rank = each->rank;
    for (int d = 0; d < each->rank; d++) to->shape[d] = of(b, each->shape[d]), to->stride[d] = of(b, each->stride[d]);
}

static int check_outputs(const bound *b, const tritonflow_tensor *given, int count, const tritonflow_tensor *outputs) {
    for (int i = 0; i < b->of->outputs; i++) {
        const output *each = b->of->output + i;
        const tritonflow_tensor *to = each->result < 0 ? NULL : outputs + each->result;
        int64_t nbytes = of(b, each->nbytes);
        if (!to || !to->data) continue;
        if ((int64_t)to->nbytes < nbytes)
            return fail("the output '%s' takes %lld bytes, and there are %zu for it", each->name, (long long)nbytes, to->nbytes);
        if ((uintptr_t)to->data % ENOUGH) return fail("the output '%s' must begin at a multiple of %d", each->name, ENOUGH);
        for (int k = 0; k < count; k++)
            if (overlap(to->data, nbytes, given[k].data, elements(given + k) * itemsize(given[k].dtype)))
                return fail("the output '%s' lies in the memory of an input", each->name);
        for (int k = 0; k < i; k++) {
            const output *other = b->of->output + k;
            if (other->result >= 0 && overlap(to->data, nbytes, outputs[other->result].data, of(b, other->nbytes)))
                return fail("the output '%s' lies in the memory of the output '%s'", each->name, other->name);
        }
    }
    return 0;
}

static int found_wrong(tritonflow_program *p, uint8_t *const *before) {
    bound *b = &p->bound;
    int failed = 0;
    if (b->failure[0]) failed = fail("%s", (const char *)b->failure[0]);
    for (int i = 0; i < b->of->words && !failed; i++)
        if (b->words[i]) {
            int64_t position = 0;
            for (int64_t k = 0; k < b->combination; k++) position += p->choices[k] == p->choices[b->combination];
            failed = fail("%s", b->of->word[i].texts[b->of->word[i].count > 1 ? position : 0]);
        }
    if (!failed) return 0;
    memset(b->words, 0, 4 * (size_t)b->of->words);
    memset(b->failure, 0, sizeof b->failure);
    for (int i = 0; i < b->of->undone; i++)
        memcpy(p->states[b->of->undo[i]].memory, before[i], (size_t)p->states[b->of->undo[i]].nbytes);
    return -1;
}

static int launch_all(tritonflow_program *p, const int64_t *in, const int64_t *out) {
    bound *b = &p->bound;
    for (int i = 0; i < b->lives; i++) {
        live *each = b->live + i;
        each->slots[each->slot] = (each->kind == 'i' ? in : out)[each->which] + each->offset;
    }
    uint8_t **before = calloc((size_t)b->of->undone + 1, sizeof *before);
    int failed = before ? 0 : fail("there is no memory for a run");
    for (int i = 0; i < b->of->undone && !failed; i++) {
        state *each = p->states + b->of->undo[i];
        before[i] = malloc((size_t)each->nbytes + 1);
        if (before[i]) memcpy(before[i], each->memory, (size_t)each->nbytes);
        else failed = fail("there is no memory for a run");
    }
    if (!failed) {
        p->run(b->records, b->of->launches, p->threads, p->scratch, p->stride);
        failed = found_wrong(p, before);
    }
    for (int i = 0; before && i < b->of->undone; i++) free(before[i]);
    free(before);
    return failed;
}

static int run_bound(tritonflow_program *p, const tritonflow_tensor *inputs, int count, tritonflow_tensor *outputs) {
    bound *b = &p->bound;
    if (check_outputs(b, inputs, count, outputs)) return -1;
    int64_t *in = calloc((size_t)count + 1, 8), *out = calloc((size_t)b->of->outputs + 1, 8);
    void **copies = calloc((size_t)(count + b->of->outputs) + 1, sizeof *copies), **made = copies + count;
    int failed = in && out && copies ? 0 : fail("there is no memory for a run");
    for (int i = 0; i < count && !failed; i++) {
        in[i] = (int64_t)inputs[i].data;
        int64_t nbytes = elements(inputs + i) * itemsize(inputs[i].dtype);
        if (!(in[i] % ENOUGH) || !nbytes) continue;
        in[i] = (int64_t)(copies[i] = aligned((size_t)nbytes));
        if (copies[i]) memcpy(copies[i], inputs[i].data, (size_t)nbytes);
        else failed = fail("there is no memory for the input '%s'", p->inputs[i].name);
    }
    for (int i = 0; i < b->of->outputs && !failed; i++) {
        int result = b->of->output[i].result;
        out[i] = result < 0 ? 0 : (int64_t)outputs[result].data;
        if (!out[i] && !(out[i] = (int64_t)(made[i] = aligned((size_t)of(b, b->of->output[i].nbytes)))))
            failed = fail("there is no memory for the output '%s'", b->of->output[i].name);
    }
    if (!failed) failed = launch_all(p, in, out);
    for (int i = 0; i < b->of->outputs && !failed; i++) {
        int result = b->of->output[i].result;
        if (result < 0) continue;
        outputs[result].data = (void *)out[i];
        outputs[result].nbytes = (size_t)of(b, b->of->output[i].nbytes);
        describe(b, b->of->output + i, outputs + result);
        if (copies) made[i] = NULL;
    }
    for (int i = 0; copies && i < count + b->of->outputs; i++) free(copies[i]);
    free(copies), free(in), free(out);
    return failed;
}

int tritonflow_run(
    tritonflow_program *p, const tritonflow_tensor *inputs, int input_count, tritonflow_tensor *outputs, int output_count) {
    if (output_count != p->result_count)
        return fail("the program has %d outputs, and there is room for %d", p->result_count, output_count);
    int64_t *sizes = calloc((size_t)p->size_count + 1, sizeof *sizes);
    if (!sizes) return fail("there is no memory for a run");
    int64_t combination = combination_of(p, inputs, input_count, sizes);
    int failed = combination < 0 ? -1 : 0;
    if (!failed) {
        pthread_mutex_lock(&p->lock);
        failed = bind(p, combination, sizes);
        if (failed) unbind(&p->bound);
        else failed = run_bound(p, inputs, input_count, outputs);
        pthread_mutex_unlock(&p->lock);
    }
    free(sizes);
    return failed;
}
