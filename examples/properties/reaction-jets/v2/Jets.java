/** Chooses which jets of a spacecraft fire, from the error of its attitude and the rate of its turn. */
class Jets {
    static int fire(int error, int rate, int fuel, boolean left, boolean right) {
        int band = 10;
        int demand = 0;
        int jets = 0;
        int time = 0;
        if (rate > 50) {
            band = 4;
        } else if (rate < -50) {
            band = 4;
        }
        if (error > band) {
            demand = -1;
        } else if (error < -band) {
            demand = 1;
        }
        if (demand != 0) {
            if (left && right) {
                jets = 2;
            } else if (left || right) {
                jets = 1;
            }
        }
        if (jets > 0) {
            time = 8 / jets;
            if (fuel < 10) {
                time = 1;
            }
            if (fuel <= 0) {
                jets = 0;
                time = 0;
            }
        }
        assert jets >= 0 && jets <= 2;
        assert time >= 0 && time <= 10;
        assert jets == 0 || fuel > 0;
        assert demand != 0 || jets == 0;
        assert jets == 0 || left || right;
        assert band >= 4 && band <= 10;
        assert time == 0 || jets > 0;
        return jets * 100 + time;
    }
}
