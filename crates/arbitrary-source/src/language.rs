//! Languages as options of campaigns.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use ir::Language;

/// Reads the name of a language that there is a generator for.
pub fn language_parser() -> impl TypedValueParser<Value = Language> {
    let names = Language::ALL.map(Language::name);
    PossibleValuesParser::new(names)
        .map(|name| Language::named(&name).expect("only names should be possible"))
}
