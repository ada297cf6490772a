//! Two runs side by side: lines that go together in one row, and the row in which the versions part.
//!
//! A row is a line that both versions execute, or one of them. The versions part in the row after which what both have
//! in common (variables, conditions, results, output) is never the same again.

use std::collections::BTreeMap;

use align::common_subsequence;
use ir::Pair;
use report::Versions;
use report::explain::{PathRow, SeenKind, Step, StepRow};

use crate::alignment::LineClasses;
use crate::events::{Event, EventKind};

/// Rows that are shown, at the most.
const MOST_ROWS: usize = 60;
/// Rows that are shown around the one in which the versions part, and others that are not the same.
const BEFORE: usize = 10;
const AFTER: usize = 25;
const AROUND: usize = 1;
/// Rows that are left out: fewer are not worth a remark.
const FEWEST: usize = 3;
/// Lines of each version that are looked at after the first one that is not the same.
const MOST_APART: usize = 3_000;
/// Values of one line.
const MOST_SEEN: usize = 8;

/// A line that was executed, with its events.
struct Group<'e> {
    events: Vec<&'e Event>,
    class: Option<u32>,
}

/// What both runs did, side by side; and whether they went on for longer than was looked at.
pub(crate) fn rows(
    events: Pair<&[Event]>,
    classes: &LineClasses,
    names: Pair<&dyn Fn(&Event) -> String>,
) -> (Vec<PathRow>, bool) {
    let mut old = groups(events.old, |event| classes.of_old(event));
    let mut new = groups(events.new, |event| classes.of_new(event));
    // Lines without a counterpart are like no other.
    let key = |side: u32, at: usize, group: &Group<'_>| match group.class {
        Some(class) => (2, class, group.events[0].depth),
        None => (side, u32::try_from(at).unwrap_or(u32::MAX), 0),
    };
    let keys = |side: u32, groups: &[Group<'_>]| {
        groups.iter().enumerate().map(|(at, group)| key(side, at, group)).collect::<Vec<_>>()
    };
    let (mut old_keys, mut new_keys) = (keys(0, &old), keys(1, &new));
    let common = old_keys.iter().zip(&new_keys).take_while(|(old, new)| old == new).count();
    let is_cut = common + MOST_APART < old.len().max(new.len());
    old.truncate(common + MOST_APART);
    new.truncate(common + MOST_APART);
    old_keys.truncate(old.len());
    new_keys.truncate(new.len());
    let pairs = common_subsequence(&old_keys, &new_keys);
    let mut table = Table { state: State::default(), rows: Vec::new(), agree: Vec::new(), classes, names };
    let mut next = Pair::new(0, 0);
    for (at_old, at_new) in pairs.into_iter().chain([(old.len(), new.len())]) {
        old[next.old..at_old].iter().for_each(|group| table.put(Pair::new(Some(group), None)));
        new[next.new..at_new].iter().for_each(|group| table.put(Pair::new(None, Some(group))));
        if at_old < old.len() && at_new < new.len() {
            table.put(Pair::new(Some(&old[at_old]), Some(&new[at_new])));
        }
        next = Pair::new(at_old + 1, at_new + 1);
    }
    (table.finish(), is_cut)
}

/// What one run did, line by line.
pub(crate) fn steps(events: &[Event], name: &dyn Fn(&Event) -> String) -> Vec<Step> {
    groups(events, |_| None).iter().map(|group| step(group, name)).collect()
}

/// The events of each line that is executed at a stretch. A site that comes again begins a new one.
fn groups<'e>(events: &'e [Event], class: impl Fn(&Event) -> Option<u32>) -> Vec<Group<'e>> {
    let mut groups: Vec<Group<'e>> = Vec::new();
    for event in events {
        let goes_on = groups.last().is_some_and(|group| {
            let first = group.events[0];
            let is_line = (first.procedure, first.line, first.depth, &first.file)
                == (event.procedure, event.line, event.depth, &event.file);
            is_line && group.events.iter().all(|other| other.site != event.site)
        });
        match groups.last_mut().filter(|_| goes_on) {
            Some(group) => group.events.push(event),
            None => groups.push(Group { class: class(event), events: vec![event] }),
        }
    }
    // That a call came back is worth a line only together with something else.
    groups.retain(|group| group.events.iter().any(|event| !event.seen.is_empty() || is_mark(event)));
    groups
}

