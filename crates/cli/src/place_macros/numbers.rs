//! Which lines of two versions go together, and the numbers that they get.
//!
//! A guess about what the programmer meant: a line goes with the same one further up or down, then with the one that
//! stands in its place. It decides only which values of `__LINE__` are taken for the same, which is an assumption.

use std::collections::{BTreeMap, BTreeSet};

use ir::Pair;

use super::marks::{Line, Read};

/// How far the lines that go together are shifted elsewhere.
const SHIFT: u32 = 4000;
/// How many pairs of lines are weighed; of more, the first goes with the first.
const MOST_PAIRS: usize = 10_000;

/// The numbers of one version's lines, by file and by the number that the line has where it lies.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers(BTreeMap<(String, u32), Given>);

#[derive(Clone, Copy, Debug)]
struct Given {
    here: u32,
    elsewhere: u32,
}

impl Numbers {
    pub(super) fn here(&self, file: &str, number: u32) -> u32 {
        self.0.get(&(file.to_owned(), number)).map_or(number, |given| given.here)
    }

    pub(super) fn elsewhere(&self, file: &str, number: u32) -> u32 {
        self.0.get(&(file.to_owned(), number)).map_or(number, |given| given.elsewhere)
    }
}

/// Gives the lines of two versions of a unit their numbers. Two lines of one version never have the same.
pub(super) fn number(reads: Pair<&Read>) -> Pair<Numbers> {
    let mut numbers = Pair::new(Numbers::default(), Numbers::default());
    let used = reads.map(|read| read.lines.iter().filter(|line| !line.numbers.is_empty()));
    let files: BTreeSet<&str> = used.old.chain(used.new).map(|line| line.file.as_str()).collect();
    for file in files {
        let lines = reads.map(|read| read.lines.iter().filter(|line| line.file == file).collect::<Vec<_>>());
        let own = lines.as_ref().map(|lines| -> BTreeSet<u32> {
            lines.iter().flat_map(|line| line.numbers.iter().copied()).collect()
        });
        let partners = Partners::of(lines.as_ref().map(|lines| &lines[..]), own.as_ref());
        let most = own.old.iter().chain(&own.new).max().copied().unwrap_or(0);
        let mut free = most;
        for old in &own.old {
            let given = match partners.by_old.get(old) {
                Some(new) => Given { here: *new, elsewhere: new.saturating_add(SHIFT) },
                None => {
                    let here = if partners.taken.contains(old) {
                        free = free.saturating_add(1);
                        free
                    } else {
                        *old
                    };
                    Given { here, elsewhere: old.saturating_add(SHIFT).saturating_add(most + 1) }
                }
            };
            numbers.old.0.insert((file.to_owned(), *old), given);
        }
        for new in &own.new {
            let far = if partners.taken.contains(new) { 0 } else { (most + 1).saturating_mul(2) };
            let given = Given { here: *new, elsewhere: new.saturating_add(SHIFT).saturating_add(far) };
            numbers.new.0.insert((file.to_owned(), *new), given);
        }
    }
    numbers
}

/// Which numbers of the old version are which of the new one; no number has two partners.
#[derive(Default)]
struct Partners {
    by_old: BTreeMap<u32, u32>,
    /// Those of the new version.
    taken: BTreeSet<u32>,
}

