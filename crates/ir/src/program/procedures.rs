//! The procedures of a program, and who calls whom among them: found once, forgotten when a procedure changes.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, OnceLock};

use super::Procedure;
use super::call_graph::CallGraph;
use crate::walk::count_steps;

/// A list of procedures that knows its call graph. Whoever changes the list gets at it through a mutable borrow, which
/// drops the graph, so that the graph is always that of the list.
#[derive(Default)]
pub struct Procedures {
    list: Vec<Procedure>,
    calls: OnceLock<Arc<CallGraph>>,
}

impl Procedures {
    pub(crate) fn calls(&self) -> &CallGraph {
        self.calls.get_or_init(|| Arc::new(CallGraph::of(&self.list)))
    }
}

impl Clone for Procedures {
    fn clone(&self) -> Procedures {
        count_steps(self.list.len());
        Procedures { list: self.list.clone(), calls: self.calls.clone() }
    }
}

impl Deref for Procedures {
    type Target = Vec<Procedure>;

    fn deref(&self) -> &Vec<Procedure> {
        &self.list
    }
}

impl DerefMut for Procedures {
    fn deref_mut(&mut self) -> &mut Vec<Procedure> {
        self.calls = OnceLock::new();
        &mut self.list
    }
}

impl PartialEq for Procedures {
    fn eq(&self, other: &Procedures) -> bool {
        self.list == other.list
    }
}

impl std::fmt::Debug for Procedures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.list.fmt(f)
    }
}

impl From<Vec<Procedure>> for Procedures {
    fn from(list: Vec<Procedure>) -> Procedures {
        Procedures { list, calls: OnceLock::new() }
    }
}

impl IntoIterator for Procedures {
    type Item = Procedure;
    type IntoIter = std::vec::IntoIter<Procedure>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'a> IntoIterator for &'a Procedures {
    type Item = &'a Procedure;
    type IntoIter = std::slice::Iter<'a, Procedure>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

impl<'a> IntoIterator for &'a mut Procedures {
    type Item = &'a mut Procedure;
    type IntoIter = std::slice::IterMut<'a, Procedure>;

    fn into_iter(self) -> Self::IntoIter {
        self.deref_mut().iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use crate::{ProcId, calls_of, is_recursive, read_program};

    #[test]
    fn a_changed_procedure_has_other_callees() {
        let text = "program c proc f() { call g() } proc g() { call f() }";
        let mut program = read_program(text).unwrap();
        assert!(is_recursive(&program, ProcId(0)));
        let copy = program.clone();
        program.procedures[1].body = Some(Vec::new());
        assert!(!is_recursive(&program, ProcId(0)));
        assert!(calls_of(&program, ProcId(1)).is_empty());
        assert!(is_recursive(&copy, ProcId(0)));
    }
}
