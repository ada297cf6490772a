//! Finds names that somebody may have meant.

/// The names closest to one that does not exist, closest first, at most three.
pub(crate) fn near<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted_lower = wanted.to_lowercase();
    let worth_showing = 1 + wanted.chars().count() / 3;
    let mut scored: Vec<(usize, &str)> = names
        .map(|name| (distance(&wanted_lower, &name.to_lowercase()), name))
        .filter(|(distance, _)| *distance <= worth_showing)
        .collect();
    scored.sort_unstable();
    scored.dedup();
    scored.truncate(3);
    scored.into_iter().map(|(_, name)| name).collect()
}

/// How many characters have to be inserted, removed, replaced or exchanged with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_one_step() {
        for slip in ["mid", "imd", "midd", "md", "mud"] {
            assert!(distance("mid", slip) <= 1, "{slip}");
        }
        assert_eq!(distance("", "abc"), 3);
    }

    #[test]
    fn only_names_that_could_be_meant_are_shown() {
        let names = ["midpoint", "sum", "middle", "Mid", "zzz"];
        assert_eq!(near("midd", names.into_iter()), ["Mid", "middle"]);
        assert!(near("xyz", names.into_iter()).is_empty() || near("xyz", names.into_iter()) == ["zzz"]);
    }
}
