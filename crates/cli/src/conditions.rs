//! The conditions of `--under`, from the command line and from files.

use std::fs;

use crate::options::Under;

/// Reads conditions: `@FILE` stands for the lines of a file, without blank ones and comments.
pub(crate) fn read(arguments: &[String]) -> Result<Vec<Under>, String> {
    let mut conditions = Vec::new();
    for argument in arguments {
        match argument.strip_prefix('@') {
            Some(file) => {
                let text = fs::read_to_string(file).map_err(|error| format!("--under @{file}: {error}"))?;
                let lines = text.lines().enumerate().filter(|(_, line)| is_condition(line));
                let placed =
                    lines.map(|(at, line)| Under { place: Some(format!("@{file}:{}", at + 1)), ..one(line) });
                conditions.extend(placed);
            }
            None => conditions.push(one(argument)),
        }
    }
    match conditions.iter().find(|condition| condition.text.is_empty()) {
        Some(_) => Err("--under: a condition is empty".to_owned()),
        None => Ok(conditions),
    }
}

fn is_condition(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#') && !line.starts_with("//")
}

fn one(text: &str) -> Under {
    let Ok(under) = text.parse();
    under
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_before_a_colon_says_which_procedure_is_meant() {
        let read = |text: &str| {
            let under = one(text);
            (under.procedure, under.text)
        };
        assert_eq!(read("n > 0"), (None, "n > 0".to_owned()));
        assert_eq!(read("f: n > 0"), (Some("f".to_owned()), "n > 0".to_owned()));
        assert_eq!(read("A.f(int): n > 0"), (Some("A.f(int)".to_owned()), "n > 0".to_owned()));
        assert_eq!(read("a ? b : c"), (None, "a ? b : c".to_owned()));
        assert_eq!(read("A::f"), (None, "A::f".to_owned()));
    }
}
