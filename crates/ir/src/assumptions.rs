//! What verdicts take for granted, in words, and of what kind each of these is.

/// That a reference leads to an object of a class whose source is given.
pub const CLOSED_WORLD: &str = "objects are of the classes that the program defines";

/// That nobody sees which of two texts came first if they go to different streams.
pub const STREAMS_APART: &str =
    "the order between what goes to the standard output and what goes to the error output does not matter";

/// Where C leaves the order of evaluation open, and another order could do something else.
pub const LEFT_TO_RIGHT: &str =
    "operands and arguments are evaluated from left to right where C leaves their order open";

/// That unknown code is the same in both versions, whatever it calls back.
pub const UNKNOWN_CODE_APART: &str =
    "code whose source is not there runs no code of the program that changed";

/// That a run gets from a call of unknown code to where it is undefined.
pub const UNKNOWN_CODE_RETURNS: &str =
    "code whose source is not there returns, where the old version is undefined after its call";

/// That a pointer to the end of an object is no pointer to another one.
pub const ENDS_APART: &str = "no object begins where another one ends";

/// That a pointer into one string literal is no pointer into another one.
pub const TEXTS_APART: &str = "no string literal is the end of another one in memory";

/// That a class that is not given belongs to the Java library.
pub const IN_LIBRARY: &str = "is the class of the Java library";

/// That a pointer that was made a number is none to unknown code.
pub const NUMBERS_ARE_NO_POINTERS: &str = "code whose source is not there makes no pointers of numbers";

/// That what is cast from `void *` was such an object before.
pub const VOID_POINTERS: &str = "what a `void *` of the input leads to has the type that it is cast to";

/// What the functions of `<ctype.h>` give, where the standard says less or nothing.
pub const CHARACTER_TABLES: &str =
    "the functions of <ctype.h> give the numbers of glibc's \"C\" locale, and 0 for what is no character";

/// That assertions of Java are checked.
pub const ASSERTIONS_IN_JAVA: &str = "assertions are enabled (`java -ea`)";

/// That assertions of C are checked.
pub const ASSERTIONS_IN_C: &str = "`assert` is checked: `NDEBUG` is not defined";

/// That the names of files which the code contains do not depend on where the versions lie.
pub const SAME_FILE_NAMES: &str =
    "`__FILE__` is the same in both versions of a file, wherever they are compiled";

/// That the numbers of lines which the code contains do not depend on what else stands in the file.
pub const SAME_LINES: &str = "`__LINE__` is the same in both versions on lines that go together";

/// That both versions are compiled at once.
pub const SAME_TIME: &str = "`__DATE__`, `__TIME__` and `__TIMESTAMP__` are the same in both versions";

/// That the macros of a file in which they decide what is compiled have the values of this run.
pub const SAME_COMPILATION: &str =
    "the versions are compiled where they lie: directives depend on `__FILE__`, `__LINE__` or the like";

/// Whether an assumption is about where and when the versions are compiled.
pub fn is_about_compilation(assumption: &str) -> bool {
    [SAME_FILE_NAMES, SAME_LINES, SAME_TIME, SAME_COMPILATION].contains(&assumption)
}

/// Phrases that occur in assumptions, each with the kind of those that have it.
const KINDS: &[(&str, &str)] = &[
    (CLOSED_WORLD, "closed_world"),
    (SAME_FILE_NAMES, "compilation"),
    (SAME_LINES, "compilation"),
    (SAME_TIME, "compilation"),
    (SAME_COMPILATION, "compilation"),
    ("the files are compiled under other names", "compilation"),
    (NUMBERS_ARE_NO_POINTERS, "addresses"),
    ("source is not there", "unknown_code"),
    ("is unknown: taken as", "unknown_code"),
    ("only inputs that meet the condition", "condition"),
    ("pointers in the inputs", "inputs"),
    ("`this` is not null", "inputs"),
    ("the argument `", "inputs"),
    ("are not among the inputs", "inputs"),
    ("is initialised before", "inputs"),
    ("were made by the constructors of their classes", "inputs"),
    ("was made with its declared element type", "array_store"),
    ("never fails", "allocation"),
    ("read as 0", "uninitialised"),
    ("reads as 0", "uninitialised"),
    ("is the same pointer in both versions until", "uninitialised"),
    ("returns 0", "uninitialised"),
    (STREAMS_APART, "streams"),
    ("stack trace", "streams"),
    (LEFT_TO_RIGHT, "evaluation_order"),
    (ASSERTIONS_IN_JAVA, "assertions"),
    (ASSERTIONS_IN_C, "assertions"),
    ("as glibc has it", "library"),
    ("<ctype.h>", "library"),
    (IN_LIBRARY, "library"),
    ("no object has more than", "object_size"),
    ("order in memory", "addresses"),
    (ENDS_APART, "addresses"),
    (TEXTS_APART, "addresses"),
    (VOID_POINTERS, "inputs"),
    ("strict aliasing", "aliasing"),
    ("(`restrict`)", "aliasing"),
    ("pointers of the inputs do not lead", "inputs"),
    ("NaNs have the same bytes", "numbers"),
    ("is an input of the", "changed_struct"),
    ("which stand in another order, go by their names", "changed_struct"),
    ("in the new one", "renaming"),
];

/// The kind of an assumption, for programs that read reports; `model` for those that are about nothing else.
pub fn assumption_kind(text: &str) -> &'static str {
    if text.contains("out of stack") {
        return "stack";
    }
    KINDS.iter().find(|(phrase, _)| text.contains(phrase)).map_or("model", |(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assumption_has_the_kind_of_what_it_is_about() {
        assert_eq!(assumption_kind(CLOSED_WORLD), "closed_world");
        assert_eq!(
            assumption_kind("`malloc` never fails, and sizes of memory do not overflow"),
            "allocation"
        );
        assert_eq!(assumption_kind("`x` reads as 0 until it is assigned"), "uninitialised");
        assert_eq!(assumption_kind("something new"), "model");
    }
}
