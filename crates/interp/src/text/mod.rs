//! Texts of numbers and numbers of texts, exactly as Java's and C's libraries have them.

pub(crate) mod c_float;
pub(crate) mod java_float;
pub(crate) mod parse;
pub(crate) mod slices;
