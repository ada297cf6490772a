//! Which procedures are lowered: all, or those that somebody asks for. What they call is lowered, too.

/// Which procedures are lowered.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub enum Choice {
    #[default]
    All,
    /// Those that a name may mean: `mid`, `Mid.mid`, `Mid.mid(int,int)`, `Mid` for constructors, `old=>new`.
    /// Over-approximating.
    Named(String),
    /// Those that changed, and those that call what changed. Where these are very many, only those of them that may do
    /// something else although all methods which both versions have, and which changed, do the same.
    /// Of a program with few methods it is all of them.
    Affected,
}

/// Of a program with at most so many methods all are lowered.
pub(crate) const FEW_METHODS: usize = 300;
/// Callers of what changed are lowered if there are at most so many.
pub(crate) const MAX_CALLERS: usize = 500;

impl Choice {
    /// Whether a name may mean a method, given with the simple name of its class.
    pub(crate) fn names(asked: &str, class: &str, method: &str) -> bool {
        let is_constructor = method == "<init>";
        asked.split("=>").any(|name| {
            let name = name.split('(').next().unwrap_or(name).trim();
            let last = name.rsplit('.').next().unwrap_or(name);
            last == method || last.starts_with('<') || (is_constructor && last == class)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Choice;

    #[test]
    fn a_name_means_what_it_ends_with() {
        for asked in ["mid", "Mid.mid", "p.Mid.mid(int,int)", "low=>mid", "Mid.low => Mid.mid"] {
            assert!(Choice::names(asked, "Mid", "mid"), "{asked}");
        }
        assert!(Choice::names("p.Mid", "Mid", "<init>") && Choice::names("Mid.<init>", "Mid", "<init>"));
        assert!(!Choice::names("mid", "Mid", "low") && !Choice::names("Mid", "Mid", "mid"));
    }
}
