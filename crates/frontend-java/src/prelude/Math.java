final class Math {
    static final double PI = 3.141592653589793;
    static final double E = 2.718281828459045;
    static double sqrt(double a) { return $sqrt(a); }
    static double cbrt(double a) { return $cbrt(a); }
    static double sin(double a) { return $sin(a); }
    static double cos(double a) { return $cos(a); }
    static double tan(double a) { return $tan(a); }
    static double asin(double a) { return $asin(a); }
    static double acos(double a) { return $acos(a); }
    static double atan(double a) { return $atan(a); }
    static double sinh(double a) { return $sinh(a); }
    static double cosh(double a) { return $cosh(a); }
    static double tanh(double a) { return $tanh(a); }
    static double exp(double a) { return $exp(a); }
    static double expm1(double a) { return $expm1(a); }
    static double log(double a) { return $log(a); }
    static double log10(double a) { return $log10(a); }
    static double log1p(double a) { return $log1p(a); }
    static double floor(double a) { return $floor(a); }
    static double ceil(double a) { return $ceil(a); }
    static double rint(double a) { return $rint(a); }
    static double pow(double a, double b) { return $pow(a, b); }
    static double atan2(double a, double b) { return $atan2(a, b); }
    static double hypot(double a, double b) { return $hypot(a, b); }
    static double copySign(double a, double b) {
        if (b != b) $unsupported("the sign of a NaN");
        return $copy_sign(a, b);
    }
    static float copySign(float a, float b) {
        if (b != b) $unsupported("the sign of a NaN");
        return $copy_sign(a, b);
    }
    static double fma(double a, double b, double c) { $unsupported("Math.fma"); return 0; }
    static float fma(float a, float b, float c) { $unsupported("Math.fma"); return 0; }
    static double random() {
        double any = $random();
        return 0 <= any && any < 1 ? any : 0;
    }
    static int abs(int a) { return a < 0 ? -a : a; }
    static long abs(long a) { return a < 0 ? -a : a; }
    static float abs(float a) { return $abs(a); }
    static double abs(double a) { return $abs(a); }
    static int max(int a, int b) { return a >= b ? a : b; }
    static long max(long a, long b) { return a >= b ? a : b; }
    static float max(float a, float b) {
        return a != a ? a : a == 0 && b == 0 ? a + b : a >= b ? a : b;
    }
    static double max(double a, double b) {
        return a != a ? a : a == 0 && b == 0 ? a + b : a >= b ? a : b;
    }
    static int min(int a, int b) { return a <= b ? a : b; }
    static long min(long a, long b) { return a <= b ? a : b; }
    static float min(float a, float b) {
        return a != a ? a : a == 0 && b == 0 ? -(-a - b) : a <= b ? a : b;
    }
    static double min(double a, double b) {
        return a != a ? a : a == 0 && b == 0 ? -(-a - b) : a <= b ? a : b;
    }
    static double signum(double a) { return a > 0 ? 1.0 : a < 0 ? -1.0 : a; }
    static float signum(float a) { return a > 0 ? 1.0f : a < 0 ? -1.0f : a; }
    static long round(double a) {
        double low = $floor(a);
        return (long) (a - low >= 0.5 ? low + 1.0 : low);
    }
    static int round(float a) {
        float low = $floor(a);
        return (int) (a - low >= 0.5f ? low + 1.0f : low);
    }
    static double toRadians(double a) { return a * 0.017453292519943295; }
    static double toDegrees(double a) { return a * 57.29577951308232; }
    static int floorDiv(int a, int b) {
        int q = a / b;
        return (a ^ b) < 0 && q * b != a ? q - 1 : q;
    }
    static long floorDiv(long a, int b) { return floorDiv(a, (long) b); }
    static long floorDiv(long a, long b) {
        long q = a / b;
        return (a ^ b) < 0 && q * b != a ? q - 1 : q;
    }
    static int floorMod(int a, int b) {
        int r = a % b;
        return r != 0 && (r < 0) != (b < 0) ? r + b : r;
    }
    static int floorMod(long a, int b) { return (int) floorMod(a, (long) b); }
    static long floorMod(long a, long b) {
        long r = a % b;
        return r != 0 && (r < 0) != (b < 0) ? r + b : r;
    }
    static int addExact(int a, int b) {
        if ($add_overflows(a, b)) throw new ArithmeticException("integer overflow");
        return a + b;
    }
    static long addExact(long a, long b) {
        if ($add_overflows(a, b)) throw new ArithmeticException("long overflow");
        return a + b;
    }
    static int subtractExact(int a, int b) {
        if ($sub_overflows(a, b)) throw new ArithmeticException("integer overflow");
        return a - b;
    }
    static long subtractExact(long a, long b) {
        if ($sub_overflows(a, b)) throw new ArithmeticException("long overflow");
        return a - b;
    }
    static int multiplyExact(int a, int b) {
        if ($mul_overflows(a, b)) throw new ArithmeticException("integer overflow");
        return a * b;
    }
    static long multiplyExact(long a, int b) { return multiplyExact(a, (long) b); }
    static long multiplyExact(long a, long b) {
        if ($mul_overflows(a, b)) throw new ArithmeticException("long overflow");
        return a * b;
    }
    static int incrementExact(int a) { return addExact(a, 1); }
    static long incrementExact(long a) { return addExact(a, 1L); }
    static int decrementExact(int a) { return subtractExact(a, 1); }
    static long decrementExact(long a) { return subtractExact(a, 1L); }
    static int negateExact(int a) { return subtractExact(0, a); }
    static long negateExact(long a) { return subtractExact(0L, a); }
    static int absExact(int a) {
        if (a == Integer.MIN_VALUE) throw new ArithmeticException("Overflow to represent absolute value of Integer.MIN_VALUE");
        return a < 0 ? -a : a;
    }
    static long absExact(long a) {
        if (a == Long.MIN_VALUE) throw new ArithmeticException("Overflow to represent absolute value of Long.MIN_VALUE");
        return a < 0 ? -a : a;
    }
    static int toIntExact(long a) {
        if (a < -2147483648L || a > 2147483647L) throw new ArithmeticException("integer overflow");
        return (int) a;
    }
}
