//! The pragmas that hold at a place of a file: what follows them means something else without them.

/// Pragmas that change no code.
const WITHOUT_EFFECT: &[&str] = &["message", "once", "region", "endregion", "weak"];
const WITHOUT_EFFECT_OF_GCC: &[&str] = &["diagnostic", "error", "poison", "system_header", "warning"];

/// Over-approximating: a pragma is taken to hold up to the end of the file, unless it is popped.
#[derive(Default)]
pub(super) struct Pragmas {
    holding: Vec<Pragma>,
}

struct Pragma {
    kind: String,
    text: String,
    is_push: bool,
}

impl Pragmas {
    /// Adds a line that begins with `#pragma`, and where it stands in what it is part of.
    pub(super) fn add(&mut self, line: &str, place: usize) {
        let words: Vec<String> = super::text::words(line).skip(1).collect();
        let word = |number: usize| words.get(number).map_or("", String::as_str);
        let is_of_gcc = word(0) == "GCC";
        if WITHOUT_EFFECT.contains(&word(0)) || is_of_gcc && WITHOUT_EFFECT_OF_GCC.contains(&word(1)) {
            return;
        }
        let has = |wanted: &str| words.iter().any(|word| word.trim_end_matches("_options") == wanted);
        // `push_options` and `pop_options` are about several kinds.
        let kind = if is_of_gcc { "GCC".to_owned() } else { word(0).to_owned() };
        if has("pop")
            && let Some(pushed) = self.holding.iter().rposition(|it| it.kind == kind && it.is_push)
        {
            let mut number = 0;
            self.holding.retain(|it| {
                number += 1;
                number <= pushed || it.kind != kind
            });
            return;
        }
        self.holding.push(Pragma { kind, text: format!("{line} @{place}"), is_push: has("push") });
    }

    /// What holds here, as text.
    pub(super) fn text(&self) -> String {
        self.holding.iter().map(|it| format!("{}\n", it.text)).collect()
    }
}
