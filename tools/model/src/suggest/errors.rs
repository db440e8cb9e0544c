//! Finds the error that means that a resource does not exist.

use super::operations::Operation;
use super::vocabulary::{ErrorWord, Vocabulary, Weight};
use super::words;
use crate::shapes::{Model, Shape, id};

/// An error for an absent resource.
pub(super) struct Absent {
    /// The code that clients see.
    pub(super) code: String,
    /// The name of the shape if it differs.
    pub(super) shape: Option<String>,
    /// The weight of the error's noun.
    pub(super) weight: f64,
    pub(super) doubt: Option<&'static str>,
}

/// Returns the most likely error of an operation for an absent resource.
pub(super) fn absent<'m, 'a>(
    model: &'m Model<'a>,
    vocabulary: &Vocabulary,
    operation: &Operation<'m, 'a>,
) -> Option<Absent> {
    let errors = model.errors(operation.shape).into_iter();
    let errors = errors.filter_map(|id| model.shape(id));
    let absent = errors.filter(|error| is_absent(vocabulary, error));
    let rated = absent.map(|error| rate(vocabulary, operation, error));
    rated.max_by(|one, two| one.weight.total_cmp(&two.weight))
}

fn is_absent(vocabulary: &Vocabulary, error: &Shape<'_>) -> bool {
    let name = words::split(id::name(error.id)).concat();
    let status = error.find_trait("smithy.api#httpError");
    let parts = vocabulary.error_words(ErrorWord::Absent);
    parts.iter().any(|part| name.contains(part.as_str()))
        || status.and_then(|status| status.value.as_f64()) == Some(404.0)
}

fn rate(vocabulary: &Vocabulary, operation: &Operation<'_, '_>, error: &Shape<'_>) -> Absent {
    let code = error.query_code();
    let name = id::name(error.id);
    let generic = vocabulary.error_words(ErrorWord::Generic);
    let mut noun = words::split(name);
    noun.retain(|word| !generic.contains(word) && word != "does" && word != "exist");
    let key = words::key(&noun);
    let is_own = operation.key.ends_with(&key) || key.ends_with(&operation.key);
    let (weight, doubt) = if key.is_empty() {
        (Weight::GenericError, None)
    } else if is_own {
        (Weight::Evidence, None)
    } else {
        (Weight::OtherError, Some("the error names another noun"))
    };
    let mut absent = Absent {
        code: code.unwrap_or(name).to_owned(),
        shape: code.filter(|code| *code != name).map(|_| name.to_owned()),
        // An own error is better than a generic one, but not more certain.
        weight: if is_own && !key.is_empty() {
            0.001
        } else {
            vocabulary.weight(weight)
        },
        doubt,
    };
    if operation.is_plural() && operation.has_required() && !is_own {
        absent.weight += vocabulary.weight(Weight::ParentError);
        absent.doubt = Some("the error may be that of a required parent");
    }
    absent
}
