//! Random pairs that differ exactly where a condition holds, which is known because it was planted.
//!
//! The new version does one thing more, at its end, where the condition holds. The condition stands there as it is, or
//! behind a local, a callee, nested branches or a value that was computed from the inputs.

use arbitrary_source::{Choices, Language};
use ir::Pair;

/// A pair, and where its versions differ.
#[derive(Clone, Debug)]
pub(crate) struct Planted {
    pub language: Language,
    pub texts: Pair<String>,
    /// In the words of the inputs.
    pub condition: String,
}

/// The function that is compared.
pub(crate) const ENTRY: &str = "planted";

/// What a parameter is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Int,
    Long,
    Unsigned,
    Truth,
    Letter,
    Array,
    Pointer,
    Global,
}

struct Input {
    name: &'static str,
    kind: Kind,
}

/// A condition, and statements that compute what it needs.
struct Test {
    /// In the words of the inputs.
    inputs: String,
    /// As it stands in the program.
    written: String,
    before: String,
}

/// The pair with this number. The same numbers give the same pair.
pub(crate) fn make(language: Language, seed: u64, number: u64) -> Planted {
    let mut choices = Choices::new(seed, number);
    let inputs = inputs(&mut choices, language);
    let first = test(&mut choices, &inputs, language, 0);
    let (condition, before, written) = match choices.below(4) {
        0 | 1 => (first.inputs, first.before, first.written),
        shape => {
            let second = test(&mut choices, &inputs, language, 1);
            let joint = if shape == 2 { "&&" } else { "||" };
            (
                format!("({}) {joint} ({})", first.inputs, second.inputs),
                first.before + &second.before,
                format!("({}) {joint} ({})", first.written, second.written),
            )
        }
    };
    let body = body(&mut choices, &inputs);
    let effect = effect(&mut choices, language, &inputs);
    let (helper, planted) = hidden(&mut choices, language, &inputs, &before, &written, &effect, &condition);
    let program = |planted: &str| program(language, &inputs, &helper, &body, planted);
    Planted { language, texts: Pair::new(program(""), program(&planted)), condition }
}

