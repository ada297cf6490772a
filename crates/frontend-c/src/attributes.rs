//! Attributes, `_Alignas` and pragmas: where they stand and what they say.
//!
//! They are taken out of the text before it is parsed, because the parser drops some of them, and found again by
//! their offsets when a declaration or a struct is lowered. Exact for layouts; what changes the meaning of a program
//! in another way is refused where it stands, by name.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::tokens::tokens;

/// One attribute of a list `__attribute__((a, b(1)))` or `[[a]]`, or `_Alignas(8)`.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    pub(crate) offset: usize,
    /// Without the underscores around it.
    pub(crate) name: String,
    /// The text between its brackets.
    pub(crate) args: String,
    /// The keyword of the struct, union or enumeration that it belongs to; a declaration has it otherwise.
    pub(crate) record: Option<usize>,
    /// The bracket around it.
    pub(crate) inside: Option<usize>,
    /// The `;` or bracket after which its declaration starts.
    pub(crate) after: usize,
}

/// What an attribute does to the meaning of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Nothing that is observed.
    Harmless,
    /// It changes sizes and offsets.
    Layout,
    /// It changes the type of what is declared.
    Mode,
    /// Another definition may take the place of this one.
    Weak,
    /// The function runs before or after `main`.
    StartUp,
    /// A call does not come back.
    NoReturn,
    /// A function is called when the scope of the variable ends.
    Cleanup,
    /// It is not modelled.
    Refused,
}

/// All of a translation unit, in the order of the text.
#[derive(Default)]
pub(crate) struct Attributes {
    list: Vec<Attribute>,
    /// From each offset on, the largest alignment of members.
    packs: Vec<(usize, Option<u64>)>,
    pushed: Vec<Option<u64>>,
    /// From each offset on, the functions mean something else.
    refused: Vec<(usize, String)>,
    /// Functions that a pragma makes weak.
    pub(crate) weak: Vec<String>,
    /// The `;` and opening braces of the text: where declarations start.
    separators: Vec<usize>,
}

/// Attributes that change nothing that is observed: warnings, optimisation, linkage, calling conventions.
const HARMLESS: &str = "unused maybe_unused deprecated unavailable warn_unused_result nodiscard fallthrough nonnull
    returns_nonnull format format_arg sentinel pure const malloc alloc_size alloc_align assume_aligned leaf nothrow cold
    hot always_inline noinline noclone noipa flatten artificial gnu_inline visibility externally_visible section used
    retain no_instrument_function no_sanitize no_sanitize_address no_sanitize_undefined no_sanitize_thread
    no_address_safety_analysis no_stack_protector stack_protect no_profile_instrument_function no_reorder
    no_split_stack noplt tls_model common nocommon warning error designated_init may_alias nonstring access fd_arg
    fd_arg_read fd_arg_write warn_if_not_aligned symver no_icf patchable_function_entry zero_call_used_regs nocf_check
    cf_check force_align_arg_pointer sysv_abi ms_abi regparm fastcall stdcall cdecl thiscall unsequenced reproducible
    uninitialized null_terminated_string_arg counted_by tainted_args no_caller_saved_registers gcc_struct strict_flex_array
    noplt unlikely likely hardbool_no availability diagnose_if enum_extensibility flag_enum pass_object_size";

/// The headers of the system have thousands of attributes, so that the list is taken apart once.
fn is_harmless(name: &str) -> bool {
    static NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| HARMLESS.split_whitespace().collect());
    NAMES.contains(name)
}

impl Attribute {
    pub(crate) fn kind(&self) -> Kind {
        match self.name.as_str() {
            "packed" => Kind::Layout,
            "aligned" | "_Alignas" if self.alignment().is_some() => Kind::Layout,
            "mode" => Kind::Mode,
            "weak" => Kind::Weak,
            "cleanup" => Kind::Cleanup,
            "constructor" | "destructor" => Kind::StartUp,
            "noreturn" | "_Noreturn" => Kind::NoReturn,
            "optimize" | "target" if !changes_numbers(&self.args) => Kind::Harmless,
            name if is_harmless(name) => Kind::Harmless,
            _ => Kind::Refused,
        }
    }

    /// The bytes that `aligned` or `_Alignas` asks for, where its argument is a number or a plain type.
    pub(crate) fn alignment(&self) -> Option<u64> {
        if !matches!(self.name.as_str(), "aligned" | "_Alignas") {
            return None;
        }
        let mut words: Vec<&str> = tokens(&self.args).map(|(_, word)| word).collect();
        // `__alignof__(long)` and `sizeof(long)` are the same for the plain types.
        if let Some(&"__alignof__" | &"__alignof" | &"_Alignof" | &"sizeof") = words.first() {
            words.remove(0);
        }
        words.retain(|word| !matches!(*word, "(" | ")" | "signed" | "unsigned"));
        match words.as_slice() {
            // The largest alignment that the target needs.
            [] if self.args.trim().is_empty() => Some(16),
            ["char" | "_Bool"] => Some(1),
            ["short"] | ["short", "int"] => Some(2),
            ["int" | "float"] => Some(4),
            ["long"] | ["long", "long" | "int"] | ["double"] | ["void", "*"] => Some(8),
            ["long", "double"] => Some(16),
            [number] => number
                .trim_end_matches(['u', 'l', 'U', 'L'])
                .parse()
                .ok()
                .filter(|align| *align == 0 || u64::is_power_of_two(*align)),
            _ => None,
        }
    }

