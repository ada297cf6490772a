//! Code that is not looked into: what cannot be lowered is a function of all that it can see, and the same function in
//! both versions if it is written there in the same words and reaches nothing that changed (`unchanged.rs`).
//!
//! ```text
//! names.stream().map(n -> n + suffix)     .map(.stream(names), `n -> n + #0`(suffix))
//! ```
//!
//! Over-approximating in proofs. What a run shows of it is no evidence for a difference.

use std::collections::BTreeSet;

use ir::{Access, Expr as IrExpr, Span, StmtKind as IrStmtKind};

use super::body::{Binding, Body, Value};
use super::foreign::{Outside, Wanted};
use super::static_types::{declared_types, statement_around};
use crate::syntax::{Expr, ExprKind, is_name};
use crate::types::Ty;

/// Words in reports are cut here.
const SHOWN: usize = 40;

/// A piece of code in its own words, with variables as numbers.
pub(super) struct Piece<'a> {
    pub(super) words: Vec<&'a str>,
    /// The words as they count: names of variables are numbers, names of classes are written out.
    text: String,
    /// The variables around it that it names.
    pub(super) captured: Vec<Value>,
    /// Those of them that it assigns, by their places.
    pub(super) assigned: BTreeSet<usize>,
    needs_this: bool,
    /// It makes objects of classes that have no name.
    pub(super) makes_nameless: bool,
}

