//! Gives what two versions have in common the same names, where a class was renamed.
//!
//! ```text
//! old: class oldV { static int n; … }      new: class newV { static int n; … }
//! ```
//!
//! `oldV.n` and `newV.n` are one input of both versions, not two: comparing them as two would separate versions that
//! are the same.

use ir::{Pair, Program};

/// Writes the new class names into the tables of the old version: globals, regions, shapes, static objects and errors.
/// Procedures keep their names, by which people know them.
pub fn use_new_class_names(old: &mut Program, renamed: &[Pair<String>]) {
    let rename = |name: &mut String| *name = new_class_name(name, renamed);
    old.globals.iter_mut().for_each(|global| rename(&mut global.name));
    old.regions.iter_mut().for_each(|region| rename(&mut region.name));
    old.shapes.iter_mut().for_each(|shape| rename(&mut shape.name));
    old.statics.iter_mut().for_each(|object| rename(&mut object.name));
    old.errors.iter_mut().for_each(rename);
}

/// What a class, an array of it, or something inside of it is called in the new version.
pub fn new_class_name(name: &str, renamed: &[Pair<String>]) -> String {
    for classes in renamed {
        if let Some(rest) = name.strip_prefix(classes.old.as_str())
            && (rest.is_empty() || rest.starts_with(['.', '$', '[']))
        {
            return format!("{}{rest}", classes.new);
        }
    }
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_inside_of_a_renamed_class_follow_it() {
        let renamed = [Pair::new("A".to_owned(), "B".to_owned())];
        for (old, new) in
            [("A", "B"), ("A.x", "B.x"), ("A[]", "B[]"), ("A$C.y", "B$C.y"), ("Ab.x", "Ab.x"), ("C", "C")]
        {
            assert_eq!(new_class_name(old, &renamed), new);
        }
    }

    #[test]
    fn tables_are_renamed_and_procedures_are_not() {
        let mut program =
            ir::read_program("program java\nerror A\nregion A.f: i32\nshape A: fields(A.f)\nglobal A.n: i32 = 0\nproc A.f as f() {}")
                .unwrap();
        use_new_class_names(&mut program, &[Pair::new("A".to_owned(), "B".to_owned())]);
        assert_eq!(
            ir::print(&program).split_whitespace().collect::<Vec<_>>().join(" "),
            "program java error B region B.f: i32 shape B: fields(B.f) global B.n: i32 = 0 proc A.f as f() { }"
        );
    }
}
