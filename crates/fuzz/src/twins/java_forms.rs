//! What random Java pairs are made of: statements in several forms, of which some mean the same, some only where
//! nothing is shared or null, and some never do.
//!
//! `p` and `q` are `int[]` (with eight elements at least), `s` and `t` are `S`, `e` is an enum, `o` an `Integer`,
//! `z` a `String`, `n` an `int`.

/// Members of the class, each used only if its name is.
pub(super) const DECLARATIONS: [(&str, &str); 10] = [
    ("E", "enum E { UP, DOWN, LEFT; int cost() { return ordinal() * 2; } }"),
    (
        "S",
        "static class S {\n        int x;\n        int y = 2;\n        S next;\n        final int k = 3;\n        \
         static int made = 4;\n        S() {\n        }\n        S(int x) {\n            this.x = x;\n            \
         made++;\n        }\n        int get() {\n            return x;\n        }\n        void set(int v) {\n            \
         x = v;\n        }\n    }",
    ),
    (
        "T",
        "static class T extends S {\n        @Override\n        int get() {\n            return x + 1;\n        }\n    }",
    ),
    ("own", "private static int own = 3;"),
    ("open", "static int open = 4;"),
    ("TABLE", "static final int[] TABLE = { 1, 2, 3, 4 };"),
    ("shared", "static int[] shared = new int[8];"),
    ("text", "static String text = \"ab\";"),
    ("add", "static int add(int[] p, int v) {\n        p[0] += v;\n        return p[0];\n    }"),
    ("count", "static int count() {\n        own++;\n        return own;\n    }"),
];

