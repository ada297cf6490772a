//! C programs run in the interpreter; the expected outputs are what gcc's programs print.

use frontend_c::{MemoryModel, Options, Preprocessed, lower};
use interp::{Ending, Input, Limits, Machine, Value};
use ir::Numbers;

const HEADER: &str = "
typedef unsigned long size_t;
int printf(const char *, ...); int puts(const char *); int putchar(int);
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);
size_t strlen(const char *); int strcmp(const char *, const char *); char *strcpy(char *, const char *);
char *strcat(char *, const char *); char *strchr(const char *, int); char *strstr(const char *, const char *);
char *strdup(const char *); char *strtok_r(char *, const char *, char **);
void *memcpy(void *, const void *, size_t); void *memset(void *, int, size_t);
int abs(int); int isalpha(int); int toupper(int); int atoi(const char *); long strtol(const char *, char **, int);
double sqrt(double); double fmod(double, double); double floor(double); double round(double); double fmax(double, double);
void exit(int); void abort(void);
";

fn run_with(text: &str, options: &Options) -> (String, Ending) {
    let text = format!("{HEADER}{text}");
    let program = lower(&[Preprocessed::new("test.c", text)], options)
        .unwrap_or_else(|errors| panic!("the program should parse: {}", errors[0]));
    ir::validate(&program).unwrap_or_else(|invalid| panic!("the IR should be valid: {}", invalid[0]));
    let main = program.procedure_named("main").expect("the program should have a main function");
    let run = Machine::new(&program, Numbers::Machine).run(main, &Input::default(), &Limits::USUAL);
    (String::from_utf16_lossy(&run.written[0]), run.ending)
}

/// Runs `main` with these statements and gives what it printed, the same whatever memory is made of.
#[track_caller]
fn prints(declarations: &str, statements: &str, expected: &str) {
    let text = format!("{declarations}\nint main(void) {{ {statements} return 0; }}");
    for memory in [MemoryModel::Cells, MemoryModel::Bytes] {
        let (output, ending) = run_with(&text, &Options { memory, ..Options::default() });
        assert_eq!(ending, Ending::Returned(Some(Value::Int(0))), "{memory:?}");
        assert_eq!(output, expected, "{memory:?}");
    }
}

/// Runs a whole program that should fail with an error of this name.
#[track_caller]
fn fails(text: &str, error: &str) {
    for memory in [MemoryModel::Cells, MemoryModel::Bytes] {
        let ending = run_with(text, &Options { memory, ..Options::default() }).1;
        assert_eq!(ending, Ending::Failed { error: error.to_owned() }, "{memory:?}");
    }
}

/// Runs a whole program that should come to something that is not modelled.
#[track_caller]
fn is_unsupported(text: &str, part: &str) {
    match run_with(text, &Options::default()).1 {
        Ending::Unsupported { what, .. } => assert!(what.contains(part), "{what}"),
        other => panic!("the run should not be supported, but it was {other:?}"),
    }
}