    /// The width in bits of the machine mode that `mode` names.
    pub(crate) fn mode(&self) -> Option<u8> {
        match self.args.trim().trim_matches('_') {
            "QI" | "byte" => Some(8),
            "HI" => Some(16),
            "SI" => Some(32),
            "DI" | "word" | "pointer" => Some(64),
            _ => None,
        }
    }
}

/// Whether options of the compiler make it compute with other numbers.
fn changes_numbers(options: &str) -> bool {
    ["fast", "math", "wrapv", "trapv", "fma", "arch", "contract", "float", "round", "387"]
        .iter()
        .any(|part| options.contains(part))
}

impl Attributes {
    /// Finds the attributes of a text, and overwrites them with spaces.
    pub(crate) fn take(text: &mut String) -> Attributes {
        let mut attributes = Attributes::default();
        if !text.contains("attribute") && !text.contains("_Alignas") && !text.contains("[[") {
            return attributes;
        }
        let blanks = attributes.scan(text);
        let mut bytes = std::mem::take(text).into_bytes();
        for range in blanks {
            bytes[range].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        }
        // Whole tokens were overwritten, so that no character was cut.
        *text = String::from_utf8(bytes).unwrap_or_default();
        attributes
    }

    fn scan(&mut self, text: &str) -> Vec<std::ops::Range<usize>> {
        let tokens: Vec<(usize, &str)> = tokens(text).collect();
        let mut blanks = Vec::new();
        let mut open: Vec<Open> = vec![Open { offset: 0, after: 0, record: None }];
        // The keyword of the record whose head has just started, or whose body has just ended.
        let (mut head, mut body_follows, mut ended) = (None, None, None);
        let mut at = 0;
        while at < tokens.len() {
            let (offset, token) = tokens[at];
            let list = match token {
                "__attribute__" | "__attribute" => {
                    bracketed(&tokens, at + 1, "(", ")").map(|end| (at + 2, end - 1))
                }
                "_Alignas" => bracketed(&tokens, at + 1, "(", ")").map(|end| (at, end + 1)),
                "[" if tokens.get(at + 1).is_some_and(|next| next.1 == "[" && next.0 == offset + 1) => {
                    bracketed(&tokens, at, "[", "]").map(|end| (at + 1, end - 1))
                }
                _ => None,
            };
            if let Some((from, to)) = list {
                let place = open.last().map_or((None, 0), |open| (Some(open.offset), open.after));
                let last = if token == "_Alignas" { to - 1 } else { to + 1 };
                let record = head.or(ended);
                self.add_list(text, &tokens, from..to, record, (place.0.filter(|_| open.len() > 1), place.1));
                let end = tokens.get(last).map_or(text.len(), |(offset, token)| offset + token.len());
                blanks.push(offset..end);
                at = last + 1;
                continue;
            }
            ended = None;
            match token {
                "struct" | "union" | "enum" => {
                    head = Some(offset);
                    body_follows = Some(offset);
                }
                "{" => {
                    self.separators.push(offset);
                    open.push(Open { offset, after: offset, record: body_follows.take() });
                    head = None;
                }
                "(" | "[" => {
                    open.push(Open { offset, after: offset, record: None });
                    (head, body_follows) = (None, None);
                }
                "}" | ")" | "]" => {
                    if open.len() > 1 {
                        ended = open.pop().and_then(|open| open.record);
                    }
                    if token == "}"
                        && ended.is_none()
                        && let Some(open) = open.last_mut()
                    {
                        self.separators.push(offset);
                        open.after = offset;
                    }
                    (head, body_follows) = (None, None);
                }
                ";" => {
                    self.separators.push(offset);
                    if let Some(open) = open.last_mut() {
                        open.after = offset;
                    }
                    (head, body_follows) = (None, None);
                }
                // The tag: a body may follow, but no attribute of the type.
                _ if head.is_some() => head = None,
                ":" => {}
                word if body_follows.is_some() && !word.starts_with(|char: char| char.is_alphabetic()) => {
                    body_follows = None;
                }
                _ => {}
            }
            at += 1;
        }
        blanks
    }

