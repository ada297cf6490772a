//! Which procedures are lowered: all, or those that somebody asks for.

use crate::unchanged::Changed;

/// Which procedures are lowered. What they call is lowered, too.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub enum Choice {
    #[default]
    All,
    /// Those that a name may mean: `mid`, `Mid.mid`, `Mid.mid(int,int)`, `Mid` for constructors. Over-approximating.
    Named(String),
    /// Those that may run something that changed.
    Affected,
}

/// How much of the sources is looked into.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Reading {
    pub choice: Choice,
    /// Methods that are called, are longer than a few words and run nothing that changed are unknown code, the same in
    /// both versions. Over-approximating: good for proofs, not for differences.
    pub hides_callees: bool,
}

impl From<Choice> for Reading {
    fn from(choice: Choice) -> Reading {
        Reading { choice, hides_callees: false }
    }
}

impl Choice {
    /// Whether a method is chosen, given with the simple name of its class.
    pub(crate) fn takes(&self, class: &str, method: &str, changed: &Changed) -> bool {
        let is_constructor = method == "<init>";
        // Conditions and the like are asked for where they are.
        let is_made_up = method.starts_with('<') && !is_constructor;
        match self {
            Choice::All => true,
            Choice::Named(name) => {
                let mut names = name.split("=>").map(|name| {
                    let name = name.split('(').next().unwrap_or(name).trim();
                    name.rsplit('.').next().unwrap_or(name)
                });
                names.any(|name| name == method || name.starts_with('<') || (is_constructor && name == class))
            }
            Choice::Affected if is_constructor || is_made_up => changed.has_class(class),
            Choice::Affected => changed.has_method(method),
        }
    }
}
