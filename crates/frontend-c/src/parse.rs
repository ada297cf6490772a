//! From preprocessed text to a syntax tree, with errors in the user's terms.

use ir::Diagnostic;
use lang_c::ast::{ExternalDeclaration, TranslationUnit};
use lang_c::driver::{Config, Flavor, SyntaxError, parse_preprocessed};
use lang_c::span::Node;

use crate::source::Source;
use crate::tokens::tokens;

/// A parsed translation unit.
pub(crate) struct Unit {
    pub(crate) name: String,
    pub(crate) source: Source,
    pub(crate) tree: TranslationUnit,
    /// One of the front end's own, with models of libc.
    pub(crate) model: bool,
    pub(crate) lost: Vec<Lost>,
}

/// Code that does not parse: its text and the error.
pub(crate) struct Lost {
    pub(crate) range: std::ops::Range<usize>,
    pub(crate) text: String,
    pub(crate) what: String,
    /// The head of the function was understood; otherwise its type says nothing.
    pub(crate) head_known: bool,
}

/// How many declarations may be left out because the parser does not know their syntax.
const MAX_SKIPPED: usize = 100;

/// Parses one unit. A function that does not parse loses its body, any other declaration is left out: what uses
/// them is not modelled. A unit of which no function parses is an error.
pub(crate) fn parse(name: &str, text: &str, files: &mut Vec<String>) -> Result<Unit, Diagnostic> {
    let text = crate::dialect::rewrite(text);
    let mut source = Source::new(name, &text, files)?;
    let config = Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    let mut lost: Vec<Lost> = Vec::new();
    let mut first_error = None;
    for _ in 0..MAX_SKIPPED {
        let error = match parse_preprocessed(&config, source.text.clone()) {
            Ok(parsed) => {
                let tree = parsed.unit;
                let parsed = |external: &Node<ExternalDeclaration>| {
                    let at = external.span.start;
                    matches!(external.node, ExternalDeclaration::FunctionDefinition(_))
                        && !source.is_system(at)
                        && !lost.iter().any(|lost| lost.range.contains(&at))
                };
                return match first_error {
                    Some(error) if !tree.0.iter().any(parsed) => Err(error),
                    _ => Ok(Unit { name: name.to_owned(), source, tree, model: false, lost }),
                };
            }
            Err(error) => error,
        };
        let Some(range) = declaration_around(&source.text, error.offset) else {
            return Err(first_error.unwrap_or_else(|| syntax_error(&source, &error)));
        };
        if source.is_system(error.offset) {
            source.blank(range);
            continue;
        }
        let message = syntax_error(&source, &error);
        let what = message.message.clone();
        let error = first_error.get_or_insert(message).clone();
        let known = lost.iter().position(|lost| lost.range == range);
        match (known, function_body(&source.text, &range)) {
            (None, Some(body)) => {
                let text = source.text[range.clone()].to_owned();
                source.blank(body.start + 1..body.end - 1);
                lost.push(Lost { range, text, what, head_known: true });
            }
            // The head does not parse either: any function of this name.
            (Some(index), Some(_)) if lost[index].head_known => {
                lost[index].head_known = false;
                if !source.replace_head(&range) {
                    return Err(error);
                }
            }
            (None, None) => {
                let text = source.text[range.clone()].to_owned();
                source.blank(range.clone());
                lost.push(Lost { range, text, what, head_known: false });
            }
            _ => return Err(error),
        }
    }
    Err(first_error.unwrap_or_else(|| {
        source.diagnostic(0, "the system's headers use syntax that is not understood".to_owned())
    }))
}

/// The declaration at file scope that an offset lies in, or that follows it; none at the end of the text, and where
/// brackets do not match.
fn declaration_around(text: &str, offset: usize) -> Option<std::ops::Range<usize>> {
    let mut depth = 0_usize;
    let mut start = None;
    let (mut previous, mut function) = ("", false);
    for (at, token) in tokens(text) {
        let from = *start.get_or_insert(at);
        match token {
            "{" if depth == 0 => {
                function = previous == ")";
                depth += 1;
            }
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 && (token == ";" || (token == "}" && function)) {
            if at >= offset {
                return Some(from..at + 1);
            }
            (start, function) = (None, false);
        }
        previous = token;
    }
    None
}

/// The braces of the function that a range of the text defines.
fn function_body(text: &str, range: &std::ops::Range<usize>) -> Option<std::ops::Range<usize>> {
    let text = &text[range.clone()];
    let mut previous = "";
    let mut depth = 0_usize;
    for (at, token) in tokens(text) {
        match token {
            "{" if depth == 0 && previous == ")" => return Some(range.start + at..range.end),
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        previous = token;
    }
    None
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
    fn a_function_that_does_not_parse_costs_only_itself() {
        let text =
            "int f(void) { return 1 2; }\nint g(void) { return 1; }\nstrange thing;\n@ h(int x) { @ }\n";
        let unit = parse("a.c", text, &mut Vec::new()).ok().unwrap();
        assert_eq!(unit.tree.0.len(), 3);
        let lost: Vec<_> = unit.lost.iter().map(|lost| (lost.text.as_str(), lost.head_known)).collect();
        let expected =
            [("int f(void) { return 1 2; }", true), ("strange thing;", false), ("@ h(int x) { @ }", false)];
        assert_eq!(lost, expected);
    }

    #[test]
    fn what_does_not_parse_in_a_system_header_is_left_out() {
        let text = "# 1 \"sys.h\" 1 3\nint a;\nstrange thing here;\nint b;\n# 1 \"a.c\" 2\nint c;\n";
        assert_eq!(parse("a.c", text, &mut Vec::new()).ok().unwrap().tree.0.len(), 3);
    }
}
