//! Compiles many C programs as one file and runs each input in a process of its own.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use arbitrary_source::c_generator::PRELUDE;
use arbitrary_source::datum::Kind;
use arbitrary_source::program::{GeneratedProgram, ProgramInput};
use ir::IntType;

use super::real::RealRuns;
use casekit::process;

/// How the compiler is to treat what has no meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Checks {
    /// Not at all: anything may happen.
    None,
    /// A division by zero ends the run in a way that no other error does.
    Division,
    /// All that the sanitizers find ends the run.
    All,
}

impl Checks {
    fn flags(self) -> &'static [&'static str] {
        match self {
            Checks::None => &[],
            Checks::Division => &["-fsanitize=integer-divide-by-zero", "-fsanitize-undefined-trap-on-error"],
            Checks::All => &[
                "-fsanitize=address,integer-divide-by-zero,shift-exponent,null,bounds,float-cast-overflow",
                "-fno-sanitize-recover=all",
            ],
        }
    }
}

/// Compiles and runs the programs on their inputs.
pub(crate) fn run(
    programs: &[(&GeneratedProgram, Vec<&ProgramInput>)],
    folder: &Path,
    checks: Checks,
) -> Result<RealRuns> {
    fs::create_dir_all(folder)?;
    let executable = folder.join("programs");
    let mut rejected: Vec<(String, String)> = Vec::new();
    loop {
        let is_kept = |name: &str| !rejected.iter().any(|(other, _)| other == name);
        let kept: Vec<_> =
            programs.iter().map(|(program, _)| *program).filter(|p| is_kept(&p.name)).collect();
        let Some(complaints) = complaints(&kept, folder, &executable, checks)? else { break };
        let mut culprits = culprits(&complaints);
        culprits.retain(|(name, _)| kept.iter().any(|program| program.name == *name));
        if culprits.is_empty() {
            // The compiler itself failed, or the linker complains about a name of the program's own.
            for program in &kept {
                if let Some(complaints) = self::complaints(&[program], folder, &executable, checks)? {
                    culprits.push((program.name.clone(), complaints));
                }
            }
        }
        ensure!(!culprits.is_empty(), "gcc failed: {complaints}");
        rejected.extend(culprits);
    }
    let mut lines = String::new();
    let mut expected = 0;
    let is_kept = |name: &str| !rejected.iter().any(|(other, _)| other == name);
    for (index, (_, inputs)) in programs.iter().filter(|(program, _)| is_kept(&program.name)).enumerate() {
        expected += inputs.len();
        for input in inputs {
            writeln!(lines, "{index} {}", input.words()).expect("writing to a string should not fail");
        }
    }
    fs::write(folder.join("inputs.txt"), lines)?;
    let mut harness = Command::new(&executable);
    // The runs themselves end without cleaning up; what they leak is of no interest, and what they report neither.
    harness.env("ASAN_OPTIONS", "detect_leaks=0:log_path=/dev/null").stderr(Stdio::null());
    let output = process::output(harness.stdin(File::open(folder.join("inputs.txt"))?))?;
    let mut results = output.lines().map(str::to_owned);
    ensure!(output.lines().count() == expected, "the harness wrote another number of lines than {expected}");
    let mut runs = RealRuns::default();
    for (program, inputs) in programs {
        let count = if is_kept(&program.name) { inputs.len() } else { 0 };
        runs.results.push(results.by_ref().take(count).collect());
    }
    runs.rejected = rejected;
    Ok(runs)
}

/// Compiles the programs to one executable; what the compiler says when it cannot.
fn complaints(
    programs: &[&GeneratedProgram],
    folder: &Path,
    executable: &Path,
    checks: Checks,
) -> Result<Option<String>> {
    fs::write(folder.join("programs.c"), batch(programs))?;
    let mut gcc = Command::new("gcc");
    gcc.args(["-O0", "-fwrapv", "-std=gnu11", "-fno-builtin", "-fmax-errors=0"]).args(checks.flags());
    // What a program that was cut down may lack, and what would make its meaning undefined.
    gcc.args(
        ["return-type", "implicit-int", "implicit-function-declaration"]
            .map(|name| format!("-Werror={name}")),
    );
    gcc.arg("-o").arg(executable);
    let output = gcc.arg(folder.join("programs.c")).arg("-lm").output().context("cannot start `gcc`")?;
    let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok((!output.status.success()).then_some(complaints))
}

