//! Matching of statements, by example.
//!
//! Each line is a statement of the old version with its partner: `=` common, `|` changed, `<` deleted, `>` inserted;
//! `~` after it if it moved.

use align::{MatchKind, align_statements};
use expect_test::{Expect, expect};
use ir::{Pair, ProcId, Program, read_program, validate};

fn read(text: &str) -> Program {
    let program = read_program(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    validate(&program).unwrap_or_else(|faults| panic!("{}\n{text}", faults[0]));
    program
}

/// The first lines of all statements, indented by how deep they are nested.
fn heads(program: &Program, id: ProcId) -> Vec<String> {
    fn add(program: &Program, id: ProcId, block: &ir::Block, depth: usize, heads: &mut Vec<String>) {
        for stmt in block {
            heads.push(format!(
                "{}{}",
                "  ".repeat(depth),
                ir::print_stmt_head(program, program.procedure(id), stmt)
            ));
            for inner in ir::blocks(&stmt.kind) {
                add(program, id, inner, depth + 1, heads);
            }
        }
    }
    let mut found = Vec::new();
    add(program, id, program.procedure(id).body.as_ref().unwrap(), 0, &mut found);
    found
}

fn shown(programs: Pair<&Program>, ids: Pair<ProcId>) -> String {
    let heads = programs.zip(ids).map(|(program, id)| heads(program, id));
    let alignment = align_statements(programs.zip(ids));
    let mut lines: Vec<(usize, String)> = Vec::new();
    for found in &alignment.matches {
        let mark = match found.kind {
            MatchKind::Common => "=",
            MatchKind::Changed => "|",
        };
        let (old, new) = (&heads.old[found.old], &heads.new[found.new]);
        let moved = if found.moved { "~" } else { " " };
        let new =
            if old.trim() == new.trim() { String::new() } else { format!("  ->  {}", new.trim_start()) };
        lines.push((found.old, format!("{mark}{moved} {old}{new}\n")));
    }
    lines.extend(alignment.deleted.iter().map(|old| (*old, format!("<  {}\n", heads.old[*old]))));
    lines.sort();
    let inserted = alignment.inserted.iter().map(|new| format!(">  {}\n", heads.new[*new]));
    lines.into_iter().map(|(_, line)| line).chain(inserted).collect()
}

/// Compares the procedures `f` of two programs.
fn check_programs(old: &str, new: &str, expect: Expect) {
    let programs = Pair::new(old, new).map(|text| read(&format!("program java\n{text}")));
    let ids = programs.as_ref().map(|program| program.procedure_named("f").unwrap());
    expect.assert_eq(&shown(programs.as_ref(), ids));
}

/// Compares two bodies with the parameters a and b and the locals x, y, z, s and i.
fn check(old: &str, new: &str, expect: Expect) {
    let program = |body: &str| {
        format!(
            "error Bad
            proc f(a: i32, b: i32) -> i32 {{
              var x: i32 var y: i32 var z: i32 var s: i32 var i: i32
              {body}
            }}"
        )
    };
    check_programs(&program(old), &program(new), expect);
}

#[test]
fn equal_bodies_are_common() {
    let body = "x = add.i32(a, b) if lt.i32(x, 0) { x = 0 } return x";
    check(
        body,
        body,
        expect![[r#"
        =  x = add.i32(a, b)
        =  if lt.i32(x, 0)
        =    x = 0
        =  return x
    "#]],
    );
}

#[test]
fn a_changed_constant_changes_its_statement_and_those_around_it() {
    check(
        "s = 0 loop L0 { if le.i32(a, i) { break L0 } s = add.i32(s, 1) i = add.i32(i, 1) } return s",
        "s = 0 loop L0 { if le.i32(a, i) { break L0 } s = add.i32(s, 2) i = add.i32(i, 1) } return s",
        expect![[r#"
            =  s = 0
            |  loop L0
            =    if le.i32(a, i)
            =      break L0
            |    s = add.i32(s, 1)  ->  s = add.i32(s, 2)
            =    i = add.i32(i, 1)
            =  return s
        "#]],
    );
}

#[test]
fn deleted_and_inserted_statements_have_no_partner() {
    check(
        "x = add.i32(a, 1) y = mul.i32(a, b) return x",
        "x = add.i32(a, 1) print text_of_int.i32(x) return x",
        expect![[r#"
            =  x = add.i32(a, 1)
            <  y = mul.i32(a, b)
            =  return x
            >  print text_of_int.i32(x)
        "#]],
    );
}

#[test]
fn statements_that_changed_places_are_moved() {
    check(
        "x = add.i32(a, 1) y = mul.i32(b, 2) z = sub.i32(a, b) return add.i32(x, add.i32(y, z))",
        "y = mul.i32(b, 2) z = sub.i32(a, b) x = add.i32(a, 1) return add.i32(x, add.i32(y, z))",
        expect![[r#"
            =~ x = add.i32(a, 1)
            =  y = mul.i32(b, 2)
            =  z = sub.i32(a, b)
            =  return add.i32(x, add.i32(y, z))
        "#]],
    );
}

#[test]
fn of_two_that_changed_places_the_smaller_one_moved() {
    check(
        "x = add.i32(a, 1) loop L0 { if le.i32(a, i) { break L0 } i = add.i32(i, 1) } return x",
        "loop L0 { if le.i32(a, i) { break L0 } i = add.i32(i, 1) } x = add.i32(a, 1) return x",
        expect![[r#"
            =~ x = add.i32(a, 1)
            =  loop L0
            =    if le.i32(a, i)
            =      break L0
            =    i = add.i32(i, 1)
            =  return x
        "#]],
    );
}

#[test]
fn a_statement_that_moves_into_a_loop_has_another_parent() {
    check(
        "x = mul.i32(a, 3) loop L0 { if le.i32(a, i) { break L0 } i = add.i32(i, 1) } return x",
        "loop L0 { if le.i32(a, i) { break L0 } x = mul.i32(a, 3) i = add.i32(i, 1) } return x",
        expect![[r#"
            =~ x = mul.i32(a, 3)
            |  loop L0
            =    if le.i32(a, i)
            =      break L0
            =    i = add.i32(i, 1)
            =  return x
        "#]],
    );
}

#[test]
fn statements_wrapped_in_a_condition_go_together_and_moved() {
    check(
        "x = add.i32(a, b) y = mul.i32(x, 2) return y",
        "if lt.i32(a, b) { x = add.i32(a, b) y = mul.i32(x, 2) } return y",
        expect![[r#"
            =~ x = add.i32(a, b)
            =~ y = mul.i32(x, 2)
            =  return y
            >  if lt.i32(a, b)
        "#]],
    );
}

#[test]
fn a_condition_around_a_changed_loop_is_seen_through() {
    check(
        "loop L0 { if le.i32(a, i) { break L0 } s = add.i32(s, mul.i32(i, i)) i = add.i32(i, 1) } return s",
        "if lt.i32(0, a) { loop L0 { if le.i32(a, i) { break L0 } s = add.i32(s, mul.i32(i, i)) i = add.i32(i, 2) } } return s",
        expect![[r#"
            |~ loop L0
            =    if le.i32(a, i)
            =      break L0
            =    s = add.i32(s, mul.i32(i, i))
            |    i = add.i32(i, 1)  ->  i = add.i32(i, 2)
            =  return s
            >  if lt.i32(0, a)
        "#]],
    );
}

#[test]
fn an_extracted_variable_is_inserted_and_its_use_changed() {
    check(
        "if lt.i32(0, a) { return add.i32(mul.i32(a, b), 1) } return sub.i32(mul.i32(a, b), 1)",
        "x = mul.i32(a, b) if lt.i32(0, a) { return add.i32(x, 1) } return sub.i32(x, 1)",
        expect![[r#"
            |  if lt.i32(0, a)
            |    return add.i32(mul.i32(a, b), 1)  ->  return add.i32(x, 1)
            |  return sub.i32(mul.i32(a, b), 1)  ->  return sub.i32(x, 1)
            >  x = mul.i32(a, b)
        "#]],
    );
}

#[test]
fn consistent_renaming_is_no_change() {
    let with = |names: &str, body: &str| format!("proc f(n: i32) -> i32 {{ {names} {body} }}");
    let old = "total = 0 loop L0 { if le.i32(n, i) { break L0 } total = add.i32(total, i) i = add.i32(i, 1) } return total";
    let new =
        "sum = 0 loop L5 { if le.i32(n, k) { break L5 } sum = add.i32(sum, k) k = add.i32(k, 1) } return sum";
    check_programs(
        &with("var total: i32 var i: i32", old),
        &with("var k: i32 var sum: i32", new),
        expect![[r#"
            =  total = 0  ->  sum = 0
            =  loop L0  ->  loop L5
            =    if le.i32(n, i)  ->  if le.i32(n, k)
            =      break L0  ->  break L5
            =    total = add.i32(total, i)  ->  sum = add.i32(sum, k)
            =    i = add.i32(i, 1)  ->  k = add.i32(k, 1)
            =  return total  ->  return sum
        "#]],
    );
}

#[test]
fn renaming_with_a_change_elsewhere_is_still_recognised() {
    check_programs(
        "proc f(n: i32) -> i32 { var t: i32 t = mul.i32(n, n) print text_of_int.i32(n) t = add.i32(t, 1) return t }",
        "proc f(m: i32) -> i32 { var r: i32 r = mul.i32(m, m) r = add.i32(r, 1) return r }",
        expect![[r#"
            =  t = mul.i32(n, n)  ->  r = mul.i32(m, m)
            <  print text_of_int.i32(n)
            =  t = add.i32(t, 1)  ->  r = add.i32(r, 1)
            =  return t  ->  return r
        "#]],
    );
}

#[test]
fn another_variable_of_the_same_type_is_a_change() {
    check(
        "x = add.i32(x, 1) y = sub.i32(a, b) return add.i32(x, y)",
        "y = add.i32(y, 1) y = sub.i32(a, b) return add.i32(x, y)",
        expect![[r#"
            <  x = add.i32(x, 1)
            =  y = sub.i32(a, b)
            =  return add.i32(x, y)
            >  y = add.i32(y, 1)
        "#]],
    );
}

#[test]
fn parameters_go_by_their_position() {
    check_programs(
        "proc f(a: i32, b: i32) -> i32 { return sub.i32(a, b) }",
        "proc f(b: i32, a: i32) -> i32 { return sub.i32(a, b) }",
        expect![[r#"
            |  return sub.i32(a, b)
        "#]],
    );
}

#[test]
fn temporaries_are_numbered_as_they_like() {
    check_programs(
        "extern proc g() -> i32
        proc f() -> i32 { var $t0: i32 var x: i32 $t0 = call g() x = add.i32($t0, 1) return x }",
        "extern proc g() -> i32
        proc f() -> i32 { var $t0: i32 var $t1: i32 var x: i32
          $t0 = call g() print text_of_int.i32($t0) $t1 = call g() x = add.i32($t1, 1) return x }",
        expect![[r#"
            =  $t0 = call g()  ->  $t1 = call g()
            =  x = add.i32($t0, 1)  ->  x = add.i32($t1, 1)
            =  return x
            >  $t0 = call g()
            >  print text_of_int.i32($t0)
        "#]],
    );
}

#[test]
fn temporaries_that_were_exchanged_are_a_change() {
    let body = |difference: &str| {
        format!(
            "extern proc g() -> i32 extern proc h() -> i32
            proc f() -> i32 {{ var $t0: i32 var $t1: i32 $t0 = call g() $t1 = call h() return {difference} }}"
        )
    };
    check_programs(
        &body("sub.i32($t0, $t1)"),
        &body("sub.i32($t1, $t0)"),
        expect![[r#"
        =  $t0 = call g()
        =  $t1 = call h()
        |  return sub.i32($t0, $t1)  ->  return sub.i32($t1, $t0)
    "#]],
    );
}

#[test]
fn nested_loops_keep_their_place_when_the_inner_one_changes() {
    let body = |start: &str| {
        format!(
            "loop L0 {{ if le.i32(a, x) {{ break L0 }} y = {start}
              loop L1 {{ if le.i32(b, y) {{ break L1 }} s = add.i32(s, mul.i32(x, y)) y = add.i32(y, 1) }}
              x = add.i32(x, 1) }} return s"
        )
    };
    check(
        &body("0"),
        &body("x"),
        expect![[r#"
        |  loop L0
        =    if le.i32(a, x)
        =      break L0
        |    y = 0  ->  y = x
        =    loop L1
        =      if le.i32(b, y)
        =        break L1
        =      s = add.i32(s, mul.i32(x, y))
        =      y = add.i32(y, 1)
        =    x = add.i32(x, 1)
        =  return s
    "#]],
    );
}

#[test]
fn exchanged_loops_are_found_by_what_is_in_them() {
    check(
        "loop L0 { if le.i32(a, x) { break L0 } loop L1 { if le.i32(b, y) { break L1 } s = add.i32(s, mul.i32(x, y)) y = add.i32(y, 1) } x = add.i32(x, 1) }",
        "loop L0 { if le.i32(b, y) { break L0 } loop L1 { if le.i32(a, x) { break L1 } s = add.i32(s, mul.i32(x, y)) x = add.i32(x, 1) } y = add.i32(y, 1) }",
        expect![[r#"
            |~ loop L0  ->  loop L1
            =    if le.i32(a, x)
            =      break L0  ->  break L1
            |~   loop L1  ->  loop L0
            =      if le.i32(b, y)
            =        break L1  ->  break L0
            =~     s = add.i32(s, mul.i32(x, y))
            =      y = add.i32(y, 1)
            =    x = add.i32(x, 1)
        "#]],
    );
}

#[test]
fn repeated_statements_go_together_in_order() {
    check(
        "x = add.i32(x, 1) x = add.i32(x, 1) x = add.i32(x, 1) y = 5 x = add.i32(x, 1)",
        "x = add.i32(x, 1) x = add.i32(x, 1) y = 5 x = add.i32(x, 1) x = add.i32(x, 1)",
        expect![[r#"
            =  x = add.i32(x, 1)
            =  x = add.i32(x, 1)
            =  x = add.i32(x, 1)
            =~ y = 5
            =  x = add.i32(x, 1)
        "#]],
    );
}

#[test]
fn exchanged_branches_move() {
    check(
        "if lt.i32(a, b) { x = add.i32(a, 1) print text_of_int.i32(x) } else { y = mul.i32(b, 2) } return x",
        "if not(lt.i32(a, b)) { y = mul.i32(b, 2) } else { x = add.i32(a, 1) print text_of_int.i32(x) } return x",
        expect![[r#"
            |  if lt.i32(a, b)  ->  if not(lt.i32(a, b))
            =~   x = add.i32(a, 1)
            =~   print text_of_int.i32(x)
            =~   y = mul.i32(b, 2)
            =  return x
        "#]],
    );
}

#[test]
fn a_call_of_another_procedure_in_the_same_place_is_changed() {
    let program = |callee: &str| {
        format!("extern proc g(x: i32) extern proc h(x: i32) proc f(a: i32) {{ call {callee}(a) return }}")
    };
    check_programs(
        &program("g"),
        &program("h"),
        expect![[r#"
        |  call g(a)  ->  call h(a)
        =  return
    "#]],
    );
}

#[test]
fn what_a_table_says_belongs_to_the_statement() {
    let program = |value: &str| {
        format!("const global N: i32 = {value} global M: i32 = {value} proc f() -> i32 {{ M = 1 return N }}")
    };
    check_programs(
        &program("1"),
        &program("2"),
        expect![[r#"
        =  M = 1
        |  return N
    "#]],
    );
}

#[test]
fn handlers_go_by_what_they_catch() {
    let program = |handlers: &str| {
        format!(
            "error E error F proc f(a: i32) -> i32 {{ var m: text
            try {{ check ne.i32(a, 0) else E check ne.i32(a, 1) else F }} {handlers} return 0 }}"
        )
    };
    check_programs(
        &program("catch E as m { print m } catch F { return 1 }"),
        &program("catch F { return 1 } catch E as m { print m }"),
        expect![[r#"
            |  try
            =    check ne.i32(a, 0) else E
            =    check ne.i32(a, 1) else F
            =    print m
            =    return 1
            =  return 0
        "#]],
    );
}

#[test]
fn a_jump_to_another_loop_is_a_change() {
    let body = |target: &str| {
        format!("loop L0 {{ loop L1 {{ if lt.i32(a, b) {{ break {target} }} a = sub.i32(a, 1) }} }}")
    };
    check(
        &body("L0"),
        &body("L1"),
        expect![[r#"
        |  loop L0
        |    loop L1
        |      if lt.i32(a, b)
        |        break L0  ->  break L1
        =      a = sub.i32(a, 1)
    "#]],
    );
}

#[test]
fn what_could_not_be_lowered_is_never_common() {
    let body = "x = add.i32(a, 1) unsupported \"goto\" return x";
    check(
        body,
        body,
        expect![[r#"
        =  x = add.i32(a, 1)
        |  unsupported "goto"
        =  return x
    "#]],
    );
}
