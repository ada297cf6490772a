//! Which errors stand for undefined behaviour of C.
//!
//! A run that gets there may do anything, so that two versions which both do have nothing to agree on: not even on
//! which of these errors it is, nor on what was written or printed before. A version that does and one that does not
//! are different.

/// The errors by which the front end of C names undefined behaviour.
pub const UNDEFINED: [&str; 12] = [
    "division by zero",
    "invalid free",
    "null dereference",
    "out of bounds",
    "overlapping copy",
    "signed overflow",
    "undefined bit count",
    "undefined conversion",
    "undefined pointer difference",
    "undefined shift",
    "unreachable code",
    "write to a constant",
];

/// Whether an error stands for undefined behaviour. Java has none; its errors are names of classes.
pub fn is_undefined(error: &str) -> bool {
    UNDEFINED.contains(&error)
}

/// The message that the language gives an error where a check raises it, if that is always the same.
pub fn message_of_check(error: &str) -> Option<&'static str> {
    matches!(error, "ArithmeticException" | "java.lang.ArithmeticException").then_some("/ by zero")
}
