/* Reads the folder of a program: files and their digests, the text, and the kernels for this CPU. */
#define _GNU_SOURCE
#include "internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { DIGEST_LINE = 72 }; /* bytes of the last line of program.txt */

static int wrong(const tritonflow_program *p, const char *format, ...) {
    char reason[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return fail("cannot load the program in '%s': %s", p->path, reason);
}

static void *room(tritonflow_program *p, size_t count, size_t size) {
    if (p->block_count == p->block_room) {
        int more = p->block_room ? 2 * p->block_room : 256;
        void **blocks = realloc(p->blocks, more * sizeof *blocks);
        if (!blocks) return NULL;
        p->blocks = blocks;
        p->block_room = more;
    }
    void *block = calloc(count ? count : 1, size ? size : 1);
    if (block) p->blocks[p->block_count++] = block;
    return block;
}

/* ----------------------------------------------------------------------------------------------------------- words of the text */

typedef struct { tritonflow_program *program; char *at; int failed; } reader;

static char *word(reader *r) { /* the next word of the line; empty behind its last one */
    char *begin = r->at;
    while (*r->at && *r->at != ' ' && *r->at != '\n') r->at++;
    size_t length = (size_t)(r->at - begin);
    if (*r->at == ' ') r->at++;
    char *copy = room(r->program, length + 1, 1);
    if (!copy) {
        r->failed = 1;
        return "";
    }
    memcpy(copy, begin, length);
    return copy;
}

static int64_t integer(reader *r) {
    char *begin = r->at, *end;
    errno = 0;
    int64_t value = strtoll(begin, &end, 10);
    if (end == begin || errno || (*end != ' ' && *end != '\n')) r->failed = 1;
    r->at = *end == ' ' ? end + 1 : end;
    return value;
}

static int count_of(reader *r) { /* never more than there are words left */
    int64_t value = integer(r);
    if (value < 0 || value > (int64_t)strlen(r->at)) r->failed = 1;
    return r->failed ? 0 : (int)value;
}

static int index_of(reader *r, int64_t count) {
    int64_t value = integer(r);
    if (value < 0 || value >= count) r->failed = 1;
    return r->failed ? 0 : (int)value;
}

static number a_number(reader *r, int lines) {
    number found = {0, 0};
    if (*r->at == '#') {
        r->at++;
        found.is_line = 1;
        found.value = index_of(r, lines);
    } else
        found.value = integer(r);
    return found;
}

static char *decoded(char *text) {
    char *to = text;
    for (char *from = text; *from; from++) {
        unsigned byte;
        if (*from == '%' && sscanf(from + 1, "%2x", &byte) == 1) {
            *to++ = (char)byte;
            from += 2;
        } else
            *to++ = *from;
    }
    *to = 0;
    return text;
}

static void begin(reader *r, const char *name) { /* a line that begins with a name */
    size_t length = strlen(name);
    if (*r->at == '\n') r->at++;
    if (strncmp(r->at, name, length) || (r->at[length] != ' ' && r->at[length] != '\n'))
        r->failed = 1;
    else
        r->at += length + (r->at[length] == ' ');
}

static void end(reader *r) {
    if (*r->at != '\n') r->failed = 1;
}

#define LIST(r, kind, count) ((kind *)listed(r, count, sizeof(kind)))

static void *listed(reader *r, size_t count, size_t size) {
    void *found = room(r->program, count, size);
    if (!found) r->failed = 1;
    return found;
}

static row_list operands(reader *r, int lines) {
    row_list found = {count_of(r), NULL};
    found.rows = LIST(r, operand, found.count);
    for (int i = 0; i < found.count && !r->failed; i++) {
        operand *each = found.rows + i;
        each->kind = *r->at;
        if (!strchr("viosatw", each->kind) || r->at[1] != ' ') r->failed = 1;
        r->at += 2;
        each->which = integer(r);
        each->offset = a_number(r, lines);
    }
    return found;
}

static void read_variant(reader *r, variant *v, int combinations) {
    tritonflow_program *p = r->program;
    begin(r, "variant"), end(r), begin(r, "numbers");
    v->formula = LIST(r, formula, v->formulas = count_of(r));
    for (int i = 0; i < v->formulas && !r->failed; i++) {
        begin(r, "number");
        const char *operation = word(r);
        formula *each = v->formula + i;
        while (each->operation < OPERATIONS && strcmp(operation, NAMES[each->operation])) each->operation++;
        if (each->operation == OPERATIONS) r->failed = 1;
        int most = each->operation == TABLE ? combinations : each->operation == SIZE ? 1 : 2;
        each->operands = LIST(r, number, most);
        while (*r->at != '\n' && each->count < most && !r->failed)
            each->operands[each->count++] = each->operation == SIZE ? (number){0, index_of(r, p->size_count)} : a_number(r, i);
        if (each->operation != TABLE && each->count != most) r->failed = 1;
        end(r);
    }
    begin(r, "outputs");
    v->output = LIST(r, output, v->outputs = count_of(r));
    for (int i = 0; i < v->outputs && !r->failed; i++) {
        output *each = v->output + i;
        begin(r, "output");
        each->result = (int)integer(r);
        each->name = decoded(word(r));
        each->dtype = word(r);
        each->nbytes = a_number(r, v->formulas);
        each->rank = index_of(r, TRITONFLOW_MOST_DIMS + 1);
        each->shape = LIST(r, number, each->rank);
        each->stride = LIST(r, number, each->rank);
        for (int d = 0; d < each->rank && !r->failed; d++) each->shape[d] = a_number(r, v->formulas);
        for (int d = 0; d < each->rank && !r->failed; d++) each->stride[d] = a_number(r, v->formulas);
        end(r);
    }
    begin(r, "arena");
    v->arena = a_number(r, v->formulas);
    begin(r, "buffers");
    v->buffer = LIST(r, number, v->buffers = count_of(r));
    for (int i = 0; i < v->buffers && !r->failed; i++) begin(r, "buffer"), v->buffer[i] = a_number(r, v->formulas);
    begin(r, "undo");
    v->undo = LIST(r, int, v->undone = count_of(r));
    for (int i = 0; i < v->undone && !r->failed; i++) v->undo[i] = index_of(r, p->state_count);
    begin(r, "words");
    v->word = LIST(r, check, v->words = count_of(r));
    for (int i = 0; i < v->words && !r->failed; i++) {
        begin(r, "word");
        v->word[i].error = word(r);
        v->word[i].texts = LIST(r, char *, v->word[i].count = count_of(r));
        for (int k = 0; k < v->word[i].count && !r->failed; k++) v->word[i].texts[k] = decoded(word(r));
    }
    begin(r, "tables");
    v->table = LIST(r, row_list, v->tables = count_of(r));
    for (int i = 0; i < v->tables && !r->failed; i++) begin(r, "table"), v->table[i] = operands(r, v->formulas);
    begin(r, "launches");
    v->launch = LIST(r, launch, v->launches = count_of(r));
    for (int i = 0; i < v->launches && !r->failed; i++) {
        launch *each = v->launch + i;
        begin(r, "launch");
        each->kernel = index_of(r, p->kernel_count);
        for (int k = 0; k < 3; k++) each->grid[k] = a_number(r, v->formulas);
        each->alone = a_number(r, v->formulas);
        each->word = (int)integer(r);
        if (each->word < -1 || each->word >= v->words) r->failed = 1;
        each->arguments = operands(r, v->formulas);
    }
}

/* ----------------------------------------------------------------------------------------------------------------------- files */

static uint8_t *read_file(const tritonflow_program *p, const char *name, size_t *size) {
    char *path = NULL;
    if (asprintf(&path, "%s/%s", p->path, name) < 0) return NULL;
    FILE *stream = fopen(path, "rb");
    free(path);
    uint8_t *data = NULL;
    long length = -1;
    if (stream && !fseek(stream, 0, SEEK_END) && (length = ftell(stream)) >= 0 && !fseek(stream, 0, SEEK_SET) &&
        (data = malloc((size_t)length + 1)) && fread(data, 1, (size_t)length, stream) != (size_t)length) {
        free(data);
        data = NULL;
    }
    if (!data) wrong(p, "%s cannot be read (%s)", name, strerror(errno ? errno : EIO));
    if (stream) fclose(stream);
    if (data) data[length] = 0, *size = (size_t)length;
    return data;
}

static int read_text(tritonflow_program *p, const char *digest) {
    size_t size;
    p->text = (char *)read_file(p, "program.txt", &size);
    if (!p->text) return -1;
    char last[DIGEST_LINE + 1];
    size_t body = size >= DIGEST_LINE ? size - DIGEST_LINE : 0;
    sha256((uint8_t *)p->text, body, p->digest);
    snprintf(last, sizeof last, "digest %s", p->digest);
    if (size < DIGEST_LINE || memcmp(p->text + body, last, DIGEST_LINE - 1) || p->text[size - 1] != '\n')
        return wrong(p, "program.txt is damaged, or is no exported program: its digest does not match");
    if (digest && strcasecmp(digest, p->digest)) return wrong(p, "its digest is %s, not %s", p->digest, digest);
    p->text[body] = 0;
    return 0;
}

static int read_files(reader *r) {
    tritonflow_program *p = r->program;
    begin(r, "files");
    int count = count_of(r);
    p->files = LIST(r, file, count);
    for (int i = 0; i < count && !r->failed; i++) {
        begin(r, "file");
        file *each = p->files + i;
        each->name = word(r);
        int64_t size = integer(r);
        const char *sha = word(r);
        char found[65];
        if (r->failed || strchr(each->name, '/') || *each->name == '.') return wrong(p, "a file is called '%s'", each->name);
        each->data = read_file(p, each->name, &each->size);
        if (!each->data) return -1;
        p->file_count = i + 1;
        if ((int64_t)each->size != size)
            return wrong(p, "%s is damaged: it has %zu bytes, and should have %lld", each->name, each->size, (long long)size);
        sha256(each->data, each->size, found);
        if (strcmp(found, sha)) return wrong(p, "%s is damaged: its digest does not match", each->name);
    }
    return 0;
}

static file *file_called(tritonflow_program *p, const char *name) {
    for (int i = 0; i < p->file_count; i++)
        if (!strcmp(p->files[i].name, name)) return p->files + i;
    return NULL;
}

/* --------------------------------------------------------------------------------------------------------------------- kernels */

static char *cpu_flags(void) { /* " avx avx2 ... " */
    FILE *stream = fopen("/proc/cpuinfo", "r");
    char *line = NULL, *found = NULL;
    size_t size = 0;
    while (stream && !found && getline(&line, &size, stream) > 0)
        if (!strncmp(line, "flags", 5) && strchr(line, ':')) {
            line[strcspn(line, "\n")] = 0;
            if (asprintf(&found, "%s ", strchr(line, ':') + 1) < 0) found = NULL;
        }
    free(line);
    if (stream) fclose(stream);
    return found ? found : strdup(" ");
}

static int load_library(tritonflow_program *p, file *library) {
    /* From memory: the file may have changed since it was read. The descriptor stays open, as the loader knows libraries by their
       names, which have its number. */
    char name[64];
    p->descriptor = memfd_create(library->name, MFD_CLOEXEC);
    for (size_t done = 0; p->descriptor >= 0 && done < library->size;) {
        ssize_t written = write(p->descriptor, library->data + done, library->size - done);
        if (written <= 0) return wrong(p, "%s cannot be copied (%s)", library->name, strerror(errno));
        done += (size_t)written;
    }
    snprintf(name, sizeof name, "/proc/self/fd/%d", p->descriptor);
    p->library = p->descriptor < 0 ? NULL : dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!p->library) return wrong(p, "%s cannot be loaded: %s", library->name, p->descriptor < 0 ? strerror(errno) : dlerror());
    *(void **)&p->run = dlsym(p->library, "tritonflow_run");
    for (int i = 0; i < p->kernel_count; i++) {
        snprintf(name, sizeof name, "k%d", i);
        p->kernels[i] = dlsym(p->library, name);
        if (!p->kernels[i]) return wrong(p, "%s has no kernel %s", library->name, name);
    }
    return p->run ? 0 : wrong(p, "%s has no tritonflow_run", library->name);
}

