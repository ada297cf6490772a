//! Finds what comes from the macros of the compilation, by comparing a text with one that has marks in their place.
//!
//! Exact, or nothing: where the outputs differ in more than marks, directives depend on the macros.

use crate::job::Macro;

/// The number that stands for `__LINE__`.
const LINE: &str = "1930719301";
/// The texts that stand for names of files and for times.
const FILE: &str = "selfsame.file.mark";
const TIME: &str = "selfsame.time.mark";
/// A file whose text has none of these words, and includes nothing but headers of the system, has no use for marks.
pub(crate) const MAY_BE_MARKED: [&str; 7] =
    ["__LINE__", "__FILE__", "__BASE_FILE__", "__DATE__", "__TIME__", "__TIMESTAMP__", "__INCLUDE"];

/// What `__DATE__`, `__TIME__` and `__TIMESTAMP__` say: the same on every machine and every day.
const TIMES: [(&str, &str, &str); 3] = [
    ("__DATE__", "Jan  1 1970", "Oct 29 2001"),
    ("__TIME__", "00:00:00", "11:22:33"),
    ("__TIMESTAMP__", "Thu Jan  1 00:00:00 1970", "Mon Oct 29 11:22:33 2001"),
];

/// Arguments for the preprocessor with which the macros say nothing of the machine.
pub(crate) fn plain_args(base_file: &str) -> Vec<String> {
    let times = TIMES.iter().map(|(name, here, _)| format!("-D{name}=\"{here}\""));
    let base = format!("-D__BASE_FILE__=\"{base_file}\"");
    ["-Wno-builtin-macro-redefined".to_owned()].into_iter().chain(times).chain([base]).collect()
}

/// Arguments with which they are marks.
pub(crate) fn marked_args() -> Vec<String> {
    let times = TIMES.iter().map(|(name, ..)| format!("-D{name}=\"{TIME}\""));
    let files = ["__FILE__", "__BASE_FILE__"].map(|name| format!("-D{name}=\"{FILE}\""));
    let line = format!("-D__LINE__={LINE}");
    ["-w".to_owned(), "-Wno-builtin-macro-redefined".to_owned(), line]
        .into_iter()
        .chain(times)
        .chain(files)
        .collect()
}

/// The same moment in the reading that is elsewhere.
pub(super) fn another_time(value: &str) -> String {
    let known = TIMES.iter().find(|(_, here, _)| *here == value);
    known.map_or(value, |(_, _, elsewhere)| elsewhere).to_owned()
}

/// A text in which the values of the macros are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Read {
    /// In the order of the text.
    pub(super) found: Vec<Found>,
    /// The lines of the user's files that have tokens.
    pub(super) lines: Vec<Line>,
}

/// A token with values of macros in it.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) start: usize,
    pub(super) length: usize,
    /// What stands before the first value.
    pub(super) first: String,
    pub(super) parts: Vec<Part>,
    /// The file that the line of the token is in, by its name in the version.
    pub(super) file: String,
    /// Whether anybody can see the value: not in names, and not in what a failed assertion says.
    pub(super) is_listed: bool,
}

impl Found {
    pub(super) fn what(&self) -> Macro {
        self.parts.first().map_or(Macro::Any, |part| part.what)
    }
}

/// A value, and what stands after it in the token.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) what: Macro,
    pub(super) value: String,
    pub(super) after: String,
}

/// A line of a file, as far as it was compiled.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) file: String,
    /// Its tokens, with the marks.
    pub(super) key: String,
    /// The values of `__LINE__` on it.
    pub(super) numbers: Vec<u32>,
}

/// Finds the values; nothing where the texts differ otherwise.
pub(super) fn read(text: &str, marked: &str, in_version: &dyn Fn(&str) -> String) -> Option<Read> {
    if [LINE, FILE, TIME].iter().any(|mark| text.contains(mark)) {
        return None;
    }
    let (cleaned, cleaned_marked) = (frontend_c::clean(text), frontend_c::clean(marked));
    let mut theirs = frontend_c::tokens(&cleaned_marked);
    let mut places = Places::new(text, in_version);
    let mut assertion = Assertion::default();
    let mut read = Read::default();
    let mut last = None;
    for (start, token) in frontend_c::tokens(&cleaned) {
        let (_, marked) = theirs.next()?;
        let place = places.at(start);
        if last != Some(place) {
            last = Some(place);
            let file = places.files[place.0].clone();
            read.lines.push(Line { file, key: String::new(), numbers: Vec::new() });
        }
        let line = read.lines.last_mut()?;
        line.key.push_str(marked);
        line.key.push(' ');
        assertion.follow(token);
        if token == marked {
            continue;
        }
        let (first, parts) = split(token, marked)?;
        for part in parts.iter().filter(|part| part.what == Macro::Line) {
            line.numbers.push(part.value.parse().ok()?);
        }
        let is_name = token.starts_with(|char: char| char.is_alphabetic() || char == '_');
        let is_listed = !is_name && !assertion.is_open();
        let file = line.file.clone();
        read.found.push(Found { start, length: token.len(), first, parts, file, is_listed });
    }
    theirs.next().is_none().then_some(read)
}

