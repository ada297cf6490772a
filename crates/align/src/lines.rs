//! Puts the source lines of two procedures side by side, guided by which statements go together. A guess, as these are.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use ir::{Pair, ProcId, Program};

use crate::sequence::{common_subsequence, heaviest_rising};
use crate::statements::{Detailed, align_in_detail};

/// What the statements of two procedures say about their lines: those on which statements begin.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StatementLines {
    /// Lines with statements that go together and did not move; both rise.
    pub matches: Vec<LineMatch>,
    /// Lines whose statements moved away, or came from elsewhere; both rise.
    pub moved: Pair<Vec<u32>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineMatch {
    pub lines: Pair<u32>,
    /// Nothing that begins on these lines differs, but for names of locals; what is inside of it may.
    pub is_common: bool,
}

/// Two lines side by side, or one that stands alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    pub lines: Pair<Option<u32>>,
    pub mark: Mark,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    Common,
    Changed,
    Deleted,
    Inserted,
    Moved,
}

impl Mark {
    /// One character, to put between the sides.
    pub fn sign(self) -> char {
        match self {
            Mark::Common => '=',
            Mark::Changed => '|',
            Mark::Deleted => '<',
            Mark::Inserted => '>',
            Mark::Moved => '~',
        }
    }
}

/// Which lines of two procedures go together by their statements.
pub fn statement_lines(pair: Pair<(&Program, ProcId)>) -> StatementLines {
    let lines = pair.map(|(program, id)| first_lines(program, id));
    let Detailed { alignment, same_heads } = align_in_detail(pair);
    let mut unequal = Pair::<BTreeSet<u32>>::default();
    unequal.old.extend(alignment.deleted.iter().filter_map(|it| lines.old[*it]));
    unequal.new.extend(alignment.inserted.iter().filter_map(|it| lines.new[*it]));
    let mut votes: BTreeMap<Pair<u32>, u64> = BTreeMap::new();
    let mut moved = Pair::<BTreeSet<u32>>::default();
    for (found, same_head) in alignment.matches.iter().zip(same_heads) {
        let (Some(old), Some(new)) = (lines.old[found.old], lines.new[found.new]) else { continue };
        if found.moved {
            moved.old.insert(old);
            moved.new.insert(new);
            continue;
        }
        *votes.entry(Pair::new(old, new)).or_default() += 1;
        if !same_head {
            unequal.old.insert(old);
            unequal.new.insert(new);
        }
    }
    let mut pairs: Vec<(Pair<u32>, u64)> = votes.into_iter().collect();
    // Of several partners of a line at most one can be in a rising sequence if they stand in falling order.
    pairs.sort_by_key(|(pair, _)| (pair.old, std::cmp::Reverse(pair.new)));
    let weighted: Vec<(usize, u64)> = pairs.iter().map(|(pair, votes)| (pair.new as usize, *votes)).collect();
    let kept: Vec<Pair<u32>> = heaviest_rising(&weighted).into_iter().map(|it| pairs[it].0).collect();
    let is_common = |lines: &Pair<u32>| {
        !unequal.old.contains(&lines.old)
            && !unequal.new.contains(&lines.new)
            && !moved.old.contains(&lines.old)
            && !moved.new.contains(&lines.new)
    };
    let matches: Vec<LineMatch> =
        kept.iter().map(|lines| LineMatch { lines: *lines, is_common: is_common(lines) }).collect();
    for lines in &kept {
        moved.old.remove(&lines.old);
        moved.new.remove(&lines.new);
    }
    let moved = moved.map(|lines| lines.into_iter().collect());
    StatementLines { matches, moved }
}

/// The line on which each statement begins, if it stands in the file of its procedure.
fn first_lines(program: &Program, id: ProcId) -> Vec<Option<u32>> {
    let procedure = program.procedure(id);
    let mut lines = Vec::new();
    if let Some(body) = &procedure.body {
        ir::for_each_stmt(body, &mut |stmt| {
            let is_here = !stmt.span.is_nowhere() && stmt.span.file == procedure.span.file;
            lines.push(is_here.then_some(stmt.span.line));
        });
    }
    lines
}

/// All lines of two ranges side by side. The first lines, with the headers, go together; other lines without statements
/// do if they have the same words.
/// `texts` gives the words of a line; lines count from 1.
pub fn side_by_side(
    statements: &StatementLines,
    ranges: Pair<RangeInclusive<u32>>,
    texts: Pair<&dyn Fn(u32) -> String>,
) -> Vec<Row> {
    let ends = Pair::new(*ranges.old.end() + 1, *ranges.new.end() + 1);
    let mut next = Pair::new(*ranges.old.start(), *ranges.new.start());
    let mut rows = Vec::new();
    let first = statements.matches.first().map(|found| found.lines);
    if first.is_none_or(|lines| lines.old > next.old && lines.new > next.new)
        && next.old < ends.old
        && next.new < ends.new
    {
        let same = words(&(texts.old)(next.old)) == words(&(texts.new)(next.new));
        rows.push(Row { lines: next.map(Some), mark: if same { Mark::Common } else { Mark::Changed } });
        next = next.map(|line| line + 1);
    }
    for found in &statements.matches {
        let Pair { old, new } = found.lines;
        if old < next.old || new < next.new || old >= ends.old || new >= ends.new {
            continue;
        }
        between(&mut rows, statements, Pair::new(next.old..old, next.new..new), texts);
        let mark = if found.is_common { Mark::Common } else { Mark::Changed };
        rows.push(Row { lines: found.lines.map(Some), mark });
        next = Pair::new(old + 1, new + 1);
    }
    between(&mut rows, statements, Pair::new(next.old..ends.old, next.new..ends.new), texts);
    rows
}

