//! Conditions on the inputs of methods: each becomes a private method beside the one it is about.
//!
//! ```text
//! int f(int n) { ... }      with the condition `n > limit`:
//! private boolean <condition 0>(int n) { return n > limit; }
//! ```
//!
//! A promise about the end of a method becomes one that runs it first:
//!
//! ```text
//! private boolean <condition after 0>(int n) { var old = total; var result = f(n); return result == old + n; }
//! ```
//!
//! So a condition means what the expression would mean at the start of the method: names are resolved, and types are
//! converted, as the language says.

use std::collections::BTreeSet;

use ir::{
    Annotations, CONDITION_FILE, Condition, Diagnostic, FileId, Postcondition, Program, SourceFile, Span,
    Stmt, Variable, condition_name, postcondition_name,
};

use crate::syntax::{
    self, ClassDecl, Expr, Member, MethodDecl, Modifiers, ParamDecl, Primitive, StmtKind, TypeRef, Unit,
};

/// What stands before a condition when it is parsed.
const BEFORE: &str = "class C { boolean c() { return (";

/// Adds methods for the conditions and promises of a version.
pub(crate) fn add_all(units: &mut [Unit], annotations: Annotations<'_>) {
    add(units, annotations.conditions);
    for (index, promise) in annotations.postconditions.iter().enumerate() {
        add_promise(units, index, promise);
    }
}

/// Adds a method for each condition that is an expression, and whose method the units have.
fn add(units: &mut [Unit], conditions: &[Condition]) {
    for (index, condition) in conditions.iter().enumerate() {
        let Some((mut body, lost_names)) = condition_body(condition) else { continue };
        let mut classes = units.iter_mut().map(|unit| (&mut unit.classes, &mut unit.lost_names));
        let found = classes.find_map(|(classes, lost)| {
            let (class, at) = classes.iter_mut().find_map(|class| class_of(class, condition.procedure))?;
            Some((class, at, lost))
        });
        let Some((class, at, lost)) = found else { continue };
        let Member::Method(method) = &class.members[at] else { continue };
        let names = condition.parameters.as_ref().filter(|names| names.len() == method.params.len());
        body.iter_mut().for_each(|stmt| stmt.span = method.span);
        let mut added = condition_method(method, condition_name(index), names, body);
        if let Some(Variable { ty, name }) = &condition.variable {
            let ty = match ty.as_str() {
                "int" => Primitive::Int,
                "long" => Primitive::Long,
                _ => continue,
            };
            added.params.push(ParamDecl { ty: TypeRef::Primitive(ty), name: name.clone() });
            added.varargs = false;
        }
        lost.extend(lost_names);
        class.members.push(Member::Method(added));
    }
}

/// The statements that tell whether a condition holds, and the names in what of it was not read.
fn condition_body(condition: &Condition) -> Option<(Vec<syntax::Stmt>, BTreeSet<String>)> {
    if let Some(body) = &condition.body {
        return statements(format!("class C {{ boolean c() {{ {body}\n }} }}"));
    }
    let (value, lost_names) = expression(&condition.text).ok()?;
    let span = condition.procedure;
    Some((vec![syntax::Stmt { kind: StmtKind::Return(Some(value)), span }], lost_names))
}

/// The statements of the only method of a class.
fn statements(text: String) -> Option<(Vec<syntax::Stmt>, BTreeSet<String>)> {
    let unit = syntax::parse(&SourceFile { name: CONDITION_FILE.to_owned(), text }, FileId(0)).ok()?;
    let mut classes = unit.classes;
    match <[Member; 1]>::try_from(classes.pop()?.members) {
        Ok([Member::Method(MethodDecl { body, .. })]) => Some((body?, unit.lost_names)),
        Ok(_) | Err(_) => None,
    }
}

/// Gives all statements of conditions the place of the method that they are about: their text stands in no file.
pub(crate) fn place(program: &mut Program) {
    for procedure in program.procedures.iter_mut().filter(|procedure| procedure.is_condition()) {
        let span = procedure.span;
        place_block(procedure.body.iter_mut().flatten(), span);
    }
}

