//! The text form: what programs look like, and that they read back as they were.

use expect_test::{Expect, expect};
use ir::{PrintOptions, Program, print, print_with, read_program};

const EVERYTHING: &str = r#"program java

file "A.java"
file "B \u00e9.java"

error ArithmeticException
error `any`

region Point.x: f64
region Point.next: ref Point
region int[]: i32 -> i32
region bytes: i64 -> u8

abstract shape Object: fields()
shape Point: fields(Point.x, Point.next) < Object
shape int[]: indexed(int[])
shape `struct pair[]`: indexed(bytes, bytes)

global Counter.n: i32 = 0
global n: i64 = -5
const global Counter.MAX: f32 = 0.1
const global limits: (f64, f32, f64) = (-0.0, nan, -inf)
global memory: map(i32 -> map(i32 -> u8)) = map(i32 -> map(i32 -> 7))
global `name with \u000a \` \\ é`: text = null_text

const static $str0: int[](3) = {104, 105, 0}
static zeros: int[](1000) = {1, 0 * 998, -1}
static pairs: `struct pair[]`(4) = {1, 1, 1, 1}
static origin: Point = {1e300, &origin}

assuming "no two parameters alias"
proc `Point.mid(int,int)` as mid(a: i32, b: i32) -> i32 @3:5-9:6 {
  var t: i32
  var $m: text
  t = div.i32(add.i32(a, b), 2) @1:4:9-30
  check ne.i32(b, 0) else ArithmeticException
  loop L0 @5:1-7:2 {
    if le.i32(10, t) @5:3-4 {
      break L0 @5:4-5
    } else if eq(lt.i32(a, b), true) @5:5-6 {
      continue L0
    } else {
      t = add.i32(t, 1)
    }
  }
  scope L1 {}
  try {
    throw ArithmeticException("/ by \"zero\" \ud800\u00e9")
  } catch ArithmeticException, `any` as $m {
    print text_concat($m, text_of_int.i64(n))
  } catch {
    unsupported "lambda \u2192"
  } catch any {}
  return t
}

extern proc pointer(a: i64, b: i32) -> (ref any, i64)

proc variables(n: i64, p: ref Point, a: ref any, `loop`: u8, m: map(i32 -> u8)) {
  var q: (ref any, i64)
  global n = add.i64(global n, n)
  Counter.n = 5
  `loop` = 250
  p = new Point
  a = new int[](5)
  a = new `struct pair[]`(length.i64(a))
  free a
  store Point.x(p) = add.f64(load Point.x(p), 1.5)
  store int[](a, 3) = load int[](a, sub.i32(length.i32(a), 1))
  q = record(null, 5)
  q = (null, 5)
  q = if(has_shape(get.0(q), Point, int[]), q, record(get.0(q), convert.i32.i64(get.1(q))))
  assume same_ref(p, load Point.next(p))
  assert not(same_text("", null_text)) else `any`
  m = update(m, 3, 4)
  assume eq.u8(select(m, 3), select(map(i32 -> 0:u8), 4))
  assume same_map(m, update(m, 3, 4:u8))
  assume overflows.add.i32(1, 2)
  assume fits.f32.i64(0.5)
  assume eq.f32(1.5, sqrt.f32(nan))
  q = call pointer(1, -2147483648)
  call variables(1, null, &origin, 3, m)
  return
}
"#;

#[test]
fn a_program_with_everything_reads_back_as_it_was() {
    let program = read_program(EVERYTHING).unwrap();
    assert_eq!(print_with(&program, PrintOptions { spans: true }), EVERYTHING);
}

