//! A pair of programs as text, how it came about, and both sides lowered.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arbitrary_source::Choices;
use arbitrary_source::Language;
use arbitrary_source::c_generator::PRELUDE;
use arbitrary_source::{c_generator, java_generator};
use check::{CheckConfig, Strategy, Subject, Verdict};
use cli::{Job, Options, Session, Source, Sources, Unit};
use ir::Pair;
use mutants::lexer::tokens;

use super::clients;
use super::text_changes;
use super::tree::Tree;
use super::{generate, mutate, print, rewrite};
use crate::twins::{self, Twins};

/// Two versions and what was done to get from one to the other.
#[derive(Clone, Debug)]
pub struct Case {
    pub language: Language,
    /// Overflow of signed numbers in C is undefined.
    pub overflow_fails: bool,
    /// The function that is compared.
    pub entry: String,
    pub texts: Pair<String>,
    /// Every version on the way, each from the one before by one change; without changes, one.
    pub chain: Vec<String>,
    /// The names of the changes, in order.
    pub rewrites: Vec<&'static str>,
    pub mutations: Vec<&'static str>,
}

impl Case {
    /// Whether both versions behave the same, because there are only rewrites between them.
    pub fn is_kept(&self) -> bool {
        self.mutations.is_empty()
    }

    /// A pair that nobody knows the truth about.
    pub fn of_twins(twins: &Twins) -> Case {
        Case {
            language: twins.language,
            overflow_fails: false,
            entry: twins::entry(twins.language).to_owned(),
            texts: twins.texts.clone(),
            chain: Vec::new(),
            rewrites: Vec::new(),
            mutations: vec!["twins"],
        }
    }

    /// The same case with other texts.
    pub fn with_texts(&self, old: String, new: String) -> Case {
        Case { texts: Pair::new(old, new), chain: Vec::new(), ..self.clone() }
    }
}

/// How large programs are, and of which kind.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// About how many statements a function has at the most.
    pub statements: usize,
    /// How many programs of a hundred are made of loops alone.
    pub loops: usize,
    /// How many pairs of a hundred are about pointers, structs, enums, statics and code that is not there.
    pub twins: usize,
    /// How many pairs of a hundred are compared by what an unchanged client sees of them.
    pub clients: usize,
}

/// Both versions, lowered as selfsame does it, and ready to be checked.
pub struct Lowered {
    session: Session,
    /// The pair that is compared.
    entry: usize,
    /// The pairs of what happens at the start, where it changed.
    start_up: Vec<usize>,
}

impl Lowered {
    pub fn subjects(&self) -> Pair<Subject<'_>> {
        self.session.subjects(self.entry)
    }

    /// The verdict on the entry. When proofs have failed, no more inputs are tried: that takes most of the time, and
    /// no *equivalent* comes of it.
    pub fn judge(&self, config: &CheckConfig) -> Verdict {
        let mut proofs_were_tried = false;
        let mut stop_the_last_test = |strategy: Strategy| {
            proofs_were_tried |= strategy == Strategy::SameSymbol;
            if proofs_were_tried && strategy == Strategy::Testing {
                config.stop.raise();
            }
        };
        self.session.judge(self.entry, config, &mut stop_the_last_test).checked.verdict
    }

    /// Whether the versions are proved to start in the same state.
    pub fn starts_alike(&self, config: &CheckConfig) -> bool {
        self.start_up.iter().all(|index| {
            let judged = self.session.judge(*index, config, &mut |_| {});
            matches!(judged.checked.verdict, Verdict::Equivalent(_))
        })
    }
}

/// Makes the case with this number. The same numbers give the same case.
pub fn make(seed: u64, number: u64, languages: &[Language], sizes: Sizes) -> Case {
    let mut choices = Choices::new(seed, number);
    let language = choices.pick(languages);
    let wants = choices.weighted(&[(4, (true, false)), (4, (false, true)), (3, (true, true))]);
    let mut case = if choices.percent(sizes.twins) {
        Case::of_twins(&twins::make(language, seed, number))
    } else if choices.percent(sizes.loops) {
        let overflow_fails = language == Language::C && choices.percent(15);
        let tree = generate::generate_loops(&mut choices, language == Language::Java, overflow_fails);
        from_tree(&mut choices, language, tree, wants, true)
    } else if choices.percent(78) {
        let overflow_fails = language == Language::C && choices.percent(20);
        let is_java = language == Language::Java;
        let tree = generate::generate(&mut choices, is_java, overflow_fails, sizes.statements);
        from_tree(&mut choices, language, tree, wants, false)
    } else {
        from_text(&mut choices, language, seed, number, sizes.statements, wants)
    };
    if choices.percent(50) {
        case.texts = Pair::new(case.texts.new, case.texts.old);
    }
    if choices.percent(sizes.clients) {
        clients::add(&mut case, &mut choices);
    }
    case
}

