#include <stdint.h>

/* Adds two levels; what does not fit becomes the highest level. */
uint8_t add_levels(uint8_t a, uint8_t b) {
    int sum = a + b;
    if (sum > UINT8_MAX)
        return UINT8_MAX;
    return (uint8_t) sum;
}
