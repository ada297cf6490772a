//! Random choices that a seed determines.

/// A source of choices; the same seed gives the same ones.
pub struct Choices {
    random: fastrand::Rng,
}

impl Choices {
    /// Every number of a campaign has choices of its own, so that one program can be made again alone.
    pub fn new(seed: u64, number: u64) -> Choices {
        Choices { random: fastrand::Rng::with_seed(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number) }
    }

    /// A number below the bound, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        self.random.usize(..bound)
    }

    /// A number from the first to the last, both included.
    pub fn between(&mut self, first: usize, last: usize) -> usize {
        self.random.usize(first..=last)
    }

    /// True in this share of cases.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// One of the things, each as likely as its weight says.
    pub fn weighted<T: Copy>(&mut self, from: &[(usize, T)]) -> T {
        let mut left = self.below(from.iter().map(|(weight, _)| weight).sum());
        for (weight, thing) in from {
            if left < *weight {
                return *thing;
            }
            left -= weight;
        }
        unreachable!("the weights should add up to their sum")
    }

    pub fn bits(&mut self) -> u64 {
        self.random.u64(..)
    }
}
