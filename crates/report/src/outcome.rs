//! How runs ended, in words: one of them, or both and what differs between them.

use crate::model::{Outcome, Versions, WitnessReport};

/// How both versions end on a witness, in words.
pub fn outcome_texts(witness: &WitnessReport) -> Versions<String> {
    let Versions { old, new } = &witness.outcomes;
    let shown = Shown::where_different(old, new);
    Versions { old: outcome_phrase(old, shown), new: outcome_phrase(new, shown) }
}

/// `-1`, or `throws ArithmeticException`; then what was printed and left behind, where that differs.
pub(crate) fn outcome_phrase(outcome: &Outcome, shown: Shown) -> String {
    if outcome.endless {
        return "does not end".to_owned();
    }
    let mut parts = Vec::new();
    match (&outcome.error, &outcome.result) {
        (Some(error), _) => parts.push(format!("{} {error}", outcome.failure_verb)),
        (None, Some(result)) => parts.push(result.clone()),
        (None, None) => {}
    }
    parts.extend(shown.phrases(outcome));
    parts.extend(outcome.effects.iter().map(|effect| format!("{} = {}", effect.name, effect.value)));
    if parts.is_empty() { "returns".to_owned() } else { parts.join(", ") }
}

/// Which streams are shown: those to which the versions write different things.
#[derive(Clone, Copy, Default)]
pub(crate) struct Shown {
    output: bool,
    error_output: bool,
}

impl Shown {
    pub(crate) fn where_different(old: &Outcome, new: &Outcome) -> Shown {
        Shown { output: old.output != new.output, error_output: old.error_output != new.error_output }
    }

    pub(crate) fn any(self) -> bool {
        self.output || self.error_output
    }

    /// `prints "a"`, `writes nothing to the error output`.
    pub(crate) fn phrases(self, outcome: &Outcome) -> Vec<String> {
        let mut phrases = Vec::new();
        if self.output {
            phrases.push(match outcome.output.as_str() {
                "" => "prints nothing".to_owned(),
                output => format!("prints {}", quoted(output)),
            });
        }
        if self.error_output {
            phrases.push(match outcome.error_output.as_str() {
                "" => "writes nothing to the error output".to_owned(),
                output => format!("writes {} to the error output", quoted(output)),
            });
        }
        phrases
    }
}

/// Output on one line, with escapes for what would break it; the end of a long one is cut off.
pub(crate) fn quoted(output: &str) -> String {
    const SHOWN: usize = 200;
    let escaped = format!("{output:?}");
    if output.chars().count() <= SHOWN {
        return escaped;
    }
    let start: String = output.chars().take(SHOWN).collect();
    format!("{start:?}… ({} characters)", output.chars().count())
}

/// `gives 2 in the old version and 3 in the new one`: what differs between two outcomes.
pub(crate) fn both_ways(old: &Outcome, new: &Outcome) -> String {
    let shown = Shown::where_different(old, new);
    let has_more = shown.any() || !old.effects.is_empty() || !new.effects.is_empty();
    let gives = old.result != new.result || !has_more;
    let (old, new) = (ways(old, gives, shown), ways(new, gives, shown));
    if old == new {
        return "is not the same in both versions".to_owned();
    }
    let new = match (old.as_slice(), new.as_slice()) {
        ([old], [new]) => without_verb_of(old, new).to_owned(),
        _ => new.join(" and "),
    };
    format!("{} in the old version and {new} in the new one", old.join(" and "))
}

/// The verb is said once: `gives 2 … and 3`.
fn without_verb_of<'a>(old: &str, new: &'a str) -> &'a str {
    let verb = ["gives ", "leaves ", "throws ", "fails with "].into_iter().find(|verb| old.starts_with(verb));
    verb.and_then(|verb| new.strip_prefix(verb)).unwrap_or(new)
}

/// What a call came to, as the end of a sentence.
pub(crate) fn end_of(outcome: &Outcome) -> String {
    ways(outcome, true, Shown::default()).join(" and ")
}

/// What a call came to: how it ended, then what it printed and left behind where that is asked for.
fn ways(outcome: &Outcome, gives: bool, shown: Shown) -> Vec<String> {
    let end = match outcome {
        Outcome { endless: true, .. } => return vec!["does not end".to_owned()],
        Outcome { error: Some(error), failure_verb, .. } => Some(format!("{failure_verb} {error}")),
        Outcome { result, .. } => result.as_ref().filter(|_| gives).map(|result| format!("gives {result}")),
    };
    let printed = shown.phrases(outcome);
    let left = outcome.effects.iter().map(|effect| format!("leaves {} = {}", effect.name, effect.value));
    let parts: Vec<String> = end.into_iter().chain(printed).chain(left).collect();
    if parts.is_empty() { vec!["returns".to_owned()] } else { parts }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Binding;

    fn said(old: Outcome, new: Outcome) -> String {
        both_ways(&old, &new)
    }

    fn gives(result: &str) -> Outcome {
        Outcome { result: Some(result.to_owned()), ..Outcome::default() }
    }

    fn leaves(outcome: Outcome, value: &str) -> Outcome {
        let effect = Binding { name: "p".to_owned(), value: value.to_owned() };
        Outcome { effects: vec![effect], ..outcome }
    }

    #[test]
    fn only_what_differs_between_two_outcomes_is_said() {
        assert_eq!(said(gives("1"), gives("2")), "gives 1 in the old version and 2 in the new one");
        let throws =
            Outcome { error: Some("E".to_owned()), failure_verb: "throws".to_owned(), ..Outcome::default() };
        assert_eq!(said(throws, gives("2")), "throws E in the old version and gives 2 in the new one");
        let endless = Outcome { endless: true, ..Outcome::default() };
        assert_eq!(said(gives("1"), endless), "gives 1 in the old version and does not end in the new one");
        let (old, new) = (leaves(gives("1"), "5"), leaves(gives("1"), "6"));
        assert_eq!(said(old, new), "leaves p = 5 in the old version and p = 6 in the new one");
        let (old, new) = (leaves(gives("1"), "5"), leaves(gives("2"), "6"));
        let both = "gives 1 and leaves p = 5 in the old version and gives 2 and leaves p = 6 in the new one";
        assert_eq!(said(old, new), both);
        let prints = Outcome { output: "a\n".to_owned(), ..Outcome::default() };
        let printed = "prints \"a\\n\" in the old version and prints nothing in the new one";
        assert_eq!(said(prints, Outcome::default()), printed);
        assert_eq!(said(gives("1"), gives("1")), "is not the same in both versions");
    }
}
