class Objects {
    interface Shape {
        double area();
        default String describe() {
            return "shape " + name() + " " + area();
        }
        String name();
    }
    static abstract class Base implements Shape {
        protected int id = next(); static int counter = 0;
        final String label; { trace("init Base " + id); }
        Base(String l) { label = l; trace("ctor Base " + l); hook(); }
        Base() { this("dflt"); trace("ctor Base()"); }
        void hook() { trace("Base.hook"); }
        static int next() { return ++counter; }
        public String name() { return label; }
        abstract int sides();
        public String toString() { return label + "#" + id + "/" + sides(); }
    }
    static void trace(String s) { System.out.println(s); }
    static class Sq extends Base {
        double w = 2; int h = 7;
        Sq(double w) { super("sq"); this.w = w; trace("ctor Sq"); }
        Sq() { trace("ctor Sq()"); }
        public double area() { return w * w; }
        int sides() { return 4; }
        void hook() { trace("Sq.hook " + w + " " + h); }
        int f(int x) {
            return 1;
        }
        int f(long x) {
            return 2;
        }
        int f(double x) {
            return 3;
        }
        int f(Object o) {
            return 4;
        }
        int g(byte b) { return 1; } int g(char c) { return 2; } int g(int i) { return 3; }
    }
    static final class Big extends Sq {
        Big() {
            super(10);
        }
        int sides() {
            return super.sides() + 1;
        }
        public String name() {
            return "Big" + super.name();
        }
    }
    static class Circ extends Base {
        double r = 1;
        public double area() {
            return 3 * r * r;
        }
        int sides() {
            return 0;
        }
    }
    static class Node {
        int v;
        Node next;
        Node(int v, Node n) {
            this.v = v;
            next = n;
        }
        Node(int v) {
            this(v, null);
        }
        int sum() {
            return v + (next == null ? 0 : next.sum());
        }
    }
    class Inner {
        int q = base * 2;
        int get() {
            return q + base + Objects.this.base;
        }
        class Deep {
            int z() {
                return q + base;
            }
        }
    }
    int base = 5;
    Inner mk() { return new Inner(); }