    /// Adds the attributes between two tokens.
    fn add_list(
        &mut self,
        text: &str,
        tokens: &[(usize, &str)],
        range: std::ops::Range<usize>,
        record: Option<usize>,
        (inside, after): (Option<usize>, usize),
    ) {
        let mut at = range.start;
        while at < range.end.min(tokens.len()) {
            let (offset, word) = tokens[at];
            at += 1;
            if !word.starts_with(|char: char| char.is_alphabetic() || char == '_') {
                continue;
            }
            // `gnu::packed`: the part before is whose attribute it is.
            if tokens.get(at).is_some_and(|next| next.1 == ":") && at < range.end {
                continue;
            }
            let mut args = String::new();
            if tokens.get(at).is_some_and(|next| next.1 == "(")
                && let Some(end) = bracketed(tokens, at, "(", ")")
            {
                args = text[tokens[at].0 + 1..tokens[end].0].to_owned();
                at = end + 1;
            }
            let plain = word.trim_start_matches("__").trim_end_matches("__");
            let name = if word == "_Alignas" { word } else { plain }.to_owned();
            self.list.push(Attribute { offset, name, args, record, inside, after });
        }
    }

    /// Notes a line of the text that starts with `#pragma`.
    pub(crate) fn pragma(&mut self, offset: usize, line: &str) {
        let Some(text) =
            line.trim_start().strip_prefix('#').and_then(|rest| rest.trim_start().strip_prefix("pragma"))
        else {
            return;
        };
        let words: Vec<&str> = tokens(text).map(|(_, word)| word).collect();
        match words.as_slice() {
            ["pack", rest @ ..] => self.pack(offset, rest),
            ["weak", name, ..] => self.weak.push((*name).to_owned()),
            ["scalar_storage_order" | "redefine_extname", ..] => {
                self.refused.push((offset, format!("`#pragma {}`", words[0])));
            }
            ["GCC", "optimize" | "target", ..] if changes_numbers(text) => {
                self.refused.push((offset, format!("`#pragma GCC {}`", words[1])));
            }
            _ => {}
        }
    }

    /// `pack(n)`, `pack()`, `pack(push)`, `pack(push, n)`, `pack(push, name, n)`, `pack(pop)`.
    fn pack(&mut self, offset: usize, words: &[&str]) {
        let now = self.pack_at(offset);
        let number = words.iter().find_map(|word| word.parse::<u64>().ok());
        if words.contains(&"push") {
            self.pushed.push(now);
        }
        let next = if words.contains(&"pop") {
            self.pushed.pop().flatten()
        } else if words.contains(&"push") {
            number.or(now)
        } else {
            number
        };
        self.packs.push((offset, next.filter(|bytes| *bytes > 0)));
    }

    /// The largest alignment of members that a struct which ends here may have.
    pub(crate) fn pack_at(&self, offset: usize) -> Option<u64> {
        self.packs.iter().rev().find(|(from, _)| *from <= offset).and_then(|(_, bytes)| *bytes)
    }

    /// A pragma before this offset that gives code another meaning.
    pub(crate) fn refused_before(&self, offset: usize) -> Option<&str> {
        self.refused.iter().find(|(from, _)| *from <= offset).map(|(_, what)| what.as_str())
    }

    /// The attributes between two offsets.
    pub(crate) fn within(&self, from: usize, to: usize) -> impl Iterator<Item = &Attribute> {
        let first = self.list.partition_point(|attribute| attribute.offset < from);
        self.list[first..].iter().take_while(move |attribute| attribute.offset < to)
    }

    /// The attributes of the declaration from one offset to another itself, not of what stands in its brackets.
    /// Those before its first word belong to it as well.
    pub(crate) fn of_declaration(&self, from: usize, to: usize) -> impl Iterator<Item = &Attribute> {
        let start = self.start_of(from);
        self.within(start, to).filter(move |attribute| {
            attribute.record.is_none() && attribute.inside.is_none_or(|inside| inside <= start)
        })
    }

    /// Where the declaration starts whose first word is at an offset.
    pub(crate) fn start_of(&self, offset: usize) -> usize {
        let before = self.separators.partition_point(|separator| *separator < offset);
        before.checked_sub(1).map_or(0, |index| self.separators[index])
    }

    /// The attributes of the struct, union or enumeration whose keyword is at an offset.
    pub(crate) fn of_record(&self, keyword: usize) -> impl Iterator<Item = &Attribute> {
        self.list.iter().filter(move |attribute| attribute.record == Some(keyword))
    }

    /// The attributes of the member whose first word is at an offset.
    pub(crate) fn of_member(&self, offset: usize) -> impl Iterator<Item = &Attribute> {
        let start = self.start_of(offset);
        self.list.iter().filter(move |attribute| attribute.record.is_none() && attribute.after == start)
    }
}

struct Open {
    offset: usize,
    /// The last `;` inside, or the bracket itself.
    after: usize,
    record: Option<usize>,
}

/// The index of the bracket that closes the one at an index.
fn bracketed(tokens: &[(usize, &str)], at: usize, open: &str, close: &str) -> Option<usize> {
    if tokens.get(at)?.1 != open {
        return None;
    }
    let mut depth = 0_usize;
    for (index, (_, token)) in tokens.iter().enumerate().skip(at) {
        if *token == open {
            depth += 1;
        } else if *token == close {
            depth -= 1;
            if depth == 0 {
                return Some(index);
            }
        }
    }
    None
}
