import java.util.*;
class Order {
    static class A {
        static int K = 1;
        int v = 1;
        int get() {
            return v;
        }
        static String who() {
            return "A";
        }
        int over(A a) {
            return 1;
        }
        int over(B b) {
            return 2;
        }
    }
    static class B extends A {
        int v = 2;
        int get() {
            return v * 10 + super.v + super.get();
        }
        static String who() {
            return "B";
        }
    }
    interface I { int K = 5; default int d() { return K; } static int s() { return 9; } }
    interface J extends I { default int d() { return I.K + 1; } }
    static class C implements I, J { }
    static class Counter { private int c; Counter inc() { c++; return this; } int get() { return c; } }
    static class Shadow {
        int x = 1;
        void f(int x) {
            this.x = x + this.x;
            x = 100;
        }
        int g() {
            int x = 5;
            {
                x++;
            }
            return x + this.x;
        }
    }
    static void t01_hiding() {
        A a = new B();
        B b = new B();
        System.out.println(a.v + " " + b.v + " " + ((A) b).v + " " + a.get() + A.who() + B.who() + a.over(a) + a.over(b) + a.over((B) a) + B.K);
        System.out.println(new C().d() + I.s() + C.K);
    }
    static void t02_chain() {
        System.out.println(new Counter().inc().inc().inc().get());
        Shadow s = new Shadow();
        s.f(4);
        System.out.println(s.x + " " + s.g());
    }
    static int depth(int n) {
        if (n == 0) throw new UnsupportedOperationException("deep");
        try {
            return depth(n - 1);
        } finally {
            System.out.print(n);
        }
    }
    static void t03_unwind() {
        try {
            depth(5);
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
    }
    static int nested(int x) {
        try {
            try {
                if (x == 1) throw new IllegalStateException("a");
                if (x == 2) return 2;
                return 0;
            } catch (IllegalStateException e) {
                if (x == 1) throw new RuntimeException("b");
            } finally {
                x += 10;
                System.out.print("x" + x);
            }
        }
        catch (RuntimeException e) { return x * 100; } finally { x++; System.out.print("y" + x + " "); }
        return x;
    }
    static void t04_nested() { System.out.println(nested(0) + " " + nested(1) + " " + nested(2)); }
    static boolean side(String s, boolean r) { System.out.print(s); return r; }
    static void t05_bool() {
        boolean a = side("a", true) & side("b", false) | side("c", true) ^ side("d", true);
        System.out.println(a);
        System.out.println(side("e", false) && side("f", true) || !side("g", false) && side("h", true) ? 1 : 2);
        boolean b = !(side("i", true) || side("j", true));
        System.out.println(b);
        int i = 0;
        if (i++ == 0 || i++ == 1) System.out.println(i);
        if (i++ == 5 && i++ == 2) System.out.println("no");
        System.out.println(i);
        boolean c = i == 2 ? side("k", true) && i++ > 0 : false;
        System.out.println(c + "" + i);
        while (i-- > 0 && side("l", i != 1)) {
        }
        System.out.println(i);
    }
    static int[] arr = null; static int idx() { arr = new int[]{7, 8, 9}; return 1; }
    static void t06_fieldorder() {
        arr = new int[]{1, 2, 3};
        System.out.println(arr[idx()]);
        arr = new int[]{1, 2, 3};
        int[] old = arr;
        arr[idx()] = 55;
        System.out.println(old[1] + " " + arr[1]);
        arr = new int[]{1, 2, 3};
        arr[idx()] += arr[0];
        System.out.println(arr[1]);
        arr = new int[]{4};
        int q = arr[0] + idx() + arr[0];
        System.out.println(q);
    }
    static class H {
        int x;
        H n;
        H(int x) {
            this.x = x;
        }
        H set(int v) {
            x = v;
            return this;
        }
        static H mk(int v) {
            System.out.print("mk" + v + " ");
            return new H(v);
        }
        static H nul() {
            System.out.print("nul ");
            return null;
        }
    }
    static int val(int v) { System.out.print("v" + v + " "); return v; }
    static void t07_recvorder() {
        try {
            H.nul().x = val(1);
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
        try {
            H.nul().set(val(2));
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
        try {
            H.nul().x += val(3);
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
        H h = H.mk(1);
        h.x = h.x++ + h.set(5).x;
        System.out.println(h.x);
        H g = h;
        h.set((h = H.mk(9)).x);
        System.out.println(g.x + " " + h.x);
        int z = h.x + h.set(77).x + h.x;
        System.out.println(z);
    }
    static String str(Object o) {
        return "obj";
    }
    static String str(String s) {
        return "str";
    }
    static String str(Integer i) {
        return "Int";
    }
    static String str(long l) {
        return "long";
    }
    static String str(char c) {
        return "char";
    }
    static void t08_overload() {
        short s = 1;
        byte b = 1;
        System.out.println(str("a") + str(1) + str('c') + str(2L) + str(s) + str(b));
        H hh = null;
        System.out.println(str(hh));
    }
    static final Comparator<Integer> CMP = null;
    static List<String> lst = new ArrayList<>();
    int inst = 3;
    List<String> il = new ArrayList<>();
    static void t09_unrelated() { System.out.println(new Order().inst); }
    static long mix(int a, long b, float c, double d, char e, short f, byte g) {
        return (long) (a + b * c - d / e + (f << g) % 7);
    }
    static void t10_mix() {
        for (int i = -3; i < 4; i++) System.out.println(mix(i, i * 100000L, i / 2f, i * 0.3, (char) (i + 70), (short) (i * 9999), (byte) (i * 50)));
        int i = 'a' + 1;
        char c = 'a' + 1;
        c += i;
        byte b = (byte) 200;
        short s = (short) 40000;
        System.out.println(i + c + b + s + " " + (b >>> 2) + " " + (b >> 2) + " " + (byte) (b >>> 2) + " " + (s >>> 20) + (b & 0xff) + (char) (c & 0x7f) + ~b + -s + +c);
        System.out.println(5 / 2 + 5 % -3 + -5 / 2 + -5 % 3 + 5.0 / 2 + 5 / 2f + " " + 1 / 3 * 3 + 07 + 0b11 + 1e0f + (1 > 0 ? 1 : 'a'));
        System.out.println((int) 3.99e10 + (int) -0.5 + (long) 1e19 + (char) 97.6 + (byte) 300.7 + " " + (short) 1e6f + (int) Float.NaN + (5 & 6 | 1 ^ 2) + (1 << 33) + (1L << 33) + (1 << -1) + (-1 >>> 1) + (-1L >>> 1) + ((byte) -1 >>> 1));
        float f = 16777217;
        System.out.println((int) f);
        long big = 9007199254740993L;
        double dd = big;
        System.out.println((long) dd);
        System.out.println(0.1f + 0.2f == 0.3f);
        System.out.println((float) 0.1 == 0.1);
        System.out.println(1.0 % 0.1 > 0.09);
        final int fi = 10;
        byte bb = fi;
        switch (bb) {
            case fi: System.out.println("fi");
        }
        int x = 7;
        x = x++ * 2 + x;
        System.out.println(x);
        x ^= x << 3;
        x |= 1 << 4;
        x &= ~2;
        System.out.println(x);
        x >>= 1;
        x >>>= 1;
        System.out.println(x);
        x = -17;
        x >>= 2;
        System.out.println(x);
        x >>>= 28;
        System.out.println(x);
        x = x << 35;
        System.out.println(x);
        long y = 1;
        y <<= 65;
        System.out.println(y);
        y = -1;
        y >>>= 60;
        System.out.println(y);
        char ch = 'z';
        ch >>= 1;
        System.out.println(ch);
        ch *= 2;
        System.out.println(ch);
        ch--;
        System.out.println(ch--);
        System.out.println(--ch);
        System.out.println(ch++ + ++ch);
    }
    static void t11_catchvars() {
        int a = 0;
        try {
            a = 1;
            a = 1 / (a - 1);
            a = 3;
        } catch (ArithmeticException e) {
            a += 10;
        } finally {
            a += 100;
        }
        System.out.println(a);
        for (int i = 0; i < 3; i++) {
            try {
                if (i == 1) continue;
                if (i == 2) break;
                System.out.println("i" + i);
            } finally {
                System.out.println("f" + i);
            }
        }
        try {
            try {
                throw new Exception("one");
            } finally {
                try {
                    throw new RuntimeException("two");
                } catch (RuntimeException e) {
                    System.out.println(e.getMessage());
                }
            }
        } catch (Exception e) {
            System.out.println(e.getMessage());
        }
        try {
            Object o = "s".length() > 0 ? new H(1) : null;
            H h = (H) o;
            Counter k = (Counter) o;
        } catch (ClassCastException e) {
            System.out.println("cce");
        }
        try {
            throw new Error("E");
        } catch (Exception e) {
            System.out.println("no");
        } catch (Error e) {
            System.out.println(e);
        }
        try {
            throw new ArrayIndexOutOfBoundsException();
        } catch (RuntimeException e) {
            System.out.println(e instanceof IndexOutOfBoundsException);
        }
    }
    static int labels() {
        int n = 0;
        a: for (int i = 0; i < 4; i++) {
            b: for (int j = 0; j < 4; j++) {
                for (int k = 0; k < 4; k++) {
                    n++;
                    if (k == 1 && j == 1) continue a;
                    if (k == 2) continue b;
                    if (i == 3) break a;
                }
                n += 10;
            }
            n += 100;
        }
        x: {
            y: {
                if (n > 5) break x;
                break y;
            }
            n = -n;
        }
        return n;
    }
    static void t12_labels() {
        System.out.println(labels());
        int s = 0;
        o: switch (2) {
            case 2: for (;;) {
                s++;
                if (s == 3) break o;
                if (s == 2) continue;
            }
            case 3: s = 99;
        }
        System.out.println(s);
        do {
            s++;
            if (s % 2 == 0) continue;
            s += 3;
        } while (s < 20);
        System.out.println(s);
        for (int i = 0; i < 3; i++) {
            int j = i;
            while (true) {
                if (j++ > 2) break;
                else continue;
            }
            s += j;
        }
        System.out.println(s);
    }
    static abstract class T {
        final int r;
        T() {
            r = calc();
        }
        abstract int calc();
    }
    static class U extends T {
        int base = 5;
        int calc() {
            return base + 1;
        }
    }
    static void t13_init() {
        arr = null;
        System.out.println(new U().r + " " + new U().base);
        int x;
        if (arr == null) x = 1;
        else x = 2;
        System.out.println(x);
        {
            int y = 3;
            x += y;
        }
        {
            long y = 4;
            x += y;
        }
        System.out.println(x);
        for (int i = 0; i < 2; i++) {
            int z;
            z = i;
            x += z;
        }
        for (long i = 0; i < 2; i++) x += i;
        System.out.println(x);
        var v = 5;
        var w = 2.5;
        v += w;
        System.out.println(v + w);
        int a1 = 1, b1 = a1 + 1, c1[] = {a1, b1};
        System.out.println(c1[1] + c1.length);
    }
}
