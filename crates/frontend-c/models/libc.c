/* Models of libc's functions, in C. They are used where the program calls a function and does not define it.
   Exact in the "C" locale, but where a comment says otherwise. Out-of-bounds accesses are errors, as everywhere. */

typedef unsigned long size_t;

/* ---- bytes ---- */

/* The whole range must be there, though the answer may need only its start. */
static void __all_there(const void *s, size_t n) {
    const char *p = s;
    if (n > 0) {
        char first = p[0];
        char last = p[n - 1];
    }
}

/* What is written must not overlap with what is read. */
static void __apart(const char *to, size_t written, const char *from, size_t read) {
    if (__same_object(to, from)) {
        if (to < from + read && from < to + written) __overlapping_copy();
    }
}

void *memcpy(void *to, const void *from, size_t n) {
    char *d = to;
    const char *s = from;
    size_t i;
    if (__same_object(d, s)) {
        if (d != s && d < s + n && s < d + n) __overlapping_copy();
    }
    for (i = 0; i < n; i++) d[i] = s[i];
    return to;
}

void *mempcpy(void *to, const void *from, size_t n) {
    char *d = to;
    memcpy(to, from, n);
    return d + n;
}

void *memmove(void *to, const void *from, size_t n) {
    char *d = to;
    const char *s = from;
    size_t i;
    int backwards = 0;
    if (__same_object(d, s)) backwards = s < d;
    if (backwards) {
        for (i = n; i > 0; i--) d[i - 1] = s[i - 1];
    } else {
        for (i = 0; i < n; i++) d[i] = s[i];
    }
    return to;
}

void *memccpy(void *to, const void *from, int c, size_t n) {
    char *d = to;
    const char *s = from;
    size_t i;
    if (__same_object(d, s)) {
        size_t copied = 0;
        while (copied < n && (copied == 0 || (unsigned char)s[copied - 1] != (unsigned char)c)) copied++;
        __apart(d, copied, s, copied);
    }
    for (i = 0; i < n; i++) {
        d[i] = s[i];
        if ((unsigned char)s[i] == (unsigned char)c) return d + i + 1;
    }
    return 0;
}

void *memset(void *to, int c, size_t n) {
    unsigned char *d = to;
    size_t i;
    for (i = 0; i < n; i++) d[i] = (unsigned char)c;
    return to;
}

void bzero(void *to, size_t n) { memset(to, 0, n); }

/* The standard promises only the sign of the result; this is the difference of the bytes. */
int memcmp(const void *a, const void *b, size_t n) {
    const unsigned char *x = a;
    const unsigned char *y = b;
    size_t i;
    __all_there(a, n);
    __all_there(b, n);
    for (i = 0; i < n; i++)
        if (x[i] != y[i]) return __any_of_sign(x[i] - y[i]);
    return 0;
}

/* Reads from the start and stops, as the standard says. */
void *memchr(const void *s, int c, size_t n) {
    const unsigned char *p = s;
    size_t i;
    for (i = 0; i < n; i++)
        if (p[i] == (unsigned char)c) return (void *)(p + i);
    return 0;
}

void *rawmemchr(const void *s, int c) {
    const unsigned char *p = s;
    while (*p != (unsigned char)c) p++;
    return (void *)p;
}

void *memrchr(const void *s, int c, size_t n) {
    const unsigned char *p = s;
    size_t i;
    for (i = n; i > 0; i--)
        if (p[i - 1] == (unsigned char)c) return (void *)(p + i - 1);
    return 0;
}

/* ---- strings ---- */

size_t strlen(const char *s) {
    size_t n = 0;
    while (s[n]) n++;
    return n;
}

size_t strnlen(const char *s, size_t max) {
    size_t n = 0;
    while (n < max && s[n]) n++;
    return n;
}

/* The standard promises only the sign of the result; this is the difference of the characters. */
int strcmp(const char *a, const char *b) {
    const unsigned char *x = (const unsigned char *)a;
    const unsigned char *y = (const unsigned char *)b;
    while (*x && *x == *y) {
        x++;
        y++;
    }
    return __any_of_sign(*x - *y);
}

