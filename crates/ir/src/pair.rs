//! Two sides of the same thing: the old version and the new one.

/// Which version something belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    Old,
    New,
}

impl Side {
    /// `old` or `new`.
    pub fn name(self) -> &'static str {
        match self {
            Side::Old => "old",
            Side::New => "new",
        }
    }

    pub fn other(self) -> Side {
        match self {
            Side::Old => Side::New,
            Side::New => Side::Old,
        }
    }
}

/// The old and the new version of a thing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Pair<T> {
    pub old: T,
    pub new: T,
}

impl<T> Pair<T> {
    pub fn new(old: T, new: T) -> Self {
        Self { old, new }
    }

    /// Applies a function to both sides, the old one first.
    pub fn map<U>(self, mut function: impl FnMut(T) -> U) -> Pair<U> {
        Pair { old: function(self.old), new: function(self.new) }
    }

    /// Applies a function that may fail to both sides; the old side's failure comes first.
    pub fn try_map<U, E>(self, mut function: impl FnMut(T) -> Result<U, E>) -> Result<Pair<U>, E> {
        Ok(Pair { old: function(self.old)?, new: function(self.new)? })
    }

    pub fn zip<U>(self, other: Pair<U>) -> Pair<(T, U)> {
        Pair { old: (self.old, other.old), new: (self.new, other.new) }
    }

    pub fn as_ref(&self) -> Pair<&T> {
        Pair { old: &self.old, new: &self.new }
    }

    pub fn get(&self, side: Side) -> &T {
        match side {
            Side::Old => &self.old,
            Side::New => &self.new,
        }
    }

    pub fn get_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Old => &mut self.old,
            Side::New => &mut self.new,
        }
    }

    /// The same two things with their roles exchanged.
    pub fn swapped(self) -> Self {
        Self { old: self.new, new: self.old }
    }
}
