//! What a clause says, as an expression of the language: without what only JML and ACSL have.
//!
//! ```text
//! \result >= 0 ==> \old(n) > 0      (!(selfsame_result >= 0) || (selfsame_old_0 > 0))
//! 0 <= i < n                        (0 <= i && i < n), in C
//! ```
//!
//! Exact: what has no counterpart is refused by name.

mod instances;
mod quantifiers;

use ir::Language;

use crate::tokens::{Token, tokens};
use crate::{ClauseKind, Meaning, OLD, RESULT};

/// A token, or what stands in brackets.
enum Node<'t> {
    Token(Token<'t>),
    Group { open: Token<'t>, inside: Vec<Node<'t>>, close: &'t str },
}

/// What a clause says, or why that is not known.
pub(crate) fn meaning(language: Language, kind: ClauseKind, text: &str) -> Result<Meaning, String> {
    let tokens = tokens(text);
    // A name before a colon is a label.
    let tokens = match tokens.as_slice() {
        [name, colon, rest @ ..]
            if language == Language::C
                && name.is_word()
                && colon.text == ":"
                && rest.first().is_some_and(|next| next.text != ":") =>
        {
            rest
        }
        all => all,
    };
    if tokens.is_empty() {
        return Err("there is nothing to hold".to_owned());
    }
    let mut at = 0;
    let nodes = group(tokens, &mut at, None)?;
    let mut translation =
        Translation { language, kind, meaning: Meaning::default(), in_old: false, bound: Vec::new() };
    if quantifiers::are_in(&nodes) {
        let body = translation.body(&nodes)?;
        let instance = match kind {
            ClauseKind::Requires => translation.instance(&nodes),
            ClauseKind::Ensures | ClauseKind::Modifies | ClauseKind::Other => None,
        };
        return Ok(Meaning { body: Some(body), instance, ..translation.meaning });
    }
    let expression = translation.level(&nodes)?;
    Ok(Meaning { expression: expression.trim().to_owned(), ..translation.meaning })
}

/// The nodes up to a closing bracket.
fn group<'t>(tokens: &[Token<'t>], at: &mut usize, close: Option<&str>) -> Result<Vec<Node<'t>>, String> {
    let mut nodes = Vec::new();
    while let Some(token) = tokens.get(*at) {
        *at += 1;
        match token.text {
            "(" | "[" => {
                let close = if token.text == "(" { ")" } else { "]" };
                nodes.push(Node::Group { open: *token, inside: group(tokens, at, Some(close))?, close });
            }
            ")" | "]" if close == Some(token.text) => return Ok(quantifiers::to_the_end(nodes)),
            "/" if tokens.get(*at).is_some_and(|next| next.text.starts_with('*') && !next.is_spaced) => {
                return Err("there is a comment in it".to_owned());
            }
            literal if is_cut_off(literal) => return Err("a quotation mark is missing".to_owned()),
            ";" if close.is_some() || nodes.iter().any(quantifiers::is_one) => {
                nodes.push(Node::Token(*token));
            }
            ")" | "]" | "{" | "}" | ";" | "#" | "@" => return Err(format!("unexpected `{}`", token.text)),
            _ => nodes.push(Node::Token(*token)),
        }
    }
    match close {
        None => Ok(quantifiers::to_the_end(nodes)),
        Some(close) => Err(format!("a `{close}` is missing")),
    }
}

/// Whether this is a literal that does not end.
fn is_cut_off(token: &str) -> bool {
    let quote = token.chars().next().filter(|char| matches!(char, '"' | '\''));
    quote.is_some_and(|quote| token.len() < 2 || !token.ends_with(quote))
}

struct Translation {
    language: Language,
    kind: ClauseKind,
    meaning: Meaning,
    in_old: bool,
    /// The variables of the quantifiers around.
    bound: Vec<String>,
}