int strncmp(const char *a, const char *b, size_t n) {
    const unsigned char *x = (const unsigned char *)a;
    const unsigned char *y = (const unsigned char *)b;
    size_t i;
    for (i = 0; i < n; i++) {
        if (x[i] != y[i]) return __any_of_sign(x[i] - y[i]);
        if (!x[i]) return 0;
    }
    return 0;
}

int strcoll(const char *a, const char *b) { return strcmp(a, b); }

/* The tables of glibc give a negative char the value of its unsigned char, and EOF itself. */
int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c >= -128 && c < -1 ? c + 256 : c; }
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c >= -128 && c < -1 ? c + 256 : c; }

int strcasecmp(const char *a, const char *b) {
    const unsigned char *x = (const unsigned char *)a;
    const unsigned char *y = (const unsigned char *)b;
    while (*x && tolower(*x) == tolower(*y)) {
        x++;
        y++;
    }
    return __any_of_sign(tolower(*x) - tolower(*y));
}

int strncasecmp(const char *a, const char *b, size_t n) {
    const unsigned char *x = (const unsigned char *)a;
    const unsigned char *y = (const unsigned char *)b;
    size_t i;
    for (i = 0; i < n; i++) {
        int d = tolower(x[i]) - tolower(y[i]);
        if (d || !x[i]) return __any_of_sign(d);
    }
    return 0;
}

/* The bytes of a string of at most n characters that are read to find its end. */
static size_t __read_of(const char *s, size_t n) {
    size_t length = strnlen(s, n);
    return length < n ? length + 1 : length;
}

static void __strings_apart(const char *to, const char *from) {
    if (__same_object(to, from)) {
        size_t n = strlen(from) + 1;
        __apart(to, n, from, n);
    }
}

char *strcpy(char *to, const char *from) {
    size_t i = 0;
    __strings_apart(to, from);
    while ((to[i] = from[i])) i++;
    return to;
}

char *stpcpy(char *to, const char *from) {
    size_t i = 0;
    __strings_apart(to, from);
    while ((to[i] = from[i])) i++;
    return to + i;
}

char *strncpy(char *to, const char *from, size_t n) {
    size_t i;
    if (__same_object(to, from)) __apart(to, n, from, __read_of(from, n));
    for (i = 0; i < n && from[i]; i++) to[i] = from[i];
    for (; i < n; i++) to[i] = 0;
    return to;
}

char *strcat(char *to, const char *from) {
    strcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *to, const char *from, size_t n) {
    char *end = to + strlen(to);
    size_t i;
    if (__same_object(to, from)) __apart(end, strnlen(from, n) + 1, from, __read_of(from, n));
    for (i = 0; i < n && from[i]; i++) end[i] = from[i];
    end[i] = 0;
    return to;
}

char *strchr(const char *s, int c) {
    for (;; s++) {
        if (*s == (char)c) return (char *)s;
        if (!*s) return 0;
    }
}

char *strchrnul(const char *s, int c) {
    while (*s && *s != (char)c) s++;
    return (char *)s;
}

char *index(const char *s, int c) { return strchr(s, c); }

char *strrchr(const char *s, int c) {
    const char *found = 0;
    for (;; s++) {
        if (*s == (char)c) found = s;
        if (!*s) return (char *)found;
    }
}

char *rindex(const char *s, int c) { return strrchr(s, c); }

size_t strspn(const char *s, const char *accept) {
    size_t n = 0;
    while (s[n]) {
        const char *a = accept;
        while (*a && *a != s[n]) a++;
        if (!*a) break;
        n++;
    }
    return n;
}

size_t strcspn(const char *s, const char *reject) {
    size_t n = 0;
    while (s[n]) {
        const char *r = reject;
        while (*r && *r != s[n]) r++;
        if (*r) break;
        n++;
    }
    return n;
}

char *strpbrk(const char *s, const char *accept) {
    s += strcspn(s, accept);
    return *s ? (char *)s : 0;
}

char *strstr(const char *s, const char *part) {
    for (;; s++) {
        size_t i = 0;
        while (part[i] && s[i] == part[i]) i++;
        if (!part[i]) return (char *)s;
        if (!*s) return 0;
    }
}

void *memmem(const void *s, size_t n, const void *part, size_t m) {
    const char *a = s;
    const char *b = part;
    size_t i;
    __all_there(s, n);
    __all_there(part, m);
    if (m == 0) return (void *)a;
    for (i = 0; i + m <= n; i++) {
        size_t j = 0;
        while (j < m && a[i + j] == b[j]) j++;
        if (j == m) return (void *)(a + i);
    }
    return 0;
}

