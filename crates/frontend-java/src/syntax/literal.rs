//! The values of literals: numbers in every base, characters, strings and text blocks. Exact.

use super::Literal;

/// An integer literal with its prefix, underscores and suffix. Values above the signed range wrap around:
/// hexadecimal ones by definition, and `2147483648` because it may only stand after a minus sign.
pub(super) fn integer(text: &str) -> Option<Literal> {
    let digits: String = text.chars().filter(|c| *c != '_').collect::<String>().to_ascii_lowercase();
    let (digits, is_long) = match digits.strip_suffix('l') {
        Some(digits) => (digits.to_owned(), true),
        None => (digits, false),
    };
    let (digits, radix) = if let Some(hex) = digits.strip_prefix("0x") {
        (hex, 16)
    } else if let Some(binary) = digits.strip_prefix("0b") {
        (binary, 2)
    } else if digits.len() > 1 && digits.starts_with('0') {
        (digits.trim_start_matches('0'), 8)
    } else {
        (digits.as_str(), 10)
    };
    let value = if digits.is_empty() { 0 } else { u64::from_str_radix(digits, radix).ok()? };
    if is_long {
        let fits = radix != 10 || value <= 1 << 63;
        return fits.then_some(Literal::Long(value as i64));
    }
    let limit = if radix == 10 { 1 << 31 } else { u64::from(u32::MAX) };
    (value <= limit).then_some(Literal::Int(value as u32 as i32))
}

/// A decimal or hexadecimal floating-point literal.
pub(super) fn floating(text: &str) -> Option<Literal> {
    let lower: String = text.chars().filter(|c| *c != '_').collect::<String>().to_ascii_lowercase();
    if let Some(hex) = lower.strip_prefix("0x") {
        let (hex, is_float) = match (hex.strip_suffix('f'), hex.contains('p')) {
            (Some(hex), true) => (hex, true),
            _ => (hex.strip_suffix('d').filter(|_| hex.contains('p')).unwrap_or(hex), false),
        };
        return hexadecimal_float(hex, is_float);
    }
    if let Some(digits) = lower.strip_suffix('f') {
        let value: f32 = digits.parse().ok()?;
        return value.is_finite().then_some(Literal::Float(value));
    }
    let value: f64 = lower.strip_suffix('d').unwrap_or(&lower).parse().ok()?;
    value.is_finite().then_some(Literal::Double(value))
}

/// `1.8p3` and the like; only those with at most 64 significant bits, which need one rounding.
fn hexadecimal_float(text: &str, is_float: bool) -> Option<Literal> {
    let (mantissa, exponent) = text.split_once('p')?;
    let mut exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    exponent = exponent.checked_sub(4 * i32::try_from(fraction.len()).ok()?)?;
    let bits = if digits.is_empty() { 0 } else { u64::from_str_radix(digits, 16).ok()? };
    let precision = if is_float { 24 } else { 53 };
    let least = if is_float { -149 } else { -1074 };
    let greatest = if is_float { 127 } else { 1023 };
    let significant = bits.checked_shr(bits.trailing_zeros()).unwrap_or(0);
    let exponent = exponent + if bits == 0 { 0 } else { bits.trailing_zeros() as i32 };
    let length = 64 - significant.leading_zeros() as i32;
    // Anything that needs rounding is left out: it is never written in practice.
    let exact = bits == 0
        || (length <= precision && exponent >= least && exponent.checked_add(length)? - 1 <= greatest);
    if !exact {
        return None;
    }
    let value = if bits == 0 { 0.0 } else { scale(significant as f64, exponent) };
    Some(if is_float { Literal::Float(value as f32) } else { Literal::Double(value) })
}

/// `value * 2^exponent` where the result is a double; in steps, so that no step leaves the range.
fn scale(mut value: f64, mut exponent: i32) -> f64 {
    while exponent > 0 {
        let step = exponent.min(60);
        value *= (1_u64 << step) as f64;
        exponent -= step;
    }
    while exponent < 0 {
        let step = (-exponent).min(60);
        value /= (1_u64 << step) as f64;
        exponent += step;
    }
    value
}

/// A character literal with its quotes.
pub(super) fn character(text: &str) -> Option<Literal> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    match unescape(inner)?.as_slice() {
        [unit] => Some(Literal::Char(*unit)),
        _ => None,
    }
}

/// A string literal or text block with its quotes.
pub(super) fn string(text: &str) -> Option<Literal> {
    if let Some(inner) = text.strip_prefix("\"\"\"").and_then(|rest| rest.strip_suffix("\"\"\"")) {
        return Some(Literal::Text(unescape(&strip_indent(inner)?)?));
    }
    // The grammar lets a string run over the end of the line; Java does not.
    let inner = text.strip_prefix('"')?.strip_suffix('"').filter(|inner| !inner.contains('\n'))?;
    Some(Literal::Text(unescape(inner)?))
}

/// The content of a text block without its incidental white space (JLS 3.10.6).
fn strip_indent(inner: &str) -> Option<String> {
    let normal = inner.replace("\r\n", "\n").replace('\r', "\n");
    let (opening, content) = normal.split_once('\n')?;
    if !opening.trim().is_empty() {
        return None;
    }
    let lines: Vec<&str> = content.split('\n').collect();
    let last = lines.len() - 1;
    let indent_of = |line: &str| line.len() - line.trim_start_matches(is_blank).len();
    let significant = |index: usize, line: &str| index == last || !line.trim_matches(is_blank).is_empty();
    let indent = lines
        .iter()
        .enumerate()
        .filter(|(index, line)| significant(*index, line))
        .map(|(_, line)| indent_of(line))
        .min()
        .unwrap_or(0);
    let stripped: Vec<&str> = lines
        .iter()
        .map(|line| {
            let line = line.get(indent.min(indent_of(line))..).unwrap_or("");
            line.trim_end_matches(is_blank)
        })
        .collect();
    Some(stripped.join("\n"))
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{c}')
}

/// The code units that a literal's inner text stands for.
fn unescape(text: &str) -> Option<Vec<u16>> {
    let mut units = Vec::new();
    let mut rest = text.chars().peekable();
    let mut buffer = [0; 2];
    while let Some(c) = rest.next() {
        if c != '\\' {
            units.extend_from_slice(c.encode_utf16(&mut buffer));
            continue;
        }
        match rest.next()? {
            'n' => units.push(10),
            't' => units.push(9),
            'b' => units.push(8),
            'r' => units.push(13),
            'f' => units.push(12),
            's' => units.push(32),
            '\n' => {}
            c @ ('\\' | '\'' | '"') => units.push(c as u16),
            'u' => {
                while rest.next_if_eq(&'u').is_some() {}
                let mut value = 0;
                for _ in 0..4 {
                    value = value * 16 + u16::try_from(rest.next()?.to_digit(16)?).ok()?;
                }
                // Such an escape is read before the literal is, and may end it: too odd to be worth the care.
                if matches!(value, 0x0a | 0x0d | 0x22 | 0x27 | 0x5c) {
                    return None;
                }
                units.push(value);
            }
            c @ '0'..='7' => {
                let most = if c <= '3' { 2 } else { 1 };
                let mut value = c.to_digit(8)?;
                for _ in 0..most {
                    let Some(digit) = rest.next_if(|c| c.is_digit(8)) else { break };
                    value = value * 8 + digit.to_digit(8)?;
                }
                units.push(u16::try_from(value).ok()?);
            }
            _ => return None,
        }
    }
    Some(units)
}
