//! A law on generated series of versions, in which code and assertions change: checking a version after the one before it
//! gives the same outcomes as checking it from scratch, with a store or without one, and for every strategy.
//!
//! A file has many methods, and each of them is a series of its own. `SELFSAME_SERIES=5000` asks for more of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Methods in one file.
const METHODS: usize = 20;
const VERSIONS: usize = 3;

#[test]
fn differential_checking_gives_the_outcomes_of_checking_from_scratch() {
    let wanted = std::env::var("SELFSAME_SERIES").ok().and_then(|it| it.parse().ok()).unwrap_or(20_usize);
    let seed = std::env::var("SELFSAME_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(1_u64);
    for file in 0..wanted.div_ceil(METHODS) {
        let mut random = Random(seed.wrapping_mul(1_000_003).wrapping_add(file as u64));
        let folder = tempfile::tempdir().unwrap();
        let mut methods: Vec<Method> = (0..METHODS).map(|_| Method::new(&mut random)).collect();
        let mut paths = Vec::new();
        for version in 0..VERSIONS {
            if version > 0 {
                methods.iter_mut().for_each(|method| method.edit(&mut random));
            }
            let path = folder.path().join(format!("v{version}"));
            fs::create_dir(&path).unwrap();
            fs::write(path.join("Case.java"), program(&methods)).unwrap();
            paths.push(path);
        }
        // One strategy for each file, in turn.
        let strategy = ["summary", "dise", "summary"][file % 3];
        let store = folder.path().join("store").display().to_string();
        for (version, path) in paths.iter().enumerate().skip(1) {
            let before = Some(paths[version - 1].as_path());
            let scratch = outcomes(None, path, "off", strategy);
            let differential = outcomes(before, path, "off", strategy);
            let stored = outcomes(before, path, &store, strategy);
            for (how, found) in [("after the version before", differential), ("with a store", stored)] {
                compare(&scratch, &found, how, path, before);
            }
        }
    }
}

/// The outcomes of both ways. What only one of them decides is no contradiction: the effort is bounded.
fn compare(scratch: &Outcomes, found: &Outcomes, how: &str, path: &Path, before: Option<&Path>) {
    let shown = || {
        let text = |path: &Path| fs::read_to_string(path.join("Case.java")).unwrap_or_default();
        format!("{}\n----\n{}", before.map(text).unwrap_or_default(), text(path))
    };
    assert_eq!(scratch.keys().collect::<Vec<_>>(), found.keys().collect::<Vec<_>>(), "{how}\n{}", shown());
    for (key, outcome) in scratch {
        assert_eq!(outcome, &found[key], "{how}: {key:?}\n{}", shown());
    }
}

type Outcomes = BTreeMap<(u64, String, usize), String>;

fn outcomes(before: Option<&Path>, path: &Path, store: &str, strategy: &str) -> Outcomes {
    // Long campaigns run a copy, so that builds do not change it.
    let program = std::env::var_os("SELFSAME_PROGRAM").unwrap_or(env!("CARGO_BIN_EXE_selfsame").into());
    let mut command = Command::new(program);
    command.arg("assert").args(before).arg(path).args(["--store", store, "--strategy", strategy]);
    command.args(["--format", "json", "--jobs", "1", "--timeout", "1800", "--effort", "4"]);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let document: Value = serde_json::from_str(&said)
        .unwrap_or_else(|error| panic!("{error}: {said}{}", String::from_utf8_lossy(&output.stderr)));
    let mut found = Outcomes::new();
    for result in document["results"].as_array().unwrap() {
        let (line, clause) = (result["line"].as_u64().unwrap(), result["assertion"].as_str().unwrap());
        let number = (0..).find(|at| !found.contains_key(&(line, clause.to_owned(), *at))).unwrap();
        found.insert((line, clause.to_owned(), number), result["outcome"].as_str().unwrap().to_owned());
    }
    found
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % limit
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

/// A method: lines of code and assertions.
struct Method {
    lines: Vec<Line>,
}

enum Line {
    Assign(&'static str, String),
    If(String, Vec<Line>, Vec<Line>),
    Loop(usize, Vec<Line>),
    Assert(Vec<String>),
    Return(String),
    Print,
}

const VARIABLES: [&str; 5] = ["a", "b", "x", "y", "z"];
const CHANGED: [&str; 3] = ["x", "y", "z"];

impl Method {
    fn new(random: &mut Random) -> Method {
        let count = 3 + random.below(4);
        let mut lines: Vec<Line> = (0..count).map(|_| line(random, 2)).collect();
        for _ in 0..1 + random.below(3) {
            let at = random.below(lines.len() + 1);
            lines.insert(at, assertion(random));
        }
        Method { lines }
    }

    /// Changes code, assertions, or nothing.
    fn edit(&mut self, random: &mut Random) {
        for _ in 0..random.below(3) {
            let at = random.below(self.lines.len());
            match random.below(6) {
                0 => self.lines.insert(at, line(random, 1)),
                1 => self.lines.insert(at, assertion(random)),
                2 if self.lines.len() > 2 => {
                    self.lines.remove(at);
                }
                3 => self.lines[at] = line(random, 2),
                _ => {
                    if let Some(Line::Assert(clauses)) =
                        self.lines.iter_mut().filter(|it| matches!(it, Line::Assert(_))).nth(random.below(2))
                    {
                        match random.below(3) {
                            0 => clauses.push(condition(random)),
                            1 => clauses[0] = condition(random),
                            _ => clauses.truncate(1),
                        }
                    }
                }
            }
        }
    }
}

fn line(random: &mut Random, depth: usize) -> Line {
    match random.below(if depth == 0 { 3 } else { 8 }) {
        0..=2 => Line::Assign(random.pick(&CHANGED), expression(random)),
        3 | 4 => {
            let then = (0..1 + random.below(2)).map(|_| line(random, depth - 1)).collect();
            let otherwise = (0..random.below(2)).map(|_| line(random, depth - 1)).collect();
            Line::If(condition(random), then, otherwise)
        }
        5 => Line::Loop(1 + random.below(3), vec![line(random, 0), maybe_assertion(random)]),
        6 if random.below(3) == 0 => {
            Line::If(condition(random), vec![Line::Return(expression(random))], Vec::new())
        }
        6 => Line::Print,
        _ => Line::If(condition(random), vec![assertion(random)], Vec::new()),
    }
}

fn maybe_assertion(random: &mut Random) -> Line {
    match random.below(2) {
        0 => assertion(random),
        _ => line(random, 0),
    }
}

fn assertion(random: &mut Random) -> Line {
    let count = 1 + random.below(2);
    Line::Assert((0..count).map(|_| condition(random)).collect())
}

fn expression(random: &mut Random) -> String {
    let one = random.pick(&VARIABLES);
    match random.below(6) {
        0 => random.below(10).to_string(),
        1 => format!("{one} & 7"),
        2 => format!("{one} > 3 ? {} : {}", random.below(5), random.pick(&VARIABLES)),
        3 => one.to_owned(),
        _ => format!("{one} {} {}", random.pick(&["+", "-"]), random.below(6)),
    }
}

fn condition(random: &mut Random) -> String {
    let (one, other) = (random.pick(&VARIABLES), random.pick(&VARIABLES));
    let compared = random.pick(&["<", "<=", ">", ">=", "==", "!="]);
    match random.below(5) {
        0 => format!("{one} {compared} {other}"),
        1 => format!("({one} {compared} {} || {other} > 2)", random.below(8)),
        2 => format!("{one} - {one} == 0"),
        _ => format!("{one} {compared} {}", random.below(8)),
    }
}

fn program(methods: &[Method]) -> String {
    let mut text = "class Case {\n".to_owned();
    for (number, method) in methods.iter().enumerate() {
        text += &format!("    static int f{number}(int a, int b) {{\n        int x = 0, y = 1, z = 2;\n");
        method.lines.iter().for_each(|line| line.write(2, &mut text));
        text += "        return x + y + z;\n    }\n";
    }
    text + "}\n"
}

impl Line {
    fn write(&self, depth: usize, text: &mut String) {
        let indent = "    ".repeat(depth);
        match self {
            Line::Assign(name, value) => *text += &format!("{indent}{name} = {value};\n"),
            Line::Print => *text += &format!("{indent}System.out.println(x);\n"),
            Line::Return(value) => *text += &format!("{indent}return {value};\n"),
            Line::Assert(clauses) => *text += &format!("{indent}assert {};\n", clauses.join(" && ")),
            Line::If(condition, then, otherwise) => {
                *text += &format!("{indent}if ({condition}) {{\n");
                then.iter().for_each(|line| line.write(depth + 1, text));
                *text += &format!("{indent}}} else {{\n");
                otherwise.iter().for_each(|line| line.write(depth + 1, text));
                *text += &format!("{indent}}}\n");
            }
            Line::Loop(times, body) => {
                *text += &format!("{indent}for (int i = 0; i < {times}; i++) {{\n");
                body.iter().for_each(|line| line.write(depth + 1, text));
                *text += &format!("{indent}}}\n");
            }
        }
    }
}
