//! Digests, nonces and whatever looks like a secret, starred out of what is shown, also where the text is no JSON.

use crate::lints::secrets;
use std::borrow::Cow;

/// The text with the value of every member that is called a digest or a nonce, or nearly so, and whatever looks like a
/// secret, starred out byte for byte.
pub(super) fn masked(source: &[u8]) -> Vec<u8> {
    let mut masked = source.to_vec();
    let mut at = 0;
    mask_secrets(source, &mut masked);
    mask_words(source, &mut masked);
    while let Some(quote) = memchr::memchr(b'"', &source[at..]) {
        let start = at + quote;
        at = string_end(source, start);
        if spells_secret(&source[start + 1..at]) {
            masked[start + 1..at - 1].fill(b'*');
        }
        let value = after_colon(source, at).filter(|_| is_secret(&source[start + 1..at]));
        if let Some(value) = value {
            at = value_end(source, value);
            star(&mut masked[value..at]);
        }
    }
    masked
}

fn mask_secrets(source: &[u8], masked: &mut [u8]) {
    let mut start = 0;
    for chunk in source.utf8_chunks() {
        for (_, part) in secrets(chunk.valid()) {
            // Of a private key only the first line is told apart; the key itself follows it.
            let is_key = chunk.valid()[part.start..].starts_with("-----BEGIN");
            let text_end = || chunk.valid()[part.start..].find('"').map_or(chunk.valid().len(), |at| part.start + at);
            let end = if is_key { text_end() } else { part.end };
            masked[start + part.start..start + end].fill(b'*');
        }
        start += chunk.valid().len() + chunk.invalid().len();
    }
}

/// The same for the plain words, whatever stands around them: where quotes are missing or of another kind, nobody can say
/// what is a name.
fn mask_words(source: &[u8], masked: &mut [u8]) {
    let lower = source.to_ascii_lowercase();
    for word in ["digest", "nonce"] {
        for at in memchr::memmem::find_iter(&lower, word) {
            let quote = at + word.len();
            let name_end = quote + usize::from(matches!(source.get(quote), Some(b'"' | b'\'' | b'`')));
            if let Some(value) = after_colon(source, name_end) {
                star(&mut masked[value..value_end(source, value)]);
            }
        }
    }
}

/// Whether the escapes of a string hide a secret, which the spelling does not show.
fn spells_secret(raw: &[u8]) -> bool {
    let spelled = String::from_utf8_lossy(raw.strip_suffix(b"\"").unwrap_or(raw));
    spelled.contains('\\') && secrets(&unescaped(&spelled)).next().is_some()
}

/// Whether a member's name, as it is spelled, means a digest or a nonce; one slip in it makes no difference.
fn is_secret(raw: &[u8]) -> bool {
    let raw = raw.strip_suffix(b"\"").unwrap_or(raw);
    let spelled = String::from_utf8_lossy(raw);
    let name = unescaped(&spelled).to_lowercase().replace(['_', '-'], "");
    ["digest", "nonce", "requestdigest"].iter().any(|secret| strsim::damerau_levenshtein(&name, secret) <= 1)
}

/// The name with its escapes decoded, where they can be.
fn unescaped(spelled: &str) -> Cow<'_, str> {
    if !spelled.contains('\\') {
        return spelled.into();
    }
    serde_json::from_str::<String>(&format!("\"{spelled}\"")).map_or(spelled.into(), Cow::Owned)
}

/// The byte after the string that begins at `start`, or the end of the text.
fn string_end(source: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = source.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    source.len()
}

/// Where the value begins, if a colon follows.
fn after_colon(source: &[u8], at: usize) -> Option<usize> {
    let skip = |from: usize| from + source[from..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    let colon = skip(at);
    (source.get(colon) == Some(&b':')).then(|| skip(colon + 1)).filter(|value| *value < source.len())
}

/// The byte after the value that begins at `start`, as far as it can be told.
fn value_end(source: &[u8], start: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = start;
    while let Some(&byte) = source.get(at) {
        match byte {
            b'"' => at = string_end(source, at) - 1,
            b'{' | b'[' => depth += 1,
            b'}' | b']' | b',' if depth == 0 => return at,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    source.len()
}

/// Everything but white space and the quotes around it.
fn star(value: &mut [u8]) {
    let quoted = value.len() > 1 && value.starts_with(b"\"");
    let end = value.trim_ascii_end().len();
    let inner = if quoted && value[..end].ends_with(b"\"") { 1..end - 1 } else { usize::from(quoted)..end };
    value[inner].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b'*');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        String::from_utf8(masked(text.as_bytes())).unwrap()
    }

    #[test]
    fn digest_and_nonce_are_starred_wherever_they_stand() {
        for (text, expected) in [
            (r#"{"digest":"abc" , "nonce" : "d\"e"}"#, r#"{"digest":"***" , "nonce" : "****"}"#),
            (r#"{"digest":"abc","digest":"def"}"#, r#"{"digest":"***","digest":"***"}"#),
            (r#"{"Nonse":"abc","request_digest":"d"}"#, r#"{"Nonse":"***","request_digest":"*"}"#),
            (r#"{"\u006eonce":"abc"}"#, r#"{"\u006eonce":"***"}"#),
            (r#"{"nonce":["a",{"b":1}],"c":1}"#, r#"{"nonce":*************,"c":1}"#),
            (r#"{"nonce":17,"c":1}"#, r#"{"nonce":**,"c":1}"#),
            (r#"{"nonce":"abc"#, r#"{"nonce":"***"#),
            (r#"{"nonce":"abc" x"#, r#"{"nonce":"******"#),
            (r#"{x", "nonce":"abc"}"#, r#"{x", "nonce":"***"}"#),
            ("{'nonce': 'abc', Digest: x}", "{'nonce': *****, Digest: *}"),
            (r#"{"nonce""#, r#"{"nonce""#),
            (r#"{"nonce":"#, r#"{"nonce":"#),
            (r#"{"a":"AKIAABCDEFGHIJKLMNOP"}"#, r#"{"a":"********************"}"#),
            (r#"{"a":"-----BEGIN PRIVATE KEY----- abc","b":1}"#, r#"{"a":"*******************************","b":1}"#),
            (r#"{"a":"\u0041KIAABCDEFGHIJKLMNOP"}"#, r#"{"a":"*************************"}"#),
            (r#"{"text":"the nonce is: x","label":"digest"}"#, r#"{"text":"the nonce is: x","label":"digest"}"#),
        ] {
            assert_eq!(shown(text), expected);
        }
    }

    #[test]
    fn masking_keeps_every_place() {
        for text in ["", "\"", "{\"nonce\":\"", "{\"nonce\":\"é\\", "\\\"nonce\":\n[\n"] {
            assert_eq!(masked(text.as_bytes()).len(), text.len());
        }
    }
}