static int may_use(const char *flags, const char *wanted) {
    if (!strstr(flags, wanted)) return 0;
#ifdef SYS_arch_prctl /* Linux lends the registers of AMX to a process that asks: ARCH_REQ_XCOMP_PERM, XTILEDATA */
    if (!strcmp(wanted, " amx_tile ")) return !syscall(SYS_arch_prctl, 0x1023, 18);
#endif
    return 1;
}

static file *read_targets(reader *r, int *chosen, int *targets, char *missing, size_t size) {
    tritonflow_program *p = r->program;
    char *flags = cpu_flags();
    file *best = NULL;
    begin(r, "targets");
    *targets = count_of(r);
    for (int i = 0; i < *targets && !r->failed; i++) {
        begin(r, "target");
        word(r);
        file *own = file_called(p, word(r));
        int fits = own != NULL;
        while (*r->at && *r->at != '\n') {
            char wanted[64];
            snprintf(wanted, sizeof wanted, " %s ", word(r));
            if (!may_use(flags, wanted)) {
                if (!i && !*missing) snprintf(missing, size, "%s", wanted);
                fits = 0;
            }
        }
        if (fits) best = own, *chosen = i;
    }
    free(flags);
    return best;
}

/* ------------------------------------------------------------------------------------------------------------------- all of it */

