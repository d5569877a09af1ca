//! Which known word an unknown one was probably meant to be.

/// The candidate that is most like `name`, where one is like enough.
///
/// ```
/// assert_eq!(arc_validator::most_alike("mesage", ["message", "title"]), Some("message"));
/// ```
pub fn most_alike<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let name = plain(name);
    let scored = candidates.into_iter().filter_map(|candidate| Some((likeness(&name, &plain(candidate))?, candidate)));
    scored.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, candidate)| candidate)
}

/// Case and the style of word separators count for nothing.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '_' | '-' | '.' | ' ')).flat_map(char::to_lowercase).collect()
}

/// How alike two plain words are, up to 1; nothing where that is not enough. One slip is always alike.
#[expect(clippy::cast_precision_loss, reason = "lengths of names")]
fn likeness(name: &str, candidate: &str) -> Option<f64> {
    const ENOUGH: f64 = 0.75;
    let (a, b) = (name.chars().count(), candidate.chars().count());
    let longer = a.max(b) as f64;
    let at_best = 1.0 - a.abs_diff(b) as f64 / longer;
    if a.abs_diff(b) > 1 && at_best < ENOUGH {
        return None;
    }
    let slips = strsim::damerau_levenshtein(name, candidate);
    let likeness = if slips <= 1 { 1.0 } else { 1.0 - slips as f64 / longer };
    (likeness >= ENOUGH).then_some(likeness)
}