#[test]
fn spans_and_files_are_left_out_on_demand() {
    let text = "program c\n\nfile \"a.c\"\n\nproc f() @1:1-2 {\n  return @1:1-2:3\n}\n";
    expect![[r#"
        program c

        proc f() {
          return
        }
    "#]]
    .assert_eq(&print(&read_program(text).unwrap()));
}

#[test]
fn comments_and_empty_lines_are_skipped() {
    let program = read_program("// a header\n\nprogram c // the language\nerror E//").unwrap();
    assert_eq!(program, Program { errors: vec!["E".to_owned()], ..Program::new(ir::Language::C) });
}

#[test]
fn elements_in_bytes_keep_their_layout() {
    let text = "program c\n\nregion i8: i64 -> i8\n\nshape char: indexed(i8)\n\
                shape short: indexed(i8, i8) < char of (i16 0)\n\
                shape pair: indexed(i8, i8, i8, i8) < short at (0, 2), char of (i16 0, i16 2)\n";
    let program = read_program(text).unwrap();
    assert_eq!(print(&program), text);
    let [char, short, pair] = [0, 1, 2].map(ir::ShapeId);
    assert_eq!(program.places(short, pair), Some(vec![0, 2]));
    assert_eq!(program.places(pair, pair), Some(vec![0]));
    assert_eq!(program.places(char, pair), None);
}

#[test]
fn elements_that_changed_say_how() {
    let text = "program c\n\nregion i32: i64 -> i32\n\n\
                shape pair: indexed(i32, i32) lonely (1) matched (\"only the new version has `b`\")\n";
    assert_eq!(print(&read_program(text).unwrap()), text);
}

#[test]
fn code_after_a_return_is_not_its_value() {
    let text = "program c\n\nproc f(x: i32) {\n  return\n  x = 3\n}\n";
    assert_eq!(print(&read_program(text).unwrap()), text);
}

fn check_error(body: &str, expect: Expect) {
    expect.assert_eq(&read_program(&format!("program c\n{body}")).unwrap_err().to_string());
}

#[test]
fn errors_say_where_and_what() {
    check_error("error E error E", expect!["2:15: there is already a error `E`"]);
    check_error("region r: shape", expect!["2:11: a type should stand here"]);
    check_error("shape S: fields(r)", expect!["2:17: there is no region `r`"]);
    check_error("global g: u8 = 256", expect!["2:16: 256 is not a number of type u8"]);
    check_error("global g: f32 = 1e99", expect!["2:17: 1e99 is not a number of type f32"]);
    check_error("proc f() { x = 1 }", expect!["2:12: there is no local or global `x`"]);
    check_error("proc f(x: i32) { x = ad.i32(x, 1) }", expect!["2:22: there is no operator `ad.i32`"]);
    check_error("proc f(x: i32) { x = add.i32(x) }", expect!["2:31: 2 operands should be here, not 1"]);
    check_error("proc f(x: i32, x: i32)", expect!["2:16: there is already a local `x`"]);
    check_error("proc f() {", expect!["2:11: a } should follow"]);
    check_error("proc f() { return \"", expect!["2:20: there should be a \" on this line"]);
    check_error("static s: T = {}", expect!["2:11: there is no shape `T`"]);
    check_error("extern", expect!["2:7: a declaration should start here"]);
}

#[test]
fn deep_nesting_is_an_error_not_a_crash() {
    let deep = 100_000;
    check_error(
        &format!("proc f(x: i32) {{ x = {}x", "neg.i32(".repeat(deep)),
        expect!["2:800023: a } should follow"],
    );
    let nested = format!("proc f(x: i32) {{ x = {}x{} }}", "neg.i32(".repeat(deep), ")".repeat(deep));
    check_error(&nested, expect!["2:8014: the nesting is deeper than 1000 levels"]);
    let nested = format!("proc f() {{ {}{} }}", "loop L0 {".repeat(deep), "}".repeat(deep));
    check_error(&nested, expect!["2:9012: the nesting is deeper than 1000 levels"]);
    let nested = format!("proc f() {{ {} }}", "if true {} else ".repeat(deep) + "{}");
    check_error(&nested, expect!["2:15983: the nesting is deeper than 1000 levels"]);
    check_error(
        &format!("proc f(x: {}i32{})", "(".repeat(deep), ")".repeat(deep)),
        expect!["2:1011: the nesting is deeper than 1000 levels"],
    );
    check_error(
        &format!("global g: i32 = {}0{}", "(".repeat(deep), ")".repeat(deep)),
        expect!["2:1017: the nesting is deeper than 1000 levels"],
    );
}

#[test]
fn a_few_bytes_do_not_ask_for_all_memory() {
    let text = "region r: i64 -> u8 shape s: indexed(r) static x: s(99999999999) = {0 * 99999999999}";
    check_error(text, expect!["2:84: there are more than 16777216 static cells"]);
}
