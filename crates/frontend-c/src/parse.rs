//! From preprocessed text to a syntax tree, with errors in the user's terms.

use ir::Diagnostic;
use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, Flavor, SyntaxError, parse_preprocessed};

use crate::source::{Source, tokens};

/// A parsed translation unit.
pub(crate) struct Unit {
    pub(crate) name: String,
    pub(crate) source: Source,
    pub(crate) tree: TranslationUnit,
    /// One of the front end's own, with models of libc.
    pub(crate) model: bool,
}

/// How many declarations of system headers may be left out because the parser does not know their syntax.
const MAX_SKIPPED: usize = 50;

/// Parses one unit. A declaration in a system header that does not parse is left out.
pub(crate) fn parse(name: &str, text: &str, files: &mut Vec<String>) -> Result<Unit, Diagnostic> {
    let mut source = Source::new(name, text, files)?;
    let config = Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    for _ in 0..MAX_SKIPPED {
        match parse_preprocessed(&config, source.text.clone()) {
            Ok(parsed) => return Ok(Unit { name: name.to_owned(), source, tree: parsed.unit, model: false }),
            Err(error) if source.is_system(error.offset) => {
                let range = declaration_around(&source.text, error.offset);
                source.blank(range);
            }
            Err(error) => return Err(syntax_error(&source, &error)),
        }
    }
    Err(source.diagnostic(0, "the system's headers use syntax that is not understood".to_owned()))
}

/// The declaration at file scope that an offset lies in.
fn declaration_around(text: &str, offset: usize) -> std::ops::Range<usize> {
    let mut depth = 0_usize;
    let mut start = 0;
    for (at, token) in tokens(text) {
        match token.as_bytes()[0] {
            b'{' | b'(' => depth += 1,
            b'}' | b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && matches!(token, ";" | "}") {
            if at >= offset {
                return start..at + 1;
            }
            start = at + 1;
        }
    }
    start..text.len()
}

fn syntax_error(source: &Source, error: &SyntaxError) -> Diagnostic {
    // The parser stops before the blanks that lead to the token it does not like.
    let skipped = source.text[error.offset..].len() - source.text[error.offset..].trim_start().len();
    let offset = error.offset + skipped;
    let found = tokens(&source.text[offset..]).next().map(|(_, token)| token);
    let mut expected: Vec<&str> =
        error.expected.iter().copied().filter(|token| !token.contains(['\\', '['])).collect();
    expected.sort_unstable();
    let mut message = match found {
        Some(token) => format!("syntax error at `{token}`"),
        None => "syntax error at the end of the file".to_owned(),
    };
    match expected.as_slice() {
        [] => {}
        [only] => message.push_str(&format!(", expected `{}`", only.trim_matches('\''))),
        many if many.len() <= 6 => {
            let list: Vec<String> = many.iter().map(|token| format!("`{token}`")).collect();
            message.push_str(&format!(", expected one of {}", list.join(", ")));
        }
        many if many.contains(&";") => message.push_str(", expected `;` or an operator"),
        _ => {}
    }
    source.diagnostic(offset, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        parse("a.c", text, &mut Vec::new()).err().expect("the text should not parse").to_string()
    }

    #[test]
    fn a_syntax_error_names_line_column_and_token() {
        assert_eq!(
            error("int f(void) {\n  return 1 2;\n}"),
            "a.c:2:12: syntax error at `2`, expected `;` or an operator"
        );
        assert!(error("int f(void) {").starts_with("a.c:1:14: syntax error at the end of the file"));
    }

    #[test]
    fn what_does_not_parse_in_a_system_header_is_left_out() {
        let text = "# 1 \"sys.h\" 1 3\nint a;\nstrange thing here;\nint b;\n# 1 \"a.c\" 2\nint c;\n";
        assert_eq!(parse("a.c", text, &mut Vec::new()).ok().unwrap().tree.0.len(), 3);
    }
}
