//! Functions that run before or after `main`: where only one version runs one, the other one does nothing instead.
//!
//! Exact for what the function does by itself; the order among several of them is not compared.

use std::collections::{BTreeMap, BTreeSet};

use ir::{Pair, ProcId, Procedure, Program, Span, Stmt, StmtKind};

use super::Lowerer;

/// The procedures that run by themselves, by what the pair is called.
pub(super) type StartUps = BTreeMap<String, ProcId>;

impl Lowerer<'_> {
    pub(super) fn procedures_of_start_up(&self) -> StartUps {
        let procedure = |name: &String| {
            let of_name = |key: &&String| *key == name || key.rsplit(':').next() == Some(name);
            let key = self.functions.keys().find(of_name)?;
            self.functions[key].proc.filter(|id| self.program.procedure(*id).body.is_some())
        };
        let found = self
            .start_ups
            .iter()
            .filter_map(|(when, name)| Some((format!("<{when} {name}>"), procedure(name)?)));
        found.collect()
    }
}

/// Gives both versions a procedure for each function that only one of them runs by itself.
pub(super) fn pair_up(programs: Pair<&mut Program>, start_ups: Pair<&StartUps>) {
    let names: BTreeSet<&String> = start_ups.old.keys().chain(start_ups.new.keys()).collect();
    let Pair { old, new } = programs;
    for name in names {
        let called = start_ups.map(|version| version.get(name).copied());
        if called.old.is_some() != called.new.is_some() {
            add(old, name, called.old);
            add(new, name, called.new);
        }
    }
}

fn add(program: &mut Program, name: &str, callee: Option<ProcId>) {
    let span = callee.map_or(Span::NOWHERE, |callee| program.procedure(callee).span);
    let call = |callee| Stmt { kind: StmtKind::Call { local: None, callee, args: Vec::new() }, span };
    program.procedures.push(Procedure {
        name: name.to_owned(),
        short_name: name.to_owned(),
        params: 0,
        locals: Vec::new(),
        result: None,
        body: Some(callee.map(call).into_iter().collect()),
        external: ir::External::default(),
        span,
        assumptions: Vec::new(),
    });
}
