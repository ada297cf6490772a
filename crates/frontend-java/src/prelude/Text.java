final class String {
    int length() { return $length(this); }
    boolean isEmpty() { return $length(this) == 0; }
    char charAt(int index) {
        if (index < 0 || index >= $length(this)) throw new StringIndexOutOfBoundsException();
        return $text_at(this, index);
    }
    boolean equals(String other) { return $same_text(this, other); }
    boolean contentEquals(String other) {
        if (other == null) throw new NullPointerException();
        return $same_text(this, other);
    }
    boolean equalsIgnoreCase(String other) {
        if (other == null || $length(this) != $length(other)) return false;
        for (int i = 0; i < $length(this); i++) {
            char a = $text_at(this, i);
            char b = $text_at(other, i);
            if (a != b && Character.toLowerCase(a) != Character.toLowerCase(b)) return false;
        }
        return true;
    }
    int compareTo(String other) {
        if (other == null) throw new NullPointerException();
        int n = Math.min($length(this), $length(other));
        for (int i = 0; i < n; i++) {
            char a = $text_at(this, i);
            char b = $text_at(other, i);
            if (a != b) return a - b;
        }
        return $length(this) - $length(other);
    }
    int hashCode() {
        int h = 0;
        for (int i = 0; i < $length(this); i++) h = 31 * h + $text_at(this, i);
        return h;
    }
    String substring(int from) {
        if (from < 0 || from > $length(this)) throw new StringIndexOutOfBoundsException();
        return $slice(this, from, $length(this));
    }
    String substring(int from, int to) {
        if (from < 0 || to > $length(this) || from > to) throw new StringIndexOutOfBoundsException();
        return $slice(this, from, to);
    }
    int indexOf(int c) { return indexOf(c, 0); }
    int indexOf(int c, int from) {
        if (c >= 65536) $unsupported("the index of a supplementary character");
        for (int i = Math.max(from, 0); i < $length(this); i++) {
            if ($text_at(this, i) == c) return i;
        }
        return -1;
    }
    int lastIndexOf(int c) { return lastIndexOf(c, $length(this) - 1); }
    int lastIndexOf(int c, int from) {
        if (c >= 65536) $unsupported("the index of a supplementary character");
        for (int i = Math.min(from, $length(this) - 1); i >= 0; i--) {
            if ($text_at(this, i) == c) return i;
        }
        return -1;
    }
    int indexOf(String s) { return indexOf(s, 0); }
    int indexOf(String s, int from) {
        if (s == null) throw new NullPointerException();
        int start = Math.max(from, 0);
        if ($length(s) == 0) return Math.min(start, $length(this));
        for (int i = start; i <= $length(this) - $length(s); i++) {
            if ($same_text($slice(this, i, i + $length(s)), s)) return i;
        }
        return -1;
    }
    int lastIndexOf(String s) {
        if (s == null) throw new NullPointerException();
        for (int i = $length(this) - $length(s); i >= 0; i--) {
            if ($same_text($slice(this, i, i + $length(s)), s)) return i;
        }
        return -1;
    }
    boolean contains(String s) { return indexOf(s, 0) >= 0; }
    boolean startsWith(String s) {
        if (s == null) throw new NullPointerException();
        return $length(s) <= $length(this) && $same_text($slice(this, 0, $length(s)), s);
    }
    boolean endsWith(String s) {
        if (s == null) throw new NullPointerException();
        int n = $length(this);
        return $length(s) <= n && $same_text($slice(this, n - $length(s), n), s);
    }
    String concat(String s) {
        if (s == null) throw new NullPointerException();
        return this + s;
    }
    String toString() { return this; }
    String trim() {
        int from = 0;
        int to = $length(this);
        while (from < to && $text_at(this, from) <= ' ') from++;
        while (from < to && $text_at(this, to - 1) <= ' ') to--;
        return $slice(this, from, to);
    }
    String toUpperCase() {
        String text = "";
        for (int i = 0; i < $length(this); i++) text += Character.toUpperCase($text_at(this, i));
        return text;
    }
    String toLowerCase() {
        String text = "";
        for (int i = 0; i < $length(this); i++) text += Character.toLowerCase($text_at(this, i));
        return text;
    }
    String replace(char a, char b) {
        String text = "";
        for (int i = 0; i < $length(this); i++) {
            char c = $text_at(this, i);
            text += c == a ? b : c;
        }
        return text;
    }
    String repeat(int n) {
        if (n < 0) throw new IllegalArgumentException();
        String text = "";
        for (int i = 0; i < n; i++) text += this;
        return text;
    }
    char[] toCharArray() {
        char[] chars = new char[$length(this)];
        for (int i = 0; i < chars.length; i++) chars[i] = $text_at(this, i);
        return chars;
    }
    static String valueOf(boolean a) { return "" + a; }
    static String valueOf(char a) { return "" + a; }
    static String valueOf(int a) { return "" + a; }
    static String valueOf(long a) { return "" + a; }
    static String valueOf(float a) { return "" + a; }
    static String valueOf(double a) { return "" + a; }
    static String valueOf(Boolean a) { return "" + a; }
    static String valueOf(Character a) { return "" + a; }
    static String valueOf(Byte a) { return "" + a; }
    static String valueOf(Short a) { return "" + a; }
    static String valueOf(Integer a) { return "" + a; }
    static String valueOf(Long a) { return "" + a; }
    static String valueOf(Float a) { return "" + a; }
    static String valueOf(Double a) { return "" + a; }
    static String valueOf(char[] a) {
        String text = "";
        for (char c : a) text += c;
        return text;
    }
}

