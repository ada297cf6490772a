//! What is decided of code that is not there when all of it is known, of one version and of both.

use std::collections::{BTreeMap, BTreeSet};

use ir::{Access, Block, Procedure, Program, StmtKind};

use super::foreign::ForeignFacts;

fn is_foreign(procedure: &Procedure) -> bool {
    procedure.body.is_none() && procedure.external.access == Access::Writes
}

/// A handler around unknown code would notice that it fails.
pub(super) fn drop_handlers(program: &mut Program) {
    let mut reaching: Vec<bool> = program.procedures.iter().map(is_foreign).collect();
    if !reaching.contains(&true) {
        return;
    }
    loop {
        let before = reaching.clone();
        for (index, procedure) in program.procedures.iter().enumerate() {
            reaching[index] |= procedure.body.iter().any(|body| calls_any(body, &before));
        }
        if reaching == before {
            break;
        }
    }
    for body in program.procedures.iter_mut().filter_map(|procedure| procedure.body.as_mut()) {
        replace_handlers(body, &reaching);
    }
}

fn calls_any(block: &Block, wanted: &[bool]) -> bool {
    block.iter().any(|stmt| {
        matches!(&stmt.kind, StmtKind::Call { callee, .. } if wanted[callee.index()])
            || ir::blocks(&stmt.kind).into_iter().any(|block| calls_any(block, wanted))
    })
}

fn replace_handlers(block: &mut Block, reaching: &[bool]) {
    for stmt in block {
        if let StmtKind::Try { body, .. } = &stmt.kind
            && calls_any(body, reaching)
        {
            let what = "a `try` around code whose source is not there".to_owned();
            stmt.kind = StmtKind::Unsupported { what };
        }
        ir::blocks_mut(&mut stmt.kind).into_iter().for_each(|block| replace_handlers(block, reaching));
    }
}

/// Where the versions use one name with other types, in other ways or in other places, these may mean the same code or
/// another: a run in which they differ shows nothing.
pub(crate) fn mark_doubtful(programs: [&mut Program; 2]) {
    let [old, new] = programs;
    let (of_old, of_new) = (procedures(old), procedures(new));
    let mut doubtful: BTreeSet<String> = BTreeSet::new();
    for (stem, names) in &of_old {
        if of_new.get(stem).is_some_and(|others| others != names) {
            doubtful.insert(stem.clone());
        }
    }
    let mut ways: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for stem in of_old.keys().chain(of_new.keys()) {
        let name = stem.trim_end_matches('=').rsplit('.').next().unwrap_or(stem);
        ways.entry(name).or_default().insert(stem);
    }
    for (_, stems) in ways {
        // An object may call a static method, and a field may be inherited by the class that is named.
        let on_objects = stems.iter().any(|stem| stem.starts_with('.'));
        let is_field = |stem: &&&str| is_field(&of_old, stem) || is_field(&of_new, stem);
        if (on_objects && stems.len() > 1) || stems.iter().filter(is_field).count() > 1 {
            doubtful.extend(stems.into_iter().map(str::to_owned));
        }
    }
    // Calls of one procedure with several results are several procedures.
    for names in of_old.values().chain(of_new.values()) {
        doubtful.extend(names.iter().filter(|(name, _)| name.contains(':')).map(|(name, _)| stem(name)));
    }
    // A field that one version reads where the other has something of its own may hold just that.
    let (of_old, of_new) = (read_fields(old), read_fields(new));
    for (reader, old) in &of_old {
        let Some(new) = of_new.get(reader) else { continue };
        if old.is_subset(new) || new.is_subset(old) {
            doubtful.extend(old.symmetric_difference(new).cloned());
        }
    }
    for program in [old, new] {
        for procedure in program.procedures.iter_mut().filter(|procedure| procedure.body.is_none()) {
            procedure.external.library |= doubtful.contains(&stem(&procedure.name));
        }
    }
}

fn is_field(procedures: &Procedures, stem: &str) -> bool {
    procedures.get(stem).is_some_and(|names| names.iter().any(|(name, _)| name.contains('[')))
}

/// The procedures that are not there by their stems, each with the type of its result.
type Procedures = BTreeMap<String, BTreeSet<(String, Option<String>)>>;

fn procedures(program: &Program) -> Procedures {
    let mut found = Procedures::new();
    for procedure in program.procedures.iter().filter(|procedure| procedure.body.is_none()) {
        let result = procedure.result.as_ref().map(|ty| ir::print_type(program, ty));
        found.entry(stem(&procedure.name)).or_default().insert((procedure.name.clone(), result));
    }
    found
}

/// For each procedure the stems of the static fields that it reads and that are not there.
fn read_fields(program: &Program) -> BTreeMap<&str, BTreeSet<String>> {
    let mut found: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for reader in &program.procedures {
        let Some(body) = &reader.body else { continue };
        let fields = found.entry(&reader.name).or_default();
        ir::for_each_stmt(body, &mut |stmt| {
            let StmtKind::Call { callee, .. } = &stmt.kind else { return };
            let callee = program.procedure(*callee);
            if callee.body.is_none() && callee.external.access == Access::Asks && callee.name.contains("[]") {
                fields.insert(stem(&callee.name));
            }
        });
    }
    found
}

fn stem(name: &str) -> String {
    name.split(['(', '[']).next().unwrap_or(name).to_owned()
}

/// Says where a method is called with objects of several static classes: overloads for them are not told apart.
pub(crate) fn assume_no_overloads(programs: [&mut Program; 2], facts: [&ForeignFacts; 2]) {
    let [old_facts, new_facts] = facts;
    for program in programs {
        for procedure in program.procedures.iter_mut().filter(|procedure| procedure.body.is_none()) {
            let name = procedure.name.split("):").next().unwrap_or(&procedure.name);
            let name = if name.len() < procedure.name.len() { format!("{name})") } else { name.to_owned() };
            let (old, new) = (old_facts.signatures.get(&name), new_facts.signatures.get(&name));
            let all: BTreeSet<&String> = old.into_iter().chain(new).flatten().collect();
            if all.len() > 1 {
                procedure.assumptions.push(format!(
                    "`{}`, whose source is not there, is one method for all classes of its arguments",
                    procedure.short_name
                ));
            }
        }
    }
}
