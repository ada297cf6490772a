//! Conditions on the inputs of functions: each becomes a function of its own at the end of the file.
//!
//! ```text
//! int f(int n) { ... }      with the condition `n > limit`:
//! static int selfsame_condition_0(int n) { return (n > limit) ? 1 : 0; }
//! ```
//!
//! A promise about the end of a function becomes one that runs it first:
//!
//! ```text
//! static int selfsame_after_0(int n) { __typeof__(total) old = (total); __typeof__(f(n)) result = f(n);
//!                                      return (result == old + n) ? 1 : 0; }
//! ```
//!
//! So a condition means what the expression would mean at the start of the function.

use ir::{
    Annotations, CONDITION_FILE, Diagnostic, Postcondition, Program, Span, Variable, condition_name,
    postcondition_name,
};
use lang_c::ast;
use lang_c::span::Node;

use crate::Preprocessed;
use crate::parse::{Unit, parse};
use crate::tokens::tokens;

const NAME: &str = "selfsame_condition_";
const AFTER: &str = "selfsame_after_";

/// The files with a function for each condition and promise that may be an expression, and whose function they have.
pub(crate) fn add(files: &[Preprocessed], annotations: Annotations<'_>) -> Vec<Preprocessed> {
    let mut files = files.to_vec();
    if annotations.is_empty() {
        return files;
    }
    let mut names = Vec::new();
    for file in &mut files {
        // What does not parse is complained about by whoever lowers it.
        let Ok(unit) = parse(&file.name, &file.text, &mut names) else { continue };
        for (index, condition) in annotations.conditions.iter().enumerate() {
            let Some(definition) = definition_of(&unit, condition.procedure) else { continue };
            let names = condition.parameters.as_ref();
            let Some(parameters) = parameters(&unit, definition, names, condition.variable.as_ref()) else {
                continue;
            };
            if condition.body.is_none() && error(&condition.text).is_some() {
                continue;
            }
            let body = returned(&condition.text, condition.body.as_deref());
            file.text.push_str(&format!("\nstatic int {NAME}{index}{parameters} {{ {body} }}\n"));
        }
        for (index, promise) in annotations.postconditions.iter().enumerate() {
            let Some(definition) = definition_of(&unit, promise.procedure) else { continue };
            let Some(parameters) = parameters(&unit, definition, None, None) else { continue };
            let whole = Some(&promise.text).filter(|_| promise.body.is_none());
            let texts = promise.before.iter().map(|(_, text)| text).chain(whole);
            if texts.into_iter().any(|text| error(text).is_some()) {
                continue;
            }
            if let Some(body) = promise_body(definition, promise) {
                file.text.push_str(&format!("\nstatic int {AFTER}{index}{parameters} {{ {body} }}\n"));
            }
        }
    }
    files
}

/// The statements that take the values at the start, run the function and tell whether the promise was kept.
fn promise_body(definition: &ast::FunctionDefinition, promise: &Postcondition) -> Option<String> {
    let names: Option<Vec<&str>> = function_of(definition)?
        .parameters
        .iter()
        .filter(|parameter| parameter.node.declarator.is_some())
        .map(|parameter| {
            let name = parameter.node.declarator.as_ref().and_then(identifier)?;
            Some(name.node.name.as_str())
        })
        .collect();
    let call = format!("{}({})", identifier(&definition.declarator)?.node.name, names?.join(", "));
    let mut body = String::new();
    for (name, value) in &promise.before {
        body.push_str(&format!("__typeof__({value}) {name} = ({value}); "));
    }
    match &promise.result {
        Some(result) => body.push_str(&format!("__typeof__({call}) {result} = {call}; ")),
        None => body.push_str(&format!("{call}; ")),
    }
    body.push_str(&returned(&promise.text, promise.body.as_deref()));
    Some(body)
}

/// Statements that return whether a text holds, which has a place of its own.
fn returned(text: &str, body: Option<&str>) -> String {
    let place = format!("# 1 \"{CONDITION_FILE}\"");
    match body {
        Some(body) => format!("\n{place}\n{body}\n"),
        None => format!("return (\n{place}\n{text}\n) ? 1 : 0;"),
    }
}

/// What is wrong with a condition before it is parsed.
pub(crate) fn error(text: &str) -> Option<Diagnostic> {
    check_is_one_expression(text).err()
}

/// Gives the procedures of conditions their names.
pub(crate) fn name(program: &mut Program) {
    for procedure in program.procedures.iter_mut() {
        let name = procedure.name.rsplit(':').next().unwrap_or_default();
        let number = |prefix: &str| name.strip_prefix(prefix).and_then(|number| number.parse().ok());
        if let Some(index) = number(NAME) {
            procedure.short_name = condition_name(index);
        } else if let Some(index) = number(AFTER) {
            procedure.short_name = postcondition_name(index);
        }
    }
}

