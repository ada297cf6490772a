//! Writes Java pairs as classes with a driver, and runs them with javac and java.
//!
//! Arrays and objects may be shared between arguments, fields and statics, or be null. The first input of each pair
//! is the state that the class starts in.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use ir::Pair;
use mutants::lexer::tokens;

use super::Separated;

/// Runs the pairs; those that javac refuses are left out, and their numbers come second.
pub(super) fn run(
    pairs: &[(usize, Pair<String>)],
    inputs: u64,
    folder: &Path,
) -> Result<(Vec<Separated>, Vec<usize>)> {
    let mut refused: Vec<usize> = Vec::new();
    loop {
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder)?;
        fs::write(folder.join("Driver.java"), include_str!("Driver.java"))?;
        let mut calls = String::new();
        for (number, texts) in pairs.iter().filter(|(number, _)| !refused.contains(number)) {
            for (version, source) in [("Old", &texts.old), ("New", &texts.new)] {
                let name = format!("Pair{number}{version}");
                fs::write(folder.join(format!("{name}.java")), class(source, &name))?;
            }
            let _ = writeln!(
                calls,
                "        Driver.judge({number}, Pair{number}Old::run, Pair{number}New::run, {inputs});"
            );
        }
        let main = format!(
            "final class Main {{\n    public static void main(String[] args) {{\n{calls}    }}\n}}\n"
        );
        fs::write(folder.join("Main.java"), main)?;
        let mut javac = Command::new("javac");
        javac.args(["-nowarn", "-Xmaxerrs", "1000", "-d", ".", "Main.java"]).current_dir(folder);
        let output = javac.output().context("cannot start `javac`")?;
        if output.status.success() {
            break;
        }
        let complaints = String::from_utf8_lossy(&output.stderr);
        let culprits: Vec<usize> =
            complaints.lines().filter_map(culprit).filter(|one| !refused.contains(one)).collect();
        ensure!(!culprits.is_empty(), "javac failed: {complaints}");
        refused.extend(culprits);
        refused.sort_unstable();
        refused.dedup();
    }
    let mut java = Command::new("java");
    java.args(["-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", "."]).arg("Main").current_dir(folder);
    let output = java.output().context("cannot start `java`")?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "the driver of the pairs ended with {}: {complaint}", output.status);
    let text = String::from_utf8_lossy(&output.stdout);
    Ok((text.lines().filter_map(Separated::from_line).collect(), refused))
}

/// `Pair12Old.java:3: error: ...` is about pair 12.
fn culprit(line: &str) -> Option<usize> {
    let name = line.contains(": error:").then(|| line.split(".java:").next())??;
    let name = name.strip_prefix("Pair").or_else(|| name.strip_prefix("./Pair"))?;
    name.trim_end_matches(|letter: char| letter.is_alphabetic()).parse().ok()
}

/// The class under another name, with a method that makes an input, calls the method and tells what can be seen.
fn class(source: &str, name: &str) -> String {
    let is_loop = |line: &str| {
        let line = line.trim_start();
        (line.starts_with("for (") || line.starts_with("while (")) && line.ends_with('{')
    };
    let mut text = String::new();
    for line in source.lines() {
        let fuel = if is_loop(line) { " Driver.use();" } else { "" };
        let line = line.replace("class Case", &format!("class {name}")).replace("Case.", &format!("{name}."));
        let _ = writeln!(text, "{line}{fuel}");
    }
    let end = text.trim_end().len() - 1;
    text.truncate(end);
    text + &runner(source) + "}\n"
}

fn has(source: &str, name: &str) -> bool {
    tokens(source, false).into_iter().any(|token| &source[token.place] == name)
}

fn runner(source: &str) -> String {
    let head =
        source.lines().find(|line| line.trim_start().starts_with("static int entry(")).unwrap_or_default();
    let declares = |what: &str| source.contains(what);
    let mut make = String::new();
    let mut tell = String::new();
    if declares("static class S {") {
        let subclass =
            if declares("class T extends S") { "in.below(2) == 0 ? new T() : new S()" } else { "new S()" };
        make += &format!(
            "        S[] all = new S[3];\n        for (int i = 0; i < 3; i++) {{ all[i] = {subclass}; all[i].x = in.number(); all[i].y = in.number(); }}\n        for (int i = 0; i < 3; i++) all[i].next = in.below(5) == 0 ? null : all[in.below(3)];\n        if (isFirst) S.made = 4; else S.made = in.number();\n"
        );
        tell += "        for (int i = 0; i < 3; i++) out += \" {\" + all[i].x + \" \" + all[i].y + \" \" + java.util.Arrays.asList(all).indexOf(all[i].next) + \"}\";\n        out += \" made \" + S.made;\n";
    }
    for (name, declaration, value) in [
        ("own", "private static int own", "in.number()"),
        ("open", "static int open", "in.number()"),
        ("shared", "static int[] shared", "in.array()"),
        ("text", "static String text", "in.text()"),
    ] {
        if declares(declaration) {
            make += &format!("        if (!isFirst) {name} = {value};\n");
            let shown = if name == "shared" { "java.util.Arrays.toString(shared)" } else { name };
            tell += &format!("        out += \" {name} \" + {shown};\n");
        }
    }
    if declares("int[] TABLE") {
        make += "        for (int i = 0; i < 4; i++) TABLE[i] = i + 1;\n";
        tell += "        out += java.util.Arrays.toString(TABLE);\n";
    }
    let shared = if declares("static int[] shared") { "in.below(4) == 0 ? shared : " } else { "" };
    let p_again = if has(head, "p") { "in.below(3) == 0 ? p : " } else { "" };
    let mut arguments = Vec::new();
    for (name, value) in [
        ("p", format!("int[] p = {shared}in.below(14) == 0 ? null : in.array();")),
        ("q", format!("int[] q = {p_again}in.below(14) == 0 ? null : in.array();")),
        ("s", "S s = in.below(12) == 0 ? null : all[0];".to_owned()),
        ("t", "S t = in.below(12) == 0 ? null : all[in.below(2)];".to_owned()),
        ("e", "E e = in.below(10) == 0 ? null : E.values()[in.below(3)];".to_owned()),
        ("o", "Integer o = in.boxed();".to_owned()),
        ("z", "String z = in.text();".to_owned()),
        ("n", "int n = in.number();".to_owned()),
    ] {
        if has(head, name) {
            make += &format!("        {value}\n");
            arguments.push(name);
        }
    }
    for name in ["p", "q"].into_iter().filter(|name| has(head, name)) {
        tell += &format!("        out += \" {name} \" + java.util.Arrays.toString({name});\n");
    }
    format!(
        "    static String run(Driver.Inputs in, boolean isFirst) {{\n{make}        String out;\n        try {{\n            \
         out = \"\" + entry({});\n        }} catch (RuntimeException x) {{\n            out = x.getClass().getName();\n        \
         }}\n{tell}        return out;\n    }}\n",
        arguments.join(", ")
    )
}
