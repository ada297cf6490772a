/** Tells what kind of triangle three lengths make. */
class Triangle {
    static final int SCALENE = 1, ISOSCELES = 2, EQUILATERAL = 3, INVALID = 4;

    //@ requires a > -1000 && a < 1000 && b > -1000 && b < 1000 && c > -1000 && c < 1000;
    static int kind(int a, int b, int c) {
        int kind = 0;
        if (a <= 0 || b <= 0 || c <= 0) {
            kind = INVALID;
        } else {
            int equal = 0;
            if (a == b) equal += 1;
            if (a == c) equal += 2;
            if (b == c) equal += 3;
            if (equal == 0) {
                if (a + b <= c || b + c <= a || a + c <= b) kind = INVALID;
                else kind = SCALENE;
            } else if (equal > 3) {
                kind = EQUILATERAL;
            } else if (equal == 1 && a + b > c) {
                kind = ISOSCELES;
            } else if (equal == 2 && a + c > b) {
                kind = ISOSCELES;
            } else if (equal == 3 && b + c > a) {
                kind = ISOSCELES;
            } else {
                kind = INVALID;
            }
        }
        assert kind >= SCALENE;
        assert kind <= INVALID;
        assert a > 0 || kind == INVALID;
        assert b > 0 || kind == INVALID;
        assert c > 0 || kind == INVALID;
        assert a != b || kind != SCALENE;
        assert b != c || kind != SCALENE;
        assert a != c || kind != SCALENE;
        assert kind != EQUILATERAL || a == b && b == c;
        assert a + b > c || kind == INVALID;
        assert a + c > b || kind == INVALID;
        assert a != b || b == c || kind == ISOSCELES || kind == INVALID;
        return kind;
    }
}
