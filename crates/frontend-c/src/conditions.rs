//! Conditions on the inputs of functions: each becomes a function of its own at the end of the file.
//!
//! ```text
//! int f(int n) { ... }      with the condition `n > limit`:
//! static int selfsame_condition_0(int n) { return (n > limit) ? 1 : 0; }
//! ```
//!
//! So a condition means what the expression would mean at the start of the function.

use ir::{CONDITION_FILE, Condition, Diagnostic, Program, condition_name};
use lang_c::ast;
use lang_c::span::Node;

use crate::Preprocessed;
use crate::parse::{Unit, parse};
use crate::tokens::tokens;

const NAME: &str = "selfsame_condition_";

/// The files with a function for each condition that may be an expression, and whose function they have.
pub(crate) fn add(files: &[Preprocessed], conditions: &[Condition]) -> Vec<Preprocessed> {
    let mut files = files.to_vec();
    if conditions.is_empty() {
        return files;
    }
    let mut names = Vec::new();
    for file in &mut files {
        // What does not parse is complained about by whoever lowers it.
        let Ok(unit) = parse(&file.name, &file.text, &mut names) else { continue };
        for (index, condition) in conditions.iter().enumerate() {
            let Some(definition) = definition_of(&unit, condition) else { continue };
            let Some(parameters) = parameters(&unit, definition, condition) else { continue };
            if error(&condition.text).is_some() {
                continue;
            }
            let place = format!("# 1 \"{CONDITION_FILE}\"");
            let text = &condition.text;
            file.text.push_str(&format!(
                "\nstatic int {NAME}{index}{parameters} {{ return (\n{place}\n{text}\n) ? 1 : 0; }}\n"
            ));
        }
    }
    files
}

/// What is wrong with a condition before it is parsed.
pub(crate) fn error(text: &str) -> Option<Diagnostic> {
    check_is_one_expression(text).err()
}

/// Gives the procedures of conditions their names.
pub(crate) fn name(program: &mut Program) {
    for procedure in program.procedures.iter_mut() {
        let number = procedure.name.rsplit(':').next().and_then(|name| name.strip_prefix(NAME));
        if let Some(index) = number.and_then(|number| number.parse().ok()) {
            procedure.short_name = condition_name(index);
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

fn definition_of<'u>(unit: &'u Unit, condition: &Condition) -> Option<&'u ast::FunctionDefinition> {
    unit.tree.0.iter().find_map(|external| match &external.node {
        ast::ExternalDeclaration::FunctionDefinition(definition) => {
            (unit.source.span(definition.span) == condition.procedure).then_some(&definition.node)
        }
        ast::ExternalDeclaration::Declaration(_) | ast::ExternalDeclaration::StaticAssert(_) => None,
    })
}

/// The parameter list of a function, as it is written, with the names that the condition uses.
fn parameters(unit: &Unit, definition: &ast::FunctionDefinition, condition: &Condition) -> Option<String> {
    let function = definition.declarator.node.derived.iter().find_map(|derived| match &derived.node {
        ast::DerivedDeclarator::Function(function) => Some(&function.node),
        _ => None,
    })?;
    if function.ellipsis == ast::Ellipsis::Some {
        return None;
    }
    let names = condition.parameters.as_ref().filter(|names| names.len() == function.parameters.len());
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
    let written: Vec<String> = written.map(|text| without_markers(&text)).collect();
    Some(match written.is_empty() {
        true => "(void)".to_owned(),
        false => format!("({})", written.join(", ")),
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
