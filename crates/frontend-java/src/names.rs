//! What classes are called in the program that is made: by their simple names where these are enough to tell the classes
//! of either version apart, else with more in front. Both versions use the same form, so that names correspond.
//!
//! | classes of one version | names |
//! |---|---|
//! | `a.List` | `List` |
//! | `List`, `Map.List` | `List`, `Map.List` |
//! | `a.List`, `b.List` | `a.List`, `b.List` |
//! | `Main` in `x/A.java` and in `x/B.java` | `Main@A`, `Main@B` |

use std::collections::{BTreeMap, BTreeSet};

use crate::classes::Classes;
use crate::syntax::{ClassDecl, Member, Unit};
use crate::types::ClassId;

/// How a class can be told apart from others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Spelling {
    simple: String,
    /// With the names of the outer classes.
    nested: String,
    /// With the package as well.
    pub(crate) qualified: String,
    /// The parts of the file's path, without the ending.
    path: Vec<String>,
}

/// How much of a spelling is needed. Each is more than the one before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Form {
    Simple,
    Nested,
    Qualified,
    /// With so many parts of the path.
    File(usize),
}

/// The forms that simple names need in two versions.
#[derive(Default)]
pub(crate) struct ClassNames {
    forms: BTreeMap<String, Form>,
}

impl Spelling {
    fn in_form(&self, form: Form) -> String {
        match form {
            Form::Simple => self.simple.clone(),
            Form::Nested => self.nested.clone(),
            Form::Qualified => self.qualified.clone(),
            Form::File(parts) => {
                let start = self.path.len().saturating_sub(parts);
                format!("{}@{}", self.qualified, self.path[start..].join("/"))
            }
        }
    }
}

/// The spellings of all classes of a version, outer ones before those in them, in the order of the files.
pub(crate) fn spellings(units: &[Unit], files: &[String]) -> Vec<Spelling> {
    let mut all = Vec::new();
    for (index, unit) in units.iter().enumerate() {
        let file = files.get(index).map_or("", String::as_str);
        let file = file.strip_suffix(".java").unwrap_or(file);
        let path: Vec<String> = file.split(['/', '\\']).map(str::to_owned).collect();
        for class in &unit.classes {
            spell(class, "", &unit.package, &path, &mut all);
        }
    }
    all
}

fn spell(class: &ClassDecl, outer: &str, package: &str, path: &[String], all: &mut Vec<Spelling>) {
    let join = |front: &str, name: &str| match (front, name) {
        ("", name) => name.to_owned(),
        (front, "") => front.to_owned(),
        (front, name) => format!("{front}.{name}"),
    };
    let nested = join(outer, &class.name);
    let qualified = if class.name.is_empty() { String::new() } else { join(package, &nested) };
    let simple = class.name.clone();
    all.push(Spelling { simple, nested: nested.clone(), qualified, path: path.to_vec() });
    for member in &class.members {
        if let Member::Class(inner) = member {
            spell(inner, &nested, package, path, all);
        }
    }
}

impl ClassNames {
    /// The shortest forms in which the classes of each version have different names.
    pub(crate) fn of(versions: &[&[Spelling]]) -> ClassNames {
        let simple: BTreeSet<&String> =
            versions.iter().flat_map(|all| all.iter()).map(|it| &it.simple).collect();
        let longest = versions.iter().flat_map(|all| all.iter()).map(|it| it.path.len()).max().unwrap_or(0);
        let forms = [Form::Simple, Form::Nested, Form::Qualified].into_iter();
        let forms: Vec<Form> = forms.chain((1..=longest).map(Form::File)).collect();
        let needed = |name: &String| {
            let tells_apart = |form: &&Form| {
                versions.iter().all(|all| {
                    let mut seen = BTreeSet::new();
                    all.iter().filter(|it| it.simple == *name).all(|it| seen.insert(it.in_form(**form)))
                })
            };
            forms.iter().find(tells_apart).copied().unwrap_or(Form::File(longest))
        };
        ClassNames { forms: simple.into_iter().map(|name| (name.clone(), needed(name))).collect() }
    }

    /// The names of the classes of a version, in the order of their spellings.
    pub(crate) fn names(&self, all: &[Spelling]) -> Vec<String> {
        let mut taken = BTreeSet::new();
        all.iter()
            .map(|it| {
                let form = self.forms.get(&it.simple).copied().unwrap_or(Form::Simple);
                let name = it.in_form(form);
                let mut unique = name.clone();
                let mut number = 2;
                while !name.is_empty() && !taken.insert(unique.clone()) {
                    unique = format!("{name}#{number}");
                    number += 1;
                }
                unique
            })
            .collect()
    }

    /// Whether a class of either version has this simple name.
    pub(crate) fn has(&self, simple: &str) -> bool {
        self.forms.contains_key(simple)
    }
}

impl Classes<'_> {
    /// Gives all classes their names. A class of the library gets its package in front where either version has a
    /// class of its own with that name.
    pub(crate) fn set_names(&mut self, names: &ClassNames, spellings: &[Spelling]) {
        let mut given = names.names(spellings).into_iter().zip(spellings);
        for index in 0..self.classes.len() {
            let class = &mut self.classes[index];
            if class.is_library {
                if names.has(&class.decl.name) {
                    class.name = class.binary_name.clone();
                }
            } else if let Some((name, spelling)) = given.next() {
                class.name = name;
                class.qualified_name = spelling.qualified.clone();
            }
        }
    }

    /// The full names of the program's classes that are called something else.
    pub(crate) fn full_names(&self) -> BTreeMap<String, String> {
        let all = (0..self.classes.len()).map(|index| self.class(ClassId(index)));
        all.filter(|class| !class.is_library && class.name != class.qualified_name)
            .map(|class| (class.name.clone(), class.qualified_name.clone()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelling(package: &str, nested: &str, file: &str) -> Spelling {
        let simple = nested.rsplit('.').next().unwrap().to_owned();
        let qualified = if package.is_empty() { nested.to_owned() } else { format!("{package}.{nested}") };
        let path = file.split('/').map(str::to_owned).collect();
        Spelling { simple, nested: nested.to_owned(), qualified, path }
    }

    fn names(old: &[Spelling], new: &[Spelling]) -> (String, String) {
        let decided = ClassNames::of(&[old, new]);
        (decided.names(old).join(" "), decided.names(new).join(" "))
    }

    #[test]
    fn a_simple_name_is_enough_where_no_version_has_two() {
        let (old, new) = names(&[spelling("a", "List", "x")], &[spelling("b", "List", "x")]);
        assert_eq!((old.as_str(), new.as_str()), ("List", "List"));
    }

    #[test]
    fn both_versions_use_the_same_form() {
        let list = [spelling("a", "List", "x")];
        let (old, new) = names(&list, &[spelling("a", "List", "x"), spelling("a", "Map.List", "y")]);
        assert_eq!((old.as_str(), new.as_str()), ("List", "List Map.List"));
        let (old, new) = names(&list, &[spelling("a", "List", "x"), spelling("b", "List", "y")]);
        assert_eq!((old.as_str(), new.as_str()), ("a.List", "a.List b.List"));
    }

    #[test]
    fn two_files_with_one_class_are_told_apart_by_their_paths() {
        let both = [spelling("", "Main", "old/a/M"), spelling("", "Main", "old/b/M")];
        let (old, new) = names(&both, &[spelling("", "Main", "new/b/M")]);
        assert_eq!((old.as_str(), new.as_str()), ("Main@a/M Main@b/M", "Main@b/M"));
    }
}
