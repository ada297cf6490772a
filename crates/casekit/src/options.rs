//! The `options` block of a case: how the pair is to be checked.

use crate::{Numbers, Problem};

/// Options of a case; what is not said is left to the tool's defaults.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// The function to compare; without it every pair of functions is.
    pub function: Option<String>,
    /// The number model of the `verdict` block.
    pub numbers: Option<Numbers>,
    /// Whether one version must end exactly when the other does.
    pub total: bool,
    /// Whether the messages of exceptions count.
    pub messages: bool,
    /// A condition on the inputs.
    pub under: Option<String>,
    pub bound: Option<u32>,
    /// In million steps.
    pub effort: Option<u32>,
}

impl Options {
    /// Reads the lines of an `options` block; blank lines are skipped.
    pub(crate) fn parse(text: &str) -> Result<Options, (usize, Problem)> {
        let mut options = Options::default();
        for (index, line) in text.lines().enumerate() {
            if !line.trim().is_empty() {
                options
                    .set(line.trim())
                    .ok_or_else(|| (index, Problem::BadOption(line.trim().to_owned())))?;
            }
        }
        Ok(options)
    }

    fn set(&mut self, line: &str) -> Option<()> {
        let (key, value) = line.split_once(':')?;
        let value = value.trim();
        match key.trim() {
            "function" if !value.is_empty() => self.function = Some(value.to_owned()),
            "under" if !value.is_empty() => self.under = Some(value.to_owned()),
            "numbers" => self.numbers = Some(numbers_named(value)?),
            "total" if value == "yes" => self.total = true,
            "exceptions" if value == "message" => self.messages = true,
            "bound" => self.bound = Some(value.parse().ok()?),
            "effort" => self.effort = Some(value.parse().ok()?),
            _ => return None,
        }
        Some(())
    }
}

fn numbers_named(name: &str) -> Option<Numbers> {
    [Numbers::Machine, Numbers::Math].into_iter().find(|numbers| numbers.name() == name)
}
