//! Chooses the pairs that are compared: all that match, or those with a name.

use std::collections::BTreeSet;

use ir::{Pair, ProcId, Procedure, Program, Side};

use crate::near_names::near;

/// The pairs to check, and the procedures without a counterpart.
#[derive(Debug, Default)]
pub(super) struct Selection {
    pub(super) pairs: Vec<Pair<ProcId>>,
    pub(super) removed: Vec<ProcId>,
    pub(super) added: Vec<ProcId>,
}

/// All pairs of two programs. A changed signature is a pair, too: its verdict says so. So is what was renamed.
pub(super) fn all(programs: Pair<&Program>) -> Selection {
    let matching = align::match_procedures(programs.old, programs.new);
    let mut pairs = [matching.pairs, matching.signature_changed, matching.renamed].concat();
    pairs.retain(|pair| is_the_users(programs.new, pair.new));
    pairs.sort_unstable();
    let mut selection = Selection { pairs, removed: matching.only_old, added: matching.only_new };
    selection.removed.retain(|id| is_the_users(programs.old, *id));
    selection.added.retain(|id| is_the_users(programs.new, *id));
    selection
}

/// Whether a procedure stands in the sources, and not in a model of the library.
fn is_the_users(program: &Program, id: ProcId) -> bool {
    let procedure = program.procedure(id);
    let file = program.files.get(procedure.span.file.index());
    let is_model = procedure.span == ir::Span::NOWHERE || file.is_some_and(|name| name.starts_with('<'));
    (!is_model || procedure.is_start_up()) && !procedure.is_part()
}

/// The pairs with a name. Overloads are paired by their parameters; nothing is left out silently.
pub(super) fn named(programs: Pair<&Program>, name: &str) -> Selection {
    let mut found = Pair::new(
        candidates(programs.old, on_side(name, Side::Old)),
        candidates(programs.new, on_side(name, Side::New)),
    );
    let mut selection = Selection::default();
    // The same full name first, then the same parameters under another class, then what is left over alone.
    let keys: [fn(&Procedure) -> &str; 2] =
        [|procedure| &procedure.name, |procedure| parameters_of(&procedure.name)];
    for key in keys {
        let old_keys: Vec<&str> = found.old.iter().map(|id| key(programs.old.procedure(*id))).collect();
        found.old.retain(|old| {
            let wanted = key(programs.old.procedure(*old));
            if old_keys.iter().filter(|key| **key == wanted).count() > 1 {
                return true;
            }
            let partners: Vec<usize> = (0..found.new.len())
                .filter(|position| key(programs.new.procedure(found.new[*position])) == wanted)
                .collect();
            match partners.as_slice() {
                [partner] => {
                    selection.pairs.push(Pair::new(*old, found.new.remove(*partner)));
                    false
                }
                _ => true,
            }
        });
    }
    match (found.old.as_slice(), found.new.as_slice()) {
        ([old], [new]) => selection.pairs.push(Pair::new(*old, *new)),
        (old, new) => {
            selection.removed = old.to_vec();
            selection.added = new.to_vec();
        }
    }
    selection.pairs.sort_unstable();
    selection
}

/// What stands between the names of both versions where a pair is named by both.
const BOTH: &str = "=>";

/// The name that means exactly one pair: that of both versions if they are not the same.
pub(super) fn name_of(names: Pair<&str>) -> String {
    if names.old == names.new { names.new.to_owned() } else { format!("{}{BOTH}{}", names.old, names.new) }
}

fn on_side(name: &str, side: Side) -> &str {
    match (name.split_once(BOTH), side) {
        (Some((old, _)), Side::Old) => old,
        (Some((_, new)), Side::New) => new,
        (None, _) => name,
    }
}

/// What to say when a name is not in a version, or does not say which class it means.
pub(super) fn problem(programs: &[Pair<&Program>], name: &str) -> Option<String> {
    missing(programs, name)
        .or_else(|| [Side::Old, Side::New].into_iter().find_map(|side| ambiguous(programs, side, name)))
        .or_else(|| programs.iter().find_map(|pair| unpaired(*pair, name)))
}