char *strdup(const char *s) {
    size_t n = strlen(s) + 1;
    char *copy = malloc(n);
    memcpy(copy, s, n);
    return copy;
}

char *strndup(const char *s, size_t max) {
    size_t n = strnlen(s, max);
    char *copy = malloc(n + 1);
    memcpy(copy, s, n);
    copy[n] = 0;
    return copy;
}

char *strtok_r(char *s, const char *delim, char **rest) {
    char *token;
    if (!s) s = *rest;
    s += strspn(s, delim);
    if (!*s) {
        *rest = s;
        return 0;
    }
    token = s;
    s += strcspn(s, delim);
    if (*s) *s++ = 0;
    *rest = s;
    return token;
}

char *strsep(char **rest, const char *delim) {
    char *s = *rest;
    char *end;
    if (!s) return 0;
    end = s + strcspn(s, delim);
    if (*end) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = 0;
    }
    return s;
}

/* ---- characters ---- */

/* What is true is the bit of glibc's table. */
int isupper(int c) { return c >= 'A' && c <= 'Z' ? __any_nonzero(256) : 0; }
int islower(int c) { return c >= 'a' && c <= 'z' ? __any_nonzero(512) : 0; }
int isdigit(int c) { return c >= '0' && c <= '9' ? __any_nonzero(2048) : 0; }
int isalpha(int c) { return isupper(c) || islower(c) ? __any_nonzero(1024) : 0; }
int isalnum(int c) { return isalpha(c) || isdigit(c) ? __any_nonzero(8) : 0; }
int isblank(int c) { return c == ' ' || c == '\t' ? __any_nonzero(1) : 0; }
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r') ? __any_nonzero(8192) : 0; }
int iscntrl(int c) { return (c >= 0 && c < 32) || c == 127 ? __any_nonzero(2) : 0; }
int isprint(int c) { return c >= 32 && c < 127 ? __any_nonzero(16384) : 0; }
int isgraph(int c) { return c > 32 && c < 127 ? __any_nonzero(32768) : 0; }
int ispunct(int c) { return isgraph(c) && !isalnum(c) ? __any_nonzero(4) : 0; }
int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') ? __any_nonzero(4096) : 0; }
int isascii(int c) { return (c & ~127) == 0; }
int toascii(int c) { return c & 127; }

/* ---- numbers ---- */

/* Out of range: the nearest end, as the standard says; errno is not set. */
static unsigned long __digits_of(const char *s, int base, unsigned long limit, long *used, int *over) {
    unsigned long value = 0;
    long i = 0;
    *over = 0;
    for (;;) {
        int c = s[i];
        int digit;
        if (c >= '0' && c <= '9') digit = c - '0';
        else if (c >= 'a' && c <= 'z') digit = c - 'a' + 10;
        else if (c >= 'A' && c <= 'Z') digit = c - 'A' + 10;
        else break;
        if (digit >= base) break;
        if (*over || value > (limit - (unsigned long)digit) / (unsigned long)base) *over = 1;
        else value = value * (unsigned long)base + (unsigned long)digit;
        i++;
    }
    *used = i;
    return value;
}

static unsigned long __strto(const char *s, char **end, int base, int is_signed) {
    long i = 0;
    long used = 0;
    int negative = 0;
    int over = 0;
    unsigned long value;
    unsigned long limit = 18446744073709551615ul;
    while (isspace(s[i])) i++;
    if (s[i] == '+' || s[i] == '-') {
        negative = s[i] == '-';
        i++;
    }
    if ((base == 0 || base == 16) && s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X') && isxdigit(s[i + 2])) {
        i += 2;
        base = 16;
    } else if (base == 0) {
        base = s[i] == '0' ? 8 : 10;
    }
    if (is_signed) limit = negative ? 9223372036854775808ul : 9223372036854775807ul;
    value = __digits_of(s + i, base, limit, &used, &over);
    if (end) *end = (char *)(used ? s + i + used : s);
    if (over) {
        __out_of_range();
        return is_signed && negative ? 9223372036854775808ul : limit;
    }
    return negative ? 0 - value : value;
}