#[test]
fn narrow_integers_wrap_when_they_are_stored_and_promote_when_they_are_used() {
    prints(
        "",
        "signed char a = (signed char)200; unsigned char b = (unsigned char)300; short c = 40000; b += 250;
         unsigned short d = 70000; char e = (char)0x80; unsigned u = 0; u--;
         printf(\"%d %d %d %d %d %u\\n\", a, b, c, d, e, u);
         printf(\"%d %d %d\\n\", -1 < 1u, (unsigned char)-1 > 0, (unsigned char)255 + 1);",
        "-56 38 -25536 4464 -128 4294967295\n0 1 256\n",
    );
}

#[test]
fn division_truncates_and_shifts_keep_the_sign() {
    prints(
        "",
        "int m = -7; printf(\"%d %d %d %d\\n\", m / 2, m % 2, m >> 1, (int)((unsigned)m >> 30));
         int big = 2147483647; big++; printf(\"%d %d\\n\", big, -big);",
        "-3 -1 -4 3\n-2147483648 -2147483648\n",
    );
}

#[test]
fn constants_have_the_first_type_that_holds_them() {
    prints(
        "",
        "printf(\"%zu %zu %zu %zu\\n\", sizeof 2147483647, sizeof 2147483648, sizeof 0xffffffff, sizeof 1ul);
         printf(\"%d %d %d\\n\", 0xffffffff > 0, -2147483648 < 0, 'a' + '\\n');",
        "4 8 4 8\n1 1 107\n",
    );
}

#[test]
fn structs_are_copied_passed_and_returned_by_value() {
    prints(
        "struct point { int x, y; };
         struct outer { struct { int a; char c[3]; } in[2]; double d; union { int i; unsigned u; }; };
         static struct point add(struct point a, struct point b) { struct point r = { a.x + b.x, a.y + b.y }; return r; }
         static struct outer make(int k) { struct outer o = { .in[1].c = \"xy\", .d = k, .i = -1 }; o.in[0].a = k; return o; }
         static int sum(struct outer o) { return o.in[0].a + o.in[1].c[1] + (int)o.d + (o.u > 5); }",
        "struct point p = { .y = 2, .x = 1 }, q = { 10, 20 }; struct point r = add(p, q); p = r; r.x = 0;
         printf(\"%d %d %d %d\\n\", p.x, p.y, add(q, (struct point){ 1, 1 }).y, sum(make(5)));",
        "11 22 21 132\n",
    );
}

#[test]
fn initialisers_with_designators_fill_the_named_members() {
    prints(
        "int t[] = { [5] = 1, 2, [1] = 7 }; static const int m[3][4] = { {1, 2}, [2] = { 9, [3] = 7 } };
         char text[10] = \"hey\"; unsigned u = -1; double quarter = 1.0 / 4;
         struct s { char c; int v; short k; } g = { 'q', 5 }, *pg = &g;",
        "printf(\"%zu %d %d %d %d %d %s %u %g %c %d %zu\\n\", sizeof t / sizeof *t, t[6], t[1], m[2][3], m[1][1], m[0][1],
           text, u, quarter, pg->c, pg->v + pg->k, sizeof(struct s));",
        "7 2 7 7 0 2 hey 4294967295 0.25 q 5 12\n",
    );
}

#[test]
fn bit_fields_keep_their_low_bits_and_unions_of_integers_share_them() {
    prints(
        "struct bits { unsigned a : 3; int b : 5; unsigned c : 20; }; union u { int i; unsigned u; };",
        "struct bits b = { 9, -3, 0 }; b.c = 0xfffff + 5; b.a += 3; union u u; u.u = 0xffffffffu;
         printf(\"%d %d %d %zu %d\\n\", b.a, b.b, b.c, sizeof b, u.i);",
        "4 -3 4 4 -1\n",
    );
}

#[test]
fn pointers_walk_over_arrays_lists_and_strings() {
    prints(
        "struct node { int value; struct node *next; };
         static struct node *push(struct node *l, int v) { struct node *n = malloc(sizeof *n); n->value = v; n->next = l; return n; }
         static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
         static void reverse(char *s) { char *e = s + strlen(s) - 1; while (s < e) { char t = *s; *s++ = *e; *e-- = t; } }",
        "int a[5] = { 5, 4, 3, 2, 1 }, *p = a, *end = a + 5, sum = 0; while (p < end) sum = sum * 10 + *p++;
         struct node *l = 0; for (int i = 0; i < 4; i++) l = push(l, i);
         int v = 0; for (struct node *n = l; n; n = n->next) v = v * 10 + n->value;
         while (l) { struct node *n = l->next; free(l); l = n; }
         int x = 1, y = 2; swap(&x, &y); char s[] = \"abcd\"; reverse(s); int g[2][3] = { {1, 2, 3}, {4, 5, 6} }; int (*row)[3] = g; row++;
         printf(\"%d %ld %d %d%d %s %d\\n\", sum, (long)(end - a), v, x, y, s, (*row)[1]);",
        "54321 5 3210 21 dcba 5\n",
    );
}

#[test]
fn switch_falls_through_and_finds_its_default_anywhere() {
    prints(
        "static int f(int x) { int r = 0; switch (x) { default: r += 7; break; case 1: r += 1; case 2: r += 2; break; case 3 ... 5: r = 50; } return r; }",
        "for (int i = 0; i < 7; i++) printf(\"%d \", f(i));",
        "7 3 2 50 50 50 7 ",
    );
}

#[test]
fn goto_leaves_blocks_and_makes_loops_also_crossed_ones() {
    prints(
        "static int f(int n) { int s = 0, i = 0; if (n == 1) goto middle;
         start: s += 1; if (s > 20) goto end;
         middle: s += 3; i++; if (i < n) goto start;
         for (int k = 0; k < 3; k++) for (int j = 0; j < 3; j++) { if (j * k == 2) goto found; s += j; }
         s = -s;
         found: s *= 2;
         end: return s; }",
        "for (int i = 0; i < 8; i++) printf(\"%d \", f(i));",
        "16 14 24 32 40 48 21 21 ",
    );
}

#[test]
fn effects_in_conditions_run_only_when_their_side_is_reached() {
    prints(
        "static int side(int *p) { return (*p)++ && (*p)++ || (*p)--; }",
        "int q = 0; int a = side(&q); printf(\"%d %d \", a, q); q = 5; a = side(&q); printf(\"%d %d \", a, q);
         int i = 0, t[3] = { 0 }; t[i++] = 7; t[i] = t[i - 1]++; int c = i > 5 ? ++t[2] : (i = 9, t[0]); printf(\"%d %d %d %d\", t[0], t[1], c, i);",
        "1 0 1 7 8 7 8 9",
    );
}

#[test]
fn calls_through_pointers_reach_the_functions_whose_address_is_taken() {
    prints(
        "typedef int (*op)(int, int); static int plus(int a, int b) { return a + b; } static int minus(int a, int b) { return a - b; }
         static struct { const char *name; op f; } ops[] = { { \"plus\", plus }, { \"minus\", minus } };
         static int calc(const char *n, int a, int b) { for (unsigned i = 0; i < 2; i++) if (!strcmp(ops[i].name, n)) return ops[i].f(a, b); return -1; }",
        "printf(\"%d %d %d\", calc(\"plus\", 3, 4), calc(\"minus\", 3, 4), calc(\"times\", 3, 4));",
        "7 -1 -1",
    );
}

#[test]
fn statics_of_functions_live_on_and_shadowed_names_are_apart() {
    prints(
        "static int next(void) { static int n = 10; return n++; } static int shadow(int x) { { int x = 3; x++; } return x; }",
        "int a = next(); int b = next(); printf(\"%d %d %d\", a, b, shadow(4));",
        "10 11 4",
    );
}

#[test]
fn formats_pad_sign_and_round_as_printf_does() {
    prints(
        "",
        "printf(\"[%5d] [%-5d] [%05d] [%+d] [%.3d] [%8.3f] [%-4s] [%.2s] [%*d] [%x] [%o] [%X] %c%%\\n\",
           42, 42, -42, 42, 7, 3.14159, \"ab\", \"abcdef\", 6, 9, 255, 8, 48879, 'c');
         printf(\"%f %e %g %g %.0f %lld %hhd %lu\\n\", 1.5, 12345.678, 0.0001, 1e10, 2.5, 123456789012LL, (char)300, -1UL);",
        "[   42] [42   ] [-0042] [+42] [007] [   3.142] [ab  ] [ab] [     9] [ff] [10] [BEEF] c%\n\
         1.500000 1.234568e+04 0.0001 1e+10 2 123456789012 44 18446744073709551615\n",
    );
}

#[test]
fn strings_and_memory_have_models() {
    prints(
        "struct pair { int a; double b; };",
        "char buf[16]; strcpy(buf, \"one\"); strcat(buf, \" two\"); printf(\"%s %zu %s %s \", buf, strlen(buf), strchr(buf, 't'), strstr(buf, \"ne\"));
         int *d = calloc(3, sizeof(int)); d[1] = 7; d = realloc(d, 5 * sizeof *d); d[4] = 1; int e[5]; memcpy(e, d, sizeof e); printf(\"%d%d%d \", e[0], e[1], e[4]);
         struct pair p[2] = { {1, 2}, {3, 4} }, q[2]; memcpy(q, p, sizeof p); memset(p, 0, sizeof p); printf(\"%g%d \", q[1].b, p[1].a); memset(e, -1, sizeof e); printf(\"%d \", e[2]);
         char t[] = \"a-b--c\", *rest; for (char *w = strtok_r(t, \"-\", &rest); w; w = strtok_r(0, \"-\", &rest)) printf(\"<%s>\", w);
         printf(\" %d %d %ld %c\", atoi(\" -42x\"), abs(-3), strtol(\"0x1f\", 0, 0), toupper('q'));",
        "one two 7 two ne two 071 40 -1 <a><b><c> -42 3 31 Q",
    );
}

#[test]
fn texts_are_written_to_memory_and_elements_sorted() {
    prints(
        "int sprintf(char *, const char *, ...); int snprintf(char *, size_t, const char *, ...);
         void qsort(void *, size_t, size_t, int (*)(const void *, const void *)); struct kv { char k; int v; };
         static int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
         static int by_value(const void *a, const void *b) { return ((const struct kv *)b)->v - ((const struct kv *)a)->v; }",
        "char b[16]; int n = sprintf(b, \"%03d-%s\", 7, \"x\"); printf(\"%s %d \", b, n); n = snprintf(b, 4, \"%d\", 123456); printf(\"%s %d \", b, n);
         int a[5] = { 3, -1, 9, 0, 3 }; qsort(a, 5, sizeof *a, up); for (int i = 0; i < 5; i++) printf(\"%d,\", a[i]);
         struct kv p[3] = { {'a', 1}, {'b', 5}, {'c', 3} }; qsort(p, 3, sizeof p[0], by_value); printf(\" %c%c%c\", p[0].k, p[1].k, p[2].k);",
        "007-x 5 123 6 -1,0,3,3,9, bca",
    );
}

#[test]
fn floats_convert_and_compute_as_the_machine_does() {
    prints(
        "",
        "float f = 0.1f; printf(\"%.10f %d %d %d \", f, f == 0.1, (int)3.99, (int)-3.99); float g = 16777217; printf(\"%g %.17g \", g, 0.1);
         printf(\"%g %g %g %g %g\", fmod(-7.5, 2), sqrt(16), floor(-1.5), round(2.5), fmax(1, 0.0 / 0.0)); _Bool b = 0.5; printf(\" %d\", b);",
        "0.1000000015 0 3 -3 1.67772e+07 0.10000000000000001 -1.5 4 -2 3 1 1",
    );
}

#[test]
fn what_c_leaves_undefined_is_an_error() {
    fails("int main(void) { int a[3] = { 0 }; int i = 3; return a[i]; }", "out of bounds");
    fails(
        "struct s { int a[2]; int b; }; int main(void) { struct s x = { { 1 } }; int i = 2; return x.a[i]; }",
        "out of bounds",
    );
    fails("int main(void) { int *p = 0; return *p; }", "null dereference");
    fails("int main(void) { int *p = malloc(4); free(p); return *p; }", "out of bounds");
    fails("int main(void) { int *p = malloc(4); free(p); free(p); return 0; }", "invalid free");
    fails("int main(void) { int z = 0; return 1 / z; }", "division by zero");
    fails("int main(void) { int z = -1, m = -2147483647 - 1; return m % z; }", "signed overflow");
    fails("int main(void) { int s = 32; return 1 << s; }", "undefined shift");
    fails("int main(void) { double d = 1e20; return (int)d; }", "undefined conversion");
    fails("int main(void) { int a[3] = { 0 }; memcpy(a, a + 1, 8); return 0; }", "overlapping copy");
    fails("int main(void) { char *s = \"abc\"; s[0] = 'x'; return 0; }", "write to a constant");
}

#[test]
fn the_program_ends_with_its_status_in_the_error() {
    fails("int main(void) { exit(3); }", "exit(3)");
    fails("int main(void) { int x = 2; exit(x); }", "exit");
    fails("int main(void) { abort(); }", "abort");
}

#[test]
fn signed_overflow_is_an_error_only_on_demand() {
    let text = "int main(void) { int x = 2147483647; return x + 1 < x; }";
    assert_eq!(run_with(text, &Options::default()).1, Ending::Returned(Some(Value::Int(1))));
    let strict = Options { overflow_undefined: true, ..Options::default() };
    assert_eq!(run_with(text, &strict).1, Ending::Failed { error: "signed overflow".to_owned() });
}

#[test]
fn what_the_memory_model_cannot_say_is_unsupported_where_it_happens() {
    is_unsupported("int main(void) { float f = 1; int *p = (int *)&f; return *p; }", "unrelated type");
    is_unsupported(
        "union u { int i; double d; }; int main(void) { union u x; x.d = 1; return x.i; }",
        "last one written",
    );
    is_unsupported(
        "struct s { int a[2]; char b; }; int f(int *p) { return p[2]; } int main(void) { struct s x = { { 1 } }; return f(x.a); }",
        "leaves the member",
    );
    is_unsupported("int main(void) { int n = 3; int a[n]; return 0; }", "variable-length");
    is_unsupported("int main(void) { long double x = 1; return 0; }", "long double");
    is_unsupported("int main(void) { if (0) { l: return 3; } goto l; }", "jump into");
    // Elsewhere the program goes on.
    prints("", "int n = 3; if (n > 5) { long double x = 1; } printf(\"%d\", n);", "3");
}