impl<'a> Body<'_, 'a> {
    /// Lowers an expression. One that cannot be lowered is hidden, if that is possible.
    pub(super) fn or_hidden(
        &mut self,
        expr: &'a Expr,
        wanted: &Wanted,
        lower: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let start = self.block.len();
        let value = lower(self);
        if !self.block[start..].iter().any(is_hidden_gap) {
            return value;
        }
        match self.piece(&expr.span, false) {
            Some(piece) if !binds_variables(expr) => {
                let lowered = self.block.split_off(start);
                match self.hide(expr, piece, wanted) {
                    Some(hidden) => hidden,
                    None => {
                        self.block.truncate(start);
                        self.block.extend(lowered);
                        value
                    }
                }
            }
            _ => value,
        }
    }

    /// The value of a hidden expression; nothing if it is not known of what kind that is.
    fn hide(&mut self, expr: &'a Expr, piece: Piece<'a>, wanted: &Wanted) -> Option<Value> {
        let is = |words: &str| matches!(&expr.kind, ExprKind::Unsupported(what) if what == words);
        let is_function = is("a lambda expression") || is("a method reference");
        let is_class = is("a class literal");
        let of_given_class = |ty: &Ty| match ty {
            Ty::Class(class) => *class != self.cx.table.object,
            Ty::Array(_) | Ty::Unknown(_) => true,
            _ => false,
        };
        if let Wanted::Type(ty) | Wanted::Cast(ty) = wanted
            && piece.makes_nameless
            && of_given_class(ty)
        {
            // Objects of such a class are not among those that are known.
            return None;
        }
        if is_function && self.evaluates_nothing(&piece.words, &piece.captured) {
            return self.function_object(piece);
        }
        let access = if is_class { Access::Pure } else { Access::Writes };
        let outside = self.outside(piece, access);
        let value = self.call_outside(outside, wanted);
        (!value.ty.is_unknown()).then_some(value)
    }

    /// A new object for a function: its class stands for the words, and unknown code keeps the variables.
    fn function_object(&mut self, piece: Piece<'a>) -> Option<Value> {
        if piece.captured.iter().any(|value| value.ty.is_unknown()) {
            return None;
        }
        let mut outside = self.outside(piece, Access::World);
        let shape = self.cx.collection_shape(&outside.stem);
        let ty = Ty::Foreign("java.lang.Object".to_owned());
        let local = self.temp_for(&ty);
        self.emit(IrStmtKind::New { local, shape, length: None, unwritten: false });
        let object = Value::new(IrExpr::Local(local), ty);
        if !outside.args.is_empty() {
            outside.args.insert(0, object.clone());
            outside.has_receiver = true;
            self.call_outside(outside, &Wanted::Nothing);
        }
        Some(object)
    }

    /// A piece of code as something that is not there.
    pub(super) fn outside(&self, piece: Piece<'a>, access: Access) -> Outside {
        let Piece { words, text, captured, needs_this, .. } = piece;
        let mut args = captured;
        if needs_this {
            args.extend(self.this.clone());
            args.extend(self.outer.clone());
        }
        Outside {
            stem: format!("code {}", digest(&text)),
            short_name: shown(&words),
            access,
            is_doubtful: true,
            args,
            has_receiver: false,
        }
    }

    /// Whether making a function evaluates nothing; a variable before `::` is checked for null.
    fn evaluates_nothing(&mut self, words: &[&str], captured: &[Value]) -> bool {
        let Some(at) = words.iter().position(|word| *word == "::") else { return true };
        if words.contains(&"->") {
            return true;
        }
        if let ([_], [variable]) = (&words[..at], captured) {
            self.check_not_null(&variable.clone());
            return true;
        }
        let is_path = |word: &&str| is_name(word) || matches!(*word, "." | "<" | ">" | "," | "[" | "]" | "?");
        captured.is_empty() && words[..at].iter().all(is_path)
    }

    /// The code at a place, if it reaches nothing that changed and assigns no variable, or may do that.
    pub(super) fn piece(&self, span: &Span, may_assign: bool) -> Option<Piece<'a>> {
        // Conditions stand in no file.
        let is_condition = self.cx.program.procedure(self.proc).is_condition();
        if is_condition || self.frozen_span || self.cx.table.class(self.class).is_library || span.is_nowhere()
        {
            return None;
        }
        let unit = self.cx.units.get(span.file.index())?;
        let words = without_parentheses(unit.words.within(span));
        let mut piece = Piece {
            makes_nameless: makes_nameless(&words),
            words: Vec::new(),
            text: self.cx.table.class(self.class).qualified_name.clone(),
            captured: Vec::new(),
            assigned: BTreeSet::new(),
            needs_this: false,
        };
        let mut names: Vec<&str> = Vec::new();
        let mut others: Vec<&str> = Vec::new();
        for (index, word) in words.iter().enumerate() {
            let before = index.checked_sub(1).map_or("", |index| words[index]);
            let after = words.get(index + 1).copied().unwrap_or("");
            piece.text.push(' ');
            let is_variable = is_name(word) && !matches!(before, "." | "::") && after != "(";
            match self.lookup(word).filter(|_| is_variable) {
                Some(binding) => {
                    let is_assigned = may_be_assigned(&words, index);
                    if is_assigned && !may_assign {
                        return None;
                    }
                    let place = names.iter().position(|name| name == word).unwrap_or_else(|| {
                        names.push(word);
                        piece.captured.push(match binding {
                            Binding::Local(local, ty) => Value::new(IrExpr::Local(*local), ty.clone()),
                            Binding::Constant(value) | Binding::Alias(value) => value.clone(),
                        });
                        names.len() - 1
                    });
                    if is_assigned {
                        piece.assigned.insert(place);
                    }
                    piece.text.push_str(&format!("#{place}"));
                    others.push("#");
                }
                None => {
                    piece.needs_this |= self.may_need_this(word, before, after);
                    let meaning = if is_name(word) && before != "." { self.class_of(word) } else { None };
                    piece.text.push_str(meaning.as_deref().unwrap_or(word));
                    others.push(word);
                }
            }
        }
        if words.is_empty() || self.cx.changed.reaches(&others) {
            return None;
        }
        let (member, part) = unit.words.member_around(span)?;
        piece.text.push_str(&declared_types(&member, &names));
        // What a function computes with depends on the type that is wanted there.
        if words.contains(&"->") || words.contains(&"::") {
            let statement = statement_around(&member, part);
            if self.cx.changed.reaches(statement) {
                return None;
            }
            let named: Vec<&str> = statement.iter().copied().filter(|word| is_name(word)).collect();
            piece.text.push_str(&format!(" in {}{}", statement.join(" "), declared_types(&member, &named)));
            if statement.first() == Some(&"return") {
                let head = member.iter().take_while(|word| **word != "{");
                piece.text.extend(head.map(|word| format!(" {word}")));
            }
        }
        piece.words = words;
        Some(piece)
    }

    /// The full name of the class that a simple name may mean.
    fn class_of(&self, name: &str) -> Option<String> {
        if !name.starts_with(char::is_uppercase) {
            return None;
        }
        if let Some((field, _)) = self.cx.table.field_in_scope(self.class, name) {
            let field = self.cx.table.field(field);
            return Some(self.cx.table.qualified(field.class, &field.name));
        }
        let path = [name.to_owned()];
        match self.cx.table.resolve_path(&path, Some(self.class)) {
            Some(class) => Some(self.cx.table.class(class).qualified_name.clone()),
            None => self.cx.table.foreign_class(&path, Some(self.class)),
        }
    }

    /// Whether a word may mean something of the object whose code this is.
    fn may_need_this(&self, word: &str, before: &str, after: &str) -> bool {
        match word {
            "this" | "super" => true,
            _ if !is_name(word) || matches!(before, "." | "::" | "new") => false,
            _ if after == "(" => {
                let methods = self.cx.methods_named(self.class, word);
                methods.is_empty() || methods.iter().any(|id| !self.cx.table.method(*id).is_static)
            }
            _ => match self.cx.table.field_in_scope(self.class, word) {
                Some((field, _)) => !self.cx.table.field(field).is_static,
                None => self.cx.table.has_unknown_ancestor(self.class),
            },
        }
    }
}

