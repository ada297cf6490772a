#include <stddef.h>

/* The checksum of a tag of four characters. */
unsigned checksum(const char *tag) {
    unsigned sum = 17;
    if (tag == NULL)
        return 0;
    for (int i = 0; i < 4; i++)
        sum = sum * 31 + (unsigned char) tag[i];
    return sum;
}
