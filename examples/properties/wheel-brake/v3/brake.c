/* Chooses the pressure of a wheel brake from the pedal, the mode and the state of two pumps. */
#include <assert.h>

enum { NORMAL = 0, ALTERNATE = 1, EMERGENCY = 2 };

int brake(int pedal, int auto_brake, int skid, int green, int blue) {
    int mode = NORMAL;
    int wanted = 0;
    int pressure = 0;
    if (green) {
        mode = NORMAL;
    } else if (blue) {
        mode = ALTERNATE;
    } else {
        mode = EMERGENCY;
    }
    if (pedal <= 0) {
        wanted = 0;
    } else if (pedal == 1) {
        wanted = 20;
    } else if (pedal == 2) {
        wanted = 40;
    } else if (pedal == 3) {
        wanted = 60;
    } else {
        wanted = 90;
    }
    if (auto_brake && mode == NORMAL) {
        if (wanted < 30) {
            wanted = 30;
        }
    }
    if (mode == EMERGENCY) {
        pressure = wanted / 2;
    } else if (skid) {
        pressure = 0;
    } else {
        pressure = wanted;
    }
    assert(pressure >= 0);
    assert(pressure <= 120);
    assert(mode >= NORMAL && mode <= EMERGENCY);
    assert(!skid || mode == EMERGENCY || pressure == 0);
    assert(mode != EMERGENCY || !green);
    assert(wanted >= 0 && wanted <= 100);
    assert(mode != ALTERNATE || blue);
    return pressure;
}
