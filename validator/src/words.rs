//! Which known word an unknown one was probably meant to be.

/// The candidate that is most like `name`, where one is like enough.
pub(crate) fn most_alike<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let scored = candidates.into_iter().map(|candidate| (likeness(name, candidate), candidate));
    scored.filter(|(score, _)| *score >= 0.75).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, candidate)| candidate)
}

/// 0 to 1; case and the style of word separators count for nothing, and one slip is always alike.
fn likeness(name: &str, candidate: &str) -> f64 {
    let plain = |text: &str| text.to_lowercase().replace(['_', '-', '.', ' '], "");
    let (name, candidate) = (plain(name), plain(candidate));
    if strsim::damerau_levenshtein(&name, &candidate) <= 1 {
        return 1.0;
    }
    strsim::normalized_damerau_levenshtein(&name, &candidate)
}