/// A name with a class in it, or of a class, should mean one class. The name of a method alone means all of that name.
fn ambiguous(programs: &[Pair<&Program>], side: Side, name: &str) -> Option<String> {
    let name = on_side(name, side);
    let found = programs.iter().flat_map(|pair| {
        let program = pair.get(side);
        candidates(program, name).into_iter().map(|id| program.procedure(id))
    });
    let found: Vec<&Procedure> = found.collect();
    let classes: BTreeSet<Option<&str>> = found.iter().map(|procedure| procedure.class()).collect();
    let method = name.split('(').next().unwrap_or(name).trim();
    let is_method = found.iter().any(|procedure| procedure.short_name == method);
    if classes.len() < 2 || is_method {
        return None;
    }
    Some(format!("`{name}` may mean {} of the {} version", one_of(found.into_iter()), side.name()))
}

/// Several procedures of a name of which none goes with another.
fn unpaired(programs: Pair<&Program>, name: &str) -> Option<String> {
    let selection = named(programs, name);
    if !selection.pairs.is_empty() || selection.removed.is_empty() || selection.added.is_empty() {
        return None;
    }
    let old = selection.removed.iter().map(|id| programs.old.procedure(*id));
    let new = selection.added.iter().map(|id| programs.new.procedure(*id));
    Some(format!("`{name}` may mean {} of the old version and {} of the new one", one_of(old), one_of(new)))
}

fn one_of<'a>(procedures: impl Iterator<Item = &'a Procedure>) -> String {
    let names: Vec<String> = procedures.map(|procedure| format!("`{}`", procedure.name)).collect();
    names.join(" or ")
}

/// What to say when a name is not in a version.
fn missing(programs: &[Pair<&Program>], name: &str) -> Option<String> {
    let lacks =
        |side: Side| programs.iter().all(|pair| candidates(pair.get(side), on_side(name, side)).is_empty());
    let phrase = match (lacks(Side::Old), lacks(Side::New)) {
        (false, false) => return None,
        (true, true) => "neither version has",
        (true, false) => "the old version does not have",
        (false, true) => "the new version does not have",
    };
    let side = if lacks(Side::Old) { Side::Old } else { Side::New };
    let name = on_side(name, side);
    let known = || programs.iter().flat_map(|pair| &pair.get(side).procedures);
    if known().any(|procedure| procedure.name == name || procedure.short_name == name) {
        return Some(format!("{phrase} a body for `{name}`"));
    }
    let with_body = || known().filter(|procedure| procedure.body.is_some());
    // Short names are compared with short names, full ones with full ones.
    let is_full = name.contains(['.', '(']);
    let names = with_body().map(|procedure| if is_full { &*procedure.name } else { &*procedure.short_name });
    let hint = match near(name, names).as_slice() {
        [] => some_of(with_body()),
        near => format!(
            "did you mean {}?",
            near.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ")
        ),
    };
    Some(format!("{phrase} a procedure called `{name}`; {hint}"))
}

/// A few of the names there are.
fn some_of<'a>(procedures: impl Iterator<Item = &'a Procedure>) -> String {
    let mut names: Vec<_> = procedures.map(|procedure| format!("`{}`", procedure.name)).collect();
    let count = names.len();
    names.truncate(5);
    match count {
        0 => "it has no procedures at all".to_owned(),
        1..=5 => format!("it has {}", names.join(", ")),
        _ => format!("it has {} and {} more", names.join(", "), count - names.len()),
    }
}

/// The procedures with a body that a name may mean. Blanks in it do not matter.
fn candidates(program: &Program, name: &str) -> Vec<ProcId> {
    let name: String = name.chars().filter(|c| !c.is_whitespace()).collect();
    align::find_procedures(program, &name)
}

/// `(int,int)` of `Mid.mid(int,int)`; empty for names that are not overloaded.
fn parameters_of(name: &str) -> &str {
    name.find('(').map_or("", |start| &name[start..])
}