long strtol(const char *s, char **end, int base) { return (long)__strto(s, end, base, 1); }
long long strtoll(const char *s, char **end, int base) { return (long long)__strto(s, end, base, 1); }
unsigned long strtoul(const char *s, char **end, int base) { return __strto(s, end, base, 0); }
unsigned long long strtoull(const char *s, char **end, int base) { return __strto(s, end, base, 0); }
int atoi(const char *s) { return (int)strtol(s, 0, 10); }
long atol(const char *s) { return strtol(s, 0, 10); }
long long atoll(const char *s) { return strtol(s, 0, 10); }

long lround(double x) { return (long)round(x); }
long long llround(double x) { return (long long)round(x); }
long lrint(double x) { return (long)rint(x); }
long long llrint(double x) { return (long long)rint(x); }
long lroundf(float x) { return (long)roundf(x); }
long lrintf(float x) { return (long)rintf(x); }

double fdim(double x, double y) { return x <= y ? 0.0 : x - y; }

unsigned short bswap16(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }

unsigned bswap32(unsigned x) {
    return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}

unsigned long bswap64(unsigned long x) {
    return (unsigned long)bswap32((unsigned)x) << 32 | bswap32((unsigned)(x >> 32));
}

/* ---- the texts that printf writes ---- */

typedef struct __text text;

text __text_of(const char *s, long max) {
    text t = __text_empty();
    while (max != 0 && *s) {
        t = __text_cat(t, __text_char(*s));
        s++;
        max--;
    }
    return t;
}

text __repeat(int c, long count) {
    text t = __text_empty();
    while (count > 0) {
        t = __text_cat(t, __text_char(c));
        count--;
    }
    return t;
}

/* To at least `width` characters: on the left, on the right, or with zeros after the sign and `0x`. */
text __pad(text t, long width, int left, int zero) {
    long length = __text_length(t);
    if (width < 0) {
        left = 1;
        width = -width;
    }
    if (length >= width) return t;
    if (left) return __text_cat(t, __repeat(' ', width - length));
    if (zero) {
        long sign = 0;
        int first = length > 0 ? __text_at(t, 0) : 0;
        if (first == '-' || first == '+' || first == ' ') sign = 1;
        /* Both sides of `&&` are evaluated where they have no effects: an index must not depend on one. */
        if (length > sign + 1) {
            if (__text_at(t, sign) == '0' && (__text_at(t, sign + 1) | 32) == 'x') sign += 2;
        }
        t = __text_cat(__text_cat(__text_slice(t, 0, sign), __repeat('0', width - length)),
                       __text_slice(t, sign, length));
        return t;
    }
    return __text_cat(__repeat(' ', width - length), t);
}

/* At least `digits` digits after the sign; no digits at all for zero with precision zero. */
text __digits(text t, long digits) {
    long length = __text_length(t);
    long sign = __text_at(t, 0) == '-';
    if (digits == 0 && length == 1 && __text_at(t, 0) == '0') return __text_empty();
    if (length - sign >= digits) return t;
    return __text_cat(__text_cat(__text_slice(t, 0, sign), __repeat('0', digits - (length - sign))),
                      __text_slice(t, sign, length));
}

/* A sign for what has none. */
text __with_sign(text t, int sign) {
    if (__text_length(t) > 0) {
        if (__text_at(t, 0) == '-') return t;
    }
    return __text_cat(__text_char(sign), t);
}

text __upper(text t) {
    text u = __text_empty();
    long i;
    for (i = 0; i < __text_length(t); i++) u = __text_cat(u, __text_char(toupper(__text_at(t, i))));
    return u;
}

/* What sprintf and snprintf write must not overlap with a string that they read. */
void __text_apart(const char *to, size_t max, text t, const char *from, long most) {
    if (__same_object(to, from)) {
        size_t written = (size_t)__text_length(t) + 1;
        __apart(to, written < max ? written : max, from, __read_of(from, (size_t)most));
    }
}

/* What sprintf and snprintf do with their text. */
int __write_text(char *to, size_t max, text t) {
    size_t n = (size_t)__text_length(t);
    size_t i;
    for (i = 0; i < n && i + 1 < max; i++) to[i] = (char)__text_at(t, i);
    if (max > 0) to[i] = 0;
    return (int)n;
}
