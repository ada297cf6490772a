/** The Gregorian calendar. */
class Calendar {
    static boolean isLeap(int year) {
        return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    }

    static int daysInFebruary(int year) {
        if (isLeap(year)) {
            return 29;
        } else {
            return 28;
        }
    }
}