/// Takes a token apart by the marks of the other one.
fn split(token: &str, marked: &str) -> Option<(String, Vec<Part>)> {
    let marks = [(LINE, Macro::Line), (FILE, Macro::File), (TIME, Macro::Time)];
    let next = |text: &str| {
        let found = marks.iter().filter_map(|(mark, what)| text.find(mark).map(|at| (at, mark.len(), *what)));
        found.min_by_key(|(at, ..)| *at)
    };
    let (at, length, mut what) = next(marked)?;
    let first = &marked[..at];
    let mut rest = token.strip_prefix(first)?;
    let mut marked = &marked[at + length..];
    let mut parts = Vec::new();
    loop {
        let following = next(marked);
        let after = &marked[..following.map_or(marked.len(), |(at, ..)| at)];
        // What stands between two values tells where the first one ends; at the end it is what is left.
        let end = match following {
            None => rest.len().checked_sub(after.len()).filter(|end| rest.is_char_boundary(*end))?,
            Some(_) if after.is_empty() => return None,
            Some(_) => rest.find(after)?,
        };
        let value = &rest[..end];
        if rest[end..].get(..after.len()) != Some(after) {
            return None;
        }
        if what == Macro::Line && (value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_digit())) {
            return None;
        }
        parts.push(Part { what, value: value.to_owned(), after: after.to_owned() });
        rest = &rest[end + after.len()..];
        let Some((at, length, following)) = following else { break };
        marked = &marked[at + length..];
        what = following;
    }
    Some((first.to_owned(), parts))
}

/// Follows the arguments of what a failed assertion calls: nobody compares what it says.
#[derive(Default)]
struct Assertion {
    is_named: bool,
    depth: usize,
}

impl Assertion {
    fn follow(&mut self, token: &str) {
        match token {
            "(" if self.depth > 0 || self.is_named => self.depth += 1,
            ")" if self.depth > 0 => self.depth -= 1,
            _ => {}
        }
        self.is_named = token == "__assert_fail";
    }

    fn is_open(&self) -> bool {
        self.depth > 0
    }
}

/// The lines of the user's files, by the markers in a text.
struct Places<'a> {
    /// Where each line starts: its file and its number.
    starts: Vec<(usize, (usize, u32))>,
    files: Vec<String>,
    next: usize,
    in_version: &'a dyn Fn(&str) -> String,
}

impl<'a> Places<'a> {
    fn new(text: &str, in_version: &'a dyn Fn(&str) -> String) -> Places<'a> {
        let mut places = Places { starts: Vec::new(), files: vec![String::new()], next: 0, in_version };
        let (mut file, mut number, mut start) = (0, 1, 0);
        for line in text.split_inclusive('\n') {
            match frontend_c::line_marker(line) {
                Some((next, path)) => {
                    file = places.file(path);
                    number = next;
                }
                None => {
                    places.starts.push((start, (file, number)));
                    number = number.saturating_add(1);
                }
            }
            start += line.len();
        }
        places
    }

    fn file(&mut self, path: &str) -> usize {
        let name = (self.in_version)(path);
        self.files.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.files.push(name);
            self.files.len() - 1
        })
    }

    /// The file and line of an offset; offsets rise from call to call.
    fn at(&mut self, offset: usize) -> (usize, u32) {
        while self.starts.get(self.next + 1).is_some_and(|(start, _)| *start <= offset) {
            self.next += 1;
        }
        self.starts.get(self.next).map_or((0, 0), |(_, place)| *place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_taken_apart_by_its_marks() {
        let parts = |token: &str, marked: &str| {
            split(token, marked).map(|(first, parts)| {
                let parts = parts.into_iter().map(|part| format!("<{}>{}", part.value, part.after));
                first + &parts.collect::<String>()
            })
        };
        assert_eq!(parts("x_12", "x_1930719301").as_deref(), Some("x_<12>"));
        assert_eq!(
            parts("\"a.c:12 (3)\"", "\"selfsame.file.mark:1930719301 (3)\"").as_deref(),
            Some("\"<a.c>:<12> (3)\"")
        );
        assert_eq!(parts("1212", "19307193011930719301"), None);
        assert_eq!(parts("x", "y"), None);
        assert_eq!(parts("x", "1930719301"), None);
    }

    #[test]
    fn texts_that_differ_otherwise_tell_nothing() {
        assert!(read("int a;", "int b;", &str::to_owned).is_none());
        assert!(read("int a;", "int a; int b;", &str::to_owned).is_none());
        assert!(read("int a = 3;", "int a = 1930719301;", &str::to_owned).is_some());
    }
}
