class Precedence {
    static int f(boolean a, boolean b) { return (a ? 2 : 0) + (b ? 1 : 0); }
    static int f(int a) { return a * 3; }
    static int K = 4;
    static void q(int a, int b, int c, int d, long L, boolean y, boolean z) {
        System.out.print(f(a < b, c > d) + " " + f(a < (b) && c > (d), y) + " " + (a<b?c:d) + " " + (a < c >> 1) + " " + ((a) < b) + " ");
        System.out.print((double) a / b + " " + ((z) ? b : c) + " " + ((int) 'a' + 1) + " " + ((char) (a) + 1) + " " + (- (a) - b) + " " + (!(z) && y) + " ");
        System.out.print((-a - -b) + " " + (a - (b) - c) + " " + (a * (b) - c) + " " + ((a) - (b) - (c)) + " " + ((a) - b - c) + " " + (Precedence.K) + " " + ((Precedence.K) - a) + " " + ((Precedence.K) + a) + " " + (a + (b) * c) + " ");
        System.out.print((int) L * 2 + " " + (int) (L * 2) + " " + (byte) a + b + " " + (byte) (a + b) + " " + (short) -a + " " + (long) a * b + " " + ~(a) + " " + (a) % 3 + " ");
        System.out.print((a & b) + (a | b) + (a ^ b) + " " + (a & b | c ^ d) + " " + (a == b == z) + " " + (a < b == c < d) + " " + (a != b ^ z) + " " + (y & z | y ^ z) + " " + (y || z && !y) + " ");
        System.out.print((a << 2 + 1) + " " + (a >> 1 << 2) + " " + (a >>> 28 - 1) + " " + (a - b - c - d) + " " + (a / 3 * 3) + " " + (a % 5 * 2 / 3) + " " + (-a % 3) + " " + (- -a) + " " + (+a) + " ");
        int i = a; int[] x = {a, b, c};
        System.out.print((i++ + i) + " " + (i-- - --i) + " " + (-i++) + " " + (~i--) + " " + ((int) x[1]++) + x[1] + " " + (-x[0]--) + x[0] + " " + (i = b) + " " + (i += c) + " " + (i -= a = 3) + " " + (y ? i : z ? a : b) + " ");
        System.out.println((y ? 1 : 2) + (z ? 3 : 4) + " " + (y = z) + " " + (i > 2 ? i < 9 ? "s" : "m" : "l") + (a > b ? a : b) + (char) ('a' + (a & 15)) + (i == 0 ? 0 : 100 / i));
    }
    static void t1() {
        for (int i = -4; i < 5; i++) for (int j = 1; j < 4; j++) q(i * 7, j * 3, i - j, j * i, 3000000000L * i + j, i < j, i % 2 == 0);
    }
}
