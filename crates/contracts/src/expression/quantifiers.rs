//! Quantifiers as loops: `(\forall int i; 0 <= i && i < n; a[i] > 0)` in JML, `\forall integer i; 0 <= i < n ==> a[i] > 0`
//! in ACSL.
//!
//! ```text
//! boolean selfsame_holds = true;
//! { int i = (0); while (selfsame_holds && i < (n)) {
//!     selfsame_holds = (0 <= i && i < n);
//!     if (selfsame_holds) { selfsame_holds = (a[i] > 0); } else { selfsame_holds = true; }
//!     i++; } }
//! return selfsame_holds;
//! ```
//!
//! Exact for numbers of the language: the variable runs from its lower to its upper bound, and the whole range is asked
//! again for each number. A clause whose evaluation fails does not hold.

use ir::Language;

use super::{Node, Translation, is_one_of, split};
use crate::tokens::Token;

/// Where statements say whether something holds.
pub(super) const HOLDS: &str = "selfsame_holds";
const QUANTIFIERS: [&str; 2] = ["\\forall", "\\exists"];
const COMPARISONS: [&str; 4] = ["<", "<=", ">", ">="];
/// What binds less than a comparison: `i < n & m` is `(i < n) & m` in C.
const LOOSE: [&str; 7] = ["==", "!=", "&", "|", "^", "=", ","];

/// Whether a node starts a quantifier.
pub(super) fn is_one(node: &Node<'_>) -> bool {
    is_one_of(node, &QUANTIFIERS)
}

/// Whether there are quantifiers in some nodes.
pub(super) fn are_in(nodes: &[Node<'_>]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Token(_) => is_one(node),
        Node::Group { inside, .. } => are_in(inside),
    })
}

