/* The part of the replay driver that needs headers: memory for the inputs, and the report. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void selfsame_case(void);

static FILE *report;

static void name(const char *name, long index) {
    if (index < 0)
        fprintf(report, "%s = ", name);
    else
        fprintf(report, "%s[%ld] = ", name, index);
}

void *selfsame_memory(unsigned long size) {
    return calloc(size ? size : 1, 1);
}

void selfsame_copy(void *to, const void *from, unsigned long size) {
    memcpy(to, from, size);
}

void selfsame_int(const char *what, long index, long long value) {
    name(what, index);
    fprintf(report, "%lld\n", value);
}

void selfsame_unsigned(const char *what, long index, unsigned long long value) {
    name(what, index);
    fprintf(report, "%llu\n", value);
}

void selfsame_float(const char *what, long index, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    name(what, index);
    fprintf(report, "f32:%08x\n", value != value ? 0x7fc00000u : bits);
}

void selfsame_double(const char *what, long index, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    name(what, index);
    fprintf(report, "f64:%016llx\n", value != value ? 0x7ff8000000000000ull : (unsigned long long)bits);
}

void selfsame_bytes(const char *what, const void *a, const void *b, unsigned long size) {
    fprintf(report, "%s: %s\n", what, memcmp(a, b, size) ? "other bytes" : "the same bytes");
}

int main(int count, char **arguments) {
    report = count == 2 ? fopen(arguments[1], "w") : NULL;
    if (!report)
        return 98;
    selfsame_case();
    fprintf(report, "done\n");
    fclose(report);
    fflush(stdout);
    return 0;
}
