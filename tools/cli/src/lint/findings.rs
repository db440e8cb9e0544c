//! The findings of one model.

use smithy_waiters_model::{Event, Sources};

/// The events of one model, filtered for the output.
#[derive(Debug)]
pub(super) struct Findings<'s> {
    pub(super) sources: &'s Sources,
    pub(super) events: Vec<Event>,
}
