//! Which top-level modules of a crate use which: cycles are forbidden, and some modules have one user only.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::Result;
use casekit::workspace::files_below;

/// A crate, a module of it, and the only module that may use it.
const ONE_USER: [(&str, &str, &str); 1] = [("check", "baselines", "pair_check")];

/// The names of modules, each with those that it uses.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// Complains about the largest cycle of each crate.
pub(super) fn check(root: &Path) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    for name in super::sources::crate_names(root)? {
        let uses = uses(&root.join("crates").join(&name).join("src"))?;
        complaints.extend(other_users(&name, &uses));
        let cycle = largest_cycle(&uses);
        let shown = cycle.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        if !cycle.is_empty() {
            let size = cycle.len();
            complaints.push(format!(
                "crates/{name}: {size} top-level modules use each other in a cycle: {shown}; let one of them not know the others"
            ));
        }
    }
    Ok(complaints)
}

/// Uses of modules that only another one may use.
fn other_users(name: &str, uses: &Uses) -> Vec<String> {
    let rules = ONE_USER.iter().filter(|(of_crate, _, _)| *of_crate == name);
    let others = rules.flat_map(|(_, module, user)| {
        let users = uses.iter().filter(move |(other, used)| *other != user && used.contains(*module));
        users.map(move |(other, _)| {
            format!("crates/{name}: `{other}` uses `{module}`, which is for `{user}` alone")
        })
    });
    others.collect()
}

/// Which top-level modules of a crate use which: by `crate::module`, or by what its root re-exports from them.
fn uses(src: &Path) -> Result<Uses> {
    let Ok(root) = fs::read_to_string(src.join("lib.rs")) else { return Ok(Uses::new()) };
    let modules: BTreeSet<&str> = root.lines().filter_map(module).collect();
    let homes = re_exports(&root, &modules);
    let mut uses = Uses::new();
    for path in files_below(src, "rs")? {
        let inside = path.strip_prefix(src)?;
        let top = inside.components().next().map(|it| it.as_os_str().to_string_lossy().into_owned());
        let top = top.unwrap_or_default().trim_end_matches(".rs").to_owned();
        if !modules.contains(top.as_str()) {
            continue;
        }
        let text = fs::read_to_string(&path)?;
        let product = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        for name in names_after_crate(product) {
            let home = if modules.contains(name) { Some(name) } else { homes.get(name).copied() };
            if let Some(home) = home.filter(|home| *home != top) {
                uses.entry(top.clone()).or_default().insert(home.to_owned());
            }
        }
    }
    Ok(uses)
}

/// The name in `mod name;`, with any visibility.
fn module(line: &str) -> Option<&str> {
    let (_, rest) =
        line.split_once("mod ").filter(|(before, _)| before.is_empty() || before.starts_with("pub"))?;
    rest.strip_suffix(';')
}

/// Which module each name comes from that the root re-exports.
fn re_exports<'t>(root: &'t str, modules: &BTreeSet<&'t str>) -> BTreeMap<&'t str, &'t str> {
    let statements =
        root.split("pub").skip(1).filter_map(|rest| rest.split_once("use ")).map(|(_, rest)| rest);
    let mut homes = BTreeMap::new();
    for statement in statements.filter_map(|rest| rest.split(';').next()) {
        let mut words = words(statement);
        if let Some(home) = words.next().filter(|home| modules.contains(home)) {
            homes.extend(words.map(|name| (name, home)));
        }
    }
    homes
}

/// The names that come right after `crate::`, alone or in braces.
fn names_after_crate(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for rest in text.split("crate::").skip(1) {
        match rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            Some((inside, _)) => names.extend(words(inside)),
            None => names.extend(words(rest).next()),
        }
    }
    names
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
}

/// The largest set of modules that all reach each other.
fn largest_cycle(uses: &Uses) -> BTreeSet<String> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        uses.keys().map(|module| (module, reached_from(uses, module))).collect();
    let cycles = reached.iter().map(|(module, there)| {
        let back = there.iter().filter(|other| reached.get(**other).is_some_and(|it| it.contains(module)));
        back.map(|other| (*other).clone()).collect::<BTreeSet<String>>()
    });
    cycles.max_by_key(BTreeSet::len).unwrap_or_default()
}

fn reached_from<'u>(uses: &'u Uses, module: &String) -> BTreeSet<&'u String> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&String> = uses.get(module).into_iter().flatten().collect();
    while let Some(next) = open.pop() {
        if reached.insert(next) {
            open.extend(uses.get(next).into_iter().flatten());
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses_of(pairs: &[(&str, &[&str])]) -> Uses {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        pairs.iter().map(|(module, others)| ((*module).to_owned(), owned(others))).collect()
    }

    #[test]
    fn modules_that_reach_each_other_are_a_cycle() {
        let uses = uses_of(&[("a", &["b"]), ("b", &["c"]), ("c", &["a", "d"]), ("d", &[])]);
        let cycle: Vec<String> = largest_cycle(&uses).into_iter().collect();
        assert_eq!(cycle, ["a", "b", "c"]);
        assert!(largest_cycle(&uses_of(&[("a", &["b"]), ("b", &[])])).is_empty());
    }

    #[test]
    fn baselines_are_for_the_dispatcher_alone() {
        let uses = uses_of(&[("pair_check", &["baselines"]), ("kernel", &["baselines"]), ("baselines", &[])]);
        assert_eq!(other_users("check", &uses).len(), 1);
        assert!(other_users("cli", &uses).is_empty());
    }

    #[test]
    fn names_are_found_alone_and_in_braces() {
        assert_eq!(names_after_crate("use crate::a::B;\nuse crate::{C, d::E};"), ["a", "C", "d", "E"]);
        let root = "mod a;\npub(crate) mod b;\npub use a::{X, Y};\n";
        let modules: BTreeSet<&str> = root.lines().filter_map(module).collect();
        assert_eq!(modules, BTreeSet::from(["a", "b"]));
        assert_eq!(re_exports(root, &modules), BTreeMap::from([("X", "a"), ("Y", "a")]));
    }
}
