    static void arraycopy(ELEMENT[] from, int start, ELEMENT[] to, int target, int n) {
        if (from == null || to == null) throw new NullPointerException();
        if (start < 0 || target < 0 || n < 0 || n > from.length - start || n > to.length - target) {
            throw new ArrayIndexOutOfBoundsException();
        }
        if (from == to && start < target) {
            for (int i = n - 1; i >= 0; i--) to[target + i] = from[start + i];
        } else {
            for (int i = 0; i < n; i++) to[target + i] = from[start + i];
        }
    }
