//! The text of the library model: what is written in Java, and what is made from templates.

use super::exceptions::EXCEPTIONS;

const SOURCES: [&str; 4] = [
    include_str!("Numbers.java"),
    include_str!("Math.java"),
    include_str!("Text.java"),
    include_str!("Character.java"),
];

/// Methods that exist once for each primitive type: `ELEMENT` and `BOX` stand for its names.
const FOR_ARRAYS: &str = include_str!("Array.java");
const FOR_SORTING: &str = include_str!("Sort.java");
const FOR_COPYING: &str = include_str!("Copy.java");

/// The primitive types and their boxes, the numbers behind `boolean`.
const PRIMITIVES: [(&str, &str); 8] = [
    ("boolean", "Boolean"),
    ("byte", "Byte"),
    ("short", "Short"),
    ("char", "Character"),
    ("int", "Integer"),
    ("long", "Long"),
    ("float", "Float"),
    ("double", "Double"),
];

/// All of it, a text for each unit.
pub(crate) fn texts() -> Vec<String> {
    let made = [strict_math(), exceptions(), arrays()];
    SOURCES.iter().map(|text| (*text).to_owned()).chain(made).collect()
}

/// `StrictMath` is `Math` with other last digits, and takes every NaN for a positive one.
fn strict_math() -> String {
    let text = include_str!("Math.java").replace("final class Math", "final class StrictMath");
    let text = text.replace("if (b != b) $unsupported(\"the sign of a NaN\");", "");
    let strict = |text: String, function: &ir::Strict| {
        let name = function.function().name();
        text.replace(&format!("${name}("), &format!("$strict_{name}("))
    };
    ir::Strict::ALL.iter().fold(text, strict)
}

/// `java.util.Arrays` and what `java.lang.System` has for arrays.
fn arrays() -> String {
    let each = |template: &str, primitives: &[(&str, &str)]| -> String {
        let one = |(name, boxed): &(&str, &str)| template.replace("ELEMENT", name).replace("BOX", boxed);
        primitives.iter().map(one).collect()
    };
    let numbers = &PRIMITIVES[1..];
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
        each(FOR_ARRAYS, &PRIMITIVES),
        each(FOR_SORTING, numbers),
        each(FOR_COPYING, &PRIMITIVES),
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
