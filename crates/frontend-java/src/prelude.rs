//! The model of the Java library, written in Java: what `java.lang` does, as far as it is modelled.
//!
//! The classes are read like those of the user and lowered only where they are used. Methods whose body is one
//! `return` are put in the place of the call. Names that start with `$` are operations of the IR.
//! Exact where it answers; what it does not answer, it calls `$unsupported`.

use std::sync::OnceLock;

use ir::{FileId, SourceFile};

use crate::syntax::{self, Unit};

const SOURCES: [&str; 4] = [
    include_str!("prelude/Numbers.java"),
    include_str!("prelude/Math.java"),
    include_str!("prelude/Text.java"),
    include_str!("prelude/Character.java"),
];

/// The exceptions of the library with their superclasses, supers first.
const EXCEPTIONS: [(&str, &str, &str); 31] = [
    ("Exception", "Throwable", "java.lang"),
    ("Error", "Throwable", "java.lang"),
    ("RuntimeException", "Exception", "java.lang"),
    ("ArithmeticException", "RuntimeException", "java.lang"),
    ("ArrayStoreException", "RuntimeException", "java.lang"),
    ("ClassCastException", "RuntimeException", "java.lang"),
    ("NullPointerException", "RuntimeException", "java.lang"),
    ("NegativeArraySizeException", "RuntimeException", "java.lang"),
    ("IndexOutOfBoundsException", "RuntimeException", "java.lang"),
    ("ArrayIndexOutOfBoundsException", "IndexOutOfBoundsException", "java.lang"),
    ("StringIndexOutOfBoundsException", "IndexOutOfBoundsException", "java.lang"),
    ("IllegalArgumentException", "RuntimeException", "java.lang"),
    ("NumberFormatException", "IllegalArgumentException", "java.lang"),
    ("IllegalStateException", "RuntimeException", "java.lang"),
    ("UnsupportedOperationException", "RuntimeException", "java.lang"),
    ("CloneNotSupportedException", "Exception", "java.lang"),
    ("InterruptedException", "Exception", "java.lang"),
    ("ReflectiveOperationException", "Exception", "java.lang"),
    ("ClassNotFoundException", "ReflectiveOperationException", "java.lang"),
    ("SecurityException", "RuntimeException", "java.lang"),
    ("AssertionError", "Error", "java.lang"),
    ("VirtualMachineError", "Error", "java.lang"),
    ("StackOverflowError", "VirtualMachineError", "java.lang"),
    ("OutOfMemoryError", "VirtualMachineError", "java.lang"),
    ("IOException", "Exception", "java.io"),
    ("FileNotFoundException", "IOException", "java.io"),
    ("NoSuchElementException", "RuntimeException", "java.util"),
    ("InputMismatchException", "NoSuchElementException", "java.util"),
    ("EmptyStackException", "RuntimeException", "java.util"),
    ("ConcurrentModificationException", "RuntimeException", "java.util"),
    ("TimeoutException", "Exception", "java.util.concurrent"),
];

/// The classes of the library model.
pub(crate) fn units() -> &'static [Unit] {
    static UNITS: OnceLock<Vec<Unit>> = OnceLock::new();
    UNITS.get_or_init(|| {
        let exceptions = exceptions();
        SOURCES.iter().copied().chain([exceptions.as_str()]).map(parse).collect()
    })
}

/// The package of a class of the library model.
pub(crate) fn package_of(class: &str) -> &'static str {
    EXCEPTIONS.iter().find(|(name, _, _)| *name == class).map_or("java.lang", |(_, _, package)| package)
}

fn parse(text: &str) -> Unit {
    let file = SourceFile { name: "the library model".to_owned(), text: text.to_owned() };
    match syntax::parse(&file, FileId(0)) {
        Ok(unit) => unit,
        Err(errors) => unreachable!("the library model should parse: {errors:?}"),
    }
}

fn exceptions() -> String {
    let class = |(name, parent, _): &(&str, &str, &str)| {
        // `AssertionError` takes any value; only texts are modelled.
        format!(
            "class {name} extends {parent} {{ {name}() {{}} {name}(String m) {{ super(m); }} \
             {name}(String m, Throwable c) {{ super(m); }} {name}(Throwable c) {{}} }}\n"
        )
    };
    EXCEPTIONS.iter().map(class).collect()
}
