//! Guesses which classes were renamed between two versions.

use std::collections::{BTreeMap, BTreeSet};

use ir::{Pair, Procedure, Program, Side};

use crate::signature::{is_matched_at_all, signature};

/// How much two classes have in common: methods of the same short name and types first, then those of the same short
/// name alone.
type Likeness = (usize, usize);

/// The classes that have another name in the new version, sorted by the old name. A class that is only in the old
/// version and one that is only in the new one belong together if each is more like the other than like any third.
pub fn renamed_classes(programs: Pair<&Program>) -> Vec<Pair<String>> {
    let classes = programs.map(classes);
    let gone: Vec<&String> = classes.old.difference(&classes.new).collect();
    let added: Vec<&String> = classes.new.difference(&classes.old).collect();
    let mut alike: BTreeMap<Pair<&String>, Likeness> = BTreeMap::new();
    for old in &gone {
        for new in &added {
            let likeness = likeness(programs, Pair::new(old, new));
            if likeness > (0, 0) {
                alike.insert(Pair::new(old, new), likeness);
            }
        }
    }
    let is_best = |pair: &Pair<&String>, side: Side| {
        let rivals = alike.iter().filter(|(other, _)| other.get(side) == pair.get(side) && *other != pair);
        rivals.map(|(_, likeness)| *likeness).max().unwrap_or((0, 0)) < alike[pair]
    };
    let mutual = alike.keys().filter(|pair| is_best(pair, Side::Old) && is_best(pair, Side::New));
    mutual.map(|pair| pair.map(String::clone)).collect()
}

fn classes(program: &Program) -> BTreeSet<String> {
    program.procedures.iter().filter_map(Procedure::class).map(str::to_owned).collect()
}

fn likeness(programs: Pair<&Program>, classes: Pair<&String>) -> Likeness {
    let renaming = [classes.map(String::clone)];
    let methods = |program: &Program, class: &str, renaming: &[Pair<String>]| -> BTreeSet<(String, String)> {
        let of_class = program.procedures.iter().filter(|procedure| procedure.class() == Some(class));
        of_class
            .filter(|procedure| is_matched_at_all(procedure) && !procedure.is_start_up())
            .map(|procedure| (procedure.short_name.clone(), signature(program, procedure, renaming)))
            .collect()
    };
    let old = methods(programs.old, classes.old, &renaming);
    let new = methods(programs.new, classes.new, &[]);
    let short_names = |methods: &BTreeSet<(String, String)>| -> BTreeSet<String> {
        methods.iter().map(|(short_name, _)| short_name.clone()).collect()
    };
    (old.intersection(&new).count(), short_names(&old).intersection(&short_names(&new)).count())
}
