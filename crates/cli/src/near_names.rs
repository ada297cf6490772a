//! Finds names that somebody may have meant.

/// The names closest to one that does not exist, closest first, at most three.
pub(crate) fn near<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted_lower = wanted.to_lowercase();
    let worth_showing = 1 + wanted.chars().count() / 3;
    let mut scored: Vec<(usize, &str)> = names
        .map(|name| (strsim::osa_distance(&wanted_lower, &name.to_lowercase()), name))
        .filter(|(distance, _)| *distance <= worth_showing)
        .collect();
    scored.sort_unstable();
    scored.dedup();
    scored.truncate(3);
    scored.into_iter().map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_one_step() {
        for slip in ["midpoint", "imdpoint", "middpoint", "mdpoint", "mudpoint"] {
            assert_eq!(near(slip, ["midpoint", "sum"].into_iter()), ["midpoint"], "{slip}");
        }
    }

    #[test]
    fn only_names_that_could_be_meant_are_shown() {
        let names = ["midpoint", "sum", "middle", "Mid", "zzz"];
        assert_eq!(near("midd", names.into_iter()), ["Mid", "middle"]);
        assert!(near("xyz", names.into_iter()).is_empty() || near("xyz", names.into_iter()) == ["zzz"]);
    }
}
