    static void sort(ELEMENT[] a) { $sort(a, 0, a.length); }
    static void sort(ELEMENT[] a, int from, int to) {
        $check_range(a.length, from, to);
        $sort(a, from, to);
    }
    private static void $sort(ELEMENT[] a, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            ELEMENT value = a[i];
            int j = i;
            while (j > from && BOX.compare(a[j - 1], value) > 0) {
                a[j] = a[j - 1];
                j--;
            }
            a[j] = value;
        }
    }
