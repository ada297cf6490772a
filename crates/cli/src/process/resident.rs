//! How much memory the processes of a session use, going by what the kernel lists under `/proc`.

use std::fs;

/// The bytes in use by all processes of a session but its leader, the guardian, which is a copy of us.
/// What cannot be read counts as nothing.
pub(super) fn of_session(session: u32) -> u64 {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let others = numbers.filter(|number| *number != session);
    let statuses = others.filter_map(|number| fs::read_to_string(format!("/proc/{number}/stat")).ok());
    let pages: u64 = statuses.filter_map(|status| pages(&status, session)).sum();
    pages.saturating_mul(rustix::param::page_size() as u64)
}

/// The pages in use by a process of the session, from its line in `/proc/N/stat`.
fn pages(status: &str, session: u32) -> Option<u64> {
    // The name stands in parentheses and may hold anything, so that one counts from its end: state, parent, group, session.
    let mut fields = status.rsplit_once(')')?.1.split_whitespace();
    (fields.nth(3)?.parse() == Ok(session)).then_some(())?;
    fields.nth(17)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_parentheses_does_not_hide_the_numbers() {
        let status =
            "7 (a) 9 (b) S 1 7 42 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 100 9999999 321 18446744073709551615";
        assert_eq!(pages(status, 42), Some(321));
        assert_eq!(pages(status, 7), None);
        assert_eq!(pages("nonsense", 7), None);
    }
}
