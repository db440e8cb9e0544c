//! Lists of names in messages.

/// The maximum number of names in a list.
const LISTED: usize = 30;

/// Returns the first names as a list: "`a`, `b`, 3 more", or "none".
pub(crate) fn listed(names: &[&str]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    let more = names.len().saturating_sub(LISTED);
    let listed = names.iter().take(LISTED).map(|name| format!("`{name}`"));
    let mut listed: Vec<String> = listed.collect();
    listed.extend((more > 0).then(|| format!("{more} more")));
    listed.join(", ")
}
