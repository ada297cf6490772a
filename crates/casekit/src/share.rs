//! Which tests do the costly part of their work: a share of them, or all.
//!
//! Laws that hold for every case (versions swapped, runs on the real thing) multiply the time of the tests.
//! Each run of the tests checks them for the same share of the cases, `cargo xtask test --all` for every one.

use std::env;

/// The variable that asks for all of the work: `SELFSAME_TESTS=all`.
pub const VARIABLE: &str = "SELFSAME_TESTS";
/// The value that asks for it.
pub const ALL: &str = "all";

/// Whether the test of this name belongs to a share of one in `parts`.
///
/// Goes by the name alone, so that a run can be repeated and a new case changes nothing for the others.
pub fn has(name: &str, parts: u64) -> bool {
    is_all() || hash(name).is_multiple_of(parts)
}

/// Whether all of the work is asked for.
pub fn is_all() -> bool {
    env::var_os(VARIABLE).is_some_and(|value| value == ALL)
}

/// FNV-1a: the same on every machine and with every compiler.
fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn a_share_is_about_as_large_as_it_says() {
        let chosen = (0..1000).filter(|number| hash(&format!("case {number}")).is_multiple_of(4)).count();
        assert!((200..300).contains(&chosen), "{chosen}");
    }
}
