//! Random pairs about what proofs trip over: overlapping pointers, shared objects, enums, null, start-up state, and code
//! that is not there.
//!
//! A pair is a few statements, each in two of its forms; sometimes the new version is mutated besides. Nobody knows
//! beforehand whether a pair is equivalent: compilers and interpreters judge what selfsame says.

mod c_forms;
mod java_forms;

use arbitrary_source::Choices;
use arbitrary_source::Language;
use ir::Pair;
use mutants::{changes::changes, functions::FoundText, lexer::tokens};

/// Two versions of a small program.
#[derive(Clone, Debug)]
pub struct Twins {
    pub language: Language,
    pub texts: Pair<String>,
}

/// The function that is compared.
pub fn entry(language: Language) -> &'static str {
    match language {
        Language::C => "k_entry",
        Language::Java => "entry",
    }
}

/// The tables of a language.
struct Parts {
    forms: &'static [&'static [&'static str]],
    declarations: &'static [(&'static str, &'static str)],
    parameters: &'static [(&'static str, &'static str)],
    locals: &'static [(&'static str, &'static str)],
}

fn parts(language: Language) -> Parts {
    match language {
        Language::C => Parts {
            forms: &c_forms::FORMS,
            declarations: &c_forms::DECLARATIONS,
            parameters: &c_forms::PARAMETERS,
            locals: &c_forms::LOCALS,
        },
        Language::Java => Parts {
            forms: &java_forms::FORMS,
            declarations: &java_forms::DECLARATIONS,
            parameters: &java_forms::PARAMETERS,
            locals: &java_forms::LOCALS,
        },
    }
}

/// Two forms of one statement that were said to be *equivalent* when nothing else stood beside them.
#[derive(Clone, Copy, Debug)]
pub struct Alike {
    pub statement: usize,
    pub forms: Pair<usize>,
}

/// A pair of one statement in two of its forms, for each two forms of each statement.
pub fn single(language: Language) -> impl Iterator<Item = (Alike, Twins)> {
    let parts = parts(language);
    let all = parts.forms.iter().enumerate().flat_map(|(statement, forms)| {
        let last = forms.len();
        (0..last).flat_map(move |old| (old + 1..last).map(move |new| (statement, Pair::new(old, new))))
    });
    all.map(move |(statement, forms)| {
        let parts = self::parts(language);
        let texts = forms.map(|form| self::statement(parts.forms[statement][form], language, false));
        let used = words(&(texts.old.clone() + &texts.new));
        let texts = texts.map(|text| program(language, &parts, &text, &used));
        (Alike { statement, forms }, Twins { language, texts })
    })
}

/// The pair with this number. The same numbers give the same pair.
pub fn make(language: Language, seed: u64, number: u64) -> Twins {
    make_of(language, seed, number, &[])
}

/// The pair with this number, where most statements change between forms that are alike, if there are any: together
/// they may still part.
pub fn make_of(language: Language, seed: u64, number: u64, alike: &[Alike]) -> Twins {
    let mut choices = Choices::new(seed, number);
    let parts = parts(language);
    let counts = if alike.is_empty() { [(5, 1), (4, 2), (2, 3)] } else { [(1, 1), (4, 2), (4, 3)] };
    let count = choices.weighted(&counts);
    let wants_mutation = choices.percent(if alike.is_empty() { 30 } else { 10 });
    let mut statements = Pair::new(Vec::new(), Vec::new());
    for index in 0..count {
        let (old, new) = if !alike.is_empty() && choices.percent(90) {
            let Alike { statement, forms } = choices.pick(alike);
            let forms = forms.map(|form| parts.forms[statement][form]);
            if choices.percent(50) { (forms.old, forms.new) } else { (forms.new, forms.old) }
        } else {
            let forms = choices.pick(parts.forms);
            let old = if choices.percent(60) { forms[0] } else { choices.pick(forms) };
            // At least one statement changes, unless the mutation does it.
            let keeps = choices.percent(40) && (index > 0 || wants_mutation);
            (old, if keeps { old } else { choices.pick(forms) })
        };
        let guarded = choices.percent(15);
        statements.old.push(statement(old, language, guarded));
        statements.new.push(statement(new, language, guarded));
    }
    let used = words(&(statements.old.concat() + &statements.new.concat()));
    let mut texts = statements.map(|statements| program(language, &parts, &statements.concat(), &used));
    if wants_mutation && let Some(mutant) = mutate(&texts.new, language, &mut choices) {
        texts.new = mutant;
    }
    if choices.percent(50) {
        texts = Pair::new(texts.new, texts.old);
    }
    Twins { language, texts }
}

fn statement(form: &str, language: Language, guarded: bool) -> String {
    let lines =
        |indentation: &str| form.lines().map(|line| format!("{indentation}{line}\n")).collect::<String>();
    let declares = ["int[] w", "S v", "T v", "int w"].iter().any(|start| form.starts_with(start));
    match (guarded, language == Language::Java && declares) {
        (true, _) => format!("if (n > 0) {{\n{}}}\n", lines("    ")),
        (false, true) => format!("{{\n{}}}\n", lines("    ")),
        (false, false) => lines(""),
    }
}

fn words(text: &str) -> Vec<String> {
    tokens(text, false).into_iter().map(|token| text[token.place].to_owned()).collect()
}

fn program(language: Language, parts: &Parts, statements: &str, used: &[String]) -> String {
    let mut used = used.to_vec();
    let list = |table: &[(&str, &'static str)], used: &[String]| -> Vec<&'static str> {
        table.iter().filter(|(name, _)| used.iter().any(|word| word == name)).map(|(_, text)| *text).collect()
    };
    let parameters = list(parts.parameters, &used);
    let locals = list(parts.locals, &used);
    // What is declared may need other declarations.
    used.extend(words(&(parameters.join(" ") + " " + &locals.join(" "))));
    while let Some((_, more)) = parts.declarations.iter().find(|(name, text)| {
        used.iter().any(|word| word == name) && words(text).iter().any(|word| !used.contains(word))
    }) {
        used.extend(words(more));
    }
    let declarations = list(parts.declarations, &used);
    let body =
        locals.iter().map(|local| format!("{local}\n")).collect::<String>() + statements + "return r;\n";
    let indented = |by: &str| body.lines().map(|line| format!("{by}{line}\n")).collect::<String>();
    match language {
        Language::C => {
            let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
            format!("{}\nint k_entry({parameters}) {{\n{}}}\n", declarations.join("\n"), indented("    "))
        }
        Language::Java => {
            let declarations: String = declarations.iter().map(|text| format!("    {text}\n")).collect();
            let parameters = parameters.join(", ");
            format!(
                "class Case {{\n{declarations}    static int entry({parameters}) {{\n{}    }}\n}}\n",
                indented("        ")
            )
        }
    }
}

/// The text with one small change inside the function that is compared.
fn mutate(text: &str, language: Language, choices: &mut Choices) -> Option<String> {
    let found = FoundText::new(text.to_owned(), language);
    let function = found.functions.iter().find(|function| function.name.ends_with(entry(language)))?;
    let changes = changes(&found, function, language);
    (!changes.is_empty()).then(|| choices.pick(&changes).apply(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Case, lower};

    /// Whatever is made is a program for our front ends, unless a mutation broke it.
    #[test]
    fn most_twins_are_programs() {
        for language in [Language::C, Language::Java] {
            let mut refused = Vec::new();
            for number in 0..60 {
                let twins = make(language, 3, number);
                let case = Case::of_twins(&twins);
                if let Err(refusal) = lower(&case) {
                    refused.push(format!("{refusal:?}\n{:?}", twins.texts));
                }
            }
            assert!(refused.len() < 12, "{} of 60 are refused, the first: {}", refused.len(), refused[0]);
        }
    }

    #[test]
    fn the_same_numbers_give_the_same_twins() {
        assert_eq!(make(Language::C, 1, 7).texts, make(Language::C, 1, 7).texts);
        assert_ne!(make(Language::C, 1, 7).texts, make(Language::C, 1, 8).texts);
    }
}
