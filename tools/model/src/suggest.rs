//! Suggests waiters that a model lacks, from the states and errors of its operations.
//!
//! Each module imports only from lines above it:
//!
//! ```text
//! words, vocabulary          words of names, the words and weights that are data
//! values, documentation      classes of a state's values, values in documentation
//! operations, states, errors reads and writes, the states in outputs, errors for absent resources
//! goals, confidence, names   goals and failures, sums of weights, names of waiters
//! proposal, questions        proposed waiters, and questions about them
//! propose, review            the proposals for each operation, values that waiters miss
//! ```

mod confidence;
mod documentation;
mod errors;
mod goals;
mod names;
mod operations;
mod proposal;
mod propose;
mod questions;
mod review;
mod states;
mod values;
mod vocabulary;
mod words;

pub use goals::Goal;
pub use proposal::{Acceptor, Matcher, Proposal};
pub(crate) use review::{Review, review};
pub use values::Class;
pub(crate) use values::Classifier;
pub use vocabulary::Vocabulary;

use crate::shapes::Model;

/// The options of [`suggest`].
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// The words and weights.
    pub vocabulary: Vocabulary,
    /// Includes waiters for [`Goal::Exists`] and [`Goal::NotExists`].
    ///
    /// Few services need them: a model does not contain whether a service is eventually consistent.
    pub existence: bool,
}

/// Returns waiters that the model lacks, with the most confident ones of each operation first.
///
/// A waiter for the same goal as one that the operation has is left out. The documentation of the model is used if its
/// sources include it.
///
/// # Example: a job
///
/// ```
/// use smithy_waiters_model::suggest::{Options, suggest};
/// use smithy_waiters_model::{Sources, read};
///
/// let mut sources = Sources::default();
/// sources.add("a.smithy", r#"
///     $version: "2"
///     namespace example
///     operation StartJob {}
///     operation GetJob { output := { status: JobStatus } }
///     enum JobStatus { QUEUED, RUNNING, SUCCEEDED, FAILED }
/// "#);
/// let proposals = suggest(&read(&sources), &Options::default());
/// assert_eq!(proposals[0].waiter, "JobSucceeded");
/// assert_eq!(proposals[0].path.as_deref(), Some("status"));
/// assert!(proposals[0].confidence > 0.9);
/// ```
#[must_use]
pub fn suggest(model: &Model<'_>, options: &Options) -> Vec<Proposal> {
    propose::propose(model, options)
}
