//! Sets of samples, as bits.

/// A set of numbers below a fixed size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    pub(crate) fn none(size: usize) -> Bits {
        Bits(vec![0; size.div_ceil(64)])
    }

    /// The empty set of the same size.
    pub(crate) fn none_like(other: &Bits) -> Bits {
        Bits(vec![0; other.0.len()])
    }

    pub(crate) fn insert(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    pub(crate) fn and(&self, other: &Bits) -> Bits {
        Bits(self.0.iter().zip(&other.0).map(|(left, right)| left & right).collect())
    }

    pub(crate) fn add(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(left, right)| *left |= right);
    }

    pub(crate) fn without(&self, other: &Bits) -> Bits {
        Bits(self.0.iter().zip(&other.0).map(|(left, right)| left & !right).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub(crate) fn meets(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).any(|(left, right)| left & right != 0)
    }

    pub(crate) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
}