final class StringBuilder {
    private String text = "";
    StringBuilder() {}
    StringBuilder(int capacity) {
        if (capacity < 0) throw new NegativeArraySizeException();
    }
    StringBuilder(String s) {
        if (s == null) throw new NullPointerException();
        text = s;
    }
    private String $content() {
        $assume(text != null);
        return text;
    }
    StringBuilder append(boolean a) { text = $content() + a; return this; }
    StringBuilder append(char a) { text = $content() + a; return this; }
    StringBuilder append(int a) { text = $content() + a; return this; }
    StringBuilder append(long a) { text = $content() + a; return this; }
    StringBuilder append(float a) { text = $content() + a; return this; }
    StringBuilder append(double a) { text = $content() + a; return this; }
    StringBuilder append(Boolean a) { text = $content() + a; return this; }
    StringBuilder append(Character a) { text = $content() + a; return this; }
    StringBuilder append(Byte a) { text = $content() + a; return this; }
    StringBuilder append(Short a) { text = $content() + a; return this; }
    StringBuilder append(Integer a) { text = $content() + a; return this; }
    StringBuilder append(Long a) { text = $content() + a; return this; }
    StringBuilder append(Float a) { text = $content() + a; return this; }
    StringBuilder append(Double a) { text = $content() + a; return this; }
    StringBuilder append(String a) { text = $content() + a; return this; }
    StringBuilder append(StringBuilder a) { text = $content() + (a == null ? "null" : a.$content()); return this; }
    int length() { return $length($content()); }
    boolean isEmpty() { return $length($content()) == 0; }
    char charAt(int index) {
        String t = $content();
        if (index < 0 || index >= $length(t)) throw new StringIndexOutOfBoundsException();
        return $text_at(t, index);
    }
    StringBuilder reverse() {
        String t = $content();
        String turned = "";
        for (int i = 0; i < $length(t); i++) {
            char c = $text_at(t, i);
            if (c >= 0xd800 && c <= 0xdfff) $unsupported("the reversal of a text with surrogates");
            turned = c + turned;
        }
        text = turned;
        return this;
    }
    StringBuilder insert(int at, String a) {
        String t = $content();
        if (at < 0 || at > $length(t)) throw new StringIndexOutOfBoundsException();
        text = $slice(t, 0, at) + a + $slice(t, at, $length(t));
        return this;
    }
    StringBuilder insert(int at, Boolean a) { return insert(at, "" + a); }
    StringBuilder insert(int at, Character a) { return insert(at, "" + a); }
    StringBuilder insert(int at, Byte a) { return insert(at, "" + a); }
    StringBuilder insert(int at, Short a) { return insert(at, "" + a); }
    StringBuilder insert(int at, Integer a) { return insert(at, "" + a); }
    StringBuilder insert(int at, Long a) { return insert(at, "" + a); }
    StringBuilder insert(int at, Float a) { return insert(at, "" + a); }
    StringBuilder insert(int at, Double a) { return insert(at, "" + a); }
    StringBuilder insert(int at, char a) { return insert(at, "" + a); }
    StringBuilder insert(int at, int a) { return insert(at, "" + a); }
    StringBuilder deleteCharAt(int at) {
        String t = $content();
        if (at < 0 || at >= $length(t)) throw new StringIndexOutOfBoundsException();
        text = $slice(t, 0, at) + $slice(t, at + 1, $length(t));
        return this;
    }
    void setCharAt(int at, char c) {
        String t = $content();
        if (at < 0 || at >= $length(t)) throw new StringIndexOutOfBoundsException();
        text = $slice(t, 0, at) + c + $slice(t, at + 1, $length(t));
    }
    void setLength(int n) {
        String t = $content();
        if (n < 0) throw new StringIndexOutOfBoundsException();
        while ($length(t) < n) t += '\0';
        text = $slice(t, 0, n);
    }
    String substring(int from) { return $content().substring(from); }
    String substring(int from, int to) { return $content().substring(from, to); }
    int indexOf(String s) { return $content().indexOf(s); }
    String toString() { return $content(); }
}