fn is_mark(event: &Event) -> bool {
    event.kind == EventKind::Here && event.seen.is_empty()
}

struct Table<'t> {
    state: State,
    rows: Vec<StepRow>,
    /// Whether the versions are in the same state after each row.
    agree: Vec<bool>,
    classes: &'t LineClasses,
    names: Pair<&'t dyn Fn(&Event) -> String>,
}

impl Table<'_> {
    fn put(&mut self, groups: Pair<Option<&Group<'_>>>) {
        let (changed, differs) = match groups {
            Pair { old: Some(old), new: Some(new) } => {
                self.state.rename(old, new);
                let is_common = old.class.is_some_and(|class| self.classes.is_common(class));
                (!is_common, exact(old) != exact(new))
            }
            Pair { old: alone, new: None } | Pair { old: None, new: alone } => {
                let class = alone.and_then(|group| group.class);
                (!class.is_some_and(|class| self.classes.is_common(class)), true)
            }
        };
        let is_both = groups.old.is_some() && groups.new.is_some();
        for event in groups.old.iter().flat_map(|group| &group.events) {
            self.state.note_old(event);
        }
        for event in groups.new.iter().flat_map(|group| &group.events) {
            self.state.note_new(event);
        }
        if let (true, Some(old), Some(new)) = (is_both, groups.old, groups.new) {
            self.state.ways(old, new);
        }
        let steps = Versions {
            old: groups.old.map(|group| step(group, self.names.old)),
            new: groups.new.map(|group| step(group, self.names.new)),
        };
        self.rows.push(StepRow { steps, changed, differs, parts: false });
        self.agree.push(self.state.agrees());
    }

    fn finish(self) -> Vec<PathRow> {
        let Table { mut rows, agree, .. } = self;
        let parting = match agree.iter().rposition(|agrees| *agrees) {
            Some(last) if last + 1 < rows.len() => Some(last + 1),
            Some(_) => None,
            None => (!rows.is_empty()).then_some(0),
        };
        let parting = parting.map(|at| changed_beside(&rows, at));
        if let Some(row) = parting.and_then(|at| rows.get_mut(at)) {
            row.parts = true;
        }
        elided(rows, parting)
    }
}

/// Where the ways part, the first changed line of them says more than the first line.
fn changed_beside(rows: &[StepRow], at: usize) -> usize {
    let is_alone = |row: &StepRow| row.steps.old.is_none() || row.steps.new.is_none();
    let ways = rows[at..].iter().take_while(|row| is_alone(row));
    at + ways.into_iter().position(|row| row.changed).unwrap_or(0)
}

fn exact<'g>(group: &'g Group<'_>) -> Vec<&'g String> {
    group.events.iter().flat_map(|event| &event.exact).collect()
}

fn step(group: &Group<'_>, name: &dyn Fn(&Event) -> String) -> Step {
    let first = group.events[0];
    let mut seen: Vec<_> = group.events.iter().flat_map(|event| event.seen.iter().cloned()).collect();
    // A value that gets a name at once is said once.
    let answered: Vec<String> = seen
        .windows(2)
        .filter(|two| two[0].name.ends_with("(…)") && two[1].value == two[0].value && !two[1].name.is_empty())
        .map(|two| two[0].name.clone())
        .collect();
    seen.retain(|it| !answered.contains(&it.name));
    if seen.len() > MOST_SEEN {
        let more = seen.len() - MOST_SEEN;
        seen.truncate(MOST_SEEN);
        let value = format!("… {more} more");
        seen.push(report::explain::Seen { kind: SeenKind::Note, name: String::new(), value });
    }
    Step {
        function: name(first),
        file: first.file.clone(),
        line: first.line,
        depth: first.depth,
        seen,
        text: String::new(),
    }
}

