//! Lowers C to the IR: the exact meaning of C11 (with GNU's common extensions) on x86-64 Linux, LP64.
//!
//! The way through: `source` (text and its lines) -> `parse` (syntax tree, by lang-c) -> `lower` (types, names,
//! statements). What is not modelled becomes an `Unsupported` statement where it stands, so that it costs only the
//! paths that reach it. `docs/soundness-c.md` says what is modelled and what not.

mod attributes;
mod build;
mod bytes;
mod changed;
mod conditions;
mod dialect;
mod effects;
mod gaps;
mod literals;
mod lower;
mod parse;
mod source;
mod tokens;
mod types;
mod views;

pub use gaps::{needs_bytes, seldom_reached};
pub use source::line_marker;
pub use tokens::{clean, tokens};
pub use views::{Overlap, SeenConstant, Viewed, Views, overlap, relies_on_types, seen_constant};

use ir::{Annotations, Diagnostic, Pair, Program};

/// One file after the preprocessor.
#[derive(Clone, Debug)]
pub struct Preprocessed {
    /// The user's file.
    pub name: String,
    /// What `cc -E` wrote, with its line markers; or the file itself, when it needs no preprocessor.
    pub text: String,
    /// Which parts of the text come from macros that say where and when the file is compiled.
    pub macros: Vec<MacroUse>,
}

impl Preprocessed {
    /// A file of whose macros nothing is known.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Preprocessed {
        Preprocessed { name: name.into(), text: text.into(), macros: Vec::new() }
    }
}

/// A token that depends on where or when the file is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MacroUse {
    /// The line of the preprocessed text, counted from 0.
    pub line: usize,
    /// The whole token.
    pub token: String,
    pub what: PlaceMacro,
}

/// The macros whose values are those of a compilation, not of the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlaceMacro {
    Line,
    File,
    Time,
    /// It is not known which tokens of the file depend on which macro.
    Any,
}

/// How to read C where its standard leaves a choice.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Signed overflow is an error outcome. Otherwise it wraps, as with gcc's `-fwrapv`.
    pub overflow_undefined: bool,
    pub memory: MemoryModel,
    /// The program is lowered for mathematical numbers, so that what cells cannot do is not tried with bytes.
    pub mathematical: bool,
}

/// What memory is made of.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum MemoryModel {
    /// A cell for each scalar. Memory that is used with two types is not modelled.
    #[default]
    Cells,
    /// A cell for each byte, and one for each pointer. For machine numbers only.
    Bytes,
}

/// The stacks to try, in bytes: the first is enough for the deepest text that is accepted, the last for what people
/// write. A text that is too deep for the stack ends the process, which costs its pairs and nothing else.
const STACKS: [usize; 3] = [512 << 20, 64 << 20, 16 << 20];

/// A program, and how its procedures look at memory.
#[derive(Clone, Debug)]
pub struct Lowered {
    pub program: Program,
    pub views: Views,
}

/// Lowers one or several translation units that belong together into one program.
pub fn lower(files: &[Preprocessed], options: &Options) -> Result<Program, Vec<Diagnostic>> {
    let mut results = on_a_deep_stack(&[(files, Annotations::default())], options);
    results.pop().unwrap_or_else(|| Err(Vec::new())).map(|lowered| lowered.program)
}

/// Lowers both versions of a program.
///
/// What either version does to a variable or a type of object counts for both: a variable that only the new version
/// writes, or whose address only it takes, is no constant of the old one, and lives in memory in both.
pub fn lower_versions(
    files: Pair<&[Preprocessed]>,
    options: &Options,
) -> Pair<Result<Lowered, Vec<Diagnostic>>> {
    lower_annotated(files, Pair::new(Annotations::default(), Annotations::default()), options)
}

/// The same, with a procedure for each condition on the inputs of a function (`ir::condition_name`) and for each promise
/// about its end (`ir::postcondition_name`). What does not parse is a condition that is not modelled.
pub fn lower_annotated(
    files: Pair<&[Preprocessed]>,
    annotations: Pair<Annotations<'_>>,
    options: &Options,
) -> Pair<Result<Lowered, Vec<Diagnostic>>> {
    let versions = [(files.old, annotations.old), (files.new, annotations.new)];
    let mut results = on_a_deep_stack(&versions, options);
    let new = results.pop().unwrap_or_else(|| Err(Vec::new()));
    let old = results.pop().unwrap_or_else(|| Err(Vec::new()));
    Pair { old, new }
}

/// The texts of the functions that files define, after the preprocessor, with their places.
pub fn function_texts(files: &[Preprocessed]) -> Vec<(ir::Span, String)> {
    conditions::function_texts(files)
}

/// What is wrong with a condition before it is parsed.
pub fn condition_error(text: &str) -> Option<Diagnostic> {
    conditions::error(text)
}

/// The files of a version, and what is said of its functions.
type Version<'a> = (&'a [Preprocessed], Annotations<'a>);

fn on_a_deep_stack(versions: &[Version<'_>], options: &Options) -> Vec<Result<Lowered, Vec<Diagnostic>>> {
    std::thread::scope(|scope| {
        let start = |stack: usize| {
            let builder = std::thread::Builder::new().stack_size(stack);
            builder.spawn_scoped(scope, || lower::lower(versions, options))
        };
        let [largest, smaller @ ..] = STACKS;
        // Little memory is no reason to give up.
        let worker = smaller.iter().fold(start(largest), |started, stack| started.or_else(|_| start(*stack)));
        match worker.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(results)) => results,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => versions.iter().map(|(files, _)| Err(vec![no_memory(files, &error)])).collect(),
        }
    })
}

fn no_memory(files: &[Preprocessed], error: &std::io::Error) -> Diagnostic {
    Diagnostic {
        file: files.first().map(|file| file.name.clone()).unwrap_or_default(),
        line: 0,
        column: 0,
        message: format!("no memory for the front end: {error}"),
        help: None,
    }
}

/// Arguments for the system's C preprocessor that make its output parse.
///
/// The macros keep glibc's headers from replacing functions by code of their own, such as table look-ups for
/// `isalpha`.
pub fn preprocessor_args() -> &'static [&'static str] {
    &["-E", "-std=gnu11", "-U_FORTIFY_SOURCE", "-U__OPTIMIZE__", "-D__NO_CTYPE", "-D__NO_INLINE__"]
}

/// Whether a text must go through the preprocessor: it has a directive, a continued line or a trigraph,
/// or uses a macro that every compiler defines.
pub fn needs_preprocessor(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with(['#', '%']))
        || ["\\\n", "\\\r\n", "??", "_Pragma"].iter().any(|mark| text.contains(mark))
        || tokens(text).any(|(_, word)| is_like_a_macro(word))
}

/// Names that look like macros of the compiler, `__LINE__` and `__x86_64__`, and are no words of the language.
fn is_like_a_macro(word: &str) -> bool {
    let words = [
        "__alignof__",
        "__asm__",
        "__attribute__",
        "__complex__",
        "__const__",
        "__extension__",
        "__func__",
        "__FUNCTION__",
        "__imag__",
        "__inline__",
        "__label__",
        "__PRETTY_FUNCTION__",
        "__real__",
        "__restrict__",
        "__signed__",
        "__thread__",
        "__typeof__",
        "__volatile__",
    ];
    let looks_so =
        word.len() > 4 && word.starts_with("__") && (word.ends_with("__") || word.starts_with("__STDC"));
    looks_so && !words.contains(&word)
}