fn between(
    rows: &mut Vec<Row>,
    statements: &StatementLines,
    lines: Pair<std::ops::Range<u32>>,
    texts: Pair<&dyn Fn(u32) -> String>,
) {
    let all_words = lines
        .clone()
        .zip(texts)
        .map(|(lines, text)| -> Vec<String> { lines.map(|line| words(&text(line))).collect() });
    let keys = all_words.as_ref().map(|words| words.iter().map(String::as_str).collect::<Vec<&str>>());
    let mut next = Pair::new(0, 0);
    let count = Pair::new(keys.old.len(), keys.new.len());
    let end = [(count.old, count.new)];
    for (old, new) in common_subsequence(&keys.old, &keys.new).into_iter().chain(end) {
        for line in (next.old..old).map(|place| lines.old.start + place as u32) {
            let mark =
                if statements.moved.old.binary_search(&line).is_ok() { Mark::Moved } else { Mark::Deleted };
            rows.push(Row { lines: Pair::new(Some(line), None), mark });
        }
        for line in (next.new..new).map(|place| lines.new.start + place as u32) {
            let mark =
                if statements.moved.new.binary_search(&line).is_ok() { Mark::Moved } else { Mark::Inserted };
            rows.push(Row { lines: Pair::new(None, Some(line)), mark });
        }
        if old < count.old && new < count.new {
            let lines = Pair::new(lines.old.start + old as u32, lines.new.start + new as u32);
            rows.push(Row { lines: lines.map(Some), mark: Mark::Common });
        }
        next = Pair::new(old + 1, new + 1);
    }
}

/// A line without what blanks say.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use ir::read_program;

    /// Statements are given with their lines; lines without statements have the given words.
    fn check(old: (&str, &str), new: (&str, &str), expect: Expect) {
        let programs = Pair::new(old.0, new.0).map(|body| {
            let text = format!(
                "program java\nfile \"A\"\nproc f(a: i32) -> i32 @1:1-9:1 {{ var x: i32 var y: i32 {body} }}"
            );
            read_program(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
        });
        let texts = Pair::new(old.1, new.1).map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
        let found = statement_lines(programs.as_ref().map(|program| (program, ProcId(0))));
        let ranges = texts.as_ref().map(|lines| 1..=u32::try_from(lines.len()).unwrap());
        let text_of = |lines: &[String], line: u32| lines[line as usize - 1].clone();
        let rows = side_by_side(
            &found,
            ranges,
            Pair::new(&|line| text_of(&texts.old, line), &|line| text_of(&texts.new, line)),
        );
        let shown = rows.iter().map(|row| {
            let [old, new] = [(&texts.old, row.lines.old), (&texts.new, row.lines.new)]
                .map(|(texts, line)| line.map_or(String::new(), |line| text_of(texts, line)));
            format!("{old:<12}{} {new}", row.mark.sign()).trim_end().to_owned() + "\n"
        });
        expect.assert_eq(&shown.collect::<String>());
    }

    #[test]
    fn lines_follow_their_statements_and_the_rest_their_words() {
        check(
            (
                "x = 1 @2:1-5 if lt.i32(a, x) @3:1-5:2 { y = 2 @4:1-6 } return y @6:1-9",
                "f {\nx = 1\nif (a < x) {\ny = 2\n}\nreturn y\n}",
            ),
            (
                "if lt.i32(a, x) @2:1-5:2 { y = 3 @3:1-6 } return y @6:1-9",
                "f {\nif (a < x) {\ny = 3\n// new\n}\nreturn y;\n}",
            ),
            expect![[r#"
                f {         = f {
                x = 1       <
                if (a < x) {= if (a < x) {
                y = 2       | y = 3
                            > // new
                }           = }
                return y    = return y;
                }           = }
            "#]],
        );
    }

    #[test]
    fn moved_lines_stand_alone_on_both_sides() {
        check(
            (
                "x = add.i32(a, 1) @1:1-5 if lt.i32(a, 7) @2:1-9 { y = mul.i32(a, 2) @3:1-5 } return y @4:1-9",
                "x = a + 1\nif (a < 7)\ny = a * 2\nreturn y",
            ),
            (
                "if lt.i32(a, 7) @1:1-9 { y = mul.i32(a, 2) @2:1-5 } x = add.i32(a, 1) @3:1-5 return y @4:1-9",
                "if (a < 7)\ny = a * 2\nx = a + 1\nreturn y",
            ),
            expect![[r#"
                x = a + 1   ~
                if (a < 7)  = if (a < 7)
                y = a * 2   = y = a * 2
                            ~ x = a + 1
                return y    = return y
            "#]],
        );
    }
}