/// What both versions know: the values of variables by the depth of their call.
#[derive(Default)]
struct State {
    values: BTreeMap<(u32, String), Pair<Option<String>>>,
    disagreeing: usize,
    printed: Pair<(u64, u64)>,
    /// What locals of the old version are called in the new one, by the place of their procedure.
    renamed: BTreeMap<(u32, String), String>,
}

/// What is known of one version only counts for these.
const RETURNS: &str = "returns";

impl State {
    fn agrees(&self) -> bool {
        self.disagreeing == 0 && self.printed.old == self.printed.new
    }

    /// Learns which locals have other names: those of lines that are alike.
    fn rename(&mut self, old: &Group<'_>, new: &Group<'_>) {
        let seen = |group: &Group<'_>| {
            let local = group.events.iter().filter(|event| event.kind == EventKind::Here);
            local.flat_map(|event| event.seen.iter().map(|it| it.name.clone())).collect::<Vec<_>>()
        };
        let (old_names, new_names) = (seen(old), seen(new));
        if old_names.len() != new_names.len() {
            return;
        }
        let depth = old.events[0].depth;
        for (old, new) in old_names.into_iter().zip(new_names).filter(|(old, new)| old != new) {
            self.renamed.insert((depth, old), new);
        }
    }

    fn note_old(&mut self, event: &Event) {
        let renamed = |state: &State, name: &str| {
            let key = (event.depth, name.to_owned());
            state.renamed.get(&key).cloned().unwrap_or_else(|| name.to_owned())
        };
        let names: Vec<String> = event.seen.iter().map(|seen| renamed(self, &seen.name)).collect();
        self.note(event, &names, true);
    }

    fn note_new(&mut self, event: &Event) {
        let names: Vec<String> = event.seen.iter().map(|seen| seen.name.clone()).collect();
        self.note(event, &names, false);
    }

    fn note(&mut self, event: &Event, names: &[String], is_old: bool) {
        match event.kind {
            EventKind::Here | EventKind::Shared => {
                let depth = if event.kind == EventKind::Here { event.depth + 1 } else { 0 };
                for (name, value) in names.iter().zip(&event.exact) {
                    self.set((depth, name.clone()), is_old, Some(value.clone()));
                }
            }
            EventKind::Return => {
                let value = event.exact.first().cloned().unwrap_or_default();
                self.set((event.depth + 1, RETURNS.to_owned()), is_old, Some(value));
            }
            EventKind::Fail => {
                let value = event.exact.first().cloned().unwrap_or_default();
                self.set((event.depth + 1, RETURNS.to_owned()), is_old, Some(format!("! {value}")));
            }
            EventKind::Print => {
                let printed = if is_old { &mut self.printed.old } else { &mut self.printed.new };
                for byte in event.exact.iter().flat_map(|text| text.bytes()) {
                    printed.0 = (printed.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
                    printed.1 += 1;
                }
            }
            EventKind::Back => self.forget(event.depth, is_old),
            EventKind::Branch | EventKind::Answer => {}
        }
    }

    /// The ways that both take on lines that go together.
    fn ways(&mut self, old: &Group<'_>, new: &Group<'_>) {
        let ways = |group: &Group<'_>| {
            let taken = group.events.iter().filter(|event| event.kind == EventKind::Branch);
            taken.flat_map(|event| event.exact.clone()).collect::<Vec<String>>().join(", ")
        };
        let key = (old.events[0].depth + 1, format!("way {}", new.events[0].line));
        self.set(key.clone(), true, Some(ways(old)));
        self.set(key, false, Some(ways(new)));
    }

    /// Forgets what belongs to calls inside of this one.
    fn forget(&mut self, depth: u32, is_old: bool) {
        let inner: Vec<(u32, String)> =
            self.values.range((depth + 2, String::new())..).map(|(key, _)| key.clone()).collect();
        for key in inner {
            self.set(key, is_old, None);
        }
    }

    fn set(&mut self, key: (u32, String), is_old: bool, value: Option<String>) {
        let alone_counts = key.1 == RETURNS;
        let differ = |both: &Pair<Option<String>>| match (&both.old, &both.new) {
            (Some(old), Some(new)) => old != new,
            (None, None) => false,
            (Some(_), None) | (None, Some(_)) => alone_counts,
        };
        let both = self.values.entry(key).or_default();
        self.disagreeing -= usize::from(differ(both));
        *(if is_old { &mut both.old } else { &mut both.new }) = value;
        self.disagreeing += usize::from(differ(both));
    }
}