impl Partners {
    fn of(lines: Pair<&[&Line]>, own: Pair<&BTreeSet<u32>>) -> Partners {
        let mut partners = Partners::default();
        let keys = lines.map(|lines| lines.iter().map(|line| line.key.as_str()).collect::<Vec<_>>());
        let common = align::common_subsequence(&keys.old, &keys.new);
        for (old, new) in &common {
            partners.add(lines.old[*old], lines.new[*new]);
        }
        // Lines that are the same, elsewhere in the file.
        for old in lines.old {
            let is_open = |line: &&&Line| line.key == old.key && !partners.has_new(line);
            if !partners.has_old(old)
                && let Some(new) = lines.new.iter().find(is_open)
            {
                partners.add(old, new);
            }
        }
        // Lines in the place of others.
        let mut next = (0, 0);
        for (old, new) in common.iter().copied().chain([(lines.old.len(), lines.new.len())]) {
            let olds: Vec<&Line> =
                lines.old[next.0..old].iter().copied().filter(|line| !partners.has_old(line)).collect();
            let news: Vec<&Line> =
                lines.new[next.1..new].iter().copied().filter(|line| !partners.has_new(line)).collect();
            for (old, new) in most_alike(&olds, &news) {
                partners.add(old, new);
            }
            next = (old + 1, new + 1);
        }
        for number in own.old.intersection(own.new) {
            partners.add_numbers(*number, *number);
        }
        partners
    }

    fn add(&mut self, old: &Line, new: &Line) {
        for (old, new) in old.numbers.iter().zip(&new.numbers) {
            self.add_numbers(*old, *new);
        }
    }

    fn add_numbers(&mut self, old: u32, new: u32) {
        if !self.by_old.contains_key(&old) && self.taken.insert(new) {
            self.by_old.insert(old, new);
        }
    }

    /// Whether all numbers of the line have partners; so do those of a line without any.
    fn has_old(&self, line: &Line) -> bool {
        line.numbers.iter().all(|number| self.by_old.contains_key(number))
    }

    fn has_new(&self, line: &Line) -> bool {
        line.numbers.iter().all(|number| self.taken.contains(number))
    }
}

/// Lines that stand in the place of others, those with the most words in common first.
fn most_alike<'a>(olds: &[&'a Line], news: &[&'a Line]) -> Vec<(&'a Line, &'a Line)> {
    if olds.len() * news.len() > MOST_PAIRS {
        return olds.iter().copied().zip(news.iter().copied()).collect();
    }
    let words = |line: &'a Line| line.key.split(' ').collect::<BTreeSet<&str>>();
    let mut pairs = Vec::new();
    for old in olds {
        let wanted = words(old);
        pairs.extend(news.iter().map(|new| (words(new).intersection(&wanted).count(), *old, *new)));
    }
    // The sort keeps the order of pairs that are equally alike.
    pairs.sort_by_key(|(common, ..)| std::cmp::Reverse(*common));
    pairs.into_iter().map(|(_, old, new)| (old, new)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &[(&str, u32)], new: &[(&str, u32)], expected: &[(u32, u32)]) {
        let read = |lines: &[(&str, u32)]| Read {
            found: Vec::new(),
            lines: lines
                .iter()
                .map(|(key, number)| Line {
                    file: "a.c".to_owned(),
                    key: (*key).to_owned(),
                    numbers: vec![*number],
                })
                .collect(),
        };
        let (old_read, new_read) = (read(old), read(new));
        let numbers = number(Pair::new(&old_read, &new_read));
        let given: Vec<(u32, u32)> =
            old.iter().map(|(_, line)| (*line, numbers.old.here("a.c", *line))).collect();
        assert_eq!(given, expected);
    }

    #[test]
    fn lines_that_moved_have_the_numbers_of_the_new_version() {
        check(&[("a", 1), ("b", 2)], &[("a", 1), ("x", 2), ("b", 3)], &[(1, 1), (2, 3)]);
        check(&[("a", 1), ("b", 2)], &[("b", 1), ("a", 2)], &[(1, 2), (2, 1)]);
    }

    #[test]
    fn a_changed_line_goes_with_the_one_in_its_place() {
        check(&[("a", 1), ("b", 2), ("c", 3)], &[("a", 2), ("B", 4), ("c", 5)], &[(1, 2), (2, 4), (3, 5)]);
    }

    #[test]
    fn a_line_that_is_gone_takes_no_number_of_another() {
        check(&[("x", 3), ("a", 4)], &[("a", 3)], &[(3, 5), (4, 3)]);
    }
}