/// The texts of all functions, with their places.
pub(crate) fn function_texts(files: &[Preprocessed]) -> Vec<(ir::Span, String)> {
    let mut names = Vec::new();
    let mut texts = Vec::new();
    for file in files {
        let Ok(unit) = parse(&file.name, &file.text, &mut names) else { continue };
        for external in &unit.tree.0 {
            if let ast::ExternalDeclaration::FunctionDefinition(definition) = &external.node
                && !unit.source.is_system(definition.span.start)
            {
                let text = &unit.source.text[definition.span.start..definition.span.end];
                texts.push((unit.source.span(definition.span), without_markers(text)));
            }
        }
    }
    texts
}

fn definition_of(unit: &Unit, procedure: Span) -> Option<&ast::FunctionDefinition> {
    unit.tree.0.iter().find_map(|external| match &external.node {
        ast::ExternalDeclaration::FunctionDefinition(definition) => {
            (unit.source.span(definition.span) == procedure).then_some(&definition.node)
        }
        ast::ExternalDeclaration::Declaration(_) | ast::ExternalDeclaration::StaticAssert(_) => None,
    })
}

/// The parameter list of a function, as it is written, with the names that the condition uses, and one more parameter.
fn parameters(
    unit: &Unit,
    definition: &ast::FunctionDefinition,
    names: Option<&Vec<String>>,
    more: Option<&Variable>,
) -> Option<String> {
    let function = function_of(definition)?;
    if function.ellipsis == ast::Ellipsis::Some {
        return None;
    }
    let names = names.filter(|names| names.len() == function.parameters.len());
    let text = &unit.source.text;
    let written = function.parameters.iter().enumerate().map(|(at, parameter)| {
        let whole = &text[parameter.span.start..parameter.span.end];
        let name = parameter.node.declarator.as_ref().and_then(identifier);
        match (names, name) {
            (Some(names), Some(name)) => {
                let (before, after) =
                    (name.span.start - parameter.span.start, name.span.end - parameter.span.start);
                format!("{}{}{}", &whole[..before], names[at], &whole[after..])
            }
            (None, _) | (_, None) => whole.to_owned(),
        }
    });
    // Markers of lines may stand between the parameters.
    let mut written: Vec<String> = written.map(|text| without_markers(&text)).collect();
    if let Some(Variable { ty, name }) = more {
        // `(void)` is no parameter.
        written.retain(|text| text.trim() != "void");
        written.push(format!("{ty} {name}"));
    }
    Some(match written.is_empty() {
        true => "(void)".to_owned(),
        false => format!("({})", written.join(", ")),
    })
}

fn function_of(definition: &ast::FunctionDefinition) -> Option<&ast::FunctionDeclarator> {
    definition.declarator.node.derived.iter().find_map(|derived| match &derived.node {
        ast::DerivedDeclarator::Function(function) => Some(&function.node),
        _ => None,
    })
}

fn without_markers(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with('#')).collect::<Vec<_>>().join(" ")
}

fn identifier(node: &Node<ast::Declarator>) -> Option<&Node<ast::Identifier>> {
    match &node.node.kind.node {
        ast::DeclaratorKind::Abstract => None,
        ast::DeclaratorKind::Identifier(name) => Some(name),
        ast::DeclaratorKind::Declarator(inner) => identifier(inner),
    }
}

/// A text that closes what it did not open, or has statements, would be more than a condition.
fn check_is_one_expression(text: &str) -> Result<(), Diagnostic> {
    let mut open = Vec::new();
    let at = |offset: usize| {
        let before = &text[..offset];
        let line = before.matches('\n').count() as u32 + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() as u32 + 1;
        (line, column)
    };
    for (offset, token) in tokens(text) {
        let closes = match token {
            "(" | "[" => {
                open.push(token);
                continue;
            }
            ")" => Some("("),
            "]" => Some("["),
            "{" | "}" | ";" | "#" => None,
            _ => continue,
        };
        if closes.is_none() || open.pop() != closes {
            let (line, column) = at(offset);
            return Err(complaint(line, column, format!("unexpected `{token}`")));
        }
    }
    match open.is_empty() && tokens(text).next().is_some() {
        true => Ok(()),
        false => {
            let (line, column) = at(text.len());
            Err(complaint(line, column, "unexpected end of the condition".to_owned()))
        }
    }
}

fn complaint(line: u32, column: u32, message: String) -> Diagnostic {
    Diagnostic { file: CONDITION_FILE.to_owned(), line, column, message, help: None }
}