fn place_block<'s>(block: impl Iterator<Item = &'s mut Stmt>, span: Span) {
    for stmt in block {
        stmt.span = span;
        ir::for_each_slot_mut(&mut stmt.kind, &mut |slot| {
            if let ir::SlotMut::Block(block) = slot {
                place_block(block.iter_mut(), span);
            }
        });
    }
}

/// What is wrong with the syntax of a condition.
pub(crate) fn error(text: &str) -> Option<Diagnostic> {
    expression(text).err()
}

/// The class that declares the method of a condition, and the method's place in it.
fn class_of(class: &mut ClassDecl, procedure: Span) -> Option<(&mut ClassDecl, usize)> {
    let is_it = |member: &Member| matches!(member, Member::Method(method) if method.span == procedure);
    if let Some(at) = class.members.iter().position(is_it) {
        return Some((class, at));
    }
    class.members.iter_mut().find_map(|member| match member {
        Member::Class(inner) => class_of(inner, procedure),
        Member::Field(_) | Member::Method(_) | Member::Initializer { .. } => None,
    })
}

/// Adds a method that runs another one and says whether it kept a promise. There is none for constructors, nor for a text
/// that is no expression.
fn add_promise(units: &mut [Unit], index: usize, promise: &Postcondition) {
    let mut classes = units.iter_mut().map(|unit| (&mut unit.classes, &mut unit.lost_names));
    let found = classes.find_map(|(classes, lost)| {
        let (class, at) = classes.iter_mut().find_map(|class| class_of(class, promise.procedure))?;
        Some((class, at, lost))
    });
    let Some((class, at, lost)) = found else { return };
    let Member::Method(method) = &class.members[at] else { return };
    let Some((mut body, names)) = promise_body(method, promise) else { return };
    body.iter_mut().for_each(|stmt| stmt.span = method.span);
    let added = condition_method(method, postcondition_name(index), None, body);
    lost.extend(names);
    class.members.push(Member::Method(added));
}

/// The statements that take the values at the start, run the method and tell whether the promise was kept.
fn promise_body(
    method: &MethodDecl,
    promise: &Postcondition,
) -> Option<(Vec<syntax::Stmt>, BTreeSet<String>)> {
    let is_void = method.result == TypeRef::Void;
    if method.name == "<init>" || is_void && promise.result.is_some() {
        return None;
    }
    // Each has to be an expression on its own.
    let whole = Some(&promise.text).filter(|_| promise.body.is_none());
    let texts = promise.before.iter().map(|(_, text)| text).chain(whole);
    if texts.into_iter().any(|text| expression(text).is_err()) {
        return None;
    }
    let mut text = "class C { boolean c() { ".to_owned();
    for (name, value) in &promise.before {
        text.push_str(&format!("var {name} = ({value}\n); "));
    }
    let names: Vec<&str> = method.params.iter().map(|param| param.name.as_str()).collect();
    let call = format!("{}({});", method.name, names.join(", "));
    match &promise.result {
        Some(result) => text.push_str(&format!("var {result} = {call} ")),
        None => text.push_str(&format!("{call} ")),
    }
    match &promise.body {
        Some(body) => text.push_str(&format!("{body}\n }} }}")),
        None => text.push_str(&format!("return ({}\n); }} }}", promise.text)),
    }
    statements(text)
}

fn condition_method(
    method: &MethodDecl,
    name: String,
    parameters: Option<&Vec<String>>,
    body: Vec<syntax::Stmt>,
) -> MethodDecl {
    let params = method.params.iter().enumerate().map(|(at, param)| ParamDecl {
        ty: param.ty.clone(),
        name: parameters.map_or(&param.name, |names| &names[at]).clone(),
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
        name,
        params: params.collect(),
        varargs: method.varargs,
        compact: false,
        body: Some(body),
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