/// The rows without long stretches that are the same.
fn elided(rows: Vec<StepRow>, parting: Option<usize>) -> Vec<PathRow> {
    let count = rows.len();
    let near = |at: usize, row: usize, before: usize, after: usize| {
        at + before >= row && at <= row.saturating_add(after)
    };
    let mut kept = vec![false; count];
    let mut room = MOST_ROWS;
    let mut keep = |kept: &mut Vec<bool>, wanted: &dyn Fn(usize) -> bool| {
        for (at, is_kept) in kept.iter_mut().enumerate() {
            if !*is_kept && room > 0 && wanted(at) {
                *is_kept = true;
                room -= 1;
            }
        }
    };
    keep(&mut kept, &|at| at < 2 || at + 2 >= count);
    if let Some(parting) = parting {
        keep(&mut kept, &|at| near(at, parting, 3, 8));
        keep(&mut kept, &|at| near(at, parting, BEFORE, AFTER));
    }
    let is_notable = |at: usize| rows[at].changed || rows[at].differs;
    keep(&mut kept, &|at| (at.saturating_sub(AROUND)..=(at + AROUND).min(count - 1)).any(is_notable));
    if count <= MOST_ROWS / 3 {
        keep(&mut kept, &|_| true);
    }
    fill(&mut kept);
    let mut shown = Vec::new();
    for (row, is_kept) in rows.into_iter().zip(kept) {
        match (is_kept, shown.last_mut()) {
            (true, _) => shown.push(PathRow::Steps(Box::new(row))),
            (false, Some(PathRow::Elided(steps))) => *steps += 1,
            (false, _) => shown.push(PathRow::Elided(1)),
        }
    }
    shown
}

