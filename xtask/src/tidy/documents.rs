//! Documents: every crate is in the code map, and links lead somewhere.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use casekit::workspace::{files_below, relative};

use super::sources::crate_names;

/// Checks the code map and all pages.
pub(super) fn check(root: &Path) -> Result<Vec<String>> {
    let map = root.join("docs/architecture.md");
    let Ok(text) = fs::read_to_string(&map) else {
        return Ok(vec!["docs/architecture.md: the code map is missing".to_owned()]);
    };
    let names = crate_names(root)?;
    let mut complaints: Vec<String> = missing_from_map(&text, names.iter().map(String::as_str)).collect();
    for page in pages(root)? {
        let text = fs::read_to_string(&page)?;
        complaints.extend(dead_links(&relative(root, &page), &text, |link| {
            page.parent().is_some_and(|folder| folder.join(link).exists())
        }));
    }
    Ok(complaints)
}

fn pages(root: &Path) -> Result<Vec<PathBuf>> {
    let mut pages = files_below(&root.join("docs"), "md")?;
    pages
        .extend(["README.md", "CHANGELOG.md"].map(|name| root.join(name)).into_iter().filter(|p| p.exists()));
    Ok(pages)
}

/// The code map names each crate between backquotes.
fn missing_from_map<'a>(
    map: &'a str,
    names: impl Iterator<Item = &'a str> + 'a,
) -> impl Iterator<Item = String> + 'a {
    let is_missing = move |name: &&str| {
        !["`", "`crates/"].iter().any(|start| {
            map.contains(&format!("{start}{name}`")) || map.contains(&format!("{start}{name}/`"))
        })
    };
    names.filter(is_missing).map(|name| format!("docs/architecture.md: the code map should name `{name}`"))
}

/// Links of a page to files that are not there. Links to other sites are not followed.
fn dead_links(shown: &str, text: &str, exists: impl Fn(&str) -> bool) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut in_fence = false;
    for (index, line) in text.lines().enumerate() {
        in_fence ^= line.trim_start().starts_with("```");
        if in_fence {
            continue;
        }
        for link in links(line) {
            let file = link.split('#').next().unwrap_or_default();
            if !file.is_empty() && !link.contains("://") && !link.starts_with("mailto:") && !exists(file) {
                complaints.push(format!("{shown}:{}: the link to `{link}` leads nowhere", index + 1));
            }
        }
    }
    complaints
}

/// The targets of `[text](target)` in a line.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split(')').next())
}

#[cfg(test)]
mod tests {
    use super::{dead_links, missing_from_map};

    #[test]
    fn the_code_map_names_each_crate() {
        let map = "| `ir` | the common language |\n| `crates/smt/` | terms |";
        assert_eq!(missing_from_map(map, ["ir", "smt", "check"].into_iter()).count(), 1);
    }

    #[test]
    fn a_link_to_a_missing_file_is_found() {
        let page =
            "See [one](one.md), [two](two.md#part) and [three](https://example.org/x).\n```\n[x](y)\n```\n";
        let complaints = dead_links("docs/a.md", page, |link| link == "two.md");
        assert_eq!(complaints, ["docs/a.md:1: the link to `one.md` leads nowhere"]);
    }
}
