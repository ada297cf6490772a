/* Advises an aircraft to climb or to descend, from the separation that each would give. */
#include <assert.h>

enum { NONE = 0, CLIMB = 1, DESCEND = 2 };

int advise(int own, int other, int up, int down, int confident, int capable, int level, int intent) {
    int threshold = 0;
    int advice = NONE;
    int enabled = 0;
    int can_climb = 0;
    int can_descend = 0;
    if (level == 0) {
        threshold = 400;
    } else if (level == 1) {
        threshold = 500;
    } else if (level == 2) {
        threshold = 640;
    } else {
        threshold = 740;
    }
    if (confident && capable) {
        enabled = 1;
    }
    if (enabled && intent != CLIMB && own < other && down < threshold) {
        can_climb = 1;
    }
    if (enabled && intent != DESCEND && other < own && up >= threshold) {
        can_descend = 1;
    }
    if (can_climb && can_descend) {
        advice = NONE;
    } else if (can_climb) {
        advice = CLIMB;
    } else if (can_descend) {
        advice = DESCEND;
    }
    assert(advice >= NONE && advice <= DESCEND);
    assert(threshold >= 400);
    assert(advice != CLIMB || own < other);
    assert(advice != DESCEND || other < own);
    assert(advice == NONE || enabled);
    assert(!(can_climb && can_descend));
    assert(threshold <= 740);
    return advice;
}
