//! The only module that asks for chance: nonces, ids and a first token.

use crate::digest::hex;
use crate::engine::{Fresh, Millis};
use crate::secret::{Nonce, Token};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// What one command may use up.
pub(crate) fn fresh(now: Millis) -> Result<Fresh, getrandom::Error> {
    Ok(Fresh { condition_id: id("ntf_", now)?, question_id: id("int_", now)?, nonce: nonce()? })
}

/// A token of 256 random bits, base64url.
pub fn token() -> Result<Token, getrandom::Error> {
    Ok(Token::new(URL_SAFE_NO_PAD.encode(random::<32>()?)))
}

/// A key for a condition that was given none.
pub(crate) fn key(now: Millis) -> Result<String, getrandom::Error> {
    id("auto_", now)
}

/// 192 random bits, base64url, with nothing in it that counts or tells the time.
fn nonce() -> Result<Nonce, getrandom::Error> {
    Ok(Nonce::from(URL_SAFE_NO_PAD.encode(random::<24>()?)))
}

/// The millisecond and 80 random bits, hexadecimal: unique across databases, and neighbours in an index.
fn id(prefix: &str, now: Millis) -> Result<String, getrandom::Error> {
    Ok(format!("{prefix}{}{}", hex(&now.to_be_bytes()[2..]), hex(&random::<10>()?)))
}

#[expect(clippy::disallowed_methods, reason = "this is where random bits come from")]
fn random<const N: usize>() -> Result<[u8; N], getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}
