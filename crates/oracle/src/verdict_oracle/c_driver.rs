//! Writes C pairs as one file with a driver, and runs them with gcc.
//!
//! Both versions of a pair see the same memory at the same addresses; pointers point into one array, into an array of
//! structs, to globals of the program, or nowhere, and may overlap in any way.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use arbitrary_source::c_generator::PRELUDE;
use ir::Pair;
use mutants::lexer::tokens;

use super::Separated;

/// Runs the pairs; those that gcc refuses are left out, and their numbers come second.
pub(super) fn run(
    pairs: &[(usize, Pair<String>)],
    inputs: u64,
    folder: &Path,
) -> Result<(Vec<Separated>, Vec<usize>)> {
    let mut refused: Vec<usize> = Vec::new();
    let program = folder.join("pairs");
    loop {
        let kept = || pairs.iter().filter(|(number, _)| !refused.contains(number));
        fs::write(folder.join("pairs.c"), file(kept(), inputs))?;
        let mut gcc = Command::new("gcc");
        // A function that was cut down may lack its result: then it is no function any more.
        gcc.arg("-Werror=return-type");
        gcc.args(["-O0", "-fwrapv", "-std=gnu11", "-fno-strict-aliasing", "-fmax-errors=0", "-o"]);
        let output = gcc.arg(&program).arg(folder.join("pairs.c")).output().context("cannot start `gcc`")?;
        if output.status.success() {
            break;
        }
        let complaints = String::from_utf8_lossy(&output.stderr);
        let culprits: Vec<usize> =
            complaints.lines().filter_map(culprit).filter(|one| !refused.contains(one)).collect();
        ensure!(!culprits.is_empty(), "gcc failed: {complaints}");
        refused.extend(culprits);
        refused.sort_unstable();
        refused.dedup();
    }
    let output = Command::new(&program).output().context("cannot run the pairs")?;
    ensure!(output.status.success(), "the driver of the pairs ended with {}", output.status);
    let text = String::from_utf8_lossy(&output.stdout);
    Ok((text.lines().filter_map(Separated::from_line).collect(), refused))
}

/// `pair12.c:3:4: error: ...` is about pair 12.
fn culprit(line: &str) -> Option<usize> {
    let name = line.contains(": error:").then(|| line.split(".c:").next())??;
    name.strip_prefix("pair")?.parse().ok()
}

fn file<'a>(pairs: impl Iterator<Item = &'a (usize, Pair<String>)>, inputs: u64) -> String {
    let mut text = include_str!("driver.c").to_owned() + "\n" + &prelude();
    let mut table = String::new();
    for (number, texts) in pairs {
        for (version, source) in [("old", &texts.old), ("new", &texts.new)] {
            let prefix = format!("pair{number}{version}_");
            let own = with_fuel(source) + &extern_bodies(source) + &runner(source, texts);
            let _ = write!(text, "#line 1 \"pair{number}.c\"\n{}", own.replace("k_", &prefix));
        }
        let _ = writeln!(table, "    {{ {number}, pair{number}old_run, pair{number}new_run }},");
    }
    let _ = write!(
        text,
        "static const struct pair pairs[] = {{\n{table}    {{ 0, 0, 0 }}\n}};\nint main(void) {{\n    int i;\n    \
         signal(SIGSEGV, on_signal);\n    signal(SIGFPE, on_signal);\n    signal(SIGBUS, on_signal);\n    \
         for (i = 0; pairs[i].old; i++) judge(&pairs[i], {inputs});\n    return 0;\n}}\n"
    );
    text
}

/// The library's declarations that the headers do not have already.
fn prelude() -> String {
    let known =
        ["printf", "putchar", "puts", "malloc", "calloc", "free", "mem", "str", "abs", "abort", "exit"];
    PRELUDE
        .lines()
        .filter(|line| !known.iter().any(|name| line.contains(name)))
        .map(|line| format!("{line}\n"))
        .collect()
}

