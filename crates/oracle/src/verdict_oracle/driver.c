/* Runs both versions of many pairs on the same inputs, and writes those that an input separates. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int arena[256];          /* pointers point into its middle */
static unsigned char bytes[64];
static char structs[512] __attribute__((aligned(16)));
static sigjmp_buf away;
static int fuel_left;
static unsigned ticks;
static unsigned long random_state;
static char text[2][8192];
static char *text_end;
static char trace[1024];
static int trace_length;

static unsigned below(unsigned bound) {
    random_state = random_state * 6364136223846793005UL + 1442695040888963407UL;
    return (unsigned)(random_state >> 33) % bound;
}
static int number(void) {
    static const int some[] = { 0, 1, 2, 3, 4, 5, 7, -1, -2, 8, 255, 256, 2147483647, -2147483647 - 1 };
    return below(6) == 0 ? (int)(below(65536) << 16 | below(65536)) : some[below(14)];
}
static void use_fuel(void) {
    if (--fuel_left < 0) siglongjmp(away, 2);
}
static void on_signal(int signal) {
    (void)signal;
    siglongjmp(away, 1);
}
static void say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    text_end += vsprintf(text_end, format, list);
    va_end(list);
}
static void note(const char *format, ...) {
    va_list list;
    va_start(list, format);
    if (trace_length < 900) trace_length += vsprintf(trace + trace_length, format, list);
    va_end(list);
}
/* Where a pointer points to, in words that do not depend on addresses; the version's own variables come by name. */
static const char *place(const void *pointer, const void *own, long size) {
    static char words[4][32];
    static int next;
    char *word = words[next++ & 3];
    const char *at = pointer;
    if (!at) return "null";
    if (at >= (char *)arena && at < (char *)(arena + 256)) sprintf(word, "arena+%ld", (long)(at - (char *)arena));
    else if (at >= structs && at < structs + 512) sprintf(word, "structs+%ld", (long)(at - structs));
    else if (own && at >= (char *)own && at < (char *)own + size) sprintf(word, "own+%ld", (long)(at - (char *)own));
    else sprintf(word, "elsewhere");
    return word;
}
static void begin(unsigned long seed) {
    int i;
    random_state = seed * 0x9E3779B97F4A7C15UL + 12345;
    fuel_left = 60;
    ticks = 0;
    trace_length = 0;
    trace[0] = 0;
    for (i = 0; i < 256; i++) arena[i] = below(3) ? (int)below(9) : number();
    for (i = 0; i < 64; i++) bytes[i] = (unsigned char)below(256);
    memset(structs, 0, sizeof structs);
}
static void end(void) {
    int i;
    unsigned long sum = 0;
    for (i = 90; i < 120; i++) say(" %d", arena[i]);
    for (i = 0; i < 256; i++) sum = sum * 31 + (unsigned)arena[i];
    say(" sum %lu bytes", sum);
    for (i = 20; i < 40; i++) say(" %d", bytes[i]);
    say(" calls %s", trace);
}
static int run(int side, void (*version)(int), unsigned long seed) {
    int how;
    text_end = text[side];
    *text_end = 0;
    begin(seed);
    how = sigsetjmp(away, 1);
    if (how == 0) {
        version(seed == 0);
        end();
    }
    return how;
}
struct pair { int number; void (*old)(int), (*new)(int); };
static void judge(const struct pair *pair, unsigned long inputs) {
    unsigned long seed;
    for (seed = 0; seed < inputs; seed++) {
        int old = run(0, pair->old, seed), new = run(1, pair->new, seed);
        if (old == 2 || new == 2 || (old == 1 && new == 1)) continue;
        if (old != new || strcmp(text[0], text[1]) != 0) {
            printf("%d\tinput %lu\told: %s\tnew: %s\n", pair->number, seed, old ? "undefined" : text[0],
                   new ? "undefined" : text[1]);
            return;
        }
    }
}