/// Keeps what is not worth being left out.
fn fill(kept: &mut [bool]) {
    let mut start = 0;
    while start < kept.len() {
        let length = kept[start..].iter().take_while(|is_kept| !**is_kept).count();
        if length > 0 && length < FEWEST {
            kept[start..start + length].fill(true);
        }
        start += length.max(1);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use ir::{Subject, read_program};

    use super::*;
    use crate::events::events;

    /// The rows of two programs in the text form of the IR, on one argument; `*` where they part.
    fn check(old: &str, new: &str, argument: i128, expect: Expect) {
        let programs = Pair::new(old, new).map(|text| {
            let text = format!("program java\nfile \"A\"\n{text}");
            read_program(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
        });
        let pair = programs.as_ref().map(|program| Subject::new(program, ir::ProcId(0)));
        let input = interp::Input { args: vec![interp::Value::Int(argument)], ..interp::Input::default() };
        let found = pair.map(|subject| events(subject, &input, ir::Numbers::Machine));
        let classes = LineClasses::of(pair);
        let name = |_: &Event| String::new();
        let events = Pair::new(&found.old.events[..], &found.new.events[..]);
        let (rows, _) = rows(events, &classes, Pair::new(&name, &name));
        let cell = |step: &Option<Step>| {
            step.as_ref().map_or(String::new(), |step| {
                let seen: Vec<String> = step.seen.iter().map(report::explain::Seen::text).collect();
                format!("{}: {}", step.line, seen.join(", "))
            })
        };
        let shown = rows.iter().map(|row| match row {
            PathRow::Elided(count) => format!("  ... {count}\n"),
            PathRow::Steps(row) => {
                let marks =
                    format!("{}{}", if row.parts { '*' } else { ' ' }, if row.changed { '|' } else { ' ' });
                let line = format!("{marks}{:<24}{}", cell(&row.steps.old), cell(&row.steps.new));
                line.trim_end().to_owned() + "\n"
            }
        });
        expect.assert_eq(&shown.collect::<String>());
    }

    #[test]
    fn they_part_where_a_value_is_never_the_same_again() {
        check(
            "proc f(a: i32) -> i32 @1:1-9:1 { var x: i32 x = add.i32(a, 1) @2:1-5 x = mul.i32(x, 2) @3:1-5 return x @4:1-9 }",
            "proc f(a: i32) -> i32 @1:1-9:1 { var x: i32 x = add.i32(a, 1) @2:1-5 x = mul.i32(x, 3) @3:1-5 return x @4:1-9 }",
            4,
            expect![[r#"
                  1: a = 4                1: a = 4
                  2: x = 5                2: x = 5
                *|3: x = 10               3: x = 15
                  4: returns 10           4: returns 15
            "#]],
        );
    }

    #[test]
    fn moved_statements_are_not_where_they_part() {
        check(
            "proc f(a: i32) -> i32 @1:1-9:1 { var x: i32 var y: i32 x = 1 @2:1-5 y = 2 @3:1-5 y = add.i32(x, y) @4:1-5 return y @5:1-9 }",
            "proc f(a: i32) -> i32 @1:1-9:1 { var x: i32 var y: i32 y = 2 @2:1-5 x = 1 @3:1-5 y = sub.i32(x, y) @4:1-5 return y @5:1-9 }",
            4,
            expect![[r#"
                  1: a = 4                1: a = 4
                 |2: x = 1
                  3: y = 2                2: y = 2
                 |                        3: x = 1
                *|4: y = 3                4: y = -1
                  5: returns 3            5: returns -1
            "#]],
        );
    }

    #[test]
    fn a_way_that_only_one_version_takes_is_where_they_part() {
        check(
            "proc f(a: i32) -> i32 @1:1-9:1 { return a @4:1-9 }",
            "proc f(a: i32) -> i32 @1:1-9:1 { if lt.i32(a, 5) @2:1-3:9 { return 0 @3:1-9 } return a @4:1-9 }",
            4,
            expect![[r#"
                  1: a = 4                1: a = 4
                  4: returns 4
                *|                        2: true
                 |                        3: returns 0
            "#]],
        );
    }

    #[test]
    fn long_stretches_that_are_the_same_are_left_out() {
        let text = |step: u32| {
            format!(
                "proc f(a: i32) -> i32 @1:1-9:1 {{ var i: i32 i = 0 @2:1-5 loop L0 @3:1-5:1 {{ if le.i32(a, i) @3:1-9 {{ break L0 }} \
                 i = add.i32(i, 1) @4:1-5 }} i = add.i32(i, {step}) @6:1-5 return i @7:1-9 }}"
            )
        };
        check(
            &text(1),
            &text(2),
            40,
            expect![[r#"
              1: a = 40               1: a = 40
              2: i = 0                2: i = 0
              ... 71
              4: i = 36               4: i = 36
              3: goes on              3: goes on
              4: i = 37               4: i = 37
              3: goes on              3: goes on
              4: i = 38               4: i = 38
              3: goes on              3: goes on
              4: i = 39               4: i = 39
              3: goes on              3: goes on
              4: i = 40               4: i = 40
              3: leaves               3: leaves
            *|6: i = 41               6: i = 42
              7: returns 41           7: returns 42
        "#]],
        );
    }
}
