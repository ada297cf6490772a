//! Floats as C's `printf` writes them with `%.Nf`, `%.Ne` and `%.Ng`: the exact value, rounded half to even.

/// No double has more digits behind the point, nor more significant ones: what follows are zeros.
const MOST_DIGITS: usize = 1_100;

/// The `%.Nf` form.
pub(crate) fn fixed(value: f64, precision: usize) -> String {
    if let Some(name) = not_finite(value) {
        return name;
    }
    let digits = format!("{value:.*}", precision.min(MOST_DIGITS));
    digits + &"0".repeat(precision.saturating_sub(MOST_DIGITS))
}

/// The `%.Ne` form: an exponent of at least two digits, with its sign.
pub(crate) fn exponent(value: f64, precision: usize) -> String {
    if let Some(name) = not_finite(value) {
        return name;
    }
    let (mantissa, exponent) = scientific(value, precision);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

/// The `%.Ng` form: the shorter of the others at `N` significant digits, without zeros at the end.
pub(crate) fn general(value: f64, precision: usize) -> String {
    if let Some(name) = not_finite(value) {
        return name;
    }
    let precision = precision.max(1);
    let (_, power) = scientific(value, precision - 1);
    if power < -4 || i64::from(power) >= precision as i64 {
        let text = exponent(value, precision - 1);
        let (mantissa, rest) = text.split_once('e').unwrap_or((&text, ""));
        return format!("{}e{rest}", without_zeros(mantissa));
    }
    without_zeros(&fixed(value, (precision as i64 - 1 - i64::from(power)) as usize)).to_owned()
}

/// The mantissa with digits behind the point, and the exponent.
fn scientific(value: f64, precision: usize) -> (String, i32) {
    let text = format!("{value:.*e}", precision.min(MOST_DIGITS));
    let (mantissa, exponent) = text.split_once('e').expect("the exponent form should have an exponent");
    let exponent = exponent.parse().expect("the exponent should be a number");
    (mantissa.to_owned() + &"0".repeat(precision.saturating_sub(MOST_DIGITS)), exponent)
}

fn without_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

fn not_finite(value: f64) -> Option<String> {
    match (value.is_nan(), value.is_infinite(), value < 0.0) {
        (true, _, _) => Some("nan".to_owned()),
        (_, true, true) => Some("-inf".to_owned()),
        (_, true, false) => Some("inf".to_owned()),
        (false, false, _) => None,
    }
}
