//! Invariants of Java classes, in annotations among their members.
//!
//! ```text
//! //@ invariant n >= 0;
//! ```
//!
//! A public method of an object may rely on it and has to keep it, a constructor has to establish it. So it becomes
//! `requires` and `ensures` of these methods, and an assertion at the end of constructors.
//! Exact for methods that return; of those that fail nothing is said.

use std::ops::Range;

use super::scan::{at_depth_zero, words};

/// What an invariant becomes.
pub(super) enum Change {
    /// A comment before a declaration.
    Contract { at: usize, text: String },
    /// An assertion at the end of a constructor, or in one that is added.
    Assertion { at: usize, before: String, clause: String, after: String },
}

/// A method or constructor of a class.
struct Member {
    start: usize,
    name: String,
    modifiers: Vec<String>,
    parameters: Vec<String>,
    body: Range<usize>,
}

/// The changes for the invariants of a text, the clauses, and what is not understood.
pub(super) struct ClassInvariants {
    pub(super) changes: Vec<Change>,
    pub(super) clauses: Vec<String>,
    pub(super) not_understood: Vec<(usize, String)>,
}

pub(super) fn class_invariants(code: &str, annotations: &[(Range<usize>, String)]) -> ClassInvariants {
    let mut found = ClassInvariants { changes: Vec::new(), clauses: Vec::new(), not_understood: Vec::new() };
    for (range, said) in annotations {
        for clause in said.split(';').map(str::trim) {
            let clause = ["public ", "private ", "protected ", "instance "]
                .iter()
                .fold(clause, |rest, word| rest.strip_prefix(word).unwrap_or(rest).trim_start());
            let Some(clause) = clause.strip_prefix("invariant ") else { continue };
            found.add(code, range.start, clause.trim());
        }
    }
    found
}

impl ClassInvariants {
    fn add(&mut self, code: &str, at: usize, clause: &str) {
        let clause = match contracts::expression_in(ir::Language::Java, clause) {
            Ok(expression) => expression.split_whitespace().collect::<Vec<_>>().join(" "),
            Err(why) => return self.not_understood.push((at, why)),
        };
        let Some((name, body)) = class_around(code, at) else {
            return self.not_understood.push((at, "it stands in no class".to_owned()));
        };
        let members = members(code, body.clone());
        let named: Vec<&str> = words(&clause).into_iter().map(|(_, word)| word).collect();
        let mut has_constructor = false;
        for member in &members {
            let is_constructor = member.name == name;
            has_constructor |= is_constructor;
            let has = |word: &str| member.modifiers.iter().any(|it| it == word);
            if !is_constructor && (!has("public") || has("static")) {
                continue;
            }
            if let Some(hidden) = member.parameters.iter().find(|it| named.contains(&it.as_str())) {
                let why = format!("it is not checked in `{}`, whose parameter hides `{hidden}`", member.name);
                self.not_understood.push((at, why));
                continue;
            }
            if !is_constructor {
                let text = format!("/*@ requires {clause}; ensures {clause}; */ ");
                self.changes.push(Change::Contract { at: member.start, text });
                continue;
            }
            if words(&code[member.body.clone()]).iter().any(|(_, word)| *word == "return") {
                let why = format!("it is not checked in the constructor `{name}`, which has a `return`");
                self.not_understood.push((at, why));
                continue;
            }
            self.changes.push(Change::Assertion {
                at: member.body.end,
                before: String::new(),
                clause: clause.clone(),
                after: String::new(),
            });
        }
        if !has_constructor {
            self.changes.push(Change::Assertion {
                at: body.end,
                before: format!(" public {name}() {{"),
                clause: clause.clone(),
                after: " }".to_owned(),
            });
        }
        self.clauses.push(clause);
    }
}

/// The class whose members stand around an offset: its name, and what is between its brackets.
fn class_around(code: &str, at: usize) -> Option<(String, Range<usize>)> {
    let mut depth = 0_usize;
    let open = code[..at].bytes().enumerate().rev().find_map(|(at, byte)| {
        match byte {
            b'}' => depth += 1,
            b'{' if depth == 0 => return Some(at),
            b'{' => depth -= 1,
            _ => {}
        }
        None
    })?;
    let head = code[..open].rfind([';', '{', '}']).map_or(0, |end| end + 1);
    let words: Vec<&str> = words(&code[head..open]).into_iter().map(|(_, word)| word).collect();
    let class = words.iter().position(|word| *word == "class")?;
    let close = at_depth_zero(code, open + 1, |byte, _| byte == b'}')?;
    Some(((*words.get(class + 1)?).to_owned(), open + 1..close))
}

/// The methods and constructors with bodies among the members of a class.
fn members(code: &str, class: Range<usize>) -> Vec<Member> {
    let mut found = Vec::new();
    let mut start = class.start;
    while start < class.end {
        start += code[start..class.end].len() - code[start..class.end].trim_start().len();
        let Some(end) = at_depth_zero(code, start, |byte, _| matches!(byte, b';' | b'{' | b'=' | b'}'))
        else {
            break;
        };
        match code.as_bytes()[end] {
            b'{' => {
                let close = at_depth_zero(code, end + 1, |byte, _| byte == b'}').unwrap_or(class.end);
                found.extend(member(code, start, end, end + 1..close));
                start = close + 1;
            }
            b'=' => {
                let semicolon = at_depth_zero(code, end, |byte, _| byte == b';').unwrap_or(class.end);
                start = semicolon + 1;
            }
            _ => start = end + 1,
        }
    }
    found
}

/// The method whose head is before its body, if it is one.
fn member(code: &str, start: usize, head_end: usize, body: Range<usize>) -> Option<Member> {
    // Annotations may have brackets of their own.
    let open = parameter_list(code, start, head_end)?;
    let close = at_depth_zero(code, open + 1, |byte, _| byte == b')')?;
    let before: Vec<&str> = words(&code[start..open]).into_iter().map(|(_, word)| word).collect();
    let (name, modifiers) = before.split_last()?;
    let parameters = words(&code[open + 1..close]).into_iter().map(|(_, word)| word.to_owned()).collect();
    Some(Member {
        start,
        name: (*name).to_owned(),
        modifiers: modifiers.iter().map(|word| (*word).to_owned()).collect(),
        parameters,
        body,
    })
}

/// Where the parameters of a head begin: the first bracket that belongs to no annotation.
fn parameter_list(code: &str, start: usize, end: usize) -> Option<usize> {
    let mut at = start;
    while at < end {
        let open = at + code[at..end].find('(')?;
        let name = code[..open].trim_end();
        let word =
            name.rfind(|it: char| !it.is_alphanumeric() && it != '_' && it != '.').map_or(0, |it| it + 1);
        if !name[..word].ends_with('@') {
            return Some(open);
        }
        at = at_depth_zero(code, open + 1, |byte, _| byte == b')')? + 1;
    }
    None
}
