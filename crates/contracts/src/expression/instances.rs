//! What a condition says of one number, if it says something of all numbers of a range.
//!
//! ```text
//! a == null || (\forall int i; 0 <= i && i < n; a[i] > 0)
//!
//! boolean selfsame_holds = true;
//! selfsame_holds = (a == null);
//! if (!selfsame_holds) { { int i = (int) selfsame_at; int selfsame_from = (0); selfsame_holds = selfsame_from <= i;
//!     if (selfsame_holds) { selfsame_holds = (0 <= i && i < n); }
//!     if (selfsame_holds) { selfsame_holds = (a[i] > 0); } else { selfsame_holds = true; } } }
//! return selfsame_holds;
//! ```
//!
//! Over-approximating: it holds for every number where the condition holds. What is negated, and `\exists`, counts as true.
//! The numbers that the loop of the quantifier comes to are those from the lower bound up to the first that is not below
//! the upper one. In C, where a comparison may take a negative number for a large one, only ranges that do not start
//! below 0 say something: from there on the first that is not below the upper bound is followed by no other one.

use ir::Language;

use super::quantifiers::{HOLDS, are_in, is_one, names, parts};
use super::{Node, Translation, is_one_of};
use crate::{AT, Instance};

/// The name of the lower bound.
const FROM: &str = "selfsame_from";

impl Translation {
    /// What the condition says of one number, if it can be said.
    pub(super) fn instance(&mut self, nodes: &[Node<'_>]) -> Option<Instance> {
        let mut code = self.start();
        let mut ty = None;
        self.at_one(nodes, &mut ty, &mut code).ok()?;
        code.push_str(&format!("return {HOLDS};"));
        Some(Instance { ty: ty?, body: code })
    }

    /// Statements after which the variable says whether some nodes hold, as far as one number tells.
    fn at_one(
        &mut self,
        nodes: &[Node<'_>],
        ty: &mut Option<String>,
        code: &mut String,
    ) -> Result<(), String> {
        if !are_in(nodes) {
            return self.decide(nodes, code);
        }
        if let [first, rest @ ..] = nodes
            && is_one(first)
        {
            return match is_one_of(first, &["\\forall"]) {
                true => self.one_of_all(rest, ty, code),
                false => self.is_true(code),
            };
        }
        if let [Node::Group { open, inside, .. }] = nodes
            && open.text == "("
        {
            return self.at_one(inside, ty, code);
        }
        for sign in ["==>", "||", "&&"] {
            let Some(at) = nodes.iter().position(|node| is_one_of(node, &[sign])) else { continue };
            let (left, right) = (&nodes[..at], &nodes[at + 1..]);
            if sign == "==>" && are_in(left) {
                return self.is_true(code);
            }
            self.at_one(left, ty, code)?;
            let not = if sign == "||" { "!" } else { "" };
            code.push_str(&format!("if ({not}{HOLDS}) {{ "));
            self.at_one(right, ty, code)?;
            code.push_str("} ");
            if sign == "==>" {
                code.push_str(&format!("else {{ {HOLDS} = {}; }} ", self.constant(true)));
            }
            return Ok(());
        }
        self.is_true(code)
    }

    /// Says that something holds of which one number tells nothing.
    fn is_true(&self, code: &mut String) -> Result<(), String> {
        code.push_str(&format!("{HOLDS} = {}; ", self.constant(true)));
        Ok(())
    }

    /// What a quantifier says of the number.
    fn one_of_all(
        &mut self,
        rest: &[Node<'_>],
        given: &mut Option<String>,
        code: &mut String,
    ) -> Result<(), String> {
        let (binder, range, what) = parts(rest, true)?;
        let (ty, names) = names(binder)?;
        let is_usual = self.language == Language::C || matches!(ty.as_str(), "int" | "long");
        let ([name], true) = (names.as_slice(), is_usual) else { return self.is_true(code) };
        let before = self.bound.len();
        self.bound.push(name.clone());
        let from = self.variable(&ty, name, range)?.from;
        let starts_well = match self.language {
            Language::Java => format!("{FROM} <= {name}"),
            Language::C => format!("({FROM} >= 0 && {FROM} <= {name}) ? 1 : 0"),
        };
        code.push_str(&format!(
            "{{ {ty} {name} = ({ty}) {AT}; {ty} {FROM} = ({from}); {HOLDS} = {starts_well}; if ({HOLDS}) {{ "
        ));
        self.decide(range, code)?;
        code.push_str(&format!("}} if ({HOLDS}) {{ "));
        self.at_one(what, given, code)?;
        code.push_str(&format!("}} else {{ {HOLDS} = {}; }} }} ", self.constant(true)));
        self.bound.truncate(before);
        given.get_or_insert(ty);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ClauseKind;
    use crate::expression::meaning;

    fn instance(language: Language, text: &str) -> Option<(String, String)> {
        let meaning = meaning(language, ClauseKind::Requires, text).unwrap();
        meaning.instance.map(|it| (it.ty, it.body.replace('\n', "")))
    }

    #[test]
    fn what_holds_for_all_holds_for_one() {
        let (ty, body) =
            instance(Language::Java, "a == null || (\\forall int i; 0 <= i && i < n; a[i] > 0)").unwrap();
        assert_eq!(ty, "int");
        assert_eq!(
            body,
            "boolean selfsame_holds = true; selfsame_holds = (a == null); if (!selfsame_holds) { \
             { int i = (int) selfsame_at; int selfsame_from = (0); selfsame_holds = selfsame_from <= i; \
             if (selfsame_holds) { selfsame_holds = (0 <= i && i < n); } \
             if (selfsame_holds) { selfsame_holds = (a[i] > 0); } else { selfsame_holds = true; } } } \
             return selfsame_holds;"
        );
        let (ty, body) = instance(Language::C, "\\forall integer i; 0 <= i < n ==> p[i] > 0").unwrap();
        assert_eq!(ty, "long");
        assert!(body.contains("(selfsame_from >= 0 && selfsame_from <= i) ? 1 : 0"), "{body}");
        assert!(!body.contains("while"));
    }

    #[test]
    fn what_is_negated_says_nothing_of_one() {
        let all = "(\\forall int i; 0 <= i && i < n; a[i] > 0)";
        let some = "(\\exists int i; 0 <= i && i < n; a[i] > 0)";
        assert_eq!(instance(Language::Java, &format!("!{all}")), None);
        assert_eq!(instance(Language::Java, some), None);
        assert_eq!(instance(Language::Java, &format!("{all} ==> n > 0")), None);
        let (_, body) = instance(Language::Java, &format!("{some} && {all}")).unwrap();
        assert!(
            body.starts_with("boolean selfsame_holds = true; selfsame_holds = true; if (selfsame_holds)")
        );
        assert_eq!(
            instance(Language::Java, "(\\forall int i, j; 0 <= i && i < j && j < n && 0 <= j; a[i] > 0)"),
            None
        );
    }
}
