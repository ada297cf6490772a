//! Uses of classes whose initialisers somebody may notice: a front end marks them, and a run decides later.
//!
//! A mark is an `unsupported` statement, so that a use that nothing decides is *unknown*. Its text is made and read here
//! alone.

/// What is not known of the first use of a class.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ClassUse {
    /// Its initialiser changes what others see, or may fail.
    Noticed(String),
    /// Its initialiser runs code that was not looked into.
    Unsure(String),
}

const NOTICED: (&str, &str) = ("the moment at which the class `", "` is initialised");
const UNSURE: (&str, &str) = ("whether the class `", "` is initialised normally");

impl ClassUse {
    /// What the `unsupported` statement says.
    pub fn text(&self) -> String {
        let ((before, after), class) = match self {
            ClassUse::Noticed(class) => (NOTICED, class),
            ClassUse::Unsure(class) => (UNSURE, class),
        };
        format!("{before}{class}{after}")
    }

    /// The use that the text of an `unsupported` statement stands for.
    pub fn read(text: &str) -> Option<ClassUse> {
        let class = |(before, after): (&str, &str)| {
            text.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)).map(str::to_owned)
        };
        class(NOTICED).map(ClassUse::Noticed).or_else(|| class(UNSURE).map(ClassUse::Unsure))
    }

    pub fn class(&self) -> &str {
        match self {
            ClassUse::Noticed(class) | ClassUse::Unsure(class) => class,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for used in [ClassUse::Noticed("a.B".to_owned()), ClassUse::Unsure("B".to_owned())] {
            assert_eq!(ClassUse::read(&used.text()), Some(used));
        }
        assert_eq!(ClassUse::read("the moment at which the enum `E` is initialised"), None);
    }
}
