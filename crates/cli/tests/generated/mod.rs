//! Random methods of Java with assertions, and edits of both.

pub(crate) struct Random(pub(crate) u64);

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
pub(crate) struct Method {
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
    pub(crate) fn new(random: &mut Random) -> Method {
        let count = 3 + random.below(4);
        let mut lines: Vec<Line> = (0..count).map(|_| line(random, 2)).collect();
        for _ in 0..1 + random.below(3) {
            let at = random.below(lines.len() + 1);
            lines.insert(at, assertion(random));
        }
        Method { lines }
    }

    /// Changes code, assertions, or nothing.
    pub(crate) fn edit(&mut self, random: &mut Random) {
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

pub(crate) fn program(methods: &[Method]) -> String {
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