static int read_states(reader *r) {
    tritonflow_program *p = r->program;
    file *weights = file_called(p, "weights.safetensors");
    begin(r, "states");
    p->states = LIST(r, state, p->state_count = count_of(r));
    if (r->failed || !weights) return wrong(p, "it has no weights");
    for (int i = 0; i < p->state_count && !r->failed; i++) {
        begin(r, "state");
        word(r);
        int64_t offset = integer(r), nbytes = integer(r);
        integer(r);
        if (offset < 0 || nbytes < 0 || offset > (int64_t)weights->size || nbytes > (int64_t)weights->size - offset) r->failed = 1;
        if (r->failed) break;
        p->states[i].nbytes = nbytes;
        p->states[i].memory = aligned((size_t)nbytes);
        if (!p->states[i].memory) return fail("there is no memory for the weights");
        memcpy(p->states[i].memory, weights->data + offset, (size_t)nbytes);
    }
    return 0;
}

static void read_sizes(reader *r) {
    tritonflow_program *p = r->program;
    begin(r, "sizes");
    p->sizes = LIST(r, size_list, p->size_count = count_of(r));
    p->combinations = 1;
    for (int i = 0; i < p->size_count && !r->failed; i++) {
        size_list *each = p->sizes + i;
        begin(r, "size");
        each->name = decoded(word(r));
        each->values = LIST(r, int64_t, each->count = count_of(r));
        for (int k = 0; k < each->count && !r->failed; k++) each->values[k] = integer(r);
        if (p->combinations > (1 << 20) / (each->count ? each->count : 1)) r->failed = 1;
        p->combinations = r->failed ? 1 : p->combinations * each->count;
    }
    begin(r, "inputs");
    p->inputs = LIST(r, input, p->input_count = count_of(r));
    p->input_tensors = LIST(r, tritonflow_tensor, p->input_count);
    for (int i = 0; i < p->input_count && !r->failed; i++) {
        input *each = p->inputs + i;
        begin(r, "input");
        each->name = decoded(word(r));
        each->dtype = word(r);
        each->rank = index_of(r, TRITONFLOW_MOST_DIMS + 1);
        each->size = LIST(r, int, each->rank);
        each->shape = LIST(r, int64_t, each->rank);
        tritonflow_tensor *told = p->input_tensors + i;
        told->name = each->name, told->dtype = each->dtype, told->rank = each->rank;
        for (int d = 0; d < each->rank && !r->failed; d++) {
            each->size[d] = -1;
            if (*r->at == 's') r->at++, each->size[d] = index_of(r, p->size_count), told->shape[d] = -1;
            else told->shape[d] = each->shape[d] = integer(r);
        }
    }
}

