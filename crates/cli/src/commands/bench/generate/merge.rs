//! Puts clients together: one after the other, one in the other, or one many times.
//!
//! ```text
//! int client(int x) { return lib(x) + 1; }      int client(int y) { return lib(y) * 2; }
//! ```
//!
//! in sequence become `int client(int x_1, int y_2)` whose body is both bodies, with the sum of both results; nested,
//! the second gets the result of the first for its first number. Each client sees a library of its own, or, as many
//! calls of one client, the same one.

use std::collections::BTreeSet;

use anyhow::{Result, bail};

use super::c_file::{FunctionParts, Item, Param, function_name, function_parts, items, significant};
use super::c_tokens::{Token, TokenKind, renamed, text, tokens, words};
use crate::args::MergeKind;

/// Two clients, each with its library, as one file whose `client` is both.
pub(crate) fn merge(files: [(&str, &str); 2], kind: MergeKind, client: &str) -> Result<String> {
    let mut all = Vec::new();
    let taken: BTreeSet<String> = files.iter().flat_map(|(file, _)| words(&tokens(file))).collect();
    let mut parts = Vec::new();
    for (index, (file, function)) in files.into_iter().enumerate() {
        let suffix = fresh_suffix(&taken, ["a", "b"][index]);
        let own = defined_names(&items(file)?);
        let rename = |word: &str| own.contains(word).then(|| format!("{word}{suffix}"));
        let file = text(&renamed(&tokens(file), &rename, true));
        let function = rename(function).unwrap_or_default();
        let (others, part) = take_client(&file, &function, index + 1)?;
        all.extend(others);
        parts.push(part);
    }
    if kind == MergeKind::Nested {
        match parts[1].params.iter().position(|param| is_arithmetic(&type_of(param))) {
            Some(index) if is_arithmetic(&parts[0].result) => parts[1].fed = Some(index),
            _ => bail!("`{client}` has no number to give or to get"),
        }
    }
    assemble(&all, &parts, client)
}

/// One client so many times in a row, on parameters of their own.
pub(crate) fn calls(file: &str, client: &str, count: usize) -> Result<String> {
    let mut parts = Vec::new();
    let mut others = Vec::new();
    for number in 1..=count {
        let (rest, part) = take_client(file, client, number)?;
        parts.push(part);
        others = rest;
    }
    assemble(&others, &parts, client)
}

/// A client, ready to be put into another function.
struct Part {
    number: usize,
    result: String,
    params: Vec<Param>,
    /// The parameter that gets the result of the part before.
    fed: Option<usize>,
    /// Statements that leave the result in a variable of this name.
    code: String,
    variable: String,
}

/// The items besides the client, and the client with its parameters renamed. A client that returns in its middle
/// becomes a function of its own, which is called.
fn take_client(file: &str, client: &str, number: usize) -> Result<(Vec<Item>, Part)> {
    let items = items(file)?;
    let taken = words(&tokens(file));
    let suffix = fresh_suffix(&taken, &number.to_string());
    let Some(place) = items.iter().position(|item| item.defines.as_deref() == Some(client)) else {
        bail!("there is no function `{client}`");
    };
    let parts = function_parts(&items[place])?;
    let is_param = |word: &str| parts.params.iter().any(|param| param.name == word);
    let rename = |word: &str| is_param(word).then(|| format!("{word}{suffix}"));
    if items.iter().any(|item| item.tokens.iter().any(|token| is_directive_with(token, &is_param))) {
        bail!("a macro uses the name of a parameter of `{client}`");
    }
    let params: Vec<Param> = parts
        .params
        .iter()
        .map(|param| Param {
            name: format!("{}{suffix}", param.name),
            tokens: renamed(&param.tokens, &rename, false),
        })
        .collect();
    let variable = format!("result{suffix}");
    if !is_arithmetic(&parts.result) && parts.result != "void" {
        bail!("the results of `{client}` ({}) cannot be added", parts.result);
    }
    let mut others = items.clone();
    let code = match straight(&parts, client) {
        Some((body, value)) => {
            others.remove(place);
            let [body, value] = [body, value].map(|tokens| text(&renamed(tokens, &rename, false)));
            let keep = if value.trim().is_empty() {
                String::new()
            } else {
                format!("{variable} = {};", value.trim())
            };
            format!("{body}\n    {keep}")
        }
        None => {
            let part = format!("{client}{}", fresh_suffix(&taken, "part"));
            let rename = |word: &str| (word == client).then(|| part.clone());
            for item in &mut others {
                item.tokens = renamed(&item.tokens, &rename, true);
            }
            let args: Vec<&str> = params.iter().map(|param| param.name.as_str()).collect();
            let keep = if parts.result == "void" { String::new() } else { format!("{variable} = ") };
            format!("\n    {keep}{part}({});", args.join(", "))
        }
    };
    others.retain(|item| item.defines.is_some() || function_name(&item.tokens).as_deref() != Some(client));
    Ok((others, Part { number, result: parts.result, params, fed: None, code, variable }))
}

fn is_directive_with(token: &Token, is_param: &dyn Fn(&str) -> bool) -> bool {
    token.kind == TokenKind::Directive && words(std::slice::from_ref(token)).iter().any(|word| is_param(word))
}

