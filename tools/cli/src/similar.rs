//! Suggestions for unknown names.

use smithy_waiters_model::similar_names;

/// Returns the end of a message about an unknown name, such as ": did you mean `dynamodb`?"; empty if no name is similar.
pub(crate) fn did_you_mean<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    let similar = similar_names(name, known).into_iter();
    let similar: Vec<String> = similar.map(|name| format!("`{name}`")).collect();
    if similar.is_empty() {
        String::new()
    } else {
        format!(": did you mean {}?", similar.join(", "))
    }
}
