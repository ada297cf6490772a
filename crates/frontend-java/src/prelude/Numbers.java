class Object {
    Object() {}
    boolean equals(Object other) { return this == other; }
    int hashCode() { $unsupported("the hash code of an object"); return 0; }
    String toString() { $unsupported("the text of an object without `toString`"); return ""; }
}

class Throwable {
    String $message;
    boolean $unknown;
    Throwable() {}
    Throwable(String m) { $message = m; }
    Throwable(String m, Throwable c) { $message = m; }
    Throwable(Throwable c) {
        $unknown = true;
        $asks_for_text(c);
    }
    String getMessage() {
        if ($unknown) $unsupported("the message that the language, the library or a cause gives an exception");
        return $message;
    }
    String getLocalizedMessage() { return getMessage(); }
    String toString() {
        String message = getLocalizedMessage();
        return message == null ? $class_name(this) : $class_name(this) + ": " + message;
    }
    void printStackTrace() {
        $taken_for_granted("of a stack trace only the first line is compared");
        System.err.println(this);
    }
}

final class Integer {
    static final int MAX_VALUE = 2147483647;
    static final int MIN_VALUE = -2147483648;
    static final int SIZE = 32;
    static final int BYTES = 4;
    static int abs(int a) { return a < 0 ? -a : a; }
    static int sum(int a, int b) { return a + b; }
    static int max(int a, int b) { return a >= b ? a : b; }
    static int min(int a, int b) { return a <= b ? a : b; }
    static int signum(int a) { return a > 0 ? 1 : a < 0 ? -1 : 0; }
    static int compare(int a, int b) { return a < b ? -1 : a == b ? 0 : 1; }
    static int compareUnsigned(int a, int b) { return compare(a + MIN_VALUE, b + MIN_VALUE); }
    static long toUnsignedLong(int a) { return (long) a & 0xffffffffL; }
    static int divideUnsigned(int a, int b) { return (int) (toUnsignedLong(a) / toUnsignedLong(b)); }
    static int remainderUnsigned(int a, int b) { return (int) (toUnsignedLong(a) % toUnsignedLong(b)); }
    static int bitCount(int a) { return $count_ones(a); }
    static int numberOfLeadingZeros(int a) { return $leading_zeros(a); }
    static int numberOfTrailingZeros(int a) { return $trailing_zeros(a); }
    static int highestOneBit(int a) { return a == 0 ? 0 : MIN_VALUE >>> $leading_zeros(a); }
    static int lowestOneBit(int a) { return a & -a; }
    static int rotateLeft(int a, int n) { return (a << (n & 31)) | (a >>> (-n & 31)); }
    static int rotateRight(int a, int n) { return (a >>> (n & 31)) | (a << (-n & 31)); }
    static int reverseBytes(int a) {
        return (a << 24) | ((a & 0xff00) << 8) | ((a >>> 8) & 0xff00) | (a >>> 24);
    }
    static int reverse(int a) {
        a = (a & 0x55555555) << 1 | (a >>> 1) & 0x55555555;
        a = (a & 0x33333333) << 2 | (a >>> 2) & 0x33333333;
        a = (a & 0x0f0f0f0f) << 4 | (a >>> 4) & 0x0f0f0f0f;
        return (a << 24) | ((a & 0xff00) << 8) | ((a >>> 8) & 0xff00) | (a >>> 24);
    }
    static int hashCode(int a) { return a; }
    static String toString(int a) { return "" + a; }
    static String toHexString(int a) { return $hex(a); }
    static String toOctalString(int a) { return $octal(a); }
    static String toBinaryString(int a) {
        if (a == 0) return "0";
        String text = "";
        while (a != 0) {
            text = (a & 1) + text;
            a >>>= 1;
        }
        return text;
    }
    static int parseInt(String s) {
        if (s == null || !$parses_as_int(s)) throw new NumberFormatException();
        return $parse_int(s);
    }
    static Integer valueOf(String s) { return parseInt(s); }
    static Integer valueOf(int a) { return a; }
    byte byteValue() { return (byte) this; }
    short shortValue() { return (short) this; }
    int intValue() { return this; }
    long longValue() { return (long) this; }
    float floatValue() { return (float) this; }
    double doubleValue() { return (double) this; }
    int compareTo(int other) { return compare(this, other); }
    boolean equals(Integer other) { return other != null && this == (int) other; }
    int hashCode() { return this; }
    String toString() { return "" + this; }
}

