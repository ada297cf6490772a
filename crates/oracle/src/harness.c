/* Runs compiled programs on inputs and writes exactly what happened, one line for each run.
   The words of inputs and results are those of `datum.rs`. Each run has a process of its own. */

#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct array {
    void *data;
    int length;
};

static char *rest;            /* What is left of the line. */
static FILE *results;
static struct array arrays[16]; /* The arrays that were read, by argument. */

static char *next_word(void) { return strsep(&rest, " \n"); }

static size_t items_of(const char *list) {
    size_t count = list[1] != ']';
    for (; *list; list++)
        count += *list == ',';
    return count;
}

static double double_of(const char *word) {
    double value;
    unsigned long bits = strtoul(word + 1, NULL, 16);
    if (word[0] == 'N')
        return __builtin_nan("");
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float float_of(const char *word) {
    float value;
    unsigned bits = (unsigned) strtoul(word + 1, NULL, 16);
    if (word[0] == 'N')
        return __builtin_nanf("");
    memcpy(&value, &bits, sizeof value);
    return value;
}

static unsigned long unsigned_of(const char *word) {
    return word[0] == '-' ? (unsigned long) strtol(word, NULL, 10) : strtoul(word, NULL, 10);
}

static void write_f64(double value) {
    unsigned long bits;
    memcpy(&bits, &value, sizeof bits);
    if (value != value)
        fputs("NaN", results);
    else
        fprintf(results, "x%016lx", bits);
}

static void write_f32(float value) {
    unsigned bits;
    memcpy(&bits, &value, sizeof bits);
    if (value != value)
        fputs("NaN", results);
    else
        fprintf(results, "x%08x", bits);
}

#define INTEGER(name, type, format, wide) \
    static void write_##name(type value) { fprintf(results, format, (wide) value); }

INTEGER(bool, _Bool, "%d", int)
INTEGER(i8, signed char, "%ld", long)
INTEGER(u8, unsigned char, "%lu", unsigned long)
INTEGER(i16, short, "%ld", long)
INTEGER(u16, unsigned short, "%lu", unsigned long)
INTEGER(i32, int, "%ld", long)
INTEGER(u32, unsigned, "%lu", unsigned long)
INTEGER(i64, long, "%ld", long)
INTEGER(u64, unsigned long, "%lu", unsigned long)

#define KIND(name, type, of) \
    static type read_##name(void) { return (type) of(next_word()); } \
    static struct array read_array_##name(int argument) { \
        char *word = next_word(), *item; \
        struct array array = {NULL, 0}; \
        if (word[0] == '@') \
            return arrays[argument] = arrays[atoi(word + 1)]; \
        if (word[0] == '[') { \
            /* No element more than there are, so that an index past the end can be noticed. */ \
            type *data = malloc(items_of(word) * sizeof(type)); \
            word++; \
            while ((item = strsep(&word, ",]")) != NULL && *item) \
                data[array.length++] = (type) of(item); \
            array.data = data; \
        } \
        return arrays[argument] = array; \
    } \
    static void write_array_##name(struct array array) { \
        if (array.data == NULL) \
            return; \
        fputs(" [", results); \
        for (int i = 0; i < array.length; i++) { \
            if (i) \
                fputc(',', results); \
            write_##name(((type *) array.data)[i]); \
        } \
        fputc(']', results); \
    }

KIND(bool, _Bool, unsigned_of)
KIND(i8, signed char, unsigned_of)
KIND(u8, unsigned char, unsigned_of)
KIND(i16, short, unsigned_of)
KIND(u16, unsigned short, unsigned_of)
KIND(i32, int, unsigned_of)
KIND(u32, unsigned, unsigned_of)
KIND(i64, long, unsigned_of)
KIND(u64, unsigned long, unsigned_of)
KIND(f32, float, float_of)
KIND(f64, double, double_of)

static void (*const programs[])(void);

/* Each line of standard input: the number of the program, its arguments, its globals. */
int main(void) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            char *output = NULL, *text = NULL;
            size_t output_size = 0, text_size = 0;
            FILE *console = stdout;
            alarm(5);
            rest = line;
            results = open_memstream(&text, &text_size);
            stdout = open_memstream(&output, &output_size);
            programs[atoi(next_word())]();
            fflush(stdout);
            stdout = console;
            fputs(" output s", results);
            for (size_t i = 0; i < output_size; i++)
                fprintf(results, "%04x", (unsigned char) output[i]);
            fputc('\n', results);
            fflush(results);
            if (write(1, text, text_size) != (ssize_t) text_size)
                _exit(1);
            _exit(0);
        }
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status))
            printf("crashed SIG%s\n", sigabbrev_np(WTERMSIG(status)));
        else if (WEXITSTATUS(status) != 0)
            printf("crashed %d\n", WEXITSTATUS(status));
        fflush(stdout);
    }
    return 0;
}