static void tell_outputs(reader *r) {
    tritonflow_program *p = r->program;
    p->output_tensors = LIST(r, tritonflow_tensor, p->result_count);
    for (int k = 0; k < p->variant_count && !r->failed; k++)
        for (int i = 0; i < p->variants[k].outputs; i++) {
            output *each = p->variants[k].output + i;
            if (each->result < 0) continue;
            if (each->result >= p->result_count) {
                r->failed = 1;
                return;
            }
            tritonflow_tensor *told = p->output_tensors + each->result;
            for (int d = 0; d < each->rank; d++) {
                int differs = each->shape[d].is_line || (told->name && told->shape[d] != each->shape[d].value);
                told->shape[d] = differs ? -1 : each->shape[d].value;
            }
            told->name = each->name, told->dtype = each->dtype, told->rank = each->rank;
        }
    for (int i = 0; i < p->result_count; i++)
        if (!p->output_tensors[i].name) r->failed = 1;
}

int read_program(tritonflow_program *p, const char *digest) {
    if (read_text(p, digest)) return -1;
    reader r = {p, p->text, 0};
    struct utsname here;
    begin(&r, "tritonflow");
    if (r.failed || strcmp(word(&r), "program")) return wrong(p, "it is no exported program");
    int64_t version = integer(&r);
    if (version > VERSION)
        return wrong(
            p, "a later version of tritonflow wrote it: its format is %lld, and this reads up to %d", (long long)version, VERSION);
    begin(&r, "system");
    const char *system = word(&r), *machine = word(&r);
    uname(&here);
    if (strcmp(system, "linux") || strcmp(machine, here.machine))
        return wrong(p, "it is for %s %s, and this is %s %s", system, machine, here.sysname, here.machine);
    begin(&r, "made"), word(&r), word(&r);
    if (read_files(&r)) return -1;
    int chosen = 0, targets = 0;
    char missing[64] = "";
    file *library = read_targets(&r, &chosen, &targets, missing, sizeof missing);
    if (!library) return wrong(p, "this CPU has no%s, which its kernels need", *missing ? missing : " feature");
    begin(&r, "kernels");
    p->kernels = LIST(&r, void *, p->kernel_count = count_of(&r));
    for (int i = 0; i < p->kernel_count && !r.failed; i++) {
        begin(&r, "kernel"), word(&r);
        for (int k = 0; k < targets; k++) {
            int64_t scratch = integer(&r);
            if (k == chosen && scratch > p->stride) p->stride = scratch;
        }
    }
    p->stride = (p->stride + PAGE - 1) / PAGE * PAGE;
    if (read_states(&r)) return -1;
    read_sizes(&r);
    begin(&r, "results");
    p->result_count = count_of(&r);
    word(&r);
    begin(&r, "variants");
    p->variants = LIST(&r, variant, p->variant_count = count_of(&r));
    p->choices = LIST(&r, int64_t, (size_t)p->combinations);
    for (int64_t i = 0; i < p->combinations && !r.failed; i++) p->choices[i] = index_of(&r, p->variant_count);
    for (int i = 0; i < p->variant_count && !r.failed; i++) read_variant(&r, p->variants + i, (int)p->combinations);
    tell_outputs(&r);
    if (r.failed || strcmp(r.at, "\n")) return wrong(p, "its text is not as it should be, at '%.40s'", r.at);
    p->scratch = aligned((size_t)p->stride * p->threads + PAGE);
    return p->scratch ? load_library(p, library) : fail("there is no memory for the program");
}
