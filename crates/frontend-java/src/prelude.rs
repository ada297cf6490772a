//! The model of the Java library, written in Java: what `java.lang` does, as far as it is modelled.
//!
//! The classes are read like those of the user, when this crate is built, and lowered only where they are used. Methods
//! whose body is one `return` are put in the place of the call. Names that start with `$` are operations of the IR.
//! Exact where it answers; what it does not answer, it calls `$unsupported`.

mod exceptions;
#[cfg(test)]
mod sources;

use std::sync::OnceLock;

use crate::syntax::Unit;
use exceptions::EXCEPTIONS;

/// What `build.rs` read.
const STORED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/prelude.bin"));

/// The classes of the library model.
pub(crate) fn units() -> &'static [Unit] {
    static UNITS: OnceLock<Vec<Unit>> = OnceLock::new();
    UNITS.get_or_init(|| match postcard::from_bytes(STORED) {
        Ok(units) => units,
        Err(error) => unreachable!("the stored library model should be readable: {error}"),
    })
}

/// The package of a class of the library model.
pub(crate) fn package_of(class: &str) -> &'static str {
    if class == "Arrays" {
        return "java.util";
    }
    EXCEPTIONS.iter().find(|(name, _, _)| *name == class).map_or("java.lang", |(_, _, package)| package)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax;

    #[test]
    fn what_is_stored_is_what_the_sources_say() {
        let parsed: Vec<Unit> = sources::texts().iter().map(|text| syntax::parse_model(text)).collect();
        assert_eq!(format!("{:?}", units()), format!("{parsed:?}"));
    }
}