    static void t01_ctor() { Base.counter = 0;
        Sq s = new Sq(3); System.out.println(s + " " + s.area() + " " + s.describe() + " " + s.h);
        Sq t = new Sq(); System.out.println(t + " " + t.w);
        Base b = new Big(); System.out.println(b + " " + b.area() + " " + b.describe() + " " + b.sides());
        Shape[] all = {s, t, b, new Sq(1)};
        double sum = 0;
        for (Shape x : all) sum += x.area();
        System.out.println(sum);
        System.out.println(Base.counter);
    }
    static void t02_dispatch() { Base.counter = 0;
        Sq s = new Sq(1); byte bb = 1; short sh = 2; char c = 'c'; long l = 4; float fl = 1f;
        System.out.println("" + s.f(1) + s.f(l) + s.f(fl) + s.f(bb) + s.f(sh) + s.f(c) + s.f(1.5) + s.f(s));
        System.out.println("" + s.g(bb) + s.g(sh) + s.g(c) + s.g(1));
        System.out.println((s instanceof Base) + " " + (s instanceof Shape) + " " + ((Object) s instanceof Circ));
        Base x = s; if (x instanceof Sq q && q.h == 7) System.out.println("pat " + q.w);
        if (!(x instanceof Big z)) System.out.println("not big"); else System.out.println(z.name());
        try {
            Big g = (Big) x;
            System.out.println(g);
        } catch (ClassCastException e) {
            System.out.println("cce");
        }
        Object o = new Big(); Sq k = (Sq) o; System.out.println(k.name());
        Object nul = null; System.out.println(((Sq) nul == null) + " " + (nul instanceof Sq));
        try { ((Sq) nul).area(); } catch (NullPointerException e) { System.out.println("npe"); }
        System.out.println(s.equals(s) + " " + s.equals(x) + " " + s.equals(new Sq(1)) + (s == x) + (s != null));
    }
    static void t03_list() {
        Node n = null; for (int i = 1; i <= 5; i++) n = new Node(i, n); System.out.println(n.sum());
        n.next.next.v += 100; n.next.v++; System.out.println(n.sum() + " " + n.next.v--);
        try { new Node(1).next.v = 3; } catch (NullPointerException e) { System.out.println("npe"); }
        Node a = new Node(1), b = a;
        b.v = 9;
        System.out.println(a.v);
        a.next = a;
        System.out.println(a.next.next.v);
    }
    static void t04_inner() {
        Objects o = new Objects();
        Inner i = o.mk();
        o.base = 7;
        System.out.println(i.get() + " " + i.q);
    }
    static int stat = 3;
    static int[] tab = {1, 2, 3};
    static final int[] TAB = {5, 6, 7};
    static final int K = 4 * 5, K2 = K + TAB2.length;
    static final double HALF = 1.0 / 2;
    static final String S = "a" + K + 'c';
    static final long BIG = 1L << 40;
    private static int notAssigned = 77;
    static final int[][] GRID = {{1, 2}, {3, 4, 5}};
    static class TAB2 { static final int length = 8; }
    static void t05_static() {
        stat += K;
        System.out.println(stat + " " + K2 + " " + HALF + " " + S + " " + BIG + " " + notAssigned + TAB[1] + TAB.length + GRID[1][2] + GRID[0].length);
        int s = 0;
        for (int x : TAB) s += x;
        System.out.println(s);
        Objects.stat++;
        System.out.println(Objects.stat);
    }
    enum Color {
        RED, GREEN, BLUE;
        Color next() {
            return values()[(ordinal() + 1) % values().length];
        }
        static Color dflt() {
            return GREEN;
        }
    }
    enum Planet {
        A(1.5, 2), B(3, 4);
        final double m;
        final int r;
        static final int Q = 3;
        Planet(double m, int r) {
            this.m = m;
            this.r = r;
        }
        double w() {
            return m * r * Q;
        }
        public String toString() {
            return "P" + r;
        }
    }
    static int sw(Color c) { switch (c) { case RED: return 1; case GREEN: return 2; default: return 3; } }
    static int sw2(Color c) { return switch (c) { case RED -> 10; case GREEN -> 20; case BLUE -> 30; }; }
    static void t06_enum() {
        for (Color c : Color.values()) System.out.print(c + " " + c.ordinal() + " " + c.name() + c.next() + sw(c) + sw2(c) + (c == Color.RED) + c.compareTo(Color.GREEN) + c.equals(Color.BLUE) + "; ");
        System.out.println(Color.valueOf("BLUE") + " " + Color.dflt());
        try { Color.valueOf("X"); } catch (IllegalArgumentException e) { System.out.println("iae"); }
        for (Planet p : Planet.values()) System.out.println(p + " " + p.name() + p.w() + p.m);
        Color n = null; try { sw(n); } catch (NullPointerException e) { System.out.println("npe"); }
        System.out.println(n + "" + (n == null));
    }
    record Pt(int x, double y) {
        Pt {
            if (x < 0) throw new IllegalArgumentException("neg");
        }
        int twice() {
            return x * 2;
        }
        static Pt of(int q) {
            return new Pt(q, q);
        }
    }
    static void t07_record() {
        Pt p = new Pt(3, 4.5);
        System.out.println(p.x() + p.y() + p.twice() + Pt.of(2).y());
        try {
            new Pt(-1, 0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
    static int va(int... xs) { int s = xs.length * 100; for (int x : xs) s += x; return s; }
    static int va(String s, double... xs) { return (int) (s.length() * 1000 + xs.length); }
    static void t08_varargs() {
        System.out.println(va() + " " + va(1) + " " + va(1, 2, 3) + " " + va(new int[]{4, 5}) + " " + va("ab", 1, 2.5f) + " " + va(""));
    }
    static int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
    static boolean even(int n) {
        return n == 0 || odd(n - 1);
    }
    static boolean odd(int n) {
        return n != 0 && even(n - 1);
    }
    static void t09_rec() { System.out.println(fact(10) + " " + even(10) + " " + odd(7)); }
    static void t10_arrays() {
        int[][] a = new int[2][3]; a[1][2] = 5; a[0] = new int[]{1}; System.out.println(a[0].length + a[1][2]);
        int[][][] c = new int[2][2][];
        System.out.println(c[1][1] == null);
        c[1][1] = new int[4];
        c[1][1][3]--;
        System.out.println(c[1][1][3]);
        int[] d = {3, 1, 2};
        int[] e = d.clone();
        e[0] = 9;
        System.out.println(d[0] + " " + e[0] + " " + e.length);
        boolean[] bs = new boolean[2];
        bs[1] |= true;
        System.out.println(bs[0] + " " + bs[1]);
        char[] cs = {'a', 98, 'c'};
        cs[0]++;
        System.out.println(cs[0] + "" + cs[1]);
        long[] ls = {1, 'a', (byte) 300};
        ls[0] <<= 33;
        System.out.println(ls[0] + ls[1] + ls[2]);
        double[] ds = {1, 2f};
        ds[1] /= 0;
        System.out.println(ds[1]);
        String[] ss = new String[2];
        ss[0] = "q";
        ss[0] += ss[1];
        System.out.println(ss[0]);
        Node[] ns = new Node[1];
        System.out.println(ns[0] == null);
        ns[0] = new Node(4);
        System.out.println(ns[0].v);
        byte[] by = new byte[1];
        by[0] += 200;
        System.out.println(by[0]);
        by[0]--;
        System.out.println(by[0]);
        float[] fs = {1.1f};
        fs[0] *= 2;
        System.out.println(fs[0]);
        short[] sh = {5};
        sh[0] <<= 13;
        System.out.println(sh[0]);
    }
    static void t11_boxed() {
        Integer x = 5;
        int y = x + 2;
        Integer z = y;
        Double d = 1.5;
        System.out.println(x + z + d);
        Boolean b = y > 3;
        if (b) System.out.println("b");
        Character c = 'q';
        System.out.println(c);
        long l = x;
        System.out.println(l + x.intValue() + " " + x.equals(5) + x.compareTo(9));
        Long L = 5L;
        System.out.println(L == 5);
    }
    static void t12_tern() {
        int i = 3;
        System.out.println(i > 2 ? 1 : 2.0);
        System.out.println(i > 2 ? 'a' : 0);
        System.out.println(i > 2 ? 'a' : i);
        byte b = 1;
        short s = 2;
        System.out.println((i > 2 ? b : s) + 0);
        Object o = i > 5 ? null : new Node(1);
        System.out.println(o == null);
        System.out.println(i > 2 ? "s" : null);
        long L = i > 2 ? i : 5L;
        System.out.println(L);
        char c = i > 2 ? 98 : 'x';
        System.out.println(c);
    }
}