/// What is hidden where it cannot be lowered. Other gaps say something about code around them, such as when a class is
/// initialised, and stay gaps.
const HIDDEN: [&str; 4] = [
    "a lambda expression",
    "a method reference",
    "a class literal",
    super::foreign_pair::HANDLER_AROUND_UNKNOWN,
];

/// Whether a statement stands for code that is hidden if that is possible.
pub(super) fn is_hidden_gap(stmt: &ir::Stmt) -> bool {
    matches!(&stmt.kind, IrStmtKind::Unsupported { what } if HIDDEN.contains(&what.as_str()))
}

/// Whether an expression makes variables that code after it can see.
fn binds_variables(expr: &Expr) -> bool {
    let mut found = false;
    expr.for_each_expr(&mut |expr| {
        found |= matches!(&expr.kind, ExprKind::InstanceOf { name: Some(_), .. });
    });
    found
}

/// Whether code makes functions, or objects of classes that are declared in it.
fn makes_nameless(words: &[&str]) -> bool {
    let mut is_new = false;
    for pair in words.windows(2) {
        match pair {
            ["->" | "::", _] | [_, "->" | "::"] => return true,
            ["new", _] => is_new = true,
            [")", "{"] if is_new => return true,
            _ => {}
        }
    }
    false
}

/// Whether the variable at a place is assigned, also in parentheses. Over-approximating.
fn may_be_assigned(words: &[&str], at: usize) -> bool {
    let after = words[at + 1..].iter().find(|word| **word != ")");
    let before = words[..at].iter().rev().find(|word| **word != "(");
    after.is_some_and(|word| is_assignment(word)) || matches!(before, Some(&("++" | "--")))
}

fn is_assignment(word: &str) -> bool {
    matches!(word, "++" | "--") || (word.ends_with('=') && !matches!(word, "==" | "!=" | "<=" | ">="))
}

/// Words without the parentheses around all of them.
fn without_parentheses(words: Vec<&str>) -> Vec<&str> {
    let mut words = words;
    loop {
        let mut depth = 0;
        let closes_at = words.iter().position(|word| {
            match *word {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        if words.first() != Some(&"(") || words.len() < 3 || closes_at != Some(words.len() - 1) {
            return words;
        }
        words = words[1..words.len() - 1].to_vec();
    }
}

/// Code as reports show it.
fn shown(words: &[&str]) -> String {
    let mut text = String::new();
    for (index, word) in words.iter().enumerate() {
        let before = index.checked_sub(1).map_or("", |index| words[index]);
        let is_tight = matches!(*word, "." | "," | ")" | "(" | "]" | "[" | ";" | "::")
            || matches!(before, "" | "." | "(" | "[" | "::" | "!");
        if !is_tight {
            text.push(' ');
        }
        text.push_str(word);
        if text.chars().count() > SHOWN {
            let cut: String = text.chars().take(SHOWN).collect();
            return format!("{cut} ...");
        }
    }
    text
}

/// A number for a text that no other text has: FNV-1a with 128 bits.
fn digest(text: &str) -> String {
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    for byte in text.bytes() {
        hash ^= u128::from(byte);
        hash = hash.wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
    }
    format!("{hash:032x}")
}
