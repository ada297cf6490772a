import java.util.*;
class Operators {
    static int calls = 0;
    static int f(int x) { calls++; System.out.print("f" + x + " "); return x; }
    static void t01_arith() {
        int[] xs = {0, 1, -1, 7, -7, 2147483647, -2147483648, 100000};
        for (int a : xs) for (int b : xs) {
            System.out.print((a + b) + " " + (a - b) + " " + (a * b) + " " + (a & b) + " " + (a | b) + " " + (a ^ b) + " ");
            System.out.print((a << b) + " " + (a >> b) + " " + (a >>> b) + " " + (~a) + " " + (-a) + " ");
            if (b != 0) System.out.print((a / b) + " " + (a % b) + " ");
            System.out.println((a < b) + " " + (a <= b) + " " + (a > b) + " " + (a >= b) + " " + (a == b) + " " + (a != b));
        }
    }
    static void t02_long() {
        long[] xs = {0, 1, -1, 7, -7, Long.MAX_VALUE, Long.MIN_VALUE, 100000L, 1L << 40};
        for (long a : xs) for (long b : xs) {
            System.out.print((a + b) + " " + (a - b) + " " + (a * b) + " " + (a & b) + " " + (a | b) + " " + (a ^ b) + " ");
            System.out.print((a << b) + " " + (a >> b) + " " + (a >>> b) + " " + (a << (int) b) + " " + ((int) a >>> b) + " ");
            if (b != 0) System.out.print((a / b) + " " + (a % b) + " ");
            System.out.println((int) a + " " + (short) a + " " + (byte) a + " " + (int) (char) a + " " + h((float) a) + " " + h((double) a));
        }
    }
    static long h(double d) { return Double.doubleToLongBits(d); }
    static int h(float d) { return Float.floatToIntBits(d); }
    static void t03_float() {
        double[] xs = {0.0, -0.0, 1.5, -2.5, 1e300, -1e300, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 4.9e-324, 0.1, 1e10, 2147483647.5, -2147483649.0, 70000.7, 1e20};
        for (double a : xs) {
            System.out.println((int) a + " " + (long) a + " " + (short) a + " " + (byte) a + " " + (int) (char) a + " " + h((float) a) + " " + Math.round(a) + " " + Math.round((float) a) + " " + h(Math.rint(a)) + " " + h(Math.floor(a)) + " " + h(Math.ceil(a)) + " " + h(Math.abs(a)) + " " + h(Math.signum(a)) + " " + h(Math.sqrt(a)));
            for (double b : xs) {
                System.out.print(h(a + b) + " " + h(a - b) + " " + h(a * b) + " " + h(a / b) + " " + h(a % b) + " " + (a < b) + " " + (a <= b) + (a == b) + (a != b) + (a > b) + (a >= b));
                System.out.print(" " + h(Math.max(a, b)) + " " + h(Math.min(a, b)) + " " + Double.compare(a, b) + " " + h(b == b ? Math.copySign(a, b) : Math.abs(a)));
                float x = (float) a, y = (float) b;
                System.out.println(" " + h(x + y) + " " + h(x * y) + " " + h(x / y) + " " + h(x % y) + " " + h(Math.max(x, y)) + " " + h(Math.min(x, y)) + " " + Float.compare(x, y));
            }
        }
    }
    static void t04_compound() {
        byte b = 120;
        b += 10;
        System.out.println(b);
        b++;
        System.out.println(b);
        b >>>= 1;
        System.out.println(b);
        b = -128; b--; System.out.println(b); b *= 2.5; System.out.println(b); b <<= 1; System.out.println(b);
        short s = 32767;
        s++;
        System.out.println(s);
        s -= 1;
        System.out.println(s);
        s /= 2;
        System.out.println(s);
        char c = 'a';
        c++;
        System.out.println(c);
        c += 1;
        System.out.println(c);
        System.out.println(c + 1);
        System.out.println((char) (c + 1));
        c -= 99999;
        System.out.println((int) c);
        int i = 5;
        i += 3.7;
        System.out.println(i);
        i -= 2.9f;
        System.out.println(i);
        i *= 1e10;
        System.out.println(i);
        i ^= 0xff;
        System.out.println(i);
        long l = 1;
        l <<= 40;
        System.out.println(l);
        l += 0.5;
        System.out.println(l);
        l >>>= 3;
        System.out.println(l);
        l %= 1000;
        System.out.println(l);
        float f = 1;
        f += 1e10;
        System.out.println(f);
        f++;
        System.out.println(f);
        double d = 0.1;
        d += 0.2;
        System.out.println(d);
        d--;
        System.out.println(d);
        d %= 0.3;
        System.out.println(d);
        boolean z = true;
        z &= false;
        System.out.println(z);
        z |= true;
        System.out.println(z);
        z ^= true;
        System.out.println(z);
        String st = "x";
        st += 1;
        st += 'c';
        st += 1.5;
        st += null;
        st += true;
        st += 1L;
        st += 2f;
        System.out.println(st);
        String n = null; n += n; System.out.println(n);
        char cc = 'x'; cc += 1.7; System.out.println(cc);
    }
    static void t05_order() {
        int[] a = {1, 2, 3, 4};
        int i = 0;
        a[i++] = a[i] + i++; System.out.println(Arrays2.str(a) + i);
        i = 1; a[i] = i = 2; System.out.println(Arrays2.str(a) + i);
        i = 3; a[i] += i-- * 10 + a[i]; System.out.println(Arrays2.str(a) + i);
        int x = 5; x = x++ + ++x; System.out.println(x);
        x = 5; x += x++ * 2 + x; System.out.println(x);
        int y = f(1) + f(2) * f(3) - f(4) / f(2); System.out.println(y);
        int z = 1; z = z + (z = 5) * z; System.out.println(z);
        int[] p = {1, 2};
        int[] q = p;
        p[(p = new int[]{9, 9, 9})[0] - 9] = 7;
        System.out.println(Arrays2.str(q) + Arrays2.str(p));
        System.out.println(f(1) < f(2) && f(3) > f(4) || f(5) == f(5));
        System.out.println(true | f(1) == 2); System.out.println(f(3) == 3 ? f(4) : f(5));
        calls = 0; int k = calls + f(1) + calls + f(2) + calls; System.out.println(k);
        int[] arr = {0, 0, 0}; int j = 0; arr[j] = j = 2; System.out.println(Arrays2.str(arr));
        j = 0; arr[j++]++; arr[j]--; --arr[j++]; System.out.println(Arrays2.str(arr) + j);
        long L = 5; int ii = (int) L++ + (int) ++L; System.out.println(ii + " " + L);
    }
    static int[] nul() { System.out.print("nul "); return null; }
    static int boom() { System.out.print("boom "); throw new IllegalStateException("b"); }
    static void t06_npe_order() {
        try { nul()[f(1)] = f(2); } catch (NullPointerException e) { System.out.println("npe"); }
        try { nul()[boom()] = f(2); } catch (IllegalStateException e) { System.out.println("ise"); }
        int[] a = new int[2];
        try { a[5] = boom(); } catch (RuntimeException e) { System.out.println("rt"); }
        try { a[f(5)] = f(9); } catch (ArrayIndexOutOfBoundsException e) { System.out.println("aioobe"); }
        try { a[f(5)] += f(9); } catch (IndexOutOfBoundsException e) { System.out.println("ioobe"); }
        try { nul()[f(1)] += f(2); } catch (NullPointerException e) { System.out.println("npe"); }
        try { System.out.println(1 / (f(1) - 1)); } catch (ArithmeticException e) { System.out.println("ae"); }
        try { int x = 3; x /= 0; } catch (ArithmeticException e) { System.out.println("ae"); }
        try { int[] n = new int[-1]; } catch (NegativeArraySizeException e) { System.out.println("nase"); }
        try {
            int[][] n = new int[f(2)][f(-1)];
        } catch (NegativeArraySizeException e) {
            System.out.println("nase");
        }
        try { String s = null; s.length(); } catch (NullPointerException e) { System.out.println("npe"); }
        try { "abc".charAt(3); } catch (StringIndexOutOfBoundsException e) { System.out.println("sioobe"); }
        try { "abc".substring(2, 1); } catch (IndexOutOfBoundsException e) { System.out.println("sioobe"); }
        try { a[f(0) - 1]++; } catch (ArrayIndexOutOfBoundsException e) { System.out.println("aioobe"); }
        try { a[a.length] = 1; } catch (Exception e) { System.out.println("ex"); }
    }
    static void t07_loops() {
        outer:
        for (int i = 0; i < 5; i++) {
            for (int j = 0; ; j++) {
                if (j == 3) continue outer;
                if (i == 3) break outer;
                if (j == 1) continue;
                System.out.print(i + "" + j + " ");
            }
        }
        System.out.println();
        int n = 10;
        while (n > 0) {
            n -= 3;
            if (n == 4) continue;
            System.out.print(n + " ");
        }
        System.out.println();
        do {
            n++;
            if (n == 0) continue;
            if (n == 3) break;
            System.out.print(n + " ");
        } while (n < 5);
        System.out.println();
        lab: { if (n == 3) break lab; System.out.println("not here"); }
        for (int i = 0, j = 10; i < j; i++, j -= 2) System.out.print(i + ":" + j + " ");
        System.out.println();
        for (;;) { if (n++ > 6) break; }
        System.out.println(n);
        lp: do { int q = 0; while (true) { q++; if (q > 3) continue lp; } } while (n-- > 4);
        System.out.println(n);
        long sum = 0; for (byte b = 0; b >= 0; b++) sum += b; System.out.println(sum);
        for (char c = 'a'; c <= 'e'; c++) System.out.print(c); System.out.println();
        for (float f = 0; f < 1; f += 0.25f) System.out.print(f + " "); System.out.println();
        String[] ss = {"a", "b", null}; for (String s : ss) System.out.print(s + ","); System.out.println();
        int[][] m = {{1, 2}, {3}, {}};
        for (int[] r : m) for (int v : r) System.out.print(v);
        System.out.println();
        for (var v : new double[]{1, 2.5}) System.out.print(v + ";"); System.out.println();
    }
    static String sw(int x) {
        String r = "";
        switch (x) {
            case 1: r += "one";
            case 2: r += "two"; break;
            case 3: { r += "three"; if (r.length() > 3) break; }
            default: r += "def";
            case 5: r += "five"; return r;
            case 6: break;
            case -1: r += "m"; 
        }
        return r + "!";
    }
    static int swe(int x) {
        return switch (x) {
            case 1, 2 -> 10;
            case 3 -> {
                int y = x * 2;
                yield y;
            }
            default -> {
                if (x > 5) yield 99;
                yield -1;
            }
        };
    }
    static int swo(char c) {
        switch (c) {
            case 'a': return 1;
            case 'b': case 'c': return 2;
            default: return 0;
        }
    }
    static String sws(String s) {
        switch (s) {
            case "x": return "ex";
            case "yy": return "why";
        }
        return "none";
    }
    static void t08_switch() {
        for (int i = -2; i < 9; i++) System.out.print(sw(i) + " " + swe(i) + " ");
        System.out.println();
        System.out.println(swo('a') + "" + swo('b') + swo('c') + swo('d'));
        System.out.println(sws("x") + sws("yy") + sws(""));
        try { sws(null); } catch (NullPointerException e) { System.out.println("npe"); }
        int k = 3;
        switch (k) {
            case 3 -> System.out.println("arrow3");
            case 4 -> System.out.println("arrow4");
            default -> System.out.println("d");
        }
        double d = switch (k) { case 1 -> 1; case 3 -> 2.5f; default -> 'c'; }; System.out.println(d);
        
        System.out.println("" + switch (k) { case 3 -> { int q = switch (k + 1) { case 4 -> 44; default -> 0; }; yield q + 1; } default -> 5L; });
        for (int i = 0; i < 4; i++) {
            switch (i) {
                case 1: continue;
                case 2: break;
                default: System.out.print("D");
            }
            System.out.print(i);
        }
        System.out.println();
        byte b = 5; switch (b) { case 5: System.out.println("b5"); }
        int old = switch (k) { case 1: yield 5; case 3: k++; default: yield k * 2; }; System.out.println(old);
    }
    static int fin(int x) {
        try {
            if (x == 0) return 1;
            if (x == 1) throw new RuntimeException("r");
            if (x == 2) {
                int[] a = null;
                a[0] = 1;
            }
            System.out.print("body ");
        }
        catch (NullPointerException e) { System.out.print("npe "); return 7; }
        finally { System.out.print("fin" + x + " "); if (x == 3) return 33; }
        return 5;
    }
    static int fin2() {
        int i = 0;
        while (true) {
            try {
                try {
                    i++;
                    if (i < 3) continue;
                    if (i == 5) break;
                    if (i == 4) throw new IllegalArgumentException("q");
                }
            finally { System.out.print("a" + i + " "); if (i == 3) i = 3; } }
            catch (IllegalArgumentException e) { System.out.print("c" + e.getMessage() + " "); }
            finally { System.out.print("b" + i + " "); }
        }
        int r = 1;
        try { return r; } finally { r = 2; }
    }
    static int fin3() { for (;;) { try { return 1; } finally { break; } } return 2; }
    static int fin4() {
        int q = 0;
        try {
            q = 1;
            return q;
        } finally {
            for (;;) {
                try {
                    return q = 5;
                } finally {
                    break;
                }
            }
        }
    }
    static class MyEx extends Exception { int code; MyEx(String m, int c) { super(m + c); code = c; } }
    static class SubEx extends MyEx { SubEx() { super("sub", 9); } public String toString() { return "SUB"; } }
    static void thrower(int x) throws Exception {
        if (x == 0) throw new MyEx("my", 5);
        if (x == 1) throw new SubEx();
        if (x == 2) throw new IllegalArgumentException("bad" + x);
        if (x == 3) throw new Exception("plain");
        if (x == 4) {
            Exception e = new ArithmeticException("var");
            throw e;
        }
        if (x == 5) throw new Error("err");
        if (x == 6) throw null;
    }
    static void t09_exc() {
        for (int i = 0; i < 5; i++) {
            try {
                System.out.println(fin(i));
            } catch (RuntimeException e) {
                System.out.println("caught " + e.getMessage());
            }
        }
        System.out.println(fin2() + " " + fin3() + " " + fin4());
        for (int i = 0; i < 8; i++) {
            try { thrower(i); System.out.println("none"); }
            catch (SubEx e) { System.out.println("sub " + e.getMessage()); }
            catch (MyEx e) { System.out.println("my " + e.getMessage()); }
            catch (IllegalArgumentException | ArithmeticException e) {
                System.out.println("multi " + e.getMessage() + (e instanceof ArithmeticException));
            }
            catch (NullPointerException e) { System.out.println("null thrown"); }
            catch (Exception e) { System.out.println("ex " + e.getMessage()); }
            catch (Throwable t) { System.out.println("thr " + t.getMessage() + " " + t); }
        }
        for (int i = 0; i < 7; i++) {
            try {
                try {
                    thrower(i);
                } catch (MyEx e) {
                    throw e;
                } catch (RuntimeException e) {
                    throw new IllegalStateException("wrapped", e);
                } finally {
                    System.out.print("f ");
                }
            }
            catch (SubEx e) { System.out.println("SubEx"); }
            catch (MyEx e) { System.out.println("MyEx"); }
            catch (IllegalStateException e) { System.out.println("ISE " + e.getMessage()); }
            catch (Throwable e) { System.out.println("other " + e); }
        }
    }
    static void t10_uncaught() throws Exception { System.out.println("x"); thrower(1); }
    static void t11_uncaught() { int[] a = {}; a[0] = 1; }
    static void t12_assert_like() { if (1 > 0) throw new AssertionError("no"); }
}
class Arrays2 {
    static String str(int[] a) {
        String s = "[";
        for (int i = 0; i < a.length; i++) s += (i > 0 ? "," : "") + a[i];
        return s + "]";
    }
}
