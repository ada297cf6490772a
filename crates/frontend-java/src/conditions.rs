//! Conditions on the inputs of methods: each becomes a private method beside the one it is about.
//!
//! ```text
//! int f(int n) { ... }      with the condition `n > limit`:
//! private boolean <condition 0>(int n) { return n > limit; }
//! ```
//!
//! So a condition means what the expression would mean at the start of the method: names are resolved, and types are
//! converted, as the language says.

use std::collections::BTreeSet;

use ir::{CONDITION_FILE, Condition, Diagnostic, FileId, SourceFile, condition_name};

use crate::syntax::{
    self, ClassDecl, Expr, Member, MethodDecl, Modifiers, ParamDecl, Primitive, StmtKind, TypeRef, Unit,
};

/// What stands before a condition when it is parsed.
const BEFORE: &str = "class C { boolean c() { return (";

/// Adds a method for each condition that is an expression, and whose method the units have.
pub(crate) fn add(units: &mut [Unit], conditions: &[Condition]) {
    for (index, condition) in conditions.iter().enumerate() {
        let Ok((value, lost_names)) = expression(&condition.text) else { continue };
        let mut classes = units.iter_mut().map(|unit| (&mut unit.classes, &mut unit.lost_names));
        let found = classes.find_map(|(classes, lost)| {
            let (class, at) = classes.iter_mut().find_map(|class| class_of(class, condition))?;
            Some((class, at, lost))
        });
        let Some((class, at, lost)) = found else { continue };
        let Member::Method(method) = &class.members[at] else { continue };
        let added = condition_method(method, index, condition, value);
        lost.extend(lost_names);
        class.members.push(Member::Method(added));
    }
}

/// What is wrong with the syntax of a condition.
pub(crate) fn error(text: &str) -> Option<Diagnostic> {
    expression(text).err()
}

/// The class that declares the method of a condition, and the method's place in it.
fn class_of<'c>(class: &'c mut ClassDecl, condition: &Condition) -> Option<(&'c mut ClassDecl, usize)> {
    let is_it =
        |member: &Member| matches!(member, Member::Method(method) if method.span == condition.procedure);
    if let Some(at) = class.members.iter().position(is_it) {
        return Some((class, at));
    }
    class.members.iter_mut().find_map(|member| match member {
        Member::Class(inner) => class_of(inner, condition),
        Member::Field(_) | Member::Method(_) | Member::Initializer { .. } => None,
    })
}

fn condition_method(method: &MethodDecl, index: usize, condition: &Condition, value: Expr) -> MethodDecl {
    let names = condition.parameters.as_ref().filter(|names| names.len() == method.params.len());
    let params = method.params.iter().enumerate().map(|(at, param)| ParamDecl {
        ty: param.ty.clone(),
        name: names.map_or(&param.name, |names| &names[at]).clone(),
    });
    MethodDecl {
        modifiers: Modifiers {
            // Nothing of an object that is being made can be asked for.
            is_static: method.modifiers.is_static || method.name == "<init>",
            is_default: method.modifiers.is_default,
            is_private: true,
            ..Modifiers::default()
        },
        type_params: method.type_params.clone(),
        result: TypeRef::Primitive(Primitive::Boolean),
        name: condition_name(index),
        params: params.collect(),
        varargs: method.varargs,
        compact: false,
        body: Some(vec![syntax::Stmt { kind: StmtKind::Return(Some(value)), span: method.span }]),
        span: method.span,
    }
}

/// The expression of a condition, and the names in what of it was not read.
fn expression(text: &str) -> Result<(Expr, BTreeSet<String>), Diagnostic> {
    let file = SourceFile { name: CONDITION_FILE.to_owned(), text: format!("{BEFORE}{text}\n); }} }}") };
    let unit = syntax::parse(&file, FileId(0)).map_err(|errors| match errors.first() {
        Some(error) => complaint(error.line, error.column, error.message.clone()),
        None => no_expression(),
    })?;
    let lost_names = unit.lost_names;
    let mut classes = unit.classes;
    let members = match (classes.pop(), classes.is_empty()) {
        (Some(class), true) => class.members,
        _ => Vec::new(),
    };
    match <[Member; 1]>::try_from(members) {
        Ok([Member::Method(MethodDecl { body: Some(body), .. })]) => {
            match <[syntax::Stmt; 1]>::try_from(body) {
                Ok([syntax::Stmt { kind: StmtKind::Return(Some(value)), .. }]) => Ok((value, lost_names)),
                Ok(_) | Err(_) => Err(no_expression()),
            }
        }
        Ok(_) | Err(_) => Err(no_expression()),
    }
}

fn no_expression() -> Diagnostic {
    complaint(1, 1, "it is not one expression".to_owned())
}

fn complaint(line: u32, column: u32, message: String) -> Diagnostic {
    let before = if line == 1 { BEFORE.len() as u32 } else { 0 };
    let column = column.saturating_sub(before).max(1);
    Diagnostic { file: CONDITION_FILE.to_owned(), line, column, message, help: None }
}
