//! A C file as its top-level items, and a function of it as the parts that a merge needs.

use anyhow::{Result, bail};

use super::c_tokens::{Token, TokenKind, text, tokens};

/// A directive, a declaration or a function, with the blanks before it.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) tokens: Vec<Token>,
    /// The name of the function that it defines.
    pub(crate) defines: Option<String>,
}

/// What a function definition consists of.
#[derive(Clone, Debug)]
pub(crate) struct FunctionParts {
    /// What it returns, in words: `unsigned int`.
    pub(crate) result: String,
    pub(crate) params: Vec<Param>,
    /// What stands between its braces.
    pub(crate) body: Vec<Token>,
}

#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub(crate) name: String,
    pub(crate) tokens: Vec<Token>,
}

/// Splits a file. What follows the last item is dropped, if it is only blanks.
pub(crate) fn items(file: &str) -> Result<Vec<Item>> {
    let mut items = Vec::new();
    let mut open: Vec<Token> = Vec::new();
    let mut depth = 0_usize;
    let mut is_function = false;
    for token in tokens(file) {
        let is_first = open.iter().all(Token::is_space);
        if depth == 0 && token.is("{") {
            is_function = significant(&open).last().is_some_and(|token| token.is(")"));
        }
        depth = match token.text.as_str() {
            "{" | "(" | "[" if token.kind == TokenKind::Sign => depth + 1,
            "}" | ")" | "]" if token.kind == TokenKind::Sign => match depth.checked_sub(1) {
                Some(depth) => depth,
                None => bail!("there is a `{}` too many", token.text),
            },
            _ => depth,
        };
        let ends = depth == 0
            && (token.is(";")
                || (is_first && token.kind == TokenKind::Directive)
                || (is_function && token.is("}")));
        open.push(token);
        if ends {
            let tokens = std::mem::take(&mut open);
            let defines = if is_function { function_name(&tokens) } else { None };
            is_function = false;
            items.push(Item { tokens, defines });
        }
    }
    if depth > 0 || significant(&open).next().is_some() {
        bail!("it ends in the middle of something");
    }
    Ok(items)
}

/// The tokens that are not blanks.
pub(crate) fn significant(tokens: &[Token]) -> impl DoubleEndedIterator<Item = &Token> {
    tokens.iter().filter(|token| !token.is_space())
}

/// The word before the first parenthesis.
pub(crate) fn function_name(tokens: &[Token]) -> Option<String> {
    let significant: Vec<&Token> = significant(tokens).collect();
    let open = significant.iter().position(|token| token.is("("))?;
    let name = significant[..open].last().filter(|token| token.is_word())?;
    Some(name.text.clone())
}

/// The parts of an item that defines a function.
pub(crate) fn function_parts(item: &Item) -> Result<FunctionParts> {
    let tokens = &item.tokens;
    let name = item.defines.as_deref().unwrap_or_default();
    let find = |text: &str, from: usize| tokens[from..].iter().position(|it| it.is(text)).map(|at| at + from);
    let (Some(open), Some(brace)) = (find("(", 0), find("{", 0)) else { bail!("`{name}` is no function") };
    let Some(close) = (open..brace).rev().find(|index| tokens[*index].is(")")) else {
        bail!("`{name}` is no function");
    };
    let before: Vec<&str> = significant(&tokens[..open])
        .filter(|token| token.kind != TokenKind::Directive)
        .map(|token| token.text.as_str())
        .collect();
    let result =
        before[..before.len().saturating_sub(1)].join(" ").replace("extern ", "").replace("static ", "");
    let params = params(&tokens[open + 1..close])?;
    let body = tokens[brace + 1..tokens.len() - 1].to_vec();
    Ok(FunctionParts { result, params, body })
}

fn params(tokens: &[Token]) -> Result<Vec<Param>> {
    let mut parts: Vec<Vec<Token>> = vec![Vec::new()];
    let mut depth = 0;
    for token in tokens {
        depth += i32::from(token.is("(")) - i32::from(token.is(")"));
        match parts.last_mut() {
            Some(_) if depth == 0 && token.is(",") => parts.push(Vec::new()),
            Some(part) => part.push(token.clone()),
            None => {}
        }
    }
    parts.retain(|part| significant(part).next().is_some());
    if let [only] = parts.as_slice()
        && text(only).trim() == "void"
    {
        return Ok(Vec::new());
    }
    parts.into_iter().map(param).collect()
}

fn param(tokens: Vec<Token>) -> Result<Param> {
    let shown = text(&tokens).trim().to_owned();
    let plain: Vec<&Token> = significant(&tokens).collect();
    let end = plain.iter().position(|token| token.is("[")).unwrap_or(plain.len());
    let name = plain[..end].last().filter(|token| token.is_word() && end > 1);
    match name {
        Some(name) if !plain.iter().any(|token| token.is("(") || token.is("...")) => {
            Ok(Param { name: name.text.clone(), tokens: tokens.clone() })
        }
        _ => bail!("the parameter `{shown}` is not a type and a name"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_split_at_the_ends_of_its_items() {
        let file = "#define A 1\nint lib(int a);\nstruct S { int x; } s = {1};\nint t[2] = {1, 2};\n\
                    unsigned int f(int *p, int q[2]) {\n  if (q) { return 1; }\n  return *p;\n}\n";
        let items = items(file).unwrap();
        let names: Vec<Option<&str>> = items.iter().map(|item| item.defines.as_deref()).collect();
        assert_eq!(names, [None, None, None, None, Some("f")]);
        let parts = function_parts(&items[4]).unwrap();
        assert_eq!(parts.result, "unsigned int");
        assert_eq!(parts.params.iter().map(|param| param.name.as_str()).collect::<Vec<_>>(), ["p", "q"]);
        assert_eq!(text(&parts.body).trim(), "if (q) { return 1; }\n  return *p;");
    }

    #[test]
    fn what_is_cut_off_is_refused() {
        assert!(items("int f(int x) { return x;").is_err());
        assert!(items("int f(int x) { return x; }}").is_err());
        let pointer = items("int f(int (*g)(int)) { return 1; }").unwrap();
        assert!(function_parts(&pointer[0]).is_err());
    }
}
