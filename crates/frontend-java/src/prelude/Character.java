final class Character {
    static final char MAX_VALUE = '\uffff';
    static final char MIN_VALUE = '\u0000';
    static final int SIZE = 16;
    static final int BYTES = 2;
    static final int MIN_RADIX = 2;
    static final int MAX_RADIX = 36;
    static void $ascii(int c) {
        if (c < 0 || c >= 128) $unsupported("the class of a character beyond ASCII");
    }
    static boolean isDigit(char c) { return isDigit((int) c); }
    static boolean isDigit(int c) {
        $ascii(c);
        return c >= '0' && c <= '9';
    }
    static boolean isLetter(char c) { return isLetter((int) c); }
    static boolean isLetter(int c) {
        $ascii(c);
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }
    static boolean isAlphabetic(int c) { return isLetter(c); }
    static boolean isLetterOrDigit(char c) { return isLetterOrDigit((int) c); }
    static boolean isLetterOrDigit(int c) {
        $ascii(c);
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
    }
    static boolean isUpperCase(char c) { return isUpperCase((int) c); }
    static boolean isUpperCase(int c) {
        $ascii(c);
        return c >= 'A' && c <= 'Z';
    }
    static boolean isLowerCase(char c) { return isLowerCase((int) c); }
    static boolean isLowerCase(int c) {
        $ascii(c);
        return c >= 'a' && c <= 'z';
    }
    static boolean isWhitespace(char c) { return isWhitespace((int) c); }
    static boolean isWhitespace(int c) {
        $ascii(c);
        return c == ' ' || c >= 9 && c <= 13 || c >= 28 && c <= 31;
    }
    static boolean isSpaceChar(char c) {
        $ascii(c);
        return c == ' ';
    }
    static char toUpperCase(char c) { return (char) toUpperCase((int) c); }
    static int toUpperCase(int c) {
        $ascii(c);
        return c >= 'a' && c <= 'z' ? c - 32 : c;
    }
    static char toLowerCase(char c) { return (char) toLowerCase((int) c); }
    static int toLowerCase(int c) {
        $ascii(c);
        return c >= 'A' && c <= 'Z' ? c + 32 : c;
    }
    static int getNumericValue(char c) { return digit((int) c, 36); }
    static int getNumericValue(int c) { return digit(c, 36); }
    static int digit(char c, int radix) { return digit((int) c, radix); }
    static int digit(int c, int radix) {
        $ascii(c);
        if (radix < 2 || radix > 36) return -1;
        int value = c >= '0' && c <= '9' ? c - '0'
            : c >= 'a' && c <= 'z' ? c - 'a' + 10
            : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : -1;
        return value < radix ? value : -1;
    }
    static char forDigit(int digit, int radix) {
        if (radix < 2 || radix > 36 || digit < 0 || digit >= radix) return '\0';
        return (char) (digit < 10 ? '0' + digit : 'a' - 10 + digit);
    }
    static int compare(char a, char b) { return a - b; }
    static char reverseBytes(char c) { return (char) (((c & 0xff00) >> 8) | (c << 8)); }
    static int hashCode(char c) { return c; }
    static String toString(char c) { return "" + c; }
    static Character valueOf(char c) { return c; }
    char charValue() { return this; }
    int compareTo(char other) { return this - other; }
    boolean equals(Character other) { return other != null && this == (char) other; }
    String toString() { return "" + this; }
}