fn inputs(choices: &mut Choices, language: Language) -> Vec<Input> {
    let all: &[(&'static str, Kind)] = match language {
        Language::Java => &[
            ("x", Kind::Int),
            ("y", Kind::Int),
            ("k", Kind::Long),
            ("b", Kind::Truth),
            ("c", Kind::Letter),
            ("a", Kind::Array),
            ("g", Kind::Global),
        ],
        Language::C => &[
            ("x", Kind::Int),
            ("y", Kind::Int),
            ("k", Kind::Long),
            ("u", Kind::Unsigned),
            ("c", Kind::Letter),
            ("p", Kind::Pointer),
            ("g", Kind::Global),
        ],
    };
    let mut chosen = vec![Input { name: "x", kind: Kind::Int }];
    for _ in 0..choices.between(1, 2) {
        let (name, kind) = choices.pick(all);
        if !chosen.iter().any(|input| input.name == name) {
            chosen.push(Input { name, kind });
        }
    }
    chosen
}

fn number(choices: &mut Choices) -> i64 {
    let numbers = [0, 1, 2, 3, 5, 7, 10, 12, 37, 64, 100, 255, 1000, -1, -5, -40];
    choices.pick(&numbers)
}

/// A test of the inputs.
fn test(choices: &mut Choices, inputs: &[Input], language: Language, place: usize) -> Test {
    let at = choices.below(inputs.len());
    let Input { name, kind } = &inputs[at];
    let sign = choices.pick(&["<", ">", "==", "<=", ">=", "!="]);
    let limit = number(choices);
    let plain = |text: String| Test { written: text.clone(), inputs: text, before: String::new() };
    match kind {
        Kind::Int | Kind::Long | Kind::Global => {
            let ty = if *kind == Kind::Long { "long" } else { "int" };
            let other = inputs.iter().find(|other| other.kind == *kind && other.name != *name);
            match (choices.below(6), other) {
                (0, Some(other)) => plain(format!("{name} {sign} {}", other.name)),
                (1, _) => {
                    let modulus = choices.pick(&[2, 3, 4, 5, 10]);
                    plain(format!("{name} % {modulus} == {}", choices.below(2)))
                }
                (2, _) => {
                    // A value of its own, from the inputs.
                    let factor = choices.pick(&[2, 3]);
                    let value = format!("{name} / {factor} - 1");
                    let local = format!("t{place}");
                    Test {
                        inputs: format!("{value} {sign} {limit}"),
                        written: format!("{local} {sign} {limit}"),
                        before: format!(
                            "    {ty} {local} = {name};\n    {local} = {local} / {factor} - 1;\n"
                        ),
                    }
                }
                (3, _) => plain(format!("{name} >= {limit} && {name} < {}", limit + 20)),
                _ => plain(format!("{name} {sign} {limit}")),
            }
        }
        Kind::Unsigned => plain(format!("{name} {sign} {}u", limit.unsigned_abs())),
        Kind::Truth => plain((*name).to_owned()),
        Kind::Letter => plain(format!("{name} {} '{}'", sign, choices.pick(&["a", "q", "0", " "]))),
        Kind::Array => {
            let limit = limit.unsigned_abs() % 5;
            match choices.below(3) {
                0 => plain(format!("{name} != null && {name}.length > {limit}")),
                1 => plain(format!("{name} == null")),
                _ => plain(format!("{name} != null && {name}.length > 0 && {name}[0] {sign} {limit}")),
            }
        }
        Kind::Pointer => {
            let _ = language;
            plain(format!("{name}[0] {sign} {limit}"))
        }
    }
}

/// Statements that both versions have.
fn body(choices: &mut Choices, inputs: &[Input]) -> String {
    let mut text = String::new();
    for input in inputs.iter().filter(|input| input.kind == Kind::Pointer) {
        text += &format!("    r += {}[0];\n", input.name);
    }
    for _ in 0..choices.between(1, 3) {
        let value = choices.pick(&["x", "x * 3", "7", "x - 4"]);
        let limit = number(choices);
        text += &match choices.below(7) {
            0 => format!("    r += {value};\n"),
            1 => format!("    if (x > {limit}) r -= {value}; else r ^= 5;\n"),
            2 => format!("    for (int i = 0; i < 3; i++) r += i * ({value});\n"),
            3 => format!("    r = r * 31 + ({value});\n"),
            4 => format!("    if (r < {limit}) r = {value};\n"),
            5 if choices.percent(40) => "    for (int i = 0; i < x; i++) r += i;\n".to_owned(),
            _ => format!("    r = (r & {}) + ({value});\n", limit.unsigned_abs() + 1),
        };
    }
    text
}

/// What the new version does besides: it can always be seen.
fn effect(choices: &mut Choices, language: Language, inputs: &[Input]) -> String {
    let has_global = inputs.iter().any(|input| input.kind == Kind::Global);
    match (choices.below(6), language) {
        (0, _) => "r ^= 64;".to_owned(),
        (1, _) => "return ~r;".to_owned(),
        (2, Language::Java) => "throw new IllegalStateException();".to_owned(),
        (3, Language::C) if inputs.iter().any(|input| input.kind == Kind::Pointer) => "p[0] ^= 1;".to_owned(),
        (4, _) if has_global => "g = g + 1;".to_owned(),
        _ => "r = r + 1;".to_owned(),
    }
}

/// The helper and the statements of the new version.
fn hidden(
    choices: &mut Choices,
    language: Language,
    inputs: &[Input],
    before: &str,
    written: &str,
    effect: &str,
    condition: &str,
) -> (String, String) {
    let is_plain = before.is_empty();
    match choices.below(4) {
        0 if is_plain => {
            let truth = if language == Language::Java { "boolean" } else { "int" };
            (String::new(), format!("    {truth} is = {written};\n    if (is) {{ {effect} }}\n"))
        }
        1 if is_plain => {
            let (head, truth) = match language {
                Language::Java => ("static ", "boolean"),
                Language::C => ("static ", "int"),
            };
            let names: Vec<&str> =
                inputs.iter().filter(|input| input.kind != Kind::Global).map(|input| input.name).collect();
            let helper = format!(
                "{head}{truth} special({}) {{ return {condition}; }}\n",
                parameters(language, inputs)
            );
            (helper, format!("    if (special({})) {{ {effect} }}\n", names.join(", ")))
        }
        2 => (String::new(), format!("{before}    if (!({written})) r += 0; else {{ {effect} }}\n")),
        _ => (String::new(), format!("{before}    if ({written}) {{ {effect} }}\n")),
    }
}

fn parameters(language: Language, inputs: &[Input]) -> String {
    let ty = |kind: Kind| match (kind, language) {
        (Kind::Int, _) => "int ",
        (Kind::Long, _) => "long ",
        (Kind::Unsigned, _) => "unsigned ",
        (Kind::Truth, _) => "boolean ",
        (Kind::Letter, _) => "char ",
        (Kind::Array, _) => "int[] ",
        (Kind::Pointer, _) => "int *",
        (Kind::Global, _) => "",
    };
    let listed = inputs.iter().filter(|input| input.kind != Kind::Global);
    listed.map(|input| format!("{}{}", ty(input.kind), input.name)).collect::<Vec<_>>().join(", ")
}

fn program(language: Language, inputs: &[Input], helper: &str, body: &str, planted: &str) -> String {
    let parameters = parameters(language, inputs);
    let function =
        format!("int {ENTRY}({parameters}) {{\n    int r = 1;\n{body}{planted}    return r;\n}}\n");
    match language {
        Language::Java => format!("class Planted {{\nstatic int g;\n{helper}static {function}}}\n"),
        Language::C => format!("int g;\n{helper}{function}"),
    }
}
