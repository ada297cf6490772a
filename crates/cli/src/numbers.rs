//! Numbers made of content: the same number, the same content.

use sha2::{Digest, Sha256};

/// The first half of the SHA-256 of a text, in hexadecimal.
pub(crate) fn number(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
