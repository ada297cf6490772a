//! Adds an unchanged client to both versions of a case, which is then what is compared.
//!
//! The client may hide a difference: it calls the function on some inputs only, or looks at part of its result.

use arbitrary_source::Choices;
use arbitrary_source::Language;
use mutants::functions::FoundText;

use super::case::Case;

const NAME: &str = "fuzz_client";

/// Adds the client, if the function's head can be read.
pub(crate) fn add(case: &mut Case, choices: &mut Choices) {
    let style = choices.below(6);
    let limit = choices.below(20) as i64 - 5;
    let Some(client) = client(&case.texts.old, case, style, limit) else { return };
    let add = |text: &str| match case.language {
        Language::C => Some(format!("{text}{client}")),
        Language::Java => {
            let end = text.trim_end().strip_suffix('}')?;
            Some(format!("{end}{client}}}\n"))
        }
    };
    let (Some(old), Some(new)) = (add(&case.texts.old), add(&case.texts.new)) else { return };
    let chain: Option<Vec<String>> = case.chain.iter().map(|text| add(text)).collect();
    case.chain = chain.unwrap_or_default();
    (case.texts.old, case.texts.new) = (old, new);
    NAME.clone_into(&mut case.entry);
}

/// A function with the same parameters that calls the one that is compared.
fn client(text: &str, case: &Case, style: usize, limit: i64) -> Option<String> {
    let found = FoundText::new(text.to_owned(), case.language);
    let is_entry = |name: &str| name == case.entry || name.ends_with(&format!(".{}", case.entry));
    let function = found.functions.iter().find(|function| is_entry(&function.name))?;
    let head: Vec<&str> = function.head.clone().map(|index| found.word(index)).collect();
    let name = head.iter().position(|word| *word == case.entry)?;
    let result = head[..name].join(" ").replace("static ", "").replace("public ", "");
    let parameters = &head[name + 2..head.len() - 1];
    let parameters = if parameters == ["void"] { &[] } else { parameters };
    let names = parameter_names(parameters)?;
    let call = format!("{}({})", case.entry, names.join(", "));
    let shown = parameters.join(" ");
    let static_word = if case.language == Language::Java { "static " } else { "" };
    // Another value for the client to decide by, which is no input of the function.
    let comma = if names.is_empty() { "" } else { ", " };
    let is_number = matches!(result.as_str(), "int" | "long" | "short" | "char" | "byte" | "unsigned");
    let (result, body) = match (style, is_number) {
        (_, false) if result == "void" => {
            ("int".to_owned(), format!("if (k >= {limit}) {{ {call}; }} return k;"))
        }
        (_, false) => (result.clone(), format!("return {call};")),
        (0, true) => (result, format!("return {call};")),
        (1, true) => ("int".to_owned(), format!("return {call} > {limit} ? 1 : 0;")),
        (2, true) => ("int".to_owned(), format!("if (k > {limit}) {{ {call}; }} return k;")),
        (3, true) => ("int".to_owned(), format!("{result} a = {call}; return a == {limit} ? k : 7;")),
        (4, true) => {
            ("int".to_owned(), format!("{result} a = {call}; {result} b = {call}; return a == b ? 1 : 0;"))
        }
        (_, true) => {
            ("int".to_owned(), format!("int i = 0; while (i < 2) {{ k += {call} & 1; i++; }} return k;"))
        }
    };
    Some(format!("{static_word}{result} {NAME}({shown}{comma}int k) {{\n    {body}\n}}\n"))
}

/// The last word before each comma; brackets after it belong to its type.
fn parameter_names<'a>(parameters: &[&'a str]) -> Option<Vec<&'a str>> {
    if parameters.is_empty() {
        return Some(Vec::new());
    }
    let last_word = |part: &[&'a str]| {
        let is_word = |word: &&&str| word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
        part.iter().rfind(is_word).copied()
    };
    // Types with commas or parentheses in them are not taken apart.
    if parameters.iter().any(|word| matches!(*word, "<" | "(" | "...")) {
        return None;
    }
    parameters.split(|word| *word == ",").map(last_word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::lower;
    use crate::twins;

    #[test]
    fn twins_with_clients_are_programs_that_have_the_client() {
        for language in [Language::C, Language::Java] {
            let mut added = 0;
            for number in 0..12 {
                let mut case = Case::of_twins(&twins::make(language, 11, number));
                add(&mut case, &mut Choices::new(1, number));
                added += usize::from(case.entry == NAME && lower(&case).is_ok());
            }
            assert!(added >= 9, "only {added} of 12 have a client");
        }
    }
}
