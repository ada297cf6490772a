//! The model of the Java library, written in Java: what `java.lang` does, as far as it is modelled.
//!
//! The classes are read like those of the user and lowered only where they are used. Methods whose body is one
//! `return` are put in the place of the call. Names that start with `$` are operations of the IR.
//! Exact where it answers; what it does not answer, it calls `$unsupported`.

use std::sync::OnceLock;

use ir::{FileId, SourceFile};

use crate::syntax::{self, Primitive, Unit};

const SOURCES: [&str; 4] = [
    include_str!("prelude/Numbers.java"),
    include_str!("prelude/Math.java"),
    include_str!("prelude/Text.java"),
    include_str!("prelude/Character.java"),
];

/// Methods that exist once for each primitive type: `ELEMENT` and `BOX` stand for its names.
const FOR_ARRAYS: &str = include_str!("prelude/Array.java");
const FOR_SORTING: &str = include_str!("prelude/Sort.java");
const FOR_COPYING: &str = include_str!("prelude/Copy.java");

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
        let strict = strict_math();
        let made = [strict, exceptions(), arrays()];
        SOURCES.iter().copied().chain(made.iter().map(String::as_str)).map(parse).collect()
    })
}

/// `StrictMath` is `Math` with other last digits.
fn strict_math() -> String {
    let text = include_str!("prelude/Math.java").replace("final class Math", "final class StrictMath");
    let strict = |text: String, function: &ir::Strict| {
        let name = function.function().name();
        text.replace(&format!("${name}("), &format!("$strict_{name}("))
    };
    ir::Strict::ALL.iter().fold(text, strict)
}

/// The package of a class of the library model.
pub(crate) fn package_of(class: &str) -> &'static str {
    if class == "Arrays" {
        return "java.util";
    }
    EXCEPTIONS.iter().find(|(name, _, _)| *name == class).map_or("java.lang", |(_, _, package)| package)
}

fn parse(text: &str) -> Unit {
    let file = SourceFile { name: "the library model".to_owned(), text: text.to_owned() };
    match syntax::parse(&file, FileId(0)) {
        Ok(unit) => unit,
        Err(errors) => unreachable!("the library model should parse: {errors:?}"),
    }
}

/// `java.util.Arrays` and what `java.lang.System` has for arrays.
fn arrays() -> String {
    let each = |template: &str, primitives: &[Primitive]| -> String {
        let one = |primitive: &Primitive| {
            template.replace("ELEMENT", primitive.name()).replace("BOX", primitive.box_name())
        };
        primitives.iter().map(one).collect()
    };
    let numbers = &Primitive::ALL[1..];
    format!(
        "final class Arrays {{
            private static void $check_range(int length, int from, int to) {{
                if (from > to) throw new IllegalArgumentException();
                if (from < 0 || to > length) throw new ArrayIndexOutOfBoundsException();
            }}
            {}{}
        }}
        final class System {{
            static long nanoTime() {{ return $nano_time(); }}
            static long currentTimeMillis() {{ return $current_time(); }}
            static int identityHashCode(Object o) {{ $unsupported(\"an identity hash code\"); return 0; }}
            static void gc() {{}}
            {}
        }}",
        each(FOR_ARRAYS, &Primitive::ALL),
        each(FOR_SORTING, numbers),
        each(FOR_COPYING, &Primitive::ALL),
    )
}

fn exceptions() -> String {
    let class = |(name, parent, _): &(&str, &str, &str)| {
        // `AssertionError` takes any value; only texts are modelled.
        format!(
            "class {name} extends {parent} {{ {name}() {{}} {name}(String m) {{ super(m); }} \
             {name}(String m, Throwable c) {{ super(m); }} {name}(Throwable c) {{ super(c); }} }}\n"
        )
    };
    EXCEPTIONS.iter().map(class).collect()
}
