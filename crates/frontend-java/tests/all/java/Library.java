class Library {
    static final int[] IS = {0, 1, -1, 2, 5, 17, 255, 256, -256, 65535, 1 << 30, Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MIN_VALUE + 1, 0x12345678, -1234567};
    static final long[] LS = {0, 1, -1, 3, 1L << 31, -(1L << 31), 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE, 0x123456789abcdefL, -77777777777L};
    static void t02_int() {
        for (int a : IS) {
            System.out.println(Math.abs(a) + " " + Integer.signum(a) + " " + Integer.bitCount(a) + " " + Integer.numberOfLeadingZeros(a) + " " + Integer.numberOfTrailingZeros(a) + " " + Integer.highestOneBit(a) + " " + Integer.lowestOneBit(a) + " " + Integer.reverse(a) + " " + Integer.reverseBytes(a) + " " + Integer.toHexString(a) + " " + Integer.toOctalString(a) + " " + Integer.toBinaryString(a) + " " + Integer.hashCode(a) + " " + Integer.toString(a) + " " + Integer.toUnsignedLong(a) + " " + Integer.valueOf(a) + " " + String.valueOf(a) + Integer.parseInt("" + a));
            for (int b : IS) {
                System.out.print(Math.max(a, b) + " " + Math.min(a, b) + " " + Integer.compare(a, b) + " " + Integer.compareUnsigned(a, b) + " " + Integer.rotateLeft(a, b) + " " + Integer.rotateRight(a, b) + " " + Integer.sum(a, b) + " ");
                if (b != 0) System.out.print(Math.floorDiv(a, b) + " " + Math.floorMod(a, b) + " " + Integer.divideUnsigned(a, b) + " " + Integer.remainderUnsigned(a, b) + " ");
                try {
                    System.out.print(Math.addExact(a, b) + " ");
                } catch (ArithmeticException e) {
                    System.out.print(e.getMessage() + " ");
                }
                try {
                    System.out.print(Math.subtractExact(a, b) + " ");
                } catch (ArithmeticException e) {
                    System.out.print(e.getMessage() + " ");
                }
                try {
                    System.out.print(Math.multiplyExact(a, b) + " ");
                } catch (ArithmeticException e) {
                    System.out.print("AE ");
                }
                System.out.println();
            }
            try {
                System.out.println(Math.negateExact(a) + " " + Math.incrementExact(a) + " ");
            } catch (ArithmeticException e) {
                System.out.println("AE");
            }
        }
        try { Math.floorMod(1, 0); } catch (ArithmeticException e) { System.out.println("ae"); }
    }
    static void t03_long() {
        for (long a : LS) {
            System.out.println(Math.abs(a) + " " + Long.signum(a) + " " + Long.bitCount(a) + " " + Long.numberOfLeadingZeros(a) + " " + Long.numberOfTrailingZeros(a) + " " + Long.highestOneBit(a) + " " + Long.lowestOneBit(a) + " " + Long.reverse(a) + " " + Long.reverseBytes(a) + " " + Long.toHexString(a) + " " + Long.toBinaryString(a) + " " + Long.hashCode(a) + " " + Long.parseLong("" + a) );
            for (long b : LS) {
                System.out.print(Math.max(a, b) + " " + Math.min(a, b) + " " + Long.compare(a, b) + " " + Long.rotateLeft(a, (int) b) + " ");
                if (b != 0) System.out.print(Math.floorDiv(a, b) + " " + Math.floorMod(a, b) + " ");
                try {
                    System.out.print(Math.addExact(a, b) + " ");
                } catch (ArithmeticException e) {
                    System.out.print(e.getMessage() + " ");
                }
                try {
                    System.out.print(Math.multiplyExact(a, b) + " ");
                } catch (ArithmeticException e) {
                    System.out.print(e.getMessage() + " ");
                }
                System.out.println();
            }
            try {
                System.out.println(Math.toIntExact(a));
            } catch (ArithmeticException e) {
                System.out.println("AE");
            }
        }
    }
    static void t04_char() {
        for (char c = 0; c < 128; c++) System.out.println((int) c + " " + Character.isDigit(c) + Character.isLetter(c) + Character.isLetterOrDigit(c) + Character.isUpperCase(c) + Character.isLowerCase(c) + Character.isWhitespace(c) + Character.isAlphabetic(c) + Character.isSpaceChar(c) + " " + Character.toUpperCase(c) + Character.toLowerCase(c) + Character.getNumericValue(c) + " " + Character.digit(c, 16) + " " + Character.digit(c, 8) + (int) Character.forDigit(c, 20) + Character.compare(c, 'M') + Character.valueOf(c) + Character.toString(c));
    }
    static void t05_string() {
        String[] ss = {"", "a", "abc", "hello world", "  trim me ", "ABCabc", "aXbXc", "\u00e9t\u00e9", "tab\tnew\nq\"\\", null};
        for (String s : ss) {
            if (s == null) { System.out.println(s + "!"); continue; }
            System.out.println(s.length() + " " + s.isEmpty() + " " + s.indexOf('c') + " " + s.indexOf("X") + " " + s.lastIndexOf('X') + " " + s.lastIndexOf("a") + " " + s.trim() + "|" + s.replace('a', 'z') + " " + s.contains("bc") + s.startsWith("a") + s.endsWith("c") + " " + s.hashCode() + " " + s.concat("!") + s.substring(s.length() / 2) + " " + s.repeat(2) + s.indexOf("", 1) + s.indexOf('l', 3) + s.indexOf("l", 4));
            for (String t : ss) {
                System.out.print(s.equals(t) + " ");
                if (t != null) System.out.print(s.compareTo(t) + " ");
            }
            System.out.println();
            for (int i = -1; i <= s.length(); i++) {
                try {
                    System.out.print(s.charAt(i) + "," + s.substring(0, i) + ",");
                } catch (StringIndexOutOfBoundsException e) {
                    System.out.print("X");
                }
            }
            System.out.println();
            char[] cs = s.toCharArray();
            int sum = 0;
            for (char c : cs) sum += c;
            System.out.println(sum + String.valueOf(cs) + new String(cs));
        }
        System.out.println("abc".toUpperCase() + "ABc".toLowerCase() + "aBC".equalsIgnoreCase("AbC") + "ab".equalsIgnoreCase("ac"));
        System.out.println("a" + 1 + 2 + 'c' + 1.5 + true + null + 1L + 2.5f + (1 + 2) + ('a' + 1) + (char) ('a' + 1));
        System.out.println(1 + 2 + "x");
        System.out.println('a' + 'b' + "c");
        String tb = """
            Hello
              "World" \
            joined\tx
            end""";
        System.out.println(tb);
        System.out.println("\u0041\101\7\0".length() + "\t|" + '\u0041' + '\'' + "\'" + '\\' + '"' + '\101');
        System.out.println(0x7fffffff + 0b1010 + 017 + 1_000 + 0xFFFFFFFFL + 0x1p3 + 0x1.8p1f + 1e3 + .5 + 1.f + 3d + -2147483648);
        System.out.println(-9223372036854775808L);
    }
    static void t06_parse() {
        String[] ss = {"12", "-5", "+7", "", "-", "abc", "2147483648", "-2147483648", " 1", "1 ", "0x1", "1_0", "00012", "99999999999"};
        for (String s : ss) {
            try {
                System.out.print(Integer.parseInt(s) + " ");
            } catch (NumberFormatException e) {
                System.out.print("NFE ");
            }
            try {
                System.out.print(Long.parseLong(s) + " ");
            } catch (IllegalArgumentException e) {
                System.out.print("NFE ");
            }
            try {
                System.out.print(Short.parseShort(s) + " ");
            } catch (NumberFormatException e) {
                System.out.print("NFE ");
            }
            try {
                System.out.println(Byte.parseByte(s) + " ");
            } catch (NumberFormatException e) {
                System.out.println("NFE ");
            }
        }
        String[] ds = {"1.5", "-0", "1e10", " 2.5 ", "NaN", "Infinity", "-Infinity", "0x1p3", "1.5f", "", "abc", "1e", ".5", "5.", "1d"};
        for (String s : ds) try {
            System.out.println(Double.doubleToLongBits(Double.parseDouble(s)) + " " + Float.floatToIntBits(Float.parseFloat(s)));
        } catch (NumberFormatException e) {
            System.out.println("NFE");
        }
        try { Integer.parseInt(null); } catch (NumberFormatException e) { System.out.println("nfe"); }
        System.out.println(Boolean.parseBoolean("TRUE") + " " + Boolean.parseBoolean(null) + Boolean.parseBoolean("x"));
    }
    static void t07_sb() {
        StringBuilder sb = new StringBuilder();
        sb.append(1).append('c').append("s").append(2.5).append(true).append(10L).append(1.5f).append((String) null);
        System.out.println(sb.toString() + sb.length() + sb.charAt(1));
        sb.reverse();
        System.out.println(sb);
        sb.insert(0, "zz").deleteCharAt(1).setCharAt(0, 'Q');
        System.out.println(sb + "!");
        sb.setLength(3);
        System.out.println(sb.toString() + sb.indexOf("l"));
        StringBuilder o = new StringBuilder("abc");
        o.append(sb);
        System.out.println(o.toString() + o.substring(2) + o.substring(1, 2));
        try {
            sb.charAt(99);
        } catch (IndexOutOfBoundsException e) {
            System.out.println("ioobe");
        }
        try {
            sb.charAt(99);
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println("sioobe");
        }
        try {
            sb.deleteCharAt(-1);
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println("sioobe");
        }
        try {
            sb.insert(9, "x");
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println("sioobe");
        }
        try {
            sb.setCharAt(9, 'x');
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println("sioobe");
        }
        try {
            sb.setLength(-1);
        } catch (IndexOutOfBoundsException e) {
            System.out.println("ioobe");
        }
        try {
            new StringBuilder(-1);
        } catch (NegativeArraySizeException e) {
            System.out.println("nase");
        }
        try {
            sb.substring(2, 1);
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println("sioobe");
        }
        try {
            "abc".repeat(-1);
        } catch (IllegalArgumentException e) {
            System.out.println("iae");
        }
        try {
            "abc".substring(4);
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println("sioobe");
        }
    }
    static void t08_double() {
        double[] xs = {0, -0.0, 1.5, 2.5, -2.5, 0.49999999999999994, -0.5, 4503599627370497.5, 9007199254740993.0, 1e300, Double.NaN, Double.POSITIVE_INFINITY, Double.MIN_VALUE, Double.MAX_VALUE, -0.49999999999999994, 4503599627370495.5, -4503599627370495.5, 9.3e18, -9.3e18};
        for (double a : xs) {
            System.out.println(Math.round(a) + " " + Double.isNaN(a) + Double.isInfinite(a) + Double.isFinite(a) + " " + Double.doubleToLongBits(a) + " " + (a == a ? Double.doubleToRawLongBits(a) : Double.doubleToLongBits(a)) + " " + Double.hashCode(a) + " " + Double.doubleToLongBits(Math.toRadians(a)) + " " + Double.doubleToLongBits(Math.toDegrees(a)) + " " + Math.round((float) a) + " " + Float.floatToIntBits((float) a));
            Double d = a; System.out.println(d.isNaN() + " " + d.intValue() + d.equals(1.5) + d.compareTo(2.5));
        }
        System.out.println(Double.MIN_VALUE + " " + Double.MAX_VALUE + " " + Float.MAX_VALUE + " " + Float.MIN_VALUE + " " + Byte.MIN_VALUE + Short.MAX_VALUE + (int) Character.MAX_VALUE + Long.SIZE + Math.PI + Math.E + Double.NEGATIVE_INFINITY + Float.NaN);
        int[] a = {5, 3, 9, 1};
        int[] b = new int[6];
        System.arraycopy(a, 1, b, 2, 3);
        for (int x : b) System.out.print(x + " ");
        System.arraycopy(b, 2, b, 3, 3);
        for (int x : b) System.out.print(x + " ");
        System.arraycopy(b, 1, b, 0, 5);
        for (int x : b) System.out.print(x + " ");
        System.out.println();
        try {
            System.arraycopy(a, 2, b, 0, 3);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println("aioobe");
        }
        try {
            System.arraycopy(a, 0, (int[]) null, 0, 0);
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
        java.util.Arrays.sort(a);
        System.out.println(java.util.Arrays.toString(a));
        java.util.Arrays.fill(a, 7);
        System.out.println(java.util.Arrays.toString(a) + java.util.Arrays.equals(a, new int[]{7, 7, 7, 7}) + java.util.Arrays.toString(java.util.Arrays.copyOf(a, 6)) + java.util.Arrays.toString(java.util.Arrays.copyOfRange(a, 1, 3)));
    }
}
