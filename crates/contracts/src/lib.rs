//! Contracts as people write them in comments: which procedure they are about, and what their clauses say.
//!
//! ```text
//! //@ requires n > 0;
//! //@ ensures \result >= \old(total);
//! int f(int n) { ... }
//! ```
//!
//! Java (JML) and C (ACSL) have the same comments, so that one reader is enough. A clause becomes an expression of the
//! language; what that means is for the front ends to say. Text only: nothing here is proved or believed.

mod annotations;
mod clauses;
mod comments;
mod declaration;
mod expression;
mod tokens;

use ir::Language;
use serde::{Deserialize, Serialize};

/// The name that stands for `\result` in the expression of a clause.
pub const RESULT: &str = "selfsame_result";
/// How the names begin that stand for `\old(...)`; their number follows.
pub const OLD: &str = "selfsame_old_";
/// The name that stands for the number in an [`Instance`].
pub const AT: &str = "selfsame_at";

/// What stands in the comments before one declaration.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Contract {
    /// What the comments stand before, if that looks like a procedure.
    pub declaration: Option<Declaration>,
    pub clauses: Vec<Clause>,
    /// The header that it stands in, if that is another file.
    #[serde(default)]
    pub header: Option<String>,
}

/// The head of a procedure, as far as a glance tells.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Declaration {
    /// The line of its first word, counted from 1.
    pub line: u32,
    pub name: String,
    /// The line is one of those that the procedure has, and not its first.
    pub is_around: bool,
    /// The names of its parameters, if there is no body: it is the prototype of a procedure that stands elsewhere.
    pub prototype: Option<Vec<String>>,
}

/// One promise or demand.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Clause {
    pub kind: ClauseKind,
    /// Where it starts, counted from 1.
    pub line: u32,
    /// What was written, without the word that says what it is.
    pub text: String,
    /// What it says in the language, or why that is not known.
    pub meaning: Result<Meaning, String>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum ClauseKind {
    Requires,
    Ensures,
    Modifies,
    /// One that we do not know.
    Other,
}

impl ClauseKind {
    pub fn name(self) -> &'static str {
        match self {
            ClauseKind::Requires => "requires",
            ClauseKind::Ensures => "ensures",
            ClauseKind::Modifies => "modifies",
            ClauseKind::Other => "other",
        }
    }
}

/// A clause as an expression of the language. Of `modifies` it is the list of places.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Meaning {
    pub expression: String,
    /// Statements that return whether the clause holds, where an expression cannot say it: it has quantifiers.
    #[serde(default)]
    pub body: Option<String>,
    /// What it says of one value of its variables, if it says something of all.
    #[serde(default)]
    pub instance: Option<Instance>,
    /// What `\old` is about, in the order of the numbers of their names.
    pub olds: Vec<String>,
    pub uses_result: bool,
}

/// What follows from a condition that says something of all numbers of a range, for one of them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Instance {
    /// The type of the number, whose name is [`AT`].
    pub ty: String,
    /// Statements that return whether it holds; without loops.
    pub body: String,
}

/// What a condition on inputs says that has quantifiers; `None` if it has none.
pub fn quantified(language: Language, text: &str) -> Option<Result<Meaning, String>> {
    let has_some = ["\\forall", "\\exists"].iter().any(|word| text.contains(word));
    has_some.then(|| expression::meaning(language, ClauseKind::Requires, text))
}

/// The contracts of a file as it was written, before any preprocessor.
pub fn read(language: Language, text: &str) -> Vec<Contract> {
    let annotated = match language {
        Language::Java => annotations::annotations(&comments::without(language, text)),
        Language::C => Vec::new(),
    };
    if !text.contains("//@") && !text.contains("/*@") {
        return annotated;
    }
    let mut contracts: Vec<(usize, Contract)> = Vec::new();
    for annotation in comments::annotations(language, text) {
        let clauses = clauses::clauses(language, &annotation.lines);
        if clauses.is_empty() {
            continue;
        }
        match contracts.last_mut() {
            // Several comments may stand before one declaration.
            Some((before, contract)) if *before == annotation.before => contract.clauses.extend(clauses),
            _ => {
                let declaration = declaration::declaration(language, text, annotation.before);
                contracts.push((annotation.before, Contract { declaration, clauses, header: None }));
            }
        }
    }
    contracts.into_iter().map(|(_, contract)| contract).chain(annotated).collect()
}

/// A text with blanks instead of comments, and without what stands in literals: every offset and line stays.
pub fn code_only(language: Language, text: &str) -> String {
    comments::code(language, text)
}

/// The comments that are annotations: where each stands, and what it says without marks.
pub fn annotation_comments(language: Language, text: &str) -> Vec<(std::ops::Range<usize>, String)> {
    comments::marked(language, text)
}

/// What an expression of an annotation says in the language, where it speaks of one moment only.
pub fn expression_in(language: Language, text: &str) -> Result<String, String> {
    expression::meaning(language, ClauseKind::Requires, text).map(|meaning| meaning.expression)
}

/// The contracts of prototypes in a header.
pub fn read_header(name: &str, text: &str) -> Vec<Contract> {
    let of_prototypes = |contract: &Contract| {
        contract.declaration.as_ref().is_some_and(|declaration| declaration.prototype.is_some())
    };
    let contracts = read(Language::C, text).into_iter().filter(of_prototypes);
    contracts.map(|contract| Contract { header: Some(name.to_owned()), ..contract }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(language: Language, text: &str) -> Vec<String> {
        let contracts = read(language, text);
        let clauses = contracts.iter().flat_map(|contract| {
            let name = contract.declaration.as_ref().map_or("-", |it| &it.name);
            let line = contract.declaration.as_ref().map_or(0, |it| it.line);
            contract.clauses.iter().map(move |clause| {
                let meaning = match &clause.meaning {
                    Ok(meaning) => meaning.expression.clone(),
                    Err(why) => format!("? {why}"),
                };
                format!("{name}@{line} {} {}: {meaning}", clause.line, clause.kind.name())
            })
        });
        clauses.collect()
    }

    #[test]
    fn clauses_go_to_the_procedure_they_stand_before() {
        let text = "//@ requires n > 0;\n/** Words. */\nstatic int f(int n) { return n; }\n\
                    /*@ requires a != null\n  @   && a.length > 0;\n  @ ensures \\result >= 0; @*/\n\
                    @Foo(1) public static\nint g(int[] a) { return 0; }\n";
        assert_eq!(
            shown(Language::Java, text),
            [
                "f@3 1 requires: n > 0",
                "g@7 4 requires: a != null && a.length > 0",
                "g@7 6 ensures: selfsame_result >= 0",
            ]
        );
    }

    #[test]
    fn other_comments_are_left_alone() {
        let text = "//@Override\n//@formatter:off\n// @ requires x;\n/** @ requires y; */\n\
                    String s = \"//@ requires z;\"; char c = '\"'; //@todo requires w;\n";
        assert_eq!(shown(Language::Java, text), Vec::<String>::new());
    }

    #[test]
    fn a_contract_before_something_else_has_no_procedure() {
        assert_eq!(shown(Language::C, "/*@ requires n > 0; */ int x = f(1);"), ["-@0 1 requires: n > 0"]);
    }

    #[test]
    fn behaviours_are_not_understood_at_all() {
        let text =
            "/*@ requires n > 0; behavior small: assumes n < 9; ensures \\result == 0; */ int f(int n) {}";
        let shown = shown(Language::C, text);
        assert!(shown.iter().all(|line| line.contains("? ")), "{shown:?}");
    }
}
