//! Texts that are a little smaller than a program: without some of its lines, or with simpler expressions.

/// The text without the statement on a line, or without the braces around a block.
pub fn without_lines(lines: &[&str], start: usize) -> Vec<String> {
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let keep = |from: usize, to: usize| {
        let kept = lines[..from].iter().chain(&lines[to + 1..]);
        kept.map(|line| format!("{line}\n")).collect::<String>()
    };
    if !lines[start].trim_end().ends_with('{') {
        return if lines[start].trim_start().starts_with('}') {
            Vec::new()
        } else {
            vec![keep(start, start)]
        };
    }
    let depth = indentation(lines[start]);
    let mut ends = (start + 1..lines.len())
        .filter(|index| indentation(lines[*index]) == depth && lines[*index].trim_start().starts_with('}'));
    let Some(first_end) = ends.next() else { return Vec::new() };
    let last_end = if lines[first_end].ends_with('{') {
        ends.find(|index| !lines[*index].ends_with('{')).unwrap_or(first_end)
    } else {
        first_end
    };
    let is_head = !lines[start].trim_start().starts_with('}');
    let mut results = Vec::new();
    if is_head {
        results.push(keep(start, last_end));
        // The inside of the first block alone; labels of a switch cannot stand alone.
        if lines[start].trim_start().starts_with("switch") {
            return results;
        }
        let inside = lines[start + 1..first_end].iter();
        let kept = lines[..start].iter().chain(inside).chain(&lines[last_end + 1..]);
        results.push(kept.map(|line| format!("{line}\n")).collect());
    } else {
        // An `else`, `catch` or `finally` part, whose head also ends the part before.
        let kept = lines[..start].iter().chain(&lines[first_end..]);
        results.push(kept.map(|line| format!("{line}\n")).collect());
    }
    results
}

/// The line with one of its parenthesised parts made simpler.
pub fn simpler_lines(line: &str) -> Vec<String> {
    let mut results = Vec::new();
    if line.contains("entry(") {
        return results;
    }
    for (start, _) in line.match_indices('(') {
        let Some(end) = closing(line, start) else { continue };
        let inside = &line[start + 1..end];
        let around = |replacement: &str| format!("{}{replacement}{}", &line[..start], &line[end + 1..]);
        if inside.contains(['(', ' ']) {
            results.extend(["0", "1", "(-1)", "true", "1.5"].map(around));
        }
        results.extend(operands(inside).into_iter().map(|operand| around(&format!("({operand})"))));
        if inside.starts_with('(') && closing(inside, 0) == Some(inside.len() - 1) {
            results.push(around(inside));
        }
    }
    results
}

/// The parts of `a + b`, `a ? b : c` and `f(x), y` at the top of an expression.
fn operands(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let mut starts = vec![0];
    let mut results = Vec::new();
    for (index, letter) in text.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ' ' if depth == 0 => {
                let start = starts.last().copied().unwrap_or(0);
                results.push(text[start..index].trim_end_matches(','));
                starts.push(index + 1);
            }
            _ => {}
        }
    }
    if let Some(start) = starts.last().filter(|start| **start > 0) {
        results.push(&text[*start..]);
    }
    results.retain(|part| part.len() > 2 || part.chars().all(char::is_alphanumeric));
    results
}

/// Where the parenthesis that opens here is closed.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0;
    for (index, letter) in text[open..].char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(open + index),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}
