//! The relations that a proof found, in the names of the source.

use std::collections::BTreeMap;

use ir::{Pair, Side};
use smt::{Op, Term};
use symbolic::{Element, LoopShape, StatePlace};

use crate::LoopProduct;

/// Relations beyond this are left out.
const MOST_RELATIONS: usize = 6;

impl LoopProduct<'_> {
    /// For each loop the relations that hold before every iteration, those between the versions first.
    pub(crate) fn in_words(&mut self, shapes: &[Pair<Option<LoopShape<'_>>>]) -> Vec<Vec<String>> {
        (0..self.loops.len())
            .map(|place| {
                let names = self.names(place, shapes);
                let relations = self.loops[place].invariants.clone();
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
    fn names(&mut self, place: usize, shapes: &[Pair<Option<LoopShape<'_>>>]) -> BTreeMap<Term, Term> {
        let mut names = BTreeMap::new();
        for side in [Side::Old, Side::New] {
            let Some(shape) = *self.loops[place].shape(shapes).get(side) else { continue };
            let iteration = self.loops[place].iterations.get(side).clone();
            self.name_all(&mut names, &iteration.before, &iteration.elements, shape, side.name());
        }
        self.name_what_is_around(place, shapes, &mut names);
        let relations = self.loops[place].invariants.clone();
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

    /// `outer old.i` for the states of loops around, `final old.i` for what loops that ended before have left behind.
    fn name_what_is_around(
        &mut self,
        place: usize,
        shapes: &[Pair<Option<LoopShape<'_>>>],
        names: &mut BTreeMap<Term, Term>,
    ) {
        let mut inner = place;
        loop {
            let parent = self.loops[inner].parent;
            let ended: Vec<usize> = (0..inner).filter(|it| self.loops[*it].parent == parent).collect();
            for side in [Side::Old, Side::New] {
                for &other in ended.iter().chain(&parent) {
                    let coupled = &self.loops[other];
                    let Some(shape) = *coupled.shape(shapes).get(side) else { continue };
                    let (iteration, loop_use) =
                        (coupled.iterations.get(side).clone(), coupled.uses.get(side).clone());
                    let (word, terms) = match Some(other) == parent {
                        true => ("outer", &iteration.before),
                        false => ("final", &loop_use.exit),
                    };
                    let prefix = format!("{word} {}", side.name());
                    self.name_all(names, terms, &iteration.elements, shape, &prefix);
                }
            }
            match parent {
                Some(parent) => inner = parent,
                None => return,
            }
        }
    }

    /// Whether a term is a symbol of what a loop leaves behind.
    fn is_left_behind(&self, term: Term) -> bool {
        let uses = self.loops.iter().flat_map(|it| [&it.uses.old, &it.uses.new]);
        uses.into_iter().any(|loop_use| loop_use.exit.contains(&term))
    }

    /// Names variables after the parts of a state that they stand for.
    fn name_all(
        &mut self,
        names: &mut BTreeMap<Term, Term>,
        variables: &[Term],
        elements: &[Element],
        shape: &LoopShape<'_>,
        prefix: &str,
    ) {
        for (variable, element) in variables.iter().zip(elements) {
            // What a loop does not change is a term that has its names already.
            let is_exit = self.is_left_behind(*variable);
            if matches!(self.terms.op(*variable), Op::Var(_)) && (is_exit || self.is_state(*variable)) {
                let name = format!("{prefix}.{}", element_name(shape, element));
                let sort = self.terms.sort_of(*variable).clone();
                let named = self.terms.var(&name, &sort);
                names.entry(*variable).or_insert(named);
            }
        }
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
    let inside = inside.filter(|inside| is_balanced(inside));
    if let Some(value) = inside.and_then(|inside| inside.strip_suffix(" <= -1")) {
        return format!("{value} >= 0");
    }
    match inside.and_then(|inside| inside.strip_suffix(" <= 0")) {
        Some(value) => format!("{value} > 0"),
        None => relation.to_owned(),
    }
}

/// Whether every parenthesis has its partner inside the text.
fn is_balanced(text: &str) -> bool {
    let mut open = 0;
    for character in text.chars() {
        match character {
            '(' => open += 1,
            ')' if open == 0 => return false,
            ')' => open -= 1,
            _ => {}
        }
    }
    open == 0
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn only_a_whole_relation_is_turned_round() {
        assert_eq!(readable("!(x <= -1)"), "x >= 0");
        assert_eq!(readable("!((x + y) <= 0)"), "(x + y) > 0");
        assert_eq!(readable("!(x <= 0) || (y <= 0)"), "!(x <= 0) || (y <= 0)");
    }
}