#[cfg(test)]
mod tests {
    use ir::{Language, Span};

    use super::*;

    fn program(names: &[&str]) -> Program {
        let mut program = Program::new(Language::Java);
        for name in names {
            let class_and_name = name.split('(').next().unwrap();
            program.procedures.push(Procedure {
                name: (*name).to_owned(),
                short_name: class_and_name.rsplit('.').next().unwrap().to_owned(),
                params: 0,
                locals: Vec::new(),
                result: None,
                body: Some(Vec::new()),
                span: Span::NOWHERE,
                assumptions: Vec::new(),
                external: ir::External::default(),
            });
        }
        program
    }

    fn pairs(old: &[&str], new: &[&str], name: &str) -> Vec<(String, String)> {
        let programs = Pair::new(program(old), program(new));
        let selection = named(programs.as_ref(), name);
        selection
            .pairs
            .into_iter()
            .map(|pair| {
                let name = |program: &Program, id| program.procedure(id).name.clone();
                (name(&programs.old, pair.old), name(&programs.new, pair.new))
            })
            .collect()
    }

    #[test]
    fn a_class_that_was_renamed_still_matches() {
        assert_eq!(pairs(&["Old.f"], &["New.f", "New.g"], "f"), [("Old.f".to_owned(), "New.f".to_owned())]);
    }

    #[test]
    fn a_pair_is_named_by_both_names() {
        let name = name_of(Pair::new("Old.f(int)", "New.g(int)"));
        let found = pairs(&["Old.f(int)", "Old.f(long)"], &["New.f(int)", "New.g(int)"], &name);
        assert_eq!(found, [("Old.f(int)".to_owned(), "New.g(int)".to_owned())]);
    }

    #[test]
    fn overloads_are_all_compared_by_their_parameters() {
        let both = ["A.f(int)", "A.f(long)"];
        assert_eq!(pairs(&both, &both, "f").len(), 2);
        assert_eq!(pairs(&both, &both, "A.f( long )").len(), 1);
        let renamed = pairs(&both, &["B.f(long)", "B.f(int)"], "f");
        assert!(renamed.contains(&("A.f(int)".to_owned(), "B.f(int)".to_owned())));
    }

    #[test]
    fn a_changed_signature_is_still_a_pair() {
        assert_eq!(pairs(&["A.f(int)"], &["A.f(long)"], "f").len(), 1);
    }

    #[test]
    fn a_missing_name_comes_with_suggestions() {
        let programs = Pair::new(program(&["A.middle"]), program(&["A.middle"]));
        let message = missing(&[programs.as_ref()], "midle").unwrap();
        assert_eq!(message, "neither version has a procedure called `midle`; did you mean `middle`?");
        let message = missing(&[programs.as_ref()], "zzzzz").unwrap();
        assert_eq!(message, "neither version has a procedure called `zzzzz`; it has `A.middle`");
        assert_eq!(missing(&[programs.as_ref()], "middle"), None);
    }

    #[test]
    fn a_class_that_a_name_does_not_tell_is_asked_for() {
        let both = ["A.Node.f", "B.Node.f", "A.Node.<init>", "B.Node.<init>"];
        let programs = Pair::new(program(&both), program(&both));
        let problem = |name: &str| problem(&[programs.as_ref()], name);
        assert_eq!(
            problem("Node.f").unwrap(),
            "`Node.f` may mean `A.Node.f` or `B.Node.f` of the old version"
        );
        assert_eq!(
            problem("Node").unwrap(),
            "`Node` may mean `A.Node.<init>` or `B.Node.<init>` of the old version"
        );
        assert_eq!(problem("f"), None);
        assert_eq!(problem("A.Node.f"), None);
        let moved = Pair::new(program(&["A.f", "B.f"]), program(&["C.f"]));
        let message = super::problem(&[moved.as_ref()], "f").unwrap();
        assert_eq!(message, "`f` may mean `A.f` or `B.f` of the old version and `C.f` of the new one");
    }
}