final class Long {
    static final long MAX_VALUE = 9223372036854775807L;
    static final long MIN_VALUE = -9223372036854775808L;
    static final int SIZE = 64;
    static final int BYTES = 8;
    static long abs(long a) { return a < 0 ? -a : a; }
    static long sum(long a, long b) { return a + b; }
    static long max(long a, long b) { return a >= b ? a : b; }
    static long min(long a, long b) { return a <= b ? a : b; }
    static int signum(long a) { return a > 0 ? 1 : a < 0 ? -1 : 0; }
    static int compare(long a, long b) { return a < b ? -1 : a == b ? 0 : 1; }
    static int compareUnsigned(long a, long b) { return compare(a + MIN_VALUE, b + MIN_VALUE); }
    static int bitCount(long a) { return (int) $count_ones(a); }
    static int numberOfLeadingZeros(long a) { return (int) $leading_zeros(a); }
    static int numberOfTrailingZeros(long a) { return (int) $trailing_zeros(a); }
    static long highestOneBit(long a) { return a == 0 ? 0 : MIN_VALUE >>> $leading_zeros(a); }
    static long lowestOneBit(long a) { return a & -a; }
    static long rotateLeft(long a, int n) { return (a << (n & 63)) | (a >>> (-n & 63)); }
    static long rotateRight(long a, int n) { return (a >>> (n & 63)) | (a << (-n & 63)); }
    static long reverseBytes(long a) {
        a = (a & 0x00ff00ff00ff00ffL) << 8 | (a >>> 8) & 0x00ff00ff00ff00ffL;
        return (a << 48) | ((a & 0xffff0000L) << 16) | ((a >>> 16) & 0xffff0000L) | (a >>> 48);
    }
    static long reverse(long a) {
        a = (a & 0x5555555555555555L) << 1 | (a >>> 1) & 0x5555555555555555L;
        a = (a & 0x3333333333333333L) << 2 | (a >>> 2) & 0x3333333333333333L;
        a = (a & 0x0f0f0f0f0f0f0f0fL) << 4 | (a >>> 4) & 0x0f0f0f0f0f0f0f0fL;
        return reverseBytes(a);
    }
    static int hashCode(long a) { return (int) (a ^ (a >>> 32)); }
    static String toString(long a) { return "" + a; }
    static String toHexString(long a) { return $hex(a); }
    static String toOctalString(long a) { return $octal(a); }
    static String toBinaryString(long a) {
        if (a == 0) return "0";
        String text = "";
        while (a != 0) {
            text = (a & 1) + text;
            a >>>= 1;
        }
        return text;
    }
    static long parseLong(String s) {
        if (s == null || !$parses_as_long(s)) throw new NumberFormatException();
        return $parse_long(s);
    }
    static Long valueOf(String s) { return parseLong(s); }
    static Long valueOf(long a) { return a; }
    int intValue() { return (int) this; }
    long longValue() { return this; }
    double doubleValue() { return (double) this; }
    int compareTo(long other) { return compare(this, other); }
    boolean equals(Long other) { return other != null && this == (long) other; }
    int hashCode() { return (int) (this ^ (this >>> 32)); }
    String toString() { return "" + this; }
}

final class Short {
    static final short MAX_VALUE = 32767;
    static final short MIN_VALUE = -32768;
    static final int SIZE = 16;
    static final int BYTES = 2;
    static int compare(short a, short b) { return a - b; }
    static int toUnsignedInt(short a) { return a & 0xffff; }
    static long toUnsignedLong(short a) { return a & 0xffffL; }
    static short reverseBytes(short a) { return (short) (((a & 0xff00) >> 8) | (a << 8)); }
    static int hashCode(short a) { return a; }
    static String toString(short a) { return "" + a; }
    static Short valueOf(short a) { return a; }
    static short parseShort(String s) {
        if (s == null || !$parses_as_short(s)) throw new NumberFormatException();
        return $parse_short(s);
    }
    short shortValue() { return this; }
    int intValue() { return this; }
    int compareTo(short other) { return this - other; }
    boolean equals(Short other) { return other != null && this == (short) other; }
    String toString() { return "" + this; }
}

final class Byte {
    static final byte MAX_VALUE = 127;
    static final byte MIN_VALUE = -128;
    static final int SIZE = 8;
    static final int BYTES = 1;
    static int compare(byte a, byte b) { return a - b; }
    static int toUnsignedInt(byte a) { return a & 0xff; }
    static long toUnsignedLong(byte a) { return a & 0xffL; }
    static int hashCode(byte a) { return a; }
    static String toString(byte a) { return "" + a; }
    static Byte valueOf(byte a) { return a; }
    static byte parseByte(String s) {
        if (s == null || !$parses_as_byte(s)) throw new NumberFormatException();
        return $parse_byte(s);
    }
    byte byteValue() { return this; }
    int intValue() { return this; }
    int compareTo(byte other) { return this - other; }
    boolean equals(Byte other) { return other != null && this == (byte) other; }
    String toString() { return "" + this; }
}

