    static void fill(ELEMENT[] a, ELEMENT value) {
        for (int i = 0; i < a.length; i++) a[i] = value;
    }
    static void fill(ELEMENT[] a, int from, int to, ELEMENT value) {
        $check_range(a.length, from, to);
        for (int i = from; i < to; i++) a[i] = value;
    }
    static ELEMENT[] copyOf(ELEMENT[] a, int length) {
        ELEMENT[] copy = new ELEMENT[length];
        int n = Math.min(a.length, length);
        for (int i = 0; i < n; i++) copy[i] = a[i];
        return copy;
    }
    static ELEMENT[] copyOfRange(ELEMENT[] a, int from, int to) {
        int length = to - from;
        if (length < 0) throw new IllegalArgumentException(from + " > " + to);
        ELEMENT[] copy = new ELEMENT[length];
        if (from < 0 || from > a.length) throw new ArrayIndexOutOfBoundsException();
        int n = Math.min(a.length - from, length);
        for (int i = 0; i < n; i++) copy[i] = a[from + i];
        return copy;
    }
    static boolean equals(ELEMENT[] a, ELEMENT[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int i = 0; i < a.length; i++) {
            if (BOX.compare(a[i], b[i]) != 0) return false;
        }
        return true;
    }
    static String toString(ELEMENT[] a) {
        if (a == null) return "null";
        String text = "[";
        for (int i = 0; i < a.length; i++) {
            if (i > 0) text += ", ";
            text += a[i];
        }
        return text + "]";
    }