impl Translation {
    /// What stands between two brackets, or in all.
    fn level(&mut self, nodes: &[Node<'_>]) -> Result<String, String> {
        let parts = split(nodes, &[","]);
        let parts: Result<Vec<String>, String> =
            parts.into_iter().map(|part| self.equivalences(part)).collect();
        Ok(parts?.join(","))
    }

    fn equivalences(&mut self, nodes: &[Node<'_>]) -> Result<String, String> {
        let has = |texts: &[&str]| nodes.iter().any(|node| is_one_of(node, texts));
        if has(&["<==>", "==>"]) && has(&["?"]) {
            return Err("`==>` beside `?` needs brackets".to_owned());
        }
        let mut parts = Vec::new();
        for part in split(nodes, &["<==>"]) {
            parts.push(self.implications(part)?.trim().to_owned());
        }
        let mut parts = parts.into_iter();
        let first = parts.next().unwrap_or_default();
        Ok(parts.fold(first, |left, right| match self.language {
            Language::Java => format!("(({left}) == ({right}))"),
            Language::C => format!("(!({left}) == !({right}))"),
        }))
    }

    fn implications(&mut self, nodes: &[Node<'_>]) -> Result<String, String> {
        let mut parts = Vec::new();
        for part in split(nodes, &["==>"]) {
            parts.push(self.chains(part)?.trim().to_owned());
        }
        // The last one is what follows from all before it.
        let mut parts = parts.into_iter().rev();
        let last = parts.next().unwrap_or_default();
        Ok(parts.fold(last, |right, left| format!("(!({left}) || ({right}))")))
    }

    /// Comparisons one after the other mean that all hold, in ACSL.
    fn chains(&mut self, nodes: &[Node<'_>]) -> Result<String, String> {
        const JOINTS: [&str; 4] = ["&&", "||", "?", ":"];
        const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];
        if self.language != Language::C {
            return self.plain(nodes);
        }
        let mut text = String::new();
        for (index, part) in split(nodes, &JOINTS).into_iter().enumerate() {
            if index > 0 {
                let joint = nodes.iter().filter(|node| is_one_of(node, &JOINTS)).nth(index - 1);
                text.push_str(&format!(" {} ", joint.map_or("", |joint| text_of(joint))));
            }
            let operators: Vec<&str> =
                part.iter().filter(|node| is_one_of(node, &COMPARISONS)).map(text_of).collect();
            if operators.len() < 2 {
                let part = self.plain(part)?;
                text.push_str(if index > 0 { part.trim() } else { part.trim_end() });
                continue;
            }
            let goes = |texts: &[&str]| operators.iter().all(|operator| texts.contains(operator));
            if !goes(&["<", "<=", "=="]) && !goes(&[">", ">=", "=="]) {
                return Err("several comparisons need brackets".to_owned());
            }
            let mut operands = Vec::new();
            for operand in split(part, &COMPARISONS) {
                operands.push(self.plain(operand)?.trim().to_owned());
            }
            let pairs = operands.windows(2).zip(operators);
            let all: Vec<String> =
                pairs.map(|(sides, operator)| format!("{} {operator} {}", sides[0], sides[1])).collect();
            text.push_str(&format!("({})", all.join(" && ")));
        }
        Ok(text)
    }

    fn plain(&mut self, nodes: &[Node<'_>]) -> Result<String, String> {
        let mut text = String::new();
        let mut nodes = nodes.iter().peekable();
        while let Some(node) = nodes.next() {
            match node {
                Node::Group { open, inside, close } => {
                    text.push_str(if open.is_spaced { " " } else { "" });
                    text.push_str(&format!("{}{}{close}", open.text, self.level(inside)?));
                }
                Node::Token(token) if token.text == ";" => return Err("unexpected `;`".to_owned()),
                Node::Token(token) if self.in_old && self.bound.iter().any(|name| name == token.text) => {
                    return Err(format!("`\\old` of what depends on `{}` is not understood", token.text));
                }
                // The loop of a quantifier would count otherwise.
                Node::Token(token) if !self.bound.is_empty() && assigns(token, nodes.peek().copied()) => {
                    return Err("a condition must not change anything".to_owned());
                }
                Node::Token(token) => {
                    text.push_str(if token.is_spaced { " " } else { "" });
                    let Some(word) = token.text.strip_prefix('\\') else {
                        text.push_str(token.text);
                        continue;
                    };
                    let argument = match nodes.peek() {
                        Some(Node::Group { open, inside, .. }) if open.text == "(" => Some(inside),
                        _ => None,
                    };
                    let (translated, has_argument) = self.special(word, argument)?;
                    text.push_str(&translated);
                    if has_argument {
                        nodes.next();
                    }
                }
            }
        }
        Ok(text)
    }

    /// What starts with a backslash, and whether its argument is part of it.
    fn special(&mut self, word: &str, argument: Option<&Vec<Node<'_>>>) -> Result<(String, bool), String> {
        let is_after = self.kind == ClauseKind::Ensures && !self.in_old;
        let constant = |java: &str, c: &str| match self.language {
            Language::Java => java.to_owned(),
            Language::C => c.to_owned(),
        };
        match (word, argument) {
            ("true", None) => Ok((constant("true", "1"), false)),
            ("false", None) => Ok((constant("false", "0"), false)),
            ("null", None) => Ok((constant("null", "((void *)0)"), false)),
            ("result", _) if is_after => {
                self.meaning.uses_result = true;
                Ok((RESULT.to_owned(), false))
            }
            ("old", Some(inside)) if is_after => {
                self.in_old = true;
                let about = self.level(inside);
                self.in_old = false;
                self.meaning.olds.push(about?);
                Ok((format!("{OLD}{}", self.meaning.olds.len() - 1), true))
            }
            // That it can be read; a clause that fails does not hold.
            ("valid" | "valid_read", Some(inside)) if self.language == Language::C => {
                if inside.iter().any(|node| is_one_of(node, &["..", ",", "+"])) {
                    return Err(format!("`\\{word}` of more than a pointer is not understood"));
                }
                Ok((format!("((void)*({}), 1)", self.level(inside)?), true))
            }
            ("forall" | "exists", _) => Err(format!("`\\{word}` is not understood inside of an expression")),
            _ => Err(format!("`\\{word}` is not understood here")),
        }
    }
}

/// Whether a token, with the one after it, assigns something.
fn assigns(token: &Token<'_>, next: Option<&Node<'_>>) -> bool {
    let is_doubled = match next {
        Some(Node::Token(next)) => next.text == token.text && !next.is_spaced,
        Some(Node::Group { .. }) | None => false,
    };
    token.text == "=" || matches!(token.text, "+" | "-") && is_doubled
}

fn is_one_of(node: &Node<'_>, texts: &[&str]) -> bool {
    matches!(node, Node::Token(token) if texts.contains(&token.text))
}

fn text_of<'n>(node: &'n Node<'_>) -> &'n str {
    match node {
        Node::Token(token) => token.text,
        Node::Group { open, .. } => open.text,
    }
}

/// The nodes between those with one of these texts.
fn split<'n, 't>(nodes: &'n [Node<'t>], at: &[&str]) -> Vec<&'n [Node<'t>]> {
    nodes.split(|node| is_one_of(node, at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn c(text: &str) -> String {
        shown(Language::C, text)
    }

    fn shown(language: Language, text: &str) -> String {
        match meaning(language, ClauseKind::Ensures, text) {
            Ok(meaning) => meaning.expression,
            Err(why) => format!("? {why}"),
        }
    }

    #[test]
    fn implication_and_equivalence_are_written_out() {
        assert_eq!(c("a > 0 ==> b > 0"), "(!(a > 0) || (b > 0))");
        assert_eq!(shown(Language::Java, "(a ==> b) && c"), "((!(a) || (b))) && c");
        assert_eq!(c("a <==> b"), "(!(a) == !(b))");
        assert!(c("a ==> b ? c : d").starts_with('?'));
    }

    #[test]
    fn chains_of_comparisons_mean_that_all_hold() {
        assert_eq!(c("0 <= i < n && p[0 < i] > 1.5"), "(0 <= i && i < n) && p[0 < i] > 1.5");
        assert!(c("a < b > c").starts_with('?'));
        assert!(c("a == 'b").starts_with('?'));
        assert!(c("a /* b").starts_with('?'));
        assert!(c("a != b != c").starts_with('?'));
        assert_eq!(c("small: x->y >> 2 < 3"), "x->y >> 2 < 3");
    }

    #[test]
    fn results_and_old_values_get_names() {
        let found =
            meaning(Language::Java, ClauseKind::Ensures, "\\result == \\old(a[0]) + \\old(b)").unwrap();
        assert_eq!(found.expression, "selfsame_result == selfsame_old_0 + selfsame_old_1");
        assert_eq!(found.olds, ["a[0]", "b"]);
        assert!(meaning(Language::Java, ClauseKind::Requires, "\\result > 0").is_err());
        assert!(c("\\old(\\old(x)) > 0").starts_with('?'));
        assert_eq!(c("\\valid(p) && \\true"), "((void)*(p), 1) && 1");
    }
}
