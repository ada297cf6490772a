//! The validator: a program that is right, and one that breaks each invariant.

use expect_test::{Expect, expect};
use ir::{
    BinaryOp, Cells, Const, Expr, FileId, IntType, Local, LocalId, Program, RegionId, Scalar, ShapeId, Span,
    Stmt, StmtKind, Target, Type, read_program, validate,
};

const TABLES: &str = r#"program java
error E
region Point.x: f64
region int[]: i32 -> i32
region long[]: i64 -> i64
abstract shape Object: fields()
shape Point: fields(Point.x) < Object
shape int[]: indexed(int[])
global n: i32 = 0
const global MAX: i64 = 10
static table: int[](2) = {1, 2}
extern proc rand(seed: i64) -> i32
"#;

const LOCALS: &str = "var b: bool var i: i32 var l: i64 var u: u8 var d: f64 var f: f32 var t: text
    var p: ref Point var a: ref int[] var r: (i32, bool) var m: map(i32 -> bool)";

fn program(body: &str) -> Program {
    let text = format!("{TABLES}proc p() -> i32 {{ {LOCALS} {body} }}");
    read_program(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn faults(program: &Program) -> String {
    let faults = validate(program).expect_err("the program should be invalid");
    faults.iter().map(|fault| fault.to_string()).collect::<Vec<_>>().join("\n")
}

/// The faults of a procedure with this body.
fn check(body: &str, expect: Expect) {
    expect.assert_eq(&faults(&program(body)));
}

/// The faults of a program with these declarations added.
fn check_tables(declarations: &str, expect: Expect) {
    let text = format!("{TABLES}{declarations}");
    expect.assert_eq(&faults(&read_program(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))));
}

/// The faults of a valid program after a change.
fn check_changed(change: impl FnOnce(&mut Program), expect: Expect) {
    let mut program = program("return i");
    change(&mut program);
    expect.assert_eq(&faults(&program));
}

fn push(program: &mut Program, kind: StmtKind) {
    let last = program.procedures.last_mut().unwrap();
    last.body.as_mut().unwrap().push(Stmt { kind, span: Span::NOWHERE });
}

fn assign(program: &mut Program, value: Expr) {
    push(program, StmtKind::Assign { local: LocalId(1), value });
}

#[test]
fn well_formed_programs_pass() {
    let body = r#"
        n = 5
        p = null
        a = p
        p = new Point
        a = new int[](4)
        store int[](a, 1) = load int[](a, 0)
        i = call rand(5)
        call rand(add.i64(5, MAX))
        loop L0 { scope L1 { if b { break L1 } else { continue L0 } } break L0 }
        try { throw E("x") } catch E as t { print t } catch any {}
        check eq(b, true) else E
        r = record(i, b)
        m = update(m, i, get.1(r))
        u = shl.u8(u, 3)
        i = convert.bool.i32(overflows.shl.i32(i, 5))
        return 7"#;
    assert_eq!(validate(&program(body)), Ok(()));
}

#[test]
fn names_are_unique_in_each_table() {
    check_changed(|p| p.errors.push("E".into()), expect![": there are two errors with the name `E`"]);
    check_changed(
        |p| p.regions.push(p.regions[0].clone()),
        expect![": there are two regions with the name `Point.x`"],
    );
    check_changed(
        |p| p.shapes.push(p.shapes[0].clone()),
        expect![": there are two shapes with the name `Object`"],
    );
    check_changed(
        |p| p.globals.push(p.globals[0].clone()),
        expect![": there are two globals with the name `n`"],
    );
    check_changed(
        |p| p.statics.push(p.statics[0].clone()),
        expect![": there are two statics with the name `table`"],
    );
    check_changed(
        |p| {
            let twice = p.procedures[0].clone();
            p.procedures.push(twice);
        },
        expect![": there are two procedures with the name `rand`"],
    );
}

#[test]
fn ids_lie_in_their_tables() {
    check_changed(
        |p| p.regions[0].value = Type::Ref(Target::Shape(ShapeId(9))),
        expect!["region `Point.x`: there is no shape 9"],
    );
    check_changed(
        |p| p.shapes[0].cells = Cells::Fields(vec![RegionId(9)]),
        expect!["shape `Object`: there is no region 9"],
    );
    check_changed(
        |p| p.shapes[0].ancestors = vec![ShapeId(9)],
        expect![[r#"
            shape `Object`: there is no shape 9
            shape `Point`: the ancestors lack shape 9"#]],
    );
    check_changed(|p| p.statics[0].shape = ShapeId(9), expect!["static `table`: there is no shape 9"]);
    check_changed(|p| assign(p, Expr::Local(LocalId(99))), expect!["procedure `p`: there is no local 99"]);
    check_changed(
        |p| assign(p, Expr::Global(ir::GlobalId(99))),
        expect!["procedure `p`: there is no global 99"],
    );
    check_changed(
        |p| assign(p, Expr::Const(Const::Static(ir::StaticId(99)))),
        expect![[r#"
            procedure `p`: there is no static 99
            procedure `p`: `&?99` should be of type i32, but is ref any"#]],
    );
    check_changed(
        |p| push(p, StmtKind::Call { local: None, callee: ir::ProcId(99), args: vec![] }),
        expect!["procedure `p`: there is no procedure 99"],
    );
    check_changed(
        |p| push(p, StmtKind::Throw { error: ir::ErrorId(99), message: None }),
        expect!["procedure `p`: there is no error 99"],
    );
    check_changed(
        |p| push(p, StmtKind::New { local: LocalId(7), shape: ShapeId(99), length: None, unwritten: false }),
        expect!["procedure `p`: there is no shape 99"],
    );
    check_changed(
        |p| {
            let object = Box::new(Expr::Const(Const::Null));
            assign(p, Expr::Load { region: RegionId(99), object, index: None });
        },
        expect!["procedure `p`: there is no region 99"],
    );
    check_changed(
        |p| p.procedures[1].span = Span { file: FileId(3), line: 1, column: 1, end_line: 1, end_column: 1 },
        expect!["procedure `p`: there is no file 3"],
    );
}

#[test]
fn integer_types_have_known_widths() {
    let odd = IntType { width: 7, signed: true };
    check_changed(
        |p| p.regions[0].value = Type::Int(odd),
        expect!["region `Point.x`: integers have 8, 16, 32 or 64 bits, not 7"],
    );
    check_changed(
        |p| {
            let [lhs, rhs] = [0, 1].map(|_| Box::new(Expr::Const(Const::i32(1))));
            assign(p, Expr::Binary { op: BinaryOp::Add, ty: Scalar::Int(odd), lhs, rhs });
        },
        expect![[r#"
            procedure `p`: integers have 8, 16, 32 or 64 bits, not 7
            procedure `p`: `1` should be of type i?, but is i32
            procedure `p`: `1` should be of type i?, but is i32
            procedure `p`: `add.i?(1:i32, 1:i32)` should be of type i32, but is i?"#]],
    );
}

#[test]
fn regions_have_an_index_of_a_length_type() {
    check_tables("region r: u8 -> i32", expect!["region `r`: the index should be i32 or i64"]);
}

#[test]
fn the_cells_of_shapes_fit_their_regions() {
    check_tables(
        "shape S: fields(int[])",
        expect!["shape `S`: the region `int[]` of a field should have no index"],
    );
    check_tables(
        "shape S: fields(Point.x, Point.x)",
        expect!["shape `S`: there are two fields with the name `Point.x`"],
    );
    check_tables("shape S: indexed()", expect!["shape `S`: there should be a region for the cells"]);
    check_tables(
        "shape S: indexed(Point.x)",
        expect!["shape `S`: the region `Point.x` should have the same index as the others"],
    );
    check_tables(
        "shape S: indexed(int[], long[])",
        expect!["shape `S`: the region `long[]` should have the same index as the others"],
    );
}

#[test]
fn ancestors_go_all_the_way_up() {
    check_tables("shape S: fields() < S", expect!["shape `S`: a shape should not be its own ancestor"]);
    check_tables("shape S: fields() < Point", expect!["shape `S`: the ancestors lack shape 0"]);
}

#[test]
fn globals_start_with_a_value_of_their_type() {
    check_tables("global g: text = 5", expect!["global `g`: `5` is not of type text"]);
}

#[test]
fn static_objects_have_the_cells_of_their_shape() {
    check_tables("static s: Object = {}", expect!["static `s`: the shape should not be abstract"]);
    check_tables(
        "static s: Point(1) = {1.0}",
        expect!["static `s`: an object with fields should have no length"],
    );
    check_tables(
        "static s: int[] = {1}",
        expect!["static `s`: an object with cells by index should have a length"],
    );
    check_tables("static s: int[](2) = {1}", expect!["static `s`: there are 1 cells"]);
    check_tables("static s: int[](-1) = {}", expect!["static `s`: there are 0 cells"]);
    check_tables("static s: Point = {}", expect!["static `s`: there are 0 cells"]);
    check_tables("static s: Point = {1}", expect!["static `s`: `1` is not of type f64"]);
}

#[test]
fn parameters_are_locals() {
    check_changed(
        |p| p.procedures[1].params = 99,
        expect!["procedure `p`: there are 99 parameters but 11 locals"],
    );
    check_changed(
        |p| p.procedures[0].locals.push(Local { name: "x".into(), ty: Type::I32 }),
        expect!["procedure `rand`: a procedure without a body should have no locals but its parameters"],
    );
    check_changed(
        |p| p.procedures[1].locals.push(Local { name: "i".into(), ty: Type::I32 }),
        expect!["procedure `p`: there are two locals with the name `i`"],
    );
}

#[test]
fn returns_fit_the_result() {
    check("return", expect!["procedure `p`: this `return` should have a value"]);
    check("return b", expect!["procedure `p`: `b` should be of type i32, but is bool"]);
    check_tables("proc q() { return 5 }", expect!["procedure `q`: this `return` should have no value"]);
}

#[test]
fn jumps_name_what_is_around_them() {
    check("loop L0 { break L1 }", expect!["procedure `p`: there is no loop or scope L1 around this `break`"]);
    check("loop L0 {} break L0", expect!["procedure `p`: there is no loop or scope L0 around this `break`"]);
    check("scope L0 { continue L0 }", expect!["procedure `p`: there is no loop L0 around this `continue`"]);
    check("loop L0 {} scope L0 {}", expect!["procedure `p`: there are two labels L0"]);
}

#[test]
fn assignments_keep_types() {
    check("i = l", expect!["procedure `p`: `l` should be of type i32, but is i64"]);
    check("n = l", expect!["procedure `p`: `l` should be of type i32, but is i64"]);
    check(
        "r = record(i, i)",
        expect!["procedure `p`: `record(i, i)` should be of type (i32, bool), but is (i32, i32)"],
    );
    check("p = t", expect!["procedure `p`: `t` should be of type ref Point, but is text"]);
    check("MAX = 5", expect!["procedure `p`: the constant global `MAX` should not be assigned"]);
}

#[test]
fn cells_are_used_as_their_region_says() {
    check("store Point.x(p) = f", expect!["procedure `p`: `f` should be of type f64, but is f32"]);
    check("store Point.x(t) = d", expect!["procedure `p`: `t` should be a reference, but is text"]);
    check("store Point.x(p, i) = d", expect!["procedure `p`: the region `Point.x` has no index"]);
    check("i = load int[](a)", expect!["procedure `p`: the region `int[]` needs an index"]);
    check("i = load int[](a, l)", expect!["procedure `p`: `l` should be of type i32, but is i64"]);
    check("free i", expect!["procedure `p`: `i` should be a reference, but is i32"]);
}

#[test]
fn new_objects_have_a_length_as_their_shape_says() {
    check("a = new int[]", expect!["procedure `p`: an object with cells by index should have a length"]);
    check("p = new Point(i)", expect!["procedure `p`: an object with fields should have no length"]);
    check("a = new int[](l)", expect!["procedure `p`: `l` should be of type i32, but is i64"]);
    check("i = new Point", expect!["procedure `p`: a new object should not go to a i32"]);
    check("p = new Object", expect!["procedure `p`: the shape `Object` is abstract"]);
}

#[test]
fn calls_fit_the_callee() {
    check("call rand()", expect!["procedure `p`: `rand` should get 1 arguments, not 0"]);
    check("call rand(i)", expect!["procedure `p`: `i` should be of type i64, but is i32"]);
    check("l = call rand(l)", expect!["procedure `p`: `rand` does not give a i64"]);
    check_tables("proc q() { var i: i32 i = call q() }", expect!["procedure `q`: `q` does not give a i32"]);
}

#[test]
fn conditions_messages_and_output_have_their_types() {
    check("if i {}", expect!["procedure `p`: `i` should be of type bool, but is i32"]);
    check("check i else E", expect!["procedure `p`: `i` should be of type bool, but is i32"]);
    check("assert i else E", expect!["procedure `p`: `i` should be of type bool, but is i32"]);
    check("assume i", expect!["procedure `p`: `i` should be of type bool, but is i32"]);
    check("print i", expect!["procedure `p`: `i` should be of type text, but is i32"]);
    check("throw E(i)", expect!["procedure `p`: `i` should be of type text, but is i32"]);
    check("try {} catch any as i {}", expect!["procedure `p`: the message should go to a local of its type"]);
}

#[test]
fn operators_exist_only_for_some_types() {
    check("i = not.i32(i)", expect!["procedure `p`: there is no not.i32"]);
    check("b = neg(b)", expect!["procedure `p`: there is no neg.bool"]);
    check("d = bitnot.f64(d)", expect!["procedure `p`: there is no bitnot.f64"]);
    check("b = add(b, b)", expect!["procedure `p`: there is no add.bool"]);
    check("d = xor.f64(d, d)", expect!["procedure `p`: there is no xor.f64"]);
    check("d = shl.f64(d, d)", expect!["procedure `p`: there is no shl.f64"]);
    check("b = shl(b, b)", expect!["procedure `p`: there is no shl.bool"]);
    check("b = lt(b, b)", expect!["procedure `p`: there is no lt.bool"]);
    check("b = overflows.rem.i32(i, i)", expect!["procedure `p`: there is no overflows.rem"]);
    check("b = convert.i32.bool(i)", expect!["procedure `p`: there is no conversion from i32 to bool"]);
    check("d = convert.bool.f64(b)", expect!["procedure `p`: there is no conversion from bool to f64"]);
}

#[test]
fn operands_have_the_type_of_the_operator() {
    check("i = neg.i32(l)", expect!["procedure `p`: `l` should be of type i32, but is i64"]);
    check("i = add.i32(i, l)", expect!["procedure `p`: `l` should be of type i32, but is i64"]);
    check("l = shl.i64(l, i)", expect!["procedure `p`: `i` should be of type i64, but is i32"]);
    check("i = lt.i32(i, i)", expect!["procedure `p`: `lt.i32(i, i)` should be of type i32, but is bool"]);
    check("i = convert.i64.i32(i)", expect!["procedure `p`: `i` should be of type i64, but is i32"]);
    check("b = overflows.add.i32(i, l)", expect!["procedure `p`: `l` should be of type i32, but is i64"]);
    check("b = fits.f32.i32(d)", expect!["procedure `p`: `d` should be of type f32, but is f64"]);
    check("d = sqrt.f64(f)", expect!["procedure `p`: `f` should be of type f64, but is f32"]);
    check("d = pow.f64(d)", expect!["procedure `p`: `pow` should get 2 operands, not 1"]);
}

#[test]
fn compound_values_agree_in_type() {
    check("i = if(i, i, i)", expect!["procedure `p`: `i` should be of type bool, but is i32"]);
    check("i = if(b, i, l)", expect!["procedure `p`: `l` should be of type i32, but is i64"]);
    check("b = same_ref(p, t)", expect!["procedure `p`: `t` should be a reference, but is text"]);
    check("b = same_text(t, p)", expect!["procedure `p`: `p` should be of type text, but is ref Point"]);
    check("b = same_map(m, i)", expect!["procedure `p`: `i` should be of type map(i32 -> bool), but is i32"]);
    check("b = same_map(i, m)", expect!["procedure `p`: `i` should be a map, but is i32"]);
    check("b = has_shape(i)", expect!["procedure `p`: `i` should be a reference, but is i32"]);
    check(
        "i = length.u8(a)",
        expect![[r#"
        procedure `p`: a length is i32 or i64, not u8
        procedure `p`: `length.u8(a)` should be of type i32, but is u8"#]],
    );
    check(
        "i = get.2(r)",
        expect!["procedure `p`: `r` should be a record with component 2, but is (i32, bool)"],
    );
    check("b = select(m, l)", expect!["procedure `p`: `l` should be of type i32, but is i64"]);
    check("m = update(m, i, i)", expect!["procedure `p`: `i` should be of type bool, but is i32"]);
}

#[test]
fn constants_are_canonical() {
    check_changed(
        |p| assign(p, Expr::Const(Const::Int(IntType::I32, 1 << 40))),
        expect!["procedure `p`: 1099511627776 is not in the range of i32"],
    );
    check_changed(
        |p| {
            let value = Expr::Const(Const::F64(0x7ff8_0000_0000_0001));
            push(p, StmtKind::Assign { local: LocalId(4), value });
        },
        expect!["procedure `p`: the NaN 0x7ff8000000000001 is not the canonical one"],
    );
    check_changed(
        |p| {
            let value = Expr::Const(Const::F32(0xffc0_0000));
            push(p, StmtKind::Assign { local: LocalId(5), value });
        },
        expect!["procedure `p`: the NaN 0xffc00000 is not the canonical one"],
    );
}

#[test]
fn nothing_nests_too_deep() {
    let deep_expr = |levels: usize| {
        (0..levels).fold(Expr::Local(LocalId(1)), |arg, _| Expr::Unary {
            op: ir::UnaryOp::Neg,
            ty: Scalar::Int(IntType::I32),
            arg: Box::new(arg),
        })
    };
    check_changed(|p| assign(p, deep_expr(ir::MAX_DEPTH)), expect!["procedure `p`: the body nests too deep"]);
    let mut fitting = program("return i");
    assign(&mut fitting, deep_expr(ir::MAX_DEPTH - 2));
    assert_eq!(validate(&fitting), Ok(()));
    assert_eq!(read_program(&ir::print(&fitting)), Ok(fitting));

    check_changed(
        |p| {
            for _ in 0..ir::MAX_DEPTH {
                let body = p.procedures[1].body.take().unwrap();
                let otherwise = body;
                let condition = Expr::Const(Const::Bool(true));
                let kind = StmtKind::If { condition, then: vec![], otherwise };
                p.procedures[1].body = Some(vec![Stmt { kind, span: Span::NOWHERE }]);
            }
        },
        expect!["procedure `p`: the body nests too deep"],
    );
    check_changed(
        |p| {
            let mut ty = Type::I32;
            for _ in 0..ir::MAX_DEPTH {
                ty = Type::Record(vec![ty]);
            }
            p.regions[0].value = ty;
        },
        expect!["region `Point.x`: the type nests too deep"],
    );
}
