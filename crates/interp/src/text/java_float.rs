//! Floats as Java's `Double.toString` and `Float.toString` write them, from JDK 19 on.
//!
//! The shortest decimal that reads back as the float, and the closest of those; but never fewer than two digits, and
//! the closest with two digits when one would do. Plain from 10^-3 up to 10^7, otherwise with an exponent.

pub(crate) fn double_to_string(value: f64) -> String {
    let reads_back = |text: &str| text.parse() == Ok(value.abs());
    to_string(value, ryu::Buffer::new().format(value.abs()), &format!("{:.1e}", value.abs()), reads_back)
}

pub(crate) fn float_to_string(value: f32) -> String {
    let reads_back = |text: &str| text.parse() == Ok(value.abs());
    to_string(
        value.into(),
        ryu::Buffer::new().format(value.abs()),
        &format!("{:.1e}", value.abs()),
        reads_back,
    )
}

/// `shortest` is the shortest decimal of the absolute value that reads back as it, and the closest of those;
/// of two that are equally close the one with an even last digit, which is why it comes from `ryu`.
fn to_string(value: f64, shortest: &str, two_digits: &str, reads_back: impl Fn(&str) -> bool) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_infinite() {
        return format!("{sign}Infinity");
    }
    if value == 0.0 {
        return format!("{sign}0.0");
    }
    let (mut digits, mut exponent) = split(shortest);
    if digits.len() == 1 && reads_back(two_digits) {
        (digits, exponent) = split(two_digits);
    }
    format!("{sign}{}", layout(digits, exponent))
}

/// The digits of a decimal that is not zero, without zeros around them, and the exponent of the first one.
fn split(text: &str) -> (String, i32) {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().expect("the exponent should be a number");
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let digits = all.trim_start_matches('0');
    let zeros = (all.len() - digits.len()) as i32;
    (digits.trim_end_matches('0').to_owned(), exponent + whole.len() as i32 - 1 - zeros)
}

fn layout(mut digits: String, exponent: i32) -> String {
    if (0..7).contains(&exponent) {
        let whole = exponent as usize + 1;
        while digits.len() <= whole {
            digits.push('0');
        }
        return format!("{}.{}", &digits[..whole], trim(&digits[whole..]));
    }
    if (-3..0).contains(&exponent) {
        let zeros = "0".repeat((-exponent - 1) as usize);
        return format!("0.{zeros}{}", trim(&digits));
    }
    let fraction = if digits.len() == 1 { "0" } else { trim(&digits[1..]) };
    format!("{}.{fraction}E{exponent}", &digits[..1])
}

/// Without the zeros at the end, but with at least one digit.
fn trim(digits: &str) -> &str {
    let trimmed = digits.trim_end_matches('0');
    if trimmed.is_empty() { &digits[..1] } else { trimmed }
}
