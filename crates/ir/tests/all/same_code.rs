//! When two procedures are the same code: what may differ, and what may not.

use arbitrary_ir::{Config, Random, program};
use expect_test::expect;
use ir::{
    Const, Expr, GlobalId, LabelId, LocalId, Pair, ProcId, Program, StmtKind, for_each_expr,
    for_each_expr_mut, for_each_stmt_mut, normalise, print, read_program, same_code, validate,
};

fn read(text: &str) -> Program {
    let program = read_program(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    validate(&program).unwrap_or_else(|faults| panic!("{}\n{text}", faults[0]));
    program
}

fn same(old: &str, new: &str) -> bool {
    let programs = Pair::new(read(old), read(new));
    let pair = programs.as_ref().map(|program| (program, ProcId(0)));
    let result = same_code(pair);
    assert_eq!(same_code(pair.swapped()), result, "the question should be symmetric");
    result
}

const OLD: &str = "program java
    error E
    error F
    region A.x: i32
    region A.next: ref A
    shape A: fields(A.x, A.next)
    global A.count: i32 = 5
    const global A.MAX: i32 = 10
    static A.root: A = {1, null}
    proc `A.f(int)` as f(n: i32) -> i32 {
      var t: i32 var p: ref A
      loop L0 {
        try { check lt.i32(n, A.MAX) else E } catch E, F {}
        p = &A.root
        t = call `A.g(int)`(n)
        if has_shape(p, A) { break L0 }
      }
      A.count = t
      p = new A
      store A.x(p) = load A.x(p)
      t = call rand()
      return t
    }
    proc `A.g(int)` as g(n: i32) -> i32 { return add.i32(n, 1) }
    extern proc rand() -> i32";

#[test]
fn names_order_and_places_do_not_matter() {
    let new = "program java
    file \"other.java\"
    error Unused
    error F
    error E
    const global A.MAX: i32 = 10
    static A.root: A = {1, null}
    global A.count: i32 = 5
    region A.next: ref A
    region unused: i32
    region A.x: i32
    shape unused: fields(unused)
    shape A: fields(A.x, A.next)
    assuming \"something\"
    proc `A.f(int)` as f(number: i32) -> i32 @1:2-3 {
      var unused: i32 var object: ref A var result: i32
      loop L7 @4:5-6 {
        try { check lt.i32(number, A.MAX) else E } catch F, E {}
        object = &A.root
        result = call renamed(number)
        if has_shape(object, A) { break L7 }
      }
      A.count = result
      object = new A
      store A.x(object) = load A.x(object)
      result = call rand()
      return result
    }
    extern proc rand() -> i32
    proc unused() {}
    proc renamed(n: i32) -> i32 { return add.i32(n, 1) }";
    assert!(same(OLD, new));
}

#[test]
fn every_part_of_the_code_matters() {
    let changes = [
        ("add.i32(n, 1)", "add.i32(n, 2)"),
        ("add.i32(n, 1)", "sub.i32(n, 1)"),
        ("add.i32(n, 1)", "add.i32(1, n)"),
        ("A.MAX: i32 = 10", "A.MAX: i32 = 11"),
        ("const global A.MAX", "global A.MAX"),
        ("A.count", "A.total"),
        ("A.count: i32 = 5", "A.count: i32 = 6"),
        ("A.root: A = {1, null}", "A.root: A = {2, null}"),
        ("A.root: A = {1, null}", "A.root: A = {1, &A.root}"),
        ("static A.root", "const static A.root"),
        ("A.root", "A.other"),
        ("else E", "else F"),
        ("catch E, F", "catch E"),
        ("catch E, F", "catch any"),
        ("rand", "random"),
        ("rand() -> i32", "rand() -> u32"),
        ("A.x", "A.y"),
        ("fields(A.x, A.next)", "fields(A.x)"),
        ("break L0", "continue L0"),
        ("p: ref A", "p: ref any"),
        ("return t", "return n"),
        ("program java", "program c"),
        ("t = call rand()", "call rand()"),
    ];
    let mut tried = 0;
    for (from, to) in changes {
        let new = OLD.replace(from, to);
        assert_ne!(new, OLD, "{from} should be there");
        if read_program(&new).is_ok_and(|program| validate(&program).is_ok()) {
            assert!(!same(OLD, &new), "{from} -> {to}");
            tried += 1;
        }
    }
    assert!(tried >= 20, "only {tried} of the changes gave a valid program");
}

#[test]
fn two_locals_are_not_one() {
    let two = "program c proc f() -> i32 { var a: i32 var b: i32 a = 1 b = 2 return a }";
    let one = "program c proc f() -> i32 { var a: i32 var b: i32 a = 1 a = 2 return a }";
    assert!(!same(two, one));
    assert!(!same(
        "program c proc f(a: i32, b: i32) -> i32 { return a }",
        "program c proc f(a: i32, b: i32) -> i32 { return b }"
    ));
}

#[test]
fn two_callees_are_not_one() {
    let two = "program c proc f() { call g() call h() } proc g() { print \"x\" } proc h() { print \"y\" }";
    let one = "program c proc f() { call g() call g() } proc g() { print \"x\" }";
    assert!(!same(two, one));
}

#[test]
fn a_renamed_class_is_the_same() {
    assert!(same(
        OLD,
        &OLD.replace("A.", "B.")
            .replace("shape A:", "shape B:")
            .replace("ref A", "ref B")
            .replace(": A =", ": B =")
            .replace("p, A)", "p, B)")
            .replace("new A", "new B")
    ));
    // Sorted by name, the tables of a renamed class may come in another order.
    let old = "program java global A.n: i32 = 0 global M.n: i64 = 0
        proc A.f as f() { A.n = 1 M.n = 2 }";
    let new = "program java global Z.n: i32 = 0 global M.n: i64 = 0
        proc Z.f as f() { Z.n = 1 M.n = 2 }";
    assert!(same(old, new));
}

#[test]
fn another_class_is_not_a_renamed_one() {
    let old = "program java global A.n: i32 = 0 global B.n: i32 = 0 proc A.f as f() { A.n = 1 }";
    let new = "program java global A.n: i32 = 0 global B.n: i32 = 0 proc B.f as f() { B.n = 1 }";
    assert!(!same(old, new));
    let old = "program java global A.n: i32 = 0 proc A.f as f() { A.n = 1 }";
    let new = "program java global AB.n: i32 = 0 proc B.f as f() { AB.n = 1 }";
    assert!(!same(old, new), "`AB` does not lie in `A`");
    let new = "program java global B.n: i32 = 0 proc B.g as g() { B.n = 1 }";
    assert!(!same(old, new), "the method has another name");
}

#[test]
fn unsupported_code_is_never_the_same() {
    let text = "program java proc f() { call g() } proc g() { unsupported \"lambda\" }";
    assert!(!same(text, text));
}

#[test]
fn the_normal_form_reads_well() {
    expect![[r#"
        program java

        error E
        error F

        region A.next: ref A
        region A.x: i32

        shape A: fields(A.x, A.next)

        const global A.MAX: i32 = 10
        global A.count: i32 = 5

        static A.root: A = {1, null}

        proc $proc0($0: i32) -> i32 {
          var $1: ref A
          var $2: i32
          loop L0 {
            try {
              check lt.i32($0, A.MAX) else E
            } catch E, F {}
            $1 = &A.root
            $2 = call $proc1($0)
            if has_shape($1, A) {
              break L0
            }
          }
          A.count = $2
          $1 = new A
          store A.x($1) = load A.x($1)
          $2 = call rand()
          return $2
        }

        proc $proc1($0: i32) -> i32 {
          return add.i32($0, 1)
        }

        extern proc rand() -> i32
    "#]]
    .assert_eq(&print(&normalise(&read(OLD), ProcId(0))));
}

fn generated() -> impl Iterator<Item = Program> {
    (0..400).map(|seed| program(seed, &Config { unsupported: false, ..Config::everything() }))
}

#[test]
fn normal_forms_are_valid_and_final() {
    for program in generated() {
        let normal = normalise(&program, ProcId(0));
        assert_eq!(validate(&normal), Ok(()), "{}", print(&program));
        assert_eq!(print(&normalise(&normal, ProcId(0))), print(&normal));
    }
}

#[test]
fn shuffled_programs_are_the_same() {
    for (seed, program) in generated().enumerate() {
        let shuffled = shuffle(program.clone(), &mut Random::new(seed as u64));
        assert_eq!(validate(&shuffled), Ok(()));
        assert!(same_code(Pair::new((&program, ProcId(0)), (&shuffled, ProcId(0)))));
    }
}

/// Gives globals, locals and labels other places and, where these do not count, other names.
fn shuffle(mut program: Program, random: &mut Random) -> Program {
    let globals = permutation(program.globals.len(), random);
    let mut moved = program.globals.clone();
    for (index, global) in program.globals.iter().enumerate() {
        moved[globals[index]] = global.clone();
    }
    program.globals = moved;
    for procedure in &mut program.procedures {
        procedure.assumptions.push("shuffled".to_owned());
        let params = procedure.params;
        let locals: Vec<usize> = (0..params)
            .chain(
                permutation(procedure.locals.len() - params, random).into_iter().map(|index| index + params),
            )
            .collect();
        let mut moved = procedure.locals.clone();
        for (index, local) in procedure.locals.iter().enumerate() {
            moved[locals[index]] = local.clone();
            moved[locals[index]].name = format!("renamed {index}");
        }
        procedure.locals = moved;
        let place = |local: &mut LocalId| *local = LocalId::from_index(locals[local.index()]);
        let Some(body) = &mut procedure.body else { continue };
        for_each_expr_mut(body, &mut |expr| match expr {
            Expr::Local(local) => place(local),
            Expr::Global(global) => *global = GlobalId::from_index(globals[global.index()]),
            _ => {}
        });
        for_each_stmt_mut(body, &mut |stmt| match &mut stmt.kind {
            StmtKind::Assign { local, .. } | StmtKind::New { local, .. } => place(local),
            StmtKind::Call { local: Some(local), .. } => place(local),
            StmtKind::Try { catches, .. } => {
                catches.iter_mut().filter_map(|catch| catch.message.as_mut()).for_each(place);
            }
            StmtKind::AssignGlobal { global, .. } => *global = GlobalId::from_index(globals[global.index()]),
            StmtKind::Loop { label, .. }
            | StmtKind::Scope { label, .. }
            | StmtKind::Break(label)
            | StmtKind::Continue(label) => *label = LabelId(1000 - label.0),
            _ => {}
        });
    }
    program
}

fn permutation(length: usize, random: &mut Random) -> Vec<usize> {
    let mut order: Vec<usize> = (0..length).collect();
    for index in (1..length).rev() {
        order.swap(index, random.below(index + 1));
    }
    order
}

#[test]
fn a_changed_constant_is_another_code() {
    for (seed, program) in generated().enumerate() {
        let mut changed = program.clone();
        let reached = ir::reachable(&program, ProcId(0));
        let mut random = Random::new(seed as u64);
        let body = changed.procedures[random.pick(&reached).index()].body.as_mut();
        let Some(body) = body else { continue };
        let mut count = 0;
        for_each_expr(body, &mut |expr| count += usize::from(matches!(expr, Expr::Const(Const::Int(..)))));
        let mut position = random.below(count);
        for_each_expr_mut(body, &mut |expr| {
            if let Expr::Const(Const::Int(ty, value)) = expr {
                if position == 0 {
                    *value = ty.wrap(*value + 1);
                }
                position = position.wrapping_sub(1);
            }
        });
        let is_same = same_code(Pair::new((&program, ProcId(0)), (&changed, ProcId(0))));
        assert_eq!(is_same, program == changed);
    }
}
