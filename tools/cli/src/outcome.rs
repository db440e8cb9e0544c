//! The outcome of a verb, which decides the exit code.

/// The outcome of a verb that ran without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// No findings that fail the command.
    Clean,
    /// Findings at or above the `--deny` level, or generated files that are out of date.
    Findings,
    /// The exit code of a wait.
    #[cfg(unix)]
    Code(u8),
}
