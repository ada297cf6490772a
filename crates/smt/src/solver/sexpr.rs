//! Reads the S-expressions that solvers print.

/// A symbol or number, a string, or a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SExpr {
    Atom(String),
    Text(String),
    List(Vec<SExpr>),
}

impl SExpr {
    pub(super) fn as_atom(&self) -> Option<&str> {
        match self {
            SExpr::Atom(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn as_list(&self) -> Option<&[SExpr]> {
        match self {
            SExpr::List(items) => Some(items),
            _ => None,
        }
    }

    /// Whether this is `(error "...")`.
    pub(super) fn is_error(&self) -> bool {
        self.as_list().and_then(|items| items.first()?.as_atom()) == Some("error")
    }
}

/// How deep lists may be nested: whatever reads them is recursive.
const DEEPEST: usize = 10_000;

/// All expressions of a text; `None` if parentheses or quotes do not match, or lists are nested too deeply.
pub(super) fn parse(text: &str) -> Option<Vec<SExpr>> {
    // The lists that are still open, outermost first; the first one is the whole text.
    let mut open: Vec<Vec<SExpr>> = vec![Vec::new()];
    let mut rest = text.char_indices().peekable();
    while let Some((start, character)) = rest.next() {
        let item = match character {
            c if c.is_whitespace() => continue,
            '(' if open.len() > DEEPEST => return None,
            '(' => {
                open.push(Vec::new());
                continue;
            }
            ')' => {
                let list = open.pop()?;
                if open.is_empty() {
                    return None;
                }
                SExpr::List(list)
            }
            ';' => {
                while rest.next_if(|(_, c)| *c != '\n').is_some() {}
                continue;
            }
            '"' => SExpr::Text(quoted(&mut rest)?),
            '|' => {
                let end = rest.find(|(_, c)| *c == '|')?.0;
                SExpr::Atom(text[start + 1..end].to_owned())
            }
            _ => {
                let mut end = start + character.len_utf8();
                let is_part = |c: char| !c.is_whitespace() && !"()\"|;".contains(c);
                while let Some((at, c)) = rest.next_if(|(_, c)| is_part(*c)) {
                    end = at + c.len_utf8();
                }
                SExpr::Atom(text[start..end].to_owned())
            }
        };
        open.last_mut()?.push(item);
    }
    let whole = open.pop()?;
    open.is_empty().then_some(whole)
}

/// The rest of a string after its opening quote; two quotes inside stand for one.
fn quoted(rest: &mut std::iter::Peekable<std::str::CharIndices<'_>>) -> Option<String> {
    let mut content = String::new();
    loop {
        match rest.next()? {
            (_, '"') if rest.next_if(|(_, c)| *c == '"').is_some() => content.push('"'),
            (_, '"') => return Some(content),
            (_, c) => content.push(c),
        }
    }
}

/// The expressions as text, for messages.
pub(super) fn to_text(items: &[SExpr]) -> String {
    let mut out = String::new();
    for (place, item) in items.iter().enumerate() {
        if place > 0 {
            out.push(' ');
        }
        match item {
            SExpr::Atom(text) => out.push_str(text),
            SExpr::Text(text) => out.push_str(&format!("{text:?}")),
            SExpr::List(items) => {
                out.push('(');
                out.push_str(&to_text(items));
                out.push(')');
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_lists_strings_and_quoted_symbols_are_read() {
        let text = "sat\n((|a b| (- 5)) (x \"say \"\"hi\"\"\")) ; comment\nend";
        let read = parse(text).map(|items| to_text(&items));
        assert_eq!(read.as_deref(), Some("sat ((a b (- 5)) (x \"say \\\"hi\\\"\")) end"));
    }

    #[test]
    fn text_that_is_cut_off_is_refused() {
        assert_eq!(parse("(a (b)"), None);
        assert_eq!(parse("a)"), None);
        assert_eq!(parse("(\"abc)"), None);
    }

    #[test]
    fn text_that_is_nested_too_deeply_is_refused() {
        let nested = |depth| format!("{}{}", "(".repeat(depth), ")".repeat(depth));
        assert!(parse(&nested(DEEPEST / 10)).is_some());
        assert_eq!(parse(&nested(1 << 20)), None);
    }

    #[test]
    fn errors_are_told_from_answers() {
        let replies = parse("(error \"line 1\") sat").expect("this is well-formed");
        assert!(replies[0].is_error() && !replies[1].is_error());
    }
}