/// Statements with their forms. The first one is what the old version has.
pub(super) const FORMS: [&[&str]; 44] = [
    &["p[0] = n;\nr += q[0];", "r += q[0];\np[0] = n;", "p[0] = n;\nr += p == q ? n : q[0];"],
    &["i = p[0];\nq[0] = i + 1;\nr += p[0];", "i = p[0];\nq[0] = i + 1;\nr += i;"],
    &[
        "for (i = 0; i < 3; i++) {\n    p[i + 1] = q[i];\n}",
        "for (i = 2; i >= 0; i--) {\n    p[i + 1] = q[i];\n}",
        "p[1] = q[0];\np[2] = q[1];\np[3] = q[2];",
    ],
    &[
        "System.arraycopy(p, 0, q, 1, 3);",
        "for (i = 0; i < 3; i++) {\n    q[i + 1] = p[i];\n}",
        "for (i = 2; i >= 0; i--) {\n    q[i + 1] = p[i];\n}",
    ],
    &[
        "for (int x : p) {\n    r += x;\n}",
        "for (i = 0; i < p.length; i++) {\n    r += p[i];\n}",
        "for (int x : p) {\n    r -= x;\n}",
        "for (i = 1; i < p.length; i++) {\n    r += p[i];\n}",
    ],
    &["r += p[n & 7];", "r += p[n & 3];", "i = n & 7;\nr += p[i];"],
    &["r += p == q ? 1 : 0;", "r += q == p ? 1 : 0;", "r += p.length == q.length ? 1 : 0;"],
    &["int[] w = p.clone();\nw[0] = 1;\nr += p[0];", "r += p[0];", "int[] w = p;\nw[0] = 1;\nr += p[0];"],
    &["r += add(p, n);", "p[0] += n;\nr += p[0];", "r += p[0] + n;\np[0] += n;", "r += add(q, n);"],
    &["s.x = n;\ns.y = 2;\nr += s.x;", "s.x = n;\ns.y = 2;\nr += n;", "s.y = 2;\ns.x = n;\nr += s.y;"],
    &[
        "s.x = 1;\nt.x = 2;\nr += s.x;",
        "s.x = 1;\nt.x = 2;\nr += s == t ? 2 : 1;",
        "s.x = 1;\nt.x = 2;\nr += 1;",
    ],
    &[
        "s.next = t;\ns.x = 1;\nr += t.x;",
        "s.next = t;\ns.x = 1;\nr += s.next.x;",
        "r += t.x;\ns.next = t;\ns.x = 1;",
    ],
    &["s.next.x = n;\nr += s.x;", "i = s.x;\ns.next.x = n;\nr += i;", "s.next.set(n);\nr += s.x;"],
    &["r += s.get();", "r += s.x;", "r += s instanceof T ? s.x + 1 : s.x;"],
    &["s.set(n);\nr += s.x;", "s.x = n;\nr += n;", "s.set(n);\nr += s.get();"],
    &["r += s.k;", "r += 3;", "r += s == null ? 0 : 3;"],
    &[
        "if (s != null) {\n    r += s.x;\n}",
        "if (!(s == null)) {\n    r += s.x;\n}",
        "r += s.x;",
        "if (s != null) {\n    r -= s.x;\n}",
    ],
    &[
        "S v = new S(n);\nr += v.x + v.y;",
        "S v = new S(n);\nr += n + 2;",
        "S v = new S();\nv.x = n;\nr += v.x + v.y;",
        "S v = new S(n);\nr += n;",
    ],
    &["S v = new S();\nr += v.x + v.y + v.k;", "r += 5;", "r += 3;", "S v = new S();\nr += v.y + v.k;"],
    &["new S(n);\nr += S.made;", "S.made++;\nr += S.made;", "r += S.made;\nnew S(n);"],
    &["S v = new T();\nr += v.get();", "r += 1;", "r += 0;", "T v = new T();\nr += v.get();"],
    &[
        "r += e == E.UP ? 1 : 2;",
        "r += e == E.UP ? 5 : 2;",
        "r += e != E.UP ? 2 : 1;",
        "r += e == E.DOWN ? 2 : 1;",
    ],
    &[
        "r += e.ordinal();",
        "r += e == E.UP ? 0 : e == E.DOWN ? 1 : 2;",
        "r += e.ordinal() + 0;",
        "r += e == E.UP ? 1 : e.ordinal();",
    ],
    &[
        "r += e.cost();",
        "r += e.ordinal() * 2;",
        "r += e == E.LEFT ? 4 : e == E.DOWN ? 2 : 0;",
        "r += e.ordinal();",
    ],
    &["r += e.name().length();", "r += e == E.UP ? 2 : 4;", "r += 4;", "r += e.toString().length();"],
    &[
        "switch (e) {\n    case UP:\n        r += 1;\n        break;\n    case DOWN:\n        r += 2;\n        break;\n    default:\n        r += 3;\n}",
        "if (e == E.UP) {\n    r += 1;\n} else if (e == E.DOWN) {\n    r += 2;\n} else {\n    r += 3;\n}",
        "switch (e) {\n    case UP:\n        r += 1;\n    case DOWN:\n        r += 2;\n        break;\n    default:\n        r += 3;\n}",
        "r += switch (e) {\n    case UP -> 1;\n    case DOWN -> 2;\n    case LEFT -> 3;\n};",
    ],
    &["own += n;\nr += own;", "r += own + n;\nown += n;", "own += n;\nr += 3 + n;"],
    &["open = n;\nshared[0] = 1;\nr += open;", "shared[0] = 1;\nopen = n;\nr += n;"],
    &[
        "shared[0] = 1;\np[0] = 2;\nr += shared[0];",
        "shared[0] = 1;\np[0] = 2;\nr += 1;",
        "shared[0] = 1;\np[0] = 2;\nr += shared == p ? 2 : 1;",
    ],
    &["TABLE[1] = n;\nr += TABLE[1];", "TABLE[1] = n;\nr += n;", "TABLE[1] = n;\nr += 2;"],
    &["r += TABLE[n & 3];", "r += (n & 3) + 1;", "i = n & 3;\nr += TABLE[i];"],
    &["r += count();", "own++;\nr += own;", "r += own;\nown++;", "r += own++;"],
    &["r += o;", "r += o.intValue();", "r += o == null ? 0 : o;", "int w = o;\nr += w;"],
    &["r += o == null ? 1 : 2;", "r += o != null ? 2 : 1;", "r += 2;"],
    &[
        "r += z.length();",
        "r += z == null ? 0 : z.length();",
        "r += z.isEmpty() ? 0 : z.length();",
        "r += z.length() + 1;",
    ],
    &["r += z.equals(\"ab\") ? 1 : 0;", "r += \"ab\".equals(z) ? 1 : 0;", "r += z.length() == 2 ? 1 : 0;"],
    &[
        "text = z;\nr += text == null ? 1 : 2;",
        "text = z;\nr += z == null ? 1 : 2;",
        "r += text == null ? 1 : 2;\ntext = z;",
    ],
    &[
        "text += n;\nr += text.length();",
        "text = text + n;\nr += text.length();",
        "r += text.length();\ntext += n;",
    ],
    &[
        "try {\n    r += p[n];\n} catch (ArrayIndexOutOfBoundsException x) {\n    r += 7;\n}",
        "if (n >= 0 && n < p.length) {\n    r += p[n];\n} else {\n    r += 7;\n}",
        "if (n < p.length) {\n    r += p[n];\n} else {\n    r += 7;\n}",
    ],
    &["try {\n    r += s.x;\n} finally {\n    own = n;\n}", "own = n;\nr += s.x;", "r += s.x;\nown = n;"],
    &["r += n * 2;", "r += n + n;", "r += n << 1;", "r += n << 2;"],
    &["r += n / 2;", "r += n >> 1;", "r += n >>> 1;", "r += (n + (n >>> 31)) >> 1;"],
    &[
        "if (n > 3) {\n    r += 1;\n} else {\n    r += 2;\n}",
        "if (n <= 3) {\n    r += 2;\n} else {\n    r += 1;\n}",
        "if (n < 3) {\n    r += 2;\n} else {\n    r += 1;\n}",
    ],
    &[
        "for (i = 0; i < (n & 7); i++) {\n    r += 2;\n}",
        "r += (n & 7) * 2;",
        "for (i = n & 7; i > 0; i--) {\n    r += 2;\n}",
        "for (i = 0; i <= (n & 7); i++) {\n    r += 2;\n}",
    ],
];

/// The parameters, in their order.
pub(super) const PARAMETERS: [(&str, &str); 8] = [
    ("p", "int[] p"),
    ("q", "int[] q"),
    ("s", "S s"),
    ("t", "S t"),
    ("e", "E e"),
    ("o", "Integer o"),
    ("z", "String z"),
    ("n", "int n"),
];

/// The local variables of the method.
pub(super) const LOCALS: [(&str, &str); 2] = [("r", "int r = 0;"), ("i", "int i = 0;")];
