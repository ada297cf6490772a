//! What random C pairs are made of: statements in several forms. Some forms mean the same, some only where nothing
//! overlaps or nobody else writes, and some never do.
//!
//! `p` and `q` are `int *`, `s` and `t` are `struct k_S *`, `c` is `unsigned char *`, `e` is an enum, `n` an `int`.
//! Every pointer has room for eight elements on both sides where a form steps away from it.

/// Declarations, each used only if its name is.
pub(super) const DECLARATIONS: [(&str, &str); 14] = [
    ("k_E", "enum k_E { k_UP, k_DOWN = 5, k_LEFT };"),
    ("k_S", "struct k_S { int x; int y; unsigned char b[4]; unsigned f : 3; int *r; };"),
    ("k_U", "union k_U { int i; unsigned char b[4]; short h[2]; };"),
    ("k_own", "static int k_own = 3;"),
    ("k_open", "int k_open = 4;"),
    ("k_table", "static const int k_table[4] = { 1, 2, 3, 4 };"),
    ("k_array", "int k_array[24];"),
    ("k_hidden", "static int k_hidden[4] = { 5, 6 };"),
    ("k_ext", "int k_ext(int *p);"),
    ("k_take", "void k_take(struct k_S *s);"),
    ("k_tick", "int k_tick(void);"),
    ("k_add", "static int k_add(int *p, int v) {\n    *p += v;\n    return *p;\n}"),
    ("k_both", "static int k_both(int *p, int *q) {\n    *p = 1;\n    *q = 2;\n    return *p;\n}"),
    ("k_count", "static int k_count(void) {\n    static int calls = 2;\n    calls++;\n    return calls;\n}"),
];

