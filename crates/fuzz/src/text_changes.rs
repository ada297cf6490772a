//! Changes of program text, for programs that there are no trees of. Programs have one statement to a line.
//!
//! Mutations change a token or a line; whether the result is a program, and another one, is found out by lowering and
//! running it. Rewrites are only those that need no understanding of the program.

use arbitrary_source::Choices;
use arbitrary_source::Language;

/// Changes a random token or line inside a function.
pub(crate) fn mutate(text: &mut String, choices: &mut Choices) -> Option<&'static str> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..30 {
        let index = choices.below(lines.len());
        if indentation(&lines[index]) < 4 || lines[index].trim_start().starts_with("case ") {
            continue;
        }
        if let Some(name) = change_line(&mut lines, index, choices) {
            *text = lines.join("\n") + "\n";
            return Some(name);
        }
    }
    None
}

fn change_line(lines: &mut Vec<String>, index: usize, choices: &mut Choices) -> Option<&'static str> {
    const OPERATORS: [(&str, &str); 16] = [
        (" + ", " - "),
        (" - ", " + "),
        (" * ", " + "),
        (" / ", " % "),
        (" % ", " / "),
        (" & ", " | "),
        (" | ", " ^ "),
        (" < ", " <= "),
        (" <= ", " < "),
        (" > ", " >= "),
        (" == ", " != "),
        (" != ", " == "),
        (" && ", " || "),
        (" || ", " && "),
        (" >> ", " << "),
        ("true", "false"),
    ];
    match choices.below(4) {
        0 | 1 => {
            let (from, to) = choices.pick(&OPERATORS);
            let places: Vec<usize> = lines[index].match_indices(from).map(|(place, _)| place).collect();
            let place = (!places.is_empty()).then(|| choices.pick(&places))?;
            lines[index].replace_range(place..place + from.len(), to);
            Some("text: operator")
        }
        2 => {
            let digits: Vec<usize> = constants(&lines[index]);
            let place = (!digits.is_empty()).then(|| choices.pick(&digits))?;
            let digit = lines[index].as_bytes()[place];
            let other = if digit == b'9' { '8' } else { char::from(digit + 1) };
            lines[index].replace_range(place..=place, &other.to_string());
            Some("text: constant")
        }
        _ => {
            let is_statement = lines[index].ends_with(';') && !lines[index].contains("return");
            is_statement.then(|| lines.remove(index)).map(|_| "text: deleted line")
        }
    }
}

/// The last digits of decimal constants: not those of names.
fn constants(line: &str) -> Vec<usize> {
    let bytes = line.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    (1..bytes.len())
        .filter(|place| bytes[*place].is_ascii_digit())
        .filter(|place| bytes.get(place + 1).is_none_or(|next| !is_word(*next) && *next != b'.'))
        .filter(|place| !is_word(bytes[place - 1]) && bytes[place - 1] != b'.')
        .collect()
}

/// Changes the text without changing what it means.
pub(crate) fn rewrite(text: &mut String, language: Language, choices: &mut Choices) -> Option<&'static str> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..20 {
        let index = choices.below(lines.len());
        if let Some(name) = rewrite_line(&mut lines, index, language, choices) {
            *text = lines.join("\n") + "\n";
            return Some(name);
        }
    }
    None
}

fn rewrite_line(
    lines: &mut Vec<String>,
    index: usize,
    language: Language,
    choices: &mut Choices,
) -> Option<&'static str> {
    let depth = indentation(&lines[index]);
    let blanks = " ".repeat(depth);
    let inside = depth >= if language == Language::Java { 8 } else { 4 };
    let line = lines[index].trim().to_owned();
    if !inside {
        return None;
    }
    match choices.below(4) {
        // An unused variable before a plain assignment or output, which can be reached if that can.
        0 if is_plain(&line) => {
            let name = format!("unused{}", choices.below(1_000_000));
            lines.insert(index, format!("{blanks}int {name} = {};", choices.below(100)));
            Some("text: unused variable")
        }
        1 if is_plain(&line) => {
            lines[index] = format!("{blanks}{{ {line} }}");
            Some("text: block")
        }
        2 if line.starts_with("if (") && line.ends_with(") {") => {
            let condition = &line[3..line.len() - 2];
            lines[index] = format!("{blanks}if (!!{condition}) {{");
            Some("text: double negation")
        }
        // `if (c) {` without `else` to `if (!c) { } else {`.
        3 if line.starts_with("if (") && line.ends_with(") {") => {
            let end = (index + 1..lines.len()).find(|end| indentation(&lines[*end]) == depth)?;
            if lines[end].trim() != "}" {
                return None;
            }
            let condition = &line[3..line.len() - 2];
            lines[index] = format!("{blanks}if (!{condition}) {{ }} else {{");
            Some("text: swapped branches")
        }
        _ => None,
    }
}

/// An assignment or output that declares nothing and does not jump.
fn is_plain(line: &str) -> bool {
    let is_assignment = line.split_once(" = ").is_some_and(|(place, _)| !place.contains(' '));
    line.ends_with(';') && (is_assignment || line.starts_with("System.out") || line.starts_with("printf("))
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