/// The programs that the compiler complains about, with its first complaint for each.
fn culprits(complaints: &str) -> Vec<(String, String)> {
    let mut seen = BTreeSet::new();
    let named = complaints.lines().filter_map(|line| {
        let name = match line.split_once("undefined reference to `") {
            Some((_, missing)) => missing.split('_').next()?,
            None if line.contains(": error:") => line.split(".c:").next()?,
            None => return None,
        };
        Some((name.to_owned(), line.to_owned()))
    });
    named.filter(|(name, _)| name != "programs" && seen.insert(name.clone())).collect()
}

/// One file with the harness, all programs, and a function for each that reads, calls and writes.
fn batch(programs: &[&GeneratedProgram]) -> String {
    let mut text = format!("{}\n{PRELUDE}", include_str!("harness.c"));
    for program in programs {
        write!(text, "#line 1 \"{}.c\"\n{}{}", program.name, program.text, runner(program))
            .expect("writing to a string should not fail");
    }
    text.push_str("static void (*const programs[])(void) = {");
    for program in programs {
        write!(text, "{}_run, ", program.name).expect("writing to a string should not fail");
    }
    text.push_str("};\n");
    text
}

fn runner(program: &GeneratedProgram) -> String {
    let name = &program.name;
    let mut reads = String::new();
    let mut writes = String::new();
    let mut args = Vec::new();
    for (index, kind) in program.params.iter().enumerate() {
        match item_kind(kind) {
            Some(item) => {
                reads += &format!("    struct array a{index} = read_array_{item}({index});\n");
                writes += &format!("    write_array_{item}(a{index});\n");
                args.push(format!("a{index}.data"));
            }
            None => {
                let kind = scalar_kind(kind);
                reads += &format!("    {} a{index} = read_{kind}();\n", c_type(kind));
                args.push(format!("a{index}"));
            }
        }
    }
    for (global, kind) in &program.globals {
        let kind = scalar_kind(kind);
        reads += &format!("    {global} = read_{kind}();\n");
        writes += &format!("    fputs(\" {global}=\", results);\n    write_{kind}({global});\n");
    }
    let call = format!("{}({})", program.entry, args.join(", "));
    let call = match &program.result {
        Some(kind) => {
            let kind = scalar_kind(kind);
            format!(
                "    {} result = {call};\n    fputs(\"returned \", results);\n    write_{kind}(result);\n",
                c_type(kind)
            )
        }
        None => format!("    {call};\n    fputs(\"returned nothing\", results);\n"),
    };
    format!("static void {name}_run(void) {{\n{reads}{call}{writes}}}\n")
}

/// The kind of the elements of an array.
fn item_kind(kind: &Kind) -> Option<&'static str> {
    match kind {
        Kind::Array(item) | Kind::Fixed(item, _) => Some(scalar_kind(item)),
        Kind::CString => Some("i8"),
        Kind::Bool | Kind::Int(_) | Kind::F32 | Kind::F64 | Kind::Text => None,
    }
}

/// The name that the harness has for a kind.
fn scalar_kind(kind: &Kind) -> &'static str {
    match kind {
        Kind::Bool => "bool",
        Kind::Int(IntType { width: 8, signed: true }) => "i8",
        Kind::Int(IntType { width: 8, signed: false }) => "u8",
        Kind::Int(IntType { width: 16, signed: true }) => "i16",
        Kind::Int(IntType { width: 16, signed: false }) => "u16",
        Kind::Int(IntType { width: 32, signed: true }) => "i32",
        Kind::Int(IntType { width: 32, signed: false }) => "u32",
        Kind::Int(IntType { signed: true, .. }) => "i64",
        Kind::Int(_) => "u64",
        Kind::F32 => "f32",
        Kind::F64 => "f64",
        Kind::Text | Kind::Array(_) | Kind::Fixed(..) | Kind::CString => {
            unreachable!("this should be a scalar")
        }
    }
}

fn c_type(kind: &str) -> &'static str {
    match kind {
        "bool" => "_Bool",
        "i8" => "signed char",
        "u8" => "unsigned char",
        "i16" => "short",
        "u16" => "unsigned short",
        "i32" => "int",
        "u32" => "unsigned",
        "i64" => "long",
        "u64" => "unsigned long",
        "f32" => "float",
        _ => "double",
    }
}
