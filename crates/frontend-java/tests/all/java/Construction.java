class Construction {
    static class E1 extends RuntimeException { E1() { super("e1"); } }
    static class E2 extends E1 {
        final int k;
        E2(int k) {
            this.k = k;
        }
        public String getMessage() {
            return "k" + k;
        }
    }
    class In {
        int a = 3;
        In() {
            a += b;
        }
        In(int x) {
            this();
            a *= x;
        }
        int outerSum() {
            return a + b + f();
        }
    }
    class In2 extends In { In2() { super(2); } int outerSum() { return super.outerSum() + 1000; } }
    int b = 4; int f() { return 1; }
    int y; { int x = 5; y = x; } Construction(int x) { y += x; } Construction() { this(1); }
    static void t1() {
        Construction c = new Construction(7);
        System.out.println(c.y + " " + new Construction().y);
    }
    In make(int k) { return k == 0 ? new In() : k == 1 ? new In(5) : new In2(); }
    static void t2() {
        Construction c = new Construction();
        for (int i = 0; i < 3; i++) System.out.println(c.make(i).outerSum() + " " + c.make(i).a);
    }
    static void t3() {
        try {
            throw new E2(4);
        } catch (E1 e) {
            System.out.println("caught");
        }
        try {
            throw new E1();
        } catch (RuntimeException e) {
            System.out.println(e.getMessage());
        }
    }
    static int t(int d) { return d; }
    static void t4() {
        int x = 0;
        for (int i = 0; i < 3; i++) {
            try {
                x += 10 / (i - 1);
            } catch (ArithmeticException e) {
                x += 1000;
                continue;
            } finally {
                x += 7;
            }
            x *= 2;
        }
        System.out.println(x);
    }
    static long gcd(long a, long b) { return b == 0 ? a : gcd(b, a % b); }
    static void t5() {
        System.out.println(gcd(1071, 462) + " " + Math.pow(2, 10) + " " + Math.hypot(3, 4) + " " + Math.cbrt(27));
    }
    static int sum(Integer a, Integer b) { return a + b; }
    static void t6() {
        System.out.println(sum(3, 4));
        try {
            int z = 5;
            System.out.println(z);
        } catch (NullPointerException e) {
        }
    }
    static String cls(Object o) {
        if (o instanceof int[] a) return "ints" + a.length;
        if (o instanceof Construction) return "ctor";
        return "other";
    }
    static void t7() {
        System.out.println(cls(new int[3]) + cls(new Construction()) + cls(new double[1]) + cls(null));
        Object o = new int[]{1, 2};
        int[] back = (int[]) o;
        System.out.println(back[1]);
        try {
            double[] d = (double[]) o;
        } catch (ClassCastException e) {
            System.out.println("cce");
        }
    }
    interface Op {
        int ap(int x);
    }
    static class Inc implements Op {
        public int ap(int x) {
            return x + 1;
        }
    }
    static class Twice implements Op {
        final Op o;
        Twice(Op o) {
            this.o = o;
        }
        public int ap(int x) {
            return o.ap(o.ap(x));
        }
    }
    static void t8() { Op o = new Twice(new Twice(new Inc())); System.out.println(o.ap(10)); }
    static int[] memo = new int[50];
    static int fib(int n) {
        if (n < 2) return n;
        if (memo[n] != 0) return memo[n];
        return memo[n] = fib(n - 1) + fib(n - 2);
    }
    static void t9() {
        memo = new int[50];
        System.out.println(fib(40));
        int[] a = {5, 2, 8, 1};
        for (int i = 0; i < a.length; i++) for (int j = 0; j + 1 < a.length - i; j++) if (a[j] > a[j + 1]) {
            int t = a[j];
            a[j] = a[j + 1];
            a[j + 1] = t;
        }
        for (int v : a) System.out.print(v + " ");
        System.out.println();
    }
}