/// Every loop uses fuel, so that it ends.
fn with_fuel(source: &str) -> String {
    let is_loop = |line: &str| {
        let line = line.trim_start();
        (line.starts_with("for (") || line.starts_with("while (")) && line.ends_with('{')
    };
    source
        .lines()
        .map(|line| if is_loop(line) { format!("{line} use_fuel();\n") } else { format!("{line}\n") })
        .collect()
}

fn has(source: &str, name: &str) -> bool {
    tokens(source, true).into_iter().any(|token| &source[token.place] == name)
}

/// Code that is not there for selfsame: it writes through its pointers and to globals that are not static.
fn extern_bodies(source: &str) -> String {
    let mut globals = String::new();
    let mut seen = "0".to_owned();
    if has(source, "k_open") {
        globals += "    k_open += 7 + ticks;\n";
        seen += " + k_open";
    }
    if has(source, "k_array") {
        globals += "    k_array[1] += 1;\n    k_array[5] ^= 3;\n";
        seen += " + k_array[2]";
    }
    let mut text = String::new();
    if has(source, "k_ext") {
        text += &format!(
            "int k_ext(int *p) {{\n    int seen = {seen};\n    note(\"ext %d %d,\", p ? *p : -7, seen);\n    ticks++;\n    \
             if (p) *p = *p * 3 + 5 + seen;\n{globals}    return seen + (p ? *p : 1) + ticks;\n}}\n"
        );
    }
    if has(source, "k_take") {
        text += &format!(
            "void k_take(struct k_S *s) {{\n    int seen = {seen};\n    if (!s) {{ note(\"take null,\"); return; }}\n    \
             note(\"take %d %d %d,\", s->x, s->y, seen);\n    ticks++;\n    s->x += 5 + seen;\n    s->y ^= 1;\n    s->b[1]++;\n    \
             if (s->r) *s->r += 2;\n{globals}}}\n"
        );
    }
    if has(source, "k_tick") {
        text += &format!(
            "int k_tick(void) {{\n    int seen = {seen};\n    note(\"tick %d,\", seen);\n    ticks++;\n{globals}    return ticks * 10 + seen;\n}}\n"
        );
    }
    text
}

