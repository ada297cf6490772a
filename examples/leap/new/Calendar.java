/** The Gregorian calendar. */
class Calendar {
    static boolean isLeap(int year) {
        if (year % 400 == 0) {
            return true;
        }
        if (year % 100 == 0) {
            return false;
        }
        return year % 4 == 0;
    }

    static int daysInFebruary(int year) {
        return isLeap(year) ? 29 : 28;
    }
}