/// Statements with their forms. The first one is what the old version has.
pub(super) const FORMS: [&[&str]; 58] = [
    &["*p = n;\nr += *q;", "r += *q;\n*p = n;", "*p = n;\nr += q[0];"],
    &[
        "i = *p;\n*q = i + 1;\nr += *p;",
        "i = *p;\n*q = i + 1;\nr += i;",
        "i = *p;\nq[0] = 1 + i;\nr = *p + r;",
    ],
    &["r += p[1];", "r += *(p + 1);", "r += (p + 2)[-1];", "r += p[2];", "r += 1[p];"],
    &["r += p[-1];", "r += *(p - 1);", "r += p[1];", "r -= -p[-1];"],
    &["r += *p++;\nr += *p;", "r += p[0] + p[1];", "r += *++p;\nr += *p;"],
    &[
        "for (i = 0; i < 3; i++) {\n    r += p[i];\n}",
        "for (w = p; w < p + 3; w++) {\n    r += *w;\n}",
        "for (w = p; w <= p + 3; w++) {\n    r += *w;\n}",
        "for (w = p; w != p + 3; w++) {\n    r -= *w;\n}",
    ],
    &[
        "for (w = p; w < q; w++) {\n    r += *w;\n}",
        "for (w = p; w < q; w++) {\n    r -= *w;\n}",
        "w = p;\nwhile (w < q) {\n    r += *w++;\n}",
        "for (i = 0; i < q - p; i++) {\n    r += p[i];\n}",
    ],
    &[
        "for (i = 0; i < 3; i++) {\n    p[i] = q[i];\n}",
        "for (i = 2; i >= 0; i--) {\n    p[i] = q[i];\n}",
        "p[0] = q[0];\np[1] = q[1];\np[2] = q[2];",
        "memcpy(p, q, 12);",
    ],
    &["memcpy(p, q, 4);\nr += *p;", "*p = *q;\nr += *q;", "*p = *q;\nr += *p;"],
    &["memset(p, 1, 4);\nr += *p;", "*p = 0x01010101;\nr += *p;", "*p = 1;\nr += *p;"],
    &[
        "p[0] = n;\nq[1] = 2;\nr += p[0];",
        "p[0] = n;\nq[1] = 2;\nr += n;",
        "q[1] = 2;\np[0] = n;\nr += p[0];",
    ],
    &["r += k_both(p, q);", "*p = 1;\n*q = 2;\nr += *p;", "*p = 1;\n*q = 2;\nr += 1;"],
    &["r += k_add(p, n);", "*p += n;\nr += *p;", "r += *p + n;\n*p += n;", "r += k_add(p, n + 1);"],
    &["r += p == q ? *p : *q;", "r += *q;", "r += *p;"],
    &["r += p == q;", "r += !(p != q);", "r += q == p;", "r += 0;"],
    &[
        "if (p) {\n    r += *p;\n}",
        "if (p != 0) {\n    r += *p;\n}",
        "r += *p;",
        "if (p) {\n    r += *p + 1;\n}",
    ],
    &[
        "s->x = n;\ns->y = 2;\nr += s->x;",
        "s->x = n;\ns->y = 2;\nr += n;",
        "s->y = 2;\ns->x = n;\nr += s->y;",
    ],
    &["s->x = 1;\n*p = 2;\nr += s->x;", "s->x = 1;\n*p = 2;\nr += 1;", "*p = 2;\ns->x = 1;\nr += s->x;"],
    &[
        "s->x = 1;\nt->x = 2;\nr += s->x;",
        "s->x = 1;\nt->x = 2;\nr += s == t ? 2 : 1;",
        "s->x = 1;\nt->x = 2;\nr += 1;",
    ],
    &[
        "s->x = 1;\nt->y = 2;\nr += s->x;",
        "s->x = 1;\nt->y = 2;\nr += 1;",
        "t->y = 2;\ns->x = 1;\nr += s->x;",
    ],
    &[
        "w = &s->y;\ns->x = n;\n*w = 2;\nr += s->y;",
        "s->x = n;\ns->y = 2;\nr += 2;",
        "w = &s->x;\ns->x = n;\n*w = 2;\nr += 2;",
    ],
    &[
        "*s = *t;\nr += s->x;",
        "s->x = t->x;\nr += s->x;",
        "*s = *t;\nr += t->x;",
        "memcpy(s, t, sizeof *s);\nr += s->x;",
    ],
    &["s->f = n;\nr += s->f;", "s->f = n;\nr += n & 7;", "s->f = n;\nr += n;", "s->f = n & 7;\nr += s->f;"],
    &["*s->r = n;\nr += s->x;", "i = s->x;\n*s->r = n;\nr += i;", "s->r[0] = n;\nr += s->x;"],
    &[
        "s->b[n & 3] = 1;\nr += s->b[1];",
        "s->b[n & 3] = 1;\nr += (n & 3) == 1 ? 1 : s->b[1];",
        "s->b[n & 3] = 1;\nr += s->b[2];",
    ],
    &["r += ((struct k_S *)((char *)&s->y - 4))->x;", "r += s->x;", "r += s->y;"],
    &["c[0] = 7;\nr += *p;", "r += *p;\nc[0] = 7;", "*c = 7;\nr += p[0];"],
    &["c[1] = 7;\nr += s->x;", "r += s->x;\nc[1] = 7;", "*(c + 1) = 7;\nr += s->x;"],
    &[
        "r += ((unsigned char *)p)[0];",
        "r += *p & 255;",
        "r += (unsigned char)*p;",
        "r += ((unsigned char *)p)[1];",
        "r += *(signed char *)p;",
    ],
    &["r += ((unsigned char *)p)[1];", "r += *p >> 8 & 255;", "r += *p & 255;"],
    &["r += *(short *)p;", "r += (short)*p;", "r += *(unsigned short *)p;", "r += *p;"],
    &[
        "r += e == k_UP ? 1 : 2;",
        "r += e == k_UP ? 5 : 2;",
        "r += e != k_UP ? 2 : 1;",
        "r += e == k_DOWN ? 2 : 1;",
        "r += !e ? 1 : 2;",
    ],
    &[
        "switch (e) {\ncase k_UP:\n    r += 1;\n    break;\ncase k_DOWN:\n    r += 2;\n    break;\ndefault:\n    r += 3;\n}",
        "if (e == k_UP) {\n    r += 1;\n} else if (e == k_DOWN) {\n    r += 2;\n} else {\n    r += 3;\n}",
        "switch (e) {\ncase k_UP:\n    r += 1;\ncase k_DOWN:\n    r += 2;\n    break;\ndefault:\n    r += 3;\n}",
        "r += e == k_UP ? 1 : e == k_LEFT ? 3 : 2;",
    ],
    &["r += e;", "r += e == k_UP ? 0 : e;", "r += e == k_DOWN ? 5 : e == k_LEFT ? 6 : 0;", "r += (int)e;"],
    &["k_own += n;\nr += k_own;", "r += k_own + n;\nk_own += n;", "k_own += n;\nr += 3 + n;"],
    &[
        "k_own = n;\nk_ext(p);\nr += k_own;",
        "k_own = n;\nk_ext(p);\nr += n;",
        "k_ext(p);\nk_own = n;\nr += n;",
    ],
    &[
        "k_open = n;\nk_ext(p);\nr += k_open;",
        "k_open = n;\nk_ext(p);\nr += n;",
        "k_ext(p);\nk_open = n;\nr += n;",
    ],
    &[
        "k_open = 1;\n*p = 2;\nr += k_open;",
        "k_open = 1;\n*p = 2;\nr += 1;",
        "*p = 2;\nk_open = 1;\nr += k_open;",
    ],
    &["k_own = 1;\n*p = 2;\nr += k_own;", "k_own = 1;\n*p = 2;\nr += 1;", "*p = 2;\nk_own = 1;\nr += k_own;"],
    &["k_array[5] = 1;\n*p = 2;\nr += k_array[5];", "k_array[5] = 1;\n*p = 2;\nr += 1;"],
    &[
        "k_array[n & 3] = 1;\nr += k_array[1];",
        "k_array[n & 3] = 1;\nr += (n & 3) == 1 ? 1 : k_array[1];",
        "k_array[n & 3] = 1;\nr += 1;",
    ],
    &[
        "r += k_hidden[n & 3];\nk_hidden[1] = n;",
        "i = k_hidden[n & 3];\nk_hidden[1] = n;\nr += i;",
        "k_hidden[1] = n;\nr += k_hidden[n & 3];",
    ],
    &["r += k_table[n & 3];", "r += (n & 3) + 1;", "r += k_table[n & 1];", "r += *(k_table + (n & 3));"],
    &["i = n;\nk_ext(&i);\nr += i;", "i = n;\nk_ext(&i);\nr += n;", "i = n;\nw = &i;\nk_ext(w);\nr += *w;"],
    &["r += k_ext(p);\nr += *p;", "i = *p;\nr += k_ext(p);\nr += i;", "i = k_ext(p);\nr += *p + i;"],
    &["k_ext(p);\nr += *q;", "i = *q;\nk_ext(p);\nr += i;", "r += *q;\nk_ext(p);"],
    &[
        "v.x = 1;\nv.y = 2;\nk_take(&v);\nr += v.x;",
        "v.x = 1;\nv.y = 2;\nk_take(&v);\nr += 1;",
        "v.y = 2;\nv.x = 1;\nk_take(&v);\nr += v.x;",
    ],
    &[
        "s->x = 1;\nk_take(s);\nr += s->x;",
        "s->x = 1;\nk_take(s);\nr += 1;",
        "k_take(s);\ns->x = 1;\nr += 1;",
    ],
    &["s->x = 1;\nk_take(t);\nr += s->x;", "s->x = 1;\nk_take(t);\nr += 1;"],
    &[
        "i = k_tick();\nr += i * 2;",
        "r += k_tick() * 2;",
        "i = k_tick();\nr += i;\nr += k_tick();",
        "i = k_tick();\nr += i + i;",
    ],
    &["r += k_count();", "i = k_count();\nr += i;", "k_count();\nr += 3;", "r += k_count();\nk_count();"],
    &[
        "u.i = n;\nr += u.b[0];",
        "r += n & 255;",
        "u.i = n;\nr += u.b[1];",
        "u.i = n;\nr += (unsigned char)u.i;",
    ],
    &["u.i = n;\nu.h[1] = 0;\nr += u.i;", "r += n & 0xffff;", "r += (unsigned short)n;", "r += (short)n;"],
    &["r += n * 2;", "r += n + n;", "r += n << 1;", "r += n << 2;"],
    &[
        "if (n > 3) {\n    r += 1;\n} else {\n    r += 2;\n}",
        "if (n <= 3) {\n    r += 2;\n} else {\n    r += 1;\n}",
        "if (n < 3) {\n    r += 2;\n} else {\n    r += 1;\n}",
    ],
    &["r += n / 2;", "r += n >> 1;", "r += (n + (n < 0)) >> 1;", "r += n / 2 + 0;"],
    &["r += (unsigned)n > 5u;", "r += n > 5 || n < 0;", "r += n > 5;"],
    &[
        "for (i = 0; i < (n & 7); i++) {\n    r += 2;\n}",
        "r += (n & 7) * 2;",
        "for (i = n & 7; i > 0; i--) {\n    r += 2;\n}",
        "for (i = 0; i <= (n & 7); i++) {\n    r += 2;\n}",
    ],
];

/// The parameters, in their order.
pub(super) const PARAMETERS: [(&str, &str); 7] = [
    ("p", "int *p"),
    ("q", "int *q"),
    ("s", "struct k_S *s"),
    ("t", "struct k_S *t"),
    ("c", "unsigned char *c"),
    ("e", "enum k_E e"),
    ("n", "int n"),
];

/// The local variables.
pub(super) const LOCALS: [(&str, &str); 5] = [
    ("r", "int r = 0;"),
    ("i", "int i = 0;"),
    ("w", "int *w = 0;"),
    ("v", "struct k_S v = { 0, 0, { 0, 0, 0, 0 }, 0, 0 };"),
    ("u", "union k_U u = { 0 };"),
];