final class Boolean {
    static final Boolean TRUE = true;
    static final Boolean FALSE = false;
    static boolean logicalAnd(boolean a, boolean b) { return a & b; }
    static boolean logicalOr(boolean a, boolean b) { return a | b; }
    static boolean logicalXor(boolean a, boolean b) { return a ^ b; }
    static int compare(boolean a, boolean b) { return a == b ? 0 : a ? 1 : -1; }
    static int hashCode(boolean a) { return a ? 1231 : 1237; }
    static String toString(boolean a) { return "" + a; }
    static Boolean valueOf(boolean a) { return a; }
    static boolean parseBoolean(String s) { return s != null && s.equalsIgnoreCase("true"); }
    boolean booleanValue() { return this; }
    boolean equals(Boolean other) { return other != null && this == (boolean) other; }
    String toString() { return "" + this; }
}

final class Double {
    static final double MAX_VALUE = 0x1.fffffffffffffP+1023;
    static final double MIN_VALUE = 4.9e-324;
    static final double MIN_NORMAL = 2.2250738585072014E-308;
    static final double POSITIVE_INFINITY = $infinity();
    static final double NEGATIVE_INFINITY = -$infinity();
    static final double NaN = $nan();
    static final int SIZE = 64;
    static final int BYTES = 8;
    static final int MAX_EXPONENT = 1023;
    static final int MIN_EXPONENT = -1022;
    static boolean isNaN(double a) { return $is_nan(a); }
    static boolean isInfinite(double a) { return $is_infinite(a); }
    static boolean isFinite(double a) { return !$is_nan(a) && !$is_infinite(a); }
    static double sum(double a, double b) { return a + b; }
    static double max(double a, double b) { return Math.max(a, b); }
    static double min(double a, double b) { return Math.min(a, b); }
    static int compare(double a, double b) {
        if (a < b) return -1;
        if (a > b) return 1;
        if (a == b && a != 0) return 0;
        long x = $bits(a);
        long y = $bits(b);
        return x == y ? 0 : x < y ? -1 : 1;
    }
    static long doubleToLongBits(double a) { return $bits(a); }
    static long doubleToRawLongBits(double a) {
        if (a != a) $unsupported("the bits of a NaN");
        return $bits(a);
    }
    static double longBitsToDouble(long a) { return $from_bits(a); }
    static int hashCode(double a) { return Long.hashCode($bits(a)); }
    static String toString(double a) { return "" + a; }
    static double parseDouble(String s) {
        if (s == null) throw new NullPointerException();
        if (!$parses_as_double(s)) throw new NumberFormatException();
        return $parse_double(s);
    }
    static Double valueOf(String s) { return parseDouble(s); }
    static Double valueOf(double a) { return a; }
    boolean isNaN() { return $is_nan(this); }
    boolean isInfinite() { return $is_infinite(this); }
    int intValue() { return (int) this; }
    long longValue() { return (long) this; }
    float floatValue() { return (float) this; }
    double doubleValue() { return this; }
    int compareTo(double other) { return compare(this, other); }
    boolean equals(Double other) { return other != null && $bits(this) == $bits((double) other); }
    String toString() { return "" + this; }
}

final class Float {
    static final float MAX_VALUE = 0x1.fffffeP+127f;
    static final float MIN_VALUE = 1.4e-45f;
    static final float MIN_NORMAL = 1.17549435E-38f;
    static final float POSITIVE_INFINITY = $infinity_float();
    static final float NEGATIVE_INFINITY = -$infinity_float();
    static final float NaN = $nan_float();
    static final int SIZE = 32;
    static final int BYTES = 4;
    static boolean isNaN(float a) { return $is_nan(a); }
    static boolean isInfinite(float a) { return $is_infinite(a); }
    static boolean isFinite(float a) { return !$is_nan(a) && !$is_infinite(a); }
    static float sum(float a, float b) { return a + b; }
    static float max(float a, float b) { return Math.max(a, b); }
    static float min(float a, float b) { return Math.min(a, b); }
    static int compare(float a, float b) {
        if (a < b) return -1;
        if (a > b) return 1;
        if (a == b && a != 0) return 0;
        int x = $bits(a);
        int y = $bits(b);
        return x == y ? 0 : x < y ? -1 : 1;
    }
    static int floatToIntBits(float a) { return $bits(a); }
    static int floatToRawIntBits(float a) {
        if (a != a) $unsupported("the bits of a NaN");
        return $bits(a);
    }
    static float intBitsToFloat(int a) { return $from_bits(a); }
    static int hashCode(float a) { return $bits(a); }
    static String toString(float a) { return "" + a; }
    static float parseFloat(String s) {
        if (s == null) throw new NullPointerException();
        if (!$parses_as_float(s)) throw new NumberFormatException();
        return $parse_float(s);
    }
    static Float valueOf(String s) { return parseFloat(s); }
    static Float valueOf(float a) { return a; }
    boolean isNaN() { return $is_nan(this); }
    boolean isInfinite() { return $is_infinite(this); }
    int intValue() { return (int) this; }
    long longValue() { return (long) this; }
    float floatValue() { return this; }
    double doubleValue() { return (double) this; }
    int compareTo(float other) { return compare(this, other); }
    boolean equals(Float other) { return other != null && $bits(this) == $bits((float) other); }
    String toString() { return "" + this; }
}