/// A quantifier after an operator reaches to the end: it is put in brackets.
pub(super) fn to_the_end(mut nodes: Vec<Node<'_>>) -> Vec<Node<'_>> {
    match nodes.iter().position(is_one) {
        Some(at) if at > 0 => {
            let open = Token { text: "(", offset: 0, is_spaced: true };
            let inside = nodes.split_off(at);
            nodes.push(Node::Group { open, inside, close: ")" });
            nodes
        }
        Some(_) | None => nodes,
    }
}

/// A variable with its bounds.
pub(super) struct Variable {
    ty: String,
    name: String,
    pub(super) from: String,
    to: String,
    /// The upper bound counts.
    is_closed: bool,
}

impl Translation {
    /// Statements that return whether some nodes hold.
    pub(super) fn body(&mut self, nodes: &[Node<'_>]) -> Result<String, String> {
        let mut code = self.start();
        self.decide(nodes, &mut code)?;
        code.push_str(&format!("return {HOLDS};"));
        Ok(code)
    }

    /// The declaration of the variable that says whether something holds.
    pub(super) fn start(&self) -> String {
        let ty = match self.language {
            Language::Java => "boolean",
            Language::C => "int",
        };
        format!("{ty} {HOLDS} = {}; ", self.constant(true))
    }

    pub(super) fn constant(&self, value: bool) -> &'static str {
        match (self.language, value) {
            (Language::Java, true) => "true",
            (Language::Java, false) => "false",
            (Language::C, true) => "1",
            (Language::C, false) => "0",
        }
    }

    /// Statements after which the variable says whether some nodes hold.
    pub(super) fn decide(&mut self, nodes: &[Node<'_>], code: &mut String) -> Result<(), String> {
        if !are_in(nodes) {
            let text = self.level(nodes)?;
            let text = text.trim();
            code.push_str(&match self.language {
                Language::Java => format!("{HOLDS} = ({text}\n); "),
                Language::C => format!("{HOLDS} = ({text}\n) ? 1 : 0; "),
            });
            return Ok(());
        }
        if let [first, rest @ ..] = nodes
            && is_one(first)
        {
            return self.quantifier(is_one_of(first, &["\\forall"]), rest, code);
        }
        if let [Node::Group { open, inside, .. }] = nodes
            && open.text == "("
        {
            return self.decide(inside, code);
        }
        if nodes.iter().any(|node| is_one_of(node, &["<==>", "?", ",", ";"])) {
            return Err("a quantifier beside this operator is not understood".to_owned());
        }
        for sign in ["==>", "||", "&&"] {
            let Some(at) = nodes.iter().position(|node| is_one_of(node, &[sign])) else { continue };
            let (left, right) = (&nodes[..at], &nodes[at + 1..]);
            self.decide(left, code)?;
            let not = if sign == "||" { "!" } else { "" };
            code.push_str(&format!("if ({not}{HOLDS}) {{ "));
            self.decide(right, code)?;
            code.push_str("} ");
            if sign == "==>" {
                code.push_str(&format!("else {{ {HOLDS} = {}; }} ", self.constant(true)));
            }
            return Ok(());
        }
        if let [first, rest @ ..] = nodes
            && is_one_of(first, &["!"])
        {
            self.decide(rest, code)?;
            code.push_str(&format!("{HOLDS} = !{HOLDS}; "));
            return Ok(());
        }
        Err("a quantifier stands where a value is expected".to_owned())
    }

    /// A loop for each variable, with what is asked of each value inside.
    fn quantifier(&mut self, is_for_all: bool, rest: &[Node<'_>], code: &mut String) -> Result<(), String> {
        let (binder, range, what) = parts(rest, is_for_all)?;
        let names = names(binder)?;
        let before = self.bound.len();
        self.bound.extend(names.1.iter().cloned());
        let mut variables = Vec::new();
        for name in &names.1 {
            variables.push(self.variable(&names.0, name, range)?);
        }
        let (start, goes_on) = (self.constant(is_for_all), if is_for_all { "" } else { "!" });
        code.push_str(&format!("{HOLDS} = {start}; "));
        for Variable { ty, name, from, to, is_closed } in &variables {
            let sign = if *is_closed { "<=" } else { "<" };
            code.push_str(&format!(
                "{{ {ty} {name} = ({from}); while ({goes_on}{HOLDS} && {name} {sign} ({to})) {{ "
            ));
        }
        self.decide(range, code)?;
        code.push_str(&format!("if ({HOLDS}) {{ "));
        self.decide(what, code)?;
        code.push_str(&format!("}} else {{ {HOLDS} = {start}; }} "));
        for Variable { name, to, is_closed, .. } in variables.iter().rev() {
            let last = if *is_closed { format!("if ({name} == ({to})) break; ") } else { String::new() };
            code.push_str(&format!("{last}{name}++; }} }} "));
        }
        self.bound.truncate(before);
        Ok(())
    }

    /// The bounds of a variable, from a range.
    pub(super) fn variable(&mut self, ty: &str, name: &str, range: &[Node<'_>]) -> Result<Variable, String> {
        let (mut from, mut to) = (None, None);
        for part in conjuncts(range) {
            let operators: Vec<&Node<'_>> =
                part.iter().filter(|node| is_one_of(node, &COMPARISONS)).collect();
            for (sides, operator) in split(part, &COMPARISONS).windows(2).zip(operators) {
                let (low, high) = match is_one_of(operator, &["<", "<="]) {
                    true => (sides[0], sides[1]),
                    false => (sides[1], sides[0]),
                };
                let is_it = |side: &[Node<'_>]| matches!(side, [only] if is_one_of(only, &[name]));
                if is_it(high) && from.is_none() {
                    from = Some(self.bound_text(low, name)?);
                } else if is_it(low) && to.is_none() {
                    to = Some((self.bound_text(high, name)?, is_one_of(operator, &["<=", ">="])));
                }
            }
        }
        let (Some(from), Some((to, is_closed))) = (from, to) else {
            return Err(format!("the bounds of `{name}` are not said: write `lo <= {name} && {name} < hi`"));
        };
        Ok(Variable { ty: ty.to_owned(), name: name.to_owned(), from, to, is_closed })
    }

    fn bound_text(&mut self, nodes: &[Node<'_>], name: &str) -> Result<String, String> {
        let text = self.plain(nodes)?.trim().to_owned();
        let is_bad = |node: &Node<'_>| mentions(node, name) || is_one_of(node, &LOOSE);
        match text.is_empty() || nodes.iter().any(is_bad) || are_in(nodes) {
            true => Err(format!("the bounds of `{name}` are not understood")),
            false => Ok(text),
        }
    }
}

/// Whether a node has a name in it.
fn mentions(node: &Node<'_>, name: &str) -> bool {
    match node {
        Node::Token(token) => token.text == name,
        Node::Group { inside, .. } => inside.iter().any(|node| mentions(node, name)),
    }
}

type Parts<'n, 't> = (&'n [Node<'t>], &'n [Node<'t>], &'n [Node<'t>]);

/// The variables of a quantifier, their range, and what holds there.
pub(super) fn parts<'n, 't>(rest: &'n [Node<'t>], is_for_all: bool) -> Result<Parts<'n, 't>, String> {
    match (split(rest, &[";"]).as_slice(), is_for_all) {
        ([binder, range, what], _) => Ok((binder, range, what)),
        ([binder, body], true) => {
            let at = body.iter().position(|node| is_one_of(node, &["==>"]));
            let at = at.ok_or("its range is not said: write `lo <= i && i < hi ==> ...`")?;
            Ok((binder, &body[..at], &body[at + 1..]))
        }
        ([binder, body], false) => Ok((binder, body, body)),
        _ => Err("a quantifier needs a variable, a range and what holds there".to_owned()),
    }
}

/// The type and the names of variables: `int i, j`.
pub(super) fn names(binder: &[Node<'_>]) -> Result<(String, Vec<String>), String> {
    let bad = || "a quantifier needs a type and a name".to_owned();
    let words: Option<Vec<&str>> = binder
        .iter()
        .map(|node| match node {
            Node::Token(token) => Some(token.text),
            Node::Group { .. } => None,
        })
        .collect();
    let words = words.ok_or_else(bad)?;
    let (first, others) = {
        let mut parts = words.split(|word| *word == ",");
        (parts.next().unwrap_or_default(), parts.collect::<Vec<_>>())
    };
    let [ty @ .., name] = first else { return Err(bad()) };
    let ty = match ty {
        ["integer"] => "long".to_owned(),
        [one @ ("int" | "long" | "short" | "byte" | "char")] => (*one).to_owned(),
        ["unsigned", ..] | ["size_t"] => ty.join(" "),
        other => return Err(format!("a quantifier over `{}` is not understood", other.join(" "))),
    };
    let mut names = vec![(*name).to_owned()];
    for other in others {
        let [name] = other else { return Err(bad()) };
        names.push((*name).to_owned());
    }
    let is_name = |name: &String| name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if names.iter().all(is_name) { Ok((ty, names)) } else { Err(bad()) }
}

/// What all has to hold, without brackets around it.
fn conjuncts<'n, 't>(nodes: &'n [Node<'t>]) -> Vec<&'n [Node<'t>]> {
    match nodes {
        [Node::Group { open, inside, .. }] if open.text == "(" => conjuncts(inside),
        _ if nodes.iter().any(|node| is_one_of(node, &["||", "?", "==>"])) => Vec::new(),
        _ => {
            let parts = split(nodes, &["&&"]);
            match parts.as_slice() {
                [one] => vec![*one],
                many => many.iter().flat_map(|part| conjuncts(part)).collect(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ClauseKind;
    use crate::expression::meaning;

    fn body(language: Language, text: &str) -> Result<String, String> {
        meaning(language, ClauseKind::Requires, text).map(|it| it.body.unwrap_or_default())
    }

    #[test]
    fn a_quantifier_is_a_loop_over_its_range() {
        let java = body(Language::Java, "(\\forall int i; 0 <= i && i < a.length; a[i] >= 0)").unwrap();
        assert_eq!(
            java,
            "boolean selfsame_holds = true; selfsame_holds = true; \
             { int i = (0); while (selfsame_holds && i < (a.length)) { selfsame_holds = (0 <= i && i < a.length\n); \
             if (selfsame_holds) { selfsame_holds = (a[i] >= 0\n); } else { selfsame_holds = true; } i++; } } \
             return selfsame_holds;"
        );
        let c = body(Language::C, "n > 0 && \\exists integer i; 0 <= i <= n && p[i] == 0").unwrap();
        assert!(c.contains("long i = (0); while (!selfsame_holds && i <= (n))"), "{c}");
        assert!(c.contains("if (i == (n)) break; i++;"), "{c}");
        assert!(
            body(Language::C, "\\forall integer i, j; 0 <= i < j && j < n && 0 <= j ==> p[i] <= p[j]")
                .is_ok()
        );
    }

    #[test]
    fn what_is_not_understood_says_so() {
        let why = |text: &str| body(Language::C, text).unwrap_err();
        assert!(why("\\forall integer i; p[i] > 0").contains("range"));
        assert!(why("\\forall integer i; 0 <= i ==> p[i] > 0").contains("bounds"));
        assert!(why("\\forall integer i; 0 <= i < n == m ==> p[i] > 0").contains("bounds"));
        assert!(why("\\forall integer i; 0 <= i < p[i] ==> p[i] > 0").contains("bounds"));
        assert!(why("\\forall integer i; 0 <= i < n & m ==> p[i] > 0").contains("bounds"));
        assert!(why("\\forall integer i; 0 <= i < n ==> p[i++] > 0").contains("change"));
        assert!(why("\\forall integer i; 0 <= i < n ==> (i += 2) > 0").contains("change"));
        assert!(why("\\forall real x; 0 <= x < 1 ==> x > 0").contains("real"));
        assert!(why("1 + (\\forall integer i; 0 <= i < n ==> p[i] > 0)").contains("value"));
        assert!(why("(\\forall integer i; 0 <= i < n ==> p[i] > 0) ? 1 : 0").contains("operator"));
    }
}