/// The body without its `return`, and what that returns: where there is only one, at the very end, and where the body
/// can be copied into another function.
fn straight<'a>(parts: &'a FunctionParts, client: &str) -> Option<(&'a [Token], &'a [Token])> {
    let body = &parts.body;
    let forbidden = |token: &Token| {
        token.kind == TokenKind::Directive
            || ["goto", "static", "extern", client].contains(&token.text.as_str())
    };
    let returns: Vec<usize> =
        body.iter().enumerate().filter(|(_, token)| token.is("return")).map(|(index, _)| index).collect();
    if body.iter().any(forbidden) {
        return None;
    }
    match returns.as_slice() {
        [] if parts.result == "void" => Some((body, &[])),
        [at] if parts.result != "void" => {
            let depth: i32 = body[..*at].iter().map(|it| i32::from(it.is("{")) - i32::from(it.is("}"))).sum();
            // Not the only statement of an `if` or `else` without braces.
            let before = significant(&body[..*at]).next_back();
            let starts = before.is_none_or(|token| [";", "}", "{"].contains(&token.text.as_str()));
            let end = at + body[*at..].iter().position(|token| token.is(";"))?;
            let is_last = significant(&body[end + 1..]).next().is_none();
            (depth == 0 && starts && is_last).then(|| (&body[..*at], &body[at + 1..end]))
        }
        _ => None,
    }
}

/// The file: everything besides the clients, then the client of all parts.
fn assemble(others: &[Item], parts: &[Part], client: &str) -> Result<String> {
    let mut file: String = others.iter().map(|item| text(&item.tokens)).collect();
    let (first, last) = match parts {
        [first, .., last] => (first, last),
        [only] => (only, only),
        [] => bail!("there is nothing to put together"),
    };
    let is_nested = parts.iter().any(|part| part.fed.is_some());
    if parts.iter().any(|part| (part.result == "void") != (first.result == "void")) {
        bail!("one of the clients has no result");
    }
    let params: Vec<String> = parts
        .iter()
        .flat_map(|part| {
            part.params
                .iter()
                .enumerate()
                .filter(|(index, _)| part.fed != Some(*index))
                .map(|(_, param)| param)
        })
        .map(|param| text(&param.tokens).trim().to_owned())
        .collect();
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    let result = &last.result;
    file += &format!("\n\n{result} {client}({params}) {{\n");
    for part in parts {
        if part.result != "void" {
            file += &format!("  {} {};\n", part.result, part.variable);
        }
        let fed = part.fed.map(|index| {
            let before = &parts[part.number - 2].variable;
            format!("\n    {} = {before};", text(&part.params[index].tokens).trim())
        });
        file += &format!("  {{{}{}\n  }}\n", fed.unwrap_or_default(), part.code);
    }
    if result != "void" {
        let all: Vec<&str> = parts.iter().map(|part| part.variable.as_str()).collect();
        let value = if is_nested { last.variable.clone() } else { all.join(" + ") };
        file += &format!("  return {value};\n");
    }
    Ok(file + "}\n")
}

/// The names that a file defines: functions with bodies, variables, types, tags, constants, macros. Functions that are
/// only declared are someone else's.
fn defined_names(items: &[Item]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for item in items {
        let plain: Vec<&Token> = significant(&item.tokens).collect();
        names.extend(item.defines.clone());
        let is_own = !plain.first().is_some_and(|token| token.is("extern"));
        let is_prototype = item.defines.is_none() && plain.iter().any(|token| token.is("("));
        let mut depth = 0;
        let mut in_enum = false;
        for (index, token) in plain.iter().enumerate() {
            let next = plain.get(index + 1);
            let before = index.checked_sub(1).map(|index| plain[index]);
            depth += i32::from(token.is("{")) - i32::from(token.is("}"));
            in_enum = (in_enum || token.is("enum")) && !token.is("}");
            let is_tag = before.is_some_and(|it| ["struct", "union", "enum"].contains(&it.text.as_str()));
            let is_constant = in_enum && depth == 1 && before.is_some_and(|it| it.is("{") || it.is(","));
            let ends = next.is_some_and(|it| [";", ",", "=", "["].contains(&it.text.as_str()));
            let is_variable = item.defines.is_none() && !is_prototype && depth == 0 && ends && is_own;
            if token.is_word() && (is_tag || is_constant || is_variable) {
                names.insert(token.text.clone());
            }
            if token.kind == TokenKind::Directive {
                let mut inside = token.text[1..].split_whitespace();
                if inside.next() == Some("define") {
                    names.extend(inside.next().map(|name| name.split('(').next().unwrap_or(name).to_owned()));
                }
            }
        }
    }
    names
}

/// `_1`, or with more underscores where some word ends so already.
fn fresh_suffix(taken: &BTreeSet<String>, end: &str) -> String {
    let mut suffix = format!("_{end}");
    while taken.iter().any(|word| word.ends_with(&suffix)) {
        suffix.insert(0, '_');
    }
    suffix
}

/// The type of a parameter, in words.
fn type_of(param: &Param) -> String {
    let words: Vec<&str> = significant(&param.tokens).map(|token| token.text.as_str()).collect();
    words
        .iter()
        .filter(|word| **word != param.name && **word != "const")
        .copied()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Whether values of a type can be added and converted into each other.
fn is_arithmetic(ty: &str) -> bool {
    let numbers = ["int", "unsigned", "signed", "long", "short", "char", "float", "double", "_Bool"];
    !ty.is_empty() && ty.split(' ').all(|word| numbers.contains(&word))
}