/// Makes an input, calls the function, and writes all that can be seen afterwards.
fn runner(source: &str, texts: &Pair<String>) -> String {
    let steps = steps(&texts.old) || steps(&texts.new);
    let loops = [&texts.old, &texts.new].iter().any(|text| has(text, "for") || has(text, "while"));
    let compares = ["w < ", "w <= ", "w > ", "w >= ", "w != ", "w == ", "q - p", "q + p", "p - q"];
    let ordered = compares.iter().any(|words| texts.old.contains(words) || texts.new.contains(words));
    let array = "arena + 100 + below(6)".to_owned();
    let mut places = vec![array.clone(), array.clone(), array.clone()];
    let own = if has(source, "k_open") { "&k_open, sizeof k_open" } else { "0, 0" };
    if has(source, "k_array") && !(steps && loops) && !ordered {
        places.push("k_array + 8 + below(4)".to_owned());
        places.push("k_array + 5".to_owned());
    }
    if !steps && !ordered {
        if has(source, "k_open") {
            places.push("&k_open".to_owned());
        }
        if has(source, "k_S") {
            places.extend(["&all[1].x", "&all[1].y", "&all[below(3)].y"].map(str::to_owned));
        }
        places.push("0".to_owned());
    }
    let pick = |places: &[String]| {
        let cases: String =
            places.iter().enumerate().map(|(i, place)| format!("case {i}: return {place}; ")).collect();
        format!("    switch (below({})) {{ {cases}}}\n    return 0;\n", places.len())
    };
    let has_struct = has(source, "k_S");
    let all = if has_struct { "    struct k_S *all = (struct k_S *)structs;\n" } else { "" };
    let mut text = format!("static int *k_pick(void) {{\n{all}{}}}\n", pick(&places));
    text += &format!("static void k_run(int is_first) {{\n{all}    int i, result;\n");
    if has_struct {
        let target =
            if texts.old.contains("r[") || texts.new.contains("r[") { array } else { "k_pick()".to_owned() };
        text += &format!(
            "    for (i = 0; i < 3; i++) {{ all[i].x = number(); all[i].y = number(); all[i].b[1] = below(9); all[i].b[2] = below(9); all[i].f = below(8); all[i].r = {target}; if (!all[i].r) all[i].r = arena + 100; }}\n"
        );
    }
    let mut sets = String::new();
    let mut says = String::new();
    for name in ["k_own", "k_open"].into_iter().filter(|name| has(source, name)) {
        sets += &format!("{name} = number(); ");
        says += &format!("    say(\" {} %d\", {name});\n", &name[2..]);
    }
    for (name, length) in [("k_array", 24), ("k_hidden", 4)].into_iter().filter(|(name, _)| has(source, name))
    {
        sets += &format!("for (i = 0; i < {length}; i++) {name}[i] = number(); ");
        says += &format!(
            "    say(\" {}\"); for (i = 0; i < {length}; i++) say(\" %d\", {name}[i]);\n",
            &name[2..]
        );
    }
    // The first input is the state that the program starts in.
    text += &format!("    if (!is_first) {{ {sets}}}\n");
    let mut arguments = Vec::new();
    for (name, make) in [
        ("p", "int *p = k_pick();"),
        ("q", "int *q = below(4) ? k_pick() : p_or(k_pick());"),
        ("s", "struct k_S *s = below(12) ? &all[1] : 0;"),
        ("t", "struct k_S *t = below(12) ? &all[below(3)] : 0;"),
        (
            "c",
            "unsigned char *c = below(3) == 0 ? bytes + 28 : below(2) ? (unsigned char *)(arena + 100 + below(6)) + below(3) : CHAR_VIEW;",
        ),
        ("e", "enum k_E e = below(3) == 0 ? k_UP : below(2) ? k_DOWN : k_LEFT;"),
        ("n", "int n = number();"),
    ] {
        if is_parameter(source, name) {
            let p = if is_parameter(source, "p") { "p" } else { "0" };
            let view = if has_struct { "(unsigned char *)&all[1].x + below(6)" } else { "bytes + 24" };
            let make =
                make.replace("p_or(k_pick())", &format!("({p} ? {p} : k_pick())")).replace("CHAR_VIEW", view);
            text += &format!("    {make}\n");
            arguments.push(name);
        }
    }
    text += &format!("    result = k_entry({});\n    say(\"%d\", result);\n{says}", arguments.join(", "));
    if has_struct {
        text += &format!(
            "    for (i = 0; i < 3; i++) say(\" {{%d %d %d %d %d %d %d %s}}\", all[i].x, all[i].y, all[i].b[0], all[i].b[1], all[i].b[2], all[i].b[3], all[i].f, place(all[i].r, {own}));\n"
        );
    }
    text + "}\n"
}

fn is_parameter(source: &str, name: &str) -> bool {
    let head = source.lines().find(|line| line.starts_with("int k_entry(")).unwrap_or_default();
    has(head, name)
}

/// Whether the text goes from a pointer to its neighbours, so that a single variable is too little room.
fn steps(text: &str) -> bool {
    if text.contains("memcpy") || text.contains("memset") {
        return true;
    }
    let words: Vec<&str> = tokens(text, true).into_iter().map(|token| &text[token.place]).collect();
    words.windows(3).any(|three| {
        matches!(three[1], "p" | "q" | "w")
            && (matches!(three[2], "[" | "+" | "-" | "++" | "--" | "+=" | "-=")
                || matches!(three[0], "++" | "--" | "+" | "["))
    })
}
