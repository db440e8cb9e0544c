//! The outcome of a verb, which decides the exit code.

/// The outcome of a verb that could do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Nothing to report.
    Clean,
    /// There are findings that fail the command.
    Findings,
}
