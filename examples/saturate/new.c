#include <stdint.h>

/* Adds two levels; what does not fit becomes the highest level. */
uint8_t add_levels(uint8_t a, uint8_t b) {
    uint8_t sum = a + b;
    return sum | -(sum < a);
}