fn from_tree(
    choices: &mut Choices,
    language: Language,
    mut tree: Tree,
    wants: (bool, bool),
    mostly_loops: bool,
) -> Case {
    let overflow_fails = tree.overflow_fails;
    let mut chain = vec![print::print(&tree)];
    let (mut rewrites, mut mutations) = (Vec::new(), Vec::new());
    let count = if wants.0 { choices.between(1, 4) } else { 0 };
    let mutate_before = choices.below(count + 1);
    for step in 0..=count {
        if wants.1 && step == mutate_before {
            mutations.extend(mutate::apply_one(&mut tree, choices, mostly_loops));
            chain.push(print::print(&tree));
        }
        if step < count {
            rewrites.extend(rewrite::apply_one(&mut tree, choices, mostly_loops));
            chain.push(print::print(&tree));
        }
    }
    let texts = Pair::new(chain[0].clone(), chain[chain.len() - 1].clone());
    Case { language, overflow_fails, entry: "entry".to_owned(), texts, chain, rewrites, mutations }
}

/// From a program of the oracle's generator, which uses much more of the language.
fn from_text(
    choices: &mut Choices,
    language: Language,
    seed: u64,
    number: u64,
    size: usize,
    wants: (bool, bool),
) -> Case {
    let sizes = [1, size.div_ceil(2), size];
    let program = match language {
        Language::Java => java_generator::generate_sized(seed, number, &sizes),
        Language::C => c_generator::generate_sized(seed, number, &sizes),
    };
    let mut chain = vec![program.text.clone()];
    let mut text = program.text;
    let (mut rewrites, mut mutations) = (Vec::new(), Vec::new());
    if wants.1 {
        mutations.extend(text_changes::mutate(&mut text, choices));
        chain.push(text.clone());
    }
    for _ in 0..if wants.0 { choices.between(1, 3) } else { 0 } {
        rewrites.extend(text_changes::rewrite(&mut text, language, choices));
        chain.push(text.clone());
    }
    let texts = Pair::new(chain[0].clone(), text);
    Case { language, overflow_fails: false, entry: program.entry, texts, chain, rewrites, mutations }
}

/// Lowers both versions, by the way that `selfsame check` takes.
pub fn lower(case: &Case) -> Result<Lowered, Refusal> {
    let sources = |text: &String| {
        let (name, text) = match case.language {
            Language::Java => ("Case.java", text.clone()),
            Language::C => ("case.c", format!("{}{text}", declarations(text))),
        };
        Sources { files: vec![Source::new(name, text)], tolerant: false }
    };
    let unit = Unit { language: case.language, old: sources(&case.texts.old), new: sources(&case.texts.new) };
    let options = Options { overflow_undefined: case.overflow_fails, ..Options::usual() };
    let opened = catch_unwind(AssertUnwindSafe(|| cli::open(Job { units: vec![unit], options })));
    let session = match opened {
        Err(payload) => return Err(Refusal::Broken(super::panics::message(&*payload))),
        Ok(Err(errors)) => return Err(Refusal::Complaint(errors.first().cloned().unwrap_or_default())),
        Ok(Ok(session)) => session,
    };
    let is_start_up = |index: &usize| session.subjects(*index).new.procedure().is_start_up();
    let start_up: Vec<usize> = (0..session.pairs()).filter(is_start_up).collect();
    let is_entry = |procedure: &ir::Procedure| procedure.short_name == case.entry && procedure.body.is_some();
    let entry = (0..session.pairs())
        .find(|index| {
            is_entry(session.subjects(*index).old.procedure())
                && is_entry(session.subjects(*index).new.procedure())
        })
        .ok_or_else(|| Refusal::Complaint("a lowered program has no entry".to_owned()))?;
    let programs = session.subjects(entry).map(|subject| subject.program);
    for program in [programs.old, programs.new] {
        if let Some(invalid) = ir::validate(program).err().and_then(|all| all.into_iter().next()) {
            return Err(Refusal::Broken(format!("invalid: {invalid:?}")));
        }
    }
    Ok(Lowered { session, entry, start_up })
}

/// The library's functions that a text names. Models of others would be read for nothing.
fn declarations(text: &str) -> String {
    let words: BTreeSet<&str> = tokens(text, true).into_iter().map(|token| &text[token.place]).collect();
    let is_named = |line: &&str| line.split(['(', '*', ' ']).any(|word| words.contains(word));
    let is_function = |line: &&str| line.contains('(');
    PRELUDE
        .lines()
        .filter(|line| !is_function(line) || is_named(&line.split('(').next().unwrap_or(line)))
        .map(|line| format!("{line}\n"))
        .collect()
}

/// Why there is no lowered program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    Complaint(String),
    /// A bug of the front end: a panic, or a program that is not valid.
    Broken(String),
}
