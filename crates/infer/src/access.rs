//! Which fields of Java a condition must not name: those that are private in another class.

use std::collections::BTreeSet;

use crate::words::{is_name, words};

/// The private fields of the top-level classes of a text, each with its class.
fn private_fields(text: &str) -> BTreeSet<(String, String)> {
    let all = words(text);
    let mut found = BTreeSet::new();
    let (mut depth, mut class) = (0_usize, String::new());
    for (at, word) in all.iter().enumerate() {
        match word.text.as_str() {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "class" | "enum" | "record" | "interface" if depth == 0 => {
                class = all.get(at + 1).map(|name| name.text.clone()).unwrap_or_default();
            }
            "private" => {
                // A field ends with `;` or `=`; methods and classes come to a bracket first.
                for (last, next) in all[at + 1..].iter().zip(&all[at + 2..]) {
                    match next.text.as_str() {
                        ";" | "=" | "," if is_name(&last.text) => {
                            found.insert((class.clone(), last.text.clone()));
                        }
                        _ => {}
                    }
                    if matches!(next.text.as_str(), ";" | "=" | "(" | "{") {
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// The names of fields that are private in classes other than that of a procedure, `pkg.Outer.Inner.f(int)`.
pub fn private_elsewhere<'a>(texts: impl Iterator<Item = &'a str>, procedure: &str) -> BTreeSet<String> {
    let name = procedure.split('(').next().unwrap_or(procedure);
    let is_own = |class: &str| name.split('.').any(|part| part == class);
    let all: BTreeSet<(String, String)> = texts.flat_map(private_fields).collect();
    let own: BTreeSet<&String> =
        all.iter().filter(|(class, _)| is_own(class)).map(|(_, field)| field).collect();
    let others = all.iter().filter(|(class, field)| !is_own(class) && !own.contains(field));
    others.map(|(_, field)| field.clone()).collect()
}

/// Whether a text names a member with one of these names.
pub fn names_member(text: &str, members: &BTreeSet<String>) -> bool {
    let all = words(text);
    all.windows(3)
        .any(|three| three[0].text == "." && members.contains(&three[1].text) && three[2].text != "(")
        || matches!(all.as_slice(), [.., dot, last] if dot.text == "." && members.contains(&last.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_fields_of_other_classes_are_refused() {
        let text = "class B { private static int s, t = 4; private int q() { return s; } int open; }\n\
                    class A { private int own; static class In { private int inner; } }";
        let refused = private_elsewhere([text].into_iter(), "A.f(int)");
        assert_eq!(refused.iter().map(String::as_str).collect::<Vec<_>>(), ["s", "t"]);
        assert!(names_member("B.s == 3", &refused) && names_member("x > B.t", &refused));
        assert!(!names_member("s == 3 && b.open > 2 && a.own == 1", &refused));
        assert!(private_elsewhere([text].into_iter(), "pkg.B.get()").contains("own"));
    }
}
