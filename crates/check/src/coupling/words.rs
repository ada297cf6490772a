//! The relations that a proof found, in the names of the source.

use std::collections::BTreeMap;

use ir::{Pair, Side};
use smt::Term;
use symbolic::{Element, LoopShape, StatePlace};

use super::Coupling;

/// Relations beyond this are left out.
const MOST_RELATIONS: usize = 6;

impl Coupling<'_> {
    /// For each loop the relations that hold before every iteration, those between the versions first.
    pub(super) fn in_words(&mut self, shapes: &[Pair<Option<LoopShape<'_>>>]) -> Vec<Vec<String>> {
        (0..self.loops.len())
            .map(|place| {
                let shape = self.loops[place].shape(shapes);
                let names = self.names(place, shape);
                let relations = self.loops[place].relations.clone();
                let mut words: Vec<String> = relations
                    .into_iter()
                    .map(|relation| {
                        let named = self.terms.substitute(relation, &names);
                        readable(&self.terms.print(named))
                    })
                    // Names of ours, and what takes several lines, tell a reader nothing.
                    .filter(|text| !text.contains(['\n', '$']) && !text.contains(".exit"))
                    .collect();
                // What relates the versions comes first.
                let relates = |text: &str| text.contains("old.") && text.contains("new.");
                words.sort_by_key(|text| (!relates(text), text.len(), text.clone()));
                words.dedup();
                words.truncate(MOST_RELATIONS);
                words
            })
            .collect()
    }

    /// Variables with the names of the source: `old.i` and `new.i` for what the loops change, `n` for inputs.
    fn names(&mut self, place: usize, shape: Pair<Option<&LoopShape<'_>>>) -> BTreeMap<Term, Term> {
        let mut names = BTreeMap::new();
        for side in [Side::Old, Side::New] {
            let Some(shape) = shape.get(side) else { continue };
            let iteration = self.loops[place].iterations.get(side).clone();
            for (variable, element) in iteration.before.iter().zip(&iteration.elements) {
                if self.is_state(*variable) {
                    let name = format!("{}.{}", side.name(), element_name(shape, element));
                    let sort = self.terms.sort_of(*variable).clone();
                    names.insert(*variable, self.terms.var(&name, &sort));
                }
            }
        }
        let relations = self.loops[place].relations.clone();
        for relation in relations {
            for variable in self.terms.variables(relation) {
                let Some(name) = self.terms.name(variable).and_then(|name| name.strip_prefix("arg.")) else {
                    continue;
                };
                let name = name.to_owned();
                let sort = self.terms.sort_of(variable).clone();
                let named = self.terms.var(&name, &sort);
                names.entry(variable).or_insert(named);
            }
        }
        names
    }
}

fn element_name(shape: &LoopShape<'_>, element: &Element) -> String {
    let name = match element.place {
        StatePlace::Local(local) => shape.program.procedure(shape.procedure).local(local).name.clone(),
        StatePlace::Global(global) => shape.program.global(global).name.clone(),
        StatePlace::Region(region) => format!("all {}", shape.program.region(region).name),
        StatePlace::World => "the outside world".to_owned(),
    };
    // The second part of a pointer is its offset.
    if element.leaf == 0 { name } else { format!("{name}.{}", element.leaf) }
}

/// `x >= 0` for `!(x <= -1)`.
fn readable(relation: &str) -> String {
    let inside = relation.strip_prefix("!(").and_then(|rest| rest.strip_suffix(')'));
    if let Some(value) = inside.and_then(|inside| inside.strip_suffix(" <= -1")) {
        return format!("{value} >= 0");
    }
    match inside.and_then(|inside| inside.strip_suffix(" <= 0")) {
        Some(value) => format!("{value} > 0"),
        None => relation.to_owned(),
    }
}
