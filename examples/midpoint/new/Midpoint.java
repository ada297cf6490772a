/** Where a binary search looks next. */
class Midpoint {
    static int midpoint(int low, int high) {
        return low + (high - low) / 2;
    }
}
