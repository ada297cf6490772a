//! Reads the model of the Java library, so that no run has to.

#[allow(dead_code, unused_imports, reason = "only the way from text to syntax is used here")]
#[path = "src/syntax/mod.rs"]
mod syntax;

#[path = "src/prelude/exceptions.rs"]
mod exceptions;

#[path = "src/prelude/sources.rs"]
mod sources;

use std::path::Path;
use std::{env, error, fs};

fn main() -> Result<(), Box<dyn error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/syntax");
    println!("cargo::rerun-if-changed=src/prelude");
    let units: Vec<syntax::Unit> = sources::texts().iter().map(|text| syntax::parse_model(text)).collect();
    let stored = postcard::to_allocvec(&units)?;
    let folder = env::var_os("OUT_DIR").ok_or("cargo should say where to write")?;
    fs::write(Path::new(&folder).join("prelude.bin"), stored)?;
    Ok(())
}
