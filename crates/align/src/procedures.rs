//! Matches procedures by name and signature; what was renamed, by its body.

use std::collections::{BTreeMap, BTreeSet};

use ir::{Pair, ProcId, Procedure, Program};

use crate::classes::renamed_classes;
use crate::rename::new_class_name;
use crate::renamed_procedures::renamed_procedures;
use crate::signature::{is_matched_at_all, signature};

/// Which procedures go together. All lists are in the order of the programs, the old one first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Matching {
    /// The same name (or the same short name in a class that was renamed), parameters and result.
    pub pairs: Vec<Pair<ProcId>>,
    /// The same name, but other parameters or another result.
    pub signature_changed: Vec<Pair<ProcId>>,
    /// The same parameters and result under another name, with bodies that are much alike.
    pub renamed: Vec<Pair<ProcId>>,
    pub only_old: Vec<ProcId>,
    pub only_new: Vec<ProcId>,
    /// The classes that were taken to be renamed.
    pub renamed_classes: Vec<Pair<String>>,
}

/// Matches the procedures of two programs: by full name and signature, then by class, short name and signature
/// (overloads may have come or gone, which changes full names), with renamed classes taken into account. What is left
/// over and has the same name is there with a changed signature; what has the same signature and much the same body was
/// renamed.
///
/// Not matched at all, and in no list: external procedures, and procedures that a front end made up (their short name
/// starts with `$`). All of them are compared where they are called. What happens before anything is called
/// ([`Procedure::is_start_up`]) is only matched by its name, and in no list if it has no counterpart.
pub fn match_procedures(old: &Program, new: &Program) -> Matching {
    let programs = Pair::new(old, new);
    let renamed_classes = renamed_classes(programs);
    let open = programs.map(|program| {
        let ids = (0..program.procedures.len()).map(ProcId::from_index);
        ids.filter(|id| is_matched_at_all(program.procedure(*id))).collect()
    });
    let mut matcher = Matcher { programs, renamed: &renamed_classes, open };
    let mut pairs = matcher.take_pairs(|procedure| (procedure.full_name(), procedure.signature()));
    pairs.extend(matcher.take_pairs(|procedure| (procedure.method_name(), procedure.signature())));
    let mut signature_changed = matcher.take_pairs(|procedure| (procedure.full_name(), String::new()));
    signature_changed.extend(matcher.take_pairs(|procedure| (procedure.method_name(), String::new())));
    let is_called = |program: &Program, id: &ProcId| !program.procedure(*id).is_start_up();
    matcher.open.old.retain(|id| is_called(old, id));
    matcher.open.new.retain(|id| is_called(new, id));
    let mut renamed =
        renamed_procedures(programs, Pair::new(&matcher.open.old, &matcher.open.new), &renamed_classes);
    matcher.take(&renamed);
    pairs.sort();
    signature_changed.sort();
    renamed.sort();
    let Pair { old: only_old, new: only_new } = matcher.open;
    Matching { pairs, signature_changed, renamed, only_old, only_new, renamed_classes }
}

struct Matcher<'a> {
    programs: Pair<&'a Program>,
    renamed: &'a [Pair<String>],
    /// The procedures that are not matched yet.
    open: Pair<Vec<ProcId>>,
}

/// A name and a signature, which may be empty where it does not count.
type Key = (String, String);

impl Matcher<'_> {
    /// Takes out the open procedures that are alone with their key in both programs.
    fn take_pairs(&mut self, key: impl Fn(Candidate<'_>) -> Key) -> Vec<Pair<ProcId>> {
        let keyed = |program: &Program, ids: &[ProcId], renamed: &[Pair<String>]| {
            let mut table: BTreeMap<Key, Vec<ProcId>> = BTreeMap::new();
            for id in ids {
                let candidate = Candidate { program, procedure: program.procedure(*id), renamed };
                table.entry(key(candidate)).or_default().push(*id);
            }
            table
        };
        let old = keyed(self.programs.old, &self.open.old, self.renamed);
        let new = keyed(self.programs.new, &self.open.new, &[]);
        let mut pairs = Vec::new();
        for (key, old_ids) in &old {
            if let (&[old], Some(&[new])) = (&old_ids[..], new.get(key).map(|ids| &ids[..])) {
                pairs.push(Pair { old, new });
            }
        }
        self.take(&pairs);
        pairs
    }

    /// Takes pairs out of the open procedures.
    fn take(&mut self, pairs: &[Pair<ProcId>]) {
        let taken: BTreeSet<ProcId> = pairs.iter().map(|pair| pair.old).collect();
        self.open.old.retain(|id| !taken.contains(id));
        let taken: BTreeSet<ProcId> = pairs.iter().map(|pair| pair.new).collect();
        self.open.new.retain(|id| !taken.contains(id));
    }
}

/// A procedure, seen with the class names of the new version.
#[derive(Clone, Copy)]
struct Candidate<'a> {
    program: &'a Program,
    procedure: &'a Procedure,
    renamed: &'a [Pair<String>],
}

impl Candidate<'_> {
    fn signature(self) -> String {
        signature(self.program, self.procedure, self.renamed)
    }

    fn full_name(self) -> String {
        match self.procedure.class() {
            Some(class) => {
                format!("{}{}", new_class_name(class, self.renamed), &self.procedure.name[class.len()..])
            }
            None => self.procedure.name.clone(),
        }
    }

    /// The class and the short name: what all overloads of a method have in common.
    fn method_name(self) -> String {
        let class = self.procedure.class().map_or(String::new(), |class| new_class_name(class, self.renamed));
        format!("{class}.{}", self.procedure.short_name)
    }
}
