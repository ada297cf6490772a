/* Models for objects other than bytes: `T` is the type of the elements. Sizes are in bytes, whole elements only. */

typedef int T;
typedef unsigned long size_t;

T *__memcpy_T(T *to, const T *from, size_t n) {
    size_t i;
    if (__same_object(to, from)) {
        if (to != from && to < from + n / sizeof(T) && from < to + n / sizeof(T)) __overlapping_copy();
    }
    for (i = 0; i < n / sizeof(T); i++) to[i] = from[i];
    return to;
}

T *__memmove_T(T *to, const T *from, size_t n) {
    size_t i;
    int backwards = 0;
    if (__same_object(to, from)) backwards = from < to;
    if (backwards) {
        for (i = n / sizeof(T); i > 0; i--) to[i - 1] = from[i - 1];
    } else {
        for (i = 0; i < n / sizeof(T); i++) to[i] = from[i];
    }
    return to;
}

/* For any type: zero bytes are zeros and null pointers. */
T *__memzero_T(T *to, size_t n) {
    T zero = {0};
    size_t i;
    for (i = 0; i < n / sizeof(T); i++) to[i] = zero;
    return to;
}

/* For integers: all bytes the same. */
T *__memset_T(T *to, int c, size_t n) {
    T value = (T)((unsigned char)c * 0x0101010101010101ul);
    size_t i;
    for (i = 0; i < n / sizeof(T); i++) to[i] = value;
    return to;
}

T *__realloc_T(T *from, size_t n) {
    T *to = malloc(n);
    if (from) {
        size_t count = __object_length(from) / sizeof(T);
        size_t i;
        if (count > n / sizeof(T)) count = n / sizeof(T);
        for (i = 0; i < count; i++) to[i] = from[i];
        free(from);
    }
    return to;
}

/* Where memory is bytes, a block may end with a part of an element. */
T *__realloc_bytes_T(T *from, size_t n) {
    T *to = malloc(n);
    if (from) {
        size_t count = __object_length(from);
        size_t i;
        if (count > n) count = n;
        for (i = 0; i < count / sizeof(T); i++) to[i] = from[i];
        if (count % sizeof(T)) {
            for (i = count - count % sizeof(T); i < count; i++) ((char *)to)[i] = ((char *)from)[i];
        }
        free(from);
    }
    return to;
}

/* The order that any sort gives, for comparisons that are an order; equal elements stay in theirs. */
void __qsort_T(T *base, size_t n, int (*compare)(const void *, const void *)) {
    size_t i;
    for (i = 1; i < n; i++) {
        T value = base[i];
        size_t j = i;
        while (j > 0 && compare(&base[j - 1], &value) > 0) {
            base[j] = base[j - 1];
            j--;
        }
        base[j] = value;
    }
}
